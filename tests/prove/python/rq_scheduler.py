"""The locks of RQ's scheduler: one for each queue that it is configured with.

Every scheduler is configured with all keys as its queues. It would take whatever it can get: acquire lets it find only the one
that was named, as if the others were taken. Extend is its heartbeat, release its stop, and both concern the whole scheduler.
The lease is 60 s more than the scheduler's interval: LOCKSCOPE_LEASE_MS below 61000 means 61 s. Before 1.6 it is 5 s, and 5 s more
than the interval once it was renewed: below 61000 at most 6 s.
"""

import logging
import threading

import redis
from rq.scheduler import RQScheduler

from dialogue import LEASE_IN_SECONDS, URL, serve


logging.disable()  # versions before 1.6 cannot be told what to log


class RqScheduler:
    def __init__(self):
        self._client = redis.Redis.from_url(URL)
        self._client.ping()
        self._queues = []
        self._of_thread = threading.local()

    def use(self, keys: list) -> None:
        self._queues = keys
        self._of_thread = threading.local()

    def new_lock(self, key: str):
        """The scheduler of the calling thread, and the queue that is meant."""
        if not hasattr(self._of_thread, "scheduler"):
            self._of_thread.scheduler = RQScheduler(self._queues, connection=self._client, interval=max(1, LEASE_IN_SECONDS - 60))
        return self._of_thread.scheduler, key

    def acquire(self, lock, _mode):
        scheduler, queue = lock
        configured = scheduler._queue_names
        scheduler._queue_names = {queue}
        try:
            return queue in scheduler.acquire_locks()
        finally:
            scheduler._queue_names = configured

    def release(self, lock):
        scheduler, _ = lock
        if not scheduler.acquired_locks:  # RQ starts none that got nothing, and so stops none
            return False
        scheduler.stop()
        scheduler.acquired_locks.clear()  # its process ends then; before 1.6 it would go on to name its locks
        return True

    def extend(self, lock):
        scheduler, queue = lock
        scheduler.heartbeat()
        return queue in scheduler.acquired_locks

    def held(self, lock):
        scheduler, queue = lock
        return queue in scheduler.acquired_locks


serve(RqScheduler)
