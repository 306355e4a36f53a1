#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What `merge` makes of the shards of a call: what one process makes, to the byte.

usage: merge.py ONDELETTE_CLI
"""
import csv
import os
import pathlib
import shlex
import shutil
import signal
import subprocess
import sys
import time

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
import pixels  # noqa: E402
import tree  # noqa: E402
from command_line import CLI, fails, random_picture, run, run_cases  # noqa: E402

EXAMPLES = tree.ROOT / "resources" / "examples"
CLEAN = "phantom:96x80,clean"
GRID = [CLEAN, "-f", "soft-threshold", "--vary", "soft-threshold.threshold=0:0.2:0.02", "--vary",
        "soft-threshold.levels=1:3", "--noise", "gaussian:25/255,7"]
COMMAND = "ondelette-cli sweep "


def shards(n, grid=GRID, which=None, name="part-{}.csv"):
    """Makes them; returns their names."""
    for i in which or range(1, n + 1):
        run("sweep", *grid, "--csv", name.format(i), "--shard", f"{i}/{n}")
    return [name.format(i) for i in which or range(1, n + 1)]


def same(a, b):
    assert pathlib.Path(a).read_bytes() == pathlib.Path(b).read_bytes(), (a, b)


def commands(done):
    """Runs the commands that a refusal names; returns its lines."""
    lines = done.stderr.splitlines()
    for line in lines:
        if COMMAND in line:
            run(*shlex.split(line[line.index(COMMAND):])[1:])
    return lines


def refused(*words, parts):
    fails(1, *words, arguments=["merge", "no.csv", *parts])
    assert not os.path.exists("no.csv")


def parts_become_the_whole():
    whole = run("sweep", *GRID, "--csv", "whole.csv", "--plot", "whole.svg", "--sheet", "whole.png")
    for n in (1, 4, 40):  # more shards than points: some have none
        parts = shards(n, name=f"{n}-{{}}.csv")
        done = run("merge", "all.csv", *reversed(parts), "--plot", "all.svg", "--sheet", "all.png", "--force")
        assert done.stdout == whole.stdout and done.stderr == "", done
        for ending in ("csv", "svg", "png"):
            same(f"all.{ending}", f"whole.{ending}")
        shown = run("merge", "/dev/stdout", *parts)
        assert shown.stdout.encode() == pathlib.Path("whole.csv").read_bytes() and "best PSNR" in shown.stderr
        # Shards without points need not be there.
        run("merge", "all.csv", *parts[:33], "--force")
        same("all.csv", "whole.csv")
    fails(1, "exists already", "--force", arguments=["merge", "all.csv", *parts])
    fails(1, "never written over", arguments=["merge", parts[0], *parts, "--force"])
    fails(1, "never written over", arguments=["merge", f"{parts[0]}.shard", *parts, "--force"])
    fails(2, "Name the result", arguments=["merge", "all.csv"])
    fails(2, "SVG, PNG, PDF", arguments=["merge", "x.csv", *parts, "--plot", "x.jpg"])


def regions_references_and_odd_names_are_kept():
    name = "a b,\"c'%41é.png"
    pixels.write_png(name, random_picture(1, np.uint8, 40, 50))
    os.link(os.fsencode(name), b"\xff.png")
    for source in (name, os.fsdecode(b"\xff.png")):
        grid = [source, "-f", "gaussian", "-f", "soft-threshold", "--vary", "gaussian.sigma=0.5,1", "--vary",
                "soft-threshold.wavelet=haar,cdf97", "--reference", name, "--region", "5,5,9,9", "--background",
                "20,20,9.5,9", "--metric", "cnr", "--frame", "1"]
        run("sweep", *grid, "--csv", "whole.csv")
        parts = shards(2, grid)
        run("merge", "all.csv", *parts)
        same("all.csv", "whole.csv")
        os.unlink(parts[1])
        if source == name:
            commands(run("merge", "no.csv", parts[0], status=1))
            run("merge", "again.csv", *parts)
            same("again.csv", "whole.csv")
        for file in ("all.csv", "whole.csv", *parts):
            pathlib.Path(file).unlink(missing_ok=True)


def what_is_missing_is_named_with_its_command():
    run("sweep", *GRID, "--csv", "whole.csv")
    for pattern in ("part-{}.csv", "d7/x{:03}-of-8.csv", "{}"):
        os.makedirs("d7", exist_ok=True)
        parts = shards(8, which=(2, 3, 5, 6, 8), name=pattern)
        text = pathlib.Path(parts[1]).read_bytes()
        pathlib.Path(parts[1]).write_bytes(text[:text.index(b"\n") + 10])  # in the middle of its first row
        done = run("merge", "all.csv", *parts, status=1)
        lines = done.stderr.splitlines()
        assert [line.split(". ")[0].split(": ")[-1] for line in lines[:4]] == [
            "shard 1 of 8 is missing", "shard 4 of 8 is missing", "shard 7 of 8 is missing",
            "shard 3 of 8 was stopped after 0 of 4 points"], lines
        assert "4 shards of 8" in lines[4] and len(lines) == 5 and not os.path.exists("all.csv")
        commands(done)
        run("merge", "all.csv", *[pattern.format(i) for i in range(1, 9)])
        same("all.csv", "whole.csv")
        os.unlink("all.csv")
    # A name without the number of its shard gives none for the others.
    shards(8, which=(2,), name="one.csv")
    assert "--csv shard-1-of-8.csv" in run("merge", "all.csv", "one.csv", status=1).stderr
    # Of very many, the first ones.
    done = run("merge", "all.csv", *shards(33, which=(33,), name="many-{}.csv"), status=1)
    assert done.stderr.count(COMMAND) == 20 and "32 shards of 33" in done.stderr, done.stderr


def cut_parts_go_on():
    run("sweep", *GRID, "--csv", "whole.csv")
    parts = shards(2)
    text = pathlib.Path(parts[0]).read_bytes()
    header = text.index(b"\n") + 1
    for size in (0, 5, header, header + 1, len(text) // 2, len(text) - 1):
        pathlib.Path(parts[0]).write_bytes(text[:size])
        assert "was stopped" in "".join(commands(run("merge", "no.csv", *parts, status=1))), size
        same(parts[0], parts[0])
        assert pathlib.Path(parts[0]).read_bytes() == text
        run("merge", "all.csv", *parts, "--force")
        same("all.csv", "whole.csv")


def killed_shards_lose_the_points_in_flight_alone():
    grid = ["phantom:128x128,clean", *GRID[1:3], "--vary", "soft-threshold.threshold=0:0.2:0.001", *GRID[5:]]
    run("sweep", *grid, "--csv", "whole.csv")
    shards(2, grid, which=(2,))
    with subprocess.Popen([CLI, "sweep", *grid, "--csv", "part-1.csv", "--shard", "1/2"], stderr=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL) as child:
        while not os.path.exists("part-1.csv") or os.path.getsize("part-1.csv") < 20000:
            assert child.poll() is None
            time.sleep(0.01)
        child.send_signal(signal.SIGKILL)
    before = pathlib.Path("part-1.csv").read_bytes()
    done = run("merge", "all.csv", "part-1.csv", "part-2.csv", status=1)
    rows = before.count(b"\n") - 1
    assert f"stopped after {rows} of 302 points" in done.stderr and rows >= 20, done.stderr
    commands(done)
    after = pathlib.Path("part-1.csv").read_bytes()
    assert after.startswith(before[:before.rindex(b"\n") + 1]), "rows that were there were made again"
    run("merge", "all.csv", "part-1.csv", "part-2.csv")
    same("all.csv", "whole.csv")


def what_is_being_written_is_waited_for():
    slow = ["phantom:1024x1024,clean", "-f", "non-local-means", "--noise", "gaussian:0.1", "--vary",
            "non-local-means.strength=0.01:0.4:0.01"]
    with subprocess.Popen([CLI, "sweep", *slow, "--csv", "part-1.csv", "--shard", "1/1"], stderr=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL) as child:
        while not os.path.exists("part-1.csv.shard"):
            assert child.poll() is None
            time.sleep(0.01)
        refused("part-1.csv", "a sweep is writing this part", parts=["part-1.csv"])
        child.kill()


def parts_of_other_sweeps_are_refused():
    parts = shards(2)
    shutil.copy("part-1.csv", "copy.csv")
    refused("copy.csv.shard", "note is missing", parts=["copy.csv", "part-2.csv"])
    shutil.copy("part-1.csv.shard", "copy.csv.shard")
    fails(2, "part-1.csv and copy.csv are both shard 1 of 2", arguments=["merge", "no.csv", "part-1.csv", "copy.csv"])
    refused("missing.csv: No such file", parts=["part-1.csv", "missing.csv"])
    for change in (["soft-threshold.levels=1:3", "soft-threshold.levels=2:4"], ["gaussian:25/255,7", "gaussian:25/255,8"],
                   [CLEAN, "phantom:96x81,clean"]):
        grid = [change[1] if word == change[0] else word for word in GRID]
        others = shards(2, grid, name="other-{}.csv")
        refused("part-1.csv and other-2.csv are parts of different calls", parts=["part-1.csv", others[1]])
        # With a note that lies, rows tell.
        shutil.copy("part-2.csv.shard", "other-2.csv.shard")
        refused("other-2.csv", "line 2 is no row of this sweep", parts=["part-1.csv", others[1]])
        for file in others:
            os.unlink(file)
    refused("different calls", parts=["part-1.csv", *shards(3, which=(2,), name="third-{}.csv")])
    shutil.copy("part-2.csv.shard", "copy.csv.shard")
    refused("copy.csv: line 2: this row is of another shard", parts=["part-1.csv", "copy.csv"])
    text = pathlib.Path("part-2.csv").read_bytes()
    second = text[text.index(b"\n") + 1:].split(b"\n")[0] + b"\n"
    pathlib.Path("part-2.csv").write_bytes(text + second)
    refused("part-2.csv: line 18: this point was there before", parts=parts)
    pathlib.Path("part-2.csv").write_bytes(text.replace(b"psnr_db", b"psnr_dB", 1))
    refused("part-2.csv: the first line is not the header", parts=parts)
    pathlib.Path("part-2.csv").write_bytes(bytes(range(256)) * 5000)
    refused("part-2.csv", parts=parts)
    os.unlink("part-2.csv")
    os.mkdir("part-2.csv")
    refused("part-2.csv: this file cannot be read", parts=parts)
    os.rmdir("part-2.csv")
    os.mkfifo("part-2.csv")
    refused("part-2.csv: this file cannot be read", parts=parts)


def hostile_notes_are_refused():
    parts = shards(2)
    note = pathlib.Path("part-1.csv.shard")
    good = note.read_bytes()
    for bad in (b"", b"\n", b"hello", good[:-1], good[:60], good[:good.index(b"\n") + 1], good + b"word\n", good + b"\0\n",
                good + b"shard 1\n", good + b"verb sweep\n", good + b"colour blue\n", good + b"word %0\n", good + b"word %00\n",
                good.replace(b"shard 1\nshards", b"shard 3\nshards"), good.replace(b"shards 2", b"shards 1e9"),
                good.replace(b"points 33", b"points 99999999999999999999"), good.replace(b"frames 1", b"frames 1,2"),
                b"x" * (1 << 20), b"ondelette shard 1\n" + b"word =a\n" * (1 << 18)):
        note.write_bytes(bad)
        refused("part-1.csv.shard: this is no note of a shard", parts=parts)
    other = pathlib.Path("part-2.csv.shard")
    for change, word in ((b"word secret=x\n", "asks for “secret=x”"), (b"word help\n", "asks for “help”"),
                         (b"word frame=x\n", "asks for “frame=x”"), (b"word yes=1\n", "asks for “yes=1”")):
        for file, shard in ((note, b"1"), (other, b"2")):
            file.write_bytes(good.replace(b"shard 1\nshards", b"shard %s\nshards" % shard) + change)
        refused(word, parts=parts)
    for old, new, word in ((b"points 33", b"points 34", "does not fit"), (b"points 33", b"points 3300000000", "does not fit"),
                           (b"shards 2", b"shards 2000000000", "is of another shard"),
                           (b"verb sweep", b"verb compare", "does not join"), (b"verb sweep", b"verb process", "no log of"), (b"0.02", b"0.0000000002", None),
                           (b"word =phantom:96x80,clean\n", b"", None), (b"frames 1\n", b"frames \n", "is no row")):
        for file, shard in ((note, b"1"), (other, b"2")):
            file.write_bytes(good.replace(b"shard 1\nshards", b"shard %s\nshards" % shard).replace(old, new))
        done = run("merge", "no.csv", *parts, status=None)
        assert done.returncode in (1, 2) and (word is None or word in done.stderr), (new, done.stderr)
        assert not os.path.exists("no.csv")


def notes_replace_no_other_file():
    pathlib.Path("part.csv.shard").write_text("mine")
    fails(1, "part.csv.shard", "another file has that name", arguments=["sweep", *GRID, "--csv", "part.csv", "--shard", "1/2"])
    assert pathlib.Path("part.csv.shard").read_text() == "mine"
    run("sweep", *GRID, "--csv", "-", "--shard", "1/2")
    assert not [name for name in os.listdir() if name.endswith(".shard") and name != "part.csv.shard"]


def code_of_others_is_not_run():
    shutil.copy(EXAMPLES / "box.glsl", "box.glsl")
    grid = [CLEAN, "-f", "glsl:file=box.glsl", "--vary", "glsl.radius=0:2:1", "--noise", "gaussian:0.1"]
    whole = run("sweep", *grid, "--trust-code", "--csv", "whole.csv", "--sheet", "whole.png", status=None)
    if whole.returncode != 0:
        assert "OpenGL" in whole.stderr, whole.stderr
        return
    parts = shards(2, [*grid, "--trust-code"])
    fails(1, "--trust-code", arguments=["merge", "all.csv", *parts])
    run("merge", "all.csv", *parts, "--sheet", "all.png", "--trust-code")
    same("all.csv", "whole.csv")
    same("all.png", "whole.png")
    os.unlink(parts[1])
    commands(run("merge", "no.csv", parts[0], "--trust-code", status=1))
    run("merge", "again.csv", *parts, "--trust-code")
    same("again.csv", "whole.csv")


def make_batch(n=7):
    os.mkdir("in")
    for i in range(1, n + 1):
        pixels.write_png(f"in/{i}.png", random_picture(1, np.uint8, seed=i))
    pixels.write_png("clean, \"it\".png", random_picture(1, np.uint8, seed=9))
    pathlib.Path("in/8.png").write_bytes(b"no picture")
    return ["process", "in", "-f", "median", "--reference", "clean, \"it\".png", "-o"]


def logs_of_batches_become_one():
    batch = make_batch()
    for more in ([], ["--jobs", "1"], ["--no-overlays", "--jobs", "3"]):
        out = f"whole{len(more)}"
        run(*batch, out, *more, "--log", "whole.csv", "--force", status=1)
        pictures = {path.name: path.read_bytes() for path in pathlib.Path(out).iterdir()}
        shutil.rmtree(out)
        for i in (1, 2, 3):
            run(*batch, out, *more, "--log", f"part-{i}.csv", "--shard", f"{i}/3", "--force", status=None)
        assert {path.name: path.read_bytes() for path in pathlib.Path(out).iterdir()} == pictures and len(pictures) == 7
        run("merge", "all.csv", "part-3.csv", "part-1.csv", "part-2.csv", "--force")
        same("all.csv", "whole.csv")
        with open("all.csv", encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        assert [row["state"] for row in rows] == ["done"] * 7 + ["failed"] and rows[2]["output"] == f"{out}/3.png", rows
        assert all("against clean, \"it\".png: PSNR" in row["said"] for row in rows[:7]) and "known format" in rows[7]["said"]
    fails(2, "of sweeps", arguments=["merge", "no.csv", *[f"part-{i}.csv" for i in (1, 2, 3)], "--plot", "no.svg"])
    fails(1, "exists already", arguments=["merge", "all.csv", *[f"part-{i}.csv" for i in (1, 2, 3)]])
    fails(1, "never written over", arguments=["merge", "part-1.csv", *[f"part-{i}.csv" for i in (1, 2, 3)], "--force"])
    fails(2, "both shard 1 of 3", arguments=["merge", "no.csv", "part-1.csv", "part-1.csv"])
    fails(1, "--resume", "--force", arguments=[*batch, out, "--log", "whole.csv"])
    fails(2, "several pictures", arguments=["process", "in/1.png", "-o", "a.png", "--log", "no.csv"])
    fails(1, "never written over", arguments=[*batch, "x", "--log", "in/1.png"])
    for name in ("part-2.csv", "part-3.csv"):
        shards(3, which=(int(name[5]),), name="sweep-{}.csv")
    refused("different calls", parts=["part-1.csv", "sweep-2.csv"])
    text = pathlib.Path("part-2.csv").read_bytes()
    for bad, word in ((b"mine", "no log"), (text + b"9,in,out,done,x\n", "line 5 is no row"), (text + b"1,in,out,done,x\n", "line 5"),
                      (text + b"2,in,out,lost,x\n", "line 5"), (text + b"2,in,done\n", "line 5"), (text + b"\n", "line 5"),
                      (text + b'2,"in,out,done,x\n', "line 5"), (text + b"-2,in,out,done,x\n", "line 5"), (bytes(9), "not whole")):
        pathlib.Path("part-2.csv").write_bytes(bad)
        done = run("merge", "no.csv", "part-1.csv", "part-2.csv", "part-3.csv", status=1)
        assert word in done.stderr and not os.path.exists("no.csv"), (bad, done.stderr)


def batches_that_were_stopped_go_on():
    batch = make_batch()
    os.unlink("in/8.png")
    run(*batch, "out", "--log", "whole.csv")
    before = {path.name: path.read_bytes() for path in pathlib.Path("out").iterdir()}
    for i in (1, 2):
        run(*batch, "out", "--force", "--log", f"part-{i}.csv", "--shard", f"{i}/2")
    part = pathlib.Path("part-1.csv").read_bytes()
    for size in (0, 7, part.index(b"\n") + 1, len(part) // 2, len(part) - 1):
        # As after a kill: rows are lacking, and the pictures of most of them.
        pathlib.Path("part-1.csv").write_bytes(part[:size])
        left = part[:size].count(b"\n") - 1
        for i in (1, 3, 5, 7)[max(left, 0):]:
            os.unlink(f"out/{i}.png")
        done = run("merge", "all.csv", "part-1.csv", "part-2.csv", status=1)
        assert "shard 1 of 2 was stopped" in done.stderr, done.stderr
        line = done.stderr.splitlines()[0]
        again = run(*shlex.split(line[line.index("ondelette-cli process"):])[1:])
        assert left <= 0 or f"{left} of 4 pictures" in again.stderr, (left, again.stderr)
        run("merge", "all.csv", "part-1.csv", "part-2.csv", "--force")
        same("all.csv", "whole.csv")
        os.unlink("all.csv")
        assert {path.name: path.read_bytes() for path in pathlib.Path("out").iterdir()} == before
    # A picture without its row is nobody's: it is replaced only when that is asked for.
    pathlib.Path("part-1.csv").write_bytes(part[:part.index(b"\n") + 1])
    again = [*batch, "out", "--resume", "--log", "part-1.csv", "--shard", "1/2"]
    assert "exists already" in run(*again, status=1).stderr
    run(*again, "--force")
    run("merge", "all.csv", "part-1.csv", "part-2.csv")
    same("all.csv", "whole.csv")
    os.unlink("part-2.csv")
    os.unlink("part-2.csv.shard")
    line = run("merge", "no.csv", "part-1.csv", status=1).stderr.splitlines()[0]
    assert "shard 2 of 2 is missing" in line and "--log part-2.csv --shard 2/2" in line, line


def searches_are_not_shared_out():
    fails(2, "cannot be shared out", "merge", arguments=["optimise", *GRID, "--shard", "1/2"])


CASES = (parts_become_the_whole, regions_references_and_odd_names_are_kept, what_is_missing_is_named_with_its_command,
         cut_parts_go_on, killed_shards_lose_the_points_in_flight_alone, what_is_being_written_is_waited_for,
         parts_of_other_sweeps_are_refused, hostile_notes_are_refused, notes_replace_no_other_file,
         code_of_others_is_not_run, logs_of_batches_become_one, batches_that_were_stopped_go_on, searches_are_not_shared_out)

if __name__ == "__main__":
    sys.exit(run_cases({case.__name__.replace("_", " "): case for case in CASES}))
