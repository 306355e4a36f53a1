#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Videos that do not say, or not exactly, how long they are.

usage: video_lengths.py ONDELETTE_CLI
"""
import os
import pathlib
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
import command_line  # noqa: E402
from command_line import Skip, run, run_cases  # noqa: E402

# Which engine “auto” takes for many pictures depends on how busy the machine is.
os.environ["ODL_ENGINE"] = "cpu"
MOVING = "phantom:96x64"


def process(*arguments, **more):
    """What it said."""
    return command_line.process(*arguments, **more).stderr


def files():
    return sorted(os.listdir("."))


def without_a_length():
    """Recordings of browsers, and of programs that were killed: none of their frames is lost."""
    process(MOVING, "-o", "exact.mkv", "--frames", "1-300")
    data = pathlib.Path("exact.mkv").read_bytes()
    at = data.index(b"\x44\x89\x88")  # Duration becomes a Void of its length
    pathlib.Path("live.mkv").write_bytes(data[:at] + b"\xec\x89" + bytes(9) + data[at + 11:])
    assert "frames: 1 to 300; " in run("info", "exact.mkv").stdout
    assert "frames: 1 to 300; " in run("info", "live.mkv").stdout
    for frame_number in (300, 120):
        for name in "exact", "live":
            process(f"{name}.mkv", "-o", f"{name}.png", "--frame", frame_number, "--force")
        run("compare", "exact.png", "live.png")
    process("live.mkv", "-o", "all-%d.png", "--frames", "200-")
    assert sum(name.startswith("all-") for name in files()) == 101, files()


def as_flash(source):
    """The frames of an MP4 file of H.264 in a container that does not say how many there are."""
    data = pathlib.Path(source).read_bytes()

    def box(name):
        at = data.index(name)
        return data[at + 4:at - 4 + int.from_bytes(data[at - 4:at], "big")]

    def tag(ms, body):
        head = b"\x09" + struct.pack(">I", len(body))[1:] + struct.pack(">I", ms)[1:] + bytes([ms >> 24, 0, 0, 0])
        return head + body + struct.pack(">I", len(head) + len(body))

    sizes = struct.unpack(f">{(len(box(b'stsz')) - 12) // 4}I", box(b"stsz")[12:])
    at = int.from_bytes(box(b"stco")[8:12], "big")
    parts = [b"FLV\1\1\0\0\0\x09\0\0\0\0", tag(0, b"\x17\0\0\0\0" + box(b"avcC"))]
    for k, size in enumerate(sizes):
        parts.append(tag(40 * k, (b"\x17" if k == 0 else b"\x27") + b"\1\0\0\0" + data[at:at + size]))
        at += size
    return b"".join(parts)


def counted_frames():
    """A container that does not say how long it is has its frames counted."""
    if not any(line.startswith("h264 ") and "missing" not in line
               for line in run("list", "codecs").stdout.splitlines()):
        raise Skip("no encoder for H.264")
    process(MOVING, "-o", "exact.mp4", "--frames", "1-30")
    pathlib.Path("guessed.flv").write_bytes(as_flash("exact.mp4"))
    assert "frames: 1 to 30; " in run("info", "exact.mp4").stdout
    told = command_line.read("info", "guessed.flv")
    assert told["frames"] == 30 and not told["frames_at_most"], told
    assert "frames: 1 to 30; " in run("info", "guessed.flv").stdout
    process("guessed.flv", "-o", "all-%d.png")
    assert sum(name.startswith("all-") for name in files()) == 30, files()


sys.exit(run_cases({
    "of a recording without a length no frame is lost": without_a_length,
    "frames are counted where no length is told": counted_frames,
}))
