"""TaskTiger's Semaphore with one place, by which one worker at a time takes tasks of a queue. Nobody waits.

Its scores are times of the worker's clock. The worker renews it by a timer while a task runs, as by hand here; a renewal
takes a place that was lost once more.
"""

import uuid

import redis
from tasktiger.redis_semaphore import Semaphore

from dialogue import LEASE, PROCESS, URL, serve


class Tasktiger:
    def __init__(self):
        self._client = redis.Redis.from_url(URL)
        warm_up = self.new_lock("warm-up-" + PROCESS)
        self.acquire(warm_up, "write")
        self.release(warm_up)

    def new_lock(self, key: str):
        """The place of one worker, which has the same name for as long as it lives."""
        return {"acquired": False, "place": Semaphore(self._client, f"t:qslock:{key}", str(uuid.uuid4()), timeout=LEASE, max_locks=1)}

    def acquire(self, lock, _mode):
        lock["acquired"], _ = lock["place"].acquire()
        return lock["acquired"]

    def release(self, lock):
        """Only of what was acquired; the library says nothing about whether it was still there."""
        acquired, lock["acquired"] = lock["acquired"], False
        if acquired:
            lock["place"].release()
        return acquired

    def extend(self, lock):
        """A worker without a place renews none; one that was refused goes on, and gives back in the end."""
        return lock["acquired"] and lock["place"].renew()[0]


serve(Tasktiger)
