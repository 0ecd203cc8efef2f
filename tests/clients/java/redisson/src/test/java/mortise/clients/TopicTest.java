package mortise.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.redisson.api.RTopic;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;

@BothProtocols
class TopicTest extends RedissonCase {
  @Test
  void messagesReachEverySubscriberOnce() throws Exception {
    List<Integer> first = Collections.synchronizedList(new ArrayList<>());
    List<Integer> second = Collections.synchronizedList(new ArrayList<>());
    RTopic topic = here.getTopic(name("topic"));
    RTopic same = there.getTopic(name("topic"));
    assertEquals(0, topic.publish(-1));
    int listener = topic.addListener(Integer.class, (channel, message) -> first.add(message));
    same.addListener(Integer.class, (channel, message) -> second.add(message));
    assertEquals(2, topic.countSubscribers());
    List<Integer> messages = IntStream.range(0, 100).boxed().toList();
    for (Integer message : messages) {
      assertEquals(2, same.publish(message));
    }
    eventually("all messages", () -> first.size() == 100 && second.size() == 100);
    // Redisson hands messages to a pool of threads, so that their order is not the server's.
    assertEquals(messages, first.stream().sorted().toList());
    assertEquals(messages, second.stream().sorted().toList());
    topic.removeListener(listener);
    eventually("unsubscribed", () -> same.countSubscribers() == 1);
    assertEquals(1, topic.publish(100));
  }

  /** Idle for several ping intervals: PING is answered on a subscribed connection. */
  @Test
  void aSubscriptionSurvivesPings() throws Exception {
    RedissonClient pinging =
        Clients.connect(SharedServer.server().address(), protocol, Duration.ofMillis(1500));
    List<String> seen = Collections.synchronizedList(new ArrayList<>());
    RTopic topic = pinging.getTopic(name("topic"), StringCodec.INSTANCE);
    topic.addListener(String.class, (channel, message) -> seen.add(message));
    Thread.sleep(5000);
    assertEquals(1, there.getTopic(name("topic"), StringCodec.INSTANCE).publish("late"));
    eventually("the late message", () -> seen.equals(List.of("late")));
    pinging.shutdown();
  }

  @Test
  void patterns() throws Exception {
    List<String> seen = Collections.synchronizedList(new ArrayList<>());
    here.getPatternTopic(name("news") + ":*", StringCodec.INSTANCE)
        .addListener(String.class, (pattern, channel, text) -> seen.add(channel + "=" + text));
    assertEquals(1, there.getTopic(name("news") + ":a", StringCodec.INSTANCE).publish("1"));
    assertEquals(0, there.getTopic(name("other") + ":a", StringCodec.INSTANCE).publish("2"));
    eventually("the message", () -> seen.equals(List.of(name("news") + ":a=1")));
    here.getPatternTopic(name("news") + ":*", StringCodec.INSTANCE).removeAllListeners();
  }

  @Test
  void manyChannelsAtOnce() throws Exception {
    List<String> seen = Collections.synchronizedList(new ArrayList<>());
    for (int i = 0; i < 30; i++) {
      here.getTopic(name("topic" + i), StringCodec.INSTANCE)
          .addListener(String.class, (channel, message) -> seen.add(message));
    }
    for (int i = 0; i < 30; i++) {
      assertEquals(1, there.getTopic(name("topic" + i), StringCodec.INSTANCE).publish("m" + i));
    }
    eventually("a message of each channel", () -> seen.size() == 30);
    assertTrue(seen.contains("m0") && seen.contains("m29"));
    for (int i = 0; i < 30; i++) {
      here.getTopic(name("topic" + i), StringCodec.INSTANCE).removeAllListeners();
    }
  }
}
