package mortise.clients;

/** What a lock written by hand on a driver needs; each driver's test supplies one. */
interface PlainClient extends AutoCloseable {
  /** SET name token NX PX leaseMs */
  boolean setIfAbsent(byte[] name, byte[] token, long leaseMs);

  byte[] get(byte[] name);

  long pttl(byte[] name);

  /** EVALSHA with one key; throws NoScript when the server does not know the script. */
  long evalSha(String sha, byte[] name, byte[]... values) throws NoScript;

  String scriptLoad(String script);

  void scriptFlush();

  @Override
  void close();

  /** The driver's own exception for NOSCRIPT was thrown. */
  final class NoScript extends Exception {
    private static final long serialVersionUID = 1L;

    NoScript(RuntimeException cause) {
      super(cause);
    }
  }
}
