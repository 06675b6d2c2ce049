<?php
// Laravel's funnel of one slot, as Redis::funnel() makes it: acquire enters its section. Whole seconds; it tries again every 0.25 s.

require __DIR__ . '/laravel.php';

use Illuminate\Contracts\Redis\LimiterTimeoutException;

class LaravelFunnel
{
    const NOT_HELD = LimiterTimeoutException::class;

    private $redis;

    public function __construct()
    {
        $this->redis = laravelRedis()->connection();
    }

    public function newLock(string $key): object
    {
        $funnel = $this->redis->funnel($key)->limit(1)->releaseAfter(LEASE_IN_SECONDS)->block(WAIT_IN_SECONDS);
        return (object) ['funnel' => $funnel, 'section' => new Section()];
    }

    public function acquire(object $lock): void
    {
        $lock->section->enter([$lock->funnel, 'then']);
    }

    /** The library says nothing about whether the lock was still there. */
    public function release(object $lock): bool
    {
        return $lock->section->leave();
    }

    public function forget(object $lock): void
    {
        $lock->section->forget();
    }
}

serve(LaravelFunnel::class);
