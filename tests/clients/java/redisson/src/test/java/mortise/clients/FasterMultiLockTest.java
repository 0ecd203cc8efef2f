package mortise.clients;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;

/** The multi lock that keeps a group's values in one hash, with a script for all of them. */
@BothProtocols
class FasterMultiLockTest extends RedissonCase {
  private RLock of(RedissonClient client, Object... values) {
    return client.getMultiLock(name("group"), List.of(values));
  }

  @Test
  void overlappingGroupsExcludeEachOtherInAnyOrder() throws Exception {
    assertTrue(of(here, "a", "b", 3).tryLock(1, 30, SECONDS));
    assertFalse(of(there, 3, "c").tryLock(200, 30_000, MILLISECONDS));
    assertTrue(of(there, "c", "d").tryLock(1, 30, SECONDS), "a refusal leaves nothing behind");
    assertFalse(isFreeForOthers(of(here, "a")));
    of(here, "a", "b", 3).unlock();
    assertTrue(of(there, "a").tryLock(1, 30, SECONDS));
    of(there, "a").unlock();
    of(there, "c", "d").unlock();
    assertFalse(here.getBucket(name("group")).isExists());
  }

  @Test
  void reentrant() throws Exception {
    RLock lock = of(here, "a", "b");
    lock.lock(30, SECONDS);
    lock.lock(30, SECONDS);
    assertTrue(lock.isHeldByCurrentThread());
    lock.unlock();
    assertFalse(isFreeForOthers(lock));
    lock.unlock();
    assertFalse(lock.isHeldByCurrentThread());
  }

  @Test
  void aStrangersUnlockIsRefused() throws Exception {
    RLock lock = of(here, "a", "b");
    lock.lock(30, SECONDS);
    elsewhere(
        () -> {
          assertRefusesUnlock(of(here, "a", "b"));
          assertRefusesUnlock(of(there, "b"));
          return null;
        });
    assertTrue(lock.isHeldByCurrentThread());
    lock.unlock();
  }

  @Test
  void aWaiterIsWokenByTheReleaseOfTheMissingValue() throws Exception {
    of(here, "a").lock(30, SECONDS);
    FutureTask<Boolean> waiter =
        start(() -> of(there, "a", "b").tryLock(PATIENCE_MS, 30_000, MILLISECONDS));
    Thread.sleep(300);
    assertFalse(waiter.isDone());
    of(here, "a").unlock();
    assertTrue(finish(waiter));
  }

  @Test
  void aLeaseEndsByItself() throws Exception {
    // Redisson loses a holding that it takes in the last millisecond of the group's own expiry.
    of(here, "kept").lock(60, SECONDS);
    long begin = System.nanoTime();
    of(here, "a", "b").lock(800, MILLISECONDS);
    assertTrue(of(there, "b").tryLock(PATIENCE_MS, 30_000, MILLISECONDS));
    assertTrue(millisSince(begin) >= 790, () -> "granted after " + millisSince(begin) + " ms");
    assertRefusesUnlock(of(here, "a", "b"));
    of(there, "b").unlock();
    of(here, "kept").unlock();
  }

  @Test
  void theWatchdogKeepsTheWholeGroup() throws Exception {
    RLock lock = of(here, "a", "b");
    lock.lock();
    Thread.sleep(2 * Clients.WATCHDOG.toMillis());
    assertTrue(lock.isHeldByCurrentThread());
    assertFalse(of(there, "b").tryLock());
    lock.unlock();
    assertTrue(of(there, "b").tryLock());
    of(there, "b").unlock();
  }
}
