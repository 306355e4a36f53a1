#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What it costs to share out a sweep: one process against shards, two at a time, and `merge`.

usage: shards.py ONDELETTE_CLI [ROUNDS] [SHARDS]

Runs both in turn, compares the tables byte by byte, and prints seconds of processor time and of the
clock for each round. Processor time is what counts on a machine that does other things, too.
"""
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

CLI = os.path.abspath(sys.argv[1])
ROUNDS = int(sys.argv[2]) if len(sys.argv) > 2 else 5
SHARDS = int(sys.argv[3]) if len(sys.argv) > 3 else 4
GRIDS = {
    "128²": ["phantom:128x128,clean", "soft-threshold.threshold=0:0.1999:0.0001"],
    "256²": ["phantom:256x256,clean", "soft-threshold.threshold=0:0.1999:0.0001"],
}


def grid(picture, thresholds):
    return ["sweep", picture, "-f", "soft-threshold", "--vary", thresholds, "--vary", "soft-threshold.levels=1:5", "--noise",
            "gaussian:25/255,7"]


def measured(work):
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    work()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, time.monotonic() - begin


def start(*words):
    return subprocess.Popen([CLI, *words], stdout=subprocess.DEVNULL)


def whole(words):
    assert start(*words, "--csv", "whole.csv", "--jobs", "2").wait() == 0


def shared(words):
    left, running = list(range(1, SHARDS + 1)), []
    while left or running:
        while left and len(running) < 2:
            i = left.pop(0)
            running.append(start(*words, "--csv", f"part-{i}.csv", "--jobs", "1", "--shard", f"{i}/{SHARDS}"))
        pid, status = os.wait()
        assert status == 0, status
        running = [one for one in running if one.pid != pid]
    assert start("merge", "all.csv", *[f"part-{i}.csv" for i in range(1, SHARDS + 1)]).wait() == 0


for side, (picture, thresholds) in GRIDS.items():
    words = grid(picture, thresholds)
    rows = []
    for _ in range(ROUNDS):
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            rows.append((*measured(lambda: whole(words)), *measured(lambda: shared(words))))
            assert pathlib.Path("whole.csv").read_bytes() == pathlib.Path("all.csv").read_bytes()
            assert pathlib.Path("all.csv").read_bytes().count(b"\n") == 10001
            os.chdir("/")
        print(side, *(f"{value:.2f}" for value in rows[-1]), flush=True)
    sums = [sum(column) for column in zip(*rows)]
    print(f"{side}: processor time {100 * (sums[2] / sums[0] - 1):+.1f} %, clock {100 * (sums[3] / sums[1] - 1):+.1f} %", flush=True)
