#!/usr/bin/env python3
"""The real clients that `lockscope-cli prove` is tried on: fetches a library in one version, and says how its adapter starts.

    environments.py list                      each environment with its adapters and their options, as cases.json has them
    environments.py prepare NAME...           fetch, once per lock file, into build/prove/NAME
    environments.py command NAME ADAPTER      print what starts the adapter; fetches if need be
"""

import argparse
import glob
import json
import os
import shlex
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "tests", "interop"))

from suite import toolchains  # noqa: E402

BUILD = os.path.join(ROOT, "build", "prove")
CORE = ("A4", "A10", "A6", "A5")  # the cases that CI tries: Python twice, Node, Java


class Environment:
    """Mixed into a toolchain of the interoperation suite: the same installation, of the libraries of one lock file."""

    root = HERE

    def __init__(self, name: str, build: str):
        self._name = name
        super().__init__(build)

    @property
    def name(self) -> str:
        return self._name

    @classmethod
    def found(cls, pattern: str) -> list:
        """The names that stand for * in a pattern below the language's folder."""
        head, tail = os.path.join(HERE, cls.folder, "environments", pattern).split("*")
        return sorted(path[len(head):len(path) - len(tail)] for path in glob.glob(head + "*" + tail))


class Python(Environment, toolchains.Python):
    @classmethod
    def names(cls) -> list:
        return cls.found("*.txt")

    @property
    def requirements(self) -> str:
        return os.path.join("environments", self.name + ".txt")

    def adapter_command(self, adapter: str) -> list:
        return ["env", "PYTHONPATH=" + os.path.join(self.target, "packages"),
                sys.executable, "-B", "-u", os.path.join(self.source, adapter + ".py")]


class Node(Environment, toolchains.Node):
    @classmethod
    def names(cls) -> list:
        return cls.found("*/package.json")

    @property
    def inputs(self) -> tuple:
        return tuple(os.path.join("environments", self.name, file) for file in ("package.json", "package-lock.json"))

    def adapter_command(self, adapter: str) -> list:
        return ["env", "NODE_PATH=" + os.path.join(self.target, "node_modules"), "node",
                os.path.join(self.source, adapter + ".js")]


class Java(Environment, toolchains.Java):
    """The libraries decide which adapters are compiled against them."""

    adapters = {"redisson": "RedissonLocks", "spring-integration": "SpringLocks", "shedlock": "ShedLocks", "lock4j": "Lock4jLocks",
                "redisx": "RedisxLocks", "jedis-lock": "JedisLocks", "jetcache": "JetCacheLocks", "shedlock-spring": "OldShedLocks",
                "redisson-old": "OldRedissonLocks", "spring-data-redis": "SpringCacheLoads", "spring-data-redis-old": "SpringCacheCleans",
                "quartz-redis-jobstore": "QuartzLocks"}

    shared = {"spring-integration": ("Lettuce",), "lock4j": ("Lettuce",), "shedlock": ("Lettuce", "ShedJobs"),
              "shedlock-spring": ("Lettuce", "ShedJobs"), "spring-data-redis": ("Lettuce", "Section", "SpringCaches", "SpringCacheCleans"),
              "spring-data-redis-old": ("Lettuce", "Section", "SpringCaches"), "jedis-lock": ("JedisConnections",),
              "quartz-redis-jobstore": ("JedisConnections",)}

    @classmethod
    def names(cls) -> list:
        return cls.found("*/pom.xml")

    @property
    def inputs(self) -> tuple:
        library = self.name.rsplit("-", 1)[0]
        files = (os.path.join("environments", self.name, file) for file in ("pom.xml", "jars.sha256"))
        classes = ("Dialogue", *self.shared.get(library, ()), self.adapters[library])
        return (*files, *(name + ".java" for name in classes))

    def adapter_command(self, adapter: str) -> list:
        classes = os.path.join(self.target, "classes") + ":" + os.path.join(self.target, "jars", "*")
        return ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx96m", "-Xshare:auto", "-cp", classes, adapter]


class Go(Environment, toolchains.Go):
    """Each library has one adapter, which is called like it."""

    @classmethod
    def names(cls) -> list:
        return cls.found("*/go.mod")

    @property
    def inputs(self) -> tuple:
        library = self.name.rsplit("-", 1)[0]
        files = (os.path.join("environments", self.name, file) for file in ("go.mod", "go.sum"))
        return (*files, "dialogue.go", library + ".go")

    def adapter_command(self, adapter: str) -> list:
        return self.command()


class Rust(Environment, toolchains.Rust):
    """Each library has one adapter, which is called like it."""

    @classmethod
    def names(cls) -> list:
        return [name for name in cls.found("*/Cargo.toml") if name != "redis-crate-0.32.7"]

    @property
    def inputs(self) -> tuple:
        files = (os.path.join("environments", self.name, file) for file in ("Cargo.toml", "Cargo.lock"))
        return (*files, self.program)

    @property
    def program(self) -> str:
        return self.name.rsplit("-", 1)[0] + ".rs"

    def adapter_command(self, adapter: str) -> list:
        return self.command()


class RustSkeleton(Rust):
    """The skeleton is an adapter of the redis crate."""

    program = "../../../resources/adapters/rust.rs"

    @classmethod
    def names(cls) -> list:
        return ["redis-crate-0.32.7"]


class Shell(Environment, toolchains.Toolchain):
    """Nothing to fetch: redis-cli is here or it is not."""

    folder = "workers"
    programs = ("sh", "redis-cli")

    @classmethod
    def names(cls) -> list:
        return ["redis-cli"]

    def adapter_command(self, adapter: str) -> list:
        return ["sh", os.path.join(self.source, adapter + ".sh")]


class Debian(Environment, toolchains.Toolchain):
    """A language whose libraries are Debian's packages: nothing to fetch, only to find."""

    @classmethod
    def names(cls) -> list:
        return [cls.folder + "-debian"]

    def adapter_command(self, adapter: str) -> list:
        return [*self.programs, os.path.join(self.source, adapter + self.suffix)]


class Php(Debian):
    folder = "php"
    programs = ("php",)
    suffix = ".php"
    libraries = ("Symfony/Component/Lock", "Symfony/Component/Semaphore", "Illuminate/Cache", "Illuminate/Redis", "Malkusch/Lock", "Predis")

    def install(self) -> None:
        self.call("php", "--re", "redis")
        for library in self.libraries:
            self.call("php", "-r", f"require '{library}/autoload.php';")


class Ruby(Debian):
    folder = "ruby"
    programs = ("ruby",)
    suffix = ".rb"
    libraries = ("redis", "active_support")

    def install(self) -> None:
        self.call("ruby", *(word for library in self.libraries for word in ("-r", library)), "-e", "")


class GoWorker(Environment, toolchains.Go):
    """A user's own program, which is its adapter itself."""

    folder = "workers"
    inputs = ("broken_go/go.mod", "broken_go/go.sum", "broken_go/main.go")

    @classmethod
    def names(cls) -> list:
        return ["broken-go"]

    def adapter_command(self, adapter: str) -> list:
        return self.command()


LANGUAGES = (Python, Node, Java, Go, Rust, RustSkeleton, Shell, Php, Ruby, GoWorker)


def environment(name: str, build: str = BUILD):
    """Raises KeyError if there is none of that name."""
    for language in LANGUAGES:
        if name in language.names():
            return language(name, build)
    raise KeyError(name)


def command(name: str, adapter: str, build: str = BUILD) -> list:
    """What starts an adapter, as words. Raises NotInstallable if the libraries cannot be had here."""
    chosen = environment(name, build)
    chosen.prepare()
    return chosen.adapter_command(adapter)


def setting_of(client: dict) -> list:
    """The options of prove that say what surrounds the client; of a client with what its case says."""
    words = ["--lease", "0s" if "lease=none" in client["options"] else f"{client['leaseMs']}ms"]
    for option in ("clock", "server", "servers", "replicas"):  # where they are not the usual ones
        words += ["--" + option, str(client[option])] if option in client else []
    return words


def cases() -> list:
    with open(os.path.join(HERE, "cases.json"), encoding="utf-8") as file:
        return json.load(file)


def all_clients() -> list:
    """The clients of cases.json, each once, with what its case says about all of them."""
    return clients_of(cases())


def core_clients() -> list:
    """Those of the cases that CI tries."""
    return clients_of(case for case in cases() if case["id"] in CORE)


def clients_of(some) -> list:
    return list({(client["environment"], client["adapter"], client["options"]): {**case, **client}
                 for case in some for client in case["clients"]}.values())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default=BUILD, metavar="DIR", help="where the libraries are installed")
    orders = parser.add_subparsers(dest="order", required=True)
    orders.add_parser("list", help="the environments with their adapters")
    orders.add_parser("prepare", help="fetch the libraries").add_argument("names", nargs="+", metavar="NAME")
    starting = orders.add_parser("command", help="print what starts an adapter")
    starting.add_argument("name", metavar="NAME")
    starting.add_argument("adapter", metavar="ADAPTER")
    options = parser.parse_args()
    try:
        return obey(options)
    except KeyError as unknown:
        print(f"environments.py: no environment {unknown}; try `environments.py list`", file=sys.stderr)
    except toolchains.NotInstallable as reason:
        print(f"environments.py: {reason}", file=sys.stderr)
    return 1


def obey(options: argparse.Namespace) -> int:
    if options.order == "list":
        lines = {f"{each['environment']:26} {each['adapter']:26} {each['options']}".rstrip() for each in all_clients()}
        print("\n".join(sorted(lines)))
    elif options.order == "prepare":
        for name in options.names:
            environment(name, options.build).prepare()
    else:
        print(shlex.join(command(options.name, options.adapter, options.build)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
