package mortise.clients;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.redisson.api.LockOptions;
import org.redisson.api.RLock;

@BothProtocols
class SpinLockTest extends RedissonCase {
  @Test
  void excludesAndIsReentrant() throws Exception {
    RLock lock = here.getSpinLock(name("spin"));
    lock.lock(30, SECONDS);
    lock.lock(30, SECONDS);
    assertEquals(2, lock.getHoldCount());
    assertFalse(there.getSpinLock(name("spin")).tryLock(200, MILLISECONDS));
    elsewhere(
        () -> {
          assertRefusesUnlock(lock);
          return null;
        });
    lock.unlock();
    assertFalse(isFreeForOthers(lock));
    lock.unlock();
    assertTrue(isFreeForOthers(lock));
    assertRefusesUnlock(lock);
  }

  @Test
  void aWaiterPollsUntilRelease() throws Exception {
    RLock lock = here.getSpinLock(name("spin"));
    lock.lock(30, SECONDS);
    LockOptions.BackOff everyMillisecond = new LockOptions.ConstantBackOff().delay(1);
    RLock same = there.getSpinLock(name("spin"), everyMillisecond);
    FutureTask<Boolean> waiter = start(() -> same.tryLock(PATIENCE_MS, 30_000, MILLISECONDS));
    Thread.sleep(200);
    assertFalse(waiter.isDone());
    lock.unlock();
    assertTrue(finish(waiter));
    assertTrue(same.forceUnlock());
  }

  @Test
  void aStalledHolderIsRefused() throws Exception {
    RLock stalled = here.getSpinLock(name("spin"));
    stalled.lock(300, MILLISECONDS);
    RLock successor = there.getSpinLock(name("spin"));
    assertTrue(successor.tryLock(PATIENCE_MS, 30_000, MILLISECONDS));
    assertRefusesUnlock(stalled);
    assertTrue(successor.isHeldByCurrentThread());
    successor.unlock();
  }
}
