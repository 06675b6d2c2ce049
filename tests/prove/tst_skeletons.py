#!/usr/bin/env python3
"""The skeletons that `lockscope-cli prove --new-adapter` writes: each runs as it is against a private redis-server."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import environments
from adapter_process import WORDS, Adapter
from suite.scenario import environment_for
from suite.server import Server
from suite.toolchains import NotInstallable

SKELETONS = os.path.join(environments.ROOT, "resources", "adapters")


def skeleton(name: str) -> str:
    return os.path.join(SKELETONS, name)


def prepared(name: str):
    try:
        environment = environments.environment(name)
        environment.prepare()
    except NotInstallable as reason:
        raise unittest.SkipTest(str(reason)) from None
    return environment


class SkeletonTest(unittest.TestCase):
    """What the guide's reader does by hand, in docs/adapters.md."""

    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        cls.addClassCleanup(cls.server.stop)
        cls.folder = tempfile.mkdtemp(prefix="lockscope-skeleton-")
        cls.addClassCleanup(shutil.rmtree, cls.folder)

    def started(self, command: list, process: str) -> Adapter:
        settings = {"LOCKSCOPE_HOST": "127.0.0.1", "LOCKSCOPE_PORT": str(self.server.port), "LOCKSCOPE_PROCESS": process,
                    "LOCKSCOPE_URL": self.server.url + "/0", "LOCKSCOPE_URLS": self.server.url + "/0",
                    "LOCKSCOPE_KEYS": "demo", "LOCKSCOPE_LEASE_MS": "30000", "LOCKSCOPE_WAIT_MS": "300"}
        adapter = Adapter(command, environment_for(settings))
        self.addCleanup(adapter.stop)
        return adapter

    def try_it(self, command: list):
        self.server.connection.call("FLUSHALL")
        a, b = self.started(command, "A"), self.started(command, "B")
        self.assertLessEqual({"acquire", "release", "reset"}, a.words)
        self.assertLessEqual(a.words, WORDS)
        self.assertEqual(a.ask("acquire", "t0", "demo"), "yes")
        self.assertEqual(b.ask("acquire", "t0", "demo"), "no")
        self.assertEqual(a.ask("acquire", "t1", "demo"), "no")
        self.assertEqual(b.ask("release", "t0", "demo"), "no")
        if "extend" in a.words:
            self.assertEqual(a.ask("extend", "t0", "demo"), "yes")
            self.assertEqual(b.ask("extend", "t0", "demo"), "no")
        if "held" in a.words:
            self.assertEqual(a.ask("held", "t0", "demo"), "yes")
            self.assertEqual(b.ask("held", "t0", "demo"), "no")
        self.assertEqual(a.ask("release", "t0", "demo"), "yes")
        self.assertEqual(b.ask("acquire", "t0", "demo"), "yes")
        for process in (a, b):
            self.assertEqual(process.ask("reset", "-", "other"), "yes")
        self.assertEqual(a.ask("acquire", "t0", "other"), "yes")
        self.assertEqual(b.ask("acquire", "t0", "other"), "no")
        self.assertEqual(a.end(), 0)
        self.assertEqual(a.noise + b.noise, [])

    def test_python(self):
        self.try_it(prepared("redis-py-8.1.0").adapter_command(skeleton("python")))

    def test_node(self):
        self.try_it(prepared("redis-semaphore-5.5.1").adapter_command(skeleton("node")))

    def test_java(self):
        jars = os.path.join(prepared("redisson-4.7.0").target, "jars", "*")
        shutil.copy(skeleton("java.java"), os.path.join(self.folder, "Adapter.java"))
        self.compile("javac", "-cp", jars, "-d", ".", "Adapter.java")
        self.try_it(["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx96m", "-cp", self.folder + ":" + jars, "Adapter"])

    def test_go(self):
        for name in ("go.mod", "go.sum"):
            shutil.copy(os.path.join(prepared("redsync-4.18.1").target, name), self.folder)
        shutil.copy(skeleton("go.go"), os.path.join(self.folder, "main.go"))
        self.compile("go", "build", "-mod=readonly", "-o", "go-adapter", "main.go")
        self.try_it([os.path.join(self.folder, "go-adapter")])

    @unittest.skipUnless(os.environ.get("LOCKSCOPE_SLOW"), "built in minutes: set LOCKSCOPE_SLOW")
    def test_rust(self):
        self.try_it(prepared("redis-crate-0.32.7").command())

    @unittest.skipUnless(shutil.which("g++"), "no g++")
    def test_cpp(self):
        self.compile("g++", "-std=c++17", skeleton("cpp.cc"), "-lhiredis", "-o", "cpp-adapter")
        self.try_it([os.path.join(self.folder, "cpp-adapter")])

    @unittest.skipUnless(shutil.which("redis-cli"), "no redis-cli")
    def test_shell(self):
        self.try_it(["sh", skeleton("shell.sh")])

    def compile(self, *words):
        process = subprocess.run(words, cwd=self.folder, env=environment_for({}), text=True, check=False,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual(process.returncode, 0, process.stdout)


if __name__ == "__main__":
    sys.argv[1:1] = ["--verbose"]
    unittest.main()
