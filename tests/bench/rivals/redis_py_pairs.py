"""Lock and unlock pairs per second with redis-py's Lock, a thread per user, nobody in anybody's way:
redis_py_pairs.py HOST PORT USERS KEYS SECONDS. Counts after a second of warming up.
"""
import itertools
import sys
import threading
import time

import redis

WARM_UP_SECONDS = 1
LEASE_SECONDS = 30


class User(threading.Thread):
    def __init__(self, client, keys, stop_at):
        super().__init__()
        self.client = client
        self.keys = keys
        self.stop_at = stop_at
        self.pairs = 0

    def run(self):
        for key in itertools.cycle(self.keys):
            lock = self.client.lock(key, timeout=LEASE_SECONDS)
            if not lock.acquire(blocking=False):
                raise RuntimeError(f"{key} is somebody else's")
            lock.release()
            self.pairs += 1
            if time.monotonic() >= self.stop_at:
                return


host, port, *numbers = sys.argv[1:]
user_count, key_count, seconds = map(int, numbers)
start_at = time.monotonic() + WARM_UP_SECONDS
users = [
    User(
        redis.Redis(host=host, port=int(port)),
        [f"lock:redis-py:{i}" for i in range(first, key_count, user_count)],
        start_at + seconds,
    )
    for first in range(user_count)
]
for user in users:
    user.start()
time.sleep(WARM_UP_SECONDS)
warm = sum(user.pairs for user in users)
for user in users:
    user.join()
print((sum(user.pairs for user in users) - warm) / (time.monotonic() - start_at))
