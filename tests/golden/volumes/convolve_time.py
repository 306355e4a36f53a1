#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Convolution in four dimensions, of volumes and pictures over time, against SciPy; filters over time, which
see one volume after the other.

usage: convolve_time.py ONDELETTE_CLI
"""
import gzip
import pathlib
import sys

import nibabel
import numpy as np
from scipy import ndimage

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "helpers"))
import command_line  # noqa: E402
import mha  # noqa: E402
import pixels  # noqa: E402
from once import once  # noqa: E402
ENGINES = ["cpu", "cpu:fft", "reference", "gl-compute", "gl-compute:fft"]
MODES = {"zero": "constant", "symmetric": "mirror", "periodic": "wrap"}
# t, z, y, x, with primes; the last one has fewer time steps than kernels.
SIZES = [(5, 7, 11, 37), (7, 3, 13, 19), (2, 5, 4, 23)]
# Of what a kernel makes of values of 1 at most: rounding of the products in single precision.
TOLERANCE = 1e-6


def filtered(x, recipe, engine="cpu", *more):
    mha.write("in.mha", x, mha.UNIT)
    filters = [word for name in recipe.split() for word in ("-f", name)]
    done = command_line.process("in.mha", "-o", "out.mha", "--force", *filters, "-e", engine, *more)
    return mha.read("out.mha", x.shape), done.stderr


@once
def convolved(x, kernel, border):
    return ndimage.convolve(x.astype(float), kernel.astype(float), mode=MODES[border])


def volumes(seed, size):
    return np.random.default_rng(seed).uniform(size=size).astype("f4")


def kernels():
    """Kernels of files, every way to write them; one that is a product of space and time, one of time alone."""
    rng = np.random.default_rng(1)

    def normal(*size):
        return rng.normal(size=size).astype(np.float32)
    all_kernels = {"a.npy": normal(3, 3, 3, 3), "b.npy": normal(5, 3, 7, 5), "c.mha": normal(7, 3, 5, 3),
                   "d.npy": np.einsum("t,zyx->tzyx", normal(3), normal(3, 5, 5)).astype(np.float32),
                   "e.npy": normal(9, 1, 1, 1)}
    for name, kernel in all_kernels.items():
        if name == "c.mha":
            mha.write(name, kernel, mha.UNIT)
        else:
            np.save(name, np.asfortranarray(kernel) if name == "b.npy" else kernel)
    return all_kernels


def files(engine):
    for i, (name, kernel) in enumerate(kernels().items()):
        for border in MODES if engine == "cpu" else [list(MODES)[i % 3]]:
            x = volumes(2, SIZES[i % len(SIZES)])
            got, _ = filtered(x, f"convolve:kernel={name},border={border},dimensions=4", engine)
            unequal = np.abs(got - convolved(x, kernel, border)).max()
            bound = TOLERANCE * np.abs(kernel).sum()
            assert unequal <= bound, f"{name}, {border}, {x.shape}: off by {unequal}, {bound} at most"


def own_values(engine):
    """Of signed types and floats 0 is the file's own, for the kernel and beyond the border; sums are not 1."""
    rng = np.random.default_rng(10)
    whole = rng.integers(-500, 900, (3, 4, 13, 17)).astype("i2")
    real = (100 + 30 * rng.normal(size=(3, 4, 13, 17))).astype("f4")
    product = np.einsum("t,z,y,x->tzyx", *(rng.uniform(1, 2, size=n) for n in (3, 5, 3, 5))).astype("f4")
    for dimensions, kernel in ((2, rng.normal(size=(3, 5)).astype("f4")), (2, np.outer(np.arange(1, 12), np.ones(13)).astype("f4")),
                               (3, product[0]), (4, product)):
        np.save("own.npy", kernel)
        for x in (whole, real):
            for border in MODES:
                mha.write("in.mha", x)
                command_line.process("in.mha", "-o", "out.mha", "--force", "-e", engine, "-f",
                                     f"convolve:kernel=own.npy,border={border},dimensions={dimensions}")
                wanted = convolved(x, kernel.reshape((1,) * (4 - kernel.ndim) + kernel.shape), border)
                unequal = np.abs(mha.read("out.mha", x.shape) - wanted).max()
                bound = 2 * TOLERANCE * np.abs(kernel).sum() * np.abs(x).max()
                assert unequal <= bound, f"{kernel.shape}, {x.dtype}, {border}: off by {unequal}, {bound} at most"


def published_size():
    """129 × 129 × 129 × 33, against SciPy in parts at its corners and at places between."""
    shape, side = (33, 129, 129, 129), (3, 5, 3, 7)
    x, kernel = volumes(4, shape), np.random.default_rng(5).normal(size=side).astype("f4")
    np.save("k.npy", kernel)
    mha.write("in.mha", x, mha.UNIT)
    for engine in ("cpu", "cpu:fft"):
        command_line.process("in.mha", "-o", "out.mha", "--force", "-e", engine, "-f", "convolve:kernel=k.npy,dimensions=4")
        got = np.memmap("out.mha", "<f4", "r", pathlib.Path("out.mha").stat().st_size - x.nbytes, shape)
        assert np.isfinite(got).all(), engine
        for corner in [*np.ndindex(2, 2, 2, 2), (0.5, 0.4, 0.5, 0.6)]:
            first = [int(c * (n - 12)) for c, n in zip(corner, shape)]
            part = tuple(slice(f, f + 12) for f in first)
            wide = tuple(slice(max(f - s // 2, 0), f + 12 + s // 2) for f, s in zip(first, side))
            wanted = convolved(x[wide], kernel, "zero")[tuple(slice(p.start - w.start, p.start - w.start + 12)
                                                              for p, w in zip(part, wide))]
            unequal = np.abs(got[part] - wanted).max()
            assert unequal <= TOLERANCE * np.abs(kernel).sum(), f"{engine}, {first}: off by {unequal}"


def nifti():
    """NIfTI in and out, packed; some of its volumes, and one slice of one of them."""
    x, kernel = volumes(3, (5, 3, 11, 7)), kernels()["a.npy"]
    x[0, 0, 0, :2] = 0, 1  # the range of the file
    nibabel.save(nibabel.Nifti1Image(x.T, np.diag([-1, -1, 1, 1])), "in.nii.gz")
    recipe = ["-f", "convolve:kernel=a.npy,border=symmetric,dimensions=4"]
    command_line.process("in.nii.gz", "-o", "out.nii.gz", *recipe)
    assert gzip.open("out.nii.gz").read(4)
    got = np.asarray(nibabel.load("out.nii.gz").dataobj).T.astype(float)
    wanted = convolved(x, kernel, "symmetric")
    assert got.shape == x.shape and np.abs(got - wanted).max() < 1e-4, np.abs(got - wanted).max()
    command_line.process("in.nii.gz", "-o", "some-%03d.tif", "--frames", "8-10", *recipe)
    for frame in (8, 9, 10):
        some = pixels.read_tiff(f"some-{frame:03d}.tif")[1][..., 0]
        unequal = np.abs(some - wanted[(frame - 1) // 3, (frame - 1) % 3]).max()
        assert unequal < 1e-4, f"slice {frame}: {unequal}"
    command_line.process("in.nii.gz", "-o", "one.tif", "--frame", "14", *recipe)
    unequal = np.abs(pixels.read_tiff("one.tif")[1][..., 0] - wanted[4, 1]).max()
    assert unequal < 1e-4, f"a single slice: {unequal}"


def of_impulse(recipe, sides):
    """The kernel, as an impulse shows it."""
    x = np.zeros(sides, "f4")
    x[tuple(n // 2 for n in sides)] = 1
    return filtered(x, recipe)[0]


def gaussian(side, sigma):
    line = np.exp(-(np.arange(side) - side // 2) ** 2 / (2 * sigma ** 2))
    return line / line.sum()


def shapes():
    space, time = gaussian(5, 1.3), gaussian(7, 0.8)
    plus = ndimage.generate_binary_structure(4, 1).astype(float)
    plus[1, 1, 1, 1] = -8
    cube = np.ones((5,) * 4)
    cube[2, 2, 2, 2] = -624
    mean, difference = [1, 2, 1], [1, 0, -1]
    wanted = {"shape=gaussian,size=5,sigma=1.3,duration=7,time-sigma=0.8":
              np.einsum("t,z,y,x->tzyx", time, space, space, space),
              "shape=laplace-3": plus, "shape=laplace-5": cube,
              "shape=sobel-x": np.einsum("t,z,y,x->tzyx", mean, mean, mean, difference)}
    for shape, kernel in wanted.items():
        room = np.pad(kernel, [(1, 1)] * 4)
        unequal = np.abs(of_impulse(f"convolve:{shape},dimensions=4", room.shape) - room).max()
        assert unequal < 1e-6 * np.abs(kernel).max(), f"{shape}: {unequal}"


def quadrature():
    """No mean, at most 1 % of the energy in the wrong half-space, and the greatest response where the filter
    looks; the opposite direction has the conjugate."""
    for direction, elevation, tempo in ((0, 0, 0), (30, 40, 50), (200, -25, -90)):
        recipe = (f"convolve:shape=quadrature,size=9,duration=9,direction={direction},elevation={elevation},"
                  f"tempo={tempo},dimensions=4,part=")
        kernel = of_impulse(recipe + "real", (9,) * 4) + 1j * of_impulse(recipe + "imaginary", (9,) * 4)
        opposite = of_impulse(f"convolve:shape=quadrature,size=9,duration=9,direction={(direction + 180) % 360},"
                              f"elevation={-elevation},tempo={-tempo},dimensions=4,part=imaginary", (9,) * 4)
        unequal = np.abs(kernel.imag + opposite).max()
        assert unequal < 1e-6 * np.abs(kernel).max(), f"{recipe}: the opposite one differs by {unequal}"
        transfer = np.abs(np.fft.fftn(np.pad(kernel, 4))) ** 2
        t, z, y, x = np.meshgrid(*[np.fft.fftfreq(17)] * 4, indexing="ij")
        a, e, r = np.radians([direction, elevation, tempo])
        towards = np.array([np.cos(a) * np.cos(e) * np.cos(r), np.sin(a) * np.cos(e) * np.cos(r),
                            np.sin(e) * np.cos(r), np.sin(r)])
        side = x * towards[0] + y * towards[1] + z * towards[2] + t * towards[3]
        wrong = transfer[side < -1e-9].sum() / transfer.sum()
        assert wrong < 0.01, f"{recipe}: {wrong:.4f} of the energy lies on the wrong side"
        assert abs(kernel.sum()) < 1e-5 * np.abs(kernel).sum(), f"{recipe}: a mean of {kernel.sum()}"
        at = np.unravel_index(transfer.argmax(), transfer.shape)
        peak = np.array([x[at], y[at], z[at], t[at]])
        angle = np.degrees(np.arccos(peak @ towards / np.linalg.norm(peak)))
        assert angle < 15, f"{recipe}: looks {angle:.1f} degrees beside"


def pictures():
    """Pictures that follow each other are volumes of one slice."""
    x = volumes(5, (6, 1, 13, 17))
    kernel = np.random.default_rng(6).normal(size=(5, 1, 3, 5)).astype("f4")
    np.save("flat.npy", kernel)
    mha.write("pictures.mha", x, mha.UNIT)
    for engine in ("cpu", "reference", "gl-fragment", "gl-compute"):
        for border in MODES:
            command_line.process("pictures.mha", "-o", "picture-%d.tif", "--force", "-e", engine, "-f",
                                 f"convolve:kernel=flat.npy,border={border},dimensions=4")
            got = np.array([pixels.read_tiff(f"picture-{i + 1}.tif")[1][..., 0] for i in range(6)])
            unequal = np.abs(got - convolved(x, kernel, border)[:, 0]).max()
            assert unequal <= TOLERANCE * np.abs(kernel).sum(), f"{engine}, {border}: {unequal}"
    # They go on along z for shapes, and have nothing there for kernels of files, which is said.
    mha.write("grey.mha", np.full((5, 1, 9, 9), 100, "i2"))
    for dimensions in (3, 4):
        command_line.process("grey.mha", "-o", "grey-%d.tif", "--force", "-f",
                             f"convolve:shape=gaussian,size=5,duration=3,dimensions={dimensions}")
        assert abs(pixels.read_tiff("grey-3.tif")[1][4, 4, 0] - 100) < 1e-3, "a shape makes pictures darker"
    np.save("deep.npy", np.ones((3, 3, 3, 3), "f4"))
    done = command_line.process("grey.mha", "-o", "grey-%d.tif", "--force", "-f", "convolve:kernel=deep.npy,dimensions=4")
    assert "middle one counts" in done.stderr and abs(pixels.read_tiff("grey-3.tif")[1][4, 4, 0] - 2700) < 0.1
    command_line.process("pictures.mha", "-o", "single.tif", "--frame", "2", "-f",
                         "convolve:kernel=flat.npy,border=periodic,dimensions=4")
    got = pixels.read_tiff("single.tif")[1][..., 0]
    assert np.abs(got - convolved(x, kernel, "periodic")[1, 0]).max() < 1e-5, "a single picture"
    done = command_line.process("single.tif", "-o", "still.tif", "-f",
                                "convolve:shape=laplace-3,dimensions=4")
    assert "1 time step" in done.stderr, done.stderr


def sliding(x, statistic):
    return np.array([statistic(x[max(t - 2, 0):t + 1], axis=0) for t in range(len(x))])


def chains():
    """What stands before a filter that looks ahead is done to each volume that it sees: the same as one
    after the other, through a file."""
    x = 0.3 + 0.1 * volumes(7, (5, 3, 17, 21))
    kernels()
    for first, second in (("gaussian:sigma=1", "convolve:kernel=a.npy,border=symmetric,dimensions=4"),
                          ("convolve:shape=gaussian,size=3,duration=5,dimensions=4",
                           "convolve:kernel=a.npy,dimensions=4")):
        chained, note = filtered(x, f"{first} {second}")
        half, _ = filtered(x, first)
        low, high = half.min(), half.max()
        # Values in a file are within its range.
        apart, _ = filtered((half - low) / (high - low), second)
        constant, _ = filtered(np.ones_like(x), second)
        unequal = np.abs(chained - (apart * (high - low) + low * constant)).max()
        assert unequal < 2e-5 * max(1, np.abs(chained).max()) and note == "", f"{first}, {second}: {unequal}"
    half, _ = filtered(x, "convolve:kernel=a.npy,dimensions=4")
    chained, _ = filtered(x, "convolve:kernel=a.npy,dimensions=4 sliding-mean:frames=3")
    unequal = np.abs(chained - sliding(half, np.mean)).max()
    assert unequal < 2e-5 * np.abs(half).max(), f"a mean behind it: {unequal}"
    _, note = filtered(x, "sliding-mean:frames=3 convolve:kernel=a.npy,dimensions=4")
    assert "sliding-mean" in note and "behind" in note, note


def over_time():
    """Filters over time see one volume after the other, also in a lead-in."""
    x = 0.3 + 0.1 * volumes(8, (7, 3, 11, 13))  # more would be a cut
    recursive = [x[0].astype(float)]
    for volume in x[1:]:
        recursive.append(recursive[-1] + 0.5 * (volume - recursive[-1]))
    for recipe, wanted in (("sliding-mean:frames=3", sliding(x, np.mean)), ("sliding-median:frames=3", sliding(x, np.median)),
                           ("recursive-average:weight=0.5", np.array(recursive)),
                           ("persistence:level=1,threshold=1", np.array(recursive))):
        for engine in ("cpu", "reference"):
            got, note = filtered(x, recipe, engine)
            unequal = np.abs(got - wanted).max()
            assert unequal < 1e-6 and note == "", f"{recipe}, {engine}: {unequal}, {note}"
        command_line.process("in.mha", "-o", "one.tif", "--force", "--frame", "17", "-f", recipe)
        one = pixels.read_tiff("one.tif")[1][..., 0]
        assert np.abs(one - wanted[5, 1]).max() < 1e-5, f"{recipe}: a single slice"
        command_line.process("in.mha", "-o", "some-%d.tif", "--force", "--frames", "11-12", "-f", recipe)
        some = np.array([pixels.read_tiff(f"some-{i}.tif")[1][..., 0] for i in (11, 12)])
        assert np.abs(some - wanted[3, 1:]).max() < 1e-5, f"{recipe}: some slices"


def refused():
    """Each by a sentence that names the file."""
    mha.write("in.mha", np.zeros((3, 5, 6, 7)), mha.UNIT)
    kernels()
    np.save("even.npy", np.ones((2, 3, 3, 3)))
    np.save("long.npy", np.ones((19, 3, 3, 3)))
    np.save("huge.npy", np.ones((64, 17, 17, 17)))
    for name, words in {"even.npy": "odd", "long.npy": "17", "huge.npy": "too many"}.items():
        command_line.fails(1, name, words, arguments=[
            "process", "in.mha", "-o", "out.mha", "--force", "-f", f"convolve:kernel={name},dimensions=4"])
    command_line.fails(1, "a.npy", "dimensions=4", arguments=[
        "process", "in.mha", "-o", "out.mha", "--force", "-f", "convolve:kernel=a.npy,dimensions=3"])
    x = volumes(9, (3, 1, 8, 9))
    for i, size in enumerate((8, 8, 9)):
        pixels.write_png(f"uneven-{i}.png", (255 * x[i, 0, :, :size]).astype(np.uint8)[..., None])
    command_line.fails(1, "uneven", "size", arguments=[
        "process", "uneven-%d.png", "-o", "out-%d.tif", "-f", "convolve:shape=laplace-3,dimensions=4"])


sys.exit(command_line.run_cases(
    {f"kernels of files on {engine} are SciPy's": lambda engine=engine: files(engine)
     for engine in ENGINES}
    | {f"values count from the file's 0 on {engine}": lambda engine=engine: own_values(engine)
       for engine in ENGINES}
    | {"129³ × 33 are SciPy's": published_size, "nifti in and out, some volumes and a slice": nifti, "shapes are what they say": shapes,
       "quadrature filters have one side": quadrature, "pictures follow each other": pictures,
       "chains are one filter after the other": chains, "filters over time see volumes": over_time,
       "bad kernels are refused": refused}))
