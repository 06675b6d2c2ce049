"""The Semaphore of the Python package redis-semaphore, with one place. Its waiters sleep at a list.

It has no lease: whoever acquires takes back places that were taken longer ago than a stale holder's time, which is the lease here.
"""

import redis
from redis_semaphore import NotAvailable, Semaphore

from dialogue import LEASE, URL, WAIT, serve


class RedisSemaphore:
    not_held = (NotAvailable,)

    def __init__(self):
        self._client = redis.Redis.from_url(URL, socket_timeout=None)
        self._client.ping()

    def new_lock(self, key: str):
        return Semaphore(self._client, count=1, namespace=key, stale_client_timeout=LEASE, blocking=WAIT > 0)

    def acquire(self, lock, _mode):
        return lock.acquire(timeout=WAIT) is not None

    def release(self, lock):
        return lock.release() is not False

    def held(self, lock):
        """The library asks the server."""
        return lock.has_lock()


serve(RedisSemaphore)
