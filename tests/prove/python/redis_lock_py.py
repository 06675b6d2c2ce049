"""redis-lock-py's RedisLock, whose waiters sleep until a message arrives. Its lease is whole seconds."""

import redis
from redis_lock import RedisLock
from redis_lock.exceptions import LockNotOwnedError

from dialogue import LEASE_IN_SECONDS, URL, WAIT, serve


class RedisLockPy:
    not_held = (LockNotOwnedError,)

    def __init__(self):
        self._client = redis.Redis.from_url(URL)
        self._client.script_load(RedisLock.LUA_RELEASE)

    def new_lock(self, key: str):
        return RedisLock(self._client, key, blocking_timeout=WAIT or 0.001, expire_timeout=LEASE_IN_SECONDS)

    def acquire(self, lock, _mode):
        return lock.acquire()

    def release(self, lock):
        return lock.release()


serve(RedisLockPy)
