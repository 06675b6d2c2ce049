#!/usr/bin/env python3
"""`lockscope-cli prove` as its users call it: a client of few lines that is wrong in one way, from the search to the replay of the saved find.

    tst_prove.py CLI [TEST...]
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
CLIENT = os.path.join(HERE, "..", "conduct", "clients", "lock_client.py")
CLI = ""


def adapter(habit: str) -> list:
    return ["python3", CLIENT, habit]


class ProveTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="lockscope-prove-")
        self.addCleanup(shutil.rmtree, self.folder)
        self.file = os.path.join(self.folder, "find.json")

    def call(self, *words: str):
        return subprocess.run([CLI, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              check=False, timeout=240)

    def find(self):
        found = self.call("prove", "--first", "--faults", "crash", "--workload", "in-turn", "--format", "json", "--save", self.file,
                          "--", *adapter("setnx-pexpire"))
        self.assertEqual(found.returncode, 10, found.stderr)
        return json.loads(found.stdout)

    def test_a_saved_find_is_shown_again(self):
        report = self.find()
        self.assertEqual([find["kind"] for find in report["finds"]], ["permanent-lock"])
        with open(self.file, encoding="utf-8") as file:
            saved = json.load(file)
        self.assertEqual(saved["schedule"], report["finds"][0]["schedule"])
        again = self.call("replay", self.file, "--", *adapter("setnx-pexpire"))
        self.assertEqual(again.returncode, 10, again.stderr)
        self.assertIn("seen again in 10 of 10 replays", again.stdout)
        mended = self.call("replay", self.file, "--format", "json", "--", *adapter("get-del"))
        # It sends no PEXPIRE, behind which it could be killed: the run does not come to what it was to do.
        self.assertEqual(mended.returncode, 6, mended.stdout)
        self.assertEqual(json.loads(mended.stdout)["verdict"], "not-played")

    def test_a_file_starts_no_program(self):
        self.find()
        refused = self.call("replay", self.file)
        self.assertEqual(refused.returncode, 2)
        self.assertIn(f"python3 {CLIENT} setnx-pexpire", refused.stderr)

    def test_a_file_that_cannot_be_written_is_no_success(self):
        found = self.call("prove", "--first", "--faults", "crash", "--workload", "in-turn", "--save", "/there/is/no/such/folder/find.json",
                          "--", *adapter("setnx-pexpire"))
        self.assertEqual(found.returncode, 2)
        self.assertIn("BROKEN", found.stdout)
        self.assertIn("the find could not be written", found.stderr)

    def test_a_strange_line_in_one_run_keeps_the_others(self):
        # Its connection is lost in some runs only, and only there it says what is no answer.
        tried = self.call("prove", "--faults", "connection-loss,crash", "--workload", "in-turn", "--deviations", "1", "--format", "json",
                          "--", *adapter("odd-after-loss"))
        coverage = json.loads(tried.stdout)["coverage"]
        self.assertEqual(tried.returncode, 0, tried.stdout)
        self.assertGreater(coverage["failed"], 0)
        self.assertGreater(coverage["runs"], coverage["failed"] + 3)

    def test_a_search_that_is_cut_short_says_nothing(self):
        call = ("prove", "--workload", "in-turn", "--deviations", "1")
        cut = (*call, "--budget", "8s")  # enough to start, and far too little for all runs
        short = self.call(*cut, "--format", "json", "--", *adapter("slow"))
        self.assertEqual(short.returncode, 9, short.stdout)
        report = json.loads(short.stdout)
        single = report["coverage"]["single"]
        self.assertEqual(report["verdict"], "not-enough")
        self.assertGreater(single["planned"], single["played"])
        text = self.call(*cut, "--", *adapter("slow"))
        self.assertEqual(text.returncode, 9)
        self.assertIn("NOT ENOUGH", text.stdout)
        self.assertRegex(text.stdout, f"[0-9]+ of {single['planned']} runs with a single deviation")
        xml = self.call(*cut, "--format", "junit", "--", *adapter("slow"))
        self.assertEqual(xml.returncode, 9)
        self.assertIn('errors="1"', xml.stdout)
        whole = self.call(*call, "--faults", "connection-loss,crash", "--format", "json", "--", *adapter("right"))
        self.assertEqual(whole.returncode, 0, whole.stdout)
        single = json.loads(whole.stdout)["coverage"]["single"]
        self.assertEqual(single["planned"], single["played"])

    def test_errors_in_undisturbed_runs_are_told_of(self):
        # The server does not know the command by which it extends a lock.
        told = self.call("prove", "--faults", "crash", "--workload", "in-turn", "--deviations", "1", "--format", "json", "--",
                         *adapter("mistyped-extend"))
        errors = json.loads(told.stdout)["errors"]
        self.assertEqual([error["word"] for error in errors], ["extend"])
        self.assertIn("PEXPIR", errors[0]["text"])

    def test_a_client_that_dies_by_itself_is_told_of(self):
        call = ("prove", "--faults", "connection-loss", "--workload", "in-turn", "--deviations", "1")
        died = self.call(*call, "--format", "json", "--", *adapter("dies-of-loss"))
        end = json.loads(died.stdout)["ownEnd"]
        self.assertEqual(died.returncode, 0, died.stdout)  # no promise speaks of it
        self.assertGreater(end["runs"], 0)
        self.assertRegex(end["text"], r"^[ABC] ended by itself \(.*connection")
        self.assertIn("ConnectionError: the server closed the connection", end["output"][-1])
        text = self.call(*call, "--", *adapter("dies-of-loss")).stdout
        self.assertIn("NOT FOUND", text)
        self.assertIn("ended by itself (", text)
        lives = self.call(*call, "--format", "json", "--", *adapter("right"))
        self.assertIsNone(json.loads(lives.stdout)["ownEnd"])


if __name__ == "__main__":
    CLI = sys.argv.pop(1)
    unittest.main()
