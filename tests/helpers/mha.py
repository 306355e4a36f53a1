# SPDX-License-Identifier: MIT
"""MetaImage files (.mha) as tests write and read them."""
import pathlib

import numpy as np

TYPES = {"u1": "UCHAR", "i2": "SHORT", "u2": "USHORT"}
WRITTEN = TYPES | {"i1": "CHAR", "u4": "UINT", "i4": "INT", "f4": "FLOAT", "f8": "DOUBLE"}
UNIT = "ElementMin = 0\nElementMax = 1\n"  # values are the scaled ones


def write(path, samples, more="", channels=False):
    """Samples along ([t,] z,) y, x[, channels]: integers of one or two bytes as they are, others as 32-bit
    floats. `more`: further lines of the header."""
    kind = samples.dtype.str[1:]
    sides = samples.shape[:-1] if channels else samples.shape
    colours = f"ElementNumberOfChannels = {samples.shape[-1]}\n" if channels else ""
    pathlib.Path(path).write_bytes(
        f"ObjectType = Image\nNDims = {len(sides)}\nDimSize = {' '.join(map(str, sides[::-1]))}\n{colours}{more}"
        f"ElementType = MET_{TYPES.get(kind, 'FLOAT')}\nElementDataFile = LOCAL\n".encode()
        + samples.astype(f"<{kind if kind in TYPES else 'f4'}").tobytes())


def read(path, shape, channels=False):
    """The numbers of a file, which has that shape."""
    data = pathlib.Path(path).read_bytes()
    sides = shape[:-1] if channels else shape
    assert f"DimSize = {' '.join(map(str, sides[::-1]))}\n".encode() in data, data[:400]
    kind = next(kind for kind, name in WRITTEN.items() if f"ElementType = MET_{name}\n".encode() in data)
    return np.frombuffer(data[-int(kind[1]) * int(np.prod(shape)):], "<" + kind).reshape(shape).astype(float)
