#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Registration by known deformations: textures that are functions, so that both pictures are exact,
and a photograph that SciPy deforms by splines.

usage: register.py ONDELETTE_CLI
"""
import pathlib
import sys

import numpy as np
from scipy import ndimage

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
import pixels  # noqa: E402
from command_line import Skip, fails, run, run_cases  # noqa: E402

HEIGHT, WIDTH = 219, 251
RANGE = 128  # displacements are 0.5 + pixels / (2 RANGE)
MARGIN = 20  # near the border what is looked for may lie outside
Y, X = np.mgrid[:HEIGHT, :WIDTH].astype(float)


def texture(x, y, seed=3):
    """Waves of 8 to 60 pixels in all directions."""
    random = np.random.default_rng(seed)
    out = np.zeros_like(x)
    for _ in range(120):
        length = np.exp(random.uniform(np.log(8), np.log(60)))
        angle, phase = random.uniform(0, 2 * np.pi, 2)
        out += np.cos(2 * np.pi / length * (np.cos(angle) * x + np.sin(angle) * y) + phase)
    return 0.5 + 0.035 * out


def shift(x, y):
    return np.full_like(x, 5.3), np.full_like(x, -3.7)


def far_shift(x, y):
    return np.full_like(x, -13.4), np.full_like(x, 9.2)


def rotation(x, y, degrees=5):
    angle = np.radians(degrees)
    cx, cy = x - WIDTH / 2, y - HEIGHT / 2
    return (np.cos(angle) * cx - np.sin(angle) * cy - cx, np.sin(angle) * cx + np.cos(angle) * cy - cy)


def smooth(x, y):
    return 6 * np.sin(2 * np.pi * y / 150 + 1), 5 * np.cos(2 * np.pi * x / 130) + 2


def save(name, picture):
    samples = np.rint(np.clip(picture, 0, 1) * 65535).astype("u2")
    pixels.write_png(name, samples if samples.ndim == 3 else samples[..., None])


def found(*options, engine="cpu"):
    """The displacements of moving.png, in pixels."""
    out = []
    for axis in ("across", "down"):
        run("process", "moving.png", "-o", f"{axis}.tif", "--force", "--engine", engine, "--filter",
            ",".join([f"register:with=reference.png,output={axis}", *options]))
        values = pixels.read_tiff(f"{axis}.tif")[1][..., 0].astype(float) / 65535
        out.append((values - 0.5) * 2 * RANGE)
    return out


def errors(deformation, *options, noise=0.0, engine="cpu"):
    """The mean and the 99th percentile of how far the displacements are off, in pixels."""
    random = np.random.default_rng(5)
    dx, dy = deformation(X, Y)
    save("moving.png", texture(X, Y) + noise * random.normal(size=X.shape))
    save("reference.png", texture(X + dx, Y + dy) + noise * random.normal(size=X.shape))
    fx, fy = found(*options, engine=engine)
    inner = np.s_[MARGIN:-MARGIN, MARGIN:-MARGIN]
    inside = ((X + dx > MARGIN) & (X + dx < WIDTH - MARGIN) & (Y + dy > MARGIN) & (Y + dy < HEIGHT - MARGIN))[inner]
    off = np.hypot(fx - dx, fy - dy)[inner][inside]
    return off.mean(), np.percentile(off, 99)


def check(deformation, mean, most, *options, **more):
    got = errors(deformation, *options, **more)
    print(f"# {deformation.__name__} {more or ''}: {got[0]:.3f} pixels off, 99 % below {got[1]:.3f}")
    assert got[0] <= mean and got[1] <= most, f"{got[0]:.3f} and {got[1]:.3f} pixels, not {mean} and {most}"


def nothing():
    save("moving.png", texture(X, Y))
    save("reference.png", texture(X, Y))
    dx, dy = found()
    assert np.hypot(dx, dy).max() < 0.01, np.hypot(dx, dy).max()
    run("process", "moving.png", "-o", "same.tif", "--filter", "register:with=reference.png")
    off = np.abs(pixels.read_tiff("same.tif")[1][..., 0] - pixels.read_png("moving.png")[..., 0].astype(float))
    assert off.max() < 65535 * 1e-3, off.max()


def translations():
    check(shift, 0.05, 0.15)
    check(far_shift, 0.1, 0.4)


def rotations():
    check(rotation, 0.05, 0.2)


def smooth_fields():
    check(smooth, 0.1, 0.4)


def with_noise():
    check(smooth, 0.25, 1, noise=0.05)


def both_engines():
    results = []
    for engine in ("cpu", "reference"):
        check(smooth, 0.1, 0.4, engine=engine)
        run("process", "moving.png", "-o", f"{engine}.tif", "--engine", engine, "--filter",
            "register:with=reference.png")
        results.append(pixels.read_tiff(f"{engine}.tif")[1].astype(float) / 65535)
    off = np.abs(results[0] - results[1]).max()
    print(f"# the engines differ by {off:.2g}")
    assert off < 1e-5, off


def photograph():
    """What it shows lies where the reference has it, colours too."""
    try:
        from skimage import data
        picture = data.astronaut()[60:300, 100:360].astype(float) / 255
    except (ImportError, OSError) as reason:
        raise Skip(f"scikit-image has no picture here: {reason}")
    y, x = np.mgrid[:240, :260].astype(float)
    dx, dy = 5 * np.sin(2 * np.pi * y / 140), 4 * np.cos(2 * np.pi * x / 150)
    deformed = np.stack([ndimage.map_coordinates(picture[..., c], [y + dy, x + dx], order=3, mode="nearest")
                         for c in range(3)], -1)
    save("moving.png", picture)
    save("reference.png", deformed)
    run("process", "moving.png", "-o", "out.tif", "--filter", "register:with=reference.png", "--colour", "luma")
    inner = np.s_[MARGIN:-MARGIN, MARGIN:-MARGIN]
    out = pixels.read_tiff("out.tif")[1][inner].astype(float) / 65535
    before = np.sqrt(((picture - deformed)[inner] ** 2).mean())
    after = np.sqrt(((out - deformed[inner]) ** 2).mean(axis=(0, 1)))
    print(f"# differences of {before:.4f} become {after.round(4)}")
    assert after.max() < before / 6, (before, after)


def grid():
    """Lines of the moving picture's columns lie where the deformation puts them."""
    dx, dy = shift(X, Y)
    save("moving.png", texture(X, Y))
    save("reference.png", texture(X + dx, Y + dy))
    for output in ("picture", "grid"):
        run("process", "moving.png", "-o", f"{output}.tif", "--filter", f"register:with=reference.png,output={output}")
    plain, lines = (pixels.read_tiff(f"{output}.tif")[1][..., 0].astype(float) / 65535 for output in ("picture", "grid"))
    drawn = lines != plain
    row = drawn[60:160].mean(axis=0) > 0.9
    columns = [x for x in range(MARGIN, WIDTH - MARGIN) if row[x]]
    wanted = [x for x in range(MARGIN, WIDTH - MARGIN) if (x + 5.3) // 16 != (x + 6.3) // 16]
    assert columns == wanted, (columns, wanted)
    assert set(np.unique(lines[drawn])) <= {0.0, 1.0}


def coloured_grid():
    """Lines over colours, some channels of which are bright and others dark, are black or white."""
    grey = texture(X, Y)
    colours = np.stack([grey, 1 - grey, np.full_like(grey, 0.3)], axis=-1)
    for name in ("moving.png", "reference.png"):
        save(name, colours)
    for output in ("picture", "grid"):
        run("process", "moving.png", "-o", f"{output}.tif", "--force", "--filter",
            f"register:with=reference.png,output={output}")
    plain, lines = (pixels.read_tiff(f"{output}.tif")[1].astype(float) / 65535 for output in ("picture", "grid"))
    drawn = lines[(np.abs(plain - lines) > 0.01).any(axis=-1)]
    assert len(drawn) > WIDTH and (drawn.min(axis=-1) == drawn.max(axis=-1)).all()


def other_sizes():
    save("moving.png", texture(X, Y))
    save("reference.png", texture(X, Y)[:-1])
    fails(1, "two of the same size", arguments=["process", "moving.png", "-o", "no.png", "--filter",
                                                "register:with=reference.png"])
    for shape in ((1, 1), (1, 40), (3, 7), (30, 30)):
        save("moving.png", np.full(shape, 0.4))
        save("reference.png", np.full(shape, 0.7))
        run("process", "moving.png", "-o", "flat.tif", "--force", "--filter", "register:with=reference.png,scales=8")
        out = pixels.read_tiff("flat.tif")[1] / 65535
        assert np.abs(out - 0.4).max() < 1e-3, (shape, out.min(), out.max())


CASES = {
    "equal pictures stay where they are": nothing,
    "shifts": translations,
    "a rotation": rotations,
    "a smooth field": smooth_fields,
    "a smooth field with noise": with_noise,
    "both engines": both_engines,
    "a photograph in colours": photograph,
    "the grid lies where the deformation puts it": grid,
    "the grid over colours has none": coloured_grid,
    "other sizes, and pictures without any structure": other_sizes,
}

sys.exit(run_cases(CASES))
