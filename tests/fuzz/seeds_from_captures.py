#!/usr/bin/env python3
"""Writes the captures of tests/data as inputs of fuzz_decoders, one file each.

    tests/fuzz/seeds_from_captures.py FOLDER

A capture whose keys do not fit into the form of that input (three keys, three fields, names of 255 bytes) is cut.
"""

import codecs
import json
import pathlib
import sys

TESTS = pathlib.Path(__file__).resolve().parent.parent
TYPES = ["none", "string", "hash", "list", "set", "zset"]
HAS_EXPIRY = 0x10
MOST_KEYS = MOST_FIELDS = 3


def measured(text):
    """Behind one byte that tells its length. Bytes that are no text are written \\xNN in captures."""
    content = codecs.escape_decode(text.encode())[0][:255]
    return bytes([len(content)]) + content


def parts_of(key):
    """Names with what is stored under them, of a collection of any type."""
    members = key.get("members") or key.get("items") or []
    pairs = list((key.get("fields") or {}).items()) + [pair if isinstance(pair, list) else (pair, "") for pair in members]
    return pairs[:MOST_FIELDS]


def seed_of(capture):
    keys = [key for key in capture["keys"] if key["type"] in TYPES[1:]][:MOST_KEYS]
    seed = bytes([len(keys)])
    for key in keys:
        kind = TYPES.index(key["type"])
        fields = parts_of(key)
        options = kind | (HAS_EXPIRY if key.get("ttlMs") is not None else 0) | len(fields) << 6
        seed += bytes([options]) + measured(key["key"])
        if not fields:
            seed += measured(key.get("value") or "")
        for name, value in fields:
            seed += measured(name) + (measured(str(value)) if key["type"] in ("hash", "zset") else b"")
    return seed


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for path in sorted((TESTS / "data").rglob("*.json")):
        name = "-".join(path.relative_to(TESTS / "data").with_suffix("").parts)
        (folder / name).write_bytes(seed_of(json.loads(path.read_text())))


main()
