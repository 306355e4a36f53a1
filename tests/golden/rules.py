#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The rules of shrinkage against PyWavelets' threshold functions, in whole pipelines: of its
transforms where these are ours (Haar, periodic), and of the stationary one. PyWavelets has no
hyperbolic rule, which is written out here.

Per level and axis our low bands are PyWavelets' less sqrt 2, our high ones its times sqrt 2.

usage: rules.py ONDELETTE_CLI
"""
import pathlib
import sys

import numpy as np
import pywt

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
import command_line  # noqa: E402
import pixels  # noqa: E402

FULL = 65535
THRESHOLDS = 0.0621, 0.0312  # of the levels, which no detail comes near
ENGINES = ["cpu", "reference", "gl-fragment", "gl-compute", "gl-lookup"]
# The hyperbolic rule rises vertically, so that its limit lies 2e-6 above the threshold.
BOUNDS = {"hyperbolic": 3e-5}


def hyperbolic(x, threshold):
    return np.sign(x) * np.sqrt(np.maximum(x * x - threshold * threshold, 0))


RULES = {"soft": lambda x, t: pywt.threshold(x, t, "soft"),
         "hard": lambda x, t: pywt.threshold(x, t, "hard"),
         "garrote": lambda x, t: pywt.threshold(x, t, "garrote"),
         "firm": lambda x, t: pywt.threshold_firm(x, t, 2 * t),
         "hyperbolic": hyperbolic}


def picture(height, width):
    rng = np.random.default_rng(11)
    smooth = rng.normal(0, 1, (height, width)).cumsum(0).cumsum(1)
    samples = 0.7 * (smooth - smooth.min()) / np.ptp(smooth) + 0.3 * rng.random((height, width))
    return np.rint(FULL * samples).astype(np.uint16)


def filtered(samples, rule, words, engine):
    pixels.write_png("in.png", samples if samples.ndim == 3 else samples[..., None])
    thresholds = "/".join(map(str, THRESHOLDS))
    command_line.process(
        "in.png", "-o", "out.tif", "--force", "-e", engine, "-f",
        f"shrinkage:levels=2,thresholds={thresholds},rule={rule},{words} border=periodic")
    return pixels.read_tiff("out.tif")[1].astype(np.float64) / FULL


def gains(level):
    """Of HL, LH, HH."""
    scale = 0.5 ** (level - 1)
    return scale, scale, 2 * scale


def shrunk(bands, rule):
    """PyWavelets' bands of all levels, the finest first."""
    return [tuple(RULES[rule](band * gain, threshold) / gain
                  for band, gain in zip(own, gains(level + 1)))
            for level, (own, threshold) in enumerate(zip(bands, THRESHOLDS))]


def check(rule, words, engine, wanted, samples):
    got = filtered(samples, rule, words, engine)
    assert np.abs(got - samples.reshape(got.shape) / FULL).max() > 0.02, "nothing was shrunk"
    unequal = np.abs(got - wanted.reshape(got.shape)).max()
    assert unequal < BOUNDS.get(rule, 4e-6), f"{rule}: {unequal}"


def decimated(samples, rule):
    low, *bands = pywt.wavedec2(samples / FULL, "haar", mode="periodization", level=2)
    return pywt.waverec2([low, *shrunk(bands[::-1], rule)[::-1]], "haar", mode="periodization")


def decimated_equals(engine):
    samples = picture(48, 72)
    for rule in RULES:
        check(rule, "wavelet=haar", engine, decimated(samples, rule), samples)


def colours_equal(engine):
    samples = np.dstack([picture(48, 72), picture(48, 72)[::-1], picture(48, 72)[:, ::-1]])
    for rule in RULES:
        wanted = np.dstack([decimated(samples[..., c], rule) for c in range(3)])
        check(rule, "wavelet=haar", engine, wanted, samples)


def stationary_equals(engine):
    samples = picture(48, 72)
    for rule in RULES:
        levels = pywt.swt2(samples / FULL, "bior4.4", 2)
        details = shrunk([own for _, own in levels[::-1]], rule)[::-1]
        wanted = pywt.iswt2([(low, own) for (low, _), own in zip(levels, details)], "bior4.4")
        check(rule, "wavelet=bior4.4,transform=stationary", engine, wanted, samples)


def lifting_agrees(engine):
    """Where soft thresholds of several levels run as one pass; and on the magnitudes of the dual
    tree, where `engine` has it."""
    samples = picture(61, 83)
    transforms = ["wavelet=cdf97", "wavelet=db4", "wavelet=int53"]
    if engine in ("cpu", "gl-compute"):
        transforms.append("transform=dual-tree")
    if engine == "gl-lookup":
        transforms.remove("wavelet=int53")
    for words in transforms:
        for rule in RULES:
            wanted = filtered(samples, rule, words, "reference")
            unequal = np.abs(filtered(samples, rule, words, engine) - wanted).max()
            # Whole numbers are rounded: a unit more or less in either of two levels.
            most = 2.1 / FULL if "int53" in words else BOUNDS.get(rule, 1e-5)
            assert unequal < most, f"{words}, {rule}: {unequal}"


def rules_rise_from_soft_to_hard():
    """Of what is kept, every rule keeps no less than the soft and no more than the hard one."""
    samples = picture(64, 64)
    left = {rule: np.square(filtered(samples, rule, "transform=dual-tree", "reference")
                            - samples[..., None] / FULL).sum() for rule in RULES}
    for rule in "garrote", "firm", "hyperbolic":
        assert left["hard"] < left[rule] < left["soft"], left


def zero_thresholds_change_nothing(engine):
    samples = picture(40, 56)
    pixels.write_png("in.png", samples[..., None])
    for rule in RULES:
        command_line.process("in.png", "-o", "out.tif", "--force", "-e", engine, "-f",
                             f"shrinkage:levels=2,thresholds=0,rule={rule}")
        unequal = np.abs(pixels.read_tiff("out.tif")[1][..., 0] / FULL - samples / FULL).max()
        assert unequal < 2e-6, f"{rule}: {unequal}"


CASES = {"the decimated transform by every rule is PyWavelets'": (decimated_equals, ENGINES),
         "so are colours": (colours_equal, ENGINES),
         "the stationary transform by every rule is PyWavelets'": (stationary_equals, ENGINES[:4]),
         "others agree with the reference": (lifting_agrees, ENGINES[:1] + ENGINES[2:]),
         "thresholds of 0 change nothing": (zero_thresholds_change_nothing, ENGINES)}
sys.exit(command_line.run_cases(
    {f"{name}: {engine}": lambda engine=engine, case=case: case(engine)
     for name, (case, engines) in CASES.items() for engine in engines}
    | {"rules lie between soft and hard": rules_rise_from_soft_to_hard}))
