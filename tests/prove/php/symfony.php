<?php
// What the adapters of Symfony's locks and semaphores share: both have the same calls.
//
// Options: client=predis  by Predis, not by phpredis

require __DIR__ . '/dialogue.php';

abstract class Symfony
{
    protected function redis(): object
    {
        return (OPTIONS['client'] ?? '') === 'predis' ? predis() : phpredis();
    }

    public function acquire(object $lock): bool
    {
        return tryUntilWaitIsOver([$lock, 'acquire']);
    }

    /** The library says nothing about whether the lock was still there; it has no lifetime before it was asked for. */
    public function release(object $lock): bool
    {
        $wasAskedFor = $lock->getRemainingLifetime() !== null;
        $lock->release();
        return $wasAskedFor;
    }

    public function extend(object $lock): void
    {
        $lock->refresh();
    }

    /** The library asks the server. */
    public function held(object $lock): bool
    {
        return $lock->isAcquired();
    }
}
