"""Locks that are redis-py's Lock under another name: how each of them is used."""

from dialogue import LEASE, WAIT

# For the constructor of such a lock.
LIMITS = {"timeout": LEASE, "blocking_timeout": WAIT}


def load_scripts(client, lock_class) -> None:
    """So that the first run of a script takes as many messages as every other."""
    for script in (lock_class.LUA_RELEASE_SCRIPT, lock_class.LUA_REACQUIRE_SCRIPT):
        client.script_load(script)


class LikeRedisPy:
    """`new_lock` is the library's."""

    def acquire(self, lock, _mode):
        return lock.acquire()

    def release(self, lock):
        lock.release()

    def extend(self, lock):
        return lock.reacquire()

    def held(self, lock):
        return lock.local.token is not None
