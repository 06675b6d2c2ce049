"""cache.lock() of django-redis, which is redis-py's Lock under a cache key. It tries again every 0.1 s."""

from django.conf import settings
from redis.exceptions import LockError
from redis.lock import Lock

from dialogue import URL, serve
from like_redis_py import LIMITS, LikeRedisPy, load_scripts


class DjangoRedis(LikeRedisPy):
    not_held = (LockError,)

    def __init__(self):
        settings.configure(CACHES={"default": {"BACKEND": "django_redis.cache.RedisCache", "LOCATION": URL}})
        from django.core.cache import cache
        from django_redis import get_redis_connection
        self._cache = cache
        load_scripts(get_redis_connection("default"), Lock)

    def new_lock(self, key: str):
        return self._cache.lock(key, **LIMITS)


serve(DjangoRedis)
