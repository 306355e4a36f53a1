#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Noise that is added, against its definition in NumPy and SciPy; what `compare` measures, against
NumPy, SciPy and scikit-image.

usage: quality.py ONDELETTE_CLI
"""
import csv
import io
import os
import pathlib
import sys

import numpy as np
from scipy.ndimage import gaussian_filter
from scipy.special import ndtri
from skimage.draw import ellipse as ellipse_pixels

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
import pixels  # noqa: E402
from command_line import compare, fails, process, random_picture, run, run_cases  # noqa: E402

LUMA = np.array([0.299, 0.587, 0.114])
LOW = np.uint64(0xffffffff)


def philox(counter, seed):
    """Philox4x32-10 of counters (4 × n), as Salmon et al. define it."""
    words = [np.asarray(c, np.uint64) for c in counter]
    key = [np.uint64(seed & 0xffffffff), np.uint64(seed >> 32)]
    for _ in range(10):
        a, b = np.uint64(0xD2511F53) * words[0], np.uint64(0xCD9E8D57) * words[2]
        words = [(b >> np.uint64(32)) ^ words[1] ^ key[0], b & LOW,
                 (a >> np.uint64(32)) ^ words[3] ^ key[1], a & LOW]
        key = [(key[0] + np.uint64(0x9E3779B9)) & LOW, (key[1] + np.uint64(0xBB67AE85)) & LOW]
    return words


def uniform(shape, channel, seed, frame=0):
    n = shape[0] * shape[1]
    words = philox([np.arange(n), np.full(n, channel), np.zeros(n), np.full(n, frame)], seed)
    bits = (words[0] << np.uint64(32) | words[1]) >> np.uint64(12)
    return ((bits.astype(float) + 0.5) / 2.0 ** 52).reshape(shape)


def with_noise(name, noise, *more):
    process(name, "-o", "noisy.tif", "--force", "--noise", noise, *more)
    return pixels.read_tiff("noisy.tif")[1]


def noise_is_its_definition():
    for channels, seed in ((1, 0), (3, 7), (1, 2 ** 64 - 1)):
        picture = random_picture(channels, np.uint8, 61, 47)
        pixels.write_png("in.png", picture)
        v = picture / 255
        u = np.stack([uniform(v.shape[:2], c, seed) for c in range(channels)], axis=-1)
        for text, wanted in (("gaussian:25/255", v + 25 / 255 * ndtri(u)),
                             ("speckle:0.2", v * (1 + 0.2 * ndtri(u))),
                             ("salt-pepper:0.3", np.where(u >= 0.3, v, u >= 0.15))):
            got = with_noise("in.png", f"{text},{seed}") / 255
            assert np.abs(got - wanted).max() < 1e-6, (text, np.abs(got - wanted).max())


def frames_have_noise_of_their_own():
    process("phantom:64x48", "-o", "clean-%02d.tif", "--frames", "1-3")
    process("phantom:64x48", "-o", "noisy-%02d.tif", "--frames", "1-3", "--noise", "gaussian:0.1,5")
    for frame in range(3):
        clean, noisy = (pixels.read_tiff(f"{name}-{frame + 1:02d}.tif")[1][..., 0]
                        for name in ("clean", "noisy"))
        wanted = 0.1 * ndtri(uniform(clean.shape, 0, 5, frame))
        assert np.abs((noisy - clean) / 255 - wanted).max() < 1e-6, frame
    one = with_noise("phantom:64x48", "gaussian:0.1,5", "--frame", "3")[..., 0]
    assert np.array_equal(one, noisy)


def events_are_poisson_s():
    """Mean and variance of each grey level; counts are whole."""
    ramp = np.repeat(np.arange(0, 256, 15, np.uint8), 20000).reshape(-1, 400, 1)
    pixels.write_png("ramp.png", ramp)
    for peak in (5, 100, 40000):
        counts = with_noise("ramp.png", f"poisson:{peak},3")[..., 0] / 255 * peak
        assert np.abs(counts - np.rint(counts)).max() < 1e-6 * peak
        for level in np.unique(ramp):
            mean = level / 255 * peak
            here = counts[ramp[..., 0] == level]
            assert abs(here.mean() - mean) <= 5 * np.sqrt(mean / here.size), (peak, level)
            assert abs(here.var() - mean) <= 5 * np.sqrt((mean + 2 * mean ** 2) / here.size), (peak, level)


def noise_is_the_same_on_any_threads():
    pixels.write_png("in.png", random_picture(3, np.uint8, 130, 170))
    for noise in ("gaussian:0.1,3", "poisson:20,3"):
        files = []
        for threads in ("1", "3"):
            process("in.png", "-o", "out.tif", "--force", "--noise", noise,
                    env={**os.environ, "OMP_NUM_THREADS": threads})
            files.append(pathlib.Path("out.tif").read_bytes())
        assert files[0] == files[1], noise


def noise_is_said():
    pixels.write_png("in.png", random_picture(1, np.uint8, 61, 47))
    done = process("in.png", "-o", "out.png", "--noise", "gaussian:0.1,3")
    assert "without noise" in done.stderr and "PSNR" in done.stderr, done.stderr
    texts = pixels.png_texts("out.png")
    assert any("noise gaussian:0.1,3; " in text and "not for diagnostic use" in text
               for text in texts.values()), texts
    for wrong in ("gaussian", "gaussian:0", "gaussian:1/0", "rain:1", "salt-pepper:2", "poisson:5,x"):
        fails(2, "--noise", wrong, arguments=["process", "in.png", "-o", "no.png", "--noise", wrong])
    fails(2, "volumes", arguments=["process", "in.png", "-o", "no.nii", "--noise", "gaussian:1"])
    assert not os.path.exists("no.png")


def edges(a, b):
    fine = [(x - gaussian_filter(x, 2, mode="reflect")).ravel() for x in (a, b)]
    return np.corrcoef(*fine)[0, 1]


def whole_pictures_are_measured():
    for channels, shape in ((1, (67, 83)), (3, (40, 31)), (1, (5, 9)), (1, (300, 20))):
        a, b = (random_picture(channels, np.uint8, *shape, seed=s) for s in (1, 2))
        b = (a // 2 + b // 2).astype(np.uint8)
        pixels.write_png("a.png", a)
        pixels.write_png("b.png", b)
        said = compare("a.png", "b.png")
        a, b = a / 255, b / 255
        wanted = np.mean([edges(a[..., c], b[..., c]) for c in range(channels)])
        assert abs(said["edges"] - wanted) < 1e-6, (said["edges"], wanted)
        assert abs(said["mse"] - np.mean((a - b) ** 2)) < 1e-8, said
        done = run("compare", "a.png", "b.png", "--csv", status=1)
        names, row = csv.reader(io.StringIO(done.stdout))
        row = dict(zip(names, row))
        for name in ("psnr_db", "ssim", "mse", "edges", "max", "rms"):
            assert float(row[name]) == said[name], name
    pixels.write_png("flat.png", np.full((30, 30, 1), 9, np.uint8))
    assert compare("flat.png", "flat.png")["edges"] is None
    assert "edge correlation: not defined" in run("compare", "flat.png", "flat.png").stdout


def inside(box, values):
    x, y, w, h = box
    rows, columns = ellipse_pixels(y + h / 2 - 0.5, x + w / 2 - 0.5, h / 2, w / 2, values.shape)
    return values[rows, columns]


def contrast(values, region, background):
    r, b = inside(region, values), inside(background, values)
    low, high = min(r.min(), b.min()), max(r.max(), b.max())
    shares = [np.histogram(v, 256, (low, high))[0] / v.size for v in (r, b)]
    return {"snr": r.mean() / b.std(), "cnr": abs(r.mean() - b.mean()) / np.hypot(r.std(), b.std()),
            "gcnr": 1 - np.minimum(*shares).sum(), "enl": b.mean() ** 2 / b.var(),
            "speckle_index": b.std() / b.mean()}


def regions_are_measured():
    random = np.random.default_rng(3)
    for channels in (1, 3):
        picture = random.integers(20, 90, (120, 100, channels)).astype(np.uint8)
        picture[30:70, 20:60] += random.integers(10, 99, (40, 40, channels)).astype(np.uint8)
        other = np.clip(picture.astype(int) + random.integers(-9, 9, picture.shape), 0, 255).astype(np.uint8)
        pixels.write_png("a.png", picture)
        pixels.write_png("b.png", other)
        region, background = (22, 31.25, 35, 37), (10, 75, 80.25, 40)
        said = compare("a.png", "b.png", "--region", ",".join(map(str, region)),
                       "--background", ",".join(map(str, background)))
        for key, values in (("regions_of_a", picture), ("regions_of_b", other)):
            grey = values[..., 0].astype(float) if channels == 1 else values @ LUMA
            wanted = contrast(grey, region, background)
            for name, value in wanted.items():
                # Of colours the single precision of samples may move one to the next bin.
                bound = 2e-3 if name == "gcnr" and channels == 3 else 1e-5 * abs(value)
                assert abs(said[key][name] - value) <= bound, (key, name, said[key][name], value)


def what_cannot_be_measured_is_refused():
    pixels.write_png("a.png", random_picture(1, np.uint8))
    pair = ["compare", "a.png", "a.png"]
    fails(2, "belong together", arguments=[*pair, "--region", "1,1,5,5"])
    fails(2, "--background", "x,1", arguments=[*pair, "--region", "1,1,5,5", "--background", "x,1"])
    fails(2, "beyond", "53×37", arguments=[*pair, "--region", "1,1,5,5", "--background", "40,1,20,9"])
    fails(2, "pixels", arguments=[*pair, "--region", "1,1,5,5", "--background", "4.6,4.6,0.2,0.2"])
    fails(2, "--json", arguments=[*pair, "--json", "--csv"])
    text = run("compare", "--formulas").stdout
    for name in ("PSNR", "SSIM", "MSE", "edge correlation", "SNR", "CNR", "gCNR", "ENL", "speckle index"):
        assert f"{name} = " in text, name
    assert "gCNR = " in run(*pair, "--formulas").stdout


sys.exit(run_cases({
    "noise is what its definition says, pixel by pixel": noise_is_its_definition,
    "frames have noise of their own": frames_have_noise_of_their_own,
    "photon noise has mean and variance of Poisson": events_are_poisson_s,
    "noise is the same on any number of threads": noise_is_the_same_on_any_threads,
    "noise is said, and other words are refused": noise_is_said,
    "MSE and edge correlation are those of SciPy": whole_pictures_are_measured,
    "contrast between regions is that of NumPy": regions_are_measured,
    "what cannot be measured is refused": what_cannot_be_measured_is_refused,
}))
