"""A program that does one piece of work under a lock and ends, right or wrong in one way; nobody talks to it.

    right            waits for the lock, works, and gives back what is its own
    deletes          gives back whatever is there
    without-lease    takes the lock for ever
    silent           says nothing of its work
    talks            writes to LOCKSCOPE_SECTION what is no mark
"""

import os
import sys
import time
import uuid

from lock_client import DELETE, HABIT, LEASE_MS, Connection

WORK = int(LEASE_MS) / 1000 / 4


def mark(text):
    if HABIT == "silent":
        return
    with open(os.environ["LOCKSCOPE_SECTION"], "w") as section:
        section.write(("Now: " if HABIT == "talks" else "") + text + "\n")


def asked(server, *words):
    """Until it is answered: a connection may be lost."""
    while True:
        try:
            return server.ask(*words)
        except (OSError, RuntimeError):
            time.sleep(0.1)


def main():
    server = Connection()
    token = uuid.uuid4().hex
    lease = () if HABIT == "without-lease" else ("PX", LEASE_MS)
    while asked(server, "SET", "nightly", token, "NX", *lease) != "OK":
        time.sleep(0.2)
    mark("enter")
    time.sleep(WORK)
    mark("leave")
    if HABIT == "deletes":
        asked(server, "DEL", "nightly")
    else:
        asked(server, "EVAL", DELETE, "1", "nightly", token)


main()
