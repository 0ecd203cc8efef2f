package mortise.clients;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.redisson.api.RCountDownLatch;
import org.redisson.api.RSemaphore;

@BothProtocols
class SemaphoreAndLatchTest extends RedissonCase {
  @Test
  void permitsAreTakenAndReturned() throws Exception {
    RSemaphore semaphore = here.getSemaphore(name("semaphore"));
    RSemaphore same = there.getSemaphore(name("semaphore"));
    assertTrue(semaphore.trySetPermits(3));
    assertFalse(same.trySetPermits(5));
    semaphore.acquire(2);
    assertEquals(1, same.availablePermits());
    assertFalse(same.tryAcquire(2));
    assertFalse(same.tryAcquire(2, Duration.ofMillis(200)));
    assertTrue(same.tryAcquire());
    same.release(3);
    assertEquals(3, semaphore.availablePermits());
    semaphore.addPermits(4);
    assertEquals(7, semaphore.drainPermits());
    assertEquals(0, semaphore.drainPermits());
    semaphore.addPermits(-2);
    assertEquals(-2, semaphore.availablePermits());
    assertFalse(semaphore.tryAcquire());
    assertFalse(here.getSemaphore(name("none")).releaseIfExists(1));
    assertTrue(semaphore.releaseIfExists(3));
    assertEquals(1, semaphore.availablePermits());
  }

  @Test
  void aWaiterIsWokenByARelease() throws Exception {
    RSemaphore semaphore = here.getSemaphore(name("semaphore"));
    assertTrue(semaphore.trySetPermits(1));
    semaphore.acquire();
    FutureTask<Boolean> waiter =
        start(() -> there.getSemaphore(name("semaphore")).tryAcquire(1, PATIENCE_MS, MILLISECONDS));
    Thread.sleep(200);
    assertFalse(waiter.isDone());
    semaphore.release();
    assertTrue(finish(waiter));
    assertEquals(0, semaphore.availablePermits());
  }

  @Test
  void neverMoreInsideThanPermits() throws Exception {
    assertTrue(here.getSemaphore(name("semaphore")).trySetPermits(3));
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    List<FutureTask<Void>> workers =
        IntStream.range(0, 8)
            .mapToObj(
                i ->
                    start(
                        () -> {
                          RSemaphore semaphore =
                              (i % 2 == 0 ? here : there).getSemaphore(name("semaphore"));
                          for (int round = 0; round < 10; round++) {
                            semaphore.acquire();
                            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                            Thread.sleep(2);
                            inside.decrementAndGet();
                            semaphore.release();
                          }
                          return (Void) null;
                        }))
            .toList();
    for (FutureTask<Void> worker : workers) {
      finish(worker);
    }
    assertTrue(most.get() <= 3, () -> most + " inside");
    assertEquals(3, here.getSemaphore(name("semaphore")).availablePermits());
  }

  @Test
  void permitsMayHaveALease() throws Exception {
    RSemaphore semaphore = here.getSemaphore(name("semaphore"));
    assertTrue(semaphore.trySetPermits(3, Duration.ofSeconds(3)));
    assertEquals(3, semaphore.availablePermits());
    eventually("the semaphore expires", () -> semaphore.availablePermits() == 0);
  }

  @Test
  void aLatchOpensAtZero() throws Exception {
    RCountDownLatch latch = here.getCountDownLatch(name("latch"));
    assertTrue(latch.trySetCount(3));
    assertFalse(there.getCountDownLatch(name("latch")).trySetCount(5));
    assertFalse(latch.await(200, MILLISECONDS));
    List<FutureTask<Boolean>> waiters =
        List.of(here, there, there).stream()
            .map(
                client ->
                    start(
                        () ->
                            client
                                .getCountDownLatch(name("latch"))
                                .await(PATIENCE_MS, MILLISECONDS)))
            .toList();
    Thread.sleep(200);
    there.getCountDownLatch(name("latch")).countDown();
    latch.countDown();
    assertEquals(1, latch.getCount());
    assertTrue(waiters.stream().noneMatch(FutureTask::isDone));
    there.getCountDownLatch(name("latch")).countDown();
    for (FutureTask<Boolean> waiter : waiters) {
      assertTrue(finish(waiter));
    }
    assertEquals(0, latch.getCount());
    latch.countDown();
    assertEquals(0, latch.getCount());
    assertTrue(latch.trySetCount(1), "an open latch can be set again");
    assertTrue(latch.delete());
    assertTrue(latch.await(1, MILLISECONDS), "no latch, nothing to wait for");
  }
}
