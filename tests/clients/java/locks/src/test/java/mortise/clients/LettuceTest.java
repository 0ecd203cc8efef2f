package mortise.clients;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.KeyValue;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScoredValue;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import io.lettuce.core.TransactionResult;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

class LettuceTest extends PlainLockCase {
  // They own the event loops and end with the process.
  private static final RedisClient RESP2 = create(ProtocolVersion.RESP2);
  private static final RedisClient RESP3 = create(ProtocolVersion.RESP3);

  private record Client(
      StatefulRedisConnection<byte[], byte[]> connection, RedisCommands<byte[], byte[]> commands)
      implements PlainClient {
    @Override
    public boolean setIfAbsent(byte[] name, byte[] token, long leaseMs) {
      return commands.set(name, token, SetArgs.Builder.nx().px(leaseMs)) != null;
    }

    @Override
    public byte[] get(byte[] name) {
      return commands.get(name);
    }

    @Override
    public long pttl(byte[] name) {
      return commands.pttl(name);
    }

    @Override
    public long evalSha(String sha, byte[] name, byte[]... values) throws NoScript {
      try {
        return commands.<Long>evalsha(sha, ScriptOutputType.INTEGER, new byte[][] {name}, values);
      } catch (RedisNoScriptException missing) {
        throw new NoScript(missing);
      }
    }

    @Override
    public String scriptLoad(String script) {
      return commands.scriptLoad(script.getBytes(UTF_8));
    }

    @Override
    public void scriptFlush() {
      commands.scriptFlush();
    }

    @Override
    public void close() {
      connection.close();
    }
  }

  private static RedisClient create(ProtocolVersion version) {
    RedisClient client = RedisClient.create();
    client.setOptions(ClientOptions.builder().protocolVersion(version).build());
    return client;
  }

  private RedisClient lettuce() {
    return protocol == 3 ? RESP3 : RESP2;
  }

  private static RedisURI uri(int port) {
    return RedisURI.builder()
        .withHost("127.0.0.1")
        .withPort(port)
        .withClientName("lettuce")
        .withTimeout(Duration.ofMillis(PATIENCE_MS))
        .build();
  }

  @Override
  PlainClient connect(int port) {
    StatefulRedisConnection<byte[], byte[]> connection =
        lettuce().connect(ByteArrayCodec.INSTANCE, uri(port));
    return new Client(connection, connection.sync());
  }

  private StatefulRedisConnection<String, String> connection() {
    return lettuce().connect(uri(SharedServer.server().port()));
  }

  @Test
  void typedReplies() {
    RedisCommands<String, String> commands = connection().sync();
    commands.zadd(name("scores"), ScoredValue.just(1.5, "a"), ScoredValue.just(-2, "b"));
    assertEquals(
        List.of(ScoredValue.just(-2, "b"), ScoredValue.just(1.5, "a")),
        commands.zrangeWithScores(name("scores"), 0, -1));
    assertNull(commands.zscore(name("scores"), "none"));
    commands.hset(name("hash"), "f", "v");
    assertEquals(Map.of("f", "v"), commands.hgetall(name("hash")));
    commands.rpush(name("list"), "a", "b");
    assertEquals(List.of("a", "b"), commands.lrange(name("list"), 0, -1));
    RedisCommandExecutionException wrong =
        assertThrows(
            RedisCommandExecutionException.class, () -> commands.sadd(name("hash"), "x"));
    assertTrue(wrong.getMessage().startsWith("WRONGTYPE"), wrong.getMessage());
  }

  @Test
  void aWaiterIsWokenByAPush() throws Exception {
    FutureTask<KeyValue<String, String>> waiter =
        start(() -> connection().sync().blpop(15, name("signal")));
    Thread.sleep(200);
    connection().sync().lpush(name("signal"), "go");
    assertEquals(KeyValue.just(name("signal"), "go"), finish(waiter));
    assertNull(connection().sync().blpop(0.1, name("signal")));
  }

  @Test
  void aSubscriberIsWoken() throws Exception {
    BlockingQueue<String> seen = new LinkedBlockingQueue<>();
    StatefulRedisPubSubConnection<String, String> subscriber =
        lettuce().connectPubSub(uri(SharedServer.server().port()));
    subscriber.addListener(
        new RedisPubSubAdapter<>() {
          @Override
          public void message(String channel, String message) {
            seen.add(message);
          }
        });
    subscriber.sync().subscribe(name("released"));
    assertEquals(1, connection().sync().publish(name("released"), "lock"));
    assertEquals("lock", seen.take());
    subscriber.close();
  }

  @Test
  void watchAndTransaction() {
    RedisCommands<String, String> commands = connection().sync();
    commands.watch(name("key"));
    commands.multi();
    commands.set(name("key"), "mine");
    connection().sync().set(name("key"), "theirs");
    assertTrue(commands.exec().wasDiscarded());
    commands.multi();
    commands.get(name("key"));
    commands.rpush(name("list"), "a");
    TransactionResult done = commands.exec();
    assertEquals(List.of("theirs", 1L), done.stream().toList());
  }
}
