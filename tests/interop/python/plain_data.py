"""Writes keys that are no locks by real libraries: plain_data.py PORT COUNT SEED. Prints a pattern of the keys of each group.

What is not installed is left out: the quick core has Django, django-redis and redis-py.
"""

import importlib.util
import json
import random
import sys
import uuid


def has(module: str) -> bool:
    return importlib.util.find_spec(module) is not None


def django_settings(url: str) -> None:
    from django.conf import settings
    backends = {"default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": url},
                "other": {"BACKEND": "django_redis.cache.RedisCache", "LOCATION": url, "KEY_PREFIX": "dr"},
                "json": {"BACKEND": "django_redis.cache.RedisCache", "LOCATION": url, "KEY_PREFIX": "js",
                         "OPTIONS": {"SERIALIZER": "django_redis.serializers.json.JSONSerializer"}}}
    settings.configure(CACHES=backends, SESSION_ENGINE="django.contrib.sessions.backends.cache", SECRET_KEY="x" * 50,
                       INSTALLED_APPS=["django.contrib.sessions"], USE_TZ=True)
    import django
    django.setup()


def django_caches(draw: random.Random, count: int) -> dict:
    from django.core.cache import caches
    for i in range(count):
        caches["default"].set(f"user-{i}", {"name": "ada", "id": i}, 900 + draw.randrange(900))
        caches["default"].set(f"fragment.{draw.getrandbits(64):016x}", "<p>hello</p>", 900)
        caches["default"].set(f"user:{i}:locked", True, 3600)
        caches["other"].set(f"price-{i}", draw.random(), 900)
        caches["other"].set(f"user:{i}:locked_until", draw.randrange(10**9), 3600)
        caches["other"].set(f"token-of-{i}", str(uuid.UUID(int=draw.getrandbits(128), version=4)), 900)
        caches["json"].set(f"profile-{i}", {"role": "owner", "mail": f"{i}@example.org"}, 900)
        caches["json"].set(f"team:{i}:leader", f"user-{i}", None)
    return {"Django cache, dict": r":1:user-\d+", "Django cache, fragment": r":1:fragment\..*",
            "Django cache, account locked": r":1:user:\d+:locked", "django-redis, number": r"dr:1:price-.*",
            "django-redis, locked until": r"dr:1:user:\d+:locked_until", "django-redis, UUID": r"dr:1:token-of-.*",
            "django-redis, JSON": r"js:1:profile-.*", "django-redis, leader": r"js:1:team:.*"}


def django_sessions(draw: random.Random, count: int) -> dict:
    from django.contrib.sessions.backends.cache import SessionStore
    for _ in range(count):
        session = SessionStore()
        session["cart"] = {"product": draw.randrange(1000)}
        session["csrf"] = f"{draw.getrandbits(128):032x}"
        session.create()
    return {"Django sessions": r":1:django\.contrib\.sessions\.cache.*"}


def rq_jobs(url: str, count: int) -> dict:
    import redis
    import rq
    queue = rq.Queue("mail", connection=redis.Redis.from_url(url))
    for i in range(count):
        queue.enqueue("os.getpid", result_ttl=900, job_timeout=60, description=f"mail {i}")
    return {"RQ": r"rq:.*"}


def celery_results(url: str, draw: random.Random, count: int) -> dict:
    import celery
    app = celery.Celery("shop", backend=url, broker=url)
    for i in range(count):
        task = str(uuid.UUID(int=draw.getrandbits(128), version=4))
        app.backend.store_result(task, {"total": i}, "SUCCESS")
        if i % 10 == 0:
            app.send_task("shop.mail", args=[i])
    return {"Celery": r"(celery.*|_kombu.*|.*celery\.pidbox.*)"}


def huey_tasks(url: str, count: int) -> dict:
    import huey
    app = huey.RedisHuey("shop", url=url)
    send = app.task()(lambda number: number)
    for i in range(count):
        send(i)
        app.put(f"result-{i}", i)
    return {"Huey": r"huey.*"}


def dramatiq_results(url: str, count: int) -> dict:
    import dramatiq
    from dramatiq.brokers.redis import RedisBroker
    from dramatiq.results import Results
    from dramatiq.results.backends import RedisBackend
    broker = RedisBroker(url=url)
    backend = RedisBackend(url=url)
    broker.add_middleware(Results(backend=backend))
    actor = dramatiq.actor(lambda number: number, actor_name="mail", broker=broker, store_results=True)
    for i in range(count):
        backend.store_result(actor.send(i), i, 900_000)
    return {"dramatiq": r"(dramatiq.*|[0-9a-f]{32})"}


def walrus_containers(port: int, draw: random.Random, count: int) -> dict:
    import walrus
    database = walrus.Database(host="127.0.0.1", port=port)
    cache = database.cache(name="pages", default_timeout=900)
    limit = database.rate_limit("uploads", limit=5, per=900)
    for i in range(count):
        cache.set(f"page-{i}", {"hits": draw.randrange(100)})
        limit.limit(f"10.0.{i % 200}.{i % 250}")
        database.Hash(f"basket-{i}").update(apple=1)
    return {"walrus cache": r"pages:.*", "walrus rate limit": r"uploads:.*", "walrus hash": r"basket-.*"}


def main() -> None:
    port, count, seed = (int(word) for word in sys.argv[1:])
    url = f"redis://127.0.0.1:{port}/0"
    draw = random.Random(seed)
    django_settings(url)
    groups = {**django_caches(draw, count), **django_sessions(draw, count)}
    if has("rq"):
        groups.update(rq_jobs(url, count))
    if has("celery"):
        groups.update(celery_results(url, draw, count))
    if has("huey"):
        groups.update(huey_tasks(url, count))
    if has("dramatiq"):
        groups.update(dramatiq_results(url, count))
    if has("walrus"):
        groups.update(walrus_containers(port, draw, count))
    print(json.dumps(groups))


if __name__ == "__main__":
    main()
