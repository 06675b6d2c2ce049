"""cache.lock() of cashews, which waits for ever: the adapter gives up. It is told to try again every 0.1 s.

Options: suppress=no  errors of the server are raised
"""

import asyncio

from cashews import Cache

from dialogue import LEASE, OPTIONS, PROCESS, URL, WAIT, serve_tasks
from with_block import WithBlock


class Cashews(WithBlock):
    not_held = (asyncio.TimeoutError,)

    def __init__(self):
        self._cache = Cache()
        self._cache.setup(URL, suppress=OPTIONS.get("suppress") != "no")

    async def connect(self):
        await self._cache.unlock("warm-up-" + PROCESS, "nobody")

    async def acquire(self, lock, _mode):
        entered = self._cache.lock(lock["key"], expire=LEASE, check_interval=0.1)
        await asyncio.wait_for(entered.__aenter__(), WAIT or 0.05)
        lock["entered"] = entered


async def connected():
    adapter = Cashews()
    await adapter.connect()
    return adapter


serve_tasks(connected)
