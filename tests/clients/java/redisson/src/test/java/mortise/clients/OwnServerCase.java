package mortise.clients;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;
import org.redisson.api.RedissonClient;
import org.redisson.config.Protocol;

/** For what touches the whole server: a server for each test, with one client. */
abstract class OwnServerCase {
  @Parameter Protocol protocol;
  LocalServer server;
  RedissonClient client;

  @BeforeEach
  void startServer() {
    server = new LocalServer();
    client = Clients.connect(server.address(), protocol);
  }

  @AfterEach
  void stopServer() throws InterruptedException {
    client.shutdown();
    server.close();
  }
}
