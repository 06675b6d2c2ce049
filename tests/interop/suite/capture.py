"""Writes down all that a server knows at one instant: the corpus from which decoders are made."""

import datetime
import json
import os

from .resp import Connection, ServerError, escaped

# What of a line of CLIENT LIST tells how a client waits. Addresses and ages would differ from run to run.
CLIENT_FIELDS = ("name", "db", "flags", "sub", "psub", "ssub", "multi", "cmd", "user", "lib-name")


def key_picture(server: Connection, key: bytes) -> dict:
    """One key with type, expiry and the whole of its value."""
    kind = server.call("TYPE", key).decode()
    seen = {"key": escaped(key), "type": kind}
    ttl = server.call("PTTL", key)
    if ttl >= 0:
        seen["ttlMs"] = ttl
    if kind == "string":
        value = server.call("GET", key)
        if value is None:  # it expired meanwhile
            return {"key": escaped(key), "type": "none"}
        seen["value"] = escaped(value)
    elif kind == "hash":
        flat = server.call("HGETALL", key)
        seen["fields"] = {escaped(name): escaped(value) for name, value in zip(flat[::2], flat[1::2])}
    elif kind == "zset":
        flat = server.call("ZRANGE", key, 0, -1, "WITHSCORES")
        seen["members"] = [[escaped(name), score.decode()] for name, score in zip(flat[::2], flat[1::2])]
    elif kind == "list":
        seen["items"] = [escaped(item) for item in server.call("LRANGE", key, 0, -1)]
    elif kind == "set":
        seen["items"] = sorted(escaped(item) for item in server.call("SMEMBERS", key))
    return seen


def channels(server: Connection) -> dict:
    """Who listens: exact channels, channels of a slot, and the number of patterns."""
    return {"channels": counted(server, "CHANNELS", "NUMSUB"),
            "shardChannels": counted(server, "SHARDCHANNELS", "SHARDNUMSUB"),
            "patterns": server.call("PUBSUB", "NUMPAT")}


def counted(server: Connection, names: str, numbers: str) -> dict:
    try:
        found = server.call("PUBSUB", names)
        flat = server.call("PUBSUB", numbers, *found) if found else []
    except ServerError:  # a server older than the question
        return {}
    return {escaped(name): count for name, count in zip(flat[::2], flat[1::2])}


def waiting_clients(server: Connection) -> list:
    """The lines of clients that are blocked, subscribed or tracking."""
    lines = []
    for line in server.call("CLIENT", "LIST").decode("utf-8", "replace").splitlines():
        words = dict(word.split("=", 1) for word in line.split(" ") if "=" in word)
        is_subscribed = any(words.get(name, "0") not in ("0", "-1") for name in ("sub", "psub", "ssub"))
        if is_subscribed or set(words.get("flags", "")) & set("bt"):
            lines.append(" ".join(f"{name}={words[name]}" for name in CLIENT_FIELDS if name in words))
    return sorted(lines)


def picture(server: Connection) -> dict:
    """Everything at once. The keys are read one by one, so a renewal may fall in between."""
    seconds, micros = server.call("TIME")
    keys = [key_picture(server, key) for key in sorted(server.call("KEYS", "*"))]
    return {"serverTimeMs": int(seconds) * 1000 + int(micros) // 1000,
            "keys": [key for key in keys if key["type"] != "none"],
            "pubsub": channels(server), "clients": waiting_clients(server)}


def write(folder: str, case: dict, state: str, versions: dict, pictures: list) -> None:
    """One file per case and state. Whoever judges it adds "expect", as docs/decoders.md says."""
    document = {
        "source": f"{versions['library']} {versions['version']}, redis-server {versions['redis']}: {case['how']}; {state}",
        "recordedOn": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
        "library": versions["library"], "version": versions["version"], "redis": versions["redis"], "state": state,
        **pictures[0]}
    if len(pictures) > 1:
        document["otherServers"] = pictures[1:]
    path = os.path.join(folder, case["name"], state + ".json")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(document, file, indent=1, ensure_ascii=False)
        file.write("\n")
