#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Pages of TIFF files: values, order, lengths and times as tifffile has them; what the program writes it reads.

usage: tiff_pages.py ONDELETTE_CLI
"""
import itertools
import os
import pathlib
import struct
import subprocess
import sys

import nibabel as nib
import numpy as np
import tifffile
from PIL import Image

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "helpers"))
import nrrd  # noqa: E402
import pixels  # noqa: E402
from places import CLI, info, run, run_cases, shown, wrong_values  # noqa: E402

os.environ["ODL_ENGINE"] = "cpu"
RANDOM = np.random.default_rng(37)
TYPES = ("u1", "i1", "u2", "i2", "f4", "f8")


def some(kind, *shape):
    if kind[0] == "f":
        return RANDOM.normal(0, 300, shape).astype("f4").astype(kind)
    limits = np.iinfo(kind)
    return RANDOM.integers(limits.min, limits.max, shape, endpoint=True).astype(kind)


def frames_of(path, *options):
    for old in pathlib.Path(".").glob("out-*.tif"):
        old.unlink()
    run("process", path, "-o", "out-%04d.tif", *options)
    return np.array([pixels.read_tiff(str(out))[1] for out in sorted(pathlib.Path(".").glob("out-*.tif"))])


def expect(name, told, **wanted):
    got = {**told, **told["details"], **told["image"]}
    for key, value in wanted.items():
        if got.get(key) != value:
            yield f"{name}: {key} is {got.get(key)}, not {value}"


def sequences():
    """Every type, both orders of bytes, both sizes of places, strips and tiles, packed and not."""
    ways = {"plain": {}, "big": {"bigtiff": True}, "tiles": {"tile": (16, 16)}, "deflate": {"compression": "zlib"},
            "rows": {"rowsperstrip": 3}}
    for number, ((name, way), kind) in enumerate(itertools.product(ways.items(), TYPES)):
        order = "<>"[number % 2]
        samples = some(kind, 4, 17, 21)
        with tifffile.TiffWriter("seq.tif", bigtiff=way.get("bigtiff", False), byteorder=order) as out:
            for page in samples:
                out.write(page, metadata=None, contiguous=False, **{k: v for k, v in way.items() if k != "bigtiff"})
        told = info("seq.tif")
        yield from expect(f"{name} {kind}{order}", told, frames=4, declared_frames=4, slices=0, pages="4", warning=None,
                          frame_rate=0, **{"pages-are": "frames"})
        yield from wrong_values(f"{name} {kind}{order}", shown("seq.tif", 4)[..., 0], samples.astype("f4"))
    for channels in 3, 4:
        colours = some("u1", 3, 9, 11, channels)
        more = {"extrasamples": ["unassalpha"]} if channels == 4 else {}
        tifffile.imwrite("rgb.tif", colours, photometric="rgb", metadata=None, **more)
        yield from wrong_values(f"{channels} colours", shown("rgb.tif", 3), colours.astype("f4"))
    # Pages with palettes of their own, of which one needs 16 bits.
    index = np.tile(np.arange(16, dtype="u1"), (4, 1))
    maps = [np.repeat((np.arange(256) * 257).astype("u2")[None], 3, 0), np.repeat((np.arange(256) * 3).astype("u2")[None], 3, 0)]
    with tifffile.TiffWriter("palette.tif") as out:
        for colours in maps:
            out.write(index, photometric="palette", colormap=colours, metadata=None)
    if info("palette.tif")["frames"] != 2 or shown("palette.tif", 2).shape != (2, 4, 16, 3):
        yield "palettes of different depths are one sequence"


def asked_for():
    """--frames, --pages, pages: and volume: take what they say; a description can be overruled."""
    samples = some("u2", 6, 7, 8)
    tifffile.imwrite("a.tif", samples, metadata=None)
    tifffile.imwrite("ij.tif", samples.reshape(2, 3, 7, 8), imagej=True, metadata={"axes": "TZYX"})
    yield from wrong_values("--frames", frames_of("a.tif", "--frames", "2-3")[..., 0], samples[1:3].astype("f4"))
    for path in "a.tif", "ij.tif":
        for way, frames, slices in ("stack", 6, 6), ("sequence", 6, 0), ("first", 1, 0):
            for told in info(f"pages:{way}:{path}"), __import__("json").loads(
                    run("info", path, "--json", "--pages", way).stdout):
                yield from expect(f"{way} {path}", told, frames=frames, slices=slices, warning=None, source="pages")
        yield from wrong_values(f"stack of {path}", frames_of(path, "--pages=stack")[..., 0], samples.astype("f4"))
    if info("ij.tif")["slices"] != 3 or info("volume:a.tif")["slices"] != 6:
        yield "the description decides; volume: takes frames for slices"
    run("process", "a.tif", "--pages=stack", "-o", "out.nii.gz")
    got = np.asanyarray(nib.load("out.nii.gz").dataobj)
    yield from wrong_values("stack as NIfTI", got.transpose(2, 1, 0), samples)
    pixels.write_png("still.png", np.zeros((4, 5, 1), np.uint8))
    pathlib.Path("many").mkdir(exist_ok=True)
    for name in "one", "two":
        tifffile.imwrite(f"many/{name}.tif", samples, metadata=None)
    run("process", "many", "still.png", "--pages=first", "-o", "done", "--format", "npy")
    if sorted(path.name for path in pathlib.Path("done").iterdir()) != ["one.npy", "still.npy", "two.npy"] \
            or not np.array_equal(np.load("done/two.npy"), samples[0]):
        yield "a batch with --pages has names of its own"
    for arguments, word in {("process", "a.tif", "-o", "x.png", "--pages=all"): "stack, sequence or first",
                            ("process", "still.png", "-o", "x.png", "--pages=first"): "no input is one",
                            ("info", "still.png", "--pages=first"): "only TIFF files have pages",
                            ("info", "a.tif", "--pages=all"): "stack, sequence or first",
                            ("process", "a.tif", "-o", "a.tif", "--force", "--pages=first"): "never written over",
                            ("process", "volume:a.tif", "-o", "a.tif", "--force"): "never written over",
                            ("process", "volume:pages:stack:a.tif", "-o", "a.tif", "--force"): "never written over"}.items():
        done = subprocess.run([CLI, *arguments], capture_output=True, encoding="utf-8", timeout=280)
        if done.returncode not in (1, 2) or word not in done.stderr:
            yield f"{arguments}: {done.returncode} {done.stderr}"


def imagej():
    """Channels, slices and times in ImageJ's order; lengths in every unit; intervals."""
    units = {"mm": 1, "cm": 10, "um": 1e-3, "micron": 1e-3, "\\u00B5m": 1e-3, "nm": 1e-6, "inch": 25.4}
    for number, (times, slices, channels) in enumerate(itertools.product((1, 3), (1, 4), (1, 2))):
        if times * slices * channels == 1:
            continue
        samples = some("u2", times, slices, channels, 5, 6)
        unit, mm = list(units.items())[number % len(units)]
        sides = np.multiply((0.25, 0.5, 1.5), 1000 if unit == "nm" else 1)
        tifffile.imwrite("ij.tif", samples, imagej=True, resolution=(1 / sides[0], 1 / sides[1]), metadata={
            "axes": "TZCYX", "spacing": sides[2], "unit": unit, "finterval": 0.04})
        told = info("ij.tif")
        name = f"{times} times, {slices} slices, {channels} channels, {unit}"
        wanted = samples.transpose(2, 0, 1, 3, 4).reshape(-1, 5, 6)
        yield from wrong_values(name, shown("ij.tif", len(wanted))[..., 0], wanted.astype("f4"))
        yield from expect(name, told, frames=len(wanted), slices=slices if slices > 1 else 0,
                          **{"description-by": "ImageJ", "page-channels": str(channels) if channels > 1 else None})
        spacing = sides * mm * (1, 1, slices > 1)
        if not np.allclose(told["image"]["spacing_mm"], spacing, rtol=1e-6):
            yield f"{name}: {told['image']['spacing_mm']}, not {spacing}"
        if times > 1 and slices == 1 and not np.isclose(told["frame_rate"], 25):
            yield f"{name}: {told['frame_rate']} a second"
        if times > 1 and slices > 1 and told["details"].get("volume-interval-s") != "0.04":
            yield f"{name}: {told['details']}"
        if (channels > 1) != ("one after the other" in (told["warning"] or "")):
            yield f"{name}: {told['warning']}"
    tifffile.imwrite("unit.tif", some("u1", 3, 4, 5), imagej=True, resolution=(2, 2), metadata={"axes": "ZYX", "unit": "furlong"})
    told = info("unit.tif")
    if told["image"]["spacing_mm"] != [0, 0, 0] or "furlong" not in told["warning"]:
        yield f"an unknown unit: {told}"
    # What stored values mean, and between which they are shown.
    signed = np.arange(-6, 6, dtype="i4").reshape(2, 2, 3)
    tifffile.imwrite("cf.tif", (signed + 32768).astype("u2"), imagej=True, metadata={
        "axes": "TYX", "cf": 0, "c0": -32768, "c1": 1, "vunit": "HU", "min": 32766.0, "max": 32770.0, "fps": 12.5})
    told = info("cf.tif")
    yield from wrong_values("calibrated", shown("cf.tif", 2)[..., 0], signed.astype("f4"))
    yield from expect("calibrated", told, unit="HU", window_centre=0, window_width=4, frame_rate=12.5, timing="fps")


def blocks():
    """ImageJ's large files have one directory and all samples behind it."""
    for kind, order in ("u1", "<"), ("u2", ">"), ("f4", "<"):
        samples = some(kind, 3, 4, 9, 11)
        tifffile.imwrite("block.tif", samples.astype(order + kind), imagej=True, metadata={
            "axes": "TZYX", "spacing": 2, "unit": "mm", "finterval": 0.5}, resolution=(1, 1))
        # tifffile, as ImageJ, keeps samples in one block behind the first directory: the others are cut off.
        with tifffile.TiffFile("block.tif") as file:
            order_of = file.byteorder
            end = file.pages[0].dataoffsets[0] + samples.nbytes
            following = file.pages[0].offset + 2 + 12 * len(file.pages[0].tags)
        data = bytearray(pathlib.Path("block.tif").read_bytes()[:end])
        struct.pack_into(order_of + "I", data, following, 0)
        pathlib.Path("block.tif").write_bytes(data)
        with tifffile.TiffFile("block.tif") as file:
            if len(file.pages) != 1 or not np.array_equal(file.asarray(), samples):
                yield "tifffile reads it otherwise"
        told = info("block.tif")
        yield from expect(f"blocks of {kind}", told, frames=12, slices=4, warning=None, spacing_mm=[1, 1, 2])
        yield from wrong_values(f"blocks of {kind}", shown("block.tif", 12)[..., 0], samples.reshape(12, 9, 11).astype("f4"))
        yield from expect("the first of them", info("pages:first:block.tif"), frames=1, warning=None)
    # What is not there is not counted; what does not lie in one block neither.
    pathlib.Path("half.tif").write_bytes(data[:len(data) // 2])
    told = info("half.tif")
    if told["frames"] not in (5, 6) or f"speaks of 12 pages (ImageJ), but it has {told['frames']}" not in told["warning"]:
        yield f"half of it: {told}"
    text = b"ImageJ=1.53\nimages=12\n"
    at = data.index(b"ImageJ=")
    data[at:data.index(b"\0", at)] = text.ljust(data.index(b"\0", at) - at, b"\n")
    pathlib.Path("short.tif").write_bytes(data[:-1])
    yield from expect("one is short", info("short.tif"), frames=11, slices=0, warning="the file declares 12 frames but holds 11")
    tifffile.imwrite("packed.tif", samples[0, 0], compression="zlib", metadata=None, description="ImageJ=1.53\nimages=3\nslices=3\n")
    told = info("packed.tif")
    if told["frames"] != 1 or "speaks of 3 pages (ImageJ), but it has 1" not in told["warning"]:
        yield f"a packed one: {told}"


def shaped():
    """tifffile's own description; one without axes says nothing but the number."""
    for axes, shape in (("TZYX", (2, 3, 5, 6)), ("ZTYX", (2, 3, 5, 6)), ("CTYX", (2, 3, 5, 6)), ("TCZYX", (2, 2, 3, 5, 6)),
                        ("ZYX", (4, 5, 6)), ("TYX", (4, 5, 6)), ("QYX", (4, 5, 6)), ("RTYX", (2, 3, 5, 6)), ("TYXS", (3, 5, 6, 3))):
        samples = some("u1", *shape)
        tifffile.imwrite("shaped.tif", samples, photometric="rgb" if "S" in axes else "minisblack", metadata={"axes": axes})
        leading = axes.split("Y")[0]
        order = [leading.index(letter) for letter in "CTZ" if letter in leading] + [leading.index(letter) for letter in leading if letter in "QR"]
        order = list(range(len(leading))) if set(leading) & set("QR") else order
        page = shape[len(leading):]
        wanted = samples.transpose(*order, *range(len(leading), len(shape))).reshape(-1, *page)
        if "S" not in axes:
            wanted = wanted[..., None]
        told = info("shaped.tif")
        yield from expect(axes, told, frames=len(wanted), warning=told["warning"] if "C" in axes else None,
                          slices=shape[leading.index("Z")] if "Z" in leading else 0)
        yield from wrong_values(axes, shown("shaped.tif", len(wanted)), wanted.astype("f4"))
    tifffile.imwrite("plain.tif", some("u1", 4, 5, 6), photometric="minisblack")
    yield from expect("without axes", info("plain.tif"), frames=4, slices=0, **{"description-by": "tifffile"})


def ome_text(order, sizes, inner, samples=1, uuid="", **more):
    attributes = " ".join(f'{name}="{value}"' for name, value in more.items())
    letters = " ".join(f'Size{letter}="{n}"' for letter, n in sizes.items())
    return (f'<?xml version="1.0" encoding="UTF-8"?><OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06"{uuid}>'
            f'<Image ID="Image:0"><Pixels ID="Pixels:0" DimensionOrder="{order}" Type="uint8" SizeX="6" SizeY="5" {letters} {attributes}>'
            f'<Channel ID="Channel:0" SamplesPerPixel="{samples}"/>{inner}</Pixels></Image></OME>')


def ome():
    """Every order of axes, units, planes anywhere in the file, times of their own; as tifffile writes it and reads it."""
    for axes in "TCZYX", "ZTCYX", "CZTYX", "TZYX", "CYX":
        shape = [{"T": 2, "C": 3, "Z": 4, "Y": 5, "X": 6}[letter] for letter in axes]
        samples = some("u2", *shape)
        tifffile.imwrite("ome.ome.tif", samples, photometric="minisblack", ome=True, metadata={
            "axes": axes, "PhysicalSizeX": 250, "PhysicalSizeXUnit": "nm", "PhysicalSizeY": 0.5, "PhysicalSizeYUnit": "\u00b5m",
            "PhysicalSizeZ": 0.002, "PhysicalSizeZUnit": "mm", "TimeIncrement": 40, "TimeIncrementUnit": "ms"})
        leading = axes[:-2]
        order = [leading.index(letter) for letter in "CTZ" if letter in leading]
        wanted = samples.transpose(*order, len(leading), len(leading) + 1).reshape(-1, 5, 6)
        told = info("ome.ome.tif")
        yield from wrong_values(f"OME {axes}", shown("ome.ome.tif", len(wanted))[..., 0], wanted.astype("f4"))
        yield from expect(f"OME {axes}", told, frames=len(wanted), slices=4 if "Z" in axes else 0, **{"description-by": "OME"})
        if not np.allclose(told["image"]["spacing_mm"], [2.5e-4, 5e-4, 2e-3 if "Z" in axes else 0]):
            yield f"OME {axes}: {told['image']['spacing_mm']}"
        if "T" in axes and told["details"].get("volume-interval-s") != "0.04":
            yield f"OME {axes}: {told['details']}"
    # Planes in another order than the pages, each named; times by planes.
    pages = some("u1", 6, 5, 6)
    places = RANDOM.permutation(6)
    planes = "".join(f'<TiffData IFD="{places[i]}" FirstZ="{i % 3}" FirstT="{i // 3}" PlaneCount="1"/>' for i in range(6))
    times = "".join(f'<Plane TheZ="{i % 3}" TheC="0" TheT="{i // 3}" DeltaT="{i // 3 * 0.25 + i % 3 * 0.01}"/>' for i in range(6))
    tifffile.imwrite("named.tif", pages, photometric="minisblack", metadata=None,
                     description=ome_text("XYZCT", {"Z": 3, "C": 1, "T": 2}, planes + times))
    told = info("named.tif")
    yield from expect("planes by name", told, frames=6, slices=3, warning=None, **{"volume-interval-s": "0.25"})
    yield from wrong_values("planes by name", shown("named.tif", 6)[..., 0], pages[places].astype("f4"))
    times = "".join(f'<Plane TheZ="0" TheC="0" TheT="{i}" DeltaT="{second}" DeltaTUnit="ms"/>' for i, second in enumerate((0, 100, 150, 400, 410, 900)))
    tifffile.imwrite("uneven.tif", pages, photometric="minisblack", metadata=None,
                     description=ome_text("XYCZT", {"Z": 1, "C": 1, "T": 6}, "<TiffData/>" + times))
    told = info("uneven.tif")
    yield from expect("uneven times", told, frames=6, slices=0, timing="DeltaT", warning=None)
    if abs(told["frame_rate"] - 5 / 0.9) > 1e-6:
        yield f"uneven times: {told['frame_rate']}"
    # Colours are one page.
    tifffile.imwrite("colours.tif", some("u1", 4, 5, 6, 3), photometric="rgb", metadata=None,
                     description=ome_text("XYCZT", {"Z": 4, "C": 3, "T": 1}, '<TiffData IFD="0" PlaneCount="4"/>', samples=3))
    yield from expect("colours", info("colours.tif"), frames=4, slices=4, warning=None, channels=3)
    # A set of several files: what this one has, and that there is more.
    theirs = '<TiffData IFD="0" FirstT="1" PlaneCount="6"><UUID FileName="other.tif">urn:uuid:2</UUID></TiffData>'
    ours = '<TiffData IFD="0" PlaneCount="6"><UUID FileName="set.tif">urn:uuid:1</UUID></TiffData>'
    tifffile.imwrite("set.tif", pages, photometric="minisblack", metadata=None,
                     description=ome_text("XYZCT", {"Z": 6, "C": 1, "T": 2}, ours + theirs, uuid=' UUID="urn:uuid:1"'))
    told = info("set.tif")
    if told["frames"] != 6 or "pages of other files" not in (told["warning"] or ""):
        yield f"a set: {told}"
    tifffile.imwrite("set.tif", pages, photometric="minisblack", metadata=None,
                     description=ome_text("XYZCT", {"Z": 6, "C": 1, "T": 1}, ours, uuid=' UUID="urn:uuid:1"'))
    yield from expect("a set of one", info("set.tif"), frames=6, slices=6, warning=None)


def ome_set():
    """Pages in several files, in any order, as tifffile finds them; a missing file, and one that is not as it should be."""
    pages = some("u2", 12, 5, 6)
    names = [f"part{number}.ome.tif" for number in range(3)]
    places = RANDOM.permutation(12)
    planes = "".join(
        f'<TiffData IFD="{places[i] % 4}" FirstZ="{i % 3}" FirstT="{i // 3}" PlaneCount="1">'
        f'<UUID FileName="{names[places[i] // 4]}">urn:uuid:{places[i] // 4}</UUID></TiffData>' for i in range(12))
    for number, name in enumerate(names):
        text = ome_text("XYZCT", {"Z": 3, "C": 1, "T": 4}, planes, uuid=f' UUID="urn:uuid:{number}"').replace("uint8", "uint16")
        tifffile.imwrite(name, pages[4 * number:4 * number + 4], photometric="minisblack", metadata=None, description=text)
    wanted = pages[places]
    if not np.array_equal(tifffile.imread(names[1]).reshape(wanted.shape), wanted):
        yield "tifffile reads the set in another way"
    for name in names[:2]:
        yield from expect(name, info(name), frames=12, slices=3, warning=None, files="3")
        yield from wrong_values(name, shown(name, 12)[..., 0], wanted.astype("f4"))
    if "part2.ome.tif" not in run("process", names[0], "--force", "-o", names[2], status=1).stderr:
        yield "a file of the set can be written over"
    tifffile.imwrite(names[2], some("u1", 2, 5, 6), photometric="minisblack")
    done = run("process", names[0], "-o", "out-%02d.tif", status=3)
    if "4 of 12 frames" not in done.stderr:
        yield f"a file of another kind: {done.stderr}"
    pathlib.Path(names[2]).unlink()
    yield from expect("a file is missing", info(names[0]), frames=4, slices=0)
    if "pages of other files" not in info(names[0])["warning"]:
        yield f"a file is missing: {info(names[0])['warning']}"


def ome_elsewhere():
    """Words in a file of their own (BinaryOnly), as microscopes write them: also of a set; missing, damaged, led astray."""
    wanted, uuids = some("u1", 2, 3, 5, 6), [f"urn:uuid:{i}" for i in (2, 3)]
    data = "".join(f'<TiffData IFD="0" FirstT="{i}" PlaneCount="3"><UUID FileName="b{i}.ome.tif">{uuids[i]}</UUID></TiffData>' for i in (0, 1))
    whole = ome_text("XYZCT", {"Z": 3, "C": 1, "T": 2}, data, PhysicalSizeX="0.5", PhysicalSizeY="0.25", PhysicalSizeZ="2")

    def binary(i, name):
        text = (f'<?xml version="1.0"?><OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06" UUID="{uuids[i]}">'
                f'<BinaryOnly MetadataFile="{name}" UUID="urn:uuid:9"/></OME>')
        tifffile.imwrite(f"b{i}.ome.tif", wanted[i], photometric="minisblack", metadata=None, description=text)

    binary(0, "set.companion.ome"), binary(1, "set.companion.ome")
    pathlib.Path("set.companion.ome").write_text(whole)
    for i in 0, 1:
        yield from wrong_values(f"b{i}", shown(f"b{i}.ome.tif", 6)[..., 0], wanted.reshape(6, 5, 6).astype("f4"))
        yield from expect(f"b{i}", info(f"b{i}.ome.tif"), frames=6, slices=3, warning=None, files="2", **{"description-by": "OME"})
    if not np.allclose(info("b0.ome.tif")["image"]["spacing_mm"], [5e-4, 2.5e-4, 2e-3]):
        yield f"{info('b0.ome.tif')['image']['spacing_mm']}"
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>' + whole.replace("<Channel", "&b;<Channel")
    for text in None, "", whole[:-20], bomb, whole.replace("Pixels", "Voxels"), '<OME><BinaryOnly MetadataFile="set.companion.ome"/></OME>':
        pathlib.Path("set.companion.ome").unlink(missing_ok=True)
        if text is not None:
            pathlib.Path("set.companion.ome").write_text(text)
        yield from expect(f"{text}"[:40], info("b0.ome.tif"), frames=3, slices=0,
                          warning="what its pages are is said in another file (OME), which is not there or cannot be read")
    for name in "../set.companion.ome", "/etc/hostname", "b0.ome.tif", "x" * 400, "":
        pathlib.Path("../set.companion.ome").write_text(whole)
        binary(0, name)
        yield from expect(f"led to {name[:9]}", info("b0.ome.tif"), frames=3, slices=0)


def own():
    """A stack that the program wrote comes back as it was: values, slices, times, lengths and units."""
    for kind, shape, slope in (("i2", (6, 5, 4, 3), None), ("f4", (6, 5, 4), None), ("u1", (6, 5, 3, 2), None), ("f8", (6, 5, 4), None),
                               ("i2", (6, 5, 4), (0.5, -1024))):
        image = nib.Nifti1Image(some(kind, *shape), np.diag([-0.75, 1.25, 4.5, 1]))
        image.header.set_data_dtype(kind)
        if len(shape) > 3:
            image.header["pixdim"][4] = 0.25
        image.header.set_xyzt_units("mm", "sec")
        if slope:
            image.header.set_slope_inter(*slope)
        nib.save(image, "in.nii")
        run("process", "in.nii", "-o", "out.stack.tif", "--force")
        before, after = info("in.nii"), info("out.stack.tif")
        name = f"{kind} {shape}"
        yield from expect(name, after, frames=before["frames"], slices=before["slices"], declared_frames=before["frames"],
                          unit=before["image"]["unit"], warning=None)
        if not np.allclose(after["image"]["spacing_mm"], before["image"]["spacing_mm"], rtol=1e-6):
            yield f"{name}: {after['image']['spacing_mm']}, not {before['image']['spacing_mm']}"
        if after["details"].get("volume-interval-s") != before["details"].get("volume-interval-s"):
            yield f"{name}: {after['details']}"
        first, again = frames_of("in.nii"), frames_of("out.stack.tif")
        if first.dtype != again.dtype or first.tobytes() != again.tobytes():
            yield f"{name}: values differ"
        # Once more, what is written is the same, byte by byte.
        run("process", "out.stack.tif", "-o", "again.stack.tif", "--force")
        with tifffile.TiffFile("out.stack.tif") as one, tifffile.TiffFile("again.stack.tif") as other:
            if one.asarray().tobytes() != other.asarray().tobytes() \
                    or one.pages[0].tags["XResolution"].value != other.pages[0].tags["XResolution"].value \
                    or {**one.imagej_metadata, "Info": 0} != {**other.imagej_metadata, "Info": 0}:
                yield f"{name}: {one.imagej_metadata}, {other.imagej_metadata}"
    # As ImageJ has it: pixels in the unit of the description.
    with tifffile.TiffFile("out.stack.tif") as stack:
        tags, lines = stack.pages[0].tags, stack.imagej_metadata
        width = tags["XResolution"].value[1] / tags["XResolution"].value[0]
        if abs(width - 0.75) > 1e-6 or lines["unit"] != "mm" or tags["ResolutionUnit"].value != 1:
            yield f"{width} {lines['unit']}"
    # Earlier versions wrote centimetres there, for the same description.
    tifffile.imwrite("old.tif", some("f4", 3, 4, 5), photometric="minisblack", metadata=None, software="Ondelette 0.9", resolution=(5, 5, "CENTIMETER"),
                     description="ImageJ=1.11a\nslices=3\nframes=1\nhyperstack=true\nunit=mm\nspacing=4.5\nOndelette")
    yield from expect("an old stack", info("old.tif"), slices=3, spacing_mm=[2, 2, 4.5])


def written_sequences():
    """Frames that are no slices become pages, too, with their interval; as tifffile has them, and back."""
    for kind, shape in ("u2", (7, 12, 14)), ("u1", (5, 12, 14, 3)):
        samples = some(kind, *shape)
        tifffile.imwrite("in.tif", samples, imagej=True, photometric="rgb" if len(shape) > 3 else "minisblack",
                         resolution=(2, 2), metadata={"axes": "TYXS"[:len(shape)], "unit": "mm", "finterval": 0.05})
        run("process", "in.tif", "-o", "seq.stack.tif", "--force")
        with tifffile.TiffFile("seq.stack.tif") as stack:
            lines = stack.imagej_metadata
            yield from wrong_values(f"{kind} by tifffile", np.array([page.asarray() for page in stack.pages]), samples)
            if (lines["frames"], lines["slices"], lines["finterval"]) != (shape[0], 1, 0.05):
                yield f"{kind}: {lines}"
        told = info("seq.stack.tif")
        yield from expect(f"{kind} again", told, frames=shape[0], slices=0, spacing_mm=[0.5, 0.5, 0], warning=None)
        if not np.isclose(told["frame_rate"], 20):
            yield f"{kind} again: {told['frame_rate']} a second"
        yield from wrong_values(f"{kind} again", shown("seq.stack.tif", shape[0]), samples.reshape(*shape[:3], -1).astype("f4"))
        run("process", "in.tif", "--frames", "3-4", "--filter", "gaussian:sigma=1", "-o", "part.stack.tif", "--force")
        yield from expect(f"{kind} in part", info("part.stack.tif"), frames=2)
    Image.fromarray(some("u1", 4, 5)).save("uneven.gif", save_all=True, duration=[40, 90, 10],
                                           append_images=[Image.fromarray(some("u1", 4, 5)) for _ in range(2)])
    done = run("process", "uneven.gif", "-o", "uneven.stack.tif", "--force")
    if "mean distance" not in done.stderr or not np.isclose(info("uneven.stack.tif")["frame_rate"], 1 / 0.065):
        yield f"uneven times: {done.stderr} {info('uneven.stack.tif')['frame_rate']}"
    done = subprocess.run([CLI, "process", "in.tif", "-o", "no.nii"], capture_output=True, encoding="utf-8", timeout=280)
    if done.returncode != 1 or done.stderr.count("\n") != 1:
        yield f"no volume: {done.returncode} {done.stderr}"
    # tifffile takes the samples of small pages for one block where their directories lie behind them.
    for n, height, width in (2, 5, 6), (2, 128, 128), (3, 2, 1), (40, 3, 3):
        samples = some("u2", n, height, width)
        nrrd.write("small.nrrd", samples, kinds="domain domain domain")
        run("process", "small.nrrd", "-o", "small.stack.tif", "--force")
        if not np.array_equal(tifffile.imread("small.stack.tif").reshape(samples.shape), samples):
            yield f"{n} pages of {width} x {height}: tifffile has other values"
    pixels.write_png("still.png", np.full((4, 5, 1), 7, np.uint8))
    run("process", "still.png", "-o", "one.stack.tif")
    if not np.array_equal(tifffile.imread("one.stack.tif"), np.full((4, 5), 7)):
        yield "a single picture: its values differ"


def ranges():
    """Floats of all pages share a full scale, wherever the largest one is."""
    samples = RANDOM.uniform(0, 10, (40, 8, 9)).astype("f4")
    samples[0, 0, 0], samples[20, 3, 4] = -7, 5000
    tifffile.imwrite("floats.tif", samples, metadata=None)
    told = info("floats.tif")["image"]
    if told["stored_min"] > samples[0].min() or told["stored_max"] < samples[::3].max() - 5000:
        yield f"full scale is {told['stored_min']} to {told['stored_max']}"
    yield from wrong_values("floats", shown("floats.tif", 40)[..., 0], samples)


def unlike():
    """Pages of other sizes or types: the first one, which is said; smaller copies and masks are no pages."""
    pages = {"size": some("u1", 4, 6), "type": some("u2", 4, 5), "colour": some("u1", 4, 5, 3)}
    for name, other in pages.items():
        with tifffile.TiffWriter("unlike.tif") as out:
            for page in some("u1", 4, 5), some("u1", 4, 5), other:
                out.write(page, metadata=None, photometric="rgb" if page.ndim == 3 else "minisblack")
        told = info("unlike.tif")
        yield from expect(name, told, frames=1, warning="it holds several pictures; the first is shown")
        for way in "stack", "sequence":
            done = subprocess.run([CLI, "info", f"pages:{way}:unlike.tif"], capture_output=True, encoding="utf-8", timeout=280)
            if done.returncode != 1 or "page 3" not in done.stderr or "unlike.tif" not in done.stderr:
                yield f"{name} as a {way}: {done.returncode} {done.stderr}"
        yield from expect(name, info("pages:first:unlike.tif"), frames=1, warning=None)
    full = some("u1", 3, 64, 64)
    with tifffile.TiffWriter("pyramid.tif") as out:
        for page in full:
            out.write(page, metadata=None, subifds=1)
            out.write(page[::2, ::2], metadata=None, subfiletype=1)
    yield from expect("SubIFDs", info("pyramid.tif"), frames=3, warning=None)
    with tifffile.TiffWriter("reduced.tif") as out:
        for page in full:
            out.write(page, metadata=None)
            out.write(page[::2, ::2], metadata=None, subfiletype=1)
            out.write(page > 128, metadata=None, subfiletype=4)
    yield from expect("reduced pictures and masks", info("reduced.tif"), frames=3, warning=None)
    yield from wrong_values("reduced pictures", shown("reduced.tif", 3)[..., 0], full.astype("f4"))
    # A small picture first, as cameras have it.
    with tifffile.TiffWriter("thumbnail.tif") as out:
        out.write(full[0][::2, ::2], metadata=None, subfiletype=1)
        out.write(full[0], metadata=None)
    yield from expect("a thumbnail first", info("thumbnail.tif"), frames=1, width=64, warning=None)
    with tifffile.TiffWriter("only.tif") as out:
        out.write(full[0][::2, ::2], metadata=None, subfiletype=1)
    yield from expect("nothing but a thumbnail", info("only.tif"), frames=1, width=32)


def ome_written():
    """OME-TIFF as tifffile reads it, and as it is read here: numbers, axes, lengths and times."""
    for kind in "i1", "u1", "i2", "u2", "i4", "u4", "f4", "f8":
        samples = some(kind, 3, 4, 5, 6)
        nrrd.write("in.nrrd", samples, kinds="domain domain domain list", spacings="0.5 0.25 2 0.04", units='"mm" "mm" "mm" "s"')
        run("process", "in.nrrd", "--force", "-o", "out.ome.tif")
        with tifffile.TiffFile("out.ome.tif") as file:
            series = file.series[0]
            got, axes, kind_of = series.asarray(), series.axes, series.kind
        if kind_of != "ome" or axes != "TZYX" or got.dtype != samples.dtype or not np.array_equal(got, samples):
            yield f"{kind}: {kind_of} {axes} {got.dtype}"
        told = info("out.ome.tif")
        yield from expect(kind, told, frames=12, slices=4, warning=None, spacing_mm=[0.5, 0.25, 2], **{"volume-interval-s": "0.04", "description-by": "OME"})
        yield from wrong_values(kind, shown("out.ome.tif", 12)[..., 0], samples.reshape(12, 5, 6).astype("f4"))
    colours = some("u1", 4, 1, 5, 6, 3)
    nrrd.write("in.nrrd", colours, ["axis 4 index type:=numeric", "axis 4 index values:=0 0.1 0.25 0.3"],
               kinds="RGB-color domain domain domain list", spacings="nan 0.5 0.5 nan nan", units='"" "mm" "mm" "" "s"')
    run("process", "in.nrrd", "--force", "-o", "out.ome.tif")
    if not np.array_equal(tifffile.imread("out.ome.tif"), colours[:, 0]):
        yield f"colours: {tifffile.imread('out.ome.tif').shape}"
    yield from expect("colours", info("out.ome.tif"), frames=4, slices=0, channels=3, timing="DeltaT", warning=None)
    nrrd.write("in.nrrd", some("i8", 4, 5, 6), kinds="domain domain domain")
    if "OME" not in run("process", "in.nrrd", "-o", "none.ome.tif", status=1).stderr:
        yield "whole numbers of 64 bits are not refused"


if __name__ == "__main__":
    sys.exit(run_cases([
        ("sequences of every type", sequences),
        ("what is asked for", asked_for),
        ("ImageJ's order, lengths and times", imagej),
        ("samples without directories", blocks),
        ("tifffile's shape", shaped),
        ("OME-XML", ome),
        ("sets of OME files", ome_set),
        ("OME-XML in a file of its own", ome_elsewhere),
        ("OME files that are written", ome_written),
        ("the program's own stacks", own),
        ("sequences that are written", written_sequences),
        ("one full scale for floats", ranges),
        ("pages that are not alike, and what is no page", unlike),
    ]))
