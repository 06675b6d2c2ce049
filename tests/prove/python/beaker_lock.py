"""Beaker's creation lock, whose lease is always 900 s. Its waiters cannot give up: the adapter tries, every 0.2 s as they do.

Its owner is named after machine, process and thread.
"""

from beaker.exceptions import LockError
from beaker.ext.redisnm import RedisNamespaceManager

from dialogue import URL, serve, try_until_wait_is_over


class Beaker:
    not_held = (LockError,)

    def __init__(self):
        self._namespace = RedisNamespaceManager("prices", URL)
        self._namespace.client.ping()

    def new_lock(self, key: str):
        return self._namespace.get_creation_lock(key)

    def acquire(self, lock, _mode):
        return try_until_wait_is_over(lambda: lock.acquire_write_lock(wait=False), pause=0.2)

    def release(self, lock):
        """The library says nothing about whether the lock was still there."""
        lock.release_write_lock()


serve(Beaker)
