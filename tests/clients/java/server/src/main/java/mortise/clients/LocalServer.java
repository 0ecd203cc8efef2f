package mortise.clients;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * A server process on a free port of 127.0.0.1; the binary comes from MORTISE_SERVER. Ports are
 * taken below the ephemeral range, which outgoing connections use. close() ends the process by pid
 * and throws if it had crashed or did not end well.
 */
final class LocalServer implements AutoCloseable {
  private static final int PORT_FIRST = 21000;
  private static final int PORT_COUNT = 1000;
  // A killed server's port stays its own: tests run side by side, and its clients go on trying.
  private static final Set<Integer> HANDED_OUT = ConcurrentHashMap.newKeySet();
  private static final Duration STARTUP_MAX = Duration.ofSeconds(20);
  private static final Duration SHUTDOWN_MAX = Duration.ofSeconds(10);

  private final Path log;
  private int port;
  private Process process;
  private boolean killed;

  LocalServer() {
    try {
      log = Files.createTempFile("mortise-clients-", ".log");
      log.toFile().deleteOnExit();
      for (int attempt = 0; attempt < 20; attempt++) {
        port = freePort();
        if (start()) {
          return;
        }
        if (process.isAlive()) {
          process.destroyForcibly();
          break;
        }
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    throw new IllegalStateException(binary() + " did not answer PING:\n" + output());
  }

  String address() {
    return "redis://127.0.0.1:" + port;
  }

  int port() {
    return port;
  }

  boolean isRunning() {
    return process.isAlive();
  }

  /** Ends the server as a crash would. */
  void kill() throws InterruptedException {
    killed = true;
    process.destroyForcibly();
    process.waitFor();
  }

  String output() {
    try {
      return Files.readString(log, StandardCharsets.ISO_8859_1);
    } catch (IOException failure) {
      return failure.toString();
    }
  }

  @Override
  public void close() throws InterruptedException {
    if (killed) {
      return;
    }
    boolean crashed = !process.isAlive();
    process.destroy();
    if (!process.waitFor(SHUTDOWN_MAX.toMillis(), TimeUnit.MILLISECONDS)) {
      kill();
      throw new AssertionError("the server ignored SIGTERM:\n" + output());
    }
    if (crashed || process.exitValue() != 0) {
      throw new AssertionError(
          "the server ended with %d, crashed: %s%n%s"
              .formatted(process.exitValue(), crashed, output()));
    }
  }

  private static String binary() {
    String given = System.getenv("MORTISE_SERVER");
    Path built = Path.of("../../../../build/release/mortise-server").toAbsolutePath();
    return given != null && !given.isEmpty() ? given : built.toString();
  }

  private static int freePort() throws IOException {
    int start = ThreadLocalRandom.current().nextInt(PORT_COUNT);
    for (int i = 0; i < PORT_COUNT; i++) {
      int candidate = PORT_FIRST + (start + i) % PORT_COUNT;
      if (!HANDED_OUT.add(candidate)) {
        continue;
      }
      try (ServerSocket probe =
          new ServerSocket(candidate, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}))) {
        return probe.getLocalPort();
      } catch (IOException taken) {
        continue;
      }
    }
    throw new IOException("no free port");
  }

  /** False when the process ended (another took the port first) or never answered. */
  private boolean start() throws IOException {
    process =
        new ProcessBuilder(
                binary(), "--port", Integer.toString(port), "--bind", "127.0.0.1",
                "--save", "", "--appendonly", "no")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    // A run that ends half way must not leave servers behind.
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    long deadline = System.nanoTime() + STARTUP_MAX.toNanos();
    while (System.nanoTime() < deadline && process.isAlive()) {
      if (answersPing()) {
        return process.isAlive();
      }
    }
    return false;
  }

  private boolean answersPing() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress("127.0.0.1", port), 1000);
      socket.setSoTimeout(1000);
      socket.getOutputStream().write("*1\r\n$4\r\nPING\r\n".getBytes(StandardCharsets.US_ASCII));
      byte[] reply = socket.getInputStream().readNBytes(7);
      return new String(reply, StandardCharsets.US_ASCII).equals("+PONG\r\n");
    } catch (IOException notYet) {
      pause();
      return false;
    }
  }

  private static void pause() {
    try {
      Thread.sleep(10);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
