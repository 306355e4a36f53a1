#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Every DICOM file of the test data: it holds the pixels that pydicom and GDCM find in it, or it is
refused for the reason that is true of it. First and last frames; with --all every frame.

usage: manifest.py ONDELETTE_CLI [--all]
"""
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import warnings

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "helpers"))
import pixels  # noqa: E402
from command_line import CLI, Skip, process, run_cases, shared  # noqa: E402

try:
    import pydicom
    from pydicom.pixel_data_handlers.util import apply_color_lut, apply_modality_lut, convert_color_space
except ImportError:
    pydicom = None

EVERY_FRAME = "--all" in sys.argv[2:]
FOLDERS = ("dicom-test-files", "fo-dicom", "pydicom", "pydicom-data")
HTJ2K = "pydicom-data/HTJ2KLossless_08_RGB.dcm"

# Refused, with these words.
REFUSED = {
    "fo-dicom/GH1146.dcm": "contains no image: its pixel data is empty",
    "fo-dicom/GH179B.dcm": "ends too early",
    "fo-dicom/GH364.dcm": "header is damaged",
    "pydicom-data/JLSL_08_07_0_1F.dcm": "JPEG-LS Lossless at 7 bits, which is not supported",
    "pydicom-data/SC_rgb_32bit.dcm": "3 samples with 32 bits each are not supported",
    # Its stream's width was overwritten by the bytes of a delimiter.
    "pydicom/JPEG2000-embedded-sequence-delimiter.dcm": "compressed pixels are damaged",
    "pydicom/charset_files/chrJapMulti.dcm": "contains no image (a DICOM object of modality CR)",
    "pydicom/charset_files/chrSQEncoding.dcm": "contains no image",
    "pydicom/dicomdirtests/DICOMDIR": "the index of a DICOM medium",
    "pydicom/meta_missing_tsyntax.dcm": "no Transfer Syntax UID",
    "pydicom/no_meta.dcm": "not an image of a known format",
    "pydicom/palettes/hotiron.dcm": "contains no image",
    "pydicom/palettes/pet.dcm": "contains no image",
    "pydicom/reportsi.dcm": "contains no image; it is a report in words and numbers (DICOM SR)",
    "pydicom/rtplan.dcm": "contains no image (a DICOM object of modality RTPLAN)",
}
# Read, with a warning of these words.
WARNED = {
    "pydicom-data/emri_small.dcm": "does not say where its frames lie",
    "pydicom-data/emri_small_RLE.dcm": "does not say where its frames lie",
    "pydicom-data/emri_small_jpeg_2k_lossless.dcm": "does not say where its frames lie",
    "dicom-test-files/J2KI/RG1_J2KI": "its pixel spacing is invalid",
    "fo-dicom/GH1261.dcm": "grey-level window (its centre and width) is invalid",
    "fo-dicom/GH1728.dcm": "one of its overlays ends too early",
    "fo-dicom/GH340.dcm": "does not say what its values mean",
    "fo-dicom/HasFragmentSequence.dcm": "its mask is not subtracted",
    "pydicom-data/eCT_Supplemental.dcm": "supplemental colours are not applied",
    "pydicom/MR_truncated.dcm": "only 99.2% of the pixels are there",
    "pydicom/badVR.dcm": "more frames than it declares",
    "pydicom/examples_palette.dcm": "regions reaches beyond the picture",
    "pydicom/examples_ybr_color.dcm": "regions reaches beyond the picture",
}
# Lossy JPEG is rounded by each decoder in its own way; what differs from GDCM, in samples of 8 bits.
LOSSY = {"fo-dicom/GH195.dcm": 2, "fo-dicom/JPEGwithIcon.dcm": 2, "pydicom/examples_ybr_color.dcm": 2}
# Other files than DICOM in these folders.
OTHERS = re.compile(r"\.(txt|icc|md)$|LICENSE")


def all_files():
    root = shared("pydicom/CT_small.dcm").parents[1]
    found = (path for folder in FOLDERS for path in (root / folder).rglob("*") if path.is_file())
    return sorted(str(path.relative_to(root)) for path in found if not OTHERS.search(path.name))


def readable():
    if pydicom is None:
        raise Skip("pydicom is not installed")
    return [name for name in all_files() if name not in REFUSED]


def raw(name):
    """The data set with pixels that are not compressed, by GDCM where need be."""
    data = pydicom.dcmread(shared(name), force=True)
    syntax = data.file_meta.get("TransferSyntaxUID")
    if syntax is None:
        data.file_meta.TransferSyntaxUID = pydicom.uid.ImplicitVRLittleEndian
    elif syntax.startswith("1.2.840.10008.1.2.4."):
        if shutil.which("gdcmconv") is None:
            raise Skip("gdcmconv is not installed")
        subprocess.run(["gdcmconv", "--raw", shared(name), "raw.dcm"], check=True, capture_output=True, timeout=600)
        data = pydicom.dcmread("raw.dcm")
        if name == "fo-dicom/GH195.dcm":
            # The header says RGB, the marker in the JPEG stream that these are luma and chroma.
            data.PhotometricInterpretation = "YBR_FULL"
    if name == "fo-dicom/GH340.dcm":
        # Two samples of 12 bits in three bytes.
        data.SamplesPerPixel, data.PhotometricInterpretation, data.BitsAllocated = 1, "MONOCHROME2", 16
        low, middle, high = np.frombuffer(data.PixelData, "u1").astype("<u2").reshape(-1, 3).T
        data.PixelData = np.stack((low | (middle & 15) << 8, middle >> 4 | high << 4), 1).astype("<u2").tobytes()
    if not str(data.get("NumberOfFrames", "1")).isdigit():
        data.NumberOfFrames = 1
        data.PixelData = data.PixelData[:data.Rows * data.Columns * data.BitsAllocated // 8]
    missing = data.Rows * data.Columns * 2 - len(data.get("PixelData", b""))
    if name == "pydicom/MR_truncated.dcm":
        assert missing == 62, missing
        data.PixelData += b"\0" * missing
    return data


def rescaled(values, data, frame):
    """Stored values in the unit of the file."""
    if data.get("PixelRepresentation") == 1:
        # Bits above those that are stored mean nothing.
        sign = 1 << (data.BitsStored - 1)
        values = ((values.astype(int) & (2 * sign - 1)) ^ sign) - sign
    if "DoseGridScaling" in data:
        return values * float(data.DoseGridScaling)
    if "PerFrameFunctionalGroupsSequence" in data:
        for groups in (data.PerFrameFunctionalGroupsSequence[frame], *data.SharedFunctionalGroupsSequence):
            for item in groups.get("PixelValueTransformationSequence", ()):
                return values * float(item.RescaleSlope) + float(item.RescaleIntercept)
    return apply_modality_lut(values, data)


def truth_of_htj2k():
    data = shared(HTJ2K).read_bytes()
    start = data.index(b"\xff\x4f\xff\x51")
    size, = struct.unpack("<I", data[start - 4:start])
    pathlib.Path("truth.j2k").write_bytes(data[start:start + size])
    subprocess.run(["opj_decompress", "-i", "truth.j2k", "-o", "truth.rawl"], check=True, capture_output=True)
    return np.fromfile("truth.rawl", "u1").reshape(3, 480, 640).transpose(1, 2, 0).astype(float)


def truth(name, chosen):
    """The chosen frames, each of height × width × channels."""
    if name == HTJ2K:
        return [truth_of_htj2k()]
    data = raw(name)
    frames = data.pixel_array
    frames = frames if int(data.get("NumberOfFrames", 1)) > 1 else frames[None]
    order = shown_order(data)
    return [truth_of_frame(data, frames[order[i]], order[i]) for i in chosen]


def shown_order(data):
    """Frames that have places are shown in their order along the normal."""
    groups = data.get("PerFrameFunctionalGroupsSequence")
    number = int(data.get("NumberOfFrames", 1))
    if not groups or "PlanePositionSequence" not in groups[0]:
        return list(range(number))
    way = data.SharedFunctionalGroupsSequence[0].PlaneOrientationSequence[0].ImageOrientationPatient
    normal = np.cross(np.array(way[:3], float), np.array(way[3:], float))
    along = [float(normal @ np.array(group.PlanePositionSequence[0].ImagePositionPatient, float))
             for group in groups]
    return sorted(range(number), key=lambda i: along[i])


def truth_of_frame(data, frame, number):
    meaning = data.PhotometricInterpretation
    if meaning == "PALETTE COLOR":
        # Of 16 bits the upper ones are shown.
        return (apply_color_lut(frame, data) >> 8).astype(float)
    if meaning.startswith("YBR"):
        return convert_color_space(frame, meaning, "RGB").astype(float)
    if data.SamplesPerPixel > 1:
        return frame.astype(float)
    return np.asarray(rescaled(frame, data, number)).astype(float)[..., None]


def n_frames(name):
    number = str(pydicom.dcmread(shared(name), force=True, stop_before_pixels=True).get("NumberOfFrames", 1))
    return int(number) if number.isdigit() else 1


def link(names):
    """Under other names, since those of several folders are the same."""
    for i, name in enumerate(names):
        pathlib.Path(f"{i}.dcm").symlink_to(shared(name))
    return [f"{i}.dcm" for i in range(len(names))]


def difference(name, got, want):
    if got.shape != want.shape:
        return f"{name}: {got.shape} instead of {want.shape}"
    if name == "pydicom/MR_truncated.dcm":
        got, want = (one.ravel()[:-31] for one in (got, want))
    worst = np.abs(got - want).max()
    # Floats of 32 bits.
    if worst > LOSSY.get(name, max(1, np.abs(want).max()) * 2.0 ** -21):
        return f"{name} differs by {worst}"
    return None


def every_file_is_read_as_others_do_or_refused_for_its_reason():
    names = all_files()
    known = {*REFUSED, *WARNED, *LOSSY}
    assert known <= set(names), f"no longer there: {known - set(names)}"
    files = link(names)
    done = subprocess.run([CLI, "process", *files, "-o", "out/", "--format", "tiff"], capture_output=True,
                          timeout=1200, encoding="utf-8")
    problems, comparable = [], readable()
    for file, name in zip(files, names):
        said = [line for line in done.stderr.splitlines() if line.startswith(f"ondelette-cli: {file}: ")]
        words = " ".join(said)
        written = pathlib.Path("out", file).with_suffix(".tif")
        wanted = REFUSED.get(name) or WARNED.get(name)
        if written.is_file() != (name not in REFUSED):
            problems.append(f"{name} was {'not ' if name not in REFUSED else ''}read: {words}")
        elif wanted and wanted not in words:
            problems.append(f"{name}: “{wanted}” is not in “{words}”")
        elif not wanted and [line for line in said if "frame 1 of" not in line]:
            problems.append(f"{name} is read, but with {words}")
        elif name in comparable:
            problems.append(difference(name, pixels.read_tiff(written)[1].astype(float), truth(name, [0])[0]))
            written.unlink()
    problems = [one for one in problems if one]
    assert not problems, "; ".join(problems)


def other_frames_are_those_of_pydicom_and_gdcm():
    problems = []
    several = [name for name in readable() if n_frames(name) > 1]
    assert len(several) >= 10, several
    for name in several:
        last = n_frames(name) - 1
        if EVERY_FRAME:
            process(shared(name), "-o", "frame-%05d.tif", "--force")
            assert not pathlib.Path(f"frame-{last + 2:05}.tif").exists(), name
        else:
            process(shared(name), "-o", f"frame-{last + 1:05}.tif", "--frame", last + 1, "--force")
        shown = range(last + 1) if EVERY_FRAME else [last]
        for i, want in zip(shown, truth(name, shown)):
            path = pathlib.Path(f"frame-{i + 1:05}.tif")
            problems.append(difference(name, pixels.read_tiff(path)[1].astype(float), want))
            path.unlink()
    problems = [one for one in problems if one]
    assert not problems, "; ".join(problems)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    sys.exit(run_cases({case.__name__.replace("_", " "): case for case in (
        every_file_is_read_as_others_do_or_refused_for_its_reason, other_frames_are_those_of_pydicom_and_gdcm)}))
