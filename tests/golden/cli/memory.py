#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""How much memory a picture of 25 megapixels takes.

usage: memory.py ONDELETTE_CLI

A test by itself: the kernel counts what a program had before it became another one, so
this one stays small.
"""
import filecmp
import os
import pathlib
import random
import struct
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "helpers"))
from command_line import CLI, run, run_cases, skip_sanitizers  # noqa: E402

WIDTH, HEIGHT = 6144, 4096
MEGA = 1000 * 1000
SAMPLES = WIDTH * HEIGHT * 3
# The helper and the program, which both have the decoded samples in their sight; these
# are counted twice, so the bound of the issue, 300 MB for both, is kept with some to spare.
EACH = 150 * MEGA
# A band of the picture; filters of several steps have more of them. The whole is 302 MB.
FILTERED = EACH + 25 * MEGA
IN_STEPS = 290 * MEGA


def segment(marker, data):
    return struct.pack(">BBH", 0xff, marker, len(data) + 2) + data


def write_jpeg(path):
    """Grey in colours: no block differs from the one before, which takes two bits, 00."""
    table = bytes([1] + [0] * 15 + [0])  # one code, of one bit, for the symbol 0
    n_blocks = (WIDTH // 16) * (HEIGHT // 16) * 6
    parts = [
        b"\xff\xd8",
        segment(0xdb, b"\0" + bytes([1] * 64)),
        segment(0xc0, struct.pack(">BHHB", 8, HEIGHT, WIDTH, 3)
                + bytes([1, 0x22, 0, 2, 0x11, 0, 3, 0x11, 0])),
        segment(0xc4, b"\x00" + table),
        segment(0xc4, b"\x10" + table),
        segment(0xda, bytes([3, 1, 0, 2, 0, 3, 0, 0, 63, 0])),
        bytes(n_blocks * 2 // 8),
        b"\xff\xd9",
    ]
    pathlib.Path(path).write_bytes(b"".join(parts))


def peak(*arguments):
    """Bytes of the larger one of the program and its helper."""
    pid = os.posix_spawn(CLI, [CLI, "process", *arguments], os.environ)
    _, status, usage = os.wait4(pid, 0)
    assert status == 0, status
    return usage.ru_maxrss * 1024


def check(bound, output, *filters):
    skip_sanitizers()
    write_jpeg("large.jpg")
    most = peak("large.jpg", *filters, "-o", output)
    assert os.path.getsize(output) > 10000
    os.unlink(output)
    assert most <= bound, f"{most / MEGA:.0f} MB instead of {bound / MEGA:.0f}"


def unfiltered():
    check(EACH, "large.png")


def filtered():
    check(FILTERED, "large.png", "-f", "shrinkage")
    check(FILTERED, "large.tif", "-f", "shrinkage")


def volumes_in_time():
    """A colour video as a volume of floats, 12 bytes a pixel, is there once as it came; a filter of three
    dimensions takes three times as much beside it. --frames takes as many of them."""
    skip_sanitizers()
    width, height, count = 640, 360, 60
    subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", f"testsrc2=s={width}x{height}:r=25",
                    "-frames:v", str(count), "-c:v", "ffv1", "-y", "in.mkv"], check=True)
    frames = 12 * width * height
    for first, n in ((1, count), (21, 20)):
        most = peak("volume:in.mkv", "-o", "out-%03d.npy", "--force", "--frames", f"{first}-{first + n - 1}",
                    "-f", "soft-threshold:dimensions=3,threshold=0.01")
        assert sorted(pathlib.Path(".").glob("out-*.npy"))[0].name == f"out-{first:03d}.npy"
        for path in pathlib.Path(".").glob("out-*.npy"):
            path.unlink()
        bound = EACH + 4.5 * n * frames  # the last half: stages that overlap
        assert most <= bound, f"{n} frames: {most / MEGA:.0f} MB instead of {bound / MEGA:.0f}"


def in_steps():
    check(IN_STEPS, "large.png", "-f", "gaussian", "-f", "sharpen")
    check(IN_STEPS, "large.png", "-f", "soft-threshold:wavelet=db2,levels=2")
    check(IN_STEPS, "large.png", "-f", "sliding-median:frames=7")


def write_noise(name):
    """Large enough that the command line cuts it."""
    width, height = 3072, 3200
    pathlib.Path(f"{name}.raw").write_bytes(random.Random(name).randbytes(width * height))
    pathlib.Path(f"{name}.mhd").write_text(
        f"ObjectType = Image\nNDims = 2\nDimSize = {width} {height}\n"
        f"ElementType = MET_UCHAR\nElementDataFile = {name}.raw\n")


def in_bands():
    """Frames with numbers are filtered as a whole, several pictures put together again."""
    for name in "one", "two":
        write_noise(name)
    recipe = "-f", "gaussian", "-f", "shrinkage:levels=2,thresholds=0.1/0.05"
    for suffix in "tif", "png":
        run("process", "one.mhd", *recipe, "-o", f"bands.{suffix}")
        run("process", "one.mhd", *recipe, "-o", f"whole-%d.{suffix}")
        assert filecmp.cmp(f"bands.{suffix}", f"whole-1.{suffix}", shallow=False), suffix
    run("process", "--jobs", "2", "--format", "tiff", "one.mhd", "two.mhd", *recipe, "-o", "both")
    assert filecmp.cmp("bands.tif", "both/one.tif", shallow=False)
    report = run("process", "one.mhd", *recipe, "-o", "said.tif",
                 env=os.environ | {"ODL_DEBUG": "plan"})
    heights = [line for line in report.stderr.splitlines() if "plan 3072×" in line]
    assert len(heights) == 2, report.stderr


sys.exit(run_cases({
    "a picture without a filter is written row by row, from the samples as they are": unfiltered,
    "a wavelet filter adds a band of rows": filtered,
    "filters of several steps add one between them": in_steps,
    "a video as a volume takes four times its floats, and --frames limits it": volumes_in_time,
    "a picture in bands is the same as one that is filtered as a whole": in_bands,
}))
