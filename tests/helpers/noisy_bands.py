# SPDX-License-Identifier: MIT
"""A noisy picture, what the program makes of it, and where PyWavelets' bands of it lie."""
import command_line
import numpy as np
import pixels
import tap

try:
    import pywt
    import pywt.data
    import skimage.restoration
except ImportError as missing:
    pywt = skimage = None
    MISSING = str(missing)

ENGINES = ["reference", "cpu", "gl-fragment", "gl-compute"]
TRANSFORM_ENGINES = ["reference", "cpu", "gl-compute"]
LEVELS = 3


def need():
    if pywt is None:
        raise tap.Skip(MISSING)


def run(source, recipe, engine="cpu"):
    name, *settings = recipe.split()
    command_line.process(source, "-o", "out.tif", "--force", "-f", name, "-e", engine,
                         *(f"--{setting}" for setting in settings))
    return pixels.read_tiff("out.tif")[1][..., 0].astype(np.float64) / 65535


def clean(side=256):
    """Edges, ramps and texture."""
    y, x = np.mgrid[0:side, 0:side] / side
    picture = 0.3 + 0.3 * x + 0.1 * np.sin(40 * y * y)
    picture[(x - 0.4) ** 2 + (y - 0.5) ** 2 < 0.06] += 0.25
    picture[side // 8:side // 4, side // 2:] -= 0.2
    return picture


def write_noisy(sigma, side=256, seed=7):
    noisy = clean(side) + np.random.default_rng(seed).normal(0, sigma, (side, side))
    pixels.write_png("noisy.png", np.clip(noisy * 65535 + 0.5, 0, 65535).astype(np.uint16)[..., None])
    return "noisy.png"


def mallat(coefficients):
    """PyWavelets' bands of Haar where ours lie. Its own are orthonormal, with high-pass filters of
    the other sign; ours have low-pass filters that keep the mean, and high-pass ones of gain 2."""
    picture = coefficients[0] / 2 ** (len(coefficients) - 1)
    for i, (below, right, both) in enumerate(coefficients[1:]):
        scale = 0.5 ** (len(coefficients) - 2 - i)
        picture = np.block([[picture, -right * scale], [-below * scale, both * 2 * scale]])
    return picture
