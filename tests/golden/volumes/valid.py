#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""--valid against SciPy's mode='valid' in 2D, 3D and 4D, with files that say where what is left lies.

usage: valid.py ONDELETTE_CLI
"""
import pathlib
import sys

import nibabel
import numpy as np
from scipy import ndimage, signal

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "helpers"))
import command_line  # noqa: E402
import mha  # noqa: E402
import pixels  # noqa: E402
TOLERANCE = 1e-6  # of what a kernel makes of values of 1 at most
ENGINES = ["cpu", "cpu:fft", "reference", "gl-compute"]


def noise(*shape):
    return np.random.default_rng(len(shape)).uniform(size=shape).astype("f4")


def kernel_of(*shape):
    kernel = np.random.default_rng(7).normal(size=shape).astype("f4")
    np.save("k.npy", kernel)
    return kernel


def process(name, output, recipe, *more):
    return command_line.process(name, "-o", output, "--force", "--valid", "-f", recipe, *more)


def is_close(got, wanted, kernel):
    assert got.shape == wanted.shape, (got.shape, wanted.shape)
    unequal = np.abs(got - wanted).max()
    assert unequal <= TOLERANCE * np.abs(kernel).sum(), unequal


def convolved(x, kernel):
    return signal.convolve(x.astype(float), kernel.astype(float), mode="valid", method="direct")


def pictures(engine):
    x, kernel = noise(61, 47), kernel_of(5, 9)
    mha.write("in.mha", x, mha.UNIT)
    for border in ("zero", "symmetric", "periodic"):
        process("in.mha", "out.tif", f"convolve:kernel=k.npy,border={border}", "-e", engine)
        is_close(pixels.read_tiff("out.tif")[1][..., 0], convolved(x, kernel), kernel)


def volumes(engine):
    x, kernel = noise(17, 23, 31), kernel_of(3, 7, 5)
    mha.write("in.mha", x, mha.UNIT)
    process("in.mha", "out.mha", "convolve:kernel=k.npy,dimensions=3", "-e", engine)
    wanted = convolved(x, kernel)
    is_close(mha.read("out.mha", wanted.shape), wanted, kernel)


def times(engine):
    x, kernel = noise(7, 9, 11, 19), kernel_of(5, 3, 7, 3)
    mha.write("in.mha", x, mha.UNIT)
    recipe = "convolve:kernel=k.npy,dimensions=4"
    process("in.mha", "out.mha", recipe, "-e", engine)
    wanted = convolved(x, kernel)
    is_close(mha.read("out.mha", wanted.shape), wanted, kernel)


def ranges():
    """Some volumes, of which one depends on the end of time; slices of one; numbered pictures and a single one."""
    x, kernel = noise(7, 9, 11, 19), kernel_of(5, 3, 7, 3)
    mha.write("in.mha", x, mha.UNIT)
    recipe, wanted = "convolve:kernel=k.npy,dimensions=4", convolved(x, kernel)
    process("in.mha", "out.mha", recipe, "--frames", "28-63")  # volumes 3 to 6 of 0 … 6
    is_close(mha.read("out.mha", wanted[1:].shape), wanted[1:], kernel)
    process("in.mha", "out.mha", recipe, "--frames", "28-31")  # slices 0 to 3 of volume 3
    is_close(mha.read("out.mha", wanted[1, :3].shape), wanted[1, :3], kernel)
    process("in.mha", "some-%02d.tif", recipe)
    names = sorted(path.name for path in pathlib.Path(".").glob("some-*.tif"))
    assert names == [f"some-{9 * t + z + 1:02d}.tif" for t in (2, 3, 4) for z in range(1, 8)], names
    is_close(pixels.read_tiff("some-30.tif")[1][..., 0], wanted[1, 1], kernel)
    process("in.mha", "one.tif", recipe, "--frame", "30")
    is_close(pixels.read_tiff("one.tif")[1][..., 0], wanted[1, 1], kernel)


def places():
    """A turned volume: the corner moves along its axes."""
    turn = np.array([[0, -0.8, -0.6], [1, 0, 0], [0, -0.6, 0.8]])
    affine = np.eye(4)
    affine[:3, :3], affine[:3, 3] = turn * (1.2, 1.5, 2.0), (11, -7, 30)
    x = noise(9, 13, 17)
    x[0, 0, :2] = 0, 1
    nibabel.save(nibabel.Nifti1Image(x.T, affine), "in.nii")
    command_line.process("in.nii", "-o", "all.nii")  # with the axes that slices are shown with
    shown, kernel = nibabel.load("all.nii"), kernel_of(3, 5, 7)
    process("in.nii", "out.nii", "convolve:kernel=k.npy,dimensions=3")
    out = nibabel.load("out.nii")
    is_close(np.asarray(out.dataobj).T.astype(float), convolved(np.asarray(shown.dataobj).T, kernel), kernel)
    assert np.abs(out.affine[:3, :3] - shown.affine[:3, :3]).max() < 1e-5, (out.affine, shown.affine)
    assert np.abs(np.linalg.det(shown.affine) - np.linalg.det(affine)) < 1e-4
    unequal = np.abs(out.affine @ (0, 0, 0, 1) - shown.affine @ (3, 2, 1, 1)).max()
    assert unequal < 1e-3, (out.affine, shown.affine)


def chains():
    """Reaches add up, along each axis; a median as SciPy's, a transform of wavelets by what is inside."""
    x = noise(40, 50)
    mha.write("in.mha", x, mha.UNIT)
    command_line.process("in.mha", "-o", "out.tif", "--force", "--valid", "-f", "median:size=5", "-f",
                         "convolve:shape=sobel-x")
    got = pixels.read_tiff("out.tif")[1][..., 0]
    assert got.shape == (34, 44), got.shape
    command_line.process("in.mha", "-o", "all.tif", "--force", "-f", "median:size=5", "-f", "convolve:shape=sobel-x")
    assert np.array_equal(got, pixels.read_tiff("all.tif")[1][3:-3, 3:-3, 0])
    command_line.process("in.mha", "-o", "out.tif", "--force", "--valid", "-f", "median:size=5")
    assert np.array_equal(pixels.read_tiff("out.tif")[1][..., 0], ndimage.median_filter(x, 5)[2:-2, 2:-2])
    # Whatever lies beyond the borders: the same part of a larger picture.
    large = noise(104, 114)
    mha.write("large.mha", large, mha.UNIT)
    mha.write("in.mha", large[32:, 32:], mha.UNIT)
    wavelets = "shrinkage:levels=1,thresholds=0.1"
    command_line.process("in.mha", "-o", "out.tif", "--force", "--valid", "-f", wavelets)
    command_line.process("large.mha", "-o", "all.tif", "--force", "-f", wavelets)
    got, whole = pixels.read_tiff("out.tif")[1][..., 0], pixels.read_tiff("all.tif")[1][..., 0]
    less = (72 - got.shape[0]) // 2
    assert 0 < less < 20 and np.abs(got - whole[32 + less:104 - less, 32 + less:114 - less]).max() < 1e-6, less


def refusals():
    mha.write("in.mha", noise(6, 50), mha.UNIT)
    for status, words, said in ((1, ["-f", "convolve:shape=gaussian,size=9"], "nothing is left"),
                                (1, ["-f", "bayes-shrink"], "depends on all"),
                                (2, ["-f", "median", "--crop", "0,0,3,3"], "Leave out"),
                                (2, ["-f", "median", "--format", "jp2"], "not for the format")):
        command_line.fails(status, "--valid", said, arguments=["process", "in.mha", "-o", "no.tif", "--valid", *words])
        assert not command_line.leftovers(), words
    mha.write("in.mha", noise(4, 9, 11, 19), mha.UNIT)
    kernel_of(5, 3, 3, 3)
    for output in ("no.mha", "no-%d.tif"):
        command_line.fails(1, "before and after", arguments=["process", "in.mha", "-o", output, "--valid", "-f",
                                                             "convolve:kernel=k.npy,dimensions=4"])
        assert not command_line.leftovers(), output


sys.exit(command_line.run_cases(
    {f"pictures on {engine} are SciPy's": lambda engine=engine: pictures(engine) for engine in ENGINES}
    | {f"volumes on {engine} are SciPy's": lambda engine=engine: volumes(engine) for engine in ENGINES}
    | {f"volumes over time on {engine} are SciPy's": lambda engine=engine: times(engine) for engine in ENGINES}
    | {"some volumes, slices and pictures": ranges, "a turned volume keeps its place": places,
       "reaches of a chain add up": chains, "what is left of nothing is refused": refusals}))
