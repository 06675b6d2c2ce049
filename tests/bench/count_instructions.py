#!/usr/bin/env python3
"""Counts what a command in a simulated world takes, with event log and checkers, and fails above a bound.

    count_instructions.py PROGRAM BOUND

PROGRAM is bench_world of an optimised build, BOUND the instructions per command. Callgrind counts them: unlike
seconds, they are the same however busy the machine is. Everything is counted, from the start of the program on.
Ends with 77, which ctest counts as skipped, if there is no valgrind.
"""

import re
import shutil
import subprocess
import sys

SKIPPED = 77


def found(pattern, text, what):
    match = re.search(pattern, text)
    if match is None:
        sys.exit(f"count_instructions.py: {what} is not in what was printed:\n{text}")
    return int(match.group(1).replace(",", ""))


def main():
    program, bound = sys.argv[1], int(sys.argv[2])
    if shutil.which("valgrind") is None:
        print("skipped: there is no valgrind, which counts the instructions (scripts/install-dependencies)")
        return SKIPPED
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, "commands"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    printed = run.stdout + run.stderr
    if run.returncode != 0:
        sys.exit(f"count_instructions.py: {' '.join(command)} ended with {run.returncode}:\n{printed}")
    commands = found(r"\((\d+) commands\)", printed, "the number of commands")
    instructions = found(r"Collected : (\d+)", printed, "the number of instructions")
    each = round(instructions / commands)
    print(f"{each} instructions per command; at most {bound} ({instructions} for {commands} commands)")
    return 0 if each <= bound else 1


if __name__ == "__main__":
    sys.exit(main())
