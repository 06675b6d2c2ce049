#!/usr/bin/env python3
"""Real lock libraries against Lockscope: what it lists, what its release does, and who has the lock then.

Starts each library against a private redis-server, brings it into the states it has, and compares what lockscope-cli
says with the case's expectations (cases/*.json). Then Lockscope releases the lock with the owner that it showed itself, and
the client that waited has to get it. docs/interop.md tells how to add a case.
"""

import argparse
import concurrent.futures
import glob
import json
import os
import sys
import time

from suite.scenario import Case
from suite.toolchains import HERE, KINDS, NotInstallable

ROOT = os.path.dirname(os.path.dirname(HERE))


def main() -> int:
    options = parse_options()
    cases = chosen_cases(options)
    if options.list:
        for case in cases:
            print(f"{case['name']:34} {case['toolchain']:13} {'core' if case.get('core') else '    '}  {case['how']}")
        return 0
    if not os.access(options.cli, os.X_OK):
        print(f"run.py: no lockscope-cli at {options.cli}; build it, or name one with --cli", file=sys.stderr)
        return 2
    return Run(options, cases).play_all()


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", action="append", default=[], metavar="NAME",
                        help="only cases of the language NAME, or whose name or library contains it; may be repeated")
    parser.add_argument("--core", action="store_true", help="only the quick core that CI runs")
    parser.add_argument("--cli", default=os.path.join(ROOT, "build/dev-asan/app/lockscope-cli"), metavar="PATH")
    parser.add_argument("--build", default=os.path.join(ROOT, "build/interop"), metavar="DIR",
                        help="where the libraries are installed")
    parser.add_argument("--capture", metavar="DIR", help="write the keys of every state into DIR")
    parser.add_argument("--jobs", type=int, default=2, help="cases at the same time")
    parser.add_argument("--list", action="store_true", help="name the cases and stop")
    parser.add_argument("--markdown", metavar="FILE", help="also write the results as a table")
    return parser.parse_args()


def chosen_cases(options: argparse.Namespace) -> list:
    cases = []
    for path in sorted(glob.glob(os.path.join(HERE, "cases", "*.json"))):
        with open(path, encoding="utf-8") as file:
            cases.extend(json.load(file))
    return [case for case in cases if (case.get("core") or not options.core) and is_wanted(case, options.only)]


def is_wanted(case: dict, words: list) -> bool:
    texts = [case["name"], case["expect"].get("library", "").lower()]
    return not words or any(is_language(word, case) or any(word.lower() in text for text in texts) for word in words)


def is_language(word: str, case: dict) -> bool:
    """`java` is also java-newer: the same libraries in other versions."""
    return word.lower() in (case["toolchain"], case["toolchain"].split("-")[0])


class Run:
    """All chosen cases, and the count at the end."""

    def __init__(self, options: argparse.Namespace, cases: list):
        self._options = options
        self._cases = cases
        self._toolchains = {}
        self._reasons = {}
        self._results = []

    def play_all(self) -> int:
        begin = time.monotonic()
        self._prepare()
        ready = [case for case in self._cases if case["toolchain"] in self._toolchains]
        with concurrent.futures.ThreadPoolExecutor(self._options.jobs) as pool:
            for data, case in zip(ready, pool.map(self._play, ready)):
                self._report(data, "failed" if case.failures else "passed", case)
        for data in self._cases:
            if data["toolchain"] in self._reasons:
                case = self._case_of(data)
                case.failures.append(self._reasons[data["toolchain"]])
                self._report(data, "skipped", case)
        if self._options.markdown:
            self._write_table()
        counts = {word: sum(result[1] == word for result in self._results) for word in ("passed", "failed", "skipped")}
        print(f"{counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped"
              f" in {time.monotonic() - begin:.0f} s")
        return 1 if counts["failed"] else 0 if counts["passed"] else 77

    def _prepare(self) -> None:
        """Installs the languages that the cases need; one that cannot be installed skips its cases."""
        for name in sorted({case["toolchain"] for case in self._cases}):
            toolchain = KINDS[name](self._options.build)
            begin = time.monotonic()
            try:
                toolchain.prepare()
            except NotInstallable as problem:
                self._reasons[name] = str(problem)
                print(f"install   {name}: NOT INSTALLED: {problem}", flush=True)
                continue
            self._toolchains[name] = toolchain
            print(f"install   {name}: ready after {time.monotonic() - begin:.1f} s", flush=True)

    def _case_of(self, data: dict) -> Case:
        return Case(data, self._options.cli, self._options.capture)

    def _play(self, data: dict) -> Case:
        toolchain = self._toolchains[data["toolchain"]]
        case = self._case_of(data)
        try:
            case.play(toolchain.command(), toolchain.environment)
        except Exception as problem:  # a case that cannot be played is a failed one; the others go on
            case.failures.append(f"{type(problem).__name__}: {problem}")
        return case

    def _report(self, data: dict, outcome: str, case: Case) -> None:
        self._results.append((data, outcome, case))
        print(f"{outcome:9} {data['name']:34} {'; '.join(case.failures + case.notes)}", flush=True)

    def _write_table(self) -> None:
        with open(self._options.markdown, "w", encoding="utf-8") as file:
            file.write("| Case | Library | Listed as | Waiters | Next after | The old holder hears | Warnings | Result |\n"
                       "|---|---|---|---|---|---|---|---|\n")
            for data, outcome, case in self._results:
                shown = case.shown
                cells = [data["name"], shown.library, "; ".join(shown.listed), ", ".join(shown.waiters), shown.next,
                         shown.old_holder, " ".join(shown.warnings), "<br>".join([outcome, *case.failures])]
                file.write("| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |\n")


if __name__ == "__main__":
    sys.exit(main())
