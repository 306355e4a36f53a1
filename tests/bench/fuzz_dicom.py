#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Damaged DICOM files: each must end as a picture or in a sentence, never in a crash of the decoder.

usage: fuzz_dicom.py ONDELETTE_CLI [--files N] [--seed N] [--keep FOLDER] [--corpus ZIP]

Bytes, words and lengths of small files, made here, with windows, regions, shutters, segmented palettes,
RLE, floats and deflated data, and small ones of the test data (JPEG, JPEG-LS, JPEG 2000, icons), are changed,
cut and repeated; so are videos, if there is FFmpeg to make one. With a decoder that was built under the
address sanitizer (ODL_DECODER), a wrong access is a crash. Exits with 1 after one; its files are kept.
"""
import os
import pathlib
import struct
import subprocess
import sys
import zlib

import fuzzing
from fuzzing import damage

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
from dicom_file import BIG, LITTLE, RLE, Writer  # noqa: E402

WIDTH, HEIGHT = 24, 16


def base(syntax=LITTLE, bits=16, photometric="MONOCHROME2", frames=None):
    out = Writer(syntax)
    out.put(0x00080016, "UI", "1.2.840.10008.5.1.4.1.1.7").put(0x00080018, "UI", "1.2.3.4")
    out.put(0x00280002, "US", 1).put(0x00280004, "CS", photometric)
    if frames:
        out.put(0x00280008, "IS", frames)
    out.put(0x00280010, "US", HEIGHT).put(0x00280011, "US", WIDTH).put(0x00280100, "US", bits)
    return out.put(0x00280101, "US", bits).put(0x00280102, "US", bits - 1).put(0x00280103, "US", 0)


def filled(out, bits=16):
    return out.put(0x7fe00010, "OW", bytes(i * 7 % 256 for i in range(WIDTH * HEIGHT * bits // 8)))


def windows():
    out = base().put(0x00281050, "DS", 1, 2, 3.5).put(0x00281051, "DS", 10, 20, 1)
    out.put(0x00281055, "LO", "One", "Two", "Three")
    table = Writer().put(0x00283002, "US", 64, 0, 12).put(0x00283003, "LO", "Table")
    table.put(0x00283006, "OW", struct.pack("<64H", *range(64)))
    out.items(0x00283010, table, table)
    group = Writer().items(0x00289132, Writer().put(0x00281050, "DS", 5, 6).put(0x00281051, "DS", 7, 8))
    return filled(out.items(0x52009230, group))


def regions():
    region = Writer().put(0x00186012, "US", 1).put(0x00186024, "US", 3).put(0x00186026, "US", 3)
    for tag, number in zip((0x00186016, 0x00186018, 0x0018601a, 0x0018601c, 0x0018601e), (0, 1, 2, 20, 12)):
        region.elements[tag] = "UL", struct.pack("<I", number)
    for tag, number in zip((0x00186020, 0x00186022), (3, -4)):
        region.elements[tag] = "SL", struct.pack("<i", number)
    for tag in (0x00186028, 0x0018602a, 0x0018602c, 0x0018602e):
        region.elements[tag] = "FD", struct.pack("<d", 0.05)
    return filled(base().items(0x00186011, region, region, region))


def shutters():
    out = base().put(0x00181600, "CS", "RECTANGULAR", "CIRCULAR", "POLYGONAL").put(0x00181622, "US", 99)
    for tag, number in zip((0x00181602, 0x00181604, 0x00181606, 0x00181608), (2, 20, 2, 14)):
        out.put(tag, "IS", number)
    out.put(0x00181610, "IS", 8, 12).put(0x00181612, "IS", 7)
    return filled(out.put(0x00181620, "IS", 1, 1, 16, 3, 14, 22, 2, 18).put(0x00280034, "IS", 1, 2))


def palettes(bits):
    out = base(bits=8, photometric="PALETTE COLOR")
    if bits == 8:
        data = bytes([0, 4, 1, 2, 3, 4, 1, 60, 200, 2, 2, 0, 0, 0, 0, 0])
    else:
        data = struct.pack("<12H", 0, 4, 1, 2, 3, 4, 1, 60, 9000, 2, 2, 0) + struct.pack("<H", 0)
    for channel in range(3):
        out.put(0x00281101 + channel, "US", 128, 0, bits).put(0x00281221 + channel, "OW", data)
    return filled(out, 8)


def rle(bits):
    size = WIDTH * HEIGHT // 8 if bits == 1 else WIDTH * HEIGHT
    segment = b"".join(bytes([257 - min(100, size - i), i % 256]) for i in range(0, size, 100))
    segment += b"\0" * (len(segment) % 2)
    n = max(bits // 8, 1)
    offsets = [64 + i * len(segment) for i in range(n)]
    stream = struct.pack("<16I", n, *offsets, *[0] * (15 - n)) + segment * n
    return base(RLE, bits, frames=2).frames([stream, stream])


def floats(tag, vr, size):
    out = base(bits=8 * size)
    return out.raw(tag, vr + b"\0\0" + struct.pack("<I", WIDTH * HEIGHT * size)
                   + struct.pack("<d", 1.5) * (WIDTH * HEIGHT * size // 8))


def deflated():
    """Its data set is damaged, then packed, so that what is inside is reached."""
    out = regions()
    out.syntax = "1.2.840.10008.1.2.1.99"
    return out


class Real:
    """A file that is there. Its meta information stays whole, so that the syntax is kept."""

    def __init__(self, data):
        assert data[128:132] == b"DICM" and data[132:138] == b"\2\0\0\0UL", "no meta information"
        self.data, self.syntax = data, ""
        self.start = 144 + struct.unpack("<I", data[140:144])[0]

    def body(self):
        return self.data[self.start:]

    def write(self, folder):
        path = pathlib.Path(folder) / "real.dcm"
        path.write_bytes(self.data)
        return path


# Of at most 12 kB, one or more of each kind of stream.
REAL = ("pydicom/JPEG2000.dcm", "pydicom/SC_rgb_gdcm_KY.dcm", "pydicom-data/liver_j2k.dcm",
        "pydicom/JPEGLSNearLossless_08.dcm", "pydicom/MR_small_jpeg_ls_lossless.dcm",
        "pydicom-data/JLSL_16_15_1_1F.dcm", "pydicom/SC_rgb_jpeg_app14_dcmd.dcm", "pydicom/JPGExtended.dcm",
        "pydicom/SC_rgb_jpeg_gdcm.dcm", "pydicom/SC_rgb_dcmtk_+eb+cy+np.dcm", "pydicom/MR_small_RLE.dcm",
        "pydicom/SC_rgb_rle_16bit_2frame.dcm", "fo-dicom/1403-OB.dcm", "pydicom/rtdose.dcm", "pydicom/image_dfl.dcm")


def real_seeds():
    """Those that are at hand, by their names."""
    root = pathlib.Path(os.environ.get("ODL_TESTDATA", "/nowhere"))
    return [lambda data=(root / name).read_bytes(): Real(data) for name in REAL if (root / name).is_file()]


def video_seed():
    """None without FFmpeg."""
    try:
        stream = subprocess.run(["ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", "testsrc2=size=64x48:rate=25",
                                 "-frames:v", "5", "-pix_fmt", "yuv420p", "-f", "mpeg2video", "-"],
                                capture_output=True, check=True, timeout=600).stdout
    except (OSError, subprocess.CalledProcessError):
        return None
    out = Writer("1.2.840.10008.1.2.4.100")
    out.put(0x00080018, "UI", "1.2.3.4").put(0x00280002, "US", 3).put(0x00280004, "CS", "YBR_PARTIAL_420")
    out.put(0x00280008, "IS", 5).put(0x00280010, "US", 48).put(0x00280011, "US", 64).put(0x00280100, "US", 8)
    out.put(0x00280101, "US", 8).put(0x00280102, "US", 7).put(0x00280103, "US", 0)
    half = len(stream) // 4 * 2
    return lambda: out.frames([stream[:half], stream[half:]])


# One of so many files is a video, which takes longer than the others.
VIDEOS = 50

SEEDS = [windows, regions, shutters, lambda: palettes(8), lambda: palettes(16), lambda: rle(1), lambda: rle(8),
         lambda: rle(32), lambda: floats(0x7fe00008, b"OF", 4), lambda: floats(0x7fe00009, b"OD", 8),
         lambda: filled(base(BIG)), lambda: filled(base(bits=32), 32), deflated]


def write(path, chance, folder, seeds, video):
    seed = (video if video and chance.randrange(VIDEOS) == 0 else chance.choice(seeds))()
    made = seed.write(folder)
    whole = made.read_bytes()
    made.unlink()
    body = seed.body()
    head, body = whole[:len(whole) - len(body)], damage(body, chance)
    if seed.syntax.endswith(".99"):
        packer = zlib.compressobj(9, zlib.DEFLATED, -15)
        body = packer.compress(body) + packer.flush()
        body = damage(body, chance) if chance.random() < 0.3 else body
    path.write_bytes(head + body)


seeds, video = SEEDS + real_seeds(), video_seed()
fuzzing.run(lambda path, chance, folder: write(path, chance, folder, seeds, video), lambda n: ".dcm", "fuzz-dicom")
