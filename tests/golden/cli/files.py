#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Where the command line program writes, and what it leaves when that fails.

usage: files.py ONDELETTE_CLI
"""
import os
import pathlib
import resource
import signal
import stat
import subprocess
import sys
import time

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "helpers"))
import pixels  # noqa: E402
from command_line import CLI, fails, leftovers, process, random_picture, run_cases  # noqa: E402
from unfinished import unfinished  # noqa: E402


def batch_into_a_new_folder():
    done = process("phantom:64x64", "phantom:64x64,seed=2", "phantom:64x64", "-o", "new/folder")
    names = sorted(os.listdir("new/folder"))
    assert names == ["phantom-64x64-2.png", "phantom-64x64-seed-2.png", "phantom-64x64.png"], names
    lines = done.stderr.splitlines()
    assert len(lines) == 3 and lines[0].startswith("[1/3] "), done.stderr
    assert not leftovers("new/folder")


def folder_into_folder():
    os.mkdir("pictures")
    for n, name in enumerate(("b.png", "a.png", "a.tiff.png")):
        pixels.write_png(f"pictures/{name}", random_picture(1, np.uint8, seed=n))
    pathlib.Path("pictures/.hidden.png").write_bytes(b"no")
    pathlib.Path("pictures/notes.txt").write_text("no picture")
    process("pictures", "-o", "results", "-f", "gaussian", "--format", "tiff")
    assert sorted(os.listdir("results")) == ["a.tif", "a.tiff.tif", "b.tif"]


def batch_goes_on():
    pathlib.Path("broken.png").write_bytes(b"\x89PNG\r\n\x1a\nrubbish")
    done = process("broken.png", "phantom:64x64", "missing.png", "-o", "partly", status=1)
    assert os.listdir("partly") == ["phantom-64x64.png"]
    assert "broken.png: " in done.stderr and "missing.png: " in done.stderr
    assert "2 of 3" in done.stderr


def batch_of_failures():
    done = process("missing1.png", "missing2.png", "-o", "unmade", status=1)
    assert "None of the 2 pictures" in done.stderr and not os.path.exists("unmade"), done.stderr
    os.mkdir("kept")
    process("missing1.png", "missing2.png", "-o", "kept", status=1)
    assert os.path.isdir("kept")


def single_into_a_folder():
    os.mkdir("existing")
    process("phantom:64x64", "-o", "existing")
    assert os.listdir("existing") == ["phantom-64x64.png"]


def never_over_the_input():
    pixels.write_png("keep.png", random_picture(1, np.uint8))
    before = pathlib.Path("keep.png").read_bytes()
    os.link("keep.png", "hard.png")
    os.symlink("keep.png", "soft.png")
    for out in ("keep.png", "./keep.png", "hard.png", "soft.png"):
        fails(1, out, "never written over", arguments=["process", "keep.png", "-o", out])
    process("keep.png", "phantom:64x64", "-o", ".", status=1)
    assert pathlib.Path("keep.png").read_bytes() == before


def meta_image(name, data_file, lines=()):
    pathlib.Path(name).write_text(
        "ObjectType = Image\nNDims = 3\nDimSize = 4 4 3\nElementType = MET_UCHAR\n"
        + "\n".join([f"ElementDataFile {data_file}", *lines]) + "\n")


def never_over_what_a_header_names():
    """The samples of a MetaImage lie in files of any name, beside its header."""
    rows = {
        "one.mhd": ("= vol.tif", (), ("vol.tif",)),
        "spaces.mhd": ("=   ./a b 50%.png  ", (), ("a b 50%.png",)),
        "numbers.mhd": ("= s%02d.png 1 3 1", (), ("s01.png", "s02.png", "s03.png")),
        "list.mhd": ("= LIST", ("x.png", "y.tif", "z.mkv"), ("x.png", "y.tif", "z.mkv")),
    }
    for header, (value, lines, names) in rows.items():
        meta_image(header, value, lines)
        for k, name in enumerate(names):
            pathlib.Path(name).write_bytes(bytes(range(k, k + 48 // len(names))))
        os.link(names[-1], "other-" + pathlib.Path(names[-1]).name)
        process(header, "-o", f"{header}.png")
        for name in (*names, "other-" + names[-1]):
            before = pathlib.Path(name).read_bytes()
            for more in ([], ["--force"]):
                fails(1, name, "never written over", arguments=["process", header, "-o", name, *more])
            assert pathlib.Path(name).read_bytes() == before, name
        # In a batch an earlier input is not written over what a later one reads.
        os.makedirs("batch", exist_ok=True)
        meta_image("batch/late.mhd", "= phantom-32x32.png")
        pathlib.Path("batch/phantom-32x32.png").write_bytes(bytes(48))
        process("phantom:32x32", "batch/late.mhd", "-o", "batch", "--force", status=1)
        assert pathlib.Path("batch/phantom-32x32.png").read_bytes() == bytes(48)


def never_over_the_recipe():
    pathlib.Path("soft.png").write_text("gaussian:sigma=1\n")
    fails(1, "soft.png", "never written over",
          arguments=["process", "phantom:64x64", "-r", "soft.png", "-o", "soft.png", "--force"])
    assert pathlib.Path("soft.png").read_text() == "gaussian:sigma=1\n"


def nothing_is_replaced_unasked():
    """One rule for all formats, single or numbered, through links too."""
    for name, out in (("a.png", "a.png"), ("b.tif", "b.tif"), ("c.tiff", "c.tiff"), ("d.mkv", "d.mkv"),
                      ("e-2.png", "e-%d.png"), ("f-2.tif", "f-%d.tif"), ("link.png", "link.png")):
        if name == "link.png":
            os.symlink("behind.png", name)
        pathlib.Path(name).write_text("old")
        frames = [] if out == name and not name.endswith(".mkv") else ["--frames", "2-2"]
        arguments = ["phantom:64x64", "-o", out, *frames]
        fails(1, name, "--force", arguments=["process", *arguments])
        assert pathlib.Path(name).read_text() == "old"
        process(*arguments, "--force")
        assert pathlib.Path(name).read_bytes()[:3] != b"old", name
    # What the shell has made for us is no file of somebody's.
    with open("out.png", "wb") as out:
        done = subprocess.run([CLI, "process", "phantom:64x64", "-o", "/dev/stdout", "--format", "png"],
                              stdout=out, stderr=subprocess.PIPE, timeout=1800)
    assert done.returncode == 0, done.stderr
    assert pixels.read_png("out.png").shape == (64, 64, 1)


def existing_output_is_replaced():
    pathlib.Path("old.png").write_text("old")
    os.chmod("old.png", 0o640)
    os.symlink("old.png", "link.png")
    process("phantom:64x64", "-o", "link.png", "--force")
    assert pixels.read_png("old.png").shape == (64, 64, 1)
    assert os.path.islink("link.png") and stat.S_IMODE(os.stat("old.png").st_mode) == 0o640


def link_to_nowhere_stays():
    os.symlink("nowhere", "lost.png")
    fails(1, "lost.png", arguments=["process", "phantom:64x64", "-o", "lost.png"])
    assert os.path.islink("lost.png")


def full_disk():
    for kind in ("png", "tiff"):
        fails(1, "/dev/full", "No space left",
              arguments=["process", "phantom:64x64", "-o", "/dev/full", "--format", kind])
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode)


def full_standard_output():
    for arguments in (["list", "filters"], ["info", "phantom", "--json"], ["--help"],
                      ["compare", "phantom", "phantom"]):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([CLI, *arguments], stdout=full, stderr=subprocess.PIPE,
                                  encoding="utf-8", timeout=1800)
        status = 2 if arguments[0] == "compare" else 1
        assert done.returncode == status and "Standard output" in done.stderr, (arguments, done)


def file_too_large():
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

    for name in ("limited.png", "limited.tif"):
        pathlib.Path(name).write_text("old")
        fails(1, name, "too large", arguments=["process", "phantom:256x256", "-o", name, "--force"],
              preexec_fn=limit)
        assert pathlib.Path(name).read_text() == "old"
    assert not leftovers()


def unwritable_folder():
    os.mkdir("locked")
    pathlib.Path("locked/old.png").write_text("old")
    os.chmod("locked", 0o555)
    if os.access("locked", os.W_OK):  # root may write everywhere but to /proc
        fails(1, "/proc/x.png", arguments=["process", "phantom:64x64", "-o", "/proc/x.png"])
    else:
        fails(1, "locked/old.png", "Permission denied",
              arguments=["process", "phantom:64x64", "-o", "locked/old.png", "--force"])
    assert pathlib.Path("locked/old.png").read_text() == "old"
    fails(1, "gone/x.png", "Create the folder",
          arguments=["process", "phantom:64x64", "-o", "gone/x.png"])


def interrupted():
    for _ in range(200):
        pathlib.Path("slow.tif").write_text("old")
        child = subprocess.Popen([CLI, "process", "phantom:4096x4096", "-o", "slow.tif", "--force"],
                                 stderr=subprocess.DEVNULL)
        while child.poll() is None and not unfinished(child.pid):
            time.sleep(0.001)
        writing = child.poll() is None
        child.send_signal(signal.SIGINT)
        status = child.wait(timeout=1800)
        assert not leftovers(), leftovers()
        if writing and status == -signal.SIGINT:
            assert pathlib.Path("slow.tif").read_text() == "old"
            return
        assert status in (0, -signal.SIGINT), status
    raise AssertionError("never caught while writing")


CASES = {
    "several inputs go into a new folder under different names": batch_into_a_new_folder,
    "a folder goes into a folder": folder_into_folder,
    "a batch goes on after a failure": batch_goes_on,
    "a batch that fails altogether says so and leaves nothing": batch_of_failures,
    "one input goes into an existing folder": single_into_a_folder,
    "an input is never written over": never_over_the_input,
    "no file that a header names is written over": never_over_what_a_header_names,
    "a recipe is never written over": never_over_the_recipe,
    "nothing is replaced without --force, whatever the format": nothing_is_replaced_unasked,
    "an existing output is replaced, through links too": existing_output_is_replaced,
    "a link to nowhere is not replaced": link_to_nowhere_stays,
    "a full disk is an error": full_disk,
    "a full disk under standard output is an error": full_standard_output,
    "a file size limit leaves the old file": file_too_large,
    "a folder without write permission leaves the old file": unwritable_folder,
    "an interrupt leaves nothing behind": interrupted,
}

sys.exit(run_cases(CASES))
