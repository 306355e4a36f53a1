#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Filters against noise, by their formulas in NumPy, SciPy and OpenCV, through the command line.

usage: denoise.py ONDELETTE_CLI
"""
import math
import pathlib
import sys

import numpy as np
import pywt
from scipy import ndimage, signal

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
import command_line  # noqa: E402
import pixels  # noqa: E402
import tap  # noqa: E402
from once import once  # noqa: E402
ENGINES = ["cpu", "reference", "gl-fragment", "gl-compute"]
SIZES = [(41, 70), (9, 33), (1, 9)]
FULL = 65535


def blocks(rng, height, width):
    """Squares of one value each, and noise."""
    squares = rng.integers(0, 6, (height // 8 + 1, width // 8 + 1)) / 5
    clean = np.kron(squares, np.ones((8, 8)))[:height, :width]
    return np.rint(FULL * np.clip(clean + rng.normal(0, 0.05, clean.shape), 0, 1)).astype(np.uint16)


def write_pictures():
    rng = np.random.default_rng(5)
    samples = [blocks(rng, *size) for size in SIZES]
    for i, one in enumerate(samples):
        pixels.write_png(f"in-{i}.png", one[..., None])
    return samples, [f"in-{i}.png" for i in range(len(samples))]


def agrees(engine, recipe, function, most=2e-6, border=0):
    """What the recipe makes of every picture is what the function makes of it, as fractions, but for
    `border` samples at each side, which one picture at least is larger than."""
    samples, sources = write_pictures()
    compared = 0
    for one, got in zip(samples, command_line.process_each(sources, recipe, engine)):
        unequal = np.abs(got / FULL - function(one / FULL))
        inside = unequal[border:one.shape[0] - border, border:one.shape[1] - border]
        assert inside.max(initial=0) < most, f"{recipe} of {one.shape}: {inside.max()}"
        compared += inside.size
    assert compared > 500, f"{recipe}: only {compared} samples are compared"


def mirrored(samples, beyond):
    """The picture with so many mirrored samples about it, however small it is."""
    return samples[np.ix_(*(np.abs((np.arange(-beyond, n + beyond) + n - 1) % max(2 * n - 2, 1) - n + 1)
                            for n in samples.shape))]


def offsets(samples, reach, beyond=0):
    """The picture, with `beyond` more samples about it, at every offset within reach."""
    large = mirrored(samples, reach + beyond)
    height, width = (n + 2 * beyond for n in samples.shape)
    for y in range(2 * reach + 1):
        for x in range(2 * reach + 1):
            yield large[y:y + height, x:x + width]


@once
def patch_means(samples, h, patch, search, speckle=False, guide=None):
    guide = samples if guide is None else guide
    radius, reach = patch // 2, search // 2
    about = mirrored(guide, radius)
    sums = weights = 0
    for there, other in zip(offsets(samples, reach), offsets(guide, reach, radius)):
        squares = (about - other) ** 2 / (np.maximum((about + other) / 2, 1 / 64) if speckle else 1)
        windows = np.lib.stride_tricks.sliding_window_view(squares, (patch, patch))
        weight = np.exp(-windows.mean(axis=(2, 3)) / h ** 2)
        sums, weights = sums + weight * there, weights + weight
    return sums / weights


def non_local_means(engine):
    def twice(samples):
        first = patch_means(samples, 0.06, 3, 7)
        return patch_means(samples, 0.03, 3, 7, guide=first)

    agrees(engine, "non-local-means:strength=0.1,patch=5,search=11,rounds=1",
           lambda samples: patch_means(samples, 0.1, 5, 11))
    agrees(engine, "non-local-means:strength=0.08,patch=7,search=15,rounds=1,distance=speckle",
           lambda samples: patch_means(samples, 0.08, 7, 15, True))
    agrees(engine, "non-local-means:strength=0.06,patch=3,search=7", twice)


def steps(side):
    """Rows and columns from the middle of a square to each of its samples, as offsets () has them."""
    rows, columns = np.mgrid[:side, :side] - side // 2
    return zip(rows.ravel(), columns.ravel())


def weighted(samples, side, weight):
    """The means of squares with weight (other samples, squared distance)."""
    sums = weights = 0
    for there, (dy, dx) in zip(offsets(samples, side // 2), steps(side)):
        w = weight(there, dy * dy + dx * dx)
        sums, weights = sums + w * there, weights + w
    return sums / weights


def bilateral(engine):
    def formula(samples):
        return weighted(samples, 7, lambda other, square: np.exp(
            -square / (2 * 1.5 ** 2) - (other - samples) ** 2 / (2 * 0.2 ** 2)))

    agrees(engine, "bilateral:range=0.2,space=1.5,size=7", formula)
    agrees(engine, "bilateral:range=1,space=9,size=19",
           lambda samples: weighted(samples, 19, lambda other, square: np.exp(
               -square / (2 * 9 ** 2) - (other - samples) ** 2 / 2)), most=4e-6)


def of_opencv(engine):
    """OpenCV's bilateral filter looks at a disc, whose rim weighs nothing here; its non-local means round to 8 bits,
    and leave out weights below a thousandth, which nothing has with such strengths. Both mirror as we do. scikit-image
    0.19 has its bilateral weights a column off, and patches of an even side, or with Gaussian weights."""
    try:
        import cv2
    except ImportError as missing:
        raise tap.Skip(str(missing)) from missing
    agrees(engine, "bilateral:range=0.2,space=1.5,size=19", lambda samples: cv2.bilateralFilter(
        samples.astype(np.float32), 19, 0.2, 1.5))
    bytes_ = blocks(np.random.default_rng(6), 61, 90) // 257
    pixels.write_png("bytes.png", bytes_.astype(np.uint8)[..., None])
    for strength, patch, search in ((0.5, 5, 11), (0.4, 3, 21), (0.45, 7, 15), (0.5, 9, 21)):
        recipe = f"non-local-means:strength={strength},patch={patch},search={search},rounds=1"
        got = command_line.process_each(["bytes.png"], recipe, engine)[0]
        wanted = cv2.fastNlMeansDenoising(bytes_.astype(np.uint8), None, 255 * strength, patch, search)
        unequal = np.abs(got - wanted).max()
        assert unequal < 0.501, f"{recipe}: {unequal} of 255"


def statistics(samples, side):
    """Mean and variance of the square about each sample."""
    mean = ndimage.uniform_filter(samples, side, mode="mirror")
    return mean, np.maximum(ndimage.uniform_filter(samples ** 2, side, mode="mirror") - mean ** 2, 0)


def by_gain(samples, side, gain):
    mean, variance = statistics(samples, side)
    return mean + np.maximum(gain(np.maximum(variance, 1e-30) / mean ** 2, mean), 0) * (samples - mean)


def lee(engine):
    """By the coefficient of variation, C; noise that is added has C in inverse proportion to the mean."""
    agrees(engine, "lee:noise=0.05,size=7",
           lambda samples: by_gain(samples, 7, lambda c2, mean: 1 - (0.05 / mean) ** 2 / c2))
    agrees(engine, "lee:noise=0.1,size=9", lambda samples: signal.wiener(samples, 9, 0.1 ** 2), border=4)
    agrees(engine, "lee:noise=0.2,model=speckle,size=11",
           lambda samples: by_gain(samples, 11, lambda c2, mean: (c2 - 0.2 ** 2) / (c2 + 0.2 ** 4)))
    agrees(engine, "kuan:noise=0.3,size=5",
           lambda samples: by_gain(samples, 5, lambda c2, mean: (1 - 0.3 ** 2 / c2) / (1 + 0.3 ** 2)))


def frost(engine):
    def formula(samples):
        mean, variance = statistics(samples, 5)
        alpha = 6 * variance / np.maximum(mean, 1 / 64) ** 2
        return weighted(samples, 5, lambda other, square: np.exp(-alpha * math.sqrt(square)))

    agrees(engine, "frost:damping=6,size=5", formula)
    agrees(engine, "frost:damping=0,size=19",
           lambda samples: ndimage.uniform_filter(samples, 19, mode="mirror"), most=4e-6)


def wiener(engine):
    """SciPy has zeros beyond the borders."""
    for side, noise in ((5, 0.05), (9, 0.2)):
        agrees(engine, f"wiener:noise={noise},size={side}",
               lambda samples: signal.wiener(samples, side, noise ** 2), border=side // 2)


def wiener_of_flat_parts(engine):
    """SciPy divides 0 by 0 where a square does not vary, if the noise is 0, given or measured."""
    for name, samples in (("flat", np.kron(np.array([[1000, 20000], [40000, 7000]]), np.ones((24, 32)))),
                          ("black", np.zeros((48, 64)))):
        samples = samples.astype(np.uint16)
        pixels.write_png(f"{name}.png", samples[..., None])
        with np.errstate(all="ignore"):
            assert np.isnan(signal.wiener(samples / FULL, 5, 0 if name == "flat" else None)).any()
        for recipe in ("wiener:noise=0,size=5", "wiener:size=5"):
            got = command_line.process_each([f"{name}.png"], recipe, engine)[0]
            assert np.abs(got / FULL - samples / FULL).max() < 2e-6, f"{name}, {recipe}"
    flat = np.pad(np.full((40, 40), 30000), 4).astype(np.uint16)
    pixels.write_png("flat.png", flat[..., None])
    got = command_line.process_each(["flat.png"], "wiener:noise=0.1,size=5", engine)[0] / FULL
    wanted = signal.wiener(flat / FULL, 5, 0.01)
    assert np.abs(got - wanted)[2:-2, 2:-2].max() < 2e-6 and not np.isnan(got).any()


def guided(engine):
    def formula(samples, side, eps):
        mean, variance = statistics(samples, side)
        a = variance / (variance + eps)
        return (ndimage.uniform_filter(a, side, mode="mirror") * samples
                + ndimage.uniform_filter((1 - a) * mean, side, mode="mirror"))

    agrees(engine, "guided:eps=0.01,radius=4", lambda samples: formula(samples, 9, 0.01))
    agrees(engine, "guided:eps=0.0004,radius=1", lambda samples: formula(samples, 3, 0.0004))


def neutral(engine):
    """A share of nothing changes nothing."""
    for recipe in ("bilateral:range=0", "lee:noise=0", "lee:noise=0,model=speckle", "kuan:noise=0",
                   "wiener:noise=0", "guided:eps=0"):
        agrees(engine, recipe, lambda samples: samples)


def speckle_bar():
    """The phantom against its clean twin, inside the sector, by the measures of reference 09, section 5."""
    try:
        from skimage import metrics
    except ImportError as missing:
        raise tap.Skip(str(missing)) from missing

    def made(name, recipe):
        command_line.process(f"phantom:512x512,seed=5{name}", "-o", "speckle.tif", "--force", "-f", recipe)
        return pixels.read_tiff("speckle.tif")[1][..., 0].astype(np.float64)

    clean = made(",clean", "pass-through")
    inside = ndimage.binary_erosion(clean > 5, np.ones((15, 15)))
    assert inside.sum() > 50000
    decibels_of = {}
    for recipe, decibels, alike, edge in (("pass-through", 21.6, 0.25, 0.42),
                                          ("non-local-means:strength=0.11,patch=9,search=21", 32, 0.93, 0.87)):
        got = made("", recipe)
        error = (got - clean)[inside]
        psnr = 10 * np.log10(255 ** 2 / np.var(error))
        ssim = metrics.structural_similarity(clean, got, gaussian_weights=True, sigma=1.5, full=True,
                                             use_sample_covariance=False, data_range=255)[1][inside].mean()
        edges = np.corrcoef(*((one - ndimage.gaussian_filter(one, 2))[inside] for one in (got, clean)))[0, 1]
        print(f"# {recipe}: {psnr:.2f} dB, SSIM {ssim:.3f}, edges {edges:.3f}")
        assert psnr > decibels and ssim > alike and edges > edge
        decibels_of[recipe] = psnr
    # What the second round is worth.
    strong = "non-local-means:strength=0.11,patch=9,search=21"
    once = 10 * np.log10(255 ** 2 / np.var((made("", f"{strong},rounds=1") - clean)[inside]))
    print(f"# rounds=1: {once:.2f} dB")
    assert 31 < once < decibels_of[strong] - 1, once


def strength_of_the_noise():
    """`auto` is close to the best strength of a photograph, in the mean of little noise and much."""
    lost = []
    clean = pywt.data.camera()[150:278, 200:328] / 255
    rng = np.random.default_rng(8)
    for sigma in 15, 30, 50:
        noisy = np.rint(FULL * np.clip(0.2 + 0.6 * clean + 0.6 * rng.normal(0, sigma / 255, clean.shape), 0, 1))
        pixels.write_png("in-0.png", noisy.astype(np.uint16)[..., None])
        for patch in 3, 7:
            def decibels(strength, patch=patch):
                recipe = f"non-local-means:strength={strength},patch={patch},search=11"
                made = next(iter(command_line.process_each(["in-0.png"], recipe, "cpu"))) / FULL
                return -10 * np.log10(((made - 0.2 - 0.6 * clean) ** 2).mean())
            best = max(decibels(round(factor * 0.6 * sigma / 255, 4)) for factor in np.arange(0.6, 2.01, 0.1))
            got = decibels("auto")
            lost.append(best - got)
            assert lost[-1] < 1.3, f"σ = {sigma}, patch={patch}: {got:.2f} dB, {best:.2f} at best"
    assert np.mean(lost) < 0.6, lost


CASES = {"non-local means": non_local_means, "bilateral": bilateral, "OpenCV's filters": of_opencv, "Lee and Kuan": lee,
         "Frost": frost, "Wiener": wiener, "Wiener of flat parts": wiener_of_flat_parts,
         "guided": guided, "neutral settings": neutral}
sys.exit(command_line.run_cases(
    {f"{name} of {engine}": lambda engine=engine, case=case: case(engine)
     for name, case in CASES.items() for engine in ENGINES}
    | {"non-local means reach the bar for speckle": speckle_bar,
       "non-local means know the noise": strength_of_the_noise}))
