#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Grids of control points: OBJ files in and out, surfaces against SciPy, bad files.

usage: surface.py ONDELETTE_CLI
"""
import pathlib
import sys

import numpy as np
import pywt
from scipy.interpolate import BSpline

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
import pixels  # noqa: E402
from command_line import fails, process, run_cases  # noqa: E402

ENGINES = ["cpu", "reference", "gl-fragment", "gl-compute"]


def text_of(points, knots, degrees, weights=None, ends=None):
    """An OBJ file; `points` is rows × columns × 3, columns go along u."""
    lines = ["# made by a test", "vt 0 0", "v 9 9 9"]
    for index in np.ndindex(points.shape[:2]):
        w = "" if weights is None else f" {float(weights[index])!r}"
        lines.append("v " + " ".join(repr(float(x)) for x in points[index]) + w)
    ends = ends or [(k[d], k[-d - 1]) for k, d in zip(knots, degrees)]
    corners = [f"{i}/1" for i in range(2, points.shape[0] * points.shape[1] + 2)]
    lines += [f"cstype {'' if weights is None else 'rat '}bspline",
              f"deg {degrees[0]} {degrees[1]}",
              "surf " + " ".join(f"{float(x)!r}" for pair in ends for x in pair) + " \\",
              " ".join(corners[:7]) + " \\", " ".join(corners[7:])]
    lines += [f"parm {name} " + " ".join(repr(float(k)) for k in row)
              for name, row in zip("uv", knots)]
    return "\r\n".join(lines + ["end", ""])


def read(name):
    """Vertices, normals, faces, and the numbers of surf and parm."""
    rows = {"v": [], "vn": [], "f": [], "surf": [], "parm": [], "deg": [], "cstype": []}
    for line in pathlib.Path(name).read_text().replace("\\\n", " ").splitlines():
        word, *rest = line.split("#")[0].split() or [""]
        if word in rows:
            rows[word].append(rest)
    return rows


def numbers(rows):
    return np.array(rows, float)


def random_knots(rng, points, degree):
    """Clamped at one end, with a double knot inside where the degree allows it."""
    inner = np.sort(rng.uniform(0, 1, points - degree - 1))
    if degree > 1 and len(inner) > 2:
        inner[1] = inner[0]
    return np.r_[[0.0] * (degree + 1), inner, 1 + 0.25 * np.arange(degree + 1)]


def breaks(knots, ends):
    inside = [k for k in np.unique(knots) if ends[0] < k < ends[1]]
    whole = np.array([ends[0], *inside, ends[1]])
    pieces = min(max(256 // (len(whole) - 1), 1), 8)
    parts = [a + (b - a) * k / pieces for a, b in zip(whole, whole[1:]) for k in range(pieces)]
    return np.array(parts + [ends[1]])


def evaluated(points, knots, degrees, weights, ends):
    """Positions and normals by SciPy, in homogeneous coordinates."""
    whole = np.concatenate([points * weights[..., None], weights[..., None]], 2)
    at = [breaks(k, e) for k, e in zip(knots, ends)]

    def along(order_u, order_v):
        rows = BSpline(knots[0], whole.swapaxes(0, 1), degrees[0])(at[0], order_u)
        return BSpline(knots[1], rows.swapaxes(0, 1), degrees[1])(at[1], order_v)

    s, u, v = along(0, 0), along(1, 0), along(0, 1)
    position = s[..., :3] / s[..., 3:]
    tangents = [(t[..., :3] - t[..., 3:] * position) / s[..., 3:] for t in (u, v)]
    cross = np.cross(*tangents)
    return position, cross / np.linalg.norm(cross, axis=-1, keepdims=True)


def equals_scipy(degrees):
    rng = np.random.default_rng(degrees[0] * 10 + degrees[1])
    columns, rows = 11, 9
    grid = np.stack(np.meshgrid(np.arange(columns), np.arange(rows)), 2)
    points = np.concatenate([grid * 10, rng.normal(0, 8, (rows, columns, 1))], 2)
    points = points.astype(np.float32)
    weights = rng.uniform(0.2, 3, (rows, columns))
    knots = [random_knots(rng, n, d) for n, d in zip((columns, rows), degrees)]
    ends = [(0.1, 1.0), (0.0, 0.9)]
    pathlib.Path("in.obj").write_text(text_of(points, knots, degrees, weights, ends))
    process("in.obj", "-o", "out.obj", "--force", "--mesh-output", "mesh.obj")
    mesh, same = read("mesh.obj"), read("out.obj")
    position, normal = evaluated(points.astype(float), knots, degrees, weights, ends)
    error = np.abs(numbers(mesh["v"]) - position.reshape(-1, 3)).max()
    assert error < 2e-5, f"a position differs by {error}"
    error = np.abs(numbers(mesh["vn"]) - normal.reshape(-1, 3)).max()
    assert error < 2e-4, f"a normal differs by {error}"
    assert len(mesh["f"]) == (position.shape[0] - 1) * (position.shape[1] - 1)
    corners = [int(c.split("//")[0]) for c in mesh["f"][-1]]
    n = position.shape[0] * position.shape[1]
    assert corners == [n - position.shape[1] - 1, n - position.shape[1], n, n - 1], corners
    written = numbers(same["v"])
    assert np.abs(written[:, :3] - points.reshape(-1, 3)).max() < 1e-5
    assert (written[:, 3] == weights.ravel()).all()
    assert [" ".join(w) for w in same["cstype"] + same["deg"]] \
        == ["rat bspline", "%d %d" % degrees]
    assert (numbers(same["surf"])[0, :4] == np.ravel(ends)).all()
    for row, k in zip(same["parm"], knots):
        assert (np.array(row[1:], float) == k).all()


def deforms_as_it_filters(engine):
    """The control points of the result are the numbers of the filter; its file is read again."""
    recipe = "hard-threshold:wavelet=cdf97,levels=3,threshold=0.05"
    for name in ("points.tif", "points.obj", "face.obj"):
        more = [] if name == "face.obj" else ["-f", recipe]
        process("phantom:face:41x33", "-o", name, "--force", "-e", engine, *more)
    wanted = pixels.read_tiff("points.tif")[1].reshape(-1, 3)
    got, before = numbers(read("points.obj")["v"]), numbers(read("face.obj")["v"])
    assert np.abs(got - wanted).max() < 1e-5 * np.ptp(before)
    assert np.abs(got - before).max() > 1, "nothing was deformed"
    process("face.obj", "-o", "again.obj", "--force", "-e", engine, "-f", recipe)
    again = numbers(read("again.obj")["v"])
    assert np.abs(again - got).max() < 1e-5 * np.ptp(before)


def scales_its_bands(engine):
    """Control points whose bands PyWavelets scales."""
    process("phantom:face:48x40", "-o", "face.obj", "--force")
    before = numbers(read("face.obj")["v"]).reshape(40, 48, 3)
    gains = [(2, 2, 2), (0.5, 0, 3)]  # the finest level first; HL, LH, HH
    process("face.obj", "-o", "out.obj", "--force", "-e", engine, "-f",
            "scale-bands:wavelet=cdf97,levels=2,gains=2/0.5:0:3 border=periodic")
    got = numbers(read("out.obj")["v"]).reshape(40, 48, 3)
    for c in range(3):
        low, *details = pywt.wavedec2(before[..., c], "bior4.4", "periodization", level=2)
        scaled = [(lh * h, hl * v, hh * d)
                  for (h, v, d), (hl, lh, hh) in zip(details, gains[::-1])]
        wanted = pywt.waverec2([low, *scaled], "bior4.4", "periodization")
        error = np.abs(got[..., c] - wanted).max() / np.ptp(before)
        assert error < 5e-6, f"{'xyz'[c]}: {error}"
    assert np.abs(got - before).max() > 5, "nothing was deformed"


def the_face():
    """Its normals point outwards, and both halves are alike."""
    process("phantom:face:33x33", "-o", "face.png", "--mesh-output", "mesh.obj", "--force")
    mesh = read("mesh.obj")
    v, n = numbers(mesh["v"]), numbers(mesh["vn"])
    front = v[:, 2] > 60
    assert front.any() and (n[front, 2] > 0).all()
    side = int(round(len(v) ** 0.5))
    v = v.reshape(side, side, 3)
    assert np.abs(v - v[:, ::-1] * [-1, 1, 1]).max() < 1e-3


def cube(weight="1", knots="0 0 1 1", degree="1 1", surf="0 1 0 1 1 2 3 4", last="v 1 1 1"):
    return (f"v 0 0 0\nv 1 0 0\nv 0 1 0 {weight}\n{last}\ncstype rat bspline\ndeg {degree}\n"
            f"surf {surf}\nparm u {knots}\nparm v 0 0 1 1\nend\n")


BAD = [
    ("a NaN", cube(last="v 1 nan 1"), "line 4: “nan” is not a number"),
    ("an infinity", cube(last="v 1 1e999 1"), "“1e999” is not a number"),
    ("a huge coordinate", cube(last="v 1 1e30 1"), "at most 1e+15"),
    ("two coordinates", cube(last="v 1 1"), "line 4 ends too early"),
    ("one column", cube(knots="0 0 1", surf="0 1 0 1 1 2"), "needs at least 2"),
    ("one row", "v 0 0 0\nv 1 0 0\ncstype bspline\ndeg 1 1\nsurf 0 1 0 1 1 2\nparm u 0 0 1 1\n"
                "parm v 0 0 1\nend\n", "needs at least 2"),
    ("a degree too high", cube(degree="9 1"), "degrees from 1 to 5"),
    ("an absurd degree", cube(degree="-9223372036854775808 1"), "degrees from 1 to 5"),
    ("a degree that does not fit", cube(degree="3 1"), "deg"),
    ("no knots", "v 0 0 0\ncstype bspline\ndeg 1 1\nsurf 0 1 0 1 1\nend\n", "0 × 0"),
    ("knots that descend", cube(knots="0 1 0 1"), "do not descend"),
    ("knots that are one", cube(knots="1 1 1 1"), "too often"),
    ("parameters outside", cube(surf="0 2 0 1 1 2 3 4"), "allow 0 to 1"),
    ("parameters turned round", cube(surf="1 0 0 1 1 2 3 4"), "allow 0 to 1"),
    ("a vertex that is not there", cube(surf="0 1 0 1 1 2 3 1000000000"), "1000000000"),
    ("vertex 0", cube(surf="0 1 0 1 0 2 3 4"), "no vertex 0"),
    ("too few vertices", cube(surf="0 1 0 1 1 2 3"), "names 3"),
    ("a weight of zero", cube(weight="0"), "above 0"),
    ("a negative weight", cube(weight="-1"), "above 0"),
    ("Bézier patches", cube().replace("bspline", "bezier"), "bezier"),
    ("a mesh", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "no NURBS surface"),
    ("bytes", "\0\1\2\\\n" * 100, "no NURBS surface"),
]


def bad_files():
    for what, text, words in BAD:
        pathlib.Path("bad.obj").write_text(text)
        try:
            fails(1, words, arguments=["process", "bad.obj", "-o", "out.png"])
        except AssertionError as problem:
            raise AssertionError(f"{what}: {problem}") from None
    pathlib.Path("good.obj").write_text(cube() + "surf 0 1 0 1 1\n")
    said = process("good.obj", "-o", "good.png", "--force").stderr
    assert "2 surfaces" in said, said
    pathlib.Path("big.obj").write_text("parm u 1\n" + cube(knots="0 " * 5000))
    fails(1, "4096", arguments=["process", "big.obj", "-o", "out.png"])


def no_grids():
    """What holds no control points is not written as if it did."""
    soft = "hard-threshold:threshold=0.1"
    for status, words, line in (
            (1, "has none", ["phantom:64x48", "-o", "new.obj"]),
            (1, "coefficients", ["phantom:face", "-o", "new.obj", "-f", soft, "--view", "analysis"]),
            (1, "has none", ["phantom:64x48", "-o", "new.png", "--mesh-output", "new.obj"]),
            (2, ".obj", ["phantom:face", "-o", "new.png", "--mesh-output", "new.stl"]),
            (1, "8 to 1024", ["phantom:face:7x9", "-o", "new.png"]),
            (1, "WIDTHxHEIGHT", ["phantom:face:9", "-o", "new.png"])):
        fails(status, words, arguments=["process", *line, "--force"])
        assert not pathlib.Path("new.obj").exists(), line


sys.exit(run_cases(
    {f"a surface of degree {u} × {v} equals SciPy's": lambda degrees=(u, v): equals_scipy(degrees)
     for u, v in ((3, 3), (1, 5), (4, 2))}
    | {f"{engine} deforms as it filters": lambda engine=engine: deforms_as_it_filters(engine)
       for engine in ENGINES[:2]}
    | {f"{engine} scales bands as PyWavelets does": lambda engine=engine: scales_its_bands(engine)
       for engine in ENGINES}
    | {"the face is one": the_face, "bad files give a sentence": bad_files,
       "what is no grid is not written as one": no_grids}))
