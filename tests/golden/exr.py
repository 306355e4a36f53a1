#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""OpenEXR: layers, windows, opacity, and luminance with chroma, against OpenEXR's own library.

usage: exr.py ONDELETTE_CLI
"""
import ctypes
import ctypes.util
import pathlib
import struct
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
import pixels  # noqa: E402
from command_line import fails, process, read, run, run_cases  # noqa: E402

TYPES = ("<u4", "<f2", "<f4")
YC, YCA = 0x30, 0x38  # of ImfCRgbaFile.h


def named(text):
    return text.encode() + b"\0"


def attribute(name, kind, value):
    return named(name) + named(kind) + struct.pack("<i", len(value)) + value


def header_of(channels, data, display, order=0, more=b""):
    names = b"".join(named(name) + struct.pack("<iBBBBii", TYPES.index(samples.dtype.str), 0, 0, 0, 0, 1, 1)
                     for name, samples in sorted(channels.items())) + b"\0"
    return (attribute("channels", "chlist", names) + attribute("compression", "compression", b"\0")
            + attribute("dataWindow", "box2i", struct.pack("<4i", *data))
            + attribute("displayWindow", "box2i", struct.pack("<4i", *display))
            + attribute("lineOrder", "lineOrder", bytes([order]))
            + attribute("pixelAspectRatio", "float", struct.pack("<f", 1))
            + attribute("screenWindowCenter", "v2f", struct.pack("<2f", 0, 0))
            + attribute("screenWindowWidth", "float", struct.pack("<f", 1)) + more + b"\0")


def write(path, *parts, display=None, order=0):
    """parts: (channels by name, left, top, name of the part) of uncompressed lines."""
    several = len(parts) > 1
    heads, chunks = b"", []
    for number, (channels, left, top, name) in enumerate(parts):
        height, width = next(iter(channels.values())).shape
        data = (left, top, left + width - 1, top + height - 1)
        more = b""
        if several:
            more = (attribute("name", "string", name.encode()) + attribute("type", "string", b"scanlineimage")
                    + attribute("chunkCount", "int", struct.pack("<i", height)))
        heads += header_of(channels, data, display or data, order, more)
        rows = range(height - 1, -1, -1) if order else range(height)
        own = []
        for row in rows:
            line = b"".join(samples[row].tobytes() for _, samples in sorted(channels.items()))
            own.append((row, (struct.pack("<i", number) if several else b"") + struct.pack("<ii", top + row, len(line)) + line))
        chunks.append(own)
    start = struct.pack("<II", 20000630, 2 | (0x1000 if several else 0)) + heads + (b"\0" if several else b"")
    place = len(start) + 8 * sum(map(len, chunks))
    table, body = b"", b""
    for own in chunks:
        places = {}
        for row, chunk in own:
            places[row] = place + len(body)
            body += chunk
        table += b"".join(struct.pack("<Q", places[row]) for row in sorted(places))
    pathlib.Path(path).write_bytes(start + table + body)


def layer(**values):
    return {name.replace("_", "."): np.full((2, 4), value, "<f2") for name, value in values.items()}


def values(path, *more):
    process(path, "-o", "values.npy", "--force", *more)
    return np.load("values.npy")


def close(got, wanted, bound=1e-6):
    wanted = np.asarray(wanted, np.float64)
    return got.shape == wanted.shape and np.abs(got - wanted).max() <= bound


BEAUTY = {"R": .5, "G": .25, "B": .75}


def flat(*samples):
    return np.broadcast_to(np.array(samples, "f4").squeeze(), (2, 4, len(samples)) if len(samples) > 1 else (2, 4))


def one_layer_is_one_picture():
    """What is shown is the layer without a name, else the first one that is whole, never parts of two."""
    other = {"R": .125, "G": .0625, "B": .375}
    for name, channels, wanted in (
            ("sorts-before", {**BEAUTY, **{f"Albedo.{c}": v for c, v in other.items()}}, (.5, .25, .75)),
            ("in-between", {**BEAUTY, "A": 1, **{f"Diffuse.{c}": v for c, v in other.items()}}, (.5, .25, .75, 1)),
            ("prefix", {**{f"S.{c}": v for c, v in BEAUTY.items()}, **{f"SI.{c}": v for c, v in other.items()}}, (.5, .25, .75)),
            ("not-whole", {**{f"AB.{c}": v for c, v in BEAUTY.items()}, "A.G": .1, "A.B": .1, "A.X": .1}, (.5, .25, .75)),
            ("nested", {**{f"V.Combined.{c}": v for c, v in BEAUTY.items()}, "V.Combined.A": 1, "V.Depth.Z": 9}, (.5, .25, .75, 1)),
            ("grey-first", {"Y": .5, **{f"Mask.{c}": v for c, v in other.items()}}, (.5,)),
            ("matte", {**BEAUTY, "Matte.A": .5}, (.5, .25, .75)),
            ("words", {"d.red": .5, "d.green": .25, "d.blue": .75, "d.alpha": 1, "Z": 3}, (.5, .25, .75, 1)),
            ("depth-alone", {"Z": 3}, (3,)), ("two-of-a-vector", {"m.X": .5, "m.Y": .25}, (.5,))):
        write(f"{name}.exr", ({n: np.full((2, 4), v, "<f2") for n, v in channels.items()}, 0, 0, ""))
        assert close(values(f"{name}.exr"), flat(*wanted)), name


def other_layers_are_chosen_by_name():
    channels = {**BEAUTY, "Z": 9, "n.X": 1, "n.Y": 2, "n.Z": 4, "Diffuse.R": .125, "Diffuse.G": .0625, "Diffuse.B": .375,
                "Matte.A": .25}
    write("many.exr", ({n: np.full((2, 4), v, "<f4") for n, v in channels.items()}, 0, 0, ""))
    told = read("info", "many.exr")["details"]
    assert told["other-layers"] == "Diffuse, Matte.A, Z, n", told
    for name, wanted in (("Diffuse", (.125, .0625, .375)), ("Matte.A", (.25,)), ("Z", (9,)), ("n", (1, 2, 4))):
        assert close(values(f"layer:{name}:many.exr"), flat(*wanted)), name
        assert read("info", f"layer:{name}:many.exr")["details"]["layer"] == name
    fails(1, "many.exr", "no layer", "Specular", "Diffuse, Matte.A, Z, n", arguments=("info", "layer:Specular:many.exr"))
    fails(1, "never written over", arguments=("process", "layer:Z:many.exr", "-o", "many.exr", "--force"))
    fails(1, "layer:NAME:FILE", arguments=("info", "layer:many.exr"))
    process("phantom:32x24", "-o", "in.png")
    fails(1, "in.png", "layer", arguments=("info", "layer:Z:in.png"))


def parts_are_layers():
    wanted = {"depth": {"Z": np.full((3, 5), 7, "<f4")}, "rgba": {n: np.full((3, 5), v, "<f2") for n, v in BEAUTY.items()},
              "light": {n: np.full((3, 5), v / 2, "<f2") for n, v in BEAUTY.items()}}
    write("parts.exr", *((channels, 0, 0, name) for name, channels in wanted.items()))
    done = process("parts.exr", "-o", "main.npy")
    assert "several pictures" in done.stderr
    assert np.array_equal(np.load("main.npy")[0, 0], [.5, .25, .75])
    assert read("info", "parts.exr")["details"]["other-layers"] == "depth.Z, light"
    assert close(values("layer:light:parts.exr")[0, 0], [.25, .125, .375])
    assert close(values("layer:depth.Z:parts.exr"), np.full((3, 5), 7))


def data_lie_in_the_display_window():
    data = np.arange(12, dtype="<f4").reshape(3, 4) + 5
    for name, left, top, display in (("same", 0, 0, (0, 0, 3, 2)), ("cropped", 2, 1, (0, 0, 7, 5)),
                                     ("overscan", -1, -1, (0, 0, 1, 0)), ("negative", -10, -5, (-10, -5, -7, -3)),
                                     ("offset", 10, 10, (8, 9, 15, 14)), ("aside", -2, 4, (0, 0, 3, 5)),
                                     ("outside", 20, 20, (0, 0, 3, 2))):
        width, height = display[2] - display[0] + 1, display[3] - display[1] + 1
        wanted = np.zeros((height, width), "f4")
        for y in range(3):
            for x in range(4):
                at = y + top - display[1], x + left - display[0]
                if 0 <= at[0] < height and 0 <= at[1] < width:
                    wanted[at] = data[y, x]
        for order in (0, 1):
            write(f"{name}.exr", ({"Y": data}, left, top, ""), display=display, order=order)
            assert close(values(f"{name}.exr"), wanted, 2e-6), (name, values(f"{name}.exr"))
        image = read("info", f"{name}.exr")["image"]
        inside = wanted[wanted > 0]
        if inside.size > 1:  # what is not there counts in no range
            assert (image["stored_min"], image["stored_max"]) == (inside.min(), inside.max()), image
    assert "display window" in run("info", "outside.exr").stderr + run("info", "outside.exr").stdout
    opaque = {**{c: np.full((3, 4), v, "<f4") for c, v in BEAUTY.items()}, "A": np.ones((3, 4), "<f4")}
    write("alpha.exr", (opaque, 2, 1, ""), display=(0, 0, 7, 5))
    got = values("alpha.exr")
    assert got[..., 3].sum() == 12 and (got[1:4, 2:6, 3] == 1).all() and not got[got[..., 3] == 0].any()
    for display in ((0, 0, -1, 2), (-2**31, 0, 2**31 - 1, 2), (0, 0, 99999999, 9999999)):
        write("hostile.exr", ({"Y": data}, 0, 0, ""), display=display)
        fails(1, "hostile.exr", arguments=("info", "hostile.exr"))


def surroundings_have_no_noise():
    """σ of the noise is that of what is there."""
    noise = (0.5 + np.random.default_rng(3).normal(0, 0.04, (128, 160))).astype("<f4")

    def filtered(**more):
        write("noise.exr", ({"Y": noise}, 100, 60, ""), **more)
        process("noise.exr", "-o", "out.npy", "--force", "-f", "wiener:noise=auto")
        return np.load("out.npy")

    alone, inside = filtered(), filtered(display=(0, 0, 399, 299))
    left, within = alone[8:-8, 8:-8], inside[68:180, 108:252]
    assert left.std() < 0.03 and np.abs(left - within).max() < 1e-3, (left.std(), np.abs(left - within).max())


def colours_are_not_darkened_twice():
    opacity = np.array([[1, .5, .25, 0]] * 2, "<f4")
    colour = {"R": 200 / 255, "G": 100 / 255, "B": 40 / 255}
    write("pre.exr", ({**{c: (opacity * v).astype("<f4") for c, v in colour.items()}, "A": opacity}, 0, 0, ""))
    got = values("pre.exr")
    assert close(got[..., 3], opacity)
    assert close(got[:, :3, :3], np.broadcast_to(list(colour.values()), (2, 3, 3)))
    write("grey.exr", ({"Y": (opacity * .5).astype("<f4"), "A": opacity}, 0, 0, ""))
    assert close(values("grey.exr")[:, :3, :3], np.full((2, 3, 3), .5))
    # Next to nothing that is bright makes no range.
    glow = {c: np.array([[.5, .25], [2, .5]], "<f4") for c in "RGB"}
    write("glow.exr", ({**glow, "A": np.array([[1, .5], [1e-4, 1]], "<f4")}, 0, 0, ""))
    assert read("info", "glow.exr")["image"]["stored_max"] == 1
    # The scale of the colours is no matter of opacity: what is opaque is shown so.
    bright = {c: np.full((2, 2), 5, "<f4") for c in "RGB"}
    write("bright.exr", ({**bright, "A": np.array([[1, .5], [.25, 0]], "<f4")}, 0, 0, ""))
    process("bright.exr", "-o", "bright.png", "--force")
    shown = pixels.read_png("bright.png")[..., 3]
    assert np.abs(shown / np.iinfo(shown.dtype).max - [[1, .5], [.25, 0]]).max() <= 1 / 255, shown
    # What is written is read back.
    process("pre.exr", "-o", "again.exr")
    again = values("again.exr")
    assert close(again[:, :3], got[:, :3], 1e-6), again


def library():
    found = ctypes.util.find_library("OpenEXR-3_1") or ctypes.util.find_library("OpenEXR")
    names = ["libOpenEXR-3_1.so.30", found or "libOpenEXR.so"]
    for name in names:
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    raise OSError("no OpenEXR")


def imf_write(path, rgba, channels, compression, corner):
    """rgba: halves, height × width × 4."""
    imf = library()
    for name in ("ImfNewHeader", "ImfOpenOutputFile"):
        getattr(imf, name).restype = ctypes.c_void_p
    height, width = rgba.shape[:2]
    header = ctypes.c_void_p(imf.ImfNewHeader())
    box = (corner[0], corner[1], corner[0] + width - 1, corner[1] + height - 1)
    imf.ImfHeaderSetDataWindow(header, *box)
    imf.ImfHeaderSetDisplayWindow(header, *box)
    imf.ImfHeaderSetCompression(header, compression)
    out = ctypes.c_void_p(imf.ImfOpenOutputFile(path.encode(), header, channels))
    first = rgba.ctypes.data - 8 * (corner[0] + corner[1] * width)
    assert imf.ImfOutputSetFrameBuffer(out, ctypes.c_void_p(first), ctypes.c_size_t(1), ctypes.c_size_t(width))
    assert imf.ImfOutputWritePixels(out, height)
    imf.ImfCloseOutputFile(out)
    imf.ImfDeleteHeader(header)


def imf_read(path, shape, corner):
    imf = library()
    imf.ImfOpenInputFile.restype = ctypes.c_void_p
    rgba = np.zeros((*shape, 4), "<f2")
    file = ctypes.c_void_p(imf.ImfOpenInputFile(path.encode()))
    first = rgba.ctypes.data - 8 * (corner[0] + corner[1] * shape[1])
    assert imf.ImfInputSetFrameBuffer(file, ctypes.c_void_p(first), ctypes.c_size_t(1), ctypes.c_size_t(shape[1]))
    assert imf.ImfInputReadPixels(file, corner[1], corner[1] + shape[0] - 1)
    imf.ImfCloseInputFile(file)
    return rgba.astype(float)


def luminance_and_chroma_have_colours():
    random = np.random.default_rng(5)
    y, x = np.mgrid[:38, :54] / 40
    smooth = np.stack([.5 + .4 * np.sin(5 * x), .4 + .3 * np.cos(4 * y), .3 + .2 * np.sin(3 * (x + y))], -1)
    for name, colours, bound in (("smooth", smooth, 2e-3), ("noise", random.random((38, 54, 3)), 4e-3)):
        rgba = np.ones((38, 54, 4), "<f2")
        rgba[..., :3] = colours
        for channels, compression, corner in ((YC, 0, (0, 0)), (YC, 3, (-6, 4)), (YCA, 4, (2, -8)), (YC, 2, (10, 10))):
            imf_write("yc.exr", rgba, channels, compression, corner)
            wanted = imf_read("yc.exr", rgba.shape[:2], corner)
            got = values("yc.exr")
            assert got.shape[2] == (4 if channels == YCA else 3), got.shape
            unequal = np.abs(got[..., :3] - wanted[..., :3])
            # Its rows are extended by others at the upper and lower edge.
            assert unequal[1:-1].max() <= bound and unequal.max() <= 0.3, (name, compression, unequal[1:-1].max(), unequal.max())
    # The program says nothing that it does not show, and grey stays grey.
    rgba[..., :3] = rgba[..., :1]
    imf_write("yc.exr", rgba, YC, 0, (0, 0))
    got = values("yc.exr")
    assert (got[..., 0] == got[..., 2]).all() and close(got[..., 1], imf_read("yc.exr", (38, 54), (0, 0))[..., 1])


sys.exit(run_cases({
    "one layer is one picture": one_layer_is_one_picture,
    "other layers are chosen by their names": other_layers_are_chosen_by_name,
    "parts are layers": parts_are_layers,
    "data lie in the display window": data_lie_in_the_display_window,
    "surroundings have no noise": surroundings_have_no_noise,
    "colours are not darkened twice": colours_are_not_darkened_twice,
    "luminance and chroma have colours": luminance_and_chroma_have_colours,
}))
