package mortise.clients;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.redisson.api.RLock;
import org.redisson.api.RList;
import org.redisson.api.RScoredSortedSet;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;

/** Waiters of a fair lock stand in a list, their deadlines in a sorted set. */
@BothProtocols
class FairLockTest extends RedissonCase {
  private static final Duration SHORT_WAIT = Duration.ofMillis(1500);

  private final List<Integer> served = Collections.synchronizedList(new ArrayList<>());

  private RList<String> queue() {
    return here.getList("redisson_lock_queue:{" + name("fair") + "}", StringCodec.INSTANCE);
  }

  private RScoredSortedSet<String> deadlines() {
    return here.getScoredSortedSet(
        "redisson_lock_timeout:{" + name("fair") + "}", StringCodec.INSTANCE);
  }

  private void awaitQueueOf(int length) throws InterruptedException {
    eventually("a queue of " + length, () -> queue().size() == length);
  }

  /** Queues, notes its number when served, and lets go. Returns when it stands in the list. */
  private FutureTask<Boolean> queueUp(RedissonClient client, int number) throws Exception {
    int before = queue().size();
    FutureTask<Boolean> waiter =
        start(
            () -> {
              RLock lock = client.getFairLock(name("fair"));
              lock.lock(30, SECONDS);
              served.add(number);
              lock.unlock();
              return true;
            });
    awaitQueueOf(before + 1);
    return waiter;
  }

  private List<FutureTask<Boolean>> queueUpMany(int count) throws Exception {
    List<FutureTask<Boolean>> waiters = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      waiters.add(queueUp(either(i), i));
    }
    return waiters;
  }

  private void assertServedInOrder(int count) {
    assertEquals(IntStream.range(0, count).boxed().toList(), served);
    assertFalse(here.getFairLock(name("fair")).isLocked());
    assertEquals(0, here.getKeys().countExists(queue().getName(), deadlines().getName()));
  }

  @Test
  void reentrantAndExclusive() throws Exception {
    RLock lock = here.getFairLock(name("fair"));
    lock.lock(30, SECONDS);
    assertTrue(lock.tryLock());
    assertEquals(2, lock.getHoldCount());
    assertFalse(there.getFairLock(name("fair")).tryLock());
    assertFalse(isFreeForOthers(lock));
    assertEquals(0, queue().size(), "a try does not queue");
    elsewhere(
        () -> {
          assertRefusesUnlock(lock);
          return null;
        });
    lock.unlock();
    assertTrue(lock.isHeldByCurrentThread());
    lock.unlock();
    assertTrue(isFreeForOthers(lock));
  }

  @Test
  void aHundredThreadsAreServedInOrder() throws Exception {
    RLock lock = here.getFairLock(name("fair"));
    lock.lock(60, SECONDS);
    List<FutureTask<Boolean>> waiters = queueUpMany(100);
    List<Double> scores = new ArrayList<>(deadlines().getScore(queue().readAll()));
    assertEquals(scores.stream().sorted().toList(), scores, "a later one has a later deadline");
    assertTrue(served.isEmpty());
    lock.unlock();
    finishAll(waiters);
    assertServedInOrder(100);
  }

  @Test
  void theOneAtTheFrontFollowsALeaseThatRanOut() throws Exception {
    long begin = System.nanoTime();
    here.getFairLock(name("fair")).lock(4000, MILLISECONDS);
    List<FutureTask<Boolean>> waiters = queueUpMany(4);
    assertTrue(served.isEmpty() || millisSince(begin) >= 3990);
    finishAll(waiters);
    assertTrue(millisSince(begin) >= 3990, () -> "granted after " + millisSince(begin) + " ms");
    assertServedInOrder(4);
  }

  @Test
  void oneThatGivesUpLeavesTheQueue() throws Exception {
    RLock lock = here.getFairLock(name("fair"));
    lock.lock(30, SECONDS);
    FutureTask<Boolean> first = queueUp(here, 0);
    FutureTask<Boolean> impatient =
        start(() -> there.getFairLock(name("fair")).tryLock(4000, 30_000, MILLISECONDS));
    awaitQueueOf(2);
    FutureTask<Boolean> last = queueUp(there, 1);
    assertFalse(finish(impatient));
    awaitQueueOf(2);
    assertEquals(2, deadlines().size());
    lock.unlock();
    finishAll(List.of(first, last));
    assertServedInOrder(2);
  }

  @Test
  void waitersKilledInTheQueueHoldTheOthersUpForTheirWaitOnly() throws Exception {
    String address = SharedServer.server().address();
    RedissonClient punctual = Clients.connectWithFairWait(address, protocol, SHORT_WAIT);
    LockHolder killed = LockHolder.startFairWaiter(address, protocol, name("fair"), SHORT_WAIT);
    LockHolder killedToo = LockHolder.startFairWaiter(address, protocol, name("fair"), SHORT_WAIT);
    RLock lock = punctual.getFairLock(name("fair"));
    lock.lock(30, SECONDS);
    FutureTask<Boolean> first = queueUp(punctual, 0);
    killed.go();
    awaitQueueOf(2);
    killedToo.go();
    awaitQueueOf(3);
    FutureTask<Boolean> last = queueUp(punctual, 1);
    killed.kill();
    killedToo.kill();
    assertEquals(4, queue().size(), "the server does not know of the dead");
    // What their deadlines were is the past now: whoever asks next clears them away.
    RScoredSortedSet<String> deadlines = deadlines();
    List<String> waiting = queue().readAll();
    deadlines.add(1, waiting.get(1));
    deadlines.add(2, waiting.get(2));
    lock.unlock();
    finishAll(List.of(first, last));
    punctual.shutdown();
    assertServedInOrder(2);
  }

  @Test
  void aKilledFirstWaiterIsPassedOverWhenItsTimeIsUp() throws Exception {
    String address = SharedServer.server().address();
    RedissonClient punctual = Clients.connectWithFairWait(address, protocol, SHORT_WAIT);
    LockHolder killed = LockHolder.startFairWaiter(address, protocol, name("fair"), SHORT_WAIT);
    long begin = System.nanoTime();
    punctual.getFairLock(name("fair")).lock(6000, MILLISECONDS);
    killed.go();
    awaitQueueOf(1);
    List<FutureTask<Boolean>> waiters = List.of(queueUp(punctual, 0), queueUp(punctual, 1));
    killed.kill();
    finishAll(waiters);
    assertTrue(millisSince(begin) >= 5990, () -> "granted after " + millisSince(begin) + " ms");
    punctual.shutdown();
    assertServedInOrder(2);
  }

  @Test
  void forceUnlockCallsTheNext() throws Exception {
    RLock lock = here.getFairLock(name("fair"));
    assertFalse(lock.forceUnlock());
    lock.lock(30, SECONDS);
    FutureTask<Boolean> waiter = queueUp(there, 0);
    assertTrue(lock.forceUnlock());
    finish(waiter);
    assertServedInOrder(1);
  }

  @Test
  void theWatchdogKeepsIt() throws Exception {
    RLock lock = here.getFairLock(name("fair"));
    lock.lock();
    FutureTask<Boolean> waiter = queueUp(there, 0);
    Thread.sleep(2 * Clients.WATCHDOG.toMillis());
    assertTrue(lock.isHeldByCurrentThread() && !waiter.isDone());
    lock.unlock();
    finish(waiter);
    assertServedInOrder(1);
  }

  @Test
  void nonReentrantRefusesItsOwnHolderAndKeepsTheOrder() throws Exception {
    RLock lock = here.getNonReentrantFairLock(name("fair"));
    lock.lock(30, SECONDS);
    assertThrows(IllegalMonitorStateException.class, lock::tryLock);
    assertThrows(IllegalMonitorStateException.class, () -> lock.lock(30, SECONDS));
    List<FutureTask<Boolean>> waiters = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      int number = i;
      waiters.add(
          start(
              () -> {
                RLock same = either(number).getNonReentrantFairLock(name("fair"));
                same.lock(30, SECONDS);
                served.add(number);
                same.unlock();
                return true;
              }));
      awaitQueueOf(number + 1);
    }
    assertTrue(lock.isHeldByCurrentThread());
    lock.unlock();
    finishAll(waiters);
    assertServedInOrder(5);
  }
}
