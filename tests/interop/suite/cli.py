"""lockscope-cli as a user runs it, against the suite's own servers."""

import json
import os
import subprocess
import time


class Result:
    """What one call printed, its exit code, and when it had ended."""

    def __init__(self, process: subprocess.CompletedProcess):
        self.code = process.returncode
        self.text = process.stdout
        self.diagnostics = process.stderr.strip()
        self.ended = time.monotonic()

    def json(self):
        try:
            return json.loads(self.text)
        except ValueError:
            return None


class Cli:
    """One lockscope-cli and the servers that it is to look at."""

    def __init__(self, program: str, urls: list, folder: str):
        self._program = program
        self._servers = [word for url in urls for word in ("--url", url)]
        # The user's own audit file is none of the suite's business.
        self._audit = os.path.join(folder, "audit.jsonl")

    def _run(self, *words) -> Result:
        return Result(subprocess.run([self._program, *words, *self._servers, "--format", "json"], text=True,
                                     capture_output=True, timeout=60, stdin=subprocess.DEVNULL, check=False))

    def list(self, deep: bool) -> list:
        result = self._run("list", *(["--deep"] if deep else []))
        rows = result.json()
        if rows is None:
            raise RuntimeError(f"list says nothing: {result.diagnostics}")
        return rows

    def show(self, key: str) -> dict:
        return self._run("show", key).json() or {}

    def release(self, key: str, owner, options=("--follow", "0s")) -> Result:
        """Releases the hold of one owner; without one, all of them."""
        # Nothing is watched: the end of the call is the instant from which the wake-up is measured.
        return self._run("release", key, "--all" if owner is None else "--owner=" + owner, *options, "--audit-file", self._audit)
