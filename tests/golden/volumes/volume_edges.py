#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Edges and thresholds of volumes against SciPy, scikit-image and the phantom's clean twin; filters of slices
behind one that sees volumes.

usage: volume_edges.py ONDELETTE_CLI
"""
import pathlib
import sys

import numpy as np
from scipy import ndimage

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "helpers"))
import command_line  # noqa: E402
import mha  # noqa: E402
ENGINES = ["reference", "cpu", "gl-compute"]
PHANTOM = "phantom:64x56x48"
SMOOTH = "convolve:shape=gaussian,size=3,border=symmetric,dimensions=3"
# With second pictures of their own making, and more than one pass.
OF_SLICES = ["guided", "multi-scale-contrast:levels=3", "non-local-means:search=7", "unsharp", "decouple", "sobel", "median",
             "soft-threshold:transform=stationary,threshold=0.05"]


def filtered(source, shape, recipe, engine="cpu"):
    command_line.process(source, "-o", "out.mha", "--force", "-f", recipe, "-e", engine)
    return mha.read("out.mha", shape)


def sobel(engine):
    """Whole numbers and floats; divided by 4, since a mean has a sum of 1."""
    for kind, size in (("u1", (7, 19, 23)), ("f4", (2, 6, 37))):
        x = np.random.default_rng(4).integers(0, 256, size).astype(kind) / (1 if kind == "u1" else np.float32(255))
        mha.write("in.mha", x.astype(kind), "" if kind == "u1" else mha.UNIT)
        wanted = ndimage.generic_gradient_magnitude(x.astype(float), ndimage.sobel, mode="mirror") / 4
        got = filtered("in.mha", size, "sobel:dimensions=3", engine)
        unequal = np.abs(got - wanted).max() / (255 if kind == "u1" else 1)
        assert unequal < 2e-6, f"{kind}: off by {unequal}"


def one_threshold(engine):
    """Slices of different histograms are cut at the same value, the one that their common histogram has."""
    rng = np.random.default_rng(6)
    x = np.clip(rng.normal(60, 3, (12, 20, 31)), 0, 255)
    x[4:] = np.where(rng.uniform(size=x[4:].shape) < 0.4, np.clip(rng.normal(180, 3, x[4:].shape), 0, 255), x[4:])
    x[0] = np.clip(rng.normal(100, 3, x[0].shape), 0, 255)  # a tenth at most: no peak of all, and the only one of this slice
    x = np.round(x).astype("u1")
    mha.write("in.mha", x)
    got = filtered("in.mha", x.shape, "trough-threshold:smoothing=12,dimensions=3", engine)
    edge = got[got > 0].min()
    assert 70 < edge < 99, edge
    assert np.array_equal(got, np.where(x >= edge, x, 0)), "not one threshold"
    alone = filtered("in.mha", x.shape, "trough-threshold:smoothing=12", engine)
    assert not np.array_equal(alone, got), "slices alone have the same thresholds"
    smooth = filtered("in.mha", x.shape, SMOOTH, engine)
    kept = filtered("in.mha", x.shape, f"{SMOOTH} trough-threshold:dimensions=3,threshold=0.4 mask", engine)
    told = command_line.process("in.mha", "-o", "out.mha", "--force", "-f", f"{SMOOTH} trough-threshold", "-e", engine).stderr
    assert "without “trough-threshold”" in told and "with “dimensions=3”" in told, told
    assert np.array_equal(kept, np.where(smooth >= np.float32(0.4) * 255, x, 0)), "not the original where it is kept"


def outlines(engine):
    """What the threshold keeps of a noisy volume is the ellipsoid of the clean one."""
    shape = (48, 56, 64)
    wall = filtered(PHANTOM + ",clean", shape, "pass-through") > 0.51 * 4095
    noisy = PHANTOM + ",noise=gaussian,sigma=0.1"

    def overlap(recipe):
        kept = filtered(noisy, shape, recipe, engine) > 0
        return (kept & wall).sum() / (kept | wall).sum()

    deep = overlap("gaussian:sigma=0.8 trough-threshold:dimensions=3 mask")
    flat = overlap("gaussian:sigma=0.8 trough-threshold mask")
    print(f"# {engine}: IoU {deep:.3f} with one threshold, {flat:.3f} with one for each slice")
    assert deep > 0.9 > 0.5 > flat, (deep, flat)


def of_slices(engine):
    """As if what the first filter made had been saved, and filtered slice by slice."""
    shape = (5, 33, 41)
    x = np.random.default_rng(8).uniform(0.2, 0.8, shape).astype("f4")
    mha.write("in.mha", x, mha.UNIT)
    mha.write("smooth.mha", filtered("in.mha", shape, SMOOTH, "reference").astype("f4"), mha.UNIT)
    for recipe in OF_SLICES:
        wanted = filtered("smooth.mha", shape, recipe, engine)
        unequal = np.abs(filtered("in.mha", shape, f"{SMOOTH} {recipe}", engine) - wanted).max()
        assert unequal < 1e-5, f"{recipe}: off by {unequal}"


sys.exit(command_line.run_cases(
    {f"{engine}: the gradient of a volume is SciPy's": lambda engine=engine: sobel(engine) for engine in ENGINES}
    | {f"{engine} cuts a volume at one threshold": lambda engine=engine: one_threshold(engine) for engine in ENGINES}
    | {f"{engine} finds the ellipsoid of a noisy volume": lambda engine=engine: outlines(engine) for engine in ENGINES}
    | {f"{engine}: filters of slices behind one of volumes see their slice": lambda engine=engine: of_slices(engine)
       for engine in ("reference", "cpu")}))
