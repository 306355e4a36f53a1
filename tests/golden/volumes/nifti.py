#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""NIfTI as nibabel reads it, turned to left, back and up, against what the command line shows.

usage: nifti.py ONDELETTE_CLI
"""
import gzip
import os
import pathlib
import struct
import subprocess
import sys

import numpy as np
import tifffile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "helpers"))
import pixels  # noqa: E402
import tap  # noqa: E402
from places import (CLI, corners, differences, info, nib, oblique, read_metaimage, run, run_cases, save,  # noqa: E402
                    shown, truth, wrong_place, wrong_values)

# Which engine “auto” takes for many pictures depends on how busy the machine is.
os.environ["ODL_ENGINE"] = "cpu"
RANDOM = np.random.default_rng(15)
TYPES = ["u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8", "f4", "f8"]
MIXED = np.array([[0, 0, -2.5, 40], [1.5, 0, 0, -30], [0, -3, 0, 20], [0, 0, 0, 1]])


def some(code, *shape):
    """Values that fill the type, but stay exact as 32-bit floats."""
    if code[0] == "f":
        return RANDOM.normal(0, 300, shape).astype("f4").astype(code)
    info = np.iinfo(code)
    low, high = max(info.min, -(1 << 23)), min(info.max, 1 << 23)
    return RANDOM.integers(low, high, shape, endpoint=True).astype(code)


def every_type():
    for i, code in enumerate(TYPES):
        for order in "<>":
            version = nib.Nifti2Image if (i + (order == "<")) % 2 else nib.Nifti1Image
            path = f"{code}{order == '>'}.nii" + (".gz" if i % 3 == 0 else "")
            save(path, some(code, 7, 5, 3), oblique(), version, order)
            yield from differences(path)
            if info(path)["details"]["byte-order"] != ("big" if order == ">" else "little"):
                yield f"{path}: the byte order is told wrong"


def colour():
    for names in ("RGB", "RGBA"):
        kind = np.dtype([(name, "u1") for name in names])
        samples = some("u1", 6, 5, 4, len(names)).view(kind)[..., 0]
        save(f"{names}.nii", samples, oblique((-1, 1, -1)))
        yield from differences(f"{names}.nii")


def orientations():
    """All 48 ways to store a volume, oblique, half of them left-handed; every other one packed."""
    samples = some("i2", 6, 5, 4)
    for i, order in enumerate([(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)]):
        for j, signs in enumerate(np.ndindex(2, 2, 2)):
            affine = oblique(1 - 2 * np.array(signs), order)
            path = f"turn{i}{j}.nii" + (".gz" if j % 2 else "")
            # qform alone, sform alone, or both.
            save(path, samples, affine, sform=(0, 2, 2)[(i + j) % 3], qform=(1, 0, 1)[(i + j) % 3])
            yield from differences(path)


def by_hand():
    """One voxel on the patient's left, front and top, without nibabel's affines."""
    samples = np.zeros((5, 6, 7), "u1")
    samples[4, 1, 2] = 200  # x to the front, y down, z to the left
    affine = np.array([[0, 0, -2, 0], [1, 0, 0, 0], [0, -3, 0, 0], [0, 0, 0, 1.0]])
    save("hand.nii", samples, affine)
    told = info("hand.nii")
    if told["details"]["orientation"] != "AIL" or told["image"]["spacing_mm"] != [2, 1, 3]:
        yield f"{told}"
    place = np.argwhere(shown("hand.nii", 6)[..., 0])
    # Slice 4 of 6 from below, the first row (front), the third column from the right side.
    if place.tolist() != [[4, 0, 2]]:
        yield f"it is shown at {place.tolist()}"


def flat():
    """A single slice stays one picture, with left and back, or up, where they belong."""
    cases = {"axial": (np.diag([-1, -1, 1]), (1, 1), False),
             "upright": (np.array([[1, 0, 0], [0, 0, 1], [0, 1, 0]]), (-1, -1), False),
             "lying": (np.array([[0, 0, 1], [0, 1, 0], [1, 0, 0]]), (-1, -1), True)}
    for name, (matrix, signs, swapped) in cases.items():
        samples = some("i2", 6, 5, 1, 3)
        affine = np.eye(4)
        affine[:3, :3] = matrix
        save(name + ".nii", samples, affine)
        told = info(name + ".nii")
        if told["slices"] or told["frames"] != 3 or told["frame_rate"] != 1:
            yield f"{name}: {told['frames']} frames, {told['slices']} slices"
        wanted = samples[::signs[0], ::signs[1], 0]
        wanted = wanted.transpose(2, 0, 1) if swapped else wanted.transpose(2, 1, 0)
        yield from wrong_values(name, shown(name + ".nii", 3)[..., 0], wanted)


def scaled():
    samples = some("i2", 6, 5, 4)
    for name, slope in {"scaled": (0.5, -100), "negative": (-2, 7), "one": (1, 1024)}.items():
        save(f"{name}.nii", samples, oblique(), slope=slope)
        yield from differences(f"{name}.nii")
    data = pathlib.Path("scaled.nii").read_bytes()
    for name, fields in {"none": (0, 5), "nan": (float("nan"), 5), "huge": (1e38, 0)}.items():
        pathlib.Path(f"{name}.nii").write_bytes(data[:112] + struct.pack("<ff", *fields)
                                                + data[120:])
        told = info(f"{name}.nii")
        if (told["image"]["slope"], told["image"]["intercept"]) != (1, 0) \
                or ("scl_slope" in (told["warning"] or "")) != (name != "none"):
            yield f"{name}: {told['image']} {told['warning']}"
    pathlib.Path("cal.nii").write_bytes(data[:124] + struct.pack("<ff", 300, 100) + data[132:])
    told = info("cal.nii")["image"]
    if (told["window_centre"], told["window_width"]) != (200, 200):
        yield f"cal_min and cal_max are not the window: {told}"


def units():
    for unit, mm in {"meter": 1000, "micron": 0.001, "mm": 1}.items():
        save("unit.nii", some("u1", 4, 4, 3), np.diag([-2, 2, 4, 1]) / mm, units=unit)
        spacing = info("unit.nii")["image"]["spacing_mm"]
        if not np.allclose(spacing, [2, 2, 4]):
            yield f"{unit}: {spacing}"


def volumes_over_time():
    for shape in ((5, 4, 3, 6), (5, 4, 3, 1, 2), (5, 1, 1), (5, 4)):
        save("time.nii.gz", some("u2", *shape), MIXED if len(shape) > 3 else np.eye(4))
        told = info("time.nii.gz")
        if len(shape) > 2:
            yield from differences("time.nii.gz", told)
        if len(shape) > 3 and told["frames"] != told["slices"] * np.prod(shape[3:]):
            yield f"{shape}: {told}"
    yield from filtered_over_time()


def too_slow():
    """What it says of the time between volumes is told, also where nothing can be played so."""
    for seconds, words in (2, None), (2000, "2000 s apart"), (0, "no speed is given"):
        image = nib.Nifti1Image(some("i2", 6, 5, 4, 3), np.eye(4))
        image.header.set_xyzt_units("mm", "sec")
        image.header["pixdim"][4] = seconds
        nib.save(image, "slow.nii")
        told = run("info", "slow.nii").stdout
        if ("timing" in told) != (words is not None) or (words or "") not in told:
            yield f"{seconds} s: {told}"


def filtered_over_time():
    """A filter in three dimensions takes the slices of one volume together."""
    samples = some("i2", 6, 8, 4, 3)
    save("cine.nii", samples, oblique())
    recipe = "shrinkage:wavelet=haar,levels=2,thresholds=0.1/0.1,dimensions=3"
    wanted = []
    for t in range(3):
        save("one.nii", samples[..., t], oblique())
        run("process", "one.nii", "-o", f"one{t}-%d.tif", "-f", recipe)
        wanted += [pixels.read_tiff(f"one{t}-{z}.tif")[1] for z in range(1, 5)]
    run("process", "cine.nii", "-o", "cine-%d.tif", "-f", recipe)
    run("process", "cine.nii", "--frame", 7, "-o", "still.tif", "-f", recipe)
    got = [pixels.read_tiff(f"cine-{i}.tif")[1] for i in range(1, 13)]
    yield from wrong_values("filtered volumes", np.array(got), np.array(wanted))
    yield from wrong_values("one slice", pixels.read_tiff("still.tif")[1], wanted[6])


def two_files():
    for kind, order in ((nib.Nifti1Pair, ">"), (nib.Nifti2Pair, "<")):
        save("pair.img", some("i2", 6, 5, 4), oblique((1, -1, 1)), kind, order)
        yield from differences("pair.hdr")
        # The file of the samples opens, too, and neither is overwritten.
        yield from wrong_values("pair.img", shown("pair.img", 4), truth("pair.hdr")[0])
        for name in ("hdr", "img"):
            old = pathlib.Path(f"pair.{name}").read_bytes()
            pathlib.Path(f"packed.{name}.gz").write_bytes(gzip.compress(old))
            pathlib.Path(f"LOUD.{name.upper()}").write_bytes(old)
        wanted = truth("pair.hdr")[0]
        for path in ("packed.hdr.gz", "LOUD.HDR", "LOUD.IMG", "packed.img.gz"):
            yield from wrong_values(path, shown(path, 4), wanted)
    run("process", "packed.hdr.gz", "LOUD.HDR", "--frame", 1, "-o", "named/", "--force")
    if not pathlib.Path("named/packed.png").is_file():
        yield f"results are called {os.listdir('named')}"
    pathlib.Path("pair.img").unlink()
    message = run("process", "pair.hdr", "-o", "out.tif", status=1).stderr
    if "pair.img" not in message or "No such file" not in message:
        yield message


def forms():
    """What sform and qform say when they disagree, or when there is none."""
    samples = some("u1", 6, 5, 4)
    save("both.nii", samples, oblique(), qform=None)
    image = nib.load("both.nii")
    image.set_qform(oblique((-1, 1, 1)), 1)
    nib.save(image, "differ.nii")
    if "sform" in (info("turn00.nii")["warning"] or ""):
        yield "a sform that agrees is told to differ"
    if "sform is taken" not in (info("differ.nii")["warning"] or ""):
        yield f"nothing is said of two forms: {info('differ.nii')['warning']}"
    yield from differences("differ.nii")
    negative = bytearray(pathlib.Path("both.nii").read_bytes())
    struct.pack_into("<f", negative, 80, -1.5)
    pathlib.Path("negative.nii").write_bytes(negative)
    if "pixdim is negative" not in (info("negative.nii")["warning"] or ""):
        yield f"nothing is said of a negative spacing: {info('negative.nii')['warning']}"
    image = nib.Nifti1Image(samples, None)
    image.header.set_zooms((1.5, 2, 3))
    amount = bytearray(image.to_bytes())
    struct.pack_into("<f", amount, 80, -1.5)
    pathlib.Path("amount.nii").write_bytes(amount)
    if info("amount.nii")["image"]["spacing_mm"] != [1.5, 2, 3]:
        yield f"a negative spacing has no amount: {info('amount.nii')['image']['spacing_mm']}"
    pathlib.Path("alone.img").write_bytes(b"ab12" * 100)
    done = subprocess.run([CLI, "info", "alone.img"], capture_output=True, encoding="utf-8", timeout=300)
    if done.returncode == 0 or "alone.hdr" not in done.stderr:
        yield f"samples without their header: {done.stderr}"
    save("none.nii", samples, np.diag([-2, 2, 4, 1]), sform=0, qform=0)
    told = info("none.nii")
    if "left and right" not in (told["warning"] or "") or "orientation" in told["details"]:
        yield f"a file without forms: {told}"
    yield from wrong_values("none.nii", shown("none.nii", 4), truth("none.nii")[0])
    data = bytearray(pathlib.Path("both.nii").read_bytes())
    for name, row in {"singular": [1, 2, 3, 4] * 3, "nan": [float("nan")] * 12,
                      "zero": [0] * 12, "far": [1e30] * 12}.items():
        for qform in (0, 1):
            struct.pack_into("<h", data, 252, qform)
            struct.pack_into("<12f", data, 280, *row)
            pathlib.Path("bad.nii").write_bytes(data)
            told = info("bad.nii")
            if "sform" not in told["warning"] or ("orientation" in told["details"]) != bool(qform):
                yield f"{name}, qform {qform}: {told}"


def sheared():
    """Slices of a tilted gantry, and what was laid over another volume, also after writing; not what is straight."""
    for name, axis, words in (("tilt", 2, "gantry tilt of 14.9°"), ("skew", 1, "16.7° off a right angle"), ("straight", 0, None)):
        affine = oblique()
        straight = affine.copy()
        affine[:3, axis] += affine[:3, max(axis - 1, 0)] * 0.4 * (axis > 0)
        save(f"{name}.nii", some("i2", 6, 5, 4), affine, qform=None)
        for output in ("again.nii", "again.mha"):
            run("process", f"{name}.nii", "-o", output, "--force")
        for path in (f"{name}.nii", "again.nii", "again.mha"):
            told = info(path)
            if (told["warning"] is not None) if words is None else (words not in (told["warning"] or "")):
                yield f"{path} of {name}: {told['warning']}"
            if ("gantry-tilt" in told["details"]) != (name == "tilt"):
                yield f"{path} of {name}: {told['details'].get('gantry-tilt')}"
            # Planes are as far apart as they were before.
            if abs(told["image"]["spacing_mm"][2] - np.linalg.norm(straight[:3, 2])) > 1e-4:
                yield f"{path} of {name}: {told['image']['spacing_mm']}"
        yield from wrong_place(name, info("again.nii"), truth(f"{name}.nii")[1], "LPS", (6, 5, 4))
    done = run("measure", "tilt.nii", "--plane", "coronal:2", "--length", "1,1,4,1")
    if "no millimetres across slices of a tilted gantry" not in done.stdout:
        yield done.stdout


def cut_short():
    samples = some("i2", 8, 7, 6, 2)
    affine = oblique((1, 1, -1))
    save("whole.nii", samples, affine)
    data = pathlib.Path("whole.nii").read_bytes()
    frames = truth("whole.nii")[0].astype("f4")
    # Stored from the top: of the second volume the lowest slices are missing, and part of one.
    pathlib.Path("cut.nii").write_bytes(data[:len(data) - 3 * 8 * 7 * 2 - 20])
    told = info("cut.nii")
    if told["frames"] != 12:
        yield f"the slices of the cut volume: {told}"
    # A single slice is no volume.
    save("up.nii", some("i2", 8, 7, 6), np.diag([-2, 2, 4, 1]))
    pathlib.Path("one.nii").write_bytes(pathlib.Path("up.nii").read_bytes()[:352 + 8 * 7 * 2])
    told = info("one.nii")
    if (told["slices"], told["frames"]) != (0, 1) or "declares 6 frames but holds 1" not in told["warning"]:
        yield f"the only slice: {told}"
    run("process", "cut.nii", "--frame", 10, "-o", "ten.tif", "--force", status=3)
    got, wanted = pixels.read_tiff("ten.tif")[1], frames[9].copy()
    # The last ten voxels as stored are the first ones shown. They are as dark as the darkest.
    wanted.ravel()[:10] = wanted.ravel()[10:].min()
    yield from wrong_values("half a slice", got, wanted)
    if "frame 9" not in run("process", "cut.nii", "--frame", 9, "-o", "x.tif", "--force",
                            status=1).stderr:
        yield "a missing slice is not refused by its number"
    # The second volume is missing, and the last slice of the first.
    save("up.nii", samples, oblique())
    data = pathlib.Path("up.nii").read_bytes()
    pathlib.Path("up.nii").write_bytes(data[:352 + 5 * 8 * 7 * 2])
    told = info("up.nii")
    if told["frames"] != 5 or "declares 12 frames but holds 5" not in told["warning"]:
        yield f"five slices are there: {told}"
    run("process", "up.nii", "-o", "up.tif", "--force")
    for output in "up.mha", "up-%d.tif":
        run("process", "up.nii", "-o", output, "--force", status=3)
    run("process", "up.nii", "-o", "up.png", "--rendering", "mr", status=3)
    pathlib.Path("less.nii").write_bytes(pathlib.Path("whole.nii").read_bytes()[:-2])
    told = info("less.nii")
    if told["frames"] != 12 or "last samples are missing" not in (told["warning"] or ""):
        yield f"without a single voxel: {told}"
    packed = gzip.compress(data)
    for name, bad in {"short": packed[:-400], "sum": packed[:-8] + b"xxxx" + packed[-4:]}.items():
        pathlib.Path(f"{name}.nii.gz").write_bytes(bad)
        if "damaged" not in (info(f"{name}.nii.gz")["warning"] or ""):
            yield f"{name}: {info(f'{name}.nii.gz')['warning']}"
    pathlib.Path("parts.nii.gz").write_bytes(gzip.compress(data[:500]) + gzip.compress(data[500:]))
    if info("parts.nii.gz")["warning"]:
        yield f"a file of two streams: {info('parts.nii.gz')['warning']}"


# What is said of a header that is good but for one field: place, kind, numbers.
LIES = [
    ("axes", 40, "h", [0]), ("axes", 40, "h", [8]), ("axes", 40, "h", [-3]),
    ("axis 1 has 0", 42, "h", [0]), ("axis 1 has -4", 42, "h", [-4]),
    ("more frames", 40, "8h", [7, 5, 5, 5, 32767, 32767, 32767, 32767]),
    ("large", 40, "8h", [7, 32767, 32767, 32767, 400, 1, 1, 1]),
    ("type 32 ", 70, "h", [32]), ("type 1 ", 70, "h", [1]), ("type -9 ", 70, "h", [-9]),
    ("CIFTI", 68, "h", [3006]),
    ("vox_offset", 108, "f", [-1]), ("vox_offset", 108, "f", [float("nan")]),
    ("vox_offset", 108, "f", [100]), ("vox_offset", 108, "f", [1e38]),
    ("samples are missing", 108, "f", [1e9]), ("samples are missing", 108, "f", [472]),
    ("ANALYZE", 344, "4s", [b"\0\0\0\0"]), ("ANALYZE", 344, "4s", [b"n+9\0"]),
    ("lies.img", 344, "4s", [b"ni1\0"]),
]
LIES_2 = [
    ("large", 16, "4q", [3, 10**9, 10**9, 10**9]), ("large", 16, "2q", [1, 2**62]),
    ("large", 16, "4q", [3, 10**9, 1, 1]), ("more frames", 16, "4q", [3, 1, 1, 10**9]),
    ("axis 1 has -", 16, "2q", [1, -2**63]), ("vox_offset", 168, "q", [-2**63]),
    ("samples are missing", 168, "q", [2**60]), ("ANALYZE", 4, "8s", [b"n+2\0\n\n\n\n"]),
]


def components():
    """The fifth axis is no time (nifti1.h): vectors are colours, other numbers volumes with nothing between them."""
    for name, code, intent, shape in (("vector", "f4", 1007, (4, 3, 2, 1, 3)), ("displacement", "i2", 1006, (4, 3, 2, 1, 3)),
                                      ("rgb", "u1", 2003, (4, 3, 2, 1, 3)), ("rgba", "u1", 2004, (4, 3, 1, 1, 4)),
                                      ("times", "f4", 1007, (4, 3, 2, 5, 3)), ("flat", "f4", 1006, (4, 3, 1, 1, 2)),
                                      ("plain", "f4", 0, (4, 3, 2, 1, 3)), ("both", "f4", 0, (4, 3, 2, 2, 3)),
                                      ("scaled", "i2", 1007, (4, 3, 2, 1, 3))):
        array = some(code, *shape)
        if name == "rgba":
            array[..., 3] |= 1
        for kind in nib.Nifti1Image, nib.Nifti2Image:
            image = kind(array, np.diag([-1, -1, 1, 1]))
            image.header["intent_code"] = intent
            image.header.set_xyzt_units("mm", "sec")
            image.header["pixdim"][4:6] = 1
            if name == "scaled":
                image.header.set_slope_inter(0.5, 1)
            nib.save(image, "many.nii")
            told = info("many.nii")
            colours = name in ("vector", "displacement", "rgb", "rgba", "times")
            stored = np.asarray(image.dataobj) if name != "scaled" else array * 0.5 + 1
            frames = shape[2] * shape[3] * (1 if colours else shape[4])
            if told["frames"] != frames or told["image"]["channels"] != (shape[4] if colours else 1):
                yield f"{name}: {told}"
            if ("volume-interval-s" in told["details"]) != (name == "times"):
                yield f"{name}: an interval between {told['details']}"
            if not colours and "dim[5]" not in told["warning"]:
                yield f"{name}: {told['warning']}"
            for frame in range(frames):
                run("process", "many.nii", "-o", "one.npy", "--force", "--frame", frame + 1)
                volume, z = divmod(frame, shape[2])
                at = stored[:, :, z].reshape(4, 3, -1, order="F")
                wanted = stored[:, :, z, volume].swapaxes(0, 1) if colours else at[..., volume].T
                got = np.load("one.npy")
                if got.shape != wanted.shape or np.abs(got - wanted).max() > 1e-6 * max(np.abs(stored).max(), 1) * 2:
                    yield f"{name}, frame {frame}: {got.ravel()[:6]} {wanted.ravel()[:6]}"
    image = nib.Nifti1Image(some("f4", 4, 3, 2, 1, 3), np.eye(4))
    image.header["intent_code"] = 1007
    nib.save(image, "many.nii")
    whole = pathlib.Path("many.nii").read_bytes()
    pathlib.Path("cut.nii").write_bytes(whole[:-20])
    if "missing" not in (warned := info("cut.nii")["warning"]) and "early" not in warned:
        yield f"cut: {warned}"


def odd_numbers():
    """No number of voxels counts one; an intercept that is no number is named, and its slope stays."""
    array = some("i2", 6, 5, 4)
    save("odd.nii", array, np.diag([-1, -1, 1, 1]))
    good = pathlib.Path("odd.nii").read_bytes()
    for axes, numbers in ((5, (6, 5, 4, 0, 0)), (4, (6, 5, 4, -1)), (7, (6, 5, 4, 0, 0, -3, 0)), (3, (6, 20, 0))):
        data = bytearray(good)
        struct.pack_into(f"<{1 + axes}h", data, 40, axes, *numbers)
        pathlib.Path("odd.nii").write_bytes(data)
        told = info("odd.nii")
        if told["frames"] != (1 if axes == 3 else 4) or (axes > 3 and told.get("slices") != 4):
            yield f"{numbers}: {told}"
    for slope, inter, ignored, values in ((2, float("nan"), "scl_inter", array * 2.0), (2, float("inf"), "scl_inter", array * 2.0),
                                          (float("nan"), 1, "scl_slope", array * 1.0), (2, 1, None, array * 2.0 + 1)):
        data = bytearray(good)
        struct.pack_into("<2f", data, 112, slope, inter)
        pathlib.Path("odd.nii").write_bytes(data)
        warned = info("odd.nii").get("warning") or ""
        if (ignored is None) != ("scl_" not in warned) or (ignored or "") not in warned:
            yield f"{slope}, {inter}: {warned}"
        run("process", "odd.nii", "-o", "one.npy", "--force", "--frame", 1)
        if np.abs(np.load("one.npy") - values[:, :, 0].T).max() > 1e-6 * np.abs(values).max() * 2:
            yield f"{slope}, {inter}: other values"


def hostile():
    """All in one run; each is refused with one sentence that names it."""
    expected = {}
    for version, lies in ((1, LIES), (2, LIES_2)):
        save("good.nii", some("u1", 6, 5, 4), oblique(), (nib.Nifti1Image, nib.Nifti2Image)[version - 1])
        good = pathlib.Path("good.nii").read_bytes()
        for i, (words, at, kind, numbers) in enumerate(lies):
            data = bytearray(good)
            struct.pack_into("<" + kind, data, at, *numbers)
            name = "lies.nii" if "img" in words else f"lie{version}-{i}.nii"
            pathlib.Path(name).write_bytes(data)
            expected[name] = words
    head = bytearray(good)
    struct.pack_into("<4q", head, 16, 3, 40000, 40000, 2)
    more = {"empty.nii": b"", "tiny.nii": good[:200], "text.nii": b"abc" * 300,
            "no.nii.gz": gzip.compress(b"no header" * 100), "nothing.nii.gz": gzip.compress(b""),
            "garbage.nii.gz": b"\x1f\x8b" + bytes(range(200)), "head.nii.gz": gzip.compress(good[:200]),
            "bomb.nii.gz": gzip.compress(bytes(head)) + gzip.compress(bytes(1 << 24)) * 64}
    words = {"empty.nii": "empty", "text.nii": "NIfTI header", "tiny.nii": "too early",
             "head.nii.gz": "too early", "bomb.nii.gz": "unpacks to more"}
    for name, data in more.items():
        pathlib.Path(name).write_bytes(data)
        expected[name] = words.get(name, "NIfTI header")
    done = run("process", *expected, "-o", "each/", "--format", "tiff", status=1)
    for name, words in expected.items():
        lines = [line for line in done.stderr.splitlines()
                 if line.startswith(f"ondelette-cli: {name}: ")]
        if len(lines) != 1 or words not in lines[0]:
            yield f"“{words}” of {name}: {lines}"


def mutated():
    """No header crashes the helper, hangs it, or is answered with anything but a sentence."""
    for kind in (nib.Nifti1Image, nib.Nifti2Image):
        save("good.nii", some("i2", 6, 5, 4), oblique(), kind)
        good = pathlib.Path("good.nii").read_bytes()
        for i in range(200):
            data = bytearray(good)
            for at in RANDOM.integers(4, 540, 1 + i % 8):
                data[at] = RANDOM.choice([0, 1, 127, 128, 255, RANDOM.integers(256)])
            name = f"mutant-{kind.__name__}-{i}.nii"
            pathlib.Path(name).write_bytes(gzip.compress(data, 1) if i % 4 == 0 else data)
    names = sorted(path.name for path in pathlib.Path(".").glob("mutant-*"))
    done = subprocess.run([CLI, "process", *names, "--frame", "1", "-o", "each/", "--format", "tiff",
                           "--force"], capture_output=True, encoding="utf-8", timeout=300)
    lines = [line for line in done.stderr.splitlines() if line.startswith("ondelette-cli: ")]
    named = {line.split(": ")[1] for line in lines}
    for line in lines:
        if any(word in line for word in ("crash", "killed", "invalid", "too long")) \
                and "is invalid and is ignored" not in line:
            yield line
    written = [name for name in names
               if pathlib.Path("each", pathlib.Path(name).stem + ".tif").is_file()]
    print(f"# of {len(names)} mutated headers {len(written)} are shown")
    if not 100 < len(written) < len(names) or not set(names) - set(written) <= named:
        yield done.stderr[-2000:]


def written():
    """Volumes of any orientation and over time, as MetaImage and NIfTI, packed or not, lie where they did."""
    for i, (signs, order) in enumerate((((1, 1, 1), (0, 1, 2)), ((-1, 1, 1), (0, 1, 2)),
                                        ((1, -1, -1), (2, 0, 1)))):
        samples = some("i2", *(6, 5, 4, 3)[:3 + (i == 2)])
        save("in.nii", samples, oblique(signs, order))
        frames, affine, _ = truth("in.nii")
        extent = frames.shape[2], frames.shape[1], len(frames) // (3 if i == 2 else 1)
        for name in ("out.nii", "out.nii.gz"):
            run("process", "in.nii", "-o", name, "--force")
            got, place, _ = truth(name)
            yield from wrong_values(name, got, frames.astype("f4"))
            error = np.abs(corners(place, extent) - corners(affine, extent)).max()
            if error > 1e-3 or nib.load(name).get_sform(coded=True)[1] != 1:
                yield f"{name}: corners are off by {error} mm"
            yield from differences(name)
        run("process", "in.nii", "-o", "out.mha", "--force")
        got, place, fields = read_metaimage("out.mha")
        yield from wrong_values("out.mha", got, frames.astype("f4"))
        error = np.abs(corners(place, extent) - corners(affine, extent)).max()
        if error > 1e-3 or int(fields["NDims"]) != samples.ndim:
            yield f"out.mha: corners are off by {error} mm, {fields['NDims']} axes"
    run("process", "in.nii", "-o", "part.nii", "--frames", f"{extent[2] + 2}-{extent[2] + 3}")
    got, place, _ = truth("part.nii")
    first = (affine @ [0, 0, 1, 1])[:3]
    yield from wrong_values("slices of a volume", got, frames[extent[2] + 1:extent[2] + 3].astype("f4"))
    if np.abs(place[:3, 3] - first).max() > 1e-3:
        yield f"slices of a volume lie at {place[:3, 3]}, not {first}"


def stacked():
    """A TIFF file has a page for each slice, as tifffile reads it, with spacing and time as ImageJ says them."""
    save("in.nii", some("i2", 6, 5, 4, 3), np.diag([-2, 2, 4.5, 1]))
    image = nib.load("in.nii")
    image.header["pixdim"][4] = 0.25
    image.header.set_xyzt_units("mm", "sec")
    nib.save(image, "in.nii")
    frames = truth("in.nii")[0].astype("f4")
    run("process", "in.nii", "-o", "out.stack.tif")
    run("process", "in.nii", "-o", "part.tif", "--format", "tiff-stack", "--frames", "5-8")
    for name, wanted, times in ("out.stack.tif", frames, 3), ("part.tif", frames[4:8], 1):
        with tifffile.TiffFile(name) as stack:
            lines = stack.imagej_metadata
            yield from wrong_values(name, np.array([page.asarray() for page in stack.pages])[..., None], wanted)
            if (lines["slices"], lines["frames"], lines["spacing"]) != (4, times, 4.5) \
                    or 2 * stack.pages[0].tags["XResolution"].value[0] != stack.pages[0].tags["XResolution"].value[1] \
                    or abs(lines.get("finterval", 0) - 0.25) > 1e-6:
                yield f"{name}: {lines}"
    pathlib.Path("cut.nii").write_bytes(pathlib.Path("in.nii").read_bytes()[:-20])
    run("process", "cut.nii", "-o", "cut.stack.tif", status=3)


def not_written():
    save("in.nii", some("i2", 6, 5, 4, 3), oblique())
    pixels.write_png("still.png", np.zeros((4, 5, 1), np.uint8))
    pathlib.Path("colour.mha").write_bytes(
        b"ObjectType = Image\nNDims = 3\nDimSize = 4 3 2\nElementNumberOfChannels = 3\n"
        b"ElementType = MET_UCHAR\nElementDataFile = LOCAL\n" + bytes(range(72)))
    for words, arguments in {
            "still": ["still.png", "-o", "refused.nii"], "no volume": ["phantom:64x64", "-o", "refused.mha", "--frames", "1-9"],
            "colours": ["colour.mha", "-o", "refused.nii"], "whole volumes": ["in.nii", "-o", "refused.mha", "--frames", "2-9"],
            "number": ["in.nii", "-o", "refused-%d.nii"]}.items():
        done = subprocess.run([CLI, "process", *arguments], capture_output=True, encoding="utf-8", timeout=300)
        if done.returncode == 0 or words not in done.stderr or list(pathlib.Path(".").glob("refused*")):
            yield f"{arguments}: {done.returncode} {done.stderr}"
    run("process", "colour.mha", "-o", "colours.mha")
    got, _, fields = read_metaimage("colours.mha")
    yield from wrong_values("colours.mha", got.ravel(), np.arange(72))
    if fields["ElementNumberOfChannels"] != "3":
        yield f"colours.mha: {fields}"


def real_files():
    folder = pathlib.Path(nib.__file__).parent / "tests/data"
    for name in ("anatomical.nii", "functional.nii", "example4d.nii.gz", "example_nifti2.nii.gz",
                 "standard.nii.gz", "reoriented_anat_moved.nii", "resampled_anat_moved.nii"):
        if not (folder / name).is_file():
            raise tap.Skip(f"nibabel lacks {name}")
        yield from differences(folder / name)


CASES = [
    ("every type in both byte orders and versions, packed or not", every_type),
    ("colour", colour),
    ("all orientations, oblique, left-handed", orientations),
    ("left, front and up, by hand", by_hand),
    ("a single slice", flat),
    ("slope, intercept and window", scaled),
    ("millimetres from any unit", units),
    ("further axes are volumes, one after the other", volumes_over_time),
    ("an interval that cannot be played is told", too_slow),
    ("header and samples in two files", two_files),
    ("sform and qform", forms),
    ("axes that are not at right angles are told", sheared),
    ("what is missing", cut_short),
    ("the fifth axis holds components", components),
    ("odd numbers count as the library of the format and ITK have them", odd_numbers),
    ("headers that lie are refused with a sentence", hostile),
    ("mutated headers", mutated),
    ("volumes are written where they lay", written),
    ("TIFF stacks", stacked),
    ("what cannot be written is refused", not_written),
    ("nibabel's real files", real_files),
]


sys.exit(run_cases(CASES))
