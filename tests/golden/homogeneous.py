#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Noise from a part that is said to be homogeneous, and noise that a stabiliser has made equal.

usage: homogeneous.py ONDELETTE_CLI
"""
import pathlib
import re
import sys

import numpy as np
import pywt.data

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
import command_line  # noqa: E402
import pixels  # noqa: E402


def deviation(part):
    """About the plane that fits best."""
    y, x = np.mgrid[:part.shape[0], :part.shape[1]]
    columns = np.stack([np.ones(part.size), x.ravel(), y.ravel()], -1)
    rest = part.ravel() - columns @ np.linalg.lstsq(columns, part.ravel(), rcond=None)[0]
    return np.sqrt((rest ** 2).sum() / (part.size - 3))


def measured(*arguments):
    """The σ that a run says it has measured, and its picture."""
    done = command_line.process("in.png", "-o", "out.tif", "--force", *arguments)
    return float(re.search(r"sigma=([0-9.e-]+)", done.stderr)[1]), pixels.read_tiff("out.tif")[1][..., 0]


def write(picture):
    samples = np.clip(np.rint(picture * 65535), 0, 65535).astype(np.uint16)
    pixels.write_png("in.png", samples[..., None])
    return samples / 65535


def correlated_noise_has_its_size():
    """Of noise of neighbours that are alike the finest details show a small part."""
    rng = np.random.default_rng(5)
    noise = rng.normal(0, 1, (200, 260))
    for axis in (0, 1):
        noise = (np.roll(noise, 1, axis) + noise + np.roll(noise, -1, axis)) / np.sqrt(3)
    y, x = np.mgrid[:200, :260]
    samples = write(0.3 + x / 1000 + y / 2000 + 0.05 * noise)
    for recipe in ("bivariate", "bayes-shrink", "bm3d"):
        part = samples[20:90, 30:150]
        sigma, result = measured("-f", recipe, "--sigma-from", "30,20,120,70")
        assert abs(sigma / deviation(part) - 1) < 0.01, f"{recipe}: {sigma}, not {deviation(part)}"
        command_line.process("in.png", "-o", "given.tif", "--force", "-f", f"{recipe}:sigma={sigma}")
        assert np.array_equal(result, pixels.read_tiff("given.tif")[1][..., 0]), f"{recipe} did not take it"
    alone = measured("-f", "bivariate")[0]
    assert alone < 0.5 * deviation(samples[20:90, 30:150]), alone
    for words in (["200,100,100,50", "260 × 200"], ["1,2,3", "1,2,3"]):
        command_line.fails(1 if "×" in words[1] else 2, "--sigma-from", words[1], arguments=[
            "process", "in.png", "-o", "no.png", "-f", "bivariate", "--sigma-from", words[0]])


def photons_are_stabilised():
    """Between anscombe and restore σ is known, and better than that of the picture as it came."""
    clean = pywt.data.camera()[:256, :256] / 255
    peak = 30
    write(np.random.default_rng(3).poisson(clean * peak) / (2 * peak))  # up to twice the peak
    around = ["-f", f"stabilise:peak={2 * peak}", "-f", "bivariate", "-f", "restore"]
    sigma, result = measured(*around)
    assert abs(sigma - 0.5 / np.sqrt(2 * peak + 0.375)) < 1e-3, sigma

    def ratio(got):
        return 10 * np.log10(0.25 / np.mean((got / 65535 - clean / 2) ** 2))
    outside, alone = measured("-f", "bivariate")
    command_line.process("in.png", "-o", "given.tif", "--force", "-f", f"stabilise:peak={2 * peak}",
                         "-f", f"bivariate:sigma={outside}", "-f", "restore")
    wrong = pixels.read_tiff("given.tif")[1][..., 0]
    print(f"# {ratio(result):.2f} dB, with the σ of the picture {ratio(wrong):.2f}, without stabiliser {ratio(alone):.2f}")
    assert ratio(result) > max(ratio(wrong), ratio(alone)) + 0.3
    # What comes behind `restore` has the noise of the picture again.
    behind = command_line.process("in.png", "-o", "out.tif", "--force", "-f", f"stabilise:peak={2 * peak}",
                                  "-f", "restore", "-f", "bivariate").stderr
    assert f"bivariate:levels=6,sigma={outside:g}" in behind, behind


sys.exit(command_line.run_cases({
    "correlated noise has its size in a part": correlated_noise_has_its_size,
    "photons that are stabilised have a known noise": photons_are_stabilised}))
