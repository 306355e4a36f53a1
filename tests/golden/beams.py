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
import nrrd  # noqa: E402
import pixels  # noqa: E402
from once import once  # noqa: E402

ENGINES = ["cpu", "reference", "gl-fragment", "gl-compute", "gl-lookup"]
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


def cine_of(scales):
    """A sequence of the same amplitudes, each frame as bright as a number says."""
    frames = np.stack([amplitudes() * scale for scale in scales]).astype(np.float32)
    mha.write("cine.mha", frames, mha.UNIT)
    return frames


def of_a_cine(recipe, frame, engine="cpu", more=()):
    command_line.process("cine.mha", "-o", "out.npy", "--force", "-e", engine, "--frame", frame + 1, "-f", recipe,
                         *more)
    return np.load("out.npy").astype(float).reshape(amplitudes().shape)


def the_reference_counts_over_frames(engine):
    """The largest sample of all frames, of the first one, or of each."""
    frames = cine_of((0.2, 0.5, 0.9, 0.3))
    peaks = [float(frame.max()) for frame in frames]
    for frame in (0, 1, 3):
        for word, wanted in (("cine", float(f"{max(peaks):.3g}")), ("frame", peaks[frame]),
                             ("auto", float(f"{peaks[frame]:.3g}"))):
            got = of_a_cine(f"log-compress:range=50,gain=3,reference={word}", frame, engine)
            off = np.abs(got - decibels(frames[frame], wanted, 50, 3)).max()
            assert off < 1e-5, f"{engine}, {word}, frame {frame + 1}: off by {off}"
    # What filters before it make counts, and two of them have one each.
    got = of_a_cine("gamma:gamma=2", 1, engine, ("-f", "log-compress:range=100,reference=cine", "-f", "log-expand",
                                                 "-f", "log-compress:reference=cine"))
    square = np.sign(frames) * frames.astype(float) ** 2
    once = decibels(square[1], float(f"{square.max():.3g}"), 100)
    back = 10 ** ((once - 1) * 60 / 20)
    whole = 10 ** ((decibels(square.max(), float(f"{square.max():.3g}"), 100) - 1) * 60 / 20)
    off = np.abs(got - decibels(back, float(f"{whole:.3g}"), 60)).max()
    assert off < 1e-4, f"{engine}: behind gamma off by {off}"


def all_frames_have_one():
    """Each written frame of a cine, whichever comes first; the recipe says a number."""
    frames = cine_of((0.2, 0.5, 0.9, 0.3))
    done = command_line.process("cine.mha", "-o", "all%d.npy", "--force", "--frames", "2-4", "-f",
                                "log-compress:reference=cine")
    reference = re.search(r"reference=([0-9.]+)", done.stderr)
    assert reference and float(reference[1]) == float(f"{frames.max():.3g}"), done.stderr
    for frame in (1, 2, 3):
        got = np.load(f"all{frame + 1}.npy").astype(float).reshape(frames[0].shape)
        assert np.abs(got - decibels(frames[frame], float(reference[1]), 60)).max() < 1e-5
    for word in ("film", "-2", "-3", "2"):
        command_line.fails(2, "reference", arguments=["process", "cine.mha", "-o", "out.npy", "--force", "-f",
                                                      f"log-compress:reference={word}"])


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
        got = run(f"envelope:length={length}", engine, samples, more="")
        inside = slice(length // 2 + 1, -(length // 2) - 1)
        off = np.abs(got - wanted)[inside].max() / wanted.max()
        assert off < most, f"{engine}, {length}: off by {off} of the largest"


ARRAYS = ["phantom:beams:96x1500", "phantom:beams:64x900,array=linear", "phantom:beams:64x900,array=linear,steering=-15"]
POINTS = [(0, y) for y in range(10, 80, 10)] + [(x, 40) for x in (-14, -7, 7, 14)]


@once
def seen(source, *recipe, engine="cpu", frame=0):
    """What becomes of a frame of beams, as shares of full scale: amplitudes, decibels and pictures are shares
    themselves, waves of the phantom have 16 bits with sign."""
    command_line.process(source, "-o", "seen.npy", "--force", "-e", engine, "--frame", frame + 1,
                         *(word for one in recipe for word in ("-f", one)))
    samples = np.load("seen.npy").astype(float)
    samples = samples.reshape(samples.shape[:2])
    is_share = any(one.startswith(("envelope", "log-compress", "scan-convert")) for one in recipe)
    return samples if is_share else (samples + 32768) / 65535


@once
def pixel_of(source, *recipe):
    """Millimetres from a pixel to the next along x and y, by which lengths are measured."""
    lines = command_line.read("measure", source, "--length", "2,3,12,3", "--length", "2,3,2,13",
                              *(word for one in recipe for word in ("-f", one)))
    return [one["length"]["value"] / 10 for one in lines["measured"]]


@once
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


@once
def windowed_sinc(lines, row, column):
    """Eight samples along either axis by sinc (t) sinc (t / 4); beyond the ends the outermost sample."""
    inside = (row >= -0.01) & (row <= lines.shape[0] - 0.99) & (column >= -0.01) & (column <= lines.shape[1] - 0.99)
    row, column = np.clip(row, 0, lines.shape[0] - 1), np.clip(column, 0, lines.shape[1] - 1)
    sums, weights = np.zeros(row.shape), np.zeros(row.shape)

    def along(place, length):
        """Eight times the place of a sample and its weight."""
        for k in range(-3, 5):
            sample = np.floor(place) + k
            yield (np.clip(sample, 0, length - 1).astype(int),
                   np.sinc(place - sample) * np.sinc((place - sample) / 4))

    columns = list(along(column, lines.shape[1]))
    for y, down in along(row, lines.shape[0]):
        for x, across in columns:
            sums, weights = sums + down * across * lines[y, x], weights + down * across
    return np.where(inside, sums / weights, 0)


def conversion(engine):
    """Bilinear, as SciPy's, or by windowed sincs; outside of the beams 0."""
    compressed = ("envelope", "log-compress:reference=0.3")
    for source in ARRAYS:
        beams, shape = beams_of(source)
        lines = seen(source, *compressed)
        assert lines.shape == shape
        for sides, kernel in (((300, 401), "bilinear"), ((211, 640), "bilinear"), ((300, 401), "sinc")):
            convert = f"scan-convert:width={sides[1]},height={sides[0]},interpolation={kernel}"
            got = seen(source, *compressed, convert, engine=engine)
            pixel, x, y = grid(beams, shape, sides)
            if engine == "cpu" and kernel == "bilinear":
                measured = pixel_of(source, *compressed, convert)
                assert np.abs(np.array(measured) / pixel - 1).max() < 1e-3, (measured, pixel)
            column, row = columns_and_rows(beams, *np.meshgrid(x, y))
            wanted = (ndimage.map_coordinates(lines, [row, column], order=1, cval=0) if kernel == "bilinear" else
                      windowed_sinc(lines, row, column))
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


def box_about(across, along, x, y, size):
    """X,Y,WIDTH,HEIGHT of the samples within `size` mm of a place, whose coordinates are given for each."""
    rows, columns = np.nonzero(np.maximum(np.abs(across - x), np.abs(along - y)) < size)
    return f"{columns.min()},{rows.min()},{np.ptp(columns) + 1},{np.ptp(rows) + 1}"


def widths_of(source, boxes, *recipe):
    """Of all points in one run, which looks at every frame where the recipe does."""
    told = command_line.read("measure", source, *(word for box in boxes for word in ("--point", box)),
                             *(word for one in recipe for word in ("-f", one)))
    assert len(told["measured"]) == len(boxes), told
    return told["measured"]


STEERED = [f"phantom:beams,array=linear,steering={degrees},clean" for degrees in (5, 10, -20)]


def points_are_as_wide_as_they_are():
    """At half the amplitude, which is what is known of the point spread: on the beams' grid, in decibels and in
    pictures, along the beam and across it, whichever way beams are steered."""
    fwhm = 2 * np.sqrt(2 * np.log(2))
    for source, frequency, waist, slope in (("phantom:beams:192x2048,clean", 3.5, 0.6, 0.03),
                                            ("phantom:beams,array=linear,clean", 5, 0.35, 0.02),
                                            *((one, 5, 0.35, 0.02) for one in STEERED)):
        beams, shape = beams_of(source)
        seen_of_it = np.cos(beams["steering"])
        axial = 1.54 / 2 * fwhm ** 2 / (2 * np.pi * 0.5 * frequency)
        compressed = ("envelope", "log-compress:reference=cine,range=50")
        # Of amplitudes and decibels of beams, which are known, and of pictures of beams that stand a third of a
        # point apart, also of one with no more than two pixels in a point.
        grids = [(places(beams, shape), one, 0.01) for one in (("envelope",), compressed)]
        for width, height in ((1600, 1500), (800, 600)):
            picture = (*compressed, f"scan-convert:width={width},height={height}")
            grids.append((np.meshgrid(*grid(beams, shape, (height, width))[1:]), picture, 0.06))
        points = {}
        for px, py in ((0, 20), (0, 40), (0, 60), (7, 40)):
            column, row = columns_and_rows(beams, px, py)
            if not (6 < column < shape[1] - 7 and 100 < row < shape[0] - 100):
                continue
            depth = beams["start_mm"] + beams["sample_mm"] * row
            points[px, py] = {"lateral": fwhm * np.hypot(waist / seen_of_it, slope * seen_of_it * (depth - 45)),
                              "axial": axial}
        assert len(points) >= 2, (source, points)
        for (across, along), recipe, most in grids:
            # Points lie 10 mm from each other, or 7.
            boxes = [box_about(across, along, px, py, 3) for px, py in points]
            for got, ((px, py), wanted) in zip(widths_of(source, boxes, *recipe), points.items()):
                for name, width in wanted.items():
                    assert got[name]["unit"] == "mm", got
                    off = abs(got[name]["after"] / width - 1)
                    assert off < most, f"{source} {px},{py} {recipe[-1]}: {name} {got[name]['after']}, not {width}"
        # Waves have none, and a blur along the beam adds up.
        assert got["lateral"]["value"] > 0
        across, along = places(beams, shape)
        got, = widths_of(source, [box_about(across, along, 0, 40, 3)], "envelope", "gaussian:sigma=4")
        assert got["lateral"]["value"] is None, got
        sigma = np.hypot(4 * beams["sample_mm"], axial / fwhm)
        assert source in STEERED or abs(got["axial"]["after"] / (fwhm * sigma) - 1) < 0.03, (got, fwhm * sigma)


def echoes_of_steered_beams_come_in_turn():
    """Beams that begin farther where they are steered to begin nearer to what lies there."""
    for source in STEERED:
        beams, shape = beams_of(source)
        lines = seen(source, "envelope")
        column, row = columns_and_rows(beams, 0, 40)
        rows = np.arange(int(row) - 60, int(row) + 60)
        near = np.arange(int(column) - 1, int(column) + 3)
        part = lines[np.ix_(rows, near)] ** 4
        heard = (part * rows[:, None]).sum(0) / part.sum(0)
        earlier = -np.polyfit(near, heard, 1)[0] * beams["sample_mm"] / beams["step"]
        assert abs(earlier - np.sin(beams["steering"])) < 0.01, (source, earlier)
        assert abs(np.interp(column, near, heard) - row) < 0.1, (source, heard, row)


def blobs_are_as_wide_as_they_are():
    """In pictures without beams along y and x, in millimetres where these are known; in none that is flat."""
    row, column = np.mgrid[0:60, 0:80]
    blob = 0.8 * np.exp(-0.5 * (((column - 41.3) / 3) ** 2 + ((row - 27.6) / 2.2) ** 2))
    fwhm = 2 * np.sqrt(2 * np.log(2))
    for more, unit, size in ((mha.UNIT, "px", (1, 1)), (mha.UNIT + "ElementSpacing = 0.4 0.25\n", "mm", (0.4, 0.25))):
        mha.write("blob.mha", blob.astype(np.float32), more)
        got = command_line.read("measure", "blob.mha", "--point", "25,15,30,25")["measured"][0]
        for name, wanted in (("lateral", fwhm * 3 * size[0]), ("axial", fwhm * 2.2 * size[1])):
            assert got[name]["unit"] == unit and abs(got[name]["value"] / wanted - 1) < 0.01, (got, wanted)
    mha.write("flat.mha", np.full((40, 40), 0.5, np.float32), mha.UNIT)
    got = command_line.read("measure", "flat.mha", "--point", "5,5,20,20")["measured"][0]
    assert got["lateral"]["value"] is None and got["axial"]["value"] is None, got
    told = command_line.run("measure", "flat.mha", "--point", "5,5,20,20").stdout
    assert "–" in told and "nan" not in told.lower(), told


def ellipse_mask(shape, text):
    x, y, width, height = map(float, text.split(","))
    row, column = np.mgrid[0:shape[0], 0:shape[1]] + 0.5
    return ((column - x - width / 2) / width * 2) ** 2 + ((row - y - height / 2) / height * 2) ** 2 <= 1


def contrast_of(picture, region, background):
    inside, outside = (picture[ellipse_mask(picture.shape, one)] for one in (region, background))
    edges = np.linspace(min(inside.min(), outside.min()), max(inside.max(), outside.max()), 257)
    shares = [np.histogram(one, edges)[0] / one.size for one in (inside, outside)]
    return {"snr": inside.mean() / outside.std(),
            "cnr": abs(inside.mean() - outside.mean()) / np.hypot(inside.std(), outside.std()),
            "gcnr": 1 - np.minimum(*shares).sum()}


def both_ways_are_told_together():
    """Despeckling before compression, and behind the conversion: the numbers of both in one table."""
    source, picture = "phantom:beams", "scan-convert:width=600,height=450"
    compression = "log-compress:range=60,reference=cine"
    ways = {"before.txt": ("envelope", "srad:steps=30,q0=0.3,input=intensity", compression, picture),
            "behind.txt": ("envelope", compression, picture, "srad:steps=8,q0=0.05,input=compressed")}
    for name, filters in ways.items():
        pathlib.Path(name).write_text("\n".join(filters) + "\n")
    beams, shape = beams_of(source)
    _, x, y = grid(beams, shape, (450, 600))
    pixel = x[1] - x[0]
    boxes = []
    for px, py, size in ((-10, 25, 3.5), (0, 25, 3), (0, 40, 3), (0, 50, 3)):
        column, row = np.abs(x - px).argmin(), np.abs(y - py).argmin()
        half = int(size / pixel)
        boxes.append(f"{column - half},{row - half},{2 * half},{2 * half}")
    region, background, *points = boxes
    lines = command_line.run("measure", source, "--recipe", "before.txt", "--against", "behind.txt", "--statistics",
                             "--ellipse", region, "--ellipse", background, *(
                                 word for one in points for word in ("--point", one))).stdout.splitlines()
    told = {tuple(cells[:2]): cells[2:] for cells in (line.split("\t") for line in lines)}
    results = {name: seen(source, *filters) for name, filters in ways.items()}
    for name, column in (("behind.txt", 0), ("before.txt", 1)):
        for number, wanted in contrast_of(results[name], region, background).items():
            got = float(told["both", number][column])
            assert abs(got / wanted - 1) < 2e-3, f"{name}, {number}: {got}, not {wanted}"
        single = [point["lateral"]["after"] for point in command_line.read(
            "measure", source, "--recipe", name, *(word for one in points for word in ("--point", one)))["measured"]]
        assert abs(float(told["points", "lateral"][column]) / np.mean(single) - 1) < 1e-6, (told, single)
    print(f"# behind, before: {told['both', 'cnr'][:2]} CNR, {told['both', 'gcnr'][:2]} gCNR, "
          f"{told['points', 'lateral'][:2]} mm")
    command_line.fails(2, "--statistics", arguments=["measure", source, "--statistics", "--length", "1,1,9,9"])
    pathlib.Path("small.txt").write_text("envelope\nlog-compress\nscan-convert:width=99\n")
    done = command_line.run("measure", source, "--recipe", "before.txt", "--against", "small.txt", "--point", points[0],
                            status=2)
    assert "600×450" in done.stderr, done.stderr


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
    same = seen.__wrapped__("phantom:beams:64x1024", "envelope", frame=12)  # made once more
    assert np.array_equal(first, same)


def what_cannot_be_is_said():
    command_line.fails(1, "array=curvilinear", arguments=["info", "phantom:beams,steering=5"])
    command_line.fails(1, "512", arguments=["info", "phantom:beams:1x100"])
    # A reference has the size of the picture, not of the beams.
    convert = ["-f", "envelope", "-f", "log-compress", "-f", "scan-convert:width=64", "--frame", "1", "--force"]
    command_line.process("phantom:beams:64x256", "-o", "reference.tif", *convert)
    done = command_line.process("phantom:beams:64x256", "-o", "out.tif", *convert, "--reference", "reference.tif")
    assert "against reference.tif" in done.stderr and "before the filters" not in done.stderr, done.stderr
    command_line.fails(1, "scan-convert", arguments=["process", "phantom:beams:64x256", "-o", "out.npy", "--force",
                                                     "--frame", "1", "-f", "scan-convert", "--view", "residual"])
    for width in (1, 0.5):
        command_line.fails(1, "--wipe", "envelope", arguments=[
            "process", "phantom:beams:64x256", "-o", "out.png", "--force", "--frame", "1", "-f", "envelope",
            "--wipe", width])


def filters_have_an_order():
    """What has no place where it stands is left out, and the sentence says what is needed, and where it belongs."""
    mha.write("grey.mha", np.full((8, 8), 9, np.uint8))
    mha.write("colours.mha", np.full((8, 8, 3), 9, np.uint8), channels=True)
    source = "phantom:beams:64x256"
    for what, recipe, left, *words in (
            ("grey.mha", "scan-convert", "scan-convert", "this is a picture"),
            ("grey.mha", "envelope", "envelope", "waves about 0"),
            ("colours.mha", "log-compress:reference=1", "log-compress", "log-expand"),
            (source, "log-compress:reference=1 scan-convert:width=64", "log-compress", "“envelope” before it"),
            (source, "log-expand", "log-expand", "behind “log-compress”"),
            (source, "scan-convert:width=64 envelope", "envelope", "before “scan-convert”"),
            (source, "scan-convert:width=64 scan-convert:width=32", "scan-convert", "one before it"),
            (source, "envelope envelope", "envelope", "amplitudes already"),
            (source, "envelope log-compress:reference=1 log-compress:reference=1", "log-compress", "decibels already"),
            (source, "envelope log-compress:reference=1 envelope", "envelope", "before “log-compress”"),
            (source, "envelope log-expand", "log-expand", "amplitudes"),
            (source, "envelope unscan-convert", "unscan-convert", "behind"),
            (source + ",iq", "log-compress:reference=1", "log-compress", "“envelope” before it"),
            (source + ",iq", "scan-convert", "scan-convert", "“envelope” before it")):
        frame = [] if what.endswith(".mha") else ["--frame", 1]
        filters = [word for one in recipe.split() for word in ("-f", one)]
        done = command_line.process(what, "-o", "out.npy", "--force", *frame, *filters)
        assert f"without “{left}”" in done.stderr and all(word in done.stderr for word in words), (recipe, done.stderr)
        # The others act, as without it: the last one of that name.
        last = [at for at, one in enumerate(recipe.split()) if one.split(":")[0] == left][-1]
        others = recipe.split()[:last] + recipe.split()[last + 1:]
        command_line.process(what, "-o", "others.npy", "--force", *frame,
                             *(word for one in others for word in ("-f", one)))
        assert np.array_equal(np.load("out.npy"), np.load("others.npy")), recipe


def magnitude_of_iq(engine):
    """|I + iQ|, of half as many columns; about the envelope of the echoes that it is made of."""
    source = "phantom:beams:64x1024"
    for more in ("", ",array=linear"):
        raw = seen(source + more + ",iq", frame=3) - 32768 / 65535
        assert raw.shape == (1024, 128)
        got = seen(source + more + ",iq", "envelope", engine=engine, frame=3)
        off = np.abs(got - np.hypot(raw[:, :64], raw[:, 64:])).max()
        assert got.shape == (1024, 64) and off < 1e-6, f"{engine}: off by {off}"
        waves = seen(source + more, "envelope", frame=3)
        off = np.abs(got - waves)[40:-40].max() / waves.max()
        assert off < 0.02, f"{engine}: waves and IQ differ by {off}"
    # Wavelets behind it have pictures of another size than the source's.
    for more in ((), ("log-compress:reference=0.3", "scan-convert:width=300,height=200")):
        chain = ("envelope", *more, "soft-threshold:threshold=0.01")
        got, wanted = (seen("phantom:beams:64x1024,iq", *chain, engine=one) for one in (engine, "reference"))
        assert np.abs(got - wanted).max() < 1e-4, f"{engine}: {np.abs(got - wanted).max()}"


def sectors_of_iq():
    chain = ("envelope", "log-compress:reference=0.3", "scan-convert:width=200,height=150")
    one, other = (seen(source, *chain) for source in ("phantom:beams:64x1024", "phantom:beams:64x1024,iq"))
    assert one.shape == other.shape == (150, 200)
    # Black is 60 dB below white, where the noise of both differs.
    assert np.abs(one - other).mean() < 0.02, np.abs(one - other).mean()


def as_text(beams, content):
    return " ".join([beams["array"], f"data={content}"]
                    + [f"{key}={beams[key]!r}"
                       for key in ("radius_mm", "first", "step", "steering", "start_mm", "sample_mm")])


CHAIN = ("-f", "envelope", "-f", "log-compress:reference=0.2", "-f", "scan-convert:width=200")


ENDINGS = ["nrrd", "mha", "h5"]


def frames_of(name, frame):
    """A frame as it is, and what the chain makes of it."""
    command_line.process(name, "-o", "of.npy", "--force", "--frame", frame)
    command_line.process(name, "-o", "made.npy", "--force", "--frame", frame, *CHAIN)
    return np.load("of.npy"), np.load("made.npy")


def files_keep_the_beams():
    """Written and read again beams lie where they did, and become the same pictures."""
    for source in (*ARRAYS[:2], ARRAYS[2] + ",iq", ARRAYS[0] + ",iq", "phantom:beams:64x256,rate=40"):
        before = command_line.read("info", source)
        wanted = frames_of(source, 3)
        for ending in ENDINGS:
            name = f"b.{ending}"
            command_line.process(source, "-o", name, "--force", "--frames", "2-4")
            after = command_line.read("info", name)
            assert after["image"]["beams"] == before["image"]["beams"], (name, after["image"], before["image"])
            for key in ("spacing_mm", "pixel_aspect", "type", "width", "height"):
                assert after["image"][key] == before["image"][key], (name, key, after["image"])
            assert after["frames"] == 3 and abs(after["frame_rate"] - before["frame_rate"]) < 1e-6, (name, after)
            for got, one in zip(frames_of(name, 2), wanted):
                assert np.array_equal(got, one), (source, name)
            command_line.process(source, "-o", f"one.{ending}", "--force", "--frames", "3-3")
            assert np.array_equal(frames_of(f"one.{ending}", 1)[1], wanted[1]), (source, ending)
    # All frames of what has no end are those of one period.
    for ending in ENDINGS:
        command_line.process("phantom:beams:16x64", "-o", f"all.{ending}")
        assert command_line.read("info", f"all.{ending}")["frames"] == 50, ending
    # A MetaImage file has room for volumes, and for beams as long as they are some.
    command_line.fails(1, "filters have made pictures", arguments=[
        "process", "phantom:beams:64x256", "-o", "made.mha", "--frames", "1-2", *CHAIN])
    assert not pathlib.Path("made.mha").exists()


def places_of_hdf5_are_beams():
    """What zea finds: the numbers under its names, and places from which the beams are found without the key."""
    try:
        import h5py
    except ImportError:
        raise command_line.Skip("python3-h5py is not here")
    for source in (*ARRAYS, *(array + ",iq" for array in ARRAYS)):
        image = command_line.read("info", source)["image"]
        beams, iq = image["beams"], source.endswith(",iq")
        command_line.process(source, "-o", "z.h5", "--force", "--frames", "2-3")
        command_line.process(source, "-o", "of.npy", "--force", "--frame", 2)
        with h5py.File("z.h5", "r+") as file:
            group = file["data/beamformed_data"]
            samples = np.load("of.npy").reshape(image["height"], 1 + iq, -1).transpose(0, 2, 1)
            assert np.array_equal(group["values"][0], samples), source
            assert list(group["labels"][()]) == ([b"I", b"Q"] if iq else [b"RF"]), group["labels"][()]
            x, z = places(beams, samples.shape[:2])
            off = np.abs(group["coordinates"][()] - np.stack([x, 0 * x, z], -1) / 1000).max()
            assert off < 1e-8, f"{source}: places off by {off} m"
            del group["values"].attrs["beams"]
        found = command_line.read("info", "z.h5")["image"]["beams"]
        assert found["array"] == beams["array"] and found["data"] == ("iq" if iq else "rf"), found
        got_x, got_z = places(found, samples.shape[:2])
        off = np.hypot(got_x - x, got_z - z).max()
        assert off < 0.001, f"{source}: {found} is off by {off} mm"
    command_line.process(ARRAYS[0], "-o", "e.h5", "--frames", "2-2", "-f", "envelope")
    with h5py.File("e.h5") as file:
        assert list(file["data"]) == ["envelope_data"] and file["data/envelope_data/values"].ndim == 3, list(file["data"])


def what_filters_make_is_kept():
    """Amplitudes and compressed lines, too; they are what they were, and the rest of the chain follows."""
    source, filters = "phantom:beams:64x512", CHAIN[1::2]
    command_line.process(source, "-o", "whole.npy", "--frame", 1, *CHAIN)
    for done, name in ((done, f"part.{ending}") for done in (1, 2) for ending in ENDINGS):
        command_line.process(source, "-o", name, "--force", "--frames", "1-2",
                             *(word for one in filters[:done] for word in ("-f", one)))
        image = command_line.read("info", name)["image"]
        assert image["beams"]["data"] == ("envelope", "compressed")[done - 1] and image["stored_max"] == 1, image
        command_line.process(name, "-o", "rest.npy", "--force", "--frame", 1,
                             *(word for one in filters[done:] for word in ("-f", one)))
        off = np.abs(np.load("rest.npy") - np.load("whole.npy")).max()
        assert off < 2e-6, f"{name}, {done} filters before: off by {off}"


def files_of_others():
    """Keys by hand, in NRRD and MetaImage; IQ as columns or as pairs of numbers; several frames."""
    random = np.random.default_rng(2)
    source = "phantom:beams:64x256"
    beams, shape = beams_of(source)
    command_line.process(source, "-o", "raw.npy", "--frame", 1)
    waves = np.load("raw.npy").reshape(shape).astype(np.int16)
    command_line.process(source, "-o", "wanted.npy", "--frame", 1, *CHAIN)
    key = as_text(beams, "rf")
    nrrd.write("a.nrrd", waves, keys=["beams:=" + key], kinds="domain domain")
    nrrd.write("b.nrrd", np.stack([waves[::-1], waves]), keys=["beams:=" + key], kinds="domain domain list")
    mha.write("c.mha", waves, f"Beams = {key}\n")
    mha.write("d.mha", np.stack([waves, waves[::-1]]), f"Beams = {key}\n")
    nrrd.write("e.nrrd", waves, keys=["beams:=" + key], kinds="domain domain", space="left-posterior-superior",
               space_directions="(0,-1,0) (1,0,0)", space_origin="(0,0,0)")
    for name, frame in (("a.nrrd", 1), ("b.nrrd", 2), ("c.mha", 1), ("d.mha", 1), ("e.nrrd", 1)):
        got = command_line.read("info", name)["image"]
        assert got["beams"] == beams, (name, got)
        command_line.process(name, "-o", "got.npy", "--force", "--frame", frame, *CHAIN)
        assert np.array_equal(np.load("got.npy"), np.load("wanted.npy")), name
    iq = (random.normal(size=shape) + 1j * random.normal(size=shape)).astype(np.complex64)
    key = as_text(beams, "iq")
    columns = np.concatenate([iq.real, iq.imag], axis=1)
    mha.write("columns.mha", columns, f"Beams = {key}\n")
    nrrd.write("columns.nrrd", columns, keys=["beams:=" + key])
    pairs = np.stack([iq.real, iq.imag], axis=-1)
    nrrd.write("pairs.nrrd", pairs, keys=["beams:=" + key], kinds="complex domain domain")
    nrrd.write("planes.nrrd", np.stack([iq.real, iq.imag]), keys=["beams:=" + key], kinds="domain domain complex")
    nrrd.write("frames.nrrd", np.stack([pairs, pairs[::-1]]), keys=["beams:=" + key],
               kinds="complex domain domain list")
    for name in ("columns.mha", "columns.nrrd", "pairs.nrrd", "planes.nrrd", "frames.nrrd"):
        image = command_line.read("info", name)["image"]
        assert (image["width"], image["height"]) == (128, 256) and image["beams"]["data"] == "iq", (name, image)
        full = image["stored_max"] - image["stored_min"]
        command_line.process(name, "-o", "got.npy", "--force", "--frame", 1, "-f", "envelope")
        off = np.abs(np.load("got.npy").reshape(shape) * full - np.abs(iq)).max()
        assert off < 1e-5, f"{name}: off by {off}"


def wrong_keys_are_said():
    waves = np.random.default_rng(4).integers(-999, 999, (32, 16), np.int16)
    good = "curvilinear data=rf radius_mm=60 first=-0.5 step=0.05 sample_mm=0.1"
    nrrd.write("good.nrrd", waves, keys=["beams:=" + good])
    assert command_line.read("info", "good.nrrd")["image"]["beams"]["radius_mm"] == 60
    for key in ("", "phased", "curvilinear data=doppler", "curvilinear radius=60", good + " step=nan", good + " step=",
                good.replace("step=0.05", "step=0"), good.replace("step=0.05", "step=1e300"), good.replace("0.1", "-0.1"),
                good.replace("-0.5", "-4"), good.replace("60", "1e9"), good + " steering=0.3",
                good.replace("rf", "iq").replace("step=0.05", "step=0.9"), good + " x" * 50,
                "linear first=" + "9" * 400):
        nrrd.write("bad.nrrd", waves, keys=["beams:=" + key])
        mha.write("bad.mha", waves, f"Beams = {key}\n")
        for name in ("bad.nrrd", "bad.mha"):
            told = command_line.read("info", name)
            assert "beams" not in told["image"] and "beams" in (told["warning"] or "").lower(), (name, key, told)
            done = command_line.process(name, "-o", "out.npy", "--force", "-f", "scan-convert")
            assert "without “scan-convert”" in done.stderr
    nrrd.write("odd.nrrd", waves[:, :15], keys=["beams:=" + good.replace("rf", "iq")])
    assert "beams" in command_line.read("info", "odd.nrrd")["warning"]
    mha.write("rgb.mha", np.zeros((32, 16, 3), np.uint8), f"Beams = {good}\n", channels=True)
    assert "beams" in command_line.read("info", "rgb.mha")["warning"]


def steps_as_small_as_any(engine):
    """Beams of a file that says that they stand in one place: that of the pixel in the middle is no number."""
    amplitudes = np.random.default_rng(4).uniform(0, 1, (32, 16)).astype(np.float32)
    for key in ("linear first=0 step=1e-320 sample_mm=0.1", "curvilinear radius_mm=60 first=0 step=1e-320 sample_mm=0.1",
                "linear first=-1 step=0.1 sample_mm=1e-320"):
        nrrd.write("small.nrrd", amplitudes, keys=["beams:=" + key + " data=envelope"])
        for kernel in ("bilinear", "sinc"):
            command_line.process("small.nrrd", "-o", "small.npy", "--force", "-e", engine, "-f",
                                 f"scan-convert:width=65,height=65,interpolation={kernel}", "-f", "unscan-convert")
            command_line.process("small.nrrd", "-o", "small.npy", "--force", "-e", engine, "-f",
                                 f"scan-convert:width=65,height=65,interpolation={kernel}")
            assert np.isfinite(np.load("small.npy")).all(), f"{engine}: {key}"


def there_and_back(engine):
    """Inside of the sector, of what varies slowly; by sincs of more."""
    beams, shape = beams_of("phantom:beams:48x200")
    for array in ("curvilinear", "linear", "steered"):
        if array != "curvilinear":
            beams = dict(beams, array="linear", radius_mm=0, first=-20, step=40 / 47, steering=0.2 * (array == "steered"))
        row, column = np.mgrid[0:shape[0], 0:shape[1]]
        smooth = 0.5 + 0.2 * np.sin(column / 7) + 0.2 * np.cos(row / 23)
        nrrd.write("smooth.nrrd", smooth.astype(np.float32), keys=["beams:=" + as_text(beams, "envelope")])
        for kernel, most in (("bilinear", 0.02), ("sinc", 0.002)):
            command_line.process("smooth.nrrd", "-o", "back.npy", "--force", "-e", engine,
                                 "-f", f"scan-convert:width=600,interpolation={kernel}",
                                 "-f", f"unscan-convert:interpolation={kernel}")
            back = np.load("back.npy").reshape(shape)
            off = np.abs(back - smooth)[12:-12, 5:-5].max()
            assert off < most, f"{engine}, {array}, {kernel}: off by {off}"
    command_line.process("smooth.nrrd", "-o", "back.nrrd", "-f", "scan-convert:width=600", "-f", "unscan-convert")
    image = command_line.read("info", "back.nrrd")["image"]
    assert image["beams"]["data"] == "envelope" and image["beams"]["step"] == beams["step"], image


def beyond_the_sector_is_nothing():
    """It counts in no measure, and is black whatever filters make of it."""
    source, chain = "phantom:beams:64x512", ("envelope", "log-compress:reference=0.2", "scan-convert:width=300,height=200",
                                             "gamma:gamma=0.5", "gaussian:sigma=3")
    beams, shape = beams_of(source)
    picture = seen(source, *chain)
    _, x, y = grid(beams, shape, (200, 300))
    column, row = columns_and_rows(beams, *np.meshgrid(x, y))
    inside = (column >= 0) & (column <= shape[1] - 1) & (row >= 0) & (row <= shape[0] - 1)
    filters = [word for one in chain for word in ("-f", one)]
    part = np.zeros((200, 300), bool)
    part[40:120, 10:90] = True
    told = command_line.read("measure", source, "--polygon", "10,40,90,40,90,120,10,120", *filters)["measured"][0]
    wanted = picture[part & inside]
    assert 0.2 < (part & inside).sum() / part.sum() < 0.8
    assert abs(told["n"]["value"] - wanted.size) < 9, (told, wanted.size)
    assert abs(told["mean"]["after"] - wanted.mean()) < 2e-3, (told, wanted.mean())
    assert abs(told["sigma"]["after"] - wanted.std()) < 2e-3, (told, wanted.std())
    command_line.process(source, "-o", "seen.png", "--frame", 1, "--depth", 8, *filters)
    shown = pixels.read_png("seen.png")[..., 0]
    clear = ndimage.binary_dilation(inside)
    assert picture[~clear].max() > 0.05 and shown[~clear].max() == 0, shown[~clear].max()


def steered_frames_lie_on_each_other():
    """Of directions that take turns, what lies before the array is one grid; averaged, speckle is less."""
    source = "phantom:beams:128x1024,array=linear,steering=-10/0/10"
    beams, shape = beams_of(source)
    for frame, degrees in ((0, -10), (25, 0), (50, 10)):  # at rest
        got = seen(source + ",clean", "envelope", "scan-convert:width=400,height=420,area=array", frame=frame)
        _, x, y = grid(dict(beams, steering=0), shape, (420, 400))
        for depth in (10, 20, 30):
            part = got[np.ix_(np.abs(y - depth) < 2, np.abs(x) < 3)] ** 2
            at = [(part.sum(axis) * line[np.abs(line - middle) < reach]).sum() / part.sum()
                  for axis, line, middle, reach in ((0, x, 0, 3), (1, y, depth, 2))]
            assert np.hypot(at[0], at[1] - depth) < 0.05, (degrees, depth, at)
    command_line.process(source, "-o", "mean-%d.npy", "--frames", "1-3", "-f", "envelope", "-f",
                         "scan-convert:width=400,height=420,area=array", "-f", "sliding-mean:frames=3")
    one, mean = (np.load(f"mean-{frame}.npy").reshape(420, 400)[240:300, 160:240] for frame in (1, 3))
    ratio = [part.mean() / part.std() for part in (one, mean)]
    assert ratio[1] > 1.4 * ratio[0], ratio
    command_line.fails(1, "lie elsewhere", arguments=["process", source, "-o", "all.nrrd", "--frames", "1-2"])


def scales_come_back():
    """Of pictures of beams that were saved by this program."""
    for name in ("s.png", "s.tif", "s-8.png"):
        more = ("--depth", 8) if "8" in name else ()
        command_line.process("phantom:beams:64x512", "-o", name, "--frame", 1, *CHAIN, *more)
        beams, shape = beams_of("phantom:beams:64x512")
        x, _ = places(beams, shape, 10)
        spacing = command_line.read("info", name)["image"]["spacing_mm"]
        assert np.abs(np.array(spacing[:2]) / ((x.max() - x.min()) / 199) - 1).max() < 5e-4, (name, spacing)


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
    | {f"{engine}: {case.__name__.replace('_', ' ')}": lambda engine=engine, case=case: case(engine)
       for engine in ENGINES for case in (conversion, there_and_back, steps_as_small_as_any)}
    | {f"{engine}: the reference counts over frames": lambda engine=engine: the_reference_counts_over_frames(engine)
       for engine in ENGINES if engine != "gl-lookup"}  # which measures nothing
    | {f"{engine}: magnitude of iq": lambda engine=engine: magnitude_of_iq(engine)
       for engine in ENGINES}
    | {case.__name__.replace("_", " "): case for case in (
        the_reference_is_held, all_frames_have_one, the_height_follows, points_lie_where_they_are,
        points_are_as_wide_as_they_are, echoes_of_steered_beams_come_in_turn, blobs_are_as_wide_as_they_are,
        both_ways_are_told_together, cysts_are_as_they_say, echoes_decay, frames_move_and_come_back,
        what_cannot_be_is_said, filters_have_an_order, sectors_of_iq, files_keep_the_beams, places_of_hdf5_are_beams,
        what_filters_make_is_kept, files_of_others, wrong_keys_are_said, beyond_the_sector_is_nothing, scales_come_back,
        steered_frames_lie_on_each_other, despeckling_comes_first)}))
