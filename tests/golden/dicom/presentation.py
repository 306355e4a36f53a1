#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Pictures as presentation states say, which pydicom writes: windows and turns against
DCMTK's dcmp2pgm, sample by sample; shutters, overlays and drawings against NumPy.

usage: presentation.py ONDELETTE_CLI
"""
import pathlib
import re
import shutil
import subprocess
import sys

import numpy as np
from pydicom.dataset import Dataset, FileDataset, FileMetaDataset
from pydicom.uid import ExplicitVRLittleEndian, ImplicitVRLittleEndian, generate_uid
from skimage.measure import points_in_poly

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "helpers"))
import pixels  # noqa: E402
from command_line import Skip, fails, read, run, run_cases  # noqa: E402

STATE = "1.2.840.10008.5.1.4.1.1.11.1"
CAPTURE = "1.2.840.10008.5.1.4.1.1.7"
WIDTH, HEIGHT = 240, 160
ROWS, COLUMNS = np.mgrid[1:HEIGHT + 1, 1:WIDTH + 1]
RANDOM = np.random.default_rng(26)
STUDY, SERIES = generate_uid(), generate_uid()


def begin(kind, name):
    meta = FileMetaDataset()
    meta.MediaStorageSOPClassUID, meta.MediaStorageSOPInstanceUID = kind, generate_uid()
    meta.TransferSyntaxUID = ExplicitVRLittleEndian
    out = FileDataset(name, {}, file_meta=meta, preamble=b"\0" * 128)
    out.SOPClassUID, out.SOPInstanceUID = kind, meta.MediaStorageSOPInstanceUID
    out.PatientName, out.PatientID, out.PatientBirthDate, out.PatientSex = "Muster^Erika", "1", "", ""
    out.StudyInstanceUID, out.StudyID, out.AccessionNumber = STUDY, "1", ""
    out.StudyDate = out.StudyTime = out.ReferringPhysicianName = ""
    out.SeriesInstanceUID, out.SeriesNumber, out.InstanceNumber = SERIES, 1, 1
    out.Manufacturer = ""
    return out


def save(out, name):
    out.is_little_endian, out.is_implicit_VR = True, False
    out.save_as(name, write_like_original=False)
    return name


def picture(values, name="picture.dcm", frames=1, **more):
    out = begin(CAPTURE, name)
    out.Modality, out.ConversionType = "OT", "WSD"
    out.SamplesPerPixel, out.PhotometricInterpretation = 1, "MONOCHROME2"
    out.Rows, out.Columns = values.shape
    if frames > 1:
        out.NumberOfFrames = frames
    out.BitsAllocated, out.BitsStored, out.HighBit, out.PixelRepresentation = 16, 12, 11, 0
    for key, value in more.items():
        setattr(out, key, value)
    out.PixelData = values.astype("<u2").tobytes() * frames
    save(out, name)
    return out


def item(**fields):
    out = Dataset()
    for key, value in fields.items():
        setattr(out, key, value)
    return out


def state(image, name="state.dcm", frames=None, area=None, **more):
    """`more` by the names of elements."""
    out = begin(STATE, name)
    out.Modality = "PR"
    reference = item(ReferencedSOPClassUID=image.SOPClassUID, ReferencedSOPInstanceUID=image.SOPInstanceUID)
    if frames:
        reference.ReferencedFrameNumber = frames
    out.ReferencedSeriesSequence = [item(SeriesInstanceUID=image.SeriesInstanceUID,
                                         ReferencedImageSequence=[reference])]
    out.PresentationCreationDate, out.PresentationCreationTime = "20260102", "101010"
    out.ContentLabel, out.ContentDescription, out.ContentCreatorName = "LABEL", "as I see it", "Doe"
    left, top, right, bottom = area or (1, 1, image.Columns, image.Rows)
    out.DisplayedAreaSelectionSequence = [item(
        DisplayedAreaTopLeftHandCorner=[left, top], DisplayedAreaBottomRightHandCorner=[right, bottom],
        PresentationSizeMode="SCALE TO FIT", PresentationPixelAspectRatio=[1, 1])]
    out.PresentationLUTShape = "IDENTITY"
    for key, value in more.items():
        setattr(out, key, value)
    save(out, name)
    return out


def shown(*options, source="picture.dcm", name="state.dcm"):
    """Levels from 0 to 255."""
    run("process", source, "-o", "shown.png", "--force", "--presentation-state", name, *options)
    grey = pixels.read_png("shown.png")
    return grey[..., 0].astype(float) / (257 if grey.dtype == np.uint16 else 1)


def theirs():
    if shutil.which("dcmp2pgm") is None:
        raise Skip("dcmtk is not installed")
    subprocess.run(["dcmp2pgm", "-p", "state.dcm", "picture.dcm", "theirs.pgm"], check=True,
                   capture_output=True, timeout=280)
    return read_pgm("theirs.pgm")


def read_pgm(name):
    data = pathlib.Path(name).read_bytes()
    words = re.sub(rb"#[^\n]*\n", b"", data[:400]).split()
    width, height = int(words[1]), int(words[2])
    if words[0] == b"P2":
        return np.array(re.sub(rb"#[^\n]*\n", b"", data).split()[4:], float).reshape(height, width)
    return np.frombuffer(data[-width * height:], "u1").reshape(height, width).astype(float)


def differs(name, got, want, most=0.51):
    if got.shape != want.shape:
        yield f"{name}: {got.shape} instead of {want.shape}"
    elif np.abs(got - want).max() > most:
        where = np.argwhere(np.abs(got - want) > most)
        yield f"{name}: {len(where)} samples differ, at {where[0]} {got[tuple(where[0])]} for {want[tuple(where[0])]}"


VALUES = RANDOM.integers(0, 4096, (HEIGHT, WIDTH))


WINDOW = {"SoftcopyVOILUTSequence": [item(WindowCenter="1500", WindowWidth="2000")]}
BOX = {"ShutterLeftVerticalEdge": 20, "ShutterRightVerticalEdge": 200, "ShutterUpperHorizontalEdge": 11,
       "ShutterLowerHorizontalEdge": 140, "ShutterPresentationValue": 0}


def as_dcmtk_shows():
    """Its levels are cut to whole ones, and it knows no shutters."""
    image = picture(VALUES)
    cases = {"a window": WINDOW, "inverse": dict(WINDOW, PresentationLUTShape="INVERSE")}
    for quarter in range(4):
        for flip in "NY":
            cases[f"{quarter} quarter turns, flipped {flip}"] = dict(
                WINDOW, ImageRotation=90 * quarter, ImageHorizontalFlip=flip)
    for name, more in cases.items():
        state(image, **more)
        yield from differs(name, shown(), theirs(), 1)


def tables_begin():
    """With the sign of what enters them, also where the file does not say it (US or SS)."""
    image = picture(VALUES)
    for first, syntax in ((-1024, ExplicitVRLittleEndian), (-1024, ImplicitVRLittleEndian),
                          (40000, ExplicitVRLittleEndian), (40000, ImplicitVRLittleEndian)):
        table = item(LUTData=(np.arange(4096) * 16).astype("<u2").tobytes())
        table.add_new(0x00283002, "SS" if first < 0 else "US", [4096, first, 16])
        table["LUTData"].VR = "OW"
        out = state(image, RescaleSlope="1", RescaleIntercept=str(first), RescaleType="US",
                    SoftcopyVOILUTSequence=[item(VOILUTSequence=[table])])
        out.file_meta.TransferSyntaxUID = syntax
        out.is_little_endian, out.is_implicit_VR = True, syntax == ImplicitVRLittleEndian
        out.save_as("state.dcm", write_like_original=False)
        yield from differs(f"from {first}, {syntax.name}", shown(), VALUES * 16 / 65535 * 255)


def shutters_cover():
    """What pixels are left by the standard's words; what is turned is covered before."""
    image = picture(VALUES)
    state(image, **WINDOW)
    plain = shown()
    box = (COLUMNS >= 20) & (COLUMNS <= 200) & (ROWS >= 11) & (ROWS <= 140)
    circle = np.hypot(COLUMNS - 110, ROWS - 70) <= 60
    round_one = {"CenterOfCircularShutter": [70, 110], "RadiusOfCircularShutter": 60}
    corners = [10, 30, 20, 220, 150, 180, 120, 15]
    crossed = points_in_poly(np.stack([ROWS.ravel(), COLUMNS.ravel()], axis=1) + [1e-4, 1e-4],
                             np.reshape(corners, (4, 2))).reshape(HEIGHT, WIDTH)
    grey = dict(BOX, ShutterPresentationValue=0x8080)
    cases = (("a rectangle", dict(BOX, ShutterShape="RECTANGULAR"), box, 0, 0),
             ("a grey rectangle", dict(grey, ShutterShape="RECTANGULAR"), box, 128, 0),
             ("both", dict(BOX, ShutterShape=["RECTANGULAR", "CIRCULAR"], **round_one), box & circle, 0, 0),
             ("turned", dict(BOX, ShutterShape="RECTANGULAR", ImageRotation=90), box, 0, 0),
             # Its edges are left to us.
             ("a polygon", {"ShutterShape": "POLYGONAL", "ShutterPresentationValue": 0,
                            "VerticesOfThePolygonalShutter": corners}, crossed, 0, 0.01))
    for name, more, seen, level, most in cases:
        state(image, **WINDOW, **more)
        want = np.where(seen, plain, level)
        if "ImageRotation" in more:
            want = np.rot90(want, -1)
        wrong = np.abs(shown() - want) > 0.51 if shown().shape == want.shape else np.ones(1)
        if wrong.mean() > most:
            yield f"{name}: {wrong.sum()} of {wrong.size} samples differ"
    bits = RANDOM.integers(0, 2, HEIGHT * WIDTH).astype("u1")
    overlay(state(image, **WINDOW, ShutterShape="BITMAP", ShutterOverlayGroup=0x6000, ShutterPresentationValue=0),
            np.packbits(bits, bitorder="little").tobytes())
    yield from differs("a bitmap", shown(), np.where(bits.reshape(HEIGHT, WIDTH) == 1, 0, plain))


def overlay(out, bits, layer=None):
    block = {0x0010: ("US", HEIGHT), 0x0011: ("US", WIDTH), 0x0040: ("CS", "G"), 0x0050: ("SS", [1, 1]),
             0x0100: ("US", 1), 0x0102: ("US", 0), 0x3000: ("OW", bits)}
    if layer:
        block[0x1001] = "CS", layer
    for element, (kind, value) in block.items():
        out.add_new(0x60000000 | element, kind, value)
    save(out, "state.dcm")


# ---- drawings ----

BLACK = np.zeros((HEIGHT, WIDTH), int)
X, Y = np.meshgrid(np.arange(WIDTH) + 0.5, np.arange(HEIGHT) + 0.5)  # middles of pixels


def object_of(kind, points, units="PIXEL", filled="N"):
    return item(GraphicAnnotationUnits=units, GraphicDimensions=2, NumberOfGraphicPoints=len(points) // 2,
                GraphicData=[float(p) for p in points], GraphicType=kind, GraphicFilled=filled)


def words_of(text, box=None, anchor=None, units="PIXEL", visible="N"):
    out = item(UnformattedTextValue=text)
    if box:
        out.BoundingBoxAnnotationUnits, out.BoundingBoxTextHorizontalJustification = units, "LEFT"
        out.BoundingBoxTopLeftHandCorner, out.BoundingBoxBottomRightHandCorner = box[:2], box[2:]
    if anchor:
        out.AnchorPointAnnotationUnits, out.AnchorPoint, out.AnchorPointVisibility = units, anchor, visible
    return out


def annotated(image, objects=(), texts=(), of=None, **more):
    one = item(GraphicLayer="LAYER")
    if objects:
        one.GraphicObjectSequence = list(objects)
    if texts:
        one.TextObjectSequence = list(texts)
    if of:
        one.ReferencedImageSequence = [of]
    return state(image, GraphicAnnotationSequence=[one],
                 GraphicLayerSequence=[item(GraphicLayer="LAYER", GraphicLayerOrder=1)],
                 SoftcopyVOILUTSequence=[item(WindowCenter="2048", WindowWidth="4096")], **more)


def away(points):
    """How far each pixel is from a line through points, by its segments."""
    best = np.full(X.shape, np.inf)
    for (x0, y0), (x1, y1) in zip(points, points[1:]):
        dx, dy = x1 - x0, y1 - y0
        t = np.clip(((X - x0) * dx + (Y - y0) * dy) / max(dx * dx + dy * dy, 1e-12), 0, 1)
        best = np.minimum(best, np.hypot(X - x0 - t * dx, Y - y0 - t * dy))
    return best


def is_line(name, got, distance):
    """White along a line one pixel wide, and nowhere else."""
    drawn = got > 200
    if (got[~drawn] > 0).any():
        yield f"{name}: neither black nor white"
    if drawn[distance > 1.01].any() or not drawn[distance < 0.15].all():
        yield (f"{name}: {drawn[distance > 1.01].sum()} samples lie off the line, "
               f"{(~drawn[distance < 0.15]).sum()} of {(distance < 0.15).sum()} on it are missing")


def ring(cx, cy, rx, ry, n=720):
    angles = np.linspace(0, 2 * np.pi, n + 1)
    return list(zip(cx + rx * np.cos(angles), cy + ry * np.sin(angles)))


def lines_lie_where_they_say():
    image = picture(BLACK)
    zigzag = [20.5, 30.5, 200.5, 40.5, 120.5, 140.5]
    cases = {
        "a polyline": (object_of("POLYLINE", zigzag), list(zip(zigzag[::2], zigzag[1::2]))),
        "a circle": (object_of("CIRCLE", [100, 80, 140, 110]), ring(100, 80, 50, 50)),
        "an ellipse": (object_of("ELLIPSE", [40, 80, 200, 80, 120, 50, 120, 110]), ring(120, 80, 80, 30)),
        # Of the area, which is all of the picture.
        "in shares": (object_of("POLYLINE", [0.1, 0.2, 0.9, 0.7], "DISPLAY"), [(24, 32), (216, 112)]),
        "a straight curve": (object_of("INTERPOLATED", [20, 20, 60, 40, 100, 60, 140, 80]), [(20, 20), (140, 80)]),
    }
    for name, (one, truth) in cases.items():
        annotated(image, [one])
        yield from is_line(name, shown(), away(truth))
    # A curve leads through its points.
    places = [(30, 30), (90, 120), (150, 40), (210, 130)]
    annotated(image, [object_of("INTERPOLATED", [p for place in places for p in place])])
    got = shown() > 200
    for x, y in places:
        if not got[y - 2:y + 2, x - 2:x + 2].any():
            yield f"a curve misses {x}, {y}"
    annotated(image, [object_of("CIRCLE", [100, 80, 140, 110], filled="Y")])
    inside = np.hypot(X - 100, Y - 80)
    got = shown() > 200
    if not got[inside < 49].all() or got[inside > 51.1].any():
        yield "a filled circle is not filled"
    annotated(image, [object_of("POINT", [70.5, 60.5])])
    got = np.argwhere(shown() > 200)
    if not len(got) or np.abs(got.mean(axis=0) - [60, 70]).max() > 0.6 or len(got) > 100:
        yield f"a point lies at {got.mean(axis=0)}"
    if np.any(shown("--no-overlays")):
        yield "drawings cannot be hidden"


def shares_are_of_what_is_seen():
    """A line from the upper left to the middle of the area as it is seen, whichever way it is turned."""
    image = picture(BLACK)
    for quarter in range(4):
        for flip in "NY":
            annotated(image, [object_of("POLYLINE", [0.1, 0.1, 0.5, 0.5], "DISPLAY")], area=(41, 21, 200, 120),
                      ImageRotation=90 * quarter, ImageHorizontalFlip=flip)
            got = shown()
            wide, high = (160, 100) if quarter % 2 == 0 else (100, 160)
            if got.shape != (high, wide):
                yield f"{quarter}{flip}: {got.shape}"
                continue
            y, x = np.mgrid[0:high, 0:wide] + 0.5
            t = np.clip(((x - 0.1 * wide) * wide + (y - 0.1 * high) * high) / (0.4 * (wide ** 2 + high ** 2)), 0, 1)
            distance = np.hypot(x - (0.1 + 0.4 * t) * wide, y - (0.1 + 0.4 * t) * high)
            yield from is_line(f"{quarter}{flip}", got, distance)


def words_can_be_read():
    """However the picture is turned, the same letters come out."""
    image = picture(BLACK)
    found = {}
    for quarter in range(4):
        for flip in "NY":
            annotated(image, texts=[words_of("LEFT lung", box=[0.2, 0.3, 0.9, 0.6], units="DISPLAY")],
                      ImageRotation=90 * quarter, ImageHorizontalFlip=flip)
            got = shown() > 200
            ink = np.argwhere(got)
            if not len(ink):
                yield f"{quarter}{flip}: no words"
                continue
            (top, left), (bottom, right) = ink.min(axis=0), ink.max(axis=0)
            high, wide = got.shape
            if left < 0.2 * wide - 2 or top < 0.3 * high - 2 or left > 0.2 * wide + 6 or top > 0.3 * high + 8:
                yield f"{quarter}{flip}: words begin at {left}, {top}"
            found[quarter, flip] = got[top:bottom + 1, left:right + 1]
    first = found[0, "N"]
    for key, one in found.items():
        if abs(one.shape[0] - first.shape[0]) > 1 or abs(one.shape[1] - first.shape[1]) > 1:
            yield f"{key}: words of {one.shape}, not {first.shape}"
            continue
        high, wide = np.minimum(one.shape, first.shape)
        if (one[:high, :wide] != first[:high, :wide]).mean() > 0.1:
            yield f"{key}: other letters"
    # Beside a place, with markup as it stands; a line leads from a box to its place.
    annotated(image, texts=[words_of("<b>here</b>", anchor=[50, 80])])
    if not (shown() > 200)[60:90, 52:].any():
        yield "no words beside a place"
    annotated(image, texts=[words_of("there", box=[20, 20, 80, 40], anchor=[200, 120], visible="Y")])
    if not (shown() > 200)[100:125, 170:205].any():
        yield "no line leads to the place"


def overlays_of_its_own():
    image = picture(BLACK)
    bits = RANDOM.integers(0, 2, HEIGHT * WIDTH).astype("u1")
    packed = np.packbits(bits, bitorder="little").tobytes()
    for layer, want in (("LAYER", bits.reshape(HEIGHT, WIDTH) * 255.0), (None, BLACK * 0.0)):
        overlay(annotated(image, [object_of("POINT", [0.5, 0.5])]), packed, layer)
        yield from differs(f"layer {layer}", shown()[10:, 10:], want[10:, 10:])


def others_are_left_alone():
    image = picture(BLACK, frames=3)
    picture(BLACK, "other.dcm")
    line = object_of("POLYLINE", [10, 10, 100, 100])
    annotated(image, [line], frames=2)
    if not shown("--frame", 2).any():
        yield "nothing is drawn on the frame"
    for name, arguments in (("another frame", ["picture.dcm", "--frame", 1]), ("another picture", ["other.dcm"])):
        fails(1, "for other pictures", arguments=["process", *arguments, "-o", "x.png", "--force",
                                                  "--presentation-state", "state.dcm"])
    fails(1, "no presentation state", arguments=["process", "picture.dcm", "-o", "x.png", "--force",
                                                 "--presentation-state", "other.dcm"])
    fails(2, "single pictures", arguments=["process", "picture.dcm", "-o", "x.tif", "--force",
                                           "--presentation-state", "state.dcm"])
    fails(2, "--rendering goes without", arguments=["process", "picture.dcm", "-o", "x.png", "--force", "--rendering",
                                                    "mr", "--presentation-state", "state.dcm"])
    # What is for one of two frames.
    reference = item(ReferencedSOPClassUID=image.SOPClassUID, ReferencedSOPInstanceUID=image.SOPInstanceUID,
                     ReferencedFrameNumber=3)
    annotated(image, [line], of=reference)
    if shown("--frame", 1).any() or not shown("--frame", 3).any():
        yield "a drawing of frame 3 is not on it alone"


def options_come_first():
    image = picture(VALUES)
    state(image, SoftcopyVOILUTSequence=[item(WindowCenter="1500", WindowWidth="200")], ImageRotation=90,
          area=(11, 21, 110, 90))
    if shown().shape != (100, 70):
        yield "it is not turned and cut"
    if shown("--orient", "0", "--crop", "0,0,50,40").shape != (40, 50):
        yield "options are not heard"
    run("process", "picture.dcm", "-o", "plain.png", "--force", "--window", "2000,4000", "--orient", "90",
        "--crop", "10,20,100,70")
    plain = pixels.read_png("plain.png")[..., 0] / 257.0
    yield from differs("a window", shown("--window", "2000,4000"), plain)


def info_tells():
    image = picture(VALUES)
    annotated(image, [object_of("POINT", [5, 5]), object_of("CIRCLE", [50, 50, 60, 60])],
              [words_of("Muster Erika", anchor=[9, 9])], ShutterShape="CIRCULAR", ShutterPresentationValue=0,
              CenterOfCircularShutter=[70, 110], RadiusOfCircularShutter=60, ImageRotation=270)
    got = read("info", "state.dcm")
    want = {"source": "presentation-state", "label": "LABEL", "pictures": [image.SOPInstanceUID],
            "applies": True, "window_centre": 2048, "window_width": 4096, "turned": 270, "flipped": False, "lines": 2,
            "words": 1, "shutter": "CIRCULAR", "area": [0, 0, WIDTH, HEIGHT], "partial": False}
    for key, value in want.items():
        if got.get(key) != value:
            yield f"{key} is {got.get(key)}, not {value}"
    text = run("info", "state.dcm").stdout
    if "Doe" in text or "Erika" in text or image.SOPInstanceUID not in text or "CIRCULAR" not in text:
        yield f"it says: {text}"
    # Beside its picture it is none that is missing, and alone it says what it is.
    folder = pathlib.Path("together")
    folder.mkdir()
    for name in "picture.dcm", "state.dcm":
        shutil.copy(name, folder)
    got = read("info", folder)
    if got["frames"] != 1 or got["warning"] is not None:
        yield f"the folder is {got}"
    fails(1, "(a presentation state)", arguments=["process", "state.dcm", "-o", "alone.png"])


def those_that_cannot_be_applied_say_so():
    """Of colours, pseudo-colours, blending … they must not pass for one of grey levels, whatever else they have."""
    image = picture(VALUES)
    for kind in (2, 3, 4, 5, 8, 11):
        out = state(image, **WINDOW)
        out.SOPClassUID = out.file_meta.MediaStorageSOPClassUID = f"{STATE[:-1]}{kind}"
        if kind == 4:
            out.BlendingSequence = [item(ReferencedSeriesSequence=out.ReferencedSeriesSequence)]
            del out.ReferencedSeriesSequence
        save(out, "state.dcm")
        pathlib.Path("shown.png").unlink(missing_ok=True)
        fails(1, "cannot be applied", arguments=["process", "picture.dcm", "-o", "shown.png",
                                                 "--presentation-state", "state.dcm"])
        if pathlib.Path("shown.png").exists():
            yield f"{kind}: a picture was written"
        got, text = read("info", "state.dcm"), run("info", "state.dcm").stdout
        if got["applies"] or got["pictures"] != [image.SOPInstanceUID] or got["label"] != "LABEL":
            yield f"{kind}: {got}"
        if "cannot be applied" not in text or image.SOPInstanceUID not in text or "1500" in text:
            yield f"{kind} says: {text}"


def lies_are_left_out():
    image = picture(VALUES)
    good = object_of("POLYLINE", [10, 10, 100, 100])
    for name, bad in (("points", item(GraphicAnnotationUnits="PIXEL", GraphicDimensions=2, NumberOfGraphicPoints=9,
                                      GraphicData=[1.0, 2.0], GraphicType="POLYLINE")),
                      ("unit", object_of("POLYLINE", [1, 1, 2, 2], "FURLONG")),
                      ("kind", object_of("STAR", [1, 1, 2, 2])),
                      ("circle", object_of("CIRCLE", [1, 1, 2, 2, 3, 3])),
                      ("not a number", object_of("POLYLINE", [1, float("nan"), 2, 2])),
                      ("far", object_of("POLYLINE", [1e30, 1, 2, 2]))):
        annotated(image, [bad, good])
        done = run("process", "picture.dcm", "-o", "shown.png", "--force", "--presentation-state", "state.dcm")
        if "asks for more" not in done.stderr:
            yield f"{name}: nothing is said: {done.stderr}"
        if pixels.read_png("shown.png")[50, 50, 0] < 65535:
            yield f"{name}: what is good is not drawn"
    annotated(image, [object_of("POLYLINE", [-1e9, 1, 1e9, 80])] * 3)  # far, but a number
    shown()
    for shape in ({"ShutterShape": "CIRCULAR"}, {"ShutterShape": "STAR"},
                  {"ShutterShape": "BITMAP", "ShutterOverlayGroup": 0x6004},
                  {"ShutterShape": "POLYGONAL", "VerticesOfThePolygonalShutter": [1, 2, 3]},
                  {"ShutterShape": "CIRCULAR", "CenterOfCircularShutter": [5000, 5000], "RadiusOfCircularShutter": 3}):
        state(image, SoftcopyVOILUTSequence=[item(WindowCenter="2048", WindowWidth="4096")], **shape)
        done = run("process", "picture.dcm", "-o", "shown.png", "--force", "--presentation-state", "state.dcm")
        if "asks for more" not in done.stderr:
            yield f"{shape}: nothing is said"
        if not pixels.read_png("shown.png").any():
            yield f"{shape}: all is covered"


sys.exit(run_cases({
    "as DCMTK shows them": as_dcmtk_shows,
    "tables begin with the sign of what enters them": tables_begin,
    "shutters cover what they say": shutters_cover,
    "lines lie where they say": lines_lie_where_they_say,
    "shares are of what is seen": shares_are_of_what_is_seen,
    "words can be read": words_can_be_read,
    "overlays of its own": overlays_of_its_own,
    "others are left alone": others_are_left_alone,
    "options come first": options_come_first,
    "info tells": info_tells,
    "those that cannot be applied say so": those_that_cannot_be_applied_say_so,
    "lies are left out": lies_are_left_out}))
