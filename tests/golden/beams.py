#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Ultrasound before it is a picture: log-compress, log-expand and envelope against NumPy and SciPy.

usage: beams.py ONDELETTE_CLI
"""
import pathlib
import sys

import numpy as np
from scipy import signal

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


sys.exit(command_line.run_cases(
    {f"{engine}: {case.__name__}": lambda engine=engine, case=case: case(engine)
     for engine in ENGINES for case in (compression, expansion, envelope)}
    | {"the reference is held": the_reference_is_held}))
