"""Waits of 30 seconds, each begun by its name on a line; answers with the seconds that the clocks say it took."""
import asyncio
import os
import queue
import select
import signal
import socket
import sys
import threading
import time

SPAN = 30
pipe, _ = os.pipe()


def use_poll():
    poll = select.poll()
    poll.register(pipe)
    poll.poll(SPAN * 1000)


def use_epoll():
    epoll = select.epoll()
    epoll.register(pipe)
    epoll.poll(SPAN)


def use_socket():
    one, _other = socket.socketpair()
    one.settimeout(SPAN)
    try:
        one.recv(1)
    except TimeoutError:
        pass


def use_condition():
    condition = threading.Condition()
    with condition:
        condition.wait(SPAN)


def use_queue():
    try:
        queue.Queue().get(timeout=SPAN)
    except queue.Empty:
        pass


async def wait_for_event():
    try:
        await asyncio.wait_for(asyncio.Event().wait(), SPAN)
    except asyncio.TimeoutError:
        pass


def use_child():
    child = os.fork()
    if child == 0:
        threading.Event().wait(SPAN)
        os._exit(0)
    os.waitpid(child, 0)


WAITS = {
    "sleep": lambda: time.sleep(SPAN),
    "select": lambda: select.select([pipe], [], [], SPAN),
    "poll": use_poll,
    "epoll": use_epoll,
    "socket": use_socket,
    "event": lambda: threading.Event().wait(SPAN),
    "condition": use_condition,
    "queue": use_queue,
    "asyncio-sleep": lambda: asyncio.run(asyncio.sleep(SPAN)),
    "asyncio-wait-for": lambda: asyncio.run(wait_for_event()),
    "sigtimedwait": lambda: signal.sigtimedwait([signal.SIGUSR1], SPAN),
    "forked": use_child,
}

print("ready", *WAITS, flush=True)
for line in sys.stdin:
    monotonic, wall = time.monotonic(), time.time()
    WAITS[line.strip()]()
    print(time.monotonic() - monotonic, time.time() - wall, flush=True)
