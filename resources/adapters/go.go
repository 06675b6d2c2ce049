// An adapter for `lockscope-cli prove`, of redsync's Mutex. Put your own lock in place of it. Save it as main.go.
// Run it:  go mod init adapter && go mod tidy && go build -o adapter .
//          lockscope-cli prove --adapter ./adapter
// Try it:  LOCKSCOPE_URL=redis://127.0.0.1:6379/0 ./adapter     then type: acquire t0 demo
package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/go-redsync/redsync/v4"
	"github.com/go-redsync/redsync/v4/redis/goredis/v9"
	"github.com/redis/go-redis/v9"
)

func main() {
	server, err := redis.ParseURL(os.Getenv("LOCKSCOPE_URL"))
	if err != nil {
		server = &redis.Options{Addr: "127.0.0.1:6379"}
	}
	lease, _ := strconv.Atoi("0" + os.Getenv("LOCKSCOPE_LEASE_MS"))
	wait, _ := strconv.Atoi("0" + os.Getenv("LOCKSCOPE_WAIT_MS"))
	manager := redsync.New(goredis.NewPool(redis.NewClient(server)))
	locks := map[string]*redsync.Mutex{} // one lock object for each thread and key
	fmt.Println("ready acquire release extend reset")
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		words := strings.Fields(lines.Text())
		done, err, name := true, error(nil), strings.Join(words[1:], " ")
		if words[0] != "reset" && locks[name] == nil {
			locks[name] = manager.NewMutex(words[2], redsync.WithExpiry(time.Duration(max(lease, 100))*time.Millisecond),
				redsync.WithTries(1+wait/100), redsync.WithRetryDelay(100*time.Millisecond))
		}
		switch words[0] {
		case "acquire":
			done = locks[name].Lock() == nil // redsync tells every failure to take it in the same way
		case "release":
			done, err = locks[name].Unlock()
		case "extend":
			done, err = locks[name].Extend()
		case "reset":
			clear(locks)
		}
		fmt.Println(words[1], map[bool]string{true: "yes", false: "no"}[done && err == nil])
	}
}
