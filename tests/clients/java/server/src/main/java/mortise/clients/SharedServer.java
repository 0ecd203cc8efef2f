package mortise.clients;

import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** One server for all tests that only need keys of their own. Closed after the last test. */
final class SharedServer implements BeforeAllCallback {
  record Running(LocalServer server) implements ExtensionContext.Store.CloseableResource {
    @Override
    public void close() throws InterruptedException {
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
            .getOrComputeIfAbsent(
                "running", key -> new Running(new LocalServer()), Running.class);
  }

  static LocalServer server() {
    return running.server();
  }
}
