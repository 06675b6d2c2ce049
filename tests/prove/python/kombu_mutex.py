"""kombu's Mutex around the restoring of unacknowledged messages, which is redis-py's lock since 4.6.9. Nobody waits: it raises when it is taken."""

import older_vine  # noqa: F401
import redis
from kombu.transport.redis import Mutex, MutexHeld
from redis.lock import Lock

from dialogue import LEASE_IN_SECONDS, URL, serve


class Kombu:
    not_held = (MutexHeld,)

    def __init__(self):
        self._client = redis.Redis.from_url(URL)
        self._client.script_load(Lock.LUA_RELEASE_SCRIPT)
        self._forgotten = []

    def new_lock(self, key: str):
        return {"key": key, "entered": None}

    def acquire(self, lock, _mode):
        entered = Mutex(self._client, lock["key"], LEASE_IN_SECONDS)
        entered.__enter__()
        lock["entered"] = entered

    def release(self, lock):
        """The library says nothing about whether the lock was still there."""
        entered, lock["entered"] = lock["entered"], None
        if entered:
            entered.__exit__(None, None, None)
        return entered is not None

    def forget(self, lock):
        """A context that is thrown away would release its lock."""
        self._forgotten.append(lock)


serve(Kombu)
