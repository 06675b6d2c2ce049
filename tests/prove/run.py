#!/usr/bin/env python3
"""Real clients with documented mistakes, found by `lockscope-cli prove` from adapter and promise alone; and their mended versions,
in which the same search must find nothing.

    run.py [--only ID,...] [--budget SECONDS] [--core]

A bad version passes when the promise is broken and each replay shows it again; a control when nothing is found. A control passes only in
part where the budget ended before all single deviations were tried: that is said, and no failure. A client whose libraries cannot be
installed is skipped, and the exit code is 77 if nothing else was run.
"""

import argparse
import json
import os
import shlex
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import environments  # noqa: E402

NOT_ENOUGH = 9  # the exit code of a search that ended before all single deviations were tried


def call_for(arguments, case: dict, client: dict, command: list) -> list:
    budget = arguments.budget if client["role"] == "bad" else arguments.control_budget
    words = [arguments.cli, "prove", *environments.setting_of({**case, **client}), "--budget", f"{budget}s", "--format", "json",
             *(["--first"] if "kinds" not in case else []), "--promises", case["promise"], "--adapter", shlex.join(command)]
    for option in ("workload", "faults"):  # of a client that has other documented mistakes: what its case is about
        words += ["--" + option, client[option]] if option in client else []
    return words


def verdict_of(case: dict, client: dict, result) -> tuple:
    """How it went: passed, partly, FAILED; and in words."""
    if result.returncode not in (0, NOT_ENOUGH, 10):
        return "FAILED", f"exit code {result.returncode}: {result.stderr.strip()[-200:]}"
    report = json.loads(result.stdout)
    runs = report["coverage"]["runs"]
    # A mended version may have other mistakes, which are not what it was mended for.
    finds = [find for find in report["finds"] if find["kind"] in case.get("kinds", [find["kind"]])]
    if client["role"] == "control":
        others = [find["text"] for find in report["finds"] if find not in finds]
        single = report["coverage"]["single"]
        is_part = result.returncode == NOT_ENOUGH or single["played"] < single["planned"]
        words = [f"{runs} runs, {single['played']} of {single['planned']} single deviations"] + [find["text"] for find in finds] + \
            ["besides: " + text for text in others]
        return "FAILED" if finds else "partly" if is_part else "passed", "; ".join(words)
    if not finds:
        return "FAILED", f"{runs} runs, and nothing found"
    find = min(finds, key=lambda one: one["steps"])
    whole = find["replayed"] == find["replays"] > 0
    return "passed" if whole else "FAILED", f"{find['kind']} in {find['steps']} steps, replayed {find['replayed']} of {find['replays']}, {runs} runs: " + \
        "; ".join(find["deviations"])


def try_client(arguments, case: dict, client: dict) -> str:
    name = f"{case['id']} {case['library']} {client['version']} ({client['role']})"
    try:
        command = environments.command(client["environment"], client["adapter"])
    except environments.toolchains.NotInstallable as problem:
        print(f"SKIPPED  {name}: {problem}", flush=True)
        return "skipped"
    begin = time.monotonic()
    result = subprocess.run(call_for(arguments, case, client, command), text=True, check=False, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            env={**os.environ, "LOCKSCOPE_ADAPTER_OPTIONS": client.get("options", "")})
    verdict, text = verdict_of(case, client, result)
    print(f"{verdict}   {name}: {text} ({time.monotonic() - begin:.0f} s)", flush=True)
    return verdict


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", required=True, help="the program under test")
    parser.add_argument("--only", help="ids of cases, separated by commas")
    parser.add_argument("--core", action="store_true", help="only " + ", ".join(environments.CORE))
    parser.add_argument("--budget", type=int, default=120, help="seconds for a bad version")
    parser.add_argument("--control-budget", type=int, default=None, help="seconds for a control; as --budget without it")
    arguments = parser.parse_args()
    arguments.control_budget = arguments.control_budget or arguments.budget
    wanted = environments.CORE if arguments.core else arguments.only.split(",") if arguments.only else None
    results = [try_client(arguments, case, client)
               for case in environments.cases() if case["promise"] and (wanted is None or case["id"] in wanted)
               for client in case["clients"]]
    if "FAILED" in results:
        return 1
    return 0 if set(results) - {"skipped"} else 77


if __name__ == "__main__":
    sys.exit(main())
