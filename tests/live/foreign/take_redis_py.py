"""Takes a lock with redis-py's Lock and leaves it: take_redis_py.py SOCKET KEY [TIMEOUT_SECONDS]. Prints the token."""
import sys

import redis

socket, key = sys.argv[1:3]
timeout = float(sys.argv[3]) if len(sys.argv) > 3 else None
lock = redis.Redis(unix_socket_path=socket).lock(key, timeout=timeout)
if not lock.acquire(blocking=False):
    sys.exit("somebody else has the lock")
print(lock.local.token.decode())
