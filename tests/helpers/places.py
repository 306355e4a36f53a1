# SPDX-License-Identifier: MIT
"""Where voxels lie, as nibabel says and as the command line does, and what it shows of them. Places are
those of DICOM: millimetres along left, back and head (LPS)."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import warnings

import numpy as np

import pixels
import tap
from mha import WRITTEN

try:
    import nibabel as nib
except ImportError:
    nib = None

CLI = os.path.abspath(sys.argv[1])


def turn(degrees):
    """A rotation about each of three axes, one after the other."""
    whole = np.eye(3)
    for axis, angle in enumerate(np.radians(degrees)):
        one, other = [i for i in range(3) if i != axis]
        step = np.eye(3)
        step[one, one] = step[other, other] = np.cos(angle)
        step[one, other], step[other, one] = -np.sin(angle), np.sin(angle)
        whole = whole @ step
    return whole


def oblique(signs=(1, 1, 1), order=(0, 1, 2), degrees=(20, -12, 9), spacing=(1.5, 2, 3)):
    """An affine whose axes lie near those of the body, in any order and direction."""
    affine = np.eye(4)
    affine[:3, :3] = turn(degrees)[:, list(order)] @ np.diag(np.multiply(signs, spacing))
    affine[:3, 3] = -31.25, 17.5, 90
    return affine


def save(path, samples, affine, kind=None, order="<", slope=None, sform=2, qform=1, units="mm"):
    """Writes with nibabel; the samples stay as they are stored."""
    kind = kind or nib.Nifti1Image
    header = kind.header_class(endianness=order)
    header.set_data_dtype(samples.dtype)
    image = kind(samples, affine, header)
    image.header.set_xyzt_units(units, "sec")
    image.set_sform(affine, sform)
    if qform is not None:
        image.set_qform(affine, qform)
    if slope:
        image.header.set_slope_inter(*slope)
    nib.save(image, path)


def run(*arguments, status=0):
    done = subprocess.run([CLI, *map(str, arguments)], capture_output=True, encoding="utf-8",
                          timeout=300)
    assert done.returncode == status, f"{arguments}: {done.returncode} {done.stderr}"
    return done


def info(path):
    return json.loads(run("info", path, "--json").stdout)


def shown(path, n, status=0):
    """The values of all frames, as the command line writes them."""
    for old in pathlib.Path(".").glob("out-*.tif"):
        old.unlink()
    frames = ["-o", "out-%04d.tif"] if n > 1 else ["--frame", 1, "-o", "out-0001.tif"]
    run("process", path, *frames, status=status)
    return np.array([pixels.read_tiff(f"out-{i + 1:04}.tif")[1] for i in range(n)])


def truth(path):
    """Values as frames, rows and columns, each voxel's place in LPS, from nibabel."""
    image = nib.load(path)
    values = np.asanyarray(image.dataobj)
    if values.dtype.names:
        values = np.stack([values[name] for name in values.dtype.names], -1)
        colours = values.shape[-1]
    else:
        colours = 0
    values = values.reshape(*image.shape[:3], -1, max(colours, 1))
    turn = nib.orientations.io_orientation(image.affine)
    to_lps = nib.orientations.ornt_transform(turn, nib.orientations.axcodes2ornt("LPS"))
    values_lps = nib.orientations.apply_orientation(values, to_lps)
    affine = image.affine @ nib.orientations.inv_ornt_aff(to_lps, image.shape[:3])
    frames = values_lps.transpose(3, 2, 1, 0, 4)
    return (frames.reshape(-1, *frames.shape[2:]), np.diag([-1, -1, 1, 1]) @ affine,
            "".join(nib.aff2axcodes(image.affine)))


def wrong_values(name, got, wanted):
    if got.shape != wanted.shape:
        yield f"{name}: the shape is {got.shape}, not {wanted.shape}"
    elif not np.allclose(got, wanted, rtol=1e-6, atol=4e-7 * np.nanmax(np.abs(wanted)) + 1e-9, equal_nan=True):
        yield f"{name}: values differ by up to {np.nanmax(np.abs(got - wanted))}"


def corners(affine, extent):
    return np.array([affine @ [*np.multiply(corner, np.subtract(extent, 1)), 1]
                     for corner in np.ndindex(2, 2, 2)])[:, :3]


def wrong_place(name, told, affine, letters, extent):
    details = told["details"]
    numbers = {key: [float(word) for word in details[key].split("\\")]
               for key in ("image-position", "image-orientation", "slice-step")}
    got = np.eye(4)
    got[:3, 3], got[:3, 2] = numbers["image-position"], numbers["slice-step"]
    for axis in range(2):
        cosines = numbers["image-orientation"][3 * axis:3 * axis + 3]
        got[:3, axis] = np.multiply(cosines, told["image"]["spacing_mm"][axis])
    error = np.abs(corners(got, extent) - corners(affine, extent)).max()
    if error > 1e-3 or details["orientation"] != letters:
        yield f"{name}: corners are off by {error} mm, {details['orientation']} is {letters}"


def differences(path, told=None, true=None):
    """What differs from nibabel's reading of `true`, or of the file itself."""
    told = told or info(path)
    frames, affine, letters = truth(true or path)
    depth, height, width = told["slices"] or 1, *frames.shape[1:3]
    if told["frames"] != len(frames):
        yield f"{path}: {told['frames']} frames, not {len(frames)}"
        return
    if told["slices"]:
        spacing = np.linalg.norm(affine[:3, :3], axis=0)
        across = np.cross(affine[:3, 0], affine[:3, 1])  # of slices it is the distance between their planes
        spacing[2] = abs(affine[:3, 2] @ across) / np.linalg.norm(across)
        if not np.allclose(told["image"]["spacing_mm"], spacing, rtol=1e-5):
            yield f"{path}: spacing is {told['image']['spacing_mm']}, not {spacing}"
    yield from wrong_place(path, told, affine, letters, (width, height, depth))
    wanted = frames.astype("f4")
    cut_off = len(frames) > 1 and told["declared_frames"] > told["frames"]
    yield from wrong_values(path, shown(path, len(frames), status=3 if cut_off else 0), wanted)


def read_metaimage(path):
    """Values as frames, rows and columns, each voxel's place in LPS, and the header."""
    text, samples = pathlib.Path(path).read_bytes().split(b"ElementDataFile = LOCAL\n", 1)
    fields = dict(line.split(" = ", 1) for line in text.decode().splitlines() if " = " in line)
    numbers = {key: [float(word) for word in fields[key].split()]
               for key in ("TransformMatrix", "Offset", "ElementSpacing")}
    axes = int(fields["NDims"])
    width, height, *others = [int(word) for word in fields["DimSize"].split()]
    affine = np.eye(4)
    affine[:3, :3] = (np.reshape(numbers["TransformMatrix"], (axes, axes))[:3, :3].T
                      * numbers["ElementSpacing"][:3])
    affine[:3, 3] = numbers["Offset"][:3]
    channels = int(fields.get("ElementNumberOfChannels", 1))
    kind = next(kind for kind, name in WRITTEN.items() if fields["ElementType"] == f"MET_{name}")
    return np.frombuffer(samples, "<" + kind).reshape(-1, height, width, channels), affine, fields


def run_cases(cases):
    """Runs cases (name, function that yields what is wrong) in a folder of their own. Returns the exit status."""
    def with_nibabel(case):
        def guarded():
            if nib is None:
                raise tap.Skip("python3-nibabel is not here")
            yield from case()
        return guarded

    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory(prefix="ondelette-places-") as home:
        os.chdir(home)
        status = tap.run([(name, with_nibabel(case)) for name, case in cases])
        os.chdir("/")
    return status
