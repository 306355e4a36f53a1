#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Structure tensors and adaptive filters in four dimensions, by their formulas in NumPy and SciPy, and on the
phantom that beats.

usage: adaptive_time.py ONDELETTE_CLI
"""
import itertools
import pathlib
import sys

import numpy as np
from scipy import ndimage

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "helpers"))
import command_line  # noqa: E402
import mha  # noqa: E402
SIDE, HIGH_SIDE, FREQUENCY, OCTAVES, CUTOFF, STRENGTH, ISOTROPY, N = 3, 5, 1.0, 2.0, 1.5, 2.2, 0.5, 16
SIZES = f"size={SIDE},filter-size={HIGH_SIDE},smoothing=0"


def directions():
    """Edges of a regular simplex; x first, time last."""
    corners = np.array([(1, 1, 1, -1), (1, -1, -1, -1), (-1, 1, -1, -1), (-1, -1, 1, -1), (0, 0, 0, 4)], float)
    corners[:, 3] /= np.sqrt(5)
    edges = np.array([a - b for a, b in itertools.combinations(corners, 2)])
    return edges / np.linalg.norm(edges, axis=1)[:, None]


def duals():
    """The dual frame of n nᵀ, solved for: no formula."""
    tensors = np.array([np.outer(n, n).ravel() for n in directions()])
    return np.linalg.pinv(tensors).T.reshape(-1, 4, 4)


def kernel_of(transfer, side):
    """The inverse transform, windowed, without a mean; axes t, z, y, x."""
    u, k = np.pi * ((2 * np.arange(N) + 1) / N - 1), np.arange(side) - side // 2
    back = np.exp(1j * np.outer(k, u)) / N
    along = np.cos(np.pi / 2 * k / (side // 2 + 1))
    window = np.ones(())
    for axis in range(4):
        transfer = np.moveaxis(np.tensordot(back, transfer, (1, axis)), 0, axis)
        window = np.multiply.outer(window, along)
    kernel = transfer * window
    return kernel - kernel.sum().real / window.sum() * window


def banks():
    u = np.pi * ((2 * np.arange(N) + 1) / N - 1)
    axes = np.meshgrid(u, u, u, u, indexing="ij")[::-1]  # x first
    rho = np.maximum(np.sqrt(sum(a * a for a in axes)), 1e-9)
    radial = np.exp(-4 * np.log(rho / FREQUENCY) ** 2 / (OCTAVES ** 2 * np.log(2)))
    low = np.where(rho < CUTOFF, np.cos(np.pi / 2 * rho / CUTOFF), 0) ** 2
    quadrature, high = [], []
    for n in directions():
        cosine = sum(a * b for a, b in zip(n, axes)) / rho
        quadrature.append(kernel_of(radial * np.where(cosine > 0, cosine ** 2, 0), SIDE))
        high.append(kernel_of((1 - low) * cosine ** 2, HIGH_SIDE).real)
    return quadrature, high


def tensors(x, quadrature):
    tensor = 0
    for kernel, dual in zip(quadrature, duals()):
        magnitude = np.hypot(ndimage.convolve(x, kernel.real, mode="mirror"),
                             ndimage.convolve(x, kernel.imag, mode="mirror"))
        tensor = tensor + magnitude[..., None, None] * dual
    values, vectors = np.linalg.eigh(tensor)
    return np.maximum(values[..., ::-1], 0), vectors[..., ::-1]


def adaptive(x, noise):
    quadrature, high = banks()
    values, vectors = tensors(x, quadrature)
    gains_of = [np.abs(kernel) ** 2 for kernel in quadrature]
    level = STRENGTH * noise * np.sqrt(np.pi / 2 * 4 * gains_of[own_first()].sum() / 2)
    power = (values ** 2).sum(-1) ** 2
    gains = [power / (power + level ** 4)]
    for i in range(1, 4):
        ratio = values[..., i] / np.maximum(values[..., i - 1], 1e-12)
        u, v = (1 - ISOTROPY) * ratio, ISOTROPY * (1 - ratio)
        gains.append(gains[-1] * u ** 2 / (u ** 2 + v ** 2 + 1e-24))
    control = sum(g[..., None, None] * vectors[..., :, None, i] * vectors[..., None, :, i]
                  for i, g in enumerate(gains))
    result, bands = x, 0
    for kernel, dual in zip(high, duals()):
        band = ndimage.convolve(x, kernel, mode="mirror")
        result = result - np.trace(dual) * band
        bands = bands + (control * dual).sum((-2, -1)) * band
    return result + bands


def own_first():
    """The direction whose filter says how much noise there is: (1, 1, 0, 0)."""
    return int(np.argmax(np.abs(directions() @ np.array([1, 1, 0, 0]) / np.sqrt(2))))


def filtered(x, recipe, engine="cpu"):
    mha.write("in.mha", x, mha.UNIT)
    command_line.process("in.mha", "-o", "out.mha", "--force", "-f", recipe, "-e", engine)
    return mha.read("out.mha", x.shape)


def volumes(seed, *size):
    x = np.random.default_rng(seed).uniform(size=size).astype("f4") / 2
    x[:, :, :, size[3] // 2:] += 0.5
    return x


def formulas(engine):
    x = volumes(1, 5, 6, 7, 11)
    got = filtered(x, f"adaptive:noise=0.05,dimensions=4,{SIZES}", engine)
    unequal = np.abs(got - adaptive(x.astype(float), 0.05)).max()
    assert unequal < 2e-5, f"adaptive: off by {unequal}"
    values, _ = tensors(x.astype(float), banks()[0])
    got = filtered(x, f"structure-tensor:output=energy,dimensions=4,size={SIDE},smoothing=0", engine)
    unequal = np.abs(got - np.sqrt((values ** 2).sum(-1))).max()
    assert unequal < 2e-5, f"energy: off by {unequal}"


def symmetric():
    """Volumes mirrored along two axes, as the filters' directions can be, give mirrored results."""
    x = volumes(5, 5, 6, 7, 11)
    for recipe in ("adaptive:noise=0.05,", "structure-tensor:"):
        recipe += f"dimensions=4,{SIZES}" if "noise" in recipe else f"dimensions=4,size={SIDE},smoothing=0"
        wanted, got = filtered(x, recipe), filtered(x[:, :, ::-1, ::-1], recipe)[:, :, ::-1, ::-1]
        assert np.abs(got - wanted).max() < 2e-5, f"{recipe}: off by {np.abs(got - wanted).max()}"


def control_of_one():
    """A control tensor I leaves what it controls as it is."""
    x = volumes(2, 4, 5, 9, 13)
    got = filtered(x, f"adaptive:noise=0,isotropy=0,dimensions=4,{SIZES}")
    assert np.abs(got - x).max() < 1e-5, f"off by {np.abs(got - x).max()}"


def psnr(a, b):
    return -10 * np.log10(((a - b) ** 2).mean())


def less_noise():
    """In a volume of the phantom that beats, 4D is better than 3D, and that than slice by slice."""
    width, depth, number = 64, 48, 10
    name, shape = f"phantom:{width}x{width}x{depth}x20,noise=gaussian,sigma=0.1", (depth, width, width)
    frames = ["--frames", f"{number * depth + 1}-{(number + 1) * depth}"]

    def volume(source, *recipe):
        command_line.process(source, "-o", "volume.mha", "--force", *frames, *recipe)
        return mha.read("volume.mha", shape) / 4095

    clean = volume(name + ",clean")
    noisy = psnr(volume(name), clean)
    flat, deep, moving = (
        psnr(volume(name, "-f", f"adaptive:noise=0.1,size=5,filter-size=7,dimensions={dimensions}"), clean)
        for dimensions in (2, 3, 4))
    print(f"# noisy {noisy:.2f} dB, 2D {flat:.2f}, 3D {deep:.2f}, 4D {moving:.2f}")
    assert moving > deep + 0.5 and deep > flat + 0.1, (flat, deep, moving)


def alone():
    """A volume that stands alone is filtered in three dimensions, which is said."""
    x = volumes(3, 1, 5, 9, 13)
    mha.write("in.mha", x, mha.UNIT)
    done = command_line.process("in.mha", "-o", "out.mha", "-f", f"adaptive:noise=0.05,dimensions=4,{SIZES}")
    command_line.process("in.mha", "-o", "deep.mha", "-f", f"adaptive:noise=0.05,dimensions=3,{SIZES}")
    assert "3 dimensions" in done.stderr, done.stderr
    assert (mha.read("out.mha", x.shape[1:]) == mha.read("deep.mha", x.shape[1:])).all()


sys.exit(command_line.run_cases(
    {f"tensors and adaptive filters on {engine} are what NumPy makes": lambda engine=engine: formulas(engine)
     for engine in ("cpu", "reference", "gl-compute")}
    | {"mirrored volumes give mirrored results": symmetric,
       "a control tensor I changes nothing": control_of_one, "time takes away more noise": less_noise,
       "a volume alone has three dimensions": alone}))
