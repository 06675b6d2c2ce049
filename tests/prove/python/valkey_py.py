"""valkey-py's Lock, which is redis-py's of its version 5. It tries again every 0.1 s."""

import valkey
from valkey.exceptions import LockError
from valkey.lock import Lock

from dialogue import LEASE, URL, WAIT, serve


class ValkeyPy:
    not_held = (LockError,)

    def __init__(self):
        self._client = valkey.Valkey.from_url(URL)
        for script in (Lock.LUA_RELEASE_SCRIPT, Lock.LUA_REACQUIRE_SCRIPT):
            self._client.script_load(script)

    def new_lock(self, key: str):
        return self._client.lock(key, timeout=LEASE, blocking_timeout=WAIT)

    def acquire(self, lock, _mode):
        return lock.acquire()

    def release(self, lock):
        lock.release()

    def extend(self, lock):
        return lock.reacquire()

    def held(self, lock):
        return lock.local.token is not None


serve(ValkeyPy)
