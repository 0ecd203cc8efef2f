package clients

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

var compareAndDelete = redis.NewScript(`
if redis.call("GET", KEYS[1]) == ARGV[1] then
  return redis.call("DEL", KEYS[1])
end
return 0`)

// forEachProtocol runs a scenario over RESP2 and RESP3, each on a server of its own.
func forEachProtocol(t *testing.T, scenario func(*testing.T, context.Context, *redis.Options)) {
	for _, protocol := range []int{2, 3} {
		protocol := protocol
		t.Run(fmt.Sprintf("RESP%d", protocol), func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			t.Cleanup(cancel)
			scenario(t, ctx, &redis.Options{Addr: startServer(t).address(), Protocol: protocol})
		})
	}
}

func connect(t *testing.T, options *redis.Options) *redis.Client {
	client := redis.NewClient(options)
	t.Cleanup(func() { _ = client.Close() })
	return client
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestHandshake(t *testing.T) {
	t.Parallel()
	forEachProtocol(t, func(t *testing.T, ctx context.Context, options *redis.Options) {
		options.ClientName, options.DB, options.IdentitySuffix = "worker-7", 2, "suffix"
		client := connect(t, options)
		name, err := client.ClientGetName(ctx).Result()
		check(t, err)
		if name != "worker-7" {
			t.Errorf("name %q", name)
		}
		info, err := client.ClientInfo(ctx).Result()
		check(t, err)
		if info.DB != 2 || info.Name != "worker-7" {
			t.Errorf("client info %+v", info)
		}
	})
}

func TestLockByHand(t *testing.T) {
	t.Parallel()
	forEachProtocol(t, func(t *testing.T, ctx context.Context, options *redis.Options) {
		client := connect(t, options)
		granted, err := client.SetNX(ctx, "lock:order", "me", 30*time.Second).Result()
		check(t, err)
		if !granted {
			t.Fatal("a free lock was refused")
		}
		if granted := client.SetNX(ctx, "lock:order", "you", 30*time.Second).Val(); granted {
			t.Fatal("two holders")
		}
		if ttl := client.PTTL(ctx, "lock:order").Val(); ttl <= 29*time.Second || ttl > 30*time.Second {
			t.Errorf("ttl %v", ttl)
		}
		for _, step := range []struct {
			token    string
			released int
		}{{"you", 0}, {"me", 1}, {"me", 0}} {
			check(t, client.ScriptFlush(ctx).Err())
			released, err := compareAndDelete.Run(ctx, client, []string{"lock:order"}, step.token).Int()
			check(t, err)
			if released != step.released {
				t.Errorf("release by %s gave %d", step.token, released)
			}
		}
		loaded, err := compareAndDelete.Exists(ctx, client).Result()
		check(t, err)
		if !loaded[0] {
			t.Error("EVAL did not fill the script cache")
		}
	})
}

func TestReplyTypes(t *testing.T) {
	t.Parallel()
	forEachProtocol(t, func(t *testing.T, ctx context.Context, options *redis.Options) {
		client := connect(t, options)
		check(t, client.HSet(ctx, "h", "a", "1", "b", "\x00\xff\r\n").Err())
		fields, err := client.HGetAll(ctx, "h").Result()
		check(t, err)
		if len(fields) != 2 || fields["b"] != "\x00\xff\r\n" {
			t.Errorf("fields %q", fields)
		}
		if _, err := client.Get(ctx, "none").Result(); !errors.Is(err, redis.Nil) {
			t.Errorf("a missing key gave %v", err)
		}
		values, err := client.MGet(ctx, "none", "none2").Result()
		check(t, err)
		if values[0] != nil || values[1] != nil {
			t.Errorf("values %v", values)
		}
		if err := fmt.Sprint(client.Incr(ctx, "h").Err()); !strings.HasPrefix(err, "WRONGTYPE") {
			t.Errorf("INCR of a hash: %v", err)
		}
		replies, err := client.Eval(ctx, "return {1, 'two', false, {3.99}}", nil).Slice()
		check(t, err)
		if fmt.Sprint(replies) != "[1 two <nil> [3]]" {
			t.Errorf("replies %v", replies)
		}
	})
}

func TestPipelineAndTransaction(t *testing.T) {
	t.Parallel()
	forEachProtocol(t, func(t *testing.T, ctx context.Context, options *redis.Options) {
		client := connect(t, options)
		commands, err := client.Pipelined(ctx, func(pipe redis.Pipeliner) error {
			for i := 0; i < 500; i++ {
				pipe.Incr(ctx, "counter")
			}
			return nil
		})
		check(t, err)
		if last := commands[499].(*redis.IntCmd).Val(); last != 500 {
			t.Errorf("counter %d", last)
		}
		commands, err = client.TxPipelined(ctx, func(pipe redis.Pipeliner) error {
			pipe.Set(ctx, "text", "x", 0)
			pipe.Incr(ctx, "text")
			pipe.Get(ctx, "text")
			return nil
		})
		if err == nil || commands[1].Err() == nil || commands[2].(*redis.StringCmd).Val() != "x" {
			t.Errorf("transaction: %v %v", err, commands)
		}
	})
}

func TestWatchLosesNoIncrement(t *testing.T) {
	t.Parallel()
	forEachProtocol(t, func(t *testing.T, ctx context.Context, options *redis.Options) {
		client := connect(t, options)
		increment := func(tx *redis.Tx) error {
			value, err := tx.Get(ctx, "counter").Int()
			if err != nil && !errors.Is(err, redis.Nil) {
				return err
			}
			_, err = tx.TxPipelined(ctx, func(pipe redis.Pipeliner) error {
				return pipe.Set(ctx, "counter", value+1, 0).Err()
			})
			return err
		}
		var workers sync.WaitGroup
		for i := 0; i < 4; i++ {
			workers.Add(1)
			go func() {
				defer workers.Done()
				for done := 0; done < 20; {
					switch err := client.Watch(ctx, increment, "counter"); {
					case err == nil:
						done++
					case !errors.Is(err, redis.TxFailedErr):
						t.Error(err)
						return
					}
				}
			}()
		}
		workers.Wait()
		if value, _ := client.Get(ctx, "counter").Int(); value != 80 {
			t.Errorf("counter %d", value)
		}
	})
}

func TestSubscriberIsWoken(t *testing.T) {
	t.Parallel()
	forEachProtocol(t, func(t *testing.T, ctx context.Context, options *redis.Options) {
		client := connect(t, options)
		subscription := client.PSubscribe(ctx, "released:*")
		defer subscription.Close()
		_, err := subscription.Receive(ctx)
		check(t, err)
		for i := 0; i < 20; i++ {
			receivers, err := client.Publish(ctx, fmt.Sprintf("released:%d", i), i).Result()
			check(t, err)
			if receivers != 1 {
				t.Fatalf("receivers %d", receivers)
			}
		}
		check(t, subscription.Ping(ctx))
		for i := 0; i < 20; i++ {
			message, err := subscription.ReceiveMessage(ctx)
			check(t, err)
			if message.Channel != fmt.Sprintf("released:%d", i) || message.Payload != fmt.Sprint(i) {
				t.Errorf("message %v", message)
			}
		}
	})
}
