"""python-redis-lock: renews by itself, and wakes waiters through a list. Whole seconds; at least 1.

Options: renew=no      without renewal             expire=none   a lock without expire, which its holders give back in time
         wait=forever  acquire() without timeout   retries=N     how often redis-py repeats a failed command
"""

import math

import redis
import redis_lock
from redis.backoff import NoBackoff
from redis.retry import Retry

from dialogue import LEASE_IN_SECONDS, OPTIONS, URL, WAIT, serve


class PythonRedisLock:
    not_held = (redis_lock.NotAcquired,)

    def __init__(self):
        retry = {"retry": Retry(NoBackoff(), int(OPTIONS["retries"]))} if "retries" in OPTIONS else {}
        self._client = redis.Redis.from_url(URL, socket_timeout=None, **retry)
        for script in (redis_lock.UNLOCK_SCRIPT, redis_lock.EXTEND_SCRIPT):
            self._client.script_load(script)
        self._expire = None if OPTIONS.get("expire") == "none" else LEASE_IN_SECONDS
        self._renews = self._expire is not None and OPTIONS.get("renew") != "no"
        if self._expire is not None and not self._renews:
            self.extend = lambda lock: lock.extend()  # what renews itself is not renewed by hand

    def new_lock(self, key: str):
        return redis_lock.Lock(self._client, key, expire=self._expire, auto_renewal=self._renews)

    def acquire(self, lock, _mode):
        if OPTIONS.get("wait") == "forever":
            return lock.acquire()
        return lock.acquire(timeout=self._timeout()) if WAIT else lock.acquire(blocking=False)

    def _timeout(self) -> int:
        """Without renewal the library refuses to wait for longer than the lease."""
        wanted = math.ceil(WAIT)
        return wanted if self._renews or self._expire is None else min(wanted, self._expire)

    def release(self, lock):
        lock.release()

    def forget(self, lock):
        lock._stop_lock_renewer()


serve(PythonRedisLock)
