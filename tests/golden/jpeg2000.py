#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""JPEG 2000 files of ours as OpenJPEG, FFmpeg and GDCM read them.

usage: jpeg2000.py ONDELETTE_CLI ODL_JPEG2000
"""
import os
import pathlib
import shutil
import struct
import subprocess
import sys

import numpy as np
import scipy.misc
import skimage.data

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
import pixels  # noqa: E402
from command_line import Skip, fails, leftovers, process, run_cases, shared  # noqa: E402

TOOL = os.path.abspath(sys.argv[2])
SIZES = ((1, 1), (1, 2), (2, 1), (1, 200), (200, 1), (3, 5), (4, 64), (37, 53), (65, 129))


def run(*command, **more):
    if shutil.which(command[0]) is None:
        raise Skip(f"{command[0]} is not installed")
    done = subprocess.run([*map(str, command)], capture_output=True, timeout=600, **more)
    assert done.returncode == 0, f"{command} gave {done.returncode}: {done.stderr}{done.stdout}"
    return done.stdout


def encode(path, picture, bits, goal="lossless", value=0, signed=False, levels=0):
    """picture: height × width × channels, whole numbers."""
    height, width, channels = picture.shape
    path = pathlib.Path(path)
    path.write_bytes(run(
        TOOL, width, height, channels, bits, "signed" if signed else "unsigned", goal, value,
        path.suffix[1:], levels, input=picture.astype("=f4").tobytes()))


def opened(path, shape, bits, signed=False, reduce=0):
    """The picture in the file as OpenJPEG sees it."""
    run("opj_decompress", "-i", path, "-o", "opened.rawl", "-r", reduce)
    raw = np.fromfile("opened.rawl", "u1" if bits <= 8 else "<u2").astype(int)
    height, width, channels = shape
    height, width = -(-height >> reduce), -(-width >> reduce)
    raw = raw.reshape(channels, height, width).transpose(1, 2, 0)
    return raw - (raw >> (bits - 1) << bits) if signed else raw


def random_picture(shape, bits, signed=False, seed=0, smooth=False):
    random = np.random.default_rng([seed, bits, *shape])
    low = -(1 << (bits - 1)) if signed else 0
    if not smooth:
        return random.integers(low, low + (1 << bits), shape)
    y, x, c = np.mgrid[:shape[0], :shape[1], :shape[2]]
    waves = 0.5 + 0.4 * np.sin(0.1 * x + c) * np.cos(0.07 * y) + random.normal(0, 0.02, shape)
    return low + np.clip(np.rint(waves * ((1 << bits) - 1)), 0, (1 << bits) - 1).astype(int)


def check_lossless(shape, bits, signed=False, suffix=".j2k", **more):
    picture = random_picture(shape, bits, signed, **more)
    encode("a" + suffix, picture, bits, signed=signed)
    got = opened("a" + suffix, shape, bits, signed)
    assert np.array_equal(got, picture), (shape, bits, signed, suffix, np.abs(got - picture).max())


def grey_of_every_depth_is_lossless():
    for bits in range(1, 17):
        for signed in (False, True):
            for shape in ((37, 53, 1), (70, 131, 1)):
                check_lossless(shape, bits, signed)
            check_lossless((67, 90, 1), bits, signed, ".jp2", smooth=True)


def colour_of_every_depth_is_lossless():
    for bits in range(1, 17):
        check_lossless((41, 67, 3), bits)
        check_lossless((90, 67, 3), bits, suffix=".jp2", smooth=True)


def every_size_is_lossless():
    for height, width in SIZES:
        for channels in (1, 3):
            check_lossless((height, width, channels), 8)
            check_lossless((height, width, channels), 12)
    check_lossless((7, 33000, 1), 8, smooth=True)  # more than one precinct
    check_lossless((33000, 5, 1), 8, smooth=True)
    check_lossless((30, 31, 4), 8, suffix=".jp2")
    # More than one tile of the transform.
    for shape in ((1700, 1601, 1), (3000, 70, 1), (45, 3333, 3), (2047, 1537, 1)):
        check_lossless(shape, 16, smooth=True)


def extremes_are_lossless():
    """Pictures whose coefficients are as large as they get."""
    y, x = np.mgrid[:64, :96]
    for bits in (1, 8, 16):
        top = (1 << bits) - 1
        board = ((x + y) & 1) * top
        for grey in (board, (x & 1) * top, np.full_like(x, top), 0 * x,
                     np.where(np.hypot(x - 40, y - 30) < 20, board, top - board)):
            encode("a.j2k", grey[..., None], bits)
            assert np.array_equal(opened("a.j2k", (64, 96, 1), bits)[..., 0], grey)
        colours = np.stack([board, top - board, board], 2)
        encode("a.j2k", colours, bits)
        assert np.array_equal(opened("a.j2k", (64, 96, 3), bits), colours)


def rare_ends_of_codewords_are_lossless():
    """In one codeword of 20,000 a carry reaches the byte after 0xFF near the end, which must not be left out then:
    ones, with which decoders go on, are less than that. This picture has one."""
    picture = np.random.default_rng(8).integers(0, 4, (31, 45, 1))
    picture[0, :2, 0] = 0, 3
    encode("a.j2k", picture, 2)
    got = opened("a.j2k", picture.shape, 2)
    assert np.array_equal(got, picture), np.argwhere(got != picture)[:5].tolist()


def ffmpeg_agrees():
    for channels, bits, form in ((1, 8, "gray"), (1, 16, "gray16le"), (3, 8, "rgb24"),
                                 (3, 16, "rgb48le")):
        for suffix in (".j2k", ".jp2"):
            shape = (83, 67, channels)
            picture = random_picture(shape, bits, smooth=True)
            encode("a" + suffix, picture, bits)
            raw = run("ffmpeg", "-v", "error", "-i", "a" + suffix, "-f", "rawvideo", "-pix_fmt",
                      form, "-")
            got = np.frombuffer(raw, "u1" if bits == 8 else "<u2").reshape(shape)
            assert np.array_equal(got, picture), (channels, bits, suffix)
    encode("b.jp2", picture, 16, "rate", 6)
    raw = run("ffmpeg", "-v", "error", "-i", "b.jp2", "-f", "rawvideo", "-pix_fmt", form, "-")
    got = np.frombuffer(raw, "<u2").reshape(shape).astype(int)
    assert psnr(got, opened("b.jp2", shape, 16), 65535) > 80


def gdcm_agrees():
    for channels, bits, signed in ((1, 8, False), (1, 12, False), (1, 16, False), (1, 12, True),
                                   (3, 8, False)):
        shape = (83, 67, channels)
        picture = random_picture(shape, bits, signed, smooth=True)
        encode("a.jp2", picture, bits, signed=signed)
        run("gdcmimg", "-i", "a.jp2", "-o", "a.dcm")
        run("gdcmconv", "--raw", "a.dcm", "b.dcm")
        run("gdcmraw", "-t", "7fe0,0010", "-i", "b.dcm", "-o", "b.raw")
        raw = np.fromfile("b.raw", "u1" if bits == 8 else "<i2" if signed else "<u2")
        got = raw[:picture.size].reshape(shape)
        assert np.array_equal(got, picture), (channels, bits, signed)


# ---- against OpenJPEG's own encoder


def opj_encode(path, picture, bits, *options):
    height, width, channels = picture.shape
    raw = picture.transpose(2, 0, 1).astype("u1" if bits <= 8 else ">u2")
    pathlib.Path("in.raw").write_bytes(raw.tobytes())
    run("opj_compress", "-i", "in.raw", "-o", path, "-F", f"{width},{height},{channels},{bits},u",
        *options)


def camera():
    return skimage.data.camera()[..., None].astype(int), 8


def colour_photograph():
    return skimage.data.astronaut().astype(int), 8


def ascent():
    return scipy.misc.ascent()[..., None].astype(int), 8


def bands_are_those_of_openjpeg():
    """A picture of lower resolution is the low band of the next; with the picture itself, which
    is the same too, the other bands follow."""
    for picture, bits in (camera(), colour_photograph(), (random_picture((77, 131, 1), 16), 16)):
        shape = picture.shape
        encode("a.j2k", picture, bits)
        opj_encode("b.j2k", picture, bits, "-n", 6)
        for reduce in range(6):
            a = opened("a.j2k", shape, bits, reduce=reduce)
            b = opened("b.j2k", shape, bits, reduce=reduce)
            assert np.array_equal(a, b), (shape, reduce, np.abs(a - b).max())
        encode("a.j2k", picture, bits, "psnr", 110 if bits == 16 else 75)
        opj_encode("b.j2k", picture, bits, "-n", 6, "-I")
        for reduce in range(6):
            a = opened("a.j2k", shape, bits, reduce=reduce)
            b = opened("b.j2k", shape, bits, reduce=reduce)
            off = np.abs(a - b).max(), np.sqrt(np.mean((a - b) ** 2.0))
            assert off[0] <= 2 * shape[2] and off[1] < (0.5, 1)[shape[2] > 1], (shape, reduce, off)


def psnr(a, b, top):
    return 10 * np.log10(top ** 2 / max(np.mean((a - b) ** 2.0), 1e-9))


def ct():
    process(shared("dicom-test-files/REF/CT1_UNC"), "-o", "ct.tif", "--force")
    values = np.rint(pixels.read_tiff("ct.tif")[1]).astype(int)
    return np.clip(values - values.min(), 0, 4095), 12


def lossy_is_as_good_as_openjpeg():
    for picture, bits in (camera(), ascent(), ct(), colour_photograph()):
        top, n = (1 << bits) - 1, picture.shape[0] * picture.shape[1]
        for rate in (0.25, 0.5, 1, 2):
            opj_encode("b.j2k", picture, bits, "-n", 6, "-I", "-r",
                       bits * picture.shape[2] / rate)
            size = os.path.getsize("b.j2k")
            encode("a.j2k", picture, bits, "rate", 8 * size / n)
            ours = psnr(opened("a.j2k", picture.shape, bits), picture, top)
            theirs = psnr(opened("b.j2k", picture.shape, bits), picture, top)
            print(f"# {picture.shape} {rate} bits: {os.path.getsize('a.j2k')} bytes {ours:.2f} dB, "
                  f"OpenJPEG {size} bytes {theirs:.2f} dB")
            assert os.path.getsize("a.j2k") <= size, (rate, size)
            assert ours >= theirs - 0.1, (picture.shape, rate, ours, theirs)


def psnr_is_what_was_asked_for():
    for picture, bits in (camera(), colour_photograph(), (random_picture((400, 300, 1), 12, smooth=True), 12)):
        for wanted in (30, 40, 50):
            encode("a.j2k", picture, bits, "psnr", wanted)
            got = psnr(opened("a.j2k", picture.shape, bits), picture, (1 << bits) - 1)
            print(f"# {picture.shape} {wanted} dB: {got:.2f} dB, {os.path.getsize('a.j2k')} bytes")
            assert -0.05 < got - wanted < 0.7, (picture.shape, wanted, got)


def tiles_cannot_be_seen():
    """The transform goes tile by tile, and the file has one."""
    for shape in ((1700, 1601, 1), (40, 3000, 3)):
        picture = random_picture(shape, 16)
        encode("a.j2k", picture, 16, "psnr", 105)
        off = np.abs(opened("a.j2k", shape, 16) - picture).max()
        assert off <= 5, (shape, off)


def rates_are_kept():
    picture, bits = camera()
    for rate in (0.01, 0.1, 0.7, 3, 20):
        encode("a.jp2", picture, bits, "rate", rate)
        size = os.path.getsize("a.jp2")
        assert size <= rate * picture.size / 8, (rate, size)
        assert rate > 4 or size > 0.98 * rate * picture.size / 8 - 40, (rate, size)
        opened("a.jp2", picture.shape, bits)
    for shape in ((1, 1, 1), (1, 9, 3), (50, 3, 1)):
        tiny = random_picture(shape, 8)
        encode("a.jp2", tiny, 8, "rate", 0.001)  # the headers alone
        opened("a.jp2", shape, 8)
        encode("a.jp2", tiny, 8, "psnr", 60)
        assert psnr(opened("a.jp2", shape, 8), tiny, 255) > 59, shape


# ---- the command line


def process_keeps_every_sample():
    for channels, dtype in ((1, np.uint8), (1, np.uint16), (3, np.uint8), (3, np.uint16),
                            (4, np.uint8)):
        bits = 8 * np.dtype(dtype).itemsize
        picture = random_picture((61, 75, channels), bits).astype(dtype)
        pixels.write_png("in.png", picture)
        for suffix in (".jp2", ".j2k"):
            process("in.png", "-o", "out" + suffix)
            got = opened("out" + suffix, picture.shape, bits)
            assert np.array_equal(got, picture), (channels, bits, suffix)
            os.remove("out" + suffix)


def process_of_a_filter():
    picture = random_picture((61, 75, 1), 8, smooth=True).astype(np.uint8)
    pixels.write_png("in.png", picture)
    process("in.png", "-o", "out.tif", "-f", "gaussian:sigma=2")
    process("in.png", "-o", "out.jp2", "-f", "gaussian:sigma=2", "--lossless")
    values = pixels.read_tiff("out.tif")[1]
    assert np.abs(opened("out.jp2", picture.shape, 8) - values).max() < 0.5001
    data = pathlib.Path("out.jp2").read_bytes()
    assert b"Ondelette" in data and b"gaussian:sigma=2" in data
    process("in.png", "-o", "small.jp2", "--rate", "1")
    assert os.path.getsize("small.jp2") <= 61 * 75 / 8
    process("in.png", "-o", "good.jp2", "--psnr", "45")
    assert psnr(opened("good.jp2", picture.shape, 8), picture, 255) > 44.9


def packets(path):
    raw = pathlib.Path(path).read_bytes()
    return raw[raw.index(b"\xff\x93"):]


def any_engine_transforms():
    """Whole numbers are the same; of gl-compute they come back quantised."""
    picture = random_picture((331, 275, 3), 8, smooth=True).astype(np.uint8)
    pixels.write_png("in.png", picture)
    process("in.png", "-o", "cpu.j2k")
    process("in.png", "-o", "cpu-lossy.j2k", "--rate", "2")
    best = psnr(opened("cpu-lossy.j2k", picture.shape, 8), picture, 255)
    for engine in ("reference", "gl-fragment", "gl-compute"):
        os.environ["ODL_DEBUG"] = "timing"
        try:
            said = process("in.png", "-o", "a.j2k", "--engine", engine, "--force")
        finally:
            del os.environ["ODL_DEBUG"]
        quantised = "quantised by the engine" in said.stderr
        assert quantised == (engine == "gl-compute"), (engine, said.stderr)
        assert packets("a.j2k") == packets("cpu.j2k"), engine
        process("in.png", "-o", "a.j2k", "--engine", engine, "--rate", "2", "--force")
        got = psnr(opened("a.j2k", picture.shape, 8), picture, 255)
        assert abs(got - best) < 0.01, (engine, got, best)


def process_of_a_ct():
    path = shared("dicom-test-files/REF/CT1_UNC")
    process(path, "-o", "out.tif")
    values = pixels.read_tiff("out.tif")[1]
    process(path, "-o", "out.jp2")
    raw = pathlib.Path("out.jp2").read_bytes()
    at = raw.index(b"ihdr")
    height, width, channels, depth = struct.unpack(">IIHB", raw[at + 4:at + 15])
    got = opened("out.jp2", values.shape, (depth & 127) + 1, bool(depth & 128))
    shift = np.rint(values).astype(int) - got  # the intercept of the file's units
    assert (height, width, channels) == values.shape and shift.min() == shift.max(), shift


def nothing_is_written_over():
    pixels.write_png("in.png", random_picture((9, 9, 1), 8).astype(np.uint8))
    pathlib.Path("out.jp2").write_text("mine")
    fails(1, "out.jp2", "--force", arguments=("process", "in.png", "-o", "out.jp2"))
    assert pathlib.Path("out.jp2").read_text() == "mine"
    process("in.png", "-o", "out.jp2", "--force")
    assert pathlib.Path("out.jp2").read_bytes()[4:8] == b"jP  " and not leftovers()


def what_does_not_fit_is_refused():
    pixels.write_png("in.png", random_picture((30, 30, 1), 8).astype(np.uint8))
    for words, options in ((("exclude",), ("--rate", "1", "--lossless")),
                           (("exclude",), ("--rate", "1", "--psnr", "30")),
                           (("--rate",), ("--rate", "nothing")), (("--rate",), ("--rate", "-1")),
                           (("--psnr",), ("--psnr", "nan"))):
        fails(2, *words, arguments=("process", "in.png", "-o", "out.jp2", *options))
    fails(2, "JPEG 2000", arguments=("process", "in.png", "-o", "out.png", "--rate", "1"))
    fails(1, "coefficients", arguments=(
        "process", "in.png", "-o", "out.jp2", "-f", "soft-threshold:threshold=0.1", "--view",
        "analysis"))
    assert not os.path.exists("out.jp2") and not leftovers()


sys.exit(run_cases({
    "grey pictures of every depth are read back by OpenJPEG as they were": grey_of_every_depth_is_lossless,
    "so are colour pictures": colour_of_every_depth_is_lossless,
    "so are pictures of every shape": every_size_is_lossless,
    "so are those with the largest coefficients": extremes_are_lossless,
    "so are those with a carry near the end of a codeword": rare_ends_of_codewords_are_lossless,
    "FFmpeg reads the same pictures": ffmpeg_agrees,
    "GDCM reads the same pictures": gdcm_agrees,
    "the bands are those of OpenJPEG": bands_are_those_of_openjpeg,
    "at equal size pictures are as good as OpenJPEG's": lossy_is_as_good_as_openjpeg,
    "--psnr is what decoders find": psnr_is_what_was_asked_for,
    "lossy pictures show no tiles of the transform": tiles_cannot_be_seen,
    "--rate is kept": rates_are_kept,
    "process keeps every sample": process_keeps_every_sample,
    "process writes what filters made": process_of_a_filter,
    "any engine transforms": any_engine_transforms,
    "process keeps the values of a CT": process_of_a_ct,
    "a file that is there is replaced with --force alone": nothing_is_written_over,
    "options that do not fit are refused": what_does_not_fit_is_refused,
}))
