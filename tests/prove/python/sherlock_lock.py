"""sherlock's RedisLock. Its lease is whole seconds, and it tries again every 0.1 s."""

import redis
from sherlock import LockException, LockTimeoutException, RedisLock

from dialogue import LEASE_IN_SECONDS, URL, WAIT, serve


class Sherlock:
    not_held = (LockException, LockTimeoutException)

    def __init__(self):
        self._client = redis.StrictRedis.from_url(URL)
        for script in (RedisLock._acquire_script, RedisLock._release_script, RedisLock._renew_script):
            self._client.script_load(script)

    def new_lock(self, key: str):
        return RedisLock(key, client=self._client, expire=LEASE_IN_SECONDS, timeout=WAIT, retry_interval=0.1)

    def acquire(self, lock, _mode):
        return lock.acquire()

    def release(self, lock):
        lock.release()

    def extend(self, lock):
        return lock.renew()


serve(Sherlock)
