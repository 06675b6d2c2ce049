<?php
// Symfony's Lock over its RedisStore. Its waiters cannot give up: the adapter tries, every 0.1 s as they do.
//
// Options: initial=lease  the store takes a lock for its lease at once, and not for 300 s first as it does by itself

require __DIR__ . '/symfony.php';
require 'Symfony/Component/Lock/autoload.php';

use Symfony\Component\Lock\Exception\LockConflictedException;
use Symfony\Component\Lock\Key;
use Symfony\Component\Lock\Lock;
use Symfony\Component\Lock\LockFactory;
use Symfony\Component\Lock\Store\RedisStore;

class SymfonyLock extends Symfony
{
    const NOT_HELD = LockConflictedException::class;

    private $locks;

    public function __construct()
    {
        $initial = (OPTIONS['initial'] ?? '') === 'lease' ? [LEASE] : [];
        $store = new RedisStore($this->redis(), ...$initial);
        $store->exists(new Key('warm-up-' . PROCESS)); // it asks the server once what its scripts may do
        $this->locks = new LockFactory($store);
    }

    public function newLock(string $key): Lock
    {
        return $this->locks->createLock($key, LEASE, false);
    }

    public function read(Lock $lock): bool
    {
        return tryUntilWaitIsOver([$lock, 'acquireRead']);
    }
}

serve(SymfonyLock::class);
