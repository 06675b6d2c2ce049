"""redlock-py, on as many servers as LOCKSCOPE_URLS names. It tries again every 0.2 s, and sleeps once more before it gives up."""

import redis
from redlock import Redlock

from dialogue import LEASE, URLS, WAIT, serve

RETRY_DELAY = 0.2


class RedlockPy:
    def __init__(self):
        servers = [redis.Redis.from_url(url) for url in URLS]
        for server in servers:
            server.ping()
        self._manager = Redlock(servers, retry_count=1 + int(WAIT / RETRY_DELAY), retry_delay=RETRY_DELAY)

    def new_lock(self, key: str):
        return {"key": key, "lock": None}

    def acquire(self, lock, _mode):
        lock["lock"] = self._manager.lock(lock["key"], int(LEASE * 1000)) or None
        return lock["lock"] is not None

    def release(self, lock):
        """The library says nothing about whether the lock was still there."""
        held, lock["lock"] = lock["lock"], None
        if held:
            self._manager.unlock(held)
        return held is not None


serve(RedlockPy)
