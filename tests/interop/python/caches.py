"""Locks of caches, and of frameworks that keep them in one: dogpile.cache, aiocache, cashews, Beaker, py-cachify."""

from shared import NAME, PORTS, Coroutines, redis_client, until, url


class Dogpile:
    """The mutex of a region with distributed_lock: who holds it computes the value."""

    package = "dogpile.cache"

    def __init__(self):
        from dogpile.cache import make_region
        region = make_region().configure("dogpile.cache.redis", arguments={
            "url": url(), "distributed_lock": True, "lock_timeout": 60})
        self._mutex = region.backend.get_mutex("prices:42")

    def acquire(self):
        self._mutex.acquire()
        return {"owner": self._mutex.mutex.local.token.decode()}

    def release(self):
        self._mutex.release()


class Aiocache(Coroutines):
    """RedLock of aiocache. Its waiters are woken within their process only; others go on when the lease is over."""

    package = "aiocache"

    async def _acquire(self):
        from aiocache import RedisCache
        from aiocache.lock import RedLock
        self._lock = RedLock(RedisCache(endpoint="127.0.0.1", port=PORTS[0]), "prices:42", lease=60)
        await self._lock.__aenter__()
        return {"owner": self._lock._value}

    def acquire(self):
        return self.run(self._acquire())

    async def _release(self):
        await self._lock.__aexit__(None, None, None)

    def release(self):
        self.run(self._release())


class Cashews(Coroutines):
    """cache.lock() of cashews, as its decorator `locked` uses it."""

    package = "cashews"

    async def _acquire(self):
        from cashews import Cache
        self._cache = Cache()
        self._cache.setup(url())
        self._lock = self._cache.lock(NAME, 60)
        await self._lock.__aenter__()

    def acquire(self):
        self.run(self._acquire())

    async def _release(self):
        await self._lock.__aexit__(None, None, None)

    def release(self):
        self.run(self._release())


class Beaker:
    """What keeps two threads from computing the same value of a cache: named after machine, process and thread."""

    package = "Beaker"

    def __init__(self):
        from beaker.ext.redisnm import RedisNamespaceManager
        self._lock = RedisNamespaceManager("prices", url()).get_creation_lock("42")

    def acquire(self):
        self._lock.acquire_write_lock()
        return {"owner": self._lock._get_owner_id().decode()}

    def release(self):
        self._lock.release_write_lock()


class PyCachify:
    """lock() of py-cachify: a constant, pickled or not as its client does it."""

    package = "py-cachify"

    def __init__(self):
        from py_cachify import init_cachify
        self._lock = init_cachify(sync_client=redis_client(), is_global=False).lock("orders-42-lock", nowait=False, exp=60)

    def acquire(self):
        self._lock.__enter__()

    def release(self):
        self._lock.__exit__(None, None, None)


class Valkey:
    """valkey-py, the fork of redis-py."""

    package = "valkey"

    def __init__(self):
        import valkey
        self._lock = valkey.Valkey.from_url(url()).lock(NAME, timeout=30)

    def acquire(self):
        self._lock.acquire()
        return {"owner": self._lock.local.token.decode()}

    def release(self):
        self._lock.release()


class Coredis(Coroutines):
    """The Lock of coredis."""

    package = "coredis"

    async def _hold(self, acquired):
        import asyncio
        import coredis
        self._end = asyncio.Event()
        async with coredis.Redis.from_url(url()) as client:
            lock = client.lock(NAME, timeout=30)
            await lock.acquire()
            acquired.set_result(None)
            await self._end.wait()
            await lock.release()

    def acquire(self):
        import asyncio
        import concurrent.futures
        acquired = concurrent.futures.Future()
        self._hold_task = asyncio.run_coroutine_threadsafe(self._hold(acquired), self._loop)
        until(lambda: acquired.done() or self._hold_task.done())
        if self._hold_task.done():
            self._hold_task.result()

    def release(self):
        self._loop.call_soon_threadsafe(self._end.set)
        self._hold_task.result()


MODES = {"dogpile": Dogpile, "aiocache": Aiocache, "cashews": Cashews, "beaker": Beaker, "py-cachify": PyCachify,
         "valkey": Valkey, "coredis": Coredis}
