"""Beaker's creation lock, whose lease is always 900 s. Its waiters cannot give up: the adapter tries, every 0.2 s as they do.

Its owner is named after machine, process and thread.
"""

import time

from beaker.exceptions import LockError
from beaker.ext.redisnm import RedisNamespaceManager

from dialogue import URL, WAIT, serve


class Beaker:
    not_held = (LockError,)

    def __init__(self):
        self._namespace = RedisNamespaceManager("prices", URL)
        self._namespace.client.ping()

    def new_lock(self, key: str):
        return self._namespace.get_creation_lock(key)

    def acquire(self, lock, _mode):
        end = time.monotonic() + WAIT
        while not (acquired := lock.acquire_write_lock(wait=False)) and time.monotonic() < end:
            time.sleep(0.2)
        return acquired

    def release(self, lock):
        """The library says nothing about whether the lock was still there."""
        lock.release_write_lock()


serve(Beaker)
