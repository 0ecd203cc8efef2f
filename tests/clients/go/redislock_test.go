package clients

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/bsm/redislock"
	"github.com/redis/go-redis/v9"
)

// obtainers are two processes of an application that use bsm/redislock, and a plain client.
type obtainers struct {
	ctx         context.Context
	here, there *redislock.Client
	client      *redis.Client
}

func withObtainers(t *testing.T, scenario func(*testing.T, obtainers)) {
	t.Parallel()
	forEachProtocol(t, func(t *testing.T, ctx context.Context, options *redis.Options) {
		client := connect(t, options)
		there := redislock.New(connect(t, options))
		scenario(t, obtainers{ctx, redislock.New(client), there, client})
	})
}

func (o obtainers) obtain(
	t *testing.T, from *redislock.Client, name string, lease time.Duration,
) *redislock.Lock {
	t.Helper()
	lock, err := from.Obtain(o.ctx, name, lease, nil)
	check(t, err)
	return lock
}

func (o obtainers) notObtained(t *testing.T, from *redislock.Client, name string) {
	t.Helper()
	_, err := from.Obtain(o.ctx, name, 30*time.Second, nil)
	if !errors.Is(err, redislock.ErrNotObtained) {
		t.Fatalf("two holders: %v", err)
	}
}

func patiently(delay time.Duration) *redislock.Options {
	return &redislock.Options{RetryStrategy: redislock.LinearBackoff(delay)}
}

func TestRedislockContended(t *testing.T) {
	withObtainers(t, func(t *testing.T, o obtainers) {
		options := &redislock.Options{Metadata: "worker-7\x00"}
		lock, err := o.here.Obtain(o.ctx, "order", 30*time.Second, options)
		check(t, err)
		o.notObtained(t, o.there, "order")
		expect(t, "metadata", lock.Metadata() == "worker-7\x00")
		expect(t, "the key's value", o.client.Get(o.ctx, "order").Val() == lock.Token()+lock.Metadata())
		remaining, err := lock.TTL(o.ctx)
		check(t, err)
		expect(t, "the lease", remaining > 20*time.Second && remaining <= 30*time.Second)
		check(t, lock.Release(o.ctx))
		expect(t, "a second release", errors.Is(lock.Release(o.ctx), redislock.ErrLockNotHeld))
		o.obtain(t, o.there, "order", 30*time.Second)
	})
}

func TestRedislockWaiter(t *testing.T) {
	withObtainers(t, func(t *testing.T, o obtainers) {
		lock := o.obtain(t, o.here, "order", 30*time.Second)
		granted := make(chan error, 1)
		go func() {
			_, err := o.there.Obtain(o.ctx, "order", 30*time.Second, patiently(10*time.Millisecond))
			granted <- err
		}()
		time.Sleep(100 * time.Millisecond)
		expect(t, "not yet", len(granted) == 0)
		check(t, lock.Release(o.ctx))
		check(t, <-granted)
	})
}

func TestRedislockExpires(t *testing.T) {
	withObtainers(t, func(t *testing.T, o obtainers) {
		begin := time.Now()
		stalled := o.obtain(t, o.here, "order", 400*time.Millisecond)
		next, err := o.there.Obtain(o.ctx, "order", 30*time.Second, patiently(5*time.Millisecond))
		check(t, err)
		expect(t, "the lease ended early", time.Since(begin) >= 399*time.Millisecond)
		expect(t, "a late release", errors.Is(stalled.Release(o.ctx), redislock.ErrLockNotHeld))
		refresh := stalled.Refresh(o.ctx, time.Minute, nil)
		expect(t, "a late refresh", errors.Is(refresh, redislock.ErrNotObtained))
		remaining, err := stalled.TTL(o.ctx)
		check(t, err)
		expect(t, "no lease of its own", remaining == 0)
		remaining, err = next.TTL(o.ctx)
		check(t, err)
		expect(t, "the successor is unharmed", remaining > 20*time.Second && remaining <= 30*time.Second)
	})
}

func TestRedislockRefreshed(t *testing.T) {
	withObtainers(t, func(t *testing.T, o obtainers) {
		lock := o.obtain(t, o.here, "order", 1500*time.Millisecond)
		for i := 0; i < 16; i++ {
			time.Sleep(300 * time.Millisecond)
			check(t, lock.Refresh(o.ctx, 1500*time.Millisecond, nil))
			o.notObtained(t, o.there, "order")
		}
		check(t, lock.Release(o.ctx))
	})
}

func TestRedislockAStrangersToken(t *testing.T) {
	withObtainers(t, func(t *testing.T, o obtainers) {
		lock := o.obtain(t, o.here, "order", 30*time.Second)
		// The same token as the holder's obtains again, as the library means it to.
		same := &redislock.Options{Token: lock.Token()}
		_, err := o.there.Obtain(o.ctx, "order", 30*time.Second, same)
		check(t, err)
		check(t, o.client.Set(o.ctx, "order", "somebody else", time.Minute).Err())
		expect(t, "a stranger's release", errors.Is(lock.Release(o.ctx), redislock.ErrLockNotHeld))
		expect(t, "unharmed", o.client.Get(o.ctx, "order").Val() == "somebody else")
	})
}

func TestRedislockOddNamesAndFlushedScripts(t *testing.T) {
	withObtainers(t, func(t *testing.T, o obtainers) {
		for _, name := range oddNames {
			lock := o.obtain(t, o.here, name, 30*time.Second)
			for _, step := range []func() error{
				func() error { return lock.Refresh(o.ctx, 30*time.Second, nil) },
				func() error { _, err := lock.TTL(o.ctx); return err },
				func() error { return lock.Release(o.ctx) },
			} {
				check(t, o.client.ScriptFlush(o.ctx).Err())
				check(t, step())
			}
			check(t, o.client.ScriptFlush(o.ctx).Err())
			o.obtain(t, o.there, name, 30*time.Second)
			o.notObtained(t, o.here, name)
		}
	})
}
