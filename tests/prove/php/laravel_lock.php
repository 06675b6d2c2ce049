<?php
// Laravel's cache lock, as Cache::lock() makes it. Whole seconds; it tries again every 0.25 s.
//
// Options: client=predis  by Predis, not by phpredis

require __DIR__ . '/dialogue.php';
require 'Illuminate/Cache/autoload.php';
require 'Illuminate/Redis/autoload.php';

use Illuminate\Cache\RedisLock;
use Illuminate\Cache\RedisStore;
use Illuminate\Contracts\Cache\LockTimeoutException;
use Illuminate\Redis\RedisManager;

class LaravelLock
{
    const NOT_HELD = LockTimeoutException::class;

    private $store;

    public function __construct()
    {
        $server = ['host' => HOST, 'port' => PORT, 'database' => 0];
        $this->store = new RedisStore(new RedisManager(null, OPTIONS['client'] ?? 'phpredis', ['default' => $server]));
        $this->store->lockConnection()->ping();
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
