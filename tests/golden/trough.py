#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The threshold at a trough of the histogram, against its rule (src/plan/trough.h) in NumPy and
SciPy, whose peaks of the negative histogram are the troughs.

usage: trough.py ONDELETTE_CLI
"""
import pathlib
import sys

import numpy as np
from scipy.signal import find_peaks

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
import command_line  # noqa: E402
import mha  # noqa: E402
import pixels  # noqa: E402
ENGINES = ["reference", "cpu", "gl-compute"]


def run_each(pictures, settings, engine):
    """Whole samples in, whole samples out."""
    sources = [f"in-{i}.png" for i in range(len(pictures))]
    for source, samples in zip(sources, pictures):
        pixels.write_png(source, samples[..., None])
    results = command_line.process_each(sources, "trough-threshold:" + settings, engine)
    return [np.rint(got).astype(samples.dtype) for got, samples in zip(results, pictures)]


def run(samples, settings, engine):
    return run_each([samples], settings, engine)[0]


def first_trough(own, radius, share, least=0.1):
    """The bin that the first trough with a large enough peak lies before, and enough on the other side, or None."""
    s = np.convolve(own, np.ones(2 * radius + 1, int))[radius:radius + len(own)]
    runs = find_peaks(-s, plateau_size=1)[1]
    troughs = [int(a + b + 1) // 2 for a, b in zip(runs["left_edges"], runs["right_edges"])]
    return next((at for at, end in zip(troughs, troughs[1:] + [len(s)])
                 if own[at:end].sum() > share * own.sum() and own[:at].sum() > least * share * own.sum()), None)


def kept(samples, most, share, radius, low):
    """Which samples are kept, by their whole numbers."""
    steps = np.iinfo(samples.dtype).max
    width = -(-(steps + 1) // most)
    counts = np.bincount(samples.ravel().astype(int) // width, minlength=steps // width + 1)
    own = counts if low else counts[::-1]
    at, first = None, 0
    if own[0] > share * own.sum():  # outside of the field
        at, first = first_trough(np.r_[0, own[1:]], radius, share, 1), 1
    if at is None:
        at, first = first_trough(own, radius, share), 0
    if at is None:
        return np.ones(samples.shape, bool)
    bins = samples // width
    if not low:
        bins = len(counts) - 1 - bins.astype(int)
    return (bins >= first) & (bins < at)


def wanted(samples, *rule):
    return np.where(kept(samples, *rule), samples, 0)


def peaks(rng, dtype, places, sizes, spread=0.02):
    most = np.iinfo(dtype).max
    values = np.concatenate([rng.normal(place, spread, size) for place, size in zip(places, sizes)])
    rng.shuffle(values)
    return np.clip(values * most, 0, most).astype(dtype).reshape(40, -1)


def equals_the_rule(engine):
    rng = np.random.default_rng(5)
    pictures = [
        peaks(rng, dtype, places, sizes) for dtype in (np.uint8, np.uint16)
        for places, sizes in (((0.3, 0.7), (1200, 800)), ((0.2, 0.5, 0.8), (1000, 150, 850)),
                              ((0.1, 0.3, 0.6, 0.9), (500, 500, 100, 900)), ((0.5,), (2000,)),
                              # saturated at either end, and all that there is
                              ((-1, 0.3, 0.7, 2), (500, 600, 400, 500)), ((-1, 2), (1000, 1000)))]
    found = 0
    for most in (256, 1024, 4096):
        for share, radius in ((0.1, 4), (0.02, 2), (0.3, 12), (0.1, 0))[:4 if engine == "cpu" else 1]:
            for low in (True, False):
                settings = f"bins={most},share={share},smoothing={radius},side={'low' if low else 'high'}"
                for i, got in enumerate(run_each(pictures, settings, engine)):
                    expected = wanted(pictures[i], most, share, radius, low)
                    found += (expected != pictures[i]).any()
                    assert np.array_equal(got, expected), \
                        f"picture {i}, {settings}: {(got != expected).sum()} differ"
    assert found > 10, found


def shadows_are_not_all_that_is_kept(engine):
    """Beside what is outside of the field a small peak does not end what is kept."""
    samples = peaks(np.random.default_rng(8), np.uint16, (-1, 0.1, 0.3, 0.7), (600, 80, 420, 900))
    expected = wanted(samples, 256, 0.1, 4, True)
    assert len(np.unique(expected)) > 400 and not np.array_equal(expected, samples)
    assert np.array_equal(run(samples, "side=low", engine), expected)


def stray_samples_are_not_all_that_is_kept(engine):
    """A few samples below the first peak, which is large enough, do not end what is kept."""
    samples = peaks(np.random.default_rng(8), np.uint16, (0.01, 0.3, 0.7), (3, 497, 1500))
    expected = wanted(samples, 256, 0.1, 4, True)
    assert len(np.unique(expected)) > 400 and not np.array_equal(expected, samples)
    assert np.array_equal(run(samples, "side=low", engine), expected)


def nothing_to_find(engine):
    """A flat histogram, a single bin, one peak, a picture of one sample: unchanged."""
    flat = np.repeat(np.arange(256, dtype=np.uint8), 8).reshape(32, -1)
    for samples in (flat, np.full((9, 7), 100, np.uint8), np.array([[3]], np.uint8),
                    np.zeros((5, 1), np.uint16)):
        for side in ("low", "high"):
            assert np.array_equal(run(samples, f"side={side}", engine), samples)


def keeps_the_bright_side(engine):
    """By default, since a PNG shows high samples bright."""
    samples = peaks(np.random.default_rng(6), np.uint8, (0.3, 0.7), (1200, 800))
    high = run(samples, "side=high", engine)
    assert (high != samples).any() and (high != run(samples, "side=low", engine)).any()
    for settings in ("bins=256", "side=auto"):
        assert np.array_equal(run(samples, settings, engine), high), settings


def a_given_threshold_cuts_there(engine):
    """Whatever the troughs are; what is outside of the field stays so."""
    rng = np.random.default_rng(9)
    sources = [peaks(rng, dtype, places, sizes) for dtype in (np.uint8, np.uint16)
               for places, sizes in (((0.3, 0.7), (1200, 800)), ((0.5,), (2000,)), ((-1, 0.3, 0.7), (500, 700, 800)))]
    for threshold in (0, 0.25, 0.6004, 1):
        for low in (True, False):
            results = run_each(sources, f"threshold={threshold},side={'low' if low else 'high'}", engine)
            for samples, got in zip(sources, results):
                steps = np.iinfo(samples.dtype).max
                edge = np.floor(threshold * steps + 0.5)
                width = -(-(steps + 1) // 256)
                outside = low and (samples < width).mean() > 0.1
                inside = ((samples < edge) if low else (samples >= edge)) & ~(outside & (samples < width))
                assert np.array_equal(got, np.where(inside, samples, 0)), (threshold, low)


def many_equal_troughs(engine):
    """A comb: the first one whose peak is large enough counts, from either side."""
    comb = np.tile(np.arange(8, 248, 40, dtype=np.uint8), 100).reshape(20, -1)
    assert set(np.unique(run(comb, "smoothing=0,side=low", engine))) == {0, 8}
    assert set(np.unique(run(comb, "smoothing=0,side=high", engine))) == {0, 208}
    assert np.array_equal(run(comb, "smoothing=0,share=0.9,side=low", engine), comb)


def volumes_are_segmented(engine):
    """Slice by slice: what edges surround, from the outline of the threshold, is a body that grows along z."""
    z, y, x = np.mgrid[:8, :64, :72]
    body = (x - 34) ** 2 + (y - 30) ** 2 < (12 + z) ** 2
    samples = 200 + 900 * body + np.random.default_rng(4).normal(0, 60, body.shape)
    mha.write("volume.mha", samples.astype("i2"))
    command_line.process("volume.mha", "-o", "found.mha", "--force", "-e", engine, "-f", "trough-threshold", "-f",
                         "sobel", "-f", "contours:output=mask")
    found = mha.read("found.mha", body.shape) > 0
    overlap = 2 * (found & body).sum() / (found.sum() + body.sum())
    assert overlap > 0.99, f"the overlap (Dice) is {overlap:.3f}"


sys.exit(command_line.run_cases(
    {f"{engine} follows the rule": lambda engine=engine: equals_the_rule(engine) for engine in ENGINES}
    | {f"{engine} keeps more than shadows": lambda engine=engine: shadows_are_not_all_that_is_kept(engine)
       for engine in ENGINES}
    | {f"{engine} keeps more than stray samples": lambda engine=engine: stray_samples_are_not_all_that_is_kept(engine)
       for engine in ENGINES}
    | {f"{engine} leaves pictures without a trough": lambda engine=engine: nothing_to_find(engine)
       for engine in ENGINES}
    | {f"{engine} keeps the bright side by default": lambda engine=engine: keeps_the_bright_side(engine)
       for engine in ENGINES}
    | {f"{engine} cuts at a given threshold": lambda engine=engine: a_given_threshold_cuts_there(engine)
       for engine in ENGINES}
    | {f"{engine} takes the first of equal troughs": lambda engine=engine: many_equal_troughs(engine)
       for engine in ENGINES}
    | {f"{engine} finds bodies in volumes": lambda engine=engine: volumes_are_segmented(engine) for engine in ENGINES}))
