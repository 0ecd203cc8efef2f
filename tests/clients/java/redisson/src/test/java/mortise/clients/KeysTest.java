package mortise.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.redisson.api.BatchOptions;
import org.redisson.api.RBatch;
import org.redisson.api.RKeys;
import org.redisson.api.RType;
import org.redisson.api.options.KeysScanOptions;

/** The keyspace as a whole, on a server of its own. */
@BothProtocols
class KeysTest extends OwnServerCase {
  private RKeys keys;

  @BeforeEach
  void takeKeys() {
    keys = client.getKeys();
  }

  private void fill(String prefix, int count) {
    RBatch batch = client.createBatch();
    for (int i = 0; i < count; i++) {
      batch.getBucket(prefix + i).setAsync(i);
    }
    batch.execute();
  }

  private static Set<String> setOf(Iterable<String> names) {
    Set<String> set = new HashSet<>();
    names.forEach(set::add);
    return set;
  }

  @Test
  void typesAndCounts() {
    client.getBucket("bucket").set(1);
    client.getMap("map").put(1, 1);
    client.getList("list").add(1);
    client.getSet("set").add(1);
    client.getScoredSortedSet("scores").add(1, 1);
    assertEquals(
        List.of(RType.OBJECT, RType.MAP, RType.LIST, RType.SET, RType.ZSET),
        List.of("bucket", "map", "list", "set", "scores").stream().map(keys::getType).toList());
    assertNull(keys.getType("none"));
    assertEquals(5, keys.count());
    assertEquals(2, keys.countExists("list", "set", "none"));
    assertEquals(2, keys.touch("list", "set", "none"));
    assertTrue(setOf(keys.getKeys()).contains(keys.randomKey()));
    assertEquals(
        Set.of("list"), setOf(keys.getKeys(KeysScanOptions.defaults().type(RType.LIST))));
  }

  @Test
  void patternsOverManyKeys() {
    fill("lock:", 3000);
    fill("other:", 50);
    assertEquals(3050, setOf(keys.getKeys()).size());
    assertEquals(11, setOf(keys.getKeysByPattern("lock:29?", 200)).size() + 1);
    assertEquals(7, setOf(keys.getKeysWithLimit("lock:*", 7)).size());
    assertEquals(10, keys.deleteByPattern("lock:1?"));
    assertEquals(2990, keys.unlinkByPattern("lock:*"));
    assertEquals(50, keys.count());
    assertEquals(0, keys.deleteByPattern("none*"));
  }

  @Test
  void patternsInABatch() {
    fill("lock:", 20);
    for (BatchOptions.ExecutionMode mode : BatchOptions.ExecutionMode.values()) {
      RBatch batch = client.createBatch(BatchOptions.defaults().executionMode(mode));
      batch.getKeys().deleteAsync("lock:" + mode.ordinal());
      batch.getKeys().unlinkAsync("lock:" + mode.ordinal(), "none");
      assertEquals(List.of(1L, 0L), batch.execute().getResponses());
    }
    RBatch batch = client.createBatch();
    batch.getKeys().deleteByPatternAsync("lock:*");
    assertEquals(16L, batch.execute().getResponses().get(0));
  }

  @Test
  void expiryAndNames() {
    fill("key:", 3);
    assertTrue(keys.expire("key:0", 60_000, TimeUnit.MILLISECONDS));
    assertEquals(2, keys.expire(Duration.ofSeconds(60), "key:1", "key:2", "none"));
    assertTrue(keys.remainTimeToLive("key:1") > 50_000);
    assertTrue(keys.clearExpire("key:0") && !keys.clearExpire("key:0"));
    assertEquals(-1, keys.remainTimeToLive("key:0"));
    assertEquals(-2, keys.remainTimeToLive("none"));
    keys.rename("key:0", "renamed");
    assertFalse(keys.renamenx("renamed", "key:1"));
    assertTrue(keys.renamenx("renamed", "key:0"));
    assertEquals(2, keys.unlink("key:0", "key:1", "none"));
    assertEquals(1, keys.delete(client.getBucket("key:2"), client.getBucket("none")));
    assertEquals(0, keys.count());
  }

  @Test
  void objectsAreCopiedDumpedAndRestored() {
    client.getList("list").addAll(List.of(1, 2, 3));
    client.getScoredSortedSet("scores").add(1.5, "a");
    assertTrue(client.getList("list").copy("copy"));
    assertFalse(client.getList("list").copy("copy"));
    for (String name : List.of("list", "scores")) {
      byte[] payload = client.getBucket(name).dump();
      client.getBucket("restored").restore(payload);
      assertEquals(keys.getType(name), keys.getType("restored"));
      client.getBucket("restored").restoreAndReplace(payload);
      assertEquals(1, keys.delete("restored"));
    }
    assertEquals(List.of(1, 2, 3), client.getList("copy").readAll());
  }

  @Test
  void databases() {
    fill("key:", 5);
    assertTrue(keys.move("key:0", 1));
    assertEquals(4, keys.count());
    keys.swapdb(0, 1);
    assertEquals(1, keys.count());
    keys.flushdb();
    assertEquals(0, keys.count());
    keys.swapdb(0, 1);
    assertEquals(4, keys.count());
    keys.flushall();
    assertEquals(0, keys.count());
  }
}
