package mortise.clients;

import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.redisson.api.RedissonClient;
import org.redisson.config.Protocol;

/**
 * Two clients of the shared server per protocol: two processes of an application, as far as the
 * server can tell. Shut down after the last test, before the server.
 */
final class SharedClients implements BeforeAllCallback {
  record Pair(RedissonClient here, RedissonClient there) {}

  private static final class Connected implements ExtensionContext.Store.CloseableResource {
    final Pair resp2 = pair(Protocol.RESP2);
    final Pair resp3 = pair(Protocol.RESP3);

    private Pair pair(Protocol protocol) {
      String address = SharedServer.server().address();
      return new Pair(Clients.connect(address, protocol), Clients.connect(address, protocol));
    }

    @Override
    public void close() {
      for (Pair pair : new Pair[] {resp2, resp3}) {
        pair.here().shutdown();
        pair.there().shutdown();
      }
    }
  }

  private static volatile Connected connected;

  @Override
  public void beforeAll(ExtensionContext context) {
    connected =
        context
            .getRoot()
            .getStore(ExtensionContext.Namespace.create(SharedClients.class))
            .getOrComputeIfAbsent("connected", key -> new Connected(), Connected.class);
  }

  static Pair of(Protocol protocol) {
    return protocol == Protocol.RESP2 ? connected.resp2 : connected.resp3;
  }
}
