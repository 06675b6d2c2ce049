#!/usr/bin/env python3
"""Measures what `lockscope-cli export` needs for many servers: tests/bench/fleet.py --cli PROGRAM --servers N

Starts N private servers, each with a few locks of which some change all the time, and the exporter on one core. Prints
its share of that core, its memory, and how long a scrape takes. Everything ends with the script.
"""

import argparse
import os
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request


def encoded(*words):
    words = [str(word).encode() for word in words]
    return b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(word), word) for word in words)


class Server:
    """A redis-server on a socket in the folder."""

    def __init__(self, folder, number):
        self.path = f"{folder}/{number}.sock"
        self.process = subprocess.Popen(["redis-server", "--port", "0", "--unixsocket", self.path, "--save", "", "--dir", folder],
                                        stdout=subprocess.DEVNULL)
        self.connection = None

    def connect(self):
        while not os.path.exists(self.path):
            time.sleep(0.01)
        self.connection = socket.socket(socket.AF_UNIX)
        self.connection.connect(self.path)

    def send(self, *commands):
        """Waits for as many answers, which are one line each."""
        self.connection.sendall(b"".join(commands))
        answers = b""
        while answers.count(b"\r\n") < len(commands):
            answers += self.connection.recv(4096)

    def end(self):
        self.process.terminate()
        self.process.wait()


def take_locks(server, locks):
    server.send(*(encoded("SET", f"lock:{i}", f"8b1a9953-c461-4296-a827-{i:012}", "PX", 3_600_000) for i in range(locks)))


def keep_changing(servers, changes, ended):
    """Takes and releases a lock on each server, so that there are so many changes a second."""
    due = time.monotonic()
    count = 0
    while not ended.is_set():
        for server in servers:
            server.send(encoded("SET", "lock:busy", f"8b1a9953-c461-4296-a827-{count:012}", "PX", 3_600_000)
                        if count % 2 == 0 else encoded("DEL", "lock:busy"))
        count += 1
        due += 1 / changes
        ended.wait(max(0, due - time.monotonic()))


def processor_seconds(pid):
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory_mb(pid):
    with open(f"/proc/{pid}/status") as file:
        return int(re.search(r"VmRSS:\s*(\d+)", file.read()).group(1)) / 1024


def scrape(port):
    begin = time.monotonic()
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
        text = answer.read().decode()
    return time.monotonic() - begin, text


def sum_of(text, metric, label=""):
    return sum(float(line.rsplit(" ", 1)[1]) for line in text.splitlines() if line.startswith(metric) and label in line)


def measure(exporter, port, arguments):
    begin = time.monotonic()
    while sum_of(scrape(port)[1], "lockscope_locks{") < arguments.servers * arguments.locks:
        if time.monotonic() - begin > 60:
            sys.exit("not all locks were found within a minute")
        time.sleep(0.2)
    print(f"all locks found after {time.monotonic() - begin:.1f} s", flush=True)
    time.sleep(10)
    first, at, busy = scrape(port)[1], time.monotonic(), processor_seconds(exporter.pid)
    times = []
    while time.monotonic() - at < arguments.seconds:
        time.sleep(1)
        times.append(scrape(port)[0])
    passed = time.monotonic() - at
    share = (processor_seconds(exporter.pid) - busy) / passed
    last = scrape(port)[1]
    changes = sum_of(last, "lockscope_changes_total") - sum_of(first, "lockscope_changes_total")
    commands = sum_of(last, "lockscope_commands_total") - sum_of(first, "lockscope_commands_total")
    print(f"{arguments.servers} servers, {sum_of(last, 'lockscope_server_up'):.0f} up, {sum_of(last, 'lockscope_locks{'):.0f} locks, "
          f"{changes / passed:.0f} changes/s seen, {commands / passed:.0f} commands/s sent: {100 * share:.1f} % of a core, "
          f"{memory_mb(exporter.pid):.0f} MB, scrape {1000 * statistics.median(times):.0f} ms (max {1000 * max(times):.0f}), "
          f"{len(last) // 1024} KB", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cli", required=True, help="lockscope-cli, of an optimised build")
    parser.add_argument("--servers", type=int, default=20)
    parser.add_argument("--locks", type=int, default=20, help="of each server")
    parser.add_argument("--changes", type=float, default=10, help="of each server, per second")
    parser.add_argument("--seconds", type=float, default=30)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="lockscope-fleet-") as folder:
        servers = [Server(folder, number) for number in range(arguments.servers)]
        ended = threading.Event()
        changing = threading.Thread(target=keep_changing, args=(servers, arguments.changes, ended))
        exporter = None
        try:
            for server in servers:
                server.connect()
                take_locks(server, arguments.locks)
            urls = [word for server in servers for word in ("--url", "unix://" + server.path)]
            exporter = subprocess.Popen(["taskset", "-c", "0", arguments.cli, "export", "--listen", "127.0.0.1:0", *urls],
                                        stderr=subprocess.PIPE, text=True)
            port = int(re.search(r":(\d+)/metrics", exporter.stderr.readline()).group(1))
            threading.Thread(target=exporter.stderr.read, daemon=True).start()
            changing.start()
            measure(exporter, port, arguments)
        finally:
            ended.set()
            if changing.is_alive():
                changing.join()
            if exporter:
                exporter.terminate()
                exporter.wait()
            for server in servers:
                server.end()


if __name__ == "__main__":
    main()
