"""Takes locks with redis-py's Lock as it is told, line by line (locker.h): hold_redis_py.py HOST:PORT."""
import sys

import redis
from redis.exceptions import LockError


class Holder:
    def __init__(self, address):
        host, port = address.split(":")
        self.client = redis.Redis(host=host, port=int(port))
        self.locks = {}

    def lock(self, key, lease_ms, wait_ms):
        lock = self.client.lock(key, timeout=int(lease_ms) / 1000)
        wait = int(wait_ms) / 1000
        if not lock.acquire(blocking=wait > 0, blocking_timeout=wait):
            return "refused"
        self.locks[key] = lock
        return "granted"

    def unlock(self, key):
        try:
            self.locks[key].release()
            return "released"
        except LockError:
            return "not held"

    def answer(self, order):
        name, *arguments = order.split()
        try:
            return {"lock": self.lock, "unlock": self.unlock}[name](*arguments)
        except Exception as problem:  # the program that gave the order shows it
            return f"error {problem!r}"


holder = Holder(sys.argv[1])
print("ready", flush=True)
for line in sys.stdin:
    print(holder.answer(line), flush=True)
