#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""bayes-shrink against its formula over PyWavelets' bands, and against scikit-image.

usage: bayes.py ONDELETTE_CLI
"""
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
import command_line  # noqa: E402
import pixels  # noqa: E402
from noisy_bands import (ENGINES, LEVELS, TRANSFORM_ENGINES, clean, mallat, need, pywt, run,  # noqa: E402
                         skimage, write_noisy)


def bayes(bands, noise):
    """Soft thresholding of one band by Chang, Yu and Vetterli."""
    signal = np.mean(bands ** 2) - noise ** 2
    threshold = noise ** 2 / np.sqrt(signal) if signal > 0 else np.abs(bands).max()
    return np.sign(bands) * np.maximum(np.abs(bands) - threshold, 0)


def median(values):
    """Of an even number the upper one, as the program says."""
    return np.sort(np.abs(values), axis=None)[values.size // 2]


def bands_equal_the_formula(engine):
    need()
    for sigma in (0.02, 0.08, 0.3):
        source = write_noisy(sigma)
        coefficients = pywt.wavedec2(run(source, "pass-through"), "haar", "periodization", LEVELS)
        noise = median(coefficients[-1][2]) / 0.6745
        wanted = mallat([coefficients[0]] + [tuple(bayes(band, noise) for band in level)
                                             for level in coefficients[1:]])
        got = run(source, f"bayes-shrink:wavelet=haar,levels={LEVELS} view=filtered-analysis", engine)
        # On a GPU two digits give the median, to 4e-6 of it; thresholds have its square.
        assert np.abs(got - wanted).max() < (1e-5 if engine.startswith("gl") else 2e-6), \
            f"{engine}, noise {sigma}: {np.abs(got - wanted).max()}"


def gains_of_biorthogonal_bands():
    """Bands of CDF 9/7 amplify noise differently: their gains by PyWavelets' filters."""
    need()
    wavelet = pywt.Wavelet("bior4.4")
    low, high = np.array(wavelet.dec_lo) / np.sqrt(2), np.array(wavelet.dec_hi) * np.sqrt(2)
    source = write_noisy(0.05)
    view = f"bayes-shrink:wavelet=cdf97,levels={LEVELS} border=symmetric view="
    before, after = run(source, view + "analysis"), run(source, view + "filtered-analysis")
    side, lows = before.shape[0], np.array([1.0])
    noise = median(before[side // 2:, side // 2:]) / 0.6745 / np.sum(high ** 2)
    for level in range(1, LEVELS + 1):
        wide = [np.zeros((len(taps) - 1) * 2 ** (level - 1) + 1) for taps in (low, high)]
        for taps, place in zip((low, high), wide):
            place[::2 ** (level - 1)] = taps
        norm_low, norm_high = (np.linalg.norm(np.convolve(lows, taps)) for taps in wide)
        lows, half = np.convolve(lows, wide[0]), side >> level
        for x, y, gain in ((half, 0, norm_low * norm_high), (0, half, norm_low * norm_high),
                           (half, half, norm_high ** 2)):
            place = np.s_[y:y + half, x:x + half]
            wanted = bayes(before[place], noise * gain)
            assert np.abs(after[place] - wanted).max() < 1e-5, \
                f"level {level}, band at {x}, {y}: {np.abs(after[place] - wanted).max()}"


def psnr(picture, wanted):
    return -10 * np.log10(np.mean((np.clip(picture, 0, 1) - wanted) ** 2))


def pictures_are_those_of_scikit_image():
    """Haar needs no border. Where hardly anything but noise is in a band, its threshold hangs on
    the last digits of 0.6745, of which theirs has more. The borders of sym8 differ."""
    need()
    inside = np.s_[64:-64, 64:-64]
    for sigma in (0.03, 0.1):
        source, wanted = write_noisy(sigma, 512), clean(512)
        noisy = run(source, "pass-through")
        for wavelet in ("haar", "sym8"):
            theirs = skimage.restoration.denoise_wavelet(
                noisy, method="BayesShrink", mode="soft", wavelet=wavelet, wavelet_levels=4)
            ours = run(source, f"bayes-shrink:wavelet={wavelet},levels=4")
            quality = [psnr(picture[inside], wanted[inside]) for picture in (noisy, ours, theirs)]
            print(f"# {wavelet}, noise {sigma}: %.2f dB, ours %.2f, scikit-image %.2f" % tuple(quality))
            assert abs(quality[1] - quality[2]) < 0.2
            if wavelet == "haar":
                assert np.abs(ours - theirs).max() < 0.1 * sigma, np.abs(ours - theirs).max()


def stationary_bands_equal_the_formula():
    """PyWavelets' stationary Haar bands, which keep the deviation of white noise."""
    need()
    sigma = 0.08
    source = write_noisy(sigma)
    coefficients = pywt.swt2(run(source, "pass-through"), "haar", LEVELS)
    wanted = pywt.iswt2([(low, tuple(bayes(band, sigma) for band in details))
                         for low, details in coefficients], "haar")
    recipe = f"bayes-shrink:wavelet=haar,levels={LEVELS},transform=stationary,sigma={sigma} border=periodic"
    for engine in TRANSFORM_ENGINES:
        distance = np.abs(run(source, recipe, engine) - wanted).max()
        assert distance < 1e-5, f"{engine}: {distance}"


def redundant_transforms_are_better():
    need()
    import pywt.data
    wanted = (pywt.data.camera().astype(np.float64) + 128) / 511
    noisy = wanted + np.random.default_rng(7).normal(0, 25 / 511, wanted.shape)
    pixels.write_png("camera.png", np.clip(noisy * 65535 + 0.5, 0, 65535).astype(np.uint16)[..., None])
    reached = {}
    for transform in "decimated", "stationary", "dual-tree":
        for sigma in f"{25 / 511:.7f}", "auto":
            recipe = f"bayes-shrink:wavelet=sym8,levels=4,transform={transform},sigma={sigma}"
            error = np.mean((run("camera.png", recipe) - wanted) ** 2)
            reached[transform, sigma == "auto"] = -10 * np.log10(error * (511 / 255) ** 2)
    print("#", {f"{transform}{', measured' * auto}": round(value, 2)
                for (transform, auto), value in reached.items()})
    for auto in False, True:
        assert reached["stationary", auto] > reached["decimated", auto] + 0.5
        assert reached["dual-tree", auto] > reached["decimated", auto] + 0.5
    for transform in "decimated", "stationary", "dual-tree":
        assert reached[transform, True] > reached[transform, False] - 0.2


def surroundings_do_not_count(transform):
    """Black around the picture, as about a sector: its noise is still found, by every engine."""
    side = 96 if transform != "decimated" else 256
    noisy = clean(side) + np.random.default_rng(7).normal(0, 0.1, (side, side))
    inside = np.s_[side:2 * side, side:2 * side]
    framed = np.zeros((3 * side + 1, 3 * side + 2))
    framed[inside] = np.clip(noisy, 0.01, 1)
    pixels.write_png("framed.png", (framed * 65535).astype(np.uint16)[..., None])
    recipe = f"bayes-shrink:wavelet=sym8,levels=3,transform={transform}"
    before, after = run("framed.png", "pass-through")[inside], run("framed.png", recipe)
    quality = [psnr(picture, clean(side)) for picture in (before, after[inside])]
    print("# %s: %.2f dB, filtered %.2f" % (transform, *quality))
    assert quality[1] > quality[0] + 5
    for engine in TRANSFORM_ENGINES if transform != "decimated" else ():
        distance = np.abs(run("framed.png", recipe, engine) - after).max()
        assert distance < 1e-5, f"{engine}: {distance}"


sys.exit(command_line.run_cases(
    {f"the bands of {engine} equal the formula": lambda engine=engine: bands_equal_the_formula(engine)
     for engine in ENGINES}
    | {"the gains of biorthogonal bands are known": gains_of_biorthogonal_bands,
       "pictures are those of scikit-image": pictures_are_those_of_scikit_image,
       "stationary bands equal the formula": stationary_bands_equal_the_formula,
       "redundant transforms are better": redundant_transforms_are_better}
    | {f"surroundings do not count: {transform}": lambda transform=transform:
       surroundings_do_not_count(transform) for transform in ("decimated", "stationary", "dual-tree")}))
