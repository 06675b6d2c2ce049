"""The mutex of a region of dogpile.cache with a distributed lock, which is redis-py's under a name. It tries again every 0.1 s."""

from dogpile.cache import make_region
from redis.exceptions import LockError
from redis.lock import Lock

from dialogue import LEASE, URL, WAIT, serve


class Dogpile:
    not_held = (LockError,)

    def __init__(self):
        """With the setting of threads that the library asks for beside a distributed lock."""
        arguments = {"url": URL, "distributed_lock": True, "lock_timeout": LEASE, "lock_blocking_timeout": WAIT, "thread_local_lock": False}
        self._backend = make_region().configure("dogpile.cache.redis", arguments=arguments).backend
        self._backend.writer_client.script_load(Lock.LUA_RELEASE_SCRIPT)

    def new_lock(self, key: str):
        return self._backend.get_mutex(key)

    def acquire(self, lock, _mode):
        return lock.acquire(wait=WAIT > 0)

    def release(self, lock):
        lock.release()


serve(Dogpile)
