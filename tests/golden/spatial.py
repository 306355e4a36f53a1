#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Filters of neighbours, against SciPy: pictures of every depth through the command line.

usage: spatial.py ONDELETTE_CLI
"""
import pathlib
import sys

import numpy as np
from scipy import ndimage

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
import command_line  # noqa: E402
import pixels  # noqa: E402
ENGINES = ["cpu", "reference", "gl-fragment", "gl-compute"]
SIZES = [(61, 47), (5, 33), (1, 9)]


def pictures(rng):
    """Depths that the program reads: whole samples with many equal ones, and floats."""
    for height, width in SIZES:
        yield "8 bits", rng.integers(0, 9, (height, width)).astype(np.uint8) * 25
        yield "16 bits", rng.integers(0, 65536, (height, width)).astype(np.uint16)
        yield "floats", rng.normal(0, 300, (height, width)).astype(np.float32)


def write_source(samples):
    """PNG of whole samples, MetaImage of floats. The path."""
    if samples.dtype != np.float32:
        pixels.write_png("in.png", samples[..., None])
        return "in.png"
    height, width = samples.shape
    pathlib.Path("in.mha").write_bytes(
        f"ObjectType = Image\nNDims = 2\nDimSize = {width} {height}\n"
        "ElementType = MET_FLOAT\nElementDataFile = LOCAL\n".encode() + samples.tobytes())
    return "in.mha"


def filtered(source, recipe, engine):
    command_line.process(source, "-o", "out.tif", "--force", "-f", recipe, "-e", engine)
    return pixels.read_tiff("out.tif")[1][..., 0]


def median(engine):
    """The median is one of the samples: exactly that of SciPy, whatever the depth."""
    rng = np.random.default_rng(7)
    for name, samples in pictures(rng):
        source = write_source(samples)
        same = filtered(source, "pass-through", engine)
        for side in range(3, 20, 2) if engine == "cpu" else (3, 5, 7, 19):
            wanted = ndimage.median_filter(same, side, mode="mirror")
            got = filtered(source, f"median:size={side}", engine)
            assert np.array_equal(got, wanted), \
                f"{name} of {samples.shape}, side {side}: {(got != wanted).sum()} differ"


def even_sides_are_refused():
    source = write_source(np.zeros((8, 8), np.uint8))
    for size in ("4", "21", "1", "x"):
        command_line.fails(2, "size", "3, 5, 7", arguments=[
            "process", source, "-o", "out.png", "-f", f"median:size={size}"])


sys.exit(command_line.run_cases(
    {f"the median of {engine} is SciPy's": lambda engine=engine: median(engine)
     for engine in ENGINES}
    | {"even sides are refused": even_sides_are_refused}))
