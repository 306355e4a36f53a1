#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A node that makes derived objects of what it receives, against `process` of the same files from disk.

usage: enhancing.py ONDELETTE_CLI [--files N] [--runs N] [--folder FOLDER]

Ultrasound pictures of 800 × 600 pixels, the preset ultrasound-soft, on 127.0.0.1. The node's time is from the first picture
that is sent to the last derived object that it kept. Runs take turns; exits with 1 when the bar is missed.
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

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))

BAR = 0.8  # of the rate of `process`
US = "1.2.840.10008.5.1.4.1.1.6.1"


def make(folder, n):
    import dicom_file
    import dicom_peer as peer
    folder.mkdir()
    random = np.random.default_rng(1)
    depth = np.linspace(200, 40, 600)[:, None]
    for number in range(n):
        picture = np.clip(depth * random.rayleigh(0.8, (600, 800)), 0, 255).astype(np.uint8)
        name = f"1.2.3.4.{number + 1}"
        writer = dicom_file.Writer()
        writer.put(0x00080016, "UI", US).put(0x00080018, "UI", name).put(0x00080060, "CS", "US")
        writer.put(0x00100010, "PN", "A^B").put(0x0020000d, "UI", "1.2.3").put(0x0020000e, "UI", "1.2.3.4")
        writer.put(0x00280002, "US", 1).put(0x00280004, "CS", "MONOCHROME2").put(0x00280010, "US", 600)
        writer.put(0x00280011, "US", 800).put(0x00280100, "US", 8).put(0x00280101, "US", 8).put(0x00280102, "US", 7)
        writer.put(0x00280103, "US", 0).put(0x7fe00010, "OB", picture.tobytes())
        (folder / f"{number:05}.dcm").write_bytes(peer.whole_file(writer.body(), name, US))


def from_disk(cli, home, n):
    shutil.rmtree(home / "out", ignore_errors=True)
    begin = time.perf_counter()
    subprocess.run([cli, "process", home / "files", "-o", home / "out", "--format", "dicom", "--preset", "ultrasound-soft"],
                   check=True, stderr=subprocess.DEVNULL)
    seconds = time.perf_counter() - begin
    assert len(list((home / "out").iterdir())) == n
    return seconds


def received(_, home, n):
    from node import Node, until
    for name in ("archive", "state"):
        shutil.rmtree(home / name, ignore_errors=True)
    (home / "rules").write_text("[all]\npreset=ultrasound-soft\n")
    with Node(home / "archive", more=("--preset-rules", home / "rules", "--state", home / "state")) as node:
        begin = time.perf_counter()
        subprocess.run(["storescu", "-aec", "NODE", "-R", "+sd", "127.0.0.1", str(node.port), home / "files"], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until(lambda: sum(line.startswith("derived") for line in list(node.lines)) == n, node.words, 600)
        return time.perf_counter() - begin


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cli")
    parser.add_argument("--files", type=int, default=100)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--folder", default="/dev/shm")
    options = parser.parse_args()
    os.environ["TCP_NODELAY"] = "1"  # of storescu, see receiving.py
    times = {"process": [], "node": []}
    with tempfile.TemporaryDirectory(dir=options.folder, prefix="ondelette-enhancing-") as home:
        home = pathlib.Path(home)
        make(home / "files", options.files)
        for _ in range(options.runs):
            for name, run in (("process", from_disk), ("node", received)):
                times[name].append(run(options.cli, home, options.files))
    for name, some in times.items():
        print(f"{name}: {options.files / statistics.median(some):.1f} pictures/s, median of "
              + ", ".join(f"{seconds:.2f}" for seconds in some) + " s")
    ratio = statistics.median(times["process"]) / statistics.median(times["node"])
    rounds = sorted(a / b for a, b in zip(times["process"], times["node"]))
    print(f"rate of the node by that of process: {ratio:.2f} (rounds {rounds[0]:.2f} to {rounds[-1]:.2f}); bar: {BAR}")
    return 0 if ratio >= BAR else 1


if __name__ == "__main__":
    sys.exit(main())
