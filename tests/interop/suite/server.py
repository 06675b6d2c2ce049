"""A private redis-server: a free loopback port, a temporary folder, and an end by its own process."""

import shutil
import socket
import subprocess
import tempfile
import time

from .resp import Connection


class Server:
    """Runs from construction to stop()."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="lockscope-interop-")
        try:
            self._start()
        except BaseException:
            self.stop()
            raise

    def _start(self) -> None:
        # Another program may take the port between the question and the start: then the next one.
        for _ in range(5):
            self.port = free_port()
            self._process = subprocess.Popen(
                ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no",
                 "--dir", self.folder], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            if self._answers():
                return
        raise RuntimeError("redis-server does not start")

    def _answers(self) -> bool:
        deadline = time.monotonic() + 10
        while self._process.poll() is None and time.monotonic() < deadline:
            try:
                connection = Connection(self.port)
                if connection.call("PING") == b"PONG":
                    self.connection = connection
                    return True
            except OSError:
                time.sleep(0.02)
        return False

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}"

    def version(self) -> str:
        info = self.connection.call("INFO", "server").decode()
        return next(line.split(":", 1)[1] for line in info.splitlines() if line.startswith("redis_version:"))

    def stop(self) -> None:
        process = getattr(self, "_process", None)
        if process and process.poll() is None:
            process.terminate()
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
