#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""BM3D against noise whose neighbours are alike: by its paper in NumPy, what is measured, and decibels.

usage: bm3d_noise.py ONDELETTE_CLI
"""
import pathlib
import re
import sys

import numpy as np
import pywt.data
from scipy import linalg, ndimage

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
import command_line  # noqa: E402
import pixels  # noqa: E402
from bm3d_parts import COSINES, Noise, SIDE, coloured, group, places, profile_of, text, wavelets, whitening  # noqa: E402
from once import once  # noqa: E402
ENGINES = ["cpu", "reference", "gl-compute"]
FULL = 65535
# What BM3D must make of noise of σ = 25 smoothed by 2 and 0.7 pixels; bivariate makes 27.2 and 26.1.
BARS = {"camera": 28.2, "ascent": 27.1}


@once
def step(samples, sigma, profile, guide=None):
    forward = wavelets() if guide is None else COSINES
    back, noise = np.linalg.inv(forward), Noise(profile, forward)
    most = 16 if guide is None else 32
    searched = np.lib.stride_tricks.sliding_window_view(
        ndimage.convolve(samples, whitening(profile), mode="mirror"), (SIDE, SIDE))
    blocks = np.lib.stride_tricks.sliding_window_view(samples, (SIDE, SIDE))
    guides = blocks if guide is None else np.lib.stride_tricks.sliding_window_view(guide, (SIDE, SIDE))
    window = np.outer(np.kaiser(SIDE, 2), np.kaiser(SIDE, 2))
    sums, weights = np.zeros_like(samples), np.zeros_like(samples)
    for y in places(samples.shape[0]):
        for x in places(samples.shape[1]):
            rows, columns = group(searched, y, x, most, 12 * (SIDE * sigma) ** 2)
            along = linalg.hadamard(len(rows)) / np.sqrt(len(rows))
            variances = noise.of_group(np.stack([0 * rows, rows, columns], axis=1), along)

            def spectrum(of):
                return np.einsum("gh,ij,hjk,lk->gil", along, forward, of[rows, columns], forward, optimize=True)

            found = spectrum(blocks)
            if guide is None:
                factors = (abs(found) > 2.7 * sigma * np.sqrt(variances)).astype(float)
            else:
                squares = spectrum(guides) ** 2
                factors = squares / (squares + 1.5 * sigma ** 2 * variances)
            factors[0, 0, 0] = 1  # the mean of the group stays
            weight = 1 / max((factors ** 2 * variances).sum(), 1 if guide is None else 1e-3)
            result = np.einsum("gh,ij,hjk,lk->gil", along, back, found * factors, back, optimize=True)
            for row, column, block in zip(rows, columns, result):
                sums[row:row + SIDE, column:column + SIDE] += weight * window * block
                weights[row:row + SIDE, column:column + SIDE] += weight * window
    return sums / weights


def write(name, picture):
    stored = np.rint(np.clip(picture, 0, 1) * FULL).astype(np.uint16)
    pixels.write_png(name, stored[..., None])
    return stored / FULL


def by_its_paper(engine):
    rng = np.random.default_rng(3)
    profile = np.array([[float(f"{value:.4g}") for value in row] for row in profile_of(coloured((256, 256)), 1)])
    for i, shape in enumerate([(33, 46), (8, 30)]):
        clean = np.kron(rng.integers(0, 6, (shape[0] // 8 + 1, shape[1] // 8 + 1)) / 5, np.ones((8, 8)))
        samples = write(f"in-{i}.png", 0.15 + 0.7 * clean[:shape[0], :shape[1]] + 0.04 * coloured(shape, seed=5 + i))
        got, = command_line.process_each([f"in-{i}.png"], f"bm3d:sigma=0.04,profile={text(profile)}", engine)
        wanted = step(samples, 0.04, profile, step(samples, 0.04, profile))
        unequal = np.abs(got / FULL - wanted).max()
        assert unequal < 2e-5, f"{shape}: {unequal}"
        assert np.abs(wanted - step(samples, 0.04, np.ones((SIDE, SIDE)), step(samples, 0.04, np.ones((SIDE, SIDE))))
                      ).max() > 0.01  # of white noise it would be another picture


def parameters(words):
    values = dict(pair.split("=") for pair in re.search(r"bm3d:(\S+)", words)[1].split(","))
    rows = [row.split(":") for row in values["profile"].split("/")]
    rows += [rows[-1]] * (SIDE - len(rows))
    return float(values["sigma"]), np.array([[float(x) for x in (row * SIDE)[:SIDE]] for row in rows])


def is_measured():
    """By all blocks of a part in NumPy, less its plane; of a σ that is given they are shares."""
    y, x = np.mgrid[:300, :400]
    samples = write("in.png", 0.3 + x / 2000 + y / 3000 + 0.05 * coloured((300, 400)))
    part = samples[40:200, 100:280]
    plane = np.stack([np.ones(part.shape), x[:160, :180], y[:160, :180]], axis=-1).reshape(-1, 3)
    noise = part - (plane @ np.linalg.lstsq(plane, part.ravel(), rcond=None)[0]).reshape(part.shape)
    wanted = profile_of(noise, 1)
    for given in ("", ",sigma=0.07"):
        words = command_line.process("in.png", "-o", "out.tif", "--force", "-f", "bm3d:profile=auto" + given,
                                     "--sigma-from", "100,40,180,160").stderr
        sigma, profile = parameters(words)
        ratio = sigma * profile / wanted
        print(f"# of a part {ratio.min():.4f} to {ratio.max():.4f} of NumPy's")
        assert np.all(abs(ratio - 1) < 0.01), ratio
        assert abs(sigma / (0.07 if given else np.sqrt((wanted ** 2).mean())) - 1) < 0.006, sigma
    # Of all of a picture that is nothing but noise it is that of its blocks.
    samples = write("in.png", 0.5 + 0.05 * coloured((512, 512)))
    sigma, profile = parameters(command_line.process(
        "in.png", "-o", "out.tif", "--force", "-f", "bm3d:profile=auto").stderr)
    ratio = sigma * profile / profile_of(samples - samples.mean(), 1)
    print(f"# of a picture {ratio.min():.3f} to {ratio.max():.3f}")
    assert np.all(abs(ratio - 1) < 0.12), ratio


def pays():
    for name, bar in BARS.items():
        clean = getattr(pywt.data, name)().astype(float)
        picture = (clean + 25 * coloured(clean.shape) + 128) / 511
        write("flat.png", (25 * coloured(clean.shape) + 255) / 511)
        words = command_line.process("flat.png", "-o", "no.tif", "--force", "-f", "bm3d:effort=fast,profile=auto",
                                     "--sigma-from", "0,0,512,512").stderr
        sigma, profile = parameters(words)
        write("in.png", picture)
        got = {"one σ": f"bm3d:sigma={25 / 511:.6f}", "by a part": f"bm3d:sigma={sigma},profile={text(profile)}",
               "by the picture": "bm3d:profile=auto"}
        for what, recipe in got.items():
            result, = command_line.process_each(["in.png"], recipe, "cpu")
            error = np.clip(result / FULL * 511 - 128, 0, 255) - clean
            got[what] = 10 * np.log10(255 ** 2 / np.mean(error ** 2))
        print(f"# {name}: " + ", ".join(f"{key} {value:.2f} dB" for key, value in got.items()))
        assert got["by a part"] >= bar and got["by the picture"] > got["one σ"] + 1, got


def words_say_so():
    write("in.png", np.full((32, 32), 0.5))
    for words in ("1:2", "1/1/1/1/1/1/1/1/1", "17", "x", ""):
        command_line.fails(2, "profile", arguments=["process", "in.png", "-o", "no.png", "-f", f"bm3d:profile={words}"])
    done = command_line.process("in.png", "-o", "out.tif", "--force", "-f", "bm3d:sigma=0.1,profile=2/1")
    assert done.returncode == 0, done.stderr


CASES = {f"by its paper, on {engine}": lambda engine=engine: by_its_paper(engine) for engine in ENGINES}
CASES |= {"the profile is measured": is_measured, "the profile pays": pays, "words": words_say_so}
sys.exit(command_line.run_cases(CASES))
