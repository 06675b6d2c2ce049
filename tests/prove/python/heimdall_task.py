"""The unique tasks of celery-heimdall: acquire queues a task, which is refused while one of the same key is queued or runs; release is its end.

Nothing runs the tasks. The lease is whole seconds; it keeps no owner, and tries again every 0.1 s.
"""

import celery
import redis
from celery_heimdall import AlreadyQueuedError, HeimdallTask

from dialogue import LEASE_IN_SECONDS, URL, WAIT, serve

UNIQUE = {"unique": True, "key": lambda args, _more: args[0], "unique_timeout": LEASE_IN_SECONDS, "unique_raises": True,
          "unique_lock_blocking": WAIT > 0, "unique_lock_timeout": WAIT}


class Unique(HeimdallTask):
    def setup_redis(self):
        return redis.Redis.from_url(URL)


class Heimdall:
    not_held = (AlreadyQueuedError,)

    def __init__(self):
        application = celery.Celery("shop", broker="memory://")
        self._task = application.task(self._report, base=Unique, name="report", heimdall=UNIQUE)
        self._task.heimdall_redis.ping()

    @staticmethod
    def _report(_key):
        """What the task would do."""

    def new_lock(self, key: str):
        return {"key": key, "queued": None}

    def acquire(self, lock, _mode):
        lock["queued"] = self._task.apply_async((lock["key"],))

    def release(self, lock):
        """What Celery calls after a task; the library says nothing about whether the lock was still there."""
        queued, lock["queued"] = lock["queued"], None
        if queued:
            self._task.after_return("SUCCESS", None, queued.id, (lock["key"],), {}, None)
        return queued is not None


serve(Heimdall)
