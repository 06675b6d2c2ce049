"""Locks that have to be listed: the tokens of the libraries under names that are those of locks, and stuck flags."""

from .drawing import Drawing

# As lock-formats have them: what draws the token, and whether it may have no expiry.
TOKENS = {
    "ShedLock": "ADDED:{iso}@{host}:{uuid}", "Moodle": "[pid {int:1:32000}] {host}:/course/view.php",
    "DistributedLock.Redis": "{host}_{int:1:32000}_{hex:32}", "BullMQ": "{uuid}:{int:1:999}",
    "jedis-lock": "{uuid}:{untilms}", "phpredis": "{host}|{int:1:32000}", "resque-scheduler": "{host}:{int:1:32000}",
    "Magento": "{int:1:32000}-{int:1:99}-{hex:8}", "php-lock": "{hex:64}", "Symfony, old": "{b64:32}",
    "python-redis-lock": "{b64:18}", "redsync, warlock": "{b64:16}", "bsm/redislock": "{b64url:16}",
    "redislock with metadata": "{b64url:16}job-{int}", "redlock-py": "{an:22}", "redis-py": "{uuid1hex}",
    "node-redlock, lock4j": "{hex:32}", "redlock-php": "6b{hex:6}0{hex:4}", "Redlock.net and many": "{uuid}", "Laravel": "{an:16}",
    "redis-plus-plus": "{an:20}", "rslock": "{bytes:20}", "rueidislock": "{bytes:24}", "walrus": "{bytes:32}",
    "ASP.NET": "{int:630000000000000000:639999999999999999}", "errorception": "{untilms}", "Discourse": "{untils}",
    "redis-mutex": "{untils}.{int:1000:999999}", "hand-written, worker": "worker-{int:1:99}",
    "hand-written, 1": "1", "hand-written, locked": "locked", "hand-written, empty": "",
}

NAMES = ["lock:order:{int}", "{slug}-lock", "order:{int}:lock", "mutex:{slug}", "app:lock:{word}:{int}", "{word}Lock:{int}",
         "locks/{slug}", "lock.{slug}"]

# Without an expiry: locks that nothing ends.
STUCK = ["1", "", "true", "{uuid}", "{hex:32}", "{host}:{int:1:32000}", "{host}:{int:1:32000}:{int:1:99}", "{uuid1hex}",
         '{"owner":"{host}","pid":{int}}', "worker-{int:1:99}"]


def draw(drawing: Drawing, per_kind: int) -> dict:
    """Commands by key, and which kind each is."""
    made = {}
    for kind, token in [*TOKENS.items()]:
        for number in range(per_kind):
            drawing.ttl = 600_000
            key = drawing.text(NAMES[number % len(NAMES)])
            made[key] = kind, [[b"SET", key, drawing.text(token), b"PX", b"%d" % drawing.ttl]]
    for token in STUCK:
        for number in range(per_kind):
            drawing.ttl = None
            key = drawing.text(NAMES[number % len(NAMES)])
            made[key] = f"stuck, {token or 'empty'}", [[b"SET", key, drawing.text(token)]]
    return made
