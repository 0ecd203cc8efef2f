package mortise.clients;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.redisson.api.RBucket;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.LongCodec;
import org.redisson.config.Protocol;

/** GET, add one, SET: only the lock keeps the increments of several workers apart. */
@Isolated
@Execution(ExecutionMode.SAME_THREAD)
class CounterTest extends RedissonCase {
  private static final int WORKERS = 8;
  private static final int INCREMENTS = 200;

  private Void increment(RedissonClient client) {
    RLock lock = client.getLock(name("lock"));
    RBucket<Long> counter = client.getBucket(name("counter"), LongCodec.INSTANCE);
    for (int i = 0; i < INCREMENTS; i++) {
      lock.lock(60, SECONDS);
      try {
        Long value = counter.get();
        counter.set(value == null ? 1 : value + 1);
      } finally {
        lock.unlock();
      }
    }
    return null;
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void noIncrementIsLost(Protocol each) throws Exception {
    takeClients(each);
    List<FutureTask<Void>> workers =
        IntStream.range(0, WORKERS)
            .mapToObj(i -> start(() -> increment(i % 2 == 0 ? here : there)))
            .toList();
    for (FutureTask<Void> worker : workers) {
      worker.get(50, TimeUnit.SECONDS);
    }
    long expected = WORKERS * INCREMENTS;
    assertEquals(expected, here.<Long>getBucket(name("counter"), LongCodec.INSTANCE).get());
  }
}
