# SPDX-License-Identifier: MIT
"""NRRD files as the format's definition has them, written without a library."""
import bz2
import gzip
import pathlib

import numpy as np

TYPES = {"i1": "int8", "u1": "uchar", "i2": "short", "u2": "unsigned short", "i4": "int", "u4": "uint32_t",
         "i8": "long long int", "u8": "uint64", "f4": "float", "f8": "double"}


def pack(data, encoding, kind):
    if encoding == "raw":
        return data
    if encoding == "gzip":
        return gzip.compress(data)
    if encoding == "bzip2":
        return bz2.compress(data)
    if encoding == "hex":
        digits = data.hex()
        return "\n".join(digits[i:i + 70] for i in range(0, len(digits), 70)).encode()
    return " ".join(repr(number) for number in np.frombuffer(data, kind).tolist()).encode()


def header(shape, kind, keys=(), version=5, **fields):
    """`shape` is that of the array, whose last axis is the first one of the file; names of fields have _ for
    blanks. `keys`: further lines."""
    lines = [f"NRRD000{version}", "# made by a test"]
    fields = {"type": TYPES[kind], "dimension": len(shape), "sizes": " ".join(map(str, shape[::-1])),
              "encoding": "raw", **({"endian": "little"} if int(kind[1]) > 1 else {}), **fields}
    lines += [f"{name.replace('_', ' ')}: {value}" for name, value in fields.items() if value is not None]
    return "\n".join([*lines, *keys]).encode() + b"\n"


def write(path, samples, keys=(), **fields):
    """Writes the array `samples` behind its header."""
    order = ">" if fields.get("endian") == "big" else "<"
    kind = samples.dtype.str[1:]
    data = pack(samples.astype(order + kind).tobytes(), fields.get("encoding", "raw"), order + kind)
    pathlib.Path(path).write_bytes(header(samples.shape, kind, keys, **fields) + b"\n" + data)


def vector(numbers):
    return "(" + ",".join(f"{number:.15g}" for number in numbers) + ")"


def directions(matrix):
    """Columns of a matrix, as vectors."""
    return " ".join(vector(column) for column in np.transpose(matrix))
