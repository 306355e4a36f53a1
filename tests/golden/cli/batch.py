#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Many inputs at the same time give what they give one after the other.

usage: batch.py ONDELETTE_CLI
"""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "helpers"))
import pixels  # noqa: E402
from command_line import CLI, SOFT, fails, leftovers, random_picture, run, run_cases, shared  # noqa: E402


def make_pictures(folder, n=24):
    """Pictures of many sizes; every fifth file is broken in one of several ways."""
    os.makedirs(folder)
    for i in range(n):
        path = f"{folder}/picture-{i:02}.png"
        side = 16 + 31 * (i * 7 % n)
        pixels.write_png(path, random_picture(1 + 2 * (i % 2), (np.uint8, np.uint16)[i // 2 % 2],
                                              height=side, width=side + 5, seed=i))
        whole = pathlib.Path(path).read_bytes()
        if i % 5 == 2:
            # Incomplete, damaged in its head, no picture at all.
            broken = (whole[:len(whole) // 2], whole[:20] + bytes(9) + whole[29:], b"\x89PNG\r\n\x1a\nno")
            pathlib.Path(path).write_bytes(broken[i // 5 % 3])


def contents(folder):
    found = {}
    for path in sorted(pathlib.Path(folder).rglob("*")):
        found[str(path.relative_to(folder))] = path.read_bytes() if path.is_file() else None
    return found


def batch(out, *arguments, jobs=1, **more):
    """Status, what was said, and the files, with the output's name taken out."""
    done = subprocess.run([CLI, "process", *arguments, "-o", out, "--jobs", str(jobs)],
                          capture_output=True, timeout=1800, **more)
    return done.returncode, done.stderr.replace(out.encode(), b"OUT"), \
        contents(out) if os.path.isdir(out) else None


def assert_same(*arguments, status, before=lambda out: None):
    before("results-first")
    first = batch("results-first", *arguments)
    assert first[0] == status, first[:2]
    for n, extra in enumerate([("--jobs", "2"), ("--jobs", "7"), ("--jobs", "3", "--memory", "1")]):
        out = f"results-{n}"
        before(out)
        again = batch(out, *arguments, *extra[2:], jobs=extra[1])
        assert again[0] == first[0], (extra, again[0])
        assert again[1] == first[1], f"{extra}\n{first[1].decode()}\n{again[1].decode()}"
        assert again[2] == first[2], (extra, sorted(again[2]), sorted(first[2]))
        assert not os.path.isdir(out) or not leftovers(out)
    return first


def good_and_broken():
    make_pictures("in")
    _, said, files = assert_same("in", status=1)
    words = said.decode()
    assert re.search(r"\d of 24 pictures could not be processed", words), words
    numbers = [int(n) for n in re.findall(r"^\[(\d+)/24\]", words, re.M)]
    assert numbers == list(range(1, 25)), numbers
    assert 15 < len(files) < 24, sorted(files)


def damaged_is_marked():
    os.makedirs("in")
    for i in range(6):
        pixels.write_png(f"in/{i}.png", random_picture(1, np.uint8, seed=i, height=200, width=300))
    whole = pathlib.Path("in/3.png").read_bytes()
    pathlib.Path("in/3.png").write_bytes(whole[:len(whole) // 2])
    assert_same("in", status=3)


def filtered_and_as_tiff():
    make_pictures("in", 10)
    assert_same("in", "-f", SOFT, status=1)
    for name in os.listdir("."):
        if name.startswith("results"):
            shutil.rmtree(name)
    assert_same("in", "--format", "tiff", status=1)


def none_works():
    os.makedirs("in")
    for i in range(5):
        pathlib.Path(f"in/{i}.png").write_bytes(b"\x89PNG\r\n\x1a\nno")
    first = assert_same("in", status=1)
    assert b"None of the 5" in first[1] and first[2] is None, first


def outputs_in_the_way():
    os.makedirs("in")
    for i in range(6):
        pixels.write_png(f"in/{i}.png", random_picture(1, np.uint8, seed=i))

    def before(out):
        os.makedirs(out)
        pathlib.Path(f"{out}/2.png").write_bytes(b"mine")
        os.makedirs(f"{out}/4.png")

    assert_same("in", status=1, before=before)


def dicom():
    names = ["CT_small.dcm", "MR_small.dcm", "JPEG2000.dcm", "SC_rgb_small_odd.dcm", "rtplan.dcm",
             "MR_truncated.dcm", "examples_palette.dcm", "JPGExtended.dcm"]
    files = [str(shared(f"pydicom/{name}")) for name in names]
    assert_same(*files, status=1)


def stopped_in_the_middle():
    os.makedirs("in")
    for i in range(40):
        pixels.write_png(f"in/{i:02}.png", random_picture(3, np.uint8, seed=i, height=600, width=800))
    status, _, whole = batch("whole", "in", jobs=4)
    assert status == 0
    running = subprocess.Popen([CLI, "process", "in", "-o", "out", "--jobs", "4"],
                               stderr=subprocess.DEVNULL, start_new_session=True)
    while not os.path.isdir("out") or len(os.listdir("out")) < 3:
        assert running.poll() is None, "it was done before it could be stopped"
        time.sleep(0.001)
    running.send_signal(signal.SIGINT)
    assert running.wait(timeout=600) == -signal.SIGINT
    there = contents("out")
    assert 3 <= len(there) and not leftovers("out"), sorted(there)
    for name, data in there.items():
        assert data == whole[name], f"{name} is not whole"
    # Helpers are of the same session, and end by themselves.
    while subprocess.run(["ps", "--sid", str(running.pid), "--no-headers"],
                         stdout=subprocess.DEVNULL, check=False).returncode == 0:
        time.sleep(0.01)
    shutil.rmtree("out")


def without_a_fork_server():
    """Where none can be forked, each helper is started by itself."""
    make_pictures("in", 8)
    real = pathlib.Path(CLI).parent / "decoder" / "ondelette-decoder"
    pathlib.Path("decoder.sh").write_text(
        f"#!/bin/sh\n[ \"$1\" != fork-server ] || {{ : >>'{os.getcwd()}/asked'; exit 3; }}\nexec '{real}' \"$@\"\n")
    os.chmod("decoder.sh", 0o755)
    first = batch("results-first", "in", jobs=3)
    again = batch("results-again", "in", jobs=3, env={**os.environ, "ODL_DECODER": f"{os.getcwd()}/decoder.sh"})
    assert os.path.exists("asked") and first == again, (first[:2], again[:2])


def without_threads():
    """Where the system allows none, the program's own one does the work."""
    make_pictures("few", 6)
    first = batch("results-threads", "few", jobs=3)
    again = batch("results-none", "few", jobs=3, env={**os.environ, "ODL_FAULT": "thread/new"})
    assert first == again, (first[:2], again[:2])


def numbers_of_jobs():
    pixels.write_png("a.png", random_picture(1, np.uint8))
    # Without a blank, too; values stay as they are, and so does what follows --.
    run("process", "-j2", "-oa.tif", "-fgaussian", "a.png")
    run("process", "-o", "-j1.png", "a.png")
    run("process", "-o", "b.tif", "--", "-j1.png")
    assert {"a.tif", "-j1.png", "b.tif"} <= set(os.listdir()), os.listdir()
    fails(2, "--jobs", "“x”", arguments=["process", "-jx", "a.png", "-o", "c.png"])
    for wrong in ("0", "-3", "many"):
        status, said, _ = batch("out.png", "a.png", jobs=wrong)
        assert status == 2 and b"--jobs" in said, (wrong, said)


HOARD = """
import array, os, socket, sys
keep = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
for _ in range(40):
    keep[0].sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [0]))])
print(flush=True)
sys.stdin.read()
"""


def descriptors_on_their_way():
    """Linux counts those of all processes of a user, against the few that a helper may have open, and
    root's not at all; the helper waits until they have arrived."""
    plain = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] if os.geteuid() == 0 else []
    pixels.write_png("in.png", random_picture(1, np.uint8, seed=1))
    hoard = subprocess.Popen([*plain, sys.executable, "-c", HOARD], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    hoard.stdout.readline()
    done = subprocess.Popen([*plain, CLI, "process", "in.png", "-o", "out.png"], stderr=subprocess.PIPE)
    time.sleep(0.5)
    hoard.communicate()
    _, said = done.communicate(timeout=1800)
    assert done.returncode == 0, said


CASES = {
    "good and broken files give the same files, messages and order": good_and_broken,
    "a damaged picture among others is marked": damaged_is_marked,
    "filtered ones, and as TIFF": filtered_and_as_tiff,
    "where none works no folder stays": none_works,
    "outputs in the way are errors in their places": outputs_in_the_way,
    "DICOM files": dicom,
    "stopped in the middle, only whole pictures stay": stopped_in_the_middle,
    "without a helper that forks others": without_a_fork_server,
    "without further threads": without_threads,
    "descriptors of others that are on their way": descriptors_on_their_way,
    "--jobs is a number from 1": numbers_of_jobs,
}

sys.exit(run_cases(CASES))
