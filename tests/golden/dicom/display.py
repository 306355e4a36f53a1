#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""How DICOM files want to be shown, against DCMTK's dcmj2pnm, pixel by pixel: windows and their
functions, tables of levels, polarity, overlays. Real files, and files made here.

usage: display.py ONDELETTE_CLI
"""
import csv
import io
import itertools
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

import numpy as np
import pydicom

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "helpers"))
import pixels  # noqa: E402
import tap  # noqa: E402
from dicom_file import BIG, COUNT, LITTLE, RLE, Writer  # noqa: E402

os.environ["ODL_ENGINE"] = "cpu"
CLI = os.path.abspath(sys.argv[1])
DATA = pathlib.Path(os.environ.get("ODL_TESTDATA", "") or "/nowhere")
TRUTH = shutil.which("dcmj2pnm")
FOLDER = pathlib.Path(tempfile.mkdtemp(prefix="odl-dicom-"))
BOUND = 1 / 64  # of a level: 4 of the 65535 of a PNG
RANDOM = np.random.default_rng(9)


def picture(values, stored=16, signed=False, photometric="MONOCHROME2", syntax=LITTLE):
    """values: height × width or frames × height × width of integers, or height × width × 3."""
    out = Writer(syntax)
    colour = photometric == "RGB"
    allocated = 8 if stored <= 8 else 16
    out.put(0x00080016, "UI", "1.2.840.10008.5.1.4.1.1.7").put(0x00080018, "UI", "1.2.3.4")
    out.put(0x00280002, "US", 3 if colour else 1).put(0x00280004, "CS", photometric)
    if colour:
        out.put(0x00280006, "US", 0)
    elif values.ndim == 3:
        out.put(0x00280008, "IS", len(values))
    height, width = values.shape[:2] if colour else values.shape[-2:]
    out.put(0x00280010, "US", height).put(0x00280011, "US", width)
    out.put(0x00280100, "US", allocated).put(0x00280101, "US", stored)
    out.put(0x00280102, "US", stored - 1).put(0x00280103, "US", int(signed))
    code = out.order + ("i" if signed else "u") + str(allocated // 8)
    return out.put(0x7fe00010, "OW" if allocated == 16 else "OB", values.astype(code).tobytes())


def window(out, centre, width, function=None):
    out.put(0x00281050, "DS", centre).put(0x00281051, "DS", width)
    return out.put(0x00281056, "CS", function) if function else out


def table(out, first, entries, bits, vr="US"):
    inner = Writer(out.syntax)
    words = struct.pack(out.order + "H", len(entries) % 65536)
    start = struct.pack(out.order + ("h" if vr == "SS" else "H"), first)
    inner.elements[0x00283002] = vr, words + start + struct.pack(out.order + "H", bits)
    inner.put(0x00283006, "OW", np.asarray(entries).astype(out.order + "u2").tobytes())
    return out.items(0x00283010, inner)


def overlay(out, group, bits, origin=(1, 1), first_frame=None):
    """bits: height × width, or frames × height × width."""
    tag = group << 16
    out.put(tag | 0x10, "US", bits.shape[-2]).put(tag | 0x11, "US", bits.shape[-1])
    if first_frame is not None:
        out.put(tag | 0x15, "IS", len(bits)).put(tag | 0x51, "US", first_frame)
    out.put(tag | 0x40, "CS", "G").put(tag | 0x50, "SS", *origin)
    out.put(tag | 0x100, "US", 1).put(tag | 0x102, "US", 0)
    packed = np.packbits(bits.reshape(-1).astype("u1"), bitorder="little").tobytes()
    packed += b"\0" * (len(packed) % 2)
    words = np.frombuffer(packed, "<u2").astype(out.order + "u2").tobytes()
    return out.put(tag | 0x3000, "OW", words)


def run(*arguments):
    return subprocess.run([CLI, *map(str, arguments)], capture_output=True, timeout=900)


def ours(path, *options):
    """Levels from 0 to 255."""
    out = FOLDER / f"{next(COUNT)}.png"
    done = run("process", path, "-o", out, *options)
    assert done.returncode == 0, done.stderr.decode()
    got = pixels.read_png(str(out))
    return got.astype(float) / (257 if got.dtype.itemsize == 2 else 1)


def frames_of(path):
    pattern = FOLDER / f"{next(COUNT)}-%05d.png"
    done = run("process", path, "-o", pattern)
    assert done.returncode == 0, done.stderr.decode()
    names = sorted(FOLDER.glob(pattern.name.replace("%05d", "*")))
    shown = [pixels.read_png(str(name)) for name in names]
    return [one.astype(float) / (257 if one.dtype.itemsize == 2 else 1) for one in shown]


def theirs(path, *options):
    if TRUTH is None:
        raise tap.Skip("dcmj2pnm is not installed")
    done = subprocess.run([TRUTH, *options, "--write-raw-pnm", str(path)], capture_output=True,
                          timeout=900)
    head = done.stdout[:64].split(maxsplit=3)
    assert done.returncode == 0 and len(head) == 4, done.stderr.decode()
    channels = 3 if head[0] == b"P6" else 1
    width, height = int(head[1]), int(head[2])
    assert head[3].startswith(b"255"), head
    body = done.stdout[-width * height * channels:]
    return np.frombuffer(body, "u1").reshape(height, width, channels).astype(float)


def compare(name, got, want):
    """DCMTK cuts off where it should round, or rounds twice: one level apart at most."""
    if got.shape != want.shape:
        yield f"{name}: {got.shape}, DCMTK {want.shape}"
        return
    wrong = np.abs(got - want) > 1.01
    if wrong.any():
        at = tuple(int(i) for i in np.argwhere(wrong)[0])
        yield f"{name}: {wrong.sum()} samples differ, at {at} {got[at]:.2f}, DCMTK {want[at]:.0f}"


def real(names, *options, mine=()):
    for name in names:
        if not (DATA / name).exists():
            raise tap.Skip("the test data are not at hand")
        yield from compare(name, ours(DATA / name, *mine), theirs(DATA / name, *options))


OVERLAYS = ["pydicom-data/MR-SIEMENS-DICOM-WithOverlays.dcm", "fo-dicom/OutOfBoundsOverlay.dcm",
            "fo-dicom/IM-0001-0001-0001.dcm", "pydicom/examples_overlay.dcm"]


def real_overlays():
    yield from real(OVERLAYS, "+Wi", "1")


def real_without_overlays():
    yield from real(OVERLAYS, "+Wi", "1", "-O", mine=["--no-overlays"])
    for name in OVERLAYS:
        bare = np.array_equal(theirs(DATA / name), theirs(DATA / name, "-O"))
        if bare != np.array_equal(ours(DATA / name), ours(DATA / name, "--no-overlays")):
            yield f"{name}: --no-overlays leaves too little out, or too much"


def real_table():
    yield from real(["fo-dicom/GH133.dcm"], "+Wl", "1")


def real_sigmoid():
    yield from real(["fo-dicom/GH133.dcm"], "+Wi", "1", mine=["--window", "2653,900"])


def ramp(signed=False):
    values = np.arange(4096).reshape(64, 64)
    return values - 2048 if signed else values


def by_formula(x, c, w, function):
    """PS3.3 C.11.2.1.2 and C.11.2.1.3."""
    if function == "SIGMOID":
        return 255 / (1 + np.exp(np.minimum(-4 * (x - c) / w, 100)))
    if function == "LINEAR_EXACT":
        return 255 * np.clip((x - c) / w + 0.5, 0, 1)
    return 255 * np.clip((x - (c - 0.5)) / (w - 1) + 0.5, 0, 1)


def functions():
    for signed, (c, w), function in itertools.product(
            (False, True), ((40.5, 7), (1000, 300), (40.5, 5000)),
            (None, "LINEAR", "LINEAR_EXACT", "SIGMOID")):
        out = window(picture(ramp(signed), 12, signed), c, w, function)
        out.put(0x00281052, "DS", -24).put(0x00281053, "DS", 1.5)
        got = ours(out.write(FOLDER))[:, :, 0]
        worst = np.abs(got - by_formula(1.5 * ramp(signed) - 24, c, w, function)).max()
        if worst > BOUND:
            yield f"{function}, {c}/{w}, {'signed' if signed else 'unsigned'}: {worst} levels off"


def functions_as_dcmtk():
    for function in ("LINEAR", "SIGMOID"):
        path = window(picture(ramp(), 12), 1500, 900, function).write(FOLDER)
        yield from compare(function, ours(path), theirs(path, "+Wi", "1"))


def unknown_function():
    path = window(picture(ramp(), 12), 1500, 900, "CUBIC").write(FOLDER)
    if np.abs(ours(path)[:, :, 0] - by_formula(ramp(), 1500, 900, None)).max() > BOUND:
        yield "an unknown function is not taken for the linear one"
    if "CUBIC" not in run("info", path).stdout.decode():
        yield "info does not name the unknown function"


TABLES = [
    ("16 bits", 0, np.sqrt(np.arange(4096) / 4095) * 65535, 16, "US", False),
    ("12 bits from 1000 on", 1000, (np.arange(600) / 599) ** 2 * 4095, 12, "US", False),
    ("8 bits", 200, np.arange(256), 8, "US", False),
    ("falling", 0, 4095 - np.arange(4096), 12, "US", False),
    ("signed, from -500 on", -500, np.arange(1000) * 4, 12, "SS", True),
    ("steps", 1024, np.repeat([0, 4095, 100, 3000], 256), 12, "US", False),
]


def tables():
    for name, first, entries, bits, vr, signed in TABLES:
        entries = np.round(entries).astype(int)
        path = table(window(picture(ramp(signed), 12, signed), 9, 7), first, entries, bits, vr).write(FOLDER)
        got = ours(path)
        index = np.clip(ramp(signed) - first, 0, len(entries) - 1)
        worst = np.abs(got[:, :, 0] - entries[index] * 255 / (2 ** bits - 1)).max()
        if worst > BOUND:
            yield f"{name}: {worst} levels off"
        yield from compare(name, got, theirs(path, "+Wl", "1"))


def negative_first_in_unsigned():
    """Values from -1000 on; writers put the first one into an unsigned number."""
    out = picture(ramp(), 12).put(0x00281052, "DS", -1000).put(0x00281053, "DS", 1)
    path = table(out, 65536 - 500, np.arange(1000) * 4, 12).write(FOLDER)
    index = np.clip(ramp() - 500, 0, 999)
    if np.abs(ours(path)[:, :, 0] - index * 4 * 255 / 4095).max() > BOUND:
        yield "the first value is not taken for a negative one"


def damaged_table():
    out = table(window(picture(ramp(), 12), 1500, 900), 0, np.arange(100), 12)
    vr, body = out.elements[0x00283010]
    out.elements[0x00283010] = vr, body.replace(struct.pack("<H", 100), struct.pack("<H", 4000), 1)
    path = out.write(FOLDER)
    if np.abs(ours(path)[:, :, 0] - by_formula(ramp(), 1500, 900, None)).max() > BOUND:
        yield "the window does not take the place of a damaged table"
    if "VOI LUT" not in json.loads(run("info", "--json", path).stdout)["warning"]:
        yield "info does not name the damaged table"


def polarity():
    """MONOCHROME1 and INVERSE say the same, and do not undo each other."""
    for photometric, shape in itertools.product(("MONOCHROME1", "MONOCHROME2"),
                                                (None, "IDENTITY", "INVERSE")):
        out = window(picture(ramp(), 12, photometric=photometric), 1500, 900)
        if shape:
            out.put(0x20500020, "CS", shape)
        path = out.write(FOLDER)
        want = by_formula(ramp(), 1500, 900, None)
        if photometric == "MONOCHROME1" or shape == "INVERSE":
            want = 255 - want
        if np.abs(ours(path)[:, :, 0] - want).max() > BOUND:
            yield f"{photometric} with {shape} has the wrong polarity"
        inconsistent = (photometric, shape) == ("MONOCHROME1", "IDENTITY")
        if inconsistent != ("inconsistent" in run("info", path).stdout.decode()):
            yield f"{photometric} with {shape}: the inconsistency is not named, or none is"


def bits(*shape):
    return RANDOM.random(shape) < 0.3


def inverse_table():
    """The table's levels are turned over, too; the overlay is not."""
    out = table(picture(ramp(), 12, photometric="MONOCHROME1"), 0, np.arange(4096), 12)
    mask = bits(64, 64)
    got = ours(overlay(out, 0x6000, mask).write(FOLDER))[:, :, 0]
    want = np.where(mask, 255, 255 - ramp() * 255 / 4095)
    if np.abs(got - want).max() > BOUND:
        yield "a table of MONOCHROME1 is shown wrongly"


def overlays():
    for syntax, origin, size in itertools.product(
            (LITTLE, BIG), ((1, 1), (-3, 5), (40, -7), (60, 61), (-90, 1), (32767, -32768)),
            ((29, 37), (90, 120))):
        out = window(picture(ramp(), 12, syntax=syntax), 2048, 4096)
        overlay(out, 0x6000, bits(*size), origin)
        path = overlay(out, 0x601e, bits(5, 7), (20, 33)).write(FOLDER)
        yield from compare(f"{size} at {origin}", ours(path), theirs(path, "+Wi", "1"))


def overlay_on_colour():
    values = RANDOM.integers(0, 256, (40, 50, 3))
    mask = bits(31, 33)
    path = overlay(picture(values, 8, photometric="RGB"), 0x6002, mask, (6, 8)).write(FOLDER)
    want = values.astype(float)
    want[5:36, 7:40][mask] = 255
    if not np.array_equal(ours(path), want):
        yield "an overlay on colours is not drawn white at its place"


def overlays_of_frames():
    """Five frames; the overlay has three of 29 × 37 bits, which do not begin at bytes."""
    frames = np.stack([ramp() // 2 + 300 * i for i in range(5)])
    masks, fixed = bits(3, 29, 37), bits(11, 13)
    out = overlay(window(picture(frames, 12), 2048, 4096), 0x6000, masks, (9, 4), first_frame=2)
    path = overlay(out, 0x6004, fixed, (50, 2)).write(FOLDER)
    shown = frames_of(path)
    if len(shown) != 5:
        yield f"{len(shown)} frames were written"
    for i, got in enumerate(shown):
        want = by_formula(frames[i], 2048, 4096, None)
        if 1 <= i < 4:
            want[8:37, 3:40][masks[i - 1]] = 255
        want[49:60, 1:14][fixed] = 255
        if np.abs(got[:, :, 0] - want).max() > BOUND:
            yield f"frame {i} does not bear its own overlay"


def overlays_in_samples():
    """In bits above, or below, those that are values."""
    for position, high in ((12, 11), (15, 11), (0, 12), (3, 15)):
        mask = bits(64, 64)
        values = ramp() << (high - 11) | mask.astype(int) << position
        out = window(picture(values, 12), 2048, 4096)
        out.put(0x00280102, "US", high).put(0x00280100, "US", 16)
        out.put(0x60000010, "US", 64).put(0x60000011, "US", 64).put(0x60000040, "CS", "G")
        out.put(0x60000050, "SS", 1, 1).put(0x60000100, "US", 16).put(0x60000102, "US", position)
        path = out.write(FOLDER)
        want = np.where(mask, 255, by_formula(ramp(), 2048, 4096, None))
        if np.abs(ours(path)[:, :, 0] - want).max() > BOUND:
            yield f"the overlay in bit {position} is not drawn"
        out.put(0x60000102, "US", high)
        if "not drawn" not in run("info", out.write(FOLDER)).stdout.decode():
            yield "an overlay in the bits of the values is not named"


def short_overlay():
    mask = bits(64, 64)
    out = overlay(window(picture(ramp(), 12), 2048, 4096), 0x6000, mask)
    vr, body = out.elements[0x60003000]
    out.elements[0x60003000] = vr, body[:256]
    path = out.write(FOLDER)
    mask[32:] = False
    want = np.where(mask, 255, by_formula(ramp(), 2048, 4096, None))
    if np.abs(ours(path)[:, :, 0] - want).max() > BOUND:
        yield "what there is of a short overlay is not drawn"
    if "too early" not in run("info", path).stdout.decode():
        yield "info does not name the short overlay"


def unapplied():
    """What is not applied is named."""
    item = Writer().put(0x00286101, "CS", "AVG_SUB")
    for word, change in (("shutter", lambda out: out.put(0x00181600, "CS", "CIRCULAR")),
                         ("mask", lambda out: out.items(0x00286100, item)),
                         ("presentation table", lambda out: out.items(0x20500010, item)),
                         ("supplemental", lambda out: out.put(0x00281101, "US", 256, 0, 8)),
                         ("curves", lambda out: out.put(0x50003000, "OW", b"abcd"))):
        out = picture(ramp(), 12)
        if word in run("info", out.write(FOLDER)).stdout.decode():
            yield f"{word}: named where there is none"
        if word not in run("info", change(out).write(FOLDER)).stdout.decode():
            yield f"{word}: not named"


def info_tells():
    out = overlay(table(window(picture(ramp(), 12), 9, 70, "SIGMOID"), 5, np.arange(50), 12), 0x6000,
                  bits(9, 9))
    told = json.loads(run("info", "--json", out.write(FOLDER)).stdout)["image"]
    for key, value in {"window_function": "SIGMOID", "levels": 50, "levels_first": 5,
                       "levels_last": 54, "overlay": True}.items():
        if told.get(key) != value:
            yield f"info says that {key} is {told.get(key)}"


def unknown_in_big_endian():
    """UN of undefined length is implicit little endian inside (CP-246)."""
    out = window(picture(ramp(), 12, syntax=BIG), 2048, 4096)
    inside = struct.pack("<HHI2s", 9, 0x1002, 2, b"ab")
    out.raw(0x00091010, b"UN\0\0\xff\xff\xff\xff" + struct.pack("<HHI", 0xfffe, 0xe000, len(inside))
            + inside + struct.pack("<HHI", 0xfffe, 0xe0dd, 0))
    path = out.write(FOLDER)
    yield from compare("UN in big endian", ours(path), theirs(path, "+Wi", "1"))


def compressed_icon():
    """The icon's pieces are no items."""
    run_of = struct.pack("<16I", 2, 64, 66, *[0] * 13)
    pieces = [b"", run_of + b"\x81\x55\x81\x55"]
    head = b"OB\0\0\xff\xff\xff\xff" + b"".join(
        struct.pack("<HHI", 0xfffe, 0xe000, len(piece)) + piece for piece in pieces)
    icon = picture(np.zeros((1, 4), int), 8, syntax=RLE)
    icon.raw(0x7fe00010, head + struct.pack("<HHI", 0xfffe, 0xe0dd, 0))
    values = np.zeros((64, 2), int)
    out = picture(values, 8, syntax=RLE).items(0x00880200, icon)
    data = struct.pack("<16I", 1, 64, *[0] * 14) + b"\x81\x55"
    out.frames([data])
    if not (ours(out.write(FOLDER)) == 0x55).all():
        yield "a picture with a compressed icon is not read"


def scan():
    """A PET picture that began an hour after the injection."""
    made = pydicom.dcmread(DATA / "pydicom" / "CT_small.dcm")
    made.Modality, made.Units, made.CorrectedImage, made.DecayCorrection = "PT", "BQML", ["ATTN", "DECY"], "START"
    made.PatientWeight, made.SeriesDate, made.SeriesTime = "70", "20250101", "110000"
    made.AcquisitionDate, made.AcquisitionTime = "20250101", "110130.5"
    tracer = pydicom.Dataset()
    tracer.RadionuclideTotalDose, tracer.RadionuclideHalfLife = "370000000", "6586.2"
    tracer.RadiopharmaceuticalStartTime = "100000.00"
    made.RadiopharmaceuticalInformationSequence = pydicom.Sequence([tracer])
    return made


def uptake_values():
    """By the formula; else it is said why not."""
    if not DATA.is_dir():
        raise tap.Skip("the test data are not at hand")
    left = 370e6 * 2 ** (-3600 / 6586.2)
    cases = [
        ({}, {}, 70000 / left), ({"DecayCorrection": "ADMIN"}, {}, 70000 / 370e6), ({"Units": "GML"}, {}, 1),
        ({}, {"RadiopharmaceuticalStartDateTime": "20241231233000.0"}, 70000 / (370e6 * 2 ** (-41400 / 6586.2))),
        ({"PatientWeight": "0"}, {}, "weight"), ({"PatientWeight": None}, {}, "weight"),
        ({"CorrectedImage": ["ATTN"]}, {}, "corrected"), ({"Units": "CNTS"}, {}, "activity"),
        ({"DecayCorrection": "NONE"}, {}, "decay"), ({"SeriesTime": "120000"}, {}, "made anew"),
        ({"SeriesTime": "9"}, {}, "when it was taken"), ({}, {"RadionuclideTotalDose": "-1"}, "how much"),
        ({}, {"RadionuclideHalfLife": None}, "half-life"),
        ({}, {"RadiopharmaceuticalStartTime": "110001"}, "after the scan"),
        ({}, {"RadiopharmaceuticalStartTime": ""}, "when the dose"),
    ]
    for more, of_tracer, want in cases:
        made = scan()
        for item, changes in ((made, more), (made.RadiopharmaceuticalInformationSequence[0], of_tracer)):
            for key, value in changes.items():
                setattr(item, key, value)
        path = FOLDER / "pet.dcm"
        made.save_as(path)
        details = json.loads(run("info", "--json", path).stdout)["details"]
        if isinstance(want, str):
            good = want in details["suv-unknown"] and "suv-factor" not in details
        else:
            good = abs(float(details["suv-factor"]) / want - 1) < 1e-7
        if not good or details["pet-units"] != made.Units:
            yield f"{more} {of_tracer}: {details}, not {want}"


def units_of_values():
    """PET has no Rescale Type: its Units stand with values and measurements, and in reports."""
    if not DATA.is_dir():
        raise tap.Skip("the test data are not at hand")
    path, report = FOLDER / "units.dcm", FOLDER / "units-report.dcm"
    for word, unit, code in (("BQML", "Bq/ml", "Bq/ml"), ("GML", "g/ml", "g/ml"), ("CNTS", "counts", "{counts}"),
                             ("PCNT", "%", "%"), ("NONE", "", "1"), ("MLMING", "MLMING", "{MLMING}")):
        made = scan()
        made.Units = word
        if "RescaleType" in made:
            del made.RescaleType
        made.save_as(path)
        said = json.loads(run("measure", path, "--ellipse", "20,30,40,30", "--json", "--sr", report,
                              "--force").stdout)["measured"][0]["mean"]["unit"]
        found = [item for sequence in pydicom.dcmread(report).iterall() if sequence.keyword == "ContentSequence"
                 for item in sequence.value if item.ValueType == "NUM"
                 and item.ConceptNameCodeSequence[0].CodeMeaning == "Mean"]
        codes = [item.MeasuredValueSequence[0].MeasurementUnitsCodeSequence[0].CodeValue for item in found]
        if said != unit or codes[:1] != [code]:
            yield f"{word}: {said!r} and {codes}, not {unit!r} and {code}"
    made = scan()
    made.Modality = "CT"
    made.save_as(path)
    said = json.loads(run("measure", path, "--ellipse", "20,30,40,30", "--json").stdout)["measured"][0]
    if said["mean"]["unit"] != "HU":
        yield f"a CT picture that says Units is in {said['mean']['unit']!r}"


def measured_uptake():
    """In tables and reports with its unit, before and after filters; else they say why not."""
    if not DATA.is_dir():
        raise tap.Skip("the test data are not at hand")
    made, path, table = scan(), FOLDER / "measured.dcm", FOLDER / "measured.csv"
    report = FOLDER / "report.dcm"
    made.save_as(path)
    factor = 70000 / (370e6 * 2 ** (-3600 / 6586.2))
    y, x = np.mgrid[:made.Rows, :made.Columns] + 0.5
    values = made.pixel_array[((x - 40) / 20) ** 2 + ((y - 45) / 15) ** 2 <= 1] * factor
    values = values * float(made.RescaleSlope) + float(made.RescaleIntercept) * factor
    ellipse = ("measure", path, "--ellipse", "20,30,40,30", "--length", "1,2,3,4")
    done = run(*ellipse, "--sr", report, "--csv", "-f", "sharpen:amount=0").stdout.decode()
    rows = {row["name"]: row for row in csv.DictReader(io.StringIO(done))}
    for name, want, derivation in (("suv-mean", values.mean(), "Mean"), ("suv-max", values.max(), "Maximum")):
        row = rows.get(name, {"value": "nan", "after": "nan", "unit": ""})
        if not (abs(float(row["value"]) / want - 1) < 1e-6 and row["unit"] == "g/ml{SUVbw}"
                and abs(float(row["after"]) / want - 1) < 1e-4):
            yield f"{name}: {row}, not {want}"
        found = [item for item in pydicom.dcmread(report).iterall() if item.keyword == "ContentSequence"]
        numbers = [item for sequence in found for item in sequence.value if item.ValueType == "NUM"
                   and item.ConceptNameCodeSequence[0].CodeValue == "126401"
                   and item.ContentSequence[0].ConceptCodeSequence[0].CodeMeaning == derivation]
        if len(numbers) != 2 or abs(numbers[0].MeasuredValueSequence[0].FloatingPointValue / want - 1) > 1e-6 \
                or numbers[0].MeasuredValueSequence[0].MeasurementUnitsCodeSequence[0].CodeValue != "g/ml{SUVbw}":
            yield f"the report has {numbers} for {name}, not {want}"
    made.PatientWeight = None
    made.save_as(path)
    done = run(*ellipse, "--sr", report, "--csv", "--force").stdout.decode()
    rows = [row for row in csv.DictReader(io.StringIO(done)) if row["name"].startswith("suv")]
    if [(row["kind"], row["value"]) for row in rows] != [("ellipse", "")] or "weight" not in rows[0]["note"]:
        yield f"without the weight: {rows}"
    texts = [item.value for item in pydicom.dcmread(report).iterall() if item.keyword == "TextValue"]
    if not any("no SUVbw" in text and "weight" in text for text in texts):
        yield f"without the weight the report says {texts}"
    said = json.loads(run(*ellipse, "--json").stdout)["measured"]
    said = {measured["kind"]: measured.get("suv-unknown", "") for measured in said}
    if "weight" not in said["ellipse"] or said["length"]:
        yield f"without the weight: {said}"
    shutil.copy(DATA / "pydicom" / "CT_small.dcm", path)
    if "suv" in run(*ellipse, "--csv").stdout.decode():
        yield "a CT picture has uptake values"


def names_in_character_sets():
    """info does not print them; the window's test does."""
    out = picture(ramp(), 12).put(0x00100010, "PN", "Muster^Erika").put(0x00100020, "LO", "P-0815")
    path = out.put(0x0008103e, "LO", "Abdomen").write(FOLDER)
    for options in ((), ("--json",)):
        told = run("info", path, *options).stdout.decode()
        if "Muster" in told or "P-0815" in told or "person" in told:
            yield "info prints who the patient is"
        if "Abdomen" not in told:
            yield "info does not print the series"
    for terms, raw, want in (
            ("ISO_IR 100", "Schädel".encode("latin-1"), "Schädel"),
            ("ISO_IR 144", "Люкceмбypг".encode("iso8859-5"), "Люкceмбypг"),
            ("ISO_IR 126", "Διονυσιος".encode("iso8859-7"), "Διονυσιος"),
            ("ISO_IR 192", "Żółć 王".encode(), "Żółć 王"),
            ("GB18030", "王小东".encode("gb18030"), "王小东"),
            ("\\ISO 2022 IR 87", "山田".encode("iso2022_jp"), "山田"),
            ("\\ISO 2022 IR 149", b"\x1b$)C" + "김희중".encode("euc_kr"), "김희중"),
            ("ISO 2022 IR 6\\ISO 2022 IR 100", b"M\x1b-A\xfcller", "Müller"),
            ("ISO_IR 999", b"M\xfcller", "M\\xFCller"),
            ("ISO_IR 100\\ISO 2022 IR 144", b"M\xfcller", "M\\xFCller"),
            ("", b"M\xfcller", "M\\xFCller")):
        out = picture(ramp(), 12).put(0x00080005, "CS", terms).put(0x0008103e, "LO", raw)
        told = json.loads(run("info", "--json", out.write(FOLDER)).stdout)["details"].get("series")
        if told != want:
            yield f"{terms}: {told}, not {want}"


def main():
    try:
        return tap.run([
            ("overlays of real files are those of DCMTK", real_overlays),
            ("without overlays real files are those of DCMTK", real_without_overlays),
            ("a real VOI LUT is that of DCMTK", real_table),
            ("a real SIGMOID is that of DCMTK", real_sigmoid),
            ("window functions follow the standard's formulas", functions),
            ("window functions are those of DCMTK", functions_as_dcmtk),
            ("an unknown function is named", unknown_function),
            ("tables of levels are exact, and those of DCMTK", tables),
            ("a negative first value in an unsigned number", negative_first_in_unsigned),
            ("a damaged table gives way to the window, and is named", damaged_table),
            ("polarity comes from the colour model and the presentation shape", polarity),
            ("a table is turned over, an overlay is not", inverse_table),
            ("overlays of any size and origin are those of DCMTK", overlays),
            ("overlays on colours", overlay_on_colour),
            ("overlays of several frames", overlays_of_frames),
            ("overlays in the bits of the samples", overlays_in_samples),
            ("an overlay that is too short", short_overlay),
            ("what is not applied is named", unapplied),
            ("info tells of it", info_tells),
            ("unknown sequences in big endian files", unknown_in_big_endian),
            ("compressed icons", compressed_icon),
            ("uptake values of PET, or why there are none", uptake_values),
            ("values have the unit that PET pictures say", units_of_values),
            ("tables and reports have uptake values", measured_uptake),
            ("text in character sets, and whom info does not name", names_in_character_sets),
        ])
    finally:
        shutil.rmtree(FOLDER)


if __name__ == "__main__":
    sys.exit(main())
