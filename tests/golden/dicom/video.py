#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Videos in DICOM files: every frame is the one that FFmpeg decodes, place and time are the header's.

usage: video.py ONDELETTE_CLI
"""
import os
import pathlib
import shutil
import subprocess
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "helpers"))
import pixels  # noqa: E402
from command_line import Skip, fails, process, read, run_cases  # noqa: E402
from dicom_file import Writer  # noqa: E402

WIDTH, HEIGHT, FRAMES = 96, 64, 12
BASE = "1.2.840.10008.1.2.4."
# Name of the stream, how FFmpeg writes it, transfer syntax.
STREAMS = (
    ("mpeg2.m2v", "-c:v mpeg2video -q:v 2 -bf 2", "100"),
    ("avc.h264", "-c:v libx264 -bf 2", "102"),
    ("avc.mp4", "-c:v libx264 -bf 2", "103"),
    ("avc.ts", "-c:v libx264", "104"),
    ("main.hevc", "-c:v libx265 -x265-params log-level=error", "107"),
)


def ffmpeg(*words):
    if shutil.which("ffmpeg") is None:
        raise Skip("ffmpeg is not installed")
    done = subprocess.run(["ffmpeg", "-y", "-loglevel", "error", *words], capture_output=True, timeout=600)
    if b"Unknown encoder" in done.stderr:
        raise Skip(f"ffmpeg lacks an encoder: {words}")
    assert done.returncode == 0, done.stderr
    return done.stdout


def encode(name, options):
    """A grey picture that moves, since colours are rounded by each program in its own way."""
    ffmpeg("-f", "lavfi", "-i", f"testsrc2=size={WIDTH}x{HEIGHT}:rate=25", "-frames:v", str(FRAMES),
           "-vf", "format=gray,format=yuv420p", *options.split(), name)
    return pathlib.Path(name).read_bytes()


def decoded(name):
    """frames × height × width, 0 … 255."""
    luma = np.frombuffer(ffmpeg("-i", name, "-f", "rawvideo", "-pix_fmt", "yuv420p", "-"), "u1")
    luma = luma.reshape(-1, HEIGHT * WIDTH * 3 // 2)[:, :HEIGHT * WIDTH].reshape(-1, HEIGHT, WIDTH)
    assert len(luma) == FRAMES
    return (luma.astype(float) - 16) * 255 / 219


def wrap(stream, syntax, pieces=1, frames=FRAMES, columns=WIDTH, photometric="YBR_PARTIAL_420", region=None):
    out = Writer(BASE + syntax)
    out.put(0x00080016, "UI", "1.2.840.10008.5.1.4.1.1.77.1.1.1").put(0x00080018, "UI", "1.2.3.4.5")
    out.put(0x00080060, "CS", "ES").put(0x00100010, "PN", "Doe^Jane").put(0x00181063, "DS", 50)
    if region:
        out.items(0x00186011, region)
    out.put(0x00280002, "US", 3).put(0x00280004, "CS", photometric).put(0x00280006, "US", 0)
    out.put(0x00280008, "IS", frames).put(0x00280010, "US", HEIGHT).put(0x00280011, "US", columns)
    out.put(0x00280030, "DS", "0.5", "0.25").put(0x00280100, "US", 8).put(0x00280101, "US", 8)
    out.put(0x00280102, "US", 7).put(0x00280103, "US", 0)
    size = len(stream) // pieces // 2 * 2 + 2
    return out.frames([stream[i:i + size] for i in range(0, len(stream), size)]).write()


def frames_of(path, *options):
    process(path, "-o", "frame-%05d.tif", "--force", *options)
    paths = sorted(pathlib.Path().glob("frame-*.tif"))
    got = np.array([pixels.read_tiff(one)[1][..., 1] for one in paths]).astype(float)
    for one in paths:
        one.unlink()
    return got


def every_frame_is_that_of_ffmpeg():
    problems = []
    for name, options, syntax in STREAMS:
        stream = encode(name, options)
        want = decoded(name)
        for pieces in (1, 5):
            got = frames_of(wrap(stream, syntax, pieces))
            if got.shape != want.shape or np.abs(got - want).max() > 1:
                problems.append(f"{name} in {pieces} fragments: {got.shape}"
                                + (f", differs by {np.abs(got - want).max()}" if got.shape == want.shape else ""))
        # One in the middle is reached without those before it.
        got = frames_of(wrap(stream, syntax), "--frames", "7-8")
        if np.abs(got - want[6:8]).max() > 1:
            problems.append(f"{name}: frames 7 and 8 differ")
    assert not problems, "; ".join(problems)


def place_and_time_are_those_of_the_header():
    stream = encode(*STREAMS[2][:2])
    region = Writer().put(0x00186012, "US", 1).put(0x00186014, "US", 1).put(0x00186024, "US", 3)
    region.put(0x00186026, "US", 3)
    for tag, value in ((0x18, 0), (0x1a, 0), (0x1c, WIDTH - 1), (0x1e, HEIGHT - 1)):
        region.raw(0x00186000 + tag, b"UL\x04\0" + value.to_bytes(4, "little"))
    for tag in (0x2c, 0x2e):
        region.raw(0x00186000 + tag, b"FD\x08\0" + np.float64(0.02).tobytes())
    told = read("info", wrap(stream, "103", region=region))
    assert told["timing"] == "Frame Time" and told["frame_rate"] == 20, told
    assert told["details"]["lossy"] == "yes" and told["details"]["sop-instance"] == "1.2.3.4.5", told
    assert told["image"]["spacing_mm"][:2] == [0.25, 0.5], told
    assert told["image"]["regions"][0]["right"] == WIDTH, told
    assert told["image"]["pixel_aspect"] == 0.5, told


def a_header_of_another_size_gives_no_scale():
    stream = encode(*STREAMS[2][:2])
    told = read("info", wrap(stream, "103", columns=WIDTH + 8))
    assert "its scale is not used" in told["warning"], told
    assert not any(told["image"]["spacing_mm"]) and told["image"]["pixel_aspect"] == 1, told


def fewer_frames_than_declared_are_told():
    stream = encode(*STREAMS[2][:2])
    told = read("info", wrap(stream, "103", frames=90))
    assert "declares 90 frames but holds 12" in told["warning"] and told["frames"] == FRAMES, told


def what_is_no_stream_is_refused():
    stream = encode(*STREAMS[1][:2])
    cases = ((b"\0" * 400, "cannot be played"), (b"", "its pixel data is empty"),
             (np.random.default_rng(5).bytes(5000), "cannot be played"))
    for data, words in cases:
        fails(1, words, arguments=["process", wrap(data, "102"), "-o", "z.png"])
    whole = wrap(stream, "102").read_bytes()
    for part in (0.5, 0.2, 0.1):
        pathlib.Path("cut.dcm").write_bytes(whole[:int(len(whole) * part)])
        done = subprocess.run([sys.argv[1], "process", "cut.dcm", "-o", "x.png", "--force"],
                              capture_output=True, encoding="utf-8", timeout=600)
        assert done.returncode in (0, 1, 3) and "cut.dcm" in done.stderr, (part, done)
    # One that says that it is no video, and one that is none.
    fails(1, "colour model", arguments=["process", wrap(stream, "90", photometric="HSV"), "-o", "z.png"])


def nothing_is_left_in_the_folder_for_temporary_files():
    stream = encode(*STREAMS[2][:2])
    os.mkdir("tmp")
    environment = {**os.environ, "TMPDIR": os.path.abspath("tmp")}
    process(wrap(stream, "103"), "-o", "x.png", env=environment)
    assert os.listdir("tmp") == []
    environment["TMPDIR"] = "/nowhere/at/all"
    fails(1, "nowhere", arguments=["process", wrap(stream, "103"), "-o", "y.png"], env=environment)


def a_derived_file_holds_its_frames():
    stream = encode(*STREAMS[1][:2])
    path = wrap(stream, "102")
    process(path, "-o", "derived.dcm")
    told = read("info", "derived.dcm")
    assert told["details"]["lossy"] == "yes" and told["frames"] == FRAMES, told
    assert np.abs(frames_of("derived.dcm") - np.clip(frames_of(path), 0, 255)).max() <= 1


if __name__ == "__main__":
    sys.argv[1] = os.path.abspath(sys.argv[1])
    sys.exit(run_cases({case.__name__.replace("_", " "): case for case in (
        every_frame_is_that_of_ffmpeg, place_and_time_are_those_of_the_header,
        a_header_of_another_size_gives_no_scale, fewer_frames_than_declared_are_told,
        what_is_no_stream_is_refused, nothing_is_left_in_the_folder_for_temporary_files,
        a_derived_file_holds_its_frames)}))
