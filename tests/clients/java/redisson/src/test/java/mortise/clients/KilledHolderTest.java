package mortise.clients;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.redisson.api.RLock;

/** A JVM is killed with the lock held: the next holder follows after the lease, not before. */
@BothProtocols
class KilledHolderTest extends RedissonCase {
  /** The server counts whole milliseconds. */
  private static final long ROUNDING_MS = 2;

  private LockHolder startHolder(long leaseMs) throws IOException {
    return LockHolder.start(SharedServer.server().address(), protocol, name("lock"), leaseMs);
  }

  @Test
  void withAFixedLease() throws Exception {
    LockHolder holder = startHolder(6_000);
    RLock lock = here.getLock(name("lock"));
    FutureTask<Boolean> waiter =
        start(() -> there.getLock(name("lock")).tryLock(PATIENCE_MS, 30_000, MILLISECONDS));
    holder.kill();
    long begin = System.nanoTime();
    long remaining = lock.remainTimeToLive();
    assertTrue(remaining > 0, () -> "remaining " + remaining);
    assertFalse(lock.tryLock());
    assertTrue(finish(waiter));
    long waited = millisSince(begin);
    assertTrue(waited >= remaining - ROUNDING_MS, () -> waited + " ms of " + remaining);
  }

  @Test
  void withTheWatchdog() throws Exception {
    long lease = Clients.WATCHDOG.toMillis();
    LockHolder holder = startHolder(0);
    RLock lock = here.getLock(name("lock"));
    Thread.sleep(2 * lease);
    assertFalse(lock.tryLock(), "the holder's watchdog is at work");
    holder.kill();
    long begin = System.nanoTime();
    long remaining = lock.remainTimeToLive();
    assertTrue(remaining > 0 && remaining <= lease, () -> "remaining " + remaining);
    assertTrue(lock.tryLock(PATIENCE_MS, 30_000, MILLISECONDS));
    long waited = millisSince(begin);
    assertTrue(waited >= remaining - ROUNDING_MS, () -> waited + " ms of " + remaining);
    lock.unlock();
  }
}
