#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Receiving CT pictures: the node against DCMTK's storescp, both from DCMTK's storescu, on 127.0.0.1.

usage: receiving.py ONDELETTE_CLI [--files N] [--runs N] [--folder FOLDER] [--nodelay]

DCMTK's programs write the head and the body of each fragment apart, so that without TCP_NODELAY, their default, an answer
waits for the acknowledgement of its head. --nodelay sets it for them.
Runs take turns; the bar is held against the medians. FOLDER should be in memory (tmpfs). Exits with 1 when the bar
is missed.
"""
import argparse
import os
import pathlib
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))

BAR = 0.9  # of storescp's rate
MOST_MEMORY = 250e6
SIDE = 512  # pictures of 512 kB


def make(folder, n):
    import dicom_peer as peer
    folder.mkdir()
    for number in range(n):
        name = f"1.2.3.4.{number + 1}"
        data = peer.data_set(instance=name, size=2 * SIDE * SIDE, fill=number % 250)
        (folder / f"{number:05}.dcm").write_bytes(peer.whole_file(data, name))


def send(port, files):
    begin = time.perf_counter()
    subprocess.run(["storescu", "-aec", "NODE", "-R", "+sd", "127.0.0.1", str(port), str(files)], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - begin


def memory_of(pids):
    """Bytes of these processes, with what they share counted once."""
    total = 0
    for pid in pids:
        try:
            text = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text()
        except OSError:
            continue
        total += next(int(line.split()[1]) << 10 for line in text.splitlines() if line.startswith("Pss:"))
    return total


def ours(files, folder, peaks):
    from node import Node
    with Node(folder / "ours") as node:
        done = threading.Event()

        def watch():
            while not done.wait(0.1):
                peaks.append(memory_of([node.process.pid, *node.helpers()]))

        watcher = threading.Thread(target=watch)
        watcher.start()
        seconds = send(node.port, files)
        done.set()
        watcher.join()
        n = len(node.files())
    shutil.rmtree(folder / "ours")
    return seconds, n


def theirs(files, folder, _, *options):
    from node import Storescp
    with Storescp(*options, folder=folder / "theirs") as other:
        seconds = send(other.port, files)
        n = len(other.files())
    shutil.rmtree(folder / "theirs")
    return seconds, n


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cli")
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--folder", default="/dev/shm")
    parser.add_argument("--nodelay", action="store_true")
    options = parser.parse_args()
    if options.nodelay:
        os.environ["TCP_NODELAY"] = "1"
    with tempfile.TemporaryDirectory(dir=options.folder, prefix="ondelette-receiving-") as home:
        home = pathlib.Path(home)
        make(home / "files", options.files)
        # The second takes fragments as large as the node does.
        ways = {"node": (ours,), "storescp": (theirs,), "storescp -pdu 131072": (theirs, "-pdu", "131072")}
        times, peaks = {name: [] for name in ways}, []
        for _ in range(options.runs):
            for name, (receive, *more) in ways.items():
                seconds, n = receive(home / "files", home, peaks, *more)
                assert n == options.files, (name, n)
                times[name].append(seconds)
    medians = {name: statistics.median(some) for name, some in times.items()}
    for name, some in times.items():
        print(f"{name}: {options.files / medians[name]:.0f} pictures/s, median of "
              + ", ".join(f"{seconds:.2f}" for seconds in some) + " s")
    for name in times:
        ratios = sorted(b / a for a, b in zip(times["node"], times[name]))
        if name != "node":
            print(f"rate of the node by that of {name}: {medians[name] / medians['node']:.2f} "
                  f"(rounds {ratios[0]:.2f} to {ratios[-1]:.2f}); bar: {BAR}")
    ratio = min(medians[name] / medians["node"] for name in times)
    print(f"memory of node and helper: {max(peaks, default=0) / 1e6:.0f} MB; bar: {MOST_MEMORY / 1e6:.0f}")
    return 0 if ratio >= BAR and max(peaks, default=0) < MOST_MEMORY else 1


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.exit(main())
