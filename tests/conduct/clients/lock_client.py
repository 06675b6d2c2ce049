"""An adapter of a lock of few lines, right or wrong in one way, that is told apart: tst_process_stage.cpp.

    right            SET NX PX, and scripts that compare the token
    minds-deadline   the same, and refuses an acquire or an extension whose answer comes after the end of its lease
    setnx-pexpire    takes the lock in two commands
    end-in-value     takes the lock with SETNX, keeps its end in whole seconds in the value, and takes it over after that
    late-end-in-value    the same, with an end that comes two minutes later
    get-del          compares the token and deletes in two commands
    extend-by-set    takes a lost lock again and calls that an extension
    mistyped-extend  extends with a command that no server knows
    late-words       prints what is no answer
    odd-after-loss   the same, when its connection was lost
    dies-of-loss     ends, when its connection was lost
    ends-early       is never ready
    silent           the same, but goes on
    slow             computes for a while before it takes the lock, in real time
    ready-twice      says "ready" once more at once
    ready-late       says "ready" once more instead of the first answer
    unasked          answers before it was asked
    endless-line     prints a line that does not end
    large-request    sends five megabytes at a time before it takes the lock
    many-megabytes   sends three megabytes again and again before it takes the lock
    large-script     has a script fill the memory before it takes the lock
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


def begin_oddly(server):
    if HABIT == "slow":
        sum(range(2_000_000))
    elif HABIT == "large-request":
        server.ask("SET", "much", "x" * 5_000_000)
    elif HABIT == "many-megabytes":
        for _ in range(30):
            server.ask("SET", "much", "x" * 3_000_000)
    elif HABIT == "large-script":
        server.ask("EVAL", "local s = 'x' while true do s = s .. s end", "0")


def take_over(server, key, token):
    """SETNX, and GETSET once the end in the value is over. The end is rounded up, so that it never comes too early."""
    now = int(time.time())
    end = now + int(LEASE_MS) // 1000 + (120 if HABIT.startswith("late") else 1)
    value = f"{end}:{token}"
    if server.ask("SETNX", key, value) == 1:
        return value
    old = server.ask("GET", key)
    is_over = old is not None and int(old.split(":")[0]) < now
    return value if is_over and server.ask("GETSET", key, value) == old else None


def is_too_late(began):
    """Whether the lease of what was asked for at `began` is over by the clock of this process."""
    return HABIT == "minds-deadline" and time.monotonic() >= began + int(LEASE_MS) / 1000


def acquire(server, tokens, key):
    begin_oddly(server)
    token = f"{os.getpid()}:{uuid.uuid4().hex}"
    began = time.monotonic()
    if HABIT.endswith("end-in-value"):
        token = take_over(server, key, token)
        is_taken = token is not None
    elif HABIT == "setnx-pexpire":
        is_taken = server.ask("SETNX", key, token) == 1
        if is_taken:
            server.ask("PEXPIRE", key, LEASE_MS)
    else:
        is_taken = server.ask("SET", key, token, "NX", "PX", LEASE_MS) == "OK"
    is_taken = is_taken and not is_too_late(began)
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
    if HABIT == "mistyped-extend":
        return server.ask("PEXPIR", key, LEASE_MS) == 1
    began = time.monotonic()
    return server.ask("EVAL", EXTEND, "1", key, token, LEASE_MS) == 1 and not is_too_late(began)


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
    if HABIT == "silent":
        sys.stdin.read()
    if HABIT == "endless-line":
        print("x" * 1_000_000, end="", flush=True)
        sys.stdin.read()
    if HABIT == "busy-beside":
        threading.Thread(target=count_half_seconds, daemon=True).start()
    server = Connection()
    tokens = {}
    calls = {"acquire": acquire, "release": release, "extend": extend, "held": held}
    ready = "ready acquire release extend held reset"
    print(ready, flush=True)
    if HABIT == "ready-twice":
        print(ready, flush=True)
    if HABIT == "unasked":
        print("t0 yes", flush=True)
    for line in sys.stdin:
        word, thread, *keys = line.split()
        if HABIT == "late-words":
            print("INFO: got a line", flush=True)
        if HABIT == "ready-late":
            print(ready, flush=True)
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
