"""cache.add() of Django's own backend for Redis as a lock: whoever adds the entry deletes it. Nobody waits, an entry has no owner, and it lasts
for whole seconds."""

from django.conf import settings

from dialogue import LEASE_IN_SECONDS, URL, serve, try_until_wait_is_over


class DjangoCacheAdd:
    def __init__(self):
        settings.configure(CACHES={"default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": URL}})
        from django.core.cache import cache
        self._cache = cache
        self._cache.get("warm-up")

    def new_lock(self, key: str):
        return {"key": key, "added": False}

    def acquire(self, lock, _mode):
        lock["added"] = try_until_wait_is_over(lambda: self._cache.add(lock["key"], True, LEASE_IN_SECONDS))
        return lock["added"]

    def release(self, lock):
        added, lock["added"] = lock["added"], False
        return added and self._cache.delete(lock["key"])


serve(DjangoCacheAdd)
