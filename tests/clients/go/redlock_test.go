package clients

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-redsync/redsync/v4"
	redsyncredis "github.com/go-redsync/redsync/v4/redis"
	"github.com/go-redsync/redsync/v4/redis/goredis/v9"
	"github.com/redis/go-redis/v9"
)

const quorumSize = 5

// quorum is one lock client over all servers, as each process of an application has it.
func quorum(t *testing.T, protocol int, servers []*localServer) *redsync.Redsync {
	pools := make([]redsyncredis.Pool, len(servers))
	for i, server := range servers {
		pools[i] = goredis.NewPool(connect(t, &redis.Options{
			Addr: server.address(), Protocol: protocol, MaxRetries: -1, DialTimeout: time.Second,
		}))
	}
	return redsync.New(pools...)
}

func mutex(client *redsync.Redsync, options ...redsync.Option) *redsync.Mutex {
	defaults := []redsync.Option{
		redsync.WithExpiry(30 * time.Second), redsync.WithTries(1), redsync.WithTimeoutFactor(0.1),
	}
	return client.NewMutex("lock:order", append(defaults, options...)...)
}

func refused(t *testing.T, m *redsync.Mutex) {
	t.Helper()
	if err := m.Lock(); err == nil {
		t.Fatal("two holders")
	}
}

func released(t *testing.T, m *redsync.Mutex) {
	t.Helper()
	if ok, err := m.Unlock(); !ok || err != nil {
		t.Fatalf("unlock: %v %v", ok, err)
	}
}

func TestQuorumOfFive(t *testing.T) {
	t.Parallel()
	for _, protocol := range []int{2, 3} {
		servers := startServers(t, quorumSize)
		here, there := quorum(t, protocol, servers), quorum(t, protocol, servers)
		holder := mutex(here)
		check(t, holder.Lock())
		refused(t, mutex(there))
		if ok, err := holder.Extend(); !ok || err != nil {
			t.Fatalf("extend: %v %v", ok, err)
		}
		released(t, holder)
		next := mutex(there)
		check(t, next.Lock())
		if ok, err := holder.Unlock(); ok || err == nil {
			t.Fatalf("a former holder released its successor's lock: %v %v", ok, err)
		}
		refused(t, mutex(here))
		released(t, next)
	}
}

func TestMinorityStopped(t *testing.T) {
	t.Parallel()
	servers := startServers(t, quorumSize)
	here, there := quorum(t, 3, servers), quorum(t, 2, servers)
	holder := mutex(here)
	check(t, holder.Lock())
	servers[0].kill()
	refused(t, mutex(there))
	if ok, err := holder.Extend(); !ok || err != nil {
		t.Fatalf("extend on four of five: %v %v", ok, err)
	}
	released(t, holder)
	servers[1].kill()
	next := mutex(there)
	check(t, next.Lock())
	refused(t, mutex(here))
	released(t, next)
}

func TestMajorityStopped(t *testing.T) {
	t.Parallel()
	servers := startServers(t, quorumSize)
	client := quorum(t, 3, servers)
	for _, server := range servers[:3] {
		server.kill()
	}
	if err := mutex(client).Lock(); err == nil {
		t.Fatal("a lock was granted by two servers of five")
	}
	for _, server := range servers[3:] {
		client := connect(t, &redis.Options{Addr: server.address()})
		if count := client.Exists(context.Background(), "lock:order").Val(); count != 0 {
			t.Error("a failed attempt left its lock behind")
		}
	}
	if !servers[0].start() {
		t.Fatalf("no restart:\n%s", servers[0].output())
	}
	holder := mutex(client)
	check(t, holder.Lock())
	released(t, holder)
}

func TestStalledHolder(t *testing.T) {
	t.Parallel()
	servers := startServers(t, quorumSize)
	here, there := quorum(t, 2, servers), quorum(t, 3, servers)
	stalled := mutex(here, redsync.WithExpiry(1500*time.Millisecond), redsync.WithTimeoutFactor(0.5))
	begin := time.Now()
	check(t, stalled.Lock())
	next := mutex(there, redsync.WithTries(500), redsync.WithRetryDelay(20*time.Millisecond))
	check(t, next.Lock())
	if waited := time.Since(begin); waited < 1400*time.Millisecond {
		t.Errorf("granted after %v, before the lease was over", waited)
	}
	if ok, err := stalled.Unlock(); ok || err == nil {
		t.Errorf("unlock of a stalled holder: %v %v", ok, err)
	}
	if ok, _ := stalled.Extend(); ok {
		t.Error("extend of a stalled holder")
	}
	released(t, next)
}

func TestScriptCacheFlushedBetweenLockAndUnlock(t *testing.T) {
	t.Parallel()
	servers := startServers(t, quorumSize)
	holder := mutex(quorum(t, 2, servers))
	for round := 0; round < 3; round++ {
		check(t, holder.Lock())
		for _, server := range servers {
			client := connect(t, &redis.Options{Addr: server.address()})
			check(t, client.ScriptFlush(context.Background()).Err())
		}
		released(t, holder)
	}
}

func TestWorkersLoseNoIncrement(t *testing.T) {
	t.Parallel()
	servers := startServers(t, quorumSize)
	// Atomic only for the race detector: what keeps read and write together is the lock.
	var counter atomic.Int64
	var workers sync.WaitGroup
	for i := 0; i < 4; i++ {
		client := quorum(t, 2+i%2, servers)
		workers.Add(1)
		go func() {
			defer workers.Done()
			for round := 0; round < 15; round++ {
				m := mutex(client, redsync.WithTries(2000), redsync.WithRetryDelay(5*time.Millisecond))
				if err := m.Lock(); err != nil {
					t.Error(err)
					return
				}
				value := counter.Load()
				time.Sleep(time.Millisecond)
				counter.Store(value + 1)
				if ok, err := m.Unlock(); !ok {
					t.Error(err)
				}
			}
		}()
	}
	workers.Wait()
	if value := counter.Load(); value != 60 {
		t.Errorf("counter %d", value)
	}
}

func TestCancelledWaiter(t *testing.T) {
	t.Parallel()
	servers := startServers(t, quorumSize)
	client := quorum(t, 3, servers)
	holder := mutex(client)
	check(t, holder.Lock())
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	if err := mutex(client, redsync.WithTries(1000)).LockContext(ctx); err == nil {
		t.Error("two holders")
	} else if ctx.Err() == nil {
		t.Errorf("gave up before its deadline: %v", err)
	}
	released(t, holder)
}
