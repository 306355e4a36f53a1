#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Volumes as they are seen from outside, written by the command line: where a bright cube lies follows from the
view, its brightness from the projection, and a video makes one turn.

usage: rendering.py ONDELETTE_CLI
"""
import json
import pathlib
import subprocess
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "helpers"))
import mha  # noqa: E402
import pixels  # noqa: E402
from command_line import fails, process, run, run_cases  # noqa: E402

SIDE = 32
SIZE = 512
# Pixels for a voxel: the diagonal of the volume fits the picture.
SCALE = 1.4 * 0.71 * SIZE / (SIDE * 3**0.5)


def volume(path="in.mha", times=1):
    """A cube of 4 voxels at (x, y, z) = (24, 10, 6), from its middle; of later times half as bright."""
    x = np.zeros((times, SIDE, SIDE, SIDE), np.uint8)
    for t in range(times):
        x[t, 4:8, 8:12, 22:26] = 200 >> t
    x = x if times > 1 else x[0]
    mha.write(path, x, f"ElementSpacing = {' '.join('1' * x.ndim)}\n")


def centre(picture):
    """Of what is bright, in voxels from the middle: to the right, upwards; and how bright it is."""
    grey = picture.astype(float).mean(axis=2)
    rows, columns = np.nonzero(grey > grey.max() / 2)
    return ((columns.mean() + 0.5 - SIZE / 2) / SCALE, -(rows.mean() + 0.5 - SIZE / 2) / SCALE, grey.max())


def still(view, *more):
    process("in.mha", "-o", "out.png", "--force", "--rendering", view, "--window", "100,200", *more)
    return centre(pixels.read_png("out.png"))


def directions():
    """Seen from the front x is to the right and z upwards; turned down by a quarter y is upwards."""
    volume()
    for view, right, up in [("maximum", 24 - 16, 6 - 16), ("maximum,180", 16 - 24, 6 - 16),
                            ("maximum,0,90", 24 - 16, 10 - 16)]:
        x, y, bright = still(view)
        assert abs(x - right) < 0.6 and abs(y - up) < 0.6, (view, x, y, right, up)
        assert bright == 255, (view, bright)
    sideways = sorted((round(still("maximum,90")[0]), round(still("maximum,-90")[0])))
    assert sideways == [10 - 16, 16 - 10], sideways
    x, y, bright = still("ultrasound")
    assert abs(x - 8) < 1 and abs(y + 10) < 1, (x, y)


def ink(view):
    """What --no-badge leaves out, as bits: at the left, right, upper and lower edge."""
    pictures = []
    for more in ((), ("--no-badge",)):
        still(view, *more)
        pictures.append(pixels.read_png("out.png").astype(int))
    bits = (pictures[0] - pictures[1]).max(axis=2) > 128
    third = SIZE // 3
    edges = (bits[third:-third, :third], bits[third:-third, -third:],
             bits[:third, third:-third], bits[-third:, third:-third])
    assert sum(e.sum() for e in edges) == bits.sum(), "letters lie at the edges alone"
    return edges


def glyph(bits):
    rows, columns = np.nonzero(bits)
    return bits[rows.min():rows.max() + 1, columns.min():columns.max() + 1]


def alike(a, b):
    """But for the fraction of a pixel at which letters are set."""
    rows, columns = (min(n, m) for n, m in zip(a.shape, b.shape))
    return (a[:rows, :columns] != b[:rows, :columns]).mean() < 0.15


def letters():
    """The cube lies to the patient's left, and so does the L, which has nothing in its upper right quarter."""
    volume()
    assert not any(edge.any() for edge in ink("maximum")), "nothing says how this one lies"
    x = np.zeros((SIDE, SIDE, SIDE), np.uint8)
    x[4:8, 8:12, 22:26] = 200
    mha.write("in.mha", x, "ElementSpacing = 1 1 1\nTransformMatrix = 1 0 0 0 1 0 0 0 1\nOffset = 0 0 0\n")
    front, back, side = ink("maximum"), ink("maximum,180"), ink("maximum,90")
    right, left = glyph(front[1]), glyph(front[0])
    assert still("maximum")[0] > 0 > still("maximum,180")[0]
    for letter, empty in ((right, True), (left, False)):
        quarter = letter[:letter.shape[0] // 2, -(letter.shape[1] // 2):]
        assert bool(quarter.any()) != empty, letter.astype(int)
    # From behind they have changed places, and from the side others stand there; the head stays above.
    assert alike(glyph(back[0]), right) and alike(glyph(back[1]), left) and not alike(left, right)
    assert not any(alike(glyph(side[edge]), known) for edge in (0, 1) for known in (left, right))
    for other in (back, side):
        assert alike(glyph(other[2]), glyph(front[2])) and alike(glyph(other[3]), glyph(front[3]))


def filtered():
    """The result, slice by slice and as a whole."""
    volume()
    assert still("maximum", "-f", "median:size=7")[2] < 50
    assert still("maximum", "-f", "convolve:shape=gaussian,size=9,sigma=3,dimensions=3")[2] < 128


def frames(path):
    raw = subprocess.run(["ffmpeg", "-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"],
                         capture_output=True, check=True).stdout
    height = len(raw) // (SIZE * 3)
    return raw, height


def turns():
    volume()
    process("in.mha", "-o", "turn.mkv", "--rendering", "maximum", "--window", "100,200", "--duration", "0.32",
            "--no-badge", "--quality", "lossless")
    raw, height = frames("turn.mkv")
    pictures = np.frombuffer(raw, np.uint8).reshape(-1, SIZE, SIZE, 3)
    assert len(pictures) == 8, len(pictures)
    at = [centre(p)[0] for p in pictures]
    # The distance from the axis is kept: 8 to the right and 6 to the front.
    angle = [np.hypot(at[i], at[(i + 2) % 8]) for i in range(8)]
    assert np.allclose(angle, 10, atol=0.8), angle
    assert len({round(a) for a in at}) > 3, at
    # A part of it.
    process("in.mha", "-o", "part.mkv", "--rendering", "maximum", "--duration", "0.04", "--crop", "9,8,100,80",
            "--no-badge")
    told = json.loads(run("info", "part.mkv", "--json").stdout)["image"]
    assert (told["width"], told["height"]) == (100, 80), told
    # With its strip.
    process("in.mha", "-o", "marked.mkv", "--rendering", "maximum", "--duration", "0.04", "-f", "gaussian")
    told = json.loads(run("info", "marked.mkv", "--json").stdout)
    assert told["image"]["width"] == SIZE < told["image"]["height"], told


def times():
    """Of volumes over time each picture shows the next one."""
    volume(times=2)
    process("in.mha", "-o", "t-%d.png", "--rendering", "maximum", "--window", "100,200", "--duration", "0.12")
    bright = [centre(pixels.read_png(f"t-{i}.png"))[2] for i in (1, 2, 3)]
    assert bright[0] == bright[2] == 255 and 120 <= bright[1] <= 135, bright
    assert not pathlib.Path("t-4.png").exists()


def refusals():
    volume()
    pixels.write_png("flat.png", np.zeros((8, 8, 1), np.uint8))
    fails(1, "no volume", arguments=["process", "flat.png", "-o", "a.png", "--rendering", "mr"])
    fails(2, "is not known", arguments=["process", "in.mha", "-o", "a.png", "--rendering", "bone"])
    fails(2, "is not known", arguments=["process", "in.mha", "-o", "a.png", "--rendering", "mr,x"])
    fails(2, "picture to look at", arguments=["process", "in.mha", "-o", "a.nii", "--rendering", "mr"])
    fails(2, "goes without", arguments=["process", "in.mha", "-o", "a.mkv", "--rendering", "mr", "--frames", "1-2"])
    fails(2, "goes without", arguments=["process", "in.mha", "-o", "a.png", "--rendering", "mr", "--mesh-output", "a.obj"])
    fails(1, "no frame 33", arguments=["process", "in.mha", "-o", "a.png", "--rendering", "mr", "--frame", "33"])
    assert not list(pathlib.Path(".").glob("a.*"))


sys.exit(run_cases({
    "a cube is where the view has it": directions,
    "letters say how the body lies": letters,
    "results are seen": filtered,
    "a video makes a turn": turns,
    "volumes over time follow each other": times,
    "what is no volume is refused": refusals,
}))
