package mortise.clients;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;

/** What every test of the shared server has: names of its own, other threads, and patience. */
@ExtendWith(SharedServer.class)
abstract class ServerCase {
  /** How late something may happen before a test gives up; never a measure of quality. */
  static final long PATIENCE_MS = 20_000;

  private final String suffix = UUID.randomUUID().toString();

  @AfterEach
  void serverStillRuns() {
    assertTrue(SharedServer.server().isRunning(), () -> SharedServer.server().output());
  }

  String name(String noun) {
    return noun + ":" + suffix;
  }

  /** Starts `action` on a new thread, which to most lock clients is another owner. */
  static <T> FutureTask<T> start(Callable<T> action) {
    FutureTask<T> task = new FutureTask<>(action);
    Thread thread = new Thread(task);
    thread.setDaemon(true);
    thread.start();
    return task;
  }

  /** As many threads as `count`, each with the action that `actions` makes for its index. */
  static <T> List<FutureTask<T>> startMany(int count, IntFunction<Callable<T>> actions) {
    List<FutureTask<T>> tasks = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      tasks.add(start(actions.apply(i)));
    }
    return tasks;
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

  static <T> List<T> finishAll(List<FutureTask<T>> tasks) throws Exception {
    List<T> results = new ArrayList<>();
    for (FutureTask<T> task : tasks) {
      results.add(finish(task));
    }
    return results;
  }

  static <T> T elsewhere(Callable<T> action) throws Exception {
    return finish(start(action));
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
