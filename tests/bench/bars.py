#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What the program promises as a time: signals that are lost, cancels, refusals, seeks, frames of
a video. The tests measure these times in any case and hold them against nothing; here they are
held against their bars, on a machine that should have nothing else to do.

usage: bars.py BUILD_FOLDER [NAME…]

NAME is a test of Meson's. Exits with 1 when a bar is missed.
"""
import json
import os
import re
import subprocess
import sys

TESTS = ["session-live", "session-transport", "session-session", "session-stacks",
         "source-camera",
         "source-camera-portal", "source-process", "source-hostile", "source-video_faults",
         "source-video_files", "source-cine_codecs",
         "widgets-own-code"]
BAR = re.compile(r"# bar: (.*): ([0-9.]+) of at most ([0-9.]+) ms")


def measure(test):
    """The longest of each time, by what it is; and whether the test passed."""
    run = subprocess.run(test["cmd"] + ["-m", "perf"], env={**os.environ, **test["env"]},
                         stdout=subprocess.PIPE, text=True)
    times = {}
    for what, taken, bar in BAR.findall(run.stdout):
        # Numbered names are kinds of one thing.
        key = re.sub(r"[0-9]+", "N", what), float(bar)
        times[key] = max(times.get(key, 0), float(taken))
    return times, run.returncode


def main():
    build, names = sys.argv[1], sys.argv[2:] or TESTS
    listed = json.loads(subprocess.run(["meson", "introspect", "--tests", build], check=True,
                                       stdout=subprocess.PIPE).stdout)
    tests = {test["name"]: test for test in listed}
    missed = 0
    print(f"{'test':22} {'what':44} {'took, ms':>10} {'bar, ms':>10}")
    for name in names:
        times, status = measure(tests[name])
        for (what, bar), taken in times.items():
            missed += taken > bar
            print(f"{name:22} {what[:44]:44} {taken:10.1f} {bar:10.1f}{'  MISSED' * (taken > bar)}",
                  flush=True)
        if status == 77:
            print(f"{name:22} skipped")
        elif status != 0:
            missed += 1
            print(f"{name:22} FAILED with status {status}")
    print(f"{missed} missed" if missed else "every bar is kept")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
