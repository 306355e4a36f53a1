#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Orthonormal thresholds against PyWavelets: its decimated and stationary transforms, one threshold for all
bands, in pictures and volumes; and unit gain, which a text without the word means.

usage: normalisation.py ONDELETTE_CLI
"""
import itertools
import pathlib
import re
import sys

import numpy as np
import pywt
import pywt.data

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
import command_line  # noqa: E402
import mha  # noqa: E402
import pixels  # noqa: E402

FULL = 65535
LEVELS = 3
THRESHOLD = 0.0631  # which no detail comes near
ENGINES = ["cpu", "reference", "gl-fragment", "gl-compute", "gl-lookup"]
ORTHONORMAL = "normalisation=orthonormal"
WAVELETS = {"haar": "haar", "db4": "db4", "sym8": "sym8", "cdf97": "bior4.4", "cdf53": "bior2.2"}


def cases(engine):
    """Wavelets, by our name and PyWavelets', and rules: engines take the same thresholds from the plan."""
    own = WAVELETS if engine == "cpu" else {name: WAVELETS[name] for name in ("haar", "cdf97")}
    return itertools.product(own.items(), ("soft", "hard"))


def picture(height=64, width=96):
    rng = np.random.default_rng(11)
    smooth = rng.normal(0, 1, (height, width)).cumsum(0).cumsum(1)
    samples = 0.7 * (smooth - smooth.min()) / np.ptp(smooth) + 0.3 * rng.random((height, width))
    return np.rint(FULL * samples).astype(np.uint16)


def filtered(samples, recipe, engine="cpu"):
    pixels.write_png("in.png", samples[..., None])
    command_line.process("in.png", "-o", "out.tif", "--force", "-e", engine, "-f", recipe)
    return pixels.read_tiff("out.tif")[1][..., 0].astype(np.float64) / FULL


def shrunk(coefficients, rule, threshold=THRESHOLD):
    low, *details = coefficients
    return [low] + [tuple(pywt.threshold(band, threshold, rule) for band in own) for own in details]


def apart(details):
    """A threshold that no coefficient comes near: a hard one keeps or takes all of it."""
    sizes = np.sort(np.abs(np.concatenate([band.ravel() for own in details for band in own])))
    return max(np.arange(0.05, 0.08, 0.0001).round(4), key=lambda t: np.abs(sizes - t).min())


def decimated(samples, wavelet, rule, shift):
    """Where even samples are; PyWavelets may begin with another one."""
    moved = np.roll(samples / FULL, shift, (0, 1))
    bands = pywt.wavedec2(moved, wavelet, "periodization", LEVELS)
    made = pywt.waverec2(shrunk(bands, rule), wavelet, "periodization")
    return np.roll(made, (-shift[0], -shift[1]), (0, 1))


def decimated_equals(engine):
    samples = picture()
    for (ours, theirs), rule in cases(engine):
        words = f"wavelet={ours},levels={LEVELS},{ORTHONORMAL}"
        got = filtered(samples, f"{rule}-threshold:{words},threshold={THRESHOLD} border=periodic", engine)
        unequal = min(np.abs(got - decimated(samples, theirs, rule, (s, s))).max() for s in range(1 << LEVELS))
        assert np.abs(got - samples / FULL).max() > 0.05, "nothing was shrunk"
        # Single precision; a coefficient that lies at a hard threshold is not among these.
        assert unequal < 2e-5, f"{ours}, {rule}: {unequal}"
        if ours != "cdf97":
            continue
        each = filtered(samples, f"shrinkage:{words},thresholds={THRESHOLD},rule={rule} border=periodic", engine)
        assert np.abs(each - got).max() < 1e-6, f"{ours}, {rule}: shrinkage differs by {np.abs(each - got).max()}"


def stationary_equals(engine):
    for (ours, theirs), rule in cases(engine):
        samples = picture() if ours == "sym8" else picture(32, 48)  # as long as its taps on the last level
        bands = pywt.swt2(samples / FULL, theirs, LEVELS, norm=False)
        threshold = apart([own for _, own in bands])
        details = shrunk([None] + [own for _, own in bands], rule, threshold)[1:]
        wanted = pywt.iswt2([(low, own) for (low, _), own in zip(bands, details)], theirs, norm=False)
        got = filtered(samples, f"{rule}-threshold:wavelet={ours},levels={LEVELS},{ORTHONORMAL},"
                                f"transform=stationary,threshold={threshold} border=periodic", engine)
        assert np.abs(got - wanted).max() < 2e-5, f"{ours}, {rule}: {np.abs(got - wanted).max()}"


def volumes_equal(engine):
    rng = np.random.default_rng(4)
    samples = (0.5 + 0.1 * rng.normal(0, 1, (16, 24, 32))).astype("f4")
    bands = pywt.wavedecn(samples.astype(float), "haar", "periodization", 2)
    own = [bands[0]] + [{key: pywt.threshold(band, THRESHOLD, "soft") for key, band in level.items()}
                        for level in bands[1:]]
    wanted = pywt.waverecn(own, "haar", "periodization")
    mha.write("in.mha", samples, mha.UNIT)
    for recipe in (f"soft-threshold:threshold={THRESHOLD}", f"shrinkage:thresholds={THRESHOLD}",
                   f"shrinkage:thresholds=0.5,z-thresholds={THRESHOLD}"):
        command_line.process("in.mha", "-o", "out.mha", "--force", "-e", engine, "-f",
                             f"{recipe},wavelet=haar,levels=2,dimensions=3,{ORTHONORMAL} border=periodic")
        unequal = np.abs(mha.read("out.mha", samples.shape) - wanted).max()
        assert (unequal < 2e-5) != ("0.5" in recipe), f"{recipe}: {unequal}"


def gains_are_those_of_text_books():
    """The same threshold, the same decibels: `camera` with σ = 25 of 255."""
    clean = pywt.data.camera().astype(float)
    noisy = clean + np.random.default_rng(7).normal(0, 25, clean.shape)
    samples = np.clip(np.rint((noisy + 128) / 511 * FULL), 0, FULL).astype(np.uint16)

    def psnr(result):
        return 10 * np.log10(255 ** 2 / np.mean((np.clip(511 * result - 128, 0, 255) - clean) ** 2))
    for sigmas in (1.5, 2):
        threshold = sigmas * 25 / 511
        bands = pywt.wavedec2(samples / FULL, "bior4.4", "reflect", 4)
        made = pywt.waverec2([bands[0]] + [tuple(pywt.threshold(b, threshold) for b in own) for own in bands[1:]],
                             "bior4.4", "reflect")
        words = f"soft-threshold:wavelet=cdf97,levels=4,threshold={threshold}"
        theirs, ours, before = (psnr(made), psnr(filtered(samples, f"{words},{ORTHONORMAL}")),
                                psnr(filtered(samples, words)))
        print(f"# {sigmas} sigma: PyWavelets {theirs:.2f} dB, orthonormal {ours:.2f}, unit gain {before:.2f}")
        assert abs(theirs - ours) < 0.15 and ours > before + 1


def unit_gain_is_what_nothing_says():
    samples = picture()
    for recipe in ("soft-threshold:threshold=0.05", "hard-threshold:threshold=0.05",
                   "shrinkage:thresholds=0.05/0.04:0.02:0.06", "shrinkage:thresholds=0.05,transform=dual-tree"):
        plain = filtered(samples, recipe)
        assert np.array_equal(plain, filtered(samples, f"{recipe},normalisation=unit-gain")), recipe
        assert np.abs(plain - filtered(samples, f"{recipe},{ORTHONORMAL}")).max() > 1e-3, recipe
    # HL and LH of level l are 2^(l - 1) times as large, HH half of that; the dual tree, too.
    for transform in ("decimated", "stationary", "dual-tree"):
        unit = filtered(samples, f"shrinkage:levels=2,transform={transform},thresholds=0.1:0.06:0.14/0.05")
        same = filtered(samples, f"shrinkage:levels=2,transform={transform},{ORTHONORMAL},"
                                 "thresholds=0.1:0.06:0.07/0.1:0.1:0.05")
        assert np.abs(unit - same).max() < 1e-6, f"{transform}: {np.abs(unit - same).max()}"


def said(*words):
    text = command_line.process("in.png", "-o", "out.tif", "--force", "-f", ",".join(words)).stderr
    return [[float(x) for x in level.split(":")] for level in re.search(r"thresholds?=([^, ]+)", text)[1].split("/")]


def measured_thresholds_have_the_scale():
    """White noise has the same σ in all bands of an orthonormal wavelet."""
    samples = 0.4 + np.random.default_rng(3).normal(0, 0.05, (256, 256))
    pixels.write_png("in.png", np.rint(samples * FULL).astype(np.uint16)[..., None])
    for recipe in ("soft-threshold:wavelet=db4", "hard-threshold:wavelet=db4", "shrinkage:wavelet=db4,levels=4"):
        for (found,) in said(recipe, ORTHONORMAL):
            assert abs(found / 0.05 - 1) < 0.03, f"{recipe}: {found}"
    levels = said("shrinkage:wavelet=db4,levels=4")
    assert levels[0][0] > 7 * levels[3][0], levels


def ranges_follow():
    samples = picture()
    filtered(samples, f"shrinkage:levels=3,thresholds=0.1/3/7.9,{ORTHONORMAL}")
    filtered(samples, f"soft-threshold:{ORTHONORMAL},levels=2,threshold=4")
    for recipe in (f"soft-threshold:{ORTHONORMAL},levels=2,threshold=4.1", "soft-threshold:threshold=1.1",
                   "shrinkage:thresholds=0.1:1.5:0.1", f"shrinkage:thresholds=8.5,levels=3,{ORTHONORMAL}"):
        command_line.fails(2, "outside 0", arguments=["process", "in.png", "-o", "no.png", "-f", recipe])
    command_line.fails(2, "unit-gain, orthonormal", arguments=[
        "process", "in.png", "-o", "no.png", "-f", "shrinkage:normalisation=unit"])
    command_line.fails(2, "normalisation", arguments=[
        "process", "in.png", "-o", "no.png", "-f", "bayes-shrink:normalisation=orthonormal"])


sys.exit(command_line.run_cases(
    {f"orthonormal thresholds of {e} are PyWavelets'": lambda e=e: decimated_equals(e) for e in ENGINES}
    | {f"so are those of the stationary transform on {e}": lambda e=e: stationary_equals(e)
       for e in ("cpu", "reference", "gl-fragment", "gl-compute")}
    | {f"so are those of volumes on {e}": lambda e=e: volumes_equal(e) for e in ("cpu", "reference", "gl-compute")}
    | {"decibels are those of text books": gains_are_those_of_text_books,
       "unit gain is what nothing says": unit_gain_is_what_nothing_says,
       "measured thresholds have the scale": measured_thresholds_have_the_scale,
       "ranges follow the scale": ranges_follow}))
