"""valkey-py's Lock, which is redis-py's of its version 5. It tries again every 0.1 s."""

import valkey
from valkey.exceptions import LockError
from valkey.lock import Lock

from dialogue import URL, serve
from like_redis_py import LIMITS, LikeRedisPy, load_scripts


class ValkeyPy(LikeRedisPy):
    not_held = (LockError,)

    def __init__(self):
        self._client = valkey.Valkey.from_url(URL)
        load_scripts(self._client, Lock)

    def new_lock(self, key: str):
        return self._client.lock(key, **LIMITS)


serve(ValkeyPy)
