#!/usr/bin/env python3
"""Keys that are no locks, in hundreds of kinds: none may be called a lock with confidence, and next to none be listed.

Fills a private redis-server by generators (suite/plain_data.py) and by real libraries (suite/data_libraries.py), and runs
`lockscope-cli list` with and without --deep. Then the other side: real tokens under the names of locks, all of which have to be
listed (suite/true_locks.py).
"""

import argparse
import collections
import json
import os
import random
import re
import subprocess
import sys
import time

from suite import data_libraries, plain_data, true_locks
from suite.drawing import Drawing
from suite.resp import escaped
from suite.server import Server
from suite.toolchains import HERE, NotInstallable

ROOT = os.path.dirname(os.path.dirname(HERE))
LISTED_AT_MOST = 1 / 1000


def main() -> int:
    options = parse_options()
    if not os.access(options.cli, os.X_OK):
        print(f"not_locks.py: no lockscope-cli at {options.cli}; build it, or name one with --cli", file=sys.stderr)
        return 2
    print(f"seed {options.seed}", flush=True)
    complaints = check_data(options) + check_locks(options)
    for complaint in complaints:
        print(f"FAIL {complaint}")
    print("failed" if complaints else "passed")
    return 1 if complaints else 0


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=50_000, help="keys that are no locks (default %(default)s)")
    parser.add_argument("--seed", type=int, default=random.randrange(10**9), help="repeats a run")
    parser.add_argument("--cli", default=os.path.join(ROOT, "build/dev-asan/app/lockscope-cli"), metavar="PATH")
    parser.add_argument("--build", default=os.path.join(ROOT, "build/interop"), metavar="DIR",
                        help="where the libraries are installed")
    parser.add_argument("--libraries", choices=("none", "core", "all"), default="core",
                        help="which real libraries write keys as well; core: Python's, as far as another test has installed "
                             "them (default %(default)s)")
    return parser.parse_args()


class Data:
    """A server full of keys, and which group each key is of."""

    def __init__(self, server: Server, options: argparse.Namespace):
        self._server = server
        self._options = options
        self._groups = plain_data.groups()
        self.library_groups = {}
        self._group_of_key = {}

    def fill(self) -> None:
        self.library_groups = self._by_libraries()
        share = max(1, self._options.count // (len(self._groups) + len(self.library_groups)))
        drawing = Drawing(self._options.seed)
        send(self._server, self._commands(drawing, share))

    def _commands(self, drawing: Drawing, share: int):
        for group in self._groups:
            for _ in range(share):
                commands = group.draw(drawing)
                # Of a million names some are drawn twice, also by groups whose values are of other types.
                if self._group_of_key.setdefault(commands[0][1], group.name) != group.name:
                    continue
                yield from commands

    def _by_libraries(self) -> dict:
        """Patterns of the keys of each group that a library wrote."""
        if self._options.libraries == "none":
            return {}
        each = max(1, self._options.count // 300)
        groups = {}
        for writer in data_libraries.writers(self._options.build, self._options.libraries == "all"):
            try:
                groups.update(writer.write(self._server.port, each, self._options.seed))
            except NotInstallable as reason:
                print(f"SKIPPED {writer.name}: {reason}", flush=True)
        return groups

    def group_count(self) -> int:
        return len(self._groups) + len(self.library_groups)

    def group_of(self, key: str) -> str:
        name = self._group_of_key.get(key.encode())
        if name is None:
            name = next((name for name, pattern in self.library_groups.items() if re.fullmatch(pattern, key, re.DOTALL)), None)
        return name or f"unknown: {key}"


def send(server: Server, commands) -> None:
    """Many commands at once, whose replies are only counted."""
    batch = []
    for command in commands:
        batch.append(command)
        if len(batch) == 1000:
            server.connection.call_all(batch)
            batch = []
    server.connection.call_all(batch)


def check_data(options: argparse.Namespace) -> list:
    server = Server()
    try:
        data = Data(server, options)
        begin = time.monotonic()
        data.fill()
        count = server.connection.call("DBSIZE")
        print(f"{count} keys in {data.group_count()} groups, {len(data.library_groups)} of them by real libraries, "
              f"written in {time.monotonic() - begin:.0f} s", flush=True)
        complaints = [] if data.group_count() >= 150 else ["fewer than 150 groups"]
        for deep in (False, True):
            complaints += judge(rows_of(options.cli, server, deep), data, count, deep)
        return complaints
    finally:
        server.stop()


def rows_of(program: str, server: Server, deep: bool) -> list:
    begin = time.monotonic()
    process = subprocess.run([program, "list", *(["--deep"] if deep else []), "--url", server.url, "--format", "json"], text=True,
                             capture_output=True, stdin=subprocess.DEVNULL, check=False)
    notes = "; ".join(line for line in process.stderr.splitlines() if line)
    print(f"list{' --deep' if deep else ''}: {time.monotonic() - begin:.1f} s, {notes}", flush=True)
    if process.returncode != 0:
        raise RuntimeError(f"list ends with {process.returncode}")
    return json.loads(process.stdout)


def judge(rows: list, data: Data, count: int, deep: bool) -> list:
    """Prints how the rows are spread over the groups; what is wrong with them."""
    offenders = collections.Counter((data.group_of(row["key"]), row["confidence"], row["format"]) for row in rows)
    by_confidence = collections.Counter(row["confidence"] for row in rows)
    title = "list --deep" if deep else "list"
    print(f"{title}: {len(rows)} of {count} keys listed; {dict(by_confidence)}")
    for (group, confidence, kind), number in offenders.most_common() if not deep else \
            [entry for entry in offenders.most_common() if entry[0][1] != "low"]:
        print(f"  {number:7}  {confidence:6}  {kind:18}  {group}")
    complaints = []
    certain = len(rows) - by_confidence["low"]
    if certain:
        complaints.append(f"{title}: {certain} keys that are no locks have more than low confidence")
    if not deep and len(rows) > count * LISTED_AT_MOST:
        complaints.append(f"{title}: {len(rows)} of {count} keys that are no locks are listed")
    return complaints


def check_locks(options: argparse.Namespace) -> list:
    server = Server()
    try:
        made = true_locks.draw(Drawing(options.seed), 40)
        send(server, (command for _, commands in made.values() for command in commands))
        listed = {row["key"] for row in rows_of(options.cli, server, False)}
        missing = collections.Counter(kind for key, (kind, _) in made.items() if escaped(key) not in listed)
        print(f"true locks: {len(listed)} of {len(made)} listed")
        return [f"{number} locks of the kind '{kind}' are not listed" for kind, number in missing.items()]
    finally:
        server.stop()


if __name__ == "__main__":
    sys.exit(main())
