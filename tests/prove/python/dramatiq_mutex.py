"""dramatiq's ConcurrentRateLimiter with a limit of one, which its documentation calls a distributed mutex. Nobody waits.

It counts who is inside, and keeps no owner. A release sets the time to live of the count anew, as an acquire does.
"""

from dramatiq.rate_limits import ConcurrentRateLimiter
from dramatiq.rate_limits.backends import RedisBackend

from dialogue import LEASE, URL, serve


class Dramatiq:
    def __init__(self):
        self._backend = RedisBackend(url=URL)
        self._backend.client.ping()

    def new_lock(self, key: str):
        limiter = ConcurrentRateLimiter(self._backend, key, limit=1, ttl=int(LEASE * 1000))
        return {"limiter": limiter, "block": None}

    def acquire(self, lock, _mode):
        """Enters the with block; one that is not let in leaves it again, as its users do."""
        block = lock["limiter"].acquire(raise_on_failure=False)
        acquired = block.__enter__()
        if acquired:
            lock["block"] = block
        else:
            block.__exit__(None, None, None)
        return acquired

    def release(self, lock):
        """The library says nothing about whether the lock was still there."""
        block, lock["block"] = lock["block"], None
        if block:
            block.__exit__(None, None, None)
        return block is not None


serve(Dramatiq)
