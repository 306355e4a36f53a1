#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Derived DICOM files that are compressed without loss: pydicom, GDCM, DCMTK and the program itself read
the samples of the one that is not compressed.

usage: compressed.py ONDELETTE_CLI
"""
import pathlib
import shutil
import subprocess
import sys
import warnings

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "helpers"))
import pixels  # noqa: E402
from command_line import Skip, fails, process, read, run_cases, shared  # noqa: E402
from dicom_file import Writer  # noqa: E402

try:
    import pydicom
except ImportError:
    pydicom = None

RLE, JPEG_2000 = "1.2.840.10008.1.2.5", "1.2.840.10008.1.2.4.90"
# 16 bits with a sign, 12, 10 bits and MONOCHROME1, a palette, an odd number of bytes, many frames.
REAL = ("dicom-test-files/REF/CT1_UNC", "dicom-test-files/JPLL/MR4_JPLL", "dicom-test-files/JPLL/RG3_JPLL",
        "fo-dicom/TestPattern_Palette_16.dcm", "pydicom/SC_rgb_small_odd.dcm", "pydicom-data/emri_small_RLE.dcm",
        "pydicom/SC_rgb_rle_16bit_2frame.dcm")


def tool(*command):
    if shutil.which(command[0]) is None:
        raise Skip(f"{command[0]} is not installed")
    return subprocess.run([*map(str, command)], capture_output=True, timeout=600, errors="replace")


def errors(path):
    return {line for line in tool("dciodvfy", path).stderr.splitlines() if line.startswith("Error")}


def samples(path):
    if pydicom is None:
        raise Skip("pydicom is not installed")
    return pydicom.dcmread(path).pixel_array


def of_openjpeg(path):
    """The frames as OpenJPEG decodes them."""
    data = pydicom.dcmread(path)
    made = []
    for stream in pydicom.encaps.generate_pixel_data_frame(data.PixelData, int(data.get("NumberOfFrames", 1))):
        pathlib.Path("frame.j2k").write_bytes(stream)
        done = tool("opj_decompress", "-i", "frame.j2k", "-o", "frame.rawl")
        assert done.returncode == 0, done.stderr
        sign = "i" if data.PixelRepresentation else "u"
        raw = np.fromfile("frame.rawl", f"<{sign}{data.BitsAllocated // 8}")
        made.append(raw.reshape(data.SamplesPerPixel, data.Rows, data.Columns).transpose(1, 2, 0))
    return np.squeeze(made)


def of_gdcm(path):
    done = tool("gdcmconv", "--raw", path, "gdcm.dcm")
    assert done.returncode == 0, (path, done.stderr)
    return samples("gdcm.dcm")


def make(source, *more):
    for kind in ("none", "rle", "jpeg2000"):
        process(source, "-o", f"{kind}.dcm", "--force", "--compression", kind, *more)
    return samples("none.dcm")


def all_read_the_same():
    for name in REAL:
        want = make(shared(name), "-f", "gaussian")
        got = pydicom.dcmread("rle.dcm")
        assert got.file_meta.TransferSyntaxUID == RLE, name
        assert np.array_equal(got.pixel_array, want), f"{name}: pydicom reads other samples of RLE"
        done = tool("dcmdrle", "rle.dcm", "dcmtk.dcm")
        assert done.returncode == 0 and not done.stderr, (name, done.stderr)
        assert np.array_equal(samples("dcmtk.dcm"), want), f"{name}: DCMTK reads other samples of RLE"
        got = pydicom.dcmread("jpeg2000.dcm", stop_before_pixels=True)
        assert got.file_meta.TransferSyntaxUID == JPEG_2000, name
        colour = "YBR_RCT" if got.SamplesPerPixel == 3 else got.PhotometricInterpretation
        assert got.PhotometricInterpretation == colour, (name, got.PhotometricInterpretation)
        assert np.array_equal(of_openjpeg("jpeg2000.dcm"), np.squeeze(want)), f"{name}: OpenJPEG reads other samples"
        # GDCM 3.0.21 cannot write colours of 16 bits.
        if got.SamplesPerPixel == 1 or got.BitsAllocated == 8:
            assert np.array_equal(of_gdcm("jpeg2000.dcm"), want), f"{name}: GDCM reads other samples of JPEG 2000"
        for kind in ("rle", "jpeg2000"):
            n = read("info", f"{kind}.dcm")["frames"]
            for frame in {1, n}:
                for path in ("none", kind):
                    process(f"{path}.dcm", "-o", f"{path}.tif", "--force", "--frame", frame)
                assert np.array_equal(*(pixels.read_tiff(f"{path}.tif")[1] for path in ("none", kind))), (name, kind)
            new = errors(f"{kind}.dcm") - errors(shared(name))
            assert not new, (name, kind, new)


def described(allocated, stored, values, signed=False, photometric="MONOCHROME2"):
    channels = values.shape[2] if values.ndim == 3 else 1
    out = Writer()
    out.put(0x00080016, "UI", "1.2.840.10008.5.1.4.1.1.7").put(0x00080018, "UI", "1.2.3.4")
    out.put(0x00280002, "US", channels).put(0x00280004, "CS", photometric)
    if channels > 1:
        out.put(0x00280006, "US", 0)
    out.put(0x00280010, "US", values.shape[0]).put(0x00280011, "US", values.shape[1])
    out.put(0x00280100, "US", allocated).put(0x00280101, "US", stored).put(0x00280102, "US", stored - 1)
    out.put(0x00280103, "US", int(signed))
    words = values.astype("<i2") & ((1 << stored) - 1) if allocated == 16 else values.astype("u1")
    return out.put(0x7fe00010, "OW" if allocated == 16 else "OB", words.astype(f"<u{allocated // 8}").tobytes()).write()


def runs_of_every_length_survive():
    """RLE counts to 128: rows of runs and of differing bytes about that length."""
    width = 300
    rows = []
    for length in (1, 2, 3, 127, 128, 129, 130, 256, 257, 300):
        for gap in (0, 1, 2, 127, 128, 129):
            row = np.arange(width) * 7 % 251
            for start in range(gap, width, length + gap):
                row[start:start + length] = 255
            rows.append(row)
    values = np.array(rows)
    want = make(described(8, 8, values))
    assert np.array_equal(want, values) and np.array_equal(samples("rle.dcm"), values)
    # Rows are packed one by one (PS3.5, G.3.1): DCMTK complains of none that goes on.
    done = tool("dcmdrle", "rle.dcm", "dcmtk.dcm")
    assert done.returncode == 0 and not done.stderr and np.array_equal(samples("dcmtk.dcm"), values)


def every_depth_survives():
    random = np.random.default_rng(8)
    for stored in (2, 7, 8, 9, 12, 15, 16):
        for signed in (False, True):
            if signed and stored <= 8:
                continue
            low = -(1 << (stored - 1)) if signed else 0
            values = random.integers(low, low + (1 << stored), (31, 45))
            values[0, :2] = low, low + (1 << stored) - 1
            make(described(16 if stored > 8 else 8, stored, values, signed))
            assert np.array_equal(samples("rle.dcm"), values), (stored, signed)
            got = of_openjpeg("jpeg2000.dcm").astype(int) & ((1 << stored) - 1)
            assert np.array_equal(got, values & ((1 << stored) - 1)), (stored, signed)


def names_and_rectangles_go_before_compression():
    values = np.full((40, 50), 100)
    values[3:9, 5:20] = 255
    make(described(8, 8, values), "--deidentify", "--blank", "5,3,15,6")
    for kind in ("rle", "jpeg2000"):
        got = samples("rle.dcm") if kind == "rle" else of_gdcm("jpeg2000.dcm")
        assert (got[3:9, 5:20] == 100).all() and got.max() == 100, kind


def it_takes_less_room():
    make(shared("dicom-test-files/REF/CT1_UNC"))
    sizes = [pathlib.Path(f"{kind}.dcm").stat().st_size for kind in ("none", "rle", "jpeg2000")]
    assert sizes[0] > 1.5 * sizes[1] > 1.5 * sizes[2], sizes


def what_cannot_be_is_refused():
    source = described(8, 8, np.zeros((4, 4)))
    fails(2, "none, rle or jpeg2000", arguments=["process", source, "-o", "a.dcm", "--compression", "zip"])
    fails(2, "--compression is for DICOM", arguments=["process", source, "-o", "a.png", "--compression", "rle"])
    assert not list(pathlib.Path().glob("a.*"))


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    sys.exit(run_cases({case.__name__.replace("_", " "): case for case in (
        all_read_the_same, runs_of_every_length_survive, every_depth_survives,
        names_and_rectangles_go_before_compression, it_takes_less_room, what_cannot_be_is_refused)}))
