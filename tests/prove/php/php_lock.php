<?php
// php-lock's mutex over phpredis: acquire enters its section, in a fiber that is suspended until release. Its lease is a second longer
// than the whole seconds for which the section may last.
//
// Options: client=predis  by Predis, not by phpredis

require __DIR__ . '/dialogue.php';
require 'Malkusch/Lock/autoload.php';

use malkusch\lock\exception\ExecutionOutsideLockException;
use malkusch\lock\exception\TimeoutException;
use malkusch\lock\mutex\PHPRedisMutex;
use malkusch\lock\mutex\PredisMutex;
use malkusch\lock\mutex\SpinlockMutex;
use malkusch\lock\util\Loop;

class PhpLock
{
    const NOT_HELD = TimeoutException::class;

    private $redis;
    private $mutexClass;

    public function __construct()
    {
        [$this->mutexClass, $this->redis] = (OPTIONS['client'] ?? '') === 'predis'
            ? [PredisMutex::class, predis()] : [PHPRedisMutex::class, phpredis()];
    }

    public function newLock(string $key): object
    {
        $mutex = new $this->mutexClass([$this->redis], $key, max(1, LEASE_IN_SECONDS - 1));
        // The library would wait for as long as a section may last.
        (new ReflectionProperty(SpinlockMutex::class, 'loop'))->setValue($mutex, new Loop(WAIT_IN_SECONDS));
        return (object) ['mutex' => $mutex, 'section' => new Section()];
    }

    public function acquire(object $lock): void
    {
        $lock->section->enter([$lock->mutex, 'synchronized']);
    }

    /** The end of a section that took too long is told by an error: whoever comes next may be there already. */
    public function release(object $lock): bool
    {
        try {
            return $lock->section->leave();
        } catch (ExecutionOutsideLockException) {
            return false;
        }
    }

    public function forget(object $lock): void
    {
        $lock->section->forget();
    }
}

serve(PhpLock::class);
