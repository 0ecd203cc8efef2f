package mortise.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.redisson.api.RIdGenerator;

@BothProtocols
class IdGeneratorTest extends RedissonCase {
  @Test
  void idsOfOneClientFollowEachOther() {
    RIdGenerator generator = here.getIdGenerator(name("ids"));
    assertTrue(generator.tryInit(100, 7));
    assertFalse(there.getIdGenerator(name("ids")).tryInit(1, 1));
    for (int i = 0; i < 20; i++) {
      assertEquals(100 + i, generator.nextId());
    }
    // 100-120 are allotted in blocks of seven; another client has a block of its own.
    assertEquals(121, there.getIdGenerator(name("ids")).nextId());
    assertEquals(120, generator.nextId());
    assertEquals(128, generator.nextId());
  }

  @Test
  void withoutInitTheyBeginAtZeroOrOne() {
    RIdGenerator generator = here.getIdGenerator(name("ids"));
    long first = generator.nextId();
    assertTrue(first == 0 || first == 1, () -> "first " + first);
    assertEquals(first + 1, generator.nextId());
  }

  @Test
  void noIdTwice() throws Exception {
    assertTrue(here.getIdGenerator(name("ids")).tryInit(0, 13));
    List<List<Long>> all =
        finishAll(
            startMany(
                8,
                i ->
                    () -> {
                      RIdGenerator generator = either(i).getIdGenerator(name("ids"));
                      List<Long> ids = new ArrayList<>();
                      for (int round = 0; round < 100; round++) {
                        ids.add(generator.nextId());
                      }
                      return ids;
                    }));
    Set<Long> seen = new HashSet<>();
    all.forEach(seen::addAll);
    assertEquals(800, seen.size());
  }
}
