#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What the default engine costs where there is no graphics card: each filter with its defaults on a video of
1280 x 720, with `--engine cpu` and without, in turns; again, up to eight times, while a bar is missed.

usage: default_engine.py ONDELETTE_CLI [FRAMES [FILTER …]]

The bars: after the first frame the default is at most a tenth slower per frame, and the command takes at most
0.3 s of processor time more, or a tenth. The least of all counts, since a busy machine only ever adds. Prints a
table in Markdown. Status 1: a bar is missed. On a machine with a card the default may well be faster; the table
then says so.
"""
import json
import os
import re
import resource
import subprocess
import sys
import tempfile

CLI = os.path.abspath(sys.argv[1])
FRAMES = int(sys.argv[2]) if len(sys.argv) > 2 else 12
ONLY = sys.argv[3:]
PER_FRAME, PER_COMMAND = 1.1, 0.3
MOST_ROUNDS = 8
TIMING = re.compile(r"^timing ([\w:-]+): \d+×\d+ in ([\d.]+) ms$", re.M)


def recipes():
    listed = json.loads(subprocess.run([CLI, "list", "filters", "--json"], capture_output=True, check=True).stdout)
    for one in listed:
        needs = any(parameter["kind"] in ("file", "kernel") for parameter in one["parameters"])
        if not needs and (not ONLY or one["name"] in ONLY):
            yield one["name"]


def run(video, folder, recipe, engine):
    """Engines and milliseconds of all frames, and the command's processor time in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([CLI, "process", video, "-o", os.path.join(folder, "out-%03d.npy"), "--force", "-f", recipe,
                           *engine], capture_output=True, encoding="utf-8", check=False,
                          env={**os.environ, "ODL_DEBUG": "timing", "LC_ALL": "C.UTF-8", "XDG_CACHE_HOME": folder})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode == 0, f"{recipe}: {done.stderr}"
    frames = [(name, float(ms)) for name, ms in TIMING.findall(done.stderr)]
    return frames, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    missed = 0
    print("| filter, 1280 × 720 | `cpu`, ms | default, ms | its engine | times | command, s more |\n"
          "| --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        video = os.path.join(folder, "in.mkv")
        subprocess.run([CLI, "process", "phantom:1280x720", "--frames", f"1-{FRAMES}", "-o", video], check=True)
        for recipe in recipes():
            own, default, own_s, default_s = [], [], [], []
            for _ in range(MOST_ROUNDS):
                for frames, seconds, words in ((own, own_s, ["--engine", "cpu"]), (default, default_s, [])):
                    more_frames, command_s = run(video, folder, recipe, words)
                    frames += more_frames[1:]
                    seconds.append(command_s)
                if not own or not default:
                    break
                least, least_default = (min(ms for _, ms in frames) for frames in (own, default))
                ratio, more = least_default / least, min(default_s) - min(own_s)
                slow = ratio > PER_FRAME and least_default - least > 0.5  # ms, which a clock may be off
                late = more > max(PER_COMMAND, 0.1 * min(own_s))
                if not slow and not late:
                    break
            if not own or not default:
                print(f"| `{recipe}` | no frame is filtered | | | | |")
                continue
            missed += slow or late
            print(f"| `{recipe}` | {least:.2f} | {least_default:.2f} | {default[-1][0]} "
                  f"| {ratio:.2f}{' **missed**' if slow else ''} | {more:+.2f}{' **missed**' if late else ''} |", flush=True)
    print(f"\n{FRAMES} frames, load {os.getloadavg()[0]:.1f}; {missed} missed.")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
