<?php
// Symfony's Lock over its RedisStore. Its waiters cannot give up: the adapter tries, every 0.1 s as they do.
//
// Options: initial=lease  the store takes a lock for its lease at once, and not for 300 s first as it does by itself
//          client=predis  by Predis, not by phpredis

require __DIR__ . '/dialogue.php';
require 'Symfony/Component/Lock/autoload.php';

use Symfony\Component\Lock\Exception\LockConflictedException;
use Symfony\Component\Lock\Key;
use Symfony\Component\Lock\Lock;
use Symfony\Component\Lock\LockFactory;
use Symfony\Component\Lock\Store\RedisStore;

class SymfonyLock
{
    const NOT_HELD = LockConflictedException::class;

    private $locks;

    public function __construct()
    {
        $redis = (OPTIONS['client'] ?? '') === 'predis' ? predis() : phpredis();
        $initial = (OPTIONS['initial'] ?? '') === 'lease' ? [LEASE] : [];
        $store = new RedisStore($redis, ...$initial);
        $store->exists(new Key('warm-up-' . PROCESS)); // it asks the server once what its scripts may do
        $this->locks = new LockFactory($store);
    }

    public function newLock(string $key): Lock
    {
        return $this->locks->createLock($key, LEASE, false);
    }

    public function acquire(Lock $lock): bool
    {
        return tryUntilWaitIsOver([$lock, 'acquire']);
    }

    public function read(Lock $lock): bool
    {
        return tryUntilWaitIsOver([$lock, 'acquireRead']);
    }

    /** The library says nothing about whether the lock was still there; it has no lifetime before it was asked for. */
    public function release(Lock $lock): bool
    {
        $wasAskedFor = $lock->getRemainingLifetime() !== null;
        $lock->release();
        return $wasAskedFor;
    }

    public function extend(Lock $lock): void
    {
        $lock->refresh();
    }

    /** The library asks the server. */
    public function held(Lock $lock): bool
    {
        return $lock->isAcquired();
    }
}

serve(SymfonyLock::class);
