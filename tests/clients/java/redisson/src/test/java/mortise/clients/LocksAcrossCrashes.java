package mortise.clients;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.redisson.Redisson;
import org.redisson.api.RFencedLock;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.client.RedisException;
import org.redisson.config.Config;
import org.redisson.config.ConstantDelay;

/**
 * A program for tests/crash/redisson.py, which kills and restarts the server meanwhile: threads
 * take and release locks, keep their own record of what was answered, and compare. Ends when its
 * input does; the exit code says whether the record was kept.
 */
final class LocksAcrossCrashes {
  private static final int SHARED_LOCKS = 3;
  private static final int WORKERS = 6;
  private static final int HOLDERS = 3;
  private static final long SHARED_LEASE_MS = 2_000;
  private static final long OWN_LEASE_MS = 60_000;
  private static final long OWN_HOLD_MS = 1_500;
  /** Two clocks, and whole milliseconds. */
  private static final long SLACK_MS = 50;
  /** How long an answer may be on its way. */
  private static final long ANSWER_MS_MAX = 4_000;

  /** Who has a shared lock, as far as answers say so. */
  private static final class Shared {
    String owner;
    long heldUntilMs;
    String lastOwner;
    long lastToken;
    long counter;
  }

  private final RedissonClient client;
  private final Map<String, Shared> shared = new HashMap<>();
  private final List<String> faults = new ArrayList<>();
  private final AtomicLong holdings = new AtomicLong();
  private final AtomicLong checks = new AtomicLong();
  private volatile boolean stopping;

  private LocksAcrossCrashes(RedissonClient client) {
    this.client = client;
  }

  private static long nowMs() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
  }

  private synchronized void fault(String text) {
    faults.add(text);
  }

  private synchronized void granted(String name, String owner, long token, long sentMs) {
    Shared lock = shared.get(name);
    if (lock.owner != null && nowMs() < lock.heldUntilMs) {
      fault(name + ": granted to " + owner + " while " + lock.owner + " has it");
    }
    boolean again = token == lock.lastToken && owner.equals(lock.lastOwner);
    if (token <= lock.lastToken && !again) {
      fault(name + ": token " + token + " of " + owner + " behind " + lock.lastToken);
    }
    lock.owner = lock.lastOwner = owner;
    lock.lastToken = token;
    lock.heldUntilMs = sentMs + SHARED_LEASE_MS - SLACK_MS;
    holdings.incrementAndGet();
  }

  private synchronized void releasing(String name, String owner) {
    Shared lock = shared.get(name);
    if (owner.equals(lock.owner)) {
      lock.owner = null;
    }
  }

  private synchronized void counted(String name, String owner, long read, long written) {
    Shared lock = shared.get(name);
    if (!owner.equals(lock.owner) || nowMs() > lock.heldUntilMs) {
      return; // its lease may have ended meanwhile
    }
    if (read < lock.counter) {
      fault(name + ": " + lock.counter + " was written, then " + read + " read");
    }
    lock.counter = Math.max(lock.counter, written);
  }

  private void work(String owner) throws InterruptedException {
    while (!stopping) {
      String name = "shared:" + ThreadLocalRandom.current().nextInt(SHARED_LOCKS);
      try {
        workOnce(owner, name);
      } catch (RedisException | IllegalMonitorStateException down) {
        releasing(name, owner); // what it asked for last may have happened or not
        Thread.sleep(10);
      }
    }
  }

  private void workOnce(String owner, String name) throws InterruptedException {
    RFencedLock lock = client.getFencedLock(name);
    long sentMs = nowMs();
    Long token =
        lock.tryLockAndGetToken(300, SHARED_LEASE_MS, TimeUnit.MILLISECONDS);
    if (token == null) {
      return;
    }
    granted(name, owner, token, sentMs);
    var counter = client.getAtomicLong("counter:" + name);
    long read = counter.get();
    Thread.sleep(ThreadLocalRandom.current().nextInt(4));
    counter.set(read + 1);
    counted(name, owner, read, read + 1);
    releasing(name, owner);
    lock.unlock();
  }

  /** Long holdings of a lock that nobody else wants: they must outlive every crash. */
  private void hold(String name) throws InterruptedException {
    for (int turn = 0; !stopping; turn++) {
      RLock lock = client.getLock(name + ":" + turn);
      try {
        long sentMs = nowMs();
        if (!lock.tryLock(0, OWN_LEASE_MS, TimeUnit.MILLISECONDS)) {
          fault(lock.getName() + " is taken, and was never asked for");
          continue;
        }
        watch(lock, sentMs, nowMs());
        lock.unlock();
      } catch (RedisException | IllegalMonitorStateException down) {
        Thread.sleep(10);
      }
    }
  }

  private void watch(RLock lock, long sentMs, long grantedMs) throws InterruptedException {
    holdings.incrementAndGet();
    while (!stopping && nowMs() < grantedMs + OWN_HOLD_MS) {
      Thread.sleep(20);
      try {
        long askedMs = nowMs();
        long leftMs = lock.remainTimeToLive();
        boolean held = lock.isHeldByCurrentThread();
        checks.incrementAndGet();
        long mostMs = grantedMs + OWN_LEASE_MS - askedMs + SLACK_MS;
        long leastMs = sentMs + OWN_LEASE_MS - nowMs() - SLACK_MS - ANSWER_MS_MAX;
        if (!held || leftMs > mostMs || leftMs < leastMs) {
          fault(lock.getName() + " was granted; held: " + held + ", left: " + leftMs + " ms of "
              + mostMs);
          return;
        }
      } catch (RedisException down) {
        Thread.sleep(10);
      }
    }
  }

  private interface Work {
    void run() throws InterruptedException;
  }

  private Thread start(String name, Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (InterruptedException interrupted) {
                fault(name + " was interrupted");
              } catch (RuntimeException failure) {
                fault(name + ": " + failure);
              }
            },
            name);
    thread.start();
    return thread;
  }

  private void run() throws IOException, InterruptedException {
    for (int i = 0; i < SHARED_LOCKS; i++) {
      shared.put("shared:" + i, new Shared());
    }
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < WORKERS; i++) {
      String owner = "worker-" + i;
      threads.add(start(owner, () -> work(owner)));
    }
    for (int i = 0; i < HOLDERS; i++) {
      String name = "own:" + i;
      threads.add(start(name, () -> hold(name)));
    }
    System.out.println("READY");
    while (System.in.read() >= 0) {}
    stopping = true;
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private static RedissonClient connect(String address) {
    Config config = new Config().setThreads(8).setNettyThreads(4);
    // No retries: a request that was done although its answer was lost would be done again.
    config
        .useSingleServer()
        .setAddress(address)
        .setConnectionMinimumIdleSize(2)
        .setConnectionPoolSize(16)
        .setSubscriptionConnectionPoolSize(8)
        .setTimeout(1500)
        .setConnectTimeout(500)
        .setRetryAttempts(0)
        .setRetryDelay(new ConstantDelay(Duration.ofMillis(20)))
        .setReconnectionDelay(new ConstantDelay(Duration.ofMillis(20)));
    return Redisson.create(config);
  }

  public static void main(String[] arguments) throws Exception {
    LocksAcrossCrashes program = new LocksAcrossCrashes(connect(arguments[0]));
    program.run();
    System.out.printf(
        "%d holdings, %d looks at long ones, %d faults%n",
        program.holdings.get(), program.checks.get(), program.faults.size());
    program.faults.stream().limit(10).forEach(System.out::println);
    System.out.flush();
    Runtime.getRuntime().halt(program.faults.isEmpty() ? 0 : 1);
  }
}
