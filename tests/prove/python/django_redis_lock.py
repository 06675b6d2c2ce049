"""cache.lock() of django-redis, which is redis-py's Lock under a cache key. It tries again every 0.1 s."""

from django.conf import settings
from redis.exceptions import LockError
from redis.lock import Lock

from dialogue import LEASE, URL, WAIT, serve


class DjangoRedis:
    not_held = (LockError,)

    def __init__(self):
        settings.configure(CACHES={"default": {"BACKEND": "django_redis.cache.RedisCache", "LOCATION": URL}})
        from django.core.cache import cache
        from django_redis import get_redis_connection
        self._cache = cache
        for script in (Lock.LUA_RELEASE_SCRIPT, Lock.LUA_REACQUIRE_SCRIPT):
            get_redis_connection("default").script_load(script)

    def new_lock(self, key: str):
        return self._cache.lock(key, timeout=LEASE, blocking_timeout=WAIT)

    def acquire(self, lock, _mode):
        return lock.acquire()

    def release(self, lock):
        lock.release()

    def extend(self, lock):
        return lock.reacquire()

    def held(self, lock):
        return lock.local.token is not None


serve(DjangoRedis)
