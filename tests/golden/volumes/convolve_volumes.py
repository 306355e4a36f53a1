#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Convolution in three dimensions against SciPy, and quadrature filters by their transfer functions.

usage: convolve_volumes.py ONDELETTE_CLI
"""
import os
import pathlib
import sys

import numpy as np
from scipy import ndimage

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "helpers"))
import command_line  # noqa: E402
import mha  # noqa: E402
import pixels  # noqa: E402
ENGINES = ["cpu", "cpu:fft", "cpu:scalar", "reference", "gl-compute", "gl-compute:fft"]
MODES = {"zero": "constant", "symmetric": "mirror", "periodic": "wrap"}
SIZES = [(11, 19, 151), (3, 37, 40), (2, 1, 3)]
# Of what a kernel makes of values of 1 at most: rounding of 4913 products in single precision.
TOLERANCE = 1e-6


def filtered(x, recipe, engine):
    """A volume whose values are the scaled ones, through one filter."""
    mha.write("in.mha", x, mha.UNIT)
    for old in pathlib.Path(".").glob("out-*.tif"):
        old.unlink()
    command_line.process("in.mha", "-o", "out-%03d.tif", "-f", recipe, "-e", engine)
    return np.array([pixels.read_tiff(f"out-{z + 1:03d}.tif")[1][..., 0]
                     for z in range(len(x))]).astype(np.float64)


def kernels():
    """Kernels of files, every way to write them; one that is a product of its axes."""
    rng = np.random.default_rng(1)

    def normal(*size):
        return rng.normal(size=size).astype(np.float32)
    all_kernels = {"a.npy": normal(3, 3, 3), "b.npy": normal(5, 3, 7), "c.mha": normal(3, 5, 5),
                   "d.npy": normal(9, 1, 1),
                   "e.npy": np.einsum("i,j,k", normal(7), normal(13), normal(5)).astype(np.float32),
                   "f.npy": normal(17, 17, 17)}
    for name, kernel in all_kernels.items():
        if name == "c.mha":
            mha.write(name, kernel)
        else:
            np.save(name, np.asfortranarray(kernel) if name == "b.npy" else kernel)
    return all_kernels


def files(engine):
    rng = np.random.default_rng(2)
    for i, (name, kernel) in enumerate(kernels().items()):
        for border in list(MODES) if engine in ("cpu", "cpu:fft", "gl-compute", "gl-compute:fft") else [list(MODES)[i % 3]]:
            x = rng.uniform(size=SIZES[i % len(SIZES)]).astype("f4")
            got = filtered(x, f"convolve:kernel={name},border={border},dimensions=3", engine)
            wanted = ndimage.convolve(x.astype(float), kernel.astype(float), mode=MODES[border])
            unequal = np.abs(got - wanted).max()
            bound = TOLERANCE * np.abs(kernel).sum()
            assert unequal <= bound, f"{name}, {border}, {x.shape}: off by {unequal}, {bound} at most"


def transforms(engine):
    """Sides that have large primes or are one sample too many for a transform; a volume of two blocks along
    x; values that are no numbers, which a transform would spread, are replaced before it."""
    rng = np.random.default_rng(6)
    for shape, side in (((33, 129, 129), (13, 13, 13)), ((5, 123, 331), (3, 7, 17)), ((7, 337, 11), (5, 9, 3))):
        x = rng.uniform(size=shape).astype("f4")
        kernel = rng.normal(size=side).astype("f4")
        np.save("t.npy", kernel)
        for border in ("zero", "symmetric"):
            got = filtered(x, f"convolve:kernel=t.npy,border={border},dimensions=3", engine)
            unequal = np.abs(got - ndimage.convolve(x.astype(float), kernel.astype(float),
                                                    mode=MODES[border])).max()
            assert unequal <= TOLERANCE * np.abs(kernel).sum(), f"{shape}, {border}: off by {unequal}"
    x[2, 30, 5], x[3, 40, 6], x[4, 50, 7] = np.nan, np.inf, -np.inf
    got = filtered(x, "convolve:kernel=t.npy,dimensions=3", engine)
    wanted = ndimage.convolve(np.nan_to_num(x.astype(float), nan=0, posinf=1, neginf=0),
                              kernel.astype(float), mode="constant")
    assert np.abs(got - wanted).max() <= TOLERANCE * np.abs(kernel).sum(), "values that are no numbers"


def tiles():
    """Products go by tiles: two of them along x, two along y and parts along z, whatever the border."""
    rng = np.random.default_rng(7)
    x = rng.uniform(size=(24, 67, 530)).astype("f4")
    for side in ((3, 3, 3), (5, 5, 5), (7, 3, 5)):
        kernel = rng.normal(size=side).astype("f4")
        np.save("t.npy", kernel)
        for border, mode in MODES.items():
            got = filtered(x, f"convolve:kernel=t.npy,border={border},dimensions=3", "cpu:direct")
            unequal = np.abs(got - ndimage.convolve(x.astype(float), kernel.astype(float), mode=mode)).max()
            assert unequal <= TOLERANCE * np.abs(kernel).sum(), f"{side}, {border}: off by {unequal}"


def ways():
    """Small kernels go by products, large ones by Fourier transforms, which the plan says."""
    mha.write("in.mha", np.random.default_rng(8).uniform(size=(64, 64, 64)).astype("f4"), mha.UNIT)
    for engine, side, way, other in (("cpu", 3, "products", "transforms"), ("cpu", 13, "transforms", "products"),
                                     ("gl-compute:direct", 5, "products", "transforms"),
                                     ("gl-compute:fft", 5, "transforms", "products")):
        said = command_line.process("in.mha", "-o", "out.mha", "--force", "-e", engine, "-f",
                                    f"convolve:shape=quadrature,size={side},dimensions=3",
                                    env=dict(os.environ, ODL_DEBUG="plan")).stderr
        assert f"convolve {side}×{side}×{side} by" in said and way in said and other not in said, said


def of_impulse(recipe, side):
    """The kernel, as an impulse shows it."""
    x = np.zeros((side,) * 3, "f4")
    x[(side // 2,) * 3] = 1
    return filtered(x, recipe, "cpu")


def shapes():
    line = np.exp(-(np.arange(7) - 3) ** 2 / (2 * 1.3 ** 2))
    line /= line.sum()
    plus = ndimage.generate_binary_structure(3, 1).astype(float)
    plus[1, 1, 1] = -6
    cube = np.ones((5, 5, 5))
    cube[2, 2, 2] = -124
    wanted = {"shape=gaussian,size=7,sigma=1.3": np.einsum("i,j,k", line, line, line),
              "shape=laplace-3": plus, "shape=laplace-5": cube,
              "shape=sobel-x": np.einsum("i,j,k", [1, 2, 1], [1, 2, 1], [1, 0, -1]),
              "shape=sobel-y": np.einsum("i,j,k", [1, 2, 1], [1, 0, -1], [1, 2, 1])}
    for shape, kernel in wanted.items():
        unequal = np.abs(of_impulse(f"convolve:{shape},dimensions=3", 9)
                         - np.pad(kernel, (9 - len(kernel)) // 2)).max()
        assert unequal < 1e-6 * np.abs(kernel).max(), f"{shape}: {unequal}"


def quadrature():
    """No mean, at most 1 % of the energy in the wrong half-space, and the greatest response where the
    filter looks; the opposite direction has the conjugate."""
    for direction, elevation in ((0, 0), (30, 40), (200, -25), (0, -90)):
        recipe = (f"convolve:shape=quadrature,size=9,direction={direction},elevation={elevation},"
                  "dimensions=3,part=")
        kernel = of_impulse(recipe + "real", 9) + 1j * of_impulse(recipe + "imaginary", 9)
        opposite = of_impulse(f"convolve:shape=quadrature,size=9,direction={(direction + 180) % 360},"
                              f"elevation={-elevation},dimensions=3,part=imaginary", 9)
        unequal = np.abs(kernel.imag + opposite).max()
        assert unequal < 1e-6 * np.abs(kernel).max(), f"{recipe}: the opposite one differs by {unequal}"
        transfer = np.abs(np.fft.fftn(np.pad(kernel, 12))) ** 2
        u = np.fft.fftfreq(33)
        z, y, x = np.meshgrid(u, u, u, indexing="ij")
        a, e = np.radians([direction, elevation])
        towards = np.array([np.cos(a) * np.cos(e), np.sin(a) * np.cos(e), np.sin(e)])
        side = x * towards[0] + y * towards[1] + z * towards[2]
        wrong = transfer[side < 0].sum() / transfer.sum()
        assert wrong < 0.01, f"{recipe}: {wrong:.4f} of the energy lies on the wrong side"
        assert abs(kernel.sum()) < 1e-5 * np.abs(kernel).sum(), f"{recipe}: a mean of {kernel.sum()}"
        at = np.unravel_index(transfer.argmax(), transfer.shape)
        peak = np.array([x[at], y[at], z[at]])
        angle = np.degrees(np.arccos(peak @ towards / np.linalg.norm(peak)))
        assert angle < 10, f"{recipe}: looks {angle:.1f} degrees beside"


def pictures():
    """A picture is a volume of one slice, on every engine, which is said."""
    x = np.random.default_rng(3).integers(0, 256, (23, 31)).astype(np.uint8)
    pixels.write_png("flat.png", x[..., None])
    kernel = kernels()["b.npy"]
    for engine in ("cpu", "reference", "gl-fragment", "gl-compute"):
        for border, mode in MODES.items():
            done = command_line.process("flat.png", "-o", "flat.tif", "--force", "-e", engine, "-f",
                                        f"convolve:kernel=b.npy,border={border},dimensions=3")
            got = pixels.read_tiff("flat.tif")[1][..., 0]
            wanted = ndimage.convolve(x[None].astype(float), kernel.astype(float), mode=mode)[0]
            unequal = np.abs(got - wanted).max()
            assert unequal <= 255 * TOLERANCE * np.abs(kernel).sum(), f"{engine}, {border}: {unequal}"
            assert "a volume" in done.stderr, done.stderr


def chains():
    """In colour, with filters that see slice by slice before and after, engines agree; gl-compute says what
    it cannot do."""
    x = np.random.default_rng(4).integers(0, 256, (5, 21, 34, 3)).astype(np.uint8)
    mha.write("colour.mha", x, channels=True)
    for recipe in ("convolve:shape=quadrature,size=5,dimensions=3 colour=channels",
                   "median convolve:shape=gaussian,size=3,dimensions=3 gaussian:sigma=1.5",
                   "non-local-means:patch=5,search=11 convolve:shape=laplace-3,border=symmetric,dimensions=3"):
        results = []
        for engine in ("reference", "gl-compute", "cpu:direct"):
            command_line.process("colour.mha", "-o", "colour-%d.tif", "--force", "-e", engine, "-f", recipe)
            results.append([pixels.read_tiff(f"colour-{z + 1}.tif")[1].astype(float) for z in range(5)])
        unequal = np.abs(np.array(results[1:]) - results[0]).max()
        assert unequal <= 1e-5 * max(1, np.abs(results[0]).max()), f"{recipe}: {unequal}"
    command_line.fails(1, "gl-compute", "cpu", arguments=[
        "process", "colour.mha", "-o", "out-%d.tif", "-e", "gl-compute", "-f", "morphology convolve:shape=laplace-3,dimensions=3"])


def refused():
    """Each by a sentence that names the file."""
    mha.write("in.mha", np.zeros((5, 6, 7)))
    kernels()
    np.save("even.npy", np.ones((2, 3, 3)))
    np.save("deep.npy", np.ones((19, 3, 3)))
    np.save("huge.npy", np.ones((65, 3, 3)))
    np.save("zeros.npy", np.zeros((3, 3, 3)))
    np.save("five.npy", np.ones((3, 3, 3, 3, 3)))
    late = np.ones((3, 3, 3))
    late[2, 2, 2] = np.nan
    np.save("nan.npy", late)
    pathlib.Path("short.npy").write_bytes(pathlib.Path("nan.npy").read_bytes()[:-9])
    for name, words in {"even.npy": "odd", "deep.npy": "17", "huge.npy": "too many", "zeros.npy": "0",
                        "five.npy": "axes", "nan.npy": "no number", "short.npy": "early"}.items():
        command_line.fails(1, name, words, arguments=[
            "process", "in.mha", "-o", "out-%d.tif", "-f", f"convolve:kernel={name},dimensions=3"])
    command_line.fails(1, "a.npy", "dimensions=3", arguments=[
        "process", "in.mha", "-o", "out-%d.tif", "-f", "convolve:kernel=a.npy"])


sys.exit(command_line.run_cases(
    {f"kernels of files on {engine} are SciPy's": lambda engine=engine: files(engine)
     for engine in ENGINES}
    | {f"large primes and no numbers go through transforms on {engine}": lambda engine=engine: transforms(engine)
       for engine in ("cpu:fft", "gl-compute:fft")}
    | {"tiles of a volume meet": tiles, "the plan says the way": ways, "shapes are what they say": shapes, "quadrature filters have one side": quadrature,
       "a picture is a volume of one slice": pictures, "engines agree on chains in colour": chains, "bad kernels are refused": refused}))
