#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Noise is measured in what a filter receives, not in the picture as it came; that of filters that see volumes
in slices all over it.

usage: received.py ONDELETTE_CLI
"""
import pathlib
import re
import sys

import numpy as np
from scipy import ndimage

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
import command_line  # noqa: E402
import mha  # noqa: E402
import pixels  # noqa: E402

FULL = 65535
SIGMA = 0.04
# A quarter, of amplitudes.
GAIN = "time-gain:top=-12,upper=-12,middle=-12,lower=-12,bottom=-12,input=amplitude"
FILTERS = ("bm3d", "wiener", "shrinkage", "soft-threshold", "hard-threshold", "bivariate", "bivariate:profile=auto",
           "non-local-means:strength=auto")


def write(samples, name="in.png"):
    rounded = np.clip(np.rint(samples * FULL), 0, FULL).astype(np.uint16)
    pixels.write_png(name, rounded[..., None] if rounded.ndim == 2 else rounded)
    return rounded / FULL


def scene(height=96, width=128, sigma=SIGMA, seed=5):
    y, x = np.mgrid[:height, :width]
    smooth = 0.45 + 0.1 * np.sin(x / 31) * np.cos(y / 23)
    return smooth + np.random.default_rng(seed).normal(0, sigma, smooth.shape)


def said(*arguments, source="in.png", output="out.tif"):
    """The recipe that a run says it has measured."""
    done = command_line.process(source, "-o", output, "--force", *arguments)
    return re.search(r"measured: (.*)", done.stderr)[1]


def numbers(recipe, name):
    """All numbers of the last filter of that name, σ, noise or thresholds first."""
    text = re.findall(name.split(":", maxsplit=1)[0] + r":(\S+)", recipe)[-1]
    value = re.search(r"(?:sigma|noise|thresholds?|strength)=([^, ]+)", text)[1]
    return np.array([float(x) for level in value.split("/") for x in level.split(":")])


def gains_are_regarded():
    write(scene())
    for name in FILTERS:
        alone, after = (numbers(said(*words, "-f", name), name) for words in ((), ("-f", GAIN)))
        assert np.abs(after / alone * 10 ** 0.6 - 1).max() < 0.03, f"{name}: {alone} became {after}"
        again = numbers(said("-f", f"{GAIN},bypass=yes", "-f", name), name)
        assert np.array_equal(alone, again), f"{name}: {alone}, with a bypassed gain {again}"


def is_that_of_the_file_between():
    """As if what comes out of the first filter were a file. Medians are samples, which files hold exactly."""
    samples = write(scene())
    write(ndimage.median_filter(samples, 5, mode="mirror"), "between.png")
    for name in FILTERS:
        truth = numbers(said("-f", name, source="between.png"), name)
        got = numbers(said("-f", "median:size=5", "-f", name), name)
        assert np.abs(got / truth - 1).max() < 0.002, f"{name}: {got}, not {truth}"
        alone = numbers(said("-f", name), name)
        assert alone.max() > 2 * got.max(), f"{name}: {got} after a median, {alone} before it"


def engines_agree():
    """They filter by themselves, but find the same numbers."""
    write(scene())
    for chain in (("gaussian:sigma=0.7",), ("bilateral:size=5", GAIN), ("soft-threshold:levels=2", "sharpen")):
        words = [word for name in (*chain, "shrinkage") for word in ("-f", name)]
        found = {engine: said(*words, "-e", engine) for engine in ("reference", "cpu", "gl-fragment", "gl-compute")}
        assert len(set(found.values())) == 1, found


def each_after_the_other():
    """The second one finds what the first one, with the numbers that it found, has left."""
    write(scene())
    chain = said("-f", "wiener:size=5", "-f", "bm3d")
    first = numbers(chain, "wiener")
    alone = said("-f", f"wiener:size=5,noise={first[0]}", "-f", "bm3d")
    assert np.array_equal(numbers(chain, "bm3d"), numbers(alone, "bm3d")), f"{chain}, {alone}"
    assert numbers(chain, "bm3d")[0] < 0.8 * first[0], chain
    strong = numbers(said("-f", f"wiener:size=5,noise={first[0]}", "-f", "bm3d", "--strength", "0.2"), "bm3d")
    assert strong[0] > numbers(chain, "bm3d")[0], "the strength of the filter before does not count"


def surroundings_stay_out():
    """They are those of the picture as it came: after a filter they need not be of one value."""
    samples = np.zeros((160, 200))
    samples[50:110, 60:140] = scene(60, 80)
    write(samples)
    alone = numbers(said("-f", "wiener"), "wiener")
    after = numbers(said("-f", GAIN, "-f", "wiener"), "wiener")
    assert abs(after[0] / alone[0] * 10 ** 0.6 - 1) < 0.03, f"{alone}, {after}"
    blurred = numbers(said("-f", "gaussian:sigma=0.8", "-f", "wiener"), "wiener")
    write(scene())
    assert abs(blurred[0] / numbers(said("-f", "gaussian:sigma=0.8", "-f", "wiener"), "wiener")[0] - 1) < 0.1


def parts_are_filtered():
    """A homogeneous part, too, is that of what the filter receives."""
    samples = write(scene())
    pixels.write_png("in.png", np.rint(samples * FULL).astype(np.uint16)[..., None])
    for before in (GAIN, "median:size=5"):
        for name in ("wiener", "bivariate", "shrinkage"):
            whole = numbers(said("-f", before, "-f", name, "--sigma-from", "20,30,64,48"), name)
            command_line.process("in.png", "-o", "between.tif", "--force", "-f", before)
            made = write(pixels.read_tiff("between.tif")[1][..., 0] / FULL, "between.png")
            truth = numbers(said("-f", name, "--sigma-from", "20,30,64,48", source="between.png"), name)
            assert np.abs(whole / truth - 1).max() < 0.01, f"{before}, {name}: {whole}, not {truth}, {made.shape}"


def transforms_and_colours():
    """Inside a transform the noise is that of what is transformed; of colours that of what is filtered."""
    write(scene())
    inside = numbers(said("-f", GAIN, "-f", "transform", "-f", "gaussian:at=approximation", "-f", "soft-threshold",
                          "-f", "inverse"), "soft-threshold")
    assert np.array_equal(inside, numbers(said("-f", GAIN, "-f", "soft-threshold"), "soft-threshold")), inside
    colours = np.dstack([scene(seed=s) for s in (1, 2, 3)])
    write(colours)
    for colour in ("luma", "channels"):
        alone, after = (numbers(said(*words, "-f", "wiener", "--colour", colour), "wiener")
                        for words in ((), ("-f", GAIN)))
        factor = 10 ** 0.6
        assert abs(after[0] / alone[0] * factor - 1) < 0.05, f"{colour}: {alone}, {after}"


def large_pictures():
    """Of those the rows in the middle are filtered, unless a gain asks how deep they lie."""
    write(scene(1100, 700))
    for before in ("gaussian:sigma=0.7", GAIN, "bivariate:sigma=0.03"):
        large = numbers(said("-f", before, "-f", "wiener"), "wiener")[0]
        command_line.process("in.png", "-o", "between.tif", "--force", "-f", before)
        write(pixels.read_tiff("between.tif")[1][..., 0] / FULL, "between.png")
        truth = numbers(said("-f", "wiener", source="between.png"), "wiener")[0]
        assert abs(large / truth - 1) < 0.03, f"{before}: {large}, not {truth}"


def volume(empty):
    """Of which some slices are empty, and others have more noise."""
    rng = np.random.default_rng(2)
    samples = 0.4 + np.array([0.02 + 0.002 * (z % 5) for z in range(21)])[:, None, None] * rng.normal(0, 1, (21, 64, 48))
    samples[list(empty)] = 0
    mha.write("in.mha", samples.astype("f4"), mha.UNIT)
    return samples


def slices_do_not_matter():
    """Whichever is written."""
    for empty in ((), (0, 1, 10, 11, 20), tuple(z for z in range(21) if z not in (3, 17))):
        samples = volume(empty)
        recipe = "shrinkage:levels=2,wavelet=haar,dimensions=3"
        whole = said("-f", recipe, source="in.mha", output="out.mha")
        found = numbers(whole, "shrinkage")
        sigma = np.median([0.02 + 0.002 * (z % 5) for z in range(21) if z not in empty])
        assert abs(found[0] / (sigma * np.sqrt(2)) - 1) < 0.12, f"{empty}: {found}, not {sigma}"
        result = mha.read("out.mha", samples.shape)
        for z in (0, 3, 10, 17):
            one = said("-f", recipe, "--frame", str(z + 1), source="in.mha", output="one.tif")
            assert numbers(one, "shrinkage").tolist() == found.tolist(), f"slice {z}: {one}, {whole}"
            slice_of = pixels.read_tiff("one.tif")[1][..., 0]
            assert np.abs(slice_of - result[z]).max() < 1e-6, f"slice {z} differs"
        numbered = said("-f", recipe, "--frames", "4-6", source="in.mha", output="s-%02d.tif")
        assert numbers(numbered, "shrinkage").tolist() == found.tolist(), numbered
    volume(range(21))
    done = command_line.process("in.mha", "-o", "out.mha", "--force", "-f", "shrinkage:dimensions=3")
    assert "no noise was measured" in done.stderr, done.stderr


def volumes_are_received():
    """What stands before filters volumes as well: slices by themselves, or all of them at once."""
    volume(())
    recipe = "soft-threshold:levels=2,wavelet=haar,dimensions=3"
    alone = numbers(said("-f", recipe, source="in.mha", output="out.mha"), "soft-threshold")[0]
    after = numbers(said("-f", GAIN, "-f", recipe, source="in.mha", output="out.mha"), "soft-threshold")[0]
    assert abs(after / alone * 10 ** 0.6 - 1) < 0.03, f"{alone}, {after}"
    np.save("mean.npy", np.full((3, 1, 1), 1 / 3))  # of three slices: less noise by the root of 3
    mean = numbers(said("-f", "convolve:kernel=mean.npy,dimensions=3,border=symmetric", "-f", recipe,
                        source="in.mha", output="out.mha"), "soft-threshold")[0]
    assert abs(mean / alone * np.sqrt(3) - 1) < 0.06, f"{alone}, {mean}"


sys.exit(command_line.run_cases({
    "a gain before the filter is regarded": gains_are_regarded,
    "noise is that of a file between both": is_that_of_the_file_between,
    "all engines have the same numbers": engines_agree,
    "filters are measured one after the other": each_after_the_other,
    "surroundings are those of the picture as it came": surroundings_stay_out,
    "a homogeneous part is filtered, too": parts_are_filtered,
    "transforms and colours": transforms_and_colours,
    "of large pictures the middle is filtered": large_pictures,
    "thresholds of volumes do not depend on the slice that is written": slices_do_not_matter,
    "noise of volumes is that of what is received": volumes_are_received,
}))
