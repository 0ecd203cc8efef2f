package mortise.clients;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.UUID;

/** A lock by hand: SET NX PX, and two scripts that first compare the token. */
final class PlainLock {
  private static final String RELEASE =
      """
      if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end
      return 0
      """;
  private static final String RENEW =
      """
      if redis.call('get', KEYS[1]) == ARGV[1] then
        return redis.call('pexpire', KEYS[1], ARGV[2])
      end
      return 0
      """;

  private final PlainClient client;
  private final byte[] name;
  private final byte[] token;
  private final String mark;
  private int reloads;

  PlainLock(PlainClient client, byte[] name, byte[] token) {
    this.client = client;
    this.name = name;
    this.token = token;
    // Scripts of its own, so that no other test loads them.
    mark = "-- " + UUID.randomUUID() + "\n";
  }

  PlainLock(PlainClient client, String name) {
    this(client, name.getBytes(UTF_8), UUID.randomUUID().toString().getBytes(UTF_8));
  }

  boolean tryAcquire(long leaseMs) {
    return client.setIfAbsent(name, token, leaseMs);
  }

  boolean renew(long leaseMs) {
    return run(RENEW, token, Long.toString(leaseMs).getBytes(UTF_8)) == 1;
  }

  boolean release() {
    return run(RELEASE, token) == 1;
  }

  long remaining() {
    return client.pttl(name);
  }

  /** How often the server did not know a script. */
  int reloads() {
    return reloads;
  }

  /** EVALSHA, and SCRIPT LOAD as often as the server (or a test that flushes) has forgotten it. */
  private long run(String script, byte[]... values) {
    String sha = Digests.sha1(mark + script);
    for (int attempt = 0; attempt < 100; attempt++) {
      try {
        return client.evalSha(sha, name, values);
      } catch (PlainClient.NoScript missing) {
        reloads++;
      }
      if (!client.scriptLoad(mark + script).equals(sha)) {
        throw new AssertionError("another digest");
      }
    }
    throw new AssertionError("the server does not keep the script");
  }
}
