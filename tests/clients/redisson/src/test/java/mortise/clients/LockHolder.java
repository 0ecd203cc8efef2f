package mortise.clients;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.redisson.api.RLock;
import org.redisson.config.Protocol;

/** A process that takes a lock and then waits to be killed. A lease of 0 is the watchdog's. */
final class LockHolder {
  static final String READY = "HELD";

  private LockHolder() {}

  static Process start(String address, Protocol protocol, String name, long leaseMs)
      throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    List<String> command =
        List.of(
            java, "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
            "-cp", System.getProperty("java.class.path"), LockHolder.class.getName(),
            address, protocol.name(), name, Long.toString(leaseMs));
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  public static void main(String[] arguments) throws Exception {
    RLock lock =
        Clients.connect(arguments[0], Protocol.valueOf(arguments[1])).getLock(arguments[2]);
    long leaseMs = Long.parseLong(arguments[3]);
    if (leaseMs == 0) {
      lock.lock();
    } else {
      lock.lock(leaseMs, TimeUnit.MILLISECONDS);
    }
    System.out.println(READY);
    // Ends by itself should the test die before it kills this process.
    Thread.sleep(60_000);
    System.exit(0);
  }
}
