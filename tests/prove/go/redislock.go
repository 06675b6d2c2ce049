package main

import (
	"context"
	"errors"
	"time"

	"github.com/bsm/redislock"
	"github.com/redis/go-redis/v9"
)

// bsm/redislock; it tries again every 100 ms.
type redislockLock struct {
	client *redislock.Client
	key    string
	lock   *redislock.Lock
}

func newRedislock() lockMaker {
	parsed, err := redis.ParseURL(url)
	fail(err)
	client := redislock.New(redis.NewClient(parsed))
	return func(key string, _ func()) Lock { return &redislockLock{client: client, key: key} }
}

func (l *redislockLock) Acquire(ctx context.Context) (bool, error) {
	const delay = 100 * time.Millisecond
	attempts := redislock.LimitRetry(redislock.LinearBackoff(delay), int(wait/delay))
	lock, err := l.client.Obtain(ctx, l.key, lease, &redislock.Options{RetryStrategy: attempts})
	if errors.Is(err, redislock.ErrNotObtained) {
		return false, nil
	}
	l.lock = lock
	return err == nil, err
}

func (l *redislockLock) Release(ctx context.Context) (bool, error) {
	if l.lock == nil {
		return false, nil
	}
	err := l.lock.Release(ctx)
	if errors.Is(err, redislock.ErrLockNotHeld) {
		return false, nil
	}
	return err == nil, err
}

func (l *redislockLock) Extend(ctx context.Context) (bool, error) {
	if l.lock == nil {
		return false, nil
	}
	err := l.lock.Refresh(ctx, lease, nil)
	if errors.Is(err, redislock.ErrNotObtained) {
		return false, nil
	}
	return err == nil, err
}

func main() { serve(newRedislock()) }
