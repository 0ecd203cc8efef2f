package mortise.clients;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;

/** Spring Integration's registry on Lettuce, which polls or waits for a message. */
@ParameterizedClass(name = "{0}")
@EnumSource(RedisLockType.class)
class SpringLockRegistryTest extends ServerCase {
  @Parameter RedisLockType type;

  private LettuceConnectionFactory connections;
  private RedisLockRegistry here;
  private RedisLockRegistry there;

  @BeforeEach
  void connect() {
    connections =
        new LettuceConnectionFactory(
            new RedisStandaloneConfiguration("127.0.0.1", SharedServer.server().port()));
    connections.afterPropertiesSet();
    connections.start();
    here = registry(30_000);
    there = registry(30_000);
  }

  @AfterEach
  void disconnect() {
    here.destroy();
    there.destroy();
    connections.destroy();
  }

  private RedisLockRegistry registry(long leaseMs) {
    RedisLockRegistry registry = new RedisLockRegistry(connections, name("registry"), leaseMs);
    registry.setRedisLockType(type);
    return registry;
  }

  private String key(String name) {
    return name("registry") + ":" + name;
  }

  private long remaining(String name) {
    try (RedisConnection connection = connections.getConnection()) {
      return connection.keyCommands().pTtl(key(name).getBytes());
    }
  }

  private void flushScripts() {
    try (RedisConnection connection = connections.getConnection()) {
      connection.scriptingCommands().scriptFlush();
    }
  }

  @Test
  void acquireContendRelease() throws Exception {
    Lock lock = here.obtain("order");
    assertTrue(lock.tryLock());
    assertTrue(lock.tryLock(), "reentrant");
    assertFalse(elsewhere(() -> here.obtain("order").tryLock()));
    assertFalse(there.obtain("order").tryLock(300, MILLISECONDS));
    assertTrue(remaining("order") > 20_000);
    lock.unlock();
    assertFalse(there.obtain("order").tryLock());
    lock.unlock();
    assertTrue(there.obtain("order").tryLock());
    there.obtain("order").unlock();
    assertEquals(-2, remaining("order"));
  }

  @Test
  void aWaiterGetsItAtTheRelease() throws Exception {
    Lock lock = here.obtain("order");
    lock.lock();
    FutureTask<Boolean> waiter =
        start(
            () -> {
              boolean granted = there.obtain("order").tryLock(15, SECONDS);
              there.obtain("order").unlock();
              return granted;
            });
    Thread.sleep(300);
    assertFalse(waiter.isDone());
    lock.unlock();
    assertTrue(finish(waiter));
  }

  @Test
  void expiresWithItsLeaseAndNotBefore() throws Exception {
    RedisLockRegistry hasty = registry(700);
    long begin = System.nanoTime();
    hasty.obtain("order").lock();
    assertTrue(there.obtain("order").tryLock(15, SECONDS));
    assertTrue(millisSince(begin) >= 690, () -> "granted after " + millisSince(begin) + " ms");
    assertThrows(RuntimeException.class, () -> hasty.obtain("order").unlock());
    assertTrue(remaining("order") > 20_000, "the successor is unharmed");
    there.obtain("order").unlock();
    hasty.destroy();
  }

  @Test
  void renewed() throws Exception {
    RedisLockRegistry hasty = registry(1500);
    hasty.obtain("order").lock();
    for (int i = 0; i < 10; i++) {
      Thread.sleep(300);
      hasty.renewLock("order");
      assertFalse(there.obtain("order").tryLock());
    }
    hasty.renewLock("order", Duration.ofSeconds(30));
    assertTrue(remaining("order") > 20_000);
    assertThrows(IllegalStateException.class, () -> there.renewLock("order"));
    hasty.obtain("order").unlock();
    hasty.destroy();
  }

  @Test
  void aStrangerDoesNotReleaseIt() throws Exception {
    Lock lock = here.obtain("order");
    lock.lock();
    assertThrows(IllegalStateException.class, () -> there.obtain("order").unlock());
    elsewhere(
        () -> assertThrows(IllegalStateException.class, () -> here.obtain("order").unlock()));
    assertFalse(there.obtain("order").tryLock());
    lock.unlock();
  }

  @Test
  void anyNameWillDo() throws Exception {
    for (String odd : List.of("a b\r\n$3\r\n", "\0\1\u00ff", "ключ-鍵", "x".repeat(2000))) {
      here.obtain(odd).lock();
      assertFalse(there.obtain(odd).tryLock());
      here.obtain(odd).unlock();
      assertEquals(-2, remaining(odd));
    }
  }

  @Test
  void theScriptCacheMayBeFlushed() throws Exception {
    for (int round = 0; round < 3; round++) {
      here.obtain("order").lock();
      flushScripts();
      here.renewLock("order");
      assertFalse(there.obtain("order").tryLock());
      flushScripts();
      here.obtain("order").unlock();
      assertEquals(-2, remaining("order"));
    }
  }

  @Test
  void workersLoseNoIncrement() throws Exception {
    AtomicInteger counter = new AtomicInteger();
    finishAll(startMany(4, i -> () -> work(i % 2 == 0 ? here : there, counter)));
    assertEquals(40, counter.get());
  }

  private static boolean work(RedisLockRegistry registry, AtomicInteger counter)
      throws InterruptedException {
    for (int round = 0; round < 10; round++) {
      registry.obtain("counter").lock();
      int value = counter.get();
      Thread.sleep(1);
      counter.set(value + 1);
      registry.obtain("counter").unlock();
    }
    return true;
  }
}
