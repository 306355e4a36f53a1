#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Damaged volumes, and volumes over time: each must be written whole as NIfTI or end in a sentence, never in
a crash of the decoder.

usage: fuzz_volumes.py ONDELETTE_CLI [--files N] [--seed N] [--keep FOLDER] [--corpus ZIP]

Small NIfTI-1 and -2 files (one file, header and samples, both byte orders, gzip), MetaImage files (one
file, header and samples, slices in files of their own, zlib, text) and NRRD files (every encoding, sequences,
samples beside), and stacks of TIFF pages, as ImageJ and tifffile write them. What is packed is damaged before or
after packing; numbers of text become others, such as 10⁹, −1 and NaN. With a decoder that was built under the
address sanitizer (ODL_DECODER), a wrong access is a crash. Exits with 1 after one; its files are kept.
"""
import bz2
import gzip
import io
import re
import struct
import zlib

import numpy as np
import tifffile

import fuzzing

RANDOM = np.random.default_rng(1)
SHAPES = ((5, 6, 7), (3, 4, 5, 6))
NUMBERS = (b"0", b"-1", b"1", b"2", b"17", b"65536", b"1000000000", b"4294967296", b"-2147483648", b"1e300", b"1e-300",
           b"nan", b"inf", b"0.0", b"999999999999999999999")


def nifti(dtype, shape, version=1, order="<", pair=False, form=1):
    """Header and samples; x is stored first, so that shapes are (t, )z, y, x."""
    code = {"u1": 2, "i2": 4, "i4": 8, "f4": 16, "f8": 64, "i1": 256, "u2": 512}[dtype]
    size = np.dtype(dtype).itemsize
    dims = [len(shape), *reversed(shape)] + [1] * (7 - len(shape))
    pixdim = [-1.0, 2.0, 2.5, 3.0, 0.5, 1.0, 1.0, 1.0]
    affine = [1.6, -1.2, 0, -30, 1.2, 1.6, 0, -40, 0, 0, 3, 20]
    if version == 1:
        head = struct.pack(order + "i36x8h14xhhh", 348, *dims, code, size * 8, 0)
        head += struct.pack(order + "8ffff2xBB8x8x", *pixdim, 0 if pair else 352, 2.0, 1.0, 2, 10)
        head = head.ljust(252, b"\0") + struct.pack(order + "hh6f12f", form, form, 0.1, 0.2, 0.3, -30, -40, 20,
                                                    *affine)
        head = head.ljust(344, b"\0") + (b"ni1\0" if pair else b"n+1\0")
    else:
        head = struct.pack(order + "i8shh8q3d8dq2d", 540, b"ni2\0\r\n\x1a\n" if pair else b"n+2\0\r\n\x1a\n", code,
                           size * 8, *dims, 0, 0, 0, *pixdim, 0 if pair else 544, 2.0, 1.0)
        head = head.ljust(344, b"\0") + struct.pack(order + "ii6d12d", form, form, 0.1, 0.2, 0.3, -30, -40, 20,
                                                    *affine)
        head = head.ljust(540, b"\0")
    samples = RANDOM.integers(0, 120, shape).astype(order + dtype).tobytes()
    return head, samples


def whole(*arguments, **more):
    head, samples = nifti(*arguments, **more)
    return head + bytes(4) + samples


def meta(lines, shape, data, place=b"LOCAL"):
    text = [b"ObjectType = Image", b"NDims = %d" % len(shape),
            b"DimSize = " + b" ".join(b"%d" % n for n in reversed(shape)), *lines,
            b"ElementDataFile = " + place]
    return b"\n".join(text) + b"\n" + data


def samples(shape, dtype="<i2"):
    return RANDOM.integers(0, 120, shape).astype(dtype).tobytes()


SHORT, PLACED = b"ElementType = MET_SHORT", [b"ElementSpacing = 0.5 0.6 2", b"Offset = -10 20 30",
                                             b"TransformMatrix = 0.8 0.6 0 -0.6 0.8 0 0 0 1"]
PACKED = zlib.compress(samples(SHAPES[0]))
# Extension, content, and the files beside it.
SEEDS = [
    (".nii", whole("i2", SHAPES[0]), {}), (".nii", whole("f4", SHAPES[1], order=">"), {}),
    (".nii", whole("u1", SHAPES[1], version=2), {}), (".nii", whole("f8", SHAPES[0], version=2, order=">", form=0), {}),
    (".nii.gz", whole("u2", SHAPES[1]), {}), (".nii.gz", whole("i4", SHAPES[0], version=2), {}),
    (".hdr", nifti("i2", SHAPES[0], pair=True)[0], {".img": samples(SHAPES[0])}),
    (".mha", meta([SHORT, *PLACED], SHAPES[0], samples(SHAPES[0])), {}),
    (".mha", meta([b"ElementType = MET_FLOAT", b"ElementByteOrderMSB = True", b"HeaderSize = -1"], SHAPES[1],
                  samples(SHAPES[1], ">f4")), {}),
    (".mha", meta([SHORT, b"CompressedData = True", b"CompressedDataSize = %d" % len(PACKED)], SHAPES[0], PACKED), {}),
    (".mha", meta([b"ElementType = MET_UCHAR", b"ElementNumberOfChannels = 3"], SHAPES[0],
                  samples((*SHAPES[0], 3), "u1")), {}),
    (".mhd", meta([SHORT, *PLACED], SHAPES[0], b"", b"NAME.raw"), {".raw": samples(SHAPES[0])}),
    (".mhd", meta([SHORT], SHAPES[0], b"", b"LIST\n" + b"\n".join([b"NAME.raw"] * SHAPES[0][0])),
     {".raw": samples(SHAPES[0][1:])}),
    (".mhd", meta([b"ElementType = MET_UCHAR"], SHAPES[0], b"", b"NAME%d.raw 1 5 1"), {".raw": samples(SHAPES[0][1:], "u1")}),
]


def nrrd(fields, data, keys=(), end=b"\n"):
    lines = [b"NRRD0005", *(f"{name}: {value}".encode() for name, value in fields.items()), *keys]
    return b"\n".join(lines) + b"\n" + end + data


def packed(content):
    out = io.BytesIO()
    with gzip.GzipFile(fileobj=out, mode="wb", mtime=0) as file:
        file.write(content)
    return out.getvalue()


PLACE = {"space": "left-anterior-superior", "space directions": "(0.8,0.6,0) (-0.6,0.8,0) (0,0,2)",
         "space origin": "(-10,20,30)", "kinds": "domain domain domain"}
SEQUENCE = {"kinds": "list domain domain domain", "units": '"s" "" "" ""', "space": "RAS",
            "space directions": "none (1,0,0) (0,1,0) (0,0,1)"}
PLUS = [b"ultrasound image orientation:=UNA", b"Seq_Frame0000_Timestamp:=0.5", b"Seq_Frame0001_Timestamp:=0.75",
        b"Seq_Frame0002_Status:=INVALID"]
CUBE = {"type": "short", "dimension": 3, "sizes": "7 6 5", "endian": "little"}
STEPS = {"type": "float", "dimension": 4, "sizes": "6 5 4 3", "endian": "big"}
SEEDS += [
    (".nrrd", nrrd({**CUBE, "encoding": "raw", **PLACE}, samples(SHAPES[0])), {}),
    (".nrrd", nrrd({**STEPS, "encoding": "gzip", **SEQUENCE}, gzip.compress(samples(SHAPES[1], ">f4")),
                   [b"axis 0 index type:=numeric", b"axis 0 index values:=0 0.1 0.2 0.3 0.4 0.5"]), {}),
    (".nrrd", nrrd({**CUBE, "encoding": "bzip2", "spacings": "0.5 0.6 2"}, bz2.compress(samples(SHAPES[0]))), {}),
    (".nrrd", nrrd({**CUBE, "encoding": "hex", "kinds": "domain domain list"}, samples(SHAPES[0]).hex().encode(), PLUS), {}),
    (".nrrd", nrrd({**CUBE, "encoding": "text", "axis mins": "0 0 0", "axis maxs": "1 2 3"},
                   b" ".join(b"%d" % n for n in range(210))), {}),
    (".nhdr", nrrd({**CUBE, "encoding": "raw", **PLACE, "data file": "NAME.raw"}, b"", end=b""), {".raw": samples(SHAPES[0])}),
    (".nhdr", nrrd({**CUBE, "encoding": "gzip", "byte skip": -1, "line skip": 0, "data file": "NAME.raw"}, b"", end=b""),
     {".raw": gzip.compress(b"abc" + samples(SHAPES[0]))}),
    (".nhdr", nrrd({**CUBE, "encoding": "raw", "data file": "NAME%d.raw 1 5 1"}, b"", end=b""), {".raw": samples(SHAPES[0][1:])}),
    (".nhdr", nrrd({**CUBE, "encoding": "raw", "data file": "LIST"}, b"\n".join([b"NAME.raw"] * 5), end=b""),
     {".raw": samples(SHAPES[0][1:])}),
    (".nhdr", nrrd({**CUBE, "encoding": "raw", "data file": "SKIPLIST"}, b"\n".join([b"0 NAME.raw"] * 5), end=b""),
     {".raw": samples(SHAPES[0][1:])}),
]


def stack(kind, *shape, **more):
    out = io.BytesIO()
    tifffile.imwrite(out, RANDOM.integers(0, 120, shape).astype(kind), photometric="minisblack", **more)
    return out.getvalue()


SEEDS += [
    (".tif", stack("u2", 2, 3, 2, 6, 7, imagej=True, resolution=(4, 4), metadata={
        "axes": "TZCYX", "spacing": 2, "unit": "mm", "finterval": 0.1, "min": 3, "max": 90, "vunit": "HU", "cf": 0, "c0": -3, "c1": 2}), {}),
    (".tif", stack("f4", 3, 2, 6, 7, bigtiff=True, metadata={"axes": "ZTYX"}), {}),
    (".tif", stack("u2", 2, 3, 2, 6, 7, ome=True, metadata={"axes": "TCZYX", "PhysicalSizeX": 0.5, "PhysicalSizeY": 0.5, "TimeIncrement": 2}), {}),
    (".tif", stack("u1", 12, 6, 7, truncate=True, imagej=True, metadata={"axes": "ZYX"}), {}),
    (".tif", stack("f8", 4, 16, 16, byteorder=">", tile=(16, 16), compression="zlib", metadata={"axes": "ZYX"}), {}),
]


def other_number(text, chance):
    """One number of a header's text as another one."""
    head = text[:text.find(b"ElementDataFile")] if b"ElementDataFile" in text else text.split(b"\n\n", 1)[0]
    places = list(re.finditer(rb"-?\d[\d.]*", head))
    if not places:
        return text
    place = chance.choice(places)
    return text[:place.start()] + chance.choice(NUMBERS) + text[place.end():]


def write(path, chance, folder):
    extension = ".nii.gz" if path.name.endswith(".nii.gz") else path.suffix
    _, content, beside = chance.choice([seed for seed in SEEDS if seed[0] == extension])
    stem = path.name[:-len(extension)]
    content = content.replace(b"NAME", stem.encode())
    for name, data in beside.items():
        data = fuzzing.damage(data, chance) if chance.random() < 0.2 else data
        for number in range(6) if b"%d" in content else ("",):
            (folder / f"{stem}{number}{name}").write_bytes(data)
    if extension in (".mha", ".mhd", ".nrrd", ".nhdr") and chance.random() < 0.6:
        content = other_number(content, chance)
    elif extension == ".tif":
        content = fuzzing.damage(content, chance)
    elif extension != ".nii.gz":
        # Most of it in the header.
        head = content[:352] if chance.random() < 0.8 else content
        content = fuzzing.damage(head, chance) + content[len(head):]
    elif chance.random() < 0.6:
        content = packed(fuzzing.damage(content[:352], chance) + content[352:])
    else:
        content = fuzzing.damage(packed(content), chance)
    path.write_bytes(content)


if __name__ == "__main__":
    fuzzing.run(write, lambda n: SEEDS[n % len(SEEDS)][0], "fuzz-volumes", "nii")
