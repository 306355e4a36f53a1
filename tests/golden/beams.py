#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Ultrasound before it is a picture: log-compress, log-expand, envelope and scan-convert against NumPy
and SciPy, and the beams of the phantom against what it says of itself.

usage: beams.py ONDELETTE_CLI
"""
import pathlib
import re
import sys

import numpy as np
from scipy import ndimage, signal

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
import command_line  # noqa: E402
import mha  # noqa: E402

ENGINES = ["cpu", "reference", "gl-fragment", "gl-compute"]
FULL = 32767


def amplitudes():
    """From 90 dB below full scale up, with some that are 0 and less."""
    picture = 10 ** np.random.default_rng(5).uniform(-4.5, 0, (60, 45))
    picture[3, :9], picture[4, :5] = 0, -0.2
    return picture.astype(np.float32)


def run(recipe, engine, samples, more=mha.UNIT):
    """What becomes of samples of a file, by default floats of 0 … 1 as filters have them."""
    mha.write("in.mha", samples, more)
    command_line.process("in.mha", "-o", "out.npy", "--force", "-e", engine,
                         *(word for one in recipe.split() for word in ("-f", one)))
    return np.load("out.npy").astype(float).reshape(samples.shape)


def decibels(samples, reference, limits, gain=0):
    with np.errstate(divide="ignore", invalid="ignore"):
        level = 20 * np.log10(np.maximum(samples.astype(float), 0) / reference) + gain
    return np.clip(1 + level / limits, 0, 1)


def compression(engine):
    samples = amplitudes()
    for limits, gain, reference in ((60, 0, 1), (80, 6.5, 0.25), (20, -40, 0.0005), (120, 40, 0.8)):
        got = run(f"log-compress:range={limits},gain={gain},reference={reference}", engine, samples)
        off = np.abs(got - decibels(samples, reference, limits, gain)).max()
        assert off < 1e-5, f"{engine}: {limits} dB, {gain} dB, {reference}: off by {off}"


def expansion(engine):
    samples = np.random.default_rng(6).uniform(0, 1, (30, 41)).astype(np.float32)
    for limits, gain, reference in ((60, 0, 1), (80, 6.5, 0.25), (20, -12, 0.1)):
        got = run(f"log-expand:range={limits},gain={gain},reference={reference}", engine, samples)
        wanted = reference * 10 ** (((samples.astype(float) - 1) * limits - gain) / 20)
        assert np.abs(got - wanted).max() < 1e-5, f"{engine}: {np.abs(got - wanted).max()}"
    settings = "range=100,gain=-3,reference=1"
    back = run(f"log-compress:{settings} log-expand:{settings}", engine, amplitudes())
    there = amplitudes() > 2e-5
    off = np.abs(back / np.maximum(amplitudes(), 1e-9) - 1)[there].max()
    assert there.mean() > 0.9 and off < 2e-4, f"{engine}: there and back off by {off}"


def the_reference_is_held():
    """Measured once, in what reaches the filter: the largest sample of the first picture."""
    bright = amplitudes() / 2
    mha.write("bright.mha", bright, mha.UNIT)
    command_line.process("bright.mha", "-o", "out.npy", "--force", "-f", "log-compress")
    reference = float(f"{bright.max():.3g}")
    off = np.abs(np.load("out.npy").reshape(bright.shape) - decibels(bright, reference, 60)).max()
    assert off < 1e-5, f"one picture: off by {off}"
    # What filters before it make counts.
    command_line.process("bright.mha", "-o", "out.npy", "--force", "-f", "gamma:gamma=2", "-f",
                         "log-compress:range=100")
    square = np.sign(bright) * bright.astype(float) ** 2
    off = np.abs(np.load("out.npy").reshape(bright.shape)
                 - decibels(square, float(f"{square.max():.3g}"), 100)).max()
    assert off < 1e-5, f"behind gamma: off by {off}"


def lines(rng, count=24, length=700):
    """Noise of the frequencies that probes have, 0.08 to 0.42 of the sampling rate, in 16 bits."""
    band = signal.firwin(257, (0.16, 0.84), pass_zero=False)
    noise = signal.fftconvolve(rng.normal(size=(length + 256, count)), band[:, None], "valid", axes=0)
    return np.rint(noise / np.abs(noise).max() * 0.9 * FULL).astype(np.int16)


def envelope(engine):
    """Half a filter from the ends within 1 % of the largest magnitude of the analytic signal."""
    samples = lines(np.random.default_rng(9))
    wanted = np.abs(signal.hilbert(samples.astype(float), axis=0)) / 65535
    for length, most in ((31, 0.02), (63, 0.01), (127, 0.006)):
        got = scaled(run(f"envelope:length={length}", engine, samples, more=""))
        inside = slice(length // 2 + 1, -(length // 2) - 1)
        off = np.abs(got - wanted)[inside].max() / wanted.max()
        assert off < most, f"{engine}, {length}: off by {off} of the largest"


def scaled(got):
    """As shares of full scale, of values in the unit of a file of 16 bits with sign."""
    return (got.astype(float) + 32768) / 65535


ARRAYS = ["phantom:beams:96x1500", "phantom:beams:64x900,array=linear", "phantom:beams:64x900,array=linear,steering=-15"]
POINTS = [(0, y) for y in range(10, 80, 10)] + [(x, 40) for x in (-14, -7, 7, 14)]


def seen(source, *recipe, engine="cpu", frame=0):
    """What becomes of a frame of beams, as shares of full scale. Pictures of beams are shares themselves."""
    command_line.process(source, "-o", "seen.npy", "--force", "-e", engine, "--frame", frame + 1,
                         *(word for one in recipe for word in ("-f", one)))
    samples = np.load("seen.npy").astype(float)
    samples = samples.reshape(samples.shape[:2])
    return samples if any(one.startswith("scan-convert") for one in recipe) else scaled(samples)


def pixel_of(source, *recipe):
    """Millimetres from a pixel to the next along x and y, by which lengths are measured."""
    lines = command_line.read("measure", source, "--length", "2,3,12,3", "--length", "2,3,2,13",
                              *(word for one in recipe for word in ("-f", one)))
    return [one["length"]["value"] / 10 for one in lines["measured"]]


def beams_of(source):
    image = command_line.read("info", source)["image"]
    return image["beams"], (image["height"], image["width"])


def places(beams, shape, between=1):
    """x and y of all samples, in mm, and of so many places for each along a row."""
    row, column = np.mgrid[0:shape[0], 0:(shape[1] - 1) * between + 1]
    column = column / between
    at, depth = beams["first"] + beams["step"] * column, beams["start_mm"] + beams["sample_mm"] * row
    if beams["array"] == "linear":
        return at + depth * np.sin(beams["steering"]), depth * np.cos(beams["steering"])
    around = beams["radius_mm"] + depth
    return around * np.sin(at), around * np.cos(at) - beams["radius_mm"]


def grid(beams, shape, wanted):
    """x and y of the pixels of a picture of so many rows and columns that holds all samples, and the
    arcs between them."""
    x, y = places(beams, shape, 10)
    pixel = max((x.max() - x.min()) / (wanted[1] - 1), (y.max() - y.min()) / (wanted[0] - 1))
    return (pixel, (x.min() + x.max()) / 2 + pixel * (np.arange(wanted[1]) - (wanted[1] - 1) / 2),
            (y.min() + y.max()) / 2 + pixel * (np.arange(wanted[0]) - (wanted[0] - 1) / 2))


def columns_and_rows(beams, x, y):
    if beams["array"] == "linear":
        depth, at = y / np.cos(beams["steering"]), x - y * np.tan(beams["steering"])
    else:
        depth = np.hypot(x, y + beams["radius_mm"]) - beams["radius_mm"]
        at = np.arctan2(x, y + beams["radius_mm"])
    return (at - beams["first"]) / beams["step"], (depth - beams["start_mm"]) / beams["sample_mm"]


def conversion(engine):
    """Bilinear, as SciPy's; outside of the beams 0."""
    compressed = ("envelope", "log-compress:reference=0.3")
    for source in ARRAYS:
        beams, shape = beams_of(source)
        lines = seen(source, *compressed)
        assert lines.shape == shape
        for sides in ((300, 401), (211, 640)):
            convert = f"scan-convert:width={sides[1]},height={sides[0]}"
            got = seen(source, *compressed, convert, engine=engine)
            pixel, x, y = grid(beams, shape, sides)
            if engine == "cpu":
                measured = pixel_of(source, *compressed, convert)
                assert np.abs(np.array(measured) / pixel - 1).max() < 1e-3, (measured, pixel)
            column, row = columns_and_rows(beams, *np.meshgrid(x, y))
            wanted = ndimage.map_coordinates(lines, [row, column], order=1, cval=0)
            # A hundredth of a sample beside the outermost ones counts as on them.
            inside = (np.abs(column) > 0.011) & (np.abs(column - shape[1] + 1) > 0.011)
            inside &= (np.abs(row) > 0.011) & (np.abs(row - shape[0] + 1) > 0.011)
            off = np.abs(got - wanted)[inside].max()
            # Places are rounded to single precision on graphics cards: to 4e-4 of a row.
            most = 1e-5 if engine in ENGINES[:2] else 1e-4
            assert inside.mean() > 0.98 and off < most, f"{engine}, {source}: off by {off}"
            beside = (column < -0.02) | (column > shape[1] - 0.98) | (row < -0.02) | (row > shape[0] - 0.98)
            assert beside.any() and np.abs(got[beside]).max() < 1e-7


def the_height_follows():
    """Without a height the picture has as many rows as its square pixels need."""
    for source in ARRAYS:
        beams, shape = beams_of(source)
        x, y = places(beams, shape, 10)
        got = seen(source, "envelope", "scan-convert:width=500")
        pixel = (x.max() - x.min()) / 499
        assert got.shape == (int((y.max() - y.min()) / pixel + 1e-6) + 1, 500), got.shape
        # It begins and ends with samples.
        assert got[1].max() > 0 and got[-2].max() > 0, source


def points_lie_where_they_are():
    for source in ("phantom:beams,clean", "phantom:beams,array=linear,clean",
                   "phantom:beams,array=linear,steering=10,clean", "phantom:beams:200x2048,clean,seed=9"):
        beams, shape = beams_of(source)
        got = seen(source, "envelope", "scan-convert:width=1500,height=1600")
        _, x, y = grid(beams, shape, (1600, 1500))
        found = 0
        for px, py in POINTS:
            column, row = columns_and_rows(beams, px, py)
            if not (12 < column < shape[1] - 13 and 100 < row < shape[0] - 100):
                continue
            found += 1
            across = np.abs(x - px) < 3.4
            along = np.abs(y - py) < 2
            part = got[np.ix_(along, across)]
            centre = ((part * x[across]).sum() / part.sum(), (part * y[along][:, None]).sum() / part.sum())
            off = max(abs(centre[0] - px), abs(centre[1] - py))
            assert off < 0.02, f"{source}: the point at {px}, {py} lies at {centre}"
        assert found >= 5, f"{source}: {found} points"


def disc(beams, shape, x, y, radius):
    at = places(beams, shape)
    return np.hypot(at[0] - x, at[1] - y) < radius


def cysts_are_as_they_say():
    """Of the mean power beside them, at the same depths."""
    for source in ("phantom:beams,attenuation=0", "phantom:beams,attenuation=0,array=linear"):
        beams, shape = beams_of(source)
        power = seen(source, "envelope") ** 2
        for x, y, radius, level in ((-10, 25, 3.5, None), (9, 55, 2.5, None), (10, 25, 3, -9), (-10, 55, 3, 9)):
            inside = power[disc(beams, shape, x, y, radius)].mean()
            # Between the cysts, beside the points.
            across, along = places(beams, shape)
            beside = power[(np.abs(np.abs(across) - 2.8) < 1.3) & (np.abs(along - y) < 3.5)].mean()
            found = 10 * np.log10(inside / beside)
            assert found < -20 if level is None else abs(found - level) < 3, f"{source}: {x}, {y}: {found} dB"
        print(f"# {source}: speckle of {10 * np.log10(power.mean()):.1f} dB")


def echoes_decay():
    """By 2 · 0.5 dB for each cm and MHz."""
    near, far = ((0, 12), (0, 66))
    for source, frequency in (("phantom:beams,attenuation=0.5", 3.5), ("phantom:beams,attenuation=0.5,array=linear", 5)):
        beams, shape = beams_of(source)
        plain = seen(source.replace("0.5", "0"), "envelope")
        lost = seen(source, "envelope")
        for x, y in (near, far):
            part = disc(beams, shape, x, y, 2.5)
            found = 10 * np.log10((lost[part] ** 2).mean() / (plain[part] ** 2).mean())
            wanted = -2 * 0.5 * frequency * y / 10
            assert abs(found - wanted) < 1 + 0.05 * abs(wanted), f"{source}, {y} mm: {found} dB, not {wanted}"


def frames_move_and_come_back():
    at_rest, first, again = (seen("phantom:beams:64x1024", "envelope", frame=frame) for frame in (0, 12, 25))
    assert np.corrcoef(at_rest.ravel(), again.ravel())[0, 1] > 0.999
    assert np.corrcoef(at_rest.ravel(), first.ravel())[0, 1] < 0.8
    # What appears at d lay at d - u.
    beams, shape = beams_of("phantom:beams:64x1024")
    depth = beams["start_mm"] + beams["sample_mm"] * np.arange(shape[0])
    moved = np.sin(2 * np.pi * 12 / 50) * np.sin(np.pi * depth / depth[-1]) ** 2
    back = np.array([np.interp(depth - moved, depth, column) for column in at_rest.T]).T
    assert np.corrcoef(back[40:-40].ravel(), first[40:-40].ravel())[0, 1] > 0.98
    same = seen("phantom:beams:64x1024", "envelope", frame=12)
    assert np.array_equal(first, same)


def what_cannot_be_is_said():
    command_line.fails(1, "array=curvilinear", arguments=["info", "phantom:beams,steering=5"])
    command_line.fails(1, "512", arguments=["info", "phantom:beams:1x100"])
    mha.write("flat.mha", np.zeros((8, 8), np.uint8))
    done = command_line.process("flat.mha", "-o", "out.npy", "--force", "-f", "scan-convert")
    assert "scan-convert" in done.stderr, done.stderr
    done = command_line.process("phantom:beams:64x256", "-o", "out.npy", "--force", "--frame", "1",
                                "-f", "scan-convert:width=64", "-f", "scan-convert:width=32")
    assert "scan-convert" in done.stderr, done.stderr
    assert np.load("out.npy").shape[:2] == seen("phantom:beams:64x256", "scan-convert:width=64").shape
    command_line.fails(1, "scan-convert", arguments=["process", "phantom:beams:64x256", "-o", "out.npy", "--force",
                                                     "--frame", "1", "-f", "scan-convert", "--view", "residual"])
    command_line.fails(1, "gl-fragment", "scan-convert", arguments=[
        "process", "phantom:beams:64x256", "-o", "out.npy", "--force", "--frame", "1", "-f", "scan-convert",
        "-e", "gl-fragment"])


def despeckling_comes_first():
    """Filters before compression act on amplitudes, and those behind the conversion on the picture."""
    source = "phantom:beams:64x1024"
    plain = seen(source, "envelope", "log-compress:reference=0.3", "scan-convert:width=300,height=200")
    before = seen(source, "envelope", "srad:input=intensity,steps=20,q0=0.5", "log-compress:reference=0.3",
                  "scan-convert:width=300,height=200")
    behind = seen(source, "envelope", "log-compress:reference=0.3", "scan-convert:width=300,height=200",
                  "gaussian:sigma=1.5", "shrinkage:thresholds=0.03")
    rough = [np.abs(np.diff(one[80:160, 120:180], axis=0)).mean() for one in (plain, before, behind)]
    assert rough[1] < 0.6 * rough[0] and rough[2] < 0.6 * rough[0], rough
    smooth = ndimage.gaussian_filter(plain, 1.5)
    assert np.abs(behind - smooth)[60:-60, 60:-60].mean() < 0.02


sys.exit(command_line.run_cases(
    {f"{engine}: {case.__name__}": lambda engine=engine, case=case: case(engine)
     for engine in ENGINES for case in (compression, expansion, envelope)}
    | {f"{engine}: conversion": lambda engine=engine: conversion(engine) for engine in ENGINES if engine != "gl-fragment"}
    | {case.__name__.replace("_", " "): case for case in (
        the_reference_is_held, the_height_follows, points_lie_where_they_are, cysts_are_as_they_say,
        echoes_decay, frames_move_and_come_back, what_cannot_be_is_said, despeckling_comes_first)}))
