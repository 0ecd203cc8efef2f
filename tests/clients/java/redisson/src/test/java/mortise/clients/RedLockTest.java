package mortise.clients;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.redisson.RedissonRedLock;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Protocol;

/** A quorum over five servers, two of which may stop. */
@BothProtocols
class RedLockTest {
  private static final int SERVERS = 5;

  @Parameter Protocol protocol;
  private List<LocalServer> servers;
  private List<RedissonClient> here;
  private List<RedissonClient> there;

  @BeforeEach
  void startServers() {
    servers = Stream.generate(LocalServer::new).limit(SERVERS).toList();
    here = connectAll();
    there = connectAll();
  }

  private List<RedissonClient> connectAll() {
    return servers.stream()
        .map(server -> Clients.connectImpatiently(server.address(), protocol))
        .toList();
  }

  @AfterEach
  void stopServers() throws InterruptedException {
    here.forEach(RedissonClient::shutdown);
    there.forEach(RedissonClient::shutdown);
    for (LocalServer server : servers) {
      server.close();
    }
  }

  private static RLock quorum(List<RedissonClient> clients) {
    return new RedissonRedLock(
        clients.stream().map(client -> client.getLock("lock:order")).toArray(RLock[]::new));
  }

  private long holders(List<RedissonClient> clients) {
    long count = 0;
    for (int i = 0; i < SERVERS; i++) {
      boolean isHeld =
          servers.get(i).isRunning() && clients.get(i).getLock("lock:order").isLocked();
      count += isHeld ? 1 : 0;
    }
    return count;
  }

  @Test
  void fiveServersAndThenFour() throws Exception {
    RLock lock = quorum(here);
    RLock rival = quorum(there);
    assertTrue(lock.tryLock(5, 60, SECONDS));
    assertEquals(5, holders(there));
    assertFalse(rival.tryLock(500, 60_000, MILLISECONDS));
    lock.unlock();
    ServerCase.eventually("released everywhere", () -> holders(there) == 0);

    servers.get(0).kill();
    assertTrue(lock.tryLock(10, 60, SECONDS), "one of five servers stopped");
    assertTrue(holders(there) >= 3);
    assertFalse(rival.tryLock(500, 60_000, MILLISECONDS));
    FutureTask<Boolean> waiter = ServerCase.start(() -> rival.tryLock(20, 60, SECONDS));
    Thread.sleep(300);
    lock.unlock();
    assertTrue(ServerCase.finish(waiter));
    assertTrue(holders(here) >= 3);
  }

  @Test
  void aServerStopsWhileTheLockIsHeld() throws Exception {
    RLock lock = quorum(here);
    assertTrue(lock.tryLock(5, 60, SECONDS));
    servers.get(4).kill();
    assertFalse(quorum(there).tryLock(500, 60_000, MILLISECONDS));
    lock.unlock();
    ServerCase.eventually("released everywhere", () -> holders(there) == 0);
    assertTrue(quorum(there).tryLock(10, 60, SECONDS));
  }

  @Test
  void threeStoppedServersAreTooMany() throws Exception {
    for (LocalServer server : servers.subList(0, 3)) {
      server.kill();
    }
    assertFalse(quorum(here).tryLock(2, 60, SECONDS));
    ServerCase.eventually("a failed attempt leaves nothing", () -> holders(there) == 0);
  }
}
