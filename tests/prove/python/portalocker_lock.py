"""portalocker's RedisLock: a subscription instead of a key, so that there is no lease. It tries again about every 0.25 s, and tells of a loss."""

import os
import sys
import threading

import portalocker
import redis
from portalocker.exceptions import AlreadyLocked

from dialogue import URL, WAIT, Answers, Caller, Dialogue, words_of


class Portalocker:
    not_held = (AlreadyLocked,)

    def __init__(self, answers: Answers):
        self._answers = answers
        self._client = redis.Redis.from_url(URL, decode_responses=True)
        self._client.ping()

    def new_lock(self, key: str):
        """The library could interrupt the main thread as well, which is none of the program's own here."""
        lost = f"lost {threading.current_thread().name} {key}"
        lock = portalocker.RedisLock(key, connection=self._client, timeout=WAIT, interrupt_on_lost=False,
                                     on_lost=lambda _: self._answers.say(lost))
        return {"held": False, "lock": lock}

    def acquire(self, lock, _mode):
        lock["lock"].acquire()
        lock["held"] = True

    def release(self, lock):
        """The library says nothing about whether the lock was still there."""
        held, lock["held"] = self.held(lock), False
        lock["lock"].release()
        return held

    def held(self, lock):
        return lock["held"] and not lock["lock"].lost

    def forget(self, lock):
        lock["lock"].release()


answers = Answers()
adapter = Portalocker(answers)
dialogue = Dialogue(adapter, Caller, answers)
answers.say(words_of(adapter))
for line in sys.stdin:
    dialogue.obey(line)
os._exit(0)  # as dialogue.serve(), which does not hand out its answers
