"""What the classes of all modes share: where the servers are, and how an asynchronous library is called."""

import asyncio
import threading
import time

NAME = "lock:orders:42"
OPTIONS = {}
PORTS = []


def url(port=None):
    return f"redis://127.0.0.1:{port or PORTS[0]}/0"


def redis_client(port=None):
    import redis
    # A client that waits at a list waits for as long as it takes.
    return redis.Redis.from_url(url(port), socket_timeout=None)


def async_redis_client():
    import redis.asyncio
    return redis.asyncio.Redis.from_url(url())


def until(attempt):
    """Tries again where a library only refuses; returns what the attempt returned when it was true."""
    while not (result := attempt()):
        time.sleep(0.05)
    return result


class Coroutines:
    """Base of the clients whose library is asynchronous: one event loop that lives on in a thread of its own."""

    def __init__(self):
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, daemon=True).start()

    def run(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result()
