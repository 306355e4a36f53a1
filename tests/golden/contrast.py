#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Multi-scale contrast, against its rule in SciPy (src/plan/spatial/multi_scale_contrast.c).

usage: contrast.py ONDELETTE_CLI
"""
import pathlib
import sys

import numpy as np
from scipy import ndimage

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
import command_line  # noqa: E402
import pixels  # noqa: E402

ENGINES = ["reference", "cpu", "gl-fragment", "gl-compute"]
GAINS = (0.889, 0.200, 0.086, 0.041, 0.020)
FULL = 65535


def filtered(samples, settings, engine):
    """Fractions of full scale."""
    pixels.write_png("in.png", samples[..., None])
    command_line.process("in.png", "-o", "out.tif", "--force", "-f", f"multi-scale-contrast:{settings}", "-e", engine)
    return pixels.read_tiff("out.tif")[1][..., 0] / FULL


def low_pass(picture, level):
    kernel = np.zeros(4 * (1 << level - 1) + 1)
    kernel[::1 << level - 1] = np.array([1, 4, 6, 4, 1]) / 16
    for axis in (0, 1):
        picture = ndimage.correlate1d(picture, kernel, axis, mode="mirror")
    return picture


def wanted(samples, levels, exponent, ample, noise):
    low, details = samples / FULL, []
    for level in range(1, levels + 1):
        before, low = low, low_pass(low, level)
        details.append(before - low)
    for detail, gain in zip(details, GAINS):
        size = np.abs(detail)
        curve = (ample / np.maximum(size, ample / 32)) ** (1 - exponent)
        gate = 3 * noise * gain
        share = size ** 2 / np.maximum(size ** 2 + gate ** 2, 1e-30)
        low = low + detail * (1 + share * (curve - 1))
    return low


def equals_the_rule(engine):
    rng = np.random.default_rng(3)
    y, x = np.mgrid[:75, :90]
    scene = 0.4 + 0.3 * np.sin(x / 9) * np.cos(y / 15) + 0.02 * (np.hypot(x - 50, y - 30) < 12)
    samples = np.clip(FULL * (scene + rng.normal(0, 0.002, scene.shape)), 0, FULL).astype(np.uint16)
    for levels, exponent, ample, noise in ((5, 0.7, 0.1, 0.002), (1, 0.4, 1, 0), (3, 0.5, 0.01, 0.1))[
            :3 if engine == "cpu" else 2]:
        got = filtered(samples, f"levels={levels},exponent={exponent},ample={ample},noise={noise}", engine)
        expected = wanted(samples, levels, exponent, ample, noise)
        worst = np.abs(got - expected).max()
        assert np.abs(expected - samples / FULL).max() > 1e-3
        assert worst < 4e-6, f"{levels} {exponent} {ample} {noise}: {worst}"


def noise_stays_and_detail_grows():
    """A faint disc gets much more contrast, white noise of the given deviation at most half more."""
    rng = np.random.default_rng(4)
    y, x = np.mgrid[:160, :160]
    noise = rng.normal(0, 0.002, x.shape)
    for disc, least, most in ((0.02, 1.6, 4), (0, 0, 0)):
        samples = FULL * (0.5 + disc * (np.hypot(x - 80, y - 80) < 20) + noise)
        got = filtered(samples.astype(np.uint16), "noise=0.002", "cpu")
        grown = got[70:90, 70:90].mean() - got[70:90, 5:15].mean()
        assert least * disc <= grown + 1e-3 and grown - 1e-3 <= most * disc, grown
        assert got[:, :30].std() < 1.5 * 0.002, got[:, :30].std()


def exponent_1_leaves_the_picture():
    samples = np.random.default_rng(5).integers(0, FULL, (30, 1)).astype(np.uint16)
    for picture in (samples, samples.T, samples[:1], samples.repeat(40, 1)):
        got = filtered(picture, "exponent=1", "cpu")
        assert np.abs(got - picture / FULL).max() < 1e-6


sys.exit(command_line.run_cases(
    {f"{engine} follows the rule": lambda engine=engine: equals_the_rule(engine) for engine in ENGINES}
    | {"noise stays and detail grows": noise_stays_and_detail_grows,
       "exponent 1 leaves the picture": exponent_1_leaves_the_picture}))
