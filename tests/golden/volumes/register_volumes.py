#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Registration of volumes by known deformations: textures that are functions, so that both volumes are exact.

usage: register_volumes.py ONDELETTE_CLI
"""
import pathlib
import sys

import numpy as np
from scipy import ndimage

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "helpers"))
import mha  # noqa: E402
from command_line import fails, run, run_cases  # noqa: E402

DEPTH, HEIGHT, WIDTH = 44, 57, 63
RANGE = 128  # displacements are 0.5 + voxels / (2 RANGE)
MARGIN = 8  # near the border what is looked for may lie outside
AXES = ("across", "down", "along")
INNER = np.s_[MARGIN:-MARGIN, MARGIN:-MARGIN, MARGIN:-MARGIN]
Z, Y, X = np.mgrid[:DEPTH, :HEIGHT, :WIDTH].astype(float)


def texture(x, y, z, seed=3):
    """Waves of 7 to 40 voxels in all directions."""
    random = np.random.default_rng(seed)
    out = np.zeros_like(x)
    for _ in range(150):
        length = np.exp(random.uniform(np.log(7), np.log(40)))
        n = random.normal(size=3)
        n *= 2 * np.pi / length / np.linalg.norm(n)
        out += np.cos(n[0] * x + n[1] * y + n[2] * z + random.uniform(0, 2 * np.pi))
    return 0.5 + 0.03 * out


def shift(x, y, z):
    return np.full_like(x, 0.37), np.full_like(x, -0.61), np.full_like(x, 0.45)


def far_shift(x, y, z):
    return np.full_like(x, 3.3), np.full_like(x, -4.7), np.full_like(x, 2.6)


def rotation(x, y, z, degrees=5):
    """About an axis that is oblique to all others (Rodrigues)."""
    axis, angle = np.array([1, 2, 3]) / np.sqrt(14), np.radians(degrees)
    place = np.stack([x - WIDTH / 2, y - HEIGHT / 2, z - DEPTH / 2], -1)
    turned = (place * np.cos(angle) + np.cross(axis, place) * np.sin(angle)
              + axis * (place @ axis)[..., None] * (1 - np.cos(angle)))
    return tuple(np.moveaxis(turned - place, -1, 0))


def smooth(x, y, z):
    return (2 * np.sin(2 * np.pi * y / 70 + 1), 2.5 * np.cos(2 * np.pi * z / 60),
            1.5 * np.sin(2 * np.pi * x / 80) + 1)


def save(name, volume):
    mha.write(name, np.rint(np.clip(volume, 0, 1) * 65535).astype("u2"))


def load(name):
    """Fractions of the full scale of 16 bits, which results as floats keep."""
    head, data = pathlib.Path(name).read_bytes().split(b"ElementDataFile = LOCAL\n", 1)
    size = next(line for line in head.decode().splitlines() if line.startswith("DimSize")).split("=")[1].split()
    kind = "<u2" if b"MET_USHORT" in head else "<f4"
    return np.frombuffer(data, kind).reshape([int(n) for n in reversed(size)]).astype(float) / 65535


def registered(*options, engine="cpu"):
    run("process", "moving.mha", "-o", "out.mha", "--force", "--engine", engine, "--filter",
        ",".join(["register:with=reference.mha,dimensions=3", *options]))
    return load("out.mha")


def found(*options, engine="cpu"):
    """The displacements of moving.mha, in voxels along x, y, z."""
    return [(registered(f"output={axis}", *options, engine=engine) - 0.5) * 2 * RANGE for axis in AXES]


def errors(deformation, *options, noise=0.0, engine="cpu"):
    """The mean and the 99th percentile of how far the displacements are off, in voxels."""
    random = np.random.default_rng(5)
    d = deformation(X, Y, Z)
    save("moving.mha", texture(X, Y, Z) + noise * random.normal(size=X.shape))
    save("reference.mha", texture(X + d[0], Y + d[1], Z + d[2]) + noise * random.normal(size=X.shape))
    off = np.sqrt(sum((f - t) ** 2 for f, t in zip(found(*options, engine=engine), d)))[INNER]
    return off.mean(), np.percentile(off, 99)


def check(deformation, mean, most, *options, **more):
    got = errors(deformation, *options, **more)
    print(f"# {deformation.__name__} {more or ''}: {got[0]:.3f} voxels off, 99 % below {got[1]:.3f}")
    assert got[0] <= mean and got[1] <= most, f"{got[0]:.3f} and {got[1]:.3f} voxels, not {mean} and {most}"


def places():
    """It goes by voxels; that the other volume lies otherwise is said, and alike ones are alike."""
    volume = np.rint(np.clip(texture(X, Y, Z), 0, 1) * 65535).astype("u2")
    here = ("1 0 0 0 1 0 0 0 1", "5 6 7", "1 1 2")
    cases = {(): None, (0,): "other directions", (1,): "begins 3.0 mm away", (2,): "another size",
             (0, 1, 2): "other directions", (1, 2): "another size"}
    there = ("0.8 0.6 0 -0.6 0.8 0 0 0 1", "6 8 9", "1 1 3")
    fields = ("TransformMatrix", "Offset", "ElementSpacing")

    def put(name, values):
        mha.write(name, volume, "".join(f"{field} = {value}\n" for field, value in zip(fields, values)))

    put("moving.mha", here)
    for others, said in cases.items():
        put("reference.mha", [there[i] if i in others else here[i] for i in range(3)])
        done = run("process", "moving.mha", "-o", "out.mha", "--force", "--filter",
                   "register:with=reference.mha,dimensions=3,iterations=1,scales=1,smoothing=1").stderr
        assert (said is None and "lies otherwise" not in done) or (said and said in done), f"{others}: {done}"
    save("reference.mha", texture(X, Y, Z))  # says nothing of itself
    done = run("process", "moving.mha", "-o", "out.mha", "--force", "--filter",
               "register:with=reference.mha,dimensions=3,iterations=1,scales=1,smoothing=1").stderr
    assert "lies otherwise" not in done, done


def nothing():
    for name in ("moving.mha", "reference.mha"):
        save(name, texture(X, Y, Z))
    assert np.abs(registered() - load("moving.mha")).max() < 1e-3
    for d in found():
        assert np.abs(d).max() < 0.01, np.abs(d).max()


def translations():
    check(shift, 0.03, 0.1)
    check(far_shift, 0.1, 0.4)


def rotations():
    check(rotation, 0.06, 0.25)


def smooth_fields():
    check(smooth, 0.1, 0.4)
    check(smooth, 0.25, 1, noise=0.05)


def both_engines():
    d = smooth(X, Y, Z)
    save("moving.mha", texture(X, Y, Z))
    save("reference.mha", texture(X + d[0], Y + d[1], Z + d[2]))
    for output in ("picture", *AXES):
        one, other = (registered(f"output={output}", engine=engine) for engine in ("cpu", "reference"))
        assert np.abs(one - other).max() <= 1e-5, (output, np.abs(one - other).max())
    fails(1, "for volumes", arguments=["process", "moving.mha", "-o", "no.mha", "--engine", "gl-compute", "--filter",
                                       "register:with=reference.mha,dimensions=3"])


def picture():
    """What the volume shows lies where the reference has it: deformed by SciPy, of tissue that is not periodic."""
    random = np.random.default_rng(11)
    volume = sum(ndimage.gaussian_filter(random.normal(size=X.shape), s) * s ** 1.5 for s in (1.5, 3, 6))
    volume = 0.5 + 0.12 * volume / volume.std()
    dx, dy, dz = smooth(X, Y, Z)
    deformed = ndimage.map_coordinates(volume, [Z + dz, Y + dy, X + dx], order=3, mode="nearest")
    save("moving.mha", volume)
    save("reference.mha", deformed)
    before = np.sqrt(((volume - deformed)[INNER] ** 2).mean())
    after = np.sqrt(((registered() - deformed)[INNER] ** 2).mean())
    print(f"# differences of {before:.4f} become {after:.4f}")
    assert after < before / 5, (before, after)


def grid():
    """The edges of the moving volume's grid lie where the deformation puts them, and planes show where it cuts them."""
    d = far_shift(X, Y, Z)
    save("moving.mha", texture(X, Y, Z))
    save("reference.mha", texture(X + d[0], Y + d[1], Z + d[2]))
    drawn = registered("output=grid") != registered()
    sizes = (WIDTH, HEIGHT, DEPTH)
    surfaces = [[(i + by) // 16 != (i + 1 + by) // 16 for i in range(n)] for n, by in zip(sizes, (3.3, -4.7, 2.6))]
    for axis in range(3):
        others = [other for other in range(3) if other != axis]
        share = drawn[INNER].mean(axis=2 - axis)
        wanted = np.outer(*[surfaces[other][MARGIN:-MARGIN] for other in reversed(others)])
        assert wanted.sum() > 3 and np.array_equal(share > 0.9, wanted), (axis, share)
    # Between the edges there are no walls.
    assert drawn.mean() < 0.03, drawn.mean()
    for name, axis, at in (("axial", 2, DEPTH // 2), ("axial", 2, surfaces[2].index(True)), ("sagittal", 0, 30)):
        pictures = []
        for output in ("grid", "picture"):
            run("process", "moving.mha", "-o", "out.npy", "--force", "--plane", f"{name}:{at}", "--filter",
                f"register:with=reference.mha,dimensions=3,output={output}")
            pictures.append(np.load("out.npy"))
        on_line = pictures[0] != pictures[1]
        if name == "sagittal":
            on_line = on_line[::-1]  # heads are up
        across, down = [surfaces[other] for other in range(3) if other != axis]
        wanted = np.logical_or.outer(down, across)
        inner = np.s_[MARGIN:-MARGIN, MARGIN:-MARGIN]
        assert (on_line == wanted)[inner].mean() > 0.97, (name, at, (on_line == wanted)[inner].mean())


def what_does_not_fit():
    save("moving.mha", texture(X, Y, Z))
    save("reference.mha", texture(X, Y, Z)[:-1])
    arguments = ["process", "moving.mha", "-o", "no.mha", "--filter"]
    fails(1, "43 slices, the first one 44", arguments=[*arguments, "register:with=reference.mha,dimensions=3"])
    run("process", "moving.mha", "-o", "slice.png", "--force", "--frame", "1")
    fails(1, "no volume", arguments=[*arguments, "register:with=slice.png,dimensions=3"])
    fails(1, "a volume of 43 slices", arguments=[*arguments, "register:with=reference.mha"])
    fails(1, "a still", arguments=[*arguments, "mix:with=reference.mha"])
    save("reference.mha", texture(X, Y, Z)[:, :-1])
    fails(1, "two of the same size", arguments=[*arguments, "register:with=reference.mha,dimensions=3"])
    for shape in ((2, 1, 1), (2, 3, 40), (5, 7, 3), (30, 30, 30)):
        save("moving.mha", np.full(shape, 0.4))
        save("reference.mha", np.full(shape, 0.7))
        assert np.abs(registered("scales=8") - 0.4).max() < 1e-3, shape


CASES = {
    "equal volumes stay where they are": nothing,
    "volumes that lie otherwise are told": places,
    "shifts": translations,
    "a rotation": rotations,
    "a smooth field, without and with noise": smooth_fields,
    "both engines, and one that refuses": both_engines,
    "a volume that SciPy deforms": picture,
    "the grid lies where the deformation puts it": grid,
    "other sizes, and volumes without any structure": what_does_not_fit,
}

sys.exit(run_cases(CASES))
