#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The bilateral filter in three dimensions against NumPy.

usage: bilateral_volumes.py ONDELETTE_CLI
"""
import itertools
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "helpers"))
import command_line  # noqa: E402
import mha  # noqa: E402
import pixels  # noqa: E402
# z, y, x; the second has fewer slices than the window, and a row wider than what is copied at once.
SIZES = [(11, 13, 37), (2, 3, 541)]


def bilateral(x, side, space, spread):
    """Whole-sample reflection, of any reach."""
    around, radius = x, side // 2
    for axis in range(3):
        i = np.abs(np.arange(-radius, x.shape[axis] + radius))
        period = max(2 * (x.shape[axis] - 1), 1)
        i = i % period
        around = around.take(np.where(i < x.shape[axis], i, period - i), axis)
    total = weights = 0
    for shift in itertools.product(range(side), repeat=3):
        g = around[tuple(slice(s, s + n) for s, n in zip(shift, x.shape))]
        distance = sum((s - radius) ** 2 for s in shift)
        weight = np.exp(-distance / (2 * space ** 2) - (g - x) ** 2 / (2 * spread ** 2))
        total, weights = total + weight * g, weights + weight
    return total / weights


def filtered(x, recipe, engine):
    mha.write("in.mha", x, mha.UNIT)
    command_line.process("in.mha", "-o", "out.mha", "--force", "-f", recipe, "-e", engine)
    return mha.read("out.mha", x.shape)


def volumes(engine):
    for size, (side, space, spread) in itertools.product(SIZES, ((3, 0.8, 0.3), (7, 2.5, 0.15))):
        x = np.random.default_rng(side).uniform(size=size).astype("f4")
        got = filtered(x, f"bilateral:range={spread},space={space},size={side},dimensions=3", engine)
        unequal = np.abs(got - bilateral(x.astype(float), side, space, spread)).max()
        assert unequal < 2e-5, f"{size}, {side}³: off by {unequal}"


def flat():
    """A picture is filtered in two dimensions, which is said; slice by slice is something else."""
    x = np.random.default_rng(1).uniform(size=(5, 9, 11)).astype("f4")
    one = filtered(x, "bilateral:range=0.2,space=1,size=5", "cpu")
    deep = filtered(x, "bilateral:range=0.2,space=1,size=5,dimensions=3", "cpu")
    assert np.abs(one - deep).max() > 0.01
    pixels.write_png("in.png", np.round(255 * x[0]).astype(np.uint8)[..., None])
    done = command_line.process("in.png", "-o", "deep.png", "-f", "bilateral:dimensions=3")
    command_line.process("in.png", "-o", "flat.png", "-f", "bilateral")
    assert "a volume" in done.stderr, done.stderr
    assert command_line.compare("flat.png", "deep.png")["within"]


sys.exit(command_line.run_cases(
    {f"volumes on {engine} are NumPy's": lambda engine=engine: volumes(engine)
     for engine in ("cpu", "cpu:scalar", "reference", "gl-compute")} | {"a picture is flat": flat}))
