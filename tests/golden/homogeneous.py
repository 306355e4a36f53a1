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
from scipy import ndimage

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
    for recipe, said in (("gaussian", True), ("bivariate:sigma=0.1", True), ("bivariate", False),
                         ("bayes-shrink", False), ("shrinkage:thresholds=auto/0.1", False)):
        done = command_line.process("in.png", "-o", "out.tif", "--force", "-f", recipe, "--sigma-from", "30,20,120,70")
        assert ("--sigma-from changes nothing" in done.stderr) == said, f"{recipe}: {done.stderr}"
    write(np.full((64, 64), 0.25))
    for recipe in ("bayes-shrink", "bivariate", "shrinkage"):
        done = command_line.process("in.png", "-o", "flat.tif", "--force", "-f", recipe, "--sigma-from", "9,9,20,20")
        assert "no noise was measured" in done.stderr, f"{recipe}: {done.stderr}"
    for words in (["200,100,100,50", "64 × 64"], ["1,2,3", "1,2,3"]):
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
    behind = measured("-f", f"stabilise:peak={2 * peak}", "-f", "restore:return=algebraic", "-f", "bivariate")[0]
    assert abs(behind / outside - 1) < 0.01, behind
    # A filter between both leaves less than what is known.
    assert measured("-f", f"stabilise:peak={2 * peak}", "-f", "median", *around[2:])[0] < 0.7 * sigma


def parameters(words, filter_name="bivariate"):
    """σ and the profile, one row per level, that a run says it has measured."""
    text = re.search(filter_name + r":(\S+)", words)[1]
    values = dict(pair.split("=") for pair in text.split(","))
    levels = [row.split(":") for row in values["profile"].split("/")]
    return float(values["sigma"]), np.array([[float(x) for x in (row * 3)[:3]] for row in levels])


def coloured(shape, along=2.0, down=0.7):
    noise = np.random.default_rng(11).normal(0, 1, shape)
    noise = ndimage.gaussian_filter(noise, (down, along), mode="wrap")
    return noise / noise.std()


def white_equivalents(picture, levels, of):
    """σ that white noise would have, band by band of PyWavelets' orthonormal transform: HL, LH, HH."""
    rows = []
    for level, bands in enumerate(reversed(pywt.wavedec2(picture, "sym8", "reflect", levels)[1:]), 1):
        sides = [side >> level for side in picture.shape]
        first = [(n - side) // 2 for n, side in zip(bands[0].shape, sides)]  # what was put around it is not measured
        down, across, both = (band[first[0]:first[0] + sides[0], first[1]:first[1] + sides[1]] for band in bands)
        rows.append([of(across), of(down), of(both)])
    return np.array(rows)


def lower_quartile(band):
    return np.quantile(np.abs(band), 0.25) / 0.3186394


def bands_have_their_own_noise():
    """By PyWavelets' coefficients, of a picture and of a part of it; the stored values are all that is known."""
    samples = write(pywt.data.ascent() / 1020 + 0.3 + 0.05 * coloured((512, 512)))
    recipe = "bivariate:levels=5,transform=decimated,wavelet=sym8,profile=auto"
    sigma, profile = parameters(command_line.process("in.png", "-o", "out.tif", "--force", "-f", recipe).stderr)
    wanted = white_equivalents(samples, 5, lower_quartile)
    ratio = sigma * profile[:4] / wanted[:4]
    print(f"# of a picture {ratio.min():.3f} to {ratio.max():.3f} of PyWavelets'")
    assert np.all(abs(ratio - 1) < 0.15) and np.all(abs(ratio[:2] - 1) < 0.04), ratio
    samples = write(0.3 + np.mgrid[:512, :512][1] / 2000 + 0.05 * coloured((512, 512)))
    words = command_line.process("in.png", "-o", "out.tif", "--force", "-f", recipe, "--sigma-from", "100,60,256,256").stderr
    sigma, profile = parameters(words)
    part = samples[60:316, 100:356]
    wanted = white_equivalents(part - np.mgrid[:256, :256][1] / 2000, 5, lambda band: np.std(band[6:-6, 6:-6]))
    ratio = sigma * profile[:3] / wanted[:3]
    print(f"# of a part {ratio.min():.3f} to {ratio.max():.3f}")
    assert np.all(abs(ratio - 1) < 0.1) and np.all(abs(ratio[:2] - 1) < 0.05), ratio
    # Of a given σ they are shares, and numbers that are written stay.
    given, shares = parameters(command_line.process(
        "in.png", "-o", "out.tif", "--force", "-f", recipe + ",sigma=0.05", "--sigma-from", "100,60,256,256").stderr)
    assert given == 0.05 and np.allclose(shares[:3] * given, sigma * profile[:3], rtol=0.02), (given, shares)
    thresholds = re.search(r"thresholds=([0-9.:/e-]+)", command_line.process(
        "in.png", "-o", "out.tif", "--force", "-f", "shrinkage:wavelet=sym8,levels=3", "--sigma-from",
        "100,60,256,256").stderr)[1]
    by_band = np.array([[float(x) for x in row.split(":")] for row in thresholds.split("/")])
    by_band *= 2.0 ** np.arange(3)[:, None]  # what white noise has there halves with each level, as gains are written
    assert np.all(abs(by_band / by_band[0, 0] / (wanted[:3] / wanted[0, 0]) - 1) < 0.1), by_band


def complex_bands_have_theirs():
    """Level 1 of the dual tree by the coefficients that the package dtcwt has, and white noise in all."""
    picture = np.load(command_line.shared("derived/dtcwt/input_64x96.npy")).astype(float)
    scale = np.abs(picture).max() * 2
    write(picture / scale + 0.5)
    details = np.load(command_line.shared("derived/dtcwt/highpass_64x96_level1.npy")) / scale
    low, high = near_sym_b()
    gains = [low @ low * (high @ high), low @ low * (high @ high), (high @ high) ** 2]
    wanted = [np.quantile(np.abs(details[..., list(pair)]), 0.25) / 0.7585276 / np.sqrt(gain)
              for pair, gain in zip(((2, 3), (0, 5), (1, 4)), gains)]
    sigma, profile = parameters(command_line.process(
        "in.png", "-o", "out.tif", "--force", "-f", "bivariate:levels=2,sigma=0.1,profile=auto").stderr)
    ratio = sigma * profile[0] / wanted
    print(f"# dual tree, level 1: {ratio} of dtcwt's")
    assert np.all(abs(ratio - 1) < 0.02), ratio
    write(0.5 + np.random.default_rng(2).normal(0, 0.05, (1024, 1024)))
    sigma, profile = parameters(command_line.process(
        "in.png", "-o", "out.tif", "--force", "-f", "bivariate:levels=5,profile=auto").stderr)
    assert np.all(abs(sigma * profile[:4] / 0.05 - 1) < 0.05), sigma * profile


def near_sym_b():
    half = [-0.0017578125, 0, 0.022265625, -0.046875, -0.0482421875, 0.296875, 0.55546875]
    g = [7.062639508928571e-05, 0, -0.001341901506696428, -0.001883370535714286, 0.007156808035714285,
         0.02385602678571428, -0.05564313616071428, -0.05168805803571428, 0.2997576032366072, 0.5594308035714286]
    return np.array(half + half[-2::-1]), np.array(g + g[-2::-1])


def profiles_pay():
    """PSNR with one σ and with that of each band, against coloured noise of σ = 25 of 255."""
    for name in ("camera", "ascent"):
        clean = getattr(pywt.data, name)().astype(float)
        stored = write((clean + 25 * coloured(clean.shape) + 128) / 511)
        flat = write_noise(clean.shape)
        for recipe in ("bivariate:levels=6", "bivariate:levels=6,transform=decimated,wavelet=sym8"):
            pixels.write_png("in.png", np.rint(stored * 65535).astype(np.uint16)[..., None])
            got = {"one σ": psnr(recipe + f",sigma={25 / 511}", clean)}
            got["every band's"] = psnr(recipe + ",profile=auto", clean)
            pixels.write_png("noise.png", flat)
            words = command_line.process("noise.png", "-o", "no.tif", "--force", "-f", recipe + ",profile=auto",
                                         "--sigma-from", "0,0,512,512").stderr
            got["that of a part"] = psnr(re.search(r"bivariate:\S+", words)[0], clean)
            words = command_line.process("noise.png", "-o", "no.tif", "--force", "-f", recipe + ",profile=auto",
                                         "--sigma-from", "200,100,80,48").stderr
            got["that of a small part"] = psnr(re.search(r"bivariate:\S+", words)[0], clean)
            print(f"# {name}, {recipe}: " + ", ".join(f"{key} {value:.2f} dB" for key, value in got.items()))
            assert got["every band's"] > got["one σ"] + 0.5, got
            assert got["that of a part"] > got["one σ"] + 2 and got["that of a small part"] > got["one σ"] + 1.5, got


def write_noise(shape):
    return np.clip(np.rint((25 * coloured(shape) + 255) / 511 * 65535), 0, 65535).astype(np.uint16)[..., None]


def psnr(recipe, clean):
    command_line.process("in.png", "-o", "out.tif", "--force", "-f", recipe)
    got = pixels.read_tiff("out.tif")[1][..., 0] / 65535 * 511 - 128
    return 10 * np.log10(255 ** 2 / np.mean((np.clip(got, 0, 255) - clean) ** 2))


def stabilised_noise_is_measured_there():
    """Within log and box-cox σ is that of what they make of the picture, of a part, too."""
    rng = np.random.default_rng(8)
    y, x = np.mgrid[:300, :400]
    samples = write((0.2 + x / 1000 + 0.1 * (y > 150)) * (1 + 0.1 * rng.normal(size=x.shape)))
    within = {"log,floor=0.02": np.log1p(samples / 0.02) / np.log1p(50), "box-cox,exponent=0.3": samples ** 0.3}
    for method, picture in within.items():
        around = ["-f", f"stabilise:method={method}", "-f", "bivariate", "-f", "restore:noise=auto"]
        sigma = measured(*around)[0]
        part = measured(*around, "--sigma-from", "10,20,200,100")[0]
        pixels.write_png("there.png", np.rint(picture * 65535).astype(np.uint16)[..., None])
        words = command_line.process("there.png", "-o", "no.tif", "--force", "-f", "bivariate").stderr
        direct = float(re.search(r"sigma=([0-9.e-]+)", words)[1])
        print(f"# {method}: {sigma}, measured in that {direct}; of a part {part}, {deviation(picture[20:120, 10:210]):.4g}")
        assert abs(sigma / direct - 1) < 0.01
        assert abs(part / deviation(picture[20:120, 10:210]) - 1) < 0.01
        words = command_line.process("in.png", "-o", "out.tif", "--force", *around).stderr
        assert f"restore:return=unbiased,noise={sigma:g}" in words, words
        bayes = ["-f", f"stabilise:method={method}", "-f", "bayes-shrink", "-f", "restore"]
        assert abs(measured(*bayes, "--sigma-from", "10,20,200,100")[0] / part - 1) < 0.01


sys.exit(command_line.run_cases({
    "bands have their own noise": bands_have_their_own_noise,
    "complex bands have theirs": complex_bands_have_theirs,
    "profiles pay": profiles_pay,
    "stabilised noise is measured there": stabilised_noise_is_measured_there,
    "correlated noise has its size in a part": correlated_noise_has_its_size,
    "photons that are stabilised have a known noise": photons_are_stabilised}))
