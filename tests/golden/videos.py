#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Whole videos on the command line: every frame, in order, as a video or as numbered files.

usage: videos.py ONDELETTE_CLI
"""
import math
import os
import pathlib
import resource
import signal
import struct
import subprocess
import sys
import tempfile
import time
import zlib

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
import command_line  # noqa: E402
import pixels  # noqa: E402
from command_line import CLI, SOFT, run, run_cases, shared  # noqa: E402
from unfinished import has_nameless_files, unfinished  # noqa: E402

# Which engine “auto” takes for many pictures depends on how busy the machine is.
os.environ["ODL_ENGINE"] = "cpu"
MOVING = "phantom:96x64"
ODD = "phantom:61x35"
COLOURS = [(191, 0, 0), (0, 191, 0), (0, 0, 191), (191, 191, 0), (0, 191, 191), (191, 0, 191),
           (191, 191, 191), (64, 128, 32)]


def process(*arguments, **more):
    """What it said."""
    return command_line.process(*arguments, **more).stderr


def fails(status, *words, arguments, **more):
    command_line.fails(status, *words, arguments=["process", *arguments], **more)


def files():
    return sorted(os.listdir("."))


def codecs():
    """Those that are installed, as rows codec, qualities."""
    rows = [line.split() for line in run("list", "codecs").stdout.splitlines() if "missing" not in line]
    assert rows, "no codec is installed"
    return sorted({(row[0], quality) for row in rows for quality in row[2].split(",")})


def frame(source, k, *more):
    """Frame k, from 0."""
    process(source, "-o", "one.png", "--frame", k + 1, "--force", *more)
    return pixels.read_png("one.png")


def frames(source, *more):
    """All frames, through numbered files."""
    folder = tempfile.mkdtemp(dir=".")
    process(source, "-o", f"{folder}/f-%05d.png", *more)
    return [pixels.read_png(f"{folder}/{name}") for name in sorted(os.listdir(folder))]


def psnr(a, b):
    # A video has three channels where the picture was grey.
    error = np.mean((a.astype(float) - b.astype(float)) ** 2)
    return math.inf if error == 0 else 10 * math.log10(255 ** 2 / error)


# ---- What arrives --------------------------------------------------------------------------

def every_codec():
    originals = {source: frames(source, "-f", SOFT, "--frames", "1-12") for source in (MOVING, ODD)}
    bounds = {"lossless": math.inf, "high": 40, "small": 29}
    for codec, quality in codecs():
        for source, wanted in originals.items():
            process(source, "-o", "out.mkv", "-f", SOFT, "--frames", "1-12", "--codec", codec,
                    "--quality", quality, "--force")
            back = frames("out.mkv")
            assert len(back) == len(wanted), f"{codec} {quality} {source}: {len(back)} frames"
            for k, (a, b) in enumerate(zip(wanted, back)):
                b = b[:a.shape[0], :a.shape[1]]
                found = psnr(a, b)
                assert found >= bounds[quality], \
                    f"{codec} {quality} {source} frame {k}: {found:.1f} dB"


def every_codec_keeps_colours():
    """Bars of flat colour come back as they were, whatever matrix the codec's streams mean."""
    colours = COLOURS
    picture = np.repeat(np.array([colours], np.uint8), 16, axis=1).repeat(64, axis=0)
    for k in range(3):
        pixels.write_png(f"bars-{k}.png", picture)
    for codec, quality in codecs():
        process("bars-%d.png", "-o", "out.mkv", "--codec", codec, "--quality", quality, "--force")
        for back in frames("out.mkv"):
            found = back[32, 8::16, :3].astype(int)
            far = np.abs(found - colours).max()
            assert far <= (4 if quality != "small" else 10), f"{codec} {quality}: {found.tolist()}"


def what_common_players_take():
    """4:2:0 whatever the quality and container, and the colours that the source said."""
    picture = np.repeat(np.array([COLOURS], np.uint8), 16, axis=1).repeat(64, axis=0)
    for k in range(3):
        pixels.write_png(f"bars-{k}.png", picture)
    known = dict.fromkeys(codec for codec, quality in codecs() if quality != "lossless")
    if not {"theora", "h264"} <= set(known):
        raise command_line.Skip("needs Theora and H.264")
    process("bars-%d.png", "-o", "bt601.mkv", "--codec", "theora")
    assert command_line.read("info", "bt601.mkv")["details"]["colorimetry"].startswith("2:4:")
    for source, colours in (("bt601.mkv", "bt601"), ("bars-%d.png", "bt709")):
        for codec in known:
            for quality in ("high", "small"):
                for out in ["out.mkv", "out.mp4"][:2 if codec == "h264" else 1]:
                    process(source, "-o", out, "--codec", codec, "--quality", quality, "--force")
                    details = command_line.read("info", out)["details"]
                    assert details["pixel-format"] == "I420", (codec, quality, out, details)
                    # Theora says less of it.
                    said = {"bt709": ["bt709"], "bt601": ["2:4:5:4"]}[colours] if codec != "theora" else ["2:4:5:0"]
                    assert details["colorimetry"].split(",")[0] in said, (codec, quality, out, details)
                    assert details["container"] == ("ISO MP4/M4A" if out.endswith("4") else "Matroska"), details
                    for back in frames(out):
                        far = np.abs(back[32, 8::16, :3].astype(int) - COLOURS).max()
                        assert far <= (5 if quality == "high" else 16), (source, codec, quality, far)


def mp4():
    """The same pictures and times as Matroska; what does not fit into it is told."""
    for name in ("mkv", "mp4"):
        process(MOVING, "-o", f"a.{name}", "-f", SOFT, "--codec", "h264", "--frames", "1-30")
        process(varying_video(), "-o", f"varying-h264.{name}", "--codec", "h264", "--force")
    both = [frames(f"a.{name}") for name in ("mkv", "mp4")]
    assert len(both[0]) == len(both[1]) == 30, [len(one) for one in both]
    assert all(np.array_equal(a, b) for a, b in zip(*both))
    told = [command_line.read("info", f"varying-h264.{name}") for name in ("mkv", "mp4")]
    assert [one["frames"] for one in told] == [8, 8], told
    lengths = [float(one["details"]["duration-ms"]) for one in told]
    # How long the last one stays, Matroska does not say of H.264 whose rate varies: 40 ms.
    assert lengths[1] == 1040 and lengths[0] in (1000, 1040), lengths
    for more in (["--codec", "vp9"], ["--quality", "lossless"]):
        fails(2, "MP4", "H.264", arguments=[MOVING, "-o", "b.mp4", *more])
    fails(1, "/dev/null", "to a file", arguments=[MOVING, "-o", "/dev/null", "--format", "mp4",
                                                  "--frames", "1-3"])
    assert "b.mp4" not in files() and not command_line.leftovers(), files()


def lossless_frames_are_single_frames():
    source = shared("imageio-binaries/realshort.mp4")
    process(source, "-o", "out.mkv", "-f", SOFT, "--quality", "lossless", "--no-badge")
    for k in (0, 1, 17, 35):
        assert np.array_equal(frame(source, k, "-f", SOFT), frame("out.mkv", k)), k
    fails(1, "no frame 37", arguments=["out.mkv", "-o", "none.png", "--frame", "37"])


def cine_frames_are_single_frames():
    source = shared("fo-dicom/HasFragmentSequence.dcm")
    process(source, "-o", "out.mkv", "-f", "gaussian", "--quality", "lossless", "--no-badge",
            "--frames", "91-")
    process(source, "-o", "f-%03d.png", "-f", "gaussian", "--frames", "91-92")
    wanted = frame(source, 91, "-f", "gaussian")
    assert np.array_equal(wanted, frame("out.mkv", 1))
    assert np.array_equal(wanted, pixels.read_png("f-092.png"))
    assert [name for name in files() if name.startswith("f-")] == ["f-091.png", "f-092.png"]


def frames_over_time():
    """With a filter over time earlier frames count, also when writing begins later."""
    source = shared("imageio-binaries/realshort.mp4")
    for name in ("recursive-average:weight=0.3", "sliding-mean:frames=3"):
        process(source, "-o", "out.mkv", "-f", name, "--quality", "lossless", "--no-badge", "--frames", "10-12",
                "--force")
        back = frames("out.mkv")
        assert len(back) == 3
        for k in (9, 11):
            assert np.array_equal(frame(source, k, "-f", name), back[k - 9]), (name, k)
        assert not np.array_equal(frame(source, 9), back[0])


def lead_in():
    """Filters over time begin as many frames early as is said."""
    source = shared("imageio-binaries/realshort.mp4")
    name = "recursive-average:weight=0.3"
    before = {k: frame(source, 9, "-f", name, "--lead-in", k) for k in ("0", "2", "9", "50", "all")}
    # It begins with the frame as it is, and sees nothing before it.
    assert np.array_equal(before["0"], frame(source, 9))
    assert not np.array_equal(before["0"], before["2"])
    assert not np.array_equal(before["2"], before["9"])
    for k in ("50", "all"):
        assert np.array_equal(before["9"], before[k]), k
    # By itself as many as it needs, for frames of 8 bits: 0.1³ and 0.5⁹ are below 1 / 510.
    for weight, needs, k in (("0.9", "3", 30), ("0.5", "9", 30)):
        name_k = f"recursive-average:weight={weight}"
        auto, needed, fewer = (frame(source, k, "-f", name_k, *words) for words in (
            (), ("--lead-in", needs), ("--lead-in", "1")))
        assert np.array_equal(auto, needed) and not np.array_equal(auto, fewer), weight
        assert np.array_equal(auto, frame(source, k, "-f", name_k, "--lead-in", "auto")), weight
        assert np.abs(auto.astype(int) - frame(source, k, "-f", name_k, "--lead-in", "all")).max() <= 1
    text = process(source, "-o", "out.mkv", "-f", name, "--quality", "lossless", "--no-badge", "--frames",
                   "10-12", "--lead-in", "2", "--progress")
    assert [row.split()[:3] for row in text.splitlines()] \
        == [["progress", str(k), "3"] for k in (1, 2, 3)], text
    assert np.array_equal(before["2"], frame("out.mkv", 0))
    # A window sees what it needs, and no more.
    for k in ("2", "all"):
        assert np.array_equal(frame(source, 9, "-f", "sliding-mean:frames=3"),
                              frame(source, 9, "-f", "sliding-mean:frames=3", "--lead-in", k)), k


def element(group, number, kind, value):
    """Of a DICOM file, explicit, little endian."""
    value += b" " * (len(value) % 2)
    form = "<HH2sHI" if kind == "OW" else "<HH2sH"
    length = (0, len(value)) if kind == "OW" else (len(value),)
    return struct.pack(form, group, number, kind.encode(), *length) + value


def varying_video():
    """Frames of 25 per second, of which some stay for 400 ms: on screen at these times."""
    times = [0, 40, 80, 480, 520, 560, 960, 1000]
    steps = [0, *np.diff(times)]
    short = lambda number, value: element(0x28, number, "US", struct.pack("<H", value))  # noqa: E731
    meta = element(2, 0x10, "UI", b"1.2.840.10008.1.2.1\0")
    samples = b"".join(bytes([20 + 20 * k]) * 64 * 48 for k in range(len(times)))
    data = element(0x18, 0x1065, "DS", "\\".join(map(str, steps)).encode()) \
        + short(2, 1) + element(0x28, 4, "CS", b"MONOCHROME2") \
        + element(0x28, 8, "IS", str(len(times)).encode()) \
        + element(0x28, 9, "AT", struct.pack("<HH", 0x18, 0x1065)) \
        + short(0x10, 48) + short(0x11, 64) + short(0x100, 8) + short(0x101, 8) \
        + short(0x102, 7) + short(0x103, 0) + element(0x7fe0, 0x10, "OW", samples)
    pathlib.Path("varying.dcm").write_bytes(
        bytes(128) + b"DICM" + element(2, 0, "UL", struct.pack("<I", len(meta))) + meta + data)
    process("varying.dcm", "-o", "varying.mkv", "--quality", "lossless", "-w", "full", "--force")
    return "varying.mkv"


def part_of_a_varying_video():
    """A part takes as long as it does in the whole, and each frame of it is as long on screen."""
    source = varying_video()
    whole = [int(picture[24, 32, 0]) for picture in frames(source)]
    assert len(whole) == len(set(whole)) == 8, whole
    ends = [40, 80, 480, 520, 560, 960, 1000]
    for first, last in ((1, 5), (3, 6), (0, 3), (2, 6)):
        process(source, "-o", "part.mkv", "--quality", "lossless", "--frames", f"{first + 1}-{last + 1}", "--force")
        part = [int(picture[24, 32, 0]) for picture in frames("part.mkv")]
        length = float(command_line.read("info", "part.mkv")["details"]["duration-ms"])
        assert abs(length - (ends[last] - [0, *ends][first])) < 2, (first, last, length)
        assert part == whole[first:last + 1], (first, last, part)


def phantom_rates():
    """A second of the phantom has as many frames as its rate says, wherever it is written."""
    for rate in (10, 50, 200):
        source = f"{MOVING},rate={rate}"
        process(source, "-o", "out.mkv", "--duration", "0.5", "--quality", "lossless", "--force")
        assert len(frames(source, "--duration", "0.5")) == rate // 2, rate
        assert len(frames("out.mkv")) == rate // 2, rate


def sixteen_bits():
    random = np.random.default_rng(3)
    picture = random.integers(0, 65535, (24, 37, 1), np.uint16, endpoint=True)
    pixels.write_png("deep.png", picture)
    fails(1, "deep.png", "still picture", arguments=["deep.png", "-o", "x.mkv"])
    process("deep.png", "-o", "n-%d.png")
    assert np.array_equal(pixels.read_png("n-1.png"), picture)


def numbered_tiff():
    process(MOVING, "-o", "t-%02d.tif", "--frames", "4-5")
    process(MOVING, "-o", "one.tif", "--frame", "5")
    assert files() == ["one.tif", "t-04.tif", "t-05.tif"]
    assert np.array_equal(pixels.read_tiff("one.tif")[1], pixels.read_tiff("t-05.tif")[1])


def several_inputs():
    process(MOVING, ODD, "-o", "videos", "--format", "mkv", "--frames", "1-3")
    assert sorted(os.listdir("videos")) == ["phantom-61x35.mkv", "phantom-96x64.mkv"]


def progress():
    text = process(MOVING, "-o", "out.mkv", "--frames", "6-9", "--progress")
    rows = [line.split() for line in text.splitlines()]
    assert [row[:3] for row in rows] == [["progress", str(k), "4"] for k in (1, 2, 3, 4)], text
    assert all(int(row[3]) >= 0 for row in rows)


def bare_stream(n):
    """Grey JPEGs of 8 × 8 pixels one after the other, brighter by 1 each: nothing says how many."""
    def segment(marker, *data):
        return bytes([0xff, marker, 0, 2 + len(data), *data])

    tables = segment(0xdb, 0, *[8] * 64) + segment(0xc0, 8, 0, 8, 0, 8, 1, 1, 0x11, 0) \
        + segment(0xc4, 0x00, 1, *[0] * 15, 7) + segment(0xc4, 0x10, 1, *[0] * 15, 0) \
        + segment(0xda, 1, 1, 0, 0, 63, 0)
    pathlib.Path("bare.mjpeg").write_bytes(b"".join(
        b"\xff\xd8" + tables + bytes([64 + k, 0x7f]) + b"\xff\xd9" for k in range(n)))
    return "bare.mjpeg"


def unknown_length():
    """Single pictures of a stream that does not say how many there are."""
    source = bare_stream(20)
    brightness = [int(picture[0, 0, 0]) for picture in frames(source)]
    assert brightness == list(range(192, 212)), brightness
    for k in (0, 7, 19):
        assert frame(source, k)[0, 0, 0] == 192 + k, k
    run("compare", source, source, "--frame", "20")


def beyond_the_end():
    """Whoever asks for frames that are not there is told so, whatever they were to become."""
    source = bare_stream(20)
    words = "no frame 41; the last one is 20"
    for name in ("gaussian", "recursive-average"):
        fails(1, words, arguments=[source, "-o", "x.png", "--frame", "41", "-f", name])
        for out in ("x.mkv", "x-%d.png"):
            fails(1, words, arguments=[source, "-o", out, "--frames", "41-", "-f", name])
    assert files() == [source], files()
    process(source, "-o", "x-%d.png", "--frames", "19-41")
    assert files() == [source, "x-19.png", "x-20.png"], files()


# ---- What goes wrong -----------------------------------------------------------------------

def nothing_is_written_over():
    for name, out in (("old.mkv", "old.mkv"), ("f-2.png", "f-%d.png")):
        pathlib.Path(name).write_text("old")
        text = process(MOVING, "-o", out, "--frames", "2-3", status=1)
        assert name in text and "exists" in text, text
        assert pathlib.Path(name).read_text() == "old"
        process(MOVING, "-o", out, "--frames", "2-3", "--force")
        assert pathlib.Path(name).read_bytes()[:3] != b"old"


def inputs_are_not_written_over():
    """Not one of a sequence either, by whatever name, and not with --force."""
    os.mkdir("in")
    process(MOVING, "-o", "in/f-%02d.png", "--frames", "1-4")
    os.link("in/f-04.png", "in/other-1.png")
    os.symlink("in/f-03.png", "link.png")
    before = {name: pathlib.Path("in", name).read_bytes() for name in os.listdir("in")}
    for source in ("in/f-%02d.png", "sequence:in/f-01.png", "sequence:in"):
        for out in ("in/f-%02d.png", "in/other-%d.png", "in/f-02.png", "link.png"):
            fails(1, "never written over", arguments=[source, "-o", out, "-f", "gaussian", "--force"])
    fails(1, "never written over", arguments=["in/f-01.png", "-o", "in/f-%02d.png", "--force"])
    assert before == {name: pathlib.Path("in", name).read_bytes() for name in os.listdir("in")}


def folder_named_like_a_pattern():
    os.mkdir("all-%02d")
    process(MOVING, "-o", "all-%02d")
    process(MOVING, ODD, "-o", "new-%02d")
    process(MOVING, "-o", "all-%02d", "--format", "mkv", "--frames", "1-2")
    assert sorted(os.listdir("all-%02d")) == ["phantom-96x64.mkv", "phantom-96x64.png"]
    assert sorted(os.listdir("new-%02d")) == ["phantom-61x35.png", "phantom-96x64.png"]


def full_disk():
    fails(1, "/dev/full", "No space left",
          arguments=[MOVING, "-o", "/dev/full", "--format", "mkv"])


def file_too_large():
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))

    fails(1, "out.mkv", "too large", arguments=["phantom:512x512", "-o", "out.mkv"],
          preexec_fn=limit)
    assert not files(), files()


def interrupted():
    pathlib.Path("old.mkv").write_text("old")
    # Under nohup children are born deaf to it.
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL):
        for out in ("out.mkv", "old.mkv"):
            child = subprocess.Popen([CLI, "process", "phantom:512x512", "-o", out, "--frames",
                                      "1-100001", "--force"], stderr=subprocess.PIPE, text=True)
            deadline = time.monotonic() + 1800
            while not unfinished(child.pid):
                assert child.poll() is None and time.monotonic() < deadline
                time.sleep(0.01)
            child.send_signal(number)
            said = child.communicate(timeout=1800)[1]
            assert child.returncode == -number
            assert ("Stopped" in said) == (number != signal.SIGKILL), said
            if number != signal.SIGKILL or has_nameless_files():
                assert files() == ["old.mkv"], files()
            assert pathlib.Path("old.mkv").read_text() == "old"


def encoders_missing():
    home = dict(os.environ, GST_PLUGIN_SYSTEM_PATH_1_0="/nonexistent", GST_PLUGIN_PATH_1_0="",
                GST_REGISTRY_1_0=os.path.abspath("registry"))
    text = process(MOVING, "-o", "out.mkv", status=1, env=home)
    assert "gstreamer1.0-plugins-ugly" in text, text
    assert "out.mkv" not in files()


def damaged_frame():
    data = bytearray(shared("fo-dicom/HasFragmentSequence.dcm").read_bytes())
    # Frame 3's JPEG loses its tables: it can be found but not decoded.
    begin = -1
    for _ in range(4):
        begin = data.index(b"\xff\xd8\xff", begin + 1)
    data[begin + 2:begin + 400] = bytes(398)
    pathlib.Path("bad.dcm").write_bytes(data)
    text = process("bad.dcm", "-o", "f-%d.png", "--frames", "3-5", status=3)
    assert "1 of 3 frames is damaged" in text, text
    marked = pixels.read_png("f-4.png")
    assert marked[0, 0, 0] == marked[511, 0, 0] == 255 and marked[250, 20, 0] == 0
    assert "damaged" in pixels.png_texts("f-4.png")["Warning"]
    process("bad.dcm", "-o", "out.mkv", "--frames", "3-5", "--quality", "lossless", status=3)
    assert np.array_equal(frame("out.mkv", 1), marked)
    assert np.array_equal(frame("out.mkv", 2), frame("bad.dcm", 4))


def half_frame():
    """A frame that could be read in part is no cross, but is told and counted."""
    header = "ObjectType = Image\nNDims = 3\nDimSize = 16 12 3\nElementType = MET_UCHAR\n" \
             "CompressedData = True\nElementDataFile = LOCAL\n"
    data = zlib.compress(np.random.default_rng(7).integers(0, 255, 16 * 12 * 3, np.uint8).tobytes())
    pathlib.Path("half.mha").write_bytes(header.encode() + data[:100])
    for out in ("f-%d.png", "out.mkv"):
        text = process("half.mha", "-o", out, status=3)
        assert "1 of 3 frames is damaged in part" in text, text
        assert "2 of 3 frames are damaged;" in text, text
    assert "incomplete" in process("half.mha", "-o", "one.png", status=3)
    assert "incomplete" in pixels.png_texts("one.png")["Warning"]


def damaged_first_frame():
    data = bytearray(shared("fo-dicom/HasFragmentSequence.dcm").read_bytes())
    begin = data.index(b"\xff\xd8\xff")
    data[begin + 2:begin + 400] = bytes(398)
    pathlib.Path("bad.dcm").write_bytes(data)
    text = process("bad.dcm", "-o", "f-%d.png", "--frames", "1-3", status=3)
    assert "1 of 3 frames is damaged" in text and "its first frame is damaged" in text, text
    marked = pixels.read_png("f-1.png")
    assert marked.shape[:2] == (512, 512) and marked[0, 0, 0] == 255 and marked[250, 20, 0] == 0
    assert "damaged" in pixels.png_texts("f-1.png")["Warning"]
    assert np.array_equal(pixels.read_png("f-2.png"), frame(shared("fo-dicom/HasFragmentSequence.dcm"), 1))
    # In a video the strip says so, of that frame alone: a box of the colour of marks, for
    # which there is room beside or above the words that all frames have.
    process("bad.dcm", "-o", "bad.mkv", "-f", SOFT, "--quality", "lossless", "--frames", "1-3", status=3)
    strips = [picture[512:] for picture in frames("bad.mkv")]
    assert len(strips[0]) > 20 and np.array_equal(strips[1], strips[2])
    differing = np.argwhere((strips[0] != strips[1]).any(axis=2))
    assert len(differing) > 1000, len(differing)
    assert (strips[0] > 150).sum() > (strips[1] > 150).sum() + 1000
    # One picture that is asked for by its number is an error when it is damaged.
    text = process("bad.dcm", "-o", "single.png", status=1)
    assert "bad.dcm: frame 1: its compressed pixels" in text and "single.png" not in files(), text


def strip_below():
    """A processed video says so below its pictures, which stay as they are."""
    lossless = ["--quality", "lossless", "--frames", "1-3", "--force"]
    for source, height in ((MOVING, 64), (ODD, 35), ("phantom:320x240", 240)):
        process(source, "-o", "plain.mkv", "-f", SOFT, "--no-badge", *lossless)
        plain = frames("plain.mkv")
        strips = []
        for recipe in (SOFT, "gaussian:sigma=1"):
            process(source, "-o", "out.mkv", "-f", recipe, *lossless)
            marked = frames("out.mkv")
            assert len(marked) == len(plain) == 3
            for picture in marked:
                assert picture.shape[0] % 2 == 0 and picture.shape[0] > height + 20, picture.shape
                strip = picture[height:]
                assert np.array_equal(strip, marked[0][height:])
                # Letters on a dark ground.
                assert strip.max() > 200 and np.median(strip) < 40, (strip.max(), np.median(strip))
            if recipe == SOFT:
                assert all(np.array_equal(a[:height], b) for a, b in zip(marked, plain))
            strips.append(strip)
        assert strips[0].shape != strips[1].shape or not np.array_equal(*strips), "the same words"
        process(source, "-o", "out.mkv", *lossless)
        assert [picture.shape[0] for picture in frames("out.mkv") + plain] == [height] * 6
        assert frames(source, "-f", SOFT, "--frames", "1")[0].shape[0] == height
    # The same words whatever is written, and in colour.
    process(MOVING, "-o", "out.mkv", "-f", SOFT, "--frames", "1", "--force")
    strip = frame("out.mkv", 0)[64:, :, :3]
    assert len(strip) > 20 and strip.max() > 180 and np.median(strip) < 40, strip.max()


def usage():
    for words, arguments in (
            (["range of frames"], ["--frames", "4-2"]),
            (["range of frames"], ["--frames", "x"]),
            (["range of frames", "counted from 1"], ["--frames", "0-3"]),
            (["counted from 1"], ["--frame", "0"]),
            (["number of frames"], ["--lead-in", "-2"]),
            (["number of frames"], ["--lead-in", "some"]),
            (["not a codec"], ["--codec", "mpeg"]),
            (["no quality"], ["--quality", "best"]),
            (["does not support the quality"], ["--codec", "ffv1", "--quality", "high"]),
            (["--frame"], ["--frame", "4"])):
        fails(2, *words, arguments=[MOVING, "-o", "out.mkv", *arguments])
    fails(2, "numbered files", arguments=[MOVING, "-o", "out.png", "--frames", "2-3"])
    fails(2, "for videos", arguments=[MOVING, "-o", "out.png", "--quality", "high"])
    fails(2, "for videos", arguments=[MOVING, "-o", "out.png", "--no-badge"])
    fails(2, "takes no number", arguments=[MOVING, "-o", "out-%d.mkv"])
    assert not files(), files()


def one_frame_of_many():
    """Whoever names one picture for a cine is told which frame it is, unless he chose it."""
    source = shared("fo-dicom/HasFragmentSequence.dcm")
    text = process(source, "-o", "out.png")
    assert "frame 1 of 96 was written" in text and "--frame" in text, text
    for words in (["out.png", "--frame", "1"], ["f-%d.png", "--frames", "1-2"]):
        assert "was written" not in process(source, "-o", *words, "--force"), words
    assert "was written" not in process("out.png", "-o", "again.png")


def numbers_of_frames():
    """`info` counts as people do."""
    cine = shared("fo-dicom/HasFragmentSequence.dcm")
    assert "frames: 1 to 96; " in run("info", cine).stdout, run("info", cine).stdout
    assert not command_line.read("info", cine)["frames_at_most"]
    process(cine, "-o", "first-%d.png", "--frames", "1")
    assert np.array_equal(pixels.read_png("first-1.png"), frame(cine, 0))


def debug_words():
    """ODL_DEBUG says plan and times of what the command line does."""
    text = process(MOVING, "-o", "out.png", "-f", "gaussian", env=dict(os.environ, ODL_DEBUG="plan,timing"))
    assert "plan 96×64 " in text and "convolve" in text, text
    assert "timing cpu: 96×64 in " in text and "timing step" in text, text
    text = process(MOVING, "-o", "f-%d.png", "--frames", "1-3", env=dict(os.environ, ODL_DEBUG="plan"))
    assert text.count("plan ") == 1 and "timing" not in text, text


CASES = {
    "one frame of many is told by its number": one_frame_of_many,
    "frames are numbered from 1": numbers_of_frames,
    "ODL_DEBUG says plan and times": debug_words,
    "every codec keeps every frame, at its quality": every_codec,
    "every codec keeps colours": every_codec_keeps_colours,
    "videos are what common players take, in the colours of their source": what_common_players_take,
    "MP4 holds what Matroska holds": mp4,
    "a frame of a lossless video equals the frame processed alone": lossless_frames_are_single_frames,
    "a frame of a cine equals the frame processed alone": cine_frames_are_single_frames,
    "filters over time know the frames before the first one written": frames_over_time,
    "filters over time begin as early as is said": lead_in,
    "a part of a video whose rate varies keeps its times": part_of_a_varying_video,
    "the phantom keeps its rate": phantom_rates,
    "numbered files keep 16 bits, also of a still": sixteen_bits,
    "numbered files can be TIFF": numbered_tiff,
    "several inputs become several videos": several_inputs,
    "progress is told in lines": progress,
    "a stream of unknown length gives single pictures": unknown_length,
    "frames beyond the end are an error, also of a stream of unknown length": beyond_the_end,
    "a folder may be called like a pattern": folder_named_like_a_pattern,
    "nothing is written over without --force": nothing_is_written_over,
    "no input is written over, not even with --force": inputs_are_not_written_over,
    "a full disk is an error": full_disk,
    "a file size limit leaves nothing": file_too_large,
    "an interrupt leaves nothing behind": interrupted,
    "missing encoders are named": encoders_missing,
    "a damaged frame is marked, counted and told by the exit status": damaged_frame,
    "a frame that is damaged in part is told": half_frame,
    "a damaged first frame does not refuse the file": damaged_first_frame,
    "a processed video says so in a strip below its pictures": strip_below,
    "what does not fit together gives status 2": usage,
}

sys.exit(run_cases(CASES))
