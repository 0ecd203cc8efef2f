package clients

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

var compareAndExpire = redis.NewScript(`
if redis.call("GET", KEYS[1]) == ARGV[1] then
  return redis.call("PEXPIRE", KEYS[1], ARGV[2])
end
return 0`)

var oddNames = []string{"\x00\xff\r\n$3\r\n", "ключ-鍵", strings.Repeat("x", 2000)}

// lockByHand is what an application writes on go-redis.
type lockByHand struct {
	t           *testing.T
	ctx         context.Context
	client      *redis.Client
	name, token string
}

func (l lockByHand) acquire(lease time.Duration) bool {
	l.t.Helper()
	granted, err := l.client.SetNX(l.ctx, l.name, l.token, lease).Result()
	check(l.t, err)
	return granted
}

func (l lockByHand) run(script *redis.Script, arguments ...any) bool {
	l.t.Helper()
	arguments = append([]any{l.token}, arguments...)
	done, err := script.Run(l.ctx, l.client, []string{l.name}, arguments...).Int()
	check(l.t, err)
	return done == 1
}

func (l lockByHand) renew(lease time.Duration) bool {
	return l.run(compareAndExpire, lease.Milliseconds())
}

func (l lockByHand) release() bool { return l.run(compareAndDelete) }

func (l lockByHand) remaining() time.Duration {
	l.t.Helper()
	remaining, err := l.client.PTTL(l.ctx, l.name).Result()
	check(l.t, err)
	return remaining
}

// eachPairOfLocks gives a scenario two owners of one lock, over each protocol.
func eachPairOfLocks(t *testing.T, name string, scenario func(*testing.T, lockByHand, lockByHand)) {
	t.Parallel()
	forEachProtocol(t, func(t *testing.T, ctx context.Context, options *redis.Options) {
		mine := lockByHand{t, ctx, connect(t, options), name, "mine\x00\xff\r\n"}
		theirs := lockByHand{t, ctx, connect(t, options), name, "theirs"}
		scenario(t, mine, theirs)
	})
}

func expect(t *testing.T, what string, ok bool) {
	t.Helper()
	if !ok {
		t.Fatal(what)
	}
}

func TestGoRedisLockContended(t *testing.T) {
	eachPairOfLocks(t, "lock:order", func(t *testing.T, mine, theirs lockByHand) {
		expect(t, "acquire", mine.acquire(30*time.Second))
		expect(t, "one holder", !theirs.acquire(30*time.Second))
		expect(t, "the lease", mine.remaining() > 20*time.Second)
		expect(t, "a stranger's release is refused", !theirs.release())
		expect(t, "a stranger's renewal is refused", !theirs.renew(time.Minute))
		expect(t, "release", mine.release())
		expect(t, "a second release is refused", !mine.release())
		expect(t, "the next one", theirs.acquire(30*time.Second))
	})
}

func TestGoRedisLockExpires(t *testing.T) {
	eachPairOfLocks(t, "lock:order", func(t *testing.T, mine, theirs lockByHand) {
		begin := time.Now()
		expect(t, "acquire", mine.acquire(400*time.Millisecond))
		for !theirs.acquire(30 * time.Second) {
			expect(t, "the lease did not end", time.Since(begin) < 20*time.Second)
			time.Sleep(5 * time.Millisecond)
		}
		expect(t, "the lease ended early", time.Since(begin) >= 399*time.Millisecond)
		expect(t, "a late release is refused", !mine.release())
		expect(t, "a late renewal is refused", !mine.renew(time.Minute))
		expect(t, "the successor is unharmed", theirs.remaining() > 20*time.Second)
	})
}

func TestGoRedisLockRenewed(t *testing.T) {
	eachPairOfLocks(t, "lock:order", func(t *testing.T, mine, theirs lockByHand) {
		expect(t, "acquire", mine.acquire(1500*time.Millisecond))
		for i := 0; i < 16; i++ {
			time.Sleep(300 * time.Millisecond)
			expect(t, "renew", mine.renew(1500*time.Millisecond))
			expect(t, "one holder", !theirs.acquire(1500*time.Millisecond))
		}
		expect(t, "release", mine.release())
	})
}

func TestGoRedisLockOddNamesAndFlushedScripts(t *testing.T) {
	for _, name := range oddNames {
		name := name
		t.Run("", func(t *testing.T) {
			eachPairOfLocks(t, name, func(t *testing.T, mine, theirs lockByHand) {
				for round := 0; round < 3; round++ {
					expect(t, "acquire", mine.acquire(30*time.Second))
					check(t, mine.client.ScriptFlush(mine.ctx).Err())
					sha := compareAndExpire.Hash()
					err := mine.client.EvalSha(mine.ctx, sha, []string{name}, "nobody", 1).Err()
					expect(t, "NOSCRIPT", err != nil && strings.HasPrefix(err.Error(), "NOSCRIPT"))
					expect(t, "renew", mine.renew(30*time.Second))
					check(t, mine.client.ScriptFlush(mine.ctx).Err())
					expect(t, "release", mine.release())
				}
			})
		})
	}
}

func TestGoRedisWaiterIsWokenByAPush(t *testing.T) {
	t.Parallel()
	forEachProtocol(t, func(t *testing.T, ctx context.Context, options *redis.Options) {
		waiting := make(chan []string, 1)
		waiter := connect(t, options)
		go func() { waiting <- waiter.BLPop(ctx, 15*time.Second, "other", "signal").Val() }()
		client := connect(t, options)
		time.Sleep(100 * time.Millisecond)
		check(t, client.LPush(ctx, "signal", "go").Err())
		popped := <-waiting
		expect(t, "what was pushed", len(popped) == 2 && popped[0] == "signal" && popped[1] == "go")
		expect(t, "nothing left", client.Exists(ctx, "signal").Val() == 0)
		err := client.BZPopMin(ctx, time.Second, "scores").Err()
		expect(t, "a timeout is redis.Nil", errors.Is(err, redis.Nil))
	})
}

func TestGoRedisSortedSets(t *testing.T) {
	t.Parallel()
	forEachProtocol(t, func(t *testing.T, ctx context.Context, options *redis.Options) {
		client := connect(t, options)
		scores := []redis.Z{{Score: 1.5, Member: "a"}, {Score: -2, Member: "b"}}
		check(t, client.ZAdd(ctx, "scores", scores...).Err())
		members, err := client.ZRangeWithScores(ctx, "scores", 0, -1).Result()
		check(t, err)
		expect(t, "order", len(members) == 2 && members[0].Member == "b" && members[1].Score == 1.5)
		score, err := client.ZScore(ctx, "scores", "a").Result()
		check(t, err)
		expect(t, "score", score == 1.5)
		rank := client.ZRankWithScore(ctx, "scores", "none").Err()
		expect(t, "no rank", rank != nil)
		values, err := client.SInter(ctx, "none", "none").Result()
		check(t, err)
		expect(t, "an empty set", len(values) == 0)
	})
}
