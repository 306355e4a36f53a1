#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Filters against noise, by their formulas in NumPy and SciPy, through the command line.

usage: denoise.py ONDELETTE_CLI
"""
import pathlib
import sys

import numpy as np
from scipy import ndimage

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
import command_line  # noqa: E402
import pixels  # noqa: E402
ENGINES = ["cpu", "reference", "gl-fragment", "gl-compute"]
SIZES = [(41, 70), (9, 33), (1, 9)]
FULL = 65535


def blocks(rng, height, width):
    """Squares of one value each, and noise."""
    squares = rng.integers(0, 6, (height // 8 + 1, width // 8 + 1)) / 5
    clean = np.kron(squares, np.ones((8, 8)))[:height, :width]
    return np.rint(FULL * np.clip(clean + rng.normal(0, 0.05, clean.shape), 0, 1)).astype(np.uint16)


def write_pictures():
    rng = np.random.default_rng(5)
    samples = [blocks(rng, *size) for size in SIZES]
    for i, one in enumerate(samples):
        pixels.write_png(f"in-{i}.png", one[..., None])
    return samples, [f"in-{i}.png" for i in range(len(samples))]


def agrees(engine, recipe, function, most=2e-6):
    """What the recipe makes of every picture is what the function makes of it, as fractions."""
    samples, sources = write_pictures()
    for one, got in zip(samples, command_line.process_each(sources, recipe, engine)):
        unequal = np.abs(got / FULL - function(one / FULL)).max()
        assert unequal < most, f"{recipe} of {one.shape}: {unequal}"


def mirrored(samples, beyond):
    """The picture with so many mirrored samples about it, however small it is."""
    return samples[np.ix_(*(np.abs((np.arange(-beyond, n + beyond) + n - 1) % max(2 * n - 2, 1) - n + 1)
                            for n in samples.shape))]


def offsets(samples, reach, beyond=0):
    """The picture, with `beyond` more samples about it, at every offset within reach."""
    large = mirrored(samples, reach + beyond)
    height, width = (n + 2 * beyond for n in samples.shape)
    for y in range(2 * reach + 1):
        for x in range(2 * reach + 1):
            yield large[y:y + height, x:x + width]


def patch_means(samples, h, patch, search, speckle=False, guide=None):
    guide = samples if guide is None else guide
    radius, reach = patch // 2, search // 2
    about = mirrored(guide, radius)
    sums = weights = 0
    for there, other in zip(offsets(samples, reach), offsets(guide, reach, radius)):
        squares = (about - other) ** 2 / (np.maximum((about + other) / 2, 1 / 64) if speckle else 1)
        windows = np.lib.stride_tricks.sliding_window_view(squares, (patch, patch))
        weight = np.exp(-windows.mean(axis=(2, 3)) / h ** 2)
        sums, weights = sums + weight * there, weights + weight
    return sums / weights


def non_local_means(engine):
    def twice(samples):
        first = patch_means(samples, 0.06, 3, 7)
        return patch_means(samples, 0.03, 3, 7, guide=first)

    agrees(engine, "non-local-means:strength=0.1,patch=5,search=11,rounds=1",
           lambda samples: patch_means(samples, 0.1, 5, 11))
    agrees(engine, "non-local-means:strength=0.08,patch=7,search=15,rounds=1,distance=speckle",
           lambda samples: patch_means(samples, 0.08, 7, 15, True))
    agrees(engine, "non-local-means:strength=0.06,patch=3,search=7", twice)


CASES = {"non-local means": non_local_means}
sys.exit(command_line.run_cases(
    {f"{name} of {engine}": lambda engine=engine, case=case: case(engine)
     for name, case in CASES.items() for engine in ENGINES}))
