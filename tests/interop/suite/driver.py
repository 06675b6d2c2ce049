"""The other side of a driver's pipe: orders go in, answers come back whenever the library is done.

A driver is started as `PROGRAM MODE OPTIONS PORT...`. It says {"ready": {"library": …, "version": …}} and then
answers every order {"id": 1, "client": "a", "do": "acquire"} ("open": only make the client) with {"id": 1, "done": …} or {"id": 1, "error": …}. Orders
to one client are obeyed one after the other, those to different clients at the same time.
"""

import json
import queue
import subprocess
import threading
import time


class DriverError(Exception):
    """The driver died, or said something that is no answer."""


class Answer:
    """What a driver will have said to one order."""

    def __init__(self):
        self._arrived = threading.Event()
        self.done = None
        self.error = None
        self.at = None

    def arrive(self, message: dict) -> None:
        self.at = time.monotonic()
        self.done = message.get("done")
        self.error = message.get("error")
        self._arrived.set()

    def wait(self, seconds: float) -> bool:
        return self._arrived.wait(seconds)


class Driver:
    """One running driver with its clients."""

    def __init__(self, command: list, environment: dict, mode: str, options: dict, ports: list):
        self._process = subprocess.Popen(
            command + [mode, json.dumps(options), *map(str, ports)], env=environment, text=True, bufsize=1,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", errors="replace")
        self._answers = {}
        self._ready = queue.Queue()
        self._stderr = []
        self._start_reading(self._read_answers)
        self._start_reading(self._read_stderr)

    @staticmethod
    def _start_reading(work) -> None:
        threading.Thread(target=work, daemon=True).start()

    def _read_answers(self) -> None:
        for line in self._process.stdout:
            try:
                message = json.loads(line)
            except ValueError:
                self._stderr.append(line)
                continue
            if "ready" in message:
                self._ready.put(message["ready"])
            elif message.get("id") in self._answers:
                self._answers[message["id"]].arrive(message)
        self._ready.put(None)
        for answer in list(self._answers.values()):
            if not answer.wait(0):
                answer.arrive({"error": "the driver ended: " + self.complaint()})

    def _read_stderr(self) -> None:
        for line in self._process.stderr:
            self._stderr.append(line)

    def complaint(self) -> str:
        """The last of what it printed besides answers."""
        return "".join(self._stderr[-12:]).strip()[-600:]

    def wait_until_ready(self, seconds: float = 60) -> dict:
        try:
            ready = self._ready.get(timeout=seconds)
        except queue.Empty:
            ready = None
        if ready is None:
            time.sleep(0.1)
            raise DriverError("the driver does not start: " + self.complaint())
        return ready

    def order(self, client: str, do: str) -> Answer:
        answer = Answer()
        number = len(self._answers) + 1
        self._answers[number] = answer
        try:
            self._process.stdin.write(json.dumps({"id": number, "client": client, "do": do}) + "\n")
            self._process.stdin.flush()
        except OSError:
            answer.arrive({"error": "the driver ended: " + self.complaint()})
        return answer

    def stop(self) -> None:
        """Ends it the hard way: a blocked client would never come to read the end of its input."""
        self._process.kill()
        self._process.wait()
