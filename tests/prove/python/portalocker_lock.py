"""portalocker's RedisLock: a subscription instead of a key, so that there is no lease. It tries again about every 0.25 s, and tells of a loss."""

import inspect
import random

import portalocker
import redis
from portalocker.exceptions import AlreadyLocked

from dialogue import PROCESS, URL, WAIT, serve


class Portalocker:
    not_held = (AlreadyLocked,)
    tells_loss = True
    has_no_lease = True

    def __init__(self):
        self._client = redis.Redis.from_url(URL, decode_responses=True)
        self._client.ping()

    def use(self, _keys: list) -> None:
        """The library waits for random times: they are the same in each run."""
        random.seed(PROCESS)

    def new_lock(self, key: str, tell_loss):
        """The library could interrupt the main thread as well, which is none of the program's own here."""
        lock = portalocker.RedisLock(key, connection=self._client, timeout=WAIT, **self._loss(tell_loss))
        return {"held": False, "lock": lock}

    @staticmethod
    def _loss(tell_loss) -> dict:
        """Before 4.0 it tells nothing."""
        known = inspect.signature(portalocker.RedisLock).parameters
        return {"interrupt_on_lost": False, "on_lost": lambda _: tell_loss()} if "on_lost" in known else {}

    def acquire(self, lock, _mode):
        lock["lock"].acquire()
        lock["held"] = True

    def release(self, lock):
        """The library says nothing about whether the lock was still there."""
        held, lock["held"] = self.held(lock), False
        lock["lock"].release()
        return held

    def held(self, lock):
        return lock["held"] and not getattr(lock["lock"], "lost", False)

    def forget(self, lock):
        lock["lock"].release()


serve(Portalocker)
