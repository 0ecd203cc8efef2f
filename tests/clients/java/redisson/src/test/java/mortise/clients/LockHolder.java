package mortise.clients;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Protocol;

/** A process that takes a lock, or queues for it, and then waits to be killed. */
final class LockHolder {
  private static final String READY = "READY";

  private final Process process;

  private LockHolder(Process process) {
    this.process = process;
  }

  /** Returns when the process holds the lock. A lease of 0 is the watchdog's. */
  static LockHolder start(String address, Protocol protocol, String name, long leaseMs)
      throws IOException {
    return start(address, protocol, name, "plain", Long.toString(leaseMs));
  }

  /** Returns when the process is ready to stand in the queue of the fair lock, as go() tells it. */
  static LockHolder startFairWaiter(
      String address, Protocol protocol, String name, Duration fairWait) throws IOException {
    return start(address, protocol, name, "fair", Long.toString(fairWait.toMillis()));
  }

  private static LockHolder start(
      String address, Protocol protocol, String name, String kind, String milliseconds)
      throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    List<String> command =
        List.of(
            java, "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
            "-cp", System.getProperty("java.class.path"), LockHolder.class.getName(),
            address, protocol.name(), name, kind, milliseconds);
    LockHolder holder =
        new LockHolder(new ProcessBuilder(command).redirectErrorStream(true).start());
    holder.awaitReady();
    return holder;
  }

  private void awaitReady() throws IOException {
    BufferedReader output = process.inputReader();
    String line = output.readLine();
    while (line != null && !line.equals(READY)) {
      line = output.readLine();
    }
    if (line == null) {
      throw new IOException("the holder's process ended");
    }
  }

  void go() throws IOException {
    process.getOutputStream().write('\n');
    process.getOutputStream().flush();
  }

  void kill() throws InterruptedException {
    process.destroyForcibly();
    if (!process.waitFor(ServerCase.PATIENCE_MS, TimeUnit.MILLISECONDS)) {
      throw new AssertionError("the holder's process does not end");
    }
  }

  public static void main(String[] arguments) throws Exception {
    Protocol protocol = Protocol.valueOf(arguments[1]);
    long milliseconds = Long.parseLong(arguments[4]);
    if (arguments[3].equals("fair")) {
      RedissonClient client =
          Clients.connectWithFairWait(arguments[0], protocol, Duration.ofMillis(milliseconds));
      RLock lock = client.getFairLock(arguments[2]);
      System.out.println(READY);
      System.in.read();
      lock.lock(60, TimeUnit.SECONDS);
    } else {
      RLock lock = Clients.connect(arguments[0], protocol).getLock(arguments[2]);
      lock.lock(milliseconds == 0 ? -1 : milliseconds, TimeUnit.MILLISECONDS);
      System.out.println(READY);
    }
    // Ends by itself should the test die before it kills this process.
    Thread.sleep(60_000);
    System.exit(0);
  }
}
