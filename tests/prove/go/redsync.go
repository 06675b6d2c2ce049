package main

import (
	"context"
	"errors"
	"time"

	"github.com/go-redsync/redsync/v4"
	syncredis "github.com/go-redsync/redsync/v4/redis"
	"github.com/go-redsync/redsync/v4/redis/goredis/v9"
	"github.com/redis/go-redis/v9"
)

// redsync, on as many servers as LOCKSCOPE_URLS names. It waits 50 to 250 ms between attempts; here always 100, so that a run
// can be repeated. Options: setnx=1  an extension sets a key that is missing
type redsyncLock struct{ mutex *redsync.Mutex }

const retryDelay = 100 * time.Millisecond

func newRedsync() lockMaker {
	var pools []syncredis.Pool
	for _, each := range urls {
		parsed, err := redis.ParseURL(each)
		fail(err)
		pools = append(pools, goredis.NewPool(redis.NewClient(parsed)))
	}
	settings := []redsync.Option{redsync.WithExpiry(lease), redsync.WithRetryDelay(retryDelay),
		redsync.WithTries(1 + int(wait/retryDelay))}
	if option("setnx") != "" {
		settings = append(settings, redsync.WithSetNXOnExtend())
	}
	manager := redsync.New(pools...)
	return func(key string, _ func()) Lock { return &redsyncLock{manager.NewMutex(key, settings...)} }
}

func (l *redsyncLock) Acquire(ctx context.Context) (bool, error) {
	return usual(true, l.mutex.LockContext(ctx))
}

func (l *redsyncLock) Release(ctx context.Context) (bool, error) {
	return usual(l.mutex.UnlockContext(ctx))
}

func (l *redsyncLock) Extend(ctx context.Context) (bool, error) {
	return usual(l.mutex.ExtendContext(ctx))
}

// usual tells the refusals of the library from everything else that may go wrong.
func usual(done bool, err error) (bool, error) {
	var taken *redsync.ErrTaken
	var nodeTaken *redsync.ErrNodeTaken
	isRefusal := errors.Is(err, redsync.ErrFailed) || errors.Is(err, redsync.ErrExtendFailed) ||
		errors.Is(err, redsync.ErrLockAlreadyExpired) || errors.As(err, &taken) || errors.As(err, &nodeTaken)
	if isRefusal {
		return false, nil
	}
	return done && err == nil, err
}

func main() { serve(newRedsync()) }
