"""An adapter of a lock of few lines, right or wrong in one way, that is told apart: tst_process_stage.cpp.

    right            SET NX PX, and scripts that compare the token
    setnx-pexpire    takes the lock in two commands
    get-del          compares the token and deletes in two commands
    extend-by-set    takes a lost lock again and calls that an extension
    late-words       prints what is no answer
    odd-after-loss   the same, when its connection was lost
    dies-of-loss     ends, when its connection was lost
    ends-early       is never ready
    busy-beside      right, and does something on a connection of its own each half second
"""

import os
import socket
import sys
import threading
import time
import uuid

HABIT = sys.argv[1]
LEASE_MS = os.environ["LOCKSCOPE_LEASE_MS"]
DELETE = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end"
EXTEND = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('pexpire', KEYS[1], ARGV[2]) else return 0 end"


class Connection:
    """One connection, made anew after it was lost."""

    def __init__(self):
        self._socket = None
        self._file = None

    def ask(self, *words):
        try:
            if self._socket is None:
                self._socket = socket.create_connection((os.environ["LOCKSCOPE_HOST"], int(os.environ["LOCKSCOPE_PORT"])))
                self._file = self._socket.makefile("rb")
            parts = [f"*{len(words)}\r\n"] + [f"${len(word)}\r\n{word}\r\n" for word in words]
            self._socket.sendall("".join(parts).encode())
            return self._read()
        except OSError:
            self._forget()
            raise

    def _read(self):
        line = self._file.readline()
        if not line:
            raise ConnectionError("the server closed the connection")
        kind, rest = line[:1], line[1:].strip().decode()
        if kind == b"-":
            raise RuntimeError(rest)
        if kind == b":":
            return int(rest)
        if kind == b"$":
            return None if rest == "-1" else self._file.read(int(rest) + 2)[:-2].decode()
        return rest

    def _forget(self):
        if self._socket is not None:
            self._file.close()
            self._socket.close()
        self._socket = None


def acquire(server, tokens, key):
    token = f"{os.getpid()}:{uuid.uuid4().hex}"
    if HABIT == "setnx-pexpire":
        is_taken = server.ask("SETNX", key, token) == 1
        if is_taken:
            server.ask("PEXPIRE", key, LEASE_MS)
    else:
        is_taken = server.ask("SET", key, token, "NX", "PX", LEASE_MS) == "OK"
    if is_taken:
        tokens[key] = token
    return is_taken


def release(server, tokens, key):
    token = tokens.get(key, "none")
    if HABIT == "get-del":
        is_given = server.ask("GET", key) == token and server.ask("DEL", key) == 1
    else:
        is_given = server.ask("EVAL", DELETE, "1", key, token) == 1
    tokens.pop(key, None)
    return is_given


def extend(server, tokens, key):
    token = tokens.get(key, "none")
    if HABIT == "extend-by-set":
        return server.ask("SET", key, token, "PX", LEASE_MS) == "OK"
    return server.ask("EVAL", EXTEND, "1", key, token, LEASE_MS) == 1


def held(server, tokens, key):
    return server.ask("GET", key) == tokens.get(key, "none")


def count_half_seconds():
    server = Connection()
    while True:
        time.sleep(0.5)
        print("half a second is over", file=sys.stderr, flush=True)
        server.ask("INCR", "half-seconds")


def main():
    if HABIT == "ends-early":
        sys.exit("no server here")
    if HABIT == "busy-beside":
        threading.Thread(target=count_half_seconds, daemon=True).start()
    server = Connection()
    tokens = {}
    calls = {"acquire": acquire, "release": release, "extend": extend, "held": held}
    print("ready acquire release extend held reset", flush=True)
    for line in sys.stdin:
        word, thread, *keys = line.split()
        if HABIT == "late-words":
            print("INFO: got a line", flush=True)
        try:
            if word == "reset":
                tokens.clear()
            is_done = word == "reset" or calls[word](server, tokens, keys[0])
            answer = "yes" if is_done else "no"
        except (OSError, RuntimeError) as problem:
            answer = f"error {problem}"
            if HABIT == "dies-of-loss":
                raise
            if HABIT == "odd-after-loss":
                print("WARNING: no connection", flush=True)
        print(thread, answer, flush=True)


if __name__ == "__main__":
    main()
