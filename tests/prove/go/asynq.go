package main

import (
	"context"
	"errors"
	"time"

	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"
)

// The unique tasks of asynq: acquire queues one, which is refused while another of its kind is queued or runs; release has the inspector
// delete it from the queue, because nothing here processes tasks. Nobody waits in the library: it is asked again every 100 ms. The lease
// is whole seconds. The name of the lock is the type of the task, and so is in the key. Each lock has a client of its own on the same
// connections: a client says only once that there is a queue, and the inspector finds none in a server that was emptied since.
type asynqLock struct {
	client    *asynq.Client
	inspector *asynq.Inspector
	key       string
	queued    *asynq.TaskInfo
}

func newAsynq() lockMaker {
	parsed, err := redis.ParseURL(url)
	fail(err)
	connection := redis.NewClient(parsed)
	inspector := asynq.NewInspectorFromRedisClient(connection)
	return func(key string, _ func()) Lock {
		return &asynqLock{client: asynq.NewClientFromRedisClient(connection), inspector: inspector, key: key}
	}
}

func (l *asynqLock) Acquire(ctx context.Context) (bool, error) {
	for end := time.Now().Add(wait); ; time.Sleep(100 * time.Millisecond) {
		queued, err := l.client.EnqueueContext(ctx, asynq.NewTask(l.key, nil), asynq.Unique(lease))
		l.queued = queued
		if err == nil {
			return true, nil
		}
		if !errors.Is(err, asynq.ErrDuplicateTask) {
			return false, err
		}
		if time.Now().After(end) {
			return false, nil
		}
	}
}

func (l *asynqLock) Release(context.Context) (bool, error) {
	if l.queued == nil {
		return false, nil
	}
	err := l.inspector.DeleteTask(l.queued.Queue, l.queued.ID)
	if errors.Is(err, asynq.ErrTaskNotFound) {
		return false, nil
	}
	return err == nil, err
}

func main() { serve(newAsynq()) }
