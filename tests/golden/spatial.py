#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Filters of neighbours, against SciPy: pictures of every depth through the command line.

usage: spatial.py ONDELETTE_CLI
"""
import math
import pathlib
import sys

import numpy as np
from scipy import ndimage

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
import command_line  # noqa: E402
import mha  # noqa: E402
import pixels  # noqa: E402
ENGINES = ["cpu", "reference", "gl-fragment", "gl-compute"]
SIZES = [(61, 149), (5, 33), (1, 9)]  # the first one has work groups that see no border


def pictures(rng):
    """Depths that the program reads: whole samples with many equal ones, and floats."""
    for height, width in SIZES:
        yield "8 bits", rng.integers(0, 9, (height, width)).astype(np.uint8) * 25
        yield "16 bits", rng.integers(0, 65536, (height, width)).astype(np.uint16)
        yield "floats", rng.normal(0, 300, (height, width)).astype(np.float32)


def write_source(samples, name="in"):
    """PNG of whole samples, MetaImage of floats. The path."""
    if samples.dtype != np.float32:
        pixels.write_png(f"{name}.png", samples[..., None])
        return f"{name}.png"
    mha.write(f"{name}.mha", samples)
    return f"{name}.mha"


def write_pictures(seed):
    """Names, samples and paths of all pictures."""
    names, samples = zip(*pictures(np.random.default_rng(seed)))
    return names, samples, [write_source(one, f"in-{i}") for i, one in enumerate(samples)]


def filtered(source, recipe, engine):
    return command_line.process_each([source], recipe, engine)[0]


def rounded(samples):
    """Floats as filters receive them, as shares of the range, in the unit of the file again."""
    if samples.dtype != np.float32:
        return samples
    low, high = samples.min(), samples.max()
    share = ((samples.astype(np.float64) - low) / (float(high) - low)).astype(np.float32)
    return (low + (float(high) - low) * share).astype(np.float32)


def is_one_of_them(got, wanted, samples):
    """Exactly, but for the last digit of floats, which is rounded on the way there and back."""
    if wanted.dtype != np.float32:
        return np.array_equal(got, wanted)
    return np.abs(got.astype(np.float64) - wanted).max() <= 2e-7 * np.ptp(samples)


def median(engine):
    """The median is one of the samples: exactly that of SciPy, whatever the depth."""
    names, as_they_are, sources = write_pictures(7)
    for side in range(3, 20, 2) if engine == "cpu" else (3, 5, 7, 19):
        results = command_line.process_each(sources, f"median:size={side}", engine)
        for name, same, got in zip(names, as_they_are, results):
            wanted = ndimage.median_filter(same, side, mode="mirror")
            assert is_one_of_them(got, wanted, same), \
                f"{name} of {same.shape}, side {side}: {(got != wanted).sum()} differ"


def sobel(engine):
    """Of whole samples the magnitude is a whole number, rounded down, at most full scale; of floats
    it is what SciPy makes of them. The direction is the angle, as a fraction of a turn."""
    names, pictures_in, sources = write_pictures(11)
    results = [command_line.process_each(sources, recipe, engine)
               for recipe in ("sobel", "sobel:output=direction")]
    for name, samples, magnitude, direction in zip(names, pictures_in, *results):
        whole = samples.dtype != np.float32
        same = rounded(samples).astype(np.float64)
        # What counts as full scale.
        low, high = (0, np.iinfo(samples.dtype).max) if whole else (same.min(), same.max())
        h, v = (ndimage.sobel(same, axis, mode="mirror") for axis in (1, 0))
        if whole:
            wanted = [[min(math.isqrt(int(a * a + b * b)), high) for a, b in zip(*rows)]
                      for rows in zip(h, v)]
            unequal = np.abs(magnitude - wanted).max()
            assert unequal < 0.01, f"{name} of {samples.shape}: {unequal}"  # as floats have them
        else:
            unequal = np.abs(magnitude - low - np.hypot(v, h)).max() / (high - low)
            assert unequal < 1e-6, f"{name} of {samples.shape}: {unequal}"
        turn = np.where((v == 0) & (h == 0), 0, np.arctan2(v, h) / (2 * np.pi) % 1)
        unequal = np.abs((direction.astype(np.float64) - low) / (high - low) - turn).max()
        assert unequal < (1e-6 if whole else 3e-6), f"{name} of {samples.shape}: direction {unequal}"


def squares(engine):
    """The mean of a square within rounding; its least and greatest sample, and what is made of them,
    exactly. All depths are compared with the reference elsewhere."""
    samples = np.random.default_rng(13).normal(0, 300, (21, 8)).astype(np.float32)
    source = write_source(samples)
    same = filtered(source, "pass-through", engine)
    for side in (3, 19):
        wanted = ndimage.uniform_filter(same.astype(np.float64), side, mode="mirror")
        unequal = np.abs(filtered(source, f"box:size={side}", engine) - wanted).max()
        assert unequal < 1e-6 * np.ptp(same), f"box of {side}: {unequal}"
    for operation, side in {"erode": 3, "dilate": 19, "open": 5, "close": 7}.items():
        function = {"erode": ndimage.grey_erosion, "dilate": ndimage.grey_dilation,
                    "open": ndimage.grey_opening, "close": ndimage.grey_closing}[operation]
        wanted = function(same, (side, side), mode="mirror")
        got = filtered(source, f"morphology:operation={operation},size={side}", engine)
        assert is_one_of_them(got, wanted, samples), f"{operation} of {side}: {(got != wanted).sum()} differ"


def fractions(picture):
    return np.abs(picture - np.rint(picture)).max()


def whole_samples_stay_whole(engine):
    """After a median they are whole, and so is the gradient of a gradient; after a Gaussian not."""
    source = write_source(np.random.default_rng(3).integers(0, 9, (20, 30)).astype(np.uint16))
    for recipe in ("median sobel", "sobel sobel", "median sobel median sobel"):
        assert fractions(filtered(source, recipe, engine)) < 0.01, recipe
    for recipe in ("gaussian sobel", "sobel:output=direction sobel"):
        assert fractions(filtered(source, recipe, engine)) > 0.2, recipe


def even_sides_are_refused():
    source = write_source(np.zeros((8, 8), np.uint8))
    for size in ("4", "21", "1", "x"):
        command_line.fails(2, "size", "3, 5, 7", arguments=[
            "process", source, "-o", "out.png", "-f", f"median:size={size}"])


sys.exit(command_line.run_cases(
    {f"the median of {engine} is SciPy's": lambda engine=engine: median(engine)
     for engine in ENGINES}
    | {f"the gradient of {engine} is SciPy's": lambda engine=engine: sobel(engine)
       for engine in ENGINES}
    | {f"means, erosion and dilation of {engine} are SciPy's": lambda engine=engine: squares(engine)
       for engine in ENGINES[1:]}
    | {f"whole samples stay whole on {engine}": lambda engine=engine: whole_samples_stay_whole(engine)
       for engine in ENGINES}
    | {"even sides are refused": even_sides_are_refused}))
