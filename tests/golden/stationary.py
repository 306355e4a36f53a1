#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The stationary transform against PyWavelets' swt2 and iswt2, through the command line.

Along one axis PyWavelets' coefficients of level l are ours times sqrt 2 (low) and 1 / sqrt 2 (high)
for each level, but for a sign and a shift, which are its conventions: its cA[n] begins F / 2 taps
further on, in steps of 2^(l-1) samples.

usage: stationary.py ONDELETTE_CLI
"""
import pathlib
import sys

import numpy as np
import pywt

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
import command_line  # noqa: E402
import pixels  # noqa: E402

BOUND = 4e-6  # single precision, in sums of up to 60 products
LEVELS = 3
WAVELETS = ["haar", "db2", "db5", "sym4", "coif2", "bior2.2", "bior4.4", "bior1.5", "rbio2.4"]
ENGINES = ["cpu", "reference", "gl-fragment", "gl-compute"]
GAIN = 0.5, 1, 1, 2  # our LL, HL, LH, HH of PyWavelets', for one level


def picture(height, width):
    rng = np.random.default_rng(3)
    smooth = rng.normal(0, 1, (height, width)).cumsum(0).cumsum(1)
    samples = 0.8 * (smooth - smooth.min()) / np.ptp(smooth) + 0.2 * rng.random((height, width))
    return np.rint(65535 * samples).astype(np.uint16)


def filtered(samples, recipe, *more):
    pixels.write_png("in.png", samples[..., None])
    command_line.process("in.png", "-o", "out.tif", "--force", "-f",
                         f"{recipe} border=periodic", *more)
    return pixels.read_tiff("out.tif")[1][..., 0].astype(np.float64) / 65535


def bands_of(samples, name, levels):
    """PyWavelets' bands in our scale: of each level, finest first, LL, HL, LH and HH."""
    found = []
    for level, (a, (h, v, d)) in enumerate(pywt.swt2(samples / 65535, name, levels)[::-1]):
        found.append([0.5 ** level * gain * band for gain, band in zip(GAIN, (a, v, h, d))])
    return found


def picture_of(bands, name):
    coefficients = []
    for level, own in enumerate(bands):
        a, v, h, d = (2 ** level / gain * band for gain, band in zip(GAIN, own))
        coefficients.append((a, (h, v, d)))
    return pywt.iswt2(coefficients[::-1], name)


def place(shape, level, band):
    """Rows and columns of a band in our picture of coefficients."""
    def along(n, high):
        return slice(n >> level, n >> level - 1) if high else slice(0, n >> level)
    return along(shape[0], band >= 2), along(shape[1], band % 2 == 1)


def differs(ours, theirs, level):
    """How far every 2^level-th coefficient is from PyWavelets' at the best shift and sign."""
    best = np.inf
    for sign in (1, -1):
        for dy, dx in np.argwhere(np.abs(sign * theirs - ours[0, 0]) < BOUND):
            part = np.roll(theirs, (-dy, -dx), (0, 1))[::2 ** level, ::2 ** level]
            best = min(best, np.abs(sign * part - ours).max())
    return best


def coefficients_equal_swt2(engine):
    samples = picture(64, 96)
    for name in WAVELETS if engine == "reference" else ["bior4.4"]:
        bands = bands_of(samples, name, LEVELS)
        got = filtered(samples, f"soft-threshold:wavelet={name},levels={LEVELS},"
                       "transform=stationary view=analysis", "-e", engine)
        for level in range(1, LEVELS + 1):
            for band in range(0 if level == LEVELS else 1, 4):
                distance = differs(got[place(samples.shape, level, band)],
                                   bands[level - 1][band], level)
                assert distance < BOUND, f"{name}, level {level}, band {band}: {distance}"


def every_phase_equals_swt2():
    """All coefficients: those of moved pictures are the ones beside."""
    samples = picture(32, 32)
    levels, band, step = 2, 2, 4
    wanted = bands_of(samples, "bior4.4", levels)[levels - 1][band]
    rows, columns = place(samples.shape, levels, band)
    all_of_them = np.zeros(samples.shape)
    for dy in range(step):
        for dx in range(step):
            moved = np.roll(samples, (-dy, -dx), (0, 1))
            all_of_them[dy::step, dx::step] = filtered(
                moved, "soft-threshold:wavelet=bior4.4,levels=2,transform=stationary view=analysis",
                "-e", "cpu")[rows, columns]
    distance = differs(all_of_them, wanted, 0)
    assert distance < BOUND, distance


def clear_of(bands):
    """A threshold that no detail comes near: hard ones keep it or lose it by rounding."""
    details = np.sort(np.abs(np.concatenate([band.ravel() for own in bands for band in own[1:]])))
    details = details[(details > 0.015) & (details < 0.03)]
    widest = np.argmax(np.diff(details))
    return round(float(details[widest:widest + 2].mean()), 6)


def results_equal_iswt2(engine):
    samples = picture(64, 96)
    for name in WAVELETS if engine in ("cpu", "reference") else ["bior4.4", "coif2"]:
        bands = bands_of(samples, name, LEVELS)
        threshold = clear_of(bands)
        for filter_, mode in (("soft-threshold", "soft"), ("hard-threshold", "hard")):
            shrunk = [[own[0]] + [pywt.threshold(band, threshold, mode) for band in own[1:]]
                      for own in bands]
            got = filtered(samples, f"{filter_}:wavelet={name},levels={LEVELS},"
                           f"transform=stationary,threshold={threshold}", "-e", engine)
            distance = np.abs(got - picture_of(shrunk, name)).max()
            assert distance < BOUND, f"{name}, {mode}: {distance}"


def one_level_equals_iswt2(engine):
    """PyWavelets' synthesis of one level's details, with zeros in the place of all else."""
    samples = picture(64, 96)
    bands = bands_of(samples, "bior4.4", LEVELS)
    for level in range(1, LEVELS + 1):
        got = filtered(samples, f"soft-threshold:wavelet=bior4.4,levels={LEVELS},threshold=0,"
                       f"transform=stationary view=level:{level}", "-e", engine, "--border", "periodic")
        alone = [[band * (i > 0 and own == level) for i, band in enumerate(one)]
                 for own, one in enumerate(bands, 1)]
        distance = np.abs(got - picture_of(alone, "bior4.4")).max()
        assert distance < BOUND, f"level {level} alone: {distance}"


def results_move_with_the_picture():
    samples = picture(37, 50)
    recipe = "shrinkage:wavelet={},levels=3,transform={},thresholds=0.1/0.05"
    for name in ("bior4.4", "haar", "sym4"):
        for transform, moves in (("stationary", True), ("decimated", False)):
            here = filtered(samples, recipe.format(name, transform))
            moved = filtered(np.roll(samples, (1, 1), (0, 1)), recipe.format(name, transform))
            distance = np.abs(np.roll(here, (1, 1), (0, 1)) - moved).max()
            assert (distance < BOUND) == moves, f"{name}, {transform}: {distance}"


def noise_leaves_better():
    """Thresholds that were measured: more of the noise goes, as Coifman and Donoho say."""
    y, x = np.mgrid[:256, :256] / 256
    clean = 0.2 + 0.5 * ((x - 0.4) ** 2 + (y - 0.5) ** 2 < 0.09) + 0.2 * (x + y > 1.3)
    noisy = clean + np.random.default_rng(7).normal(0, 0.06, clean.shape)
    samples = np.rint(65535 * np.clip(noisy, 0, 1)).astype(np.uint16)
    left = {}
    for transform in ("decimated", "stationary"):
        got = filtered(samples, f"shrinkage:levels=4,transform={transform}")
        left[transform] = 10 * np.log10(np.mean((got - clean) ** 2))
    assert left["stationary"] < left["decimated"] - 0.5, left


sys.exit(command_line.run_cases(
    {f"coefficients of {engine} are those of swt2": lambda engine=engine:
     coefficients_equal_swt2(engine) for engine in ENGINES}
    | {f"results of {engine} are those of iswt2": lambda engine=engine:
       results_equal_iswt2(engine) for engine in ENGINES}
    | {f"one level of {engine} is that of iswt2": lambda engine=engine:
       one_level_equals_iswt2(engine) for engine in ENGINES}
    | {"every phase is one of swt2": every_phase_equals_swt2,
       "results move with the picture": results_move_with_the_picture,
       "more noise leaves than from the decimated transform": noise_leaves_better}))
