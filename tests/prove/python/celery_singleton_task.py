"""The tasks of celery-singleton: acquire queues one, which is refused while one of the same arguments is queued or runs; release is its end.

Nothing runs the tasks, and nobody waits. The lease is whole seconds; the token is the id of the task, but whoever ends deletes the key.
The name of the key, otherwise a hash of the arguments, is that of the lock.
"""

import celery
from celery_singleton import DuplicateTaskError, Singleton

from dialogue import LEASE_IN_SECONDS, URL, serve

SETTINGS = {"singleton_backend_url": URL, "singleton_lock_expiry": LEASE_IN_SECONDS, "singleton_raise_on_duplicate": True}


class Named(Singleton):
    def generate_lock(self, task_name, task_args=None, task_kwargs=None):
        return self.singleton_config.key_prefix + task_args[0]


class CelerySingleton:
    not_held = (DuplicateTaskError,)

    def __init__(self):
        application = celery.Celery("shop", broker="memory://")
        application.conf.update(SETTINGS)
        self._task = application.task(self._report, base=Named, name="report")
        self._task.singleton_backend.redis.ping()

    @staticmethod
    def _report(_key):
        """What the task would do."""

    def new_lock(self, key: str):
        return {"key": key, "queued": None}

    def acquire(self, lock, _mode):
        lock["queued"] = None
        lock["queued"] = self._task.apply_async((lock["key"],))

    def release(self, lock):
        """What Celery calls after a task; the library says nothing about whether the lock was still there."""
        queued, lock["queued"] = lock["queued"], None
        if queued:
            self._task.on_success(None, queued.id, (lock["key"],), {})
        return queued is not None


serve(CelerySingleton)
