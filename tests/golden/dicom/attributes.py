#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The types of DICOM attributes where the file does not say them: unknown ones (UN, PS3.5 6.2.2),
either sign (US or SS), an implicit file without a dictionary, words of big endian files; pixels in the
rarer ways that are valid. What pydicom and DCMTK read is right.

usage: attributes.py ONDELETTE_CLI
"""
import itertools
import json
import os
import pathlib
import re
import struct
import subprocess
import sys

import numpy as np
import pydicom
from pydicom.datadict import dictionary_VR, tag_for_keyword
from pydicom.dataset import Dataset, FileDataset, FileMetaDataset
from pydicom.encaps import encapsulate
from pydicom.filebase import DicomBytesIO
from pydicom.filewriter import write_dataset
from pydicom.uid import ExplicitVRBigEndian, ExplicitVRLittleEndian, ImplicitVRLittleEndian

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests" / "helpers"))
from command_line import fails, read, run, run_cases  # noqa: E402
from dicom_file import Writer  # noqa: E402

pydicom.config.replace_un_with_known_vr = False
RANDOM = np.random.default_rng(34)
NUMBERS = itertools.count()
FRAMED = "1.2.840.10008.1.2.1.98"
CT, ENHANCED_CT, ULTRASOUND, CINE, CAPTURE, XA = (
    "1.2.840.10008.5.1.4.1.1." + end for end in ("2", "2.1", "6.1", "3.1", "7", "12.1"))
NOWHERE = dict(os.environ, DCMDICTPATH="/nowhere")


def item(**values):
    inner = Dataset()
    for name, value in values.items():
        setattr(inner, name, value)
    return inner


def picture(sop, modality, array, photometric="MONOCHROME2", **values):
    """A data set of one grey picture, of frames, or of colours."""
    out = item(SOPClassUID=sop, SOPInstanceUID="1.2.3.4", StudyInstanceUID="1.2.3.5",
               SeriesInstanceUID="1.2.3.6", PatientName="Nobody^Test", PatientID="T0", Modality=modality)
    colour = photometric[:3] in ("RGB", "YBR")
    frames = array if array.ndim == 3 + colour else array[None]
    out.SamplesPerPixel, out.PhotometricInterpretation = 3 if colour else 1, photometric
    if colour:
        out.PlanarConfiguration = 0
    if len(frames) > 1:
        out.NumberOfFrames = len(frames)
    out.Rows, out.Columns = frames.shape[1:3]
    out.BitsAllocated = out.BitsStored = array.dtype.itemsize * 8
    out.HighBit, out.PixelRepresentation = out.BitsStored - 1, int(array.dtype.kind == "i")
    set_pixels(out, array.tobytes(), "OW" if array.dtype.itemsize > 1 else "OB")
    for name, value in values.items():
        setattr(out, name, value)
    return out


def set_pixels(out, data, vr):
    out.PixelData = data + b"\0" * (len(data) % 2)
    out["PixelData"].VR = vr


def write(out, syntax=ExplicitVRLittleEndian, name=None):
    meta = FileMetaDataset()
    meta.MediaStorageSOPClassUID, meta.MediaStorageSOPInstanceUID = out.SOPClassUID, out.SOPInstanceUID
    meta.TransferSyntaxUID, meta.ImplementationClassUID = syntax, "1.2.3"
    name = name or f"{next(NUMBERS)}.dcm"
    whole = FileDataset(name, out, file_meta=meta, preamble=b"\0" * 128)
    whole.is_little_endian = syntax != ExplicitVRBigEndian
    whole.is_implicit_VR = syntax == ImplicitVRLittleEndian
    whole.save_as(name, write_like_original=False)
    return name


def table(first, n, bits, values, **more):
    out = item(**more)
    out.add_new(0x00283002, "SS" if first < 0 else "US", [n, first, bits])
    out.add_new(0x00283006, "OW", np.asarray(values).astype("<u2").tobytes())
    return out


def with_palette(out, first, n, vr):
    for i, name in enumerate(("Red", "Green", "Blue")):
        out.add_new(tag_for_keyword(name + "PaletteColorLookupTableDescriptor"), vr, [n, first, 16])
        values = (np.arange(n) % 25 + 1) * (10 + i) * 257 % 65536
        setattr(out, name + "PaletteColorLookupTableData", values.astype("<u2").tobytes())
    return out


def ramp(*shape, code="u1"):
    return (np.arange(np.prod(shape)).reshape(shape) * 3).astype(code)


def data_sets():
    """One of each kind that reads other attributes."""
    words = ramp(12, 14, code="u2") * 4
    yield "ct", picture(CT, "CT", words, RescaleSlope="2", RescaleIntercept="-1000", WindowCenter=["40", "300"],
                        WindowWidth=["400", "1500"], WindowCenterWidthExplanation=["SOFT", "BONE"],
                        PixelSpacing=["0.5", "0.25"], ImagePositionPatient=["1", "2", "3"],
                        ImageOrientationPatient=["1", "0", "0", "0", "1", "0"], SeriesNumber="3",
                        PixelAspectRatio=["1", "1"], LossyImageCompression="01", PixelPaddingValue=2000)
    yield "voi", picture(CT, "CT", words.astype("i2") - 300, RescaleSlope="1", RescaleIntercept="0",
                         VOILUTSequence=[table(-300, 2048, 12, np.arange(2048) * 2)])
    yield "modality", picture(CAPTURE, "OT", ramp(12, 14, code="i1"),
                              ModalityLUTSequence=[table(-128, 256, 16, np.arange(256) * 7)])
    yield "palette", with_palette(picture(ULTRASOUND, "US", ramp(12, 14, code="i1"), "PALETTE COLOR"), -128, 256, "SS")
    yield "cine", picture(CINE, "US", ramp(3, 12, 14), FrameIncrementPointer=0x00181065,
                          FrameTimeVector=["0", "40", "80"])
    region = item(RegionSpatialFormat=1, RegionDataType=1, RegionFlags=0, RegionLocationMinX0=0,
                  RegionLocationMinY0=0, RegionLocationMaxX1=13, RegionLocationMaxY1=11, PhysicalUnitsXDirection=3,
                  PhysicalUnitsYDirection=3, PhysicalDeltaX=0.05, PhysicalDeltaY=0.05)
    yield "regions", picture(ULTRASOUND, "US", ramp(12, 14, 3), "RGB", SequenceOfUltrasoundRegions=[region])
    shared = item(PixelValueTransformationSequence=[item(RescaleSlope="2", RescaleIntercept="-9", RescaleType="HU")],
                  PixelMeasuresSequence=[item(PixelSpacing=["0.5", "0.5"])],
                  PlaneOrientationSequence=[item(ImageOrientationPatient=["1", "0", "0", "0", "1", "0"])])
    yield "enhanced", picture(
        ENHANCED_CT, "CT", ramp(3, 12, 14, code="u2"), SharedFunctionalGroupsSequence=[shared],
        PerFrameFunctionalGroupsSequence=[item(PlanePositionSequence=[
            item(ImagePositionPatient=["0", "0", str(2 * k)])]) for k in range(3)])
    yield "shutter", picture(XA, "XA", words, ShutterShape="RECTANGULAR", ShutterLeftVerticalEdge="2",
                             ShutterRightVerticalEdge="9", ShutterUpperHorizontalEdge="2",
                             ShutterLowerHorizontalEdge="9", ImagerPixelSpacing=["0.2", "0.2"])
    yield "overlay", with_overlay(picture(CT, "CT", words))


def with_overlay(out):
    for element, vr, value in ((0x10, "US", 12), (0x11, "US", 14), (0x40, "CS", "G"), (0x50, "SS", [1, 1]),
                               (0x100, "US", 1), (0x102, "US", 0), (0x3000, "OW", b"\x55" * 22)):
        out.add_new(0x60000000 + element, vr, value)
    return out


# ---- unknown types -------------------------------------------------------------------

def implicit(inner):
    to = DicomBytesIO()
    to.is_little_endian = to.is_implicit_VR = True
    write_dataset(to, inner)
    return to.getvalue()


def unknown(out, tags):
    """The same data set, of which these elements are UN with a defined length."""
    other = Dataset()
    for element in out:
        if element.tag in tags:
            alone = Dataset()
            alone.add(element)
            other.add_new(element.tag, "UN", implicit(alone)[8:])
        else:
            other.add(element)
    return other


def said(path, **more):
    """Of a file, without its name."""
    told = json.loads(run("info", path, "--json", **more).stdout)
    for name in ("name", "location", "format"):
        told.pop(name)
    told["details"].pop("transfer-syntax")
    return told


def seen(path, **more):
    """What is said of a file, and its pixels."""
    told = said(path, **more)
    run("process", path, "-o", "seen.npy", "--force", **more)
    return told, np.load("seen.npy").tolist()


def unknown_types():
    for name, out in data_sets():
        kept = seen(write(out))
        tags = [element.tag for element in out if element.tag != 0x7fe00010]
        got = seen(write(unknown(out, tags)))
        if got != kept:
            yield f"{name}: with all as UN it is {differences(kept, got)}"
        if out.BitsAllocated == 8:
            big = seen(write(unknown(out, tags), ExplicitVRBigEndian))
            if big != kept:
                yield f"{name}: with all as UN in a big endian file it is {differences(kept, big)}"
        for tag in tags:
            one = said(write(unknown(out, [tag]), name="one.dcm"))
            if one != kept[0]:
                yield f"{name}: with {tag} as UN it is {differences(kept, (one, kept[1]))}"


def differences(a, b):
    found = [f"{key}: {a[0].get(key)} → {b[0].get(key)}" for key in {*a[0], *b[0]} if a[0].get(key) != b[0].get(key)]
    return "; ".join(found) + ("" if a[1] == b[1] else "; other pixels")


def hostile_unknown():
    """Sequences of unknown type that are too deep, damaged or not whole stay unread; nothing crashes."""
    deep = b""
    for _ in range(6000):
        inner = struct.pack("<HHI", 0x0008, 0x1140, len(deep)) + deep if deep else b""
        deep = struct.pack("<HHI", 0xfffe, 0xe000, len(inner)) + inner
    values = {"deep": deep, "cut": b"\xfe\xff\x00\xe0\xff\x00\x00\x00\x00\x00", "odd": b"\xfe\xff\x00\xe0",
              "end": struct.pack("<HHIHHI", 0xfffe, 0xe0dd, 0, 0xfffe, 0xe000, 0), "empty": b""}
    for name, value in values.items():
        out = picture(CT, "CT", ramp(4, 4, code="u2"))
        out.add_new(0x00081140, "UN", value)
        out.add_new(0x52009229, "UN", value)
        if np.abs(np.array(seen(write(out))[1]) - ramp(4, 4, code="u2")).max() > 0:
            yield f"{name}: other pixels"


def unreadable_numbers():
    """Each is a sentence, never a number that is not there."""
    def put(tag, vr, value):
        out = picture(CT, "CT", ramp(4, 4, code="u2"))
        if tag in out:
            del out[tag]
        out.add_new(tag, vr, value)
        return write(out)

    for tag, name in ((0x00280103, "PixelRepresentation"), (0x00280101, "BitsStored"), (0x00280102, "HighBit"),
                      (0x00280002, "SamplesPerPixel"), (0x00280006, "PlanarConfiguration")):
        fails(1, name, "cannot be read", arguments=["info", put(tag, "UN", b"\1\0\0")])
        fails(1, name, "cannot be read", arguments=["info", put(tag, "US", [1, 1])])
    for tag, value, words in ((0x00281053, b"1A", "rescale slope"), (0x00281052, b"--2 ", "rescale slope"),
                              (0x00280008, b"1A", "number of frames"), (0x00280008, b"1.5 ", "number of frames"),
                              (0x00280030, b"1\\x ", "pixel spacing")):
        for vr in ("UN", "OB"):
            warning = read("info", put(tag, vr, value))["warning"] or ""
            if words not in warning:
                yield f"of {value} as {vr} is said “{warning}”"


# ---- either sign ---------------------------------------------------------------------

def palette_of_sign(signed, syntax, vr):
    """Values −4 … 3, or those of 16 bits around 40000, which would be negative if they had a sign."""
    first = -4 if signed else 40000
    stored = np.arange(first, first + 8).reshape(2, 4).astype("i1" if signed else "u2")
    number = first if vr == "SS" or not signed else first + 65536
    number = number - 65536 if vr == "SS" and not signed else number
    return write(with_palette(picture(ULTRASOUND, "US", stored, "PALETTE COLOR"), number, 8, vr), syntax)


def signs_of_palettes():
    want = np.stack([(np.arange(8) + 1) * (10 + i) for i in range(3)], -1).reshape(2, 4, 3)
    for signed, syntax, vr in itertools.product((True, False), (ExplicitVRLittleEndian, ImplicitVRLittleEndian),
                                                ("US", "SS")):
        path = palette_of_sign(signed, syntax, vr)
        got = np.array(seen(path)[1])
        # DCMTK goes by the type that an explicit file says.
        if not np.array_equal(got, want):
            yield f"signed {signed}, {vr}, {syntax.name}: {got.tolist()}"


def signs_of_modality_tables():
    """From −128 on for signed pixels, from 40000 on for others."""
    for signed, syntax in itertools.product((True, False), (ExplicitVRLittleEndian, ImplicitVRLittleEndian)):
        first = -128 if signed else 40000
        stored = np.arange(first, first + 64).reshape(8, 8).astype("i2" if signed else "u2")
        lut = table(first, 64, 16, np.arange(64) * 1000 + 5)
        got = np.array(seen(write(picture(CAPTURE, "OT", stored, ModalityLUTSequence=[lut]), syntax))[1])
        if not np.array_equal(got.ravel(), np.arange(64) * 1000 + 5):
            yield f"signed {signed}, {syntax.name}: {got.tolist()}"


def signs_of_window_tables():
    """By what enters them: stored pixels, or those after rescale or a modality table (C.11.2.1.1)."""
    signed, plain = np.arange(-32, 32).reshape(8, 8).astype("i2"), np.arange(64).reshape(8, 8).astype("u2")
    cases = {
        "signed pixels": (signed, -32, {}),
        "rescaled below 0": (plain, -1000, {"RescaleSlope": "1", "RescaleIntercept": "-1000"}),
        "rescaled above 0": (signed, 40000, {"RescaleSlope": "1", "RescaleIntercept": "40032"}),
        "plain pixels": (plain, 40000, {}),
        "signed pixels through a table": (signed, 40000, {"ModalityLUTSequence": [
            table(-32, 64, 16, 40000 + np.arange(64))]}),
    }
    for (name, (stored, first, more)), syntax in itertools.product(
            cases.items(), (ExplicitVRLittleEndian, ImplicitVRLittleEndian)):
        lut = table(first, 64, 16, np.arange(64) * 1000)
        told = read("info", write(picture(CAPTURE, "OT", stored, VOILUTSequence=[lut], **more), syntax))
        if told["details"].get("voi-lut") != f"64 values from {first}":
            yield f"{name}, {syntax.name}: {told['details'].get('voi-lut')}, not from {first}"


# ---- without a dictionary ------------------------------------------------------------

def without_dictionary():
    for name, out in data_sets():
        path = write(out, ImplicitVRLittleEndian)
        kept, got = seen(path), seen(path, env=NOWHERE)
        if kept != got:
            yield f"{name}: {differences(kept, got)}"
        if kept != seen(write(out)):
            yield f"{name}: implicit and explicit differ: {differences(kept, seen(write(out)))}"
    unknown_file = write(unknown(out, [e.tag for e in out if e.tag != 0x7fe00010]))
    if seen(unknown_file, env=NOWHERE) != seen(unknown_file):
        yield "UN is another thing without a dictionary"


def the_table():
    """It has every attribute that the helper reads, of the type that pydicom's dictionary says."""
    folder = ROOT / "src" / "decoder" / "dicom"
    rows = re.findall(r"\{ 0x(\w{4}), 0x(\w{4}), EVR_(\w+), \"(\w+)\" \}", (folder / "attributes_table.h").read_text())
    if len(rows) < 200:
        yield f"it has {len(rows)} rows"
    kinds = {"US or SS": "xs", "US or OW": "lt", "OB or OW": "ox"}
    for group, element, kind, name in rows:
        tag = int(group + element, 16)
        right = dictionary_VR(tag)
        if kinds.get(right, right) != kind:
            yield f"{name} is {right}, not {kind}"
        if group != "6000" and tag_for_keyword(name) != tag:
            yield f"{name} is another attribute"
    known = {name for _, _, _, name in rows}
    for path in folder.glob("*.[ch]pp"):
        for name in re.findall(r"DCM_([A-Z]\w+)", path.read_text()):
            if tag_for_keyword(name) is not None and name not in known | {"OverlayData", "PixelData"}:
                yield f"{path.name} reads {name}, which the table lacks"


# ---- pixels --------------------------------------------------------------------------

def frames_of(path, n):
    run("process", path, "-o", "frame-%d.npy", "--frames", f"1-{n}", "--force")
    return np.array([np.load(f"frame-{i + 1}.npy") for i in range(n)])


def big_endian_words():
    """Each as dcmconv turns it, at sizes whose frames begin within words and bytes."""
    for rows, columns in ((3, 5), (5, 7), (1, 1), (3, 3), (4, 4)):
        bits = RANDOM.integers(0, 2, (5, rows, columns)).astype("u1")
        one = picture("1.2.840.10008.5.1.4.1.1.7.1", "OT", bits)
        one.BitsAllocated = one.BitsStored = 1
        one.HighBit = 0
        set_pixels(one, np.packbits(bits.ravel(), bitorder="little").tobytes(), "OW")
        grey = RANDOM.integers(0, 256, (5, rows, columns)).astype("u1")
        colour = RANDOM.integers(0, 256, (5, rows, columns, 3)).astype("u1")
        twelve = RANDOM.integers(0, 4096, (5, rows, columns)).astype("u2")
        for name, want, out in (("bits", bits, one), ("bytes", grey, picture(CINE, "US", grey)),
                                ("colours", colour, picture(CINE, "US", colour, "RGB")),
                                ("words", twelve, picture(CINE, "US", twelve))):
            out["PixelData"].VR = "OW"
            little = write(out)
            subprocess.run(["dcmconv", "+tb", little, "big.dcm"], check=True)
            for path in (little, "big.dcm"):
                if not np.array_equal(frames_of(path, 5), want):
                    yield f"{name} of {rows} × {columns} in {path} differ"


def framed():
    """Encapsulated, but not compressed (PS3.5 A.4.11), with and without a table; the last frame cut."""
    values = {"words": ramp(3, 5, 7, code="u2") * 100, "bytes": ramp(3, 5, 7)}
    for (name, array), table_of in itertools.product(values.items(), (True, False)):
        out = picture(CINE, "US", array, FrameIncrementPointer=0x00181063, FrameTime="40")
        parts = [frame.tobytes() + b"\0" * (frame.nbytes % 2) for frame in array]
        out.PixelData = encapsulate(parts, has_bot=table_of)
        out["PixelData"].VR, out["PixelData"].is_undefined_length = "OB", True
        path = write(out, FRAMED)
        if not np.array_equal(frames_of(path, 3), array):
            yield f"{name}, table {table_of}: other values"
        if read("info", path)["frame_rate"] != 25:
            yield f"{name}: {read('info', path)['frame_rate']} a second"
    whole = pathlib.Path(path).read_bytes()
    pathlib.Path("cut.dcm").write_bytes(whole[:-30])
    told = read("info", "cut.dcm")
    if told["frames"] != 2 or "holds 2" not in (told["warning"] or ""):
        yield f"of a file that is cut {told['frames']} frames are there: {told['warning']}"
    fails(1, "pixels are not stored as its transfer syntax says",
          arguments=["info", Writer(FRAMED).put(0x00280010, "US", 4).put(0x00280011, "US", 4).put(
              0x00280100, "US", 8).put(0x7fe00010, "OB", bytes(16)).write()])


def studio_levels():
    """The retired YBR_PARTIAL, whose black is 16: shared chroma by row, and by two rows."""
    rows, columns = 6, 8
    rgb = RANDOM.integers(0, 256, (rows // 2, columns // 2, 3)).repeat(2, 0).repeat(2, 1).astype(float)
    # PS3.3-2004 C.7.6.3.1.2.
    to_ybr = np.array([[0.2568, 0.5041, 0.0979], [-0.1482, -0.2910, 0.4392], [0.4392, -0.3678, -0.0714]])
    ybr = np.rint(rgb @ to_ybr.T + [16, 128, 128]).astype("u1")
    for name, height in (("YBR_PARTIAL_422", 1), ("YBR_PARTIAL_420", 2)):
        data = b""
        for y in range(rows):
            for x in range(0, columns, 2):
                data += bytes(ybr[y, x:x + 2, 0]) + (bytes(ybr[y, x, 1:]) if y % height == 0 else b"")
        out = picture(ULTRASOUND, "US", ramp(rows, columns, 3), name)
        set_pixels(out, data, "OB")
        path = write(out)
        run("process", path, "-o", "seen.npy", "--force")
        apart = np.abs(np.load("seen.npy").astype(float) - rgb).max()
        if apart > 3:  # of rounding eight bits to 220 levels
            yield f"{name}: {apart} off"
        if name == "YBR_PARTIAL_422":
            subprocess.run(["dcm2pnm", "+op", path, "seen.ppm"], check=True)
            theirs = np.frombuffer(pathlib.Path("seen.ppm").read_bytes()[-rows * columns * 3:], "u1")
            apart = np.abs(np.load("seen.npy").ravel().astype(float) - theirs).max()
            if apart > 2:
                yield f"{name}: {apart} off DCMTK"


# ---- scale ---------------------------------------------------------------------------

def scales():
    """Spacing before aspect ratio, in every place that the standard has, the one of what is seen first."""
    def groups(**macros):
        return {"SharedFunctionalGroupsSequence": [item(**{k: [item(**v)] for k, v in macros.items()})]}

    at_detector = {"FramePixelDataPropertiesSequence": {"ImagerPixelSpacing": ["0.5", "1"]}}
    cases = {
        "aspect ratio": ({"PixelAspectRatio": [1, 2]}, None, ""),
        "spacing": ({"PixelSpacing": ["0.5", "1"]}, 1, "mm"),
        "spacing and aspect ratio": ({"PixelSpacing": ["0.5", "1"], "PixelAspectRatio": [1, 1]}, 1, "mm"),
        "at the detector, and aspect ratio": (
            {"ImagerPixelSpacing": ["0.5", "1"], "PixelAspectRatio": [3, 1]}, 1, "at the detector"),
        "film": ({"NominalScannedPixelSpacing": ["0.5", "1"], "PixelAspectRatio": [1, 1]}, 1, "on the scanned film"),
        "film and calibrated": ({"NominalScannedPixelSpacing": ["2", "2"], "PixelSpacing": ["0.5", "1"]}, 1, "mm"),
        "radiotherapy": ({"ImagePlanePixelSpacing": ["0.5", "1"]}, 1, "at the detector"),
        "functional groups": (groups(PixelMeasuresSequence={"PixelSpacing": ["0.5", "1"]}), 1, "mm"),
        "functional groups, at the detector": (groups(**at_detector), 1, "at the detector"),
        "functional groups, calibrated": (groups(
            **at_detector, ProjectionPixelCalibrationSequence={"ObjectPixelSpacingInCenterOfBeam": [0.25, 0.5]}),
            0.5, "mm"),
        "functional groups, equal to the detector's": (groups(
            **at_detector, PixelMeasuresSequence={"PixelSpacing": ["0.5", "1"]}), 1, "at the detector"),
        "spacing that is none": ({"PixelSpacing": ["0", "0"], "ImagerPixelSpacing": ["0.5", "1"]}, 1,
                                 "at the detector"),
        "one number": ({"PixelSpacing": ["0.5"], "ImagerPixelSpacing": ["0.5", "1"]}, 1, "at the detector"),
    }
    for (name, (values, across, words)), frames in itertools.product(cases.items(), (1, 2)):
        path = write(picture(XA, "XA", ramp(frames, 8, 8, code="u2"), **values))
        told = read("info", path)["image"]
        line = next((line for line in run("info", path).stdout.splitlines() if line.startswith("spacing")), "")
        spacing = [across, across / 2, 0] if across else [0, 0, 0]
        if told["spacing_mm"] != spacing or told["pixel_aspect"] != 2 or not line.endswith(words):
            yield f"{name}: {told['spacing_mm']}, {told['pixel_aspect']}, {line}"


# ---- times ---------------------------------------------------------------------------

def times():
    """Frame times and vectors have no bounds but those of counting (PS3.3 C.7.6.5)."""
    def cine(n=4, **values):
        return read("info", write(picture(CINE, "US", ramp(n, 4, 4), **values)))

    for ms in ("0.25", "40", "60000", "3600000", "0.01"):
        told = cine(FrameIncrementPointer=0x00181063, FrameTime=ms)
        if told["warning"] or abs(told["frame_rate"] * float(ms) / 1000 - 1) > 1e-9 or told["timing"] != "Frame Time":
            yield f"{ms} ms: {told['frame_rate']} a second, {told['warning']}"
    for vector in (["0", "100", "30000", "100"], ["0", "0.25", "0.5", "0.25"], ["0", "60000", "7200000", "1"]):
        told = cine(FrameIncrementPointer=0x00181065, FrameTimeVector=vector)
        mean = sum(map(float, vector)) / 3 / 1000
        if told["warning"] or abs(told["frame_rate"] * mean - 1) > 1e-9 or told["timing"] != "Frame Time Vector":
            yield f"{vector}: {told['frame_rate']} a second, {told['warning']}"
    for values in ({"FrameTime": "0"}, {"FrameTime": "-40"}, {"FrameTime": "1e12"}, {"CineRate": "0"},
                   {"FrameTimeVector": ["0", "100", "0", "100"]}, {"FrameTimeVector": ["0", "100"]}):
        if "is invalid and is ignored" not in (cine(**values)["warning"] or ""):
            yield f"{values} is not called invalid"


if __name__ == "__main__":
    sys.exit(run_cases({
        "attributes of unknown type have that of the dictionary": unknown_types,
        "hostile values of unknown type are left alone": hostile_unknown,
        "a number that cannot be read is a sentence": unreadable_numbers,
        "palettes begin with the sign of the pixels": signs_of_palettes,
        "modality tables begin with the sign of the pixels": signs_of_modality_tables,
        "tables of grey levels begin with the sign of what enters them": signs_of_window_tables,
        "implicit files need no dictionary": without_dictionary,
        "the table of attributes is the standard's": the_table,
        "words of big endian files equal their little endian twins": big_endian_words,
        "encapsulated pixels need not be compressed": framed,
        "colours of studio levels are colours": studio_levels,
        "spacing comes before aspect ratio, in all its places": scales,
        "times of frames have no bounds": times,
    }))
