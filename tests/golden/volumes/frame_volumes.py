#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Frames that are taken for the slices of a volume on request: numbered pictures and a cine, whose third
axis is time. Filters see what they see in a volume that is stored as one, and the slices of its coefficients
are those of PyWavelets.

usage: frame_volumes.py ONDELETTE_CLI
"""
import itertools
import json
import pathlib
import subprocess
import sys

import numpy as np
import pywt

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "helpers"))
import pixels  # noqa: E402
from command_line import fails, process, run, run_cases, shared  # noqa: E402
import mha  # noqa: E402

DEPTH, HEIGHT, WIDTH = 8, 12, 16
RECIPE = "soft-threshold:wavelet=cdf97,levels=2,threshold=0.05,dimensions=3"


def samples():
    x = np.random.default_rng(12).integers(0, 256, (DEPTH, HEIGHT, WIDTH)).astype(np.uint8)
    for z, slice_ in enumerate(x):
        pixels.write_png(f"in-{z + 1:02}.png", slice_[..., None])
    mha.write("in.mha", x)
    return x


def written(location, recipe, engine="cpu"):
    for old in pathlib.Path(".").glob("out-*.tif"):
        old.unlink()
    process(location, "-o", "out-%02d.tif", "-f", recipe, "-e", engine)
    return np.array([pixels.read_tiff(f"out-{z + 1:02}.tif")[1][..., 0] for z in range(DEPTH)])


def pictures():
    samples()
    told = json.loads(run("info", "volume:sequence:in-01.png", "--json").stdout)
    assert told["slices"] == DEPTH and "as asked for" in told["warning"], told
    for engine in ("cpu", "gl-compute"):
        wanted = written("in.mha", RECIPE, engine)
        assert np.array_equal(written("volume:sequence:in-01.png", RECIPE, engine), wanted), engine
        assert not np.array_equal(written("sequence:in-01.png", RECIPE, engine), wanted), engine


def coefficients():
    """Octants in their places, slice by slice: low ones are means, high ones differences."""
    x = samples() / 255
    bands = pywt.dwtn(x, "haar", mode="periodization")
    wanted = np.zeros_like(x)
    for key in map("".join, itertools.product("ad", repeat=3)):
        place = tuple(slice(0, n // 2) if letter == "a" else slice(n // 2, n)
                      for letter, n in zip(key, x.shape))
        wanted[place] = bands[key] * 2.0 ** (key.count("d") - 1.5)
    for engine in ("reference", "cpu", "gl-compute"):
        got = written("volume:sequence:in-01.png", "soft-threshold:wavelet=haar,levels=1,dimensions=3 "
                      "border=periodic view=analysis", engine) / 255
        off = np.abs(np.abs(got) - np.abs(wanted)).max()
        assert off <= 1e-6, f"{engine}: {off}"


def offsets():
    """Details have no offset, in high slices neither, whatever a sample of 0 means."""
    x = np.random.default_rng(13).integers(-1000, 3000, (DEPTH, HEIGHT, WIDTH)).astype("<i2")
    mha.write("short.mha", x, "ElementMin = -1000\nElementMax = 3000\n")
    got = written("short.mha", "soft-threshold:wavelet=haar,levels=2,dimensions=3 border=periodic view=analysis")
    bands = pywt.wavedecn(x.astype(float), "haar", mode="periodization", level=2)
    wanted = {4: (bands[2]["daa"], (slice(4, 8), slice(0, 6), slice(0, 8)), 2.0 ** -0.5),
              2: (bands[1]["daa"], (slice(2, 4), slice(0, 3), slice(0, 4)), 0.25),
              0: (bands[0], (slice(0, 2), slice(0, 3), slice(0, 4)), 0.125)}
    for z, (band, place, factor) in wanted.items():
        off = min(np.abs(sign * got[place] - band * factor).max() for sign in (1, -1))
        assert off <= 2e-3, f"slices from {z} on: {off} off"


def cine():
    """Noise that is new in each frame is weaker along time, too."""
    name = shared("pydicom/examples_ybr_color.dcm")
    process("volume:" + str(name), "-o", "cine-%02d.png", "-f", RECIPE)
    assert len(list(pathlib.Path(".").glob("cine-*.png"))) == 30
    process("volume:" + str(name), "-o", "cine.mkv", "-f", RECIPE)
    lines = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-show_entries", "stream=nb_read_frames",
                            "-of", "csv=p=0", "cine.mkv"], capture_output=True, text=True, check=True).stdout
    assert lines.strip().strip(",") == "30", lines


def video():
    """Of a video in colour: PyWavelets over t, y, x; rate and colours are those of the video."""
    x = np.random.default_rng(14).integers(60, 180, (16, 16, 32, 3)).astype(np.uint8)
    subprocess.run(["ffmpeg", "-loglevel", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", "32x16", "-r", "15",
                    "-i", "-", "-pix_fmt", "yuv420p", "-colorspace", "bt709", "-color_range", "tv", "-c:v", "ffv1",
                    "in.mkv"], input=x.tobytes(), check=True)
    process("in.mkv", "-o", "frame-%02d.tif", "-f", "pass-through")
    frames = np.array([pixels.read_tiff(f"frame-{t + 1:02}.tif")[1] for t in range(len(x))]).astype(float)
    recipe = "shrinkage:wavelet=haar,levels=2,thresholds=0.1/0.05,dimensions=3"
    levels = pywt.wavedecn(frames / 255, "haar", mode="periodization", level=2, axes=(0, 1, 2))
    shrunk = [levels[0]] + [
        {key: pywt.threshold(band, limit * 2.0 ** (level - max(key[1:].count("d"), 1)), "soft") for key, band in own.items()}
        for level, limit, own in zip((2, 1), (0.05, 0.1), levels[1:])]
    wanted = 255 * pywt.waverecn(shrunk, "haar", mode="periodization", axes=(0, 1, 2))
    for engine in ("reference", "cpu", "gl-compute"):
        process("volume:in.mkv", "-o", "done-%02d.tif", "--force", "-f", recipe, "-f", "border=periodic", "-e", engine)
        got = np.array([pixels.read_tiff(f"done-{t + 1:02}.tif")[1] for t in range(len(x))])
        assert np.abs(wanted - frames).max() > 10, "nothing was filtered"
        assert np.abs(got - wanted).max() < 5e-4, f"{engine}: {np.abs(got - wanted).max()}"
    alone = process("in.mkv", "-o", "alone.mkv", "-f", recipe)
    assert "volume:NAME" in alone.stderr, alone.stderr
    process("volume:in.mkv", "-o", "done.mkv", "--no-badge", "-f", recipe)
    told = {}
    for name in ("alone.mkv", "done.mkv"):
        text = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-show_entries",
                               "stream=avg_frame_rate,nb_read_frames,color_space,color_range", "-of", "default=nk=0:nw=1",
                               name], capture_output=True, text=True, check=True).stdout
        told[name] = dict(line.split("=") for line in text.split())
    assert told["done.mkv"] == told["alone.mkv"] and told["done.mkv"]["avg_frame_rate"] == "15/1", told
    assert told["done.mkv"]["nb_read_frames"] == "16", told


def refused():
    samples()
    fails(1, "no last picture", arguments=["info", "volume:phantom:32x32"])
    fails(1, "a single picture", arguments=["info", "volume:in-01.png"])
    pixels.write_png("in-03.png", np.zeros((5, 6, 1), np.uint8))
    done = run("process", "volume:sequence:in-01.png", "-o", "bad.nii", "-f", RECIPE, status=1)
    assert "slice 3 has another size" in done.stderr, done.stderr
    assert not pathlib.Path("bad.nii").exists()


sys.exit(run_cases({
    "numbered pictures are a volume on request": pictures,
    "slices of coefficients are those of PyWavelets": coefficients,
    "high slices are details, without an offset": offsets,
    "a cine is filtered along time": cine,
    "a video in colour is filtered over x, y and t": video,
    "what is no volume is refused": refused,
}))
