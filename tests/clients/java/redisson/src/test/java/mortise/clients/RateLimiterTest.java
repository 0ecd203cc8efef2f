package mortise.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.redisson.api.RRateLimiter;
import org.redisson.api.RateType;
import org.redisson.api.RedissonClient;
import org.redisson.client.RedisException;

/** Permits of the last interval stand in a sorted set, packed by struct. */
@BothProtocols
class RateLimiterTest extends RedissonCase {
  private static final Duration PATIENCE = Duration.ofMillis(PATIENCE_MS);

  private RRateLimiter limiter(RedissonClient client) {
    return client.getRateLimiter(name("limiter"));
  }

  @Test
  void soManyInAnInterval() {
    assertTrue(limiter(here).trySetRate(RateType.OVERALL, 5, Duration.ofSeconds(2)));
    assertFalse(limiter(there).trySetRate(RateType.OVERALL, 9, Duration.ofSeconds(1)));
    assertEquals(5, limiter(here).availablePermits());
    long begin = System.nanoTime();
    assertTrue(limiter(here).tryAcquire(2));
    for (int i = 0; i < 3; i++) {
      assertTrue(limiter(there).tryAcquire());
    }
    assertTrue(millisSince(begin) >= 1990 || !limiter(here).tryAcquire());
    assertTrue(limiter(here).tryAcquire(5, PATIENCE));
    assertTrue(millisSince(begin) >= 1990, () -> "granted after " + millisSince(begin) + " ms");
  }

  @Test
  void whoeverCannotWaitGoesAway() {
    assertTrue(limiter(here).trySetRate(RateType.OVERALL, 1, Duration.ofSeconds(60)));
    limiter(here).acquire();
    assertFalse(limiter(there).tryAcquire(Duration.ofMillis(200)));
    assertEquals(0, limiter(here).availablePermits());
  }

  @Test
  void moreThanTheRateIsAnError() {
    assertTrue(limiter(here).trySetRate(RateType.OVERALL, 3, Duration.ofSeconds(60)));
    RedisException refusal =
        assertThrows(RedisException.class, () -> limiter(here).tryAcquire(4));
    assertTrue(refusal.getMessage().contains("Requested permits amount"), refusal.getMessage());
    assertThrows(RedisException.class, () -> here.getRateLimiter(name("none")).tryAcquire());
    assertEquals(3, limiter(here).availablePermits());
  }

  @Test
  void permitsOfAClientOfItsOwn() {
    assertTrue(limiter(here).trySetRate(RateType.PER_CLIENT, 2, Duration.ofSeconds(60)));
    assertTrue(limiter(here).tryAcquire(2));
    assertFalse(limiter(here).tryAcquire());
    assertTrue(limiter(there).tryAcquire(2));
    assertFalse(limiter(there).tryAcquire());
  }

  @Test
  void theRateIsReadAndChanged() {
    limiter(here).setRate(RateType.OVERALL, 2, Duration.ofSeconds(60));
    assertTrue(limiter(here).tryAcquire(2));
    limiter(there).setRate(RateType.OVERALL, 4, Duration.ofSeconds(30));
    assertEquals(4, limiter(here).getConfig().getRate());
    assertEquals(30_000, limiter(here).getConfig().getRateInterval());
    assertEquals(RateType.OVERALL, limiter(here).getConfig().getRateType());
    assertTrue(limiter(here).tryAcquire(4), "a new rate begins anew");
    assertTrue(limiter(here).delete());
    assertFalse(limiter(here).isExists());
  }

  @Test
  void aLimiterMayExpire() throws Exception {
    Duration life = Duration.ofSeconds(3);
    assertTrue(limiter(here).trySetRate(RateType.OVERALL, 2, Duration.ofMillis(200), life));
    assertTrue(limiter(here).tryAcquire());
    eventually("the limiter expires", () -> !limiter(there).isExists());
  }

  @Test
  void severalThreadsNeverGetMoreThanTheRate() throws Exception {
    assertTrue(limiter(here).trySetRate(RateType.OVERALL, 20, Duration.ofSeconds(60)));
    List<Integer> counts =
        finishAll(
            startMany(
                8,
                i ->
                    () -> {
                      int granted = 0;
                      for (int round = 0; round < 10; round++) {
                        granted += limiter(either(i)).tryAcquire() ? 1 : 0;
                      }
                      return granted;
                    }));
    assertEquals(20, counts.stream().mapToInt(Integer::intValue).sum());
  }
}
