"""walrus's Lock. Its waiters sleep at a list for as many whole seconds as the lease has, and cannot give up: the adapter tries, every 0.1 s.

Options: wait=forever  the library's own waiting
"""

from walrus import Database

from dialogue import LEASE, OPTIONS, URL, serve, try_until_wait_is_over


class Walrus:
    def __init__(self):
        self._database = Database.from_url(URL, socket_timeout=None)
        for script in ("lock_acquire", "lock_release"):
            self._database.script_load(self._database._scripts[script].script)

    def new_lock(self, key: str):
        return self._database.lock(key, ttl=int(LEASE * 1000))

    def acquire(self, lock, _mode):
        if OPTIONS.get("wait") == "forever":
            return lock.acquire()
        return try_until_wait_is_over(lambda: lock.acquire(block=False))

    def release(self, lock):
        return lock.release()


serve(Walrus)
