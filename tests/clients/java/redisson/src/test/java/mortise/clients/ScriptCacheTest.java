package mortise.clients;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.redisson.api.RFencedLock;
import org.redisson.api.RLock;
import org.redisson.api.RReadWriteLock;
import org.redisson.api.RSemaphore;

/** SCRIPT FLUSH between acquire and release: the client gets NOSCRIPT and loads its script anew. */
@BothProtocols
class ScriptCacheTest extends OwnServerCase {
  private void flush() {
    String sha = client.getScript().scriptLoad("return 1");
    assertEquals(List.of(true), client.getScript().scriptExists(sha));
    client.getScript().scriptFlush();
    assertEquals(List.of(false), client.getScript().scriptExists(sha));
  }

  @Test
  void everyLockIsReleased() throws Exception {
    RReadWriteLock readWrite = client.getReadWriteLock("rw");
    RFencedLock fenced = client.getFencedLock("fenced");
    List<RLock> locks =
        List.of(
            client.getLock("lock"), client.getSpinLock("spin"), fenced,
            readWrite.writeLock(), client.getReadWriteLock("rw2").readLock());
    for (int round = 0; round < 3; round++) {
      for (RLock lock : locks) {
        assertTrue(lock.tryLock(0, 30, SECONDS));
        flush();
        assertTrue(lock.tryLock(0, 30, SECONDS), "re-entry after a flush");
        flush();
        lock.unlock();
        flush();
        lock.unlock();
        assertFalse(lock.isLocked());
      }
    }
  }

  @Test
  void aSemaphoreIsReleased() throws Exception {
    RSemaphore semaphore = client.getSemaphore("semaphore");
    assertTrue(semaphore.trySetPermits(1));
    flush();
    semaphore.acquire();
    flush();
    semaphore.release();
    flush();
    assertTrue(semaphore.tryAcquire());
  }

  @Test
  void theWatchdogGoesOn() throws Exception {
    RLock lock = client.getLock("lock");
    lock.lock();
    long begin = System.nanoTime();
    while (ServerCase.millisSince(begin) < 3 * Clients.WATCHDOG.toMillis()) {
      flush();
      Thread.sleep(Clients.WATCHDOG.toMillis() / 4);
    }
    assertTrue(lock.isHeldByCurrentThread());
    lock.unlock();
  }

  @Test
  void manyThreadsFindAnEmptyCacheAtOnce() throws Exception {
    for (int round = 0; round < 5; round++) {
      flush();
      List<FutureTask<Boolean>> workers =
          IntStream.range(0, 16)
              .mapToObj(
                  i ->
                      ServerCase.start(
                          () -> {
                            RLock lock = client.getLock("lock" + i);
                            boolean granted = lock.tryLock(0, 30, SECONDS);
                            lock.unlock();
                            return granted;
                          }))
              .toList();
      for (FutureTask<Boolean> worker : workers) {
        assertTrue(ServerCase.finish(worker));
      }
    }
  }
}
