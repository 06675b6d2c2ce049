"""What a build directory knows of our sources, for the checks that read each of them again: scripts/tidy, scripts/alone."""

import functools
import hashlib
import json
import os
import pathlib
import re
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
LAYERS = ("app", "core", "ui")
FORGET_AFTER_DAYS = 30


@functools.cache
def digest_of(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def here(text):
    """Without the checkout's own place, so that all checkouts agree."""
    return str(text).replace(str(ROOT), ".")


def files_in(source):
    """What a file of the build's own making puts together; any other is alone."""
    if "/Unity/" not in str(source):
        return [source]
    return [pathlib.Path(name) for name in re.findall(r'#include "([^"]+)"', source.read_text())]


def is_product(source):
    """C++ of ours. The C of the clock library stands in for functions of the system, under their names and in their ways."""
    return source.suffix != ".c" and any(source.is_relative_to(ROOT / layer) for layer in LAYERS)


def headers_by_source(build):
    """What every source includes, as the compiler told ninja."""
    listing = subprocess.run(["ninja", "-C", build, "-t", "deps"], check=True, capture_output=True, text=True).stdout
    read_for = {}
    for block in listing.split("\n\n"):
        head, *lines = block.strip().split("\n")
        if lines and head.endswith("(VALID)"):
            read_for[(build / head.split(": #deps")[0]).resolve()] = [(build / line.strip()).resolve() for line in lines]
    included = {}
    for source, *headers in read_for.values():
        # Of a precompiled header the compiler names the result only, which is never the same twice.
        included[source] = {h for header in headers for h in read_for.get(header, [header])}
    return included


def commands_without_precompiled_headers(build):
    """The compile commands as they would be without: of what is compiled, and of every file in it."""
    commands = []
    for entry in json.loads((build / "compile_commands.json").read_text()):
        entry["command"] = re.sub(r" -Winvalid-pch| -include \S+/cmake_pch\.hxx", "", entry["command"])
        commands.append(entry)
        for part in files_in(pathlib.Path(entry["file"])):
            if str(part) != entry["file"]:
                commands.append(entry | {"file": str(part), "command": entry["command"].replace(entry["file"], str(part))})
    return commands


def units_of_the_product(build):
    """What is compiled of it; a file that the build forgot is an error of the house rules."""
    compiled = (pathlib.Path(entry["file"]) for entry in json.loads((build / "compile_commands.json").read_text()))
    return sorted({unit for unit in compiled if all(map(is_product, files_in(unit)))})


class Memory:
    """Remembers what has passed, by the digest of all that it was judged by: its text, everything it includes (headers of
    the system too), its compiler flags, and the judge. Fresh checkouts and the everyday tree share it."""

    def __init__(self, build, commands, judge):
        self._folder = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "lockscope-tidy"
        self._folder.mkdir(parents=True, exist_ok=True)
        self._forget_the_old()
        self._judge = judge
        self._commands = {pathlib.Path(entry["file"]): entry["command"] for entry in commands}
        self._headers = headers_by_source(build)
        self._units = {part: unit for unit in self._headers for part in files_in(unit)}

    def place_of(self, source, checks):
        """Where it is remembered that the source has passed; nothing if it cannot be known what the source includes."""
        unit = self._units.get(source, source)
        if source not in self._commands or unit not in self._headers:
            return None
        key = hashlib.sha256()
        for part in (self._judge, checks, here(source), here(self._commands[source]), here(source.read_text())):
            key.update(part.encode() + b"\0")
        for header in sorted(self._headers[unit], key=here):
            key.update(f"{here(header)} {digest_of(header)}\0".encode())
        return self._folder / key.hexdigest()

    def unless_remembered(self, source, checks, examine):
        """True when it has passed before, or does so now."""
        place = self.place_of(source, checks)
        has_passed = bool(place and place.exists()) or examine()
        if has_passed and place:
            place.touch()
        return has_passed

    def _forget_the_old(self):
        oldest = time.time() - FORGET_AFTER_DAYS * 24 * 3600
        for place in self._folder.iterdir():
            if place.stat().st_mtime < oldest:
                place.unlink(missing_ok=True)


def version_of(tool):
    return subprocess.run([tool, "--version"], check=True, capture_output=True, text=True).stdout
