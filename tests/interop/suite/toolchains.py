"""Fetches each language's libraries into the build folder, once per lock file, and says how its driver is started."""

import fcntl
import glob
import hashlib
import os
import shutil
import subprocess
import sys

from .scenario import environment_for

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class NotInstallable(Exception):
    """The libraries of a language cannot be had here; the text says why."""


class Toolchain:
    """A language: where its driver is, which files its libraries depend on, how they are fetched and started."""

    root = HERE
    folder = ""
    inputs = ()
    programs = ()

    def __init__(self, build: str):
        self.source = os.path.join(self.root, self.folder)
        self.target = os.path.join(build, self.name)
        self.environment = environment_for({})

    @property
    def name(self) -> str:
        return self.folder

    def prepare(self) -> None:
        """Does nothing if the same lock file was installed there before."""
        missing = [program for program in self.programs if not shutil.which(program)]
        if missing:
            raise NotInstallable(f"{' and '.join(missing)} not installed")
        os.makedirs(os.path.dirname(self.target), exist_ok=True)
        # Two runs at the same time share one folder: the second waits for the first.
        with open(self.target + ".lock", "w", encoding="utf-8") as guard:
            fcntl.flock(guard, fcntl.LOCK_EX)
            stamp = os.path.join(self.target, "installed.sha256")
            wanted = self._digest()
            if os.path.exists(stamp) and read(stamp) == wanted:
                return
            shutil.rmtree(self.target, ignore_errors=True)
            os.makedirs(self.target)
            self.install()
            with open(stamp, "w", encoding="utf-8") as file:
                file.write(wanted)

    def _digest(self) -> str:
        digest = hashlib.sha256()
        for name in self.inputs:
            with open(os.path.join(self.source, name), "rb") as file:
                digest.update(file.read())
        return digest.hexdigest()

    def copy(self, *names) -> None:
        for name in names:
            shutil.copy(os.path.join(self.source, name), self.target)

    def call(self, *words, **additional) -> None:
        """Runs one step of an installation; its last words become the reason if it fails."""
        process = subprocess.run(words, cwd=self.target, env={**self.environment, **additional}, text=True,
                                 stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if process.returncode != 0:
            lines = [line for line in process.stdout.strip().splitlines() if line.strip()]
            raise NotInstallable(f"{' '.join(words[:3])} failed: {' | '.join(lines[-3:])[-300:]}")

    def install(self) -> None:
        """Fetches and builds into self.target."""

    def command(self) -> list:
        """What starts the driver."""
        raise NotImplementedError


class Python(Toolchain):
    folder = "python"
    requirements = "requirements.txt"

    @property
    def inputs(self):
        return (self.requirements,)

    def install(self) -> None:
        # The file names every package that is needed: nothing is left to the resolver.
        self.call(sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--disable-pip-version-check",
                  "--root-user-action=ignore", "--target", "packages",
                  "--requirement", os.path.join(self.source, self.requirements))

    def command(self) -> list:
        self.environment["PYTHONPATH"] = os.path.join(self.target, "packages")
        return [sys.executable, os.path.join(self.source, "driver.py")]


class PythonMore(Python):
    """All libraries that get along with each other; the other folder has only those of the quick core."""

    requirements = "requirements-more.txt"

    @property
    def name(self) -> str:
        return "python-more"


class PythonOlder(Python):
    """Libraries that insist on an older redis-py."""

    requirements = "requirements-older.txt"

    @property
    def name(self) -> str:
        return "python-older"


class PythonOthers(Python):
    """Libraries whose modules are called like those of other libraries."""

    requirements = "requirements-others.txt"

    @property
    def name(self) -> str:
        return "python-others"


class Node(Toolchain):
    folder = "node"
    inputs = ("package.json", "package-lock.json")
    programs = ("node", "npm")
    options = ()

    def install(self) -> None:
        self.copy(*self.inputs)
        self.call("npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts", "--omit=dev", *self.options)

    def command(self) -> list:
        self.environment["NODE_PATH"] = os.path.join(self.target, "node_modules")
        return ["node", os.path.join(self.source, "driver.js")]


class NodeMore(Node):
    """More libraries; the other folder has only those that CI runs."""

    inputs = ("more/package.json", "more/package-lock.json")
    # What a library gets along with is named in package.json, and not fetched besides.
    options = ("--legacy-peer-deps",)

    @property
    def name(self) -> str:
        return "node-more"


class Java(Toolchain):
    folder = "java"
    libraries = "."
    driver = "Driver.java"
    programs = ("java", "javac", "mvn")

    @property
    def inputs(self):
        return (os.path.join(self.libraries, "pom.xml"), os.path.join(self.libraries, "jars.sha256"), self.driver, "Orders.java")

    def install(self) -> None:
        self.copy(self.inputs[0])
        os.makedirs(os.path.join(self.target, "classes"))
        self.call("mvn", "--batch-mode", "--quiet", "--strict-checksums", "--no-transfer-progress", "-Dstyle.color=never",
                  "dependency:copy-dependencies", "-DincludeScope=runtime", f"-DoutputDirectory={self.target}/jars")
        self._check_sums()
        sources = [os.path.join(self.source, name) for name in self.inputs if name.endswith(".java")]
        self.call("javac", "-d", "classes", "-cp", "jars/*", *sources)

    def _check_sums(self) -> None:
        """A pom does not pin what its dependencies depend on; the sums do."""
        found = []
        for path in sorted(glob.glob(os.path.join(self.target, "jars", "*.jar"))):
            with open(path, "rb") as file:
                found.append(f"{hashlib.sha256(file.read()).hexdigest()}  {os.path.basename(path)}")
        expected = read(os.path.join(self.source, self.inputs[1])).splitlines()
        if sorted(found) != sorted(expected):
            raise NotInstallable("the fetched libraries are not those of jars.sha256")

    def command(self) -> list:
        classes = os.path.join(self.target, "classes") + ":" + os.path.join(self.target, "jars", "*")
        # One of many short lives: no time is to be lost in optimising it.
        return ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto", "-cp", classes, "Driver"]


class JavaNewer(Java):
    """The Spring of today, which the libraries in the other folder do not work with."""

    libraries = "newer"

    @property
    def name(self) -> str:
        return "java-newer"


class JavaMore(Java):
    """Libraries with a driver of their own, so that those of the other folders stay as they are."""

    libraries = "more"
    driver = "more/Driver.java"

    @property
    def name(self) -> str:
        return "java-more"


class JavaOlder(Java):
    """Libraries that insist on an older Jedis."""

    libraries = "older"
    driver = "older/Driver.java"

    @property
    def name(self) -> str:
        return "java-older"


class Go(Toolchain):
    folder = "go"
    inputs = ("go.mod", "go.sum", "main.go")
    programs = ("go",)

    def install(self) -> None:
        self.copy(*self.inputs)
        self.call("go", "build", "-mod=readonly", "-o", "driver", ".")

    def command(self) -> list:
        return [os.path.join(self.target, "driver")]


class Rust(Toolchain):
    folder = "rust"
    inputs = ("Cargo.toml", "Cargo.lock", "main.rs")
    programs = ("cargo",)

    @property
    def lock_file(self) -> str:
        return next(name for name in self.inputs if name.endswith("Cargo.lock"))

    @property
    def built(self) -> str:
        """Outlives an installation: what did not change since the last one is not built again, which takes minutes."""
        return self.target + "-built"

    def install(self) -> None:
        self.copy(*(name for name in self.inputs if name != self.lock_file))
        self._write_lock_file()
        self.call("cargo", "build", "--locked", "--quiet", "--target-dir", self.built)

    def _write_lock_file(self) -> None:
        """The lock file in the tree does not say where crates come from: that is cargo's affair, and asked from it."""
        path = os.path.join(self.target, "Cargo.lock")
        self.call("cargo", "generate-lockfile", "--quiet")
        source = next(line for line in read(path).splitlines() if line.startswith("source = "))
        pinned = read(os.path.join(self.source, self.lock_file))
        with open(path, "w", encoding="utf-8") as file:
            file.write(pinned.replace("\nchecksum = ", f"\n{source}\nchecksum = "))

    def command(self) -> list:
        return [os.path.join(self.built, "debug/driver")]


class Php(Toolchain):
    """Debian's packages: nothing to fetch, only to find."""

    folder = "php"
    inputs = ("driver.php",)
    programs = ("php",)

    def install(self) -> None:
        self.call("php", os.path.join(self.source, "driver.php"), "--check")

    def command(self) -> list:
        return ["php", os.path.join(self.source, "driver.php")]


class Ruby(Toolchain):
    """Debian's packages as well."""

    folder = "ruby"
    inputs = ("driver.rb",)
    programs = ("ruby",)

    def install(self) -> None:
        self.call("ruby", os.path.join(self.source, "driver.rb"), "--check")

    def command(self) -> list:
        return ["ruby", os.path.join(self.source, "driver.rb")]


def read(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()


KINDS = {kind(".").name: kind for kind in (Python, PythonMore, PythonOlder, PythonOthers, Node, NodeMore, Java, JavaNewer, JavaMore,
                                            JavaOlder, Go, Rust, Php, Ruby)}
