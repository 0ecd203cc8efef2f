package mortise.clients;

import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.Parameter;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Protocol;

/** What every test of the shared server has: two clients, whose threads are all other owners. */
@ExtendWith(SharedClients.class)
abstract class RedissonCase extends ServerCase {
  @Parameter Protocol protocol;

  RedissonClient here;
  RedissonClient there;

  @BeforeEach
  void takeClientsOfTheParameter() {
    if (protocol != null) {
      takeClients(protocol);
    }
  }

  /** For the classes that run alone, which JUnit cannot run per protocol. */
  void takeClients(Protocol spoken) {
    SharedClients.Pair pair = SharedClients.of(spoken);
    here = pair.here();
    there = pair.there();
  }

  /** The one or the other, for workers of both. */
  RedissonClient either(int index) {
    return index % 2 == 0 ? here : there;
  }

  /** Another thread tries once, and lets go at once of what it got. */
  static boolean isFreeForOthers(RLock lock) throws Exception {
    return elsewhere(
        () -> {
          boolean granted = lock.tryLock();
          if (granted) {
            lock.unlock();
          }
          return granted;
        });
  }

  static void assertRefusesUnlock(RLock lock) {
    assertThrows(IllegalMonitorStateException.class, lock::unlock);
  }
}
