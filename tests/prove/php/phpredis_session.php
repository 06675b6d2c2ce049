<?php
// The lock of phpredis's sessions: acquire starts a session, release ends it. Whole seconds; it tries again every 0.1 s.
//
// The owner is named after machine and process. A process has one session at a time. It is not written: what is in it would lie beside
// the lock under the same name, for 24 minutes, and would be taken for a part of it.
//
// Options: notice=ignored  a program that goes by what session_start() returns, which is true without the lock as well

require __DIR__ . '/dialogue.php';

const TRY_AGAIN_MS = 100;

class PhpredisSession
{
    public function __construct()
    {
        foreach ([
            'session.save_handler' => 'redis', 'session.save_path' => 'tcp://' . HOST . ':' . PORT,
            'session.use_cookies' => 0, 'session.cache_limiter' => '', 'session.gc_probability' => 0,
            'redis.session.locking_enabled' => 1, 'redis.session.lock_expire' => LEASE_IN_SECONDS,
            'redis.session.lock_wait_time' => TRY_AGAIN_MS * 1000,
            'redis.session.lock_retries' => max(1, (int) (WAIT * 1000 / TRY_AGAIN_MS)),
        ] as $name => $value) {
            ini_set($name, (string) $value);
        }
    }

    public function newLock(string $key): string
    {
        return $key;
    }

    public function acquire(string $session): bool
    {
        session_id($session);
        error_clear_last();
        if (!session_start()) {
            throw new RuntimeException(error_get_last()['message']);
        }
        if (self::problem()) {
            session_abort();
            return false;
        }
        return true;
    }

    public function release(string $session): bool
    {
        if (session_status() !== PHP_SESSION_ACTIVE || session_id() !== $session) {
            return false;
        }
        error_clear_last();
        session_abort();
        if ($problem = self::problem()) {
            throw new RuntimeException($problem);
        }
        return true;
    }

    /** Only a notice tells that a session has no lock: it begins all the same, and its calls say true. */
    private static function problem(): string
    {
        return (OPTIONS['notice'] ?? '') === 'ignored' ? '' : error_get_last()['message'] ?? '';
    }

    /** The library has no way to forget a session: it ends. */
    public function forget(string $session): void
    {
        session_abort();
    }
}

serve(PhpredisSession::class);
