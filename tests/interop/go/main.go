// Drives the Go lock libraries for tests/interop/run.py: driver MODE OPTIONS PORT...
// One type per mode; an order is a method of it, and what it returns is the owner. See suite/driver.py.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/bsm/redislock"
	"github.com/go-redsync/redsync/v4"
	syncredis "github.com/go-redsync/redsync/v4/redis"
	"github.com/go-redsync/redsync/v4/redis/goredis/v9"
	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"
	"github.com/redis/rueidis"
	"github.com/redis/rueidis/rueidislock"
	zero "github.com/zeromicro/go-zero/core/stores/redis"
)

const name = "lock:orders:42"

var addresses []string
var options struct {
	Metadata string   `json:"metadata"`
	Names    []string `json:"names"`
	NoCache  bool     `json:"noCache"`
	Prefix   string   `json:"prefix"`
	Majority int32    `json:"majority"`
	Seconds  int      `json:"seconds"`
}

type client interface {
	obey(order string) (string, error)
}

func unknown(order string) error { return errors.New("unknown order " + order) }

// redsync, over as many servers as there are.

type redsyncClient struct{ mutex *redsync.Mutex }

func newRedsync() client {
	var pools []syncredis.Pool
	for _, address := range addresses {
		pools = append(pools, goredis.NewPool(redis.NewClient(&redis.Options{Addr: address})))
	}
	return &redsyncClient{redsync.New(pools...).NewMutex(name, redsync.WithExpiry(30*time.Second), redsync.WithTries(1000))}
}

func (c *redsyncClient) obey(order string) (string, error) {
	switch order {
	case "acquire":
		err := c.mutex.Lock()
		return c.mutex.Value(), err
	case "extend":
		_, err := c.mutex.Extend()
		return c.mutex.Value(), err
	case "release":
		wasHeld, err := c.mutex.Unlock()
		if err == nil && !wasHeld {
			err = errors.New("Unlock returned false")
		}
		return "", err
	}
	return "", unknown(order)
}

// bsm/redislock, with metadata and with several keys.

type redislockClient struct {
	locker *redislock.Client
	lock   *redislock.Lock
}

func newRedislock() client {
	return &redislockClient{locker: redislock.New(redis.NewClient(&redis.Options{Addr: addresses[0]}))}
}

func (c *redislockClient) obey(order string) (string, error) {
	ctx := context.Background()
	switch order {
	case "acquire":
		names := options.Names
		if len(names) == 0 {
			names = []string{name}
		}
		lock, err := c.locker.ObtainMulti(ctx, names, 30*time.Second, &redislock.Options{
			RetryStrategy: redislock.LinearBackoff(100 * time.Millisecond), Metadata: options.Metadata})
		if err != nil {
			return "", err
		}
		c.lock = lock
		return lock.Token(), nil
	case "extend":
		return c.lock.Token(), c.lock.Refresh(ctx, 30*time.Second, nil)
	case "release":
		return "", c.lock.Release(ctx)
	}
	return "", unknown(order)
}

// rueidislock: several keys, renewed by itself, with a context that ends with the lock.

type rueidislockClient struct {
	locker rueidislock.Locker
	held   context.Context
	cancel context.CancelFunc
}

func newRueidislock() client {
	locker, err := rueidislock.NewLocker(rueidislock.LockerOption{
		KeyPrefix: options.Prefix, KeyMajority: options.Majority,
		ClientOption: rueidis.ClientOption{InitAddress: addresses[:1], DisableCache: options.NoCache}, NoLoopTracking: false})
	if err != nil {
		panic(err)
	}
	return &rueidislockClient{locker: locker}
}

func (c *rueidislockClient) obey(order string) (string, error) {
	switch order {
	case "acquire":
		var err error
		c.held, c.cancel, err = c.locker.WithContext(context.Background(), "orders:42")
		return "", err
	case "notice":
		<-c.held.Done()
		return "", nil
	case "release":
		if err := c.held.Err(); err != nil {
			return "", err
		}
		c.cancel()
		return "", nil
	}
	return "", unknown(order)
}

// asynq's lock on a task that may be queued once.

type asynqClient struct{ queue *asynq.Client }

func newAsynq() client {
	return &asynqClient{asynq.NewClient(asynq.RedisClientOpt{Addr: addresses[0]})}
}

func (c *asynqClient) obey(order string) (string, error) {
	if order != "acquire" {
		return "", unknown(order)
	}
	for {
		info, err := c.queue.Enqueue(asynq.NewTask("email:welcome", []byte("42")), asynq.Unique(time.Minute))
		if err == nil {
			return info.ID, nil
		}
		if !errors.Is(err, asynq.ErrDuplicateTask) {
			return "", err
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// go-zero's lock, which is polled for; what acquires it once more renews it.

type goZeroClient struct {
	lock *zero.RedisLock
}

func newGoZero() client {
	store := zero.MustNewRedis(zero.RedisConf{Host: addresses[0], Type: zero.NodeType})
	lock := zero.NewRedisLock(store, name)
	lock.SetExpire(options.Seconds)
	return &goZeroClient{lock}
}

func (c *goZeroClient) obey(order string) (string, error) {
	switch order {
	case "acquire", "renew":
		for {
			isHeld, err := c.lock.Acquire()
			if isHeld || err != nil || order == "renew" {
				return "", err
			}
			time.Sleep(50 * time.Millisecond)
		}
	case "release":
		wasHeld, err := c.lock.Release()
		if err == nil && !wasHeld {
			err = errors.New("Release returned false")
		}
		return "", err
	}
	return "", unknown(order)
}

var modes = map[string]struct {
	module string
	make   func() client
}{
	"redsync":     {"github.com/go-redsync/redsync/v4", newRedsync},
	"redislock":   {"github.com/bsm/redislock", newRedislock},
	"rueidislock": {"github.com/redis/rueidis", newRueidislock},
	"asynq":       {"github.com/hibiken/asynq", newAsynq},
	"go-zero":     {"github.com/zeromicro/go-zero", newGoZero},
}

func versionOf(module string) string {
	info, _ := debug.ReadBuildInfo()
	for _, dependency := range info.Deps {
		if dependency.Path == module {
			return strings.TrimPrefix(dependency.Version, "v")
		}
	}
	return ""
}

var output sync.Mutex

func say(message any) {
	output.Lock()
	defer output.Unlock()
	line, _ := json.Marshal(message)
	fmt.Println(string(line))
}

type order struct {
	ID     int    `json:"id"`
	Client string `json:"client"`
	Do     string `json:"do"`
}

// serve obeys the orders to one client, one after the other.
func serve(mode string, orders chan order) {
	var made client
	for order := range orders {
		if made == nil {
			made = modes[mode].make()
		}
		if order.Do == "open" {
			say(map[string]any{"id": order.ID, "done": map[string]string{}})
			continue
		}
		owner, err := made.obey(order.Do)
		if err != nil {
			say(map[string]any{"id": order.ID, "error": err.Error()})
			continue
		}
		done := map[string]string{}
		if owner != "" {
			done["owner"] = owner
		}
		say(map[string]any{"id": order.ID, "done": done})
	}
}

func main() {
	mode := os.Args[1]
	if err := json.Unmarshal([]byte(os.Args[2]), &options); err != nil {
		panic(err)
	}
	for _, port := range os.Args[3:] {
		addresses = append(addresses, "127.0.0.1:"+port)
	}
	module := modes[mode].module
	say(map[string]any{"ready": map[string]string{"library": module, "version": versionOf(module)}})
	clients := map[string]chan order{}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var next order
		if err := json.Unmarshal(lines.Bytes(), &next); err != nil {
			panic(err)
		}
		if clients[next.Client] == nil {
			clients[next.Client] = make(chan order, 16)
			go serve(mode, clients[next.Client])
		}
		clients[next.Client] <- next
	}
}
