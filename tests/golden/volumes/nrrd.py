#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""NRRD files: values as numpy has them, places of voxels by hand and as nibabel has them.

usage: nrrd.py ONDELETTE_CLI
"""
import bz2
import gzip
import itertools
import os
import pathlib
import subprocess
import sys
import zlib

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "helpers"))
import mha  # noqa: E402
import nrrd  # noqa: E402
import pixels  # noqa: E402
import tap  # noqa: E402
from places import CLI, differences, info, oblique, run, run_cases, save, shown, wrong_values  # noqa: E402
from processes import children  # noqa: E402

# Which engine “auto” takes for many pictures depends on how busy the machine is.
os.environ["ODL_ENGINE"] = "cpu"
DATA = pathlib.Path(os.environ.get("ODL_TESTDATA", ""), "PlusLibData")
RANDOM = np.random.default_rng(37)
PATIENT = {"right-anterior-superior": (-1, -1, 1), "LAS": (1, -1, 1), "left-posterior-superior": (1, 1, 1),
           "RAST": (-1, -1, 1), "left-anterior-superior-time": (1, -1, 1), "LPST": (1, 1, 1)}
VOLUME = "domain domain domain"


def some(kind, *shape):
    """Values that fill the type, but stay exact as 32-bit floats."""
    if kind[0] == "f":
        return RANDOM.normal(0, 300, shape).astype("f4").astype(kind)
    limits = np.iinfo(kind)
    return RANDOM.integers(max(limits.min, -(1 << 23)), min(limits.max, 1 << 23), shape, endpoint=True).astype(kind)


def frames_of(path, n):
    return shown(path, n)


def every_type():
    """In both orders of bytes, alone, as a volume and in colour."""
    for kind, endian in itertools.product(nrrd.TYPES, ("little", "big")):
        samples = some(kind, 5, 7, 11)
        nrrd.write("type.nrrd", samples, endian=endian, kinds=VOLUME)
        yield from wrong_values(f"{kind} {endian}", frames_of("type.nrrd", 5)[..., 0], samples.astype("f4"))
        told = info("type.nrrd")
        if told["slices"] != 5 or told["source"] != "nrrd":
            yield f"{kind}: {told}"
    for channels in 3, 4:
        colours = some("u1", 6, 9, channels)
        for kinds in f"RGB{'A' * (channels - 3)}-color domain domain", "vector space space":
            nrrd.write("colour.nrrd", colours, kinds=kinds)
            yield from wrong_values(kinds, frames_of("colour.nrrd", 1)[0], colours.astype("f4"))
        planes = np.ascontiguousarray(colours.transpose(2, 0, 1))
        nrrd.write("planes.nrrd", planes, kinds=f"domain domain RGB{'A' * (channels - 3)}-color")
        yield from wrong_values(f"{channels} planes", frames_of("planes.nrrd", 1)[0], colours.astype("f4"))
    # Numbers of other meaning are shown one after the other, which is said.
    field = some("f4", 4, 5, 6, 3)
    nrrd.write("vectors.nrrd", field, kinds="vector " + VOLUME, measurement_frame="(1,0,0) (0,1,0) (0,0,1)",
               space="LPS", space_directions="none (1,0,0) (0,1,0) (0,0,1)")
    told = info("vectors.nrrd")
    yield from wrong_values("vectors", frames_of("vectors.nrrd", 12)[..., 0],
                            field.transpose(3, 0, 1, 2).reshape(12, 5, 6))
    if "one after the other" not in told["warning"] or "measurement frame is ignored" not in told["warning"]:
        yield f"vectors: {told['warning']}"


def places(name, told, samples, wanted, scale=1e-3):
    """`wanted` (x, y, z of the stored voxel): where it lies, by hand. Values are all different."""
    values = shown(name, told["slices"] or 1)[..., 0]
    at, leads, step = ([float(word) for word in told["details"][key].split("\\")]
                       for key in ("image-position", "image-orientation", "slice-step"))
    spacing = told["image"]["spacing_mm"]
    for z, y, x in np.ndindex(*samples.shape):
        if any(0 < i < n - 1 for i, n in zip((z, y, x), samples.shape)):
            continue
        slice_, row, column = np.argwhere(values == samples[z, y, x])[0]
        place = (np.array(at) + np.multiply(leads[:3], spacing[0] * column)
                 + np.multiply(leads[3:], spacing[1] * row) + np.multiply(step, slice_))
        error = np.abs(place - wanted(x, y, z)).max()
        if not error <= scale:
            yield f"{name}: voxel {x} {y} {z} lies {error} mm away"


def spaces():
    """Oblique, left-handed, in centimetres and micrometres: by hand, and as NIfTI files of the same geometry."""
    samples = np.arange(4 * 5 * 6, dtype="i2").reshape(4, 5, 6)
    units = {"mm": 1, "cm": 10, "um": 1e-3}
    for number, (name, signs) in enumerate(PATIENT.items()):
        more = name.endswith(("T", "-time"))
        for turn, axes in enumerate(itertools.product((1, -1), repeat=3)):
            order = list(itertools.permutations(range(3)))[(number + turn) % 6]
            unit, mm = list(units.items())[(number + turn) % 3]
            affine = oblique(axes, order)
            world = np.diag([-1, -1, 1]) @ affine[:3]  # LPS
            own = np.diag(signs) @ world / mm
            vectors = " ".join(nrrd.vector([*column, 0][:3 + more]) for column in own[:, :3].T)
            quoted = " ".join([f'"{unit}"'] * 3 + ['"s"'] * more)
            nrrd.write("space.nrrd", samples, kinds=VOLUME, space=name, space_units=quoted, space_directions=vectors,
                       space_origin=nrrd.vector([*own[:, 3], 0][:3 + more]), centerings="cell node ???")
            told = info("space.nrrd")
            yield from places("space.nrrd", told, samples, lambda x, y, z: world @ [x, y, z, 1])
            save("true.nii", samples.transpose(2, 1, 0), affine)
            yield from differences("space.nrrd", told, true="true.nii")


def by_hand():
    """A voxel of each space, without a computation: 10 mm along the first axis of the world."""
    samples = np.arange(2 * 2 * 2, dtype="i2").reshape(2, 2, 2)
    for name, sign in {"right-anterior-superior": -1, "left-anterior-superior": 1, "LPS": 1}.items():
        nrrd.write("hand.nrrd", samples, kinds=VOLUME, space=name, space_directions="(10,0,0) (0,10,0) (0,0,10)",
                   space_origin="(1,2,3)")
        front = -1 if "anterior" in name else 1
        yield from places("hand.nrrd", info("hand.nrrd"), samples,
                          lambda x, y, z: (sign * (1 + 10 * x), front * (2 + 10 * y), 3 + 10 * z))
        wanted = ("L" if sign > 0 else "R") + ("A" if front < 0 else "P") + "S"
        if info("hand.nrrd")["details"]["orientation"] != wanted:
            yield f"{name} leads to {info('hand.nrrd')['details']['orientation']}"
    # A picture of depth 1 is a picture, whichever axis has one index; so is one of two axes.
    flat = np.arange(12, dtype="i2").reshape(3, 4)
    for shape, vectors in (((1, 3, 4), "(1,0,0) (0,2,0) (0,0,3)"), ((3, 4), "(1,0,0) (0,2,0)"),
                           ((3, 1, 4), "(1,0,0) (0,0,3) (0,2,0)")):
        nrrd.write("flat.nrrd", flat.reshape(shape), kinds=" ".join(["domain"] * len(shape)), space="LPS",
                   space_directions=vectors, space_origin="(5,6,7)")
        told = info("flat.nrrd")
        if (told["frames"], told["slices"], told["image"]["spacing_mm"][:2]) != (1, 0, [1, 2]):
            yield f"{shape}: {told}"
        yield from wrong_values(str(shape), shown("flat.nrrd", 1)[0, ..., 0], flat.astype("f4"))
        yield from places("flat.nrrd", told, flat[None], lambda x, y, z: (5 + x, 6 + 2 * y, 7))


def other_spaces():
    """Spaces that name no patient have millimetres and no letters, and nothing is turned."""
    samples = some("i2", 3, 4, 5)
    for fields in ({"space": "scanner-xyz"}, {"space": "3D-right-handed"}, {"space": "3D-left-handed"},
                   {"space_dimension": 3}):
        nrrd.write("other.nrrd", samples, kinds=VOLUME, **fields, space_directions="(0,-2,0) (0.3,0.4,0) (0,0,1)",
                   space_origin="(1,2,3)", space_units='"mm" "mm" "mm"')
        told = info("other.nrrd")
        if "orientation" in told["details"] or told["image"]["spacing_mm"] != [2, 0.5, 1] \
                or told["details"]["origin-mm"] != "1\\2\\3":
            yield f"{fields}: {told}"
        yield from wrong_values(str(fields), frames_of("other.nrrd", 3)[..., 0], samples.astype("f4"))
    # A unit that is no length gives no scale, but the shape of a pixel.
    nrrd.write("odd.nrrd", samples, kinds=VOLUME, space="scanner-xyz", space_units='"px" "px" "px"',
               space_directions="(2,0,0) (0,1,0) (0,0,1)")
    told = info("odd.nrrd")
    if told["image"]["spacing_mm"] != [0, 0, 0] or told["image"]["pixel_aspect"] != 2 or "px" not in told["warning"]:
        yield f"px: {told}"


def without_a_space():
    """Spacings, and ends of axes, which are half a voxel apart by centering."""
    samples = some("u1", 3, 4, 5)
    for fields, spacing, origin in (
            ({"spacings": "0.5 0.25 2"}, [0.5, 0.25, 2], None),
            ({"spacings": "0.5 0.25 2", "units": '"cm" "cm" "cm"'}, [5, 2.5, 20], None),
            ({"axis_mins": "10 20 30", "axis_maxs": "20 28 36", "centerings": "cell cell cell"}, [2, 2, 2], "11\\21\\31"),
            ({"axis_mins": "10 20 30", "axis_maxs": "18 26 34", "centerings": "node node node"}, [2, 2, 2], "10\\20\\30"),
            ({"axismins": "10 20 30", "axismaxs": "20 26 34", "centers": "cell node node"}, [2, 2, 2], "11\\20\\30"),
            ({"spacings": "-0.5 0.25 2"}, [0.5, 0.25, 2], None)):
        nrrd.write("plain.nrrd", samples, **fields)
        told = info("plain.nrrd")
        if told["image"]["spacing_mm"] != spacing or told["details"].get("origin-mm") != origin \
                or "orientation" in told["details"]:
            yield f"{fields}: {told}"
    # Slices that were joined have a distance, and their pixels none: which axis is which is not told by that.
    nrrd.write("joined.nrrd", samples, spacings="nan nan 2")
    told = info("joined.nrrd")
    if (told["frames"], told["slices"], told["image"]["width"]) != (3, 3, 5):
        yield f"joined slices: {told}"
    yield from wrong_values("joined slices", frames_of("joined.nrrd", 3)[..., 0], samples.astype("f4"))
    nrrd.write("none.nrrd", samples)
    if info("none.nrrd")["image"]["spacing_mm"] != [0, 0, 0] or info("none.nrrd")["slices"] != 3:
        yield f"nothing is said: {info('none.nrrd')}"


def header_texts():
    """Names in any case, old spellings, keys, comments, line ends of other systems, units of samples."""
    samples = some("i2", 3, 4)
    head = nrrd.header(samples.shape, "i2", ["some key:=a\\nb", "# end"], content="a brain", sample_units="HU")
    for name, text in {"plain": head, "windows": head.replace(b"\n", b"\r\n"),
                       "capitals": head.replace(b"type:", b"Type:").replace(b"sizes:", b"SIZES:")}.items():
        end = b"\r\n" if name == "windows" else b"\n"
        pathlib.Path("text.nrrd").write_bytes(text + end + samples.tobytes())
        told = info("text.nrrd")
        if told["details"]["content"] != "a brain" or told["image"]["unit"] != "HU":
            yield f"{name}: {told}"
        yield from wrong_values(name, shown("text.nrrd", 1)[0, ..., 0], samples.astype("f4"))
    for version in range(1, 6):
        nrrd.write("version.nrrd", samples, version=version)
        if info("version.nrrd")["frames"] != 1:
            yield f"version {version} is not read"


def sequence(path, samples, times, last=True, keys=(), **fields):
    """As 3D Slicer writes it: samples along t, z, y, x; the list is the last axis since 5.10, the first before."""
    axis = 3 if last else 0
    order = (0, 1, 2, 3) if last else (1, 2, 3, 0)
    kinds, vectors = [VOLUME, "list"], ["(0.5,0,0) (0,0.5,0) (0,0,1)", "none"]
    labels, units = ['"" "" ""', '"time"'], ['"" "" ""', '"s"']
    turn = 1 if last else -1
    fields = {"kinds": " ".join(kinds[::turn]), "space": "right-anterior-superior",
              "space_directions": " ".join(vectors[::turn]), "labels": " ".join(labels[::turn]),
              "units": " ".join(units[::turn]), **fields}
    values = " ".join(map(str, times))
    nrrd.write(path, np.ascontiguousarray(samples.transpose(order)),
               [f"axis {axis} index type:=numeric", f"axis {axis} index values:={values}",
                "DataNodeClassName:=vtkMRMLScalarVolumeNode", *keys], **fields)


def sequences():
    """The list is first or last; depth 1 is a picture that plays, others are volumes over time."""
    for depth, encoding, last in itertools.product((1, 3), ("raw", "gzip", "bzip2"), (True, False)):
        samples = some("u1", 5, depth, 6, 7)
        name = f"depth {depth}, {encoding}, last={last}"
        sequence("seq.seq.nrrd", samples, [0, 0.1, 0.2, 0.3, 0.4], last, encoding=encoding)
        told = info("seq.seq.nrrd")
        # Right and front become left and back.
        frames = samples.reshape(-1, 6, 7)[:, ::-1, ::-1, None].astype("f4")
        yield from wrong_values(name, frames_of("seq.seq.nrrd", len(frames)), frames)
        if depth == 1 and (told["slices"] != 0 or abs(told["frame_rate"] - 10) > 1e-6
                           or told["timing"] != "index values"):
            yield f"{name}: {told}"
        if depth == 3 and (told["slices"] != 3 or told["details"].get("volume-interval-s") != "0.1"):
            yield f"{name}: {told}"
        if told["details"]["sequence-axis"] != "time":
            yield f"{name}: {told['details']}"


def sequence_of_colours():
    samples = some("u1", 4, 1, 6, 7, 3)
    nrrd.write("colours.seq.nrrd", samples, ["axis 4 index values:=0 40 80 120"], kinds=f"RGB-color {VOLUME} list",
               units='"" "" "" "" "ms"')
    yield from wrong_values("colours", frames_of("colours.seq.nrrd", 4), samples[:, 0].astype("f4"))
    if abs(info("colours.seq.nrrd")["frame_rate"] - 25) > 1e-6:
        yield f"40 ms are {info('colours.seq.nrrd')['frame_rate']} a second"
    # The time is the axis between: by its kind, and by spacings.
    between = some("u1", 6, 4, 7)
    nrrd.write("between.nrrd", between, kinds="domain time domain", spacings="1 0.04 1", units='"mm" "s" "mm"')
    yield from wrong_values("between", frames_of("between.nrrd", 4)[..., 0], between.transpose(1, 0, 2).astype("f4"))
    told = info("between.nrrd")
    if told["slices"] != 0 or abs(told["frame_rate"] - 25) > 1e-6:
        yield f"a time between: {told}"


def times():
    """Uneven ones are kept; texts are none; what is no time is said and ignored."""
    samples = some("u1", 4, 1, 6, 7)
    for good, rate in (([0, 0.1, 0.5, 0.6], 5), ([-3, -2.5, -2, -1.5], 2), (["1e0", "1.25", "1.5", "1.75"], 4)):
        sequence("good.nrrd", samples, good)
        if abs(info("good.nrrd")["frame_rate"] - rate) > 1e-6:
            yield f"{good}: {info('good.nrrd')}"
    for bad in ([0, 0.1, "nan", 0.3], [0, 0.2, 0.1, 0.3], [0, 0, 0, 0], [0, 1, 2], ["a", "b", "c", "d"], [0, 1, 2, "inf"]):
        sequence("bad.nrrd", samples, bad)
        told = info("bad.nrrd")
        if told["frame_rate"] or "index values is invalid and is ignored" not in (told["warning"] or ""):
            yield f"{bad}: {told}"
    volumes = some("u1", 3, 2, 6, 7)
    sequence("uneven.nrrd", volumes, [0, 1, 3])
    told = info("uneven.nrrd")
    if told["details"]["volume-interval-s"] != "1.5" or "not equally far apart" not in told["warning"]:
        yield f"uneven volumes: {told}"
    for keys in (["axis 3 index type:=text", "axis 3 index values:=a%20b c 1 2"], []):
        nrrd.write("text.nrrd", samples, keys, kinds=VOLUME + " list", units='"" "" "" "s"')
        told = info("text.nrrd")
        if told["frame_rate"] or told["warning"] or told["frames"] != 4:
            yield f"{keys}: {told}"


def packed():
    """All encodings, whole and where axes are turned."""
    for kind, encoding in itertools.product(("u1", "i2", "i8", "f4", "f8"), ("gzip", "bzip2", "hex", "text")):
        samples = some(kind, 3, 40, 50)
        for more in ({"kinds": VOLUME}, {"kinds": VOLUME, "space": "LPS", "space_directions": "(0,0,1) (1,0,0) (0,1,0)"}):
            for order in ("little", "big"):
                name = f"{kind} {encoding} {order} {len(more)}"
                nrrd.write("packed.nrrd", samples, encoding=encoding, endian=order, **more)
                wanted = samples if len(more) == 1 else samples.transpose(2, 0, 1)
                yield from wrong_values(name, frames_of("packed.nrrd", len(wanted))[..., 0], wanted.astype("f4"))
    # Several streams one after the other, as parallel packers write them; what ends early is said.
    samples = some("i2", 4, 30, 40)
    parts = [part.tobytes() for part in samples]
    head = nrrd.header(samples.shape, "i2", encoding="gzip", kinds=VOLUME) + b"\n"
    for encoding, pack in (("gzip", gzip.compress), ("bzip2", bz2.compress)):
        name = head.replace(b"gzip", encoding.encode())
        pathlib.Path("parts.nrrd").write_bytes(name + b"".join(pack(part) for part in parts))
        yield from wrong_values(f"{encoding} in parts", frames_of("parts.nrrd", 4)[..., 0], samples.astype("f4"))
        whole = pack(b"".join(parts))
        pathlib.Path("cut.nrrd").write_bytes(name + whole[:len(whole) // 2])
        done = run("process", "cut.nrrd", "--frame", 4, "-o", "cut.tif", "--force", status=1)
        if "cut.nrrd" not in done.stderr or done.stderr.count("\n") != 1:
            yield f"{encoding} that ends early: {done.stderr}"
    # Numbers that do not fit are the nearest that do; commas are no numbers.
    pathlib.Path("odd.nrrd").write_bytes(nrrd.header((2, 3), "u1", encoding="ascii") + b"\n-5, 256 1e300,\n nan 7.9 , 8")
    got = shown("odd.nrrd", 1)[0, ..., 0].ravel().tolist()
    if got != [0, 255, 255, 0, 7, 8]:
        yield f"odd numbers are {got}"


def anonymous_bytes(pid):
    """Of a process and all below it."""
    try:
        text = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text()
    except OSError:
        return 0
    own = sum(int(line.split()[1]) << 10 for line in text.splitlines() if line.startswith("Anonymous:"))
    return own + sum(map(anonymous_bytes, children(pid)))


def packed_in_a_lent_file():
    """What is packed with the list first and large is unpacked into a file that is gone afterwards, not into memory;
    or where temporary files lie if it has no cache folder. What ends early is said; byte skips count from either end."""
    samples = np.arange(40 * 1024 * 1024, dtype="u2").reshape(1024, 1024, 40) // 7
    content = gzip.compress(samples.tobytes(), 1)
    kinds = "list domain domain"
    for name, more, data in (("last", {"byte_skip": -1}, gzip.compress(b"abc" + samples.tobytes(), 1)),
                             ("first", {"byte_skip": 3}, gzip.compress(b"abc" + samples.tobytes(), 1)), ("whole", {}, content)):
        head = nrrd.header(samples.shape, "u2", encoding="gzip", kinds=kinds, **more) + b"\n"
        pathlib.Path("list.nrrd").write_bytes(head + data)
        for cache in ("cache", "/proc/none") if name == "whole" else ("cache",):
            os.environ["XDG_CACHE_HOME"], most = cache if cache[0] == "/" else os.path.abspath(cache), 0
            done = subprocess.Popen([CLI, "process", "list.nrrd", "--force", "--progress", "-o", "out-%04d.tif"],
                                    stderr=subprocess.PIPE, encoding="utf-8")
            while done.poll() is None:
                most = max(most, anonymous_bytes(done.pid))
            # How far that is, in lines for programs: from nothing to all, before the first frame.
            told = done.stderr.read().splitlines()
            far = [int(line.split()[1]) for line in told if line.startswith("unpacking ")]
            total = samples.nbytes + (3 if name != "whole" else 0)
            if far[:1] != [0] or far[-1:] != [total] or far != sorted(far) or not told[len(far)].startswith("progress 1 40"):
                yield f"{name}, {cache}: told {told[:9]}"
            wanted = samples.nbytes if name == "last" else total
            if any(int(line.split()[2]) != wanted for line in told[:len(far)]):
                yield f"{name}, {cache}: told {told[:9]}"
            if done.returncode != 0 or most > 70e6:
                yield f"{name}, {cache}: ended with {done.returncode}, {most / 1e6:.0f} MB of memory"
            for frame in 0, 17, 39:
                _, got = pixels.read_tiff(f"out-{frame + 1:04}.tif")
                yield from wrong_values(f"{name}, {cache}, frame {frame}", got[..., 0], samples[..., frame].astype("f4"))
        left = [path for path in pathlib.Path("cache").rglob("*") if path.is_file() and "shader" not in str(path)]
        if any(path.stat().st_size > 1 << 20 for path in left):
            yield f"{name}: {left} are left"
    pathlib.Path("list.nrrd").write_bytes(head + content[:len(content) // 2])
    done = run("process", "list.nrrd", "--frame", 4, "-o", "cut.tif", "--force", status=3)
    if "end too early" not in done.stderr:
        yield f"what ends early: {done.stderr}"


def files_beside():
    """One file, a list, a pattern; lines and bytes that are skipped, also from the end, also packed."""
    samples = some("u2", 6, 4, 5)
    parts = [part.tobytes() for part in samples]
    whole = b"".join(parts)
    one, other = gzip.compress(b"x" * 7 + whole), gzip.compress(b"abc" + whole + b"tail")
    for name, data in {"all.raw": whole, "skip.raw": b"a line\nand another\nxyz" + whole, "end.raw": b"?" * 9 + whole,
                       "behind.raw": whole + b"12", "bytes.gz": b"line\n" + one, "end.gz": other,
                       "bytes.bz2": bz2.compress(b"x" * 7 + whole), "end.bz2": bz2.compress(b"abc" + whole + b"tail"), "a.raw": b"".join(parts[:3]),
                       "b.raw": b"".join(parts[3:]),
                       "all.txt": b"head\n" + " ".join(map(str, samples.ravel())).encode()}.items():
        pathlib.Path(name).write_bytes(data)
    for i, part in enumerate(parts):
        pathlib.Path(f"part{i + 3:03}.raw").write_bytes(part)
        pathlib.Path(f"50% dose {i}.raw.gz").write_bytes(gzip.compress(part))
    names = "".join(f"50% dose {i}.raw.gz\n" for i in range(6)).encode()
    turned = {"space": "LPS", "space_directions": "(0,0,1) (1,0,0) (0,1,0)"}
    for name, fields, more in (
            ("one", {"data_file": "./all.raw"}, b""), ("old", {"datafile": "all.raw"}, b""),
            ("skip", {"data_file": "skip.raw", "line_skip": 2, "byte_skip": 3}, b""),
            ("end", {"data_file": "end.raw", "byte_skip": -1}, b""),
            ("behind", {"data_file": "behind.raw", "byte_skip": -3}, b""),
            ("gzip", {"data_file": "bytes.gz", "encoding": "gz", "line_skip": 1, "byte_skip": 7}, b""),
            ("gzip-end", {"data_file": "end.gz", "encoding": "gzip", "byte_skip": -5}, b""),
            ("bzip2", {"data_file": "bytes.bz2", "encoding": "bz2", "byteskip": 7}, b""),
            ("bzip2-last", {"data_file": "bytes.bz2", "encoding": "bz2", "byteskip": -1}, b""),
            ("bzip2-end", {"data_file": "end.bz2", "encoding": "bzip2", "byte_skip": -5}, b""),
            ("text", {"data_file": "all.txt", "encoding": "txt", "lineskip": 1}, b""),
            ("pattern", {"data_file": "part%03d.raw 3 8 1"}, b""),
            ("down", {"data_file": "part%03d.raw 8 3 -1"}, b""),
            ("windows", {"data_file": "LIST", "encoding": "gzip"}, names.replace(b"\n", b"\r\n")),
            ("list", {"data_file": "LIST", "encoding": "gzip"}, names),
            ("list-2", {"data_file": "LIST 2"}, b"a.raw\nb.raw\n")):
        for place in ({}, turned):
            pathlib.Path(f"{name}.nhdr").write_bytes(
                nrrd.header(samples.shape, "u2", kinds=VOLUME, **place, **{"encoding": "raw", **fields}) + more)
            wanted = samples[::-1] if name == "down" else samples
            wanted = wanted.transpose(2, 0, 1) if place else wanted
            yield from wrong_values(f"{name} {len(place)}", frames_of(f"{name}.nhdr", len(wanted))[..., 0],
                                    wanted.astype("f4"))
    # More files than a helper has descriptors.
    many = some("u1", 200, 3, 4)
    for i, part in enumerate(many):
        pathlib.Path(f"many{i}.raw").write_bytes(part.tobytes())
    for place in ({}, turned):
        pathlib.Path("many.nhdr").write_bytes(
            nrrd.header(many.shape, "u1", kinds=VOLUME, **place, data_file="many%d.raw 0 199 1"))
        wanted = many.transpose(2, 0, 1) if place else many
        yield from wrong_values(f"many {len(place)}", frames_of("many.nhdr", len(wanted))[..., 0], wanted.astype("f4"))


def by_transducer():
    """PlusLib's and IGSIO's letters turn pictures to marked side and depth, volumes to ascending sweep, too; in
    NRRD and MetaImage alike."""
    scan = some("u1", 4, 6, 7)  # frames as the scanner shows them
    for letters in ("MF", "UF", "MN", "UN", "FM", "FU", "NM", "NU", "MFA", "UFA", "MND", "UNA"):
        stored = scan
        if letters[0] in "FN":
            stored = stored.transpose(0, 2, 1)
        stored = stored[:, ::-1 if letters[1] in "UN" else 1, ::-1 if letters[0] in "UN" else 1]
        keys = [f"ultrasound image orientation:={letters}"]
        nrrd.write("turn.igs.nrrd", np.ascontiguousarray(stored), keys, kinds="domain domain list", space_dimension=2,
                   space_directions="(1,0) (0,1) none", space_origin="(0,0)")
        mha.write("turn.igs.mha", np.ascontiguousarray(stored), f"UltrasoundImageOrientation = {letters}\n")
        for path in "turn.igs.nrrd", "turn.igs.mha":
            told = info(path)
            yield from wrong_values(f"{path} {letters}", frames_of(path, 4)[..., 0], scan.astype("f4"))
            # PlusLib writes a spacing of 1 whatever the scale is.
            if told["slices"] != 0 or told["image"]["spacing_mm"] != [0, 0, 0]:
                yield f"{path} {letters}: {told}"
    volumes = some("u1", 2, 3, 6, 7)
    both = {"M": "MU", "F": "FN", "A": "AD"}
    for letters in ("".join(word) for turn in itertools.permutations("MFA")
                    for word in itertools.product(*(both[letter] for letter in turn))):
        order = [3 - "MFA".index({"U": "M", "N": "F", "D": "A"}.get(letter, letter)) for letter in letters]
        stored = volumes.transpose(0, *order[::-1])
        stored = stored[(slice(None), *(slice(None, None, -1 if letter in "UND" else 1) for letter in letters[::-1]))]
        stored = np.ascontiguousarray(stored)
        nrrd.write("turn.igs.nrrd", stored, [f"ultrasound image orientation:={letters}"], kinds=VOLUME + " list")
        mha.write("turn.igs.mha", stored, f"UltrasoundImageOrientation = {letters}\n")
        for path in "turn.igs.nrrd", "turn.igs.mha":
            yield from wrong_values(f"volume {path} {letters}", frames_of(path, 6)[..., 0],
                                    volumes.reshape(6, 6, 7).astype("f4"))
            if info(path)["slices"] != 3:
                yield f"{path} {letters}: {info(path)}"
    for letters in "MM", "XY", "MFF", "M":
        nrrd.write("odd.nrrd", scan, [f"ultrasound image orientation:={letters}"], kinds="domain domain list")
        mha.write("odd.mha", scan, f"UltrasoundImageOrientation = {letters}\n")
        for path, name in (("odd.nrrd", "ultrasound image orientation"), ("odd.mha", "UltrasoundImageOrientation")):
            if f"its {name} is invalid and is ignored" not in (info(path)["warning"] or ""):
                yield f"{path} {letters}: {info(path)['warning']}"


def plus_frames():
    """Times of frames, and those that the recorder marked as invalid."""
    samples = some("u1", 4, 6, 7)
    keys = ["ultrasound image orientation:=MF"]
    for i, time in enumerate((10.5, 10.75, 11, 11.5)):
        keys += [f"Seq_Frame{i:04}_ProbeToTrackerTransform:=1 0 0 {i} 0 1 0 0 0 0 1 0 0 0 0 1",
                 f"Seq_Frame{i:04}_Timestamp:={time}", f"Seq_Frame{i:04}_Status:={'INVALID' if i == 2 else 'OK'}"]
    nrrd.write("plus.igs.nrrd", samples, keys, kinds="domain domain list")
    told = info("plus.igs.nrrd")
    if abs(told["frame_rate"] - 3) > 1e-6 or told["timing"] != "Timestamp":
        yield f"times are not read: {told}"
    done = run("process", "plus.igs.nrrd", "--frame", 3, "-o", "x.tif", "--force", status=1)
    if "frame 3 was marked as invalid" not in done.stderr:
        yield f"a frame that its recorder calls invalid: {done.stderr}"
    run("process", "plus.igs.nrrd", "--frame", 4, "-o", "x.tif", "--force")


def recorded():
    """The recordings of PlusLib as NRRD say what they say as MetaImage."""
    files = sorted(DATA.glob("*.igs.mha"))
    if not files:
        raise tap.Skip("PlusLibData is not here")
    for path in files:
        data = path.read_bytes()
        end = data.index(b"ElementDataFile = LOCAL\n") + len(b"ElementDataFile = LOCAL\n")
        fields = dict(line.split(" = ", 1) for line in data[:end].decode().splitlines())
        sizes = [int(word) for word in fields["DimSize"].split()]
        packed = data[end:]
        raw = zlib.decompress(packed) if fields["CompressedData"] == "True" else packed
        keys = [f"ultrasound image orientation:={fields['UltrasoundImageOrientation']}"]
        keys += [f"{key.replace('ImageStatus', 'Status')}:={value}" for key, value in fields.items()
                 if key.startswith("Seq_Frame")]
        shape = sizes[::-1]
        nrrd.write("plus.igs.nrrd", np.frombuffer(raw, "u1").reshape(shape), keys, encoding="gzip",
                   kinds=" ".join(["domain", "domain", "list"][:len(shape)]))
        ours, theirs = info("plus.igs.nrrd"), info(path)
        for key in ("frames", "frame_rate", "timing", "slices"):
            if ours[key] != theirs[key]:
                yield f"{path.name}: {key} is {ours[key]}, not {theirs[key]}"
        if ours["frames"] != (sizes[2] if len(sizes) > 2 else 1):
            yield f"{path.name}: {ours['frames']} frames of {sizes}"
        last = ours["frames"]
        for source, out in ((path, "theirs.tif"), ("plus.igs.nrrd", "ours.tif")):
            run("process", source, "--frame", last, "-o", out, "--force")
        yield from wrong_values(path.name, *(pixels.read_tiff(name)[1] for name in ("ours.tif", "theirs.tif")))


if __name__ == "__main__":
    sys.exit(run_cases([
        ("every type, in both orders and in colour", every_type),
        ("places in every space, oblique and left-handed", spaces),
        ("left, front and up, by hand; depth 1 is a picture", by_hand),
        ("spaces that name no patient have millimetres and no letters", other_spaces),
        ("spacings and ends of axes, by centering", without_a_space),
        ("headers in every spelling", header_texts),
        ("sequences, the list first or last", sequences),
        ("sequences of colours, and times between axes", sequence_of_colours),
        ("times of sequences", times),
        ("every encoding", packed),
        ("what is packed and large is unpacked into a lent file", packed_in_a_lent_file),
        ("samples in other files", files_beside),
        ("pictures lie as the transducer was held", by_transducer),
        ("frames of PlusLib and IGSIO", plus_frames),
        ("recordings of PlusLib as NRRD", recorded),
    ]))
