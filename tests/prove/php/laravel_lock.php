<?php
// Laravel's cache lock, as Cache::lock() makes it. Whole seconds; it tries again every 0.25 s.

require __DIR__ . '/laravel.php';

use Illuminate\Cache\RedisLock;
use Illuminate\Cache\RedisStore;
use Illuminate\Contracts\Cache\LockTimeoutException;

class LaravelLock
{
    const NOT_HELD = LockTimeoutException::class;

    private $store;

    public function __construct()
    {
        $this->store = new RedisStore(laravelRedis());
    }

    public function newLock(string $key): RedisLock
    {
        return $this->store->lock($key, LEASE_IN_SECONDS);
    }

    public function acquire(RedisLock $lock): void
    {
        $lock->block(WAIT_IN_SECONDS);
    }

    public function release(RedisLock $lock): bool
    {
        return $lock->release();
    }
}

serve(LaravelLock::class);
