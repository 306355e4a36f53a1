#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""NRRD files that the command line writes, as teem's unu and the command line read them.

usage: nrrd_written.py ONDELETTE_CLI
"""
import os
import pathlib
import shutil
import subprocess
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "helpers"))
import nrrd  # noqa: E402
import tap  # noqa: E402
from places import CLI, info, run, run_cases, shown, turn, wrong_values  # noqa: E402

os.environ["ODL_ENGINE"] = "cpu"
UNU = shutil.which("teem-unu") or shutil.which("unu")
RANDOM = np.random.default_rng(41)
TIMES = ("volumes", "frames", "frame_rate", "frame_times_s")
DETAILS = ("image-position", "image-orientation", "slice-step", "orientation", "volume-interval-s")


def as_unu(path):
    """The samples as unu reads them, in the order of the file's axes, and the header's fields."""
    if UNU is None:
        raise tap.Skip("teem-apps is not here")
    subprocess.run([UNU, "save", "-f", "nrrd", "-e", "raw", "-en", "little", "-i", path, "-o", "unu.nrrd"], check=True,
                   timeout=280)
    head, data = pathlib.Path("unu.nrrd").read_bytes().split(b"\n\n", 1)
    fields = dict(line.split(": " if ": " in line else ":=", 1) for line in head.decode().splitlines()[1:]
                  if not line.startswith("#"))
    kinds = {"signed char": "i1", "uchar": "u1", "unsigned char": "u1", "short": "i2", "ushort": "u2", "int": "i4",
             "unsigned short": "u2", "uint": "u4", "unsigned int": "u4", "longlong": "i8", "long long int": "i8",
             "ulonglong": "u8", "unsigned long long int": "u8", "float": "f4", "double": "f8", "int8": "i1",
             "uint8": "u1", "int16": "i2", "uint16": "u2", "int32": "i4", "uint32": "u4", "int64": "i8", "uint64": "u8"}
    shape = [int(size) for size in fields["sizes"].split()][::-1]
    return np.frombuffer(data, "<" + kinds[fields["type"]]).reshape(shape), fields


def unlike(name, one, other):
    """What `info` says of two files that lie alike."""
    if not np.allclose(one["image"]["spacing_mm"], other["image"]["spacing_mm"], rtol=1e-8):
        yield f"{name}: spacing is {other['image']['spacing_mm']}"
    for key in TIMES:
        if one.get(key) != other.get(key):
            yield f"{name}: {key} is {other.get(key)}, not {one.get(key)}"
    for key in DETAILS:
        if one["details"].get(key) != other["details"].get(key):
            yield f"{name}: {key} is {other['details'].get(key)}, not {one['details'].get(key)}"


def numbers():
    """Every type of number comes out as it came in."""
    for kind in nrrd.TYPES:
        shape = (4, 5, 6)
        samples = (RANDOM.normal(0, 300, shape).astype(kind) if kind[0] == "f" else
                   RANDOM.integers(np.iinfo(kind).min, np.iinfo(kind).max, shape, endpoint=True, dtype=kind))
        nrrd.write("in.nrrd", samples, kinds="domain domain domain", spacings="1 2 3")
        run("process", "in.nrrd", "--force", "-o", "out.nrrd")
        got, fields = as_unu("out.nrrd")
        if got.dtype != samples.dtype or not np.array_equal(got, samples):
            yield f"{kind}: {got.dtype}, {np.count_nonzero(got != samples)} samples differ"
        if [float(word) for word in fields["spacings"].split()] != [1, 2, 3]:
            yield f"{kind}: {fields}"


def places():
    """Volumes keep their place, also over time and after a filter; unu finds the same directions."""
    for degrees in ((0, 0, 0), (20, -12, 9)):
        matrix = turn(degrees) @ np.diag((1.5, 2, 3))
        samples = RANDOM.integers(0, 4000, (3, 5, 6, 7)).astype("u2")
        nrrd.write("in.nrrd", samples, kinds="domain domain domain list", space="left-posterior-superior",
                   space_directions=nrrd.directions(matrix) + " none", space_origin="(-31.25,17.5,90)",
                   space_units='"mm" "mm" "mm"', spacings="nan nan nan 0.25", units='"" "" "" "s"')
        for filters in ([], ["-f", "gaussian"]):
            run("process", "in.nrrd", *filters, "--force", "-o", "out.nrrd")
            yield from unlike(f"{degrees} {filters}", info("in.nrrd"), info("out.nrrd"))
            got, fields = as_unu("out.nrrd")
            run("process", "in.nrrd", *filters, "--force", "-o", "out.mha")
            yield from wrong_values(f"{degrees} {filters}", got.reshape(15, 6, 7).astype("f4"),
                                    shown("out.mha", 15)[..., 0])
            told = [[float(word) for word in vector.strip("()").split(",")]
                    for vector in fields["space directions"].split()[:3]]
            if not np.allclose(np.linalg.det(told), np.linalg.det(matrix), rtol=1e-6):
                yield f"{degrees}: {fields['space directions']}"


def pipes():
    """What a later slice shows to be no whole numbers begins anew as floats, of which a pipe gets no more than a file."""
    samples = RANDOM.integers(0, 255, (4, 6, 8)).astype("u1")
    nrrd.write("in.igs.nrrd", samples, ["Seq_Frame0002_ImageStatus:=INVALID"], kinds="domain domain list")
    for name in "nrrd", "hdf5", "tiff-stack", "ome-tiff", "npy-stack":
        options = ["process", "in.igs.nrrd", "--force", "--format", name]
        run(*options, "-o", "out.file", status=3)
        with subprocess.Popen([CLI, *options, "-o", "-"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as done:
            piped = done.stdout.read()
        if done.returncode != 3 or piped != pathlib.Path("out.file").read_bytes():
            yield f"{name}: {len(piped)} bytes, {done.returncode}"
    run("process", "in.igs.nrrd", "--force", "-o", "out.seq.nrrd", status=3)
    got, _ = as_unu("out.seq.nrrd")
    wanted = samples.astype("f4")[:, None]
    wanted[2] = np.nan
    if got.dtype != np.float32 or not np.array_equal(got, wanted, equal_nan=True):
        yield f"{got.dtype}, {got.shape}"


def pictures():
    """Frames keep their times, even or not; a picture of colours has its colours."""
    samples = RANDOM.integers(0, 255, (4, 1, 6, 8)).astype("u1")
    for name, keys, fields in (
            ("even", (), {"spacings": "0.5 0.5 nan 0.04", "units": '"mm" "mm" "" "s"'}),
            ("uneven", ("axis 3 index type:=numeric", "axis 3 index values:=0 0.1 0.25 0.3"),
             {"spacings": "0.5 0.5 nan nan", "units": '"mm" "mm" "" "s"'})):
        nrrd.write("in.seq.nrrd", samples, keys, kinds="domain domain domain list", **fields)
        run("process", "in.seq.nrrd", "--force", "-o", "out.seq.nrrd")
        told = info("out.seq.nrrd")
        yield from unlike(name, info("in.seq.nrrd"), told)
        got, fields = as_unu("out.seq.nrrd")
        if not np.array_equal(got, samples):
            yield f"{name}: samples differ"
        if name == "uneven" and fields["axis 3 index values"].split() != ["0", "0.1", "0.25", "0.3"]:
            yield f"{name}: {fields}"
    run("process", "in.seq.nrrd", "--frames", "2-3", "--force", "-o", "out.seq.nrrd")
    got, fields = as_unu("out.seq.nrrd")
    if not np.array_equal(got, samples[1:3]) or not np.isclose(float(fields["spacings"].split()[3]), 0.15):
        yield f"a part: {fields}"
    colours = RANDOM.integers(0, 255, (6, 8, 3)).astype("u1")
    pathlib.Path("in.ppm").write_bytes(b"P6\n8 6\n255\n" + colours.tobytes())
    run("process", "in.ppm", "--force", "-o", "out.nrrd")
    got, fields = as_unu("out.nrrd")
    if not np.array_equal(got.reshape(colours.shape), colours) or fields["kinds"].split()[0] != "RGB-color":
        yield f"colours: {fields}"


if __name__ == "__main__":
    sys.exit(run_cases([
        ("numbers keep their types", numbers),
        ("volumes keep their places", places),
        ("pipes get what files get", pipes),
        ("pictures keep their times and colours", pictures),
    ]))
