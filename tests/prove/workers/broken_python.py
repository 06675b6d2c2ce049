"""A worker with a lock class of its own: broken on purpose. Its thread renews the key whoever owns it; a release compares.

An adapter of docs/adapters.md; try `lockscope-cli prove --adapter 'python3 broken_python.py'`. It needs redis-py.
"""

import os
import sys
import threading
import time
import uuid

import redis

RELEASE = "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0"


class HomemadeLock:
    """A lock with a lease that a thread renews at every third of it."""

    def __init__(self, client, key: str, lease: float):
        self._client = client
        self._key = key
        self._lease_ms = int(lease * 1000)
        self._stop = threading.Event()
        self.token = None

    def acquire(self, wait: float) -> bool:
        deadline = time.monotonic() + wait
        token = uuid.uuid4().hex
        while not self._client.set(self._key, token, nx=True, px=self._lease_ms):
            if time.monotonic() >= deadline:
                return False
            time.sleep(0.1)
        self.token = token
        self._stop = threading.Event()
        threading.Thread(target=self._renew, args=(self._stop,), daemon=True).start()
        return True

    def _renew(self, stop: threading.Event) -> None:
        while not stop.wait(self._lease_ms / 3000):
            # The mistake: nobody asks whose key it is by now.
            self._client.pexpire(self._key, self._lease_ms)

    def release(self) -> bool:
        self._stop.set()
        token, self.token = self.token, None
        return token is not None and self._client.eval(RELEASE, 1, self._key, token) == 1

    def forget(self) -> None:
        self._stop.set()


def main() -> None:
    client = redis.Redis.from_url(os.environ["LOCKSCOPE_URL"])
    lease, wait = (int(os.environ[name]) / 1000 for name in ("LOCKSCOPE_LEASE_MS", "LOCKSCOPE_WAIT_MS"))
    client.ping()
    locks = {}
    print("ready acquire release held reset", flush=True)
    for line in sys.stdin:
        word, thread, *keys = line.split()
        try:
            if word == "reset":
                for lock in locks.values():
                    lock.forget()
                locks, done = {}, True
            else:
                lock = locks.setdefault((thread, keys[0]), HomemadeLock(client, keys[0], lease))
                done = lock.acquire(wait) if word == "acquire" else lock.release() if word == "release" else lock.token is not None
            answer = "yes" if done else "no"
        except redis.RedisError as problem:
            answer = f"error {problem}"
        print(thread, answer, flush=True)


main()
