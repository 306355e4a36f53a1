#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Axial, coronal and sagittal planes of a volume are those of the patient, however it is stored: the
same head, stored along its axes in every order and direction, straight and oblique, in every format,
gives the same three pictures, as nibabel's as_closest_canonical and NumPy cut them, measured and written.

usage: planes.py ONDELETTE_CLI
"""
import itertools
import pathlib
import subprocess
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "helpers"))
import mha  # noqa: E402
import pixels  # noqa: E402
import tap  # noqa: E402
from command_line import fails, process, read, run_cases  # noqa: E402
from places import turn  # noqa: E402

try:
    import nibabel as nib
    import pydicom
    from pydicom.dataset import Dataset, FileMetaDataset
except ImportError:
    nib = None

RANDOM = np.random.default_rng(29)
# Voxels to the left, back and head, and their sides: the middle of each voxel is that of a pixel.
SHAPE, MM = (9, 7, 5), np.array([1.0, 1.0, 3.0])
HEAD = RANDOM.permutation(np.prod(SHAPE)).reshape(SHAPE) + 100
START = np.array([-31.25, 17.5, 90.125])
STORED = list(itertools.product(itertools.permutations(range(3)), itertools.product((1, -1), repeat=3)))
NAMES = ("sagittal", "coronal", "axial")  # across the axes to the left, back and head


class Stored:
    """The head as stored: `order` says which of its axes x, y and z are, `signs` which way."""

    def __init__(self, order, signs, rotation=np.eye(3)):
        self.order, self.signs = order, signs
        self.values = HEAD.transpose(order)[tuple(slice(None, None, sign) for sign in signs)]
        self.steps = rotation[:, order] * MM[list(order)] * signs  # columns: x, y, z in mm, LPS
        first = np.where(np.array(signs) < 0, np.array(self.values.shape) - 1, 0)
        self.first = START + rotation[:, order] @ (MM[list(order)] * first)

    def affine(self):
        """nibabel's, to the right, front and head."""
        whole = np.eye(4)
        whole[:3, :3], whole[:3, 3] = self.steps, self.first
        return np.diag([-1, -1, 1, 1]) @ whole

    def directions(self):
        return self.steps / np.linalg.norm(self.steps, axis=0)

    def voxel(self, axis, at, upwards):
        """Index along the stored axis of voxel `at` of the head's; `upwards`: slices are ordered along the
        normal of their rows and columns."""
        where = self.order.index(axis)
        sign = self.signs[where]
        x, y, z = self.directions().T
        if upwards and where == 2 and np.cross(x, y) @ z < 0:
            sign = -sign
        return at if sign > 0 else SHAPE[axis] - 1 - at


def describe(one, stored, z):
    """What a file says of a slice, or of all."""
    one.SOPClassUID, one.StudyInstanceUID, one.SeriesInstanceUID = "1.2.840.10008.5.1.4.1.1.4.1", "1.2", "1.2.3"
    one.PatientID, one.Modality, one.SOPInstanceUID = "A", "MR", f"1.2.3.{z + 1}"
    one.Columns, one.Rows = stored.values.shape[:2]
    one.SamplesPerPixel, one.PhotometricInterpretation = 1, "MONOCHROME2"
    one.BitsAllocated, one.BitsStored, one.HighBit, one.PixelRepresentation = 16, 16, 15, 0
    one.file_meta = FileMetaDataset()
    one.file_meta.TransferSyntaxUID = "1.2.840.10008.1.2.1"
    one.file_meta.MediaStorageSOPClassUID = one.SOPClassUID
    one.file_meta.MediaStorageSOPInstanceUID = one.SOPInstanceUID
    one.is_little_endian, one.is_implicit_VR = True, False


def numbers(values):
    return [f"{x:.10g}"[:16] for x in values]


def spacing(stored):
    across, down = np.linalg.norm(stored.steps, axis=0)[:2]
    return numbers([down, across])


def place(one, stored, z):
    one.ImagePositionPatient = numbers(stored.first + z * stored.steps[:, 2])


def way(one, stored):
    one.ImageOrientationPatient = numbers(stored.directions()[:, :2].T.ravel())


def write_series(stored):
    folder = pathlib.Path("series")
    folder.mkdir(exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    for z in range(stored.values.shape[2]):
        one = Dataset()
        describe(one, stored, z)
        place(one, stored, z)
        way(one, stored)
        one.PixelSpacing, one.InstanceNumber = spacing(stored), z + 1
        one.PixelData = stored.values[:, :, z].T.astype("<u2").tobytes()
        one.save_as(folder / f"{z}.dcm", write_like_original=False)
    return folder


def write_frames(stored):
    def of(fill, *arguments):
        one = Dataset()
        fill(one, *arguments)
        return [one]

    one = Dataset()
    depth = stored.values.shape[2]
    describe(one, stored, 0)
    one.NumberOfFrames = depth
    one.PerFrameFunctionalGroupsSequence = []
    for z in range(depth):
        group = Dataset()
        group.PlanePositionSequence = of(place, stored, z)
        group.PlaneOrientationSequence = of(way, stored)
        one.PerFrameFunctionalGroupsSequence.append(group)
    shared = Dataset()
    shared.PixelMeasuresSequence = of(lambda measures: setattr(measures, "PixelSpacing", spacing(stored)))
    one.SharedFunctionalGroupsSequence = [shared]
    one.PixelData = stored.values.T.astype("<u2").tobytes()
    one.save_as("frames.dcm", write_like_original=False)
    return "frames.dcm"


def write_nifti(stored):
    nib.save(nib.Nifti1Image(stored.values.astype("u2"), stored.affine()), "head.nii")
    return "head.nii"


def write_metaimage(stored):
    lines = {"TransformMatrix": stored.directions().T.ravel(), "Offset": stored.first,
             "ElementSpacing": np.linalg.norm(stored.steps, axis=0)}
    mha.write("head.mha", stored.values.T.astype("<u2"),
              "".join(f"{key} = {' '.join(map(repr, map(float, values)))}\n" for key, values in lines.items()))
    return "head.mha"


def truth(stored, axis, at):
    """The plane by nibabel: its axes lead to the right, front and head."""
    image = nib.as_closest_canonical(nib.Nifti1Image(stored.values.astype("u2"), stored.affine()))
    return cut(np.asarray(image.dataobj)[::-1, ::-1], axis, at)


def cut(head, axis, at):
    """Rows from the front to the back, or from the head down; columns from the right, or from the front."""
    plane = np.take(head, at, axis)
    return (plane if axis == 2 else plane[:, ::-1]).T


def picture_of(path, axis, at, shape):
    """The middle of each voxel, along lines from the left to the right of the picture; and how long a line
    across the whole of it is and one from top to bottom, in mm."""
    across, down = [MM[i] for i in range(3) if i != axis]
    height, width = shape
    lines = [(0.5, (row + 0.5) * down, width * across - 0.5, (row + 0.5) * down) for row in range(height)]
    options = [word for line in lines for word in ("--profile", ",".join(map(str, line)))]
    found = read("measure", path, "--plane", f"{NAMES[axis]}:{at}", *options,
                 "--length", f"0,0,{width * across},0", "--length", f"0,0,0,{height * down}")["measured"]
    rows = [[s["value"] for s in one["samples"]] for one in found if "samples" in one]
    steps = [np.interp((np.arange(width) + 0.5) * across, [s["x"] for s in one["samples"]], row)
             for one, row in zip([one for one in found if "samples" in one], rows)]
    return np.array(steps), [one["length"]["value"] for one in found if "samples" not in one]


def check(stored, write, upwards):
    path = write(stored)
    x, y, z = stored.directions().T
    turned = np.diag([1, 1, -1 if upwards and np.cross(x, y) @ z < 0 else 1, 1])
    letters = "".join(nib.aff2axcodes(stored.affine() @ turned))
    if read("info", path)["details"]["orientation"] != letters:
        yield f"{path}, {stored.order} {stored.signs}: info does not say {letters}"
    for axis, at in enumerate(RANDOM.integers(0, SHAPE)):
        wanted = truth(stored, axis, at)
        # What is the same for all ways of storing, by nibabel and by the head itself.
        assert (wanted == cut(HEAD, axis, at)).all(), (stored.order, stored.signs)
        picture, lengths = picture_of(path, axis, stored.voxel(axis, at, upwards), wanted.shape)
        sides = [SHAPE[i] * MM[i] for i in range(3) if i != axis]
        if picture.shape != wanted.shape or np.abs(picture - wanted).max() > 0.02:
            yield (f"{path}, x, y, z along {stored.order} {stored.signs}: the {NAMES[axis]} plane {at} is\n"
                   f"{np.round(picture)}, not\n{wanted}")
        if np.abs(np.subtract(lengths, sides)).max() > 1e-4:
            yield f"{path}, {stored.order} {stored.signs}: {NAMES[axis]} has sides of {lengths} mm, not {sides}"


def frames():
    for order, signs in STORED:
        yield from check(Stored(order, signs), write_frames, True)


def series():
    for order, signs in STORED[::6]:
        yield from check(Stored(order, signs), write_series, False)


def oblique():
    for order, signs in STORED[1::4]:
        yield from check(Stored(order, signs, turn((17, -12, 21))), write_frames, True)
    for order, signs in STORED[::8]:
        yield from check(Stored(order, signs, turn((-20, 15, 9))), write_series, False)


class Turned(Stored):
    """As decoders turn it: voxels are counted to the left, back and head."""

    def voxel(self, axis, at, upwards):
        return at


def others():
    for order, signs in STORED[::9]:
        for rotation in (np.eye(3), turn((17, -12, 21))):
            yield from check(Turned(order, signs, rotation), write_nifti, False)
            yield from check(Turned(order, signs, rotation), write_metaimage, False)


def kept():
    """What was measured on planes that had their names by stored axes; and what names the patient's."""
    box = [1, 1, 3, 2]
    corners = f"{box[0]},{box[1]},{box[0] + box[2]},{box[1] + box[3]}"
    for order, signs in STORED[2::7]:
        path = write_frames(Stored(order, signs))
        pathlib.Path(path + ".measured").write_text(
            f"[annotations]\nkey=dicom 1.2.3.1\nwidth=80\nheight=60\nitems=ellipse 0 {corners} axial:2;\n")
        # The plane along the stored slices is the third of them.
        stored = read("measure", path, "--frame", 3, "--ellipse", ",".join(map(str, box)))["measured"][0]
        name = NAMES[order[2]]
        found = read("measure", path, "--plane", f"{name}:2", "--beside")["measured"]
        here = [one["mean"]["value"] for one in found]
        side, other = sorted(MM[list(order[:2])])
        # Where its pixels are as high as wide, they are the same ones.
        if side == other and (len(here) != 1 or abs(here[0] - stored["mean"]["value"]) > 1e-6):
            yield f"{order} {signs}: {here}, not {stored['mean']['value']}"
        now = pathlib.Path(path + ".measured").read_text().replace("axial:2", f"{name}:2 patient")
        pathlib.Path(path + ".measured").write_text(now)
        picture = read("measure", path, "--plane", f"{name}:2", "--ellipse", ",".join(map(str, box)), "--beside")
        first, second = picture["measured"]
        if first["mean"] != second["mean"]:
            yield f"{order} {signs}: {first} is not {second}"


def middles(picture, axis):
    """Of the voxels, of a picture of squares of the shortest side, which is 1 mm."""
    across, down = [int(MM[i]) for i in range(3) if i != axis]
    assert picture.shape == tuple(SHAPE[i] * int(MM[i]) for i in range(3) if i != axis)[::-1], picture.shape
    return picture[down // 2::down, across // 2::across]


def canonical(path):
    """To the left, back and head."""
    return np.asarray(nib.as_closest_canonical(nib.load(path)).dataobj)[::-1, ::-1]


def plane(path, name, *more):
    process(path, "-o", "plane.npy", "--force", "--plane", name, *more)
    return np.load("plane.npy")


def written():
    """As it is stored, through filters on slices and on the volume, and as thick slices."""
    whole = "convolve:shape=gaussian,size=5,sigma=1,dimensions=3"
    for order, signs in STORED[::7]:
        stored = Stored(order, signs)
        path = write_frames(stored)
        filtered = {}
        for words in ("median:size=3", whole):
            process(path, "-o", "filtered.nii", "--force", "-f", words)
            filtered[words] = canonical("filtered.nii")
        for axis, at in enumerate(RANDOM.integers(0, SHAPE)):
            name = f"{NAMES[axis]}:{stored.voxel(axis, at, True)}"
            begin = min(max(at - 1, 0), SHAPE[axis] - 3)
            slab = np.take(HEAD, range(begin, begin + 3), axis)
            thick = {kind: getattr(slab, of)(axis, keepdims=True).repeat(SHAPE[axis], axis)
                     for kind, of in (("mean", "mean"), ("maximum", "max"), ("minimum", "min"))}
            for wanted, *words in [
                    (HEAD, name), *((head, f"{name}:{kind}:{3 * MM[axis]:g}") for kind, head in thick.items()),
                    *((head, name, "-f", filter) for filter, head in filtered.items())]:
                got = middles(plane(path, *words), axis)
                # Integers of thin and thick slices are rounded, as they are shown.
                if np.abs(got - cut(wanted, axis, at)).max() > (0.51 if len(words) == 1 else 0.02):
                    yield f"{words} of {order} {signs} is\n{got}, not\n{cut(wanted, axis, at)}"
        if order == (1, 2, 0):
            folder = plane(write_series(stored), name)
            if (folder != plane(path, name)).any():
                yield f"{name} of a folder of {order} {signs} differs"


def as_measured(path, name, filter):
    """What `process` writes, and `measure` reads in the middle of each pixel."""
    picture = plane(path, name, "-f", filter)
    height, width = picture.shape
    rows = [f"0.5,{row + 0.5},{width - 0.5},{row + 0.5}" for row in range(height)]
    lines = read("measure", path, "--plane", name, "-f", filter,
                 *[word for row in rows for word in ("--profile", row)])["measured"]
    wanted = np.array([[s["after"] for s in line["samples"]] for line in lines])
    if wanted.shape != picture.shape or np.abs(wanted - picture).max() > 1e-2:
        yield f"{name}, {filter}: {picture}, not {wanted}"


def between():
    """Between voxels, about the cross-hair, and where noise is measured, which grows along z."""
    path = write_nifti(Stored(*STORED[29]))
    for name in ("coronal:3", "sagittal:4:mean:5", "axial:4/3/2:turned:0.8/0/0.6/0.6/0/-0.8"):
        yield from as_measured(path, name, "gaussian")
    noise = RANDOM.normal(500, 5 + 20 * np.arange(7), (41, 36, 7))
    nib.save(nib.Nifti1Image(noise.astype("i2"), np.diag([-1, -1, 1, 1])), "noise.nii")
    yield from as_measured("noise.nii", "axial:5", "soft-threshold")


def times():
    """A picture of each volume over time."""
    stored = Stored((1, 2, 0), (-1, 1, -1))
    heads = [np.uint8(stored.values % 200 + 10 * t) for t in range(4)]
    image = nib.Nifti1Image(np.stack(heads, 3), stored.affine())
    image.header.set_zooms((*image.header.get_zooms()[:3], 0.1))
    image.header.set_xyzt_units("mm", "sec")
    nib.save(image, "times.nii")
    axis, at = 1, 2
    name = f"coronal:{at}"
    wanted = [cut(np.uint8(HEAD % 200 + 10 * t), axis, at) for t in range(4)]
    process("times.nii", "-o", "v.mkv", "--plane", name, "--window", "full", "--no-badge", "--quality", "lossless")
    raw = subprocess.run(["ffmpeg", "-v", "error", "-i", "v.mkv", "-f", "rawvideo", "-pix_fmt", "gray", "-"],
                         capture_output=True, check=True).stdout
    movie = np.frombuffer(raw, np.uint8).reshape(4, SHAPE[2] * 3, SHAPE[0])
    process("times.nii", "-o", "n-%d.png", "--plane", name, "--window", "full")
    for t in range(4):
        for kind, picture in (("video", movie[t]), ("files", pixels.read_png(f"n-{t + 1}.png")[..., 0])):
            if (middles(picture, axis) != wanted[t]).any():
                yield f"{kind}, time {t}:\n{middles(picture, axis)}, not\n{wanted[t]}"
    told = read("info", "v.mkv")
    assert told["frame_rate"] == 10, told
    # One of them, with those before for filters over time, and the strip below.
    frame = ("--frame", 2 * SHAPE[2] + 1)  # decoders turn the slices, too
    third = plane("times.nii", name, *frame)
    assert (middles(third, axis) == wanted[2]).all(), third
    assert "first of 4" in process("times.nii", "-o", "one.png", "--plane", name).stderr
    recursive = "recursive-average"
    process("times.nii", "-o", "all.nii", "-f", recursive)
    late = plane("times.nii", name, *frame, "-f", recursive)
    after = cut(canonical("all.nii")[..., 2], axis, at)
    assert np.abs(middles(late, axis) - after).max() < 0.02, (late, after)
    process("times.nii", "-o", "strip.mkv", "--plane", name)
    assert read("info", "strip.mkv")["image"]["height"] > SHAPE[2] * 3


def refusals():
    path = write_nifti(Stored(*STORED[0]))
    pixels.write_png("flat.png", np.zeros((8, 8, 1), np.uint8))
    name = ("--plane", "axial:2")
    for status, words, *arguments in [
            (1, "no slices", "flat.png", "-o", "a.png", *name),
            (1, "such planes, 0 to 4", path, "-o", "a.png", "--plane", "axial:5"),
            (2, "such as coronal:120", path, "-o", "a.png", "--plane", "axial"),
            (2, "exclude each other", path, "-o", "a.png", *name, "--rendering", "mr"),
            *((2, "picture of a volume", path, "-o", out, *name) for out in ("a.nii", "a.dcm", "a.mha", "a.obj")),
            (2, "leave out --view", path, "-o", "a.png", *name, "--view", "residual"),
            (2, "goes without", path, "-o", "a.png", *name, "--noise", "gaussian:0.1"),
            (2, "goes without", path, "-o", "a-%d.png", *name, "--frames", "1-2"),
            (1, "still picture", path, "-o", "a.mkv", *name),
            (1, "no frame 6", path, "-o", "a.png", *name, "--frame", 6)]:
        fails(status, words, arguments=["process", *arguments])
    assert not list(pathlib.Path(".").glob("a[.-]*"))


CASES = {
    "frames of a file, stored in each of 48 ways": frames,
    "slices in files": series,
    "oblique slices lie in the nearest planes": oblique,
    "NIfTI and MetaImage": others,
    "what was kept on planes stays on its voxels": kept,
    "planes are written, thin, thick and filtered": written,
    "what is written is what is measured": between,
    "volumes over time become videos of a plane": times,
    "what has no such plane is refused": refusals,
}


def with_both(case):
    def guarded():
        if nib is None:
            raise tap.Skip("python3-nibabel or python3-pydicom is not here")
        problems = list(case() or ())
        assert not problems, f"{len(problems)} wrong, such as\n{problems[0]}"
    return guarded


sys.exit(run_cases({name: with_both(case) for name, case in CASES.items()}))
