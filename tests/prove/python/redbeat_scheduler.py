"""RedBeat's lock, by which one celery beat at a time sends what is due. It is told to look again every 0.1 s.

It would wait for ever: its lock object gets an end to that. The scheduler prolongs the lock each time that it looks for what is due.
Its signal's handler is called as celery beat calls it.
"""

import functools
from types import SimpleNamespace

import older_vine  # noqa: F401
from dialogue import LEASE, URL, WAIT, serve

from celery import Celery
from redbeat import schedulers
from redis.exceptions import LockError


class RedBeat:
    not_held = (LockError,)

    def __init__(self):
        self._app = Celery(broker=URL)
        self._app.conf.update(redbeat_redis_url=URL, beat_max_loop_interval=0.1)
        self.new_lock("warm-up")  # which reads the settings
        client = schedulers.get_redis(self._app)
        client.lock = functools.partial(client.lock, blocking_timeout=WAIT)
        lock = client.lock("warm-up")
        for script in (lock.LUA_RELEASE_SCRIPT, lock.LUA_EXTEND_SCRIPT, getattr(schedulers, "LUA_EXTEND_TO_SCRIPT", None)):
            if script:
                client.script_load(script)

    def new_lock(self, key: str):
        return schedulers.RedBeatScheduler(self._app, lock_key=key, lock_timeout=LEASE, lazy=True)

    def acquire(self, scheduler, _mode):
        schedulers.acquire_distributed_beat_lock(sender=SimpleNamespace(scheduler=scheduler))
        if scheduler.lock.local.token is None:
            scheduler.lock = None
        return scheduler.lock is not None

    def extend(self, scheduler):
        """A scheduler that lost its lock raises, and ends with it."""
        if scheduler.lock is None:
            return False
        try:
            scheduler.tick()
        except LockError:
            scheduler.lock = None
            raise

    def release(self, scheduler):
        held = scheduler.lock is not None
        scheduler.close()
        return held

    def held(self, scheduler):
        return scheduler.lock is not None


serve(RedBeat)
