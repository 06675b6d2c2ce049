"""redishilok's RedisHiLok. It renews by itself, and tells of a loss by cancelling the task in the with block. It waits up to 0.4 s between tries."""

import asyncio

from redishilok import RedisHiLok, RedisHiLokError

from dialogue import LEASE, PROCESS, URL, WAIT, serve_tasks


class Redishilok:
    not_held = (RedisHiLokError,)
    knows_read = True
    tells_loss = True

    def __init__(self):
        self._locks = RedisHiLok(URL, ttl=int(LEASE * 1000), refresh_interval=int(LEASE * 400))

    def new_lock(self, key: str, tell_loss):
        return {"key": key, "tell_loss": tell_loss, "task": None, "end": None}

    async def _hold(self, lock, entered, acquired):
        """A with block for as long as the lock is held; to end it, the library cancels the task that entered it."""
        async with entered:
            acquired.set()
            try:
                await lock["end"].wait()
            except asyncio.CancelledError:
                lock["tell_loss"]()
                raise

    async def acquire(self, lock, mode):
        call = self._locks.read if mode == "read" else self._locks.write
        acquired, lock["end"] = asyncio.Event(), asyncio.Event()
        lock["task"] = asyncio.ensure_future(self._hold(lock, call(lock["key"], block=WAIT > 0, timeout=WAIT), acquired))
        waiting = asyncio.ensure_future(acquired.wait())
        try:
            await asyncio.wait([lock["task"], waiting], return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            lock["task"].cancel()
            raise
        finally:
            waiting.cancel()
        return acquired.is_set() or lock["task"].result()

    async def release(self, lock):
        """The library says nothing about whether the lock was still there."""
        if not self.held(lock):
            return False
        lock["end"].set()
        await lock["task"]

    def held(self, lock):
        return lock["task"] is not None and not lock["task"].done()

    def forget(self, lock):
        """Leaves the with block, which ends the renewal."""
        if lock["end"]:
            lock["end"].set()


async def connected():
    adapter = Redishilok()
    await adapter._locks.status("warm-up-" + PROCESS, uuid="nobody")
    return adapter


serve_tasks(connected)
