"""The RedLock of the package redlock, on as many servers as LOCKSCOPE_URLS names. It tries again after up to 0.2 s, and sleeps once more at last."""

import redis
from redlock import RedLockFactory

from dialogue import LEASE, URLS, WAIT, serve

RETRY_DELAY = 200


class RedlockPython:
    def __init__(self):
        self._factory = RedLockFactory([redis.Redis.from_url(url) for url in URLS])
        for node in self._factory.redis_nodes:
            node.script_load(node._release_script.script)

    def new_lock(self, key: str):
        lock = self._factory.create_lock(key, ttl=int(LEASE * 1000), retry_times=1 + int(WAIT * 1000 / RETRY_DELAY), retry_delay=RETRY_DELAY)
        return {"held": False, "lock": lock}

    def acquire(self, lock, _mode):
        lock["held"] = lock["lock"].acquire()
        return lock["held"]

    def release(self, lock):
        """The library says nothing about whether the lock was still there."""
        held, lock["held"] = lock["held"], False
        if held:
            lock["lock"].release()
        return held


serve(RedlockPython)
