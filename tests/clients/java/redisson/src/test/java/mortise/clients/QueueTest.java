package mortise.clients;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.redisson.api.Entry;
import org.redisson.api.RBlockingDeque;
import org.redisson.api.RBlockingQueue;
import org.redisson.api.RDeque;
import org.redisson.api.RQueue;
import org.redisson.api.RScoredSortedSet;
import org.redisson.api.RedissonClient;

/** Queues, and threads that block on them until something comes. */
@BothProtocols
class QueueTest extends RedissonCase {
  private RBlockingQueue<Integer> queue(RedissonClient client, String noun) {
    return client.getBlockingQueue(name(noun));
  }

  @Test
  void firstInFirstOut() {
    RQueue<Integer> queue = here.getQueue(name("queue"));
    assertTrue(queue.offer(1) && queue.addAll(List.of(2, 3, 4)));
    assertEquals(1, there.getQueue(name("queue")).peek());
    assertEquals(1, there.getQueue(name("queue")).poll());
    assertEquals(List.of(2, 3), queue.poll(2));
    assertEquals(4, queue.pollLastAndOfferFirstTo(name("other")));
    assertNull(queue.poll());
    assertNull(queue.peek());
    assertEquals(List.of(4), there.getQueue(name("other")).readAll());
  }

  @Test
  void bothEndsOfADeque() {
    RDeque<String> deque = here.getDeque(name("deque"));
    deque.addFirst("b");
    deque.addFirst("a");
    assertEquals(3, deque.addLast("c", "d") - 1);
    assertEquals(0, here.getDeque(name("none")).addLastIfExists("x"));
    assertEquals("a", deque.peekFirst());
    assertEquals("d", deque.pollLast());
    assertEquals(List.of("c", "b"), deque.pollLast(2));
    assertEquals("a", deque.removeFirst());
    assertNull(deque.pollFirst());
  }

  @Test
  void aBlockedThreadGetsWhatComes() throws Exception {
    FutureTask<Integer> waiter = start(() -> queue(there, "queue").take());
    Thread.sleep(200);
    assertFalse(waiter.isDone());
    assertTrue(queue(here, "queue").offer(7));
    assertEquals(7, finish(waiter));
    assertEquals(0, queue(here, "queue").size());
  }

  @Test
  void aBlockedThreadGivesUpInTimeAndNotBefore() throws Exception {
    long begin = System.nanoTime();
    assertNull(queue(here, "queue").poll(1, SECONDS));
    assertTrue(millisSince(begin) >= 990, () -> "gave up after " + millisSince(begin) + " ms");
    assertTrue(queue(here, "queue").add(1), "nothing went to a waiter that is gone");
    assertEquals(1, queue(there, "queue").size());
  }

  @Test
  void theFirstOfSeveralQueues() throws Exception {
    FutureTask<Entry<String, Integer>> waiter =
        start(
            () ->
                queue(there, "a")
                    .pollFromAnyWithName(Duration.ofMillis(PATIENCE_MS), name("b"), name("c")));
    Thread.sleep(200);
    queue(here, "c").add(3);
    Entry<String, Integer> got = finish(waiter);
    assertEquals(name("c"), got.getKey());
    assertEquals(3, got.getValue());
  }

  @Test
  void aBlockedMove() throws Exception {
    FutureTask<Integer> waiter =
        start(
            () ->
                queue(there, "from")
                    .pollLastAndOfferFirstTo(name("to"), PATIENCE_MS, MILLISECONDS));
    Thread.sleep(200);
    queue(here, "from").add(5);
    assertEquals(5, finish(waiter));
    assertEquals(List.of(5), queue(here, "to").readAll());
    assertFalse(queue(here, "from").isExists());
  }

  @Test
  void bothEndsOfABlockingDeque() throws Exception {
    RBlockingDeque<Integer> deque = here.getBlockingDeque(name("deque"));
    FutureTask<Integer> last =
        start(() -> there.<Integer>getBlockingDeque(name("deque")).takeLast());
    Thread.sleep(200);
    deque.putFirst(1);
    assertEquals(1, finish(last));
    deque.putFirst(2);
    deque.putLast(3);
    assertEquals(2, deque.takeFirst());
    assertEquals(3, deque.pollLast(1, SECONDS));
  }

  @Test
  void nothingIsLostOrDoubledAmongManyThreads() throws Exception {
    int count = 400;
    List<FutureTask<List<Integer>>> consumers =
        startMany(
            6,
            i ->
                () -> {
                  List<Integer> got = new ArrayList<>();
                  Integer value = queue(either(i), "queue").poll(20, SECONDS);
                  while (value != null && value >= 0) {
                    got.add(value);
                    value = queue(either(i), "queue").poll(20, SECONDS);
                  }
                  return got;
                });
    for (int i = 0; i < count; i++) {
      queue(either(i), "queue").add(i);
    }
    for (int i = 0; i < consumers.size(); i++) {
      queue(here, "queue").add(-1);
    }
    List<Integer> all = finishAll(consumers).stream().flatMap(List::stream).sorted().toList();
    assertEquals(IntStream.range(0, count).boxed().toList(), all);
  }

  @Test
  void aBlockedThreadOnAScoredSet() throws Exception {
    RScoredSortedSet<String> set = here.getScoredSortedSet(name("scores"));
    FutureTask<String> waiter =
        start(
            () ->
                there
                    .<String>getScoredSortedSet(name("scores"))
                    .pollFirst(Duration.ofMillis(PATIENCE_MS)));
    Thread.sleep(200);
    set.add(2, "b");
    assertEquals("b", finish(waiter));
    assertNull(set.pollLast(Duration.ofSeconds(1)));
  }
}
