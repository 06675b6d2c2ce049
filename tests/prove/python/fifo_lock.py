"""redis-fifo-lock's FifoLock, which renews itself, numbers its grants and tells of a loss.

Its waiters sleep at a list of their own. Of the usual settings (a lease of 60 s, a look every 30 s) the adapter keeps the ratio.

Options: poll=MS  how often a waiter looks without being woken
"""

import asyncio

import redis.asyncio
from redis_fifo_lock import FifoLock, LeaseLost
from redis_fifo_lock.scripts import ACQUIRE, BEAT, RELEASE

from dialogue import LEASE, OPTIONS, URL, WAIT, Grant, serve_tasks


class RedisFifoLock:
    not_held = (asyncio.TimeoutError, LeaseLost)
    tells_loss = True

    async def connect(self):
        self._client = redis.asyncio.Redis.from_url(URL)
        for script in (ACQUIRE, BEAT, RELEASE):
            await self._client.script_load(script)

    def new_lock(self, key: str, tell_loss):
        lock = FifoLock(self._client, key, lease_ms=int(LEASE * 1000), poll_ms=int(OPTIONS.get("poll", LEASE * 500)))
        return {"lock": lock, "lease": None, "watch": None, "tell_loss": tell_loss}

    @staticmethod
    async def _watch(lock, lease):
        await lease.lost.wait()
        lock["tell_loss"]()

    async def acquire(self, lock, _mode):
        lease = await lock["lock"].acquire(timeout=WAIT)
        self.forget(lock)
        lock["lease"], lock["watch"] = lease, asyncio.ensure_future(self._watch(lock, lease))
        return Grant(lease.fence)

    async def release(self, lock):
        lease, lock["lease"] = lock["lease"], None
        if not lease:
            return False
        lock["watch"].cancel()
        await lock["lock"].release(lease)

    def held(self, lock):
        return lock["lease"] is not None and not lock["lease"].lost.is_set()

    def forget(self, lock):
        """Ends the renewal."""
        if lock["lease"]:
            lock["lock"]._stop_renew(lock["lease"])
            lock["watch"].cancel()


async def connected():
    adapter = RedisFifoLock()
    await adapter.connect()
    return adapter


serve_tasks(connected)
