"""coredis's Lock. It tries again every 0.1 s. Its extend() adds to the rest of the lease: the adapter adds what has passed of it.

Its token belongs to the context of the task that acquired it, and so whatever is done with a lock is done in one context.
"""

import asyncio
import contextvars
import time

import coredis
from coredis.exceptions import LockExtensionError, LockReleaseError
from coredis.patterns.lock import EXTEND_SCRIPT, RELEASE_SCRIPT

from dialogue import LEASE, URL, WAIT, serve_tasks


class Coredis:
    not_held = (LockExtensionError, LockReleaseError)

    async def connect(self):
        self._client = await coredis.Redis.from_url(URL).__aenter__()
        for script in (EXTEND_SCRIPT, RELEASE_SCRIPT):
            await self._client.script_load(script.script)

    def new_lock(self, key: str):
        return {"lock": self._client.lock(key, timeout=LEASE, blocking_timeout=WAIT), "context": contextvars.copy_context(), "since": None}

    @staticmethod
    async def _in_context(lock, call):
        return await asyncio.get_running_loop().create_task(call, context=lock["context"])

    async def acquire(self, lock, _mode):
        acquired = await self._in_context(lock, lock["lock"].acquire())
        lock["since"] = time.monotonic()
        return acquired

    async def release(self, lock):
        await self._in_context(lock, lock["lock"].release())

    async def extend(self, lock):
        now = time.monotonic()
        await self._in_context(lock, lock["lock"].extend(now - (lock["since"] or now)))
        lock["since"] = now

    def held(self, lock):
        return lock["context"].run(lock["lock"].local.get) is not None


async def connected():
    adapter = Coredis()
    await adapter.connect()
    return adapter


serve_tasks(connected)
