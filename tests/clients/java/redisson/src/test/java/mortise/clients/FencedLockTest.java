package mortise.clients;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.redisson.api.RFencedLock;

/** Redisson's lockAndGetToken() ignores its lease: it is tryLockAndGetToken() that has one. */
@BothProtocols
class FencedLockTest extends RedissonCase {
  @Test
  void tokensRiseFromHolderToHolder() {
    long last = 0;
    for (int round = 0; round < 10; round++) {
      RFencedLock lock = (round % 2 == 0 ? here : there).getFencedLock(name("fenced"));
      long token = lock.lockAndGetToken();
      assertTrue(token > last, token + " after " + last);
      assertEquals(token, lock.getToken());
      last = token;
      lock.unlock();
    }
  }

  @Test
  void aRefusedTryHasNoToken() throws Exception {
    RFencedLock lock = here.getFencedLock(name("fenced"));
    long token = lock.tryLockAndGetToken(0, 30, SECONDS);
    assertNull(there.getFencedLock(name("fenced")).tryLockAndGetToken(200, 30_000, MILLISECONDS));
    assertFalse(there.getFencedLock(name("fenced")).tryLock(200, 30_000, MILLISECONDS));
    assertEquals(token, there.getFencedLock(name("fenced")).getToken());
    lock.unlock();
  }

  @Test
  void theSuccessorOfAStalledHolderHasAHigherToken() throws Exception {
    RFencedLock stalled = here.getFencedLock(name("fenced"));
    long old = stalled.tryLockAndGetToken(0, 300, MILLISECONDS);
    RFencedLock successor = there.getFencedLock(name("fenced"));
    Long token = successor.tryLockAndGetToken(PATIENCE_MS, 30_000, MILLISECONDS);
    assertNotNull(token);
    assertTrue(token > old, token + " after " + old);
    assertRefusesUnlock(stalled);
    assertTrue(successor.isHeldByCurrentThread());
    successor.unlock();
  }

  @Test
  void aWaiterGetsTheNextTokenAtRelease() throws Exception {
    RFencedLock lock = here.getFencedLock(name("fenced"));
    long token = lock.lockAndGetToken();
    FutureTask<Long> waiter =
        start(() -> there.getFencedLock(name("fenced")).lockAndGetToken());
    Thread.sleep(200);
    assertFalse(waiter.isDone());
    lock.unlock();
    assertTrue(finish(waiter) > token);
  }

  @Test
  void reentrant() throws Exception {
    RFencedLock lock = here.getFencedLock(name("fenced"));
    long first = lock.lockAndGetToken();
    long second = lock.lockAndGetToken();
    assertTrue(second >= first);
    assertEquals(2, lock.getHoldCount());
    lock.unlock();
    assertFalse(isFreeForOthers(lock));
    lock.unlock();
    assertTrue(isFreeForOthers(lock));
  }
}
