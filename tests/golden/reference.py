#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""PSNR and SSIM against scikit-image; a clean reference beside what is filtered.

usage: reference.py ONDELETTE_CLI
"""
import os
import pathlib
import re
import sys

import numpy as np
from skimage.metrics import peak_signal_noise_ratio, structural_similarity

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
import mha  # noqa: E402
import pixels  # noqa: E402
from command_line import compare, fails, process, random_picture, run_cases  # noqa: E402

TOP = {np.uint8: 255, np.uint16: 65535}


def noisy(clean, sigma, seed):
    top = TOP[clean.dtype.type]
    noise = np.random.default_rng(seed).normal(0, sigma * top, clean.shape)
    return np.clip(np.rint(clean + noise), 0, top).astype(clean.dtype)


def scene(channels, dtype, height=67, width=83):
    y, x, c = np.mgrid[:height, :width, :channels]
    waves = 0.5 + 0.25 * np.sin(0.2 * x + c) + 0.2 * np.cos(0.1 * y + 0.003 * x * y)
    return np.rint(waves * TOP[dtype]).astype(dtype)


def scores(a, b):
    """Full scale is the peak; Wang et al. 2004: a Gaussian window of sigma 1.5."""
    a, b = a.astype(float), b.astype(float)
    return (peak_signal_noise_ratio(a, b, data_range=1),
            structural_similarity(a, b, gaussian_weights=True, sigma=1.5, data_range=1,
                                  use_sample_covariance=False, channel_axis=2))


def check(got, wanted, what):
    assert abs(got[0] - wanted[0]) < 0.006 and abs(got[1] - wanted[1]) < 6e-5, (what, got, wanted)


def compare_is_scikit():
    for i, (channels, dtype, shape) in enumerate((
            (1, np.uint8, (67, 83)), (3, np.uint8, (40, 31)), (1, np.uint16, (12, 50)),
            (3, np.uint16, (90, 90)))):
        clean = scene(channels, dtype, *shape)
        for sigma in (0.01, 0.1, 0.4):
            other = noisy(clean, sigma, seed=i)
            pixels.write_png("a.png", clean)
            pixels.write_png("b.png", other)
            said = compare("a.png", "b.png")
            wanted = scores(clean / TOP[dtype], other / TOP[dtype])
            assert abs(said["psnr_db"] - wanted[0]) < 1e-4, (said, wanted)
            assert abs(said["ssim"] - wanted[1]) < 1e-5, (said, wanted)


def said_by_process(*arguments, **more):
    done = process(*arguments, **more)
    return [[float(n) for n in numbers] for numbers in re.findall(
        r"PSNR ([\d.]+) dB · SSIM ([\d.]+)", done.stderr)], done.stderr


def process_is_scikit():
    for engine in ("cpu", "reference"):
        for channels, dtype in ((1, np.uint8), (3, np.uint16)):
            top = TOP[dtype]
            clean = scene(channels, dtype)
            first = noisy(clean, 0.05, seed=3)
            pixels.write_png("clean.png", clean)
            pixels.write_png("in.png", first)
            numbers, text = said_by_process(
                "in.png", "-o", "out.tif", "--force", "-e", engine, "-f",
                "shrinkage:thresholds=0.1", "--reference", "clean.png")
            result = pixels.read_tiff("out.tif")[1] / top
            assert "clean.png" in text and "full scale" in text, text
            check(numbers[0], scores(clean / top, result), "result")
            check(numbers[1], scores(clean / top, first / top), "before")
            assert numbers[0][0] > numbers[1][0] + 1


def large_pictures_are_compared_as_a_whole():
    clean = scene(1, np.uint8, 6000, 1500)
    pixels.write_png("clean.png", clean)
    pixels.write_png("in.png", noisy(clean, 0.1, seed=1))
    numbers, _ = said_by_process("in.png", "-o", "out.tif", "-f", "gaussian:sigma=1",
                                 "--reference", "clean.png")
    check(numbers[0], scores(clean / 255, pixels.read_tiff("out.tif")[1] / 255), "large")


def batches_say_each():
    os.mkdir("in")
    clean = scene(1, np.uint8)
    pixels.write_png("clean.png", clean)
    pixels.write_png("in/a.png", noisy(clean, 0.1, seed=1))
    pixels.write_png("in/b.png", clean)
    pixels.write_png("in/odd.png", random_picture(1, np.uint8))
    done = process("in", "-o", "out", "--reference", "clean.png", status=1)
    assert re.search(r"in/a.png: against clean.png: PSNR", done.stderr), done.stderr
    assert re.search(r"in/b.png: against clean.png: equal to the reference", done.stderr), done.stderr
    assert re.search(r"in/odd.png: clean.png: .*53×37 against 83×67", done.stderr), done.stderr
    assert sorted(os.listdir("out")) == ["a.png", "b.png"]


def frames_have_references_of_their_own():
    clean = np.stack([np.roll(scene(1, np.uint8)[..., 0], 5 * i, axis=1) for i in range(4)])
    clean[:, 0, :2] = 0, 255
    noise = noisy(clean, 0.1, seed=2)
    noise[:, 0, :2] = 0, 255
    mha.write("clean.mha", clean)
    mha.write("noisy.mha", noise)
    mha.write("short.mha", clean[:2])
    pixels.write_png("third.png", clean[2][..., None])
    for reference in ("clean.mha", "third.png"):
        numbers, text = said_by_process("noisy.mha", "--frame", "3", "-o", "out.png", "--force", "-f", "gaussian:sigma=1",
                                        "--reference", reference)
        check(numbers[1], scores(clean[2][..., None] / 255, noise[2][..., None] / 255), reference)
        said = compare("noisy.mha", reference, "--frame", "3")
        check((said["psnr_db"], said["ssim"]), numbers[1], reference)
    fails(2, "short.mha", "2 frames", "frame 3", arguments=[
        "process", "noisy.mha", "--frame", "3", "-o", "no.png", "--reference", "short.mha"])


def volumes_and_videos_have_references():
    """All frames together: of PSNR the mean of the squares, of SSIM the mean."""
    clean = np.stack([np.roll(scene(1, np.uint8)[..., 0], 5 * i, axis=1) for i in range(6)])
    clean[:, 0, :2] = 0, 255
    noise = noisy(clean, 0.1, seed=2)
    noise[:, 0, :2] = 0, 255
    mha.write("clean.mha", clean)
    mha.write("noisy.mha", noise)
    mha.write("short.mha", clean[:3])
    pixels.write_png("third.png", clean[2][..., None])

    def together(a, b, first=0, last=6):
        each = [scores(x[..., None] / 255, y[..., None] / 255) for x, y in zip(a[first:last], b[first:last])]
        return -10 * np.log10(np.mean([10 ** (-psnr / 10) for psnr, _ in each])), np.mean([ssim for _, ssim in each])

    for recipe in ("gaussian:sigma=1", "soft-threshold:threshold=0.1,dimensions=3"):
        for out, more, last in (("out.mha", [], 6), ("out.nii", [], 6), ("frame-%d.png", ["--frames", "1-3"], 3),
                                ("frame-%d.tif", ["--frames", "1-3"], 3)):
            numbers, text = said_by_process("noisy.mha", "-o", out, "--force", "-f", recipe, "--reference", "clean.mha", *more)
            assert len(numbers) == 2 and text.count("against clean.mha") == 1, text
            check(numbers[1], together(clean, noise, 0, last), (recipe, out))
            if out == "out.mha":
                made = np.frombuffer(pathlib.Path(out).read_bytes()[-4 * clean.size:], "<f4").reshape(clean.shape)
                check(numbers[0], together(clean, made), recipe)
    numbers, _ = said_by_process("noisy.mha", "-o", "frame-%d.png", "--force", "-f", "median", "--reference", "third.png", "--frames", "2-4")
    check(numbers[1], together(np.stack([clean[2]] * 6), noise, 1, 4), "one picture for all frames")
    numbers, text = said_by_process("noisy.mha", "-o", "out.mha", "--force", "-f", "median", "--reference", "noisy.mha")
    assert "before the filters: equal to the reference" in text and len(numbers) == 1, text
    process("clean.mha", "-o", "clean.mkv", "--quality", "lossless")
    numbers, text = said_by_process("clean.mkv", "-o", "out.mkv", "-f", "median", "--reference", "clean.mha")
    assert len(numbers) == 1 or numbers[1][0] > 40, text
    fails(1, "short.mha", "3 frames", "frame 4", arguments=["process", "noisy.mha", "-o", "no.mha", "-f", "median", "--reference", "short.mha"])
    mha.write("other.mha", clean[:, :, 1:])
    fails(1, "other.mha", "82", arguments=["process", "noisy.mha", "-o", "no.mha", "-f", "median", "--reference", "other.mha"])
    fails(2, "coefficients", arguments=["process", "noisy.mha", "-o", "no.mha", "-f", "shrinkage", "--view", "analysis", "--reference", "clean.mha"])
    assert not os.path.exists("no.mha")


def refused():
    pixels.write_png("in.png", scene(1, np.uint8))
    pathlib.Path("text.png").write_text("no picture")
    common = ["process", "in.png", "-o", "out.png", "--reference"]
    fails(1, "missing.png", arguments=[*common, "missing.png"])
    fails(1, "text.png", "not an image", arguments=[*common, "text.png"])
    fails(2, "coefficients", arguments=[*common, "in.png", "-f", "shrinkage", "--view",
                                        "analysis"])
    pixels.write_png("clean.png", scene(1, np.uint8))
    fails(1, "clean.png", "never written over", arguments=[
        "process", "in.png", "-o", "clean.png", "--force", "--reference", "clean.png"])


sys.exit(run_cases({
    "PSNR and SSIM are scikit-image's": compare_is_scikit,
    "what process says of its result is scikit-image's": process_is_scikit,
    "large pictures are compared as a whole": large_pictures_are_compared_as_a_whole,
    "batches say it of each picture": batches_say_each,
    "each frame is compared with its own": frames_have_references_of_their_own,
    "all frames of volumes and videos are compared together": volumes_and_videos_have_references,
    "what cannot be compared is refused": refused,
}))
