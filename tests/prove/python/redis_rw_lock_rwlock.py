"""RWLock of redis-rw-lock, which is made of python-redis-lock's locks and of counters; without renewal, as it is by default. Whole seconds.

It waits for ever. When the adapter gives up, it goes on, and what it gets then is given back at once; a reset cuts its connection.
"""

import threading
from concurrent.futures import Future, wait

import redis
import redis_lock
from redis_rw_lock import RWLock

from dialogue import LEASE_IN_SECONDS, URL, WAIT, serve


class Over(Exception):
    """The run is over in which somebody still waits."""


class RedisRwLock:
    not_held = (redis_lock.NotAcquired,)
    knows_read = True

    def __init__(self):
        self._connect()

    def _connect(self):
        self._attempts, self._over = [], threading.Event()
        self._client = redis.Redis.from_url(URL, socket_timeout=None, redis_connect_func=self._greeting(self._over))
        for script in (redis_lock.UNLOCK_SCRIPT, redis_lock.RESET_SCRIPT):
            self._client.script_load(script)

    @staticmethod
    def _greeting(over):
        def greet(connection):
            if over.is_set():
                raise Over
            connection.on_connect()
        return greet

    def use(self, _keys):
        """The connections are kept if nobody waits any more."""
        if any(attempt.is_alive() for attempt in self._attempts):
            self._over.set()
            self._client.connection_pool.disconnect()
            self._connect()

    def new_lock(self, key: str):
        return {"key": key, "held": None}

    @staticmethod
    def _attempt(client, key, mode, granted):
        try:
            lock = RWLock(client, key, RWLock.READ if mode == "read" else RWLock.WRITE, expire=LEASE_IN_SECONDS)
            lock.acquire()
        except Exception as problem:
            return granted.set_running_or_notify_cancel() and granted.set_exception(problem)
        return granted.set_result(lock) if granted.set_running_or_notify_cancel() else lock.release()

    def acquire(self, lock, mode):
        granted = Future()
        self._attempts.append(threading.Thread(target=self._attempt, args=(self._client, lock["key"], mode, granted), daemon=True))
        self._attempts[-1].start()
        wait([granted], WAIT)
        if granted.cancel():
            return False
        lock["held"] = granted.result()

    def release(self, lock):
        held, lock["held"] = lock["held"], None
        if held is None:
            return False
        held.release()


serve(RedisRwLock)
