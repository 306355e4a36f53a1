#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""gamma, tone-curve, unsharp and time-gain against SciPy, scikit-image and NumPy; stabilise and
restore against what noise and chance say.

usage: tone.py ONDELETTE_CLI
"""
import math
import pathlib
import sys

import numpy as np
from scipy import interpolate, stats

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
import command_line  # noqa: E402
import pixels  # noqa: E402
import tap  # noqa: E402

ENGINES = ["cpu", "reference", "gl-fragment", "gl-compute"]
FULL = 65535
INPUT = np.linspace(0, 1, 64 * 48).reshape(64, 48)


def write(name, picture):
    pixels.write_png(name, np.rint(np.clip(picture, 0, 1) * FULL).astype(np.uint16)[..., None])
    return name


def run(recipe, engine="cpu", source=None):
    """Result as fractions."""
    source = source or write("in.png", INPUT)
    return command_line.process_each([source], recipe, engine)[0] / FULL


def agrees(engine, recipe, wanted, most=4e-6):
    got = run(recipe, engine)
    assert np.abs(got - wanted).max() < most, f"{engine}, {recipe}: {np.abs(got - wanted).max()}"


def samples():
    return np.rint(INPUT * FULL) / FULL


def gamma(engine):
    for power in (0.2, 0.45, 1, 2.2, 5):
        agrees(engine, f"gamma:gamma={power}", samples() ** power, 1e-5)


def tone_curve(engine):
    for points in ((0.1, 0.15, 0.7, 0.75, 0.9), (0, 0.4, 0.3, 0.3, 1), (1, 0.75, 0.5, 0.25, 0),
                   (0.3, 0.31, 0.9, 0.9, 0.2)):
        keys = ",".join(f"{key}={value}" for key, value in
                        zip(("black", "dark", "middle", "light", "white"), points))
        curve = interpolate.PchipInterpolator(np.linspace(0, 1, 5), points)
        agrees(engine, f"tone-curve:{keys}", curve(samples()))


def unsharp(engine):
    try:
        from skimage import filters
    except ImportError as missing:
        raise tap.Skip(str(missing)) from missing
    rng = np.random.default_rng(3)
    picture = np.kron(rng.uniform(0.2, 0.8, (8, 8)), np.ones((12, 12)))
    source, whole = write("blocks.png", picture), np.rint(picture * FULL) / FULL
    got = run("unsharp:amount=0.8,sigma=3", engine, source)
    theirs = filters.unsharp_mask(whole, radius=3, amount=0.8, preserve_range=True)
    # Theirs samples a Gaussian that ours integrates, and ends at 4 σ instead of 3.
    inside = np.s_[16:-16, 16:-16]
    assert np.abs(got - theirs)[inside].max() < 0.005, np.abs(got - theirs)[inside].max()
    detail = whole - run("gaussian:sigma=3", engine, source)
    rest = np.sign(detail) * np.maximum(np.abs(detail) - 0.05, 0)
    got = run("unsharp:amount=2,sigma=3,threshold=0.05", engine, source)
    assert np.abs(got - whole - 2 * rest).max() < 4e-6, np.abs(got - whole - 2 * rest).max()


def time_gain(engine):
    height = INPUT.shape[0]
    depth = (np.arange(height) + 0.5) / height
    decibels = np.interp(depth, np.linspace(0, 1, 5), (-6, 0, 3.5, 12, 20))[:, None]
    gains = "top=-6,upper=0,middle=3.5,lower=12,bottom=20"
    agrees(engine, f"time-gain:{gains},input=amplitude", samples() * 10 ** (decibels / 20), 2e-5)
    wanted = samples() + decibels / 80 * np.minimum(samples() * 32, 1)
    agrees(engine, f"time-gain:{gains},range=80", wanted)
    # Rows keep their depth in a picture that is filtered in parts.
    tall = np.full((4000, 600), 0.5)
    got = run("time-gain:bottom=20,input=amplitude", engine, write("tall.png", tall))
    tail = np.clip((np.arange(4000) + 0.5) / 1000 - 3, 0, 1) * 20
    assert np.abs(got[:, 300] / got[0, 300] - 10 ** (tail / 20)).max() < 1e-4


NEUTRAL = ["gamma", "tone-curve", "unsharp:amount=0", "unsharp:sigma=0", "unsharp:threshold=0.2,amount=0",
           "time-gain", "time-gain:input=amplitude",
           *(f"stabilise:{setting} restore:return=algebraic" for setting in (
               "method=anscombe", "method=anscombe,peak=5", "method=log", "method=log,floor=0.1",
               "method=box-cox", "method=box-cox,exponent=0.3")),
           "stabilise:method=log restore:noise=0", "restore"]
NESTED = "stabilise:method=log stabilise:method=box-cox restore:return=algebraic restore:return=algebraic"


def neutral(engine):
    for recipe in NEUTRAL:
        agrees(engine, recipe, samples(), 2e-6)
    agrees(engine, NESTED, samples(), 4e-6)


def anscombe_returns_the_mean(engine):
    """Of photons that are counted, by chance: the mean of the forward transform, over all counts, comes
    back as their mean, which the inverse function misses."""
    means = np.linspace(0.5, 60, 400).reshape(20, 20)
    peak, counts = 255, np.arange(400)
    unit = 2 * math.sqrt(peak + 3 / 8)
    chances = stats.poisson.pmf(counts, means[..., None])
    seen = (chances * 2 * np.sqrt(counts + 3 / 8)).sum(axis=-1) / unit
    # What brings the picture there: the forward transform of these samples is `seen`.
    before = ((seen * unit / 2) ** 2 - 3 / 8) / peak
    source = write("means.png", before)
    got = run(f"stabilise:peak={peak} restore", engine, source) * peak
    straight = run(f"stabilise:peak={peak} restore:return=algebraic", engine, source) * peak
    worst, missed = np.abs(got - means).max(), np.abs(straight - means)[means > 2].min()
    assert worst < 0.03, f"{engine}: off by {worst} photons"
    assert missed > 0.15, f"{engine}: {missed}"


def others_return_the_mean(engine):
    """Of normal noise between both; samples stand for what a filter made of it, its mean."""
    t = np.linspace(0.3, 0.9, 300).reshape(15, 20)
    at, weights = np.polynomial.hermite_e.hermegauss(40)
    for method, sigma, floor, power in (("log", 0.05, 0.01, None), ("box-cox", 0.05, None, 0.5),
                                        ("box-cox", 0.03, None, 0.3)):
        if method == "log":
            unit = math.log(1 + 1 / floor)
            settings, inverse = f"floor={floor}", lambda s: floor * (np.exp(unit * s) - 1)
        else:
            settings, inverse = f"exponent={power}", lambda s: np.maximum(s, 0) ** (1 / power)
        mean = (inverse(t[..., None] + sigma * at) * weights).sum(axis=-1) / weights.sum()
        got = run(f"stabilise:method={method},{settings} restore:noise={sigma}", engine,
                  write("middle.png", inverse(t)))
        inside = mean < 0.95
        error, bias = np.abs(got - mean)[inside].max(), np.abs(inverse(t) - mean)[inside].max()
        assert error < 0.04 * bias, f"{engine}, {method}: {error} of {bias}"


def clean_picture(side=256):
    y, x = np.mgrid[0:side, 0:side] / side
    picture = 0.04 + 0.5 * x ** 2 + 0.02 * np.sin(30 * y)
    picture[(x - 0.3) ** 2 + (y - 0.5) ** 2 < 0.05] += 0.05
    picture[side // 8:side // 4, side // 2:] += 0.3
    return picture


def psnr(got, wanted):
    return -10 * np.log10(np.mean((np.clip(got, 0, 1) - wanted) ** 2))


def noise_is_removed_better():
    rng, clean = np.random.default_rng(11), clean_picture()
    shrink = "bayes-shrink:wavelet=sym8,levels=4,transform=stationary"
    for name, noisy, settings, back in (
            ("poisson, 30 photons", rng.poisson(clean * 30) / 30, "method=anscombe,peak=30", "restore"),
            ("speckle, 0.3", clean * (1 + 0.3 * rng.normal(size=clean.shape)), "method=log,floor=0.02",
             "restore:noise=0.07")):
        source = write("noisy.png", noisy)
        plain, within = (psnr(run(recipe, "cpu", source), clean) for recipe in
                         (shrink, f"stabilise:{settings} {shrink} {back}"))
        print(f"# {name}: noisy {psnr(noisy, clean):.2f} dB, {plain:.2f}, stabilised {within:.2f}")
        assert within > plain + 0.3, name


def a_lonely_restore_is_named():
    done = command_line.process(write("in.png", INPUT), "-o", "out.tif", "--force", "-f", "restore")
    assert "stabilise" in done.stderr, done.stderr


sys.exit(command_line.run_cases(
    {f"{engine}: {case.__name__.replace('_', ' ')}": lambda engine=engine, case=case: case(engine)
     for engine in ENGINES for case in (gamma, tone_curve, unsharp, time_gain, neutral,
                                        anscombe_returns_the_mean, others_return_the_mean)}
    | {"noise is removed better": noise_is_removed_better,
       "a lonely restore is named": a_lonely_restore_is_named}))
