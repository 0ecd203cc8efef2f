package mortise.clients;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.redisson.api.RAtomicDouble;
import org.redisson.api.RAtomicLong;
import org.redisson.api.RBucket;
import org.redisson.api.RBuckets;
import org.redisson.api.RMap;
import org.redisson.client.RedisException;
import org.redisson.client.codec.ByteArrayCodec;
import org.redisson.client.codec.IntegerCodec;
import org.redisson.client.codec.StringCodec;
import org.redisson.codec.CompositeCodec;

/** The neighbours of locks: counters, buckets and maps, with Redisson's own binary codec. */
@BothProtocols
class ObjectsTest extends RedissonCase {
  @Test
  void atomicLong() throws Exception {
    RAtomicLong number = here.getAtomicLong(name("long"));
    List<FutureTask<Void>> workers =
        IntStream.range(0, 8)
            .mapToObj(
                i ->
                    start(
                        () -> {
                          RAtomicLong same =
                              (i % 2 == 0 ? here : there).getAtomicLong(name("long"));
                          for (int round = 0; round < 50; round++) {
                            same.incrementAndGet();
                          }
                          return (Void) null;
                        }))
            .toList();
    for (FutureTask<Void> worker : workers) {
      finish(worker);
    }
    assertEquals(400, number.get());
    assertEquals(400, number.getAndAdd(-500));
    assertEquals(-99, number.incrementAndGet());
    assertEquals(-99, number.getAndSet(Long.MAX_VALUE));
    assertThrows(RedisException.class, number::incrementAndGet);
    assertFalse(number.compareAndSet(1, 2));
    assertTrue(number.compareAndSet(Long.MAX_VALUE, 9_007_199_254_740_993L));
    assertEquals(9_007_199_254_740_993L, number.getAndDelete());
    assertEquals(0, number.get());
    assertTrue(number.compareAndSet(0, 5));
    assertEquals(4, number.decrementAndGet());
    RAtomicDouble fraction = here.getAtomicDouble(name("double"));
    assertEquals(0.5, fraction.addAndGet(0.5));
    assertEquals(1.75, fraction.addAndGet(1.25));
    assertTrue(fraction.compareAndSet(1.75, 2));
  }

  @Test
  void bucket() throws Exception {
    RBucket<Map<String, Integer>> bucket = here.getBucket(name("bucket"));
    RBucket<Map<String, Integer>> same = there.getBucket(name("bucket"));
    Map<String, Integer> first = Map.of("a", 1);
    Map<String, Integer> second = Map.of("b", 2);
    assertNull(bucket.get());
    assertTrue(bucket.setIfAbsent(first));
    assertFalse(same.setIfAbsent(second));
    assertEquals(first, same.get());
    assertFalse(same.compareAndSet(second, first));
    assertTrue(same.compareAndSet(first, second));
    assertEquals(second, bucket.getAndSet(first, Duration.ofSeconds(30)));
    assertTrue(bucket.remainTimeToLive() > 20_000);
    bucket.setAndKeepTTL(second);
    assertTrue(bucket.remainTimeToLive() > 20_000);
    assertEquals(second, bucket.getAndClearExpire());
    assertEquals(-1, bucket.remainTimeToLive());
    assertEquals(second, bucket.getAndExpire(Duration.ofSeconds(30)));
    assertTrue(bucket.expireIfLess(Duration.ofSeconds(10)));
    assertFalse(bucket.expireIfNotSet(Duration.ofSeconds(20)));
    assertTrue(bucket.clearExpire());
    assertTrue(bucket.size() > 0);
    assertEquals(second, bucket.getAndDelete());
    assertFalse(bucket.isExists());
    assertFalse(bucket.setIfExists(first));
    bucket.set(first, Duration.ofMillis(200));
    eventually("the bucket expires", () -> !same.isExists());
  }

  @Test
  void bucketsAreBinaryAndMayBeLarge() {
    byte[] value = new byte[300_000];
    for (int i = 0; i < value.length; i++) {
      value[i] = (byte) i;
    }
    RBucket<byte[]> bucket = here.getBucket(name("bucket"), ByteArrayCodec.INSTANCE);
    bucket.set(value);
    RBucket<byte[]> same = there.getBucket(name("bucket"), ByteArrayCodec.INSTANCE);
    assertArrayEquals(value, same.get());
    assertEquals(value.length, bucket.size());
    Map<String, Object> several = Map.of(name("x"), "1", name("y"), "2");
    RBuckets buckets = here.getBuckets(StringCodec.INSTANCE);
    assertTrue(buckets.trySet(several));
    assertFalse(there.getBuckets(StringCodec.INSTANCE).trySet(several));
    assertEquals(several, buckets.get(name("x"), name("y"), name("z")));
    assertTrue(bucket.renamenx(name("renamed")) && bucket.delete());
    assertEquals(2, here.getKeys().delete(name("x"), name("y"), name("z")));
  }

  @Test
  void map() {
    RMap<String, Integer> map = here.getMap(name("map"));
    RMap<String, Integer> same = there.getMap(name("map"));
    assertNull(map.put("a", 1));
    assertEquals(1, same.put("a", 2));
    assertEquals(2, same.putIfAbsent("a", 3));
    assertTrue(same.fastPut("b", 10));
    assertFalse(same.fastPutIfAbsent("b", 11));
    assertTrue(map.replace("a", 2, 20));
    assertFalse(map.replace("a", 2, 21));
    assertNull(map.replace("none", 1));
    assertFalse(map.remove("a", 1));
    assertTrue(map.containsKey("a") && map.containsValue(20) && !map.containsValue(1));
    map.putAll(Map.of("c", 3, "d", 4));
    assertEquals(Map.of("a", 20, "b", 10, "c", 3, "d", 4), same.readAllMap());
    assertEquals(Set.of("a", "b", "c", "d"), same.readAllKeySet());
    assertEquals(Map.of("a", 20, "c", 3), same.getAll(Set.of("a", "c", "none")));
    assertEquals(2, map.fastRemove("c", "d", "none"));
    assertEquals(20, map.remove("a"));
    assertEquals(1, map.size());
    assertTrue(map.valueSize("b") > 0);
  }

  @Test
  void numbersInAMap() {
    CompositeCodec codec = new CompositeCodec(StringCodec.INSTANCE, IntegerCodec.INSTANCE);
    RMap<String, Integer> map = here.getMap(name("map"), codec);
    assertEquals(5, map.addAndGet("a", 5));
    assertEquals(-2, there.<String, Integer>getMap(name("map"), codec).addAndGet("a", -7));
    assertEquals(-2, map.get("a"));
  }

  @Test
  void largeMapIsIterated() {
    RMap<String, String> map = here.getMap(name("map"), StringCodec.INSTANCE);
    Map<String, String> expected = new HashMap<>();
    for (int i = 0; i < 2000; i++) {
      expected.put("field" + i, "value" + i);
    }
    map.putAll(expected);
    Set<String> keys = new HashSet<>();
    there.<String, String>getMap(name("map"), StringCodec.INSTANCE).keySet(50).forEach(keys::add);
    assertEquals(expected.keySet(), keys);
    assertEquals(expected, map.readAllMap());
    assertTrue(map.expire(Duration.ofMillis(1)));
  }
}
