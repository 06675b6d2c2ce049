"""A lock of few lines that its holder may take more than once, as many applications write it: a hash with a count for each owner.
Its client sends a command once more when the answer is lost.

Options: holds=counted  HINCRBY counts the holds, so that a repeated command counts twice (default)
         holds=named    each hold has a name of its own, which a repeated command writes once more
"""

import threading
import uuid

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from dialogue import LEASE, OPTIONS, URL, serve, try_until_wait_is_over

COUNT = """
if redis.call('EXISTS', KEYS[1]) == 1 and redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return 0 end
redis.call('HINCRBY', KEYS[1], ARGV[1], 1)
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1
"""
COUNT_DOWN = """
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return 0 end
if redis.call('HINCRBY', KEYS[1], ARGV[1], -1) == 0 then redis.call('DEL', KEYS[1]) end
return 1
"""
# The hash has the fields "owner" and one for each hold. The answer is the number of holds.
NAME = """
local owner = redis.call('HGET', KEYS[1], 'owner')
if owner and owner ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'owner', ARGV[1], ARGV[3], '')
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return redis.call('HLEN', KEYS[1]) - 1
"""
# The outermost release, without a name, ends all holds of the owner.
STRIKE_OUT = """
if redis.call('HGET', KEYS[1], 'owner') ~= ARGV[1] then return 0 end
if ARGV[2] == '' then redis.call('DEL', KEYS[1]) else redis.call('HDEL', KEYS[1], ARGV[2]) end
return 1
"""


class Holds:
    """What one thread has of one lock."""

    def __init__(self, key: str):
        self.key = key
        self.owner = f"{uuid.uuid4().hex}:{threading.get_ident()}"
        self.names = []


class Counted:
    def __init__(self):
        self._client = redis.Redis.from_url(URL, retry=Retry(NoBackoff(), 1))
        self._is_named = OPTIONS.get("holds") == "named"
        self._lease_ms = int(LEASE * 1000)
        self._acquire = self._client.register_script(NAME if self._is_named else COUNT)
        self._release = self._client.register_script(STRIKE_OUT if self._is_named else COUNT_DOWN)
        self._client.ping()
        for script in (self._acquire, self._release):
            self._client.script_load(script.script)

    def new_lock(self, key: str) -> Holds:
        return Holds(key)

    def acquire(self, holds: Holds, _mode) -> bool:
        name = uuid.uuid4().hex
        count = try_until_wait_is_over(
            lambda: self._acquire(keys=[holds.key], args=[holds.owner, self._lease_ms, name]))
        if count > 0:
            holds.names = [name] if count == 1 else [*holds.names, name]  # 1: earlier holds are lost
        return count > 0

    def release(self, holds: Holds) -> bool:
        name = holds.names.pop() if holds.names else ""
        is_released = self._release(keys=[holds.key], args=[holds.owner, name if holds.names else ""]) == 1
        if not is_released:
            holds.names = []
        return is_released


serve(Counted)
