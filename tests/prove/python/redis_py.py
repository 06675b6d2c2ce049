"""redis-py's Lock, every version from 2.10.

Options: class=plain  the class without scripts (2.10.6)      use=with   acquire and release are those of `with lock:`
         shared=1     one object for all threads              lease=none  a lock without a lease
         retries=N    how often a failed command is repeated (5 and later)
"""

import redis
import redis.lock
from redis.exceptions import LockError

from dialogue import LEASE, OPTIONS, URL, WAIT, serve


class RedisPy:
    not_held = (LockError,)

    def __init__(self):
        self._client = redis.Redis.from_url(URL, **self._retry())
        self._is_shared = "shared" in OPTIONS
        self._objects = {}
        self._plain = {"lock_class": redis.lock.Lock} if OPTIONS.get("class") == "plain" else {}
        self._client.ping()
        for script in self._scripts():
            self._client.script_load(script)

    def _scripts(self) -> list:
        """So that the first run of a script takes as many messages as every other."""
        lock = self._lock("warm-up")
        found = [getattr(lock, name, None) for name in ("lua_acquire", "lua_release", "lua_extend", "lua_reacquire")]
        return [script.script for script in found if script]

    @staticmethod
    def _retry() -> dict:
        if "retries" not in OPTIONS:
            return {}
        from redis.backoff import NoBackoff
        from redis.retry import Retry
        return {"retry": Retry(NoBackoff(), int(OPTIONS["retries"]))}

    def _lock(self, key: str):
        lease = None if OPTIONS.get("lease") == "none" else LEASE
        return self._client.lock(key, timeout=lease, blocking_timeout=WAIT, thread_local=not self._is_shared, **self._plain)

    def use(self, _keys: list) -> None:
        self._objects = {}

    def new_lock(self, key: str):
        if not self._is_shared:
            return self._lock(key)
        return self._objects.setdefault(key, self._lock(key))

    def acquire(self, lock, _mode):
        if OPTIONS.get("use") == "with":
            lock.__enter__()
            return True
        return lock.acquire()

    def release(self, lock):
        if OPTIONS.get("use") == "with":
            lock.__exit__(None, None, None)
        else:
            lock.release()

    def extend(self, lock):
        return lock.reacquire() if hasattr(lock, "reacquire") else lock.extend(LEASE)

    def held(self, lock):
        return lock.local.token is not None


serve(RedisPy)
