"""lock() of py-cachify, a constant without an owner, with a lease of whole seconds. It tries again every 0.1 s."""

import redis
from py_cachify import CachifyLockError, init_cachify

from dialogue import LEASE_IN_SECONDS, URL, WAIT, serve


class PyCachify:
    not_held = (CachifyLockError,)

    def __init__(self):
        client = redis.Redis.from_url(URL)
        client.ping()
        self._cachify = init_cachify(sync_client=client, is_global=False)

    def new_lock(self, key: str):
        return {"held": False, "lock": self._cachify.lock(key, nowait=WAIT == 0, timeout=WAIT, exp=LEASE_IN_SECONDS)}

    def acquire(self, lock, _mode):
        lock["lock"].__enter__()
        lock["held"] = True

    def release(self, lock):
        """As the end of its with block, which is entered first; the library says nothing about whether the lock was still there."""
        held, lock["held"] = lock["held"], False
        if held:
            lock["lock"].__exit__(None, None, None)
        return held


serve(PyCachify)
