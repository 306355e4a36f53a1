#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""MetaImage volumes lie where ITK says: as NIfTI files of the same geometry do, which nibabel reads,
and where ITK 5.2.1 itself (itk::MetaImageIO, TransformIndexToPhysicalPoint) has put the corners of
two files; read, and written again.

usage: metaimage_places.py ONDELETTE_CLI
"""
import os
import pathlib
import subprocess
import sys
import zlib

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "helpers"))
import tap  # noqa: E402
from places import (CLI, corners, differences, info, nib, oblique, read_metaimage, run, run_cases, save,  # noqa: E402
                    shown, truth, wrong_place, wrong_values)

# Which engine “auto” takes for many pictures depends on how busy the machine is.
os.environ["ODL_ENGINE"] = "cpu"
DATA = pathlib.Path(os.environ.get("ODL_TESTDATA", ""), "PlusLibData")
RANDOM = np.random.default_rng(40)
TYPES = {"UCHAR": "u1", "SHORT": "i2", "INT": "i4", "FLOAT": "f4"}
LPS_OF_RAS = np.diag([-1, -1, 1, 1])
ORDERS = [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)]
NAMES = [("TransformMatrix", "Offset"), ("Rotation", "Position"), ("Orientation", "Origin")]


def words(numbers):
    return " ".join(f"{number:.12g}" for number in np.ravel(numbers))


def place_fields(affine, axes=3, names=NAMES[0]):
    """Of an affine in RAS. Each axis has its direction as a row of numbers."""
    lps = LPS_OF_RAS @ affine
    spacing = np.linalg.norm(lps[:3, :3], axis=0)
    matrix = np.eye(axes)
    matrix[:3, :3] = (lps[:3, :3] / spacing).T
    return {names[0]: words(matrix), names[1]: words([*lps[:3, 3], 0][:axes]),
            "ElementSpacing": words([*spacing, 1][:axes])}


def write(path, samples, kind="SHORT", packed=False, beside=False, **fields):
    """Samples as nibabel has them, x first."""
    data = samples.astype("<" + TYPES[kind]).tobytes(order="F")
    data = zlib.compress(data) if packed else data
    raw = pathlib.Path(path).with_suffix(".raw").name if beside else "LOCAL"
    head = {"ObjectType": "Image", "NDims": samples.ndim, "BinaryData": "True", "CompressedData": packed,
            "DimSize": words(samples.shape), **fields, "ElementType": f"MET_{kind}", "ElementDataFile": raw}
    text = "".join(f"{key} = {value}\n" for key, value in head.items()).encode()
    pathlib.Path(path).write_bytes(text + (b"" if beside else data))
    if beside:
        pathlib.Path(raw).write_bytes(data)


def some(kind, *shape):
    return RANDOM.integers(0, 200, shape).astype(TYPES[kind])


def orientations():
    """All 48 ways to store a volume, oblique, half of them left-handed, over time, packed, in two files."""
    for i, order in enumerate(ORDERS):
        for j, signs in enumerate(np.ndindex(2, 2, 2)):
            kind = list(TYPES)[(i + j) % 4]
            samples = some(kind, *(6, 5, 4, 3)[:4 if j == i else 3])
            affine = oblique(1 - 2 * np.array(signs), order)
            save("true.nii", samples, affine)
            path = f"turn{i}{j}.mh" + "ad"[j % 2]
            write(path, samples, kind, packed=(i + j) % 3 == 0, beside=j % 2,
                  **place_fields(affine, samples.ndim, NAMES[(i + j) % 3]))
            yield from differences(path, true="true.nii")


def as_itk():
    """Files that ITK 5.2.1 has read: oblique, left-handed and on its side, scaled, about a centre."""
    cases = {
        "oblique": ("0.9 0.3 0.316227766017 -0.3 0.952631578947 -0.0499307 -0.316227766017 -0.0499307 0.947368421053",
                    "-31.25 17.5 90", ITK_OBLIQUE),
        "left": ("0 0 -1 1 0 0 0 1 0", "10 -20 30.5", ITK_LEFT),
        "scaled": ("2 0 0 0 1 0 0 0 1", "1 2 3", ITK_SCALED),
        "about a centre": ("0 1 0 -1 0 0 0 0 1", "1 2 3\nCenterOfRotation = 50 60 70", ITK_ABOUT_A_CENTRE),
    }
    samples = np.arange(6 * 5 * 4).reshape((6, 5, 4), order="F")
    for name, (matrix, offset, wanted) in cases.items():
        write(f"{name}.mha", samples, TransformMatrix=matrix, Offset=offset, ElementSpacing="1.5 2 3")
        told = info(f"{name}.mha")
        at, leads, step = ([float(word) for word in told["details"][key].split("\\")]
                           for key in ("image-position", "image-orientation", "slice-step"))
        values = shown(f"{name}.mha", told["slices"])[..., 0]
        depth, height, width = values.shape
        spacing = told["image"]["spacing_mm"]
        found = {}
        for z, y, x in np.ndindex(2, 2, 2):
            index = x * (width - 1), y * (height - 1), z * (depth - 1)
            place = (np.array(at) + np.multiply(leads[:3], spacing[0] * index[0])
                     + np.multiply(leads[3:], spacing[1] * index[1]) + np.multiply(step, index[2]))
            found[round(values[index[::-1]])] = place
        for *place, value in wanted:
            error = np.abs(found.get(value, np.full(3, np.inf)) - place).max()
            if not error <= 1e-3:
                yield f"{name}: the voxel {value} lies {error} mm away from {place}"


def flat():
    """A single slice has its place, and up is up."""
    for name, (order, signs) in {"axial": ((0, 1, 2), (-1, -1, 1)), "upright": ((0, 2, 1), (1, 1, 1)),
                                 "lying": ((2, 1, 0), (1, -1, 1))}.items():
        samples, affine = some("SHORT", 6, 5, 1), oblique(signs, order)
        save("flat.nii", samples, affine)
        write("flat.mha", samples, **place_fields(affine))
        told, wanted = info("flat.mha"), info("flat.nii")
        for key in ("orientation", "image-orientation", "image-position", "slice-step"):
            same = np.allclose(*([float(word) for word in one["details"][key].split("\\")]
                                 for one in (told, wanted)), atol=1e-4) if key != "orientation" else \
                told["details"][key] == wanted["details"][key]
            if not same:
                yield f"{name}: {key} is {told['details'][key]}, not {wanted['details'][key]}"
        yield from wrong_values(name, shown("flat.mha", 1), shown("flat.nii", 1))


def letters():
    """AnatomicalOrientation names where axes come from. The matrix goes before, which is said."""
    samples = some("SHORT", 6, 5, 4)
    for text, leads in {"RAI": "LPS", "LPS": "RAI", "ASR": "PIL", "sla": "IRP"}.items():
        write("letters.mha", samples, AnatomicalOrientation=text, ElementSpacing="1 2 3")
        affine = np.zeros((4, 4))
        for axis, letter in enumerate(leads):
            row = [i for i, pair in enumerate(("RL", "AP", "SI")) if letter in pair][0]
            affine[row, axis] = (axis + 1) * (1 if letter in "RAS" else -1)
        affine[3, 3] = 1
        save("letters.nii", samples, affine)
        yield from differences("letters.mha", true="letters.nii")
    for text, said in {"RAI": False, "LAI": True, "???": False, "RRR": False}.items():
        write("two.mha", samples, TransformMatrix=words(np.eye(3)), AnatomicalOrientation=text)
        told = info("two.mha")
        if ("AnatomicalOrientation" in (told["warning"] or "")) != said \
                or told["details"]["orientation"] != "LPS":
            yield f"{text}: {told['warning']}, {told['details']}"
    for fields in ({}, {"AnatomicalOrientation": "???"}):
        write("none.mha", samples, **fields)
        if "orientation" in info("none.mha")["details"]:
            yield f"a file that says nothing has directions: {info('none.mha')}"


def no_places():
    """What makes no sense is said, and leaves the samples as they are stored, without directions."""
    samples = some("SHORT", 6, 5, 4)
    plain = samples.transpose(2, 1, 0)[..., None]
    eye = words(np.eye(3))
    for name, fields in {
            "singular": {"TransformMatrix": "-1 0 0 0 1 0 -1 0 0"}, "zero": {"TransformMatrix": words(np.zeros(9))},
            "nan": {"TransformMatrix": "nan 0 0 0 1 0 0 0 1"}, "short": {"TransformMatrix": "-1 0 0 0 1 0 0 0"},
            "of two axes": {"TransformMatrix": "1 0 0 1"}, "huge": {"TransformMatrix": "1e300 0 0 0 1 0 0 0 1"},
            "text": {"TransformMatrix": "x"},
            "nowhere": {"TransformMatrix": eye, "Offset": "0 inf 0"}, "far": {"TransformMatrix": eye, "Offset": "0 1e30 0"},
            "two numbers": {"TransformMatrix": eye, "Offset": "0 1"}}.items():
        write("bad.mha", samples, **fields)
        told = info("bad.mha")
        wanted = "Offset" if "Offset" in fields else "TransformMatrix"
        if name != "text" and (wanted not in (told["warning"] or "") or "left and right" not in told["warning"]):
            yield f"{name}: {told['warning']}"
        if "orientation" in told["details"] or "image-position" in told["details"]:
            yield f"{name}: {told['details']}"
        yield from wrong_values(name, shown("bad.mha", 4), plain.astype("f4"))
    # Neither at right angles nor of length 1: as sform may be.
    affine = oblique() @ np.array([[1, 0.2, 0, 0], [0, 1, 0, 0], [0, 0.1, 1, 0], [0, 0, 0, 1]])
    lps = LPS_OF_RAS @ affine
    save("slanted.nii", samples, affine, qform=None)
    write("slanted.mha", samples, TransformMatrix=words(lps[:3, :3].T), Offset=words(lps[:3, 3]),
          ElementSpacing="1 1 1")
    yield from differences("slanted.mha", true="slanted.nii")


def cut_short():
    """Slices that are there keep their places, whichever way a volume is stored."""
    samples = some("SHORT", 6, 5, 4)
    for i, order in enumerate(ORDERS):
        for sign in (1, -1):
            affine = oblique((1, 1, sign), order)
            write("whole.mha", samples, **place_fields(affine))
            data = pathlib.Path("whole.mha").read_bytes()
            pathlib.Path("cut.mha").write_bytes(data[:-6 * 5 * 2])
            save("cut.nii", samples[..., :3], affine)
            told = info("cut.mha")
            if "declares 4 frames but holds 3" not in told["warning"]:
                yield f"{order}: {told['warning']}"
            yield from differences("cut.mha", told, true="cut.nii")
    # How much of a packed one is there shows when it is read.
    write("packed.mha", RANDOM.integers(0, 200, (60, 50, 40)), packed=True, **place_fields(oblique((1, 1, -1))))
    data = pathlib.Path("packed.mha").read_bytes()
    pathlib.Path("packed.mha").write_bytes(data[:len(data) // 2])
    told = info("packed.mha")
    if told["frames"] != 40 or "too early" not in (told["warning"] or ""):
        yield f"half of a packed volume: {told['frames']}, {told['warning']}"
    run("process", "packed.mha", "--frame", 40, "-o", "there.tif", "--force")


def round_trip():
    """NIfTI, MetaImage and NIfTI again: corners and values stay."""
    for i, (signs, order) in enumerate((((1, 1, 1), (0, 1, 2)), ((-1, 1, 1), (1, 0, 2)), ((1, -1, -1), (2, 0, 1)))):
        samples = some("SHORT", *(6, 5, 4, 3)[:3 + (i == 2)])
        save("in.nii", samples, oblique(signs, order))
        if samples.ndim == 4:  # two and a half seconds from volume to volume
            data = bytearray(pathlib.Path("in.nii").read_bytes())
            data[92:96] = np.float32(2.5).tobytes()
            pathlib.Path("in.nii").write_bytes(data)
        run("process", "in.nii", "-o", "between.mha", "--force")
        run("process", "between.mha", "-o", "out.nii", "--force")
        frames, affine, _ = truth("in.nii")
        got, place, _ = truth("out.nii")
        extent = frames.shape[2], frames.shape[1], info("in.nii")["slices"]
        yield from wrong_values("there and back", got, frames.astype("f4"))
        error = np.abs(corners(place, extent) - corners(affine, extent)).max()
        if error > 1e-3 or nib.load("out.nii").ndim != samples.ndim:
            yield f"corners are {error} mm off"
        if samples.ndim == 4 and nib.load("out.nii").header["pixdim"][4] != 2.5:
            yield f"the interval is {nib.load('out.nii').header['pixdim'][4]} s"
        # As it is stored, into a file of its own kind.
        write("stored.mha", samples, **place_fields(oblique(signs, order), samples.ndim))
        run("process", "stored.mha", "-o", "again.mha", "--force")
        got, place, _ = read_metaimage("again.mha")
        yield from wrong_values("again", got, frames.astype("f4"))
        error = np.abs(corners(place, extent) - corners(affine, extent)).max()
        if error > 1e-3:
            yield f"corners of the MetaImage are {error} mm off"


def negative_spacings():
    """The amount is taken, as of NIfTI files, and said."""
    samples, affine = some("SHORT", 5, 4, 3), oblique((1, -1, 1), (2, 0, 1))
    fields = place_fields(affine)
    for name, signs in (("one", (1, -1, 1)), ("all", (-1, -1, -1)), ("none", (1, 1, 1))):
        spacing = np.multiply([float(word) for word in fields["ElementSpacing"].split()], signs)
        write(f"{name}.mha", samples, **{**fields, "ElementSpacing": words(spacing)})
    said = ["ElementSpacing is negative" in (info(f"{name}.mha")["warning"] or "") for name in ("one", "all", "none")]
    if said != [True, True, False]:
        yield f"said: {said}"
    for name in ("one", "all"):
        for key in ("image", "details"):
            if info(f"{name}.mha")[key] != info("none.mha")[key]:
                yield f"{name}: {info(f'{name}.mha')[key]}"


def single_slices():
    """A slice keeps its place in files of volumes; a picture without a place is refused as such."""
    for order, signs in ((ORDERS[0], (1, -1, 1)), (ORDERS[1], (-1, 1, 1))):
        shape = [5, 5, 5]
        shape[order.index(2)] = 1
        samples = some("SHORT", *shape)
        save("in.nii", samples, oblique(signs, order))
        told = info("in.nii")
        if told["slices"] > 1:
            yield f"{order}: {told['slices']} slices"
        run("process", "in.nii", "-o", "between.mha", "--force")
        run("process", "between.mha", "-o", "out.nii", "--force")
        frames, affine, _ = truth("in.nii")
        for name, (got, place, _) in (("MetaImage", read_metaimage("between.mha")), ("NIfTI", truth("out.nii"))):
            yield from wrong_values(name, got, frames.astype("f4"))
            error = np.abs(corners(place, (5, 5, 1)) - corners(affine, (5, 5, 1))).max()
            if not error < 1e-3:
                yield f"{name} of {order}: corners are {error} mm off"
    write("flat.mha", some("SHORT", 6, 5))
    for name in ("out.mha", "out.nii"):
        if "still picture" not in run("process", "flat.mha", "-o", name, "--force", status=1).stderr:
            yield f"{name}: a picture without a place"


def of_ultrasound():
    """Frames of a sequence lie nowhere in the body; a reconstructed volume has its place."""
    if not DATA.is_dir():
        raise tap.Skip("the test data is not here")
    for path in sorted(DATA.glob("*.mha")):
        told = info(path)
        head = path.read_bytes()[:100000].decode("latin-1")
        if ("image-orientation" in told["details"]) != ("Reconstruct" in path.name):
            yield f"{path.name}: {told['details']}"
        if "Reconstruct" in path.name:
            offset = [float(word) for word in head.split("Offset = ")[1].split("\n")[0].split()]
            affine = np.diag([0.5, 0.5, 0.5, 1])
            affine[:3, 3] = offset
            extent = [int(word) for word in head.split("DimSize = ")[1].split("\n")[0].split()]
            yield from wrong_place(path.name, told, affine, "LPS", extent)


# x, y, z in millimetres, and the value there.
ITK_OBLIQUE = [
    (-31.25, 17.5, 90, 0), (-34.096, 17.0506, 98.5263, 90),
    (-33.65, 25.1211, 89.6006, 24), (-36.496, 24.6717, 98.1269, 114),
    (-24.5, 19.75, 92.3717, 5), (-27.346, 19.3006, 100.898, 95),
    (-26.9, 27.3711, 91.9723, 29), (-29.746, 26.9217, 100.499, 119),
]
ITK_LEFT = [
    (10, -20, 30.5, 0), (10, -11, 30.5, 90),
    (18, -20, 30.5, 24), (18, -11, 30.5, 114),
    (10, -20, 23, 5), (10, -11, 23, 95),
    (18, -20, 23, 29), (18, -11, 23, 119),
]
ITK_SCALED = [
    (1, 2, 3, 0), (1, 2, 12, 90),
    (1, 10, 3, 24), (1, 10, 12, 114),
    (16, 2, 3, 5), (16, 2, 12, 95),
    (16, 10, 3, 29), (16, 10, 12, 119),
]
ITK_ABOUT_A_CENTRE = [
    (1, 2, 3, 0), (1, 2, 12, 90),
    (-7, 2, 3, 24), (-7, 2, 12, 114),
    (1, 9.5, 3, 5), (1, 9.5, 12, 95),
    (-7, 9.5, 3, 29), (-7, 9.5, 12, 119),
]
CASES = [
    ("all orientations, oblique, left-handed, as nibabel has them", orientations),
    ("corners lie where ITK has them", as_itk),
    ("a single slice", flat),
    ("letters of axes", letters),
    ("what makes no sense is told", no_places),
    ("what is missing", cut_short),
    ("from NIfTI and back", round_trip),
    ("negative spacings have an amount", negative_spacings),
    ("single slices keep their place", single_slices),
    ("ultrasound lies where it was reconstructed", of_ultrasound),
]


sys.exit(run_cases(CASES))
