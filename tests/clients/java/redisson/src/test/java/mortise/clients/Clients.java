package mortise.clients;

import java.time.Duration;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.redisson.config.ConstantDelay;
import org.redisson.config.Protocol;

/** Redisson clients as these tests want them: small pools and a short watchdog. */
final class Clients {
  /** The lease that the watchdog renews, every third of it. */
  static final Duration WATCHDOG = Duration.ofMillis(3000);

  private Clients() {}

  static RedissonClient connect(String address, Protocol protocol) {
    return connect(address, protocol, Duration.ofSeconds(30));
  }

  /** A connection whose PING is not answered within `pingInterval` is closed by Redisson. */
  static RedissonClient connect(String address, Protocol protocol, Duration pingInterval) {
    Config config = config(protocol);
    config
        .useSingleServer()
        .setAddress(address)
        .setConnectionMinimumIdleSize(4)
        .setConnectionPoolSize(24)
        .setSubscriptionConnectionPoolSize(24)
        .setPingConnectionInterval((int) pingInterval.toMillis());
    return Redisson.create(config);
  }

  static RedissonClient connect(String address, Protocol protocol, String user, String password) {
    Config config = config(protocol).setUsername(user).setPassword(password);
    config
        .useSingleServer()
        .setAddress(address)
        .setConnectionMinimumIdleSize(1)
        .setConnectionPoolSize(8)
        .setSubscriptionConnectionPoolSize(8);
    return Redisson.create(config);
  }

  /** Its fair locks give a waiter that was called and is gone `wait` until the next one's turn. */
  static RedissonClient connectWithFairWait(String address, Protocol protocol, Duration wait) {
    Config config = config(protocol).setFairLockWaitTimeout(wait.toMillis());
    config
        .useSingleServer()
        .setAddress(address)
        .setConnectionMinimumIdleSize(1)
        .setConnectionPoolSize(12)
        .setSubscriptionConnectionPoolSize(4);
    return Redisson.create(config);
  }

  /** Gives up at once on a server that is gone, as a member of a quorum should. */
  static RedissonClient connectImpatiently(String address, Protocol protocol) {
    Config config = config(protocol);
    config
        .useSingleServer()
        .setAddress(address)
        .setConnectionMinimumIdleSize(1)
        .setConnectionPoolSize(4)
        .setSubscriptionConnectionPoolSize(2)
        .setTimeout(3000)
        .setConnectTimeout(1000)
        .setRetryAttempts(1)
        .setRetryDelay(new ConstantDelay(Duration.ofMillis(50)));
    return Redisson.create(config);
  }

  private static Config config(Protocol protocol) {
    return new Config()
        .setProtocol(protocol)
        .setLockWatchdogTimeout(WATCHDOG.toMillis())
        .setThreads(8)
        .setNettyThreads(4);
  }
}
