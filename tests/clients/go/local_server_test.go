package clients

import (
	"errors"
	"fmt"
	"math/rand"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

const (
	portFirst      = 21000
	portLast       = 21999
	startupTimeout = 20 * time.Second
	stopTimeout    = 10 * time.Second
)

// localServer is a server process on a free port of 127.0.0.1. Ports are taken below the
// ephemeral range, so that no outgoing connection can sit on the port of a restarted server.
type localServer struct {
	t       *testing.T
	port    int
	log     string
	command *exec.Cmd
	ended   chan error // filled once, when the process ends
}

func serverBinary() string {
	if binary := os.Getenv("MORTISE_SERVER"); binary != "" {
		return binary
	}
	return filepath.Join("..", "..", "..", "build", "release", "mortise-server")
}

// startServer stops the server at the end of the test and fails the test if it crashed.
func startServer(t *testing.T) *localServer {
	t.Helper()
	server := &localServer{t: t, log: filepath.Join(t.TempDir(), "server.log")}
	for attempt := 0; attempt < 20; attempt++ {
		server.port = freePort(t)
		if server.start() {
			t.Cleanup(server.stop)
			return server
		}
		if server.isRunning() {
			server.kill()
			break
		}
	}
	t.Fatalf("%s did not answer PING:\n%s", serverBinary(), server.output())
	return nil
}

func startServers(t *testing.T, count int) []*localServer {
	t.Helper()
	servers := make([]*localServer, count)
	for i := range servers {
		servers[i] = startServer(t)
	}
	return servers
}

// A killed server's port stays its own: tests run side by side, and its clients go on trying.
var handedOut sync.Map

func freePort(t *testing.T) int {
	t.Helper()
	count := portLast - portFirst + 1
	start := rand.New(rand.NewSource(time.Now().UnixNano())).Intn(count)
	for offset := 0; offset < count; offset++ {
		port := portFirst + (start+offset)%count
		if _, taken := handedOut.LoadOrStore(port, true); taken {
			continue
		}
		listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err == nil {
			_ = listener.Close()
			return port
		}
	}
	t.Fatal("no free port")
	return 0
}

func (s *localServer) address() string { return fmt.Sprintf("127.0.0.1:%d", s.port) }

// start reports false when the process ended at once or never answered.
func (s *localServer) start() bool {
	log, err := os.OpenFile(s.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		s.t.Fatal(err)
	}
	defer log.Close()
	s.command = exec.Command(serverBinary(), "--port", fmt.Sprint(s.port), "--bind", "127.0.0.1",
		"--save", "", "--appendonly", "no")
	s.command.Stdout, s.command.Stderr = log, log
	// A test binary that panics or is killed cleans nothing up.
	s.command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := s.command.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.ended = make(chan error, 1)
	go func(command *exec.Cmd, ended chan error) { ended <- command.Wait() }(s.command, s.ended)
	for deadline := time.Now().Add(startupTimeout); time.Now().Before(deadline) && s.isRunning(); {
		if s.answersPing() {
			return s.isRunning()
		}
		time.Sleep(10 * time.Millisecond)
	}
	return false
}

func (s *localServer) isRunning() bool {
	select {
	case err := <-s.ended:
		s.ended <- err
		return false
	default:
		return true
	}
}

func (s *localServer) answersPing() bool {
	connection, err := net.DialTimeout("tcp", s.address(), time.Second)
	if err != nil {
		return false
	}
	defer connection.Close()
	_ = connection.SetDeadline(time.Now().Add(time.Second))
	if _, err := connection.Write([]byte("*1\r\n$4\r\nPING\r\n")); err != nil {
		return false
	}
	reply := make([]byte, 64)
	size, _ := connection.Read(reply)
	return string(reply[:size]) == "+PONG\r\n"
}

// kill ends the server as a crash would; start() brings it back, empty, on the same port.
func (s *localServer) kill() {
	_ = s.command.Process.Kill()
	<-s.ended
	s.ended <- errors.New("killed by the test")
	s.command = nil
}

func (s *localServer) stop() {
	if s.command == nil {
		return
	}
	crashed := !s.isRunning()
	_ = s.command.Process.Signal(syscall.SIGTERM)
	select {
	case err := <-s.ended:
		if crashed || err != nil {
			s.t.Errorf("the server ended with %v, crashed: %v\n%s", err, crashed, s.output())
		}
	case <-time.After(stopTimeout):
		s.t.Errorf("the server ignored SIGTERM:\n%s", s.output())
		s.kill()
	}
}

func (s *localServer) output() string {
	content, _ := os.ReadFile(s.log)
	lines := strings.Split(string(content), "\n")
	if len(lines) > 40 {
		lines = lines[len(lines)-40:]
	}
	return strings.Join(lines, "\n")
}
