// Writes keys that are no locks by real libraries: PORT COUNT SEED. Prints a pattern of the keys of each group.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"time"

	"github.com/go-redis/cache/v9"
	"github.com/go-redis/redis_rate/v10"
	"github.com/google/uuid"
	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"
	"github.com/ulule/limiter/v3"
	limits "github.com/ulule/limiter/v3/drivers/store/redis"
)

type profile struct {
	Owner string
	Role  string
}

func must(problem error) {
	if problem != nil {
		fmt.Fprintln(os.Stderr, problem)
		os.Exit(1)
	}
}

func number(word string) int {
	value, problem := strconv.Atoi(word)
	must(problem)
	return value
}

func caches(ctx context.Context, client *redis.Client, draw *rand.Rand, count int) {
	entries := cache.New(&cache.Options{Redis: client})
	for i := 0; i < count; i++ {
		set := func(key string, value any) {
			must(entries.Set(&cache.Item{Ctx: ctx, Key: key, Value: value, TTL: time.Hour}))
		}
		set(fmt.Sprintf("profile:%d", i), profile{"ada", "admin"})
		set(fmt.Sprintf("session:%d", i), uuid.NewString())
		set(fmt.Sprintf("account:%d:locked", i), true)
		set(fmt.Sprintf("lease:%d:tenant", i), uuid.NewString())
		must(client.HSet(ctx, fmt.Sprintf("cart:%d", i), uuid.NewString(), 1+draw.Intn(9)).Err())
		must(client.Expire(ctx, fmt.Sprintf("cart:%d", i), time.Hour).Err())
		must(client.Set(ctx, fmt.Sprintf("reset:%d", i), uuid.NewString(), time.Hour).Err())
	}
}

func rates(ctx context.Context, client *redis.Client, count int) {
	rate := redis_rate.NewLimiter(client)
	store, problem := limits.NewStoreWithOptions(client, limiter.StoreOptions{Prefix: "limiter"})
	must(problem)
	window := limiter.New(store, limiter.Rate{Period: time.Hour, Limit: 100})
	for i := 0; i < count; i++ {
		_, problem = rate.Allow(ctx, fmt.Sprintf("login:%d", i), redis_rate.PerHour(10))
		must(problem)
		request := httptest.NewRequest(http.MethodGet, "/", nil)
		_, problem = window.Get(request.Context(), fmt.Sprintf("10.0.%d.%d", i/250, i%250))
		must(problem)
	}
}

func tasks(port, count int) {
	client := asynq.NewClient(asynq.RedisClientOpt{Addr: fmt.Sprintf("127.0.0.1:%d", port)})
	defer client.Close()
	for i := 0; i < count; i++ {
		_, problem := client.Enqueue(asynq.NewTask("mail", []byte(uuid.NewString())))
		must(problem)
		_, problem = client.Enqueue(asynq.NewTask("report", nil), asynq.ProcessIn(time.Hour), asynq.Queue("later"))
		must(problem)
	}
}

func main() {
	port, count := number(os.Args[1]), number(os.Args[2])
	draw := rand.New(rand.NewSource(int64(number(os.Args[3]))))
	uuid.SetRand(draw)
	ctx := context.Background()
	client := redis.NewClient(&redis.Options{Addr: fmt.Sprintf("127.0.0.1:%d", port)})
	caches(ctx, client, draw, count)
	rates(ctx, client, count)
	tasks(port, count)
	must(json.NewEncoder(os.Stdout).Encode(map[string]string{
		"go-redis/cache, profile": `profile:\d+`, "go-redis/cache, session": `session:\d+`,
		"go-redis/cache, account locked": `account:\d+:locked`, "go-redis/cache, lease": `lease:\d+:tenant`,
		"go-redis, cart": `cart:\d+`, "go-redis, reset": `reset:\d+`, "redis_rate": `rate:login:.*`,
		"ulule/limiter": `limiter:.*`, "asynq": `asynq.*`,
	}))
}
