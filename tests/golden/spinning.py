#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Cycle spinning against the mean of PyWavelets' results over shifts, and what it gains.

usage: spinning.py ONDELETTE_CLI
"""
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
import command_line  # noqa: E402
import pixels  # noqa: E402
import tap  # noqa: E402

try:
    import pywt
    import pywt.data
except ImportError as missing:
    pywt = None
    MISSING = str(missing)

BOUND = 1e-5
ENGINES = ["reference", "cpu", "gl-compute", "gl-fragment"]
FINE = [(0, 0), (1, 1), (1, 0), (0, 1)]
SHIFTS = [(fx + 2 * cx, fy + 2 * cy) for cx, cy in FINE for fx, fy in FINE]
THRESHOLD = 0.06


def ours(samples, recipe, engine, *more):
    pixels.write_png("in.png", samples[..., None])
    command_line.process("in.png", "-o", "out.tif", "--force", "-f", recipe, "-e", engine, *more)
    return pixels.read_tiff("out.tif")[1][..., 0].astype(np.float64) / 65535


def shrunk(x, levels):
    """Haar, whose details of our scale are PyWavelets' but for signs and powers of 2."""
    low, kept = x, []
    for _ in range(levels):
        a, (h, v, d) = pywt.dwt2(low, "haar")
        kept.append(tuple(pywt.threshold(band, THRESHOLD / gain, "soft")
                          for band, gain in ((h, 1), (v, 1), (d, 2))))
        low = a / 2
    for details in kept[::-1]:
        low = pywt.idwt2((2 * low, details), "haar")
    return low


def picture(height, width):
    rng = np.random.default_rng(5)
    smooth = rng.normal(0, 1, (height, width)).cumsum(0).cumsum(1)
    samples = 0.7 * (smooth - smooth.min()) / np.ptp(smooth) + 0.3 * rng.random((height, width))
    return np.rint(65535 * samples).astype(np.uint16)


def moved(x, dx, dy, border, more):
    """Into a picture of `more` more rows and columns; what enters is as the border has it."""
    mode = {"symmetric": "reflect", "zero": "constant"}[border]
    height, width = x.shape
    wide = np.pad(x, ((more, more), (more, more)), mode)
    return wide[more - dy:more - dy + height + more, more - dx:more - dx + width + more]


def is_the_mean_over_shifts(engine):
    samples = picture(48, 64)
    for shifts in 1, 2, 3, 4, 7, 16:
        x, parts = samples / 65535, []
        for dx, dy in SHIFTS[:shifts]:
            made = shrunk(np.roll(x, (dy, dx), (0, 1)), 3)
            parts.append(np.roll(made, (-dy, -dx), (0, 1)))
        got = ours(samples, f"soft-threshold:wavelet=haar,levels=3,threshold={THRESHOLD},"
                   f"shifts={shifts}", engine, "--border", "periodic")
        worst = np.abs(got - np.mean(parts, 0)).max()
        assert worst < BOUND, (shifts, worst)


def borders_are_those_of_the_transform(engine):
    samples = picture(48, 64)
    for border in "zero",:
        for shifts, more in (2, 2), (4, 2), (16, 4):
            x, parts = samples / 65535, []
            for i, (dx, dy) in enumerate(SHIFTS[:shifts]):
                wide = moved(x, dx, dy, border, more) if i > 0 else x
                made = shrunk(wide, 1)
                parts.append(made[dy:dy + x.shape[0], dx:dx + x.shape[1]])
            got = ours(samples, f"soft-threshold:wavelet=haar,levels=1,threshold={THRESHOLD},"
                       f"shifts={shifts}", engine, "--border", border)
            worst = np.abs(got - np.mean(parts, 0)).max()
            assert worst < BOUND, (border, shifts, worst)
    # Where nothing is removed the picture stays, whatever its borders and size.
    for height, width in (1, 9), (7, 1), (33, 50):
        odd = picture(height, width)
        for recipe in ("soft-threshold:wavelet=cdf97,threshold=0,shifts=16",
                       "soft-threshold:wavelet=db4,threshold=0,shifts=3"):
            got = ours(odd, recipe, engine)
            assert np.abs(got - odd / 65535).max() < BOUND, (recipe, height, width)


def other_transforms_have_none():
    samples = picture(32, 32)
    pixels.write_png("in.png", samples[..., None])
    said = command_line.process("in.png", "-o", "told.tif", "--force", "-f",
                                "soft-threshold:transform=stationary,shifts=4").stderr
    assert "without shifts" in said, said


def decibels(made, clean):
    return 10 * np.log10(255 ** 2 / np.mean((np.clip(made, 0, 255) - clean) ** 2))


def what_it_gains():
    for name in "camera", "ascent":
        clean = getattr(pywt.data, name)().astype(np.float64)
        for sigma in 15, 25, 50:
            noisy = clean + np.random.default_rng(7).normal(0, sigma, clean.shape)
            samples = np.clip(np.rint((noisy + 128) / 511 * 65535), 0, 65535).astype(np.uint16)
            settings = f"wavelet=sym8,levels=4,sigma={sigma / 511:.7f}"
            got = {}
            for words in "shifts=1", "shifts=2", "shifts=4", "shifts=8", "shifts=16", "transform=stationary":
                made = ours(samples, f"bayes-shrink:{settings},{words}", "cpu") * 511 - 128
                got[words] = decibels(made, clean)
            print(f"# {name} {sigma}:", {key: round(float(value), 2) for key, value in got.items()})
            assert got["shifts=16"] > got["shifts=4"] > got["shifts=1"] + 0.2
            assert got["shifts=16"] > got["shifts=1"] + 0.4
            # All shifts of four levels are the stationary transform.
            assert abs(got["shifts=16"] - got["transform=stationary"]) < 0.2, got


def needs(function, *arguments):
    def run():
        if pywt is None:
            raise tap.Skip(MISSING)
        function(*arguments)
    return run


sys.exit(command_line.run_cases(
    {f"{engine}: it is the mean over shifts": needs(is_the_mean_over_shifts, engine)
     for engine in ENGINES}
    | {f"{engine}: borders are those of the transform": needs(borders_are_those_of_the_transform, engine)
       for engine in ENGINES}
    | {"other transforms have none": needs(other_transforms_have_none),
       "what it gains": needs(what_it_gains)}))
