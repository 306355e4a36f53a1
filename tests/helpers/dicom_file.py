# SPDX-License-Identifier: MIT
"""Writes DICOM files."""
import itertools
import pathlib
import struct

LITTLE, BIG, RLE = (f"1.2.840.10008.1.2.{end}" for end in ("1", "2", "5"))
LONG = ("OB", "OW", "SQ", "UN")
COUNT = itertools.count()


class Writer:
    """A data set in explicit VR."""

    def __init__(self, syntax=LITTLE):
        self.order = ">" if syntax == BIG else "<"
        self.syntax = syntax
        self.elements = {}

    def put(self, tag, vr, *values):
        if vr in ("US", "SS"):
            body = struct.pack(f"{self.order}{len(values)}{'H' if vr == 'US' else 'h'}", *values)
        elif isinstance(values[0], bytes):
            body = values[0]
        else:
            body = "\\".join(map(str, values)).encode()
        body += (b"\0" if vr in ("OB", "OW", "UI") else b" ") * (len(body) % 2)
        self.elements[tag] = vr, body
        return self

    def items(self, tag, *writers):
        body = b"".join(struct.pack(f"{self.order}HHI", 0xfffe, 0xe000, len(inner)) + inner
                        for inner in (writer.body() for writer in writers))
        self.elements[tag] = "SQ", body
        return self

    def raw(self, tag, head):
        self.elements[tag] = None, head
        return self

    def body(self):
        out = b""
        for tag, (vr, body) in sorted(self.elements.items()):
            group = struct.pack(self.order + "HH", tag >> 16, tag & 0xffff)
            if vr is None:
                out += group + body
            elif vr in LONG:
                out += group + vr.encode() + b"\0\0" + struct.pack(self.order + "I", len(body)) + body
            else:
                out += group + vr.encode() + struct.pack(self.order + "H", len(body)) + body
        return out

    def frames(self, streams):
        """Encapsulated pixels, a fragment for each frame, without a table of offsets."""
        items = b"".join(struct.pack("<HHI", 0xfffe, 0xe000, len(data) + len(data) % 2) + data
                         + b"\0" * (len(data) % 2) for data in (b"", *streams))
        end = struct.pack("<HHI", 0xfffe, 0xe0dd, 0)
        return self.raw(0x7fe00010, b"OB\0\0\xff\xff\xff\xff" + items + end)

    def write(self, folder="."):
        meta = Writer()
        meta.put(0x00020001, "OB", b"\0\1").put(0x00020002, "UI", "1.2.840.10008.5.1.4.1.1.7")
        meta.put(0x00020003, "UI", "1.2.3.4").put(0x00020010, "UI", self.syntax)
        body = meta.body()
        length = struct.pack("<HH2sHI", 2, 0, b"UL", 4, len(body))
        path = pathlib.Path(folder) / f"{next(COUNT)}.dcm"
        path.write_bytes(b"\0" * 128 + b"DICM" + length + body + self.body())
        return path
