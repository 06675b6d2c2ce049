"""xtr-lock on its RedisStore, which readers can share. It waits for ever, 0.1 s between tries, until a time-out around it cancels it.

It takes a lock for as long as its store says, five minutes if nothing, and then asks for its own lease.

Options: store=lease  the store's time is the lease, too
"""

import asyncio

import redis.asyncio
from xtr_lock import LockFactory
from xtr_lock.exception import LockConflictedError, LockExpiredError
from xtr_lock.store import RedisStore

from dialogue import LEASE, OPTIONS, PROCESS, URL, WAIT, serve_tasks


class XtrLock:
    not_held = (asyncio.TimeoutError, LockConflictedError, LockExpiredError)
    knows_read = True

    def __init__(self):
        initial = {"initial_ttl": LEASE} if OPTIONS.get("store") == "lease" else {}
        self._factory = LockFactory(RedisStore(redis.asyncio.Redis.from_url(URL), **initial))

    async def connect(self):
        """Each script once."""
        lock = self.new_lock("warm-up-" + PROCESS)["lock"]
        await lock.acquire()
        await lock.acquire_read()
        await lock.release()

    def new_lock(self, key: str):
        return {"held": False, "lock": self._factory.create_lock(key, LEASE)}

    async def acquire(self, lock, mode):
        call = lock["lock"].acquire_read if mode == "read" else lock["lock"].acquire
        async with asyncio.timeout(WAIT or None):
            lock["held"] = await call(blocking=WAIT > 0)
        return lock["held"]

    async def release(self, lock):
        """The library says nothing about whether the lock was still there."""
        held, lock["held"] = lock["held"], False
        if held:
            await lock["lock"].release()
        return held

    async def extend(self, lock):
        await lock["lock"].refresh()

    async def held(self, lock):
        """The library asks the server."""
        return await lock["lock"].is_acquired()


async def connected():
    adapter = XtrLock()
    await adapter.connect()
    return adapter


serve_tasks(connected)
