#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Forms of DICOM pixels: deflated data sets, RLE of all depths, floats, wide integers, segmented palettes.
What they hold is compared with what was written; damaged and boundless ones are refused. The numbers
that files store, as TIFF of 16 bits, against pydicom's and SciPy's.

usage: forms.py ONDELETTE_CLI
"""
import pathlib
import struct
import subprocess
import sys
import zlib

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "helpers"))
import pixels  # noqa: E402
from command_line import CLI, fails, run, run_cases, shared  # noqa: E402
from dicom_file import BIG, LITTLE, RLE, Writer  # noqa: E402

RANDOM = np.random.default_rng(23)
DEFLATED = "1.2.840.10008.1.2.1.99"
HEIGHT, WIDTH = 21, 37


def describe(allocated, signed=False, syntax=LITTLE, photometric="MONOCHROME2", frames=None):
    out = Writer(syntax)
    out.put(0x00080016, "UI", "1.2.840.10008.5.1.4.1.1.7").put(0x00080018, "UI", "1.2.3.4")
    out.put(0x00280002, "US", 1).put(0x00280004, "CS", photometric)
    if frames:
        out.put(0x00280008, "IS", frames)
    out.put(0x00280010, "US", HEIGHT).put(0x00280011, "US", WIDTH)
    out.put(0x00280100, "US", allocated).put(0x00280101, "US", allocated)
    return out.put(0x00280102, "US", allocated - 1).put(0x00280103, "US", int(signed))


def values_of(path, *options):
    run("process", path, "-o", "values.tif", "--force", *options)
    return pixels.read_tiff("values.tif")[1][..., 0].astype(float)


def rle_segment(data):
    """PackBits with runs and literals of random lengths."""
    out, at = b"", 0
    while at < len(data):
        run_length = 1
        while at + run_length < len(data) and run_length < 128 and data[at + run_length] == data[at]:
            run_length += 1
        if run_length > 1:
            out += bytes([257 - run_length, data[at]])
            at += run_length
        else:
            n = min(int(RANDOM.integers(1, 129)), len(data) - at)
            out += bytes([n - 1]) + data[at:at + n]
            at += n
    return out + b"\0" * (len(out) % 2)


def rle_frame(parts):
    segments = [rle_segment(part) for part in parts]
    offsets = [64 + sum(map(len, segments[:i])) for i in range(len(segments))]
    return struct.pack("<16I", len(segments), *offsets, *[0] * (15 - len(segments))) + b"".join(segments)


def planes(values):
    """The bytes of each sample, the highest first."""
    raw = values.astype(f">u{values.dtype.itemsize}").tobytes()
    return [raw[i::values.dtype.itemsize] for i in range(values.dtype.itemsize)]


def rle_of_32_bits():
    whole = RANDOM.integers(0, 1 << 24, (2, HEIGHT, WIDTH)).astype("u4") * 37 % (1 << 24)
    whole[:, 5:9] = 7
    out = describe(32, syntax=RLE, frames=2)
    path = out.frames([rle_frame(planes(one)) for one in whole]).write()
    for frame in range(2):
        got = values_of(path, "--frame", frame + 1)
        if np.abs(got - whole[frame]).max() > 1:
            yield f"frame {frame + 1} differs by {np.abs(got - whole[frame]).max()}"
    negative = RANDOM.integers(-100000, 100000, (HEIGHT, WIDTH)).astype("i4")
    path = describe(32, True, RLE).frames([rle_frame(planes(negative.view("u4")))]).write()
    if np.abs(values_of(path) - negative).max() > 0.02:
        yield "negative samples differ"
    stream = rle_frame(planes(whole[0]))
    for cut in (10, 64, 70, len(stream) // 2):
        run_or_refuse(describe(32, syntax=RLE).frames([stream[:cut]]).write())


def rle_of_1_bit():
    bits = RANDOM.integers(0, 2, (2, HEIGHT, WIDTH)).astype("u1")
    frames = [rle_frame([np.packbits(one.ravel(), bitorder="little").tobytes()]) for one in bits]
    path = describe(1, syntax=RLE, frames=2).frames(frames).write()
    native = describe(1, frames=2).put(0x7fe00010, "OB", np.packbits(
        bits.ravel(), bitorder="little").tobytes()).write()
    for frame in (1, 2):
        got, want = values_of(path, "--frame", frame), values_of(native, "--frame", frame)
        if not np.array_equal(got, want) or not np.array_equal(got > got.min(), bits[frame - 1] > 0):
            yield f"frame {frame} differs"


def run_or_refuse(path):
    """A picture or one sentence, never a crash of the helper."""
    done = subprocess.run([CLI, "process", str(path), "-o", "values.tif", "--force"], capture_output=True,
                          timeout=600)
    words = done.stderr.decode()
    assert done.returncode in (0, 1) and "crash" not in words and "stopped" not in words, words


def floats():
    values = RANDOM.normal(0, 1000, (HEIGHT, WIDTH))
    for syntax in (LITTLE, BIG):
        for tag, vr, code, allocated in ((0x7fe00008, "OF", "f4", 32), (0x7fe00009, "OD", "f8", 64)):
            out = describe(allocated, syntax=syntax)
            for gone in (0x00280101, 0x00280102, 0x00280103):
                del out.elements[gone]
            body = values.astype(out.order + code).tobytes()
            group = struct.pack(out.order + "HH", tag >> 16, tag & 0xffff)
            out.raw(tag, vr.encode() + b"\0\0" + struct.pack(out.order + "I", len(body)) + body)
            got = values_of(out.write())
            if np.abs(got - values).max() > 1e-3 or not group:
                yield f"{vr} of {syntax} differs by {np.abs(got - values).max()}"


def wide_integers():
    for signed in (False, True):
        low = -(1 << 30) if signed else 0
        values = RANDOM.integers(low, 1 << 30, (HEIGHT, WIDTH))
        code = "i4" if signed else "u4"
        out = describe(32, signed).put(0x7fe00010, "OW", values.astype("<" + code).tobytes())
        apart = np.abs(values_of(out.write()) - values).max()
        if apart > 2 ** 31 / 2 ** 22:
            yield f"integers of 32 bits, signed {signed}, differ by {apart}"


def deflate(out):
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(out.body()) + packer.flush()


def write_deflated(data, name="deflated.dcm"):
    meta = Writer().put(0x00020001, "OB", b"\0\1").put(0x00020002, "UI", "1.2.840.10008.5.1.4.1.1.7")
    body = meta.put(0x00020003, "UI", "1.2.3.4").put(0x00020010, "UI", DEFLATED).body()
    length = struct.pack("<HH2sHI", 2, 0, b"UL", 4, len(body))
    pathlib.Path(name).write_bytes(b"\0" * 128 + b"DICM" + length + body + data)
    return name


def deflated():
    values = RANDOM.integers(0, 65536, (HEIGHT, WIDTH))
    out = describe(16).put(0x7fe00010, "OW", values.astype("<u2").tobytes())
    data = deflate(out)
    if np.abs(values_of(write_deflated(data)) - values).max() > 0.01:
        yield "a deflated picture differs"
    fails(1, "deflated.dcm", "damaged", arguments=["info", write_deflated(b"\xff" + data[1:])])
    # 1 GiB of zeros in a file of a megabyte.
    out = describe(8)
    bomb = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = bomb.compress(out.body() + struct.pack("<HH2sHI", 0x7fe0, 0x10, b"OB", 0, 1 << 30))
    packed += b"".join(bomb.compress(b"\0" * (1 << 20)) for _ in range(1024)) + bomb.flush()
    told = run("info", write_deflated(packed), status=1).stderr
    # On a busy machine its time ends first.
    if "expands to more than" not in told and "takes too long" not in told:
        yield f"of a bomb is said {told}"


def palette(tables, segmented, first=0, bits=16, n=256):
    out = describe(8, photometric="PALETTE COLOR")
    indices = (np.arange(HEIGHT * WIDTH) % 256).astype("u1")
    for channel in range(3):
        out.put(0x00281101 + channel, "US", n % 65536, first, bits)
        tag = (0x00281221 if segmented else 0x00281201) + channel
        out.put(tag, "OW", tables[channel])
    return out.put(0x7fe00010, "OB", indices.tobytes())


def expand(path):
    run("process", path, "-o", "palette.png", "--force")
    return pixels.read_png("palette.png").astype(int)


def words(*numbers):
    return np.array(numbers).astype("<u2").tobytes()


def segmented_palettes():
    """A run, a line, and a copy of both, which begins where the line of the copy ends."""
    run_of = [256 * i for i in range(100)]
    segments = [0, 100, *run_of, 1, 28, 0]
    line = [np.floor(run_of[-1] + (0 - run_of[-1]) * i / 28 + 0.5) for i in range(1, 29)]
    table = np.array([*run_of, *line] * 2).astype("<u2").tobytes()
    # The offset in bytes, in two words.
    copied = words(*segments, 2, 2, 0, 0)
    got = expand(palette([copied] * 3, True).write())
    want = expand(palette([table] * 3, False).write())
    if not np.array_equal(got, want):
        yield f"a palette with a copy differs at {np.argwhere(got != want)[:3].tolist()}"
    later = words(*segments, 2, 1, len(segments[:102]) * 2, 0, 0, 100, *range(100))
    line_of_copy = [np.floor(line[-1] + (0 - line[-1]) * i / 28 + 0.5) for i in range(1, 29)]
    table = np.array([*run_of, *line, *line_of_copy, *range(100)]).astype("<u2").tobytes()
    got, want = (expand(palette([data] * 3, kind).write()) for data, kind in ((later, True), (table, False)))
    if not np.array_equal(got, want):
        yield "a copy of the second segment differs"
    eight = bytes([0, 200, *range(200), 1, 56, 0])
    line = [int(np.floor(199 - 199 * i / 56 + 0.5)) for i in range(1, 57)]
    for data in (eight, words(*eight)):
        got = expand(palette([data + b"\0" * (len(data) % 2)] * 3, True, bits=8).write())[..., 0].ravel()
        if not np.array_equal(got[:256], [*range(200), *line]):
            yield "a palette of bytes differs"
    for name, bad in (("no end", words(0, 300, *range(256))), ("nothing", words(0, 0, 0, 0)),
                      ("a copy of itself", words(0, 2, 1, 2, 2, 5, 8, 0)), ("outside", words(2, 9, 60000, 1)),
                      ("no start", words(1, 256, 7)), ("unknown", words(3, 256, 7)),
                      ("too long", words(0, 2, 1, 2, 1, 65535, 4)), ("short", words(0, 3, 1, 2, 3))):
        try:
            fails(1, "segmented colour palette is damaged", arguments=["info", palette([bad] * 3, True).write()])
        except AssertionError as problem:
            yield f"{name}: {problem}"


def real_segmented_palette():
    """Of a file that DCMTK refuses."""
    path = shared("pydicom-data/gdcm-US-ALOKA-16.dcm")
    if len(np.unique(expand(path).reshape(-1, 3), axis=0)) < 50:
        yield "it has no colours"


def tiff_of_16_bits():
    """Signed and unsigned, of fewer bits, with a filter, in colour."""
    import pydicom
    import tifffile
    from scipy.ndimage import median_filter
    below = RANDOM.integers(-3000, 3000, (HEIGHT, WIDTH))
    made = describe(16, True).put(0x7fe00010, "OW", below.astype("<i2").tobytes()).write()
    real = ("pydicom/CT_small.dcm", "pydicom/MR_small.dcm", "pydicom-data/US1_UNCR.dcm")
    for path, wanted, kind in [(made, below, "int16")] + [
            (shared(name), pydicom.dcmread(shared(name)).pixel_array, "uint16") for name in real]:
        run("process", path, "-o", "out.16.tif", "--force")
        got = tifffile.imread("out.16.tif")
        if got.dtype != kind or not np.array_equal(got, wanted):
            yield f"{path}: {got.dtype} instead of {kind}, or other numbers"
        if wanted.ndim == 2:
            run("process", path, "-o", "out.16.tif", "--force", "-f", "median")
            if not np.array_equal(tifffile.imread("out.16.tif"), median_filter(wanted, 3, mode="mirror")):
                yield f"{path}: its medians differ"
    run("process", shared("pydicom/CT_small.dcm"), "-o", "x.out", "--format", "tiff16")
    if "window: centre 2047.5, width 4095" not in run("info", "x.out").stdout:
        yield "its range is not the window that it opens with"
    if b"; value 1 x number -1024 HU" not in pathlib.Path("x.out").read_bytes():
        yield "it does not say what its numbers are"
    wide = describe(32).put(0x7fe00010, "OW", RANDOM.integers(0, 1 << 30, HEIGHT * WIDTH).astype("<u4").tobytes())
    done = run("process", wide.write(), "-o", "wide.16.tif", status=1)
    if "do not fit 16 bits" not in done.stderr or pathlib.Path("wide.16.tif").exists():
        yield f"32 bits are written in 16: {done.stderr}"
    fails(1, "hold results, not coefficients",
          arguments=["process", shared("pydicom/CT_small.dcm"), "-o", "bands.16.tif", "-f", "soft-threshold:threshold=0.1",
                     "--view", "analysis"])


sys.exit(run_cases({
    "RLE of 32 bits": rle_of_32_bits,
    "RLE of 1 bit": rle_of_1_bit,
    "floats of both widths": floats,
    "integers of 32 bits": wide_integers,
    "deflated data sets, and bombs": deflated,
    "segmented palettes": segmented_palettes,
    "a real segmented palette": real_segmented_palette,
    "TIFF of 16 bits": tiff_of_16_bits}))
