"""A job of arq, which has the name of the lock: acquire queues it and lets a worker start it, and it runs until release.

The mark that keeps other workers from it lasts for 10 s longer than the worker lets a job run, and is not renewed: LOCKSCOPE_LEASE_MS below
11000 means 11 s. A job that the worker ends for its time is a loss.
"""

import asyncio
import logging
import time

from arq import create_pool
from arq.connections import RedisSettings
from arq.worker import Worker, func

from dialogue import LEASE, URL, WAIT, serve_tasks

logging.disable()  # of a job that it ends the worker writes the traceback


class Arq:
    tells_loss = True

    async def connect(self):
        self._pool = await create_pool(RedisSettings.from_dsn(URL))

    def new_lock(self, key: str, tell_loss):
        """With a worker of its own, since each thread is an owner."""
        lock = {"key": key, "tell_loss": tell_loss, "task": None}
        lock["worker"] = Worker([func(self._report, name="report")], redis_pool=self._pool, job_timeout=max(1, LEASE - 10), keep_result=0,
                                handle_signals=False, ctx={"lock": lock})
        return lock

    @staticmethod
    async def _report(context):
        lock = context["lock"]
        lock["started"].set_result(True)
        try:
            await lock["end"]
        except asyncio.CancelledError:
            lock["tell_loss"]()
            raise

    async def acquire(self, lock, _mode):
        """Looks at the job as a worker that polls its queue."""
        worker, name, deadline = lock["worker"], lock["key"], time.monotonic() + WAIT
        lock["started"], lock["end"] = worker.loop.create_future(), worker.loop.create_future()
        while True:
            await self._pool.enqueue_job("report", _job_id=name)
            await worker.start_jobs([name.encode()])
            if name in worker.tasks:
                lock["task"] = worker.tasks.pop(name)
                return await self._starts(lock)
            if time.monotonic() >= deadline:
                return False
            await asyncio.sleep(worker.poll_delay_s)

    @staticmethod
    async def _starts(lock):
        try:
            await asyncio.wait([lock["task"], lock["started"]], return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            lock["task"].cancel()
            raise
        return lock["started"].done() or bool(lock["task"].result())

    async def release(self, lock):
        """The end of the job; the library says nothing about whether its mark was still there."""
        if not self.held(lock):
            return False
        lock["end"].set_result(True)
        await lock["task"]

    def held(self, lock):
        return lock["task"] is not None and not lock["task"].done()

    def forget(self, lock):
        if lock["task"]:
            lock["task"].cancel()


async def connected():
    adapter = Arq()
    await adapter.connect()
    return adapter


serve_tasks(connected)
