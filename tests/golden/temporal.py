#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Filters over time, against numpy: frames of moving sources through the command
line program, without filters and with them.

usage: temporal.py ONDELETTE_CLI
"""
import json
import os
import pathlib
import sys
import tempfile

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
import command_line  # noqa: E402
import pixels  # noqa: E402
import tap  # noqa: E402

# Which engine “auto” takes for many pictures depends on how busy the machine is.
os.environ["ODL_ENGINE"] = "cpu"
DATA = pathlib.Path(os.environ["ODL_TESTDATA"])
ECHO = DATA / "pydicom" / "examples_ybr_color.dcm"
CINE = DATA / "fo-dicom" / "HasFragmentSequence.dcm"
PHANTOM = "phantom:67x43,seed=5"
FRAMES = 21
BOUND = 2e-5  # of full scale; a gate over a threshold of 1 % multiplies rounding by 100


class Sequence:
    """Frames of a source without filters, scaled to 0 … 1."""

    def __init__(self, location):
        if not location.startswith("phantom:") and not os.path.exists(location):
            raise tap.Skip(f"{location} is not at hand")
        self.location = location
        info = json.loads(run("info", location, "--json"))["image"]
        self.minimum = info["slope"] * info["stored_min"] + info["intercept"]
        self.range = info["slope"] * (info["stored_max"] - info["stored_min"])
        self.frames = []

    def frame(self, index, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            out = f"{folder}/out.tif"
            run("process", self.location, "--frame", index + 1, "-o", out, *arguments)
            values = pixels.read_tiff(out)[1].astype(np.float64)
        return (values - self.minimum) / self.range

    def upto(self, index):
        while len(self.frames) <= index:
            self.frames.append(self.frame(len(self.frames)))
        return self.frames[:index + 1]


def messages(*arguments):
    return command_line.run(*arguments).stderr


def run(*arguments):
    return command_line.run(*arguments).stdout


def recursive(frames, weight):
    result = frames[0]
    for x in frames[1:]:
        result = weight * x + (1 - weight) * result
    return result


def box(values, side):
    """Mean over side × side samples, mirrored about the outermost ones."""
    radius = side // 2
    padded = np.pad(values, ((radius, radius), (radius, radius), (0, 0)), "reflect")
    height, width, _ = values.shape
    return sum(padded[y:y + height, x:x + width] for y in range(side)
               for x in range(side)) / side ** 2


def persistence(frames, level, threshold, neighbourhood):
    least = 1 / (level + 1)
    result = frames[0]
    for x in frames[1:]:
        change = box(np.abs(x - result), neighbourhood)
        moving = np.clip(change / threshold - 1, 0, 1)
        result = result + (least + (1 - least) * moving) * (x - result)
    return result


def luma(frame):
    return frame @ np.array([0.299, 0.587, 0.114])[:, None]


TRUTH = {
    "recursive-average:weight=0.2": lambda f: recursive(f, 0.2),
    "recursive-average:weight=1": lambda f: f[-1],
    "sliding-mean:frames=3": lambda f: np.mean(f[-3:], axis=0),
    "sliding-mean:frames=7": lambda f: np.mean(f[-7:], axis=0),
    "sliding-median:frames=3": lambda f: np.median(f[-3:], axis=0),
    "sliding-median:frames=5": lambda f: np.median(f[-5:], axis=0),
    "sliding-median:frames=7": lambda f: np.median(f[-7:], axis=0),
    "persistence:level=4,threshold=0.03": lambda f: persistence(f, 4, 0.03, 3),
    "persistence:level=7,threshold=0.01,neighbourhood=5":
        lambda f: persistence(f, 7, 0.01, 5),
    "persistence:level=0": lambda f: f[-1],
}


def problems_of(sequence, index, recipe, wanted, *arguments):
    got = sequence.frame(index, "-f", recipe, *arguments)
    error = np.abs(got - wanted).max()
    if error >= BOUND:
        yield f"{recipe}, frame {index}, {arguments}: off by {error:.2e}"


def against_numpy(location, engine, indices):
    sequence = Sequence(location)
    for recipe, truth in TRUTH.items():
        for index in indices:
            wanted = truth(sequence.upto(index))
            yield from problems_of(sequence, index, recipe, wanted, "-e", engine)


def luma_of_colour():
    sequence = Sequence(str(ECHO))
    frames = sequence.upto(6)
    for recipe, truth in TRUTH.items():
        wanted = frames[-1] + truth([luma(frame) for frame in frames]) - luma(frames[-1])
        yield from problems_of(sequence, 6, recipe, wanted, "--colour", "luma")


def chain_of_windows():
    sequence = Sequence(PHANTOM)
    frames = sequence.upto(12)
    means = [np.mean(frames[max(i - 2, 0):i + 1], axis=0) for i in range(13)]
    yield from problems_of(sequence, 12, "sliding-mean:frames=3 sliding-median:frames=5",
                           np.median(means[-5:], axis=0))


def stills():
    """They stay as they are, and the user is told; moving sources say nothing of it."""
    with tempfile.TemporaryDirectory() as folder:
        still = f"{folder}/a.png"
        run("process", PHANTOM, "--frame", 3, "-o", still)
        for out, words in (("b.png", ["--force"]), ("c-%d.png", ["--frames", "1", "--force"])):
            for source, said in ((PHANTOM, False), (still, True)):
                text = messages("process", source, "-o", f"{folder}/{out}", "-f",
                                "recursive-average", *words)
                if ("no frames before it" in text) != said:
                    yield f"{source}, {out}: {text}"
                if said and not np.array_equal(*(pixels.read_png(path) for path in (
                        still, f"{folder}/{out}".replace("%d", "1")))):
                    yield f"{out} is another picture"
        if messages("process", still, "-o", f"{folder}/d.png", "-f", "gaussian"):
            yield "a filter that acts is told of"


def lead_in_is_enough():
    """What `--lead-in auto` leaves out changes no sample by half a grey level."""
    far = 0
    for location, index in ((ECHO, 29), (CINE, 90)):
        sequence = Sequence(str(location))
        for recipe in ("recursive-average:weight=0.3", "persistence:level=3,threshold=0.05",
                       "persistence:level=5,threshold=0.01,neighbourhood=5",
                       "persistence:level=4 recursive-average:weight=0.4"):
            auto, whole = (sequence.frame(index, "-f", recipe, "--lead-in", k) for k in ("auto", "all"))
            far = max(far, np.abs(auto - whole).max())
            if np.abs(auto - whole).max() * 255 >= 0.5:
                yield f"{location}, {recipe}: off by {np.abs(auto - whole).max() * 255:.3f} levels"
    if far == 0:
        yield "nothing was left out"


sys.exit(tap.run([
    ("a lead-in leaves less than half a grey level", lead_in_is_enough),
    ("grey frames on the CPU are numpy's",
     lambda: against_numpy(PHANTOM, "cpu", [0, 1, 2, 3, 5, FRAMES])),
    ("grey frames of the reference are numpy's",
     lambda: against_numpy(PHANTOM, "reference", [0, 3, FRAMES])),
    ("colour frames of a DICOM cine are numpy's",
     lambda: against_numpy(str(ECHO), "cpu", [4, 9])),
    ("the luma of colour frames is filtered as a grey frame is", luma_of_colour),
    ("a still stays as it is, and says so", stills),
    ("a window over the results of a window is complete", chain_of_windows),
]))
