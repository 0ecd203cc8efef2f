package mortise.clients;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.redisson.api.RLock;

/** A JVM is killed with the lock held: the next holder follows after the lease, not before. */
@BothProtocols
class KilledHolderTest extends RedissonCase {
  /** The server counts whole milliseconds. */
  private static final long ROUNDING_MS = 2;

  private Process startHolder(long leaseMs) throws IOException {
    Process holder =
        LockHolder.start(SharedServer.server().address(), protocol, name("lock"), leaseMs);
    BufferedReader output = holder.inputReader();
    String line = output.readLine();
    while (line != null && !line.equals(LockHolder.READY)) {
      line = output.readLine();
    }
    assertEquals(LockHolder.READY, line, "the holder's process");
    return holder;
  }

  private void kill(Process holder) throws InterruptedException {
    holder.destroyForcibly();
    assertTrue(holder.waitFor(PATIENCE_MS, MILLISECONDS));
  }

  @Test
  void withAFixedLease() throws Exception {
    Process holder = startHolder(6_000);
    RLock lock = here.getLock(name("lock"));
    FutureTask<Boolean> waiter =
        start(() -> there.getLock(name("lock")).tryLock(PATIENCE_MS, 30_000, MILLISECONDS));
    kill(holder);
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
    Process holder = startHolder(0);
    RLock lock = here.getLock(name("lock"));
    Thread.sleep(2 * lease);
    assertFalse(lock.tryLock(), "the holder's watchdog is at work");
    kill(holder);
    long begin = System.nanoTime();
    long remaining = lock.remainTimeToLive();
    assertTrue(remaining > 0 && remaining <= lease, () -> "remaining " + remaining);
    assertTrue(lock.tryLock(PATIENCE_MS, 30_000, MILLISECONDS));
    long waited = millisSince(begin);
    assertTrue(waited >= remaining - ROUNDING_MS, () -> waited + " ms of " + remaining);
    lock.unlock();
  }
}
