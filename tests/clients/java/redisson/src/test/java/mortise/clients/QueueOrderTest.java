package mortise.clients;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.redisson.api.redisnode.RedisNode;
import org.redisson.api.redisnode.RedisNodes;

/** On a server of its own, which tells how many clients are blocked. */
@BothProtocols
class QueueOrderTest extends OwnServerCase {
  private int blockedClients() {
    RedisNode node = client.getRedisNodes(RedisNodes.SINGLE).getInstance();
    return Integer.parseInt(node.info(RedisNode.InfoSection.CLIENTS).get("blocked_clients"));
  }

  @Test
  void blockedThreadsAreServedInOrderOfArrival() throws Exception {
    List<FutureTask<Integer>> waiters = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      int count = i + 1;
      waiters.add(
          ServerCase.start(() -> client.<Integer>getBlockingQueue("queue").poll(20, SECONDS)));
      ServerCase.eventually("one more is blocked", () -> blockedClients() == count);
    }
    client.getBlockingQueue("queue").addAll(List.of(0, 1, 2, 3, 4, 5));
    assertEquals(List.of(0, 1, 2, 3, 4, 5), ServerCase.finishAll(waiters));
    assertEquals(0, blockedClients());
  }
}
