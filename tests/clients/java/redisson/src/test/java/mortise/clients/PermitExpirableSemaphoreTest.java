package mortise.clients;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.redisson.api.RPermitExpirableSemaphore;
import org.redisson.api.RedissonClient;
import org.redisson.client.RedisException;

/** Each permit has an id and a lease of its own, kept in a sorted set. */
@BothProtocols
class PermitExpirableSemaphoreTest extends RedissonCase {
  private RPermitExpirableSemaphore semaphore(RedissonClient client) {
    return client.getPermitExpirableSemaphore(name("semaphore"));
  }

  @Test
  void permitsAreTakenAndReturnedById() throws Exception {
    assertTrue(semaphore(here).trySetPermits(3));
    assertFalse(semaphore(there).trySetPermits(5));
    String first = semaphore(here).acquire();
    List<String> two = semaphore(there).acquire(2, 30, SECONDS);
    assertEquals(2, two.size());
    assertNull(semaphore(here).tryAcquire());
    assertEquals(0, semaphore(here).availablePermits());
    assertEquals(3, semaphore(here).acquiredPermits());
    assertEquals(3, semaphore(here).getPermits());
    semaphore(there).release(first);
    assertFalse(semaphore(here).tryRelease(first), "an id is good for one release");
    assertThrows(RedisException.class, () -> semaphore(here).release(first));
    assertEquals(2, semaphore(here).tryRelease(two));
    assertEquals(3, semaphore(here).availablePermits());
    assertEquals(0, semaphore(here).acquiredPermits());
  }

  @Test
  void allOrNoneOfSeveral() throws Exception {
    assertTrue(semaphore(here).trySetPermits(3));
    List<String> two = semaphore(here).tryAcquire(2);
    assertTrue(semaphore(there).tryAcquire(2).isEmpty());
    assertEquals(1, semaphore(here).availablePermits());
    semaphore(here).release(two);
    assertEquals(3, semaphore(there).tryAcquire(3).size());
  }

  @Test
  void aLeaseThatRanOutFreesItsPermit() throws Exception {
    assertTrue(semaphore(here).trySetPermits(1));
    long begin = System.nanoTime();
    String lapsed = semaphore(here).acquire(2000, MILLISECONDS);
    assertNull(semaphore(there).tryAcquire());
    String next = semaphore(there).tryAcquire(PATIENCE_MS, 30_000, MILLISECONDS);
    assertNotNull(next);
    assertTrue(millisSince(begin) >= 1990, () -> "granted after " + millisSince(begin) + " ms");
    assertFalse(semaphore(here).tryRelease(lapsed), "a lapsed permit is refused");
    assertEquals(0, semaphore(here).availablePermits());
    semaphore(there).release(next);
    assertEquals(1, semaphore(here).availablePermits());
  }

  @Test
  void aLeaseIsReadAndRenewed() throws Exception {
    assertTrue(semaphore(here).trySetPermits(2));
    String leased = semaphore(here).acquire(3000, MILLISECONDS);
    assertTrue(semaphore(there).updateLeaseTime(leased, 30, SECONDS));
    long remaining = semaphore(here).getLeaseTime(leased);
    assertTrue(remaining > 20_000 && remaining <= 30_000, () -> "remaining " + remaining);
    String forever = semaphore(here).acquire();
    assertEquals(-1, semaphore(there).getLeaseTime(forever));
    Thread.sleep(3200);
    assertEquals(0, semaphore(there).availablePermits());
    semaphore(there).release(List.of(leased, forever));
    assertFalse(semaphore(here).updateLeaseTime(leased, 30, SECONDS));
  }

  @Test
  void aWaiterIsWokenByARelease() throws Exception {
    assertTrue(semaphore(here).trySetPermits(1));
    String held = semaphore(here).acquire(60, SECONDS);
    FutureTask<String> waiter =
        start(() -> semaphore(there).tryAcquire(PATIENCE_MS, MILLISECONDS));
    Thread.sleep(200);
    assertFalse(waiter.isDone());
    semaphore(here).release(held);
    assertNotNull(finish(waiter));
    assertNull(semaphore(here).tryAcquire(200, MILLISECONDS));
  }

  @Test
  void permitsAreAddedAndSet() throws Exception {
    semaphore(here).addPermits(2);
    assertEquals(2, semaphore(there).availablePermits());
    String held = semaphore(here).acquire();
    semaphore(here).setPermits(5);
    assertEquals(4, semaphore(there).availablePermits());
    semaphore(here).release(held);
    assertEquals(5, semaphore(there).availablePermits());
  }

  @Test
  void neverMoreInsideThanPermits() throws Exception {
    assertTrue(semaphore(here).trySetPermits(3));
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    List<List<String>> ids =
        finishAll(startMany(8, i -> worker(either(i), inside, most)));
    assertTrue(most.get() <= 3, () -> most + " inside");
    assertEquals(3, semaphore(here).availablePermits());
    assertEquals(80, new HashSet<>(ids.stream().flatMap(List::stream).toList()).size());
  }

  private Callable<List<String>> worker(
      RedissonClient client, AtomicInteger inside, AtomicInteger most) {
    return () -> {
      String[] ids = new String[10];
      for (int round = 0; round < ids.length; round++) {
        ids[round] = semaphore(client).acquire(60, SECONDS);
        most.accumulateAndGet(inside.incrementAndGet(), Math::max);
        Thread.sleep(2);
        inside.decrementAndGet();
        semaphore(client).release(ids[round]);
      }
      return List.of(ids);
    };
  }
}
