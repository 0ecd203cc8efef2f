package mortise.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.redisson.api.RScript;
import org.redisson.api.RScript.Mode;
import org.redisson.api.RScript.ReturnType;
import org.redisson.client.RedisException;
import org.redisson.client.codec.StringCodec;

@BothProtocols
class ScriptTest extends OwnServerCase {
  private RScript script() {
    return client.getScript(StringCodec.INSTANCE);
  }

  private <R> R eval(ReturnType type, String text, Object... values) {
    return script().eval(Mode.READ_WRITE, text, type, List.of("k1", "k2"), values);
  }

  @Test
  void eachTypeOfReply() {
    assertEquals(3L, this.<Long>eval(ReturnType.LONG, "return 3.99"));
    assertEquals(true, eval(ReturnType.BOOLEAN, "return true"));
    assertEquals(false, eval(ReturnType.BOOLEAN, "return false"));
    assertEquals("k2:b", eval(ReturnType.STRING, "return KEYS[2] .. ':' .. ARGV[2]", "a", "b"));
    assertEquals("text", eval(ReturnType.VALUE, "return 'text'"));
    assertNull(eval(ReturnType.VALUE, "return false"));
    assertEquals("PONG", eval(ReturnType.STRING, "return redis.call('ping')"));
    assertEquals(
        Arrays.asList("a", null, 2L, List.of("b")),
        eval(ReturnType.LIST, "return {'a', false, 2, {'b'}}"));
  }

  @Test
  void everyTypeOfKeyFromAScript() {
    List<Object> replies =
        eval(
            ReturnType.LIST,
            """
            redis.call('rpush', KEYS[1], unpack(ARGV))
            redis.call('zadd', KEYS[2], 1.5, ARGV[1], 2, ARGV[2])
            redis.call('sadd', 'set', ARGV[1], ARGV[1])
            return {redis.call('lrange', KEYS[1], 0, -1), redis.call('zscore', KEYS[2], ARGV[1]),
                    redis.call('zrange', KEYS[2], 0, -1, 'withscores'), redis.call('scard', 'set'),
                    redis.call('lpop', 'none'), redis.call('type', KEYS[1]).ok}
            """,
            "a",
            "b");
    assertEquals(
        Arrays.asList(
            List.of("a", "b"), "1.5", List.of("a", "1.5", "b", "2"), 1L, null, "list"),
        replies);
  }

  @Test
  void bySha() {
    String sha = script().scriptLoad("return {KEYS[1], ARGV[1]}");
    assertEquals(40, sha.length());
    List<Object> keys = List.of("key");
    assertEquals(
        List.of("key", "value"),
        script().evalSha(Mode.READ_WRITE, sha, ReturnType.LIST, keys, "value"));
    assertEquals(List.of(true, false), script().scriptExists(sha, "f".repeat(40)));
    script().scriptFlush();
    RedisException missing =
        assertThrows(
            RedisException.class,
            () -> script().evalSha(Mode.READ_WRITE, sha, ReturnType.LIST, keys, "value"));
    assertTrue(missing.getMessage().contains("NOSCRIPT"), missing.getMessage());
    script().scriptLoad("return {KEYS[1], ARGV[1]}");
    assertEquals(
        List.of("key", "value"),
        script().evalSha(Mode.READ_ONLY, sha, ReturnType.LIST, keys, "value"));
  }

  @Test
  void errorsReachTheCaller() {
    for (String text :
        List.of(
            "return redis.call('incr')",
            "return redis.error_reply('MINE own words')",
            "error('raised')",
            "return nosuch",
            "return redis.call('blpop', KEYS[1])")) {
      assertThrows(RedisException.class, () -> eval(ReturnType.VALUE, text), text);
    }
    RedisException own =
        assertThrows(
            RedisException.class,
            () -> eval(ReturnType.VALUE, "return redis.error_reply('MINE own words')"));
    assertTrue(own.getMessage().startsWith("MINE own words"), own.getMessage());
    RedisException idle = assertThrows(RedisException.class, () -> script().scriptKill());
    assertTrue(idle.getMessage().contains("NOTBUSY"), idle.getMessage());
  }

  @Test
  void blockingCommandsAreRefusedInAScript() {
    for (String command : List.of("blpop", "brpop", "bzpopmin", "bzpopmax")) {
      String text = "return redis.call('" + command + "', KEYS[1], 5)";
      RedisException refusal =
          assertThrows(RedisException.class, () -> eval(ReturnType.VALUE, text));
      assertTrue(refusal.getMessage().contains("not allowed from script"), refusal.getMessage());
    }
  }
}
