#!/usr/bin/env python3
"""Each adapter of cases.json against a private redis-server: it takes, excludes, gives back, and prints nothing else.

    tst_adapters.py             all of them
    tst_adapters.py core        those of the cases that CI tries
    tst_adapters.py LANGUAGE    those whose environments are of python, node, java, go, rust, php, ruby or workers

The exit code is 77 if none of them can be installed.
"""

import sys
import time
import unittest

import environments
from adapter_process import WORDS, Adapter
from suite.scenario import environment_for
from suite.server import Server
from suite.toolchains import NotInstallable


class AdapterTest(unittest.TestCase):
    """Two processes of one client; `client` is set by the class made for it."""

    client = {}
    command = ()
    processes = ()
    server = None

    @classmethod
    def setUpClass(cls):
        try:
            cls.command = environments.command(cls.client["environment"], cls.client["adapter"])
        except NotInstallable as reason:
            raise unittest.SkipTest(str(reason)) from None
        cls.server = Server()
        cls.addClassCleanup(cls.server.stop)
        # A waits for what it has to get, longer than a busy machine ever stands still; B for what it must not get.
        cls.processes = [cls.started("A", LOCKSCOPE_WAIT_MS="20000"), cls.started("B")]

    @classmethod
    def started(cls, name: str, **more) -> Adapter:
        # A lease that no busy machine outlasts; the short one of the case is for the search.
        settings = {"LOCKSCOPE_HOST": "127.0.0.1", "LOCKSCOPE_PORT": str(cls.server.port), "LOCKSCOPE_KEYS": "first",
                    "LOCKSCOPE_URL": cls.server.url + "/0", "LOCKSCOPE_URLS": cls.server.url + "/0",
                    "LOCKSCOPE_LEASE_MS": str(max(30000, cls.client["leaseMs"])), "LOCKSCOPE_WAIT_MS": "1000",
                    "LOCKSCOPE_PROCESS": name, "LOCKSCOPE_ADAPTER_OPTIONS": cls.options(), **more}
        process = Adapter(cls.command, environment_for(settings))
        cls.addClassCleanup(process.stop)
        return process

    @classmethod
    def options(cls) -> str:
        """Those of its case. Which process has which keys is for the search: here both have the one key."""
        chosen = [word for word in cls.client["options"].split() if word[:2] not in ("A=", "B=", "C=")]
        return " ".join([*chosen, "timeout=10000"])  # the short time-outs of the JVM's libraries are for the search, too

    def setUp(self):
        self.key = self.id().rsplit(".", 1)[-1]
        for process in self.processes:
            self.assertEqual(process.ask("reset", "-", self.key), "yes")
        self.server.connection.call("FLUSHALL")  # when nobody watches over a lock any more, and tells of its loss

    def acquired(self, process: Adapter, thread: str) -> str:
        """The answer to an acquire of a free lock. One library ends its renewal in the middle of a command, which breaks the
        connection that the next call uses: it is asked once more, and no other."""
        answer = process.ask("acquire", thread, self.key)
        is_broken = self.client.get("seenAtOnce") == "disconnects" and answer.startswith("error ConnectionError")
        return process.ask("acquire", thread, self.key) if is_broken else answer

    def test_is_ready_with_the_words_of_its_case(self):
        for process in self.processes:
            self.assertLessEqual(process.words, WORDS)
            self.assertEqual(process.words, set(self.client["words"]))

    def test_excludes_another_process(self):
        a, b = self.processes
        self.assertEqual(self.acquired(a, "t0"), "yes")
        # The one library that lets the second in without being provoked.
        refused = "yes" if self.client.get("seenAtOnce") == "excludes" else "no"
        self.assertEqual(b.ask("acquire", "t0", self.key), refused)
        self.assertEqual(a.ask("release", "t0", self.key), "yes")
        self.assertEqual(b.ask("acquire", "t1", self.key), "yes")
        self.assertEqual(b.ask("release", "t1", self.key), "yes")

    def test_numbers_its_grants(self):
        """Each with a greater one than the one before, whoever had that."""
        if not self.client.get("fencing"):
            self.assertEqual([process.numbers for process in self.processes], [[], []])
            self.skipTest("this library gives no fencing numbers")
        numbers = []
        for process in [*self.processes, self.processes[0]]:
            self.assertEqual(self.acquired(process, "t0"), "yes")
            numbers.append(process.numbers[-1])
            self.assertEqual(process.ask("release", "t0", self.key), "yes")
        self.assertEqual(numbers, sorted(set(numbers)))

    def test_tells_what_it_holds(self):
        a, b = self.processes
        if "held" not in a.words:
            self.skipTest("this library tells nothing")
        self.assertEqual(a.ask("held", "t0", self.key), "no")
        self.assertEqual(self.acquired(a, "t0"), "yes")
        self.assertEqual(a.ask("held", "t0", self.key), "yes")
        self.assertEqual(b.ask("held", "t0", self.key), "no")
        self.assertEqual(a.ask("release", "t0", self.key), "yes")
        self.assertEqual(a.ask("held", "t0", self.key), "no")

    def test_extends(self):
        a, b = self.processes
        if "extend" not in a.words:
            self.skipTest("this library does not extend by hand")
        self.assertEqual(self.acquired(a, "t0"), "yes")
        a.ask("extend", "t0", self.key)
        lost = "yes" if self.client.get("seenAtOnce") in ("excludes", "extends") else "no"
        self.assertEqual(b.ask("acquire", "t0", self.key), lost)

    def test_knows_that_it_does_not_hold(self):
        a, b = self.processes
        self.assertEqual(self.acquired(a, "t0"), "yes")
        if self.client.get("seenAtOnce") == "releases":
            self.skipTest("it releases whatever there is")
        self.assertEqual(b.ask("release", "t0", self.key), "no")
        self.assertEqual(a.ask("release", "t0", self.key), "yes")

    def test_forgets_at_a_reset(self):
        a, b = self.processes
        self.assertEqual(self.acquired(a, "t0"), "yes")
        for process in (a, b):
            self.assertEqual(process.ask("reset", "-", "other"), "yes")
        self.assertEqual(b.ask("acquire", "t0", "other"), "yes")
        if self.client.get("seenAtOnce") != "releases":
            self.assertEqual(a.ask("release", "t0", "other"), "no")
        self.assertEqual(b.ask("release", "t0", "other"), "yes")

    def test_threads_wait_beside_each_other(self):
        a, _ = self.processes
        if self.client.get("seenAtOnce") in ("excludes", "sleeps") or not self.client.get("waits", True):
            self.skipTest("nobody waits, or misses what wakes it up, or it has one caller only")
        self.assertEqual(self.acquired(a, "t0"), "yes")
        a.say("acquire", "t1", self.key)
        a.say("release", "t0", self.key)
        self.assertEqual(sorted([a.line(), a.line()]), ["t0 yes", "t1 yes"])

    def test_ends_a_running_call_when_told_to(self):
        a, b = self.processes
        word = next((word for word in ("interrupt", "cancel") if word in a.words), None)
        if not word:
            self.skipTest("its calls cannot be ended")
        if "kind=multi" in self.client["options"]:
            self.skipTest("a multi lock that is interrupted asks the server, which keeps silent, to release its members")
        self.server.connection.call("CLIENT", "PAUSE", 20000, "WRITE")
        a.say("acquire", "t0", self.key)
        self.wait_until_it_waits()
        a.say(word, "t0")
        self.assertRegex(a.line(), "^t0 (error .+|no)$")
        self.server.connection.call("CLIENT", "UNPAUSE")
        # The thread or task is as good as before, and words to one that does nothing go unanswered.
        a.say(word, "t0")
        self.assertEqual(a.ask("release", "t1", self.key), "no")
        self.assertEqual(b.ask("release", "t1", self.key), "no")
        self.assertEqual(a.ask("acquire", "t0", self.key + ":next"), "yes")

    def wait_until_it_waits(self) -> None:
        deadline = time.monotonic() + 20
        while b"blocked_clients:0" in self.server.connection.call("INFO", "clients") and time.monotonic() < deadline:
            time.sleep(0.02)

    def test_prints_nothing_else_and_ends_with_its_input(self):
        """Once more from the start, because it ends; as the search starts it."""
        keys = " ".join(["first", "second"][:self.client["keys"]])
        a = self.started("A", LOCKSCOPE_KEYS=keys,
                         LOCKSCOPE_ADAPTER_OPTIONS=self.client["options"] + " timeout=10000")
        self.assertEqual(a.ask("acquire", "t0", "first"), "yes")
        self.assertEqual(a.end(), 0)
        self.assertEqual(a.noise + [line for process in self.processes for line in process.noise], [])


def chosen(word: str) -> list:
    """The clients that a word of the command line stands for."""
    if word == "core":
        return environments.core_clients()
    return [client for client in environments.all_clients()
            if word in ("", environments.environment(client["environment"]).folder)]


def suite_of(clients: list) -> unittest.TestSuite:
    suite = unittest.TestSuite()
    for client in clients:
        name = "_".join([client["environment"], client["adapter"], client["options"]]).strip("_")
        made = type(name, (AdapterTest,), {"client": client, "__module__": "adapters"})
        suite.addTests(unittest.defaultTestLoader.loadTestsFromTestCase(made))
    return suite


def main() -> int:
    suite = suite_of(chosen("".join(sys.argv[1:])))
    result = unittest.TextTestRunner(verbosity=2).run(suite)
    is_nothing_tried = not suite.countTestCases() or result.testsRun == 0
    return 77 if result.wasSuccessful() and is_nothing_tried else int(not result.wasSuccessful())


if __name__ == "__main__":
    sys.exit(main())
