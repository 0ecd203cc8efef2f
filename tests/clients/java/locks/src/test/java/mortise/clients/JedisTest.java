package mortise.clients;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisPubSub;
import redis.clients.jedis.RedisProtocol;
import redis.clients.jedis.Response;
import redis.clients.jedis.Transaction;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisNoScriptException;
import redis.clients.jedis.params.SetParams;
import redis.clients.jedis.resps.Tuple;

class JedisTest extends PlainLockCase {
  private record Client(Jedis jedis) implements PlainClient {
    @Override
    public boolean setIfAbsent(byte[] name, byte[] token, long leaseMs) {
      return jedis.set(name, token, SetParams.setParams().nx().px(leaseMs)) != null;
    }

    @Override
    public byte[] get(byte[] name) {
      return jedis.get(name);
    }

    @Override
    public long pttl(byte[] name) {
      return jedis.pttl(name);
    }

    @Override
    public long evalSha(String sha, byte[] name, byte[]... values) throws NoScript {
      try {
        return (Long) jedis.evalsha(sha.getBytes(UTF_8), List.of(name), List.of(values));
      } catch (JedisNoScriptException missing) {
        throw new NoScript(missing);
      }
    }

    @Override
    public String scriptLoad(String script) {
      return jedis.scriptLoad(script);
    }

    @Override
    public void scriptFlush() {
      jedis.scriptFlush();
    }

    @Override
    public void close() {
      jedis.close();
    }
  }

  private Jedis open(int port) {
    RedisProtocol spoken = protocol == 3 ? RedisProtocol.RESP3 : RedisProtocol.RESP2;
    return new Jedis(
        new HostAndPort("127.0.0.1", port),
        DefaultJedisClientConfig.builder()
            .protocol(spoken)
            .clientName("jedis")
            .socketTimeoutMillis((int) PATIENCE_MS)
            .build());
  }

  @Override
  PlainClient connect(int port) {
    return new Client(open(port));
  }

  private Jedis jedis() {
    return ((Client) client()).jedis();
  }

  @Test
  void typedReplies() {
    Jedis jedis = jedis();
    jedis.zadd(name("scores"), 1.5, "a");
    jedis.zadd(name("scores"), Double.POSITIVE_INFINITY, "b");
    assertEquals(
        List.of(new Tuple("a", 1.5), new Tuple("b", Double.POSITIVE_INFINITY)),
        jedis.zrangeWithScores(name("scores"), 0, -1));
    assertEquals(1.5, jedis.zscore(name("scores"), "a"));
    assertNull(jedis.zrank(name("scores"), "none"));
    jedis.hset(name("hash"), "f", "v");
    assertEquals(Map.of("f", "v"), jedis.hgetAll(name("hash")));
    jedis.sadd(name("set"), "x");
    assertEquals(Set.of("x"), jedis.smembers(name("set")));
    JedisDataException wrong =
        assertThrows(JedisDataException.class, () -> jedis.lpush(name("hash"), "x"));
    assertTrue(wrong.getMessage().startsWith("WRONGTYPE"), wrong.getMessage());
  }

  @Test
  void aWaiterIsWokenByAPush() throws Exception {
    FutureTask<List<String>> waiter = start(() -> jedis().blpop(15, name("signal")));
    Thread.sleep(200);
    jedis().lpush(name("signal"), "go");
    assertEquals(List.of(name("signal"), "go"), finish(waiter));
    assertNull(jedis().blpop(0.1, name("signal")));
  }

  @Test
  void aSubscriberIsWoken() throws Exception {
    BlockingQueue<String> seen = new LinkedBlockingQueue<>();
    JedisPubSub subscription =
        new JedisPubSub() {
          @Override
          public void onSubscribe(String channel, int count) {
            seen.add("subscribed " + count);
          }

          @Override
          public void onMessage(String channel, String message) {
            seen.add(message);
            unsubscribe();
          }
        };
    FutureTask<Boolean> subscriber =
        start(
            () -> {
              jedis().subscribe(subscription, name("released"));
              return true;
            });
    assertEquals("subscribed 1", seen.take());
    assertEquals(1, jedis().publish(name("released"), "lock"));
    assertEquals("lock", seen.take());
    assertTrue(finish(subscriber));
  }

  @Test
  void watchAndTransaction() {
    Jedis jedis = jedis();
    jedis.watch(name("key"));
    Transaction lost = jedis.multi();
    lost.set(name("key"), "mine");
    jedis().set(name("key"), "theirs");
    assertNull(lost.exec());
    jedis.watch(name("key"));
    Transaction won = jedis.multi();
    Response<String> read = won.get(name("key"));
    won.rpush(name("list"), "a", "b");
    assertEquals(2, won.exec().size());
    assertEquals("theirs", read.get());
  }
}
