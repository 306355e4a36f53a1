#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A folder of DICOM pictures as a volume: where its voxels lie and what they are, against the
headers as pydicom writes and reads them, and the NIfTI file as nibabel reads it.

usage: series.py ONDELETTE_CLI
"""
import collections
import ctypes
import itertools
import json
import os
import pathlib
import struct
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "helpers"))
import pixels  # noqa: E402
import tap  # noqa: E402
from command_line import run, run_cases, shared  # noqa: E402
from places import turn  # noqa: E402

try:
    import nibabel as nib
    import pydicom
    from pydicom.dataset import FileMetaDataset
except ImportError:
    nib = None

RANDOM = np.random.default_rng(17)
ROWS, COLUMNS = 6, 9
WAYS = {
    "axial": ([1, 0, 0], [0, 1, 0]),
    "axial, from above": ([1, 0, 0], [0, -1, 0]),
    "coronal": ([1, 0, 0], [0, 0, -1]),
    "sagittal": ([0, 1, 0], [0, 0, -1]),
    "mirrored": ([-1, 0, 0], [0, 1, 0]),
    "on its side": ([0, 1, 0], [1, 0, 0]),
}


def turned(degrees):
    """Directions of rows and columns near those of an axial picture."""
    across, down, _ = turn(degrees).T
    return across, down


def write(folder, way, places, spacing=(0.8, 0.5), slopes=None, numbers=None, values=None, series="1.2.3", **tags):
    """A file for each place, whose names, numbers and places are in three different orders."""
    folder = pathlib.Path(folder)
    folder.mkdir(exist_ok=True)
    order = RANDOM.permutation(len(places))
    for i, place in enumerate(places):
        one = pydicom.Dataset()
        one.SOPClassUID, one.SOPInstanceUID = "1.2.840.10008.5.1.4.1.1.2", f"{series}.{i + 1}"
        one.StudyInstanceUID, one.SeriesInstanceUID = "1.2", series
        one.PatientID, one.Modality = "A", "CT"
        one.InstanceNumber = int(order[i]) + 1 if numbers is None else numbers[i]
        one.ImagePositionPatient = [f"{x:.10g}"[:16] for x in place]
        one.ImageOrientationPatient = [f"{x:.10g}"[:16] for x in np.concatenate(way)]
        one.PixelSpacing = list(spacing)
        one.SliceThickness, one.SpacingBetweenSlices = 77, 33  # neither is true
        one.Rows, one.Columns = ROWS, COLUMNS
        one.SamplesPerPixel, one.PhotometricInterpretation = 1, "MONOCHROME2"
        one.BitsAllocated, one.BitsStored, one.HighBit, one.PixelRepresentation = 16, 16, 15, 1
        one.RescaleSlope, one.RescaleIntercept = slopes[i] if slopes else (1, -1000)
        one.WindowCenter, one.WindowWidth = 100, 4000
        samples = RANDOM.integers(-2000, 2000, (ROWS, COLUMNS)) if values is None else values[i]
        one.PixelData = samples.astype("<i2").tobytes()
        for name, value in tags.items():
            setattr(one, name, value)
        one.file_meta = FileMetaDataset()
        one.file_meta.TransferSyntaxUID = "1.2.840.10008.1.2.1"
        one.file_meta.MediaStorageSOPClassUID = one.SOPClassUID
        one.file_meta.MediaStorageSOPInstanceUID = one.SOPInstanceUID
        one.is_little_endian, one.is_implicit_VR = True, False
        one.save_as(folder / f"{series}-{(7 * i + 3) % len(places):03}.dcm", write_like_original=False)
    return folder


def row_of_places(way, n, step, start=(-31.25, 17.5, 90.125), aside=0.0):
    normal = np.cross(*way)
    return [np.add(start, i * step * normal + i * aside * np.asarray(way[1])) for i in range(n)]


def check(folder, out="out.nii.gz", volumes=1, noise=1e-4):
    """Every corner of every picture is in the file where its own header says, with its own values."""
    run("process", folder, "-o", out, "--force")
    image = nib.load(out)
    data, inverse = image.get_fdata(), np.linalg.inv(image.affine)
    files = [pydicom.dcmread(path) for path in sorted(folder.glob("*.dcm"))]
    if data.size != len(files) * ROWS * COLUMNS:
        yield f"{data.shape} for {len(files)} files"
        return
    for one in files:
        place, way = np.array(one.ImagePositionPatient, float), np.array(one.ImageOrientationPatient, float)
        down, across = map(float, one.PixelSpacing)
        values = one.pixel_array * float(one.RescaleSlope) + float(one.RescaleIntercept)
        for row, column in itertools.product((0, ROWS - 1), (0, COLUMNS - 1)):
            lps = place + way[:3] * across * column + way[3:] * down * row
            ras = lps * [-1, -1, 1]
            voxel = np.rint(inverse @ [*ras, 1])[:3].astype(int)
            if (voxel < 0).any() or (voxel >= data.shape[:3]).any():
                yield f"{folder}: {ras} is voxel {voxel} of {data.shape}"
                return
            off = np.abs((image.affine @ [*voxel, 1])[:3] - ras).max()
            if off > 1e-3:
                yield f"{folder}: {ras} mm is {off:.6f} mm off"
            here = np.atleast_1d(data[tuple(voxel)])
            if np.abs(here - values[row, column]).min() > noise:
                yield f"{folder}: at {voxel} there is {here}, not {values[row, column]}"
    if volumes > 1 and data.shape[3:] != (volumes,):
        yield f"{data.shape} for {volumes} volumes"


def every_orientation():
    ways = {**WAYS, "oblique": turned((20, -12, 9)), "far oblique": turned((48, 30, -61)),
            "oblique, from above": (turned((20, -12, 9))[0], -turned((20, -12, 9))[1])}
    for n, (name, way) in enumerate(ways.items()):
        for problem in check(write(f"way{n}", way, row_of_places(way, 5, 1.75))):
            yield f"{name}: {problem}"


def turned_round():
    """The first of them lies last: sorted along the normal, whatever they are called."""
    way = WAYS["coronal"]
    yield from check(write("round", way, row_of_places(way, 6, -2.5)))


def counted_by_the_archive():
    """Numbers that fall along the normal: their order is that of window, files and frames, and voxels stay where they
    are; planes and rendered views, which lie by the patient, are those of the other way round."""
    n, ways = 5, {**WAYS, "oblique": turned((20, -12, 9))}
    values = [RANDOM.integers(-2000, 2000, (ROWS, COLUMNS)) for _ in range(3 * n)]
    for k, (name, way) in enumerate(ways.items()):
        places = row_of_places(way, n, 1.75, aside=0.4 * (name == "axial"))
        volumes = 3 if name == "coronal" else 1
        falling = [n * t + n - i for t in range(volumes) for i in range(n)]
        rising = [n * t + 1 + i for t in range(volumes) for i in range(n)]
        there, others = (write(f"{kind}{k}", way, places * volumes, numbers=numbers, values=values[:n * volumes])
                         for kind, numbers in (("down", falling), ("up", rising)))
        for problem in check(there, volumes=volumes):
            yield f"{name}: {problem}"
        image = nib.load("out.nii.gz")
        data = image.get_fdata().reshape(COLUMNS, ROWS, n, volumes)
        for number, value in zip(falling, values):
            here = data[:, :, (number - 1) % n, (number - 1) // n]
            if np.abs(here.T - (value - 1000)).max() > 5e-3:
                yield f"{name}: slice {number} is not that of its number"
        if np.abs((image.affine @ [0, 0, 0, 1])[:3] * [-1, -1, 1] - places[-1]).max() > 1e-3:
            yield f"{name}: the first one lies at {image.affine[:3, 3]}"
        numbers = json.loads(run("info", there, "--json").stdout)["details"]["instance-numbers"]
        if [int(x) for x in numbers.split("\\")] != sorted(falling):
            yield f"{name}: {numbers}"
        # The third of five is the same one from both ends.
        for look in (["--plane", "axial:2"], ["--plane", "coronal:2"], ["--plane", "sagittal:2"], ["--rendering", "mr"])[:3 + (k < 3)]:
            pair = []
            for folder in (there, others):
                out = "look.png" if volumes == 1 else "look-%d.png"
                run("process", f"series:{folder}", "-o", out, "--force", *look, *["--duration", "0.04"][:2 * (volumes > 1 and "mr" in look)])
                pair.append(pixels.read_png(out.replace("%d", "1")).astype(int))
            # Between slices a stored value is rounded: 65535 / 4000 in planes of 16 bits.
            if pair[0].std() < 1 or np.abs(pair[0] - pair[1]).max() > (2 if "mr" in look else 17):
                yield f"{name}: {look} is {np.abs(pair[0] - pair[1]).max()} off the other way round"
    # One frame is the picture of that number, as is the second of numbered files.
    run("process", "series:down0", "-o", "all-%d.npy", "--force")
    run("process", "series:down0", "-o", "some-%d.npy", "--force", "--frames", "2-2")
    some = sorted(pathlib.Path(".").glob("some-*.npy"))
    for path in [pathlib.Path("all-2.npy"), *some]:
        if len(some) != 1 or np.abs(np.load(path).squeeze() - (values[n - 2] - 1000)).max() > 5e-3:
            yield f"{path} of {some} is not the picture with number 2"
    # A missing one keeps its place, counted from the other end.
    places = row_of_places(WAYS["axial"], n + 2, 2)
    kept = [0, 1, 3, 4, 5, 6]
    folder = write("down-missing", WAYS["axial"], [places[i] for i in kept], numbers=[9 - i for i in kept],
                   values=[np.full((ROWS, COLUMNS), 10 * i) for i in kept])
    run("process", f"volume:{folder}", "-o", "out.nii", "--force", status=3)
    image = nib.load("out.nii")
    wanted = [10 * i - 1000 if i in kept else np.nan for i in reversed(range(n + 2))]
    if not np.allclose(image.get_fdata()[0, 0], wanted, atol=5e-3, equal_nan=True) \
            or np.abs(image.affine[:3, 3] * [-1, -1, 1] - places[-1]).max() > 1e-3:
        yield f"with a gap: {image.get_fdata()[0, 0]}, {image.affine}"


def tilted():
    way = WAYS["axial"]
    folder = write("tilted", way, row_of_places(way, 5, 3, aside=0.9))
    yield from check(folder)
    told = json.loads(run("info", folder, "--json").stdout)
    angle = np.degrees(np.arctan2(0.9, 3))
    if "gantry tilt of 16.7°" not in (told["warning"] or "") or abs(float(told["details"]["gantry-tilt"]) - angle) > 1e-3:
        yield f"{told['warning']}, {told['details'].get('gantry-tilt')}"
    # What is shown as millimetres is the distance between the planes.
    if abs(told["image"]["spacing_mm"][2] - 3) > 1e-6:
        yield f"{told['image']['spacing_mm']}"


def told_of():
    """What info says of a folder: slices, and spacings from places alone."""
    way = turned((20, -12, 9))
    folder = write("told", way, row_of_places(way, 4, 1.25))
    told = json.loads(run("info", folder, "--json").stdout)
    if told["slices"] != 4 or not np.allclose(told["image"]["spacing_mm"], [0.5, 0.8, 1.25], atol=1e-6):
        yield f"{told['slices']}, {told['image']['spacing_mm']}"
    if told["warning"] is not None:
        yield told["warning"]


def rescaled_one_by_one():
    """As those of PET: the stored numbers of each picture mean something else."""
    way = WAYS["axial"]
    slopes = [(0.5 + i / 7, 10 * i) for i in range(5)]
    folder = write("pet", way, row_of_places(way, 5, 2), slopes=[(f"{a:.8f}", b) for a, b in slopes])
    yield from check(folder, noise=0.02)
    # All slices together: the mean of 3 x 3 x 3 values, not of stored numbers.
    np.save("mean.npy", np.full((3, 3, 3), 1 / 27, "f4"))
    run("process", folder, "-o", "plain.nii.gz", "--force")
    run("process", folder, "-o", "mean.nii.gz", "--force", "--filter", "convolve:kernel=mean.npy,dimensions=3,border=symmetric")
    plain, mean = (nib.load(f"{name}.nii.gz").get_fdata() for name in ("plain", "mean"))
    inner = sum(plain[i:i + COLUMNS - 2, j:j + ROWS - 2, k:k + 3] for i, j, k in itertools.product(range(3), repeat=3)) / 27
    off = np.abs(mean[1:-1, 1:-1, 1:-1] - inner).max()
    if off > 0.05:
        yield f"the mean of volumes is {off} off"


def several_volumes():
    """Three pictures at every place: volumes in the order of their numbers."""
    way = WAYS["axial"]
    places = row_of_places(way, 4, 2)
    values = [np.full((ROWS, COLUMNS), 100 * volume + i) for volume in range(3) for i in range(4)]
    folder = write("time", way, places * 3, numbers=[100 - 12 + i for i in range(12)], values=values)
    yield from check(folder, volumes=3)
    data = nib.load("out.nii.gz").get_fdata()
    wanted = np.array([[100 * volume + i - 1000 for i in range(4)] for volume in range(3)])
    if data.shape != (COLUMNS, ROWS, 4, 3) or np.abs(data[0, 0].T - wanted).max() > 5e-3:
        yield f"{data.shape}: {data[0, 0].T.tolist()}"


def volumes_in_time():
    """Their order and the time between them are those of their headers, whatever their numbers are."""
    way, n = WAYS["axial"], 12
    places = row_of_places(way, 4, 2)
    values = [np.full((ROWS, COLUMNS), 100 * volume + i) for volume in range(3) for i in range(4)]
    volume = np.arange(n) // 4
    cases = {
        "position": ([{"TemporalPositionIdentifier": int(v) + 1} for v in volume], 0, ""),
        "beat": ([{"TriggerTime": 40 * int(v) + 7} for v in volume], 0.04, ""),
        "midnight": ([{"AcquisitionTime": ["235958.5", "235959.75", "000001"][v]} for v in volume], 1.25, ""),
        "gap": ([{"TemporalPositionIdentifier": [1, 2, 4][v], "TriggerTime": 40 * [1, 2, 4][v]} for v in volume],
                0, "equal times"),
        "half": ([{"TriggerTime": 40 * int(v)} if v else {} for v in volume], 0, "order of their numbers"),
    }
    for name, (times, interval, words) in cases.items():
        numbers = [n - i for i in range(n)] if not words else list(range(n))
        folder = write(name, way, places * 3, numbers=numbers, values=values)
        for i, path in enumerate(folder / f"1.2.3-{(7 * i + 3) % n:03}.dcm" for i in range(n)):
            one = pydicom.dcmread(path)
            for key, value in times[i].items():
                setattr(one, key, value)
            one.save_as(path)
        warning = json.loads(run("info", folder, "--json").stdout)["warning"] or ""
        if (words not in warning) if words else warning:
            yield f"{name}: {warning}"
        run("process", folder, "-o", "times.nii", "--force")
        image = nib.load("times.nii")
        # Slices of each run as their numbers do.
        wanted = np.array([[100 * volume + i - 1000 for i in range(4)[::1 if words else -1]] for volume in range(3)])
        if np.abs(image.get_fdata()[0, 0].T - wanted).max() > 5e-3 \
                or abs(image.header["pixdim"][4] - interval) > 1e-6:
            yield f"{name}: every {image.header['pixdim'][4]} s, {image.get_fdata()[0, 0].T.tolist()}"


def no_volume(folder, words):
    told = json.loads(run("info", folder, "--json").stdout)
    if told["slices"] != 0:
        yield f"{folder}: {told['slices']} slices"
    for word in [*words, "it is no volume"]:
        if word not in (told["warning"] or ""):
            yield f"{folder}: “{told['warning']}” lacks “{word}”"
    said = run("process", folder, "-o", "none.nii.gz", "--force", status=1).stderr
    if "it is no volume" not in said or pathlib.Path("none.nii.gz").exists():
        yield f"{folder}: {said}"


def what_is_no_volume():
    way = WAYS["axial"]
    places = row_of_places(way, 5, 2)
    yield from no_volume(write("missing", way, places[:2] + places[3:]), ["some may be missing"])
    yield from no_volume(write("twice", way, [*places, places[2]]), ["lies where another one does"])
    yield from no_volume(write("times", way, (places * 2)[:-1]), ["more pictures at some places"])
    flat = write("flat", (way[0], way[0]), places)
    yield from no_volume(flat, ["do not say properly where"])
    for path in flat.glob("*.dcm"):
        one = pydicom.dcmread(path)
        del one.ImagePositionPatient
        one.save_as(path)
    yield from no_volume(flat, ["do not say properly where"])
    shifted = [*places[:3], *np.add(places[3:], [0.5, 0, 0])]
    yield from no_volume(write("shifted", way, shifted), ["shifted sideways"])
    folder = write("pixels", way, places[:3])
    write(folder, way, places[3:], spacing=(0.8, 0.6), series="1.2.3")
    for i, path in enumerate(sorted(folder.glob("*.dcm"))):
        one = pydicom.dcmread(path)
        one.SOPInstanceUID = f"1.2.9.{i}"
        one.save_as(path)
    places = sorted(float(pydicom.dcmread(path).ImagePositionPatient[2]) for path in folder.glob("*.dcm"))
    if len(places) > 2:
        yield from no_volume(folder, ["not of one size"])
    turned_a_bit = write("turned", way, row_of_places(way, 3, 2))
    path = next(turned_a_bit.glob("*.dcm"))
    one = pydicom.dcmread(path)
    one.ImageOrientationPatient = [1, 0.0008, 0, -0.0008, 1, 0]
    one.save_as(path)
    yield from no_volume(turned_a_bit, ["not turned alike"])


def as_asked_for():
    """What is no volume is one where that is asked for (volume:), with its flaws told; what cannot be one of
    its slices is left out, and told."""
    way, places = WAYS["axial"], row_of_places(WAYS["axial"], 6, 2)
    time = [place for place in places for _ in range(3)]
    folders = {
        "uneven": (write("v-uneven", way, [*places[:3], np.add(places[3], [0, 0, 0.3]), *places[4:]]), 6,
                   ["1.70 to 2.30 mm apart", "some may be missing"]),
        "half": (write("v-half", way, [places[0], places[1], places[5]]), 3, ["2.00 to 8.00 mm apart"]),
        "far": (write("v-far", way, [*places[:5], np.add(places[4], [0, 0, 400])]), 6, ["2.00 to 400.00 mm apart"]),
        "aside": (write("v-aside", way, [*places[:3], *np.add(places[3:], [0.5, 0, 0])]), 6, ["shifted sideways"]),
        "times": (write("v-times", way, time[:-1]), 17, ["more pictures at some places than at others"]),
        "no place": (write("v-nowhere", way, places, ImagePositionPatient=None), 6, []),
        "nan": (write("v-nan", way, places, ImageOrientationPatient=[0, 0, 0, 0, 0, 0]), 6, []),
    }
    mixed = write("v-sizes", way, [*places[:2], np.add(places[2], [0, 0, 0.3]), *places[3:]])
    for i, (name, value) in enumerate((("Rows", ROWS - 2), ("ImageOrientationPatient", [0, 1, 0, 0, 0, -1]))):
        path = sorted(mixed.glob("*.dcm"))[2 * i + 1]
        one = pydicom.dcmread(path)
        setattr(one, name, value)
        if name == "Rows":
            one.PixelData = one.PixelData[:2 * one.Rows * one.Columns]
        one.save_as(path)
    folders["sizes and directions"] = mixed, 4, ["2 pictures of the series have another size or direction"]
    for name, (folder, n, words) in folders.items():
        told = json.loads(run("info", f"volume:{folder}", "--json").stdout)
        if told["slices"] != n or told["frames"] != n:
            yield f"{name}: {told['slices']} slices of {told['frames']} frames, not {n}"
        for word in [*words, "how far apart they are is not known"]:
            if word not in (told["warning"] or ""):
                yield f"{name}: “{told['warning']}” lacks “{word}”"
        if told["image"]["spacing_mm"][2] != 0 or "slice-step" in told["details"]:
            yield f"{name}: {told['image']['spacing_mm']} mm, {told['details']}"
        done = run("process", f"volume:{folder}", "-o", "asked.nii.gz", "--force")
        if nib.load("asked.nii.gz").shape != (COLUMNS, ROWS, n) or any(word not in done.stderr for word in words):
            yield f"{name}: {nib.load('asked.nii.gz').shape}, {done.stderr}"
        measure = ["--plane", "coronal:5", "--length", "1,1,4,1"]
        done = run("measure", folder, *measure, status=2)
        if any(word not in done.stderr for word in [*words, f"volume:{folder} takes them"]):
            yield f"{name}, measured: {done.stderr}"
        done = run("measure", f"volume:{folder}", *measure)
        if "length" not in done.stdout or any(word not in done.stderr for word in words):
            yield f"{name}, measured as asked for: {done.stdout}, {done.stderr}"
    pathlib.Path("empty").mkdir()
    said = run("process", "empty", "-o", "none.png", "--plane", "axial:0", status=1).stderr
    if said != "ondelette-cli: series:empty: there is no DICOM picture in this folder\n":
        yield f"of a folder without pictures: {said}"


def whole_copies():
    """Of a picture that is there twice, cut off in one of the files, the whole one is in the stack, whichever is found
    first, and whichever is asked for."""
    way = WAYS["axial"]
    values = [np.full((ROWS, COLUMNS), 100 * (i + 1)) for i in range(4)]
    for name in ("0.dcm", "zz.dcm"):
        folder = write(f"copies-{name}", way, row_of_places(way, 4, 2.5), values=values)
        victim = sorted(folder.glob("*.dcm"))[1]
        (folder / name).write_bytes(victim.read_bytes()[:-60])
        for location in (f"series:{folder}", f"series:{folder / name}", f"series:{victim}"):
            said = json.loads(run("info", location, "--json").stdout)
            if said.get("frames") != 4 and "4" not in str(said.get("size", "")) + str(said.get("slices", "")):
                yield f"{location}: {said}"
            for frame in range(1, 5):
                done = run("process", location, "--frame", frame, "-o", "out.npy", "--force")
                found = np.load("out.npy")
                if "incomplete" in done.stderr or len(np.unique(found)) != 1:
                    yield f"{location}, {frame}: {done.stderr}"


def filled():
    """Where slices are missing, or are there twice, and all else is even, the volume that is asked for has its true
    corners and distances; dark slices, marked and without numbers in files, take the places of missing ones."""
    way = turned((20, -12, 9))
    n = 10
    places = row_of_places(way, n, 2.5)
    of_place = [np.full((ROWS, COLUMNS), 100 * (i + 1)) for i in range(n)]
    tilted = row_of_places(way, n, 2.5, aside=0.5)
    in_time = [(t, i) for t in range(3) for i in range(n)]

    def some(name, kept, where=places):
        return write(name, way, [where[i] for i in kept], values=[of_place[i] for i in kept])

    # Name: folder, missing ones of each volume, words.
    folders = {
        "one": (some("f-one", [0, 1, 2, 4, 5, 6, 7, 8, 9]), [[3]], ["1 slice is missing"]),
        "two beside each other": (some("f-two", [0, 3, 4, 5, 6, 7, 8, 9]), [[1, 2]], ["2 slices are missing"]),
        "three": (some("f-three", [0, 5, 6, 7, 8, 9]), None, ["2.50 to 12.50 mm apart", "not known"]),
        "twice": (some("f-twice", [0, 1, 2, 2, 3, 4, 5, 6, 7, 8, 9]), [[]], ["1 picture lies where another one does and is left out"]),
        "twice and missing": (some("f-both", [0, 1, 2, 2, 3, 5, 6, 7, 8, 9]), [[4]], ["1 slice is missing", "1 picture lies"]),
        "tilted": (some("f-tilted", [0, 1, 2, 4, 5, 6, 7, 8, 9], tilted), [[3]], ["1 slice is missing", "gantry tilt of 11.3"]),
    }
    for lost in (0, 14, 29):
        there = [cell for i, cell in enumerate(in_time) if i != lost]
        folder = write(f"f-time{lost}", way, [places[i] for _, i in there], values=[of_place[i] + t for t, i in there])
        for path in folder.glob("*.dcm"):
            one = pydicom.dcmread(path)
            one.TemporalPositionIdentifier = int(one.pixel_array[0, 0]) % 100 + 1
            one.TriggerTime = str(40 * (one.TemporalPositionIdentifier - 1))
            one.save_as(path)
        folders[f"of volumes, {lost}"] = folder, [[lost % n] if lost // n == t else [] for t in range(3)], ["1 slice is missing"]
    for name, (folder, missing, words) in folders.items():
        told = json.loads(run("info", f"volume:{folder}", "--json").stdout)
        alone = json.loads(run("info", folder, "--json").stdout)
        if alone["slices"] != 0 or ("volume:FOLDER" in alone["warning"]) != (missing is not None):
            yield f"{name}, by itself: {alone['slices']}, {alone['warning']}"
        for word in words:
            if word not in told["warning"]:
                yield f"{name}: “{told['warning']}” lacks “{word}”"
        if missing is None:
            continue
        if told["slices"] != n or told["frames"] != n * len(missing) or abs(told["image"]["spacing_mm"][2] - 2.5) > 1e-4:
            yield f"{name}: {told['slices']} slices of {told['frames']} frames, {told['image']['spacing_mm']}"
        if len(missing) > 1 and told["details"]["volume-interval-s"] != "0.04":
            yield f"{name}: {told['details']}"
        run("process", f"volume:{folder}", "-o", "filled.nii.gz", "--force", status=3 if any(missing) else 0)
        image = nib.load("filled.nii.gz")
        data = image.get_fdata().reshape(COLUMNS, ROWS, n, -1)
        where = tilted if name == "tilted" else places
        for i in range(n):
            corner = (image.affine @ [0, 0, i, 1])[:3] * [-1, -1, 1]
            if np.abs(corner - where[i]).max() > 1e-3:
                yield f"{name}: slice {i} is at {corner}, not at {where[i]}"
            for t, lost in enumerate(missing):
                wanted = np.nan if i in lost else 100 * (i + 1) + t * (len(missing) > 1) - 1000
                if not np.allclose(data[..., i, t], wanted, atol=5e-3, equal_nan=True):
                    yield f"{name}: slice {i} of volume {t} is {data[0, 0, i, t]}, not {wanted}"
    done = run("process", "volume:f-one", "-o", "filled.png", "--force", "--plane", "coronal:2", status=3)
    if "warning: slices missing" not in done.stderr:
        yield f"a plane through a missing slice: {done.stderr}"


def damaged():
    """A picture of the series without its pixels: what is there is shown, filtered and written, the others are
    dark and marked, and have no numbers in files."""
    way = WAYS["axial"]
    for lost in (0, 2):
        values = [np.full((ROWS, COLUMNS), 100 * (i + 1)) for i in range(5)]
        folder = write(f"damaged{lost}", way, row_of_places(way, 5, 2), values=values)
        path = next(path for path in folder.glob("*.dcm") if pydicom.dcmread(path).pixel_array[0, 0] == 100 * (lost + 1))
        path.write_bytes(path.read_bytes()[:-2 * ROWS * COLUMNS])
        for recipe in ([], ["--filter", "convolve:shape=gaussian,size=3,dimensions=3,border=symmetric"]):
            done = run("process", folder, "-o", "damaged.nii.gz", "--force", *recipe, status=3)
            data = nib.load("damaged.nii.gz").get_fdata()
            none = [int(np.isnan(data[..., z]).sum()) for z in range(5)]
            if none != [ROWS * COLUMNS * (z == lost) for z in range(5)] or "1 of 5 slices is damaged" not in done.stderr:
                yield f"{lost}, {recipe}: {none}, {done.stderr}"
            if not recipe and not np.allclose(np.delete(data[0, 0], lost), [100 * i - 900 for i in range(5) if i != lost], atol=5e-3):
                yield f"{lost}: {data[0, 0]}"
            if recipe and "4 of 5 frames are damaged in part" not in done.stderr:
                yield f"{lost}: {done.stderr}"


def a_volume_in_time_is_lost():
    """All pictures of one volume are without pixels: of planes and of rendered views the others are shown, in their
    places and with crosses between them, whichever it is."""
    way, places = WAYS["axial"], row_of_places(WAYS["axial"], 4, 2)
    values = [np.full((ROWS, COLUMNS), 100 * volume + 40 * i) for volume in range(3) for i in range(4)]
    for lost in range(3):
        folder = write(f"lost{lost}", way, places * 3, numbers=list(range(12)), values=values)
        for path in folder.glob("*.dcm"):
            if pydicom.dcmread(path).InstanceNumber // 4 == lost:
                path.write_bytes(path.read_bytes()[:-2 * ROWS * COLUMNS])
        for way_to_look in (["--plane", "axial:1"], ["--rendering", "mr", "--duration", "0.12"]):
            done = run("process", f"series:{folder}", "-o", "lost-%d.png", "--force", *way_to_look, status=3)
            pictures = [pixels.read_png(f"lost-{t + 1}.png")[..., 0] for t in range(3)]
            crosses = [bool(min(p[0, 0], p[0, -1]) > p[0, p.shape[1] // 2]) for p in pictures]
            if "1 of 3 frames is damaged; a cross stands in its place" not in done.stderr \
                    or crosses != [t == lost for t in range(3)]:
                yield f"{lost}, {way_to_look}: {crosses}, {done.stderr}"


def openings(folder, *arguments):
    """How often a run opens each file of the folder."""
    libc = ctypes.CDLL(None, use_errno=True)
    watch = libc.inotify_init1(os.O_NONBLOCK)
    if watch < 0 or libc.inotify_add_watch(watch, os.fsencode(folder), 0x20) < 0:  # IN_OPEN
        raise tap.Skip(os.strerror(ctypes.get_errno()))
    run(*arguments, status=3)
    found, events = collections.Counter(), os.read(watch, 1 << 20)
    os.close(watch)
    while events:
        mask, _, size = struct.unpack_from("4xIII", events)
        assert not mask & 0x4000, "events were lost"  # IN_Q_OVERFLOW
        found[events[16:16 + size].rstrip(b"\0").decode()] += 1
        events = events[16 + size:]
    return found


def a_lost_volume_is_read_once():
    """A video that comes by it again and again reads the others each time, and that one no more."""
    way, places = WAYS["axial"], row_of_places(WAYS["axial"], 4, 2)
    values = [np.full((ROWS, COLUMNS), 100 * volume + 40 * i) for volume in range(3) for i in range(4)]
    folder = write("once", way, places * 3, numbers=list(range(12)), values=values)
    volume = {path.name: pydicom.dcmread(path).InstanceNumber // 4 for path in folder.glob("*.dcm")}
    for name in volume:
        if volume[name] == 1:
            (folder / name).write_bytes((folder / name).read_bytes()[:-2 * ROWS * COLUMNS])
    few, many = (openings(folder, "process", f"series:{folder}", "-o", f"{n}-%d.png", "--rendering", "mr", "--duration",
                          n * 0.04) for n in (3, 12))
    for number in range(3):
        more = sum(many[name] - few[name] for name in volume if volume[name] == number)
        if (more == 0) != (number == 1):
            yield f"files of volume {number} are opened {more} times more"


def others_in_the_folder():
    """The largest series of a folder; pictures that do not belong are counted."""
    way = WAYS["axial"]
    folder = write("mixed", way, row_of_places(way, 5, 2))
    write(folder, way, row_of_places(way, 3, 1), series="1.2.4")
    told = json.loads(run("info", folder, "--json").stdout)
    if told["slices"] != 5 or "3 pictures of other series" not in (told["warning"] or ""):
        yield f"{told['slices']}, {told['warning']}"
    other = json.loads(run("info", f"series:{next(folder.glob('1.2.4*'))}", "--json").stdout)
    if other["slices"] != 3 or other["warning"] is not None:
        yield f"{other['slices']}, {other['warning']}"


def read_again():
    """A volume that was written as MetaImage and as NIfTI lies where the pictures did."""
    way = turned((20, -12, 9))
    folder = write("again", way, row_of_places(way, 4, 1.25))
    run("process", folder, "-o", "again.nii.gz", "--force")
    run("process", folder, "-o", "again.mha", "--force")
    lines = pathlib.Path("again.mha").read_bytes().split(b"ElementDataFile")[0].decode().splitlines()
    header = dict(line.split(" = ") for line in lines if " = " in line)
    matrix = np.array(header["TransformMatrix"].split(), float).reshape(3, 3).T
    affine = nib.load("again.nii.gz").affine
    lps = np.diag([-1, -1, 1, 1]) @ affine
    if not np.allclose(matrix * np.array(header["ElementSpacing"].split(), float), lps[:3, :3], atol=1e-5) \
            or not np.allclose(np.array(header["Offset"].split(), float), lps[:3, 3], atol=1e-4):
        yield f"{header} and {lps}"


def a_real_picture():
    """A CT of the test data, made a series by its own places."""
    one = pydicom.dcmread(shared("pydicom/CT_small.dcm"))
    folder = pathlib.Path("real")
    folder.mkdir()
    for i in range(3):
        one.SOPInstanceUID = f"1.2.3.{i}"
        one.ImagePositionPatient = [-158.135803, -179.035797, -75.7 + 5 * i]
        one.save_as(folder / f"{i}.dcm")
    run("process", folder, "-o", "real.nii.gz", "--force")
    image = nib.load("real.nii.gz")
    wanted = [[-0.661468, 0, 0, 158.135803], [0, -0.661468, 0, 179.035797], [0, 0, 5, -75.7], [0, 0, 0, 1]]
    if not np.allclose(image.affine, wanted, atol=1e-4):
        yield f"{image.affine}"
    values = one.pixel_array.astype(float) * float(one.RescaleSlope) + float(one.RescaleIntercept)
    if np.abs(image.get_fdata()[..., 1].T - values).max() > 5e-3:
        yield "other values"


CASES = {
    "corners in millimetres, whichever way the pictures lie": every_orientation,
    "the order follows the places": turned_round,
    "numbers that run against the normal keep their order": counted_by_the_archive,
    "a tilted gantry is told, and kept in files": tilted,
    "spacing comes from places, never from Slice Thickness": told_of,
    "pictures with a rescaling of their own": rescaled_one_by_one,
    "several pictures at every place are several volumes": several_volumes,
    "volumes follow each other in time": volumes_in_time,
    "what is no volume says why": what_is_no_volume,
    "what is no volume is one where that is asked for": as_asked_for,
    "of a picture that is there twice the whole file is shown": whole_copies,
    "where slices are missing or there twice the others keep their places": filled,
    "a damaged picture leaves the others": damaged,
    "a lost volume leaves those before and after it": a_volume_in_time_is_lost,
    "a lost volume is read once": a_lost_volume_is_read_once,
    "other series in the folder are counted": others_in_the_folder,
    "NIfTI and MetaImage agree": read_again,
    "a real picture": a_real_picture,
}


def with_both(case):
    def guarded():
        if nib is None:
            raise tap.Skip("python3-nibabel or python3-pydicom is not here")
        problems = list(case())
        assert not problems, "\n".join(problems)
    return guarded


sys.exit(run_cases({name: with_both(case) for name, case in CASES.items()}))
