#!/usr/bin/env python3
"""Writes docs/libraries.md: what `lockscope-cli prove` finds in each real client of cases.json, with every promise and every fault kind.

    report.py search --cli PROGRAM [--budget SECONDS] [--only ENVIRONMENT,...]   search; each client's result into build/prove/report
    report.py write                                                              the page, from all results

A find is written down if every one of its replays showed it again.
"""

import argparse
import hashlib
import json
import os
import re
import shlex
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import environments  # noqa: E402

RESULTS = os.path.join(environments.BUILD, "report")
PAGE = os.path.join(environments.ROOT, "docs", "libraries.md")
STORY_LINES = 40  # of a longer one the end
LINE_MAX = 160
PROMISES = ("mutual-exclusion", "read-write-exclusion", "no-stuck-lock", "no-lost-wakeup", "lease-honesty", "reentry-balance", "fairness",
            "fencing-order")

HEAD = """# What is found in real libraries

Written by `tests/prove/report.py`: unmodified packages from their registries, adapters of `tests/prove`, all promises and all fault kinds of
`lockscope-cli prove` ([how it searches and judges](prove.md)), no sequence given. Each find is the shortest of its kind that was seen, and
showed again in each of ten replays. *Real server*: how often it showed when it was played again on a `redis-server`. What no lease can prevent
without a fence is no find and not listed. *Nothing found* means: not within so many runs; never that a client is correct. *Nothing that each
replay showed*: something was seen that luck has a part in, which this page does not judge.

Clients in Go follow no clock but their own ([prove.md](prove.md)), so that each lease that ends takes its time; they had 100 s each, with eight
runs at the same time.
Versions are those of the documented mistake and of the one that mended it, where there is one; of the other libraries those that the tests of
interoperation use. Each other client was searched for less than half a minute on two cores. Little was tried of those with few runs.
"""


MATRIX_HEAD = """## By promise

The fault kinds of the shortest runs that break a promise, of all that there are. –: nothing found. Empty: not asked, as nobody waits, reads, takes the
lock twice, is to be served in turn, or gets a number; or not judged, see below.
"""

TAIL = """## Not searched, or not judged, and why

- **APScheduler** has no lock in Redis: version 3 keeps its jobs there without one, and version 4 has no data store there, only an event broker.
- **Bull** has its waiters listen for a job, and adds none for them when another one is done: whether they wait in vain was not judged. A job of a
  dead worker, of **Bull** and **BullMQ**, is free again only when somebody has its queue open for some time: whether locks are stuck was not judged.
- **GitLab's reliable fetcher** for Sidekiq has no release: it leaves its lease to lapse.
- **node-resque**'s QueueLock keeps the time at which it is over in its value, behind which anyone may take it: the key itself expires only where its
  second command got through. Whether it is stuck was not judged.
- **single-beat** 0.6.3 has no release: it runs one command in a process of its own and leaves its key to lapse. Use `prove --program` for it.
- **TaskTiger**'s lock of a task is redis-py's, and only a whole worker reaches it; its semaphore is in the list.
- **rueidislock** without `NoLoopTracking`, which is its default: each renewal is answered with a notice that sets off the next one, thousands a
  second, and no run comes to an end. It was searched as its guide has it for one server, and on a real one: the simulated server has no
  `CLIENT TRACKING ON`.
- **redis-rw-lock** has no time-out, its adapter gives up nevertheless, and whoever gives up waits on behind its back: whether locks are stuck after
  that was not judged.
"""


def title_of(client: dict) -> str:
    options = client["options"].replace("|", "\\|")
    return " ".join(word for word in (client["library"], client["version"]) if word) + f", {client['subject']}" + \
        (f" (`{options}`)" if options else "")


def clients(only=None) -> list:
    """Libraries, not our own broken workers. A lock without a lease in programs that count on one belongs to its case alone: that it stays
    when its holder dies is no mistake of its library."""
    wanted = [each for each in environments.all_clients() if (each["upstream"] or each["role"] == "control") and each.get("inTable", True)]
    return [each for each in wanted if only is None or each["environment"] in only]


def promises_of(client: dict) -> str:
    """All but those that the adapter of a library without a time-out breaks where it gives up waiting."""
    return ",".join(promise for promise in PROMISES if promise not in client.get("notJudged", ()))


def result_file(client: dict) -> str:
    key = "|".join((client["environment"], client["adapter"], client["options"]))
    return os.path.join(RESULTS, f"{client['environment']}-{hashlib.sha256(key.encode()).hexdigest()[:8]}.json")


def search(arguments) -> int:
    os.makedirs(RESULTS, exist_ok=True)
    for client in clients(arguments.only.split(",") if arguments.only else None):
        try:
            command = environments.command(client["environment"], client["adapter"])
        except environments.toolchains.NotInstallable as problem:
            print(f"skipped  {title_of(client)}: {problem}", flush=True)
            continue
        words = [arguments.cli, "prove", *environments.setting_of(client), "--promises", promises_of(client), "--budget", f"{arguments.budget}s",
                 "--format", "json", "--adapter", shlex.join(command)]
        done = subprocess.run(words, text=True, check=False, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env={**os.environ, "LOCKSCOPE_ADAPTER_OPTIONS": client["options"]})
        result = json.loads(done.stdout) if done.returncode in (0, 9, 10) else {"mistake": done.stderr.strip()}
        with open(result_file(client), "w", encoding="utf-8") as file:
            json.dump(result, file, indent=1)
        print(f"{client['environment']} {client['options']}: {summary_of(result)}", flush=True)
    return 0


def sure_finds(result: dict) -> list:
    return sorted((find for find in result.get("finds", []) if find["replayed"] == find["replays"] > 0),
                  key=lambda find: (find["promise"], find["steps"], find["kind"]))


def summary_of(result: dict) -> str:
    if "mistake" in result:
        return result["mistake"]
    finds = [f"{find['kind']} {find['steps']} ({find['replayed']}/{find['replays']})" for find in result["finds"]]
    return f"{result['coverage']['runs']} runs: " + ("; ".join(finds) or "nothing found")


def cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def links(upstream: list) -> str:
    return ", ".join(f"[{'/'.join(url.split('/')[3:5])} {url.split('/')[-1]}]({url})" for url in upstream)


def real_of(find: dict) -> str:
    return f"{find['realReplayed']} of {find['realReplays']}" if find.get("realReplays") else "not tried"


def rows_of(client: dict, result: dict) -> list:
    title = cell(title_of(client))
    runs = result.get("coverage", {}).get("runs", 0)
    if "mistake" in result:
        return [f"| {title} | – | – | – | – | – | cannot be searched: {cell(result['mistake'])} |"]
    finds = sure_finds(result)
    if not finds:
        verdict = "nothing that each replay showed" if any(find["replayed"] > 0 for find in result["finds"]) else \
            "nothing found, but not all single deviations were tried" if result.get("verdict") == "not-enough" else "nothing found"
        return [f"| {title} | – | – | – | – | {runs} | {verdict} |"]
    rows = []
    for find in finds:
        faults = ", ".join(f"`{fault}`" for fault in find["faults"]) or "none"
        rows.append(f"| {title} | `{find['promise']}`: {find['kind']} | {find['steps']} | {faults} | {real_of(find)} | {runs} | {cell(find['text'])} |")
        title = ""
    return rows


def is_asked(client: dict, promise: str) -> bool:
    """Whether the adapter can do what breaks the promise, and its client is judged by it."""
    if promise in client.get("notJudged", ()):
        return False
    return {"mutual-exclusion": "read" not in client["words"], "read-write-exclusion": "read" in client["words"],
            "no-lost-wakeup": client.get("waits", True), "reentry-balance": "reentrant" in client["words"], "fairness": "fair" in client["words"],
            "fencing-order": client.get("fencing", False)}.get(promise, True)


def matrix_row(client: dict, result: dict) -> str:
    """Each promise, with the fault kinds by which it was broken."""
    cells = []
    for promise in PROMISES:
        broken = [find for find in sure_finds(result) if find["promise"] == promise]
        kinds = sorted({fault for find in broken for fault in find["faults"] or ["no fault"]})
        cells.append(", ".join(kinds) or ("–" if is_asked(client, promise) else ""))
    return f"| {cell(title_of(client))} | {' | '.join(cells)} |"


def without_folders(line: str) -> str:
    """A file of a library, or an adapter, by its place in it, not by where it was installed."""
    line = re.sub(r"(?:/[^\s/\"'():]+)+/(tests/prove/)", r"\1", line)
    return re.sub(r"(?:/[^\s/\"'():]+)+/(?:packages|node_modules|lib/python[\d.]+)/", "", line)


def shortened(story: list) -> list:
    story = [without_folders(line) for line in story]
    lines = [line if len(line) <= LINE_MAX else line[:LINE_MAX] + "…" for line in story]
    return lines if len(lines) <= STORY_LINES else [f"… {len(lines) - STORY_LINES} lines", *lines[-STORY_LINES:]]


def story_of(client: dict, result: dict) -> list:
    lines = []
    for find in sure_finds(result):
        lines += [f"### {title_of(client)}: {find['kind']}", "",
                  f"Workload `{find['workload']}`. Issues about this version: {links(client['upstream'])}." if client["upstream"] and client["role"] == "bad"
                  else f"Workload `{find['workload']}`.", "", "```", *shortened(find["story"]), "```", ""]
    return lines


def page() -> str:
    lines = [HEAD, "| Client | Broken | Steps | Fault kinds | Real server | Runs | In short |", "|---|---|---|---|---|---|---|"]
    matrix = ["| Client | " + " | ".join(PROMISES) + " |", "|---" * (1 + len(PROMISES)) + "|"]
    stories = []
    for client in sorted(clients(), key=lambda each: (each["library"].lower(), each["environment"], each["options"])):
        if not os.path.exists(result_file(client)):
            continue
        with open(result_file(client), encoding="utf-8") as file:
            result = json.load(file)
        lines += rows_of(client, result)
        matrix += [matrix_row(client, result)] if "mistake" not in result else []
        stories += story_of(client, result)
    return "\n".join([*lines, "", MATRIX_HEAD, *matrix, "", TAIL, "## The shortest runs", "", *stories]).rstrip() + "\n"


def write() -> int:
    text = page()
    for folder in (environments.ROOT, os.path.expanduser("~"), sys.base_prefix):
        if folder + "/" in text:
            print(f"report.py: a story names a folder of this machine, {folder}: see without_folders()", file=sys.stderr)
            return 1
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(text)
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    orders = parser.add_subparsers(dest="order", required=True)
    searching = orders.add_parser("search", help="search the clients")
    searching.add_argument("--cli", required=True, help="lockscope-cli")
    searching.add_argument("--budget", type=int, default=60, help="seconds for each client (60)")
    searching.add_argument("--only", help="environments, separated by commas")
    orders.add_parser("write", help="write the page")
    arguments = parser.parse_args()
    return search(arguments) if arguments.order == "search" else write()


if __name__ == "__main__":
    sys.exit(main())
