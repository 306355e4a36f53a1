#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Display shutters of DICOM files, against NumPy and scikit-image's polygons.

usage: shutters.py ONDELETTE_CLI
"""
import pathlib
import sys

import numpy as np
from skimage.measure import points_in_poly

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "helpers"))
import pixels  # noqa: E402
from command_line import read, run, run_cases  # noqa: E402
from dicom_file import LITTLE, Writer  # noqa: E402

RANDOM = np.random.default_rng(5)
HEIGHT, WIDTH = 61, 83
VALUES = RANDOM.integers(1, 255, (HEIGHT, WIDTH))  # neither black nor white
ROWS, COLUMNS = np.mgrid[1:HEIGHT + 1, 1:WIDTH + 1]  # as DICOM counts them


def picture(frames=None, photometric="MONOCHROME2"):
    out = Writer(LITTLE)
    out.put(0x00080016, "UI", "1.2.840.10008.5.1.4.1.1.7").put(0x00080018, "UI", "1.2.3.4")
    out.put(0x00280002, "US", 1).put(0x00280004, "CS", photometric)
    if frames:
        out.put(0x00280008, "IS", frames)
    out.put(0x00280010, "US", HEIGHT).put(0x00280011, "US", WIDTH)
    out.put(0x00280100, "US", 8).put(0x00280101, "US", 8).put(0x00280102, "US", 7)
    out.put(0x00280103, "US", 0).put(0x00281050, "DS", 128).put(0x00281051, "DS", 256)
    return out.put(0x7fe00010, "OB", VALUES.astype("u1").tobytes() * (frames or 1))


def rectangle(out, left, right, upper, lower):
    for tag, number in zip((0x00181602, 0x00181604, 0x00181606, 0x00181608), (left, right, upper, lower)):
        out.put(tag, "IS", number)
    return out


def shown(path, *options):
    run("process", path, "-o", "shown.png", "--force", *options)
    return pixels.read_png("shown.png")[..., 0].astype(int)


def differs(name, out, visible, level=0, values=VALUES):
    got = shown(out.write())
    want = np.where(visible, values, level)
    if not np.array_equal(got, want):
        yield f"{name}: {(got != want).sum()} of {got.size} samples differ, at {np.argwhere(got != want)[0]}"


def shapes():
    out = rectangle(picture().put(0x00181600, "CS", "RECTANGULAR"), 10, 50, 5, 40)
    box = (COLUMNS >= 10) & (COLUMNS <= 50) & (ROWS >= 5) & (ROWS <= 40)
    yield from differs("a rectangle", out, box)
    out.put(0x00181622, "US", 0x8080)
    yield from differs("a grey rectangle", out, box, 128)
    circle = np.hypot(COLUMNS - 42, ROWS - 31) <= 25
    out.put(0x00181610, "IS", 31, 42).put(0x00181612, "IS", 25)
    yield from differs("a circle", out.put(0x00181600, "CS", "CIRCULAR"), circle, 128)
    yield from differs("both", out.put(0x00181600, "CS", "RECTANGULAR", "CIRCULAR"), box & circle, 128)
    out.put(0x00280034, "IS", 2, 1)  # pixels twice as high as wide
    high = np.hypot(COLUMNS - 42, 2 * (ROWS - 31)) <= 25
    yield from differs("of high pixels", out.put(0x00181600, "CS", "CIRCULAR"), high, 128)
    white = picture(photometric="MONOCHROME1").put(0x00181600, "CS", "RECTANGULAR")
    yield from differs("of an inverse picture", rectangle(white, 10, 50, 5, 40), box, 0, 255 - VALUES)


def polygons():
    """Random ones, which may cross themselves. Samples on an edge or a corner are left to us."""
    middles = np.stack([ROWS.ravel(), COLUMNS.ravel()], axis=1).astype(float)
    for n in (3, 4, 5, 9):
        corners = np.stack([RANDOM.integers(-5, HEIGHT + 5, n), RANDOM.integers(-5, WIDTH + 5, n)], axis=1)
        out = picture().put(0x00181600, "CS", "POLYGONAL").put(0x00181620, "IS", *corners.ravel())
        got = shown(out.write()) == VALUES
        nudged = [points_in_poly(middles + [0, step], corners).reshape(HEIGHT, WIDTH)
                  for step in (-1e-4, 1e-4)]
        sure = nudged[0] == nudged[1]
        for row, column in corners:
            sure[(ROWS == row) & (COLUMNS == column)] = False
        wrong = (got != nudged[0]) & sure
        if wrong.any():
            yield f"a polygon of {n} corners: {wrong.sum()} samples differ, corners {corners.tolist()}"


def they_can_be_hidden():
    path = rectangle(picture().put(0x00181600, "CS", "RECTANGULAR"), 10, 50, 5, 40).write()
    if not np.array_equal(shown(path, "--no-overlays"), VALUES):
        yield "without overlays the shutter is drawn"
    if not read("info", path)["image"]["shutter"] or "display shutter" not in run("info", path).stdout:
        yield "info does not tell of it"
    # Filters see what is below; the result is covered where the picture was.
    got = shown(path, "--filter", "gaussian:sigma=2")
    want = shown(path, "--filter", "gaussian:sigma=2", "--no-overlays")
    box = (COLUMNS >= 10) & (COLUMNS <= 50) & (ROWS >= 5) & (ROWS <= 40)
    if not np.array_equal(got, np.where(box, want, 0)):
        yield "a filtered picture is not covered like the original"


def frames_have_shutters_of_their_own():
    groups = [Writer().items(0x00189472, rectangle(
        Writer().put(0x00181600, "CS", "RECTANGULAR"), 5, 20, 5, lower)) for lower in (10, 30)]
    path = picture(frames=2).items(0x52009230, *groups).write()
    for frame, lower in ((1, 10), (2, 30)):
        box = (COLUMNS >= 5) & (COLUMNS <= 20) & (ROWS >= 5) & (ROWS <= lower)
        if not np.array_equal(shown(path, "--frame", frame), np.where(box, VALUES, 0)):
            yield f"frame {frame} has another shutter"


def bad_ones_are_left_out():
    shape = 0x00181600
    many = [number for i in range(1025) for number in (i % 60, i % 80)]
    for word, out in (("BITMAP", picture().put(shape, "CS", "BITMAP")),
                      ("invalid", picture().put(shape, "CS", "CIRCULAR")),
                      ("invalid", rectangle(picture().put(shape, "CS", "RECTANGULAR"), 50, 10, 5, 40)),
                      ("invalid", rectangle(picture().put(shape, "CS", "RECTANGULAR"), "x", 10, 5, 40)),
                      ("invalid", picture().put(shape, "CS", "POLYGONAL").put(0x00181620, "IS", 1, 2, 3, 4)),
                      ("invalid", picture().put(shape, "CS", "POLYGONAL").put(0x00181620, "IS", *many)),
                      ("invalid", picture().put(shape, "CS", "CIRCULAR").put(0x00181610, "IS", 1, 2)
                       .put(0x00181612, "IS", -4)),
                      ("whole picture", rectangle(picture().put(shape, "CS", "RECTANGULAR"),
                                                  500, 600, 5, 40))):
        path = out.write()
        told = read("info", path)
        if word not in (told["warning"] or "") or told["image"]["shutter"]:
            yield f"{word}: {told['warning']}"
        if not np.array_equal(shown(path), VALUES):
            yield f"{word}: something is covered"


sys.exit(run_cases({
    "rectangles and circles": shapes,
    "polygons": polygons,
    "they can be hidden": they_can_be_hidden,
    "frames have shutters of their own": frames_have_shutters_of_their_own,
    "bad ones are left out": bad_ones_are_left_out}))
