package mortise.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.redisson.api.RList;
import org.redisson.api.RScoredSortedSet;
import org.redisson.api.RSet;
import org.redisson.client.RedisException;
import org.redisson.client.codec.StringCodec;
import org.redisson.client.protocol.ScoredEntry;

/** Lists, sets and sorted sets as Redisson's own collections. */
@BothProtocols
class CollectionsTest extends RedissonCase {
  private RScoredSortedSet<String> scored(String noun) {
    return here.getScoredSortedSet(name(noun), StringCodec.INSTANCE);
  }

  private RSet<Integer> setOf(String noun, Integer... members) {
    RSet<Integer> set = here.getSet(name(noun));
    assertTrue(set.addAll(List.of(members)));
    return set;
  }

  @Test
  void list() {
    RList<String> list = here.getList(name("list"));
    RList<String> same = there.getList(name("list"));
    assertTrue(list.addAll(List.of("a", "b", "c", "b")));
    assertEquals(List.of("a", "b", "c", "b"), same.readAll());
    assertEquals("c", same.get(2));
    assertNull(same.get(4));
    assertEquals("c", same.set(2, "C"));
    assertThrows(IndexOutOfBoundsException.class, () -> same.set(9, "x"));
    assertEquals(1, list.indexOf("b"));
    assertEquals(3, list.lastIndexOf("b"));
    assertTrue(list.contains("C") && !list.contains("c"));
    list.add(1, "between");
    assertEquals(6, same.addAfter("between", "after"));
    assertEquals(7, same.addBefore("a", "before"));
    assertEquals(
        List.of("before", "a", "between", "after", "b", "C", "b"), List.copyOf(list));
    assertTrue(list.remove("b", 1));
    assertEquals("between", list.remove(2));
    list.fastRemove(0);
    assertEquals(List.of("a", "after", "C", "b"), same.range(0, -1));
    same.trim(1, 2);
    assertEquals(List.of("after", "C"), list.readAll());
    assertEquals(Arrays.asList("C", null), list.get(1, 7));
    assertTrue(list.retainAll(List.of("C")) && list.removeAll(List.of("C")));
    assertFalse(same.isExists());
  }

  @Test
  void aLongListOfBinaryValues() {
    RList<Integer> list = here.getList(name("list"));
    List<Integer> expected = IntStream.range(0, 3000).boxed().toList();
    list.addAll(expected);
    assertEquals(3000, there.getList(name("list")).size());
    assertEquals(expected, new ArrayList<>(there.<Integer>getList(name("list"))));
    assertEquals(expected.subList(2500, 2600), list.subList(2500, 2600).readAll());
    assertEquals(2999, list.get(2999));
  }

  @Test
  void set() {
    RSet<Integer> set = setOf("set", 1, 2, 3);
    assertFalse(there.<Integer>getSet(name("set")).add(3));
    assertEquals(2, set.addAllCounted(List.of(3, 4, 5)));
    assertTrue(set.contains(4) && set.containsAll(Set.of(1, 5)) && !set.containsAll(Set.of(1, 9)));
    assertEquals(Set.of(1, 9).size() - 1, set.containsEach(List.of(1, 9)).size());
    assertTrue(Set.of(1, 2, 3, 4, 5).contains(set.random()));
    assertEquals(2, set.random(2).size());
    Integer removed = set.removeRandom();
    assertFalse(set.contains(removed));
    assertEquals(4, set.size());
    assertEquals(4, set.removeRandom(9).size());
    assertFalse(set.isExists());
    assertTrue(set.tryAdd(7, 8));
    assertFalse(set.tryAdd(8, 9));
    assertTrue(set.move(name("other"), 8));
    assertEquals(Set.of(8), there.getSet(name("other")).readAll());
  }

  @Test
  void setsOfSets() {
    setOf("a", 1, 2, 3, 4);
    setOf("b", 3, 4, 5);
    RSet<Integer> into = here.getSet(name("into"));
    assertEquals(5, into.union(name("a"), name("b")));
    assertEquals(2, into.intersection(name("a"), name("b")));
    assertEquals(2, into.diff(name("a"), name("b")));
    assertEquals(Set.of(1, 2), into.readAll());
    RSet<Integer> a = there.getSet(name("a"));
    assertEquals(Set.of(1, 2, 3, 4, 5), a.readUnion(name("b")));
    assertEquals(Set.of(3, 4), a.readIntersection(name("b")));
    assertEquals(Set.of(1, 2), a.readDiff(name("b")));
    assertEquals(2, a.countIntersection(name("b")));
    assertEquals(1, a.countIntersection(1, name("b")));
  }

  @Test
  void aLargeSetIsIterated() {
    Set<String> expected = new HashSet<>();
    IntStream.range(0, 2000).forEach(i -> expected.add("member" + i));
    RSet<String> set = here.getSet(name("set"), StringCodec.INSTANCE);
    set.addAll(expected);
    Set<String> seen = new HashSet<>();
    set.iterator(100).forEachRemaining(seen::add);
    assertEquals(expected, seen);
    Set<String> matching = new HashSet<>();
    set.iterator("member199*", 500).forEachRemaining(matching::add);
    assertEquals(11, matching.size());
  }

  @Test
  void scoredSetByRank() {
    RScoredSortedSet<String> set = scored("scores");
    assertEquals(3, set.addAll(Map.of("a", 1.5, "b", 2.0, "c", 3.0)));
    assertFalse(set.add(2.5, "b"), "moved, not added");
    assertTrue(set.tryAdd(4, "d") && !set.tryAdd(9, "d"));
    assertEquals(List.of("a", "b", "c", "d"), List.copyOf(set.readAll()));
    assertEquals(2.5, set.getScore("b"));
    assertEquals(Arrays.asList(1.5, null), set.getScore(List.of("a", "none")));
    assertEquals(1, set.rank("b"));
    assertEquals(2, set.revRank("b"));
    assertNull(set.rank("none"));
    assertEquals(0, set.addAndGetRank(0.5, "d"));
    assertEquals(3.75, set.addScore("a", 2.25));
    assertTrue(set.addIfGreater(9, "a") && !set.addIfLess(10, "a"));
    assertEquals(List.of("a", "c"), List.copyOf(set.valueRangeReversed(0, 1)));
    assertEquals("d", set.first());
    assertEquals(9.0, set.lastScore());
    assertEquals("a", set.pollLast());
    assertEquals(List.of("d", "b"), List.copyOf(set.pollFirst(2)));
    assertEquals(new ScoredEntry<>(3.0, "c"), set.pollFirstEntry());
    assertNull(set.pollFirst());
    assertFalse(set.isExists());
  }

  @Test
  void scoredSetByScore() {
    RScoredSortedSet<String> set = scored("scores");
    Map<String, Double> members = new HashMap<>();
    IntStream.range(0, 200).forEach(i -> members.put("m" + i, (double) i));
    assertEquals(200, set.addAll(members));
    assertEquals(11, set.count(10, true, 20, true));
    assertEquals(9, set.count(10, false, 20, false));
    assertEquals(
        List.of("m11", "m12"), List.copyOf(set.valueRange(10, false, 20, true, 0, 2)));
    assertEquals(
        List.of("m20", "m19"), List.copyOf(set.valueRangeReversed(10, true, 20, true, 0, 2)));
    Collection<ScoredEntry<String>> entries =
        set.entryRange(198, true, Double.POSITIVE_INFINITY, true);
    assertEquals(
        List.of(new ScoredEntry<>(198.0, "m198"), new ScoredEntry<>(199.0, "m199")),
        List.copyOf(entries));
    assertEquals(100, set.removeRangeByScore(Double.NEGATIVE_INFINITY, true, 100, false));
    assertEquals(50, set.removeRangeByRank(0, 49));
    assertEquals("m150", set.first());
    Set<String> seen = new HashSet<>();
    set.iterator(10).forEachRemaining(seen::add);
    assertEquals(50, seen.size());
    assertTrue(set.removeAll(List.of("m150")) && set.retainAll(List.of("m160")));
    assertEquals(List.of("m160"), List.copyOf(set.readAll()));
  }

  @Test
  void scoredSetsOfScoredSets() {
    scored("a").addAll(Map.of("x", 1.0, "y", 2.0));
    scored("b").addAll(Map.of("y", 3.0, "z", 4.0));
    RScoredSortedSet<String> into = scored("into");
    assertEquals(3, into.union(name("a"), name("b")));
    assertEquals(5.0, into.getScore("y"));
    assertEquals(
        1,
        into.intersection(RScoredSortedSet.Aggregate.MAX, Map.of(name("a"), 10.0, name("b"), 1.0)));
    assertEquals(20.0, into.getScore("y"));
    assertEquals(2, scored("a").rangeTo(name("copy"), 0, -1));
    assertEquals(List.of("x", "y"), List.copyOf(scored("copy").readAll()));
  }

  @Test
  void scoresKeepAllTheirDigits() {
    RScoredSortedSet<String> set = scored("scores");
    assertEquals(3, set.addAll(Map.of("fraction", 0.1, "large", 1e300, "small", -5e-300)));
    assertEquals(List.of("small", "fraction", "large"), List.copyOf(set.readAll()));
    assertEquals(-5e-300, set.firstScore());
    assertEquals(0.1, set.getScore("fraction"));
    assertEquals(1e300, set.getScore("large"));
    assertEquals(0.1 + 0.2, set.addScore("fraction", 0.2));
  }

  @Test
  void theWrongTypeIsSaid() {
    here.getBucket(name("text"), StringCodec.INSTANCE).set("text");
    for (Executable wrong :
        List.<Executable>of(
            () -> here.getList(name("text")).add("x"),
            () -> here.getSet(name("text")).add("x"),
            () -> scored("text").add(1, "x"))) {
      String message = assertThrows(RedisException.class, wrong).getMessage();
      assertTrue(message.contains("WRONGTYPE"), message);
    }
  }
}
