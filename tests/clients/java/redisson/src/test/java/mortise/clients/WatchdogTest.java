package mortise.clients;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.redisson.api.RLock;
import org.redisson.api.RReadWriteLock;
import org.redisson.api.RedissonClient;

/** The watchdog renews what is held without a lease, until unlock or the client's end. */
@BothProtocols
class WatchdogTest extends RedissonCase {
  private static final long LEASE_MS = Clients.WATCHDOG.toMillis();

  /** Watches for a little more than three leases. */
  private static void assertKeptPastThreeLeases(RLock held, RLock rival) throws Exception {
    long begin = System.nanoTime();
    while (millisSince(begin) < 3 * LEASE_MS + LEASE_MS / 3) {
      long remaining = held.remainTimeToLive();
      assertTrue(remaining > 0 && remaining <= LEASE_MS, () -> "remaining " + remaining);
      assertFalse(isFreeForOthers(rival));
      Thread.sleep(50);
    }
  }

  @Test
  void keepsALockPastThreeLeasesAndStopsAtUnlock() throws Exception {
    RLock lock = here.getLock(name("lock"));
    lock.lock();
    assertKeptPastThreeLeases(lock, there.getLock(name("lock")));
    lock.unlock();
    assertFalse(lock.isLocked());
    // A forgotten watchdog would keep this short lease of the same client alive.
    assertTrue(elsewhere(() -> lock.tryLock(0, LEASE_MS / 2, MILLISECONDS)));
    Thread.sleep(LEASE_MS);
    assertFalse(lock.isLocked());
  }

  @Test
  void stopsOnlyAtTheLastUnlock() throws Exception {
    RLock lock = here.getLock(name("lock"));
    lock.lock();
    lock.lock();
    lock.unlock();
    assertKeptPastThreeLeases(lock, there.getLock(name("lock")));
    lock.unlock();
    assertTrue(isFreeForOthers(there.getLock(name("lock"))));
  }

  @Test
  void renewsManyLocksTogether() throws Exception {
    List<RLock> locks = new ArrayList<>();
    for (int i = 0; i < 150; i++) {
      RLock lock = here.getLock(name("lock" + i));
      lock.lock();
      locks.add(lock);
    }
    Thread.sleep(3 * LEASE_MS);
    for (RLock lock : locks) {
      assertTrue(lock.isHeldByCurrentThread(), lock.getName());
      lock.unlock();
    }
    String[] names = locks.stream().map(RLock::getName).toArray(String[]::new);
    assertEquals(0, here.getKeys().countExists(names));
  }

  @Test
  void keepsAReadLockOfManyHoldingsPastThreeLeases() throws Exception {
    RReadWriteLock lock = here.getReadWriteLock(name("rw"));
    lock.readLock().lock();
    lock.readLock().lock();
    CountDownLatch leave = new CountDownLatch(1);
    FutureTask<Void> secondReader =
        start(
            () -> {
              lock.readLock().lock();
              leave.await();
              lock.readLock().unlock();
              return null;
            });
    RReadWriteLock rival = there.getReadWriteLock(name("rw"));
    assertKeptPastThreeLeases(lock.readLock(), rival.writeLock());
    assertEquals(3, timeoutKeysOf("rw"), "a holding whose own lease was not renewed");
    // The second reader's end recomputes the lease from what the first one's holdings have left.
    leave.countDown();
    finish(secondReader);
    assertKeptPastThreeLeases(lock.readLock(), rival.writeLock());
    assertEquals(2, timeoutKeysOf("rw"));
    lock.readLock().unlock();
    assertFalse(isFreeForOthers(rival.writeLock()));
    lock.readLock().unlock();
    assertTrue(isFreeForOthers(rival.writeLock()));
    assertEquals(0, timeoutKeysOf("rw"));
  }

  /** Each holding of a read lock has a key with its own lease. */
  private int timeoutKeysOf(String noun) {
    int count = 0;
    for (String key : here.getKeys().getKeysByPattern("*" + name(noun) + "*rwlock_timeout*")) {
      assertTrue(key.matches(".*:rwlock_timeout:[0-9]+"), key);
      count++;
    }
    return count;
  }

  @Test
  void keepsAWriteLockPastThreeLeases() throws Exception {
    RReadWriteLock lock = here.getReadWriteLock(name("rw"));
    lock.writeLock().lock();
    assertKeptPastThreeLeases(lock.writeLock(), there.getReadWriteLock(name("rw")).readLock());
    lock.writeLock().unlock();
    assertTrue(isFreeForOthers(there.getReadWriteLock(name("rw")).readLock()));
  }

  @Test
  void keepsSpinAndFencedLocks() throws Exception {
    RLock spin = here.getSpinLock(name("spin"));
    RLock fenced = here.getFencedLock(name("fenced"));
    spin.lock();
    fenced.lock();
    assertKeptPastThreeLeases(spin, there.getSpinLock(name("spin")));
    assertTrue(fenced.isHeldByCurrentThread());
    spin.unlock();
    fenced.unlock();
    assertFalse(spin.isLocked() || fenced.isLocked());
  }

  @Test
  void endsWithTheClient() throws Exception {
    RedissonClient leaving = Clients.connect(SharedServer.server().address(), protocol);
    leaving.getLock(name("lock")).lock();
    Thread.sleep(2 * LEASE_MS);
    assertTrue(here.getLock(name("lock")).isLocked());
    leaving.shutdown();
    assertTrue(here.getLock(name("lock")).tryLock(PATIENCE_MS, 1000, MILLISECONDS));
  }
}
