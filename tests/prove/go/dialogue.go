// What every Go adapter shares: it reads words, has the named goroutine do them, and prints the answers.
// docs/adapters.md tells the protocol.
package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// lockMaker makes lock objects; what they call when their library says that the lock is lost is lost.
type lockMaker func(key string, lost func()) Lock

// Lock is the lock object of one thread and key. False is the answer no.
type Lock interface {
	Acquire(ctx context.Context) (bool, error)
	Release(ctx context.Context) (bool, error)
}

// What only some libraries have.
type (
	extender interface {
		Extend(ctx context.Context) (bool, error)
	}
	holder interface{ Held() bool }
	// forgetter stops what its library goes on to do for a lock that nobody will give back.
	forgetter interface{ Forget() }
)

var (
	lease   = milliseconds("LOCKSCOPE_LEASE_MS", 3000)
	wait    = milliseconds("LOCKSCOPE_WAIT_MS", 1000)
	url     = setting("LOCKSCOPE_URL", "redis://127.0.0.1:6379/0")
	urls    = strings.Split(setting("LOCKSCOPE_URLS", url), ",")
	process = setting("LOCKSCOPE_PROCESS", "A")
	options = strings.Fields(os.Getenv("LOCKSCOPE_ADAPTER_OPTIONS"))
	answers = os.Stdout
	writing sync.Mutex
)

func setting(name, otherwise string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return otherwise
}

func milliseconds(name string, otherwise int) time.Duration {
	value, err := strconv.Atoi(setting(name, strconv.Itoa(otherwise)))
	if err != nil {
		value = otherwise
	}
	return time.Duration(value) * time.Millisecond
}

// option is the value of NAME=VALUE in LOCKSCOPE_ADAPTER_OPTIONS.
func option(name string) string {
	for _, word := range options {
		if value, found := strings.CutPrefix(word, name+"="); found {
			return value
		}
	}
	return ""
}

func say(line string) {
	writing.Lock()
	defer writing.Unlock()
	fmt.Fprintln(answers, line)
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// round is what lives between two resets.
type round struct {
	newLock lockMaker
	callers map[string]*caller
	mutex   sync.Mutex
	ended   bool
}

func (r *round) caller(thread string) *caller {
	if r.callers[thread] == nil {
		r.callers[thread] = &caller{thread: thread, round: r, locks: map[string]Lock{}, orders: make(chan []string, 64)}
		go r.callers[thread].work()
	}
	return r.callers[thread]
}

func (r *round) end() {
	r.mutex.Lock()
	r.ended = true
	r.mutex.Unlock()
	for _, each := range r.callers {
		close(each.orders)
	}
}

func (r *round) say(line string) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if !r.ended {
		say(line)
	}
}

// caller is a goroutine that does what it is told, in order. Its running call can be cancelled.
type caller struct {
	thread string
	round  *round
	locks  map[string]Lock
	orders chan []string
	mutex  sync.Mutex
	cancel context.CancelFunc
}

func (c *caller) work() {
	for words := range c.orders {
		ctx, cancel := context.WithCancel(context.Background())
		c.setCancel(cancel)
		done, err := c.obey(ctx, words)
		c.setCancel(nil)
		cancel()
		c.round.say(c.thread + " " + outcome(done, err))
	}
	for _, lock := range c.locks {
		if known, can := lock.(forgetter); can {
			known.Forget()
		}
	}
}

func (c *caller) setCancel(cancel context.CancelFunc) {
	c.mutex.Lock()
	c.cancel = cancel
	c.mutex.Unlock()
}

func (c *caller) cancelCall() {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.cancel != nil {
		c.cancel()
	}
}

func (c *caller) obey(ctx context.Context, words []string) (bool, error) {
	lock := c.lock(words[1])
	switch words[0] {
	case "acquire":
		return lock.Acquire(ctx)
	case "release":
		return lock.Release(ctx)
	case "extend":
		if known, can := lock.(extender); can {
			return known.Extend(ctx)
		}
	case "held":
		if known, can := lock.(holder); can {
			return known.Held(), nil
		}
	}
	return false, fmt.Errorf("unknown word %s", words[0])
}

func (c *caller) lock(key string) Lock {
	if c.locks[key] == nil {
		c.locks[key] = c.round.newLock(key, func() { c.round.say("lost " + c.thread + " " + key) })
	}
	return c.locks[key]
}

func outcome(done bool, err error) string {
	switch {
	case err != nil:
		return "error " + strings.Join(strings.Fields(err.Error()), " ")
	case done:
		return "yes"
	}
	return "no"
}

func wordsOf(lock Lock) string {
	words := []string{"ready", "acquire", "release"}
	if _, can := lock.(extender); can {
		words = append(words, "extend")
	}
	if _, can := lock.(holder); can {
		words = append(words, "held")
	}
	also := strings.ReplaceAll(option("also"), ",", " ") // what else to say of the library: threads, reentrant, fair
	return strings.TrimSpace(strings.Join(words, " ") + " cancel reset " + also)
}

// serve runs each script once, so that its first run takes as many messages as every other, and then does what it is told.
func serve(newLock lockMaker) {
	os.Stdout = os.Stderr // whatever a library prints there
	first := newLock("warm-up-"+process, func() {})
	warmUp(first)
	now := &round{newLock: newLock, callers: map[string]*caller{}}
	say(wordsOf(first))
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		switch {
		case len(words) < 2:
		case words[0] == "reset":
			now.end()
			now = &round{newLock: newLock, callers: map[string]*caller{}}
			say(words[1] + " yes")
		case words[0] == "cancel":
			now.caller(words[1]).cancelCall()
		case len(words) > 2:
			now.caller(words[1]).orders <- []string{words[0], words[2]}
		}
	}
}

func warmUp(lock Lock) {
	calls := []func(context.Context) (bool, error){lock.Acquire, lock.Release}
	if known, can := lock.(extender); can {
		calls = slices.Insert(calls, 1, known.Extend)
	}
	for _, call := range calls {
		_, err := call(context.Background())
		fail(err)
	}
}
