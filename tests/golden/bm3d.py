#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""BM3D, by its papers in NumPy, and by the figures that the IPOL program reaches.

usage: bm3d.py ONDELETTE_CLI
"""
import pathlib
import re
import sys

import numpy as np
import pywt
import pywt.data
from scipy import fft, linalg, ndimage

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
import command_line  # noqa: E402
import mha  # noqa: E402
import pixels  # noqa: E402
from bm3d_parts import SIDE, group, places, wavelets  # noqa: E402
from once import once  # noqa: E402
ENGINES = ["cpu", "reference", "gl-compute"]
FULL = 65535
# What PSNR must be: the bars of this project; the IPOL program reaches 0.2 dB more.
BARS = {("camera", 25): 32.8, ("ascent", 50): 27.2}


@once
def step(samples, sigma, guide=None, seen=None):
    """`seen`: in which blocks are compared, where that is another picture."""
    forward = wavelets() if guide is None else fft.dct(np.eye(SIDE), norm="ortho", axis=0)
    back = np.linalg.inv(forward)
    most, mean = (16, 4) if guide is None else (32, 0.64)
    blocks = np.lib.stride_tricks.sliding_window_view(samples, (SIDE, SIDE))
    guides = blocks if guide is None else np.lib.stride_tricks.sliding_window_view(guide, (SIDE, SIDE))
    compared = guides if seen is None else np.lib.stride_tricks.sliding_window_view(seen, (SIDE, SIDE))
    window = np.outer(np.kaiser(SIDE, 2), np.kaiser(SIDE, 2))
    sums, weights = np.zeros_like(samples), np.zeros_like(samples)
    for y in places(samples.shape[0]):
        for x in places(samples.shape[1]):
            rows, columns = group(compared, y, x, most, mean * (SIDE * sigma) ** 2)
            along = linalg.hadamard(len(rows)) / np.sqrt(len(rows))

            def spectrum(of):
                return np.einsum("gh,ij,hjk,lk->gil", along, forward, of[rows, columns], forward, optimize=True)

            found = spectrum(blocks)
            if guide is None:
                factors = (abs(found) > 2.7 * sigma).astype(float)
            else:
                squares = spectrum(guides) ** 2
                factors = squares / (squares + sigma ** 2)
            weight = 1 / max((factors ** 2).sum(), 1 if guide is None else 1e-3)
            result = np.einsum("gh,ij,hjk,lk->gil", along, back, found * factors, back, optimize=True)
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


def by_the_luma(engine):
    """CBM3D: opponent colours, of which the groups of the luma are those of all."""
    rng = np.random.default_rng(4)
    opponents = np.array([[1, 1, 1], [1, 0, -1], [1, -2, 1]])
    opponents = opponents / np.linalg.norm(opponents, axis=1, keepdims=True)
    for i, shape in enumerate([(33, 46), (6, 11)]):
        clean = np.kron(0.3 + 0.1 * rng.integers(0, 5, (5, 6, 3)), np.ones((8, 8, 1)))[:shape[0], :shape[1]]
        noisy = np.clip(clean + rng.normal(0, 0.05, clean.shape), 0, 1)
        stored = np.rint(FULL * noisy).astype(np.uint16)
        pixels.write_png(f"in-{i}.png", stored)
        command_line.process(f"in-{i}.png", "-o", f"out-{i}.tif", "--force", "-f", "bm3d:sigma=0.05", "-f",
                             "colour=opponent", "-e", engine)
        got = pixels.read_tiff(f"out-{i}.tif")[1] / FULL

        def padded(channel):
            return np.pad(channel[:shape[0], :shape[1]], [(0, max(SIDE - side, 0)) for side in shape], "symmetric")

        came = [padded(channel) for channel in np.tensordot(opponents, stored / FULL, (1, 2))]
        first = [padded(step(channel, 0.05, None, came[0])) for channel in came]
        second = [step(channel, 0.05, guide, first[0]) for channel, guide in zip(came, first)]
        wanted = np.tensordot(second, opponents, (0, 0))[:shape[0], :shape[1]]
        unequal = np.abs(got - wanted).max()
        assert unequal < 2e-5, f"{shape}: {unequal}"
        red = padded(stored[..., 0] / FULL)
        alone = step(red, 0.05, padded(step(red, 0.05)))[:shape[0], :shape[1]]
        assert np.abs(alone - wanted[..., 0]).max() > 0.003  # channel by channel


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


def noise_of(frame):
    """σ by the median of |HH| at every sample."""
    high = np.array(pywt.Wavelet("bior4.4").dec_hi)[1:8]
    finest = ndimage.convolve1d(ndimage.convolve1d(frame, high, axis=0, mode="mirror"), high, axis=1, mode="mirror")
    return np.sort(abs(finest), axis=None)[finest.size // 2] / 0.6745 / (high ** 2).sum()


def a_movie():
    """Frames with more and with less noise, and one without."""
    rng = np.random.default_rng(9)
    clean = np.kron(0.3 + 0.1 * rng.integers(0, 5, (4, 4)), np.ones((25, 25)))[:75, :90]
    levels = (0.02, 0.08, 0, 0.04)
    return np.array([clean + level * rng.normal(0, 1, clean.shape) for level in levels]).astype("f4")


def each_frame_has_its_noise(engine):
    frames = a_movie()
    mha.write("in.mha", frames[:, None], mha.UNIT)

    def through(recipe, *more):
        command_line.process("in.mha", "-o", "out-%d.tif", "--force", "-f", recipe, "-e", engine, *more)
        return np.array([pixels.read_tiff(f"out-{k + 1}.tif")[1][..., 0] for k in range(len(frames))])

    got = through("bm3d:effort=fast,sigma=each-frame")
    assert (got[2] == frames[2]).all(), "without noise a frame stays"
    for k in (0, 1, 3):
        sigma = noise_of(frames[k].astype(float))
        wanted = through(f"bm3d:effort=fast,sigma={sigma:.9g}")[k]
        others = np.mean(abs(got[k] - wanted) > 1e-5)
        assert others < 0.01, f"frame {k + 1}, σ {sigma}: {others} of the samples are others"
        moved = np.abs(wanted - frames[k]).mean()
        assert moved > 0.5 * sigma, f"frame {k + 1}: moved by {moved}"
    # By itself, too; and what is asked for is not replaced by a number.
    done = command_line.process("in.mha", "-o", "alone.tif", "--force", "-f", "bm3d:effort=fast,sigma=each-frame",
                                "-e", engine, "--frame", 2)
    assert not re.search("sigma=[0-9]", done.stderr), done.stderr
    assert (pixels.read_tiff("alone.tif")[1][..., 0] == got[1]).all()


def each_frame_has_its_limits():
    """What it cannot go with is said; measured once is another thing."""
    mha.write("in.mha", a_movie()[:, None], mha.UNIT)
    for more, words in ((",frames=3", "frames=1"), (",profile=2/1", "white")):
        done = command_line.process("in.mha", "-o", "out-%d.tif", "--force", "-f", "bm3d:sigma=each-frame" + more)
        assert "each-frame" in done.stderr and words in done.stderr, done.stderr
    done = command_line.process("in.mha", "-o", "out-%d.tif", "--force", "-f", "bm3d:effort=fast,sigma=each-frame",
                                "--sigma-from", "10,10,60,60")
    assert re.search("sigma=0[.][0-9]", done.stderr), done.stderr  # of a part, once
    command_line.fails(2, "sigma", arguments=["process", "in.mha", "-o", "out-%d.tif", "--force", "-f", "bm3d:sigma=frame"])


CASES = {f"by its papers, on {engine}": lambda engine=engine: by_its_papers(engine) for engine in ENGINES}
CASES |= {f"each frame has its noise, on {engine}": lambda engine=engine: each_frame_has_its_noise(engine)
          for engine in ENGINES}
CASES |= {f"all channels by the luma, on {engine}": lambda engine=engine: by_the_luma(engine) for engine in ENGINES}
CASES["each-frame has its limits"] = each_frame_has_its_limits
CASES["reaches the figures of its papers"] = lambda: reaches_the_figures("cpu")
sys.exit(command_line.run_cases(CASES))
