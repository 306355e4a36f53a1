#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Values of volumes: whole numbers that are written as they are, what is no number, and more than memory
holds. As nibabel reads and writes them.

usage: volume_values.py ONDELETTE_CLI
"""
import gzip
import json
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "helpers"))
import nrrd  # noqa: E402
import tap  # noqa: E402
from command_line import run, run_cases  # noqa: E402

try:
    import nibabel as nib
except ImportError:
    nib = None

AFFINE = np.array([[1.5, -0.4, 0, -20], [0.4, 1.5, 0, 30], [0, 0, 3, -7], [0, 0, 0, 1.0]])


def save(path, samples, affine):
    image = nib.Nifti1Image(samples, affine)
    image.header.set_data_dtype(samples.dtype)
    nib.save(image, path)


def values(path):
    return nib.as_closest_canonical(nib.load(path)).get_fdata()


def info(path):
    return json.loads(run("info", path, "--json").stdout)


def exact_values():
    """Whole numbers of 16 bits come back as they are, from end to end of their range."""
    for kind, ends in (("i2", (-32768, 32767)), ("u2", (0, 65535)), ("u1", (0, 255))):
        samples = np.random.default_rng(8).integers(*ends, (9, 8, 7), endpoint=True).astype(kind)
        save("in.nii", samples, AFFINE)
        run("process", "in.nii", "-o", "out.nii", "--force")
        off = np.abs(values("out.nii").astype(float) - values("in.nii").astype(float)).max()
        if off != 0:
            yield f"{kind}: {off} off"


def more_than_memory():
    """Volumes over time that memory cannot hold are told of, and seen slice by slice; what is packed is
    not unpacked because a header asks for it."""
    header = nib.Nifti1Header()
    header.set_data_dtype("u1")
    header.set_data_shape((3000, 3000, 300, 4))
    header["vox_offset"], header["magic"] = 352, b"n+1"
    with open("large.nii", "wb") as file:
        file.write(header.binaryblock)
        file.truncate(352 + 3000 * 3000 * 300 * 4)
    if info("large.nii")["slices"] != 300:
        yield f"{info('large.nii')}"
    run("process", "large.nii", "-o", "slice.tif", "--frame", "7", "-f", "gaussian", "--force")
    for recipe in ("shrinkage:levels=1,dimensions=3", "convolve:shape=gaussian,size=3,dimensions=4"):
        done = run("process", "large.nii", "-o", "refused.nii", "-f", recipe, status=1)
        if "slice by slice" not in done.stderr or pathlib.Path("refused.nii").exists():
            yield f"{recipe}: {done.stderr}"
    pathlib.Path("large.nii").unlink()
    header.set_data_shape((20000, 20000, 20000))
    with gzip.open("bomb.nii.gz", "wb", 9) as file:
        file.write(header.binaryblock)
        for _ in range(64):
            file.write(bytes(1 << 20))
    done = run("info", "bomb.nii.gz", status=1)
    if "too large" not in done.stderr:
        yield done.stderr


def no_numbers():
    """What is no number is replaced before every way, alike, and told of whichever slice it is in."""
    samples = np.random.default_rng(9).random((9, 8, 7)).astype("f4")
    samples[2, 3, 4], samples[5, 5, 5], samples[7, 1, 2] = np.nan, np.inf, -np.inf
    save("in.nii", samples, AFFINE)
    if "3 samples are not numbers" not in json.dumps(info("in.nii")):
        yield f"nothing is said: {info('in.nii')}"
    results = []
    for engine in ("reference", "cpu:direct", "cpu:fft", "gl-compute:direct", "gl-compute:fft"):
        run("process", "in.nii", "-o", "out.nii", "--force", "-e", engine, "-f",
            "convolve:shape=gaussian,size=5,dimensions=3")
        results.append(values("out.nii"))
        off = np.abs(results[-1] - results[0]).max()
        if not off <= 1e-5:
            yield f"{engine}: {off} off"
        # The bright end where it is infinite, as everywhere else numbers.
        if not np.isfinite(results[-1]).all() or results[-1].max() > 1 + 1e-5 or results[-1].min() < -1e-5:
            yield f"{engine}: {results[-1].min()} to {results[-1].max()}"
    # What no filter touched stays as it is.
    run("process", "in.nii", "-o", "out.nii", "--force")
    if not np.array_equal(values("out.nii"), values("in.nii"), equal_nan=True):
        yield "without filters what is no number is replaced"


def windows():
    """Where the file states none, window and full scale hold the values of all slices and frames, but fill."""
    slices = np.multiply.outer([1, 2, 3, 4, 11], np.arange(72).reshape(9, 8)) - 5
    for kind, fill in ((kind, fill) for kind in ("<i2", ">i2", "<u2") for fill in (None, 30000)):
        samples = slices + 5 if kind == "<u2" else slices
        low, high = samples.min(), samples.max()
        samples = samples.astype(kind)
        if fill:
            samples[2:4, 0, :5] = fill
        big = kind[0] == ">"
        header = nib.Nifti1Header(endianness="big" if big else "little")
        header.set_data_dtype(kind)
        nib.save(nib.Nifti1Image(samples.T, np.diag([-1, -1, 1, 1]), header), "in.nii")
        pathlib.Path("in.mha").write_bytes(
            f"ObjectType = Image\nNDims = 3\nDimSize = 8 9 5\nElementType = MET_{'USHORT' if 'u' in kind else 'SHORT'}\n"
            f"BinaryDataByteOrderMSB = {big}\nElementDataFile = LOCAL\n".encode() + samples.tobytes())
        order = "big" if big else "little"
        nrrd.write("volume.nrrd", samples.astype(kind[1:]), endian=order, kinds="domain domain domain")
        nrrd.write("frames.nrrd", samples.astype(kind[1:]), endian=order, kinds="domain domain list")
        for name in "in.nii", "in.mha", "volume.nrrd", "frames.nrrd":
            told = info(name)["image"]
            window = told["window_centre"] - 0.5, told["window_width"] - 1
            bits = (-1024 if low < 0 else 0), 1023
            if window != ((low + high) / 2, high - low) or (told["stored_min"], told["stored_max"]) != bits:
                yield f"{name}, {kind}, fill {fill}: {window}, {told['stored_min']} to {told['stored_max']}"
            if fill and "taken for fill" not in json.dumps(info(name)):
                yield f"{name}: nothing is said of fill"


def all_right(case):
    if nib is None:
        raise tap.Skip("python3-nibabel is not here")
    wrong = list(case())
    assert not wrong, "\n".join(wrong)


CASES = {
    "whole numbers are written as they are": exact_values,
    "what is no number is replaced alike, and told": no_numbers,
    "windows hold the values of all slices": windows,
    "what exceeds memory is told": more_than_memory,
}
sys.exit(run_cases({name: lambda case=case: all_right(case) for name, case in CASES.items()}))
