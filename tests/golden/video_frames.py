#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Every frame of a video that is to be shown, once and at its time, against FFmpeg.

usage: video_frames.py ONDELETTE_CLI
"""
import os
import pathlib
import subprocess
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
import pixels  # noqa: E402
from command_line import process, read, run, run_cases  # noqa: E402

# Which engine “auto” takes for many pictures depends on how busy the machine is.
os.environ["ODL_ENGINE"] = "cpu"

UNEVEN = [0, .1, .2, .7, .8, 1.5, 1.52, 1.56, 2.0, 2.1, 2.9, 3.0]
EVEN = [k / 10 for k in range(24)]
H264 = ("-c:v", "libx264", "-crf", "8", "-pix_fmt", "yuv420p")


def ffmpeg(*arguments, data=None):
    return subprocess.run(["ffmpeg", "-v", "error", "-y", *arguments], input=data, check=True,
                          stdout=subprocess.PIPE).stdout


def encode(name, times, *options, base=1000):
    """Grey frames, each brighter than the one before it, at these times."""
    data = b"".join(np.full((48, 64, 3), 20 + 8 * k, np.uint8).tobytes() for k in range(len(times)))
    at = "+".join(f"eq(N\\,{k})*{time}" for k, time in enumerate(times))
    ffmpeg("-f", "rawvideo", "-pix_fmt", "rgb24", "-s", "64x48", "-r", "10", "-i", "-", "-vf",
           f"settb=1/{base},setpts='({at})/TB'", "-vsync", "vfr", "-enc_time_base", f"1:{base}", *options, name, data=data)


def theirs(name):
    """Brightness and time of each frame that FFmpeg shows."""
    data = ffmpeg("-i", name, "-map", "0:v:0", "-vsync", "0", "-f", "rawvideo", "-pix_fmt", "rgb24", "-")
    grey = np.frombuffer(data, np.uint8).reshape(-1, 48, 64, 3)[:, 24, 32, 0].astype(int)
    said = subprocess.run(["ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries", "frame=pts_time", "-of",
                           "csv=p=0", name], check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout
    times = np.array([float(line.strip(",").replace("N/A", "nan")) for line in said.split()])
    return grey, times - times[0] if len(times) == len(grey) and np.isfinite(times).all() else None


def differences(name):
    """Says what `info`, numbered pictures and a video have that FFmpeg has not."""
    grey, times = theirs(name)
    told = read("info", name)
    if told["frames"] != len(grey) or told["frames_at_most"] or told["warning"]:
        yield f"{name}: {told['frames']} frames are told, there are {len(grey)}: {told}"
    process(name, "-o", "frame-%02d.png", "--force")
    got = [pixels.read_png(f"frame-{k + 1:02}.png")[24, 32, 0] for k in range(len(grey))]
    if np.abs(np.array(got, int) - grey).max() > 2 or pathlib.Path(f"frame-{len(grey) + 1:02}.png").exists():
        yield f"{name}: {got}, not {grey.tolist()}"
    process(name, "-o", "again.mkv", "--quality", "lossless", "--force")
    written, when = theirs("again.mkv")
    if len(written) != len(grey) or np.abs(written - grey).max() > 2:
        yield f"{name}, written: {written.tolist()}, not {grey.tolist()}"
    elif times is not None and np.abs(when - times).max() > 0.0021:
        yield f"{name}, written: at {when.tolist()}, not {times.tolist()}"
    for path in pathlib.Path(".").glob("frame-*.png"):
        path.unlink()


MEMBERS = {
    "mean-rate.mp4": (UNEVEN, H264), "nominal-rate.mkv": (UNEVEN, H264 + ("-bf", "3")),
    "vp8.webm": (UNEVEN, ("-c:v", "libvpx", "-b:v", "1M")), "vp9.webm": (UNEVEN, ("-c:v", "libvpx-vp9", "-b:v", "1M")),
    "av1.mkv": (UNEVEN, ("-c:v", "libaom-av1", "-cpu-used", "8")), "mjpeg.mov": (UNEVEN, ("-c:v", "mjpeg", "-pix_fmt", "yuvj420p")),
    "flash.flv": (UNEVEN, H264), "fragments.mp4": (UNEVEN, H264 + ("-movflags", "frag_keyframe+empty_moov")),
    "late.mp4": ([t + .7 for t in UNEVEN], H264),
    "pause.mkv": ([0, .1, .2, 30.2, 30.3, 30.4], H264), "steady.mp4": (EVEN, H264 + ("-bf", "2")), "steady.avi": (EVEN, H264), "steady-b.avi": (EVEN, H264 + ("-bf", "2")), "uneven.avi": (UNEVEN, H264 + ("-bf", "0")),
    "one.mp4": ([0], H264), "one.webm": ([0], ("-c:v", "libvpx")),
    # Longer and longer, then short: 30 per second, of which one is late.
    "dropped.mp4": ([0, .033, .067, .1, .2, .233, .267, .3, .333, .367, .4, .433], H264 + ("-bf", "0")),
}


def stored_frames():
    for name, (times, options) in MEMBERS.items():
        encode(name, times, *options)
        yield from differences(name)


def edits():
    """Empty edits, edits that begin between key frames, and streams that begin late or before nothing."""
    encode("base.mp4", EVEN, *H264, "-bf", "2", "-g", "8")
    for name, before, after in (("empty-edit.mp4", ("-itsoffset", "0.55"), ()), ("late.mkv", ("-itsoffset", "1.7"), ()),
                                ("later.mkv", ("-itsoffset", "31.5"), ()), ("cut.mp4", ("-ss", "1.25"), ()),
                                ("cut.mkv", ("-ss", "1.25"), ()),
                                ("no-edits.mp4", (), ("-use_editlist", "0")),
                                ("negative.mp4", ("-ss", "1.25"), ("-avoid_negative_ts", "disabled"))):
        ffmpeg(*before, "-i", "base.mp4", "-c", "copy", *after, name)
        yield from differences(name)


def other_streams():
    """Sound that is longer, shorter or earlier than the pictures."""
    encode("base.mp4", EVEN, *H264)
    for name, before, seconds in (("longer.mp4", (), 9), ("shorter.mp4", (), 1), ("earlier.mp4", ("-itsoffset", "0.8"), 3)):
        ffmpeg(*before, "-i", "base.mp4", "-f", "lavfi", "-i", f"sine=d={seconds}", "-map", "0", "-map", "1", "-c:v", "copy",
               "-c:a", "aac", name)
        yield from differences(name)


def hidden_frames():
    """Frames that are decoded for others' sake and never shown."""
    noise = np.random.default_rng(1).integers(0, 255, (48, 64, 1), np.uint8).repeat(3, 2)
    data = b"".join(np.roll(noise, k, 1).tobytes() for k in range(60))
    for name, codec in (("vp8.webm", ("-c:v", "libvpx", "-auto-alt-ref", "1", "-lag-in-frames", "16", "-arnr-maxframes", "7")),
                        ("vp9.webm", ("-c:v", "libvpx-vp9", "-auto-alt-ref", "6", "-lag-in-frames", "25")),
                        ("av1.mp4", ("-c:v", "libaom-av1", "-cpu-used", "6", "-lag-in-frames", "25"))):
        raw = ("-f", "rawvideo", "-pix_fmt", "rgb24", "-s", "64x48", "-r", "10", "-i", "-")
        passes = ((("-pass", "1"), ("-f", "null", "-")), (("-pass", "2"), (name,))) if name == "vp8.webm" else (((), (name,)),)
        for number, to in passes:
            ffmpeg(*raw, *codec, "-b:v", "200k", *number, *to, data=data)
        packets = subprocess.run(["ffprobe", "-v", "error", "-count_packets", "-show_entries", "stream=nb_read_packets", "-of",
                                  "csv=p=0", name], check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout
        assert name != "vp8.webm" or int(packets.strip(",\n")) > 60, packets
        yield from differences(name)
    # Matroska marks them, AVI does not.
    ffmpeg("-i", "vp8.webm", "-c", "copy", "vp8.avi")
    yield from differences("vp8.avi")


def a_file_that_is_cut_off():
    """What is missing is told, not counted."""
    encode("whole.mkv", EVEN, "-c:v", "mjpeg", "-pix_fmt", "yuvj420p")
    ffmpeg("-itsoffset", "31.5", "-i", "whole.mkv", "-c", "copy", "late.mkv")
    for name in "whole", "late":
        data = pathlib.Path(f"{name}.mkv").read_bytes()
        pathlib.Path("part.mkv").write_bytes(data[:len(data) * 6 // 10])
        said = run("process", "part.mkv", "-o", f"{name}-%02d.png", status=3).stderr
        assert f"of {len(EVEN)} frames" in said and "cut off" in said, said
        n = len(list(pathlib.Path(".").glob(f"{name}-*.png")))
        assert 6 <= n < 24, n


sys.exit(run_cases({
    "every frame that is stored comes once, at its time": stored_frames,
    "edits show what they say": edits,
    "other streams may be longer or shorter": other_streams,
    "hidden frames are not shown": hidden_frames,
    "a file that is cut off says so": a_file_that_is_cut_off,
}))
