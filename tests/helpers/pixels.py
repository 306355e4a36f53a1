# SPDX-License-Identifier: MIT
"""Minimal PNG reader and writer and float TIFF reader, independent of the project's code."""
import struct
import zlib

import numpy as np

PNG_CHANNELS = {0: 1, 2: 3, 4: 2, 6: 4}
PNG_COLOUR = {1: 0, 2: 4, 3: 2, 4: 6}


def chunk(kind, data):
    return (struct.pack(">I", len(data)) + kind + data
            + struct.pack(">I", zlib.crc32(kind + data)))


def write_png(path, samples):
    """samples: height × width × channels, uint8 or uint16."""
    height, width, channels = samples.shape
    bits = samples.dtype.itemsize * 8
    rows = samples.astype(samples.dtype.newbyteorder(">")).reshape(height, -1)
    raw = b"".join(b"\0" + row.tobytes() for row in rows)
    header = struct.pack(">IIBBBBB", width, height, bits, PNG_COLOUR[channels], 0, 0, 0)
    with open(path, "wb") as out:
        out.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header)
                  + chunk(b"IDAT", zlib.compress(raw)) + chunk(b"IEND", b""))


def png_chunks(path):
    data = open(path, "rb").read()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", "no PNG signature"
    position = 8
    while position < len(data):
        length, kind = struct.unpack(">I4s", data[position:position + 8])
        body = data[position + 8:position + 8 + length]
        crc, = struct.unpack(">I", data[position + 8 + length:position + 12 + length])
        assert crc == zlib.crc32(kind + body), "wrong checksum"
        yield kind, body
        position += 12 + length


def png_texts(path):
    texts = {}
    for kind, body in png_chunks(path):
        key, _, rest = body.partition(b"\0")
        if kind == b"tEXt":
            texts[key.decode()] = rest.decode("latin-1")
        elif kind == b"iTXt":
            texts[key.decode()] = rest.split(b"\0", 4)[4].decode()
    return texts


def from_mean(row, above, step):
    row, above, out = row.tolist(), above.tolist(), [0] * step
    for i, value in enumerate(row):
        out.append((value + ((out[i] + above[i]) >> 1)) & 255)
    return out[step:]


def from_paeth(row, above, step):
    row, above, out = row.tolist(), above.tolist(), [0] * step
    corners = [0] * step + above
    for i, value in enumerate(row):
        left, corner, over = out[i], corners[i], above[i]
        to_left, to_above = over - corner, left - corner
        to_corner = to_left + to_above
        if to_left < 0:
            to_left = -to_left
        if to_above < 0:
            to_above = -to_above
        if to_corner < 0:
            to_corner = -to_corner
        if to_left <= to_above and to_left <= to_corner:
            guess = left
        else:
            guess = over if to_above <= to_corner else corner
        out.append((value + guess) & 255)
    return out[step:]


def unfilter(kind, row, above, step):
    """A row of bytes, of which NumPy knows how all but two kinds are filtered."""
    assert kind < 5, "no such filter"
    if kind == 0:
        return row
    if kind == 1:
        return np.add.accumulate(row.reshape(-1, step), 0, np.uint8).ravel()
    if kind == 2:
        return row + above
    return (from_mean if kind == 3 else from_paeth)(row, above, step)


def read_png(path):
    parts = list(png_chunks(path))
    width, height, bits, colour, _, _, interlace = struct.unpack(">IIBBBBB", parts[0][1])
    assert bits in (8, 16) and not interlace
    step = PNG_CHANNELS[colour] * bits // 8
    raw = zlib.decompress(b"".join(body for kind, body in parts if kind == b"IDAT"))
    lines = np.frombuffer(raw, np.uint8).reshape(height, 1 + width * step)
    rows = np.zeros((1 + height, width * step), np.uint8)
    for y, line in enumerate(lines):
        rows[1 + y] = unfilter(line[0], line[1:], rows[y], step)
    dtype = np.dtype(np.uint8 if bits == 8 else ">u2")
    samples = np.frombuffer(rows[1:].tobytes(), dtype)
    return samples.reshape(height, width, -1).astype(dtype.newbyteorder("="))


def read_tiff(path):
    """Tags and samples of an uncompressed little-endian TIFF, of any type of numbers, as floats that hold
    them."""
    data = open(path, "rb").read()
    assert data[:4] == b"II*\0", "no little-endian TIFF"
    offset, = struct.unpack("<I", data[4:8])
    count, = struct.unpack("<H", data[offset:offset + 2])
    sizes = {1: "B", 2: "s", 3: "H", 4: "I", 5: "II", 6: "b", 8: "h", 9: "i", 11: "f", 12: "d", 16: "Q"}
    tags = {}
    for i in range(count):
        entry = data[offset + 2 + 12 * i:offset + 14 + 12 * i]
        tag, kind, n = struct.unpack("<HHI", entry[:8])
        form = "<" + (f"{n}s" if kind == 2 else sizes[kind] * n)
        size = struct.calcsize(form)
        at = struct.unpack("<I", entry[8:])[0] if size > 4 else None
        body = data[at:at + size] if at is not None else entry[8:8 + size]
        tags[tag] = struct.unpack(form, body)
    assert tags[259] == (1,)
    kind = f"<{' uif'[tags[339][0]]}{tags[258][0] // 8}"
    raw = b"".join(data[at:at + size] for at, size in zip(tags[273], tags[279]))
    shape = (tags[257][0], tags[256][0], tags[277][0])
    wide = tags[258][0] > 16 and kind != "<f4"
    return tags, np.frombuffer(raw, kind).reshape(shape).astype("<f8" if wide else "<f4")
