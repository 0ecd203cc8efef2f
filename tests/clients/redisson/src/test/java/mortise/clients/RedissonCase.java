package mortise.clients;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.Parameter;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Protocol;

/** What every test has: two clients, names of its own, and other threads to be another owner. */
@ExtendWith(SharedServer.class)
abstract class RedissonCase {
  /** How late something may happen before a test gives up; never a measure of quality. */
  static final long PATIENCE_MS = 20_000;

  @Parameter Protocol protocol;

  RedissonClient here;
  RedissonClient there;
  private final String suffix = UUID.randomUUID().toString();

  @BeforeEach
  void takeClientsOfTheParameter() {
    if (protocol != null) {
      takeClients(protocol);
    }
  }

  /** For the classes that run alone, which JUnit cannot run per protocol. */
  void takeClients(Protocol spoken) {
    SharedServer.Pair pair = SharedServer.clients(spoken);
    here = pair.here();
    there = pair.there();
  }

  @AfterEach
  void serverStillRuns() {
    assertTrue(SharedServer.server().isRunning(), () -> SharedServer.server().output());
  }

  String name(String noun) {
    return noun + ":" + suffix;
  }

  /** Starts `action` on a new thread, which to Redisson is another owner. */
  static <T> FutureTask<T> start(Callable<T> action) {
    FutureTask<T> task = new FutureTask<>(action);
    Thread thread = new Thread(task);
    thread.setDaemon(true);
    thread.start();
    return task;
  }

  static <T> T finish(FutureTask<T> task) throws Exception {
    try {
      return task.get(PATIENCE_MS, TimeUnit.MILLISECONDS);
    } catch (ExecutionException failure) {
      if (failure.getCause() instanceof Error error) {
        throw error;
      }
      throw (Exception) failure.getCause();
    }
  }

  static <T> T elsewhere(Callable<T> action) throws Exception {
    return finish(start(action));
  }

  /** Another thread tries once, and lets go at once of what it got. */
  static boolean isFreeForOthers(RLock lock) throws Exception {
    return elsewhere(
        () -> {
          boolean granted = lock.tryLock();
          if (granted) {
            lock.unlock();
          }
          return granted;
        });
  }

  static void assertRefusesUnlock(RLock lock) {
    assertThrows(IllegalMonitorStateException.class, lock::unlock);
  }

  static void eventually(String what, BooleanSupplier condition) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MS);
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() < deadline, what);
      Thread.sleep(10);
    }
  }

  static long millisSince(long beginNanos) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNanos);
  }
}
