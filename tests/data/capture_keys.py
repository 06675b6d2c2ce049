#!/usr/bin/python3
"""Writes down what a Redis server holds under some keys, in the form of the decoder corpus.

    capture_keys.py [--server redis://127.0.0.1:6379] [--source "library 1.2, how it was taken"] KEY...

Prints one JSON document with an empty "expect": fill it in by hand with what Lockscope should make of the keys. Needs
python3-redis. See docs/decoders.md.
"""

import argparse
import json

import redis


def escaped(data: bytes) -> str:
    """As lockscope::escaped(): UTF-8 stays, everything else becomes \\xNN."""
    text = data.decode("utf-8", "surrogateescape")
    out = []
    for i, c in enumerate(text):
        code = ord(c)
        if 0xDC80 <= code <= 0xDCFF:
            out.append(f"\\x{code - 0xDC00:02x}")
        elif code < 0x20 or 0x7F <= code <= 0x9F:
            out.extend(f"\\x{b:02x}" for b in c.encode())
        elif c == "\\" and text[i + 1:i + 2] == "x":
            out.append("\\x5c")
        else:
            out.append(c)
    return "".join(out)


def observe(server: redis.Redis, key: bytes) -> dict:
    kind = server.type(key).decode()
    seen = {"key": escaped(key), "type": kind}
    ttl = server.pttl(key)
    if ttl >= 0:
        seen["ttlMs"] = ttl
    if kind == "string":
        seen["value"] = escaped(server.get(key))
    elif kind == "hash":
        seen["fields"] = {escaped(f): escaped(v) for f, v in server.hgetall(key).items()}
    elif kind == "zset":
        seen["members"] = [[escaped(m), f"{score:.17g}"] for m, score in server.zrange(key, 0, -1, withscores=True)]
    return seen


def capture(server: redis.Redis, keys: list, source: str) -> dict:
    seconds, micros = server.time()
    return {
        "source": source,
        "serverTimeMs": seconds * 1000 + micros // 1000,
        "keys": [observe(server, key) for key in keys],
        "expect": [],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--server", default="redis://127.0.0.1:6379")
    parser.add_argument("--source", default="")
    parser.add_argument("keys", nargs="+", metavar="KEY")
    options = parser.parse_args()
    server = redis.Redis.from_url(options.server)
    document = capture(server, [key.encode() for key in options.keys], options.source)
    print(json.dumps(document, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
