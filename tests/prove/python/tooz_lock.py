"""The lock of tooz's RedisDriver, which is redis-py's under a name. Whole seconds; it is renewed by the coordinator's heartbeat, as by hand here."""

from redis.lock import Lock
from tooz import coordination

from dialogue import LEASE_IN_SECONDS, PROCESS, URL, WAIT, serve


class Tooz:
    def __init__(self):
        self._coordinator = coordination.get_coordinator(f"{URL}?lock_timeout={LEASE_IN_SECONDS}", PROCESS.encode())
        self._coordinator.start()
        for script in (Lock.LUA_RELEASE_SCRIPT, Lock.LUA_REACQUIRE_SCRIPT):
            self._coordinator._client.script_load(script)

    def new_lock(self, key: str):
        return self._coordinator.get_lock(key.encode())

    def acquire(self, lock, _mode):
        return lock.acquire(blocking=WAIT)

    def release(self, lock):
        return lock.release()

    def extend(self, lock):
        """One lock of those which the coordinator's heartbeat renews."""
        return lock.heartbeat()

    def held(self, lock):
        return lock.acquired

    def forget(self, lock):
        self._coordinator._acquired_locks.discard(lock)


serve(Tooz)
