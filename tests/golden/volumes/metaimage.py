#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""MetaImage as numpy reads and writes it, against what the command line shows.

usage: metaimage.py ONDELETTE_CLI
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import zlib

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "helpers"))
import pixels  # noqa: E402
import tap  # noqa: E402

# Which engine “auto” takes for many pictures depends on how busy the machine is.
os.environ["ODL_ENGINE"] = "cpu"
CLI = os.path.abspath(sys.argv[1])
DATA = pathlib.Path(os.environ.get("ODL_TESTDATA", ""), "PlusLibData")
TYPES = {"UCHAR": "u1", "CHAR": "i1", "USHORT": "u2", "SHORT": "i2", "UINT": "u4", "INT": "i4",
         "ULONG": "u4", "LONG": "i4", "ULONG_LONG": "u8", "LONG_LONG": "i8", "FLOAT": "f4",
         "DOUBLE": "f8"}
RANDOM = np.random.default_rng(20)
HEAD = {"ObjectType": "Image", "NDims": 3}


def text(fields):
    return "".join(f"{key} = {value}\n" for key, value in fields.items()).encode()


def some_frames(code, *shape):
    """Values that fill the type, but stay exact as 32-bit floats."""
    if code[0] == "f":
        return RANDOM.normal(0, 300, shape).astype("f4").astype(code)
    info = np.iinfo(code)
    low, high = max(info.min, -(1 << 23)), min(info.max, 1 << 23)
    return RANDOM.integers(low, high, shape, endpoint=True).astype(code)


def fields_for(frames, kind, channels=1, **more):
    axes = frames.shape[:-1] if channels > 1 else frames.shape
    return {"ObjectType": "Image", "NDims": len(axes), "BinaryData": "True",
            "DimSize": " ".join(map(str, axes[::-1])), "ElementType": f"MET_{kind}",
            "ElementNumberOfChannels": channels, **more}


def run(*arguments):
    return subprocess.run([CLI, *map(str, arguments)], capture_output=True, encoding="utf-8",
                          timeout=1800)


def shown(path, frame, status=0):
    """The values of a frame, as the command line writes them; `status` 3: of one that is damaged."""
    out = str(path) + ".out.tif"
    done = run("process", path, "--frame", frame + 1, "-o", out, "--force")
    assert done.returncode == status, done.stderr
    return pixels.read_tiff(out)[1]


def info(path):
    done = run("info", path, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def refusal(path, *more):
    done = run("process", path, *more, "-o", str(path) + ".out.tif", "--force")
    assert done.returncode == 1, f"{path}: status {done.returncode} {done.stderr}"
    assert done.stderr.count("\n") == 1, done.stderr
    return done.stderr


def same(got, wanted, frames):
    """Equal but for the way to 0 … 1 and back, in 32-bit floats."""
    largest = max(abs(float(frames.max())), abs(float(frames.min())), 1)
    if frames.dtype.kind in "iu" and frames.dtype.itemsize < 4:
        largest = np.iinfo(frames.dtype).max
    return np.abs(got - wanted.astype("f4")).max() <= 3e-7 * largest


def differences(path, frames, name):
    """frames: z × y × x (× channels). Yields what differs."""
    if len(frames.shape) == 3:
        frames = frames[..., None]
    for i in {0, len(frames) // 2, len(frames) - 1}:
        got = shown(path, i)
        if got.shape != frames[i].shape:
            yield f"{name}: frame {i} is {got.shape}, not {frames[i].shape}"
        elif not same(got, frames[i], frames):
            yield f"{name}: frame {i} differs by {np.abs(got - frames[i].astype('f4')).max()}"


def every_type():
    for number, (kind, code) in enumerate(TYPES.items()):
        for order, msb in (("<", "False"), (">", "True")):
            frames = some_frames(code, 5, 7, 11)
            data = frames.astype(order + code).tobytes()
            packed = (number + (order == ">")) % 2 == 0
            fields = fields_for(frames, kind, BinaryDataByteOrderMSB=msb,
                                CompressedData=packed, ElementDataFile="LOCAL")
            path = pathlib.Path(f"{kind}{order == '>'}.mha")
            path.write_bytes(text(fields) + (zlib.compress(data) if packed else data))
            yield from differences(path, frames, f"{kind} {order} packed={packed}")


def numbers_as_text():
    """As MetaIO writes them with BinaryData = False: blanks and line breaks between them."""
    for kind, code in TYPES.items():
        frames = some_frames(code, 3, 40, 61)
        fields = fields_for(frames, kind, BinaryDataByteOrderMSB="True", ElementDataFile="LOCAL") | {"BinaryData": "False"}
        words = [repr(value) for value in frames.ravel().tolist()]
        for between in " ", "\n", " \r\n\t ":
            pathlib.Path("text.mha").write_bytes(text(fields) + between.join(words).encode() + b"\n")
            yield from differences("text.mha", frames, f"{kind} {between!r}")
    pathlib.Path("beside.raw").write_text(" ".join(words))
    pathlib.Path("beside.mhd").write_bytes(text(fields | {"ElementDataFile": "beside.raw"}))
    yield from differences("beside.mhd", frames, "beside")
    colours = some_frames("u1", 3, 6, 9, 3)
    fields = fields_for(colours, "UCHAR", 3, ElementDataFile="LOCAL") | {"BinaryData": "False"}
    pathlib.Path("colours.mha").write_bytes(text(fields) + " ".join(map(str, colours.ravel())).encode())
    yield from differences("colours.mha", colours, "colours")
    # Numbers that do not fit are the nearest that do; what is none ends them.
    flat = fields_for(np.zeros((2, 3)), "UCHAR", ElementDataFile="LOCAL") | {"BinaryData": "False"}
    pathlib.Path("odd.mha").write_bytes(text(flat) + b"-5 256 1e300 nan 7.9 8")
    if (got := shown("odd.mha", 0)).ravel().tolist() != [0, 255, 255, 0, 7, 8]:
        yield f"odd: {got}"
    for name, content, status in (("cut", b"1 2 3 4", 3), ("words", b"1 2 3 four 5 6", 3), ("none", b"here are none", 1),
                                  ("long", b"1" * 200000, 1)):
        pathlib.Path(f"{name}.mha").write_bytes(text(flat) + content)
        done = run("process", f"{name}.mha", "-o", "x.png", "--force")
        if done.returncode != status or not done.stderr.startswith("ondelette-cli: "):
            yield f"{name}: {done}"
    huge = text({**flat, "DimSize": "60000 60000"})
    pathlib.Path("huge.mha").write_bytes(huge + b"1 2 3")
    if (done := run("info", "huge.mha")).returncode != 1:
        yield f"huge: {done}"


def colour():
    for channels in (3, 4):
        frames = some_frames("u1", 3, 6, 9, channels)
        fields = fields_for(frames, "UCHAR_ARRAY", channels, ElementDataFile="LOCAL")
        path = pathlib.Path(f"colour{channels}.mha")
        path.write_bytes(text(fields) + frames.tobytes())
        yield from differences(path, frames, f"{channels} channels")


def dimensions():
    flat = some_frames("i2", 8, 5)
    pathlib.Path("flat.mha").write_bytes(
        text(fields_for(flat, "SHORT", ElementDataFile="LOCAL")) + flat.tobytes())
    yield from differences("flat.mha", flat[None], "2-D")
    moving = some_frames("i2", 3, 4, 6, 5)
    pathlib.Path("moving.mha").write_bytes(
        text(fields_for(moving, "SHORT", ElementDataFile="LOCAL")) + moving.tobytes())
    yield from differences("moving.mha", moving.reshape(12, 6, 5), "4-D")
    told = info("moving.mha")
    if (told["frames"], told["slices"]) != (12, 4):
        yield f"4-D is not three volumes of 4 slices: {told}"
    cut = pathlib.Path("moving.mha").read_bytes()[:-6 * 5 * 2]
    pathlib.Path("cut-volume.mha").write_bytes(cut)
    told = info("cut-volume.mha")
    if (told["frames"], told["slices"]) != (12, 4) or "holds 11" not in told["warning"]:
        yield f"without its last slice 4-D stays a row of volumes: {told}"


def files_beside():
    frames = some_frames("u2", 6, 4, 5)
    parts = [frame.tobytes() for frame in frames]
    pathlib.Path("all.raw").write_bytes(b"x" * 7 + b"".join(parts))
    pathlib.Path("all.zraw").write_bytes(zlib.compress(b"".join(parts)))
    for i, part in enumerate(parts):
        pathlib.Path(f"part{i + 3:03}.raw").write_bytes(part)
        pathlib.Path(f"50% dose {i}.raw").write_bytes(part)
    pathlib.Path("a.raw").write_bytes(b"".join(parts[:3]))
    pathlib.Path("b.raw").write_bytes(b"".join(parts[3:]))
    names = "".join(f"50% dose {i}.raw\n" for i in range(6)).encode()
    volumes = fields_for(frames.reshape(2, 3, 4, 5), "USHORT")
    plain = fields_for(frames, "USHORT")
    cases = {
        "skip": text({**plain, "HeaderSize": 7, "ElementDataFile": "all.raw"}),
        "end": text({**plain, "HeaderSize": -1, "ElementDataFile": "./all.raw"}),
        "zlib": text({**plain, "CompressedData": "True", "ElementDataFile": "all.zraw"}),
        "pattern": text({**plain, "ElementDataFile": "part%03d.raw 3 8 1"}),
        "list": text({**plain, "ElementDataFile": "LIST"}) + names,
        "windows": text({**plain, "ElementDataFile": "LIST"}).replace(b"\n", b"\r\n")
        + names.replace(b"\n", b"\r\n"),
        "list-2d": text({**volumes, "ElementDataFile": "LIST 2D"}) + names,
        "list-3d": text({**volumes, "ElementDataFile": "LIST"}) + b"a.raw\nb.raw\n",
    }
    for name, head in cases.items():
        path = pathlib.Path(name + ".mhd")
        path.write_bytes(head)
        yield from differences(path, frames, name)


def orientations():
    frames = some_frames("u1", 2, 4, 7)
    for name, flip in {"MFA": (1, 1), "UFA": (1, -1), "MN": (-1, 1), "UND": (-1, -1)}.items():
        path = pathlib.Path(name + ".mha")
        fields = fields_for(frames, "UCHAR", UltrasoundImageOrientation=name,
                            ElementDataFile="LOCAL")
        path.write_bytes(text(fields) + frames[:, ::flip[0], ::flip[1]].tobytes())
        yield from differences(path, frames, name)


def scale():
    frames = some_frames("u1", 2, 4, 7)
    fields = fields_for(frames, "UCHAR", ElementSpacing="0.25 0.5 3", ElementDataFile="LOCAL")
    pathlib.Path("scale.mha").write_bytes(text(fields) + frames.tobytes())
    told = info("scale.mha")["image"]
    if told["spacing_mm"][:2] != [0.25, 0.5] or told["pixel_aspect"] != 0.5:
        yield f"spacing is {told}"
    # As ITK takes it: the size of an element where there is no spacing, wherever it stands.
    for more, spacing in (({"ElementSize": "0.25 0.5 3"}, [0.25, 0.5]),
                          ({"ElementSize": "7 7 7", "ElementSpacing": "0.25 0.5 3"}, [0.25, 0.5]),
                          ({"ElementSpacing": "0.25 0.5 3", "ElementSize": "7 7 7"}, [0.25, 0.5])):
        fields = fields_for(frames, "UCHAR", **more, ElementDataFile="LOCAL")
        pathlib.Path("size.mha").write_bytes(text(fields) + frames.tobytes())
        if info("size.mha")["image"]["spacing_mm"][:2] != spacing:
            yield f"{more}: spacing is {info('size.mha')['image']['spacing_mm']}"
    values = frames.astype("f4") * 1000 - 500
    fields = fields_for(values, "FLOAT", ElementMin=-1000, ElementMax=3000,
                        ElementDataFile="LOCAL")
    pathlib.Path("float.mha").write_bytes(text(fields) + values.tobytes())
    tags = pixels.read_tiff("float.mha.out.tif")[0] if shown("float.mha", 1) is not None else {}
    if (tags.get(340), tags.get(341)) != ((-1000.0,), (3000.0,)):
        yield f"the declared range is not kept: {tags.get(340)} {tags.get(341)}"


def no_data():
    """Places that were not measured leave the others their contrast."""
    values = some_frames("u1", 3, 4, 7).astype("f4")
    values[:, 0, 0], values[:, 1, 1] = -500, 1500
    for kind, fill in {"f4": -3.4028235e38, "f8": -3.4e38}.items():
        for declared in ({}, {"ElementMin": fill, "ElementMax": 1500}):
            filled = values.astype(kind)
            filled[:, 2, 3:5] = fill
            fields = fields_for(filled, {"f4": "FLOAT", "f8": "DOUBLE"}[kind], **declared,
                                ElementDataFile="LOCAL")
            pathlib.Path("fill.mha").write_bytes(text(fields) + filled.tobytes())
            told = info("fill.mha")
            ends = told["image"]["stored_min"], told["image"]["stored_max"]
            if ends != (-500, 1500) or "6 samples" not in told["warning"]:  # two of each frame
                yield f"{kind} {declared}: from {ends}, {told['warning']}"
            # What no filter touched keeps them.
            got = shown("fill.mha", 2)[..., 0]
            if not np.allclose(got, filled[2], rtol=1e-6, atol=1e-3):
                yield f"{kind} {declared}: the samples are {got}"


def stamped(name, stamps):
    frames = some_frames("u1", len(stamps), 4, 7)
    fields = fields_for(frames, "UCHAR")
    for i, stamp in enumerate(stamps):
        fields[f"Seq_Frame{i:04}_Timestamp"] = stamp
        fields[f"Seq_Frame{i:04}_ImageStatus"] = "INVALID" if i == 2 else "OK"
    path = pathlib.Path(name + ".mha")
    path.write_bytes(text({**fields, "ElementDataFile": "LOCAL"}) + frames.tobytes())
    return path, frames


def stamps():
    path, frames = stamped("stamps", [10.5, 10.75, 11, 11.5])
    told = info(path)
    if abs(told["frame_rate"] - 3) > 1e-6 or told["timing"] != "Timestamp":
        yield f"times are not read: {told}"
    if "invalid" not in refusal(path, "--frame", 3):
        yield "a frame that its recorder calls invalid is shown"
    if not same(shown(path, 3)[..., 0], frames[3], frames):
        yield "the frame after an invalid one differs"
    for good in ([0, 0.1, 3600.1, 3600.2], [0, 0.00025, 0.0005, 0.00075], [0, 40000, 80000, 120000]):
        told = info(stamped("good", good)[0])
        if told["timing"] != "Timestamp" or abs(told["frame_rate"] * good[-1] / 3 - 1) > 1e-6:
            yield f"{good} gives {told}"
    for bad in ([1, 2, 2, 3], [4, 3, 2, 1], [1, 2, "nan", 4], [1, 2, 3, 1e300], ["x"] * 4):
        told = info(stamped("bad", bad)[0])
        if told.get("frame_rate") or "Timestamp" not in told.get("warning", ""):
            yield f"{bad} gives {told}"


def cut_short():
    frames = some_frames("u2", 5, 40, 50) & 15
    data, packed = frames.tobytes(), zlib.compress(frames.tobytes())
    plain = text(fields_for(frames, "USHORT", ElementDataFile="LOCAL"))
    pathlib.Path("cut.mha").write_bytes(plain + data[:len(data) * 7 // 10])
    if info("cut.mha")["frames"] != 3 or "declares 5" not in info("cut.mha")["warning"]:
        yield f"3 of 5 frames are there: {info('cut.mha')}"
    for wanted, status in (("1-9", 3), ("1-3", 0)):
        done = run("process", "cut.mha", "--frames", wanted, "-o", "cut-%d.tif", "--force")
        if done.returncode != status:
            yield f"frames {wanted} of 5, of which 3 are there: {done.returncode}, {done.stderr}"
    yield from differences("cut.mha", frames[:3], "cut")
    # Of five time steps the third is there in part: it stays one of a volume over time.
    pathlib.Path("steps.mha").write_bytes(
        b"ObjectType = Image\nNDims = 4\nDimSize = 8 8 4 5\nElementType = MET_UCHAR\nElementDataFile = LOCAL\n"
        + bytes(range(256)) * 2 + bytes(128))
    told = info("steps.mha")
    if told["frames"] != 12 or told["slices"] != 4 or "declares 20 frames but holds 10" not in told["warning"]:
        yield f"two and a half time steps are there: {told}"
    if "frame 11" not in run("process", "steps.mha", "--frame", 11, "-o", "x.tif").stderr:
        yield "a slice of a time step that is there in part is not refused by its number"
    head = text(fields_for(frames, "USHORT", CompressedData="True", ElementDataFile="LOCAL"))
    pathlib.Path("zcut.mha").write_bytes(head + packed[:len(packed) * 7 // 10])
    pathlib.Path("checksum.mha").write_bytes(head + packed[:-1] + bytes([packed[-1] ^ 255]))
    packer = zlib.compressobj()
    parts = [packer.compress(frame.tobytes()) + packer.flush(zlib.Z_FULL_FLUSH)
             for frame in frames]
    # There is no block of the kind 3.
    parts[2] = b"\xff" * len(parts[2])
    pathlib.Path("spoiled.mha").write_bytes(head + b"".join(parts) + packer.flush())
    # Deflate makes at most 1032 bytes of one: a few bytes are not packed samples of 1000 frames.
    bomb = zlib.compress(bytes(8000))
    pathlib.Path("bomb.mha").write_bytes(
        head.replace(b"40 5\n", b"40 1000\n") + bomb)
    told = info("bomb.mha")
    if told["frames"] != len(bomb) * 1032 // 4000 or "declares 1000" not in told["warning"]:
        yield f"{len(bomb)} bytes are said to hold {told}"
    for path, good in (("zcut.mha", 3), ("checksum.mha", 4), ("spoiled.mha", 2)):
        yield from differences(path, frames[:good], path)
        if "frame 5" not in refusal(path, "--frame", 5):
            yield f"{path}: the last frame is not refused by its number"


def first_is_short():
    frames = some_frames("u1", 1, 40, 50)
    head = text(fields_for(frames, "UCHAR", ElementDataFile="LOCAL"))
    pathlib.Path("short.mha").write_bytes(head + frames.tobytes()[:1000])
    got = shown("short.mha", 0, status=3)[..., 0]
    if not same(got[:20], frames[0, :20], frames) or "too early" not in \
            info("short.mha").get("warning", ""):
        yield "the half that is there is not shown, or not as incomplete"
    # Rows that are missing are as dark as the darkest that is there: 0 could be water.
    scan = RANDOM.integers(-1000, -10, (1, 40, 50)).astype("i2")
    head = text(fields_for(scan, "SHORT", ElementDataFile="LOCAL"))
    pathlib.Path("scan.mha").write_bytes(head + scan.tobytes()[:2000])
    got = shown("scan.mha", 0, status=3)[..., 0]
    if not same(got[20:], np.full((20, 50), scan[0, :20].min()), scan):
        yield "what is missing of a scan is not dark"
    pathlib.Path("nothing.mha").write_bytes(head)
    if "missing" not in refusal("nothing.mha"):
        yield "a header without samples is not refused"


# What is said of a header that is good but for these fields.
LIES = [
    ("another folder", {"ElementDataFile": "sub/in.raw"}),
    ("another folder", {"ElementDataFile": "../x/outside.raw"}),
    ("another folder", {"ElementDataFile": "/etc/passwd"}),
    ("another folder", {"ElementDataFile": "LIST\n/etc/passwd"}),
    ("another folder", {"ElementDataFile": "/dev/%d 0 3 1"}),
    ("link", {"ElementDataFile": "link.raw"}),
    ("it is a folder", {"ElementDataFile": "folder.raw"}),
    ("pipe", {"ElementDataFile": "pipe.raw"}),
    ("No such file", {"ElementDataFile": "absent.raw"}),
    ("does not name", {"ElementDataFile": ""}),
    ("pattern", {"ElementDataFile": "%999999999999d 1 2 1"}),
    ("pattern", {"ElementDataFile": "%d 0 2000000000 1"}),
    ("LISTEN", {"ElementDataFile": "LISTEN"}),
    ("list of files is empty", {"ElementDataFile": "LIST"}),
    ("DimSize", {"DimSize": ""}),
    ("DimSize", {"DimSize": "5 5"}),
    ("DimSize", {"DimSize": "5 -5 4"}),
    ("5×0", {"DimSize": "5 0 4"}),
    ("0 frames", {"DimSize": "5 5 0"}),
    ("large", {"DimSize": "4294967297 5 4"}),
    ("large", {"DimSize": "2000000000 2000000000 4"}),
    ("large", {"DimSize": "60000 60000 4"}),
    ("more frames", {"DimSize": "5 5 99999999999"}),
    ("more frames", {"NDims": 5, "DimSize": "5 5 5000 5000 5000"}),
    ("ElementType", {"ElementType": ""}),
    ("MET_STRING", {"ElementType": "MET_STRING"}),
    ("values each", {"ElementNumberOfChannels": 2}),
    ("values each", {"ElementNumberOfChannels": 18446744073709551615}),
    ("Scene", {"ObjectType": "Scene"}),
    ("BinaryData", {"BinaryData": "False", "CompressedData": "True"}),
    ("samples are missing", {"HeaderSize": 999999999999}),
    ("samples are missing", {"DimSize": "50 50 4", "HeaderSize": -1}),
    ("missing", {"CompressedData": "True", "DimSize": "5 5 4",
                 "HeaderSize": 3, "ElementDataFile": "outside.raw"}),
]
# What is said to lack its ElementDataFile.
NO_HEADERS = {
    "binary": b"ObjectType = Image\nNDims = 3\n\0\1\2" + bytes(100),
    "line": b"ObjectType = " + b"x" * 200000,
    "no-file": text(HEAD),
    "words": b"ObjectType = Image\n" * 5000,
}


def make_surroundings():
    pathlib.Path("outside.raw").write_bytes(bytes(1000))
    pathlib.Path("sub").mkdir()
    pathlib.Path("sub/in.raw").write_bytes(bytes(1000))
    pathlib.Path("link.raw").symlink_to("outside.raw")
    pathlib.Path("folder.raw").mkdir()
    os.mkfifo("pipe.raw")


def hostile():
    make_surroundings()
    good = {**HEAD, "DimSize": "5 5 4", "ElementType": "MET_UCHAR",
            "ElementDataFile": "outside.raw"}
    path = pathlib.Path("hostile.mhd")
    for words, change in LIES:
        fields = {**good, **change}
        data_file = fields.pop("ElementDataFile")  # the last line of a header
        path.write_bytes(text({**fields, "ElementDataFile": data_file}))
        message = refusal(path)
        if words not in message or path.name not in message:
            yield f"“{words}” is not in: {message}"
    for name, data in NO_HEADERS.items():
        path = pathlib.Path(name + ".mha")
        path.write_bytes(data)
        message = refusal(path)
        if "ElementDataFile" not in message:
            yield f"{name}: {message}"


def missing_slice():
    frames = some_frames("u1", 4, 5, 6)
    for i in (0, 1, 3):
        pathlib.Path(f"s{i}.raw").write_bytes(frames[i].tobytes())
    pathlib.Path("gap.mhd").write_bytes(
        text(fields_for(frames, "UCHAR", ElementDataFile="s%d.raw 0 3 1")))
    message = refusal("gap.mhd", "--frame", 3)
    if "s2.raw" not in message or "No such file" not in message:
        yield message
    if not same(shown("gap.mhd", 3)[..., 0], frames[3], frames):
        yield "the slice after the missing one differs"


def missing_in_time():
    """Filters of volumes take a slice that is missing as dark, mark its time step, and go on."""
    frames = some_frames("i2", 3, 4, 6, 5)
    head = text({**fields_for(frames, "SHORT"), "ElementDataFile": "LIST 2D"})
    names = [f"t{t}z{z}.raw" for t in range(3) for z in range(4)]
    for name, frame in zip(names, frames.reshape(12, 6, 5)):
        pathlib.Path(name).write_bytes(frame.tobytes())
    pathlib.Path("steps.mhd").write_bytes(head + "\n".join(names).encode())
    recipe = ["--filter", "convolve:shape=gaussian,size=3,dimensions=3,border=symmetric", "--force"]
    for lost in (1, 4, 6, 11):
        pathlib.Path(names[lost]).rename("kept.raw")
        filled, good = frames.reshape(12, 6, 5).copy(), lost // 4 * 4 + (lost % 4 == 0)
        filled[lost] = frames.reshape(12, 6, 5)[good].min()
        whole = text({**fields_for(frames, "SHORT"), "ElementDataFile": "LOCAL"}) + filled.tobytes()
        pathlib.Path("filled.mha").write_bytes(whole)
        assert run("process", "filled.mha", "-o", "filled-%02d.tif", *recipe).returncode == 0
        done = run("process", "steps.mhd", "-o", "steps-%02d.tif", *recipe)
        if done.returncode != 3 or "1 of 12 frames is damaged;" not in done.stderr \
                or "3 of 12 frames are damaged in part" not in done.stderr:
            yield f"{lost}: {done.returncode} {done.stderr}"
        for i in set(range(12)) - {lost}:
            got, wanted = (pixels.read_tiff(f"{name}-{i + 1:02}.tif")[1] for name in ("steps", "filled"))
            if not same(got, wanted, frames):
                yield f"without slice {lost} slice {i} differs by {np.abs(got - wanted).max()}"
        run("process", "steps.mhd", "-o", "steps.mha", *recipe)
        written = np.frombuffer(pathlib.Path("steps.mha").read_bytes()[-4 * frames.size:], "<f4").reshape(12, -1)
        if np.flatnonzero(np.isnan(written).any(1)).tolist() != [lost] or not np.isnan(written[lost]).all():
            yield f"{lost}: no numbers in {np.flatnonzero(np.isnan(written).any(1))}"
        pathlib.Path("kept.raw").rename(names[lost])
    # Of a step without any slice nothing can be known, and nothing of its neighbours in four dimensions.
    for z in range(4):
        pathlib.Path(names[4 + z]).unlink()
    done = run("process", "steps.mhd", "-o", "steps-%02d.tif", *recipe)
    if done.returncode != 3 or "4 of 12 frames are damaged;" not in done.stderr or "in part" in done.stderr:
        yield f"a step: {done.returncode} {done.stderr}"
    done = run("process", "steps.mhd", "-o", "steps-%02d.tif", "--force", "--filter",
               "convolve:shape=gaussian,size=3,duration=3,dimensions=4")
    if done.returncode != 3 or "12 of 12 frames are damaged;" not in done.stderr or "t1z0.raw" not in done.stderr:
        yield f"in four dimensions: {done.returncode} {done.stderr}"


def real_files():
    if not DATA.is_dir():
        raise tap.Skip("the test data is not here")
    for path in sorted(DATA.glob("*.mha")):
        head, _, data = path.read_bytes().partition(b"ElementDataFile = LOCAL")
        fields = dict(line.split(" = ", 1) for line in head.decode().splitlines() if " = " in line)
        data = data[data.index(b"\n") + 1:]
        code = TYPES[fields["ElementType"][4:]]
        if fields["CompressedData"].strip() == "True":
            data = zlib.decompress(data)
        frames = np.frombuffer(data, "<" + code).reshape(
            [int(n) for n in fields["DimSize"].split()][::-1])
        frames = frames if frames.ndim == 3 else frames[None]
        link = pathlib.Path(path.name)
        link.write_bytes(path.read_bytes())
        yield from differences(link, frames, path.name)


CASES = [
    ("every type, in both byte orders, plain and zlib", every_type),
    ("numbers written as text", numbers_as_text),
    ("colour", colour),
    ("two, three and four axes", dimensions),
    ("samples in files beside the header", files_beside),
    ("PlusLib's orientations are shown as one", orientations),
    ("spacing and declared range are kept", scale),
    ("what stands for no data is replaced, as NaN is", no_data),
    ("stamps of frames are their times, if they make sense", stamps),
    ("frames before the cut are there", cut_short),
    ("half a picture is shown as incomplete, none is refused", first_is_short),
    ("headers that lie are refused with a sentence", hostile),
    ("a missing slice leaves the others", missing_slice),
    ("a missing slice of a time step is marked, and the others go on", missing_in_time),
    ("real files are as numpy reads them", real_files),
]

with tempfile.TemporaryDirectory(prefix="ondelette-meta-") as home:
    os.chdir(home)
    status = tap.run(CASES)
    os.chdir("/")
sys.exit(status)
