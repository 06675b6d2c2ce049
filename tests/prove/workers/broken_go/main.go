// A worker in Go: broken on purpose. It asks with GET whether the key is its own and deletes with DEL; between the two the lease may
// end and another may own the key. An adapter of docs/adapters.md: go build -o worker . && lockscope-cli prove --adapter ./worker
package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

var background = context.Background()

type worker struct {
	client *redis.Client
	lease  time.Duration
	wait   time.Duration
}

func (w worker) acquire(key, owner string) (bool, error) {
	for deadline := time.Now().Add(w.wait); ; time.Sleep(100 * time.Millisecond) {
		done, err := w.client.SetNX(background, key, owner, w.lease).Result()
		if done || err != nil || time.Now().After(deadline) {
			return done, err
		}
	}
}

func (w worker) release(key, owner string) (bool, error) {
	value, err := w.client.Get(background, key).Result()
	if err == redis.Nil || (err == nil && value != owner) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	deleted, err := w.client.Del(background, key).Result()
	return deleted == 1, err
}

func (w worker) obey(words []string) (bool, error) {
	if words[0] == "reset" {
		return true, nil
	}
	key, owner := words[2], fmt.Sprint(os.Getenv("LOCKSCOPE_PROCESS"), os.Getpid(), words[1])
	if words[0] == "acquire" {
		return w.acquire(key, owner)
	}
	return w.release(key, owner)
}

func milliseconds(name string) time.Duration {
	value, _ := strconv.Atoi(os.Getenv(name))
	return time.Duration(value) * time.Millisecond
}

func main() {
	options, err := redis.ParseURL(os.Getenv("LOCKSCOPE_URL"))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	w := worker{redis.NewClient(options), milliseconds("LOCKSCOPE_LEASE_MS"), milliseconds("LOCKSCOPE_WAIT_MS")}
	fmt.Println("ready acquire release reset")
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		words := strings.Fields(lines.Text())
		done, err := w.obey(words)
		switch {
		case err != nil:
			fmt.Println(words[1], "error", err)
		case done:
			fmt.Println(words[1], "yes")
		default:
			fmt.Println(words[1], "no")
		}
	}
}
