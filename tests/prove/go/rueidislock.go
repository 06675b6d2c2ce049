package main

import (
	"context"
	"time"

	"github.com/redis/rueidis"
	"github.com/redis/rueidis/rueidislock"
)

// rueidislock with one key and NOLOOP, as its guide has it for one server of this version; it renews the key every half of a lease. Who
// has the lock has a context, which ends with it; to cancel that is the release, which waits for the server and says nothing of what it
// heard. A deadline of the context that the library is given would be the lock's, too, so that only a cancellation ends the waiting.
// Options: tracking=no  who waits asks every 100 ms; otherwise the server tells it, by client side caching
type rueidislockLock struct {
	locker       rueidislock.Locker
	key          string
	held         context.Context
	lost, cancel func()
	hush         func() bool
}

const attempt = 100 * time.Millisecond // which a key may take, and which a short wait has to leave

func newRueidislock() lockMaker {
	settings, err := rueidis.ParseURL(url)
	fail(err)
	settings.DisableCache = option("tracking") == "no"
	locker, err := rueidislock.NewLocker(rueidislock.LockerOption{ClientOption: settings, KeyValidity: lease,
		TryNextAfter: attempt, KeyMajority: 1, NoLoopTracking: true})
	fail(err)
	return func(key string, lost func()) Lock {
		return &rueidislockLock{locker: locker, key: key, lost: lost, cancel: func() {}}
	}
}

func (l *rueidislockLock) Acquire(ctx context.Context) (bool, error) {
	waiting, giveUp := context.WithCancel(context.Background())
	isTimely, isWanted := time.AfterFunc(wait+attempt, giveUp).Stop, context.AfterFunc(ctx, giveUp)
	held, cancel, err := l.locker.WithContext(waiting, l.key)
	if !isTimely() || !isWanted() || err != nil {
		giveUp()
		return false, ctx.Err()
	}
	l.held, l.cancel, l.hush = held, cancel, context.AfterFunc(held, l.lost)
	return true, nil
}

func (l *rueidislockLock) Release(context.Context) (bool, error) {
	isHeld := l.Held() && l.hush()
	l.cancel()
	return isHeld, nil
}

func (l *rueidislockLock) Held() bool { return l.held != nil && l.held.Err() == nil }

func (l *rueidislockLock) Forget() { l.cancel() }

func main() { serve(newRueidislock()) }
