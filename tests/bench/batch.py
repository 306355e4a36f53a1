#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A batch of DICOM files into PNG, against DCMTK's dcmj2pnm called file by file.

usage: batch.py ONDELETTE_CLI [--files N] [--megabytes N] [--runs N] [--jobs N]

The files are copies of the test data (ODL_TESTDATA) that both programs can convert. Runs take
turns; the bar is held against the medians. Exits with 1 when it is missed.
"""
import argparse
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

BAR = 2.0  # times as fast
LARGEST = 8 << 20


def usable(path, cli, folder):
    """Whether both convert it without a word."""
    ours = subprocess.run([cli, "process", path, "-o", f"{folder}/try.png", "--force"],
                          stderr=subprocess.DEVNULL, check=False).returncode == 0
    return ours and subprocess.run(["dcmj2pnm", "+on2", path, f"{folder}/theirs.png"],
                                   stderr=subprocess.DEVNULL, check=False).returncode == 0


def gather(cli, folder, n_files, megabytes):
    """Copies in a row of all sizes, until there are so many; their number and bytes."""
    found = []
    for path in sorted(pathlib.Path(os.environ["ODL_TESTDATA"]).rglob("*")):
        if path.is_file() and 2000 < path.stat().st_size < LARGEST:
            with open(path, "rb") as file:
                head = file.read(132)
            if head[128:] == b"DICM" and usable(str(path), cli, folder):
                found.append(path)
    if not found:
        sys.exit("batch.py: no DICOM file of ODL_TESTDATA is converted by both programs")
    os.makedirs(f"{folder}/in")
    size = 0
    # Small ones make room for as many large ones as the wanted bytes take.
    found.sort(key=lambda path: path.stat().st_size)
    low, high = 0, len(found) - 1
    for i in range(n_files):
        wanted = megabytes * 1e6 * (i + 1) / n_files
        if size < wanted:
            path, high = found[high], high - 1 if high > len(found) // 2 else len(found) - 1
        else:
            path, low = found[low], low + 1 if low < len(found) // 2 else 0
        shutil.copy(path, f"{folder}/in/{i:03}.dcm")
        size += path.stat().st_size
    return size


def run(command, folder):
    shutil.rmtree(f"{folder}/out", ignore_errors=True)
    os.makedirs(f"{folder}/out")
    begin = time.monotonic()
    subprocess.run(command, shell=isinstance(command, str), cwd=folder, check=True,
                   stderr=subprocess.DEVNULL)
    return time.monotonic() - begin


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cli")
    parser.add_argument("--files", type=int, default=199)
    parser.add_argument("--megabytes", type=float, default=91)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--jobs", default=None)
    options = parser.parse_args()
    cli = os.path.abspath(options.cli)
    jobs = ["--jobs", options.jobs] if options.jobs else []
    commands = {
        "dcmj2pnm, file by file": "for f in in/*.dcm; do dcmj2pnm +on2 $f out/$(basename $f).png; done",
        "ondelette-cli, one by one": [cli, "process", "in", "-o", "out", "--jobs", "1"],
        "ondelette-cli, in parallel": [cli, "process", "in", "-o", "out", *jobs],
    }
    with tempfile.TemporaryDirectory() as folder:
        size = gather(cli, folder, options.files, options.megabytes)
        print(f"{options.files} files, {size / 1e6:.1f} MB, {os.cpu_count()} processors, "
              f"load before: {os.getloadavg()[0]:.2f}", flush=True)
        times = {name: [] for name in commands}
        for _ in range(options.runs):
            for name, command in commands.items():
                times[name].append(run(command, folder))
    medians = {name: statistics.median(values) for name, values in times.items()}
    for name, values in times.items():
        print(f"{name:28} median {medians[name]:6.2f} s, least {min(values):6.2f} s")
    names = list(commands)
    ratio = medians[names[0]] / medians[names[2]]
    print(f"{ratio:.2f} times as fast; bar: {BAR}{'' if ratio >= BAR else '  MISSED'}")
    return 0 if ratio >= BAR else 1


if __name__ == "__main__":
    sys.exit(main())
