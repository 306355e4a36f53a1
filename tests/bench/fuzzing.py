# SPDX-License-Identifier: MIT
"""Damaged files through the command line program: each must end as a picture or in a sentence."""
import argparse
import os
import pathlib
import random
import re
import resource
import struct
import subprocess
import sys
import tempfile
import zipfile

CRASHES = re.compile(r"crashed on it|gave up without an answer|invalid answer|does not start(?! with a NIfTI)|has ended")
IN_A_RUN = 100
LARGEST_KEPT = 8192  # bytes
SAID = 40  # letters that tell one sentence from another
EDGES = (0, 1, 2, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffff0)


def damage(data, chance):
    data = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(data))
        kind = chance.randrange(6)
        if kind == 0:
            data[at] = chance.randrange(256)
        elif kind == 1:
            data[at:at + 2] = struct.pack("<H", chance.choice(EDGES) & 0xffff)
        elif kind == 2:
            data[at:at + 4] = struct.pack("<I", chance.choice(EDGES))
        elif kind == 3 and len(data) > 200:
            del data[at:at + chance.randint(1, 40)]
        elif kind == 4:
            data[at:at] = data[at:at + chance.randint(1, 40)]
        elif chance.random() < 0.3 and at > 0:
            del data[at:]
    return bytes(data)


def collect(archive, known, paths, lines):
    """Adds the first file of each format that ended in a sentence that no file did before, numbers and
    names aside."""
    for line in lines:
        for path in paths:
            if not line.startswith("ondelette-cli:") or path.name not in line or path.stat().st_size > LARGEST_KEPT:
                continue
            said = path.suffix + re.sub(r"“[^”]*”|[^a-z ]+", "", line.split(path.name, 1)[1])[:SAID]
            if said not in known:
                known.add(said)
                archive.writestr(zipfile.ZipInfo(f"{len(archive.namelist()):03}{path.suffix}"), path.read_bytes(),
                                 zipfile.ZIP_DEFLATED)


def find_silent(paths, out, form, said):
    """Files that were neither written nor named in a sentence."""
    written = {path.name for path in out.glob(f"*.{form}")}
    return [path for path in paths if path.name not in said
            and not any(path.name.split(".")[0] in name for name in written)]


def keep(path, folder):
    os.makedirs(folder, exist_ok=True)
    (pathlib.Path(folder) / path.name).write_bytes(path.read_bytes())


def run(write, extension, folder, form="png"):
    """Writes files by write (path, random, folder) and opens them, as pictures or in another form; exits
    with 1 after a crash, or a file that gave neither a picture nor a sentence, both of which it keeps. The arguments are ONDELETTE_CLI [--files N] [--seed N] [--keep FOLDER] [--only EXTENSION]
    [--corpus ZIP]; `extension` (n) is that of file n, unless there shall be only one. A corpus has a file of
    each format for each sentence; those of several runs are added up."""
    parser = argparse.ArgumentParser()
    parser.add_argument("cli")
    parser.add_argument("--files", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", default=folder)
    parser.add_argument("--only")
    parser.add_argument("--corpus")
    options = parser.parse_args()
    if options.only:
        extension = lambda _: options.only
    cli = os.path.abspath(options.cli)
    chance = random.Random(options.seed)
    crashed = opened = silent = 0
    archive = zipfile.ZipFile(options.corpus, "a") if options.corpus else None
    known = set()
    for first in range(0, options.files, IN_A_RUN):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            paths = [folder / f"{i:06}{extension(i)}"
                     for i in range(first, min(first + IN_A_RUN, options.files))]
            for path in paths:
                write(path, chance, folder)
            done = subprocess.run([cli, "process", *map(str, paths), "-o", f"{name}/out/", "--format", form],
                                  capture_output=True, encoding="utf-8", errors="replace", timeout=3000,
                                  check=False)
            if done.returncode not in (0, 1, 3):
                sys.exit(f"ondelette-cli ended with {done.returncode}: {done.stderr[-2000:]}")
            opened += len(list(folder.glob(f"out/*.{form}")))
            for path in find_silent(paths, folder / "out", form, done.stderr):
                silent += 1
                keep(path, options.keep)
            if archive:
                collect(archive, known, paths, done.stderr.splitlines())
            for line in done.stderr.splitlines():
                if not CRASHES.search(line):
                    continue
                crashed += 1
                print(line)
                for path in paths:
                    if path.name in line:
                        keep(path, options.keep)
    if archive:
        archive.close()
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
    print(f"{options.files} files: {opened} opened, {crashed} crashes, {silent} without a word; at most {most} MB in a process")
    sys.exit(1 if crashed or silent else 0)
