#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Pyramids in TIFF files, as tifffile writes and reads them: which level opens by itself, and each that is asked for.

usage: tiff_pyramids.py ONDELETTE_CLI
"""
import json
import os
import pathlib
import struct
import subprocess
import sys
import time

import numpy as np
import tifffile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "helpers"))
from places import CLI, info, run, run_cases, shown, wrong_values  # noqa: E402

os.environ["ODL_ENGINE"] = "cpu"
RANDOM = np.random.default_rng(41)
HEIGHT, WIDTH = 4100, 5000  # more than a screen has
TILES = {"tile": (256, 256), "compression": "zlib"}
LARGE = "0: 5000×4100, 1: 2500×2050, 2: 1250×1025"


def levels_of(whole, n=2):
    """The picture, and each level of every second pixel of the one before."""
    levels = [whole]
    for _ in range(n):
        levels.append(levels[-1][..., ::2, ::2] if whole.ndim < 3 or whole.shape[-1] > 4 else levels[-1][::2, ::2])
    return levels


def large(kind="u1"):
    smooth = np.add.outer(np.arange(HEIGHT) // 7, np.arange(WIDTH) // 5) % 251
    return levels_of((smooth * (200 if kind == "u2" else 1)).astype(kind))


def write(path, levels, way, **more):
    """As levels in a list of the page's own, as pages of reduced size, or as tiled pages that nothing marks."""
    with tifffile.TiffWriter(path, bigtiff=more.pop("bigtiff", False), byteorder=more.pop("byteorder", "<")) as out:
        out.write(levels[0], metadata=None, **({"subifds": len(levels) - 1} if way == "listed" else {}), **more)
        for level in levels[1:]:
            out.write(level, metadata=None, subfiletype=0 if way == "unmarked" else 1, **more)


def expect(name, told, **wanted):
    got = {**told, **told["details"], **told["image"]}
    for key, value in wanted.items():
        if got.get(key) != value:
            yield f"{name}: {key} is {got.get(key)}, not {value}"


def npy(location, *options):
    run("process", location, "-o", "out.npy", "--force", *options)
    return np.load("out.npy")


def by_itself():
    """Of a large picture the largest level that a screen shows, said; its pixels are larger."""
    for number, way in enumerate(("listed", "marked", "unmarked")):
        for kind in "u1", "u2":
            levels = large(kind)
            write("a.tif", levels, way, **TILES, bigtiff=number == 1, byteorder="<>"[kind == "u2"],
                  resolution=(10000, 10000), resolutionunit="CENTIMETER", software="Ondelette test")
            told = info("a.tif")
            yield from expect(f"{way} {kind}", told, levels=LARGE, level="1", width=2500, height=2050, frames=1)
            if not np.allclose(told["image"]["spacing_mm"][:2], 0.002):
                yield f"{way} {kind}: {told['image']['spacing_mm']}"
            if "--pages=level=0" not in (told["warning"] or "") or "5000×4100" not in told["warning"]:
                yield f"{way} {kind}: {told['warning']}"
            if not np.array_equal(npy("a.tif"), levels[1]):
                yield f"{way} {kind}: the level that is shown has other pixels"
            for number_, level in enumerate(levels):
                told = info(f"pages:level={number_}:a.tif")
                yield from expect(f"{way} {kind} {number_}", told, level=str(number_), width=level.shape[1], warning=None)
                if not np.allclose(told["image"]["spacing_mm"][:2], 0.001 * 2 ** number_):
                    yield f"{way} {kind} {number_}: {told['image']['spacing_mm']}"
                if not np.array_equal(npy(f"pages:level={number_}:a.tif"), level) \
                        or not np.array_equal(npy("a.tif", f"--pages=level={number_}"), level):
                    yield f"{way} {kind}: level {number_} has other pixels"
        if tifffile.TiffFile("a.tif").byteorder not in "<>":
            yield "tifffile cannot read it"
    # One that a screen shows opens whole, and has levels nevertheless; so do colours, strips and odd sides.
    for way in "listed", "marked":
        for samples, more in ((RANDOM.integers(0, 255, (301, 203, 3), "u1"), {"photometric": "rgb"}),
                              (RANDOM.normal(0, 9, (301, 203)).astype("f4"), {})):
            levels = levels_of(samples)
            write("small.tif", levels, way, **more)
            yield from expect(f"small {way}", info("small.tif"), levels="0: 203×301, 1: 102×151, 2: 51×76", level="0",
                              width=203, warning=None)
            if not np.array_equal(npy("small.tif"), samples) or not np.array_equal(npy("pages:level=2:small.tif"), levels[2]):
                yield f"small {way}: other pixels"


def sequences():
    """Every page of a sequence, a stack and an OME-TIFF has its levels; one that lacks them has none for all."""
    samples = RANDOM.integers(0, 60000, (4, 64, 80), "u2")
    for way in "listed", "marked":
        with tifffile.TiffWriter("seq.tif") as out:
            for page in samples:
                out.write(page, metadata=None, **({"subifds": 1} if way == "listed" else {}))
                out.write(page[::2, ::2], metadata=None, subfiletype=1)
        yield from expect(way, info("seq.tif"), levels="0: 80×64, 1: 40×32", level="0", frames=4, slices=0)
        yield from wrong_values(way, shown("pages:level=1:seq.tif", 4)[..., 0], samples[:, ::2, ::2].astype("f4"))
        yield from expect(way, info("pages:stack,level=1:seq.tif"), level="1", frames=4, slices=4, width=40)
        yield from expect(way, info("pages:first,level=1:seq.tif"), level="1", frames=1, width=40)
        told = json.loads(run("info", "seq.tif", "--json", "--pages=sequence,level=1").stdout)
        yield from expect(way, told, level="1", frames=4, width=40)
    with tifffile.TiffWriter("ome.ome.tif", ome=True) as out:
        out.write(samples, subifds=1, metadata={"axes": "ZYX", "PhysicalSizeX": 0.5, "PhysicalSizeXUnit": "mm",
                                                "PhysicalSizeY": 0.5, "PhysicalSizeYUnit": "mm", "PhysicalSizeZ": 2,
                                                "PhysicalSizeZUnit": "mm"})
        out.write(samples[:, ::2, ::2], subfiletype=1)
    if [level.shape for level in tifffile.TiffFile("ome.ome.tif").series[0].levels] != [(4, 64, 80), (4, 32, 40)]:
        yield "tifffile finds other levels"
    yield from expect("ome", info("ome.ome.tif"), slices=4, level="0", spacing_mm=[0.5, 0.5, 2])
    yield from expect("ome", info("pages:level=1:ome.ome.tif"), slices=4, level="1", spacing_mm=[1, 1, 2])
    yield from wrong_values("ome", shown("pages:level=1:ome.ome.tif", 4)[..., 0], samples[:, ::2, ::2].astype("f4"))
    with tifffile.TiffWriter("gap.tif") as out:
        for number, page in enumerate(samples):
            out.write(page, metadata=None)
            if number != 2:
                out.write(page[::2, ::2], metadata=None, subfiletype=1)
    yield from expect("a page without", info("gap.tif"), levels=None, frames=4, warning=None)


def no_levels():
    """Smaller pictures of other samples or another shape, larger ones, and masks are no levels of a page."""
    page = RANDOM.integers(0, 255, (64, 80), "u1")
    others = {"16 bits": page[::2, ::2].astype("u2"), "another shape": page[::2, ::4], "larger": np.tile(page, (2, 2)),
              "as large": page, "colours": np.repeat(page[::2, ::2, None], 3, 2)}
    for name, other in others.items():
        for way in "listed", "marked":
            write("other.tif", [page, other], way)
            yield from expect(f"{name}, {way}", info("other.tif"), levels=None, width=80, frames=1)
            if not np.array_equal(npy("other.tif"), page):
                yield f"{name}: other pixels"
    write("mask.tif", [page, page[::2, ::2]], "marked")
    data = pathlib.Path("mask.tif").read_bytes()
    with tifffile.TiffFile("mask.tif") as file:
        at = file.pages[1].tags[254].valueoffset
    pathlib.Path("mask.tif").write_bytes(data[:at] + struct.pack("<I", 5) + data[at + 4:])
    yield from expect("mask", info("mask.tif"), levels=None, frames=1)
    # Untiled pages of other sizes are other pictures.
    write("pages.tif", [page, page[::2, ::2]], "unmarked")
    yield from expect("pages", info("pages.tif"), levels=None, frames=1)
    for location, said in (("pages:level=1:mask.tif", "no pyramid"), ("pages:level=-1:mask.tif", "level=0"),
                           ("pages:level=:mask.tif", "level=0"), ("pages:stack,first:mask.tif", "level=0"),
                           ("pages:level=1,stack:mask.tif", "level=0")):
        if said not in run("info", location, status=1).stderr:
            yield f"{location} is not refused"
    write("two.tif", [page, page[::2, ::2]], "listed")
    if "its last one is 1" not in run("info", "pages:level=2:two.tif", status=1).stderr:
        yield "a level beyond the last one is not refused"
    if "level=0" not in run("info", "two.tif", "--pages=levels", status=1).stderr \
            or "level=N" not in run("process", "two.tif", "-o", "x.npy", "--pages=levels", status=2).stderr:
        yield "a wrong word is not told what there is"


def slides():
    """A slide of three billion pixels, all of its tiles left out but those of a level, opens at once."""
    sides = [(50000, 60000), (12500, 15000), (3125, 3750)]
    small = RANDOM.integers(0, 255, (*sides[2], 3), "u1")

    def nothing(rows, columns):
        return (None for _ in range(-(-rows // 512) * -(-columns // 512)))

    with tifffile.TiffWriter("slide.tif", bigtiff=True) as out:
        for number, (rows, columns) in enumerate(sides):
            data = small if number == 2 else nothing(rows, columns)
            out.write(data, shape=(rows, columns, 3), dtype="u1", photometric="rgb", tile=(512, 512), metadata=None,
                      compression="zlib", **({"subifds": 2} if number == 0 else {"subfiletype": 1}))
    probe = "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True); " \
            "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)"
    start = time.monotonic()
    done = subprocess.run([sys.executable, "-c", probe, CLI, "process", "slide.tif", "-o", "slide.npy"],
                          capture_output=True, encoding="utf-8", timeout=250, check=True)
    print(f"# a slide of 3 Gpx: {time.monotonic() - start:.2f} s, {done.stdout.split()[-1]} MB", file=sys.stderr)
    if int(done.stdout.split()[-1]) > 1000:
        yield f"it took {done.stdout} MB"
    if not np.array_equal(np.load("slide.npy"), small):
        yield "other pixels"
    yield from expect("slide", info("slide.tif"), level="2", levels="0: 60000×50000, 1: 15000×12500, 2: 3750×3125")
    if "too large" not in run("info", "pages:level=0:slide.tif", status=1).stderr:
        yield "the whole slide is not said to be too large"


def hostile():
    """Lists of levels that lead nowhere, to themselves, into each other, or are named by every page."""
    page = RANDOM.integers(0, 255, (64, 80), "u1")
    write("a.tif", [page, page[::2, ::2]], "listed")
    data = pathlib.Path("a.tif").read_bytes()
    with tifffile.TiffFile("a.tif") as file:
        entry = file.pages[0].tags[330].offset
        first = file.pages[0].offset
    for name, count, value in (("itself", 1, first), ("beyond", 1, 1 << 31), ("many", 0xffffffff, 8),
                               ("near the end", 1 << 30, len(data) - 2), ("zero", 1, 0), ("none", 0, 8)):
        path = f"{name}.tif"
        pathlib.Path(path).write_bytes(data[:entry + 4] + struct.pack("<II", count, value) + data[entry + 12:])
        yield from expect(name, info(path), width=80, frames=1, levels=None)
    # 20,000 pages that name the same 64 levels of many entries each.
    with tifffile.TiffWriter("base.tif") as out:
        for _ in range(2):
            out.write(page, metadata=None, subifds=1)
            out.write(page[::2, ::2], metadata=None, subfiletype=1)
    body = bytearray(pathlib.Path("base.tif").read_bytes())
    with tifffile.TiffFile("base.tif") as file:
        tags = file.pages[0]
        level = tags.pages[0].offset if tags.pages else tags.subifds[0]
        directory = body[tags.offset:tags.offset + 2 + 12 * len(tags.tags)]
        entry = tags.tags[330].offset - tags.offset
    listed = len(body)
    body += struct.pack("<64I", *[level] * 64)
    directory[entry + 4:entry + 12] = struct.pack("<II", 64, listed)
    start = len(body)
    size = len(directory) + 4
    for number in range(20000):
        body += directory + struct.pack("<I", start + (number + 1) * size if number < 19999 else 0)
    body[4:8] = struct.pack("<I", start)
    pathlib.Path("same.tif").write_bytes(body)
    yield from expect("the same levels", info("same.tif"), frames=20000, width=80)


if __name__ == "__main__":
    sys.exit(run_cases([
        ("the level that fits opens, and each that is asked for", by_itself),
        ("pages have their levels", sequences),
        ("what is no level", no_levels),
        ("a slide opens without its full size", slides),
        ("lists of levels that lie", hostile),
    ]))
