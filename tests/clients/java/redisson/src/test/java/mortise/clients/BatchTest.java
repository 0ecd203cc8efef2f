package mortise.clients;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.redisson.api.BatchOptions;
import org.redisson.api.RBatch;
import org.redisson.api.RFuture;
import org.redisson.api.RLock;
import org.redisson.api.RScript;
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

  @ParameterizedTest
  @EnumSource(value = BatchOptions.ExecutionMode.class)
  void withoutResultsInEveryMode(BatchOptions.ExecutionMode mode) throws Exception {
    RBatch batch =
        here.createBatch(BatchOptions.defaults().executionMode(mode).skipResult());
    batch.getList(name("list")).addAsync("a");
    batch.getScoredSortedSet(name("scores")).addAsync(1, "a");
    batch.getAtomicLong(name("long")).compareAndSetAsync(0, 7);
    batch.execute();
    eventually("the last command", () -> there.getAtomicLong(name("long")).get() == 7);
    assertEquals(1, there.getList(name("list")).size());
    assertEquals(1, there.getScoredSortedSet(name("scores")).size());
  }

  @ParameterizedTest
  @EnumSource(value = BatchOptions.ExecutionMode.class)
  void collections(BatchOptions.ExecutionMode mode) {
    RBatch batch = here.createBatch(BatchOptions.defaults().executionMode(mode));
    batch.getList(name("list")).addAllAsync(List.of("a", "b", "c"));
    batch.getList(name("list")).readAllAsync();
    batch.getSet(name("set")).addAllCountedAsync(List.of(1, 2, 2));
    batch.getSet(name("set")).containsAsync(2);
    batch.getScoredSortedSet(name("scores")).addAsync(2.5, "x");
    batch.getScoredSortedSet(name("scores")).getScoreAsync("x");
    batch.getScoredSortedSet(name("scores")).rankAsync("none");
    batch.getQueue(name("list")).pollAsync();
    List<?> results = batch.execute().getResponses();
    assertEquals(
        Arrays.asList(true, List.of("a", "b", "c"), 2, true, true, 2.5, null, "a"), results);
  }

  @ParameterizedTest
  @EnumSource(names = {"IN_MEMORY_ATOMIC", "REDIS_WRITE_ATOMIC"})
  void anErrorWithinAnAtomicBatch(BatchOptions.ExecutionMode mode) {
    here.getList(name("list"), StringCodec.INSTANCE).add("text");
    RBatch batch = here.createBatch(BatchOptions.defaults().executionMode(mode));
    batch.getAtomicLong(name("long")).incrementAndGetAsync();
    RFuture<Long> wrong = batch.getAtomicLong(name("list")).incrementAndGetAsync();
    batch.getAtomicLong(name("long")).incrementAndGetAsync();
    assertThrows(RedisException.class, batch::execute);
    assertTrue(wrong.toCompletableFuture().isCompletedExceptionally());
    assertEquals(2, there.getAtomicLong(name("long")).get());
  }

  @Test
  void nobodySeesAnAtomicBatchHalfDone() throws Exception {
    FutureTask<Boolean> writer =
        start(
            () -> {
              for (int round = 0; round < 100; round++) {
                RBatch batch =
                    here.createBatch(
                        BatchOptions.defaults()
                            .executionMode(BatchOptions.ExecutionMode.IN_MEMORY_ATOMIC));
                batch.getAtomicLong(name("long")).incrementAndGetAsync();
                batch.getList(name("list")).addAsync("x");
                batch.execute();
              }
              return true;
            });
    String both = "return {redis.call('get', KEYS[1]) or '0', redis.call('llen', KEYS[2])}";
    while (!writer.isDone()) {
      List<Object> seen =
          there
              .getScript(StringCodec.INSTANCE)
              .eval(
                  RScript.Mode.READ_ONLY, both, RScript.ReturnType.LIST,
                  List.of(name("long"), name("list")));
      assertEquals(seen.get(0), seen.get(1).toString());
    }
    assertTrue(finish(writer));
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
