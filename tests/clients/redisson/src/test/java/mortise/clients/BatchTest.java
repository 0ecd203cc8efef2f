package mortise.clients;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.redisson.api.BatchOptions;
import org.redisson.api.RBatch;
import org.redisson.api.RFuture;
import org.redisson.api.RLock;
import org.redisson.client.RedisException;
import org.redisson.client.codec.StringCodec;

@BothProtocols
class BatchTest extends RedissonCase {
  @ParameterizedTest
  @EnumSource(value = BatchOptions.ExecutionMode.class)
  void resultsComeInOrder(BatchOptions.ExecutionMode mode) {
    RBatch batch = here.createBatch(BatchOptions.defaults().executionMode(mode));
    batch.getBucket(name("bucket")).setAsync("value");
    RFuture<Object> read = batch.getBucket(name("bucket")).getAsync();
    batch.getAtomicLong(name("long")).incrementAndGetAsync();
    batch.getAtomicLong(name("long")).addAndGetAsync(41);
    batch.getMap(name("map")).fastPutAsync("a", 1);
    batch.getMap(name("map")).getAsync("none");
    batch.getBucket(name("bucket")).compareAndSetAsync("value", "other");
    List<?> results = batch.execute().getResponses();
    assertEquals(Arrays.asList(null, "value", 1L, 42L, true, null, true), results);
    assertEquals("value", read.toCompletableFuture().join());
    assertEquals("other", there.getBucket(name("bucket")).get());
  }

  @Test
  void aLargeBatch() {
    RBatch batch = here.createBatch();
    for (int i = 0; i < 5000; i++) {
      batch.getAtomicLong(name("long")).incrementAndGetAsync();
    }
    List<?> results = batch.execute().getResponses();
    assertEquals(5000, results.size());
    assertEquals(5000L, results.get(4999));
  }

  @Test
  void withoutResults() throws Exception {
    RBatch batch = here.createBatch(BatchOptions.defaults().skipResult());
    for (int i = 0; i < 100; i++) {
      batch.getAtomicLong(name("long")).incrementAndGetAsync();
    }
    batch.execute();
    eventually("all increments", () -> there.getAtomicLong(name("long")).get() == 100);
    assertEquals(100, here.getAtomicLong(name("long")).get());
  }

  @Test
  void withWaitForReplicasThatAreNotThere() {
    RBatch batch = here.createBatch(BatchOptions.defaults().sync(0, Duration.ofMillis(50)));
    batch.getBucket(name("bucket"), StringCodec.INSTANCE).setAsync("value");
    batch.execute();
    assertEquals("value", there.getBucket(name("bucket"), StringCodec.INSTANCE).get());
  }

  @Test
  void anErrorIsReportedAndTheOthersRun() {
    here.getBucket(name("text"), StringCodec.INSTANCE).set("text");
    RBatch batch = here.createBatch();
    batch.getAtomicLong(name("long")).incrementAndGetAsync();
    batch.getAtomicLong(name("text")).incrementAndGetAsync();
    batch.getAtomicLong(name("long")).incrementAndGetAsync();
    assertThrows(RedisException.class, batch::execute);
    assertEquals(2, there.getAtomicLong(name("long")).get());
  }

  @Test
  void underALock() {
    RLock lock = here.getLock(name("lock"));
    lock.lock(30, SECONDS);
    RBatch batch =
        here.createBatch(
            BatchOptions.defaults().executionMode(BatchOptions.ExecutionMode.REDIS_WRITE_ATOMIC));
    batch.getBucket(name("bucket")).setAsync(1);
    batch.getBucket(name("bucket")).expireAsync(Duration.ofSeconds(30));
    batch.execute();
    assertTrue(lock.isHeldByCurrentThread());
    lock.unlock();
    assertTrue(here.getBucket(name("bucket")).remainTimeToLive() > 0);
  }
}
