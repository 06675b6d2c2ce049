"""aioredlock, on as many servers as LOCKSCOPE_URLS names. It tries again every 0.2 s; without a time of its own a lock is renewed after 0.6 leases.

Options: renew=1  a lock that the library renews by itself
"""

from aioredlock import Aioredlock, LockError

from dialogue import LEASE, OPTIONS, PROCESS, URLS, WAIT, serve_tasks

RETRY_DELAY = 0.2


class Aioredlocks:
    not_held = (LockError,)

    def __init__(self):
        self._manager = Aioredlock(URLS, retry_count=1 + int(WAIT / RETRY_DELAY), retry_delay_min=RETRY_DELAY, retry_delay_max=RETRY_DELAY,
                                   internal_lock_timeout=LEASE)
        self._timeout = None if "renew" in OPTIONS else LEASE
        if self._timeout:
            self.extend = self._extend  # what renews itself is not renewed by hand

    async def connect(self):
        """Loads the scripts, too."""
        await self._manager.is_locked("warm-up-" + PROCESS)

    def new_lock(self, key: str):
        return {"key": key, "lock": None}

    async def acquire(self, lock, _mode):
        lock["lock"] = await self._manager.lock(lock["key"], lock_timeout=self._timeout)

    async def release(self, lock):
        if not lock["lock"]:
            return False
        await self._manager.unlock(lock["lock"])

    async def _extend(self, lock):
        if not lock["lock"]:
            return False
        await self._manager.extend(lock["lock"])

    def held(self, lock):
        return lock["lock"] is not None and lock["lock"].valid

    def forget(self, lock):
        watchdog = self._manager._watchdogs.pop(lock["key"], None)
        if watchdog:
            watchdog.cancel()


async def connected():
    adapter = Aioredlocks()
    await adapter.connect()
    return adapter


serve_tasks(connected)
