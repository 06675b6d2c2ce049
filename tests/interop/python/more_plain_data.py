"""As plain_data.py, by libraries for the web: more_plain_data.py PORT COUNT SEED."""

import asyncio
import json
import random
import sys
import uuid

import redis


def flask_sessions(port: int, draw: random.Random, count: int) -> dict:
    import flask
    import flask_session
    app = flask.Flask("shop")
    app.config.update(SESSION_TYPE="redis", SESSION_REDIS=redis.Redis(port=port), PERMANENT_SESSION_LIFETIME=7200)
    flask_session.Session(app)

    @app.get("/<int:product>")
    def show(product: int) -> str:
        flask.session["cart"] = {str(uuid.UUID(int=draw.getrandbits(128), version=4)): product}
        flask.session["owner"] = product
        return "ok"

    for i in range(count):
        app.test_client().get(f"/{i}")
    return {"Flask-Session": r"session:.*"}


def flask_caches(port: int, draw: random.Random, count: int) -> dict:
    import flask
    import flask_caching
    app = flask.Flask("shop")
    cache = flask_caching.Cache(app, config={"CACHE_TYPE": "RedisCache", "CACHE_REDIS_PORT": port, "CACHE_KEY_PREFIX": "fc_"})
    with app.app_context():
        for i in range(count):
            cache.set(f"view//pages/{i}", f"<p>{draw.random()}</p>", 3600)
            cache.set(f"user_{i}_locked", True, 3600)
            cache.set(f"lock_reason_{i}", "too many attempts", 3600)
            cache.set(f"count_{i}", draw.randrange(10**6), 3600)
            cache.set(f"etag_{i}", f"{draw.getrandbits(128):032x}", 3600)
    return {"Flask-Caching, page": r"fc_view//.*", "Flask-Caching, account locked": r"fc_user_.*",
            "Flask-Caching, lock reason": r"fc_lock_reason_.*", "Flask-Caching, count": r"fc_count_.*",
            "Flask-Caching, ETag": r"fc_etag_.*"}


def rate_limits(url: str, draw: random.Random, count: int) -> dict:
    import limits
    storage = limits.storage.storage_from_string(url)
    fixed = limits.strategies.FixedWindowRateLimiter(storage)
    moving = limits.strategies.MovingWindowRateLimiter(storage)
    sliding = limits.strategies.SlidingWindowCounterRateLimiter(storage)
    for i in range(count):
        fixed.hit(limits.parse("5/hour"), "login", f"user-{i}")
        moving.hit(limits.parse("100/hour"), "api", f"10.0.{draw.randrange(250)}.{i}")
        sliding.hit(limits.parse("20/hour"), "lock", f"door-{i}")
    return {"limits, fixed window": r"LIMITS?:LIMITER/login/.*", "limits, moving window": r"LIMITS:LIMITER/api/.*",
            "limits, sliding window": r".*LIMITER/lock/.*"}


def tokens(client: redis.Redis, count: int) -> dict:
    import itsdangerous
    signer = itsdangerous.URLSafeTimedSerializer("secret")
    for i in range(count):
        client.set(f"magic-link:{i}", signer.dumps({"user": i}), ex=3600)
        client.set(f"signed:{i}", itsdangerous.TimestampSigner("secret").sign(str(i)), ex=3600)
        client.set(f"uuid1:{i}", uuid.uuid1().hex, ex=3600)
        client.set(f"device:{i}:lock", uuid.uuid1().hex, ex=3600)
    return {"itsdangerous, link": r"magic-link:.*", "itsdangerous, stamp": r"signed:.*", "uuid1": r"uuid1:.*",
            "uuid1 of a device's lock": r"device:\d+:lock"}


async def aiocaches(port: int, draw: random.Random, count: int) -> dict:
    import aiocache
    from aiocache.serializers import PickleSerializer
    cache = aiocache.Cache(aiocache.Cache.REDIS, port=port, namespace="aio", ttl=3600)
    pickled = aiocache.Cache(aiocache.Cache.REDIS, port=port, namespace="aiop", serializer=PickleSerializer(), ttl=3600)
    for i in range(count):
        await cache.set(f"token:{i}", f"{draw.getrandbits(128):032x}")
        await cache.set(f"team:{i}:leader", str(uuid.UUID(int=draw.getrandbits(128), version=4)))
        await pickled.set(f"profile:{i}", {"owner": i, "role": "admin"})
        await pickled.set(f"account:{i}:locked", True)
    await cache.close()
    await pickled.close()
    return {"aiocache, token": r"aio:token:.*", "aiocache, leader": r"aio:team:.*", "aiocache, profile": r"aiop:profile:.*",
            "aiocache, account locked": r"aiop:account:.*"}


async def channel_layers(url: str, count: int) -> dict:
    from channels_redis.core import RedisChannelLayer
    layer = RedisChannelLayer(hosts=[url], expiry=3600, group_expiry=7200)
    for i in range(count):
        channel = await layer.new_channel()
        await layer.group_add(f"room-{i}", channel)
        await layer.send(f"worker-{i}", {"type": "chat.message", "text": "hello"})
    return {"Channels": r"asgi.*"}


async def main() -> None:
    port, count, seed = (int(word) for word in sys.argv[1:])
    url = f"redis://127.0.0.1:{port}/0"
    draw = random.Random(seed)
    print(json.dumps({**flask_sessions(port, draw, count), **flask_caches(port, draw, count), **rate_limits(url, draw, count),
                      **tokens(redis.Redis(port=port), count), **await aiocaches(port, draw, count),
                      **await channel_layers(url, count)}))


if __name__ == "__main__":
    asyncio.run(main())
