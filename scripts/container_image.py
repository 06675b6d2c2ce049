#!/usr/bin/env python3
"""Makes a container image of lockscope-cli: Debian 12 with the libraries it needs, and redis-server for private runs.

The archive has the layout of the Open Container Initiative, and the list of Docker beside it, so that docker, podman
and skopeo read it. No container program is needed to make it. Ends with the name of the archive.
"""

import argparse
import gzip
import hashlib
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile
import time

MORE_PACKAGES = ["ca-certificates", "redis-server", "tini"]
LEFT_OUT = ["/usr/share/doc/*", "/usr/share/man/*", "/usr/share/locale/*", "/usr/share/info/*"]


def output_of(*command, **options):
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE, **options).stdout


def packages_for(program):
    """Debian's packages with the libraries of the program."""
    with tempfile.TemporaryDirectory() as folder:
        control = pathlib.Path(folder, "debian")
        control.mkdir()
        control.joinpath("control").write_text("Source: lockscope\n\nPackage: lockscope\nArchitecture: any\n")
        line = output_of("dpkg-shlibdeps", "-O", "-e" + str(program), cwd=folder)
    return re.findall(r"(?:=|, )([a-z0-9][a-z0-9.+-]*)", line)


def root_file_system(program, target, epoch):
    """A tar file of everything in the container."""
    with tempfile.TemporaryDirectory() as folder:
        stripped = pathlib.Path(folder, "lockscope-cli")
        subprocess.run(["strip", "-o", str(stripped), str(program)], check=True)
        subprocess.run(
            ["mmdebstrap", "--quiet", "--variant=essential", "--format=tar",
             "--include=" + ",".join(packages_for(program) + MORE_PACKAGES),
             *[f"--dpkgopt=path-exclude={path}" for path in LEFT_OUT],
             "--dpkgopt=path-include=/usr/share/doc/*/copyright",
             f'--customize-hook=copy-in {stripped} /usr/bin',
             '--customize-hook=chroot "$1" useradd --create-home --uid 1000 lockscope',
             '--customize-hook=rm -rf "$1"/var/log/* "$1"/var/cache/* "$1"/var/lib/apt/lists/*',
             "bookworm", str(target)],
            check=True, env={**os.environ, "SOURCE_DATE_EPOCH": str(epoch)})


class Archive:
    """The image as one tar file, whose members have no time but that of the commit."""

    def __init__(self, path, epoch):
        self.tar = tarfile.open(path, "w")
        self.epoch = epoch

    def add(self, name, content):
        member = tarfile.TarInfo(name)
        member.size = len(content)
        member.mtime = self.epoch
        self.tar.addfile(member, io.BytesIO(content))

    def add_blob(self, kind, content):
        digest = hashlib.sha256(content).hexdigest()
        self.add("blobs/sha256/" + digest, content)
        return {"mediaType": "application/vnd.oci.image." + kind, "digest": "sha256:" + digest, "size": len(content)}


def as_json(value):
    return json.dumps(value, indent=1).encode()


def configuration(layer, architecture, version, epoch):
    return {
        "created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(epoch)),
        "architecture": architecture,
        "os": "linux",
        "config": {
            "User": "lockscope",
            "WorkingDir": "/home/lockscope",
            "Env": ["PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8"],
            # Passes signals on, which the first process of a container would ignore.
            "Entrypoint": ["/usr/bin/tini", "--", "/usr/bin/lockscope-cli"],
            "Cmd": ["--help"],
            "Labels": {"org.opencontainers.image.title": "lockscope-cli",
                       "org.opencontainers.image.version": version,
                       "org.opencontainers.image.licenses": "GPL-3.0-or-later"},
        },
        "rootfs": {"type": "layers", "diff_ids": ["sha256:" + hashlib.sha256(layer).hexdigest()]},
    }


def write_image(layer, path, architecture, version, epoch):
    name = "lockscope-cli:" + version
    archive = Archive(path, epoch)
    packed = archive.add_blob("layer.v1.tar+gzip", gzip.compress(layer, 6, mtime=0))
    config = archive.add_blob("config.v1+json", as_json(configuration(layer, architecture, version, epoch)))
    manifest = archive.add_blob("manifest.v1+json", as_json(
        {"schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json", "config": config,
         "layers": [packed]}))
    manifest["annotations"] = {"io.containerd.image.name": "docker.io/library/" + name,
                               "org.opencontainers.image.ref.name": version}
    archive.add("oci-layout", as_json({"imageLayoutVersion": "1.0.0"}))
    archive.add("index.json", as_json({"schemaVersion": 2, "manifests": [manifest]}))
    blob = lambda entry: "blobs/" + entry["digest"].replace(":", "/")
    archive.add("manifest.json", as_json([{"Config": blob(config), "RepoTags": [name], "Layers": [blob(packed)]}]))
    archive.tar.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    program = arguments.program.resolve()
    epoch = int(os.environ.get("SOURCE_DATE_EPOCH", time.time()))
    version = output_of(str(program), "--version").split()[1]
    architecture = output_of("dpkg", "--print-architecture").strip()
    path = arguments.folder / f"lockscope-cli_{version}_{architecture}.oci.tar"
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder, "root.tar")
        root_file_system(program, root, epoch)
        write_image(root.read_bytes(), path, architecture, version, epoch)
    print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
