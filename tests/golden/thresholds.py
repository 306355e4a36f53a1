#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""visu-shrink, sure-shrink and neigh-shrink against their formulas over PyWavelets' bands, and
against scikit-image.

usage: thresholds.py ONDELETTE_CLI
"""
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
import command_line  # noqa: E402
import pixels  # noqa: E402
from noisy_bands import (ENGINES, LEVELS, TRANSFORM_ENGINES, mallat, need, pywt, run,  # noqa: E402
                         skimage, write_noisy)


def soft(band, threshold):
    return np.sign(band) * np.maximum(np.abs(band) - threshold, 0)


def bands_of(source):
    return pywt.wavedec2(run(source, "pass-through"), "haar", "periodization", LEVELS)


def universal_bands(engine):
    need()
    sigma = 0.05
    source = write_noisy(sigma)
    low, *details = bands_of(source)
    threshold = sigma * np.sqrt(2 * np.log(256 * 256))
    wanted = mallat([low] + [tuple(soft(band, threshold) for band in level) for level in details])
    got = run(source, f"visu-shrink:wavelet=haar,levels={LEVELS},sigma={sigma} view=filtered-analysis", engine)
    assert np.abs(got - wanted).max() < 2e-6, f"{engine}: {np.abs(got - wanted).max()}"


def universal_pictures_are_those_of_scikit_image():
    need()
    sigma = 0.05
    source = write_noisy(sigma)
    theirs = skimage.restoration.denoise_wavelet(
        run(source, "pass-through"), sigma=sigma, method="VisuShrink", mode="soft", wavelet="haar",
        wavelet_levels=LEVELS)
    ours = run(source, f"visu-shrink:wavelet=haar,levels={LEVELS},sigma={sigma}")
    assert np.abs(ours - theirs).max() < 1e-5, np.abs(ours - theirs).max()


def risk(band, sigma, threshold):
    """Stein's unbiased estimate, by all magnitudes."""
    x, t = np.abs(band) / sigma, threshold / sigma
    return x.size - 2 * np.sum(x <= t) + np.sum(np.minimum(x, t) ** 2)


def least_risk(engine):
    """No threshold has less risk by more than the ruler's marks make; sparse bands have the universal
    one. What shrinking takes away tells the threshold."""
    need()
    kinds = set()
    for sigma in (0.01, 0.05, 0.3):
        source = write_noisy(sigma)
        low, *details = bands_of(source)
        view = f"sure-shrink:wavelet=haar,levels={LEVELS},sigma={sigma} view="
        before, after = (run(source, view + name, engine) for name in ("analysis", "filtered-analysis"))
        for level in range(1, LEVELS + 1):
            half, gain = 256 >> level, 0.5 ** (level - 1)
            for y, x, own in ((0, half, gain), (half, 0, gain), (half, half, 2 * gain)):
                place = np.s_[y:y + half, x:x + half]
                band = before[place] / own
                got = np.abs(before[place] - after[place]).max() / own
                n, most = band.size, sigma * np.sqrt(2 * np.log(band.size))
                sparse = np.mean(band ** 2) / sigma ** 2 - 1 <= np.log2(n) ** 1.5 / np.sqrt(n)
                kinds.add(sparse)
                where = f"{engine}, noise {sigma}, level {level}, {x}, {y}: {got / sigma:.3f} σ"
                if sparse:
                    assert abs(got - min(most, np.abs(band).max())) < 1e-4 * most, where
                    continue
                candidates = [t for t in np.append(np.abs(band), 0) if t <= most]
                excess = risk(band, sigma, got) - min(risk(band, sigma, t) for t in candidates[::7])
                assert excess < 3 + 0.01 * n, f"{where}, {excess:.1f} above the least of {n}"
                assert got <= most * 1.0001, where
    assert kinds == {True, False}


def neighbours(engine):
    """In PyWavelets' stationary bands. Theirs lie elsewhere by some samples, so that borders differ."""
    need()
    sigma, side = 0.08, 5
    source = write_noisy(sigma)
    square = 2 * sigma ** 2 * np.log(256 * 256)

    def shrunk(band, level):
        reach = side // 2 << level
        wide = np.pad(band ** 2, reach, mode="reflect")
        sums = sum(wide[y:y + 256, x:x + 256] for y in range(0, 2 * reach + 1, 1 << level)
                   for x in range(0, 2 * reach + 1, 1 << level))
        return band * np.maximum(1 - square / sums, 0)

    coefficients = pywt.swt2(run(source, "pass-through"), "haar", LEVELS)
    wanted = pywt.iswt2([(low, tuple(shrunk(band, LEVELS - i) for band in details))
                         for i, (low, details) in enumerate(coefficients)], "haar")
    got = run(source, f"neigh-shrink:wavelet=haar,levels={LEVELS},sigma={sigma},window={side} "
              "border=periodic", engine)
    inside = np.s_[64:-64, 64:-64]
    assert np.abs(got - wanted)[inside].max() < 1e-5, f"{engine}: {np.abs(got - wanted)[inside].max()}"


def neighbours_are_not_for_whole_numbers():
    source = write_noisy(0.05)
    done = command_line.process(source, "-o", "out.tif", "--force", "-f", "neigh-shrink:wavelet=int53")
    assert "neigh-shrink" in done.stderr and "whole numbers" in done.stderr, done.stderr
    same = command_line.process(source, "-o", "same.tif", "--force", "-f", "pass-through")
    assert same.returncode == 0
    assert np.array_equal(pixels.read_tiff("out.tif")[1], pixels.read_tiff("same.tif")[1])


def noisy_of(picture, deviation):
    """A picture of reference 09, and the same with its noise."""
    clean = getattr(pywt.data, picture)().astype(np.float64)
    return clean, clean + np.random.default_rng(7).normal(0, deviation, clean.shape)


def decibels(got, clean, margin=0):
    inside = np.s_[margin:clean.shape[0] - margin, margin:clean.shape[1] - margin]
    return 10 * np.log10(255 ** 2 / np.mean((got.clip(0, 255) - clean)[inside] ** 2))


def ours(noisy, recipe):
    stored = np.rint((noisy + 128) / 511 * 65535).clip(0, 65535).astype(np.uint16)
    pixels.write_png("noisy.png", stored[..., None])
    return run("noisy.png", recipe) * 511 - 128


def theirs(noisy, deviation, mode):
    """PyWavelets' bands, shrunk by Chang, Yu and Vetterli."""
    def bayes(band):
        signal = np.mean(band ** 2) - deviation ** 2
        return soft(band, deviation ** 2 / np.sqrt(signal) if signal > 0 else np.abs(band).max())

    low, *details = pywt.wavedec2(noisy, "sym8", mode, 4)
    return pywt.waverec2([low] + [tuple(bayes(band) for band in level) for level in details], "sym8", mode)


# sym8 has no mirrored border: the picture gets mirrored margins. PyWavelets has more coefficients than samples
# for it; away from the border both are the same.
MARGIN = 64


def the_bars_are_reached():
    need()
    for picture in "camera", "ascent":
        for deviation in 15, 25, 50:
            clean, noisy = noisy_of(picture, deviation)
            settings = f"wavelet=sym8,levels=4,sigma={deviation / 511:.7f}"
            recipes = {name: f"{name}:{settings}" for name in
                       ("bayes-shrink", "sure-shrink", "visu-shrink", "neigh-shrink")}
            recipes |= {"stationary": f"bayes-shrink:{settings},transform=stationary",
                        "sure, stationary": f"sure-shrink:{settings},transform=stationary",
                        "sure, dual tree": f"sure-shrink:{settings},transform=dual-tree",
                        "auto": "bayes-shrink:wavelet=sym8,levels=4"}
            pictures = {name: ours(noisy, recipe) for name, recipe in recipes.items()}
            got = {name: decibels(made, clean) for name, made in pictures.items()}
            periodic, symmetric = (theirs(noisy, deviation, mode) for mode in ("periodization", "symmetric"))
            inside = [decibels(made, clean, MARGIN) for made in (pictures["bayes-shrink"], symmetric)]
            got |= {"periodic": decibels(periodic, clean), "symmetric": decibels(symmetric, clean),
                    "inside": inside[0], "inside, theirs": inside[1]}
            print(f"# {picture} {deviation}:", {name: round(float(value), 2) for name, value in got.items()})
            assert got["bayes-shrink"] > got["periodic"] - 0.05
            assert got["bayes-shrink"] > got["symmetric"] - 0.05
            assert inside[0] > inside[1] - 0.05
            assert got["stationary"] > got["bayes-shrink"] + 0.5
            assert got["auto"] > got["bayes-shrink"] - 0.2
            assert got["neigh-shrink"] > got["bayes-shrink"] + 0.3
            assert got["sure-shrink"] > got["visu-shrink"] + 1


def margins_are_mirrored(engine):
    """Wavelets without a mirrored border filter what NumPy's reflected margins make periodic, also of odd
    sizes; sixteen on each side."""
    need()
    for height, width in (64, 96), (33, 50), (17, 61):
        samples = np.random.default_rng(3).integers(0, 65536, (height, width)).astype(np.uint16)
        for recipe in ("bayes-shrink:wavelet=sym8,levels=3,sigma=0.2", "neigh-shrink:wavelet=db4,sigma=0.1",
                       "visu-shrink:wavelet=sym8,levels=2,sigma=0.05,shifts=4",
                       "bivariate:levels=3,sigma=0.2,transform=decimated,wavelet=coif2"):
            pixels.write_png("small.png", samples[..., None])
            pixels.write_png("wide.png", np.pad(samples, 16, mode="reflect")[..., None])
            wanted = run("wide.png", f"{recipe} border=periodic", engine)[16:-16, 16:-16]
            distance = np.abs(run("small.png", recipe, engine) - wanted).max()
            assert distance < 1e-5, f"{engine}, {recipe}, {width} × {height}: {distance}"


sys.exit(command_line.run_cases(
    {f"{engine}: universal thresholds equal the formula": lambda engine=engine: universal_bands(engine)
     for engine in ENGINES}
    | {f"{engine}: no other threshold has less risk": lambda engine=engine: least_risk(engine)
       for engine in ENGINES}
    | {f"{engine}: neighbours shrink a coefficient": lambda engine=engine: neighbours(engine)
       for engine in TRANSFORM_ENGINES}
    | {"universal pictures are those of scikit-image": universal_pictures_are_those_of_scikit_image,
       "neighbours are not for whole numbers": neighbours_are_not_for_whole_numbers,
       "the bars are reached": the_bars_are_reached}
    | {f"{engine}: margins are mirrored": lambda engine=engine: margins_are_mirrored(engine)
       for engine in TRANSFORM_ENGINES}))
