#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Local equalisation against OpenCV's createCLAHE, and weighted medians against NumPy.

usage: clahe.py ONDELETTE_CLI
"""
import pathlib
import sys

import cv2
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
import command_line  # noqa: E402
import pixels  # noqa: E402
from once import once  # noqa: E402

ENGINES = ["reference", "cpu", "gl-compute"]


# Rows, columns, tiles.
SHAPES = ((128, 192, 8), (131, 97, 4), (64, 64, 1), (130, 90, 16), (60, 64, 8), (64, 61, 8), (128, 97, 16),
          (7, 8, 4), (8, 5, 8))


@once
def scene(height, width, most, seed=5):
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[:height, :width]
    light = 0.3 + 0.2 * np.sin(x / 31) * np.cos(y / 23) + 0.4 * (np.hypot(x - 60, y - 50) < 25)
    return np.clip(np.rint(most * (light + rng.normal(0, 0.03, light.shape))), 0, most)


def filtered(source, recipe, engine):
    command_line.process(source, "-o", "out.tif", "--force", "-f", recipe, "-e", engine)
    return pixels.read_tiff("out.tif")[1]


def equals_opencv(engine):
    """Of whole samples of as many values as bins, what OpenCV has, but for its rounding of curves and
    result. Sides that tiles divide, and sides that they do not: there it mirrors, too. Where one side is
    divided and the other is not, both are extended, the former by as many samples as there are tiles."""
    for bits, bins in ((8, 256), (16, 65536)):
        most = (1 << bits) - 1
        for height, width, tiles in SHAPES:
            samples = scene(height, width, most).astype(np.uint8 if bits == 8 else np.uint16)
            pixels.write_png("in.png", samples[..., None])
            for clip in ((0, 2, 7.5) if engine != "gl-compute" else (2,)):
                truth = cv2.createCLAHE(clip, (tiles, tiles)).apply(samples)
                got = filtered("in.png", f"clahe:clip={clip},tiles={tiles},bins={bins}", engine)[..., 0]
                worst = np.abs(got - truth.astype(np.float64)).max()
                # It rounds curves to whole values, and once more what it makes of four of them, in single
                # precision. A curve may rise by as much as one sample of a tile within a bin, of which
                # samples in single precision are off by up to 1 / 128.
                extended = int(width % tiles > 0 or height % tiles > 0)
                steepest = most / ((width // tiles + extended) * (height // tiles + extended))
                assert worst <= 1.01 + (steepest / 128 + 0.3 if bits == 16 else 0), \
                    f"{bits} bits, {width}×{height}, {tiles} tiles, clip {clip}: off by {worst}"
                assert np.abs(samples - truth.astype(np.float64)).max() > most / 20, "it does nothing"


def whole(source, recipe, engine):
    """What is left of whole samples."""
    got = filtered(source, recipe, engine)[..., 0]
    assert np.abs(got - np.rint(got)).max() < 0.01
    return np.rint(got)


def does_not_band(engine):
    """16 bits through 256 bins have more than 256 values left."""
    samples = scene(128, 128, 65535).astype(np.uint16)
    pixels.write_png("deep.png", samples[..., None])
    got = np.rint(filtered("deep.png", "clahe", engine)[..., 0])
    assert len(np.unique(got)) > 10 * 256, len(np.unique(got))


def colours_keep_their_differences(engine):
    grey = scene(64, 96, 255)
    samples = np.clip(np.stack([grey + 20, grey, grey - 10], -1), 0, 255).astype(np.uint8)
    pixels.write_png("colours.png", samples)
    for colour in ("luma", "channels"):
        command_line.process("colours.png", "-o", "out.tif", "--force", "-f", "clahe", "-e", engine,
                             "--colour", colour)
        got = pixels.read_tiff("out.tif")[1]
        wanted = samples.astype(np.float64)
        for a, b in ((0, 1), (1, 2)):
            worst = np.abs(got[..., a] - got[..., b] - (wanted[..., a] - wanted[..., b])).max()
            assert worst < 0.01, f"{colour}: {worst}"


@once
def weighted_median(samples, weights):
    """The least sample up to which half of the weights are: sorted, one by one."""
    down, across = weights.shape[0] // 2, weights.shape[1] // 2
    padded = np.pad(samples, ((down, down), (across, across)), mode="reflect")
    windows = np.lib.stride_tricks.sliding_window_view(padded, weights.shape).reshape(*samples.shape, -1)
    order = np.argsort(windows, axis=-1, kind="stable")
    sums = np.cumsum(weights.ravel()[order], axis=-1)
    first = (2 * sums >= weights.sum()).argmax(-1)
    return np.take_along_axis(np.take_along_axis(windows, order, -1), first[..., None], -1)[..., 0]


def medians_equal_numpy(engine):
    rng = np.random.default_rng(3)
    samples = rng.integers(0, 4000, (41, 57)).astype(np.uint16)
    pixels.write_png("in.png", samples[..., None])
    for side, centre in ((3, 1), (3, 5), (5, 9), (7, 30), (9, 99)):
        weights = np.ones((side, side), np.int64)
        weights[side // 2, side // 2] = centre
        got = whole("in.png", f"weighted-median:size={side},centre={centre}", engine)
        assert np.array_equal(got, weighted_median(samples, weights)), f"{side}, {centre}"
    # Not symmetric, with zeros, of unequal sides: a weight stands where its sample does.
    for name, weights in (("whole", rng.integers(0, 6, (3, 7))), ("shares", np.array([[0, .5, .25, 0, 1.0]]))):
        np.save(f"{name}.npy", weights.astype(np.float64))
        got = whole("in.png", f"weighted-median:kernel={name}.npy", engine)
        assert np.array_equal(got, weighted_median(samples, weights)), name


def weights_that_are_none():
    samples = np.arange(64, dtype=np.uint8).reshape(8, 8)
    pixels.write_png("in.png", samples[..., None])
    np.save("even.npy", np.ones((4, 3)))
    np.save("zeros.npy", np.zeros((3, 3)))
    for name in ("even", "zeros"):
        command_line.fails(1, f"{name}.npy", arguments=[
            "process", "in.png", "-o", "out.png", "--force", "-f", f"weighted-median:kernel={name}.npy"])
    for words in ("size=4", "centre=0.5x", "centre=-3"):
        command_line.fails(2, words.split("=", maxsplit=1)[0], arguments=[
            "process", "in.png", "-o", "out.png", "--force", "-f", f"weighted-median:{words}"])


sys.exit(command_line.run_cases(
    {f"equalisation of {e} is OpenCV's": lambda e=e: equals_opencv(e) for e in ENGINES}
    | {f"equalisation of {e} makes no steps": lambda e=e: does_not_band(e) for e in ENGINES}
    | {f"colours keep their differences on {e}": lambda e=e: colours_keep_their_differences(e) for e in ENGINES}
    | {f"weighted medians of {e} are NumPy's": lambda e=e: medians_equal_numpy(e)
       for e in (*ENGINES, "gl-fragment")}
    | {"weights that are none are refused": weights_that_are_none}))
