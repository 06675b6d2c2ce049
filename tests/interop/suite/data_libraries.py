"""Real libraries that write keys that are no locks: which programs drive them, and where they are installed."""

import json
import os
import subprocess

from .toolchains import Go, Node, Python, PythonMore


class PythonData(Python):
    """Libraries for the web, which need no lock library."""

    requirements = "requirements-data.txt"

    @property
    def name(self) -> str:
        return "python-data"


class NodeData(Node):
    inputs = ("data/package.json", "data/package-lock.json")

    @property
    def name(self) -> str:
        return "node-data"

    def install(self) -> None:
        self.copy(*self.inputs)
        self.call("npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts", "--legacy-peer-deps")


class GoData(Go):
    inputs = ("data/go.mod", "data/go.sum", "data/main.go")

    @property
    def name(self) -> str:
        return "go-data"


class Writer:
    """One program that fills a server by the libraries of a toolchain."""

    def __init__(self, toolchain, *words):
        self._toolchain = toolchain
        self._words = words
        self.name = toolchain.name

    def write(self, port: int, count: int, seed: int) -> dict:
        """Patterns of the keys that were written, by group."""
        self._toolchain.prepare()
        command = self._toolchain.command()  # sets the paths to the libraries
        words = [os.path.join(self._toolchain.source, word) for word in self._words]
        program = [command[0], *words] if words else command
        process = subprocess.run([*program, str(port), str(count), str(seed)], env=self._toolchain.environment, text=True,
                                 stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, check=True)
        return json.loads(process.stdout)


def writers(build: str, takes_all: bool) -> list:
    if not takes_all:
        return [Writer(Python(build), "plain_data.py")]
    return [Writer(PythonMore(build), "plain_data.py"), Writer(PythonData(build), "more_plain_data.py"),
            Writer(NodeData(build), os.path.join("data", "plain_data.js")), Writer(GoData(build))]
