#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Filters that keep to an ultrasound picture: where the file says that it is, and where it is found,
against pictures whose sector is known.

usage: area.py ONDELETTE_CLI
"""
import pathlib
import struct
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "helpers"))
import pixels  # noqa: E402
from command_line import fails, process, run_cases, shared  # noqa: E402
from dicom_file import LITTLE, Writer  # noqa: E402

WIDTH, HEIGHT = 640, 480
FILTER = "--filter", "gaussian:sigma=2"
# Steps of grey; unfiltered pictures are written as whole numbers, those of filters as the nearest
# of 32-bit fractions.
SAME = 1e-4


def picture(values, regions=(), frames=1):
    out = Writer(LITTLE)
    out.put(0x00080016, "UI", "1.2.840.10008.5.1.4.1.1.3.1").put(0x00080018, "UI", "1.2.3.4")
    out.put(0x00080060, "CS", "US")
    out.put(0x00280002, "US", 1).put(0x00280004, "CS", "MONOCHROME2")
    out.put(0x00280008, "IS", frames)
    out.put(0x00280010, "US", values.shape[-2]).put(0x00280011, "US", values.shape[-1])
    out.put(0x00280100, "US", 8).put(0x00280101, "US", 8)
    out.put(0x00280102, "US", 7).put(0x00280103, "US", 0)
    if regions:
        out.items(0x00186011, *(region(*one) for one in regions))
    return out.put(0x7fe00010, "OB", values.astype("u1").tobytes())


def region(form, flags, left, top, right, bottom):
    inner = Writer(LITTLE)
    inner.put(0x00186012, "US", form).put(0x00186014, "US", 1)
    inner.raw(0x00186016, b"UL" + struct.pack("<HI", 4, flags))
    for tag, value in ((0x18, left), (0x1a, top), (0x1c, right), (0x1e, bottom)):
        inner.raw(0x00186000 | tag, b"UL" + struct.pack("<HI", 4, value))
    inner.put(0x00186024, "US", 3).put(0x00186026, "US", 3)
    for tag in (0x0018602c, 0x0018602e):
        inner.raw(tag, b"FD" + struct.pack("<Hd", 8, 0.05))
    return inner


def filtered(path, *options):
    process(path, "-o", "out.tif", "--force", *options)
    return pixels.read_tiff("out.tif")[1]


def misplaced(path, inside, *options):
    """What is not as it came outside, and not as it is filtered everywhere inside."""
    came, everywhere = filtered(path), filtered(path, *FILTER, *options)
    got = filtered(path, *FILTER, *options, "--inside", "region")
    if np.array_equal(came, everywhere):
        yield "the filter does nothing"
    moved = np.abs(got - came)[~inside] > SAME
    if moved.any():
        yield f"{moved.sum()} samples outside were changed"
    if not np.array_equal(got[inside], everywhere[inside]):
        yield f"{(got != everywhere)[inside].sum()} samples inside differ from those filtered everywhere"


def regions_of_a_file_are_kept_to():
    """The region's own numbers, as pydicom reads them: columns 120 to 799, rows 60 to 509 or so."""
    source = shared("pydicom-data/OBXXXX1A.dcm")
    data = source.read_bytes()

    def number(tag):
        at = data.index(struct.pack("<HH", 0x18, tag) + b"UL")
        return struct.unpack_from("<I", data, at + 8)[0]
    left, top, right, bottom = (number(tag) for tag in (0x6018, 0x601a, 0x601c, 0x601e))
    inside = np.zeros((600, 800), bool)
    inside[top:bottom + 1, left:right + 1] = True
    yield from misplaced(source, inside)


def a_doppler_strip_stays():
    values = np.random.default_rng(1).integers(0, 255, (120, 160))
    # The strip has priority (the least bit of the flags is 0) where both are.
    path = picture(values, [(1, 1, 10, 5, 149, 110), (3, 0, 0, 80, 159, 119)]).write()
    inside = np.zeros(values.shape, bool)
    inside[5:80, 10:150] = True
    for options in ((), ("--colour", "luma"), ("-e", "reference")):
        yield from misplaced(path, inside, *options)
    taken = filtered(path, *FILTER, "--inside", "region", "--view", "residual")
    if taken[~inside].any() or not taken[inside].any():
        yield "the view of what is taken away has something outside, or nothing inside"


def sector(kind, seed):
    """Speckle in a shape, amid text, marks, a bar of grey levels and a header."""
    noise = np.random.default_rng(seed)
    y, x = np.mgrid[:HEIGHT, :WIDTH]
    if kind == "curved":
        r, angle = np.hypot(x - 330, y + 40), np.arctan2(x - 330, y + 40)
        shape = (r > 130) & (r < 490) & (np.abs(angle) < 0.55)
        depth = (r - 130) / 360
    elif kind == "phased":
        r, angle = np.hypot(x - 300, y - 40), np.arctan2(x - 300, y - 40)
        shape = (r < 400) & (np.abs(angle) < 0.7)
        depth = r / 400
    elif kind == "steered":
        left = 180 + (y - 60) * 0.3
        shape = (y > 60) & (y < 400) & (x > left) & (x < left + 260)
        depth = (y - 60) / 340
    else:
        shape = (y > 50) & (y < 390) & (x > 140) & (x < 500)
        depth = (y - 50) / 340
    values = noise.rayleigh(40, shape.shape) * np.exp(-1.2 * depth)
    values[np.hypot(x - 320, y - 230) < 45] *= 0.02  # a cyst
    values[np.hypot(x - 280, y - 330) < 25] += 120
    values = np.where(shape, values, 0)
    for row in range(70, 400, 18):  # text beside it
        for column in range(8, 100, 9):
            if shape[row - 6:row + 18, column - 6:column + 14].any():
                continue
            glyph = noise.random((12, 7)) < 0.45
            values[row:row + 12, column:column + 7] = glyph * 220
    values[4:22] = np.where(noise.random((18, WIDTH)) < 0.15, 230, 45)  # a header
    values[60:200, 606:620] = np.linspace(255, 0, 140)[:, None]  # grey levels
    values[60:400:20, 594:602] = 200  # marks of depth
    values[466:468, 100:600] = 180  # a trace
    return shape, np.clip(values, 0, 255)


def the_sector_is_found():
    for seed, kind in enumerate(("curved", "phased", "steered", "linear")):
        shape, values = sector(kind, seed)
        path = picture(values).write()
        white = np.full(values.shape, 255)
        other = picture(white).write()
        got = filtered(path, "--filter", f"mix:with={other},weight=0.5", "--inside", "sector")[..., 0]
        inside = np.abs(got - filtered(path)[..., 0]) > SAME
        both, either = (inside & shape).sum(), (inside | shape).sum()
        if both < 0.95 * either:
            yield f"{kind}: overlap {both / either:.3f}"
        if both < 0.97 * shape.sum():
            yield f"{kind}: {both / shape.sum():.3f} of the sector was found"
        beside = ((values > 0) & ~shape & inside).sum()
        if beside:
            yield f"{kind}: {beside} samples of text, marks or bars were changed"


def it_is_found_once_in_a_cine():
    shape, values = sector("curved", 9)
    dim = values * (np.random.default_rng(3).random(values.shape) < 0.02)
    path = picture(np.stack([values, dim]), frames=2).write()
    process(path, "-o", "moved-%d.tif", "--force", *FILTER, "--inside", "sector")
    process(path, "-o", "all-%d.tif", "--force", *FILTER)
    process(path, "-o", "came-%d.tif", "--force")
    masks = []
    for i in (1, 2):
        got, everywhere, came = (pixels.read_tiff(f"{name}-{i}.tif")[1][..., 0]
                                 for name in ("moved", "all", "came"))
        changed = np.abs(got - came) > SAME
        if not np.array_equal(got[changed], everywhere[changed]):
            yield f"frame {i}: what was changed is not what the filter gives"
        masks.append((changed, np.abs(everywhere - came) > SAME))
    first = masks[0][0]
    if (masks[1][0] & ~np.maximum.accumulate(first, 0)).sum() > 0.01 * first.sum():
        yield "the second frame has another sector"
    if (masks[1][0] & shape).sum() < 0.9 * (masks[1][1] & shape).sum():
        yield "the second frame has lost its sector"


def outside_the_sector_it_is_black():
    """Of all frames what lies outside that of the first; before filters spread what is there."""
    shape, values = sector("curved", 4)
    later = np.where(shape, values[::-1, ::-1], 255)  # nothing of it tells a sector
    path = picture(np.stack([values, later]), frames=2).write()
    process(path, "-o", "black.dcm", "--force", "--deidentify", "--blank", "sector", "--blank", "300,200,9,7")
    process("black.dcm", "-o", "black-%d.tif", "--force")
    got = [pixels.read_tiff(f"black-{i}.tif")[1][..., 0] for i in (1, 2)]
    kept = got[0] > 0
    if (kept & shape).sum() < 0.95 * ((values >= 1) & shape).sum():
        yield "parts of the sector are black"
    if (kept & ~shape).sum() > 0.03 * shape.sum():
        yield "parts beside the sector are not"
    if got[0][200:207, 300:309].any():
        yield "a rectangle that is named, too, is not black"
    wide = np.hypot(*np.mgrid[-6:7, -6:7]) < 6
    near = np.zeros_like(shape)
    for y, x in zip(*np.nonzero(wide)):
        near |= np.roll(shape, (y - 6, x - 6), (0, 1))
    if got[1][~near].any():
        yield f"{(got[1][~near] > 0).sum()} samples outside are left in the second frame"
    # The same parts as those that filters keep to.
    process(path, "-o", "all.dcm", "--force", "--blank", "sector")
    process("all.dcm", "-o", "all-%d.tif", "--force")
    second = pixels.read_tiff("all-2.tif")[1][..., 0]
    white = picture(np.full(values.shape, 255)).write()
    mixed = filtered(picture(values).write(), "--filter", f"mix:with={white},weight=0.5", "--inside", "sector")[..., 0]
    inside = np.abs(mixed - values.astype("u1")) > SAME
    if second[~inside & (values < 255)].any() or not np.array_equal(second[inside], later.astype("u1")[inside]):
        yield "what is black is not what filters leave alone"
    process(path, "-o", "smooth.dcm", "--force", "--blank", "sector", "--filter", "gaussian:sigma=3")
    process("smooth.dcm", "-o", "smooth-%d.tif", "--force")
    edge = pixels.read_tiff("smooth-2.tif")[1][..., 0]
    process("all.dcm", "-o", "after.dcm", "--force", "--filter", "gaussian:sigma=3")
    process("after.dcm", "-o", "after-%d.tif", "--force")
    if np.abs(edge - pixels.read_tiff("after-2.tif")[1][..., 0])[inside].max() > 1:
        yield "what is made black was spread by the filter before"
    flat = picture(np.zeros((200, 300))).write()
    fails(1, "Give rectangles", arguments=("process", flat, "-o", "no.dcm", "--blank", "sector"))
    if pathlib.Path("no.dcm").exists():
        yield "something was written"


def where_nothing_says_so_it_is_said():
    ct = shared("pydicom/CT_small.dcm")
    fails(1, "does not say which parts", arguments=("process", ct, "-o", "no.png", *FILTER, "--inside", "region"))
    black = picture(np.zeros((200, 300))).write()
    fails(1, "no ultrasound sector", arguments=("process", black, "-o", "no.png", *FILTER, "--inside", "sector"))
    text = np.zeros((HEIGHT, WIDTH))
    text[4:40] = 90
    only_bar = picture(text).write()
    fails(1, "no ultrasound sector", arguments=("process", only_bar, "-o", "no.png", *FILTER, "--inside", "sector"))
    fails(2, "region", arguments=("process", ct, "-o", "no.png", "--inside", "nowhere"))
    if pathlib.Path("no.png").exists():
        yield "something was written"


def whole(problems):
    """The case as a function that raises."""
    def case():
        found = list(problems())
        assert not found, "; ".join(found)
    return case


sys.exit(run_cases({name: whole(problems) for name, problems in {
    "filters keep to the regions of a file": regions_of_a_file_are_kept_to,
    "a Doppler strip stays as it came": a_doppler_strip_stays,
    "the sector is found": the_sector_is_found,
    "it is found once in a cine": it_is_found_once_in_a_cine,
    "outside the sector it is black": outside_the_sector_it_is_black,
    "where nothing says so it is said": where_nothing_says_so_it_is_said}.items()}))
