"""Plays one case: its steps in order, and for each what Lockscope and the library said against what is right."""

import fnmatch
import os
import time

from . import capture
from .cli import Cli
from .driver import Driver, DriverError
from .server import Server

DEFAULT_STEPS = ["a acquire", "look held", "b acquire ...", "look waiting", "release a", "b gets it", "a release",
                 "b keeps it", "b release"]
# How long a client that should be refused is watched before it is believed to wait.
UNTIL_IT_WAITS = 0.6
# A JVM that starts on a busy machine takes its time.
UNTIL_IT_ANSWERS = 120


def waiters_of(row):
    """A number; "at most N" where Redis tells how many block on lists, but not on which; None: unknown."""
    waiters = row["waiters"] or {}
    return f"at most {waiters['atMost']}" if "atMost" in waiters else waiters.get("count")


class Shown:
    """What a case came to, for the table of results: everything as Lockscope or the library said it."""

    def __init__(self):
        self.library = self.next = self.old_holder = "–"
        self.listed = []
        self.waiters = []
        self.warnings = []

    def add(self, row) -> None:
        """One look; what does not change from look to look is said once."""
        texts = ["not listed"] if row is None else [f"{row['format']}, {row['confidence']}, {row['mode']}"]
        self.listed += [text for text in texts if text not in self.listed]
        if row is not None:
            count = waiters_of(row)
            self.waiters.append("–" if count is None else str(count))


class Case:
    """A case while it runs. `failures` is what was wrong, in words."""

    def __init__(self, data: dict, program: str, capture_folder):
        self._data = data
        self._program = program
        self._capture_folder = capture_folder
        self._answers = {}
        self._owners = {}
        self._rows = []
        self._released_at = None
        self.failures = []
        self.notes = []
        self.shown = Shown()

    def play(self, command: list, environment: dict) -> None:
        servers = []
        driver = None
        try:
            for _ in range(self._data.get("servers", 1)):
                servers.append(Server())
            self._servers = servers
            self._cli = Cli(self._program, [server.url for server in servers], servers[0].folder)
            self._driver = driver = Driver(command, environment, self._data["mode"], self._data.get("options", {}),
                                           [server.port for server in servers])
            self._versions = {**driver.wait_until_ready(), "redis": servers[0].version()}
            self.shown.library = f"{self._versions['library']} {self._versions['version']}"
            for step in self._data.get("steps", DEFAULT_STEPS):
                if not self._take(step):
                    break
        except DriverError as problem:
            self.failures.append(str(problem))
        finally:
            if driver:
                driver.stop()
            for server in servers:
                server.stop()

    def _take(self, step: str) -> bool:
        """One step; False if the rest makes no sense without it."""
        words = step.split(" ")
        if words[0] == "look":
            return self._look(words[1])
        if words[0] == "release":
            return self._release(words[1] if len(words) > 1 else None)
        if words[0] == "wait":
            time.sleep(float(words[1]))
            return True
        if words[1:] == ["gets", "it"]:
            return self._gets_it(words[0])
        if words[1:] == ["keeps", "it"]:
            return self._keeps_it()
        if words[-1] == "...":
            return self._starts_to_wait(words[0], words[1])
        return self._obeys(words[0], words[1])

    def _fail(self, text: str) -> bool:
        self.failures.append(text)
        return False

    # Orders to the library.

    def _obeys(self, client: str, do: str) -> bool:
        answer = self._driver.order(client, do)
        if not answer.wait(UNTIL_IT_ANSWERS):
            return self._fail(f"{client} {do}: no answer in {UNTIL_IT_ANSWERS} s")
        expected = self._data.get("old_holder") if client == "a" and do.startswith("release") else None
        if expected is not None:
            return self._compare_old_holder(answer, expected)
        if answer.error:
            return self._fail(f"{client} {do}: {answer.error}")
        self._remember_owner(client, answer)
        return True

    def _remember_owner(self, client: str, answer) -> None:
        if answer.done and answer.done.get("owner"):
            self._owners[client] = answer.done["owner"]

    def _compare_old_holder(self, answer, expected: dict) -> bool:
        """How the client whose lock was taken away hears of it when it wants to give it back."""
        said = answer.error or str((answer.done or {}).get("said", ""))
        if expected["hears"] == "error" and not answer.error:
            self._fail("the old holder's release succeeds; an error was expected")
        elif expected["hears"] == "nothing" and answer.error:
            self._fail(f"the old holder's release fails: {said}")
        elif expected.get("says", "") not in said:
            self._fail(f"the old holder hears: {said}")
        self.notes.append(f"old holder: {said or 'nothing'}")
        self.shown.old_holder = said or "nothing"
        return True

    def _starts_to_wait(self, client: str, do: str) -> bool:
        # A client that is still connecting does not wait yet.
        if not self._driver.order(client, "open").wait(UNTIL_IT_ANSWERS):
            return self._fail(f"{client} open: no answer in {UNTIL_IT_ANSWERS} s")
        answer = self._answers[client] = self._driver.order(client, do)
        if answer.wait(self._data.get("until_it_waits", UNTIL_IT_WAITS)):
            return self._fail(f"{client} {do} should wait: {answer.error or 'it succeeded'}")
        return True

    def _gets_it(self, client: str) -> bool:
        within = self._data.get("wake_within", 1.0)
        answer = self._answers[client]
        if not answer.wait(max(0.0, self._released_at + within - time.monotonic())):
            return self._fail(f"{client} does not get it within {within:g} s")
        if answer.error:
            return self._fail(f"{client} does not get it: {answer.error}")
        self._remember_owner(client, answer)
        self.shown.next = f"{max(0.0, answer.at - self._released_at):.2f} s"
        self.notes.append(f"next after {self.shown.next}")
        return True

    def _keeps_it(self) -> bool:
        """The next holder's keys after the old holder's own release: gone if that one deletes blindly."""
        rows = [key["key"] for key in capture.picture(self._servers[0].connection)["keys"]]
        is_there = bool(fnmatch.filter(rows, self._data["expect"]["key"]))
        should_be = self._data.get("next_keeps", True)
        if is_there != should_be:
            self._fail("the old holder's release took the next holder's lock away" if should_be
                       else "the next holder's lock outlives the old holder's release; it was expected to go")
        return True

    # What Lockscope says.

    def _expected(self, state: str) -> dict:
        return {**self._data["expect"], **self._data.get("states", {}).get(state, {})}

    def _look(self, state: str) -> bool:
        if self._capture_folder:
            capture.write(self._capture_folder, self._data, state, self._versions,
                          [capture.picture(server.connection) for server in self._servers])
        expected = self._expected(state)
        self._rows = self._cli.list(expected.get("deep", self._data.get("deep", False)))
        row = self._row_of(expected["key"])
        self.shown.add(row)
        if expected.get("listed") is False:
            if row:
                self._fail(f"{state}: listed as {row['format']}, but it is not held")
            return True
        if row is None and expected.get("listed") == "maybe":
            return True
        if row is None:
            others = ", ".join(f"{other['key']} ({other['format']})" for other in self._rows)
            self._fail(f"{state}: {expected['key']} is not listed" + (f", but {others}" if others else ""))
            return True
        wrong = list(self._wrong_fields(row, expected))
        if wrong:
            self._fail(f"{state}: " + ", ".join(wrong))
        return True

    def _row_of(self, key: str):
        return next((row for row in self._rows if any(fnmatch.fnmatchcase(name, key)
                                                      for name in [row["key"], *row.get("keys", [])])), None)

    def _wrong_fields(self, row: dict, expected: dict):
        for field in ("format", "mode"):
            right = expected.get(field, row[field])
            if row[field] not in (right if isinstance(right, list) else [right]):
                yield f"{field} {row[field]} (right: {right})"
        # Where two libraries write the same, naming both is right.
        if expected.get("library", "") not in (row["library"] or ""):
            yield f"library {row['library'] or '–'} (right: {expected['library']})"
        if not is_at_least(row["confidence"], expected.get("confidence", "low")):
            yield f"confidence {row['confidence']} (right: {expected['confidence']})"
        yield from self._wrong_holders(row, expected)
        # null is "not visible": whoever cannot know must not say 0.
        waiters = waiters_of(row)
        right = expected.get("waiters", waiters)
        if waiters not in (right if isinstance(right, list) else [right]):
            yield f"waiters {waiters} (right: {right})"
        for flag in expected.get("flags", []):
            if flag not in row["flags"]:
                yield f"no flag {flag}"
        for flag in expected.get("not_flags", []):
            if flag in row["flags"]:
                yield f"flag {flag}"
        yield from self._wrong_facts(expected)
        if len(self._rows) != expected.get("rows", 1):
            others = [f"{other['key']} ({other['format']})" for other in self._rows if other is not row]
            yield f"{len(self._rows)} rows (right: {expected.get('rows', 1)}): also {', '.join(others)}"

    def _wrong_facts(self, expected: dict):
        """What only `show` says, such as the kind of a lock whose format has several."""
        if "facts" not in expected:
            return
        found = [f"{fact['label']} {fact['text']}".lower() for fact in self._cli.show(expected["key"]).get("facts", [])]
        for label, text in expected["facts"].items():
            if not any(text in fact for fact in found):
                yield f"no fact says {label} {text}"

    def _wrong_holders(self, row: dict, expected: dict):
        holders = row["holders"]
        if expected.get("holders", 1) is None:
            return
        if len(holders) != expected.get("holders", 1):
            yield f"{len(holders)} holders (right: {expected.get('holders', 1)})"
        elif holders and expected.get("holds", 1) is not None:
            holds = sorted(holder["holds"] for holder in holders)
            right = expected.get("holds", 1)
            if holds != (right if isinstance(right, list) else [right] * len(holders)):
                yield f"holds {holds} (right: {right})"
        if self._data.get("owner_is_shown", True) and "a" in self._owners and expected.get("a_holds", expected.get("holders", 1)):
            if self._owners["a"] not in [holder["owner"] for holder in holders]:
                yield f"owner {[holder['owner'] for holder in holders]} (right: {self._owners['a']})"

    def _release(self, client) -> bool:
        key = self._data["expect"]["key"]
        row = self._row_of(key)
        shown = None if row else self._cli.show(key).get("lock")
        if not row and not shown:
            return self._fail("release: Lockscope shows no lock to release")
        owner = self._owner_to_release(row or shown, client)
        explained = self._cli.show((row or shown)["key"])
        said = explained.get("release") or {}
        self.shown.warnings += [warning for warning in said.get("warnings", []) if warning not in self.shown.warnings]
        expected = self._data.get("release", {})
        result = self._cli.release((row or shown)["key"], None if client == "*" else owner,
                                   [*expected.get("options", ("--follow", "0s")), *self._decision(explained)])
        self._released_at = result.ended
        if result.code != expected.get("code", 0):
            self._fail(f"release: exit code {result.code}: {(result.json() or {}).get('sentence') or result.diagnostics}")
        text = " ".join([*said.get("warnings", []), (result.json() or {}).get("sentence") or "", result.diagnostics])
        for warning in expected.get("warns", []):
            if warning.lower() not in text.lower():
                self._fail(f"release: does not warn of “{warning}”")
        self._check_next(expected, result)
        self._check_kept_keys(expected)
        return True

    @staticmethod
    def _decision(explained: dict) -> list:
        """The format, where the call that Lockscope shows names it: nothing else proves that the key is a lock."""
        return ["--as", explained["lock"]["format"]] if " --as " in (explained.get("releaseCall") or "") else []

    def _check_next(self, expected: dict, result) -> None:
        """What Lockscope says became of the lock after it was released."""
        after = ((result.json() or {}).get("next") or {}).get("what")
        if "next" in expected and after != expected["next"]:
            self._fail(f"release: next is “{after}” (right: {expected['next']})")

    def _owner_to_release(self, row: dict, client) -> str:
        """The holder that Lockscope shows: that of the client, or else the first; '' where none is recorded."""
        owners = [holder["owner"] or "" for holder in row["holders"]]
        if client in self._owners and self._owners[client] in owners:
            return self._owners[client]
        return owners[0] if owners else ""

    def _check_kept_keys(self, expected: dict) -> None:
        """Keys that a release must not touch, such as a fencing counter or a count of permits."""
        for key in expected.get("keeps", []):
            if not self._servers[0].connection.call("EXISTS", key):
                self._fail(f"release: deleted {key}")


def is_at_least(found: str, wanted: str) -> bool:
    order = ["low", "medium", "high"]
    return order.index(found) >= order.index(wanted)


def environment_for(additional: dict) -> dict:
    """A driver's environment: the caller's, without what is only meant for Lockscope."""
    return {**{name: value for name, value in os.environ.items() if name != "ASAN_OPTIONS"}, **additional}
