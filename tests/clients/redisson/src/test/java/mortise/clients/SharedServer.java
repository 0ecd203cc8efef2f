package mortise.clients;

import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.redisson.api.RedissonClient;
import org.redisson.config.Protocol;

/**
 * One server for all tests that only need keys of their own, and two clients of it per protocol:
 * two processes of an application, as far as the server can tell. Closed after the last test.
 */
final class SharedServer implements BeforeAllCallback {
  record Pair(RedissonClient here, RedissonClient there) {}

  private static final class Running implements ExtensionContext.Store.CloseableResource {
    final LocalServer server = new LocalServer();
    final Pair resp2 = pair(Protocol.RESP2);
    final Pair resp3 = pair(Protocol.RESP3);

    private Pair pair(Protocol protocol) {
      return new Pair(
          Clients.connect(server.address(), protocol), Clients.connect(server.address(), protocol));
    }

    @Override
    public void close() throws InterruptedException {
      for (Pair pair : new Pair[] {resp2, resp3}) {
        pair.here().shutdown();
        pair.there().shutdown();
      }
      server.close();
    }
  }

  private static volatile Running running;

  @Override
  public void beforeAll(ExtensionContext context) {
    running =
        context
            .getRoot()
            .getStore(ExtensionContext.Namespace.create(SharedServer.class))
            .getOrComputeIfAbsent("running", key -> new Running(), Running.class);
  }

  static Pair clients(Protocol protocol) {
    return protocol == Protocol.RESP2 ? running.resp2 : running.resp3;
  }

  static LocalServer server() {
    return running.server;
  }
}
