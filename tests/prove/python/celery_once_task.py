"""The lock of celery_once, by which a task is queued once until it has run. It raises at once when it is taken: nobody waits.

It keeps no owner: the worker that has run the task deletes the key. Whole seconds.
"""

import older_vine  # noqa: F401
from dialogue import LEASE_IN_SECONDS, URL, serve

from celery_once.backends.redis import Redis
from celery_once.tasks import AlreadyQueued


class CeleryOnce:
    not_held = (AlreadyQueued,)

    def __init__(self):
        self._backend = Redis({"url": URL})
        self._backend.redis.ping()

    def new_lock(self, key: str):
        return {"key": key, "queued": False}

    def acquire(self, task, _mode):
        task["queued"] = False
        self._backend.raise_or_lock(task["key"], timeout=LEASE_IN_SECONDS)
        task["queued"] = True

    def release(self, task):
        """after_return() of the task that was queued."""
        queued, task["queued"] = task["queued"], False
        return queued and self._backend.clear_lock(task["key"])

serve(CeleryOnce)
