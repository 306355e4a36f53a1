#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""JPEG 2000 in DICOM: what opj_compress was given, what opj_decompress and GDCM make of it.

usage: jpeg2000.py ONDELETTE_CLI
"""
import pathlib
import shutil
import struct
import subprocess
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "helpers"))
import pixels  # noqa: E402
from command_line import Skip, process, read, run_cases, shared  # noqa: E402
from dicom_file import Writer  # noqa: E402

LOSSLESS, EITHER, HIGH = (f"1.2.840.10008.1.2.4.{end}" for end in (90, 91, 201))
HEIGHT, WIDTH = 67, 90


def run(*command):
    if shutil.which(command[0]) is None:
        raise Skip(f"{command[0]} is not installed")
    done = subprocess.run([*map(str, command)], capture_output=True, timeout=600)
    assert done.returncode == 0, f"{command} gave {done.returncode}: {done.stderr}{done.stdout}"


def smooth(bits, channels=1, signed=False):
    y, x, c = np.mgrid[:HEIGHT, :WIDTH, :channels]
    noise = np.random.default_rng([bits, channels]).normal(0, 0.03, y.shape)
    waves = 0.5 + 0.45 * np.sin(0.1 * x + 2 * c) * np.cos(0.07 * y * (c + 1)) + noise
    whole = np.clip(np.rint(waves * ((1 << bits) - 1)), 0, (1 << bits) - 1).astype(int)
    return whole - (signed << (bits - 1))


def encode(picture, bits, *options, signed=False, suffix="j2k"):
    """The codestream that opj_compress makes."""
    height, width, channels = picture.shape
    pathlib.Path("in.rawl").write_bytes(
        picture.transpose(2, 0, 1).astype("<i2" if bits > 8 else "i1").tobytes())
    run("opj_compress", "-i", "in.rawl", "-o", f"out.{suffix}", "-F",
        f"{width},{height},{channels},{bits},{'s' if signed else 'u'}", *options)
    return pathlib.Path(f"out.{suffix}").read_bytes()


def decoded(stream, shape, bits, signed=False):
    """What opj_decompress makes of it."""
    pathlib.Path("back.j2k").write_bytes(stream)
    run("opj_decompress", "-i", "back.j2k", "-o", "back.rawl")
    raw = np.fromfile("back.rawl", "<u2" if bits > 8 else "u1").astype(int)
    raw = raw.reshape(shape[2], *shape[:2]).transpose(1, 2, 0)
    return raw - (raw >> (bits - 1) << bits) if signed else raw


def wrap(streams, shape, bits, photometric, signed=False, syntax=LOSSLESS, stored=None):
    """A file of these frames."""
    stored = stored or bits
    out = Writer(syntax)
    out.put(0x00080016, "UI", "1.2.840.10008.5.1.4.1.1.7").put(0x00080018, "UI", "1.2.3.4")
    out.put(0x00280002, "US", shape[2]).put(0x00280004, "CS", photometric)
    if shape[2] > 1:
        out.put(0x00280006, "US", 0)
    if len(streams) > 1:
        out.put(0x00280008, "IS", len(streams))
    out.put(0x00280010, "US", shape[0]).put(0x00280011, "US", shape[1])
    out.put(0x00280100, "US", 8 if stored <= 8 else 16).put(0x00280101, "US", stored)
    out.put(0x00280102, "US", stored - 1).put(0x00280103, "US", int(signed))
    return out.frames(streams).write()


def whole(path):
    values = pixels.read_tiff(path)[1]
    assert np.abs(values - np.rint(values)).max() < 0.01, path
    return np.rint(values)


def ours(paths):
    """The values that each file holds."""
    process(*paths, "-o", "values/", "--format", "tiff", "--force")
    return [whole(f"values/{pathlib.Path(path).stem}.tif") for path in paths]


def check(rows, bound=0):
    """rows: path of a file, values that it holds."""
    for got, (path, want) in zip(ours([path for path, _ in rows]), rows):
        assert got.shape == want.shape, (path, got.shape, want.shape)
        assert np.abs(got - want).max() <= bound, (path, np.abs(got - want).max())


def grey_of_every_depth_is_exact():
    rows = []
    for bits in range(1, 17):
        for signed in (False, True):
            picture = smooth(bits, signed=signed)
            stream = encode(picture, bits, signed=signed)
            rows.append((wrap([stream], picture.shape, bits, "MONOCHROME2", signed), picture))
    check(rows)


def words_take_the_sign_that_the_header_says():
    for bits, stored in ((12, 12), (12, 16), (16, 16)):
        for signed in (False, True):
            picture = smooth(bits, signed=signed)
            words = picture & ((1 << bits) - 1)
            stream = encode(words - (not signed) * (words >> (bits - 1) << bits), bits,
                            signed=not signed)
            path = wrap([stream], picture.shape, bits, "MONOCHROME2", signed, stored=stored)
            check([(path, picture)])
            assert "disagree on whether values have a sign" in read("info", path)["warning"]


def colours_are_exact_with_and_without_the_transform():
    rows = []
    for bits in (8, 12, 16):
        picture = smooth(bits, 3)
        for transform, photometric in ((1, "YBR_RCT"), (1, "RGB"), (0, "RGB")):
            stream = encode(picture, bits, "-mct", transform)
            rows.append((wrap([stream], picture.shape, bits, photometric), picture))
    check(rows)
    assert all(not read("info", path)["warning"] for path, _ in rows)


def luma_and_chroma_without_the_transform_become_rgb():
    picture = smooth(8, 3)
    y, cb, cr = np.moveaxis(picture.astype(float), 2, 0)
    rgb = np.stack((y + 1.402 * (cr - 128), y - 0.344136 * (cb - 128) - 0.714136 * (cr - 128),
                    y + 1.772 * (cb - 128)), 2)
    stream = encode(picture, 8, "-mct", 0)
    for photometric in ("YBR_FULL", "YBR_FULL_422"):
        check([(wrap([stream], picture.shape, 8, photometric), np.clip(rgb, 0, 255))], 0.51)


def colours_that_header_and_stream_dispute_are_named():
    picture = smooth(8, 3)
    for transform, photometric in ((1, "YBR_FULL"), (0, "YBR_RCT"), (0, "YBR_ICT")):
        path = wrap([encode(picture, 8, "-mct", transform)], picture.shape, 8, photometric)
        assert "disagree on its colours" in read("info", path)["warning"]
        check([(path, picture)])


def lossy_pictures_are_those_of_opj_decompress():
    rows = []
    for bits, channels, signed in ((8, 1, False), (8, 3, False), (12, 1, True), (16, 1, False)):
        for options in (("-I", "-r", 12), ("-I", "-r", 6, "-t", "32,40"), ("-r", 8, "-p", "RPCL")):
            picture = smooth(bits, channels, signed)
            stream = encode(picture, bits, *options, signed=signed)
            want = decoded(stream, picture.shape, bits, signed)
            assert np.abs(want - picture).max() > 2, "that was no loss"
            path = wrap([stream], picture.shape, bits, "YBR_ICT" if channels == 3 else
                        "MONOCHROME2", signed, EITHER)
            assert read("info", path)["details"]["lossy"] == ("yes" if "-I" in options else "no")
            rows.append((path, want))
    check(rows, 0)


def other_layouts_of_the_stream_are_exact():
    picture = smooth(12)
    rows = [(wrap([encode(picture, 12, *options.split(), suffix=suffix)], picture.shape, 12,
                  "MONOCHROME2"), picture)
            for options, suffix in (("-t 16,20 -n 3", "j2k"), ("-p CPRL -SOP -EPH", "j2k"),
                                    ("-b 4,4", "j2k"), ("-M 63", "j2k"), ("-n 1", "j2k"),
                                    ("-d 5,7", "j2k"), ("-c [64,64],[32,32] -n 3", "j2k"), ("", "jp2"))]
    check(rows)


def every_frame_of_a_cine_is_its_own():
    pictures = [np.roll(smooth(8), 5 * i, 1) for i in range(5)]
    path = wrap([encode(one, 8) for one in pictures], pictures[0].shape, 8, "MONOCHROME2")
    for i, picture in enumerate(pictures):
        process(path, "-o", "frame.tif", "--frame", i + 1, "--force")
        assert np.array_equal(whole("frame.tif"), picture), i


def frames_in_turn_are_those_read_alone():
    """The next one is decoded meanwhile, by another helper; also after one that is damaged, and at the end."""
    pictures = [np.roll(smooth(12), 5 * i, 1) for i in range(9)]
    streams = [encode(one, 12) for one in pictures]
    streams[4] = streams[4][:60] + b"\xff" * 40
    path = wrap(streams, pictures[0].shape, 12, "MONOCHROME2")
    done = process(path, "-o", "turn-%d.tif", "--force", status=3)
    assert "1 of 9 frames is damaged" in done.stderr, done.stderr
    for i, picture in enumerate(pictures):
        if i != 4:
            assert np.array_equal(whole(f"turn-{i + 1}.tif"), picture), i
    # In another order each frame comes, too.
    process(path, "-o", "late-%d.tif", "--frames", "6-9")
    for i in range(5, 9):
        assert np.array_equal(whole(f"late-{i + 1}.tif"), pictures[i]), i


def a_stream_that_ends_early_is_marked():
    picture = smooth(8)
    stream = encode(picture, 8, "-t", "32,32")
    path = wrap([stream[:len(stream) * 2 // 3]], picture.shape, 8, "MONOCHROME2")
    done = process(path, "-o", "cut.tif", status=3)
    assert "end too early" in done.stderr, done.stderr
    got = whole("cut.tif")
    assert np.array_equal(got[:32], picture[:32]) and not np.array_equal(got, picture)


def real_files_are_those_of_gdcm():
    rows = []
    for name in ("dicom-test-files/J2KI/RG1_J2KI", "dicom-test-files/J2KR/NM1_J2KR",
                 "pydicom/JPEG2000.dcm", "pydicom/SC_rgb_gdcm_KY.dcm",
                 "pydicom/examples_jpeg2k.dcm", "pydicom-data/US1_J2KI.dcm",
                 "pydicom-data/liver_j2k.dcm"):
        raw = f"{len(rows)}-raw.dcm"
        run("gdcmconv", "--raw", shared(name), raw)
        path = pathlib.Path(f"{len(rows)}.dcm")
        path.symlink_to(shared(name))
        rows.append((path, raw))
    for path, raw in rows:
        a, b = ours([path]), ours([raw])
        assert np.array_equal(a, b), (path.resolve(), np.abs(np.subtract(a, b)).max())


def a_real_high_throughput_stream_is_that_of_opj_decompress():
    path = shared("pydicom-data/HTJ2KLossless_08_RGB.dcm")
    data = path.read_bytes()
    start = data.index(b"\xff\x4f\xff\x51")
    size, = struct.unpack("<I", data[start - 4:start])
    check([(path, decoded(data[start:start + size], (480, 640, 3), 8))])
    assert read("info", path)["details"]["transfer-syntax"] == HIGH


if __name__ == "__main__":
    sys.exit(run_cases({case.__name__.replace("_", " "): case for case in (
        grey_of_every_depth_is_exact, words_take_the_sign_that_the_header_says,
        colours_are_exact_with_and_without_the_transform,
        luma_and_chroma_without_the_transform_become_rgb,
        colours_that_header_and_stream_dispute_are_named,
        lossy_pictures_are_those_of_opj_decompress, other_layouts_of_the_stream_are_exact,
        every_frame_of_a_cine_is_its_own, frames_in_turn_are_those_read_alone, a_stream_that_ends_early_is_marked,
        real_files_are_those_of_gdcm, a_real_high_throughput_stream_is_that_of_opj_decompress)}))
