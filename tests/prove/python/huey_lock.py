"""huey's lock_task, with a lease of whole seconds. It raises at once when it is taken: nobody waits. It keeps no owner."""

from huey import RedisExpireHuey
from huey.exceptions import TaskLockedException

from dialogue import LEASE_IN_SECONDS, URL, serve


class Huey:
    not_held = (TaskLockedException,)

    def __init__(self):
        self._huey = RedisExpireHuey("shop", url=URL)
        self._huey.storage.conn.ping()

    def new_lock(self, key: str):
        return {"held": False, "lock": self._huey.lock_task(key, ttl=LEASE_IN_SECONDS)}

    def acquire(self, lock, _mode):
        lock["lock"].acquire()
        lock["held"] = True

    def release(self, lock):
        """As the end of its with block, which is entered first."""
        held, lock["held"] = lock["held"], False
        return held and bool(lock["lock"].release())


serve(Huey)
