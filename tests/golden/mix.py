#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A second picture as operand, against NumPy; and files that are none.

usage: mix.py ONDELETTE_CLI
"""
import os
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
import pixels  # noqa: E402
from command_line import fails, process, random_picture, run_cases, shared  # noqa: E402

ENGINES = ["cpu", "reference"]
KINDS = [(1, np.uint8), (3, np.uint8), (1, np.uint16), (4, np.uint16)]
LUMA = np.array([0.299, 0.587, 0.114])
TOP = {np.uint8: 255, np.uint16: 65535}


def fractions(samples, channels):
    """Fractions of full scale, as so many channels: grey stands for all, luma for colours."""
    scaled = samples[..., :3] / TOP[samples.dtype.type]
    if channels == 1 and scaled.shape[2] == 3:
        return scaled @ LUMA[:, None]
    return np.repeat(scaled, channels, 2) if scaled.shape[2] < channels else scaled


def mixed(first, second, weight):
    channels = min(first.shape[2], 3)
    result = ((1 - weight) * fractions(first, channels)
              + weight * fractions(second, channels)) * TOP[first.dtype.type]
    return np.concatenate([result, first[..., 3:]], 2)


def every_pair(engine):
    for i, (channels, depth) in enumerate(KINDS):
        first = random_picture(channels, depth, seed=i)
        pixels.write_png("first.png", first)
        for k, (others, other_depth) in enumerate(KINDS):
            second = random_picture(others, other_depth, seed=10 + k)
            pixels.write_png("second.png", second)
            for weight in (0, 0.3, 1) if i == k else (0.7,):
                process("first.png", "-o", "out.tif", "--force", "-e", engine,
                        "-f", f"mix:with=second.png,weight={weight}")
                got = pixels.read_tiff("out.tif")[1]
                wanted = mixed(first, second, weight)
                error = np.abs(got - wanted).max() / TOP[depth]
                assert error < 1e-6, f"{KINDS[i]} with {KINDS[k]}, {weight}: {error}"


def chain_and_luma():
    """Before and after other filters, and where the luma alone is filtered."""
    first, second = (random_picture(3, np.uint8, seed=n) for n in (1, 2))
    pixels.write_png("first.png", first)
    pixels.write_png("second.png", second)
    process("first.png", "-o", "luma.tif", "-f", "mix:with=second.png,weight=1",
            "--colour", "luma")
    before, after = fractions(first, 3), fractions(second, 3)
    wanted = before + (after - before) @ LUMA[:, None]
    got = pixels.read_tiff("luma.tif")[1] / 255
    assert np.abs(got - wanted).max() < 1e-6
    process("first.png", "-o", "a.tif", "-f", "gaussian mix:with=second.png,weight=0")
    process("first.png", "-o", "b.tif", "-f", "gaussian")
    process("second.png", "-o", "c.tif", "-f", "sharpen")
    process("first.png", "-o", "d.tif", "-f", "median mix:with=second.png,weight=1 sharpen")
    for one, other in (("a.tif", "b.tif"), ("c.tif", "d.tif")):
        assert np.array_equal(pixels.read_tiff(one)[1], pixels.read_tiff(other)[1])


def large_pictures_in_bands():
    first, second = (np.random.default_rng(n).integers(0, 256, (6000, 2000, 1), np.uint8)
                     for n in (1, 2))
    pixels.write_png("first.png", first)
    pixels.write_png("second.png", second)
    process("first.png", "-o", "out.tif", "-f", "mix:with=second.png,weight=0.25")
    got = pixels.read_tiff("out.tif")[1]
    assert np.abs(got - mixed(first, second, 0.25)).max() < 255e-6


def batch():
    os.mkdir("in")
    second = random_picture(1, np.uint8, seed=9)
    pixels.write_png("second.png", second)
    firsts = [random_picture(1, np.uint8, seed=n) for n in range(3)]
    for n, first in enumerate(firsts):
        pixels.write_png(f"in/{n}.png", first)
    pixels.write_png("in/odd.png", random_picture(1, np.uint8, height=5))
    done = process("in", "-o", "out", "--format", "tiff", "-f", "mix:with=second.png",
                   status=1)
    assert "odd.png" in done.stderr and "53 × 37" in done.stderr, done.stderr
    assert sorted(os.listdir("out")) == ["0.tif", "1.tif", "2.tif"]
    for n, first in enumerate(firsts):
        got = pixels.read_tiff(f"out/{n}.tif")[1]
        assert np.abs(got - mixed(first, second, 0.5)).max() < 255e-6


def names_and_presets():
    first, second = (random_picture(1, np.uint8, seed=n) for n in (1, 2))
    os.makedirs("presets/below")
    pixels.write_png("first.png", first)
    wanted = mixed(first, second, 0.5)
    for name in ("plain.png", "a b.png", "a,b=c#d.png", 'say "é\\".png', "below/c.png"):
        pixels.write_png("presets/" + name, second)
        quoted = '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'
        text = f"mix:with={quoted},weight=0.5"
        pathlib.Path("presets/mix.txt").write_text(f"# a comment, {text}\n{text}\n")
        process("first.png", "-o", "out.tif", "--force", "-r", "presets/mix.txt")
        assert np.abs(pixels.read_tiff("out.tif")[1] - wanted).max() < 255e-6
        os.remove("presets/" + name)
    fails(2, "quote", arguments=["process", "first.png", "-o", "o.png", "-f",
                                 'mix:with="first.png'])
    fails(2, "second picture", "mix:with=FILE",
          arguments=["process", "first.png", "-o", "o.png", "-f", "mix"])


def refuse(name, *words, status=1):
    fails(status, os.path.basename(name), *words, arguments=[
        "process", "first.png", "-o", "out.png", "-f", f"mix:with={name},weight=0.5"])
    assert not os.path.exists("out.png")


def hostile_operands():
    pixels.write_png("first.png", random_picture(1, np.uint8))
    pixels.write_png("one.png", np.zeros((1, 1, 1), np.uint8))
    os.mkdir("folder")
    os.mkfifo("pipe")
    pathlib.Path("empty.png").touch()
    pathlib.Path("text.png").write_text("no picture")
    process("phantom:53x37,rate=10", "-o", "moves.mkv", "--frames", "1-3")
    refuse("missing.png")
    refuse("folder", "folder")
    refuse("pipe", "pipe")
    refuse("empty.png", "empty")
    refuse("text.png", "not an image")
    refuse("one.png", "1 × 1", "53 × 37", "same size")
    refuse("phantom:53x37")
    refuse("moves.mkv", "still")
    process("phantom:8x8x8x2", "-o", "times.nii")
    fails(1, "times.nii", "a single one", arguments=[
        "process", "phantom:8x8x8", "-o", "out.nii", "-f", "register:with=times.nii,dimensions=3"])


def broken_operands():
    pixels.write_png("first.png", random_picture(1, np.uint8))
    pixels.write_png("whole.png", random_picture(1, np.uint8))
    for whole in ("whole.png", shared("pydicom/image_dfl.dcm"), shared("pydicom/JPEG2000.dcm")):
        data = pathlib.Path(whole).read_bytes()
        for part in (3, 2, 1):
            pathlib.Path("cut.bin").write_bytes(data[:len(data) * part // 4])
            refuse("cut.bin")


def never_over_an_operand():
    pixels.write_png("first.png", random_picture(1, np.uint8))
    pixels.write_png("second.png", random_picture(1, np.uint8, seed=2))
    os.symlink("second.png", "link.png")
    before = pathlib.Path("second.png").read_bytes()
    for out in ("second.png", "link.png"):
        fails(1, out, "never written over", arguments=[
            "process", "first.png", "-o", out, "--force", "-f", "mix:with=second.png"])
    assert pathlib.Path("second.png").read_bytes() == before


def moving_pictures():
    """The same second picture for every frame."""
    second = random_picture(1, np.uint8)
    pixels.write_png("second.png", second)
    process("phantom:53x37", "-o", "plain-%d.tif", "--frames", "1-3")
    process("phantom:53x37", "-o", "mixed-%d.tif", "--frames", "1-3",
            "-f", "mix:with=second.png,weight=0.5")
    for n in (1, 2, 3):
        plain, got = (pixels.read_tiff(f"{name}-{n}.tif")[1] for name in ("plain", "mixed"))
        assert np.abs(got - (plain + second) / 2).max() < 255e-6


sys.exit(run_cases(
    {f"{engine} mixes every pair of depths and channels": lambda engine=engine: every_pair(engine)
     for engine in ENGINES}
    | {"chains and the luma are mixed": chain_and_luma,
       "large pictures are mixed in bands": large_pictures_in_bands,
       "batches share a second picture": batch,
       "names are quoted, those of presets relative to them": names_and_presets,
       "what is no still picture of a file is refused": hostile_operands,
       "broken second pictures are refused": broken_operands,
       "no operand is written over": never_over_an_operand,
       "moving pictures keep their operand": moving_pictures}))
