"""redis-py's asyncio Lock. Options: lease=none  a lock without a lease; retries=N  how often a failed command is repeated."""

import redis.asyncio
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import LockError

from dialogue import LEASE, OPTIONS, URL, WAIT, serve_tasks


class RedisPyAsyncio:
    not_held = (LockError,)

    def __init__(self):
        retry = {"retry": Retry(NoBackoff(), int(OPTIONS["retries"]))} if "retries" in OPTIONS else {}
        self._client = redis.asyncio.Redis.from_url(URL, **retry)

    async def load_scripts(self):
        lock = self.new_lock("warm-up")
        for script in (lock.lua_release, lock.lua_extend, lock.lua_reacquire):
            await self._client.script_load(script.script)

    def new_lock(self, key: str):
        return self._client.lock(key, timeout=None if OPTIONS.get("lease") == "none" else LEASE, blocking_timeout=WAIT)

    async def acquire(self, lock, _mode):
        return await lock.acquire()

    async def release(self, lock):
        await lock.release()

    async def extend(self, lock):
        return await lock.reacquire()

    def held(self, lock):
        return lock.local.token is not None


async def connected():
    adapter = RedisPyAsyncio()
    await adapter.load_scripts()
    return adapter


serve_tasks(connected)
