#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""BM3D, by its papers in NumPy, and by the figures that the IPOL program reaches.

usage: bm3d.py ONDELETTE_CLI
"""
import pathlib
import sys

import numpy as np
import pywt
import pywt.data
from scipy import fft, linalg

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
import command_line  # noqa: E402
import pixels  # noqa: E402
ENGINES = ["cpu", "reference", "gl-compute"]
FULL = 65535
SIDE, REACH, STEP = 8, 19, 3
# What PSNR must be: the bars of this project; the IPOL program reaches 0.2 dB more.
BARS = {("camera", 25): 32.8, ("ascent", 50): 27.2}


def wavelets():
    """Three levels of bior1.5 with periodic borders, rows of norm 1."""
    short = {"mode": "periodization", "level": 1}
    rows = np.eye(SIDE)
    for n in (8, 4, 2):
        level = np.eye(SIDE)
        level[:n, :n] = np.array([np.concatenate(pywt.wavedec(e, "bior1.5", **short)) for e in np.eye(n)]).T
        rows = level @ rows
    return rows / np.linalg.norm(rows, axis=1)[:, None]


def places(length):
    return sorted({*range(0, length - SIDE + 1, STEP), length - SIDE})


def group(blocks, y, x, most, farthest):
    """Where the blocks are that look like the one at y, x: a power of two of them."""
    top, left = max(y - REACH, 0), max(x - REACH, 0)
    window = blocks[top:y + REACH + 1, left:x + REACH + 1]
    distances = ((window - blocks[y, x]) ** 2).sum(axis=(2, 3))
    distances[y - top, x - left] = -1
    order = np.argsort(distances, axis=None, kind="stable")[:most]
    order = order[distances.flat[order] <= farthest]
    n = 1 << (len(order).bit_length() - 1)
    return np.array(np.unravel_index(order[:n], distances.shape)) + [[top], [left]]


def step(samples, sigma, guide=None):
    forward = wavelets() if guide is None else fft.dct(np.eye(SIDE), norm="ortho", axis=0)
    back = np.linalg.inv(forward)
    most, mean = (16, 4) if guide is None else (32, 0.64)
    blocks = np.lib.stride_tricks.sliding_window_view(samples, (SIDE, SIDE))
    guides = blocks if guide is None else np.lib.stride_tricks.sliding_window_view(guide, (SIDE, SIDE))
    window = np.outer(np.kaiser(SIDE, 2), np.kaiser(SIDE, 2))
    sums, weights = np.zeros_like(samples), np.zeros_like(samples)
    for y in places(samples.shape[0]):
        for x in places(samples.shape[1]):
            rows, columns = group(guides, y, x, most, mean * (SIDE * sigma) ** 2)
            along = linalg.hadamard(len(rows)) / np.sqrt(len(rows))

            def spectrum(of):
                return np.einsum("gh,ij,hjk,lk->gil", along, forward, of[rows, columns], forward)

            found = spectrum(blocks)
            if guide is None:
                factors = (abs(found) > 2.7 * sigma).astype(float)
            else:
                squares = spectrum(guides) ** 2
                factors = squares / (squares + sigma ** 2)
            weight = 1 / max((factors ** 2).sum(), 1 if guide is None else 1e-3)
            result = np.einsum("gh,ij,hjk,lk->gil", along, back, found * factors, back)
            for row, column, block in zip(rows, columns, result):
                sums[row:row + SIDE, column:column + SIDE] += weight * window * block
                weights[row:row + SIDE, column:column + SIDE] += weight * window
    return sums / weights


def by_its_papers(engine):
    rng = np.random.default_rng(3)
    for i, shape in enumerate([(41, 58), (8, 30)]):
        clean = np.kron(rng.integers(0, 6, (shape[0] // 8 + 1, shape[1] // 8 + 1)) / 5, np.ones((8, 8)))
        noisy = np.clip(clean[:shape[0], :shape[1]] + rng.normal(0, 0.07, shape), 0, 1)
        stored = np.rint(FULL * noisy).astype(np.uint16)
        pixels.write_png(f"in-{i}.png", stored[..., None])
        got, = command_line.process_each([f"in-{i}.png"], "bm3d:sigma=0.07", engine)
        samples = stored / FULL
        unequal = np.abs(got / FULL - step(samples, 0.07, step(samples, 0.07))).max()
        assert unequal < 1e-5, f"{shape}: {unequal}"


def reaches_the_figures(engine):
    for (name, sigma), bar in BARS.items():
        clean = getattr(pywt.data, name)().astype(float)
        noisy = clean + np.random.default_rng(7).normal(0, sigma, clean.shape)
        stored = np.rint((noisy + 128) / 511 * FULL).astype(np.uint16)
        pixels.write_png(f"{name}.png", stored[..., None])
        got, = command_line.process_each([f"{name}.png"], f"bm3d:sigma={sigma / 511:.6f}", engine)
        result = np.clip(got / FULL * 511 - 128, 0, 255)
        psnr = 10 * np.log10(255 ** 2 / ((result - clean) ** 2).mean())
        print(f"# {name}, sigma {sigma}: {psnr:.2f} dB")
        assert psnr >= bar, f"{name} with sigma {sigma}: {psnr:.2f} dB, not {bar}"


CASES = {f"by its papers, on {engine}": lambda engine=engine: by_its_papers(engine) for engine in ENGINES}
CASES["reaches the figures of its papers"] = lambda: reaches_the_figures("cpu")
sys.exit(command_line.run_cases(CASES))
