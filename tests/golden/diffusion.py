#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Anisotropic diffusion and its form for speckle, by their formulas in NumPy, through the command
line. What Perona and Malik's and Yu and Acton's equations say is written here as they have it,
with the borders of a picture that nothing flows over.

usage: diffusion.py ONDELETTE_CLI
"""
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
import command_line  # noqa: E402
import pixels  # noqa: E402
from once import once  # noqa: E402

ENGINES = ["cpu", "reference", "gl-fragment", "gl-compute"]
SIZES = [(41, 70), (9, 33), (1, 9), (7, 1), (1, 1), (2, 2)]
FULL = 65535
BOUND = 4e-6


def blocks(rng, height, width):
    """Squares of one value each, with speckle that grows with them, and a black one."""
    squares = rng.integers(0, 6, (height // 8 + 1, width // 8 + 1)) / 6
    clean = np.kron(squares, np.ones((8, 8)))[:height, :width]
    noisy = clean * (1 + rng.normal(0, 0.15, clean.shape)) + np.abs(rng.normal(0, 0.02, clean.shape))
    return np.rint(FULL * np.clip(noisy, 0, 1)).astype(np.uint16)


def pictures():
    rng = np.random.default_rng(7)
    samples = [blocks(rng, *size) for size in SIZES]
    for i, one in enumerate(samples):
        pixels.write_png(f"in-{i}.png", one[..., None])
    return samples, [f"in-{i}.png" for i in range(len(samples))]


def agrees(engine, recipe, function, most=BOUND):
    """What the recipe makes of every picture is what the function makes of it, as fractions."""
    samples, sources = pictures()
    for one, got in zip(samples, command_line.process_each(sources, recipe, engine)):
        unequal = np.abs(got / FULL - function(one / FULL)).max()
        assert unequal < most, f"{recipe} of {one.shape}: {unequal}"


def neighbours(samples):
    """Those above, below, left and right."""
    large = np.pad(samples, 1, mode="edge")
    return large[:-2, 1:-1], large[2:, 1:-1], large[1:-1, :-2], large[1:-1, 2:]


CONDUCTANCES = {"exponential": lambda s: np.exp(-s * s), "rational": lambda s: 1 / (1 + s * s)}


@once
def perona_malik(samples, steps, kappa, step, conductance):
    for _ in range(steps):
        flows = [(other - samples) * CONDUCTANCES[conductance](np.abs(other - samples) / kappa)
                 for other in neighbours(samples)]
        samples = samples + step * sum(flows)
    return samples


def diffusion(engine):
    agrees(engine, "diffusion:steps=5,kappa=0.08", lambda f: perona_malik(f, 5, 0.08, 0.2, "exponential"))
    agrees(engine, "diffusion:steps=50,kappa=0.15,step=0.25",
           lambda f: perona_malik(f, 50, 0.15, 0.25, "exponential"), 2e-5)
    agrees(engine, "diffusion:steps=30,kappa=0.03,step=0.15,conductance=rational",
           lambda f: perona_malik(f, 30, 0.03, 0.15, "rational"), 2e-5)


@once
def srad_by_paper(samples, steps, q0, decay, step):
    """Equations 31 to 33, and 51 to 59 with h = 1. They divide by the samples, so that none is 0."""
    samples = np.maximum(samples, 1e-12)
    for n in range(steps):
        q0_now = q0 * np.exp(-decay * n * step)
        up, down, left, right = (other - samples for other in neighbours(samples))
        gradient = (right ** 2 + down ** 2 + left ** 2 + up ** 2) / samples ** 2
        laplacian = (up + down + left + right) / samples
        q = np.sqrt((gradient / 2 - laplacian ** 2 / 16) / (1 + laplacian / 4) ** 2)
        c = np.minimum(1 / (1 + (q ** 2 - q0_now ** 2) / (q0_now ** 2 * (1 + q0_now ** 2))), 1)
        below, beside = neighbours(c)[1], neighbours(c)[3]
        samples = samples + step / 4 * (below * down + c * up + beside * right + c * left)
    return samples


@once
def srad_compressed(samples, steps, q0, step):
    """Speckle is added: nothing is divided by the sample."""
    for _ in range(steps):
        up, down, left, right = (other - samples for other in neighbours(samples))
        laplacian = up + down + left + right
        square = (right ** 2 + down ** 2 + left ** 2 + up ** 2) / 2 - laplacian ** 2 / 16
        c = np.minimum(1 / (1 + (square - q0 ** 2) / (q0 ** 2 * (1 + q0 ** 2))), 1)
        below, beside = neighbours(c)[1], neighbours(c)[3]
        samples = samples + step / 4 * (below * down + c * up + beside * right + c * left)
    return samples


def srad(engine):
    agrees(engine, "srad:input=intensity,steps=5,q0=0.3,decay=0,step=0.2",
           lambda f: srad_by_paper(f, 5, 0.3, 0, 0.2))
    agrees(engine, "srad:input=intensity,steps=50,q0=0.5,decay=0.16,step=0.4",
           lambda f: srad_by_paper(f, 50, 0.5, 0.16, 0.4), 2e-5)
    agrees(engine, "srad:input=compressed,steps=50,q0=0.08,decay=0,step=0.5",
           lambda f: srad_compressed(f, 50, 0.08, 0.5), 2e-5)


def neutral(engine):
    for recipe in ("diffusion:steps=0", "diffusion:steps=20,kappa=0", "srad:steps=0",
                   "diffusion:steps=20,kappa=0,conductance=rational",
                   "srad:steps=20,q0=0", "srad:steps=20,q0=0,input=intensity"):
        agrees(engine, recipe, lambda f: f, 2e-6)


def constants_and_means_stay(engine):
    """Nothing flows out of the picture, nor where there is no difference."""
    flat = np.full((20, 30), 40000, np.uint16)
    black = np.zeros((20, 30), np.uint16)
    rough = blocks(np.random.default_rng(3), 64, 80)
    for name, samples in (("flat", flat), ("black", black), ("rough", rough)):
        pixels.write_png(f"{name}.png", samples[..., None])
    for recipe in ("diffusion:steps=40", "srad:steps=40", "srad:steps=40,input=intensity"):
        got = command_line.process_each(["flat.png", "black.png", "rough.png"], recipe, engine)
        assert np.abs(got[0] - 40000).max() < 0.1 and np.abs(got[1]).max() < 0.1, recipe
        assert abs(got[2].mean() - rough.mean()) < 0.5, f"{got[2].mean()}, not {rough.mean()}"
        assert got[2].std() < 0.99 * rough.std(), recipe


def most_steps(engine):
    """As many as there may be."""
    samples = blocks(np.random.default_rng(5), 40, 50)
    pixels.write_png("in.png", samples[..., None])
    for recipe, wanted in (
            ("diffusion:steps=400,kappa=0.5,step=0.25",
             perona_malik(samples / FULL, 400, 0.5, 0.25, "exponential")),
            ("srad:steps=400,q0=0.2,decay=0,step=0.05", srad_compressed(samples / FULL, 400, 0.2, 0.05))):
        got, = command_line.process_each(["in.png"], recipe, engine)
        unequal = np.abs(got / FULL - wanted).max()
        assert unequal < 2e-5, f"{recipe}: {unequal}"


CASES = {"Perona and Malik": diffusion, "Yu and Acton": srad, "neutral settings": neutral,
         "constants and means": constants_and_means_stay, "400 steps": most_steps}
sys.exit(command_line.run_cases(
    {f"{name} on {engine}": lambda engine=engine, case=case: case(engine)
     for name, case in CASES.items() for engine in ENGINES}))
