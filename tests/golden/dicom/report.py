#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Structured reports of what `measure` says, against pydicom, its codes, dsrdump and dciodvfy.

usage: report.py ONDELETTE_CLI
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import warnings

import numpy as np
import pydicom
from pydicom.sr._concepts_dict import concepts

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "helpers"))
from command_line import Skip, fails, leftovers, read, run, run_cases, shared  # noqa: E402

CT = "pydicom/CT_small.dcm"
KINDS = {
    "--length": "10,20,30.5,40", "--angle": "1,1,20,20,40,5", "--ellipse": "30,30,20,10",
    "--polygon": "5,5,50,8,40,60", "--freehand": "9,9,30,9,30,40,12,33", "--profile": "3,3,40,40",
}
ALL = [word for pair in KINDS.items() for word in pair]
NAMES = {
    "length": "Length", "angle": "Angle", "area": "Area", "perimeter": "Perimeter", "mean": "Mean",
    "sigma": "Standard Deviation", "min": "Minimum", "max": "Maximum", "n": "Number of values",
    "time": "Time", "velocity": "Velocity", "depth": "Depth", "frequency": "Frequency",
}
UNITS = {"mm": "mm", "mm²": "mm2", "°": "deg", "HU": "[hnsf'U]", "": "1", "px": "{pixels}",
         "px²": "{square_pixels}", "luma": "{luma}", "s": "s", "Hz": "Hz", "cm/s": "cm/s"}


def tool(*command):
    if shutil.which(command[0]) is None:
        raise Skip(f"{command[0]} is not installed")
    return subprocess.run([*map(str, command)], capture_output=True, timeout=300, errors="replace")


def report(source, *arguments, name="report.dcm"):
    """What `measure` says, and the report."""
    said = read("measure", source, *arguments, "--sr", name, "--force")
    done = tool("dciodvfy", name)
    wrong = [line for line in done.stderr.splitlines() if line.startswith("Error")]
    assert "ComprehensiveSR" in done.stderr.splitlines() and not wrong, (source, done.stderr)
    shown = tool("dsrdump", name)
    assert shown.returncode == 0 and "E: " not in shown.stderr, (source, shown.stderr)
    return said, pydicom.dcmread(name)


def children(item, kind=None, meaning=None):
    """Of an item of the tree, those of a type and a name."""
    return [child for child in item.get("ContentSequence", ())
            if kind in (None, child.ValueType)
            and meaning in (None, child.get("ConceptNameCodeSequence", [None])[0]
                            and child.ConceptNameCodeSequence[0].CodeMeaning)]


def groups(tree):
    measurements, = children(tree, "CONTAINER", "Imaging Measurements")
    return children(measurements, "CONTAINER", "Measurement Group")


def text(item, meaning):
    return [child.TextValue for child in children(item, "TEXT", meaning)]


def numbers(group):
    """(name, is it after the filters) → (value, unit), from both ways to write it."""
    found = {}
    for item in children(group, "NUM"):
        value, = item.MeasuredValueSequence
        exact = value.FloatingPointValue
        assert abs(float(value.NumericValue) - exact) <= 1e-12 * max(1, abs(exact)), item
        key = item.ConceptNameCodeSequence[0].CodeMeaning, bool(text(item, "Algorithm Parameters"))
        assert key not in found, key
        found[key] = exact, value.MeasurementUnitsCodeSequence[0].CodeValue
    return found


def is_told(said, tree):
    assert len(groups(tree)) == len(said["measured"])
    for group, measured in zip(groups(tree), said["measured"]):
        want = {}
        for name, value in measured.items():
            if name in NAMES and isinstance(value, dict):
                want[NAMES[name], False] = value["value"], UNITS[value["unit"]]
                if "after" in value:
                    want[NAMES[name], True] = value["after"], UNITS[value["unit"]]
        got = numbers(group)
        assert got.keys() == want.keys(), (got, want)
        for key in want:
            assert got[key][1] == want[key][1], (key, got, want)
            assert abs(got[key][0] - want[key][0]) <= 1e-9 * max(1, abs(want[key][0])), (key, got, want)
        assert text(group, "Tracking Identifier")[0].startswith(measured["kind"])


def every_value():
    for name in (CT, "pydicom/MR_small.dcm", "dicom-test-files/JPLL/RG3_JPLL", "pydicom/examples_ybr_color.dcm"):
        for filters in ((), ("-f", "gaussian:sigma=1.5")):
            said, tree = report(shared(name), *ALL, *filters)
            is_told(said, tree)
            assert len(groups(tree)) == len(KINDS)


OTHERS = {
    "--point": "20,20,30,30", "--arrow": "5,5,30,30", "--text": "20,30,é: “a”, b\nc", "--right": "5,6",
    "--left": "9,9", "--number": "11,12,3", "--calibration": "1,1,1,41,25",
}


def in_kinds():
    """Pictures of several kinds: also of PET, without millimetres, at the detector, in colours, of a cine."""
    for name in (CT, "pydicom/MR_small.dcm", "dicom-test-files/JPLL/RG3_JPLL", "pydicom/examples_ybr_color.dcm",
                 "pydicom/examples_palette.dcm", "pydicom-data/emri_small.dcm", "pydicom-data/US1_UNCR.dcm"):
        yield shared(name)
    made = pydicom.dcmread(shared(CT))
    made.Modality, made.Units, made.CorrectedImage, made.DecayCorrection = "PT", "BQML", ["ATTN", "DECY"], "START"
    made.PatientWeight, made.SeriesDate, made.SeriesTime = "70", "20250101", "110000"
    made.AcquisitionDate, made.AcquisitionTime = "20250101", "110130.5"
    tracer = pydicom.Dataset()
    tracer.RadionuclideTotalDose, tracer.RadionuclideHalfLife = "370000000", "6586.2"
    tracer.RadiopharmaceuticalStartTime = "100000.00"
    made.RadiopharmaceuticalInformationSequence = pydicom.Sequence([tracer])
    made.save_as("pet.dcm")
    yield "pet.dcm"
    made.PatientWeight = None
    made.save_as("weightless.dcm")
    yield "weightless.dcm"


def every_kind_is_valid():
    """What can be drawn, in what pictures there are, before and after filters: no error of dciodvfy or dsrdump."""
    drawn = [word for pair in (KINDS | OTHERS).items() for word in pair]
    options = run("measure", "--help").stdout
    kinds = set(re.findall(r"^  (--[a-z]+)=X", options, re.M))
    assert kinds == set(KINDS | OTHERS), kinds ^ set(KINDS | OTHERS)
    for source in in_kinds():
        for filters in ((), ("-f", "gaussian:sigma=1.5")):
            _, tree = report(source, *drawn, *filters)
            comments = [words for part in children(tree, "CONTAINER", "Qualitative Evaluations")
                        for words in text(part, "Comment")]
            assert len(groups(tree)) == len(KINDS) + 1, (source, len(groups(tree)))
            assert any(words.splitlines()[-1] == "c" for words in comments), comments
            if str(source) == "pet.dcm":
                assert any(key[0] == "SUVbw" for group in groups(tree) for key in numbers_of(group)), source


def numbers_of(group):
    return {(item.ConceptNameCodeSequence[0].CodeMeaning, index) for index, item in enumerate(children(group, "NUM"))}


def is_shown():
    said, _ = report(shared(CT), "--length", "10,20,30,40")
    length = said["measured"][0]["length"]["value"]
    shown = tool("dsrdump", "report.dcm").stdout
    value, = re.findall(r'NUM:\(,,"Length"\)="([0-9.]+)" \(mm,UCUM', shown)
    assert abs(float(value) - length) < 1e-9, (value, length)


def codes_are_known():
    """Those of SNOMED CT, DICOM and UCUM that pydicom knows, with these words."""
    _, tree = report(shared(CT), *ALL, "-f", "gaussian")
    unknown = set()
    for element in tree.iterall():
        if element.keyword not in ("ConceptNameCodeSequence", "ConceptCodeSequence",
                                   "MeasurementUnitsCodeSequence"):
            continue
        code, = element.value
        scheme = concepts.get(code.CodingSchemeDesignator, {})
        words = {meaning.lower() for entry in scheme.values() for value, (meaning, _) in entry.items()
                 if value == code.CodeValue}
        if code.CodeMeaning.lower() not in words:
            unknown.add((code.CodeValue, code.CodingSchemeDesignator))
    assert unknown == {("n", "99ONDELETTE"), ("en", "RFC5646")}, unknown


def places(group):
    found = [child for child in children(group, "SCOORD")]
    for number in children(group, "NUM"):
        found += children(number, "SCOORD")
    return found


def places_are_those_drawn():
    _, tree = report(shared(CT), *ALL)
    want = {kind: np.array(list(map(float, numbers.split(",")))).reshape(-1, 2)
            for kind, numbers in KINDS.items()}
    x, y = want["--ellipse"][0]
    width, height = want["--ellipse"][1]
    want["--ellipse"] = np.array([[x, y + height / 2], [x + width, y + height / 2],
                                  [x + width / 2, y], [x + width / 2, y + height]])
    for kind in ("--polygon", "--freehand"):
        want[kind] = np.concatenate([want[kind], want[kind][:1]])
    for group, kind in zip(groups(tree), KINDS):
        is_region = kind in ("--ellipse", "--polygon", "--freehand")
        assert group.ContentTemplateSequence[0].TemplateIdentifier == ("1410" if is_region else "1501")
        assert len(children(group, "SCOORD", "Image Region")) == is_region
        assert len(places(group)) == (1 if is_region else len(children(group, "NUM")))
        for place in places(group):
            assert place.GraphicType == ("ELLIPSE" if kind == "--ellipse" else "POLYLINE")
            assert np.abs(np.reshape(place.GraphicData, (-1, 2)) - want[kind]).max() < 1e-6, kind


def tall_ellipses_have_their_longer_axis_first():
    _, tree = report(shared(CT), "--ellipse", "10,20,6,30")
    place, = children(groups(tree)[0], "SCOORD")
    assert list(place.GraphicData) == [13, 20, 13, 50, 10, 35, 16, 35], place.GraphicData


def references(tree):
    return [element.value[0] for element in tree.iterall() if element.keyword == "ReferencedSOPSequence"]


def calculations_are_comments():
    """What follows from what is measured, in plain letters, on the first thing that it follows from."""
    said, tree = report(shared(CT), "--length", "10,20,30,40", "--ellipse", "30,30,20,10", "--calculate", "fl",
                        "--calculate", "hc")
    evaluations, = children(tree, "CONTAINER", "Qualitative Evaluations")
    fl, hc = children(evaluations, "TEXT", "Comment")
    weeks = said["calculated"][0]["value"]
    assert fl.TextValue.startswith(f"Age by the femur length (FL): {weeks:.1f} weeks ("), fl
    assert fl.TextValue.endswith("Radiology 1984; 152: 497-501. This program's, not for diagnosis."), fl
    place, = children(fl, "SCOORD")
    assert np.abs(np.array(place.GraphicData) - [10, 20, 30, 40]).max() < 1e-5, place
    place, = children(hc, "SCOORD")
    assert place.GraphicType == "ELLIPSE" and "outside the published range" in hc.TextValue, hc
    assert len(groups(tree)) == 2 and fl.TextValue.isascii(), tree


def texts_are_comments():
    """With their lines and places; and they are enough for a report."""
    words = "a: b, c\nsecond – שלום"
    for more in ((), ("--length", "1,2,30,40")):
        run("measure", shared(CT), "--text", f"20,30.5,{words}", "--right", "5,6", *more, "--sr", "report.dcm",
            "--force")
        assert "Error" not in tool("dciodvfy", "report.dcm").stderr
        tree = pydicom.dcmread("report.dcm")
        assert bool(children(tree, "CONTAINER", "Imaging Measurements")) == bool(more)
        evaluations, = children(tree, "CONTAINER", "Qualitative Evaluations")
        comment, = children(evaluations, "TEXT", "Comment")
        assert comment.TextValue.splitlines() == words.split("\n"), comment
        place, = children(comment, "SCOORD")
        assert place.GraphicType == "POINT" and list(place.GraphicData) == [20, 30.5]
        said = read("info", "report.dcm")["text"]
        assert "    Comment: a: b, c" in said and "      second – שלום" in said, said


def code(value, meaning, scheme="99TEST"):
    item = pydicom.Dataset()
    item.CodeValue, item.CodingSchemeDesignator, item.CodeMeaning = value, scheme, meaning
    return pydicom.Sequence([item])


def item_of(kind, name, *children, **more):
    item = pydicom.Dataset()
    item.RelationshipType, item.ValueType, item.ConceptNameCodeSequence = "CONTAINS", kind, code("1", name)
    if children:
        item.ContentSequence = pydicom.Sequence(children)
    for key, value in more.items():
        setattr(item, key, value)
    return item


def write_tree(name, *children):
    run("measure", shared(CT), "--length", "1,2,30,40", "--sr", name, "--force")
    tree = pydicom.dcmread(name)
    tree.ContentSequence = pydicom.Sequence(children)
    tree.save_as(name)


def those_of_others_are_text():
    """Values have their units, persons no names, and references lead nowhere twice."""
    measured = pydicom.Dataset()
    measured.NumericValue, measured.MeasurementUnitsCodeSequence = "98.5", code("cm/s", "centimeter per second", "UCUM")
    back = pydicom.Dataset()
    back.RelationshipType, back.ReferencedContentItemIdentifier = "INFERRED FROM", [1, 2]
    picture = pydicom.Dataset()
    picture.ReferencedSOPClassUID, picture.ReferencedSOPInstanceUID = "1.2.840.10008.5.1.4.1.1.2", "1.2.3"
    picture.ReferencedFrameNumber = 3
    write_tree("theirs.dcm", item_of("PNAME", "Observer", PersonName="House^Gregory"),
               item_of("CONTAINER", "Findings",
                       item_of("NUM", "Peak", item_of("CODE", "Site", ConceptCodeSequence=code("2", "Aorta")), back,
                               MeasuredValueSequence=pydicom.Sequence([measured])),
                       item_of("NUM", "Failed", MeasuredValueSequence=pydicom.Sequence([]),
                               NumericValueQualifierCodeSequence=code("3", "not attempted"))),
               item_of("IMAGE", "Source", ReferencedSOPSequence=pydicom.Sequence([picture])))
    said = read("info", "theirs.dcm")
    assert said["text"] == ["Imaging Measurement Report", "  Observer: …", "  Findings", "    Peak: 98.5 cm/s",
                            "      Site: Aorta", "      see item 1.2", "    Failed: not attempted",
                            "  Source: 1.2.3, frame 3"], said["text"]
    assert said["pictures"] == ["1.2.3"] and not said["partial"]
    fails(1, "report in words", arguments=("process", "theirs.dcm", "-o", "a.png"))


def key_pictures_are_named():
    """Files of a series by their identifiers, frames of one by their numbers."""
    os.mkdir("keys")
    picture = pydicom.dcmread(shared(CT))
    for i in range(4):
        picture.SOPInstanceUID = picture.file_meta.MediaStorageSOPInstanceUID = f"1.2.3.{i + 1}"
        picture.InstanceNumber, picture.ImagePositionPatient = i + 1, [0, 0, 5 * i]
        picture.save_as(f"keys/{i + 1}.dcm")
    cine = pydicom.dcmread(shared("pydicom-data/emri_small.dcm"))
    cine.save_as("cine.dcm")
    for source, frames, want in (("keys", "2,4", [("1.2.3.2", None), ("1.2.3.4", None)]),
                                 ("cine.dcm", "1,3", [(cine.SOPInstanceUID, 1), (cine.SOPInstanceUID, 3)])):
        run("measure", source, "--kos", "keys.dcm", "--keys", frames, "--force")
        done = tool("dciodvfy", "keys.dcm")
        assert "KeyObjectSelectionDocument" in done.stderr.splitlines(), done.stderr
        assert not [line for line in done.stderr.splitlines() if line.startswith("Error")], done.stderr
        assert "Of Interest" in tool("dsrdump", "keys.dcm").stdout
        tree = pydicom.dcmread("keys.dcm")
        named = [item.ReferencedSOPSequence[0] for item in children(tree, "IMAGE")]
        got = [(one.ReferencedSOPInstanceUID, one.get("ReferencedFrameNumber")) for one in named]
        assert got == want, got
        series, = tree.CurrentRequestedProcedureEvidenceSequence[0].ReferencedSeriesSequence
        evidence = [one.ReferencedSOPInstanceUID for one in series.ReferencedSOPSequence]
        assert sorted(evidence) == sorted({name for name, _ in want}), evidence
        said = read("info", "keys.dcm")
        assert said["source"] == "key-objects" and sorted(said["pictures"]) == sorted(evidence)
    fails(2, "--kos", arguments=("measure", "cine.dcm", "--keys", "1"))
    fails(2, "no numbers", arguments=("measure", "cine.dcm", "--kos", "a.dcm", "--keys", "1,x"))
    fails(2, "no frame 99", arguments=("measure", "cine.dcm", "--kos", "a.dcm", "--keys", "99"))


def large_ones_end():
    deep = item_of("TEXT", "end", TextValue="x")
    for _ in range(50):
        deep = item_of("CONTAINER", "level", deep)
    write_tree("deep.dcm", deep)
    said = read("info", "deep.dcm")
    assert said["partial"] and len(said["text"]) == 33 and not any("end" in line for line in said["text"]), said
    write_tree("many.dcm", *(item_of("TEXT", "one", TextValue=str(i)) for i in range(3000)))
    said = read("info", "many.dcm")
    assert said["partial"] and len(said["text"]) == 2000, len(said["text"])


def belongs_to_its_study():
    source = pydicom.dcmread(shared(CT))
    _, tree = report(shared(CT), *ALL)
    for name in ("PatientName", "PatientID", "PatientBirthDate", "PatientSex", "StudyInstanceUID",
                 "StudyDate", "StudyTime", "StudyID", "AccessionNumber", "ReferringPhysicianName"):
        assert tree.get(name, "") == source.get(name, ""), name
    assert tree.Modality == "SR" and tree.SeriesInstanceUID != source.SeriesInstanceUID
    assert (tree.CompletionFlag, tree.VerificationFlag) == ("PARTIAL", "UNVERIFIED")
    assert tree.ContentTemplateSequence[0].TemplateIdentifier == "1500"
    for reference in references(tree):
        assert reference.ReferencedSOPInstanceUID == source.SOPInstanceUID
        assert reference.ReferencedSOPClassUID == source.SOPClassUID
        assert "ReferencedFrameNumber" not in reference
    evidence = tree.CurrentRequestedProcedureEvidenceSequence[0]
    assert evidence.ReferencedSeriesSequence[0].SeriesInstanceUID == source.SeriesInstanceUID
    _, other = report(shared(CT), *ALL, name="other.dcm")
    for name in ("SOPInstanceUID", "SeriesInstanceUID"):
        assert tree[name].value != other[name].value and tree[name].value.startswith("2.25."), name
    trackers = [child.UID for group in groups(tree) for child in children(group, "UIDREF")]
    assert len(set(trackers)) == len(KINDS), trackers


def filters_are_told():
    """As text, without names of files, which may be those of persons."""
    source = shared(CT)
    shutil.copy(source, "Muster-Erika.dcm")
    _, tree = report(source, "--length", "1,2,30,40", "--ellipse", "30,30,20,10", "-f", "mix:with=Muster-Erika.dcm")
    for group in groups(tree):
        assert text(group, "Comment")[0].startswith("after mix"), text(group, "Comment")
    after = [item for item in children(groups(tree)[1], "NUM") if text(item, "Algorithm Name")]
    assert len(after) == 4 and not any(text(item, "Algorithm Name") for item in children(groups(tree)[0], "NUM"))
    data = pathlib.Path("report.dcm").read_bytes()
    assert b"Muster" not in data and os.getcwd().encode() not in data
    _, plain = report(source, "--length", "1,2,30,40")
    assert not text(groups(plain)[0], "Comment")


def what_was_saved_is_referred_to():
    """Values after the filters are said of the file that their result was saved in, others of the picture."""
    filters = ("-f", "gaussian:sigma=1.5")
    for name in (CT, "pydicom-data/emri_small.dcm"):
        source = pydicom.dcmread(shared(name))
        frames = int(source.get("NumberOfFrames", 1))
        run("process", shared(name), "-o", "derived.dcm", *filters, "--force")
        derived = pydicom.dcmread("derived.dcm")
        said, tree = report(shared(name), *ALL, *filters, "--frame", min(frames, 2), "--derived", "derived.dcm")
        is_told(said, tree)
        for group in groups(tree):
            for number in children(group, "NUM"):
                after = bool(text(number, "Algorithm Parameters"))
                places = [place.ContentSequence[0] for place in children(number, "SCOORD")]
                named = [one.ReferencedSOPSequence[0] for one in places + children(number, "IMAGE")]
                assert bool(named) or not after, number
                for one in named:
                    want = derived if after else source
                    assert one.ReferencedSOPInstanceUID == want.SOPInstanceUID, number
                    assert one.ReferencedSOPClassUID == want.SOPClassUID, number
                    assert ("ReferencedFrameNumber" in one) == (frames > 1), number
        evidence, = tree.CurrentRequestedProcedureEvidenceSequence
        got = {series.SeriesInstanceUID: [one.ReferencedSOPInstanceUID for one in series.ReferencedSOPSequence]
               for series in evidence.ReferencedSeriesSequence}
        assert got == {source.SeriesInstanceUID: [source.SOPInstanceUID],
                       derived.SeriesInstanceUID: [derived.SOPInstanceUID]}, got
    length = ("measure", shared(CT), "--length", "1,2,30,40", "--sr", "a.dcm")
    run("process", shared(CT), "-o", "derived.dcm", *filters, "--force")
    fails(1, "other filters", arguments=(*length, "-f", "gaussian:sigma=2", "--derived", "derived.dcm"))
    fails(1, "not derived from this picture", arguments=(*length, *filters, "--derived", shared(CT)))
    fails(1, "nothing.dcm", arguments=(*length, *filters, "--derived", "nothing.dcm"))
    fails(2, "--sr FILE", arguments=(*length[:-2], *filters, "--derived", "derived.dcm"))
    assert not pathlib.Path("a.dcm").exists()


def frames_are_named():
    name = shared("pydicom-data/emri_small_RLE.dcm")
    pictures = pydicom.dcmread(name).pixel_array.astype(float)
    for frame in (1, 3, len(pictures)):
        said, tree = report(name, "--ellipse", "10,10,20,30", "--frame", frame)
        is_told(said, tree)
        numbers = {reference.get("ReferencedFrameNumber") for reference in references(tree)}
        stored, = numbers - {None}
        picture = pictures[stored - 1]
        y, x = np.mgrid[:picture.shape[0], :picture.shape[1]] + 0.5
        inside = ((x - 20) / 10) ** 2 + ((y - 25) / 15) ** 2 <= 1
        mean = said["measured"][0]["mean"]["value"]
        assert abs(picture[inside].mean() - mean) < 1e-6 * mean, (frame, stored)
        evidence = tree.CurrentRequestedProcedureEvidenceSequence[0].ReferencedSeriesSequence[0]
        assert "ReferencedFrameNumber" not in evidence.ReferencedSOPSequence[0]


def slices_of_a_series_are_named():
    picture = pydicom.dcmread(shared(CT))
    os.mkdir("series")
    uids = []
    for i in range(3):
        picture.SOPInstanceUID = f"1.2.3.{i + 1}"
        picture.file_meta.MediaStorageSOPInstanceUID = picture.SOPInstanceUID
        picture.InstanceNumber, picture.ImagePositionPatient[2] = i + 1, 5.0 * i
        picture.save_as(f"series/{9 - i}.dcm")
        uids.append(picture.SOPInstanceUID)
    found = []
    for frame in (1, 2, 3):
        _, tree = report("series", "--length", "1,2,30,40", "--frame", frame)
        named = {reference.ReferencedSOPInstanceUID for reference in references(tree)}
        assert len(named) == 1 and "ReferencedFrameNumber" not in references(tree)[-1]
        found += named
    assert found in (uids, uids[::-1]), found


def names_keep_their_characters():
    picture = pydicom.dcmread(shared(CT))
    for name, charset in (("Müller^Jörg", "ISO_IR 100"), ("Люкceмбypг", "ISO_IR 144"),
                          ("Yamada^Tarou=山田^太郎", ["", "ISO 2022 IR 87"]), ("Wang^XiaoDong=王^小东", "ISO_IR 192")):
        picture.SpecificCharacterSet, picture.PatientName = charset, name
        picture.save_as("named.dcm")
        _, tree = report("named.dcm", "--length", "1,2,30,40")
        assert str(tree.PatientName) == name, tree.PatientName
        assert tree.SpecificCharacterSet == pydicom.dcmread("named.dcm").SpecificCharacterSet


def what_is_missing_is_empty():
    picture = pydicom.dcmread(shared(CT))
    for name in ("PatientBirthDate", "PatientSex", "StudyDate", "StudyTime", "StudyID", "AccessionNumber",
                 "ReferringPhysicianName", "PatientID", "PatientName", "SeriesNumber"):
        if name in picture:
            del picture[name]
    picture.save_as("bare.dcm")
    _, tree = report("bare.dcm", "--length", "1,2,30,40")
    assert "PatientSex" in tree and tree.PatientName == "" and tree.SeriesNumber == 1000


def what_is_wrong_is_left_out():
    """Values that a new file must not have: the report of a file that has them is valid."""
    warnings.simplefilter("ignore")  # pydicom knows that they are wrong
    picture = pydicom.dcmread(shared(CT))
    picture.PatientBirthDate, picture.StudyTime, picture.PatientSex = "00000000", "14:04:38", "?"
    picture.StudyDate, picture.NumberOfFrames, picture.SpecificCharacterSet = "1997.04.24", 1, ""
    picture.ProcedureCodeSequence = [pydicom.Dataset()]
    picture.ProcedureCodeSequence[0].CodeValue = "1"
    picture.save_as("wrong.dcm")
    _, tree = report("wrong.dcm", "--length", "1,2,30,40")
    for name in ("PatientBirthDate", "StudyTime", "StudyDate", "PatientSex"):
        assert tree[name].value in ("", None), tree[name]
    assert str(tree.PatientName) == str(picture.PatientName)
    assert len(tree.OtherPatientIDsSequence) == len(picture.OtherPatientIDsSequence) == 2
    assert not any("ReferencedFrameNumber" in reference for reference in references(tree))


def what_does_not_fit_is_refused():
    source = shared(CT)
    length = ("--length", "1,2,30,40", "--sr", "report.dcm")
    fails(1, "no DICOM file", "CSV", arguments=("measure", "phantom:64x64", *length))
    fails(2, "--plane", arguments=("measure", source, "--plane", "axial:0", *length))
    pathlib.Path("report.dcm").write_bytes(b"there")
    fails(1, "--force", arguments=("measure", source, *length))
    assert pathlib.Path("report.dcm").read_bytes() == b"there"
    os.remove("report.dcm")
    shutil.copy(source, "ct.dcm")
    before = pathlib.Path("ct.dcm").read_bytes()
    fails(1, "never written over", arguments=("measure", "ct.dcm", *length[:2], "--sr", "ct.dcm", "--force"))
    assert pathlib.Path("ct.dcm").read_bytes() == before
    fails(1, "no such folder", arguments=("measure", source, *length[:2], "--sr", "no such folder/a.dcm"))
    for name, word in (("StudyInstanceUID", "study"), ("SeriesInstanceUID", "series"),
                       ("SOPInstanceUID", "SOP Instance UID")):
        picture = pydicom.dcmread(source)
        picture[name].value = ""
        picture.save_as("bare.dcm", write_like_original=True)
        fails(1, "bare.dcm", word, arguments=("measure", "bare.dcm", *length))
    fails(2, "beyond the picture", arguments=("measure", source, "--length", "1,2,300,40", *length[2:]))
    assert not pathlib.Path("report.dcm").exists() and not leftovers()


def uncalibrated_units():
    """Where millimetres are not known, pixels; in Doppler, what its axes are."""
    picture = pydicom.dcmread(shared(CT))
    del picture.PixelSpacing
    picture.save_as("bare.dcm")
    said, tree = report("bare.dcm", "--length", "1,2,30,40", "--ellipse", "30,30,20,10")
    assert said["measured"][0]["length"]["unit"] == "px"
    is_told(said, tree)
    picture.Modality, picture.ImagerPixelSpacing = "DX", [0.2, 0.2]
    picture.save_as("bare.dcm")
    _, tree = report("bare.dcm", "--length", "1,2,30,40")
    assert text(groups(tree)[0], "Tracking Identifier") == ["length 1, at the detector"]
    region = pydicom.Dataset()
    for name, value in {"RegionSpatialFormat": 3, "RegionDataType": 3, "RegionFlags": 0, "RegionLocationMinX0": 0,
                        "RegionLocationMinY0": 0, "RegionLocationMaxX1": 127, "RegionLocationMaxY1": 127,
                        "PhysicalUnitsXDirection": 4, "PhysicalUnitsYDirection": 7, "PhysicalDeltaX": 0.01,
                        "PhysicalDeltaY": 0.5}.items():
        setattr(region, name, value)
    picture.Modality, picture.SequenceOfUltrasoundRegions = "US", [region]
    picture.save_as("bare.dcm")
    said, tree = report("bare.dcm", "--length", "1,2,30,40")
    is_told(said, tree)
    want = {("Time", False): "s", ("Velocity", False): "cm/s"}
    assert {key: unit for key, (_, unit) in numbers(groups(tree)[0]).items()} == want, groups(tree)[0]


if __name__ == "__main__":
    sys.exit(run_cases({
        "a report has every value that was measured, before and after filters": every_value,
        "every kind of drawing is valid in every kind of picture": every_kind_is_valid,
        "dsrdump shows the length": is_shown,
        "texts are comments": texts_are_comments,
        "calculations are comments": calculations_are_comments,
        "reports of others are text": those_of_others_are_text,
        "deep and long reports end": large_ones_end,
        "key pictures are named": key_pictures_are_named,
        "codes are those that pydicom knows, with their words": codes_are_known,
        "places are those that were drawn, regions as a tree of their own": places_are_those_drawn,
        "ellipses begin with their longer axis": tall_ellipses_have_their_longer_axis_first,
        "a report belongs to the study of its picture": belongs_to_its_study,
        "filters are told as text, without names of files": filters_are_told,
        "what was saved after the filters is referred to": what_was_saved_is_referred_to,
        "frames are named as they are stored": frames_are_named,
        "of a series the slice that was measured is named": slices_of_a_series_are_named,
        "names of patients keep their characters": names_keep_their_characters,
        "what the picture does not say is empty": what_is_missing_is_empty,
        "what the picture says wrongly is left out": what_is_wrong_is_left_out,
        "units are those that hold": uncalibrated_units,
        "what cannot be reported is refused in a sentence": what_does_not_fit_is_refused,
    }))
