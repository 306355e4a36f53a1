#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Filters inside a transform: bands of PyWavelets, SciPy's filters on them with mirrored borders.

usage: inside.py ONDELETTE_CLI
"""
import math
import pathlib
import sys

import numpy as np
from scipy import ndimage

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
import command_line  # noqa: E402
import pixels  # noqa: E402
import tap  # noqa: E402

try:
    import pywt
except ImportError as missing:
    pywt = None
    MISSING = str(missing)

BOUND = 1e-5
ENGINES = ["reference", "cpu", "gl-compute"] # gl-fragment: the stationary transform alone
BANDS = "LL", "HL", "LH", "HH"


def picture(height, width):
    rng = np.random.default_rng(11)
    smooth = rng.normal(0, 1, (height, width)).cumsum(0).cumsum(1)
    samples = 0.7 * (smooth - smooth.min()) / np.ptp(smooth) + 0.3 * rng.random((height, width))
    return np.rint(65535 * samples).astype(np.uint16)


def ours(samples, recipe, engine, *more):
    pixels.write_png("in.png", samples[..., None])
    filters = [word for text in recipe.split() for word in ("-f", text)]
    command_line.process("in.png", "-o", "out.tif", "--force", *filters, "-e", engine, *more)
    return pixels.read_tiff("out.tif")[1][..., 0].astype(np.float64) / 65535


# ---- the filters ----

def gaussian(band, sigma=1.0):
    radius = math.ceil(3 * sigma)
    edge = [math.erf((k + 0.5) / sigma / math.sqrt(2)) for k in range(-radius - 1, radius + 1)]
    taps = np.diff(edge)
    taps /= taps.sum()
    return ndimage.convolve1d(ndimage.convolve1d(band, taps, 0, mode="mirror"), taps, 1, mode="mirror")


def median(band):
    return ndimage.median_filter(band, size=3, mode="mirror")


def sharpen(band, amount=0.5):
    return band - amount * ndimage.laplace(band, mode="mirror")


def sobel(band):
    return np.hypot(ndimage.sobel(band, 0, mode="mirror"), ndimage.sobel(band, 1, mode="mirror"))


def soft(band, threshold=0.05):
    return pywt.threshold(band, threshold, "soft")


FILTERS = {"gaussian:sigma=1": gaussian, "median:size=3": median, "sharpen:amount=0.5": sharpen,
           "sobel": sobel, "soft-threshold:threshold=0.05": soft}


# ---- the decimated transform, by Haar, whose bands need no border ----

def split(x):
    a, (h, v, d) = pywt.dwt2(x, "haar")
    return a / 2, {"HL": -v, "LH": -h, "HH": 2 * d}


def merge(low, details):
    return pywt.idwt2((2 * low, (-details["LH"], -details["HL"], details["HH"] / 2)), "haar")


def theirs(samples, levels, on_details=(), on_approximation=(), on_coarsest=()):
    low, kept = samples / 65535, []
    for level in range(levels):
        low, details = split(low)
        for function in on_coarsest if level == levels - 1 else on_approximation:
            low = function(low)
        kept.append(details)
    for function in on_details:
        kept = [{name: function(band) for name, band in details.items()} for details in kept]
    return low, kept


def synthesis(low, kept):
    for details in kept[::-1]:
        low = merge(low, details)
    return low


def check(got, wanted, *what):
    worst = np.abs(got - wanted).max()
    assert worst < BOUND, (worst, *what)


def each_filter_equals_scipy_on_bands_of_pywavelets(engine):
    samples = picture(48, 80)
    for text, function in FILTERS.items():
        for levels in 1, 2, 3:
            recipe = f"transform:wavelet=haar,levels={levels} {text} inverse"
            check(ours(samples, recipe, engine), synthesis(*theirs(samples, levels, [function])),
                  engine, recipe)
        if text.startswith("soft"):
            continue
        at = text + (":" if ":" not in text else ",") + "at="
        recipe = f"transform:wavelet=haar,levels=3 {at}approximation inverse"
        check(ours(samples, recipe, engine),
              synthesis(*theirs(samples, 3, on_approximation=[function])), engine, recipe)
        recipe = f"transform:wavelet=haar,levels=3 {at}coarsest inverse"
        check(ours(samples, recipe, engine), synthesis(*theirs(samples, 3, on_coarsest=[function])),
              engine, recipe)


MANY = ("median:size=3 soft-threshold:threshold=0.05,levels=7,wavelet=cdf97 gaussian:sigma=1,at=coarsest "
        "sharpen:amount=0.5,at=approximation gaussian:sigma=1")
AS_MANY = {"on_details": [median, soft, gaussian], "on_coarsest": [gaussian],
           "on_approximation": [sharpen]}


def low_and_high_have_filters_of_their_own(engine):
    samples = picture(64, 48)
    for end in " inverse", "":
        got = ours(samples, f"transform:wavelet=haar,levels=3 {MANY}{end}", engine)
        check(got, synthesis(*theirs(samples, 3, **AS_MANY)), engine, end)
    # What stands behind is a filter of the picture.
    got = ours(samples, f"transform:wavelet=haar,levels=3 {MANY} inverse median:size=3", engine)
    check(got, median(synthesis(*theirs(samples, 3, **AS_MANY))), engine, "median behind")


def curves_and_limits(engine):
    samples = picture(48, 80)
    points = [0, 0.2, 0.1, 1.7, 2.5, 2.6]

    def curve(band, threshold=0.04):
        u = np.abs(band) / threshold
        inner = np.interp(u, [0, 0.5, 1, 1.5, 2, 3], points)
        return np.sign(band) * threshold * np.where(u > 3, points[-1] + u - 3, inner)

    recipe = ("transform:wavelet=haar,levels=2 detail-curve:threshold=0.04,half=0.2,one=0.1,more=1.7,"
              "two=2.5,three=2.6 inverse")
    check(ours(samples, recipe, engine), synthesis(*theirs(samples, 2, [curve])), engine, recipe)
    gains = "scale-bands:wavelet=haar,levels=1,gains=3"
    low, kept = theirs(samples, 1, [lambda band: 3 * band])
    enhanced, x = synthesis(low, kept), samples / 65535
    least = ndimage.minimum_filter(x, 3, mode="mirror")
    most = ndimage.maximum_filter(x, 3, mode="mirror")
    for overshoot in 0, 0.25:
        more = overshoot * (most - least)
        limited = np.clip(enhanced, least - more, most + more)
        assert np.abs(limited - enhanced).max() > 0.05
        check(ours(samples, f"{gains},limiter=on,overshoot={overshoot}", engine), limited, engine, overshoot)


def two_thresholds_and_none(engine):
    samples = picture(48, 64)
    twice = "soft-threshold:threshold=0.05 soft-threshold:threshold=0.03"
    got = ours(samples, f"transform:wavelet=haar,levels=2 {twice} inverse", engine)
    check(got, synthesis(*theirs(samples, 2, [soft, lambda x: soft(x, 0.03)])), engine)
    check(ours(samples, "transform:wavelet=cdf97,levels=3 inverse", engine), samples / 65535, engine)
    one = "soft-threshold:threshold=0.05"
    check(ours(samples, f"transform:wavelet=cdf97,levels=3 {one} inverse", engine),
          ours(samples, f"{one},wavelet=cdf97,levels=3", engine), engine, one)
    gains = [0.5, 1, 1, 1.5]
    got = ours(samples, "transform:wavelet=haar,levels=1 median:size=3 "
               "scale-bands:base=0.5,gains=1:1:1.5 inverse", engine)
    low, kept = theirs(samples, 1, [median])
    check(got, synthesis(low * gains[0], [{n: kept[0][n] * g for n, g in zip(BANDS[1:], gains[1:])}]),
          engine, "scale-bands")


def views_show_what_stands_inside(engine):
    samples = picture(32, 64)
    recipe = f"transform:wavelet=haar,levels=3 {MANY} inverse"

    def layout(low, kept):
        for d in kept[::-1]:
            low = np.block([[low, d["HL"]], [d["LH"], d["HH"]]])
        return low

    def seen(view):
        return ours(samples, recipe, engine, "--view", view)

    plain = layout(*theirs(samples, 3))
    check(seen("analysis"), plain, engine, "analysis")
    check(seen("filtered-analysis"), layout(*theirs(samples, 3, **AS_MANY)), engine, "filtered")
    low, kept = theirs(samples, 3, **AS_MANY)
    for level in range(3):
        alone = [{name: band * (own == level) for name, band in bands.items()}
                 for own, bands in enumerate(kept)]
        check(seen(f"level:{level + 1}"), synthesis(0 * low, alone), engine, f"level {level + 1}")
    check(seen("residual"), samples / 65535 - synthesis(*theirs(samples, 3, **AS_MANY)), engine,
          "residual")


# ---- the stationary transform, whose bands have all samples ----

def stationary_bands_are_filtered_by_scipy(engine):
    """Linear filters that no shift disturbs: PyWavelets' stationary bands are ours, shifted."""
    samples = picture(64, 96)
    for text, wanted in (("gaussian:sigma=1", gaussian), ("sharpen:amount=0.5", sharpen)):
        recipe = f"transform:wavelet=haar,levels=2,transform=stationary {text} inverse"
        got = ours(samples, recipe, engine, "--border", "periodic")
        coefficients = pywt.swt2(samples / 65535, "haar", 2)
        filtered = [(a, tuple(wanted(band) for band in details)) for a, details in coefficients]
        inner = slice(16, -16) # borders: bands are mirrored, PyWavelets' lie elsewhere
        check(got[inner, inner], pywt.iswt2(filtered, "haar")[inner, inner], engine, recipe)
    recipe = "transform:wavelet=bior4.4,levels=3,transform=stationary {} inverse"
    for one in ("soft-threshold:threshold=0.05", "hard-threshold:threshold=0.05",
                "shrinkage:thresholds=0.08/0.04:0.02:0.03/0.01,rule=garrote"):
        alone = ours(samples, f"{one},wavelet=bior4.4,levels=3,transform=stationary", engine)
        check(ours(samples, recipe.format(one), engine), alone, engine, one)


def engines_that_lack_it_are_replaced():
    pixels.write_png("in.png", picture(32, 48)[..., None])
    filters = "-f", "transform", "-f", "gaussian", "-f", "inverse"
    command_line.fails(1, "gl-lookup", arguments=["process", "in.png", "-o", "no.tif", *filters,
                                                  "-e", "gl-lookup"])
    command_line.process("in.png", "-o", "auto.tif", "--force", *filters)


def what_has_no_place_is_told():
    pixels.write_png("in.png", picture(16, 16)[..., None])
    for recipe, word in (("transform bm3d inverse", "bm3d"), ("inverse", "transform"),
                         ("transform:wavelet=int53 median inverse", "whole numbers"),
                         ("transform neigh-shrink inverse", "neigh-shrink")):
        filters = [part for text in recipe.split() for part in ("-f", text)]
        said = command_line.process("in.png", "-o", "told.tif", "--force", *filters).stderr
        assert word in said, (recipe, said)


def of_engine(function, engine):
    def run():
        if pywt is None:
            raise tap.Skip(MISSING)
        function(engine)
    return run


EACH = {"each filter equals SciPy on bands of PyWavelets": each_filter_equals_scipy_on_bands_of_pywavelets,
        "low and high have filters of their own": low_and_high_have_filters_of_their_own,
        "two thresholds, and none": two_thresholds_and_none,
        "curves by hand, and limits": curves_and_limits,
        "views show what stands inside": views_show_what_stands_inside}
STATIONARY = "stationary bands are filtered as SciPy does"
sys.exit(command_line.run_cases(
    {f"{engine}: {name}": of_engine(function, engine)
     for engine in ENGINES for name, function in EACH.items()}
    | {f"{engine}: {STATIONARY}": of_engine(stationary_bands_are_filtered_by_scipy, engine)
       for engine in [*ENGINES, "gl-fragment"]}
    | {"engines that lack it are replaced": engines_that_lack_it_are_replaced,
       "what has no place is told": what_has_no_place_is_told}))
