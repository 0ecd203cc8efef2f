package mortise.clients;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.redis.jedis4.JedisLockProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.JedisPool;

/** A scheduled task runs on one node only, for at least and at most a time. */
class ShedLockTest extends ServerCase {
  private JedisPool pool;
  private LockProvider here;
  private LockProvider there;

  @BeforeEach
  void connect() {
    pool = new JedisPool("127.0.0.1", SharedServer.server().port());
    here = new JedisLockProvider(pool, "tests");
    there = new JedisLockProvider(pool, "tests");
  }

  @AfterEach
  void disconnect() {
    pool.close();
  }

  private Optional<SimpleLock> take(LockProvider node, Duration atMost, Duration atLeast) {
    return node.lock(new LockConfiguration(Instant.now(), name("task\r\n\0"), atMost, atLeast));
  }

  private Optional<SimpleLock> take(LockProvider node, Duration atMost) {
    return take(node, atMost, Duration.ZERO);
  }

  @Test
  void oneNodeOnly() {
    SimpleLock lock = take(here, Duration.ofSeconds(30)).orElseThrow();
    assertTrue(take(there, Duration.ofSeconds(30)).isEmpty());
    lock.unlock();
    take(there, Duration.ofSeconds(30)).orElseThrow().unlock();
  }

  @Test
  void forAtMostATime() throws Exception {
    long begin = System.nanoTime();
    assertTrue(take(here, Duration.ofMillis(600)).isPresent());
    eventually("the lease ends", () -> take(there, Duration.ofSeconds(30)).isPresent());
    assertTrue(millisSince(begin) >= 590, () -> "granted after " + millisSince(begin) + " ms");
    assertTrue(take(here, Duration.ofSeconds(30)).isEmpty());
  }

  @Test
  void forAtLeastATime() throws Exception {
    long begin = System.nanoTime();
    take(here, Duration.ofSeconds(30), Duration.ofMillis(600)).orElseThrow().unlock();
    eventually("the least time ends", () -> take(there, Duration.ofSeconds(30)).isPresent());
    assertTrue(millisSince(begin) >= 590, () -> "granted after " + millisSince(begin) + " ms");
  }

  @Test
  void extended() throws Exception {
    SimpleLock lock = take(here, Duration.ofMillis(3000)).orElseThrow();
    SimpleLock longer = lock.extend(Duration.ofSeconds(30), Duration.ZERO).orElseThrow();
    Thread.sleep(3200);
    assertTrue(take(there, Duration.ofSeconds(30)).isEmpty());
    longer.unlock();
    SimpleLock lapsed = take(there, Duration.ofMillis(100)).orElseThrow();
    Thread.sleep(200);
    assertFalse(lapsed.extend(Duration.ofSeconds(30), Duration.ZERO).isPresent());
  }

  @Test
  void theScriptCacheMayBeFlushed() {
    SimpleLock lock = take(here, Duration.ofSeconds(30)).orElseThrow();
    pool.getResource().scriptFlush();
    lock.unlock();
    assertTrue(take(there, Duration.ofSeconds(30)).isPresent());
  }
}
