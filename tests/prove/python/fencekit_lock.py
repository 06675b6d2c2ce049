"""fencekit's DistributedLock, each grant of which has a fencing number. It tries again every 0.05 s.

Options: retries=N  how often a failed command is repeated: a client that is not made from an address does so 3 times
"""

import datetime

import redis
from fencekit import DistributedLock, LockNotAcquired, LockNotOwned
from redis.backoff import NoBackoff
from redis.retry import Retry

from dialogue import LEASE, OPTIONS, URL, WAIT, Grant, serve


class Fencekit:
    not_held = (LockNotAcquired, LockNotOwned)

    def __init__(self):
        retry = {"retry": Retry(NoBackoff(), int(OPTIONS["retries"]))} if "retries" in OPTIONS else {}
        client = redis.Redis.from_url(URL, decode_responses=True, **retry)
        client.ping()
        self._locks = DistributedLock(client)
        self._lease, self._wait = (datetime.timedelta(seconds=seconds) for seconds in (LEASE, WAIT))

    def new_lock(self, key: str):
        return {"key": key, "handle": None}

    def acquire(self, lock, _mode):
        lock["handle"] = self._locks.acquire(lock["key"], ttl=self._lease, blocking=self._wait.total_seconds() > 0, wait=self._wait)
        return Grant(lock["handle"].token.value)

    def release(self, lock):
        handle, lock["handle"] = lock["handle"], None
        if handle:
            self._locks.release(handle)
        return handle is not None

    def extend(self, lock):
        if lock["handle"]:
            self._locks.extend(lock["handle"], ttl=self._lease)
        return lock["handle"] is not None


serve(Fencekit)
