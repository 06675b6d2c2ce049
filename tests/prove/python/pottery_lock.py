"""pottery's Redlock, on as many servers as LOCKSCOPE_URLS names. It tries again after up to 0.2 s, and extends three times at most."""

import redis
from pottery import ExtendUnlockedLock, Redlock, ReleaseUnlockedLock

from dialogue import LEASE, PROCESS, URLS, WAIT, serve


class Pottery:
    not_held = (ExtendUnlockedLock, ReleaseUnlockedLock)

    def __init__(self):
        self._servers = {redis.Redis.from_url(url) for url in URLS}
        lock = self.new_lock("warm-up-" + PROCESS)
        for server in self._servers:
            for script in (lock._acquired_script, lock._extend_script, lock._release_script):
                server.script_load(script.script)

    def new_lock(self, key: str):
        return Redlock(key=key, masters=self._servers, auto_release_time=LEASE)

    def acquire(self, lock, _mode):
        return lock.acquire(timeout=WAIT) if WAIT else lock.acquire(blocking=False)

    def release(self, lock):
        lock.release()

    def extend(self, lock):
        lock.extend()

    def held(self, lock):
        """The library asks the servers."""
        return lock.locked() > 0


serve(Pottery)
