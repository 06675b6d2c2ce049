#!/usr/bin/env python3
"""Installs, runs, upgrades and removes the Debian package in a clean root, and runs the container image.

Needs root, mmdebstrap and Debian's mirror. The clean root is a temporary folder, which is removed in the end.
Ends with a line that says how many checks passed. --short is what CI has time for: the package is installed, its programs
start, and it is removed. --make-root only makes the clean root, and --root takes one that was made: so the root can be made
while the package is built.
"""

import argparse
import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
TREE = HERE.parent.parent
USER = "tester"
HOME = "/home/" + USER
SETTINGS = HOME + "/.config/lockscope/lockscope.ini"
# What a desktop and three shells have, so that menus, files and completion can be looked at.
DESKTOP_PACKAGES = ["shared-mime-info", "desktop-file-utils", "libglib2.0-bin", "hicolor-icon-theme", "bash-completion",
                    "zsh", "fish", "man-db", "xvfb", "xauth", "redis-tools"]
PATIENCE = 60  # seconds


class Failure(Exception):
    """What a check found wrong, in a sentence."""


def expect(condition, complaint):
    if not condition:
        raise Failure(complaint)


def mirrors_of_host(suite):
    """Debian's mirrors for the suite, as this machine names them. Empty if it has another suite: the default is used."""
    told = subprocess.run(["apt-get", "indextargets", "--format", "$(REPO_URI) $(RELEASE) $(COMPONENT)",
                           "Created-By: Packages"], text=True, stdout=subprocess.PIPE, check=True).stdout
    places = {tuple(line.split()) for line in told.splitlines() if line.count(" ") == 2}
    wanted = {suite, suite + "-updates", suite + "-security"}
    mirrors = sorted(f"deb {uri} {release} main" for uri, release, component in places
                     if release in wanted and component == "main")
    return mirrors if any(line.split()[2] == suite for line in mirrors) else []


def options_of_host():
    """The proxies through which this machine's apt reaches the mirrors."""
    told = subprocess.run(["apt-config", "dump"], text=True, stdout=subprocess.PIPE, check=True).stdout
    return ["--aptopt=" + line for line in told.splitlines() if re.match(r'Acquire::https?::Proxy\S* "[^"]', line)]


class CleanRoot:
    """A Debian without anything of this machine."""

    def __init__(self, path):
        self.path = path

    def make(self, suite, packages):
        # apt keeps its lists, because more packages follow. The folder need not survive a crash: dpkg need not sync.
        subprocess.run(["mmdebstrap", "--quiet", "--variant=apt", "--skip=cleanup/apt", "--dpkgopt=force-unsafe-io",
                        *["--include=" + package for package in packages], *options_of_host(), suite, str(self.path),
                        *mirrors_of_host(suite)], check=True)
        # Services of a package are not started in here.
        policy = self.path / "usr/sbin/policy-rc.d"
        policy.write_text("#!/bin/sh\nexit 101\n")
        policy.chmod(0o755)
        shutil.copy("/etc/resolv.conf", self.path / "etc/resolv.conf")
        self.run(f"useradd --create-home --shell /bin/bash {USER}")

    def command(self, script, user=None):
        """Runs the script in namespaces of its own: its processes end with it, and nothing stays mounted."""
        mounts = (f"mount -t proc proc {self.path}/proc && mount --rbind /dev {self.path}/dev && "
                  f"mount -t tmpfs tmpfs {self.path}/run && ")
        switch = f"--userspec={user}:{user} " if user else ""
        home = HOME if user else "/root"
        environment = (f"env -i HOME={home} PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "
                       f"LANG=C.UTF-8 TERM=xterm DEBIAN_FRONTEND=noninteractive USER={user or 'root'}")
        inner = mounts + f'exec {environment} chroot {switch}{self.path} /bin/bash -c "$1"'
        return ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--propagation", "private", "bash", "-c", inner,
                "bash", f"cd {home}; " + script]

    def run(self, script, user=None, may_fail=False):
        done = subprocess.run(self.command(script, user), text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              stdin=subprocess.DEVNULL, timeout=900, check=False)
        if done.returncode != 0 and not may_fail:
            raise Failure(f"{script!r} ended with {done.returncode}:\n{done.stdout[-3000:]}")
        return done.stdout

    def press(self, shell, typed, expected):
        """Types into a shell on a terminal until the text appears."""
        pid, terminal = pty.fork()
        if pid == 0:
            command = self.command("cd /tmp; exec " + shell, USER)
            os.execvp(command[0], command)
        seen = b""
        try:
            sent = 0
            deadline = time.monotonic() + PATIENCE
            last = time.monotonic()
            while time.monotonic() < deadline:
                if select.select([terminal], [], [], 0.5)[0]:
                    seen += os.read(terminal, 4096)
                    last = time.monotonic()
                    if sent == len(typed) and expected in seen.decode(errors="replace"):
                        return
                elif sent < len(typed) and time.monotonic() - last > 1:  # it waits for what is typed
                    os.write(terminal, typed[sent].encode())
                    sent += 1
                    last = time.monotonic()
        except OSError:
            pass  # it ended
        finally:
            os.kill(pid, 9)
            os.waitpid(pid, 0)
            os.close(terminal)
        raise Failure(f"{shell}: {typed} does not lead to {expected!r}:\n{seen.decode(errors='replace')[-800:]}")

    def file(self, path):
        return self.path / str(path).lstrip("/")


def is_picture(path, width, height):
    head = path.read_bytes()[:24]
    size = (int.from_bytes(head[16:20], "big"), int.from_bytes(head[20:24], "big"))
    return head.startswith(b"\x89PNG") and size == (width, height)


class PackageTest:
    def __init__(self, root, package, older, pictures):
        self.root = root
        self.package = package
        self.older = older
        self.pictures = pictures
        self.version = subprocess.check_output(["dpkg-deb", "-f", package, "Version"], text=True).strip()
        self.program_version = self.version.rsplit("-", 1)[0]

    # The steps, in their order: each builds on the one before.

    def it_is_installed(self):
        shutil.copy(self.package, self.root.path / "tmp")
        # The demo starts redis-server. Other recommended packages would double the time, and are left out.
        self.root.run(f"apt-get install -y -qq --no-install-recommends /tmp/{self.package.name} redis-server")

    def older_version_is_installed(self):
        for package in (self.package, self.older):
            shutil.copy(package, self.root.path / "tmp")
        self.root.run(f"apt-get install -y -qq /tmp/{self.older.name}")
        status = self.root.run("dpkg-query -W -f '${Version}' lockscope")
        expect(status == "0.0.1-1", "installed is " + status)

    def programs_run_and_write_settings(self):
        self.take_picture("older", "redis://127.0.0.1:1")
        settings = self.root.file(SETTINGS)
        expect(settings.exists(), "no settings were written")
        chosen, count = re.subn(r"(?m)^theme=.*$", "theme=dark", settings.read_text())
        expect(count == 1, "the settings name no theme")
        settings.write_text(chosen)

    def it_is_upgraded(self):
        self.root.run(f"apt-get install -y -qq /tmp/{self.package.name}")
        status = self.root.run("dpkg-query -W -f '${Version}' lockscope")
        expect(status == self.version, "installed is " + status)
        self.expect_settings("after the upgrade")
        self.take_picture("newer", "redis://127.0.0.1:1")
        self.expect_settings("after the newer version has run")

    def versions_are_told(self):
        for program in ("lockscope", "lockscope-cli"):
            told = self.root.run(program + " --version", USER).strip()
            expect(told == f"{program} {self.program_version}", told)

    def files_are_those_of_cmake(self):
        """What cmake --install puts below DESTDIR is what the package has."""
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["cmake", "--install", TREE / "build/release", "--prefix", "/usr"], check=True,
                           stdout=subprocess.DEVNULL, env={**os.environ, "DESTDIR": folder})
            by_cmake = {"/" + str(path.relative_to(folder)) for path in pathlib.Path(folder).rglob("*")
                        if not path.is_dir()}
        in_package = {path for path in self.root.run("dpkg -L lockscope").splitlines()
                      if not self.root.file(path).is_dir()}
        expect(by_cmake == in_package, f"they differ: {sorted(by_cmake ^ in_package)}")

    def no_file_names_the_source_tree(self):
        for path in self.root.run("dpkg -L lockscope").splitlines():
            file = self.root.file(path)
            expect(file.is_dir() or str(TREE).encode() not in file.read_bytes(), path + " names " + str(TREE))

    def locks_are_listed(self):
        listed = self.root.run(
            "redis-server --port 0 --unixsocket /tmp/redis.sock --daemonize yes --dir /tmp --save '' >/dev/null; "
            "until redis-cli -s /tmp/redis.sock ping >/dev/null 2>&1; do sleep 0.1; done; "
            "redis-cli -s /tmp/redis.sock SET lock:order:42 5f0c:63 PX 600000 >/dev/null; "
            "lockscope-cli list --url unix:///tmp/redis.sock; "
            "redis-cli -s /tmp/redis.sock SHUTDOWN NOSAVE", USER)
        expect("lock:order:42" in listed, listed)

    def metrics_are_served(self):
        address = "127.0.0.1/29469"
        told = self.root.run(
            f"lockscope-cli export --listen {address.replace('/', ':')} --url redis://127.0.0.1:1 & "
            f"until exec 3<>/dev/tcp/{address}; do sleep 0.1; done 2>/dev/null; "
            "printf 'GET /metrics HTTP/1.0\\r\\n\\r\\n' >&3; cat <&3; kill $!", USER)
        expect('lockscope_server_up{server="127.0.0.1:1",db="0"} 0' in told, told)
        unit = self.root.file("/usr/lib/systemd/system/lockscope-export.service")
        expect(unit.exists(), "there is no unit")

    def clients_follow_its_clock(self):
        """The library that is preloaded into clients is where the installed program looks for it."""
        told = self.root.run("lockscope-cli prove --new-adapter shell >lock.sh; "
                             "lockscope-cli prove --clock virtual --budget 5s -- bash lock.sh 2>&1", USER, may_fail=True)
        expect("runs" in told and "liblockscope-vclock.so" not in told, told)

    def searches_need_nothing_else(self):
        told = self.root.run("lockscope-cli explore --protocol set-nx-ex --faults pause "
                             "--save late.counterexample.json --save-run late.run.cbor", USER, may_fail=True)
        expect("mutual-exclusion" in told, told)
        for example in ("protocols/token-lock.json", "protocols/counted-lock.json"):
            self.root.run(f"lockscope-cli explore --max-schedules 50 --protocol /usr/share/doc/lockscope/examples/{example}"
                          " --faults interleaving", USER, may_fail=True)
        run = self.root.run("lockscope-cli contend --protocol set-nx-px-token --for 1s --clients 4", USER)
        expect("set-nx-px-token" in run, run)

    def demo_is_drawn(self):
        self.take_picture("demo", "--demo --page locks", delay="6s")

    def window_speaks_chinese(self):
        self.take_picture("chinese", "--demo --page locks --language zh_CN", delay="6s")

    def files_open(self):
        """As a desktop starts the program: with a file:// URL in the place of %U."""
        shutil.copy(TREE / "resources/scenarios/3-gc-pause.json", self.root.file(HOME) / "it is mine.scenario.json")
        self.take_picture("run", f"file://{HOME}/late.run.cbor file://{HOME}/late.counterexample.json")
        self.take_picture("scenario", f"file://{HOME}/it%20is%20mine.scenario.json")

    def desktop_knows_the_files(self):
        kinds = {"late.run.cbor": "run+cbor", "late.counterexample.json": "counterexample+json",
                 "it is mine.scenario.json": "scenario+json"}
        self.root.run("cp late.run.cbor nameless", USER)
        kinds["nameless"] = "run+cbor"
        for name, kind in kinds.items():
            kind = "application/vnd.lockscope." + kind
            told = self.root.run(f"gio info -a standard::content-type '{name}'", USER)
            expect(kind in told, f"{name}: {told}")
            handler = self.root.run("gio mime " + kind, USER)
            expect("lockscope.desktop" in handler, handler)

    def icon_is_found(self):
        for size in (16, 24, 32, 48, 64, 128, 256, 512):
            icon = self.root.file(f"/usr/share/icons/hicolor/{size}x{size}/apps/lockscope.png")
            expect(is_picture(icon, size, size), f"{icon} is no icon of {size} pixels")

    def manual_pages_are_found(self):
        for program in ("lockscope", "lockscope-cli"):
            page = self.root.run(f"man {program} | head -5", USER)
            expect(program in page and "NAME" in page, page)

    def shells_complete(self):
        for shell, begin in (("bash --login", ["source /usr/share/bash-completion/bash_completion\r"]),
                             ("zsh -f", ["autoload -U compinit && compinit -u -D\r"]), ("fish", [])):
            self.root.press(shell, [*begin, "lockscope-cli comple\t", "fi\t", "\r"], "complete -c lockscope-cli")
            self.root.press(shell, [*begin, "lockscope-cli explore --max-s\t", "7"], "--max-schedules")
            self.root.press(shell, [*begin, "lockscope --screens\t", "x"], "--screenshot")

    def it_is_removed(self):
        installed = [path for path in self.root.run("dpkg -L lockscope").splitlines()
                     if not self.root.file(path).is_dir()]
        self.root.run("apt-get purge -y -qq lockscope")
        left = [path for path in installed if self.root.file(path).exists()]
        expect(not left, f"left behind: {left}")
        others = self.root.run("find / -xdev -name '*lockscope*' -not -path '/proc/*' -not -path '/tmp/*' "
                               f"-not -path '{HOME}/*'")
        expect(not others, "left behind: " + others)
        caches = self.root.run("grep -rls lockscope /usr/share/applications /usr/share/mime", may_fail=True)
        expect(not caches, "still named in: " + caches)
        self.expect_settings("after the removal")

    def expect_settings(self, when):
        settings = self.root.file(SETTINGS)
        expect(settings.exists() and "theme=dark" in settings.read_text(), "the settings are gone " + when)

    def take_picture(self, name, arguments, delay="2s"):
        told = self.root.run(f"QT_QPA_PLATFORM=offscreen lockscope --size 1280x800 --after {delay} "
                             f"--screenshot {HOME}/{name}.png {arguments}", USER)
        expect("built without" not in told, told)
        picture = self.root.file(f"{HOME}/{name}.png")
        expect(is_picture(picture, 1280, 800), f"{name}.png is no picture of 1280x800")
        if self.pictures:
            shutil.copy(picture, self.pictures)

    def short_steps(self):
        return [self.it_is_installed, self.programs_run_and_write_settings, self.versions_are_told,
                self.no_file_names_the_source_tree, self.locks_are_listed, self.clients_follow_its_clock, self.demo_is_drawn,
                self.it_is_removed]

    def steps(self):
        return [self.older_version_is_installed, self.programs_run_and_write_settings, self.it_is_upgraded,
                self.versions_are_told, self.files_are_those_of_cmake, self.no_file_names_the_source_tree,
                self.locks_are_listed, self.metrics_are_served, self.clients_follow_its_clock,
                self.searches_need_nothing_else, self.demo_is_drawn, self.window_speaks_chinese, self.files_open,
                self.desktop_knows_the_files, self.icon_is_found, self.manual_pages_are_found, self.shells_complete,
                self.it_is_removed]


def older_package(folder):
    """The same package, said to be of an older version."""
    subprocess.run(["cpack", "-G", "DEB", "-B", str(folder), "-D", "CPACK_PACKAGE_VERSION=0.0.1"], check=True,
                   cwd=TREE / "build/release", stdout=subprocess.DEVNULL)
    return next(pathlib.Path(folder).glob("lockscope_0.0.1-1_*.deb"))


def image_runs(image, folder):
    """The container image is what its lists say, and what is in it runs without anything else."""
    import hashlib
    import json
    import tarfile
    with tarfile.open(image) as archive:
        read = lambda name: archive.extractfile(name).read()
        manifest_entry = json.loads(read("index.json"))["manifests"][0]
        manifest = json.loads(read("blobs/" + manifest_entry["digest"].replace(":", "/")))
        for entry in [manifest_entry, manifest["config"], *manifest["layers"]]:
            content = read("blobs/" + entry["digest"].replace(":", "/"))
            expect("sha256:" + hashlib.sha256(content).hexdigest() == entry["digest"], "a digest is wrong")
            expect(len(content) == entry["size"], "a size is wrong")
        layer = "blobs/" + manifest["layers"][0]["digest"].replace(":", "/")
        config = json.loads(read("blobs/" + manifest["config"]["digest"].replace(":", "/")))["config"]
        archive.extract(layer, folder)
    root = pathlib.Path(folder, "root")
    root.mkdir()
    subprocess.run(["tar", "-C", str(root), "-xzf", str(pathlib.Path(folder, layer))], check=True)
    call = " ".join(config["Entrypoint"])
    inside = CleanRoot(root)
    told = inside.run(call + " --version")
    expect(re.match(r"lockscope-cli \d", told), told)
    run = inside.run(call + " contend --protocol set-nx-px-token --for 1s --clients 4")
    expect("set-nx-px-token" in run, run)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--package", type=pathlib.Path, help="the .deb; without one the image alone is tested")
    parser.add_argument("--image", type=pathlib.Path, help="the container image")
    parser.add_argument("--pictures", type=pathlib.Path, help="where the pictures of the window are kept")
    parser.add_argument("--suite", default="bookworm")
    parser.add_argument("--short", action="store_true", help="only what CI has time for")
    parser.add_argument("--make-root", type=pathlib.Path, metavar="FOLDER", help="make a clean root for --short, and stop")
    parser.add_argument("--root", type=pathlib.Path, metavar="FOLDER", help="the clean root, made by --make-root")
    arguments = parser.parse_args()
    if arguments.make_root:
        CleanRoot(arguments.make_root).make(arguments.suite, [])
        return 0
    if arguments.pictures:
        arguments.pictures.mkdir(parents=True, exist_ok=True)
    passed, failed = 0, 0
    with tempfile.TemporaryDirectory(prefix="lockscope-package-") as folder:
        steps = []
        os.chmod(folder, 0o755)
        if arguments.package:
            root = CleanRoot(arguments.root or pathlib.Path(folder, "clean"))
            if not arguments.root:
                print("making a clean root", flush=True)
                root.make(arguments.suite, [] if arguments.short else DESKTOP_PACKAGES)
            older = None
            if not arguments.short:
                os.mkdir(folder + "/older")
                older = older_package(folder + "/older")
            test = PackageTest(root, arguments.package.resolve(), older, arguments.pictures)
            steps += [(step.__name__, step) for step in (test.short_steps() if arguments.short else test.steps())]
        if arguments.image:
            os.mkdir(folder + "/image")
            steps.append(("image_runs", lambda: image_runs(arguments.image, folder + "/image")))
        for name, step in steps:
            begin = time.monotonic()
            try:
                step()
                passed += 1
                print(f"PASS   {name} ({time.monotonic() - begin:.1f} s)", flush=True)
            except Failure as failure:
                failed += 1
                print(f"FAIL   {name}: {failure}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
