#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Colours and rows of videos, against FFmpeg.

usage: video_colours.py ONDELETTE_CLI
"""
import os
import pathlib
import struct
import subprocess
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
import pixels  # noqa: E402
from command_line import process, run, run_cases  # noqa: E402

# Which engine “auto” takes for many pictures depends on how busy the machine is.
os.environ["ODL_ENGINE"] = "cpu"
FRAMES = 3


def picture(k, width=64, height=48):
    """Patches of colours that limited and full range, and any two matrices, tell apart; small ones are grey."""
    patches = [(200, 40, 60), (20, 180, 90), (40, 60, 220), (20 + 18 * k,) * 3]
    if width < 64:
        patches = [(20 + 60 * i + 9 * k,) * 3 for i in range(4)]
    return np.repeat(np.array(patches, np.uint8), -(-width // 4), 0)[np.newaxis, :width].repeat(height, 0)


def ffmpeg(*arguments, data=None):
    return subprocess.run(["ffmpeg", "-v", "error", "-y", *arguments], input=data, check=True,
                          stdout=subprocess.PIPE).stdout


def encode(name, *options, width=64, height=48):
    data = b"".join(picture(k, width, height).tobytes() for k in range(FRAMES))
    ffmpeg("-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}", "-r", "10", "-i", "-", *options,
           name, data=data)


def theirs(name, width=64, height=48):
    data = ffmpeg("-i", name, "-vsync", "0", "-sws_flags", "accurate_rnd+full_chroma_int", "-f", "rawvideo",
                  "-pix_fmt", "rgb24", "-")
    return np.frombuffer(data, np.uint8).reshape(-1, height, width, 3)


def ours(name):
    process(name, "-o", "frame-%d.png", "--force")
    return np.stack([pixels.read_png(f"frame-{k + 1}.png") for k in range(FRAMES)])


def differences(name, width=64, height=48):
    """Says where the middles of the patches differ: what happens at their edges is up to the chroma."""
    got = ours(name)
    if got.shape[-1] == 1:
        got = got.repeat(3, -1)
    wanted = theirs(name, width, height)
    if got.shape != wanted.shape:
        yield f"{name}: {got.shape}, not {wanted.shape}"
        return
    at = [width * (2 * i + 1) // 8 for i in range(4)]
    worst = np.abs(got[:, height // 2, at].astype(int) - wanted[:, height // 2, at]).max()
    if worst > 2:
        yield f"{name}: {worst} levels off"


FULL = ("-vf", "scale=out_range=full", "-color_range", "pc")
FULL_709 = ("-vf", "scale=out_range=full:out_color_matrix=bt709", "-color_range", "pc", "-colorspace", "bt709",
            "-color_primaries", "bt709", "-color_trc", "bt709")
LIMITED_709 = ("-vf", "scale=out_color_matrix=bt709", "-colorspace", "bt709")
H264 = ("-c:v", "libx264", "-crf", "1", "-pix_fmt", "yuv420p")
H265 = ("-c:v", "libx265", "-x265-params", "log-level=error:lossless=1")
VP9 = ("-c:v", "libvpx-vp9", "-lossless", "1")
AV1 = ("-c:v", "libaom-av1", "-cpu-used", "8", "-crf", "2")

# What is said where: by the stream alone, by the container, by both, with a matrix and without.
RANGES = {
    "h264.mp4": H264 + FULL, "h264.mkv": H264 + FULL, "h264.ts": H264 + FULL,
    "h264-709.mp4": H264 + FULL_709, "h264-709.mov": H264 + FULL_709, "h264-709.ts": H264 + FULL_709,
    "h264-limited.mp4": H264 + LIMITED_709, "h264-limited.mov": H264 + LIMITED_709,
    "h265.mp4": H265 + FULL + ("-pix_fmt", "yuv420p"), "h265-709.mp4": H265 + FULL_709 + ("-pix_fmt", "yuv420p"),
    "vp9.webm": VP9 + FULL + ("-pix_fmt", "yuv420p"), "vp9-709.mp4": VP9 + FULL_709 + ("-pix_fmt", "yuv420p"),
    "av1.mkv": AV1 + FULL + ("-pix_fmt", "yuv420p"), "av1-709.mp4": AV1 + FULL_709 + ("-pix_fmt", "yuv420p"),
    "ffv1.mkv": ("-c:v", "ffv1", "-pix_fmt", "yuv444p") + FULL, "mpeg4-limited.mp4": ("-c:v", "mpeg4", "-q:v", "1") + LIMITED_709,
    "mjpeg.mov": ("-c:v", "mjpeg", "-q:v", "1", "-pix_fmt", "yuvj420p") + FULL,
}


def ranges_are_the_streams():
    for name, options in RANGES.items():
        encode(name, *options)
        said = run("info", name).stdout
        assert ("limited range" if "limited" in name else "full range") in said, said
        yield from differences(name)


def green_blue_and_red():
    """The identity matrix: what is stored as luma is green."""
    for name, codec in (("av1.mkv", AV1), ("av1.mp4", AV1), ("h265.mkv", H265), ("vp9.webm", VP9),
                        ("ffv1.mkv", ("-c:v", "ffv1"))):
        encode(name, *codec, "-pix_fmt", "gbrp")
        yield from differences(name)


def motion_jpeg_keeps_its_chroma():
    """Columns and rows of two colours in turn, whose differences are stored whole, or halved across them."""
    red, blue = (200, 40, 60), (40, 60, 220)
    stripes = np.array([red, blue], np.uint8)[np.arange(64) % 2]
    columns, rows = np.broadcast_to(stripes, (48, 64, 3)), np.broadcast_to(stripes[:48, np.newaxis], (48, 64, 3))
    for name, array, form in (("columns.avi", columns, "yuvj444p"), ("rows.avi", rows, "yuvj422p"), ("columns.mov", columns, "yuvj444p"),
                              ("rows.mov", rows, "yuvj422p")):
        ffmpeg("-f", "rawvideo", "-pix_fmt", "rgb24", "-s", "64x48", "-r", "10", "-i", "-", "-c:v", "mjpeg", "-q:v", "1", "-pix_fmt", form,
               name, data=array.tobytes() * FRAMES)
        got, wanted = ours(name).astype(int), theirs(name).astype(int)
        if got.shape != wanted.shape or np.abs(got - wanted).max() > 2 or np.abs(wanted - array).max() > 40:
            yield f"{name}: {got[0, 1, :2].tolist()}, not {wanted[0, 1, :2].tolist()}"


def chunk(name, data):
    return name + struct.pack("<I", len(data)) + data + bytes(len(data) % 2)


def avi(name, width, height, frames, compression=bytes(4), palette=b"", bits=8, top_down=False):
    """An AVI file of raw frames, which nobody but its writer has touched."""
    n, size = len(frames), len(frames[0])
    head = struct.pack("<14I", 200000, size * 5, 0, 0x10, n, 0, 1, size, width, height, 0, 0, 0, 0)
    stream = b"vids" + compression + struct.pack("<IHHIIIIIIIIhhhh", 0, 0, 0, 0, 1, 5, 0, n, size, 0xffffffff, 0, 0, 0,
                                                 width, height)
    form = struct.pack("<IiiHH4sIiiII", 40, width, -height if top_down else height, 1, bits, compression, size, 0, 0, len(palette) // 4, 0)
    lists = chunk(b"LIST", b"hdrl" + chunk(b"avih", head) + chunk(
        b"LIST", b"strl" + chunk(b"strh", stream) + chunk(b"strf", form + palette)))
    data = b"".join(chunk(b"00db", frame) for frame in frames)
    pathlib.Path(name).write_bytes(chunk(b"RIFF", b"AVI " + lists + chunk(b"LIST", b"movi" + data)))


def palettes_are_opaque():
    """The fourth byte of a palette's colours is reserved, whatever stands there."""
    height = 14
    colours = np.array([(20, 30, 200), (30, 200, 20), (200, 30, 30), (250, 250, 250)], np.uint8)
    for width in (16, 17, 18):
        for reserved in (0, 1, 255):
            palette = np.full((256, 4), reserved, np.uint8)
            palette[:4, :3] = colours
            indices = [(np.add.outer(np.arange(height), np.arange(width)) + k).astype(np.uint8) % 4
                       for k in range(FRAMES)]
            # From the lowest row up, each of a multiple of four bytes.
            rows = [np.pad(index[::-1], ((0, 0), (0, -width % 4))).tobytes() for index in indices]
            avi("palette.avi", width, height, rows, palette=palette.tobytes())
            got = ours("palette.avi")
            if got.shape[-1] != 3 or not np.array_equal(got, colours[..., ::-1][np.stack(indices)]):
                yield f"{width} columns, reserved {reserved}: {got.shape}, {got[0, 0, :4].tolist()}"


def palettes_are_there_from_the_top_down():
    """Rows in either order, few colours and many, sound before the pictures, and what FFmpeg itself writes."""
    for width, n in ((16, 256), (17, 5), (18, 2)):
        colours = np.random.default_rng(n).integers(0, 256, (n, 4), np.uint8)
        index = np.random.default_rng(width).integers(0, n, (FRAMES, 13, width), np.uint8)
        rows = [np.pad(frame, ((0, 0), (0, -width % 4))).tobytes() for frame in index]
        avi("down.avi", width, 13, rows, palette=colours.tobytes(), top_down=True)
        ffmpeg("-f", "lavfi", "-i", "sine=d=0.6", "-i", "down.avi", "-map", "0", "-map", "1", "-c:v", "copy", "sound.avi")
        for name in "down.avi", "sound.avi":
            got, wanted = ours(name), colours[..., 2::-1][index]
            if got.shape != wanted.shape or not np.array_equal(got, wanted) or not np.array_equal(theirs(name, width, 13), wanted):
                yield f"{name}, {width} columns, {n} colours: {got.shape}, {got[0, 0, :4].tolist()}, not {wanted[0, 0, :4].tolist()}"
    encode("pal8.avi", "-c:v", "rawvideo", "-pix_fmt", "pal8")
    yield from differences("pal8.avi")


def rows_need_no_padding():
    """Containers store rows of any number of bytes one after the other."""
    for width in (16, 17, 18, 19, 20):
        grey = [np.full((14, width), 20 + 50 * k, np.uint8) + np.arange(width, dtype=np.uint8) for k in range(FRAMES)]
        avi("grey.avi", width, 14, [frame.tobytes() for frame in grey], b"Y800")
        if not np.array_equal(ours("grey.avi")[..., 0], grey):
            yield f"grey, {width} columns"
        for name in "i420.avi", "i420.mkv", "grey.mkv", "bgr.avi":
            form = {"i420": "yuv420p", "grey": "gray", "bgr": "bgr24"}[name[:-4]]
            if name != "i420.avi" or width % 2 == 0:
                encode(name, "-c:v", "rawvideo", "-pix_fmt", form, width=width, height=14)
                yield from differences(name, width, 14)


sys.exit(run_cases({
    "the range of colours is what the stream says": ranges_are_the_streams,
    "colours that are stored as green, blue and red are these": green_blue_and_red,
    "Motion JPEG keeps its chroma": motion_jpeg_keeps_its_chroma,
    "palettes are opaque": palettes_are_opaque,
    "palettes are there from the top down": palettes_are_there_from_the_top_down,
    "rows of raw frames need no padding": rows_need_no_padding,
}))
