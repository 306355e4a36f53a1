#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Structure tensors and adaptive filters, by their formulas in NumPy and SciPy, through the command line.

usage: tensor.py ONDELETTE_CLI
"""
import pathlib
import sys

import numpy as np
from scipy import ndimage
from skimage import data

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
import command_line  # noqa: E402
import mha  # noqa: E402
import pixels  # noqa: E402
ENGINES = ["cpu", "cpu:fft", "reference", "gl-compute"]  # of cpu:fft the kernels share a transform
FREQUENCY, OCTAVES, SIDE, SMOOTHING = 1.0, 2.0, 9, 1.5
HIGH_SIDE, CUTOFF, STRENGTH, ISOTROPY = 11, 1.5, 2.2, 0.5


def directions(dimensions):
    if dimensions == 2:
        return [np.array([np.cos(a), np.sin(a)]) for a in np.pi / 4 * np.arange(4)]
    a, b = 2, 1 + np.sqrt(5)
    vertices = np.array([(a, 0, b), (-a, 0, b), (b, a, 0), (b, -a, 0), (0, b, a), (0, b, -a)])
    return list(vertices / np.linalg.norm(vertices[0]))


def duals(dimensions):
    """The dual frame of n nᵀ, solved for: no formula."""
    tensors = np.array([np.outer(n, n).ravel() for n in directions(dimensions)])
    return np.linalg.pinv(tensors).T.reshape(-1, dimensions, dimensions)


def frequencies(dimensions):
    u = np.pi * ((np.arange(64) + 0.5) / 32 - 1)
    axes = np.meshgrid(*[u] * dimensions, indexing="ij")[::-1]  # x first
    return axes, np.maximum(np.sqrt(sum(a * a for a in axes)), 1e-9)


def kernel_of(transfer, side):
    """The inverse transform, windowed, without a mean."""
    u, k = np.pi * ((np.arange(64) + 0.5) / 32 - 1), np.arange(side) - side // 2
    back = np.exp(1j * np.outer(k, u)) / 64
    along = np.cos(np.pi / 2 * k / (side // 2 + 1))
    window = np.ones(())
    for axis in range(transfer.ndim):
        transfer = np.moveaxis(np.tensordot(back, transfer, (1, axis)), 0, axis)
        window = np.multiply.outer(window, along)
    kernel = transfer * window
    return kernel - kernel.sum().real / window.sum() * window


def banks(dimensions):
    axes, rho = frequencies(dimensions)
    radial = np.exp(-4 * np.log(rho / FREQUENCY) ** 2 / (OCTAVES ** 2 * np.log(2)))
    low = np.where(rho < CUTOFF, np.cos(np.pi / 2 * rho / CUTOFF), 0) ** 2
    quadrature, high = [], []
    for n in directions(dimensions):
        cosine = sum(a * b for a, b in zip(n, axes)) / rho
        quadrature.append(kernel_of(radial * np.where(cosine > 0, cosine ** 2, 0), SIDE))
        high.append(kernel_of((1 - low) * cosine ** 2, HIGH_SIDE).real)
    return quadrature, high


def tensors(x, quadrature):
    """Eigenvalues, the largest first, and their vectors, of the tensors of all samples."""
    radius = int(np.ceil(3 * SMOOTHING))
    line = np.exp(-np.arange(-radius, radius + 1) ** 2 / (2 * SMOOTHING ** 2))
    tensor = 0
    for kernel, dual in zip(quadrature, duals(x.ndim)):
        magnitude = np.hypot(ndimage.convolve(x, kernel.real, mode="mirror"),
                             ndimage.convolve(x, kernel.imag, mode="mirror"))
        for axis in range(x.ndim):
            magnitude = ndimage.convolve1d(magnitude, line / line.sum(), axis, mode="mirror")
        tensor = tensor + magnitude[..., None, None] * dual
    values, vectors = np.linalg.eigh(tensor)
    return tensor, np.maximum(values[..., ::-1], 0), vectors[..., ::-1]


def adaptive(x, noise):
    """The filter as its header says, with eigenvectors."""
    quadrature, high = banks(x.ndim)
    _, values, vectors = tensors(x, quadrature)
    level = STRENGTH * noise * np.sqrt(np.pi / 2 * x.ndim * (np.abs(quadrature[0]) ** 2).sum() / 2)
    power = (values ** 2).sum(-1) ** 2
    gains = [power / (power + level ** 4)]
    for i in range(1, x.ndim):
        ratio = values[..., i] / np.maximum(values[..., i - 1], 1e-12)
        u, v = (1 - ISOTROPY) * ratio, ISOTROPY * (1 - ratio)
        gains.append(gains[-1] * u ** 2 / (u ** 2 + v ** 2 + 1e-24))
    control = sum(g[..., None, None] * vectors[..., :, None, i] * vectors[..., None, :, i]
                  for i, g in enumerate(gains))
    result, bands = x, 0
    for kernel, dual in zip(high, duals(x.ndim)):
        band = ndimage.convolve(x, kernel, mode="mirror")
        result = result - np.trace(dual) * band
        bands = bands + (control * dual).sum((-2, -1)) * band
    return result + bands


def picture(seed, noise=0.1):
    """Steps and waves in 61 × 47 samples of 8 bits."""
    y, x = np.mgrid[:47, :61]
    clean = 0.5 + 0.2 * np.sin(0.4 * x + 0.25 * y) + 0.25 * (x > 30) - 0.2 * (y > x)
    noisy = clean + np.random.default_rng(seed).normal(0, noise, clean.shape)
    return np.clip(np.round(255 * noisy), 0, 255).astype(np.uint8)


def filtered(samples, recipe, engine="cpu"):
    pixels.write_png("in.png", samples[..., None])
    return command_line.process_each(["in.png"], recipe, engine)[0].astype(np.float64) / 255


def volume(x, recipe, engine="cpu"):
    mha.write("in.mha", x, mha.UNIT)
    for old in pathlib.Path(".").glob("out-*.tif"):
        old.unlink()
    command_line.process("in.mha", "-o", "out-%03d.tif", "-f", recipe, "-e", engine)
    return np.array([pixels.read_tiff(f"out-{z + 1:03d}.tif")[1][..., 0]
                     for z in range(len(x))]).astype(np.float64)


def close(got, wanted, what, bound=2e-5):
    unequal = np.abs(got - wanted).max()
    assert unequal <= bound, f"{what}: off by {unequal}"


def views(engine):
    noise, samples = 0.02, picture(1)
    tensor, values, _ = tensors(samples / 255, banks(2)[0])
    most = values[..., 0] + noise
    for output, wanted in {
            "energy": np.sqrt((values ** 2).sum(-1)),
            "certainty": (values[..., 0] - values[..., 1]) / most,
            "cosine": 0.5 + (tensor[..., 0, 0] - tensor[..., 1, 1]) / most / 2,
            "sine": 0.5 + tensor[..., 0, 1] / most}.items():
        close(filtered(samples, f"structure-tensor:output={output}", engine), wanted, output)


def turned():
    """Waves of any direction: a certainty near 1, and their direction."""
    y, x = np.mgrid[:64, :64]
    for degrees in range(0, 180, 15):
        a = np.radians(degrees)
        wave = np.round(127.5 + 100 * np.cos(x * np.cos(a) + y * np.sin(a))).astype(np.uint8)
        certainty, cosine, sine = (
            filtered(wave, f"structure-tensor:noise=0.01,output={output}")[16:-16, 16:-16]
            for output in ("certainty", "cosine", "sine"))
        found = np.degrees(np.arctan2(2 * sine - 1, 2 * cosine - 1)) / 2
        off = np.abs((found - degrees + 90) % 180 - 90).max()
        assert off < 2 and certainty.min() > 0.8, f"{degrees}°: {off} off, certainty {certainty.min()}"


def turned_in_space():
    """The same of volumes; in all directions the same energy."""
    z, y, x = np.mgrid[:31, :31, :31]
    energies = []
    for n in np.random.default_rng(8).normal(size=(8, 3)):
        n /= np.linalg.norm(n)
        wave = (0.5 + 0.4 * np.cos(n[0] * x + n[1] * y + n[2] * z)).astype("f4")
        energy, certainty, cosine, sine = (
            volume(wave, f"structure-tensor:noise=0.01,output={output},dimensions=3")[9:-9, 9:-9, 9:-9]
            for output in ("energy", "certainty", "cosine", "sine"))
        energies.append(energy.mean())
        found = np.degrees(np.arctan2(2 * sine - 1, 2 * cosine - 1)) / 2
        off = np.abs((found - np.degrees(np.arctan2(n[1], n[0])) + 90) % 180 - 90).max()
        assert off < 4 and certainty.min() > 0.8, f"{n}: {off} off, certainty {certainty.min()}"
    assert np.ptp(energies) < 0.04 * np.mean(energies), energies


def symmetric(engine):
    """Mirrored samples give mirrored results; volumes whose axes change places, too."""
    samples = picture(9)
    cube = np.random.default_rng(10).uniform(size=(9, 11, 13)).astype("f4")
    for recipe in ("structure-tensor:", "adaptive:noise=0.05,"):
        flat, deep = filtered(samples, recipe + "dimensions=2", engine), volume(cube, recipe + "dimensions=3", engine)
        close(filtered(samples[:, ::-1], recipe + "dimensions=2", engine), flat[:, ::-1], recipe + " 2D")
        for axis in range(3):
            close(volume(np.flip(cube, axis), recipe + "dimensions=3", engine), np.flip(deep, axis), f"{recipe} {axis}")
        close(volume(cube.transpose(1, 2, 0), recipe + "dimensions=3", engine), deep.transpose(1, 2, 0),
              f"{recipe}, axes in other places")


def denoises(engine):
    samples = picture(2)
    close(filtered(samples, "adaptive:noise=0.1", engine), adaptive(samples / 255, 0.1), "2D")
    cube = np.random.default_rng(3).uniform(size=(9, 11, 13)).astype("f4")
    cube[:, :, 6:] += 1
    close(volume(cube / 2, "adaptive:noise=0.05,dimensions=3", engine),
          adaptive(cube.astype(float) / 2, 0.05), "3D")


def control_of_one():
    """A control tensor I leaves what it controls as it is."""
    samples = picture(4)
    recipe = "adaptive:noise=0,isotropy=0,smoothing=0"
    close(filtered(samples, recipe), samples / 255, "2D", 1e-5)
    cube = np.random.default_rng(5).uniform(size=(7, 21, 19)).astype("f4")
    close(volume(cube, recipe + ",dimensions=3"), cube, "3D", 1e-5)


def psnr(a, b):
    return -10 * np.log10(((a - b) ** 2).mean())


def less_noise():
    """Better than the best Gaussian in two dimensions; in three better than slice by slice."""
    rng = np.random.default_rng(6)
    clean = data.camera() / 255
    noisy = np.clip(np.round(255 * (clean + rng.normal(0, 25 / 255, clean.shape))), 0, 255).astype(np.uint8)
    own = psnr(filtered(noisy, "adaptive:noise=0.098"), clean)
    others = max(psnr(ndimage.gaussian_filter(noisy / 255, s), clean) for s in np.arange(0.5, 2, 0.1))
    assert own > others + 1, f"{own} dB, the best Gaussian {others}"

    z, y, x = np.mgrid[:32, :64, :64] / 64  # a slanting vessel before a slanting wall
    clean = 0.3 + 0.4 * (np.hypot(x - 0.3 - 0.5 * z, y - 0.45 - 0.3 * z) < 0.2) + 0.2 * (x + z > 0.9)
    noisy = (clean + rng.normal(0, 0.1, clean.shape)).astype("f4")
    flat, deep = (psnr(volume(noisy, "adaptive:noise=0.1,dimensions=" + n), clean) for n in "23")
    print(f"# 2D: {own:.2f} dB, Gaussian {others:.2f}; volume: 2D {flat:.2f}, 3D {deep:.2f}, "
          f"noisy {psnr(noisy, clean):.2f}")
    assert deep > flat + 1, f"3D {deep} dB, 2D {flat}"


def pictures_and_engines():
    """A picture is a plane, which is said; engines without the steps refuse them and name one that has them."""
    pixels.write_png("in.png", picture(7)[..., None])
    done = command_line.process("in.png", "-o", "out.tif", "-f", "adaptive:dimensions=3", "-e", "cpu")
    assert "all slices of a volume" in done.stderr, done.stderr
    command_line.fails(1, "gl-fragment", "steer",
                       arguments=["process", "in.png", "-o", "no.tif", "-f", "adaptive", "-e", "gl-fragment"])


sys.exit(command_line.run_cases(
    {f"views on {engine} are what NumPy makes": lambda engine=engine: views(engine) for engine in ENGINES}
    | {f"adaptive filters on {engine} are what NumPy makes": lambda engine=engine: denoises(engine)
       for engine in ENGINES}
    | {f"mirrored samples give mirrored results on {engine}": lambda engine=engine: symmetric(engine) for engine in ENGINES}
    | {"waves show their direction": turned, "waves in space, too": turned_in_space, "a control tensor I changes nothing": control_of_one,
       "there is less noise, and less still in three dimensions": less_noise,
       "pictures are planes, and engines refuse what they lack": pictures_and_engines}))
