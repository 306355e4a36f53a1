#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Segmentations (SEG) and structure sets (RTSTRUCT) over the pictures that they are of, against masks
that pydicom decodes and contours that are drawn here. All files are made here.

usage: segments.py ONDELETTE_CLI
"""
import pathlib
import sys

import numpy as np
import pydicom
from pydicom.dataset import Dataset, FileDataset, FileMetaDataset
from pydicom.sequence import Sequence
from pydicom.uid import ExplicitVRLittleEndian, RLELossless

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "helpers"))
import pixels  # noqa: E402
from command_line import fails, process, run_cases  # noqa: E402

SPACE, OTHER = "1.2.826.0.1.3680043.8.498.7", "1.2.826.0.1.3680043.8.498.8"
CT, SEG, LABELS, STRUCT = ("1.2.840.10008.5.1.4.1.1.2", "1.2.840.10008.5.1.4.1.1.66.4",
                           "1.2.840.10008.5.1.4.1.1.66.7", "1.2.840.10008.5.1.4.1.1.481.3")
ROWS, COLUMNS, SLICES, STEP = 48, 64, 7, 3.0
SPACING = [1.5, 1.25]  # of rows, of columns
CORNER = np.array([-40.0, -30.0, 100.0])
RANDOM = np.random.default_rng(3)
# CIELab of DICOM, 16 bits, and what it is as sRGB (by the formulas of ICC, D50).
LAB = {"red": ([34885, 53485, 50171], (255, 0, 0)), "white": ([65535, 32896, 32896], (255, 255, 255)),
       "green": ([57498, 10790, 53680], (0, 255, 0))}


def base(kind, instance, name):
    made = FileDataset(name, {}, file_meta=FileMetaDataset(), preamble=b"\0" * 128)
    made.file_meta.TransferSyntaxUID = ExplicitVRLittleEndian
    made.file_meta.MediaStorageSOPClassUID, made.file_meta.MediaStorageSOPInstanceUID = kind, instance
    made.is_little_endian, made.is_implicit_VR = True, False
    made.SOPClassUID, made.SOPInstanceUID = kind, instance
    made.PatientName, made.PatientID, made.StudyInstanceUID = "Muster^Erika", "1", "1.2.3.1"
    return made


def item(**values):
    made = Dataset()
    for key, value in values.items():
        setattr(made, key, Sequence(value) if isinstance(value, list) and value and isinstance(value[0], Dataset)
                else value)
    return made


def series(space=SPACE):
    """Slices of a CT, one file each: flat, so that what is drawn is seen."""
    folder = pathlib.Path("ct")
    folder.mkdir()
    for i in range(SLICES):
        made = base(CT, f"1.2.3.4.{i + 1}", "ct")
        made.Modality, made.SeriesInstanceUID, made.FrameOfReferenceUID = "CT", "1.2.3.2", space
        made.InstanceNumber, made.Rows, made.Columns = i + 1, ROWS, COLUMNS
        made.ImagePositionPatient = list(CORNER + [0, 0, STEP * i])
        made.ImageOrientationPatient, made.PixelSpacing, made.SliceThickness = [1, 0, 0, 0, 1, 0], SPACING, STEP
        made.BitsAllocated, made.BitsStored, made.HighBit, made.PixelRepresentation = 16, 12, 11, 0
        made.SamplesPerPixel, made.PhotometricInterpretation = 1, "MONOCHROME2"
        made.RescaleSlope, made.RescaleIntercept, made.WindowCenter, made.WindowWidth = 1, 0, 500, 1000
        made.PixelData = np.full((ROWS, COLUMNS), 300, "<u2").tobytes()
        made.save_as(folder / f"{i + 1}.dcm")
    return folder


def masks():
    """Two segments: a box with a hole and a single pixel beside it, and noise."""
    box = np.zeros((SLICES, ROWS, COLUMNS), bool)
    box[1:5, 10:30, 12:40] = True
    box[2:4, 15:20, 20:30] = False
    box[3, 40, 50] = True
    noise = RANDOM.random((SLICES, ROWS, COLUMNS)) < 0.5
    noise[:2] = False
    return [box, noise]


def segmentation(name, parts, kind="BINARY", bits=1, colours=("red", "green"), space=SPACE, placed=True, **more):
    """Frames of each segment where it has any, in an order that is not that of their places."""
    made = base(SEG, "1.2.3.9", name)
    made.Modality, made.SegmentationType, made.SeriesInstanceUID = "SEG", kind, "1.2.3.3"
    made.FrameOfReferenceUID, made.Rows, made.Columns = space, ROWS, COLUMNS
    made.BitsAllocated, made.BitsStored, made.HighBit, made.PixelRepresentation = bits, bits, bits - 1, 0
    made.SamplesPerPixel, made.PhotometricInterpretation = 1, "MONOCHROME2"
    if kind == "FRACTIONAL":
        made.SegmentationFractionalType, made.MaximumFractionalValue = "PROBABILITY", 200
    made.SegmentSequence = Sequence([
        item(SegmentNumber=k + 1, SegmentLabel="", RecommendedDisplayCIELabValue=LAB[colours[k]][0])
        for k in range(len(parts))])
    shared = item(PixelMeasuresSequence=[item(PixelSpacing=SPACING, SliceThickness=STEP)])
    if placed:
        shared.PlaneOrientationSequence = Sequence([item(ImageOrientationPatient=[1, 0, 0, 0, 1, 0])])
    made.SharedFunctionalGroupsSequence = Sequence([shared])
    frames, groups = [], []
    for k, part in enumerate(parts):
        for i in (4, 0, 6, 2, 1, 5, 3):
            if not part[i].any():
                continue
            group = item(SegmentIdentificationSequence=[item(ReferencedSegmentNumber=k + 1)],
                         DerivationImageSequence=[item(SourceImageSequence=[
                             item(ReferencedSOPClassUID=CT, ReferencedSOPInstanceUID=f"1.2.3.4.{i + 1}")])])
            if placed:
                group.PlanePositionSequence = Sequence([
                    item(ImagePositionPatient=list(CORNER + [0, 0, STEP * i]))])
            groups.append(group)
            frames.append(part[i])
    made.PerFrameFunctionalGroupsSequence, made.NumberOfFrames = Sequence(groups), len(frames)
    data = np.packbits(np.array(frames).reshape(-1), bitorder="little").tobytes() if bits == 1 \
        else np.array(frames).astype(f"<u{bits // 8}").tobytes()
    made.PixelData = data + b"\0" * (len(data) % 2)
    for key, value in more.items():
        setattr(made, key, value)
    made.save_as(name)
    return made


def decoded(name):
    """What pydicom makes of it: (slice, segment) → mask; half of the fractional ones."""
    made = pydicom.dcmread(name)
    data = made.pixel_array.reshape(-1, ROWS, COLUMNS)
    if made.SegmentationType == "FRACTIONAL":
        data = 2 * data.astype(int) >= made.MaximumFractionalValue
    found = {}
    for group, frame in zip(made.PerFrameFunctionalGroupsSequence, data):
        place = group.PlanePositionSequence[0].ImagePositionPatient[2]
        number = group.SegmentIdentificationSequence[0].ReferencedSegmentNumber
        found[round((place - CORNER[2]) / STEP), number - 1] = frame != 0
    return found


def shown(source, *arguments):
    process(source, "-o", "out.png", "--force", "--depth", "8", *arguments)
    got = pixels.read_png("out.png")
    return got if got.dtype == np.uint8 else got / 257  # of planes


def check_colours(got, plain, mask, colour, edge=True):
    """Pixels inside, but for the line about them, are blended with the colour, others are as they were."""
    padded = np.pad(mask, 1)
    views = [padded[1 + dy:1 + dy + mask.shape[0], 1 + dx:1 + dx + mask.shape[1]]
             for dy in range(-1, 2) for dx in range(-1, 2)]
    inside, outside = np.all(views, axis=0), ~np.any(views, axis=0)
    if edge and not inside.any():
        yield "the mask has no inside to look at"
    # The share of the colour, which the test does not know, is one for all.
    want = np.array(colour, float)
    known = got[inside].astype(float)
    share = (known - plain) / np.where(want == plain, np.nan, want - plain)
    if known.size and not (np.nanmax(share) - np.nanmin(share) < 0.03 and 0.2 < np.nanmin(share) < 0.6):
        yield f"inside it is {np.unique(known, axis=0)[:4]} from {plain} towards {colour}"
    if np.any(got[outside] != plain):
        yield f"outside it is {np.unique(got[outside], axis=0)[:4]}, not {plain}"
    border = mask & ~inside
    if edge and np.all(got[border] == plain):
        yield "there is no line about it"


def background(source, *arguments):
    plain = shown(source, *arguments)
    level = np.unique(plain)
    assert level.size == 1, level
    return float(level[0])


def check_series(name, count=2):
    """Every slice of every segment of a file is where pydicom says that it is."""
    plain = background("series:ct", "--frame", "1")
    want = decoded(name)
    some = 0
    for (index, segment), mask in sorted(want.items()):
        if segment > 0 and count == 1:
            continue
        got = shown("series:ct", "--frame", str(index + 1), "--segments", name, "--show-segments", str(segment + 1))
        some += 1
        for problem in check_colours(got, plain, mask, LAB["red" if segment == 0 else "green"][1], segment == 0):
            yield f"{name}, slice {index + 1}, segment {segment + 1}: {problem}"
    for index in {0, 5, 6} if count == 1 else {0}:
        done = process("series:ct", "-o", "out.png", "--force", "--depth", "8", "--frame", str(index + 1),
                       "--segments", name, *(("--show-segments", "1") if count == 1 else ()))
        if "no segment lies" not in done.stderr or np.any(pixels.read_png("out.png") != plain):
            yield f"{name}, slice {index + 1}: there is something, or it is not said that there is nothing"
    if some == 0:
        yield "nothing was looked at"


def binary():
    series()
    segmentation("seg.dcm", masks())
    yield from check_series("seg.dcm")


def compressed():
    series()
    parts = [part.astype("u1") * 200 for part in masks()]
    made = segmentation("plain.dcm", parts, "FRACTIONAL", 8)
    made.compress(RLELossless, made.pixel_array, encoding_plugin="pydicom")
    made.save_as("seg.dcm")
    yield from check_series("seg.dcm")


def fractional():
    series()
    slope = np.broadcast_to(np.arange(COLUMNS) * 4, (SLICES, ROWS, COLUMNS)).astype("u1")
    slope = np.minimum(slope, 200)
    segmentation("seg.dcm", [slope], "FRACTIONAL", 8)
    want = decoded("seg.dcm")[2, 0]
    assert want[0].argmax() == 25, "it begins where half is reached"
    plain = background("series:ct", "--frame", "3")
    got = shown("series:ct", "--frame", "3", "--segments", "seg.dcm")
    yield from check_colours(got, plain, want, LAB["red"][1])


def label_map():
    series()
    box, _ = masks()
    labels = box.astype("<u2")
    labels[:, 35:44, 5:25] = 2
    made = segmentation("seg.dcm", [labels], "LABELMAP", 16)
    made.SOPClassUID = made.file_meta.MediaStorageSOPClassUID = LABELS
    made.SegmentSequence.append(item(SegmentNumber=2, SegmentLabel="", RecommendedDisplayCIELabValue=LAB["green"][0]))
    for group in made.PerFrameFunctionalGroupsSequence:
        del group.SegmentIdentificationSequence
    made.save_as("seg.dcm")
    plain = background("series:ct", "--frame", "1")
    for segment, colour in ((1, "red"), (2, "green")):
        got = shown("series:ct", "--frame", "2", "--segments", "seg.dcm", "--show-segments", str(segment))
        yield from check_colours(got, plain, labels[1] == segment, LAB[colour][1])


def label_map_with_colours():
    """A palette colours the labels, two of them alike, and does not change where they are."""
    series()
    box, _ = masks()
    labels = box.astype("u1")
    labels[:, 35:44, 5:25] = 2
    labels[:, 2:8, 40:60] = 3
    made = segmentation("seg.dcm", [labels], "LABELMAP", 8)
    made.SOPClassUID = made.file_meta.MediaStorageSOPClassUID = LABELS
    made.PhotometricInterpretation = "PALETTE COLOR"
    colours = np.array([[0, 0, 0], [0, 128, 255], [0, 128, 255], [255, 64, 0]])
    for k, name in enumerate(("Red", "Green", "Blue")):
        setattr(made, f"{name}PaletteColorLookupTableDescriptor", [4, 0, 16])
        setattr(made, f"{name}PaletteColorLookupTableData", (colours[:, k] * 257).astype("<u2").tobytes())
    made.SegmentSequence = Sequence([item(SegmentNumber=k, SegmentLabel="") for k in (1, 2, 3)])
    for group in made.PerFrameFunctionalGroupsSequence:
        del group.SegmentIdentificationSequence
    made.save_as("seg.dcm")
    plain = background("series:ct", "--frame", "1")
    for segment in (1, 2, 3):
        got = shown("series:ct", "--frame", "2", "--segments", "seg.dcm", "--show-segments", str(segment))
        yield from check_colours(got, plain, labels[1] == segment, colours[segment])


def cut_by_planes():
    """A coronal plane shows each slice as high as it is thick, and another grid where it lies."""
    folder = series()
    box = np.zeros((SLICES, ROWS, COLUMNS), bool)
    box[1:5, 10:30, 12:40] = True
    segmentation("seg.dcm", [box])
    plane = ("--plane", "coronal:20")
    plain = background(f"series:{folder}", *plane)
    got = shown(f"series:{folder}", *plane, "--segments", "seg.dcm")
    # Pixels are 1.25 mm, slices 3 mm: voxels along y are those of columns; the head is above.
    scale = STEP / 1.25
    heights = np.floor(SLICES - (np.arange(got.shape[0]) + 0.5) / scale).astype(int)
    mask = np.zeros(got.shape[:2], bool)
    for y, z in enumerate(heights):
        mask[y] = box[max(z, 0), 20, :got.shape[1]]
    yield from check_colours(got, plain, mask, LAB["red"][1])


def by_name():
    """Pictures without a place are found by their names; the file's turned picture keeps its places."""
    folder = series()
    for path in folder.iterdir():
        made = pydicom.dcmread(path)
        del made.ImagePositionPatient, made.ImageOrientationPatient, made.FrameOfReferenceUID
        made.save_as(path)
    box, _ = masks()
    segmentation("seg.dcm", [box], placed=False, space="")
    plain = background(folder / "3.dcm")
    for arguments, turn in (((), 0), (("--orient", "90"), -1)):
        got = shown(folder / "3.dcm", "--segments", "seg.dcm", *arguments)
        yield from check_colours(got, plain, np.rot90(box[2], turn), LAB["red"][1])


def colours():
    series()
    box, _ = masks()
    for name, (lab, want) in LAB.items():
        segmentation("seg.dcm", [box], colours=(name,))
        got = shown("series:ct", "--frame", "2", "--segments", "seg.dcm")
        plain = background("series:ct", "--frame", "2")
        for problem in check_colours(got, plain, box[1], want):
            yield f"{name}: {problem}"


def names_are_drawn():
    series()
    box, _ = masks()
    made = segmentation("seg.dcm", [box])
    before = shown("series:ct", "--frame", "2", "--segments", "seg.dcm")
    made.SegmentSequence[0].SegmentLabel = "Liver"
    made.save_as("seg.dcm")
    after = shown("series:ct", "--frame", "2", "--segments", "seg.dcm")
    if np.sum(np.any(before != after, axis=-1)) < 20:
        yield "its name is not there"


# ---- structures ----------------------------------------------------------------------

def structures(name, regions, space=SPACE):
    """regions: (colour, contours of n × 3 places)."""
    made = base(STRUCT, "1.2.3.8", name)
    made.Modality, made.SeriesInstanceUID, made.StructureSetLabel = "RTSTRUCT", "1.2.3.5", "test"
    made.StructureSetROISequence = Sequence([
        item(ROINumber=10 + k, ROIName="", ReferencedFrameOfReferenceUID=space) for k in range(len(regions))])
    made.ROIContourSequence = Sequence([
        item(ReferencedROINumber=10 + k, ROIDisplayColor=list(colour), ContourSequence=[
            item(ContourGeometricType="CLOSED_PLANAR", NumberOfContourPoints=len(points),
                 ContourData=[f"{value:.3f}" for value in np.ravel(points)]) for points in contours])
        for k, (colour, contours) in enumerate(regions)])
    made.save_as(name)
    return made


def box_at(index, columns, rows):
    """About whole pixels of a slice, from the first to before the last."""
    x = CORNER[0] + (np.array(columns) - 0.5) * SPACING[1]
    y = CORNER[1] + (np.array(rows) - 0.5) * SPACING[0]
    z = CORNER[2] + STEP * index
    return [(x[0], y[0], z), (x[1], y[0], z), (x[1], y[1], z), (x[0], y[1], z)]


def contours():
    """On the slices that they lie on, with holes; and on planes as thick as they are apart."""
    folder = series()
    blue = (0, 64, 255)
    structures("set.dcm", [(blue, [box_at(i, (12, 40), (10, 30)) for i in range(1, 5)]
                            + [box_at(2, (20, 30), (15, 25))])])
    plain = background("series:ct", "--frame", "1")
    for index in range(SLICES):
        mask = np.zeros((ROWS, COLUMNS), bool)
        mask[10:30, 12:40] = 1 <= index < 5
        if index == 2:
            mask[15:25, 20:30] = False
        done = process("series:ct", "-o", "out.png", "--force", "--depth", "8", "--frame", index + 1, "--segments",
                       "set.dcm")
        if mask.any():
            for problem in check_colours(pixels.read_png("out.png"), plain, mask, blue):
                yield f"slice {index + 1}: {problem}"
        elif "no segment lies" not in done.stderr or np.any(pixels.read_png("out.png") != plain):
            yield f"slice {index + 1} has something"
    plane = ("--plane", "sagittal:15")
    plain = background(f"series:{folder}", *plane)
    got = shown(f"series:{folder}", *plane, "--segments", "set.dcm")
    scale = STEP / 1.25
    heights = np.floor(SLICES - (np.arange(got.shape[0]) + 0.5) / scale).astype(int)
    depth = np.floor((np.arange(got.shape[1]) + 0.5) * 1.25 / 1.5)
    mask = ((heights >= 1) & (heights < 5))[:, None] & ((depth >= 10) & (depth < 30))[None, :]
    yield from check_colours(got, plain, mask, blue)


# ---- another volume ------------------------------------------------------------------

PT_SHAPE, PT_SPACING, PT_STEP = (9, 20, 24), (3.0, 4.0), 2.5  # slices, rows, columns; of rows, of columns
PT_CORNER = CORNER + [4, -6, 1.5]


def other_volume(space=SPACE):
    """One of another grid, whose slices are written from the last to the first."""
    folder = pathlib.Path("pt")
    folder.mkdir(exist_ok=True)
    values = RANDOM.integers(0, 1001, PT_SHAPE)
    for i, slice_of in enumerate(values):
        made = base("1.2.840.10008.5.1.4.1.1.128", f"1.2.3.6.{i + 1}", "pt")
        made.Modality, made.SeriesInstanceUID, made.FrameOfReferenceUID = "PT", "1.2.3.66", space
        made.InstanceNumber, (made.Rows, made.Columns) = len(values) - i, slice_of.shape
        made.ImagePositionPatient = list(PT_CORNER + [0, 0, PT_STEP * i])
        made.ImageOrientationPatient, made.PixelSpacing = [1, 0, 0, 0, 1, 0], list(PT_SPACING)
        made.BitsAllocated, made.BitsStored, made.HighBit, made.PixelRepresentation = 16, 12, 11, 0
        made.SamplesPerPixel, made.PhotometricInterpretation, made.Units = 1, "MONOCHROME2", "BQML"
        made.RescaleSlope, made.RescaleIntercept, made.WindowCenter, made.WindowWidth = 1, 0, 500, 1001
        made.PixelData = slice_of.astype("<u2").tobytes()
        made.save_as(folder / f"{i + 1}.dcm")
    return values


def between(values, places, window=(500, 1000)):
    """Levels of the window at places (mm) between voxels; NaN outside of these."""
    at = (places - PT_CORNER) / [PT_SPACING[1], PT_SPACING[0], PT_STEP]  # 0 is the middle of the first voxel
    shape = np.array(PT_SHAPE[::-1])
    outside = np.any((at < -0.5) | (at >= shape - 0.5), axis=-1)
    at = np.clip(at, 0, shape - 1)
    low = np.floor(at).astype(int)
    high, part = np.minimum(low + 1, shape - 1), at - low
    found = np.zeros(at.shape[:-1])
    for k in range(8):
        bits = [k >> axis & 1 for axis in range(3)]
        x, y, z = (np.where(bit, high, low)[..., axis] for axis, bit in enumerate(bits))
        weight = np.prod([part[..., a] if bit else 1 - part[..., a] for a, bit in enumerate(bits)], axis=0)
        found += weight * values[z, y, x]
    found = np.clip((found - window[0]) / window[1] + 0.5, 0, 1)
    found[outside] = np.nan
    return found


def check_fusion(got, plain, levels, share):
    alpha = np.nan_to_num(share * np.minimum(levels / 0.5, 1))
    want = plain * (1 - alpha) + 255 * alpha * np.nan_to_num(levels)
    worst = np.abs(got.astype(float) - want[..., None]).max()
    if worst > 2:
        yield f"it is {worst} of 255 from what it should be"
    if not np.isnan(levels).any() or np.nanstd(levels) < 0.1:
        yield "nothing was looked at"


def fused():
    folder = series()
    values = other_volume()
    columns, rows = np.meshgrid(np.arange(COLUMNS), np.arange(ROWS))
    for index, share in ((1, 0.5), (3, 1), (6, 0.25)):
        plain = background("series:ct", "--frame", index + 1)
        got = shown("series:ct", "--frame", index + 1, "--fuse", "pt", "--fuse-colours", "grey", "--fuse-share", share)
        places = CORNER + np.stack([columns * SPACING[1], rows * SPACING[0], np.full(rows.shape, STEP * index)], -1)
        for problem in check_fusion(got, plain, between(values, places), share):
            yield f"slice {index + 1}: {problem}"
    # A coronal plane: squares of 1.25 mm, the head above.
    plane = ("--plane", "coronal:20")
    plain = background(f"series:{folder}", *plane)
    got = shown(f"series:{folder}", *plane, "--fuse", "series:pt", "--fuse-colours", "grey")
    height, width = got.shape[:2]
    x, y = np.meshgrid(np.arange(width), np.arange(height))
    z = STEP * (SLICES - (y + 0.5) * 1.25 / STEP) - STEP / 2
    places = CORNER + np.stack([x * 1.25, np.full(x.shape, 20 * SPACING[0]), z], -1)
    yield from check_fusion(got, plain, between(values, places), 0.5)
    # Other grey levels: what is beyond them is as dark, and as bright, as can be.
    for window in ((300, 200), (550.5, 300), (500, 1000)):
        got = shown("series:ct", "--frame", "4", "--fuse", "pt", "--fuse-colours", "grey", "--fuse-share", "1",
                    f"--fuse-window={window[0]},{window[1]}")
        places = CORNER + np.stack([columns * SPACING[1], rows * SPACING[0], np.full(rows.shape, STEP * 3)], -1)
        levels = between(values, places, window)
        if window[1] < 900 and not ((levels == 0).any() and (levels == 1).any()):
            yield f"{window} cuts nothing off"
        for problem in check_fusion(got, background("series:ct", "--frame", "4"), levels, 1):
            yield f"window {window}: {problem}"
    # Without grey levels in the file they are all of its values.
    for path in pathlib.Path("pt").iterdir():
        made = pydicom.dcmread(path)
        del made.WindowCenter, made.WindowWidth
        made.save_as(path)
    got = shown("series:ct", "--frame", "4", "--fuse", "pt", "--fuse-colours", "grey", "--fuse-share", "1")
    window = (values.min() + values.max()) / 2, values.max() - values.min()
    for problem in check_fusion(got, background("series:ct", "--frame", "4"), between(values, places, window), 1):
        yield f"without a window: {problem}"
    got = shown("series:ct", "--frame", "4", "--fuse", "pt")
    if np.all(got[..., 0] == got[..., 2]):
        yield "it has no colours"


def fusion_is_refused():
    series()
    other_volume(OTHER)
    to = ("process", "series:ct", "-o", "out.png", "--frame", "2")
    fails(1, "different frames of reference", arguments=(*to, "--fuse", "pt"))
    other_volume("")
    fails(1, "no volume of grey levels", arguments=(*to, "--fuse", "pt"))
    fails(1, "no volume of grey levels", arguments=(*to, "--fuse", "ct/1.dcm"))
    fails(1, "nothing.dcm", arguments=(*to, "--fuse", "nothing.dcm"))
    other_volume()
    for share in ("2", "-1", "half", "nan"):
        fails(2, "from 0 to 1", arguments=(*to, "--fuse", "pt", f"--fuse-share={share}"))
    fails(2, "no colours", arguments=(*to, "--fuse", "pt", "--fuse-colours", "mauve"))
    for option in ("--fuse-share", "--fuse-window"):
        fails(2, "--fuse FILE", arguments=(*to, option, "1"))
    for window in ("5", "5,0", "5,-1", "nan,1", "1,2,3", "full"):
        fails(2, "no window", arguments=(*to, "--fuse", "pt", f"--fuse-window={window}"))
    fails(2, "as they are shown", arguments=("process", "series:ct", "-o", "out.tif", "--fuse", "pt"))
    for path in pathlib.Path("ct").iterdir():
        made = pydicom.dcmread(path)
        del made.FrameOfReferenceUID
        made.save_as(path)
    fails(1, "does not say where it lies", arguments=(*to, "--fuse", "pt"))
    assert not pathlib.Path("out.png").exists()


# ---- what is refused -----------------------------------------------------------------

def refused():
    series()
    segmentation("other.dcm", masks(), space=OTHER)
    made = pydicom.dcmread("other.dcm")
    for group in made.PerFrameFunctionalGroupsSequence:
        del group.DerivationImageSequence
    made.save_as("other.dcm")
    to = ("-o", "out.png", "--frame", "2")
    fails(1, "other pictures", arguments=("process", "series:ct", *to, "--segments", "other.dcm"))
    fails(1, "neither a segmentation", arguments=("process", "series:ct", *to, "--segments", "ct/1.dcm"))
    fails(1, "nothing.dcm", arguments=("process", "series:ct", *to, "--segments", "nothing.dcm"))
    segmentation("seg.dcm", masks())
    fails(2, "numbers of segments", arguments=("process", "series:ct", *to, "--segments", "seg.dcm",
                                               "--show-segments", "3"))
    fails(2, "--segments FILE", arguments=("process", "series:ct", *to, "--show-segments", "1"))
    fails(2, "as they are shown", arguments=("process", "series:ct", "-o", "out.tif", "--segments", "seg.dcm"))
    assert not pathlib.Path("out.png").exists()


def hostile():
    """What is larger than memory, numbers of segments that are not there, no segments, other shapes."""
    series()
    segmentation("seg.dcm", masks())
    to = ("-o", "out.png", "--frame", "2", "--force", "--segments", "bad.dcm")
    huge = pydicom.dcmread("seg.dcm")
    huge.Rows = huge.Columns = 65535
    huge.save_as("bad.dcm")
    fails(1, "memory", arguments=("process", "series:ct", *to))
    fewer = pydicom.dcmread("seg.dcm")
    fewer.PixelData = fewer.PixelData[:600]
    fewer.save_as("bad.dcm")
    fails(1, "bad.dcm", arguments=("process", "series:ct", *to))
    for change in (lambda bad: bad.SegmentSequence.clear(),
                   lambda bad: setattr(bad.SegmentSequence[0], "SegmentNumber", 9),
                   lambda bad: setattr(bad.SegmentSequence[0], "RecommendedDisplayCIELabValue", [1]),
                   lambda bad: setattr(bad.SharedFunctionalGroupsSequence[0].PixelMeasuresSequence[0],
                                       "PixelSpacing", [0, 0]),
                   lambda bad: setattr(bad.SharedFunctionalGroupsSequence[0].PlaneOrientationSequence[0],
                                       "ImageOrientationPatient", [0, 0, 0, 0, 0, 0])):
        bad = pydicom.dcmread("seg.dcm")
        change(bad)
        bad.save_as("bad.dcm")
        process("series:ct", *to)  # and no crash
    turned = pydicom.dcmread("seg.dcm")  # the last frame; the others say nothing of their own
    del turned.SharedFunctionalGroupsSequence[0].PlaneOrientationSequence
    for i, group in enumerate(turned.PerFrameFunctionalGroupsSequence):
        last = i == len(turned.PerFrameFunctionalGroupsSequence) - 1
        group.PlaneOrientationSequence = Sequence([
            item(ImageOrientationPatient=[1, 0, 0, 0, 0, -1] if last else [1, 0, 0, 0, 1, 0])])
    turned.save_as("bad.dcm")
    fails(1, "bad.dcm", "turned against each other", arguments=("process", "series:ct", *to))
    made = structures("bad.dcm", [((1, 2, 3), [box_at(1, (12, 40), (10, 30))])])
    for data in ([], ["1", "2"], ["1e30"] * 9, ["0"] * 9, ["nan", "1", "1"] * 3):
        made.ROIContourSequence[0].ContourSequence[0].ContourData = data
        made.save_as("bad.dcm")
        process("series:ct", *to)


if __name__ == "__main__":
    sys.exit(run_cases({
        "segments are the masks that pydicom decodes, on their slices": binary,
        "frames that are compressed likewise": compressed,
        "fractional segments are where at least half is": fractional,
        "maps of labels": label_map,
        "maps of labels with colours of their own": label_map_with_colours,
        "planes cut segments": cut_by_planes,
        "pictures without a place are found by their names": by_name,
        "colours are those that the file recommends": colours,
        "names stand beside segments": names_are_drawn,
        "contours lie on their slices, and planes cut them": contours,
        "another volume is laid over by its places": fused,
        "what cannot be laid over is refused in a sentence": fusion_is_refused,
        "what does not fit is refused in a sentence": refused,
        "damaged and hostile files end in a sentence or draw nothing": hostile,
    }))
