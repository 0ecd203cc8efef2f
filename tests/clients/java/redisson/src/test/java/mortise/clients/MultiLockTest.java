package mortise.clients;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;

@BothProtocols
class MultiLockTest extends RedissonCase {
  private RLock[] members(RedissonClient client) {
    return Stream.of("a", "b", "c").map(noun -> client.getLock(name(noun))).toArray(RLock[]::new);
  }

  @Test
  void takesAllOrNone() throws Exception {
    RLock all = here.getMultiLock(members(here));
    assertTrue(all.tryLock(1, 30, SECONDS));
    for (RLock member : members(there)) {
      assertTrue(member.isLocked());
      assertFalse(member.tryLock());
    }
    all.unlock();
    RLock one = members(there)[2];
    one.lock(30, SECONDS);
    assertFalse(all.tryLock(300, 30_000, MILLISECONDS));
    assertFalse(members(there)[0].isLocked());
    assertFalse(members(there)[1].isLocked());
    one.unlock();
    assertTrue(all.tryLock(1, 30, SECONDS));
    all.unlock();
  }

  @Test
  void waitsForTheMissingMember() throws Exception {
    RLock one = members(there)[1];
    one.lock(400, MILLISECONDS);
    RLock all = here.getMultiLock(members(here));
    assertTrue(all.tryLock(PATIENCE_MS, 30_000, MILLISECONDS));
    assertTrue(members(there)[1].isLocked());
    all.unlock();
    assertFalse(members(there)[1].isLocked());
  }

  @Test
  void watchdogKeepsAllMembers() throws Exception {
    RLock all = here.getMultiLock(members(here));
    all.lock();
    Thread.sleep(3 * Clients.WATCHDOG.toMillis());
    for (RLock member : members(there)) {
      assertFalse(member.tryLock());
    }
    all.unlock();
  }

  @Test
  void groupsOfValuesExcludeEachOtherInAnyOrder() throws Exception {
    RLock ab = here.getMultiLock(name("group"), List.of("a", "b"));
    RLock ba = there.getMultiLock(name("group"), List.of("b", "a"));
    RLock cd = there.getMultiLock(name("group"), List.of("d", "c"));
    assertTrue(ab.tryLock(1, 30, SECONDS));
    assertFalse(ba.tryLock(200, 30_000, MILLISECONDS));
    assertTrue(cd.tryLock(1, 30, SECONDS));
    assertTrue(ab.isHeldByCurrentThread());
    ab.unlock();
    assertTrue(ba.tryLock(1, 30, SECONDS));
    assertFalse(ab.tryLock(200, 30_000, MILLISECONDS));
    ba.unlock();
    cd.unlock();
  }
}
