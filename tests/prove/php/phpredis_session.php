<?php
// The lock of phpredis's sessions: acquire starts a session, release writes and closes it. Whole seconds; it tries again every 0.1 s.
//
// The owner is named after machine and process. A process has one session at a time.

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

    /** A session that was refused its lock is there all the same, and is not written: only a notice tells of it. */
    public function acquire(string $session): bool
    {
        session_id($session);
        error_clear_last();
        session_start();
        if (error_get_last() !== null) {
            session_abort();
            return false;
        }
        $_SESSION['visits'] = ($_SESSION['visits'] ?? 0) + 1; // what did not change would not be written
        return true;
    }

    public function release(string $session): bool
    {
        if (session_status() !== PHP_SESSION_ACTIVE || session_id() !== $session) {
            return false;
        }
        error_clear_last();
        session_write_close();
        if ($problem = error_get_last()) {
            throw new RuntimeException($problem['message']);
        }
        return true;
    }

    /** The library has no way to forget a session: it ends. */
    public function forget(string $session): void
    {
        session_abort();
    }
}

serve(PhpredisSession::class);
