#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Convolution against SciPy, quadrature filters by their transfer functions, and kernels from files.

usage: convolve.py ONDELETTE_CLI
"""
import pathlib
import pickle
import sys

import numpy as np
from scipy import ndimage

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
import command_line  # noqa: E402
import mha  # noqa: E402
import pixels  # noqa: E402
from once import once  # noqa: E402
ENGINES = ["cpu", "cpu:fft", "reference", "gl-fragment", "gl-compute", "gl-compute:fft"]
SIZES = [(61, 47), (5, 131), (17, 1), (337, 331)]
MODES = {"zero": "constant", "symmetric": "mirror", "periodic": "wrap"}
# Of what a kernel makes of a full-scale picture at most: rounding of 289 products in single precision.
TOLERANCE = 1e-6


def write_sources(rng):
    """Pictures of 8 and 16 bits of all sizes: samples and paths."""
    pictures = [rng.integers(0, 256 if i % 2 else 65536, size).astype(np.uint8 if i % 2 else np.uint16)
                for i, size in enumerate(SIZES)]
    for i, picture in enumerate(pictures):
        pixels.write_png(f"in-{i}.png", picture[..., None])
    return pictures, [f"in-{i}.png" for i in range(len(pictures))]


def write_kernels(rng):
    """Kernels as they are read, and their files: every way to write them."""
    def normal(*size):
        return rng.normal(size=size).astype(np.float32)
    kernels = {"a.npy": normal(3, 3), "b.npy": normal(17, 17), "c.npy": normal(5, 13),
               "d.txt": normal(9, 7), "e.mha": normal(11, 3), "f.npy": normal(1, 15),
               "g.npy": np.outer(normal(13), normal(11)).astype(np.float32),
               "h.npy": rng.integers(-9, 9, (7, 5))}
    np.save("a.npy", kernels["a.npy"].astype(np.float64))
    np.save("b.npy", kernels["b.npy"].astype(">f4"))
    np.save("c.npy", np.asfortranarray(kernels["c.npy"]))
    np.savetxt("d.txt", kernels["d.txt"], delimiter=", ", header="a comment", fmt="%.9g")
    mha.write("e.mha", kernels["e.mha"])
    np.save("f.npy", kernels["f.npy"][0])
    np.save("g.npy", kernels["g.npy"])
    np.save("h.npy", kernels["h.npy"].astype("<i2"))
    return kernels


@once
def convolved(samples, kernel, border):
    return ndimage.convolve(samples.astype(np.float64), kernel.astype(np.float64), mode=MODES[border])


def files(engine):
    """What kernels of files make of pictures, within rounding, with every border."""
    rng = np.random.default_rng(5)
    pictures, sources = write_sources(rng)
    kernels = write_kernels(rng)
    borders = list(MODES)
    for i, (name, kernel) in enumerate(kernels.items()):
        for border in borders if engine.startswith("cpu") else borders[i % 3:i % 3 + 1]:
            results = command_line.process_each(sources, f"convolve:kernel={name},border={border}",
                                                engine)
            for samples, got in zip(pictures, results):
                wanted = convolved(samples, kernel, border)
                bound = TOLERANCE * np.iinfo(samples.dtype).max * np.abs(kernel).sum()
                unequal = np.abs(got - wanted).max()
                assert unequal <= bound, \
                    f"{name}, {border}, {samples.shape}: off by {unequal}, {bound} at most"


def edges(engine):
    """Widths and heights from 1 to 140, and some beyond, so that blocks of any size end everywhere; on a GPU's
    engines those beside multiples of their blocks."""
    rng = np.random.default_rng(7)
    kernel = rng.normal(size=(7, 9)).astype("f4")
    np.save("k.npy", kernel)
    sides = [*range(1, 141), *(n + i for n in (192, 256, 512) for i in range(-2, 3))]
    if engine.startswith("gl"):
        sides = [*range(1, 10), *(n + i for n in (16, 32, 64, 96, 128, 256) for i in (-1, 0, 1))]
    pictures = [rng.integers(0, 256, (side, 19) if i % 2 else (19, side)).astype(np.uint8)
                for side in sides for i in range(2)]
    for i, picture in enumerate(pictures):
        pixels.write_png(f"side-{i}.png", picture[..., None])
    for border in ("zero", "symmetric"):
        results = command_line.process_each([f"side-{i}.png" for i in range(len(pictures))],
                                            f"convolve:kernel=k.npy,border={border}", engine)
        for samples, got in zip(pictures, results):
            wanted = convolved(samples, kernel, border)
            unequal = np.abs(got - wanted).max()
            assert unequal <= TOLERANCE * 255 * np.abs(kernel).sum(), f"{border}, {samples.shape}: off by {unequal}"


def of_impulse(recipe):
    """The kernel, as an impulse shows it."""
    picture = np.zeros((21, 21), np.uint8)
    picture[10, 10] = 255
    pixels.write_png("impulse.png", picture[..., None])
    return command_line.process_each(["impulse.png"], recipe, "cpu")[0].astype(np.float64) / 255


def shapes():
    """Kernels that are made have the coefficients that their definitions say."""
    line = np.exp(-np.arange(-4, 5) ** 2 / (2 * 1.3 ** 2))
    wanted = {"gaussian,size=9,sigma=1.3": np.outer(line, line) / line.sum() ** 2,
              "sobel-x": [[1, 0, -1], [2, 0, -2], [1, 0, -1]],
              "sobel-y": [[1, 2, 1], [0, 0, 0], [-1, -2, -1]],
              "laplace-3": [[0, 1, 0], [1, -4, 1], [0, 1, 0]],
              "laplace-5": np.ones((5, 5)) - 25 * (np.hypot(*np.mgrid[-2:3, -2:3]) == 0)}
    for shape, kernel in wanted.items():
        kernel = np.asarray(kernel)
        radius = len(kernel) // 2
        expected = np.pad(kernel, 10 - radius)
        unequal = np.abs(of_impulse(f"convolve:shape={shape}") - expected).max()
        assert unequal < 1e-6 * np.abs(kernel).max(), f"{shape}: {unequal}"


def quadrature():
    """No answer to a constant, at most 1 % of the energy behind the direction, the peak at the centre
    frequency and across the direction next to nothing; the opposite direction has the conjugate."""
    for side, direction in ((17, 250), *((9, direction) for direction in range(0, 360, 20))):
        recipe = f"convolve:shape=quadrature,size={side},direction={direction},part="
        kernel = of_impulse(recipe + "real") + 1j * of_impulse(recipe + "imaginary")
        opposite = of_impulse(f"convolve:shape=quadrature,size={side},direction={(direction + 180) % 360},part=imaginary")
        unequal = np.abs(kernel.imag + opposite).max()
        assert unequal < 1e-6 * np.abs(kernel).max(), f"{recipe}: the opposite one differs by {unequal}"
        transfer = np.fft.fftshift(np.fft.fft2(np.fft.ifftshift(np.pad(kernel, 54))))  # 129 × 129
        u = np.linspace(-64, 64, 129) / 129 * 2 * np.pi
        along = u[None, :] * np.cos(np.radians(direction)) + u[:, None] * np.sin(np.radians(direction))
        across = u[:, None] * np.cos(np.radians(direction)) - u[None, :] * np.sin(np.radians(direction))
        energy = np.abs(transfer) ** 2
        behind = energy[along < 0].sum() / energy.sum()
        peak = np.unravel_index(energy.argmax(), energy.shape)
        assert abs(kernel.sum()) < 1e-5 * np.abs(kernel).sum(), f"{recipe}: a mean of {kernel.sum()}"
        assert behind < 0.01, f"{recipe}: {behind:.2%} of the energy behind"
        assert abs(along[peak] - 1.2) < 0.25 and abs(across[peak]) < 0.2, \
            f"{recipe}: its peak is at {along[peak]}, {across[peak]}"


class Trap:
    def __reduce__(self):
        return pathlib.Path.touch, (pathlib.Path("trapped"),)


def bad_kernels_are_refused():
    """Each by a sentence that names the file; none is loaded as a Python object."""
    pixels.write_png("in.png", np.zeros((8, 8, 1), np.uint8))
    np.save("even.npy", np.ones((3, 4)))
    np.save("large.npy", np.ones((3, 19)))
    np.save("huge.npy", np.ones((999, 3)))
    np.save("zeros.npy", np.zeros((3, 3)))
    np.save("cube.npy", np.ones((3, 3, 3)))
    np.save("nan.npy", np.full((3, 3), np.nan))
    np.save("objects.npy", np.array([[Trap()]], dtype=object), allow_pickle=True)
    np.save("complex.npy", np.ones((3, 3), complex))
    pathlib.Path("plain.pkl").write_bytes(pickle.dumps(Trap()))
    whole = pathlib.Path("nan.npy").read_bytes()
    pathlib.Path("short.npy").write_bytes(whole[:-1])
    pathlib.Path("lies.npy").write_bytes(whole.replace(b"(3, 3)", b"(9, 9)"))
    pathlib.Path("header.npy").write_bytes(whole[:8] + b"\xff\xff" + whole[10:])
    pathlib.Path("rows.txt").write_text("1 2 3\n4 5\n")
    pathlib.Path("words.txt").write_text("1 2 x\n")
    pathlib.Path("none.txt").write_text("# nothing\n")
    mha.write("even.mha", np.ones((2, 3)))
    for name, words in {
            "even.npy": "odd", "large.npy": "17", "huge.npy": "too many", "zeros.npy": "0",
            "cube.npy": "dimensions=3", "nan.npy": "no number", "objects.npy": "pickle",
            "complex.npy": "numbers", "plain.pkl": "no kernel", "short.npy": "early",
            "lies.npy": "early", "header.npy": "early", "rows.txt": "different",
            "words.txt": "no kernel", "none.txt": "no numbers", "even.mha": "odd"}.items():
        command_line.fails(1, name, words, arguments=[
            "process", "in.png", "-o", "out.png", "-f", f"convolve:kernel={name}"])
    assert not pathlib.Path("trapped").exists()


sys.exit(command_line.run_cases(
    {f"kernels of files on {engine} are SciPy's": lambda engine=engine: files(engine)
     for engine in ENGINES}
    | {f"blocks end anywhere on {engine}": lambda engine=engine: edges(engine)
       for engine in ("cpu", "cpu:fft", "gl-fragment", "gl-compute")}
    | {"shapes are what they say": shapes, "quadrature filters have one side": quadrature,
       "bad kernels are refused": bad_kernels_are_refused}))
