#!/usr/bin/env python3
"""The "ssh -W HOST:PORT" of a WeakWay: carries bytes between its standard streams and the server, as badly as the state
of the way says, which it reads anew whenever bytes come. The state is "DELAY FORGOTTEN CUT": milliseconds in each
direction; the number of the last process that carries nothing any more; whether new ones have to wait, 0 or 1."""
import collections
import os
import select
import socket
import sys
import time

WAY = os.environ["LOCKSCOPE_WEAK_WAY"]
RETRY_SECONDS = 0.02  # how often the state is looked at while something waits for it


def state():
    with open(WAY + "/state", encoding="ascii") as file:
        delay, forgotten, is_cut = (int(word) for word in file.read().split())
    return delay / 1000, forgotten, is_cut != 0


def next_number():
    """Processes are numbered as they start: each takes the next free name in the folder."""
    number = 1
    while True:
        try:
            os.close(os.open(f"{WAY}/{number}", os.O_CREAT | os.O_EXCL))
            return number
        except FileExistsError:
            number += 1


class Direction:
    """Bytes under way from one end to the other, none of which overtakes another."""

    def __init__(self, source, target):
        self.source = source
        self.target = target
        self.under_way = collections.deque()  # (when it arrives, bytes)
        self.has_ended = False

    def take(self, is_lost, delay):
        data = os.read(self.source, 65536)
        self.has_ended = not data
        if data and not is_lost:
            self.under_way.append((time.monotonic() + delay, data))

    def deliver(self, is_mended):
        while self.under_way and (is_mended or self.under_way[0][0] <= time.monotonic()):
            data = self.under_way.popleft()[1]
            while data:
                data = data[os.write(self.target, data):]

    def due(self):
        return self.under_way[0][0] if self.under_way else float("inf")


def carry(number, server):
    # Standard input and output are one socket.
    directions = [Direction(0, server.fileno()), Direction(server.fileno(), 1)]
    while not any(d.has_ended and not d.under_way for d in directions):
        due = min(d.due() for d in directions)
        patience = None if due == float("inf") else max(0.0, min(due - time.monotonic(), RETRY_SECONDS))
        ready, _, _ = select.select([d.source for d in directions if not d.has_ended], [], [], patience)
        delay, forgotten, _ = state()
        for direction in directions:
            if direction.source in ready:
                direction.take(number <= forgotten, delay)
            if number <= forgotten:
                direction.under_way.clear()
            direction.deliver(is_mended=delay == 0)


def main():
    host, port = sys.argv[sys.argv.index("-W") + 1].rsplit(":", 1)
    while state()[2]:
        time.sleep(RETRY_SECONDS)
    number = next_number()
    try:
        server = socket.create_connection((host, int(port)))
    except OSError as error:
        sys.exit(f"channel 0: open failed: connect failed: {error.strerror}")
    server.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    try:
        carry(number, server)
    except (BrokenPipeError, ConnectionResetError):
        pass  # one end is gone, and so is this


main()
