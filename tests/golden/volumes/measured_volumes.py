#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Thresholds in three dimensions, measured and by hand, against their formulas over PyWavelets' bands.

usage: measured_volumes.py ONDELETTE_CLI
"""
import itertools
import pathlib
import sys

import numpy as np
import pywt
from PIL import Image
from scipy import ndimage

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "helpers"))
import command_line  # noqa: E402
import mha  # noqa: E402
ENGINES = ["reference", "cpu", "cpu:scalar", "gl-compute"]
LEVELS = 3


def run(x, recipe, engine="cpu"):
    """The recipe's first word is the filter, others settings of all."""
    name, *settings = recipe.split()
    mha.write("in.mha", x, mha.UNIT, x.ndim == 4)
    done = command_line.process("in.mha", "-o", "out.mha", "--force", "-f", name, "-e", engine,
                                *(f"--{setting}" for setting in settings))
    return mha.read("out.mha", x.shape, x.ndim == 4), done.stderr


def noisy(sigma, shape=(40, 48, 56), seed=5):
    """A ball, a ramp and a texture in noise."""
    z, y, x = (np.indices(shape).T / shape).T
    clean = 0.3 + 0.2 * z + 0.1 * np.sin(40 * x * y)
    clean[(z - 0.5) ** 2 + (y - 0.5) ** 2 + (x - 0.4) ** 2 < 0.08] += 0.25
    return (clean + np.random.default_rng(seed).normal(0, sigma, shape)).astype("f4")


def soft(band, threshold):
    return np.sign(band) * np.maximum(np.abs(band) - threshold, 0)


def bayes(band, noise):
    signal = np.mean(band ** 2) - noise ** 2
    return noise ** 2 / np.sqrt(signal) if signal > 0 else np.abs(band).max()


def median(values):
    return np.sort(np.abs(values), axis=None)[values.size // 2]


def beside(band, threshold):
    """By the 3 x 3 x 3 coefficients about each (Chen, Bui and Krzyzak, 2004), of three slices the mean."""
    squares = 9 * ndimage.uniform_filter(band ** 2, 3, mode="mirror")
    return band * np.maximum(1 - threshold ** 2 / np.maximum(squares, 1e-30), 0)


def as_wavedecn(engine):
    """Haar, whose bands are orthonormal in PyWavelets, so that noise is the same in all of them."""
    for sigma in (0.02, 0.2):
        x = noisy(sigma)
        low, *levels = pywt.wavedecn(x.astype(float), "haar", "periodization", LEVELS)
        noise = median(levels[-1]["ddd"]) / 0.6745
        universal = noise * np.sqrt(2 * np.log(x.size))
        for name, shrink in (("bayes", lambda band: soft(band, bayes(band, noise))),
                             ("visu", lambda band: soft(band, universal)),
                             ("neigh", lambda band: beside(band, universal))):
            shrunk = [low] + [{key: shrink(band) for key, band in level.items()} for level in levels]
            wanted = pywt.waverecn(shrunk, "haar", "periodization")
            got, _ = run(x, f"{name}-shrink:wavelet=haar,levels={LEVELS},dimensions=3 border=periodic",
                         engine)
            # gl-compute knows the median to 4e-6 of it.
            assert np.abs(got - wanted).max() < 1e-5 + 1e-4 * sigma * (engine == "gl-compute"), \
                f"{engine}, {name}, noise {sigma}: {np.abs(got - wanted).max()}"


def octants(shape):
    """Level, whether each axis is high, and where that band lies in a cube of coefficients."""
    for level, high in itertools.product(range(1, LEVELS + 1), itertools.product((0, 1), repeat=3)):
        if any(high):
            yield level, high, tuple(slice(n >> level, n >> level - 1) if h else slice(0, n >> level)
                                     for n, h in zip(shape, high))


def gains(wavelet):
    """Of a line's low and high bands, by level: the norms of PyWavelets' filters, low ones with
    gain 1 and high ones with gain 2 as ours are."""
    low, high = np.array(wavelet.dec_lo) / np.sqrt(2), np.array(wavelet.dec_hi) * np.sqrt(2)
    lows, norms = np.array([1.0]), {}
    for level in range(1, LEVELS + 1):
        wide = []
        for taps in (low, high):
            wide.append(np.zeros((len(taps) - 1) * 2 ** (level - 1) + 1))
            wide[-1][::2 ** (level - 1)] = taps
        norms[level] = [np.linalg.norm(np.convolve(lows, taps)) for taps in wide]
        lows = np.convolve(lows, wide[0])
    return norms


def views(x, recipe, engine="cpu"):
    return (run(x, f"{recipe} view={name}", engine)[0] for name in ("analysis", "filtered-analysis"))


def seven_bands(engine):
    """Biorthogonal ones, in the views: noise is another in each, and so is the threshold."""
    norms = gains(pywt.Wavelet("bior4.4"))
    x = noisy(0.05)
    before, after = views(x, f"bayes-shrink:wavelet=cdf97,levels={LEVELS},dimensions=3 border=symmetric", engine)
    finest = before[tuple(slice(n // 2, n) for n in x.shape)]
    noise, seen = median(finest) / 0.6745 / norms[1][1] ** 3, 0
    assert abs(noise - 0.05) < 0.002, noise
    for level, high, place in octants(x.shape):
        own = noise * np.prod([norms[level][h] for h in high])
        wanted = soft(before[place], bayes(before[place], own))
        assert np.abs(after[place] - wanted).max() < 2e-5, \
            f"{engine}, level {level}, {high}: {np.abs(after[place] - wanted).max()}"
        seen += 1
    assert seen == 7 * LEVELS


def by_hand(engine):
    """Each of the seven bands of a level has its own threshold, in units of an orthonormal transform along z;
    what is not given follows the bands of the slices."""
    x = noisy(0.1)
    own = {1: (0.05, 0.1, 0.02, 0.2, 0, 0.08, 0.03), 2: (0.1, 0.07, 0.3, 0.04, 0.05, 0.06, 0.01)}
    linked = {level: (a, b, c, a, a, b, c) for level, (a, b, c, *_) in own.items()}
    for rule, shrink in (("soft", soft), ("hard", lambda band, t: band * (np.abs(band) > t))):
        for given in (own, linked):
            slices, along = ("/".join(":".join(map(str, numbers[at])) for numbers in given.values())
                             for at in (slice(0, 3), slice(3, 7)))
            words = f"shrinkage:wavelet=haar,levels=2,rule={rule},dimensions=3,thresholds={slices}"
            low, *levels = pywt.wavedecn(x.astype(float), "haar", "periodization", 2)
            shrunk = [low]
            for level, bands in zip((2, 1), levels):
                # Keys are of axes z, y, x. Orthonormal in all axes; ours is along z alone, along x and y the
                # low band of a level has gain 2^(-1/2) and the high one 2^(1/2).
                # A threshold of LLH means the noise that HL has, which is twice its own.
                scale = {"".join("ad"[o >> axis & 1] for axis in (2, 1, 0)):
                         2.0 ** (level - (1 if o == 4 else (o & 1) + (o >> 1 & 1))) for o in range(1, 8)}
                order = {"".join("ad"[o >> axis & 1] for axis in (2, 1, 0)): o for o in range(1, 8)}
                shrunk.append({key: shrink(band, given[level][order[key] - 1] * scale[key])
                               for key, band in bands.items()})
            wanted = pywt.waverecn(shrunk, "haar", "periodization")
            for text in [words + f",z-thresholds={along}"] + [words] * (given is linked):
                got, _ = run(x, f"{text} border=periodic", engine)
                assert np.abs(got - wanted).max() < 1e-5, f"{engine}, {text}: {np.abs(got - wanted).max()}"


def risk(band, sigma, threshold):
    x, t = np.abs(band) / sigma, threshold / sigma
    return x.size - 2 * np.sum(x <= t) + np.sum(np.minimum(x, t) ** 2)


def least_risk(engine):
    """As thresholds.py has it for pictures."""
    kinds, sigma = set(), 0.02
    norms = gains(pywt.Wavelet("haar"))
    x = noisy(sigma, (48, 64, 64))
    before, after = views(x, f"sure-shrink:wavelet=haar,levels={LEVELS},sigma={sigma},dimensions=3", engine)
    for level, high, place in octants(x.shape):
        own = sigma * np.prod([norms[level][h] for h in high])
        band = before[place]
        got, most = np.abs(band - after[place]).max(), own * np.sqrt(2 * np.log(band.size))
        sparse = np.mean(band ** 2) / own ** 2 - 1 <= np.log2(band.size) ** 1.5 / np.sqrt(band.size)
        kinds.add(sparse)
        where = f"{engine}, level {level}, {high}: {got / own:.3f} σ"
        if sparse:
            assert abs(got - min(most, np.abs(band).max())) < 1e-4 * most, where
            continue
        candidates = np.append(np.abs(band), 0)
        least = min(risk(band, own, t) for t in candidates[candidates <= most][::7])
        assert risk(band, own, got) - least < 3 + 0.01 * band.size, where
    assert kinds == {True, False}, kinds


def engines_agree(engine):
    """Odd sizes, flat ones, colours, a chain; the border of a volume is black, which is no noise."""
    for shape, words in itertools.product(
            ((13, 35, 21), (2, 9, 70), (37, 5, 1), (20, 33, 65, 3)),
            ("bayes-shrink:levels=3,dimensions=3", "sure-shrink:wavelet=db3,levels=2,dimensions=3",
             "visu-shrink:wavelet=cdf53,levels=4,dimensions=3 colour=channels",
             "neigh-shrink:levels=3,window=5,dimensions=3 colour=channels")):
        x = noisy(0.05, shape[:3])
        if len(shape) == 4:
            x = np.stack([x, x ** 2, np.sqrt(np.abs(x))], 3)
            x[:6] = x[15:] = x[:, :9] = 0
        wanted, got = (run(x, words, own)[0] for own in ("reference", engine))
        assert np.abs(got - wanted).max() < 2e-5, f"{shape}, {words}: {np.abs(got - wanted).max()}"


def surroundings(engine):
    """Slices of zeros and padding about a volume leave its thresholds nearly as they are: by the median
    of all details there would be no noise, and nothing would be taken away."""
    x = noisy(0.1, (24, 40, 40))
    wide = np.pad(x, ((20, 20), (24, 24), (40, 40)))
    recipe = "bayes-shrink:wavelet=haar,levels=2,dimensions=3"
    inside = run(wide, recipe, engine)[0][20:-20, 24:-24, 40:-40]
    alone = run(x, recipe, engine)[0]
    error, noise = np.abs(inside - alone)[4:-4, 4:-4, 4:-4].max(), 0.1
    assert error < noise, error
    assert np.abs(alone - x)[4:-4, 4:-4, 4:-4].max() > 3 * noise


def said():
    """What has no third axis, and lists of thresholds that fit no level."""
    x = noisy(0.1, (8, 16, 16))
    _, words = run(x, "bayes-shrink:transform=stationary,dimensions=3")
    assert "the decimated transform alone" in words, words
    mha.write("in.mha", x, mha.UNIT, x.ndim == 4)
    command_line.fails(2, "LLH:HLH:LHH:HHH", arguments=[
        "process", "in.mha", "-o", "x.mha", "-f", "shrinkage:dimensions=3,z-thresholds=0.1:0.2:0.3"])


def beside_in_a_slice():
    """Of a single slice NeighShrink in three dimensions is that of pictures."""
    mha.write("in.mha", noisy(0.1, (1, 33, 40)), mha.UNIT)
    results = []
    for recipe in ("pass-through", "neigh-shrink:levels=3", "neigh-shrink:levels=3,dimensions=3"):
        command_line.process("in.mha", "-o", "out.tif", "--force", "-f", recipe, "-e", "cpu")
        results.append(np.array(Image.open("out.tif"), float))
    assert np.array_equal(results[2], results[1]) and not np.array_equal(results[1], results[0])


CASES = {"the bands of Haar are shrunk as PyWavelets' are": as_wavedecn,
         "each of seven bands has its own noise": seven_bands,
         "SURE finds the least risk of each band": least_risk,
         "seven thresholds by hand are those of PyWavelets' bands": by_hand,
         "surroundings are not measured": surroundings}
sys.exit(command_line.run_cases(
    {f"{name}, {engine}": lambda case=case, engine=engine: case(engine)
     for name, case in CASES.items() for engine in ENGINES}
    | {f"{engine} equals the reference": lambda engine=engine: engines_agree(engine)
       for engine in ENGINES[1:]} | {"what is left out is said": said,
                                "a slice is a picture": beside_in_a_slice}))
