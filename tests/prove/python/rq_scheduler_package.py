"""The lock of the package rq-scheduler, by which one scheduler at a time enqueues what is due. Nobody waits, and it keeps no owner.

The library has one lock for all; here each key is one. Its lease is 10 s more than the scheduler's interval: LOCKSCOPE_LEASE_MS
below 11000 means 11 s.
"""

import sys

import redis

from dialogue import LEASE_IN_SECONDS, URL, serve

del sys.path[0]  # an adapter beside this one is called like the library
from rq_scheduler import Scheduler  # noqa: E402


class RqSchedulerPackage:
    def __init__(self):
        self._client = redis.Redis.from_url(URL)
        self._client.ping()

    def new_lock(self, key: str):
        scheduler = Scheduler(connection=self._client, interval=max(1, LEASE_IN_SECONDS - 10))
        scheduler.scheduler_lock_key = f"{Scheduler.scheduler_lock_key}:{key}"
        return scheduler

    def acquire(self, scheduler, _mode):
        return bool(scheduler.acquire_lock())

    def release(self, scheduler):
        """The library says nothing about whether the lock was still there."""
        held = bool(scheduler._lock_acquired)
        scheduler.remove_lock()
        return held


serve(RqSchedulerPackage)
