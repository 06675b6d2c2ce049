"""Drives the Python lock libraries for tests/interop/run.py: driver.py MODE OPTIONS PORT...

One class per mode. Its methods are the orders; what they return is the answer. See suite/driver.py.
"""

import asyncio
import importlib.metadata
import json
import queue
import sys
import threading
import time

import caches
import others
import schedulers
from shared import NAME, OPTIONS, PORTS, Coroutines, redis_client, url


class RedisPy:
    """redis-py's own Lock."""

    package = "redis"

    def __init__(self, timeout=30.0):
        self._lock = redis_client().lock(OPTIONS.get("name", NAME), timeout=OPTIONS.get("timeout", timeout))

    def acquire(self):
        self._lock.acquire()
        return {"owner": self._lock.local.token.decode()}

    def release(self):
        self._lock.release()

    def extend(self):
        self._lock.extend(30, replace_ttl=True)


class RedisPyForEver(RedisPy):
    def __init__(self):
        super().__init__(timeout=None)


class RedisPyAsync(Coroutines):
    package = "redis"

    def __init__(self):
        super().__init__()
        self._lock = self.run(self._open())

    async def _open(self):
        import redis.asyncio
        return redis.asyncio.Redis.from_url(url()).lock(NAME, timeout=30.0)

    async def _acquire(self):
        await self._lock.acquire()
        return {"owner": self._lock.local.token.decode()}

    def acquire(self):
        return self.run(self._acquire())

    def release(self):
        self.run(self._lock.release())


class PythonRedisLock:
    package = "python-redis-lock"

    def __init__(self):
        import redis_lock
        self._lock = redis_lock.Lock(redis_client(), "orders:42", expire=OPTIONS.get("expire"),
                                     auto_renewal=OPTIONS.get("renew", False))

    def acquire(self):
        self._lock.acquire()
        return {"owner": self._lock.id}

    def release(self):
        self._lock.release()


class CeleryOnce:
    """The backend that celery-once's tasks use; a task's second call is refused, so the driver tries again."""

    package = "celery-once"

    def __init__(self):
        from celery_once.backends.redis import Redis
        self._backend = Redis({"url": url(), "timeout": 3600})

    def acquire(self):
        from celery_once.tasks import AlreadyQueued
        while True:
            try:
                self._backend.raise_or_lock("qo_reports.nightly_day-2026-11-24", 3600)
                return {}
            except AlreadyQueued:
                time.sleep(0.05)

    def release(self):
        self._backend.clear_lock("qo_reports.nightly_day-2026-11-24")


class CelerySingleton:
    """Its backend, as the task base class calls it; the token is the id of the Celery task."""

    package = "celery-singleton"

    def __init__(self):
        from celery_singleton.backends.redis import RedisBackend
        self._backend = RedisBackend(url())
        from celery_singleton.util import generate_lock
        self._key = generate_lock("reports.nightly", [42], {})

    def acquire(self):
        import uuid
        token = str(uuid.uuid4())
        while not self._backend.lock(self._key, token, expiry=OPTIONS.get("expiry")):
            time.sleep(0.05)
        return {"owner": token}

    def release(self):
        self._backend.unlock(self._key)


class DjangoCache:
    """The idiom `cache.add(key, owner, timeout)`, with Django's own Redis backend or django-redis."""

    package = "Django"
    backend = "django.core.cache.backends.redis.RedisCache"
    configured = threading.Lock()

    def __init__(self):
        from django.conf import settings
        with self.configured:
            if not settings.configured:
                settings.configure(CACHES={"default": {"BACKEND": self.backend, "LOCATION": url()}})
        from django.core.cache import caches
        self._cache = caches.create_connection("default")
        self._owner = OPTIONS.get("owner", f"worker-{id(self) % 1000}@app-1")

    def acquire(self):
        while not self._cache.add("lock:orders:42", self._owner, timeout=OPTIONS.get("timeout", 60)):
            time.sleep(0.05)
        return {"owner": self._owner} if isinstance(self._owner, str) else {}

    def release(self):
        self._cache.delete("lock:orders:42")


class DjangoRedisCache(DjangoCache):
    package = "django-redis"
    backend = "django_redis.cache.RedisCache"


class DjangoRedisLock:
    """cache.lock() of django-redis, which is redis-py's lock under a cache key."""

    package = "django-redis"

    def __init__(self):
        from django.conf import settings
        with DjangoCache.configured:
            if not settings.configured:
                settings.configure(CACHES={"default": {"BACKEND": DjangoRedisCache.backend, "LOCATION": url()}})
        from django.core.cache import caches
        self._lock = caches.create_connection("default").lock("lock:orders:42", timeout=30)

    def acquire(self):
        self._lock.acquire()
        return {"owner": self._lock.local.token.decode()}

    def release(self):
        self._lock.release()


class Pottery:
    package = "pottery"

    def __init__(self):
        from pottery import Redlock
        self._lock = Redlock(key="orders:42", masters={redis_client(port) for port in PORTS},
                             auto_release_time=OPTIONS.get("seconds", 30))

    def acquire(self):
        self._lock.acquire()
        return {}

    def release(self):
        self._lock.release()


class RedlockPy:
    package = "redlock-py"

    def __init__(self):
        import redlock
        self._manager = redlock.Redlock([{"host": "127.0.0.1", "port": port} for port in PORTS])

    def acquire(self):
        while True:
            lock = self._manager.lock(NAME, 30000)
            if lock:
                self._lock = lock
                return {"owner": lock.key.decode() if isinstance(lock.key, bytes) else lock.key}
            time.sleep(0.05)

    def release(self):
        self._manager.unlock(self._lock)


class Sherlock:
    package = "sherlock"

    def __init__(self):
        import sherlock
        self._lock = sherlock.RedisLock("orders:42", namespace="lock", client=redis_client(), expire=30, timeout=60)

    def acquire(self):
        self._lock.acquire()
        return {"owner": str(self._lock._owner)}

    def release(self):
        self._lock.release()


class Walrus:
    package = "walrus"

    def __init__(self):
        import walrus
        database = walrus.Database(host="127.0.0.1", port=PORTS[0])
        self._lock = database.lock("orders:42", ttl=OPTIONS.get("ttl"))

    def acquire(self):
        self._lock.acquire()
        return {}

    def release(self):
        if not self._lock.release():
            raise RuntimeError("walrus: release() returned False")


class Aioredlock(Coroutines):
    """aioredlock reconnects through aioredis, which asks for an old Python; it says so itself where it cannot run."""

    package = "aioredlock"

    def __init__(self):
        super().__init__()
        self._manager = self.run(self._open())

    async def _open(self):
        from aioredlock import Aioredlock as Manager
        return Manager([url(port) for port in PORTS], retry_count=200, retry_delay_min=0.1, retry_delay_max=0.2)

    def acquire(self):
        self._lock = self.run(self._manager.lock(NAME))
        return {"owner": self._lock.id}

    def release(self):
        self.run(self._manager.unlock(self._lock))


class Huey:
    """huey.lock_task(): raises when it is taken, so the driver tries again."""

    package = "huey"

    def __init__(self):
        import huey
        kind = huey.RedisExpireHuey if OPTIONS.get("expire") else huey.RedisHuey
        self._huey = kind("shop", url=url())
        self._lock = self._huey.lock_task("reports")

    def acquire(self):
        from huey.exceptions import TaskLockedException
        while True:
            try:
                self._lock.__enter__()
                return {}
            except TaskLockedException:
                time.sleep(0.05)

    def release(self):
        self._lock.__exit__(None, None, None)


class Tooz:
    package = "tooz"

    def __init__(self):
        from tooz import coordination
        self._coordinator = coordination.get_coordinator(f"{url()}?lock_timeout=30", str(id(self)).encode())
        self._coordinator.start()
        self._lock = self._coordinator.get_lock(b"orders")

    def acquire(self):
        self._lock.acquire(blocking=True)
        return {}

    def release(self):
        if not self._lock.release():
            raise RuntimeError("tooz: release() returned False")


class DramatiqMutex:
    """dramatiq's ConcurrentRateLimiter: a count of those inside."""

    package = "dramatiq"

    def __init__(self):
        from dramatiq.rate_limits import ConcurrentRateLimiter
        from dramatiq.rate_limits.backends import RedisBackend
        backend = RedisBackend(client=redis_client())
        self._limiter = ConcurrentRateLimiter(backend, "reports-mutex", limit=OPTIONS.get("limit", 1))

    def acquire(self):
        from dramatiq.rate_limits import RateLimitExceeded
        while True:
            self._context = self._limiter.acquire()
            try:
                self._context.__enter__()
                return {}
            except RateLimitExceeded:
                time.sleep(0.05)

    def release(self):
        self._context.__exit__(None, None, None)


class RqSchedulerLock:
    """The lock of RQ's scheduler for one queue."""

    package = "rq"

    def __init__(self):
        from rq.scheduler import RQScheduler
        self._scheduler = RQScheduler(["default"], connection=redis_client())

    def acquire(self):
        while not self._scheduler.acquire_locks():
            time.sleep(0.05)
        return {}

    def release(self):
        self._scheduler.release_locks()


class Arq(Coroutines):
    """A worker of arq that runs one job, which lasts until it is told to end."""

    package = "arq"

    def __init__(self):
        super().__init__()
        self._started = threading.Event()
        self._end = threading.Event()

    async def _job(self, context):
        self._started.set()
        while not self._end.is_set():
            await asyncio.sleep(0.02)

    async def _work(self):
        from arq import create_pool
        from arq.connections import RedisSettings
        from arq.worker import Worker, func
        settings = RedisSettings(host="127.0.0.1", port=PORTS[0])
        if OPTIONS.get("enqueue", True):
            pool = await create_pool(settings)
            await pool.enqueue_job("report", _job_id="report-42")
        worker = Worker([func(self._job, name="report")], redis_settings=settings, handle_signals=False,
                        poll_delay=0.1, job_timeout=300)
        await worker.async_run()

    def acquire(self):
        asyncio.run_coroutine_threadsafe(self._work(), self._loop)
        self._started.wait()
        return {}

    def release(self):
        self._end.set()
        time.sleep(0.3)


class Redbeat:
    """The lock by which one of several celery-redbeat schedulers becomes the one that works."""

    package = "celery-redbeat"

    def __init__(self):
        import celery
        from redbeat.schedulers import RedBeatScheduler  # noqa: F401  (proves that the package is there)
        application = celery.Celery("shop", broker=url())
        application.conf.redbeat_redis_url = url()
        from redbeat.schedulers import get_redis, ensure_conf
        ensure_conf(application)
        self._lock = get_redis(application).lock(application.redbeat_conf.lock_key, timeout=1500, sleep=0.3)

    def acquire(self):
        self._lock.acquire()
        token = self._lock.local.token
        return {"owner": token.decode() if isinstance(token, bytes) else token}

    def release(self):
        self._lock.release()


MODES = {
    "redis-py": RedisPy, "redis-py-async": RedisPyAsync, "redis-py-no-timeout": RedisPyForEver,
    "python-redis-lock": PythonRedisLock, "celery-once": CeleryOnce, "celery-singleton": CelerySingleton,
    "django-cache": DjangoCache, "django-redis-cache": DjangoRedisCache, "django-redis-lock": DjangoRedisLock,
    "pottery": Pottery, "redlock-py": RedlockPy, "sherlock": Sherlock, "walrus": Walrus, "aioredlock": Aioredlock,
    "huey": Huey, "tooz": Tooz, "dramatiq": DramatiqMutex, "rq-scheduler": RqSchedulerLock, "arq": Arq,
    "redbeat": Redbeat, **caches.MODES, **others.MODES, **schedulers.MODES,
}

output = threading.Lock()


def say(message):
    with output:
        print(json.dumps(message), flush=True)


class Client(threading.Thread):
    """Obeys the orders to one client of the library, in a thread that also made it: some tokens belong to threads."""

    def __init__(self, mode):
        super().__init__(daemon=True)
        self._mode = mode
        self.orders = queue.Queue()

    def run(self):
        client = None
        while True:
            order = self.orders.get()
            try:
                client = client or MODES[self._mode]()
                done = None if order["do"] == "open" else getattr(client, order["do"])()
                say({"id": order["id"], "done": done or {}})
            except BaseException as problem:  # whatever it is, it is what the library says
                say({"id": order["id"], "error": f"{type(problem).__name__}: {problem}"})


def main():
    mode = sys.argv[1]
    OPTIONS.update(json.loads(sys.argv[2]))
    PORTS.extend(map(int, sys.argv[3:]))
    package = MODES[mode].package
    say({"ready": {"library": package, "version": importlib.metadata.version(package)}})
    clients = {}
    for line in sys.stdin:
        order = json.loads(line)
        name = order["client"]
        if name not in clients:
            clients[name] = Client(mode)
            clients[name].start()
        clients[name].orders.put(order)


main()
