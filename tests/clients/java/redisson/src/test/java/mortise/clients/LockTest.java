package mortise.clients;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.redisson.api.RLock;
import org.redisson.api.RMap;
import org.redisson.client.codec.StringCodec;

@BothProtocols
class LockTest extends RedissonCase {
  private static final List<String> ODD_NAMES =
      List.of("a b\r\n*1", "{tag}rest", "ключ-鍵", "x".repeat(2000), "a:b:{c}");

  @Test
  void reentrant() throws Exception {
    RLock lock = here.getLock(name("lock"));
    lock.lock(30, SECONDS);
    lock.lock(30, SECONDS);
    assertTrue(lock.tryLock(1, 30, SECONDS));
    assertEquals(3, lock.getHoldCount());
    RMap<String, String> holders = there.getMap(name("lock"), StringCodec.INSTANCE);
    assertEquals(List.of("3"), List.copyOf(holders.values()));
    lock.unlock();
    lock.unlock();
    assertTrue(lock.isLocked() && lock.isHeldByCurrentThread());
    assertFalse(isFreeForOthers(lock));
    lock.unlock();
    assertFalse(lock.isLocked());
    assertTrue(isFreeForOthers(lock));
    assertRefusesUnlock(lock);
  }

  @Test
  void aHolderExcludesThreadsAndClients() throws Exception {
    RLock lock = here.getLock(name("lock"));
    assertTrue(lock.tryLock(0, 30, SECONDS));
    assertFalse(isFreeForOthers(lock));
    assertFalse(there.getLock(name("lock")).tryLock());
    assertTrue(there.getLock(name("lock")).isLocked());
    assertFalse(there.getLock(name("lock")).isHeldByCurrentThread());
    lock.unlock();
    assertTrue(there.getLock(name("lock")).tryLock(0, 30, SECONDS));
    assertFalse(lock.tryLock());
    there.getLock(name("lock")).unlock();
  }

  @Test
  void tryLockWaitsAndGivesUp() throws Exception {
    RLock lock = here.getLock(name("lock"));
    lock.lock(30, SECONDS);
    long begin = System.nanoTime();
    assertFalse(there.getLock(name("lock")).tryLock(400, 30_000, MILLISECONDS));
    assertTrue(millisSince(begin) >= 390, () -> "gave up after " + millisSince(begin) + " ms");
    lock.unlock();
  }

  @Test
  void tryLockGetsItWhenTheLeaseIsOverAndNotBefore() throws Exception {
    RLock lock = here.getLock(name("lock"));
    long begin = System.nanoTime();
    lock.lock(800, MILLISECONDS);
    assertTrue(there.getLock(name("lock")).tryLock(PATIENCE_MS, 30_000, MILLISECONDS));
    assertTrue(millisSince(begin) >= 790, () -> "granted after " + millisSince(begin) + " ms");
    assertFalse(lock.isHeldByCurrentThread());
    there.getLock(name("lock")).unlock();
  }

  @Test
  void tryLockGetsItAtRelease() throws Exception {
    RLock lock = here.getLock(name("lock"));
    lock.lock(30, SECONDS);
    FutureTask<Boolean> waiter =
        start(() -> there.getLock(name("lock")).tryLock(PATIENCE_MS, 30_000, MILLISECONDS));
    Thread.sleep(200);
    assertFalse(waiter.isDone());
    lock.unlock();
    assertTrue(finish(waiter));
    assertTrue(there.getLock(name("lock")).remainTimeToLive() > 20_000);
  }

  @Test
  void aLeaseIsCountedDown() {
    RLock lock = here.getLock(name("lock"));
    lock.lock(10, SECONDS);
    long remaining = lock.remainTimeToLive();
    assertTrue(remaining > 5_000 && remaining <= 10_000, () -> "remaining " + remaining);
    lock.unlock();
    assertEquals(-2, lock.remainTimeToLive());
  }

  @Test
  void unlockByAnotherThreadIsRefused() throws Exception {
    RLock lock = here.getLock(name("lock"));
    lock.lock(30, SECONDS);
    elsewhere(
        () -> {
          assertRefusesUnlock(lock);
          assertRefusesUnlock(there.getLock(name("lock")));
          return null;
        });
    assertTrue(lock.isHeldByCurrentThread());
    lock.unlock();
  }

  @Test
  void forceUnlockFreesAndWakes() throws Exception {
    RLock lock = here.getLock(name("lock"));
    assertFalse(lock.forceUnlock());
    lock.lock(30, SECONDS);
    lock.lock(30, SECONDS);
    FutureTask<Boolean> waiter =
        start(() -> here.getLock(name("lock")).tryLock(PATIENCE_MS, 30_000, MILLISECONDS));
    Thread.sleep(200);
    assertTrue(there.getLock(name("lock")).forceUnlock());
    assertTrue(finish(waiter));
    assertRefusesUnlock(lock);
    assertTrue(lock.forceUnlock());
  }

  @Test
  void aStalledHolderIsRefusedAndItsSuccessorUnharmed() throws Exception {
    RLock stalled = here.getLock(name("lock"));
    stalled.lock(300, MILLISECONDS);
    RLock successor = there.getLock(name("lock"));
    assertTrue(successor.tryLock(PATIENCE_MS, 30_000, MILLISECONDS));
    assertRefusesUnlock(stalled);
    assertTrue(successor.isHeldByCurrentThread());
    assertTrue(successor.remainTimeToLive() > 20_000);
    successor.unlock();
    assertRefusesUnlock(stalled);
  }

  @Test
  void manyWaitersAreServedOneAtATime() throws Exception {
    int[] inside = {0};
    List<FutureTask<Integer>> workers =
        IntStream.range(0, 12)
            .mapToObj(
                i ->
                    start(
                        () -> {
                          RLock lock = (i % 2 == 0 ? here : there).getLock(name("lock"));
                          lock.lock(30, SECONDS);
                          int seen = ++inside[0];
                          Thread.sleep(10);
                          inside[0]--;
                          lock.unlock();
                          return seen;
                        }))
            .toList();
    for (FutureTask<Integer> worker : workers) {
      assertEquals(1, finish(worker));
    }
  }

  @Test
  void anyNameWillDo() throws Exception {
    for (String noun : ODD_NAMES) {
      RLock lock = here.getLock(name(noun));
      lock.lock(30, SECONDS);
      assertFalse(there.getLock(name(noun)).tryLock());
      lock.unlock();
      assertFalse(there.getLock(name(noun)).isLocked());
    }
  }

  @Test
  void asynchronousCallsOnBehalfOfAnOwner() throws Exception {
    RLock lock = here.getLock(name("lock"));
    assertTrue(lock.tryLockAsync(0, 30, SECONDS, 4711).get(10, SECONDS));
    assertFalse(lock.tryLockAsync(0, 30, SECONDS, 4712).get(10, SECONDS));
    assertTrue(lock.isHeldByThread(4711));
    lock.unlockAsync(4711).get(10, SECONDS);
    assertFalse(lock.isLocked());
  }

  @Test
  void nonReentrantLockRefusesItsOwnHolder() throws Exception {
    RLock lock = here.getNonReentrantLock(name("lock"));
    lock.lock(30, SECONDS);
    assertThrows(IllegalMonitorStateException.class, lock::tryLock);
    assertFalse(isFreeForOthers(lock));
    lock.unlock();
    assertTrue(isFreeForOthers(lock));
  }
}
