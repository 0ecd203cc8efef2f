package mortise.clients;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.FutureTask;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.redisson.api.RCountDownLatch;
import org.redisson.api.RFencedLock;
import org.redisson.api.RIdGenerator;
import org.redisson.api.RLock;
import org.redisson.api.RPermitExpirableSemaphore;
import org.redisson.api.RRateLimiter;
import org.redisson.api.RReadWriteLock;
import org.redisson.api.RSemaphore;
import org.redisson.api.RateType;
import org.redisson.api.RedissonClient;
import org.redisson.client.RedisException;

/**
 * A user with all commands and %lock~pattern alone: Redisson's locks and synchronizers touch no
 * other key or channel, waiting, renewing and letting go included. What is refused stands in the
 * server's ACL log.
 */
@BothProtocols
class LockPermissionsTest extends RedissonCase {
  private final String user = "locks-" + UUID.randomUUID();
  private final List<RedissonClient> clients = new ArrayList<>();
  private RedissonClient mine;
  private RedissonClient other;
  private boolean hasRule;

  @BeforeEach
  void makeUser() throws IOException {
    String set = "ACL SETUSER " + user + " on >secret +@all ";
    String rule = "%lock~allowed:*:????????-????-????-????-????????????";
    hasRule = say(set + rule).get(0).equals("+OK");
    if (!hasRule) {
      // Redis: globs for whatever contains the name come near.
      assertEquals("+OK", say(set + "~*allowed:* &*allowed:*").get(0));
    }
    mine = client();
    other = client();
  }

  @AfterEach
  void removeUser() throws IOException {
    clients.forEach(RedissonClient::shutdown);
    say("ACL DELUSER " + user);
  }

  private RedissonClient client() {
    RedissonClient made =
        Clients.connect(SharedServer.server().address(), protocol, user, "secret");
    clients.add(made);
    return made;
  }

  /** One command on a connection of its own; what was answered, line by line. */
  private static List<String> say(String command) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", SharedServer.server().port());
        BufferedReader reader =
            new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1))) {
      socket.getOutputStream().write((command + "\r\nQUIT\r\n").getBytes(StandardCharsets.US_ASCII));
      return reader.lines().toList();
    }
  }

  /** Keys, channels and commands that the user was refused. */
  private Set<String> refused() throws IOException {
    Set<String> objects = new TreeSet<>();
    List<String> lines = say("ACL LOG 1000");
    String object = null;
    for (int i = 0; i + 2 < lines.size(); i++) {
      if (lines.get(i).equals("object")) {
        object = lines.get(i + 2);
      } else if (lines.get(i).equals("username") && lines.get(i + 2).equals(user)) {
        objects.add(object);
      }
    }
    // Redisson looks once whether it speaks to a cluster.
    objects.remove("test1");
    return objects;
  }

  private void handOver(Function<RedissonClient, RLock> lockOf) throws Exception {
    RLock lock = lockOf.apply(mine);
    lock.lock();
    FutureTask<Void> waiter =
        start(
            () -> {
              RLock same = lockOf.apply(other);
              same.lock(30, SECONDS);
              same.unlock();
              return null;
            });
    // Long enough for a renewal.
    Thread.sleep(Clients.WATCHDOG.toMillis() / 2);
    assertTrue(lock.isHeldByCurrentThread());
    lock.unlock();
    finish(waiter);
    assertEquals(Set.of(), refused());
  }

  @Test
  void locks() throws Exception {
    handOver(client -> client.getLock(name("allowed:lock")));
    handOver(client -> client.getSpinLock(name("allowed:spin")));
    handOver(client -> client.getFairLock(name("allowed:fair")));
    handOver(
        client ->
            client.getMultiLock(
                client.getLock(name("allowed:one")), client.getLock(name("allowed:two"))));
    handOver(client -> client.getNonReentrantLock(name("allowed:once")));
    handOver(client -> client.getNonReentrantFairLock(name("allowed:fair-once")));
    handOver(client -> client.getMultiLock(name("allowed:group"), List.of("a", "b")));
    handOver(client -> client.getFairLock(name("allowed:{tag}:fair")));
    RFencedLock fenced = mine.getFencedLock(name("allowed:fenced"));
    assertTrue(fenced.lockAndGetToken() > 0);
    fenced.unlock();
    assertEquals(Set.of(), refused());
  }

  @Test
  void readWriteLocks() throws Exception {
    handOver(client -> client.getReadWriteLock(name("allowed:rw")).writeLock());
    RReadWriteLock lock = mine.getReadWriteLock(name("allowed:rw"));
    RReadWriteLock same = other.getReadWriteLock(name("allowed:rw"));
    lock.readLock().lock();
    same.readLock().lock();
    FutureTask<Boolean> writer =
        start(() -> same.writeLock().tryLock(PATIENCE_MS, 30_000, MILLISECONDS));
    Thread.sleep(Clients.WATCHDOG.toMillis() / 2);
    lock.readLock().unlock();
    same.readLock().unlock();
    assertTrue(finish(writer));
    assertEquals(Set.of(), refused());
  }

  @Test
  void semaphoresAndLatches() throws Exception {
    RSemaphore semaphore = mine.getSemaphore(name("allowed:semaphore"));
    assertTrue(semaphore.trySetPermits(1));
    semaphore.acquire();
    FutureTask<Boolean> waiter =
        start(
            () ->
                other
                    .getSemaphore(name("allowed:semaphore"))
                    .tryAcquire(1, PATIENCE_MS, MILLISECONDS));
    Thread.sleep(200);
    semaphore.release();
    assertTrue(finish(waiter));
    RPermitExpirableSemaphore permits =
        mine.getPermitExpirableSemaphore(name("allowed:permits"));
    assertTrue(permits.trySetPermits(1));
    String permit = permits.acquire(30, SECONDS);
    assertTrue(permits.updateLeaseTime(permit, 20, SECONDS));
    permits.release(permit);
    RCountDownLatch latch = mine.getCountDownLatch(name("allowed:latch"));
    assertTrue(latch.trySetCount(1));
    FutureTask<Boolean> awaiting =
        start(
            () ->
                other
                    .getCountDownLatch(name("allowed:latch"))
                    .await(PATIENCE_MS, MILLISECONDS));
    Thread.sleep(200);
    latch.countDown();
    assertTrue(finish(awaiting));
    assertEquals(Set.of(), refused());
  }

  @Test
  void limitersAndGenerators() throws Exception {
    for (RateType type : RateType.values()) {
      RRateLimiter limiter = mine.getRateLimiter(name("allowed:" + type));
      assertTrue(limiter.trySetRate(type, 2, Duration.ofSeconds(1)));
      limiter.acquire(2);
      assertTrue(limiter.tryAcquire(1, Duration.ofSeconds(20)));
      limiter.availablePermits();
      limiter.delete();
    }
    RIdGenerator generator = mine.getIdGenerator(name("allowed:ids"));
    generator.tryInit(1, 10);
    assertTrue(generator.nextId() > 0);
    generator.delete();
    assertEquals(Set.of(), refused());
  }

  @Test
  void otherNamesAreRefused() throws Exception {
    String forbidden = name("forbidden");
    assertThrows(RedisException.class, () -> mine.getLock(forbidden).tryLock());
    String beyond = hasRule ? name("allowed:x") + ":more" : name("forbidden:x");
    assertThrows(RedisException.class, () -> mine.getBucket(beyond).get());
    assertTrue(refused().contains(forbidden));
  }
}
