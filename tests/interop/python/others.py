"""Libraries that do nothing but lock, beyond those of driver.py."""

from shared import NAME, OPTIONS, PORTS, Coroutines, async_redis_client, redis_client


class RedisLockPy:
    """redis-lock-py: its waiters sleep until a message arrives, or for longer and longer."""

    package = "redis-lock-py"

    def __init__(self):
        from redis_lock import RedisLock
        self._lock = RedisLock(redis_client(), NAME, blocking_timeout=120, expire_timeout=OPTIONS.get("expire", 60))

    def acquire(self):
        if not self._lock.acquire(pubsub_timeout=OPTIONS.get("wait", 0.5)):
            raise RuntimeError("acquire() returned False")
        return {"owner": self._lock.token.decode()}

    def release(self):
        self._lock.release()


class Redlock:
    """The package called redlock."""

    package = "redlock"

    def __init__(self):
        from redlock import RedLock
        nodes = [{"host": "127.0.0.1", "port": port, "db": 0} for port in PORTS]
        self._lock = RedLock(NAME, connection_details=nodes, ttl=60000, retry_times=1000, retry_delay=100)

    def acquire(self):
        self._lock.acquire()
        return {"owner": self._lock.lock_key}

    def release(self):
        self._lock.release()


class Redilock:
    package = "python-redilock"

    def __init__(self):
        import redilock.sync_redilock
        self._lock = redilock.sync_redilock.DistributedLock("127.0.0.1", PORTS[0], ttl=60)

    def acquire(self):
        self._token = self._lock.lock("orders-lock")
        return {"owner": self._token}

    def release(self):
        if not self._lock.unlock(self._token):
            raise RuntimeError("unlock() returned False")


class FencedLock:
    """fencekit: a token, and a fencing counter beside it."""

    package = "fencekit"

    def __init__(self):
        from fencekit.lock import DistributedLock
        self._lock = DistributedLock(redis_client())

    def acquire(self):
        import datetime
        self._handle = self._lock.acquire("orders:42", ttl=datetime.timedelta(seconds=60), blocking=True,
                                          wait=datetime.timedelta(seconds=120))
        return {"owner": self._handle.owner_id}

    def release(self):
        self._lock.release(self._handle)


class FifoLock(Coroutines):
    """redis-fifo-lock: a queue, and a list for each waiter on which it blocks."""

    package = "redis-fifo-lock"

    async def _open(self):
        from redis_fifo_lock import FifoLock as Lock
        return Lock(async_redis_client(), "lock:orders:42")

    def __init__(self):
        super().__init__()
        self._lock = self.run(self._open())

    def acquire(self):
        self._lease = self.run(self._lock.acquire())
        return {"owner": self._lease.owner}

    def release(self):
        self.run(self._lock.release(self._lease))


class HiLok(Coroutines):
    """The read-write lock of redishilok: a hash with the writer, a list of readers."""

    package = "redishilok"

    async def _open(self):
        from redishilok.rwctx import RedisRWLockCtx
        return RedisRWLockCtx(async_redis_client(), NAME, ttl=OPTIONS.get("ttl", 30000))

    def __init__(self):
        super().__init__()
        self._lock = self.run(self._open())
        self._ends = None

    def acquire(self):
        self._ends = self._lock.release_write
        self.run(self._lock.acquire_write())
        return {"owner": self._lock.lock.uuid}

    def read(self):
        self._ends = self._lock.release_read
        self.run(self._lock.acquire_read())
        return {"owner": self._lock.lock.uuid}

    def release(self):
        self.run(self._ends())


class XtrLock(Coroutines):
    """xtr-lock keeps what Symfony's Lock keeps."""

    package = "xtr-lock"

    async def _open(self):
        from xtr_lock import LockFactory
        from xtr_lock.store import RedisStore
        return LockFactory(RedisStore(async_redis_client())).create_lock(NAME, 60)

    def __init__(self):
        super().__init__()
        self._lock = self.run(self._open())

    def acquire(self):
        self.run(self._lock.acquire(True))

    def read(self):
        self.run(self._lock.acquire_read(True))

    def release(self):
        self.run(self._lock.release())


class PyRedisSemaphore:
    """py-redis-semaphore: a sorted set of permits, whose key outlives the last of them."""

    package = "py-redis-semaphore"

    def __init__(self):
        from redis_semaphore import Semaphore, SemaphoreConfig
        self._semaphore = Semaphore(redis_client(), SemaphoreConfig(name="orders:42", limit=OPTIONS.get("limit", 1), lock_timeout=30))

    def acquire(self):
        self._semaphore.acquire()
        return {"owner": self._semaphore.identifier}

    def release(self):
        self._semaphore.release()


class RedisSemaphore:
    """redis-semaphore of Python, whose keys are those of the gem of that name."""

    package = "redis-semaphore"

    def __init__(self):
        from redis_semaphore import Semaphore
        self._semaphore = Semaphore(redis_client(), count=OPTIONS.get("count", 1), namespace=OPTIONS.get("namespace"))

    def acquire(self):
        token = self._semaphore.acquire()
        return {"owner": token.decode() if isinstance(token, bytes) else str(token)}

    def release(self):
        if not self._semaphore.release():
            raise RuntimeError("release() returned nothing")


class RedisRwLock:
    """redis-rw-lock: locks of python-redis-lock that stand for readers and writers."""

    package = "redis-rw-lock"

    def __init__(self):
        from redis_rw_lock import RWLock
        self._client = redis_client()
        self._make = lambda mode: RWLock(self._client, "orders:42", mode, expire=OPTIONS.get("expire", 60))
        self._lock = None

    def acquire(self):
        self._lock = self._make("W")
        self._lock.acquire()

    def read(self):
        self._lock = self._make("R")
        self._lock.acquire()

    def release(self):
        self._lock.release()


class Portalocker:
    """RedisLock of portalocker: a subscription, and no key."""

    package = "portalocker"

    def __init__(self):
        import portalocker
        self._lock = portalocker.RedisLock(NAME, connection=redis_client(), timeout=120)

    def acquire(self):
        self._lock.acquire()

    def release(self):
        self._lock.release()


MODES = {
    "redis-lock-py": RedisLockPy, "redlock": Redlock, "redilock": Redilock, "fencekit": FencedLock, "fifo": FifoLock,
    "hilok": HiLok, "xtr-lock": XtrLock, "py-redis-semaphore": PyRedisSemaphore, "redis-semaphore": RedisSemaphore,
    "redis-rw-lock": RedisRwLock, "portalocker": Portalocker,
}
