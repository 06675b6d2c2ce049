"""What every Python adapter shares: it reads words, has the named thread or task do them, and prints the answers.

docs/adapters.md tells the protocol. An adapter is an object with `new_lock(key)`, `acquire(lock, mode)` (true or false, or a
`Grant` where the library gives fencing numbers) and `release(lock)`, and as many of `extend(lock)`, `held(lock)` and
`forget(lock)` as its library has. They get the lock object of this thread and key. One that `tells_loss` gets a second argument
in `new_lock`, which it calls, from any thread, when its library says that the lock is lost. An exception that `not_held` names is
the library's usual "not held": the answer no.
"""

import asyncio
import functools
import os
import queue
import sys
import threading
import time

LEASE = int(os.environ.get("LOCKSCOPE_LEASE_MS", "3000")) / 1000
WAIT = int(os.environ.get("LOCKSCOPE_WAIT_MS", "1000")) / 1000
URL = os.environ.get("LOCKSCOPE_URL", "redis://127.0.0.1:6379/0")
URLS = os.environ.get("LOCKSCOPE_URLS", URL).split(",")
PROCESS = os.environ.get("LOCKSCOPE_PROCESS", "A")
OPTIONS = dict(word.partition("=")[::2] for word in os.environ.get("LOCKSCOPE_ADAPTER_OPTIONS", "").split())
ALSO = [word for word in OPTIONS.get("also", "").split(",") if word]  # what else to say of the library: threads, reentrant, fair
LEASE_IN_SECONDS = max(1, round(LEASE))  # for libraries that count whole seconds


def try_until_wait_is_over(attempt, pause: float = 0.1) -> bool:
    """For a library in which nobody waits, or whose waiters cannot give up."""
    end = time.monotonic() + WAIT
    while not (acquired := attempt()) and time.monotonic() < end:
        time.sleep(pause)
    return acquired


class Answers:
    """The real standard output. Whatever a library prints there goes to the standard error instead."""

    def __init__(self):
        self._file = os.fdopen(os.dup(1), "w", encoding="utf-8")
        self._lock = threading.Lock()
        os.dup2(2, 1)

    def say(self, line: str) -> None:
        with self._lock:
            self._file.write(line + "\n")
            self._file.flush()


class Grant(int):
    """The fencing number that came with a lock."""


def outcome(result) -> str:
    """None is the return value of a call that raises if it fails."""
    if isinstance(result, Grant):
        return f"yes {result}"
    return "no" if result is not None and not result else "yes"


def failure(adapter, problem: BaseException) -> str:
    if isinstance(problem, getattr(adapter, "not_held", ())):
        return "no"
    return f"error {type(problem).__name__}: {' '.join(str(problem).split())}"


def words_of(adapter, *more) -> str:
    known = [word for word in ("acquire", "release", "extend", "held") if hasattr(adapter, word)]
    traits = [word for word, trait in (("read", "knows_read"), ("no-lease", "has_no_lease")) if hasattr(adapter, trait)]
    return " ".join(["ready", *known, *more, "reset", *traits, *ALSO])


class Round:
    """The threads and lock objects between two resets."""

    def __init__(self, adapter, answers: Answers, keys: list):
        self.adapter = adapter
        self.answers = answers
        self.ended = False
        self.locks = {}
        self.callers = {}
        if hasattr(adapter, "use"):
            adapter.use(keys)

    def lock_of(self, thread: str, key: str):
        if (thread, key) not in self.locks:
            more = [functools.partial(self.tell_loss, thread, key)] if hasattr(self.adapter, "tells_loss") else []
            self.locks[(thread, key)] = self.adapter.new_lock(key, *more)
        return self.locks[(thread, key)]

    def tell_loss(self, thread: str, key: str) -> None:
        if not self.ended:
            self.answers.say(f"lost {thread} {key}")

    def call(self, thread: str, word: str, key: str, *mode):
        """What the library is asked to do; a coroutine if it is asynchronous."""
        lock = self.lock_of(thread, key)
        if word == "acquire":
            return self.adapter.acquire(lock, *mode[:1] or ["write"])
        return getattr(self.adapter, word)(lock)

    def answer(self, thread: str, text: str) -> None:
        if not self.ended:
            self.answers.say(f"{thread} {text}")

    def end(self) -> None:
        self.ended = True
        for caller in self.callers.values():
            caller.end()
        if hasattr(self.adapter, "forget"):
            for lock in self.locks.values():
                self.adapter.forget(lock)


class Caller(threading.Thread):
    """A thread that does what it is told, in order."""

    def __init__(self, name: str, in_round: Round):
        super().__init__(name=name, daemon=True)
        self._round = in_round
        self._orders = queue.SimpleQueue()
        self.start()

    def order(self, words: list) -> None:
        self._orders.put(words)

    def end(self) -> None:
        self._orders.put(None)

    def run(self) -> None:
        while words := self._orders.get():
            try:
                text = outcome(self._round.call(self.name, *words))
            except Exception as problem:
                text = failure(self._round.adapter, problem)
            self._round.answer(self.name, text)


class Task:
    """The same for an asynchronous library; its running call can be cancelled."""

    def __init__(self, name: str, in_round: Round):
        self._name = name
        self._round = in_round
        self._orders = asyncio.Queue()
        self._running = None
        self._task = asyncio.ensure_future(self._work())

    def order(self, words: list) -> None:
        if words[0] != "cancel":
            self._orders.put_nowait(words)
        elif self._running:
            self._running.cancel()

    def end(self) -> None:
        self._task.cancel()

    async def _work(self) -> None:
        while True:
            words = await self._orders.get()
            self._running = asyncio.ensure_future(self._call(words))
            await asyncio.wait([self._running])
            problem = asyncio.CancelledError("cancelled") if self._running.cancelled() else self._running.exception()
            text = failure(self._round.adapter, problem) if problem else outcome(self._running.result())
            self._running = None
            self._round.answer(self._name, text)

    async def _call(self, words: list):
        result = self._round.call(self._name, *words)
        return await result if asyncio.iscoroutine(result) else result


class Dialogue:
    """Reads lines and hands each to its thread or task."""

    def __init__(self, adapter, caller_type, answers: Answers):
        self._adapter = adapter
        self._caller_type = caller_type
        self._answers = answers
        self._begin(os.environ.get("LOCKSCOPE_KEYS", "lock").split())

    def _begin(self, keys: list) -> None:
        self._round = Round(self._adapter, self._answers, keys)

    def obey(self, line: str) -> None:
        words = line.split()
        if len(words) < 2:
            return
        word, thread, *rest = words
        if word == "reset":
            self._round.end()
            self._begin(rest)
            self._answers.say(f"{thread} yes")
            return
        callers = self._round.callers
        if thread not in callers:
            callers[thread] = self._caller_type(thread, self._round)
        callers[thread].order([word, *rest])


def serve(make_adapter) -> None:
    """For a library with threads: one for each name."""
    answers = Answers()
    adapter = make_adapter()
    dialogue = Dialogue(adapter, Caller, answers)
    answers.say(words_of(adapter))
    for line in sys.stdin:
        dialogue.obey(line)
    os._exit(0)  # a thread of the library may be blocked for ever


def serve_tasks(make_adapter) -> None:
    """For an asynchronous library: a task for each name. `make_adapter` is a coroutine function."""
    asyncio.run(_serve_tasks(make_adapter, Answers()))


async def _serve_tasks(make_adapter, answers: Answers) -> None:
    adapter = await make_adapter()
    dialogue = Dialogue(adapter, Task, answers)
    lines = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    answers.say(words_of(adapter, "cancel"))
    while line := await lines.readline():
        dialogue.obey(line.decode())
    os._exit(0)
