package mortise.clients;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** The life of a lock on a plain driver, over RESP2 and RESP3. */
@ParameterizedClass(name = "RESP{0}")
@ValueSource(ints = {2, 3})
abstract class PlainLockCase extends ServerCase {
  @Parameter int protocol;

  private final List<PlainClient> open = new ArrayList<>();

  abstract PlainClient connect(int port);

  @AfterEach
  void disconnect() {
    open.forEach(PlainClient::close);
  }

  PlainClient client() {
    PlainClient client = connect(SharedServer.server().port());
    synchronized (open) {
      open.add(client);
    }
    return client;
  }

  private PlainLock lock(String noun) {
    return new PlainLock(client(), name(noun));
  }

  @Test
  void acquireContendRelease() {
    PlainLock lock = lock("lock");
    PlainLock rival = lock("lock");
    assertTrue(lock.tryAcquire(30_000));
    assertFalse(rival.tryAcquire(30_000));
    long remaining = lock.remaining();
    assertTrue(remaining > 20_000 && remaining <= 30_000, () -> "remaining " + remaining);
    assertTrue(lock.release());
    assertEquals(-2, lock.remaining());
    assertTrue(rival.tryAcquire(30_000));
    assertTrue(rival.release());
  }

  @Test
  void aStrangerNeitherReleasesNorRenews() {
    PlainLock lock = lock("lock");
    PlainLock stranger = lock("lock");
    assertTrue(lock.tryAcquire(30_000));
    assertFalse(stranger.release());
    assertFalse(stranger.renew(60_000));
    assertTrue(lock.remaining() <= 30_000);
    assertTrue(lock.release());
    assertFalse(lock.release());
  }

  @Test
  void expiresWithItsLeaseAndNotBefore() throws Exception {
    PlainLock stalled = lock("lock");
    PlainLock next = lock("lock");
    long begin = System.nanoTime();
    assertTrue(stalled.tryAcquire(500));
    eventually("the lease ends", () -> next.tryAcquire(30_000));
    assertTrue(millisSince(begin) >= 499, () -> "granted after " + millisSince(begin) + " ms");
    assertFalse(stalled.renew(60_000));
    assertFalse(stalled.release());
    assertTrue(next.remaining() > 20_000);
  }

  @Test
  void renewalKeepsItPastThreeLeases() throws Exception {
    PlainLock lock = lock("lock");
    PlainLock rival = lock("lock");
    assertTrue(lock.tryAcquire(1500));
    for (int i = 0; i < 16; i++) {
      Thread.sleep(300);
      assertTrue(lock.renew(1500));
      assertFalse(rival.tryAcquire(1500));
    }
    assertTrue(lock.release());
  }

  @Test
  void namesAndTokensAreBinary() {
    byte[] all = new byte[256];
    for (int i = 0; i < all.length; i++) {
      all[i] = (byte) i;
    }
    for (byte[] odd : List.of("\0\r\n$-1\r\n".getBytes(ISO_8859_1), all, new byte[2000])) {
      byte[] name = concat(odd, name("lock").getBytes(ISO_8859_1));
      PlainClient client = client();
      PlainLock lock = new PlainLock(client, name, all);
      assertTrue(lock.tryAcquire(30_000));
      assertArrayEquals(all, client.get(name));
      assertTrue(lock.renew(40_000) && lock.remaining() > 30_000);
      assertTrue(lock.release());
      assertNull(client.get(name));
    }
  }

  private static byte[] concat(byte[] first, byte[] second) {
    byte[] both = new byte[first.length + second.length];
    System.arraycopy(first, 0, both, 0, first.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  @Test
  void scriptsAreLoadedAgainAfterAFlush() {
    PlainLock lock = lock("lock");
    for (int round = 1; round <= 3; round++) {
      assertTrue(lock.tryAcquire(30_000));
      assertTrue(lock.renew(30_000));
      client().scriptFlush();
      assertTrue(lock.renew(40_000));
      client().scriptFlush();
      assertTrue(lock.release());
      assertTrue(lock.reloads() >= 2 * round, "NOSCRIPT was not seen");
    }
  }

  @Test
  void workersLoseNoIncrement() throws Exception {
    AtomicInteger counter = new AtomicInteger();
    finishAll(startMany(4, i -> () -> work(counter)));
    assertEquals(60, counter.get());
  }

  /** Read and write are apart: only the lock keeps them together. */
  private boolean work(AtomicInteger counter) throws InterruptedException {
    PlainLock lock = lock("lock");
    for (int round = 0; round < 15; round++) {
      eventually("the lock", () -> lock.tryAcquire(30_000));
      int value = counter.get();
      Thread.sleep(1);
      counter.set(value + 1);
      assertTrue(lock.release());
    }
    return true;
  }
}
