package mortise.clients;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.redisson.api.RCountDownLatch;
import org.redisson.api.RLock;
import org.redisson.api.RPermitExpirableSemaphore;
import org.redisson.api.RRateLimiter;
import org.redisson.api.RSemaphore;
import org.redisson.api.RateType;
import org.redisson.api.RedissonClient;
import org.redisson.client.RedisException;

/** A user who may touch the locks named orders:* only, and whatever Redisson derives from them. */
@BothProtocols
class LockRuleTest extends OwnServerCase {
  private static final List<String> NAMES = List.of("orders:1", "orders:{2}", "orders:a b-ключ");
  private static final List<Function<RedissonClient, Function<String, RLock>>> KINDS =
      List.of(
          client -> client::getLock,
          client -> client::getFairLock,
          client -> client::getSpinLock,
          client -> client::getFencedLock,
          client -> client::getNonReentrantLock,
          client -> client::getNonReentrantFairLock,
          client -> name -> client.getReadWriteLock(name).readLock(),
          client -> name -> client.getReadWriteLock(name).writeLock(),
          client -> name -> client.getMultiLock(name, List.of("a", "b")));

  private RedissonClient here;
  private RedissonClient there;

  @BeforeEach
  void login() throws Exception {
    // Where there is no rule for locks, globs for whatever contains the name come near.
    String user = "ACL SETUSER clerk reset on >clerk +@all -@dangerous ";
    if (!server.ask(user + "%lock~orders:*").equals("+OK")) {
      assertEquals("+OK", server.ask(user + "~*orders:* &*orders:*"));
    }
    here = Clients.connectAs("clerk", server.address(), protocol);
    there = Clients.connectAs("clerk", server.address(), protocol);
  }

  @AfterEach
  void logout() {
    here.shutdown();
    there.shutdown();
  }

  @Test
  void everyKindOfLockIsTakenWaitedForAndReleased() throws Exception {
    for (String name : NAMES) {
      for (Function<RedissonClient, Function<String, RLock>> kind : KINDS) {
        RLock lock = kind.apply(here).apply(name);
        RLock blocking = here.getReadWriteLock(name).writeLock();
        boolean isShared = lock.getClass().getSimpleName().equals("RedissonReadLock");
        (isShared ? blocking : lock).lock(30, SECONDS);
        RLock waiting = kind.apply(there).apply(name);
        FutureTask<Boolean> waiter = ServerCase.start(() -> useOf(waiting));
        Thread.sleep(100);
        assertFalse(waiter.isDone());
        (isShared ? blocking : lock).unlock();
        assertTrue(ServerCase.finish(waiter));
        assertFalse(lock.isLocked());
      }
    }
  }

  private static boolean useOf(RLock lock) throws InterruptedException {
    boolean granted = lock.tryLock(ServerCase.PATIENCE_MS, 30_000, MILLISECONDS);
    lock.unlock();
    return granted;
  }

  @Test
  void theWatchdogRenewsThem() throws Exception {
    List<RLock> locks = NAMES.stream().map(here::getLock).toList();
    locks.forEach(RLock::lock);
    RLock reading = here.getReadWriteLock("orders:read").readLock();
    reading.lock();
    Thread.sleep(2 * Clients.WATCHDOG.toMillis());
    assertTrue(locks.stream().allMatch(RLock::isHeldByCurrentThread));
    assertTrue(reading.isHeldByCurrentThread());
    locks.forEach(RLock::unlock);
    reading.unlock();
  }

  @Test
  void semaphoresLatchesLimitersAndIds() throws Exception {
    for (String name : NAMES) {
      RSemaphore semaphore = here.getSemaphore(name + "s");
      assertTrue(semaphore.trySetPermits(1) && semaphore.tryAcquire());
      FutureTask<Boolean> waiter =
          ServerCase.start(
              () -> there.getSemaphore(name + "s").tryAcquire(Duration.ofSeconds(20)));
      Thread.sleep(100);
      semaphore.release();
      assertTrue(ServerCase.finish(waiter));
      RPermitExpirableSemaphore permits = here.getPermitExpirableSemaphore(name + "p");
      assertTrue(permits.trySetPermits(1));
      String permit = permits.acquire(30, SECONDS);
      FutureTask<String> next =
          ServerCase.start(
              () -> there.getPermitExpirableSemaphore(name + "p").tryAcquire(20, SECONDS));
      Thread.sleep(100);
      permits.release(permit);
      assertNotNull(ServerCase.finish(next));
      RCountDownLatch latch = here.getCountDownLatch(name + "l");
      assertTrue(latch.trySetCount(1));
      FutureTask<Boolean> opened =
          ServerCase.start(() -> there.getCountDownLatch(name + "l").await(20, SECONDS));
      latch.countDown();
      assertTrue(ServerCase.finish(opened));
      for (RateType type : RateType.values()) {
        RRateLimiter limiter = here.getRateLimiter(name + type);
        assertTrue(limiter.trySetRate(type, 1, Duration.ofSeconds(60)));
        assertTrue(limiter.tryAcquire() && !limiter.tryAcquire());
      }
      assertTrue(here.getIdGenerator(name + "i").tryInit(5, 10));
      assertEquals(5, here.getIdGenerator(name + "i").nextId());
    }
  }

  @Test
  void otherNamesAreRefused() {
    for (Function<RedissonClient, Function<String, RLock>> kind : KINDS) {
      RLock lock = kind.apply(here).apply("payments:1");
      // The non-reentrant ones wrap whatever went wrong.
      assertThrows(RuntimeException.class, lock::tryLock, lock.getClass().getName());
      assertFalse(client.getBucket("payments:1").isExists());
    }
    for (Runnable call :
        List.<Runnable>of(
            () -> here.getSemaphore("payments:s").trySetPermits(1),
            () -> here.getBucket("payments:b").get(),
            () -> here.getTopic("payments:t").publish("x"),
            () -> here.getKeys().flushall())) {
      RedisException refusal = assertThrows(RedisException.class, call::run);
      assertTrue(refusal.getMessage().contains("NOPERM"), refusal.getMessage());
    }
  }
}
