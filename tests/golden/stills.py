#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Still pictures: how they are turned, what is opacity, fewer samples of colours, several in one file.
Against Pillow, OpenJPEG and what the formats say.

usage: stills.py ONDELETTE_CLI
"""
import pathlib
import struct
import subprocess
import sys
import zlib

import numpy as np
from PIL import Image

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
import pixels  # noqa: E402
from command_line import fails, process, random_picture, read, run_cases  # noqa: E402

TURNS = (None, Image.Transpose.FLIP_LEFT_RIGHT, Image.Transpose.ROTATE_180, Image.Transpose.FLIP_TOP_BOTTOM,
         Image.Transpose.TRANSPOSE, Image.Transpose.ROTATE_270, Image.Transpose.TRANSVERSE, Image.Transpose.ROTATE_90)


def values(path, *more, status=0):
    process(path, "-o", "values.npy", "--force", *more, status=status)
    return np.load("values.npy")


def alike(got, wanted, bound=0.0):
    wanted = np.asarray(wanted, np.float64).squeeze()
    return got.shape == wanted.shape and np.abs(got - wanted).max() <= bound


def turned(array, orientation):
    """As Pillow does it; array: height × width × channels."""
    if orientation == 1:
        return array
    planes = [np.asarray(Image.fromarray(array[..., c].astype(np.int32)).transpose(TURNS[orientation - 1]))
              for c in range(array.shape[2])]
    return np.stack(planes, -1)


def exif(orientation, big=False, kind=3, prefix=False):
    order = ">" if big else "<"
    number = {1: "BBH", 3: "HH", 4: "I"}[kind]
    data = (orientation, 0, 0)[:len(number)]
    return ((b"Exif\0\0" if prefix else b"") + (b"MM\0*" if big else b"II*\0") + struct.pack(order + "IHHHI", 8, 1, 274, kind, 1)
            + struct.pack(order + number, *data) + b"\0\0\0\0")


def png(path, array, before=b"", after=b""):
    pixels.write_png(path, array)
    body = b"".join(pixels.chunk(kind, data) for kind, data in pixels.png_chunks(path) if kind not in (b"IHDR", b"IEND"))
    head = next(data for kind, data in pixels.png_chunks(path) if kind == b"IHDR")
    pathlib.Path(path).write_bytes(b"\x89PNG\r\n\x1a\n" + pixels.chunk(b"IHDR", head) + before + body + after
                                   + pixels.chunk(b"IEND", b""))


def interlaced(path, array, before):
    """Adam7, without filters, of 8 bits."""
    height, width, channels = array.shape
    raw = b""
    for x, y, across, down in ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)):
        part = array[y::down, x::across]
        raw += b"".join(b"\0" + row.tobytes() for row in part) if part.size else b""
    colour = {1: 0, 2: 4, 3: 2, 4: 6}[channels]
    pathlib.Path(path).write_bytes(
        b"\x89PNG\r\n\x1a\n" + pixels.chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, colour, 0, 0, 1)) + before
        + pixels.chunk(b"IDAT", zlib.compress(raw)) + pixels.chunk(b"IEND", b""))


def png_obeys_its_exif():
    for orientation in range(1, 9):
        for channels, dtype in ((1, np.uint8), (3, np.uint16), (4, np.uint8)):
            array = random_picture(channels, dtype, 11, 7)
            wanted = turned(array, orientation)
            chunk = pixels.chunk(b"eXIf", exif(orientation, big=channels == 3, kind=4 if channels == 4 else 3))
            for name, more in (("before", {"before": chunk}), ("after", {"after": chunk})):
                png("turned.png", array, **more)
                assert alike(values("turned.png"), wanted), (name, orientation, channels)
            if dtype == np.uint8:
                interlaced("turned.png", array, chunk)
                assert alike(values("turned.png"), wanted), ("interlaced", orientation, channels)
        assert read("info", "turned.png")["image"]["width"] == wanted.shape[1]
    for bad in (exif(0), exif(9), b"", b"II*\0\xff\xff\xff\xff", exif(6)[:20]):
        png("bad.png", array, before=pixels.chunk(b"eXIf", bad))
        assert alike(values("bad.png"), array), bad
    whole = pathlib.Path("turned.png").read_bytes()
    pathlib.Path("short.png").write_bytes(whole[:-30])
    assert values("short.png", status=3).shape[:2] == wanted.shape[:2]


def riff(*chunks):
    body = b"WEBP" + b"".join(name + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2) for name, data in chunks)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def webp_obeys_its_exif():
    array = random_picture(3, np.uint8, 12, 20)
    Image.fromarray(array).save("in.webp", lossless=True)
    data = pathlib.Path("in.webp").read_bytes()[12:]
    stream = data[:4], data[8:8 + struct.unpack("<I", data[4:8])[0]]
    size = bytes([8, 0, 0, 0, 19, 0, 0, 11, 0, 0])
    for orientation in range(1, 9):
        for prefix in (False, True):
            pathlib.Path("turned.webp").write_bytes(
                riff((b"VP8X", size), stream, (b"EXIF", exif(orientation, prefix=prefix))))
            assert alike(values("turned.webp"), turned(array, orientation)), (orientation, prefix)


def tiff(path, array, photometric, **more):
    """Uncompressed, one strip; more: further tags by t and their number."""
    height, width, samples = array.shape
    data = array.tobytes()
    tags = {256: width, 257: height, 258: [8 * array.dtype.itemsize] * samples, 259: 1, 262: photometric, 273: 8,
            277: samples, 278: height, 279: len(data), **{int(tag[1:]): value for tag, value in more.items()}}
    if array.dtype.kind == "f":
        tags[339] = [3] * samples
    pathlib.Path(path).write_bytes(tiff_bytes(tags, data))


def tiff_bytes(tags, data):
    out = b"II*\0\0\0\0\0" + data + b"\0" * (len(data) % 2)
    entries = b""
    for tag, value in sorted(tags.items()):
        numbers = value if isinstance(value, list) else [value]
        kind, word = (4, "I") if tag in (273, 279) else (3, "H")
        packed = struct.pack(f"<{len(numbers)}{word}", *numbers)
        if len(packed) > 4:
            packed, out = struct.pack("<I", len(out)), out + packed + b"\0" * (len(packed) % 2)
        entries += struct.pack("<HHI", tag, kind, len(numbers)) + packed.ljust(4, b"\0")
    return out[:4] + struct.pack("<I", len(out)) + out[8:] + struct.pack("<H", len(tags)) + entries + b"\0\0\0\0"


def tiff_is_turned_whoever_converts_it():
    """libtiff converts all but the first two."""
    colours, grey = random_picture(3, np.uint8, 9, 14), random_picture(1, np.uint8, 9, 14)
    lab = np.dstack([grey, np.zeros((9, 14, 2), np.uint8)])
    Image.fromarray(np.repeat(np.repeat(colours, 16, 0), 16, 1)).save("in.jpg", quality=95)
    stream = pathlib.Path("in.jpg").read_bytes()
    for orientation in range(1, 9):
        for name, array, photometric, more in (
                ("rgb", colours, 2, {}), ("grey", grey, 1, {}), ("lab", lab, 8, {}),
                ("cmyk", np.dstack([255 - colours, 0 * grey]), 5, {"t332": 1}), ("ycbcr", None, 6, {})):
            def put(way, array=array, photometric=photometric, more=more):
                if array is not None:
                    tiff("in.tif", array, photometric, t274=way, **more)
                else:
                    pathlib.Path("in.tif").write_bytes(tiff_bytes(
                        {256: 224, 257: 144, 258: [8] * 3, 259: 7, 262: 6, 273: 8, 274: way, 277: 3, 278: 144,
                         279: len(stream), 530: [2, 2]}, stream))
                return values("in.tif")
            stored = put(1)
            assert alike(put(orientation), turned(stored.reshape(*stored.shape[:2], -1), orientation)), (name, orientation)


def avif_is_turned_by_its_own_words_alone():
    array = random_picture(3, np.uint8, 16, 24)
    pixels.write_png("in.png", array)
    for orientation in (1, 6, 8):
        pathlib.Path("exif.bin").write_bytes(exif(orientation, prefix=True))
        subprocess.run(["avifenc", "--lossless", "-s", "10", "--exif", "exif.bin", "--irot", "1", "in.png", "in.avif"],
                       check=True, capture_output=True)
        assert alike(values("in.avif"), np.rot90(array)), orientation


def tiff_says_what_is_opacity():
    colour, height, width = np.array([200, 100, 40]), 3, 4
    share = np.array([[1, 128 / 255, 64 / 255, 0]] * height)[..., None]
    straight = np.concatenate([np.broadcast_to(colour / 255, (height, width, 3)), share], -1)
    multiplied = np.concatenate([straight[..., :3] * share, share], -1)
    seen = np.repeat(share > 0, 4, -1)
    for dtype, top, bound in ((np.uint8, 255, 1.01), (np.uint16, 65535, 3), (np.float32, 1, 1e-6)):
        def stored(shares, dtype=dtype, top=top):
            return (shares if top == 1 else np.rint(shares * top)).astype(dtype)
        for extra, shares in ((1, multiplied), (2, straight)):
            tiff("a.tif", stored(shares), 2, t338=extra)
            got = values("a.tif")
            assert np.abs(np.where(seen, got - straight * top, 0)).max() <= bound, (dtype, extra, got)
            # Among other samples, and with a plane of its own.
            more = np.concatenate([shares[..., :3], share * 0.5, shares[..., 3:]], -1)
            tiff("b.tif", stored(more), 2, t338=[0, extra])
            assert np.array_equal(values("b.tif"), got), (dtype, extra)
            planes = stored(more).transpose(2, 0, 1)
            size = planes[0].nbytes
            tags = {256: width, 257: height, 258: [8 * planes.itemsize] * 5, 259: 1, 262: 2,
                    273: [8 + size * i for i in range(5)], 277: 5, 278: height, 279: [size] * 5, 284: 2, 338: [0, extra]}
            if top == 1:
                tags[339] = [3] * 5
            pathlib.Path("planes.tif").write_bytes(tiff_bytes(tags, planes.tobytes()))
            assert np.array_equal(values("planes.tif"), got), (dtype, extra, "planes")
            # Grey.
            grey = shares[..., [0, 3]]
            tiff("g.tif", stored(grey), 1, t338=extra)
            assert np.array_equal(values("g.tif"), got[..., [0, 0, 0, 3]]), (dtype, extra, "grey")
    # What has no stated meaning is no opacity beside grey, and is what libtiff takes it for beside colours.
    grey, both = random_picture(1, np.uint8, 5, 6), random_picture(5, np.uint8, 5, 6)
    for more in ({}, {"t338": 0}):
        tiff("u.tif", np.dstack([grey, both[..., :1]]), 1, **more)
        done = process("u.tif", "-o", "u.npy", "--force")
        assert alike(np.load("u.npy"), grey) and "1 more sample" in done.stderr, done.stderr
        tiff("u.tif", both[..., :4], 2, **more)
        assert alike(values("u.tif"), both[..., :4]), more
    tiff("u.tif", np.dstack([grey, both]), 1, t338=[0] * 5)
    done = process("u.tif", "-o", "u.npy", "--force")
    assert alike(np.load("u.npy"), grey) and "5 more samples" in done.stderr, done.stderr
    palette = [int(value) for value in np.random.default_rng(1).integers(0, 256, 768) * 257]
    tiff("p.tif", np.dstack([grey, both[..., :1]]), 3, t320=palette, t338=2)
    wanted = np.dstack([np.array(palette).reshape(3, 256)[c][grey[..., 0]] // 257 for c in range(3)] + [both[..., 0]])
    assert alike(values("p.tif"), wanted)
    # Inks beside which libtiff's conversion sees nothing: that is said.
    inks = random_picture(6, np.uint8, 5, 6)
    for n, kinds, words in ((4, None, ()), (5, 2, ("its opacity is not shown",)), (5, 0, ("1 more sample",)),
                            (6, [0, 2], ("its opacity is not shown", "1 more sample"))):
        tiff("k.tif", np.ascontiguousarray(inks[..., :n]), 5, t332=1, **({} if kinds is None else {"t338": kinds}))
        done = process("k.tif", "-o", "k.npy", "--force")
        assert all(word in done.stderr for word in words) and bool(words) == bool(done.stderr), (kinds, done.stderr)
        assert alike(np.load("k.npy"), np.asarray(Image.fromarray(inks[..., :4], "CMYK").convert("RGB")), 1), kinds


def box(name, data):
    return struct.pack(">I", len(data) + 8) + name + data


def jp2(path, array, kinds, colour=16):
    """kinds: of each channel, for the box cdef; None: without it."""
    height, width, samples = array.shape
    array.transpose(2, 0, 1).tofile("in.raw")
    subprocess.run(["opj_compress", "-i", "in.raw", "-o", "in.j2k", "-F", f"{width},{height},{samples},8,u", "-n", "1",
                    "-mct", "0"], check=True, capture_output=True)
    head = box(b"ihdr", struct.pack(">IIHBBBB", height, width, samples, 7, 7, 0, 0))
    head += box(b"colr", struct.pack(">BBBI", 1, 0, 0, colour))
    if kinds is not None:
        counted = [i for i, kind in enumerate(kinds) if kind == 0]
        head += box(b"cdef", struct.pack(">H", samples) + b"".join(
            struct.pack(">HHH", i, kind, counted.index(i) + 1 if kind == 0 else 0) for i, kind in enumerate(kinds)))
    pathlib.Path(path).write_bytes(box(b"jP  ", b"\r\n\x87\n") + box(b"ftyp", b"jp2 \0\0\0\0jp2 ") + box(b"jp2h", head)
                                   + box(b"jp2c", pathlib.Path("in.j2k").read_bytes()))


def jp2_says_what_is_opacity():
    array = random_picture(4, np.uint8, 9, 8)
    array[..., 3] = np.arange(72).reshape(9, 8) * 3 + 20
    array[..., :3] //= 13
    jp2("straight.jp2", array, (0, 0, 0, 1))
    assert alike(values("straight.jp2"), array)
    jp2("multiplied.jp2", array, (0, 0, 0, 2))
    opacity = array[..., 3:].astype(float)
    wanted = np.minimum(np.rint(array[..., :3].astype(float) * 255 / opacity), 255)
    assert alike(values("multiplied.jp2"), np.concatenate([wanted, opacity], -1), 1)
    jp2("first.jp2", array[..., [3, 0, 1, 2]], (1, 0, 0, 0))
    assert alike(values("first.jp2"), array)
    jp2("unstated.jp2", array, None)
    assert alike(values("unstated.jp2"), array)
    jp2("grey.jp2", array[..., [0, 3]], (0, 1), 17)
    assert alike(values("grey.jp2"), array[..., [0, 0, 0, 3]])
    for kinds in None, (0, 65535):
        jp2("two.jp2", array[..., [0, 3]], kinds, 17)
        done = process("two.jp2", "-o", "two.npy", "--force")
        assert alike(np.load("two.npy"), array[..., :1]) and "1 more sample" in done.stderr, (kinds, done.stderr)


def jpeg_2000_with_fewer_samples_of_colours():
    """But for the first row and column where the grid begins between two samples: OpenJPEG shows those green."""
    random = np.random.default_rng(1)
    for width, height, across, down in ((16, 12, 2, 2), (17, 13, 2, 2), (16, 12, 2, 1), (19, 7, 2, 1)):
        small = (-(-height // down), -(-width // across))
        planes = [random.integers(0, 256, (height, width)), random.integers(40, 220, small), random.integers(40, 220, small)]
        pathlib.Path("in.raw").write_bytes(b"".join(plane.astype(np.uint8).tobytes() for plane in planes))
        for extension in ("jp2", "j2k"):
            for offset in ("0,0", "1,1", "2,3"):
                name = f"in.{extension}"
                subprocess.run(["opj_compress", "-i", "in.raw", "-o", name, "-n", "1", "-mct", "0", "-d", offset, "-F",
                                f"{width},{height},3,8,u@1x1:{across}x{down}:{across}x{down}"], check=True, capture_output=True)
                subprocess.run(["opj_decompress", "-i", name, "-o", "out.ppm"], check=True, capture_output=True)
                unequal = np.abs(values(name) - np.asarray(Image.open("out.ppm")).astype(float))
                assert unequal[1:, 1:].max() <= 1 and (offset != "0,0" or unequal.max() <= 1), (name, offset, unequal.max())


def several_pictures_are_said():
    grey, bits = random_picture(1, np.uint8, 2, 3), b"P4\n8 1\n\xaa"
    one = b"P5\n3 2\n255\n" + grey.tobytes()
    floats = b"Pf\n3 2\n-1\n" + np.arange(6, dtype="<f4").tobytes()
    for name, content, several in (("one.pgm", one, False), ("two.pgm", one * 2, True), ("mixed.pnm", one + bits, True),
                                   ("two.pbm", bits * 2, True), ("colours.ppm", b"P6\n1 1\n255\nabcP6\n1 1\n255\nxyz", True),
                                   ("deep.pgm", b"P5\n1 2\n1000\nabcd" * 3, True), ("floats.pfm", floats * 2, True),
                                   ("rest.pgm", one + b"\n\n", False), ("noise.pgm", one + b"Paris", False),
                                   ("line.pgm", one + b"\n" + one, True), ("plain.pgm", b"P2 3 2 255 1 2 3 4 5 6 7 8", False)):
        pathlib.Path(name).write_bytes(content)
        done = process(name, "-o", "out.png", "--force")
        assert ("several pictures" in done.stderr) == several, (name, done.stderr)
    assert alike(values("two.pgm"), grey)
    animated_png_and_jpeg_of_several()


def animated_png_and_jpeg_of_several():
    """Files that are also read by programs that know one picture in them."""
    one = np.random.default_rng(4).integers(0, 256, (12, 16, 3), np.uint8)
    two = Image.fromarray(one), Image.fromarray(255 - one)

    def control(n):
        return pixels.chunk(b"acTL", struct.pack(">II", n, 0))
    frame = pixels.chunk(b"fcTL", struct.pack(">5I2H2B", 0, 16, 12, 0, 0, 1, 10, 0, 0))
    two[0].save("two.png", save_all=True, append_images=two[1:])
    png("one-frame.png", one, control(1) + frame)
    png("apart.png", one, control(1), frame)
    png("late.png", one, b"", control(2) + frame)
    two[0].save("two.mpo", save_all=True, append_images=two[1:])
    pathlib.Path("two.jpg").write_bytes(pathlib.Path("two.mpo").read_bytes())
    # The second entry, behind the first one's 16 bytes: a smaller copy (CIPA DC-007, 5.2.3.3.1).
    data = bytearray(pathlib.Path("two.jpg").read_bytes())
    start = data.index(b"MPF\0") + 4
    order = "<" if data[start:start + 2] == b"II" else ">"
    at = start + struct.unpack_from(order + "I", data, start + 4)[0]
    value = next(at + 2 + 12 * k + 8 for k in range(3) if struct.unpack_from(order + "H", data, at + 2 + 12 * k)[0] == 0xB002)
    struct.pack_into(order + "I", data, start + struct.unpack_from(order + "I", data, value)[0] + 16, 0x010001)
    pathlib.Path("copy.jpg").write_bytes(data)
    struct.pack_into(order + "I", data, value, 0xFFFFFFF0)
    pathlib.Path("wild.jpg").write_bytes(data)
    two[0].save("one.jpg")
    for name, several in (("two.png", True), ("one-frame.png", False), ("apart.png", True), ("late.png", False), ("two.jpg", True),
                          ("copy.jpg", False), ("wild.jpg", False), ("one.jpg", False)):
        done = process(name, "-o", "out.png", "--force")
        assert ("several pictures" in done.stderr) == several, (name, done.stderr)
        if name.endswith(".png"):
            assert alike(values(name), one), name


def tga(path, kind, array, bits, corner=0x20, colours=None, map_bits=0, first=0, tail=b""):
    """array: bytes of pixels, height × width × bytes as the file has them; kind + 8: in runs, here of one pixel and plain."""
    height, width, size = array.shape
    data = array.tobytes()
    if kind & 8:
        rows = array.reshape(-1, size)
        data = b"".join(bytes([128 if i % 3 else 0]) + rows[i].tobytes() for i in range(len(rows)))
    head = struct.pack("<BBBHHBHHHHBB", 0, colours is not None, kind, first, 0 if colours is None else len(colours), map_bits,
                       0, 0, width, height, bits, corner)
    pathlib.Path(path).write_bytes(head + (b"" if colours is None else colours.tobytes()) + data + tail)


def tga_of_every_kind():
    """By the specification; Pillow and gdk-pixbuf leave out where a map begins, and maps of 16 bits."""
    random = np.random.default_rng(7)
    rgb, opacity = random.integers(0, 256, (5, 7, 3)).astype(np.uint8), random.integers(1, 256, (5, 7, 1)).astype(np.uint8)
    indices, colours = random.integers(0, 16, (5, 7, 1)).astype(np.uint8), random.integers(0, 256, (16, 3)).astype(np.uint8)

    def short(values):
        five = values.astype("<u2") >> 3
        return (five[..., 0] << 10 | five[..., 1] << 5 | five[..., 2])[..., None].astype("<u2")

    wide = np.rint((colours >> 3) * 255.0 / 31)
    mapped = colours[indices[..., 0]]
    rgba = np.concatenate([rgb, opacity], -1)
    bgra = rgba[..., [2, 1, 0, 3]]
    for runs in 0, 8:
        for corner, turn in ((0x20, np.s_[:]), (0, np.s_[::-1]), (0x30, np.s_[:, ::-1]), (0x10, np.s_[::-1, ::-1])):
            tga("a.tga", 1 | runs, indices[turn], 8, corner, colours[:, ::-1], 24)
            assert alike(values("a.tga"), mapped), (runs, corner, "map")
            tga("a.tga", 2 | runs, rgb[turn][..., ::-1], 24, corner)
            assert alike(values("a.tga"), rgb), (runs, corner)
        tga("a.tga", 1 | runs, indices + 10, 8, 0x20, colours[:, ::-1], 24, first=10)
        assert alike(values("a.tga"), mapped), "a map that begins later"
        tga("a.tga", 1 | runs, indices.astype("<u2"), 16, 0x20, colours[:, ::-1], 24)
        assert alike(values("a.tga"), mapped), "indices of 16 bits"
        tga("a.tga", 1 | runs, indices, 8, 0x20, short(colours), 16)
        assert alike(values("a.tga"), wide[indices[..., 0]]), "a map of 16 bits"
        tga("a.tga", 2 | runs, short(rgb), 16)
        assert alike(values("a.tga"), np.rint((rgb >> 3) * 255.0 / 31)), "colours of 16 bits"
        tga("a.tga", 3 | runs, rgb[..., :1], 8)
        assert alike(values("a.tga"), rgb[..., :1]), "grey"
    footer = b"TRUEVISION-XFILE.\0"
    for said, wanted in ((0, rgb), (2, rgb), (3, rgba), (4, None)):
        area = bytes(494) + bytes([said])
        place = 18 + bgra.size
        tga("a.tga", 2, bgra, 32, 0x28, tail=area + struct.pack("<II", place, 0) + footer)
        got = values("a.tga")
        if wanted is None:
            wanted = np.concatenate([np.minimum(np.rint(rgb * 255.0 / opacity), 255), opacity], -1)
        assert alike(got, wanted, 1 if said == 4 else 0), said
    for corner in 0x28, 0x20:
        tga("a.tga", 2, bgra, 32, corner)
        assert alike(values("a.tga"), rgba), corner
    tga("a.tga", 1, indices + 100, 8, 0x20, colours[:, ::-1], 24)
    assert not values("a.tga", status=3).any()
    whole = pathlib.Path("a.tga").read_bytes()
    for length, status in ((17, 1), (40, 1), (66, 1), (72, 1), (73, 3), (len(whole) - 1, 3)):
        pathlib.Path("cut.tga").write_bytes(whole[:length])
        process("cut.tga", "-o", "cut.png", "--force", status=status)


def y4m_is_what_it_says_or_refused():
    """GStreamer takes samples of 10 bits for bytes."""
    for kind in "yuv420p", "yuv422p", "yuv444p":
        subprocess.run(["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc=size=64x48:rate=5:duration=0.4", "-pix_fmt",
                        kind, "in.y4m"], check=True)
        luma = np.frombuffer(pathlib.Path("in.y4m").read_bytes().split(b"FRAME\n", 1)[1][:64 * 48], np.uint8).reshape(48, 64)
        got = np.tensordot(values("in.y4m"), [0.299, 0.587, 0.114], 1)
        assert np.abs(np.clip(got, 0, 255) - np.clip((luma - 16.0) * 255 / 219, 0, 255)).max() < 12, kind
    for kind in "yuv420p10le", "gray", "yuv411p", "yuv444p12le":
        subprocess.run(["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc=size=64x48:rate=5:duration=0.4", "-pix_fmt",
                        kind, "-strict", "-1", "in.y4m"], check=True)
        fails(1, "in.y4m", "Y4M", "8 bits", arguments=("info", "in.y4m"))


sys.exit(run_cases({
    "PNG obeys its Exif": png_obeys_its_exif,
    "WebP obeys its Exif": webp_obeys_its_exif,
    "TIFF is turned, whoever converts it": tiff_is_turned_whoever_converts_it,
    "AVIF is turned by its own words alone": avif_is_turned_by_its_own_words_alone,
    "TIFF says what is opacity": tiff_says_what_is_opacity,
    "JP2 says what is opacity": jp2_says_what_is_opacity,
    "JPEG 2000 with fewer samples of colours": jpeg_2000_with_fewer_samples_of_colours,
    "TGA of every kind": tga_of_every_kind,
    "Y4M is what it says, or refused": y4m_is_what_it_says_or_refused,
    "several pictures in a file are said": several_pictures_are_said,
}))
