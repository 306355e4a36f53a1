#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Presentation states that `measure --gsps` writes, against pydicom, DCMTK's dcmpschk and dcmp2pgm, and
dciodvfy; read back here they show the same.

usage: state.py ONDELETTE_CLI
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

import numpy as np
import pydicom

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "helpers"))
import pixels  # noqa: E402
from command_line import Skip, fails, leftovers, process, read, run, run_cases, shared  # noqa: E402

CT = "pydicom/CT_small.dcm"
DRAWN = {
    "--length": "10,20,30.5,40", "--angle": "1,1,20,20,40,5", "--ellipse": "30,30,20,10",
    "--polygon": "5,5,50,8,40,60", "--profile": "3,3,40,40", "--arrow": "60,60,90,60",
    "--text": "20,90,a: b, c\nd", "--right": "5,60", "--number": "70,80.5,12",
}
LINES = list(DRAWN)[:6]
ALL = [word for pair in DRAWN.items() for word in pair]
TURNS = ("0", "flip-h", "90", "transpose", "180", "flip-v", "270", "transverse")


def tool(*command):
    if shutil.which(command[0]) is None:
        raise Skip(f"{command[0]} is not installed")
    return subprocess.run([*map(str, command)], capture_output=True, timeout=300, errors="replace")


def state(source, *arguments, name="state.dcm"):
    run("measure", source, *arguments, "--gsps", name, "--force")
    done = tool("dciodvfy", name)
    wrong = [line for line in done.stderr.splitlines() if line.startswith("Error")]
    assert "GrayscaleSoftcopyPresentationState" in done.stderr.splitlines() and not wrong, (source, done.stderr)
    checked = tool("dcmpschk", name)
    assert "Test passed" in checked.stderr, (source, checked.stderr)
    return pydicom.dcmread(name)


def pgm(name):
    data = pathlib.Path(name).read_bytes()
    words = re.sub(rb"#[^\n]*\n", b"", data[:400]).split()
    width, height = int(words[1]), int(words[2])
    return np.frombuffer(data[-width * height:], "u1").reshape(height, width).astype(float)


def shown(source, *options, name="shown.png"):
    process(source, "-o", name, "--force", "--no-overlays", *options)
    grey = pixels.read_png(name)
    return grey[..., 0].astype(float) / (257 if grey.dtype == np.uint16 else 1)


def looks_the_same():
    """By this program with the options, with the state, and by DCMTK with the state."""
    for file in (CT, "pydicom/MR_small.dcm", "dicom-test-files/JPLL/RG3_JPLL", "pydicom-data/mlut_18.dcm"):
        source = shared(file)
        picture = pydicom.dcmread(source)
        for window in ((), ("--window", "full"), ("--window", "300,700.5")):
            for more in ((), ("--invert",)):
                state(source, *window, *more)
                plain = shown(source, *window, *more)
                if (found := np.abs(shown(source, "--presentation-state", "state.dcm") - plain).max()) > 0:
                    yield f"{file} {window} {more}: read back it differs by {found}"
                if picture.file_meta.TransferSyntaxUID.is_compressed:
                    continue
                done = tool("dcmp2pgm", "-p", "state.dcm", source, "theirs.pgm")
                assert done.returncode == 0, done.stderr
                found = np.abs(pgm("theirs.pgm") - plain)
                if found.max() > 1:  # its levels are cut to whole ones
                    yield f"{file} {window} {more}: DCMTK's differs by {found.max()}, {(found > 1).sum()} times"


def tables_are_kept():
    """Of fewer bits as tables of 16, which states have."""
    picture = pydicom.dcmread(shared(CT))
    picture.PatientBirthDate = ""
    for bits in (8, 12, 16):
        table = pydicom.Dataset()
        top = 2 ** bits - 1
        table.add_new("LUTDescriptor", "SS", [1024, -800, bits])
        table.add_new("LUTData", "US", [round(top * (i / 1023) ** 2) for i in range(1024)])
        picture.VOILUTSequence = [table]
        for name in ("WindowCenter", "WindowWidth"):
            if name in picture:
                del picture[name]
        picture.save_as("table.dcm")
        kept = state("table.dcm").SoftcopyVOILUTSequence[0].VOILUTSequence[0]
        assert list(kept.LUTDescriptor) == [1024, -800, 16], kept.LUTDescriptor
        plain = shown("table.dcm")
        assert len(np.unique(plain)) > 50
        if (found := np.abs(shown("table.dcm", "--presentation-state", "state.dcm") - plain).max()) > 1:
            yield f"{bits} bits: read back it differs by {found}"
        tool("dcmp2pgm", "-p", "state.dcm", "table.dcm", "theirs.pgm")
        if (found := np.abs(pgm("theirs.pgm") - plain).max()) > 1:
            yield f"{bits} bits: DCMTK's differs by {found}"


def is_turned():
    source = shared(CT)
    picture = pydicom.dcmread(source)
    picture.Rows = 100
    picture.PixelData = picture.PixelData[:100 * 128 * 2]
    picture.save_as("picture.dcm")
    for turn in TURNS:
        kept = state("picture.dcm", "--window", "40,400", "--orient", turn)
        plain = shown("picture.dcm", "--window", "40,400", "--orient", turn)
        tool("dcmp2pgm", "-p", "state.dcm", "picture.dcm", "theirs.pgm")
        theirs = pgm("theirs.pgm")
        if theirs.shape != plain.shape or np.abs(theirs - plain).max() > 1:
            yield f"{turn}: DCMTK shows something else"
        if np.abs(shown("picture.dcm", "--presentation-state", "state.dcm") - plain).max() > 0:
            yield f"{turn}: read back it is another picture"
        # The pixels that the corners name are those in the corners of what is seen.
        area = kept.DisplayedAreaSelectionSequence[0]
        for corner, seen in ((area.DisplayedAreaTopLeftHandCorner, plain[0, 0]),
                             (area.DisplayedAreaBottomRightHandCorner, plain[-1, -1])):
            column, row = corner
            whole = shown("picture.dcm", "--window", "40,400")
            if whole[row - 1, column - 1] != seen:
                yield f"{turn}: {corner} is not in the corner"


def is_drawn():
    """As pydicom reads it, and with the numbers of `measure` beside it."""
    source = shared(CT)
    kept = state(source, *ALL)
    annotation, = kept.GraphicAnnotationSequence
    objects, texts = annotation.GraphicObjectSequence, annotation.TextObjectSequence
    want = [np.array(list(map(float, DRAWN[kind].split(",")))).reshape(-1, 2) for kind in LINES]
    want[2] = np.array([[30, 35], [50, 35], [40, 30], [40, 40]])
    want[3] = np.concatenate([want[3], want[3][:1]])
    for one, points, kind in zip(objects, want, LINES):
        assert one.GraphicType == ("ELLIPSE" if kind == "--ellipse" else "POLYLINE"), kind
        assert one.GraphicAnnotationUnits == "PIXEL" and one.NumberOfGraphicPoints == len(points)
        assert np.abs(np.reshape(one.GraphicData, (-1, 2)) - points).max() < 1e-5, kind
    head = np.reshape(objects[-1].GraphicData, (-1, 2))
    assert len(objects) == len(want) + 1 and list(head[1]) == [90, 60], head
    assert (head[[0, 2], 0] < 90).all() and abs(head[0, 1] + head[2, 1] - 120) < 1e-4, head
    said = read("measure", source, *[word for kind in LINES[:-1] for word in (kind, DRAWN[kind])])
    values = [text.UnformattedTextValue.splitlines() for text in texts]
    assert len(values) == len(DRAWN) - 1  # an arrow says nothing
    assert values[-3:] == [["a: b, c", "d"], ["R"], ["12"]], values[-3:]
    assert [list(text.AnchorPoint) for text in texts[-3:]] == [[20, 90], [5, 60], [70, 80.5]]
    assert values[0] == [f'{said["measured"][0]["length"]["value"]:.1f} mm'], values[0]
    assert values[1] == [f'{said["measured"][1]["angle"]["value"]:.1f} deg'], values[1]
    assert values[2][:3] == [f'{said["measured"][2]["area"]["value"]:.1f} mm2',
                             f'perimeter {said["measured"][2]["perimeter"]["value"]:.1f} mm',
                             f'mean {said["measured"][2]["mean"]["value"]:.1f} HU'], values[2]
    assert all(text.AnchorPointAnnotationUnits == "PIXEL" for text in texts)
    assert list(texts[2].AnchorPoint) == [50, 35], texts[2]
    back = read("info", "state.dcm")
    assert (back["lines"], back["words"], back["partial"]) == (len(want) + 1, len(DRAWN) - 1, False), back


# The others, and those that lie beyond a picture of 64 pixels.
OTHERS = {
    "--arrow": "10,50,40,50", "--text": "20,50,a: b, c\nd", "--number": "50,40.5,12", "--left": "9,9",
    "--freehand": "9,9,30,9,30,40,12,33", "--point": "20,20,30,30", "--calibration": "1,1,1,41,25",
}


def every_kind_is_valid():
    """What can be drawn, in what grey pictures there are: dciodvfy and dcmpschk find no error."""
    drawn = [word for pair in (DRAWN | OTHERS).items() for word in pair]
    options = run("measure", "--help").stdout
    kinds = set(re.findall(r"^  (--[a-z]+)=X", options, re.M))
    assert kinds == set(DRAWN | OTHERS), kinds ^ set(DRAWN | OTHERS)
    for name in (CT, "pydicom/MR_small.dcm", "dicom-test-files/JPLL/RG3_JPLL", "pydicom-data/mlut_18.dcm",
                 "pydicom-data/emri_small.dcm", "dicom-test-files/REF/MR4_UNC", "pydicom/examples_overlay.dcm"):
        picture = pydicom.dcmread(shared(name))
        picture.PatientName = picture.get("PatientName") or "A^B"  # dcmpschk wants a name
        picture.PatientID, picture.PatientBirthDate = picture.get("PatientID") or "1", "19700101"
        picture.save_as("named.dcm")
        kept = state("named.dcm", *drawn, "-f", "gaussian")
        annotation, = kept.GraphicAnnotationSequence
        words = [text.UnformattedTextValue for text in annotation.TextObjectSequence]
        assert {"R", "L", "12"} <= set(words) and any("by hand" in word or "25" in word for word in words), words


def lines_are_seen():
    """Where they were drawn, when this program shows the state."""
    picture = pydicom.dcmread(shared(CT))
    picture.PixelData = bytes(len(picture.PixelData))
    picture.save_as("black.dcm")
    state("black.dcm", "--arrow", "20.5,30.5,100.5,90.5", "--window", "5000,100")
    process("black.dcm", "-o", "shown.png", "--force", "--presentation-state", "state.dcm")
    drawn = pixels.read_png("shown.png")[..., 0] > 0
    y, x = np.mgrid[:128, :128] + 0.5
    t = np.clip(((x - 20.5) * 80 + (y - 30.5) * 60) / 10000, 0, 1)
    away = np.hypot(x - 20.5 - 80 * t, y - 30.5 - 60 * t)
    assert drawn[away < 0.15].all()
    # And a head of some pixels at its tip.
    aside = drawn & (away > 1.01)
    assert 0 < aside.sum() < 20 and np.hypot(x - 100.5, y - 90.5)[aside].max() < 128 / 40 + 1.5, aside.sum()


def lines_of_text_stay_lines():
    """Two lines are as high as two, when this program shows the state."""
    picture = pydicom.dcmread(shared(CT))
    picture.PixelData = bytes(len(picture.PixelData))
    picture.save_as("black.dcm")
    rows = []
    for words in ("HH", "HH\nHH"):
        state("black.dcm", "--text", f"20,40,{words}", "--window", "5000,100")
        process("black.dcm", "-o", "shown.png", "--force", "--presentation-state", "state.dcm")
        rows.append((pixels.read_png("shown.png")[..., 0] > 0).any(axis=1).sum())
    assert rows[0] > 3 and rows[1] == 2 * rows[0], rows


def belongs_to_its_study():
    source = pydicom.dcmread(shared(CT))
    kept = state(shared(CT), "--length", "1,2,30,40")
    for name in ("PatientName", "PatientID", "PatientSex", "StudyInstanceUID", "StudyDate"):
        assert kept[name].value == source[name].value, name
    assert kept.Modality == "PR" and kept.SeriesInstanceUID != source.SeriesInstanceUID
    series, = kept.ReferencedSeriesSequence
    assert series.SeriesInstanceUID == source.SeriesInstanceUID
    image, = series.ReferencedImageSequence
    assert image.ReferencedSOPInstanceUID == source.SOPInstanceUID and "ReferencedFrameNumber" not in image
    assert kept.ContentCreatorName == "" and kept.PresentationCreationDate


def other_patients_are_refused():
    """One that names the picture and says another patient's number."""
    kept = state(shared(CT), "--length", "1,2,30,40")
    number = kept.PatientID
    assert number
    for other, status in (("X" + number, 1), ("", 0), (number, 0)):
        kept.PatientID = other
        kept.save_as("state.dcm")
        done = run("process", shared(CT), "-o", "out.png", "--force", "--presentation-state", "state.dcm",
                   status=status)
        assert ("another patient" in done.stderr) == bool(status), done.stderr


def frames_are_named():
    whole = pydicom.dcmread(shared("pydicom-data/emri_small.dcm"))
    whole.PatientName, whole.PatientID = "A^B", "1"  # dcmpschk wants a name
    whole.save_as("named.dcm")
    source = "named.dcm"
    for frame in (1, 3):
        kept = state(source, "--frame", frame, "--window", "500,1000")
        image = kept.ReferencedSeriesSequence[0].ReferencedImageSequence[0]
        stored = pydicom.dcmread(source).pixel_array[image.ReferencedFrameNumber - 1]
        low, high = 500.5 - 500, 500 + 499.5
        want = np.clip((stored - low) / (high - low) * 255, 0, 255)
        got = shown(source, "--frame", frame, "--presentation-state", "state.dcm")
        assert np.abs(got - want).max() <= 1, (frame, np.abs(got - want).max())


def names_keep_their_characters():
    """In their own character set, or in UTF-8 where a word needs it."""
    picture = pydicom.dcmread(shared(CT))
    for name, charset in (("Müller^Jörg", "ISO_IR 100"), ("Wang^XiaoDong=王^小东", "ISO_IR 192")):
        picture.SpecificCharacterSet, picture.PatientName = charset, name
        picture.save_as("named.dcm")
        run("measure", "named.dcm", "--ellipse", "30,30,20,10", "--gsps", "state.dcm", "--force")
        kept = pydicom.dcmread("state.dcm")
        assert str(kept.PatientName) == name and kept.SpecificCharacterSet == charset


def what_does_not_fit_is_refused():
    source = shared(CT)
    length = ("--length", "1,2,30,40")
    fails(1, "no DICOM file", arguments=("measure", "phantom:64x64", *length, "--gsps", "state.dcm"))
    fails(1, "colour", arguments=("measure", shared("pydicom/SC_rgb_small_odd.dcm"), "--gsps", "state.dcm"))
    fails(2, "--plane", arguments=("measure", source, *length, "--plane", "axial:0", "--gsps", "state.dcm"))
    fails(2, "--gsps", arguments=("measure", source, *length, "--invert"))
    fails(2, "no window", arguments=("measure", source, "--gsps", "state.dcm", "--window", "1,0"))
    fails(2, "turn", arguments=("measure", source, "--gsps", "state.dcm", "--orient", "45"))
    fails(2, "Say what", arguments=("measure", source, "--arrow", "1,2,30,40"))
    fails(1, "nothing was measured", arguments=("measure", source, "--arrow", "1,2,30,40", "--gsps", "a.dcm",
                                                "--sr", "b.dcm"))
    pathlib.Path("there.dcm").write_bytes(b"there")
    fails(1, "--force", arguments=("measure", source, "--gsps", "there.dcm"))
    assert pathlib.Path("there.dcm").read_bytes() == b"there"
    assert not pathlib.Path("state.dcm").exists() and not os.path.exists("b.dcm") and not leftovers()


if __name__ == "__main__":
    sys.exit(run_cases({
        "a picture looks by its state as it did, here and by DCMTK": looks_the_same,
        "tables of grey levels are kept": tables_are_kept,
        "turns are kept, with the corners that are seen": is_turned,
        "what was drawn is there as pydicom reads it, with its numbers": is_drawn,
        "every kind of drawing is valid in every kind of picture": every_kind_is_valid,
        "lines of texts stay lines": lines_of_text_stay_lines,
        "lines and heads of arrows are seen where they were drawn": lines_are_seen,
        "a state belongs to the study of its picture": belongs_to_its_study,
        "one with another patient's number is refused": other_patients_are_refused,
        "frames are named as they are stored": frames_are_named,
        "names of patients keep their characters": names_keep_their_characters,
        "what cannot be kept is refused in a sentence": what_does_not_fit_is_refused,
    }))
