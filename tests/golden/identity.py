#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What no filter touched keeps its numbers, bit by bit, as NumPy, nibabel, tifffile and pydicom have them;
fill and padding count in no range.

usage: identity.py ONDELETTE_CLI
"""
import json
import pathlib
import re
import sys

import cv2
import nibabel
import numpy as np
import pydicom
import tifffile
from pydicom.dataset import Dataset, FileMetaDataset
from pydicom.uid import ExplicitVRLittleEndian

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
from command_line import fails, run, run_cases  # noqa: E402

RANDOM = np.random.default_rng(34)
WHOLE = ["u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8"]
META = {"u1": "UCHAR", "i1": "CHAR", "u2": "USHORT", "i2": "SHORT", "u4": "UINT", "i4": "INT", "u8": "ULONG_LONG",
        "i8": "LONG_LONG", "f4": "FLOAT", "f8": "DOUBLE"}
CT, MAP = "1.2.840.10008.5.1.4.1.1.2", "1.2.840.10008.5.1.4.1.1.30"


def samples(kind, shape):
    """From end to end of the type; of floats, digits that single precision has not, and what is no number."""
    if kind[0] != "f":
        ends = np.iinfo(kind)
        a = RANDOM.integers(ends.min, ends.max, shape, dtype=kind, endpoint=True)
        a.flat[:4] = ends.min, ends.max, 0, 1
        return a
    a = RANDOM.normal(0, 1, shape).astype(kind)
    a.flat[:6] = 1 / 3, -0.0, np.nan, np.inf, -np.inf, 0.1
    return a


def convert(source, target, *more):
    return run("process", source, "-o", target, "--force", *more)


def read(path):
    """The numbers of a file, slices first."""
    if path.endswith(".npy"):
        return np.load(path)
    if path.endswith(".tif"):
        with tifffile.TiffFile(path) as file:  # which takes pages of a few bytes for one block
            return np.array([page.asarray() for page in file.pages]).squeeze()
    if path.endswith(".mha"):
        head, data = pathlib.Path(path).read_bytes().split(b"ElementDataFile = LOCAL\n", 1)
        name = re.search(rb"ElementType = MET_(\w+)", head).group(1).decode()
        sides = [int(n) for n in re.search(rb"DimSize = ([\d ]+)", head).group(1).split()]
        kind = next(key for key, word in META.items() if word == name)
        return np.frombuffer(data, "<" + kind).reshape(sides[::-1])
    return np.asarray(nibabel.load(path).dataobj.get_unscaled()).T


def differs(there, wanted, exact_type=True):
    if there is None or there.shape != wanted.shape:
        return f"shape {None if there is None else there.shape}, not {wanted.shape}"
    if exact_type and there.dtype != wanted.dtype:
        return f"{there.dtype}, not {wanted.dtype}"
    same = there.tobytes() == wanted.tobytes() if exact_type else np.array_equal(there, wanted, equal_nan=True)
    return None if same else f"{there.ravel()[:8]} and not {wanted.ravel()[:8]}"


def save_nifti(path, a, slope=1, intercept=0):
    image = nibabel.Nifti1Image(a.T, np.diag([-1, -1, 1, 1]), dtype=a.dtype)
    image.header.set_slope_inter(slope, intercept)
    image.header.set_data_dtype(a.dtype)
    with open(path, "wb") as file:
        image.header["vox_offset"], image.header["magic"] = 352, b"n+1"
        image.header["scl_slope"], image.header["scl_inter"] = slope, intercept
        image.header.set_sform(np.diag([-1, -1, 1, 1]), 1)
        file.write(image.header.binaryblock + b"\0\0\0\0" + a.tobytes())


def save_meta(path, a):
    head = f"ObjectType = Image\nNDims = 3\nDimSize = {' '.join(map(str, a.shape[::-1]))}\nElementSpacing = 1 1 1\n" \
           f"ElementType = MET_{META[a.dtype.str[1:]]}\nElementDataFile = LOCAL\n"
    pathlib.Path(path).write_bytes(head.encode() + a.tobytes())


def dicom(path, a, **more):
    data = Dataset()
    floats = a.dtype.kind == "f"
    data.SOPClassUID, data.SOPInstanceUID = MAP if floats else CT, f"1.2.3.{abs(hash(path)) % 10**9}"
    data.Modality, data.PatientID, data.SeriesInstanceUID, data.StudyInstanceUID = "CT", "1", "1.2.3.4", "1.2.3.5"
    data.Rows, data.Columns = a.shape[-2:]
    data.SamplesPerPixel, data.PhotometricInterpretation = 1, "MONOCHROME2"
    data.BitsAllocated = 8 * a.itemsize
    if a.ndim > 2:
        data.NumberOfFrames = len(a)
    if floats:
        data.add_new(0x7fe00008 if a.itemsize == 4 else 0x7fe00009, "OF" if a.itemsize == 4 else "OD", a.tobytes())
    else:
        data.BitsStored, data.HighBit, data.PixelRepresentation = data.BitsAllocated, data.BitsAllocated - 1, int(a.dtype.kind == "i")
        data.add_new(0x7fe00010, "OW", a.tobytes() + b"\0" * (a.nbytes % 2))
    for name, value in more.items():
        if isinstance(value, tuple):
            data.add_new(int(name[1:], 16), *value)
        else:
            setattr(data, name, value)
    data.file_meta = FileMetaDataset()
    data.file_meta.TransferSyntaxUID, data.file_meta.MediaStorageSOPClassUID = ExplicitVRLittleEndian, data.SOPClassUID
    data.file_meta.MediaStorageSOPInstanceUID = data.SOPInstanceUID
    data.is_little_endian, data.is_implicit_VR = True, False
    pydicom.dcmwrite(path, data, write_like_original=False)
    return data


def every_type():
    """Volumes of every type of number, from and to every format of volumes."""
    for kind in WHOLE + ["f4", "f8"]:
        a = samples(kind, (3, 4, 5))
        save_nifti("in.nii", a)
        save_meta("in.mha", a)
        np.save("in.npy", a)
        for source in ("in.nii", "in.mha", "in.npy"):
            for target in ("out.nii", "out.nii.gz", "out.mha", "out.stack.tif"):
                convert(source, target)
                off = differs(read(target), a)
                if off:
                    yield f"{kind} from {source} to {target}: {off}"


def pictures():
    """Single pictures as NPY and TIFF, parts of them, and turned ones; halves and truth values, big endian."""
    for kind in WHOLE + ["f4", "f8", "f2", ">i4", ">f8", "?"]:
        a = samples(kind.strip(">"), (6, 7)) if kind != "?" else RANDOM.integers(0, 2, (6, 7)).astype(bool)
        native = np.ascontiguousarray(a)
        np.save("in.npy", native.astype(kind))
        for target, types in (("out.npy", True), ("out.tif", kind not in ("f2", "?"))):
            convert("in.npy", target)
            off = differs(read(target), native, types)
            if off:
                yield f"{kind} to {target}: {off}"
        convert("in.npy", "out.npy", "--crop", "1,2,4,3", "--orient", "90")
        off = differs(np.load("out.npy"), np.ascontiguousarray(np.rot90(native[2:5, 1:5], -1)))
        if off:
            yield f"part of {kind}: {off}"


def scaled_values():
    """Slope and intercept stay beside the numbers where the format has them, else values are exact."""
    for kind, slope, intercept in (("i2", 1, -1024), ("u2", 0.5, 10), ("i2", 0.0123456, 0), ("i4", 3, -7), ("u1", -1, 255)):
        a = samples(kind, (2, 3, 4))
        slope, intercept = float(np.float32(slope)), float(np.float32(intercept))
        wanted = slope * a.astype(float) + intercept
        save_nifti("in.nii", a, slope, intercept)
        convert("in.nii", "out.nii")
        there = nibabel.load("out.nii")
        off = differs(read("out.nii"), a)
        if off or (there.dataobj.slope, there.dataobj.inter) != (slope, intercept):
            yield f"{kind}: {off}, {there.dataobj.slope} {there.dataobj.inter}"
        for target in ("out.mha", "out.stack.tif"):
            convert("in.nii", target)
            off = differs(read(target).astype(float), wanted)
            if off:
                yield f"{kind} × {slope} to {target}: {off}"
        convert("in.nii", "out.npy", "--frame", "1")
        off = differs(np.load("out.npy").astype(float), wanted[0])
        if off:
            yield f"{kind} × {slope} to out.npy: {off}"


def dicom_numbers():
    """32-bit whole numbers, floats and doubles of DICOM, with a scale that single precision does not have."""
    dose = np.array([[0, 1, 2, 3], [1000, 20000, 4000000, 70000000]], "u4")
    dicom("dose.dcm", dose, RescaleSlope="1e-6", RescaleIntercept="0")
    convert("dose.dcm", "out.npy")
    off = differs(np.load("out.npy"), dose * 1e-6)
    if off:
        yield f"dose: {off}"
    for kind in ("f4", "f8"):
        a = samples(kind, (4, 4))
        a[3, 3] = 1e9
        dicom("map.dcm", a)
        convert("map.dcm", "out.npy")
        off = differs(np.load("out.npy"), a)
        if off:
            yield f"{kind}: {off}"
    hounsfield = RANDOM.integers(0, 4096, (8, 8)).astype("u2")
    dicom("ct.dcm", hounsfield, RescaleSlope="1", RescaleIntercept="-1024")
    convert("ct.dcm", "out.npy")
    there = np.load("out.npy")
    if there.dtype.kind != "i" or not np.array_equal(there, hounsfield.astype(int) - 1024):
        yield f"HU: {there.dtype} {there.ravel()[:4]}"


def series_of_scales():
    """Slices with a slope each become their values, in doubles; a later one that does not fit the type of the
    first widens all."""
    folder = pathlib.Path("series")
    folder.mkdir()
    for name, slopes, first, later in (("pet", ("0.1", "0.3", "0.7"), 50, 4000), ("ct", ("1", "1", "1"), 50, 65535)):
        wanted = []
        for z, slope in enumerate(slopes):
            a = RANDOM.integers(0, first if z == 0 else later, (4, 5), endpoint=True).astype("u2")
            a[0, 0] = first if z == 0 else later
            dicom(str(folder / f"{z}.dcm"), a, RescaleSlope=slope, RescaleIntercept="-1000" if name == "ct" else "0",
                  ImagePositionPatient=[0, 0, 2 * z], ImageOrientationPatient=[1, 0, 0, 0, 1, 0], PixelSpacing=[1, 1],
                  InstanceNumber=z + 1, SOPInstanceUID=f"1.2.3.4.{z}")
            wanted.append(float(slope) * a.astype(float) + (-1000 if name == "ct" else 0))
        for target in ("out.mha", "out.nii.gz", "out.stack.tif"):
            done = convert("series:series", target)
            there = nibabel.load(target).get_fdata().T if ".nii" in target else read(target)
            off = differs(there.astype(float), np.array(wanted))
            if off:
                yield f"{name} to {target}: {off}"
            if done.stderr.count("series") > 1:
                yield f"said twice: {done.stderr}"


def with_fill(value, n):
    a = np.linspace(0, 1, 64).reshape(8, 8).astype("f4")
    a.flat[-n:] = value
    return a


def fill():
    """One repeated value beyond the others is fill: it stays as it is, and full scale is that of the others,
    which is said. A single outlier is none."""
    for value in (-1024, -9999, -32768, -1e6, -1e20, 1e20):
        np.save("in.npy", with_fill(value, 9))
        done = convert("in.npy", "out.npy")
        off = differs(np.load("out.npy"), with_fill(value, 9))
        if off:
            yield f"{value}: {off}"
        told = json.loads(run("info", "in.npy", "--json").stdout)
        # Of shares from 0 to 1 that is the range.
        if (told["image"]["stored_min"], told["image"]["stored_max"]) != (0, 1):
            yield f"{value}: range {told['image']['stored_min']} to {told['image']['stored_max']}"
        if "fill" not in told["warning"]:
            yield f"{value}: {told['warning']} {done.stderr}"
        np.save("single.npy", with_fill(value, 1))
        if "fill" in (json.loads(run("info", "single.npy", "--json").stdout)["warning"] or ""):
            yield f"{value}: a single one is taken for fill"
        measured = run("measure", "in.npy", "--ellipse", "0,0,4,2").stdout
        if "-" in measured.split("n")[0]:
            yield measured
    # Background and two tissues are no fill, nor is what is as far away as the others from each other.
    np.save("in.npy", np.repeat([0, 1, 2], 12).reshape(6, 6).astype("f4"))
    if "fill" in (json.loads(run("info", "in.npy", "--json").stdout)["warning"] or ""):
        yield "three labels: one is taken for fill"


def measured_numbers():
    """`measure` tells the file's numbers: labels, and what single precision does not hold."""
    a = np.full((8, 8), 16777217, "i4")
    a[0, 0] = 13999
    np.save("in.npy", a)
    found = json.loads(run("measure", "in.npy", "--ellipse", "0,0,8,8", "--ellipse", "0,0,1,1", "--json").stdout)["measured"]
    if found[0]["max"]["value"] != 16777217 or found[1]["mean"]["value"] != 13999:
        yield f"{found}"


def padding_case(name, kind, values, photometric="MONOCHROME2", **more):
    rng = np.random.default_rng(5)
    a = (rng.uniform(0.5, 1.5, (64, 64)) if kind[0] == "f" else rng.integers(100, 200, (64, 64))).astype(kind)
    a[:, :24] = np.array(values, kind)[rng.integers(0, len(values), (64, 24))]
    dicom(name, a, PhotometricInterpretation=photometric, **more)
    return a[:, 24:]


def padding():
    """Pixel padding, from value to limit, both included, in floats too, counts in no window, measure or noise."""
    cases = {
        "single": ("i2", [-2000], {"_280120": ("SS", -2000)}),
        "range": ("i2", [-2000, -1995, -1990], {"_280120": ("SS", -2000), "_280121": ("SS", -1990)}),
        "falling": ("i2", [-2000, -1990], {"_280120": ("SS", -1990), "_280121": ("SS", -2000)}),
        "above": ("u2", [4000, 4050, 4095], {"_280120": ("US", 4000), "_280121": ("US", 4095)}),
        "inverse": ("u2", [4000, 4095], {"_280120": ("US", 4000), "_280121": ("US", 4095), "photometric": "MONOCHROME1"}),
        "wide": ("i4", [-70000], {"_280120": ("SL", -70000)}),
        "float": ("f4", [-3000], {"_280122": ("FL", -3000.0)}),
        "floats": ("f4", [-3000, -2990], {"_280122": ("FL", -3000.0), "_280124": ("FL", -2990.0)}),
        "double": ("f8", [-3000, -2990], {"_280123": ("FD", -3000.0), "_280125": ("FD", -2990.0)}),
    }
    for name, (kind, values, more) in cases.items():
        picture = padding_case("in.dcm", kind, values, **more)
        convert("in.dcm", "out.tif")
        convert("in.dcm", "out.png")
        shown = cv2.imread("out.png", -1).astype(float)[:, 24:]
        top = 255 if shown.max() <= 255 else 65535
        if shown.min() > 0.02 * top or shown.max() < 0.98 * top:
            yield f"{name}: grey levels {shown.min()} to {shown.max()}"
        found = json.loads(run("measure", "in.dcm", "--ellipse", "0,0,64,64", "--json").stdout)["measured"][0]
        if found["min"]["value"] < picture.min() or found["max"]["value"] > picture.max():
            yield f"{name}: measured {found['min']['value']} to {found['max']['value']}"
        said = run("process", "in.dcm", "-o", "noise.tif", "-f", "soft-threshold:threshold=auto", "--force").stderr
        np.save("alone.npy", picture)
        image = json.loads(run("info", "in.dcm", "--json").stdout)["image"]
        threshold = float(re.search(r"threshold=([\d.e-]+)", said).group(1)) * (image["stored_max"] - image["stored_min"])
        if not 0.5 < threshold / (0.5 * picture.astype(float).std()) < 2:
            yield f"{name}: {said} ({threshold}, {picture.std()})"


def depths():
    """--depth says what a sample has, and refuses what a format lacks; without it filtered output stays."""
    np.save("in.npy", RANDOM.integers(0, 256, (16, 16)).astype("u1"))
    for depth, target, kind in ((None, "out.png", "u1"), ("16", "out.png", "u2"), ("8", "out.png", "u1"),
                                ("float", "out.tif", "f4"), ("8", "out.tif", "u1"), ("float", "out.npy", "f4")):
        convert("in.npy", target, "-f", "gaussian", *(("--depth", depth) if depth else ()))
        there = cv2.imread(target, -1) if target != "out.npy" else np.load(target)
        if there.dtype != np.dtype(kind):
            yield f"{depth} {target}: {there.dtype}"
    convert("in.npy", "out.tif", "-f", "gaussian", "--depth", "float")
    exact = tifffile.imread("out.tif")
    convert("in.npy", "out.png", "-f", "gaussian", "--depth", "16")
    if np.abs(cv2.imread("out.png", -1) - exact * 257).max() > 0.5 + 1e-2:
        yield "16 bits are not the nearest whole numbers"
    np.save("wide.npy", RANDOM.integers(0, 4096, (16, 16)).astype("u2"))
    convert("wide.npy", "out.png", "-f", "gaussian", "--depth", "8")
    if cv2.imread("out.png", -1).dtype != np.uint8:
        yield "8 bits of 16"
    for depth, target in (("float", "x.png"), ("16", "x.jpg"), ("8", "x.npy"), ("12", "x.png"), ("8", "x.jp2")):
        fails(2, "--depth", arguments=("process", "in.npy", "-o", target, "--depth", depth))


run_cases({
    "volumes-of-every-type-come-back-bit-by-bit": every_type,
    "pictures-of-every-type-come-back-bit-by-bit": pictures,
    "slope-and-intercept-stay-or-values-are-exact": scaled_values,
    "numbers-of-dicom-are-exact": dicom_numbers,
    "series-of-several-scales-are-exact": series_of_scales,
    "fill-counts-in-no-range": fill,
    "what-is-measured-is-the-files-number": measured_numbers,
    "padding-counts-in-no-window-measure-or-noise": padding,
    "depth-of-samples-can-be-chosen": depths,
})
