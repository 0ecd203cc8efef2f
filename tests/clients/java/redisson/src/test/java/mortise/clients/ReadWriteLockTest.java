package mortise.clients;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.redisson.api.RLock;
import org.redisson.api.RReadWriteLock;

@BothProtocols
class ReadWriteLockTest extends RedissonCase {
  @Test
  void readersShareAndAWriterWaits() throws Exception {
    RReadWriteLock lock = here.getReadWriteLock(name("rw"));
    RReadWriteLock same = there.getReadWriteLock(name("rw"));
    lock.readLock().lock(30, SECONDS);
    assertTrue(same.readLock().tryLock(0, 30, SECONDS));
    assertTrue(elsewhere(() -> lock.readLock().tryLock(0, 30, SECONDS)));
    assertFalse(isFreeForOthers(same.writeLock()));
    assertFalse(there.getReadWriteLock(name("rw")).writeLock().tryLock(200, 30_000, MILLISECONDS));
    lock.readLock().unlock();
    assertFalse(isFreeForOthers(lock.writeLock()));
    same.readLock().unlock();
    assertFalse(isFreeForOthers(lock.writeLock()), "the third reader is still inside");
    assertTrue(lock.readLock().forceUnlock());
    assertTrue(isFreeForOthers(lock.writeLock()));
  }

  @Test
  void aWriterExcludesReadersAndWriters() throws Exception {
    RReadWriteLock lock = here.getReadWriteLock(name("rw"));
    RReadWriteLock same = there.getReadWriteLock(name("rw"));
    lock.writeLock().lock(30, SECONDS);
    lock.writeLock().lock(30, SECONDS);
    assertFalse(same.readLock().tryLock(200, 30_000, MILLISECONDS));
    assertFalse(isFreeForOthers(lock.readLock()));
    assertFalse(isFreeForOthers(lock.writeLock()));
    elsewhere(
        () -> {
          assertRefusesUnlock(lock.writeLock());
          assertRefusesUnlock(lock.readLock());
          return null;
        });
    lock.writeLock().unlock();
    assertFalse(isFreeForOthers(lock.readLock()));
    lock.writeLock().unlock();
    assertTrue(isFreeForOthers(same.readLock()));
  }

  @Test
  void upgradeIsRefusedAndDowngradeGranted() throws Exception {
    RReadWriteLock lock = here.getReadWriteLock(name("rw"));
    lock.readLock().lock(30, SECONDS);
    assertFalse(lock.writeLock().tryLock());
    assertFalse(lock.writeLock().tryLock(200, 30_000, MILLISECONDS));
    assertTrue(lock.readLock().isHeldByCurrentThread());
    lock.readLock().unlock();

    lock.writeLock().lock(30, SECONDS);
    assertTrue(lock.readLock().tryLock(0, 30, SECONDS));
    lock.writeLock().unlock();
    assertTrue(isFreeForOthers(there.getReadWriteLock(name("rw")).readLock()));
    assertFalse(isFreeForOthers(there.getReadWriteLock(name("rw")).writeLock()));
    lock.readLock().unlock();
    assertTrue(isFreeForOthers(there.getReadWriteLock(name("rw")).writeLock()));
  }

  @Test
  void aShorterSecondReaderLeavesTheLongerLease() throws Exception {
    RLock first = here.getReadWriteLock(name("rw")).readLock();
    RLock second = there.getReadWriteLock(name("rw")).readLock();
    first.lock(60, SECONDS);
    second.lock(500, MILLISECONDS);
    assertTrue(first.remainTimeToLive() > 50_000, "the lease is the longest of the readers'");
    Thread.sleep(700);
    assertTrue(first.isHeldByCurrentThread());
    assertFalse(isFreeForOthers(there.getReadWriteLock(name("rw")).writeLock()));
    first.unlock();
    assertTrue(isFreeForOthers(there.getReadWriteLock(name("rw")).writeLock()));
  }

  @Test
  void aLongerSecondReaderExtendsTheLease() throws Exception {
    RLock first = here.getReadWriteLock(name("rw")).readLock();
    RLock second = there.getReadWriteLock(name("rw")).readLock();
    first.lock(20, SECONDS);
    second.lock(60, SECONDS);
    assertTrue(first.remainTimeToLive() > 50_000);
    second.unlock();
    assertTrue(first.remainTimeToLive() <= 20_000, "the lease is again the first reader's");
    first.unlock();
    assertFalse(first.isLocked());
  }

  @Test
  void readersAreWokenByTheWriter() throws Exception {
    RReadWriteLock lock = here.getReadWriteLock(name("rw"));
    lock.writeLock().lock(60, SECONDS);
    CountDownLatch together = new CountDownLatch(4);
    List<FutureTask<Void>> readers =
        List.of(here, here, there, there).stream()
            .map(
                client ->
                    start(
                        () -> {
                          RLock read = client.getReadWriteLock(name("rw")).readLock();
                          read.lock(60, SECONDS);
                          together.countDown();
                          assertTrue(together.await(PATIENCE_MS, MILLISECONDS));
                          read.unlock();
                          return (Void) null;
                        }))
            .toList();
    Thread.sleep(300);
    assertEquals(4, together.getCount());
    lock.writeLock().unlock();
    for (FutureTask<Void> reader : readers) {
      finish(reader);
    }
    assertTrue(isFreeForOthers(lock.writeLock()));
  }

  @Test
  void aStalledWriterIsRefused() throws Exception {
    RLock stalled = here.getReadWriteLock(name("rw")).writeLock();
    RLock reader = there.getReadWriteLock(name("rw")).readLock();
    stalled.lock(300, MILLISECONDS);
    assertTrue(reader.tryLock(PATIENCE_MS, 30_000, MILLISECONDS));
    assertRefusesUnlock(stalled);
    assertTrue(reader.isHeldByCurrentThread());
    reader.unlock();
  }

  /** Two callers name the same parameters in different order and sort them into one lock name. */
  @Test
  void sortedParametersAreOneLock() throws Exception {
    RReadWriteLock lock = here.getReadWriteLock(nameOf("tenant=7", "account=11", "unit=EUR"));
    RReadWriteLock same = there.getReadWriteLock(nameOf("unit=EUR", "tenant=7", "account=11"));
    RReadWriteLock other = there.getReadWriteLock(nameOf("unit=USD", "tenant=7", "account=11"));
    assertEquals(lock.readLock().getName(), same.readLock().getName());
    lock.writeLock().lock(30, SECONDS);
    assertFalse(same.writeLock().tryLock());
    assertFalse(same.readLock().tryLock());
    assertTrue(other.writeLock().tryLock(0, 30, SECONDS));
    lock.writeLock().unlock();
    assertTrue(same.readLock().tryLock(0, 30, SECONDS));
    assertTrue(lock.readLock().tryLock(0, 30, SECONDS));
    assertFalse(isFreeForOthers(lock.writeLock()));
    lock.readLock().unlock();
    same.readLock().unlock();
    other.writeLock().unlock();
  }

  private String nameOf(String... parameters) {
    return name("rw:" + String.join("&", List.of(parameters).stream().sorted().toList()));
  }
}
