package mortise.clients;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.redisson.api.RLock;
import org.redisson.config.Protocol;

/** A waiter that sleeps on its subscription is woken by the release. Alone, as it measures time. */
@Isolated
@Execution(ExecutionMode.SAME_THREAD)
class WakeUpTest extends RedissonCase {
  private static final int ROUNDS = 15;
  private static final long MEDIAN_MS_MAX = 50;
  private static final long WORST_MS_MAX = 5_000;

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aWaiterWakesOnRelease(Protocol each) throws Exception {
    takeClients(each);
    RLock lock = here.getLock(name("lock"));
    RLock same = there.getLock(name("lock"));
    List<Long> delays = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      lock.lock(60, SECONDS);
      FutureTask<Long> waiter =
          start(
              () -> {
                same.lock(60, SECONDS);
                long granted = System.nanoTime();
                same.unlock();
                return granted;
              });
      Thread.sleep(100);
      assertTrue(!waiter.isDone());
      long released = System.nanoTime();
      lock.unlock();
      delays.add((finish(waiter) - released) / 1_000_000);
    }
    Collections.sort(delays);
    assertTrue(delays.get(ROUNDS / 2) <= MEDIAN_MS_MAX, () -> "delays in ms: " + delays);
    assertTrue(delays.get(ROUNDS - 1) <= WORST_MS_MAX, () -> "delays in ms: " + delays);
  }
}
