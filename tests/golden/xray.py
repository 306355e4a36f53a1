#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The preset for bone, against SciPy and against the truth of the X-ray phantom.

usage: xray.py ONDELETTE_CLI
"""
import csv
import pathlib
import re
import sys

import numpy as np
from scipy import ndimage

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
import command_line  # noqa: E402
import pixels  # noqa: E402

ENGINES = ["reference", "cpu", "gl-compute"]
# Where the least bone is wider than the median, and where that does not matter.
SIZE, SMALL = "1400x1120", "350x280"
# Of the threshold and of the contours, on the larger one.
DICE_OF_THRESHOLD, DICE = 0.985, 0.985


def phantom(name, what):
    """Stored values of a phantom, which the program writes as floats."""
    command_line.process(what, "-o", name + ".tif", "--force")
    return np.rint(pixels.read_tiff(name + ".tif")[1][..., 0]).astype(int)


def filtered(what, recipe, engine="cpu", *more):
    command_line.process(what, "-o", "out.tif", "--force", "-f", recipe, "-e", engine, *more)
    return np.rint(pixels.read_tiff("out.tif")[1][..., 0]).astype(int)


def threshold(samples, most, share=0.1, radius=4, bins=256, low=True):
    """The first whole number above the trough, as src/plan/trough.h says."""
    width = -(-(most + 1) // bins)
    counts = np.bincount(samples.ravel() // width, minlength=most // width + 1)
    own = counts if low else counts[::-1]
    s = np.convolve(own, np.ones(2 * radius + 1, int))[radius:radius + len(own)]
    starts = np.flatnonzero(np.r_[True, s[1:] != s[:-1]])
    ends = np.r_[starts[1:], len(s)] - 1
    troughs = [(a + b + 1) // 2 for a, b in zip(starts, ends)
               if a > 0 and b < len(s) - 1 and s[a - 1] > s[a] and s[b + 1] > s[b]]
    for at, end in zip(troughs, troughs[1:] + [len(s)]):
        if own[at:end].sum() > share * samples.size:
            return (at if low else len(s) - at) * width
    raise AssertionError("no trough")


def stages(samples, most, low):
    """Each stage by SciPy in whole numbers: median, threshold, Sobel."""
    median = ndimage.median_filter(samples, 19, mode="mirror")
    edge = threshold(median, most, low=low)
    cut = np.where((median < edge) == low, median, 0)
    slope = [ndimage.correlate(cut, kernel, mode="mirror") for kernel in
             (np.outer((1, 2, 1), (-1, 0, 1)), np.outer((-1, 0, 1), (1, 2, 1)))]
    magnitude = np.minimum(np.floor(np.sqrt(slope[0] ** 2 + slope[1] ** 2)).astype(int), most)
    return median, cut, magnitude


def stages_are_exact(engine):
    """With the signs of 12 and 16 bits and of both polarities; no sample differs."""
    recipe = "median:size=19 trough-threshold:side={} sobel"
    for bits, monochrome in ((12, 1), (16, 2), (12, 2), (16, 1))[:4 if engine == "cpu" else 2]:
        what = f"phantom:xray:160x120,bits={bits},monochrome={monochrome},backgrounds=2,salt=0.03"
        side = "low" if monochrome == 1 else "high"
        wanted = stages(phantom("in", what), (1 << bits) - 1, monochrome == 1)
        for n, result in enumerate(wanted, 1):
            got = filtered(what, " ".join(recipe.format(side).split()[:n]), engine)
            differs = got != result
            assert not differs.any(), \
                f"{what} stage {n}: {differs.sum()} differ, by up to {abs(got - result).max()}"


def dice(mask, truth):
    return 2 * (mask & truth).sum() / (mask.sum() + truth.sum())


def bone(what, side="low", engine="cpu"):
    """The mask and the result of the preset."""
    recipe = f"median:size=19 trough-threshold:side={side} sobel contours mask"
    result = filtered(what, recipe, engine, "--mask-output", "mask.png", "--contour-output",
                      "contour.csv")
    mask = pixels.read_png("mask.png")[..., 0]
    assert set(np.unique(mask)) <= {0, 255}
    return mask == 255, result


def contours_find_the_bone():
    """Text, marker, tissue, both backgrounds and noise are gone; the bones are there."""
    least = 1
    for more in ("", ",bits=16", ",backgrounds=2", ",salt=0.1", ",monochrome=2",
                 ",monochrome=2,backgrounds=2", ",seed=7", ",clean"):
        what = f"phantom:xray:{SIZE}{more}"
        side = "high" if "monochrome=2" in more else "low"
        truth = phantom("truth", what + ",truth") > 0
        original = phantom("in", what)
        mask, result = bone(what, side)
        black = 0 if side == "high" else 65535 if "bits=16" in more else 4095
        assert np.array_equal(result, np.where(mask, original, black)), what
        got = dice(mask, truth)
        least = min(least, got)
        assert got > DICE, f"{what}: {got}"
        far = ndimage.binary_dilation(truth, iterations=6)
        assert not (mask & ~far).any(), f"{what}: {(mask & ~far).sum()} far from any bone"
        parts = ndimage.label(mask)[1]
        assert parts == ndimage.label(truth)[1], f"{what}: {parts} parts"
        if more in ("", ",monochrome=2,backgrounds=2"):
            kept = filtered(what, f"median:size=19 trough-threshold:side={side}") > 0
            assert dice(kept, truth) > DICE_OF_THRESHOLD, dice(kept, truth)
    print(f"# least Dice coefficient {least:.4f}")


def the_size_asked_for():
    """At 2920 × 2320 cells are of 6 × 6 samples. At 1760 × 1760 three samples are darker than bone."""
    for size in ("2920x2320", "1760x1760"):
        truth = phantom("truth", f"phantom:xray:{size},truth") > 0
        mask, _ = bone(f"phantom:xray:{size}")
        assert dice(mask, truth) > 0.98, (size, dice(mask, truth))
        print(f"# Dice coefficient at {size}: {dice(mask, truth):.4f}")


def contours_are_pulled_by_hand():
    """The mask grows to where a point is pulled, and elsewhere stays but for single samples; every engine the same."""
    what, recipe = f"phantom:xray:{SMALL}", "median:size=9 trough-threshold sobel contours"
    def mask(pulls, engine):
        filters = [word for one in f"{recipe}:pulls={pulls}".split() for word in ("-f", one)]
        command_line.process(what, "-o", "drawn.tif", "--force", "--mask-output", "pulled.png", "-e", engine, *filters)
        return pixels.read_png("pulled.png")[..., 0] > 0
    before = mask("none", "cpu")
    y, x = np.argwhere(before)[-1]  # lowest place
    pulled = [mask(f"{x + 0.5}:{y + 0.5}:{x + 0.5}:{y + 12.5}", engine) for engine in ENGINES]
    grown = pulled[0] & ~before
    assert before[y, x] and pulled[0][y + 11, x] and not pulled[0][y + 15, x]
    assert grown.sum() > 50 and not (before & ~pulled[0]).sum() > 20, (grown.sum(), (before & ~pulled[0]).sum())
    assert (pulled[0] != before)[:y - 20].sum() < 20
    assert all(np.array_equal(one, pulled[0]) for one in pulled)
    # A second pull beside the first one leaves it where it is, and gets where it should.
    both = mask(f"{x + 0.5}:{y + 0.5}:{x + 0.5}:{y + 12.5}/{x + 4.5}:{y + 11.5}:{x + 4.5}:{y + 22.5}", "cpu")
    assert not both[y + 12, x - 2] and both[y + 22].any()
    back = mask(f"{x + 0.5}:{y + 0.5}:{x + 0.5}:{y + 12.5}/{x + 0.5}:{y + 12.5}:{x + 0.5}:{y + 0.5}", "cpu")
    assert (back != before).sum() < grown.sum() / 4, (back != before).sum()


def engines_agree():
    what = f"phantom:xray:{SMALL},backgrounds=2"
    wanted, wanted_drawn = None, {}
    for engine in ENGINES:
        got = bone(what, engine=engine) + (pathlib.Path("contour.csv").read_text(),)
        wanted = wanted or got
        assert np.array_equal(got[0], wanted[0]) and np.array_equal(got[1], wanted[1]), engine
        assert got[2] == wanted[2], engine
        # Lines and mask as pictures, beside what is drawn over.
        for output in ("lines", "mask"):
            recipe = f"median:size=9 trough-threshold sobel contours:output={output}"
            drawn = filtered(what, recipe, engine)
            assert np.array_equal(drawn, wanted_drawn.setdefault(output, drawn)), (engine, output)


def a_threshold_alone_masks_the_original():
    what = f"phantom:xray:{SMALL}"
    original = phantom("in", what)
    for engine in ENGINES:
        kept = filtered(what, "median:size=9 trough-threshold", engine) != 0
        got = filtered(what, "median:size=9 trough-threshold mask", engine)
        assert np.array_equal(got, np.where(kept, original, 4095)), engine
        bypassed = filtered(what, "median:size=9 trough-threshold sobel contours:bypass=yes mask",
                            engine)
        assert np.array_equal(got, bypassed), engine


def shoelace(points):
    x, y = points[:, 0], points[:, 1]
    return (x * np.roll(y, -1) - y * np.roll(x, -1)).sum() / 2


def files_say_the_same():
    """CSV and SVG, in millimetres, and the mask describe the same areas."""
    what = f"phantom:xray:{SIZE}"
    pixel = 240 / 1120
    mask, _ = bone(what)
    rows = list(csv.DictReader(open("contour.csv", encoding="ascii")))
    assert list(rows[0]) == ["contour", "hole", "x_mm", "y_mm"], rows[0]
    lines = {}
    for row in rows:
        lines.setdefault((int(row["contour"]), int(row["hole"])), []).append(
            (float(row["x_mm"]), float(row["y_mm"])))
    area = sum(shoelace(np.array(points)) for points in lines.values())
    wanted = mask.sum() * pixel ** 2
    assert abs(area / wanted - 1) < 0.005, (area, wanted)
    command_line.process(what, "-o", "out.png", "--force", "--recipe", "bone", "--contour-output",
                         "contour.svg")
    svg = pathlib.Path("contour.svg").read_text(encoding="ascii")
    assert re.search(r'width="300\.0000mm" height="240\.0000mm" viewBox="0 0 300\.0000 240\.0000"', svg)
    paths = re.findall(r'<path id="contour-(\d+)" class="(outline|hole)" d="M([^Z]*)Z"/>', svg)
    assert len(paths) == len(lines), (len(paths), len(lines))
    for (number, kind, text), ((contour, hole), points) in zip(paths, lines.items()):
        assert (int(number), kind == "hole") == (contour, hole == 1)
        found = np.array([[float(v) for v in point.split()] for point in text.split("L")])
        assert np.allclose(found, points, atol=1e-4), number
    # Without a spacing both are in pixels.
    pixels.write_png("plain.png", np.pad(np.full((60, 50, 1), 40, np.uint8), ((20, 20), (20, 20), (0, 0)),
                                         constant_values=200))
    command_line.process("plain.png", "-o", "out.png", "--force", "-f",
                         "trough-threshold sobel contours", "--contour-output", "px.csv")
    assert pathlib.Path("px.csv").read_text().startswith("contour,hole,x_px,y_px\n1,0,")


def a_folder_in_one_command():
    """Results, masks and contours of each picture are those that it has alone."""
    pathlib.Path("many").mkdir()
    for n in (1, 2, 3):
        samples = phantom("one", f"phantom:xray:{SMALL},monochrome=2,seed={n}")
        pixels.write_png(f"many/x{n}.png", (16 * samples).astype(np.uint16)[..., None])
    command_line.process("many", "-o", "out", "--recipe", "bone", "--jobs", "2", "--mask-output",
                         "masks/m-%.png", "--contour-output", "lines/%.csv")
    assert sorted(p.name for p in pathlib.Path("masks").iterdir()) == ["m-x1.png", "m-x2.png", "m-x3.png"]
    for n in (1, 2, 3):
        command_line.process(f"many/x{n}.png", "-o", "alone.png", "--force", "--recipe", "bone",
                             "--mask-output", "mask.png", "--contour-output", "contour.csv")
        for own, alone in ((f"out/x{n}.png", "alone.png"), (f"masks/m-x{n}.png", "mask.png")):
            assert np.array_equal(pixels.read_png(own), pixels.read_png(alone)), own
        assert pixels.read_png("mask.png").any(), n
        assert pathlib.Path(f"lines/x{n}.csv").read_text() == pathlib.Path("contour.csv").read_text()


def shutters_are_no_bone():
    """What a collimator leaves unexposed counts as neither peak nor bone, nor does its shadow."""
    what = f"phantom:xray:{SIZE},clean"
    truth, samples = phantom("truth", what + ",truth") > 0, phantom("in", what)
    columns = np.arange(samples.shape[1])[None]
    for width in (90, 160):
        near = np.clip((np.minimum(columns, samples.shape[1] - 1 - columns) - width) / 60, 0, 1)
        shaded = np.rint(samples * near).astype(np.uint16)
        pixels.write_png("shaded.png", 16 * shaded[..., None])
        mask, _ = bone("shaded.png")
        assert dice(mask, truth) > DICE, (width, dice(mask, truth))
        assert not (mask & ~ndimage.binary_dilation(truth, iterations=6)).any(), width


def the_preset_is_its_filters():
    listed = {one["name"]: one["recipe"] for one in command_line.read("list", "presets")}
    assert "bone" in listed, listed
    what = "phantom:xray:200x160"
    command_line.process(what, "-o", "a.png", "--recipe", "bone", "--force")
    command_line.process(what, "-o", "b.png", "-f", "bone", "--force")
    command_line.process(what, "-o", "c.png", "-f", listed["bone"], "--force")
    a, b, c = (pixels.read_png(name) for name in ("a.png", "b.png", "c.png"))
    assert np.array_equal(a, b) and np.array_equal(a, c)
    # A file of that name comes first.
    pathlib.Path("bone").write_text("gaussian:sigma=2\n")
    command_line.process(what, "-o", "d.png", "--recipe", "bone", "--force")
    pathlib.Path("bone").unlink()
    assert not np.array_equal(a, pixels.read_png("d.png"))


def median_is_centred_and_has_the_right_rank():
    """A step stays where it is, on either side; 181 of 361 samples decide."""
    for axis in (0, 1):
        for at in (20, 31):
            step = np.zeros((64, 64), np.uint16)
            step[(slice(None),) * axis + (slice(at, None),)] = 4000
            pixels.write_png("in.png", step[..., None])
            assert np.array_equal(filtered("in.png", "median:size=19"), step), (axis, at)
    for bright in (180, 181):
        samples = np.zeros(361, np.uint16)
        samples[np.random.default_rng(3).permutation(361)[:bright]] = 1000
        picture = np.pad(samples.reshape(19, 19), 10)
        pixels.write_png("in.png", picture[..., None])
        assert filtered("in.png", "median:size=19")[19, 19] == (1000 if bright > 180 else 0)


def what_has_no_bone():
    """Flat pictures, single pixels and lines give a sentence, or a picture, and no error."""
    pictures = {"flat": np.full((40, 50), 100), "one": np.array([[7]]), "row": np.arange(90)[None],
                "column": np.arange(90)[:, None], "noise": np.random.default_rng(1).integers(0, 9, (50, 40))}
    for name, samples in pictures.items():
        pixels.write_png(name + ".png", samples.astype(np.uint16)[..., None])
        for engine in ENGINES:
            done = command_line.process(name + ".png", "-o", "out.png", "--force", "--recipe", "bone",
                                        "-e", engine, "--mask-output", "mask.png",
                                        "--contour-output", "contour.svg")
            mask = pixels.read_png("mask.png")
            assert mask.shape[:2] == samples.shape
            assert ("no contours were found" in done.stderr) == (not mask.any()), (name, done.stderr)
            assert "</svg>" in pathlib.Path("contour.svg").read_text()


def wrong_requests_are_refused():
    what = "phantom:xray:60x50"
    for words, arguments in (
            (("contours",), [what, "-o", "o.png", "-f", "sobel", "--mask-output", "m.png"]),
            (("contours",), [what, "-o", "o.png", "-f", "contours:bypass=yes", "--mask-output", "m.png"]),
            ((".svg", ".csv"), [what, "-o", "o.png", "-f", "contours", "--contour-output", "m.txt"]),
            ((".png",), [what, "-o", "o.png", "-f", "contours", "--mask-output", "m.tif"]),
            (("%",), [what, "phantom:xray:50x50", "-o", "folder", "-f", "contours",
                      "--mask-output", "m.png"]),
            (("videos",), ["phantom:speckle:50x50", "-o", "o.mkv", "-f", "contours",
                           "--mask-output", "m%.png"])):
        command_line.fails(2, *words, arguments=["process", *arguments])
    pathlib.Path("there.csv").write_text("mine")
    command_line.process(what, "-o", "new.png", "--recipe", "bone", "--contour-output", "there.csv",
                         status=1)
    assert pathlib.Path("there.csv").read_text() == "mine"


sys.exit(command_line.run_cases(
    {f"{engine} does each stage as SciPy": lambda engine=engine: stages_are_exact(engine)
     for engine in ENGINES}
    | {"the contours find the bone of the phantom": contours_find_the_bone,
       "at the published size, too": the_size_asked_for,
       "engines give the same contours": engines_agree,
       "contours are pulled by hand": contours_are_pulled_by_hand,
       "a threshold alone masks the original": a_threshold_alone_masks_the_original,
       "mask, CSV and SVG say the same": files_say_the_same,
       "shutters are no bone": shutters_are_no_bone,
       "a folder in one command": a_folder_in_one_command,
       "the preset is its filters": the_preset_is_its_filters,
       "the median is centred and of rank 181": median_is_centred_and_has_the_right_rank,
       "pictures without bone give a sentence": what_has_no_bone,
       "wrong requests are refused": wrong_requests_are_refused}))
