#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Derived and de-identified DICOM files, against dcmdump, GDCM and dciodvfy.

usage: derived.py ONDELETTE_CLI
"""
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys

import numpy as np
import pydicom

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "helpers"))
import pixels  # noqa: E402
from command_line import CLI, Skip, fails, leftovers, process, read, run, run_cases, shared  # noqa: E402
from dicom_file import Writer  # noqa: E402

UID = re.compile(r"2\.25\.[1-9][0-9]{1,38}")

# Real files of every kind, and their picture's greatest difference in stored values: samples are
# whole numbers, filtered values are not.
KINDS = {
    "dicom-test-files/REF/CT1_UNC": "16 bit, signed, padded",
    "dicom-test-files/JPLL/MR4_JPLL": "12 bit, JPEG lossless, slope",
    "dicom-test-files/JPLL/RG3_JPLL": "10 bit, MONOCHROME1",
    "dicom-test-files/RLE/US1_RLE": "RGB, RLE",
    "fo-dicom/TestPattern_Palette_16.dcm": "palette",
    "fo-dicom/JPEGwithIcon.dcm": "YBR_FULL_422, JPEG, with an icon",
    "pydicom/CT_small.dcm": "12 bit, rescaled",
    "pydicom/MR_small_bigendian.dcm": "big endian",
    "pydicom/MR_small_implicit.dcm": "implicit VR",
    "pydicom/SC_rgb_small_odd.dcm": "RGB of an odd number of bytes",
    "pydicom/SC_ybr_full_422_uncompressed.dcm": "YBR_FULL_422, not compressed",
    "pydicom/examples_overlay.dcm": "overlays",
    "pydicom-data/mlut_18.dcm": "modality LUT",
    "pydicom-data/SC_rgb_16bit.dcm": "RGB of 16 bits",
    "pydicom-data/MR-SIEMENS-DICOM-WithOverlays.dcm": "overlays, private elements",
}
CINES = {
    "pydicom-data/emri_small_RLE.dcm": "enhanced MR, RLE",
    "fo-dicom/HasFragmentSequence.dcm": "8 bit, JPEG",
    "pydicom/SC_rgb_rle_16bit_2frame.dcm": "16-bit colour, two frames",
}


def tool(*command):
    if shutil.which(command[0]) is None:
        raise Skip(f"{command[0]} is not installed")
    return subprocess.run([*map(str, command)], capture_output=True, timeout=300, errors="replace")


def dump(path):
    """Elements as dcmdump tells them: tag → value; those of sequences' items as "0008,2112.0008,1155"."""
    found, open_tags = {}, []
    for line in tool("dcmdump", "-M", "+L", "-q", path).stdout.splitlines():
        match = re.match(r"( *)\((\w{4},\w{4})\) (\w\w) (.*?) *#", line)
        if match is None or match[2].startswith("fffe"):
            continue
        depth, tag, vr, value = len(match[1]) // 4, match[2], match[3], match[4]
        del open_tags[depth:]
        if vr == "SQ":
            open_tags.append(tag)
            found.setdefault(".".join(open_tags), "")
        else:
            found[".".join([*open_tags[:depth], tag])] = value.strip("[]=")
    return found


def errors(path):
    return {line for line in tool("dciodvfy", path).stderr.splitlines() if line.startswith("Error")}


def values(source, *more):
    process(source, "-o", "values.tif", "--force", *more)
    return pixels.read_tiff("values.tif")[1]


def slope(source):
    return float(read("info", source).get("slope", 1))


def has_equal_values(source, *filters):
    process(source, "-o", "derived.dcm", "--force", *filters)
    before, after = values(source, *filters), values("derived.dcm")
    assert before.shape == after.shape, f"{source}: {before.shape} became {after.shape}"
    step = abs(float(dump("derived.dcm").get("0028,1053", 1)))
    furthest = np.abs(before - after).max()
    assert furthest <= (0.501 if filters else 0.001) * step, f"{source}: differs by {furthest}"


def every_kind():
    for name in KINDS:
        source = shared(name)
        has_equal_values(source)
        has_equal_values(source, "-f", "gaussian:sigma=1.5")
        new = errors("derived.dcm") - errors(source)
        assert not new, f"{name}: {new}"


def cines():
    for name in CINES:
        source = shared(name)
        process(source, "-o", "derived.dcm", "--force", "-f", "gaussian")
        n = int(dump("derived.dcm")["0028,0008"])
        assert n == int(dump(source)["0028,0008"]) > 1, name
        for frame in (1, n):
            before = values(source, "-f", "gaussian", "--frame", frame)
            after = values("derived.dcm", "--frame", frame)
            assert np.abs(before - after).max() <= 0.501, (name, frame)
        new = errors("derived.dcm") - errors(source)
        assert not new, f"{name}: {new}"


def some_frames():
    source = shared("pydicom-data/emri_small_RLE.dcm")
    process(source, "-o", "part.dcm", "--frames", "2-4", "-f", "gaussian")
    got = dump("part.dcm")
    assert got["0028,0008"] == "3", got["0028,0008"]
    numbers = [value for tag, value in got.items() if tag.endswith("0008,1160")]
    assert numbers == ["2\\3\\4"], numbers
    before, after = values(source, "-f", "gaussian", "--frame", 3), values("part.dcm", "--frame", 2)
    assert np.abs(before - after).max() <= 0.501


def gdcm_reads_the_same():
    """GDCM, as another program, has the same numbers, and DCMTK complains of nothing."""
    for name in ("pydicom/CT_small.dcm", "fo-dicom/TestPattern_Palette_16.dcm", "dicom-test-files/REF/CT1_UNC"):
        source = shared(name)
        process(source, "-o", "derived.dcm", "--force", "-f", "gaussian")
        assert tool("gdcminfo", "derived.dcm").returncode == 0, name
        assert tool("gdcmraw", "-i", "derived.dcm", "-t", "7fe0,0010", "-o", "pixels.raw").returncode == 0
        got = dump("derived.dcm")
        wide, signed = got["0028,0100"] == "16", got["0028,0103"] == "1"
        raw = np.fromfile("pixels.raw", ("<i2" if signed else "<u2") if wide else "u1").astype(float)
        mine = values("derived.dcm")
        stored = (mine - float(got.get("0028,1052", 0))) / float(got.get("0028,1053", 1))
        assert np.abs(raw[:mine.size].reshape(mine.shape) - stored).max() < 0.01, name
        done = tool("dcm2pnm", "derived.dcm", "picture.pgm")
        assert done.returncode == 0 and not done.stderr, (name, done.stderr)


def says_what_was_done():
    source = shared("pydicom/CT_small.dcm")
    process(source, "-o", "a.dcm", "-f", "gaussian:sigma=1.5")
    was, got = dump(source), dump("a.dcm")
    assert got["0008,0008"] == "DERIVED\\SECONDARY\\AXIAL"
    assert got["0020,000d"] == was["0020,000d"], "the study is another one"
    for tag in ("0008,0018", "0020,000e"):
        assert UID.fullmatch(got[tag]) and got[tag] != was[tag], got[tag]
    assert got["0008,2112.0008,1155"] == was["0008,0018"]
    assert got["0008,2112.0008,1150"] == was["0008,0016"]
    assert got["0008,2112.0040,a170.0008,0100"] == "121322"
    assert "0008,2112.0008,1160" not in got, "all frames are not listed"
    assert "gaussian:sigma=1.5" in got["0008,2111"] and "Ondelette" in got["0008,2111"]
    assert "gaussian:sigma=1.5" in pathlib.Path("a.dcm").read_bytes().decode("latin-1")
    for tag in ("0028,0030", "0020,0032", "0020,0037", "0028,1052", "0028,1053", "0010,0010"):
        assert got[tag] == was[tag], tag
    assert not [tag for tag in got if int(tag[:4], 16) % 2 == 1 and not tag.startswith("0099")]
    recipe = read("info", "a.dcm")["details"]["recipe"]
    process(source, "-o", "b.dcm", *[word for name in recipe.split()[:1] for word in ("-f", name)])
    assert (values("a.dcm") == values("b.dcm")).all(), recipe
    # However long it is, it can be used again.
    chain = ["bivariate:sigma=0.02,profile=1:0.9:0.8/1.1:1:0.95/1.2:1.1:1/0.9:0.8:0.7", "median", "unsharp:threshold=0.01"]
    process(source, "-o", "a.dcm", "--force", *[word for name in chain for word in ("-f", name)])
    recipe = read("info", "a.dcm")["details"]["recipe"]
    assert len(recipe) > 250 and "unsharp" in recipe, recipe
    pathlib.Path("again.recipe").write_text(recipe)
    process(source, "-o", "b.dcm", "--force", "--recipe", "again.recipe")
    assert (values("a.dcm") == values("b.dcm")).all(), recipe


def looks_the_same():
    """With the window that the file had, or with the one that we found for it."""
    for name in ("pydicom/CT_small.dcm", "dicom-test-files/JPLL/MR4_JPLL", "dicom-test-files/JPLL/RG3_JPLL",
                 "pydicom-data/mlut_18.dcm", "pydicom-data/eCT_Supplemental.dcm"):
        source = shared(name)
        process(source, "-o", "a.dcm", "--force")
        for path, picture in ((source, "a.png"), ("a.dcm", "b.png")):
            process(path, "-o", picture, "--force", "--no-overlays")
        furthest = np.abs(pixels.read_png("a.png").astype(int) - pixels.read_png("b.png")).max()
        assert furthest <= (1 << pixels.read_png("a.png").itemsize * 8 - 8), f"{name}: {furthest}"


def says_what_is_stale():
    """What was true of the old pixels only is gone; what holds for ever stays."""
    old = Writer()
    old.put(0x00080016, "UI", "1.2.840.10008.5.1.4.1.1.7").put(0x00080018, "UI", "1.2.3")
    old.put(0x00080008, "CS", "ORIGINAL", "PRIMARY", "", "SIDE").put(0x00280301, "CS", "YES")
    old.put(0x00280002, "US", 1).put(0x00280004, "CS", "MONOCHROME2")
    old.put(0x00280010, "US", 16).put(0x00280011, "US", 16).put(0x00280100, "US", 16)
    old.put(0x00280101, "US", 12).put(0x00280102, "US", 11).put(0x00280103, "US", 0)
    old.put(0x00280106, "US", 1).put(0x00280107, "US", 99).put(0x00280120, "US", 7)
    old.put(0x00282110, "CS", "01").put(0x00282112, "DS", "10.5").put(0x00282114, "CS", "ISO_10918_1")
    old.items(0x00880200, Writer().put(0x00280010, "US", 1).put(0x00280011, "US", 1))
    old.put(0x60000010, "US", 16).put(0x60000011, "US", 16).put(0x60000100, "US", 16)
    old.put(0x60000102, "US", 12)
    random = np.random.default_rng(3).integers(0, 1 << 12, 256, endpoint=False)
    source = old.put(0x7fe00010, "OW", random.astype("<u2").tobytes()).write()
    process(source, "-o", "a.dcm", "-f", "gaussian")
    got = dump("a.dcm")
    for tag in ("0028,0106", "0028,0107", "0028,0120", "0088,0200", "6000,0100"):
        assert tag not in got, tag
    assert got["0008,0008"] == "DERIVED\\SECONDARY\\\\SIDE"
    assert (got["0028,2110"], got["0028,2112"], got["0028,0301"]) == ("01", "10.5", "YES")
    assert (got["0028,0101"], got["0028,0102"]) == ("12", "11")


def limits_are_said():
    bright = Writer()
    bright.put(0x00080018, "UI", "1.2.3").put(0x00280002, "US", 1).put(0x00280004, "CS", "MONOCHROME2")
    bright.put(0x00280010, "US", 8).put(0x00280011, "US", 8).put(0x00280100, "US", 8)
    bright.put(0x00280101, "US", 8).put(0x00280102, "US", 7).put(0x00280103, "US", 0)
    chequered = (np.indices((8, 8)).sum(0) % 2 * 255).astype("u1").tobytes()
    source = bright.put(0x7fe00010, "OB", chequered).write()
    done = process(source, "-o", "a.dcm", "-f", "sharpen:amount=2")
    assert "64 values were beyond" in done.stderr, done.stderr
    raw = values("a.dcm")
    assert sorted(set(raw.ravel())) == [0, 255]


def a_folder_stays_a_series():
    os.mkdir("in")
    for i in range(3):
        data = Writer().put(0x00080016, "UI", "1.2.840.10008.5.1.4.1.1.7").put(0x00080018, "UI", f"1.2.{i}")
        data.put(0x0020000d, "UI", "1.9").put(0x0020000e, "UI", "1.8").put(0x00280002, "US", 1)
        data.put(0x00280004, "CS", "MONOCHROME2").put(0x00280010, "US", 4).put(0x00280011, "US", 4)
        data.put(0x00280100, "US", 8).put(0x7fe00010, "OB", bytes(range(16))).write("in")
    (pathlib.Path("in") / "bad.dcm").write_bytes(b"\0" * 128 + b"DICM broken")
    done = process("in", "-o", "out", "--format", "dicom", "-f", "gaussian", status=1)
    assert "bad.dcm" in done.stderr
    names = sorted(os.listdir("out"))
    assert len(names) == 3, names
    all_of_them = [dump(f"out/{name}") for name in names]
    assert {got["0020,000d"] for got in all_of_them} == {"1.9"}
    assert len({got["0020,000e"] for got in all_of_them}) == 1
    assert len({got["0008,0018"] for got in all_of_them}) == 3


def refusals():
    ct = shared("pydicom/CT_small.dcm")
    shutil.copy(ct, "ct.dcm")
    before = pathlib.Path("ct.dcm").read_bytes()
    fails(1, "never written over", arguments=("process", "ct.dcm", "-o", "ct.dcm", "--force"))
    fails(1, "no DICOM file", arguments=("process", "phantom:16x16", "-o", "a.dcm"))
    fails(1, "coefficients", arguments=("process", "ct.dcm", "-o", "a.dcm", "-f",
                                        "soft-threshold:wavelet=haar,threshold=0.05",
                                        "--view", "analysis"))
    fails(1, "16 bits", arguments=("process", shared("pydicom-data/parametric_map_float.dcm"), "-o", "a.dcm"))
    fails(1, "single bits", arguments=("process", shared("pydicom/liver_1frame.dcm"), "-o", "a.dcm"))
    fails(2, "no rectangle", arguments=("process", "ct.dcm", "-o", "a.dcm", "--blank", "1,2,3"))
    fails(2, "DICOM files", arguments=("process", "ct.dcm", "-o", "a.png", "--deidentify"))
    fails(2, "--deidentify", arguments=("process", "ct.dcm", "-o", "a.dcm", "--shift-dates", "5"))
    fails(1, "outside", arguments=("process", "ct.dcm", "-o", "a.dcm", "--blank", "500,0,9,9"))
    pathlib.Path("there.dcm").write_text("kept")
    fails(1, "--force", arguments=("process", "ct.dcm", "-o", "there.dcm"))
    assert pathlib.Path("there.dcm").read_text() == "kept"
    assert pathlib.Path("ct.dcm").read_bytes() == before and not leftovers()
    assert not pathlib.Path("a.dcm").exists()


def damaged_files():
    """Files with wrong bytes end in a sentence or in a file that dcmdump reads, never in a crash."""
    os.mkdir("in")
    random = np.random.default_rng(17)
    for name in ("pydicom/CT_small.dcm", "pydicom-data/emri_small_RLE.dcm", "dicom-test-files/RLE/US1_RLE",
                 "pydicom/examples_overlay.dcm"):
        good = shared(name).read_bytes()
        for i in range(10):
            bad = bytearray(good)
            for at in random.integers(132, min(len(bad), 4000), 1 + i):
                bad[at] = random.integers(256)
            if i == 9:
                del bad[len(bad) // 3:]
            pathlib.Path(f"in/{pathlib.Path(name).stem}-{i}.dcm").write_bytes(bad)
    done = subprocess.run([CLI, "process", "in", "-o", "out", "--format", "dicom", "--deidentify", "-f", "gaussian"],
                          capture_output=True, timeout=280, encoding="utf-8")
    assert done.returncode in (0, 1, 3), done
    for line in done.stderr.splitlines():
        if line.startswith("["):  # how far it is
            continue
        assert line.startswith("ondelette-cli: "), line
        assert "crash" not in line and "ended unexpectedly" not in line, line
    names = os.listdir("out")
    assert len(names) >= 8, f"only {names}: {done.stderr}"
    for name in names:
        assert "0012,0062" in dump(f"out/{name}"), name


# ---- De-identification ----

SECRETS = ["Doe^Jane", "PAT4711", "19610203", "Rumpelstiltskin", "St. Elsewhere", "HiddenInPrivate",
           "HiddenInItem", "HiddenDeeper", "HiddenInUnknown", "HiddenInPreamble", "HiddenInOverlay",
           "HiddenInIcon", "20200304", "1.2.3.999", "555-1234", "SN-0815", "HiddenInComment", "HiddenAfter"]


def identified(instance="1.2.3.999.1"):
    out = Writer()
    out.put(0x00080005, "CS", "ISO_IR 100").put(0x00080008, "CS", "ORIGINAL", "PRIMARY")
    out.put(0x00080016, "UI", "1.2.840.10008.5.1.4.1.1.7").put(0x00080018, "UI", instance)
    out.put(0x00080020, "DA", "20200304").put(0x00080023, "DA", "20200304").put(0x00080060, "CS", "OT")
    out.put(0x00080080, "LO", "St. Elsewhere").put(0x00080090, "PN", "Rumpelstiltskin")
    out.put(0x00081030, "LO", "HiddenInComment").put(0x00081070, "PN", "Rumpelstiltskin")
    inner = Writer().put(0x00100010, "PN", "HiddenDeeper").put(0x00081155, "UI", "1.2.3.999.2")
    out.items(0x00081140, Writer().put(0x00081150, "UI", "1.2.840.10008.5.1.4.1.1.7")
              .put(0x00081155, "UI", "1.2.3.999.3").put(0x00102000, "LO", "HiddenInItem")
              .put(0x00091001, "LO", "HiddenInPrivate").items(0x00081199, inner))
    out.put(0x00090010, "LO", "HiddenInPrivate").put(0x00091001, "LO", "HiddenInPrivate")
    out.put(0x00100010, "PN", "Doe^Jane").put(0x00100020, "LO", "PAT4711").put(0x00100030, "DA", "19610203")
    out.put(0x00102154, "SH", "555-1234").put(0x00104000, "LT", "HiddenInComment")
    out.put(0x00123456, "UN", b"HiddenInUnknown").put(0x00181000, "LO", "SN-0815")
    out.put(0x0020000d, "UI", "1.2.3.999.4").put(0x0020000e, "UI", "1.2.3.999.5")
    out.put(0x00200052, "UI", "1.2.3.999.6").put(0x00204000, "LT", "HiddenInComment")
    out.put(0x00280002, "US", 1).put(0x00280004, "CS", "MONOCHROME2").put(0x00280010, "US", 16)
    out.put(0x00280011, "US", 16).put(0x00280100, "US", 8).put(0x00280101, "US", 8)
    out.put(0x00280102, "US", 7).put(0x00280103, "US", 0).put(0x00280301, "CS", "YES")
    out.items(0x00880200, Writer().put(0x7fe00010, "OB", b"HiddenInIcon"))
    out.put(0x60000010, "US", 16).put(0x60000011, "US", 16).put(0x60000022, "LO", "HiddenInOverlay")
    out.put(0x60003000, "OW", b"HiddenInOverlay".ljust(32)).put(0xfffcfffc, "OB", b"HiddenAfter")
    path = out.put(0x7fe00010, "OB", bytes(range(256))).write()
    data = path.read_bytes()
    path.write_bytes(b"HiddenInPreamble".ljust(128, b"\0") + data[128:])
    return path


def nothing_is_left():
    source = identified()
    for secret in SECRETS:
        assert secret.encode() in source.read_bytes(), f"the test's own file lacks {secret}"
    for more in ((), ("-f", "gaussian"), ("--blank", "0,0,16,4")):
        process(source, "-o", "a.dcm", "--force", "--deidentify", *more)
        left = [secret for secret in SECRETS if secret.encode() in pathlib.Path("a.dcm").read_bytes()]
        assert not left, f"{more}: {left}"
        got = dump("a.dcm")
        assert got["0012,0062"] == "YES" and "PS3.15" in got["0012,0063"]
        assert got["0028,0303"] == "REMOVED" and got["0010,0010"].startswith("ANON-")
        assert "0012,0064.0008,0100" in got


def identifiers_fit_together():
    """The same stands for the same in a run, and something else in the next one."""
    for path, instance in (("in/1", "1.2.3.999.3"), ("in/2", "1.2.3.999.1")):
        os.makedirs("in", exist_ok=True)
        shutil.move(identified(instance), f"{path}.dcm")
    process("in", "-o", "out", "--format", "dicom", "--deidentify")
    assert sorted(os.listdir("out")) == ["00001.dcm", "00002.dcm"], "names of files may be names"
    one, two = dump("out/00001.dcm"), dump("out/00002.dcm")
    for tag in ("0020,000d", "0020,000e", "0020,0052", "0010,0020"):
        assert one[tag] == two[tag] != "", tag
    assert one["0008,0018"] == two["0008,1140.0008,1155"] != two["0008,0018"]
    assert one["0008,0016"] == "SecondaryCaptureImageStorage"
    process("in", "-o", "again", "--format", "dicom", "--deidentify")
    assert dump("again/00001.dcm")["0020,000d"] != one["0020,000d"]


def dates_are_moved():
    process(identified(), "-o", "a.dcm", "--deidentify", "--shift-dates", "-64")
    got = dump("a.dcm")
    assert got["0008,0020"] == "20191231" and got["0010,0030"] == "(no value available)", got
    assert got["0028,0303"] == "MODIFIED"


def rectangles_are_black():
    source = identified()
    process(source, "-o", "a.dcm", "--deidentify", "--blank", "2,3,4,5", "--blank", "10,10,99,99")
    before, after = values(source)[..., 0], values("a.dcm")[..., 0]
    black = np.zeros((16, 16), bool)
    black[3:8, 2:6] = black[10:, 10:] = True
    assert (after[black] == after.min()).all() and (after[~black] == before[~black]).all()
    assert dump("a.dcm")["0028,0301"] == "NO"
    assert "--blank" in process(source, "-o", "b.dcm", "--deidentify").stderr
    assert dump("b.dcm")["0028,0301"] == "YES"
    # Nothing of the rectangle may be smeared to its surroundings.
    bright = source.read_bytes()
    at = bright.index(bytes(range(256)))
    picture = np.zeros((16, 16), "u1")
    picture[4:7, 3:5] = 255
    source.write_bytes(bright[:at] + picture.tobytes() + bright[at + 256:])
    process(source, "-o", "a.dcm", "--force", "--deidentify", "--blank", "2,3,4,5", "-f", "gaussian:sigma=2")
    assert values("a.dcm").max() == 0


WORDS = {"AE", "AS", "CS", "DA", "DT", "LO", "LT", "PN", "SH", "ST", "TM", "UC", "UN", "UR", "UT"}


def words_of(path):
    """Tags of the elements with words in them, as dcmdump tells them, in the order of the file."""
    found = []
    for line in tool("dcmdump", "-M", "+L", "-q", path).stdout.splitlines():
        match = re.match(r" *\((\w{4},\w{4})\) (\w\w) (.*?) *#", line)
        if match is None or match[2] not in WORDS or match[3].strip("[] ") in ("", "(no value available)"):
            continue
        group = match[1][:4]
        if group not in ("0002", "0099") and (group != "0028" or match[2] == "LO"):
            found.append(match[1].upper())
    return found


def a_report_tells_what_remains():
    """Every element with words, as dcmdump finds them in the file that was written."""
    for source in (identified(), shared("pydicom/CT_small.dcm"), shared("dicom-test-files/RLE/US1_RLE")):
        for more in ((), ("--deidentify",), ("--deidentify", "-f", "gaussian")):
            done = process(source, "-o", "a.dcm", "--force", "--report", *more)
            told = re.findall(r"^  \((\w{4},\w{4})\) ", done.stdout, re.M)
            told = [tag for tag in told if tag[:4] != "0099"]  # the recipe, of several lines
            assert told == words_of("a.dcm"), (source, more, told, words_of("a.dcm"))
    source = identified()
    assert "Doe^Jane" in process(source, "-o", "a.dcm", "--force", "--report").stdout
    done = process(source, "-o", "a.dcm", "--force", "--report", "--deidentify")
    assert not [secret for secret in SECRETS if secret in done.stdout], done.stdout
    assert "something is written" in done.stdout, done.stdout
    done = process(source, "-o", "a.dcm", "--force", "--report", "--deidentify", "--blank", "0,0,9,9")
    assert "outside the black rectangles" in done.stdout, done.stdout
    fails(2, "--report", arguments=("process", source, "-o", "a.png", "--report"))


def what_is_no_ultrasound_is_black():
    """Two parts that overlap in rows, as a picture beside a curve; what is written around them goes."""
    def region(kind, left, top, right, bottom):
        item = Writer().put(0x00186012, "US", kind).put(0x00186014, "US", 1)
        for tag, place in zip(range(0x00186018, 0x00186020, 2), (left, top, right, bottom)):
            item.put(tag, "UL", struct.pack("<I", place))
        item.put(0x00186024, "US", 3).put(0x00186026, "US", 3)
        delta = struct.pack("<d", 0.1)
        return item.put(0x0018602c, "FD", delta).put(0x0018602e, "FD", delta)

    picture = np.random.default_rng(5).integers(1, 256, (20, 30)).astype("u1")
    file = Writer().put(0x00080016, "UI", "1.2.840.10008.5.1.4.1.1.6.1").put(0x00080018, "UI", "1.2.3")
    file.put(0x00080060, "CS", "US")
    file.items(0x00186011, region(1, 2, 4, 11, 15), region(3, 15, 8, 24, 18), region(5, 0, 0, 5, 2))
    file.put(0x00280002, "US", 1).put(0x00280004, "CS", "MONOCHROME2").put(0x00280010, "US", 20)
    file.put(0x00280011, "US", 30).put(0x00280100, "US", 8).put(0x00280101, "US", 8)
    file.put(0x00280102, "US", 7).put(0x00280103, "US", 0)
    source = file.put(0x7fe00010, "OB", picture.tobytes()).write()
    process(source, "-o", "a.dcm", "--deidentify", "--blank", "regions")
    kept = np.zeros(picture.shape, bool)
    kept[4:16, 2:12] = kept[8:19, 15:25] = True
    after = values("a.dcm")[..., 0]
    assert np.abs(after[kept] - picture[kept]).max() < 0.01
    assert np.abs(after[~kept] - picture.min()).max() < 0.01
    assert dump("a.dcm")["0028,0301"] == "NO"
    fails(1, "ultrasound", arguments=("process", shared("pydicom/CT_small.dcm"), "-o", "b.dcm",
                                      "--blank", "regions"))
    assert not pathlib.Path("b.dcm").exists()


def files_at_once_are_those_of_one_after_the_other():
    """Of several kinds and lengths, with one that cannot be read and one that is damaged."""
    pathlib.Path("many").mkdir()
    names = [*KINDS][:8] + [*CINES]
    for i, name in enumerate(names):
        shutil.copy(shared(name), f"many/{i:02}.dcm")
    pathlib.Path("many/03.dcm").write_bytes(shared(names[3]).read_bytes()[:5000])
    pathlib.Path("many/05a.dcm").write_bytes(b"\0" * 128 + b"DICM" + b"no" * 300)
    told = []
    for folder, jobs in (("one", 1), ("all", 4), ("three", 3)):
        done = run("process", "many", "-o", folder, "--format", "dicom", "-f", "gaussian", "--precision", "16",
                   "--jobs", jobs, "--secret", "key", status=1)
        told.append(re.sub(r"-> \w+/", "-> ", done.stderr))
    assert told[0] == told[1] == told[2], told
    assert "05a" in told[0] and told[0].count("32-bit precision: the engine") == 4, told[0]
    made = sorted(path.name for path in pathlib.Path("one").iterdir())
    assert len(made) >= len(names) - 1, made
    for folder in ("all", "three"):
        assert sorted(path.name for path in pathlib.Path(folder).iterdir()) == made
        for name in made:
            a, b = dump(f"one/{name}"), dump(f"{folder}/{name}")
            # Each says when it was made, and has an identifier of its own.
            apart = {tag for tag in {*a, *b} if a.get(tag) != b.get(tag)}
            new = {"0002,0003", "0008,0018", "0008,0012", "0008,0013", "0008,0023", "0008,0033", "0020,000e",
                   "0008,0021", "0008,0031", "0002,0000", "0018,a002"}
            assert not {tag for tag in apart if tag.split(".")[-1] not in new}, (folder, name, apart)
            assert np.array_equal(values(f"one/{name}"), values(f"{folder}/{name}")), (folder, name)


def was_named(data):
    """The patient's name as it stands in a file of implicit VR."""
    at = data.index(b"\x10\0\x10\0") + 8
    return data[at:at + data[at - 4]]


def real_files_are_still_valid():
    for name in ("pydicom/CT_small.dcm", "pydicom-data/emri_small_RLE.dcm", "dicom-test-files/RLE/US1_RLE",
                 "pydicom-data/MR-SIEMENS-DICOM-WithOverlays.dcm"):
        source = shared(name)
        process(source, "-o", "a.dcm", "--force", "--deidentify")
        was = dump(source)
        data = pathlib.Path("a.dcm").read_bytes()
        for tag in ("0010,0010", "0010,0020", "0008,0018", "0020,000d", "0008,0080"):
            value = was.get(tag, "")
            if len(value) > 4 and "no value" not in value:
                assert value.encode() not in data, (name, tag, value)
        assert np.abs(values(source) - values("a.dcm")).max() < 0.01
        assert not (new := errors("a.dcm") - errors(source)), (name, new)
    # One from before DICOM gets what it lacks.
    process(shared("fo-dicom/GH340.dcm"), "-o", "a.dcm", "--force", "--deidentify")
    assert {"0008,0018", "0020,000d", "0020,000e"} <= set(dump("a.dcm"))
    # Two of them are two, and those of two persons no study.
    old = shared("fo-dicom/GH340.dcm").read_bytes()
    changed = bytearray(old)
    changed[-5000] ^= 0x3f
    name = was_named(old)
    for folder, other, same in (("pixels", bytes(changed), True), ("persons", old.replace(name, name[::-1]), False)):
        pathlib.Path(folder).mkdir()
        pathlib.Path(folder, "a.dcm").write_bytes(old)
        pathlib.Path(folder, "b.dcm").write_bytes(other)
        for more in (("--deidentify",), ("-f", "gaussian")):
            process(folder, "-o", "both", "--format", "dicom", "--force", *more)
            a, b = (dump(path) for path in sorted(pathlib.Path("both").iterdir()))
            assert a["0008,0018"] != b["0008,0018"], (folder, more)
            assert all((a[tag] == b[tag]) == same for tag in ("0020,000d", "0020,000e")), (folder, more, a, b)
            shutil.rmtree("both")
    # What the study and its step were is optional, and must not be empty where it is there.
    reference = pydicom.Dataset()
    reference.ReferencedSOPClassUID, reference.ReferencedSOPInstanceUID = "1.2.840.10008.3.1.2.3.3", "1.2.3.999.7"
    file = pydicom.dcmread(shared("pydicom/CT_small.dcm"))
    file.ReferencedStudySequence = file.ReferencedPerformedProcedureStepSequence = [reference]
    file.save_as("referring.dcm")
    process("referring.dcm", "-o", "a.dcm", "--force", "--deidentify")
    assert not (new := errors("a.dcm") - errors("referring.dcm")), new
    assert b"1.2.3.999.7" not in pathlib.Path("a.dcm").read_bytes()


if __name__ == "__main__":
    sys.exit(run_cases({
        "derived pictures of every kind have the same values in the file's unit": every_kind,
        "cines become derived cines": cines,
        "some frames of a cine are named in the source reference": some_frames,
        "GDCM reads the same numbers": gdcm_reads_the_same,
        "a derived file says what was done to which picture": says_what_was_done,
        "a derived file looks as its source": looks_the_same,
        "what was true of the old pixels only is removed": says_what_is_stale,
        "values beyond what the file can store are limited, and counted": limits_are_said,
        "a folder becomes one new series of the same study": a_folder_stays_a_series,
        "files at once are those of one after the other": files_at_once_are_those_of_one_after_the_other,
        "what cannot be derived is refused in a sentence": refusals,
        "damaged files end in a sentence": damaged_files,
        "nothing that names a patient is left in a de-identified file": nothing_is_left,
        "identifiers of one run fit together": identifiers_fit_together,
        "dates are moved where this is asked for": dates_are_moved,
        "rectangles are black, and filters spread nothing of them": rectangles_are_black,
        "a report tells every word that remains": a_report_tells_what_remains,
        "what lies outside the regions of ultrasound is black": what_is_no_ultrasound_is_black,
        "real files keep their pixels and their validity without names": real_files_are_still_valid,
    }))
