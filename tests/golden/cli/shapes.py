#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What is written besides PNG and TIFF, and what is done to it: JPEG, WebP and OpenEXR against OpenCV,
parts and turned pictures against NumPy, names by template.

usage: shapes.py ONDELETTE_CLI
"""
import os
import pathlib
import shutil
import subprocess
import sys

os.environ["OPENCV_IO_ENABLE_OPENEXR"] = "1"
import cv2
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "helpers"))
import command_line  # noqa: E402
import pixels  # noqa: E402
from command_line import fails, process  # noqa: E402

TURNS = {"0": lambda a: a, "90": lambda a: np.rot90(a, -1), "180": lambda a: np.rot90(a, 2),
         "270": lambda a: np.rot90(a, 1), "flip-h": lambda a: a[:, ::-1], "flip-v": lambda a: a[::-1],
         "transpose": lambda a: np.swapaxes(a, 0, 1), "transverse": lambda a: np.swapaxes(np.rot90(a, 2), 0, 1)}


def picture(channels, height=61, width=47):
    y, x = np.mgrid[:height, :width]
    waves = [128 + 90 * np.sin(x / (5 + c)) * np.cos(y / (7 - c)) for c in range(channels)]
    samples = np.stack(waves, -1).astype(np.uint8)
    pixels.write_png("in.png", samples)
    return samples


def opened(name):
    """As OpenCV reads it, red first; grey has one channel."""
    read = cv2.imread(name, cv2.IMREAD_UNCHANGED)
    assert read is not None, f"OpenCV does not read {name}"
    return read[..., None] if read.ndim == 2 else read[..., [2, 1, 0, 3][:read.shape[2]]]


def lossy_files_look_alike():
    for channels in (1, 3):
        samples = picture(channels).astype(np.float64)
        sizes = {}
        for name, least in (("out.jpg", 40), ("out.webp", 38)):
            for quality in ("high", "small"):
                process("in.png", "-o", name, "--force", "--quality", quality)
                got = opened(name).astype(np.float64)
                ratio = 10 * np.log10(255 ** 2 / np.mean((got - samples) ** 2))
                sizes[name, quality] = os.path.getsize(name)
                assert ratio > least - (9 if quality == "small" else 0), f"{name}, {quality}: {ratio} dB"
            assert sizes[name, "small"] < sizes[name, "high"]
        process("in.png", "-o", "out.webp", "--force", "--quality", "lossless")
        assert np.array_equal(np.broadcast_to(samples, got.shape), opened("out.webp"))
    fails(1, "out.jpg", "loses", arguments=["process", "in.png", "-o", "out.jpg", "--force", "--quality", "lossless"])
    fails(2, "--quality", arguments=["process", "in.png", "-o", "out.png", "--quality", "small"])


def jpeg_says_what_was_done():
    picture(1)
    process("in.png", "-o", "out.jpg", "--force", "-f", "median")
    assert b"median" in pathlib.Path("out.jpg").read_bytes()


def exr_holds_the_values():
    for channels in (1, 3, 4):
        picture(channels)
        for recipe in ("gaussian", "sharpen:amount=3"):
            process("in.png", "-o", "out.exr", "--force", "-f", recipe)
            process("in.png", "-o", "out.tif", "--force", "-f", recipe)
            wanted = stored = pixels.read_tiff("out.tif")[1]
            if channels == 4:  # opacity is 0 to 1 there, and colours are multiplied by it
                opacity = wanted[..., 3:] / 255
                stored = np.concatenate([wanted[..., :3] * opacity, opacity], -1)
            assert np.abs(opened("out.exr") - stored).max() <= (1e-4 if channels == 4 else 0), f"{channels} channels, {recipe}"
            process("out.exr", "-o", "again.tif", "--force")
            again = pixels.read_tiff("again.tif")[1]
            seen = wanted[..., -1:] > 1 if channels == 4 else np.True_
            unequal = np.where(seen, again - wanted, 0)[..., :3]
            assert np.abs(unequal).max() < 1e-4 * np.abs(wanted).max(), f"{channels} channels, {recipe}"
            if channels == 4:  # shown as opaque as it was
                process("out.exr", "-o", "again.png", "--force")
                shown = pixels.read_png("again.png")[..., 3] / 65535
                assert np.abs(shown - wanted[..., 3] / 255).max() <= 1e-4, recipe


def exr_of_others_is_read():
    rng = np.random.default_rng(5)
    for channels in (1, 3, 4):
        for kind in (cv2.IMWRITE_EXR_TYPE_FLOAT, cv2.IMWRITE_EXR_TYPE_HALF):
            samples = rng.normal(0, 300, (37, 70, channels)).astype(np.float32)
            if channels == 4:
                samples[..., 3] = 1
            cv2.imwrite("other.exr", samples[..., [2, 1, 0, 3][:channels]] if channels > 1 else samples,
                        [cv2.IMWRITE_EXR_TYPE, kind])
            wanted = samples.astype(np.float16) if kind == cv2.IMWRITE_EXR_TYPE_HALF else samples
            process("other.exr", "-o", "got.tif", "--force")
            got = pixels.read_tiff("got.tif")[1]
            assert got.shape == wanted.shape, (got.shape, wanted.shape)
            assert np.abs(got - wanted.astype(np.float32))[..., :3].max() < 1e-3, f"{channels}, {kind}"
            if channels == 1:
                continue
            # Without a G it is no colour picture: the first channel, A or B, is what is shown.
            data = pathlib.Path("other.exr").read_bytes()
            assert data.count(b"\0G\0") == 1
            pathlib.Path("strange.exr").write_bytes(data.replace(b"\0G\0", b"\0H\0"))
            process("strange.exr", "-o", "got.tif", "--force")
            got = pixels.read_tiff("got.tif")[1]
            assert np.abs(got[..., 0] - wanted[..., channels - 1].astype(np.float32)).max() < 1e-3, f"{channels}, {kind}"


def every_band_is_a_part():
    samples = picture(1, 61, 47)
    process("in.png", "-o", "bands.exr", "--force", "-f", "soft-threshold:levels=2", "--view", "analysis")
    process("in.png", "-o", "bands.tif", "--force", "-f", "soft-threshold:levels=2", "--view", "analysis")
    mallat = pixels.read_tiff("bands.tif")[1][..., 0]
    data = pathlib.Path("bands.exr").read_bytes()
    assert all(f"level{name}".encode() in data for name in
               ("2.LL", "1.HL", "1.LH", "1.HH", "2.HL", "2.LH", "2.HH")), "a band is missing"
    first = opened("bands.exr")[..., 0]  # OpenCV reads the first part
    assert first.shape == (16, 12) and np.array_equal(first, mallat[:16, :12]), first.shape
    process("bands.exr", "-o", "again.tif", "--force")
    # In the display window, which all parts share.
    again = pixels.read_tiff("again.tif")[1][..., 0].copy()
    assert again.shape == mallat.shape
    again[:16, :12] -= first
    assert np.abs(again).max() < 1e-3
    assert samples.shape[:2] == mallat.shape
    if shutil.which("exrmultipart") is None:
        return
    # OpenEXR's own program takes the parts apart, and tells each part's name.
    subprocess.run(["exrmultipart", "-separate", "-i", "bands.exr", "-o", "part"], check=True, capture_output=True)
    seen = {}
    for number in range(1, 8):
        header = subprocess.run(["exrheader", f"part.{number}.exr"], check=True, capture_output=True, text=True).stdout
        seen[header.split('name (type string): "')[1].split('"')[0]] = opened(f"part.{number}.exr")[..., 0]
    for level, top, left in ((1, 31, 24), (2, 16, 12)):
        height, width = (31, 24) if level == 2 else mallat.shape
        for band, place in (("HL", np.s_[:top, left:width]), ("LH", np.s_[top:height, :left]),
                            ("HH", np.s_[top:height, left:width])):
            assert np.array_equal(seen[f"level{level}.{band}"], mallat[place]), (level, band)


def parts_are_turned():
    for channels in (1, 3):
        picture(channels)
        process("in.png", "-o", "whole.png", "--force", "-f", "median")
        process("in.png", "-o", "whole.tif", "--force", "-f", "median")
        whole, values = pixels.read_png("whole.png"), pixels.read_tiff("whole.tif")[1]
        for name, turned in TURNS.items():
            for crop in ("0,0,47,61", "5,7,20,11"):
                x, y, width, height = map(int, crop.split(","))
                more = ["--force", "-f", "median", "--crop", crop, "--orient", name]
                process("in.png", "-o", "part.png", *more)
                process("in.png", "-o", "part.tif", *more)
                part = np.s_[y:y + height, x:x + width]
                assert np.array_equal(pixels.read_png("part.png"), turned(whole[part])), (name, crop)
                assert np.array_equal(pixels.read_tiff("part.tif")[1], turned(values[part])), (name, crop)
    fails(1, "inside", "47 × 61", arguments=["process", "in.png", "-o", "no.png", "--crop", "40,0,20,20"])
    for option, word in (("--crop", "1,2,3"), ("--crop", "0,0,0,5"), ("--orient", "45"), ("--wipe", "120%")):
        fails(2, option, word, arguments=["process", "in.png", "-o", "no.png", option, word])
    fails(2, "--invert", arguments=["process", "in.png", "-o", "no.tif", "--invert"])
    fails(2, "--crop", "nii", arguments=["process", "in.png", "-o", "no.nii", "--crop", "0,0,5,5"])
    assert not pathlib.Path("no.png").exists()


def wipes_and_inverts():
    samples = picture(3)
    process("in.png", "-o", "whole.png", "--force", "-f", "gaussian:sigma=3")
    whole = pixels.read_png("whole.png")
    for word, column in (("13", 13), ("50%", 24), ("0", 0), ("1000", 47)):
        process("in.png", "-o", "wiped.png", "--force", "-f", "gaussian:sigma=3", "--wipe", word)
        wanted = np.concatenate([samples[:, :column], whole[:, column:]], 1)
        assert np.array_equal(pixels.read_png("wiped.png"), wanted), word
    grey = picture(1)
    process("in.png", "-o", "inverted.png", "--force", "--invert")
    assert np.array_equal(pixels.read_png("inverted.png"), 255 - grey)


def videos_are_turned():
    process("phantom:64x48,rate=10", "-o", "turned.mkv", "--force", "--frames", "1-3", "--quality", "lossless",
            "--orient", "90", "--crop", "0,0,40,48", "--no-badge")
    process("phantom:64x48,rate=10", "-o", "plain-%03d.png", "--force", "--frames", "1-3")
    process("turned.mkv", "-o", "frame-%03d.png", "--force")
    for i in (1, 2, 3):
        wanted = np.rot90(pixels.read_png(f"plain-{i:03}.png")[:, :40], -1)
        assert np.array_equal(pixels.read_png(f"frame-{i:03}.png"), wanted), i


def names_follow_a_template():
    picture(1)
    for name in ("a.b.png", "c.png"):
        pathlib.Path(name).write_bytes(pathlib.Path("in.png").read_bytes())
    process("a.b.png", "c.png", "-o", "{stem}-{filter}-{number}.tif", "-f", "median", "-f", "gaussian")
    assert {"a.b-median+gaussian-1.tif", "c-median+gaussian-2.tif"} <= set(os.listdir("."))
    process("a.b.png", "c.png", "-o", "all-{filter}.png")
    assert {"all-original.png", "all-original-2.png"} <= set(os.listdir("."))
    fails(2, "{stm}", "{stem}", arguments=["process", "c.png", "-o", "{stm}.png"])
    fails(1, "exists already", arguments=["process", "c.png", "-o", "{stem}-median+gaussian-2.tif"])


def tiff_goes_to_a_pipe():
    picture(1)
    process("in.png", "-o", "file.tif", "--force", "-f", "median")
    process("in.png", "-o", "file.exr", "--force", "-f", "median")
    for kind in ("tiff", "exr"):
        done = subprocess.run([command_line.CLI, "process", "in.png", "-o", "-", "--format", kind, "-f", "median"],
                              capture_output=True, check=True, timeout=280)
        file = pathlib.Path("file.tif" if kind == "tiff" else "file.exr").read_bytes()
        assert done.stdout == file, f"{kind}: {len(done.stdout)} bytes, not {len(file)}; {done.stderr}"
    done = subprocess.run([command_line.CLI, "process", "in.png", "-o", "-", "--format", "tiff"],
                          capture_output=True, timeout=60, env=os.environ | {"TMPDIR": "/proc"}, check=False)
    assert done.returncode == 1 and b"TMPDIR" in done.stderr and done.stdout == b"", done
    for word, start in (("jpg", b"\xff\xd8"), ("tif", b"II")):
        done = subprocess.run([command_line.CLI, "process", "in.png", "-o", "-", "--format", word],
                              capture_output=True, check=True, timeout=280)
        assert done.stdout.startswith(start), word


def mp4_goes_to_a_pipe():
    done = subprocess.run([command_line.CLI, "process", "phantom:64x64", "-o", "-", "--format", "mp4",
                           "--frames", "1-3"], capture_output=True, check=True, timeout=280)
    assert done.stdout[4:8] == b"ftyp", done.stdout[:40]
    assert b"matroska" not in done.stdout[:100]
    pathlib.Path("out.mp4").write_bytes(done.stdout)
    counted = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-show_entries", "stream=nb_read_frames",
                              "-of", "csv=p=0", "out.mp4"], capture_output=True, check=True, text=True, timeout=280)
    assert counted.stdout.strip() == "3", counted


sys.exit(command_line.run_cases({
    "jpeg and webp look alike": lossy_files_look_alike,
    "jpeg says what was done": jpeg_says_what_was_done,
    "exr holds the values": exr_holds_the_values,
    "exr of others is read": exr_of_others_is_read,
    "every band is a part of an exr": every_band_is_a_part,
    "parts of pictures are turned": parts_are_turned,
    "the original is wiped in, and pictures are inverted": wipes_and_inverts,
    "videos are turned": videos_are_turned,
    "names follow a template": names_follow_a_template,
    "tiff and exr go to a pipe": tiff_goes_to_a_pipe,
    "mp4 goes to a pipe": mp4_goes_to_a_pipe}))
