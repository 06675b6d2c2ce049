"""A running adapter, spoken to as `lockscope-cli prove` does: see docs/adapters.md."""

import queue
import re
import subprocess
import threading
import time

WORDS = {"acquire", "release", "extend", "held", "interrupt", "cancel", "reset", "read", "threads", "reentrant", "fair", "no-lease"}
ANSWER = re.compile(r"(ready( [a-z-]+)+|\S+ (yes( \d+)?|no|error .+)|lost \S+ \S+)\Z")
GRANT = re.compile(r"(\S+ yes) (\d+)\Z")


class AdapterError(Exception):
    """It died, said nothing in time, or said something that is no line of the protocol."""


class Adapter:
    """Lines go in and come out in the order in which they were written."""

    def __init__(self, command: list, environment: dict):
        self._process = subprocess.Popen(command, env=environment, text=True, bufsize=1, encoding="utf-8", errors="replace",
                                         stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self._lines = queue.Queue()
        self._complaints = []
        self.noise = []
        self.numbers = []
        started = time.monotonic()
        for work in (self._read_lines, self._read_complaints):
            threading.Thread(target=work, daemon=True).start()
        self.words = self._wait_until_ready()
        self.ready_after = time.monotonic() - started

    def _read_lines(self) -> None:
        for line in self._process.stdout:
            line = line.rstrip("\n")
            if ANSWER.match(line):
                self._lines.put(line)
            else:
                self.noise.append(line)
        self._lines.put(None)

    def _read_complaints(self) -> None:
        for line in self._process.stderr:
            self._complaints.append(line)

    def _wait_until_ready(self) -> set:
        try:
            line = self.line(60)
            if not line.startswith("ready "):
                raise AdapterError(f"not ready but {line!r}")
        except AdapterError:
            self.stop()
            raise
        return set(line.split()[1:])

    def line(self, seconds: float = 30) -> str:
        """The next line, without its fencing number, which goes to `numbers`."""
        try:
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            raise AdapterError("no answer; " + self.complaint()) from None
        if line is None:
            time.sleep(0.1)
            raise AdapterError("the adapter ended; " + self.complaint())
        if grant := GRANT.match(line):
            self.numbers.append(int(grant[2]))
            return grant[1]
        return line

    def complaint(self) -> str:
        return "stderr: " + "".join(self._complaints[-20:]).strip()[-1500:]

    def say(self, *words) -> None:
        self._process.stdin.write(" ".join(words) + "\n")
        self._process.stdin.flush()

    def ask(self, word: str, thread: str, *rest) -> str:
        """The answer, without the thread's name."""
        self.say(word, thread, *rest)
        name, _, answer = self.line().partition(" ")
        if name != thread:
            raise AdapterError(f"{word} {thread} was answered by {name} {answer}")
        return answer

    def end(self) -> int:
        """Closes its input, which is what ends it."""
        self._process.stdin.close()
        try:
            return self._process.wait(10)
        except subprocess.TimeoutExpired:
            raise AdapterError("it goes on after the end of its input") from None
        finally:
            self.stop()

    def stop(self) -> None:
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            try:
                stream.close()
            except OSError:
                pass
