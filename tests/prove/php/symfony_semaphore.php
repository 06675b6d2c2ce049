<?php
// Symfony's Semaphore over its RedisStore, with one place. Nobody waits: the adapter tries, every 0.1 s. The store reckons with the whole
// seconds of the client's own clock: a lease ends up to a second too early.

require __DIR__ . '/symfony.php';
require 'Symfony/Component/Semaphore/autoload.php';

use Symfony\Component\Semaphore\Exception\SemaphoreExpiredException;
use Symfony\Component\Semaphore\Semaphore;
use Symfony\Component\Semaphore\SemaphoreFactory;
use Symfony\Component\Semaphore\Store\RedisStore;

class SymfonySemaphore extends Symfony
{
    const NOT_HELD = SemaphoreExpiredException::class;

    private $semaphores;

    public function __construct()
    {
        $this->semaphores = new SemaphoreFactory(new RedisStore($this->redis()));
    }

    public function newLock(string $key): Semaphore
    {
        return $this->semaphores->createSemaphore($key, 1, 1, LEASE, false);
    }
}

serve(SymfonySemaphore::class);
