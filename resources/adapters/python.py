"""An adapter for `lockscope-cli prove`, of redis-py's Lock. Put your own lock in place of the four lines that call `lock`.

Run it:  pip install redis
         lockscope-cli prove --adapter 'python3 python.py'
Try it:  LOCKSCOPE_URL=redis://127.0.0.1:6379/0 python3 python.py     then type: acquire t0 demo
"""
import os, sys, redis

client = redis.Redis.from_url(os.environ.get("LOCKSCOPE_URL", "redis://127.0.0.1:6379/0"))
lease, wait = (int(os.environ.get(f"LOCKSCOPE_{name}_MS", "1000")) / 1000 for name in ("LEASE", "WAIT"))
client.ping()
locks = {}  # one lock object for each thread and key
print("ready acquire release extend reset", flush=True)
for line in sys.stdin:
    word, thread, *keys = line.split()
    try:
        lock = locks.setdefault((thread, *keys[:1]), client.lock(keys[0], timeout=lease, thread_local=False))
        if word == "acquire":
            done = lock.acquire(blocking_timeout=wait)
        elif word == "release":
            done = lock.release() is None
        elif word == "extend":
            done = lock.reacquire()
        elif word == "reset":
            done = locks.clear() is None
        answer = "yes" if done else "no"
    except redis.exceptions.LockError:
        answer = "no"
    except Exception as problem:
        answer = f"error {problem!r}"
    print(thread, answer, flush=True)
