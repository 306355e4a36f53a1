#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Wavelet shrinkage in three dimensions, against PyWavelets, through the command line.

A threshold is that of a transform which is orthonormal along z and has our gains along x and y
(plan/step.h): of PyWavelets' coefficients with h details among x and y, at level l, it is
2^(l - h) times ours, h at least 1. wavelets.py says why.

usage: volumes.py ONDELETTE_CLI ODL_TRANSFORM
"""
import os
import pathlib
import subprocess
import sys

import numpy as np
import pywt

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "helpers"))
import command_line  # noqa: E402
import mha  # noqa: E402
import pixels  # noqa: E402
TRANSFORM = os.path.abspath(sys.argv[2])
ENGINES = ["reference", "cpu", "cpu:filtering", "cpu:scalar", "gl-compute",
           "gl-compute:convolution"]
THRESHOLDS = [0.08, 0.05, 0.02]
# Values are of the order of 1; those of single precision are rounded at every step.
BOUND = {"reference": 3e-7}
BOUND_CPU = 4e-6
DISTANCES = 1, 1, 2
SPACED = f"ElementSpacing = {' '.join(map(str, DISTANCES))}\n" + mha.UNIT


def filtered(recipe, engine, depth, border="auto"):
    for old in pathlib.Path(".").glob("out-*.tif"):
        old.unlink()
    done = command_line.process("in.mha", "-o", "out-%03d.tif", "-f", recipe, "-f",
                                f"border={border}", "-e", engine)
    got = np.array([pixels.read_tiff(f"out-{z + 1:03d}.tif")[1][..., 0] for z in range(depth)])
    return got.astype(np.float64), done


def soft(coefficients, threshold):
    return pywt.threshold(coefficients, threshold, "soft")


def firm(coefficients, threshold):
    """Of a line with a number before it: PyWavelets loses large values that are all in row 0."""
    line = np.append(0, coefficients)
    return pywt.threshold_firm(line, threshold, 2 * threshold)[1:].reshape(coefficients.shape)


RULES = {"soft": soft, "garrote": lambda x, t: pywt.threshold(x, t, "garrote"), "firm": firm}


def limit(level, key):
    return THRESHOLDS[level - 1] * 2.0 ** (level - max(key[1:].count("d"), 1))


def roll_of(transform, name):
    """How far PyWavelets' samples lie from ours."""
    for line in subprocess.run([transform, "list"], capture_output=True, check=True,
                               text=True).stdout.splitlines():
        own, aliases, _, low, _ = line.split("\t")
        if name in [own, *aliases.split()]:
            taps = np.flatnonzero(np.abs(pywt.Wavelet(name).dec_lo) > 1e-12)
            return pywt.Wavelet(name).dec_len // 2 - (int(low.split()[0]) + taps[-1])
    raise AssertionError(f"{name} is not in the table")


def shrink(x, name, roll, level, levels):
    """One level after the other, since each must be rolled."""
    bands = pywt.dwtn(np.roll(x, (roll,) * 3, (0, 1, 2)), name, mode="periodization")
    out = {key: soft(band, limit(level, key)) for key, band in bands.items() if "d" in key}
    out["aaa"] = (shrink(bands["aaa"], name, roll, level + 1, levels) if level < levels
                  else bands["aaa"])
    return np.roll(pywt.idwtn(out, name, mode="periodization"), (-roll,) * 3, (0, 1, 2))


def recipe_for(name, levels, thresholds=None):
    numbers = "/".join(str(t) for t in (THRESHOLDS if thresholds is None else thresholds)[:levels])
    return f"shrinkage:wavelet={name},levels={levels},thresholds={numbers},dimensions=3"


def compare(name, got, wanted, engine):
    error = np.abs(got - wanted).max()
    bound = BOUND.get(engine, BOUND_CPU)
    if not error <= bound:
        yield f"{name} on {engine}: the largest difference is {error:.2g}, more than {bound:.2g}"


def periodic():
    x = np.random.default_rng(3).normal(0.5, 0.2, (16, 24, 40)).astype("f4").astype(float)
    mha.write("in.mha", x, SPACED)
    for name, levels in (("haar", 3), ("db2", 2), ("sym5", 3), ("bior4.4", 3)):
        wanted = shrink(x, name, roll_of(TRANSFORM, name), 1, levels)
        for engine in ENGINES:
            yield from compare(name, filtered(recipe_for(name, levels), engine, 16,
                                              "periodic")[0], wanted, engine)


def every_wavelet(engine):
    """All of the table that PyWavelets has, in one to three levels."""
    x = np.random.default_rng(13).normal(0.5, 0.2, (16, 24, 40)).astype("f4").astype(float)
    mha.write("in.mha", x, SPACED)
    table = subprocess.run([TRANSFORM, "list"], capture_output=True, check=True, text=True).stdout.splitlines()
    names = [[name for name in (row[0], *row[1].split()) if name in pywt.wavelist(kind="discrete")]
             for row in (line.split("\t") for line in table)]
    names = [own[0] for own in names if own]
    assert len(names) > 45, names
    for i, name in enumerate(names):
        wanted = shrink(x, name, roll_of(TRANSFORM, name), 1, 1 + i % 3)
        got, _ = filtered(recipe_for(name, 1 + i % 3), engine, 16, "periodic")
        yield from compare(name, got, wanted, engine)


def as_wavedecn():
    """PyWavelets' own decomposition of all levels."""
    x = np.random.default_rng(4).normal(0.5, 0.2, (8, 16, 24)).astype("f4").astype(float)
    mha.write("in.mha", x, SPACED)
    assert roll_of(TRANSFORM, "haar") == 0
    bands = pywt.wavedecn(x, "haar", mode="periodization", level=3)
    for rule, function in RULES.items():
        shrunk = [bands[0]] + [{key: function(band, limit(level, key)) for key, band in own.items()}
                               for level, own in zip((3, 2, 1), bands[1:])]
        wanted = pywt.waverecn(shrunk, "haar", mode="periodization")
        for engine in ENGINES:
            got, _ = filtered(f"{recipe_for('haar', 3)},rule={rule}", engine, 8, "periodic")
            yield from compare(f"haar, {rule}", got, wanted, engine)


def seen(view, recipe, engine):
    """Slices of a view, as they are written."""
    for old in pathlib.Path(".").glob("seen-*.npy"):
        old.unlink()
    command_line.process("in.mha", "-o", "seen-%03d.npy", "-f", recipe, "-f", "border=periodic",
                         "-e", engine, "--view", view)
    return np.array([np.load(path) for path in sorted(pathlib.Path(".").glob("seen-*.npy"))])


def as_one_file(level, name, wanted, engine):
    """The same numbers as one array, with the distances of coefficients."""
    words = ["-f", recipe_for("haar", 2, [0, 0]), "-f", "border=periodic", "-e", engine, "--view", f"band:{level}:{name}", "--force"]
    for out in "band.npy", "band.mha", "band.nii", "band.stack.npy":
        command_line.process("in.mha", "-o", out, *words)
    nifti = pathlib.Path("band.nii").read_bytes()
    sides = np.frombuffer(nifti, "<i2", 8, 40)[1:4]
    apart = np.frombuffer(nifti, "<f4", 4, 76)[1:]
    files = {"npy": np.load("band.npy"), "mha": mha.read("band.mha", wanted.shape), "stack.npy": np.load("band.stack.npy"),
             "nii": np.frombuffer(nifti, "<f4", offset=352).reshape(sides[::-1])}
    for end, got in files.items():
        if got.shape != wanted.shape or not np.array_equal(got, wanted):
            yield f"{name} {level} as {end} on {engine}: {got.shape}"
    if not np.allclose(apart, np.array(DISTANCES) * 2 ** level):
        yield f"{name} {level}: {apart} mm"


def whole_volumes_as_one_array():
    """What filters make of a volume, and of one over time."""
    x = np.random.default_rng(16).random((3, 4, 8, 6)).astype("f4")
    mha.write("time.mha", x, mha.UNIT)
    mha.write("one.mha", x[0], mha.UNIT)
    for source, wanted in (("time.mha", x), ("one.mha", x[0])):
        command_line.process(source, "-o", "all.stack.npy", "-f", "pass-through", "--force")
        got = np.load("all.stack.npy")
        if got.shape != wanted.shape or np.abs(got - wanted).max() > 1e-6:
            yield f"{source}: {got.shape}"
    command_line.process("time.mha", "-o", "band.npy", "-f", "shrinkage:dimensions=3,thresholds=0,levels=1", "--view",
                         "band:1:HLL", "--force")
    if np.load("band.npy").shape != (3, 2, 4, 3):
        yield f"a band over time: {np.load('band.npy').shape}"


def bands_alone():
    """Each of the seven bands of a level, and the low one, as wavedecn has it: beside PyWavelets' our
    low filters are 1 / sqrt 2 times as strong, and high ones -sqrt 2 times."""
    x = np.random.default_rng(14).normal(0.5, 0.2, (8, 16, 24)).astype("f4").astype(float)
    mha.write("in.mha", x, SPACED)
    low, *details = pywt.wavedecn(x, "haar", mode="periodization", level=2)
    for level, own in zip((2, 1), details):
        for key, band in {**own, **({"aaa": low} if level == 2 else {})}.items():
            # PyWavelets' first letter is of z.
            name = key[::-1].translate(str.maketrans("ad", "LH"))
            wanted = band * 2.0 ** (-1.5 * level) * (-2.0) ** key.count("d")
            for engine in ENGINES:
                got = seen(f"band:{level}:{name}", recipe_for("haar", 2, [0, 0]), engine)
                assert got.shape == wanted.shape, f"{name} {level}: {got.shape}"
                yield from compare(f"{name} {level}", got, wanted, engine)
                if engine == "cpu" and name in ("HLL", "LHH", "LLL"):
                    yield from as_one_file(level, name, got, engine)
    for view, words in (("band:1:HL", "HLL, LHL"), ("band:1:LLL", "LLL of the last"),
                        ("band:3:HHH", "2 levels"), ("band:1:HHHH", "no band")):
        done = subprocess.run([command_line.CLI, "process", "in.mha", "-o", "no-%d.npy", "--view", view,
                               "-f", recipe_for("haar", 2)], capture_output=True, text=True)
        if done.returncode == 0 or words not in done.stderr or list(pathlib.Path(".").glob("no-*")):
            yield f"{view}: {done.returncode}, {done.stderr}"
    done = subprocess.run([command_line.CLI, "process", "in.mha", "--frame", "2", "-o", "no.npy", "--view",
                           "band:1:HHH", "-f", recipe_for("haar", 2)], capture_output=True, text=True)
    if done.returncode == 0 or "frames 5 to 8" not in done.stderr:
        yield f"a slice of another band: {done.stderr}"


def one_level():
    """What the shrunk details of one level make, as waverecn has it."""
    x = np.random.default_rng(15).normal(0.5, 0.2, (8, 16, 24)).astype("f4").astype(float)
    mha.write("in.mha", x, SPACED)
    low, *details = pywt.wavedecn(x, "haar", mode="periodization", level=3)
    for kept in (1, 2, 3):
        alone = [0 * low] + [{key: soft(band, limit(level, key)) * (level == kept)
                              for key, band in own.items()} for level, own in zip((3, 2, 1), details)]
        wanted = pywt.waverecn(alone, "haar", mode="periodization")
        for engine in ENGINES:
            yield from compare(f"level {kept}", seen(f"level:{kept}", recipe_for("haar", 3), engine),
                               wanted, engine)


def reconstruction():
    """Any size comes back, down to a slice whose neighbours are all mirrored; all of them in one run."""
    rng = np.random.default_rng(5)
    volumes = {f"size-{shape[0]}.mha": rng.normal(0.5, 0.2, shape).astype("f4")
               for shape in ((13, 21, 35), (2, 9, 7), (3, 1, 5), (7, 5, 1), (31, 2, 2))}
    for path, x in volumes.items():
        mha.write(path, x, SPACED)
    for name in ("cdf97", "cdf53", "db4"):
        for engine in ENGINES:
            for made in pathlib.Path("back").glob("*"):
                made.unlink()
            command_line.process(*volumes, "-o", "back/", "--format", "mha", "-f", recipe_for(name, 3, [0, 0, 0]),
                                 "-f", "border=auto", "-e", engine)
            for path, x in volumes.items():
                yield from compare(f"{name} of {x.shape}", mha.read(f"back/{path}", x.shape), x, engine)


def engines_agree():
    """Odd sizes and all borders; in a chain with filters of slices, and of colours."""
    rng = np.random.default_rng(6)
    x = rng.normal(0.5, 0.2, (11, 19, 27)).astype("f4")
    mha.write("in.mha", x, SPACED)
    for words in ("{0}", "gaussian:sigma=0.7 {0} median:size=3", "{0} soft-threshold:threshold=0.05"):
        for name, border in (("cdf97", "symmetric"), ("cdf97", "zero"), ("db3", "periodic")):
            recipe = words.format(recipe_for(name, 3))
            wanted = filtered(recipe, "reference", 11, border)[0]
            for engine in ENGINES[1:]:
                yield from compare(f"{recipe}, {border}", filtered(recipe, engine, 11, border)[0],
                                   wanted, engine)


def less_noise():
    """What the third axis is worth on a ball in noise: the error of the best threshold of each."""
    z, y, x = np.mgrid[0:40, 0:48, 0:56]
    ball = 0.3 + 0.4 * ((z - 20) ** 2 + (y - 24) ** 2 + (x - 28) ** 2 < 225)
    mha.write("in.mha", ball + np.random.default_rng(7).normal(0, 0.1, ball.shape), SPACED)
    best = {}
    for dimensions in (2, 3):
        errors = []
        for threshold in (0.05, 0.1, 0.15, 0.2, 0.3):
            numbers = "/".join(str(threshold / 2 ** level) for level in range(3))
            got = filtered(f"shrinkage:wavelet=cdf97,levels=3,thresholds={numbers},"
                           f"dimensions={dimensions}", "cpu", 40)[0]
            errors.append(np.sqrt(np.mean((got - ball) ** 2)))
        best[dimensions] = min(errors)
    print(f"# error beside noise of 0.1: {best[2]:.4f} in 2 dimensions, {best[3]:.4f} in 3")
    if not best[3] < 0.95 * best[2]:
        yield f"{best}"


def one_slice():
    """A single slice is that of the whole volume; a picture has no third axis, which is said."""
    x = np.random.default_rng(8).normal(0.5, 0.2, (9, 12, 14)).astype("f4")
    mha.write("in.mha", x, SPACED)
    recipe = recipe_for("cdf97", 2)
    wanted = filtered(recipe, "cpu", 9)[0][4]
    command_line.process("in.mha", "--frame", "5", "-o", "one.tif", "--force", "-f", recipe,
                         "-e", "cpu")
    if not np.array_equal(pixels.read_tiff("one.tif")[1][..., 0], wanted):
        yield "frame 5 is another slice"
    pixels.write_png("flat.png", np.zeros((8, 8, 1), np.uint8))
    done = command_line.process("flat.png", "-o", "flat.tif", "-f", recipe)
    if "2 dimensions" not in done.stderr:
        yield f"nothing is said of a picture: {done.stderr}"


def too_large():
    head = (b"ObjectType = Image\nNDims = 3\nDimSize = 3000 3000 300\nElementType = MET_UCHAR\n"
            b"HeaderSize = 200\nElementDataFile = LOCAL\n")
    with open("in.mha", "wb") as file:
        file.write(head)
        file.truncate(200 + 3000 * 3000 * 300)
    done = subprocess.run([command_line.CLI, "process", "in.mha", "-o", "out-%d.tif", "-f",
                           recipe_for("haar", 1), "--frames", "1-2"], capture_output=True, text=True)
    if done.returncode == 0 or "slice by slice" not in done.stderr:
        yield f"{done.returncode}: {done.stderr}"


def short_of_memory():
    """With few addresses a volume is filtered in sections, which is said, or refused where all slices
    are needed; the result is the same but for the rounding of Fourier transforms."""
    command_line.skip_sanitizers()
    x = np.random.default_rng(9).normal(0.5, 0.2, (160, 256, 256)).astype("f4")
    mha.write("in.mha", x, SPACED)

    def run(recipe, kilobytes=None, engine="auto"):
        limit = f"ulimit -v {kilobytes};" if kilobytes else ""
        done = subprocess.run(["bash", "-c", f'{limit} exec "$0" "$@"', command_line.CLI, "process", "in.mha",
                               "-o", "out.mha", "--force", "-f", recipe, "-e", engine],
                              capture_output=True, text=True)
        return done, np.frombuffer(pathlib.Path("out.mha").read_bytes()[-4 * x.size:], "<f4")

    recipe = "structure-tensor:dimensions=3,size=5"
    whole, cut = run(recipe), run(recipe, 1000000)
    if "sections" in whole[0].stderr or "sections of" not in cut[0].stderr or cut[0].returncode != 0:
        yield f"{whole[0].stderr} {cut[0].stderr}"
    if not np.abs(whole[1] - cut[1]).max() < 1e-5:
        yield f"sections differ by {np.abs(whole[1] - cut[1]).max()}"
    refused, _ = run(recipe_for("cdf97", 3), 500000)
    if refused.returncode != 1 or "slice by slice" not in refused.stderr:
        yield f"{refused.returncode}: {refused.stderr}"
    # An engine that does not know beforehand what there is tries again with smaller sections.
    recipe = "convolve:shape=gaussian,dimensions=3"
    whole, n_cut = run(recipe, engine="reference"), 0
    for kilobytes in range(350000, 950001, 150000):
        cut = run(recipe, kilobytes, "reference")
        n_cut += "sections of" in cut[0].stderr
        if cut[0].returncode != 0 and "slice by slice" not in cut[0].stderr:
            yield f"{kilobytes} KB: {cut[0].returncode}, {cut[0].stderr}"
        if cut[0].returncode == 0 and not np.array_equal(whole[1], cut[1]):
            yield f"{kilobytes} KB: sections differ by {np.abs(whole[1] - cut[1]).max()}"
    if n_cut == 0:
        yield "no volume was cut"


def short_of_memory_over_time():
    """Likewise volumes over time, whose sections have their neighbours in time, too."""
    command_line.skip_sanitizers()
    x = np.random.default_rng(10).normal(0.5, 0.2, (2, 120, 96, 96)).astype("f4")
    mha.write("in.mha", x)
    results = []
    for kilobytes in ("unlimited", 450000, 600000):
        done = subprocess.run(["bash", "-c", f'ulimit -v {kilobytes}; exec "$0" "$@"', command_line.CLI, "process",
                               "in.mha", "-o", "out.mha", "--force", "-e", "cpu", "-f",
                               "adaptive:dimensions=4,size=3"], capture_output=True, text=True,
                              env=dict(os.environ, MALLOC_ARENA_MAX="1"))  # each has addresses set aside
        if done.returncode == 0:
            results.append(("sections of" in done.stderr,
                            np.frombuffer(pathlib.Path("out.mha").read_bytes()[-4 * x.size:], "<f4")))
        elif "slice by slice" not in done.stderr:
            yield f"{kilobytes} KB: {done.returncode}, {done.stderr}"
        unequal = np.abs(results[-1][1] - results[0][1]).max()
        if not unequal <= 2e-6 * np.abs(results[0][1]).max():
            yield f"{kilobytes} KB: off by {unequal}"
    if [cut for cut, _ in results].count(True) == 0 or results[0][0]:
        yield f"cut: {[cut for cut, _ in results]}"


def bad_spacings():
    for spacing in ("0 1 1", "-0 1 1", "-1e300 1 1", "1 1 nan", "1 1 inf", "1 1 1e300", "x y z"):
        pathlib.Path("in.mha").write_bytes(
            f"ObjectType = Image\nNDims = 3\nDimSize = 2 2 2\nElementSpacing = {spacing}\n"
            "ElementType = MET_UCHAR\nElementDataFile = LOCAL\n".encode() + bytes(8))
        done = subprocess.run([command_line.CLI, "info", "in.mha"], capture_output=True, text=True)
        if done.returncode != 0 or "ElementSpacing" not in done.stdout or "mm" in done.stdout:
            yield f"{spacing}: {done.stdout}{done.stderr}"


def all_right(case):
    wrong = list(case())
    assert not wrong, "\n".join(wrong)


CASES = {
    "eight octants, periodic, as PyWavelets has them": periodic,
    **{f"every wavelet of the table on {engine}": lambda engine=engine: every_wavelet(engine)
       for engine in ("reference", "cpu", "gl-compute")},
    "all levels, as wavedecn and waverecn have them": as_wavedecn,
    "one band alone, as wavedecn has it": bands_alone,
    "a whole volume is one array": whole_volumes_as_one_array,
    "one level alone, as waverecn has it": one_level,
    "any size comes back": reconstruction,
    "the engines agree": engines_agree,
    "three dimensions leave less noise than two": less_noise,
    "a slice is one of the filtered volume": one_slice,
    "a volume that is too large is refused with a sentence": too_large,
    "spacings that make no sense are told": bad_spacings,
    "where memory is short volumes go in sections": short_of_memory,
    "volumes over time go in sections, too": short_of_memory_over_time,
}
sys.exit(command_line.run_cases({name: lambda case=case: all_right(case)
                                 for name, case in CASES.items()}))
