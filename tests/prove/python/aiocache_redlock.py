"""RedLock of aiocache, whose with block is entered at any rate: who finds it taken waits for a release in its own process, a lease at most.

It says nothing of whether it has the lock.
"""

from aiocache import RedisCache
from aiocache.lock import RedLock

from dialogue import LEASE, PROCESS, URL, serve_tasks
from with_block import WithBlock


class Aiocache(WithBlock):
    def __init__(self):
        host, port = URL.removeprefix("redis://").partition("/")[0].split(":")
        self._cache = RedisCache(endpoint=host, port=port)

    async def connect(self):
        await self._cache.exists("warm-up-" + PROCESS)

    async def acquire(self, lock, _mode):
        entered = RedLock(self._cache, lock["key"], lease=LEASE)
        await entered.__aenter__()
        lock["entered"] = entered


async def connected():
    adapter = Aiocache()
    await adapter.connect()
    return adapter


serve_tasks(connected)
