#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Colour profiles (ICC) of every format that has them: what is said of them, and that pixels are the
file's. Which ones are sRGB, LittleCMS decides; damaged ones are noted, too.

usage: profiles.py ONDELETTE_CLI
"""
import io
import pathlib
import struct
import subprocess
import sys

import numpy as np
from PIL import Image, ImageCms

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
from command_line import read, run, run_cases  # noqa: E402
from dicom_file import Writer  # noqa: E402

HEIGHT, WIDTH = 16, 24
PICTURE = np.random.default_rng(8).integers(0, 256, (HEIGHT // 8, WIDTH // 8, 3)).repeat(8, 0).repeat(8, 1).astype("u1")
SRGB = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
# Adapted to D50: the colours of sRGB, and of Display P3.
COLOURS = {"sRGB": [(0.43607, 0.22249, 0.01392), (0.38515, 0.71687, 0.09708), (0.14307, 0.06061, 0.7141)],
           "P3": [(0.51512, 0.2412, -0.00105), (0.29198, 0.69225, 0.04189), (0.1571, 0.06657, 0.78407)]}


def text(name, version=2):
    if version == 4:
        raw = name.encode("utf-16-be")
        return b"mluc" + struct.pack(">5I", 0, 1, 12, int.from_bytes(b"enUS", "big"), len(raw)) \
            + struct.pack(">I", 28) + raw
    raw = name.encode() + b"\0"
    return b"desc" + struct.pack(">2I", 0, len(raw)) + raw + bytes(78)


def curve(kind):
    if kind == "table":
        x = np.arange(1024) / 1023
        y = np.where(x <= 0.04045, x / 12.92, ((x + 0.055) / 1.055) ** 2.4)
        return b"curv" + struct.pack(">2I", 0, 1024) + np.rint(y * 65535).astype(">u2").tobytes()
    if kind == "formula":
        return b"para" + struct.pack(">I2H", 0, 3, 0) + b"".join(
            struct.pack(">i", round(v * 65536)) for v in (2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045))
    return b"curv" + struct.pack(">2IH", 0, 1, round(kind * 256))


def profile(name, colours, tone, space=b"RGB ", version=2):
    """A display profile of a matrix and curves, or of grey."""
    tags = {b"desc": text(name, version)}
    if space == b"RGB ":
        for letter, xyz in zip("rgb", COLOURS[colours]):
            tags[letter.encode() + b"XYZ"] = b"XYZ " + bytes(4) + b"".join(
                struct.pack(">i", round(v * 65536)) for v in xyz)
            tags[letter.encode() + b"TRC"] = curve(tone)
    else:
        tags[b"kTRC"] = curve(tone)
    table, body = struct.pack(">I", len(tags)), b""
    start = 128 + 4 + 12 * len(tags)
    for tag, data in tags.items():
        data += bytes(-len(data) % 4)
        table += tag + struct.pack(">2I", start + len(body), len(data))
        body += data
    head = struct.pack(">I4sI4s4s4s", start + len(body), b"none", version << 24, b"mntr", space, b"XYZ ")
    head += struct.pack(">6H4s4s", 2026, 1, 1, 0, 0, 0, b"acsp", b"none") + bytes(84 - 16)
    head = head[:68] + struct.pack(">3i", 0xf6d6, 0x10000, 0xd32d) + head[80:]
    return head[:128].ljust(128, b"\0") + table + body


PROFILES = {
    "LittleCMS": (SRGB, "sRGB built-in", "yes"),
    "a table": (profile("sRGB IEC61966-2.1", "sRGB", "table"), "sRGB IEC61966-2.1", "yes"),
    "a formula": (profile("c2", "sRGB", "formula", version=4), "c2", "yes"),
    "a power": (profile("sRGB, simplified", "sRGB", 2.2), "sRGB, simplified", "no"),
    "wide": (profile("Display P3", "P3", "formula", version=4), "Display P3", "no"),
    # A name is no proof.
    "called sRGB": (profile("sRGB of another kind", "P3", "table"), "sRGB of another kind", "no"),
    "another tone": (profile("Apple RGB, half", "sRGB", 1.8), "Apple RGB, half", "no"),
    "linear": (profile("Linear", "sRGB", 1), "Linear", "no"),
}
WIDE = PROFILES["wide"]


def saved(form, icc, **more):
    out = io.BytesIO()
    Image.fromarray(PICTURE).save(out, form, icc_profile=icc, **more)
    return out.getvalue()


def jp2(icc):
    """The colr box of a JP2 file replaced by one that holds the profile."""
    raw = saved("JPEG2000", None)
    at = raw.index(b"colr") - 4
    size = struct.unpack_from(">I", raw, at)[0]
    box = struct.pack(">I4s3B", 11 + len(icc), b"colr", 2, 0, 0) + icc
    head = raw.index(b"jp2h") - 4
    longer = struct.unpack_from(">I", raw, head)[0] - size + len(box)
    return raw[:head] + struct.pack(">I", longer) + raw[head + 4:at] + box + raw[at + size:]


def avif(icc):
    Image.fromarray(PICTURE).save("plain.png")
    pathlib.Path("plain.icc").write_bytes(icc)
    subprocess.run(["avifenc", "--lossless", "--icc", "plain.icc", "plain.png", "made.avif"], check=True,
                   capture_output=True)
    return pathlib.Path("made.avif").read_bytes()


def dicom(icc, microscope=False):
    out = Writer().put(0x00080016, "UI", "1.2.840.10008.5.1.4.1.1.7").put(0x00080018, "UI", "1.2.3.4")
    out.put(0x00280002, "US", 3).put(0x00280004, "CS", "RGB").put(0x00280006, "US", 0)
    out.put(0x00280010, "US", HEIGHT).put(0x00280011, "US", WIDTH).put(0x00280100, "US", 8)
    out.put(0x00280101, "US", 8).put(0x00280102, "US", 7).put(0x00280103, "US", 0)
    if microscope:
        out.items(0x00480105, Writer().put(0x00282000, "OB", icc))
    else:
        out.put(0x00282000, "OB", icc)
    return out.put(0x7fe00010, "OB", PICTURE.tobytes()).write().read_bytes()


FORMATS = {
    "png": lambda icc: saved("PNG", icc),
    "jpg": lambda icc: saved("JPEG", icc, quality=100, subsampling=0),
    "tif": lambda icc: saved("TIFF", icc),
    "webp": lambda icc: saved("WEBP", icc, lossless=True),
    "jp2": jp2,
    "avif": avif,
    "dcm": dicom,
}


def said(path):
    details = read("info", path)["details"]
    return details.get("colour-profile"), details.get("colour-profile-applied")


def of_every_format():
    for form, make in FORMATS.items():
        path = pathlib.Path(f"wide.{form}")
        path.write_bytes(make(WIDE[0]))
        if said(path) != WIDE[1:]:
            yield f"{form}: {said(path)}"
        run("process", path, "-o", "seen.npy", "--force")
        apart = np.abs(np.load("seen.npy").astype(float) - PICTURE).max()
        if apart > (3 if form == "jpg" else 0):
            yield f"{form}: pixels are {apart} off those of the file"
    pathlib.Path("scope.dcm").write_bytes(dicom(WIDE[0], microscope=True))
    if said("scope.dcm") != WIDE[1:]:
        yield f"of a microscope: {said('scope.dcm')}"


def of_every_kind():
    for name, (icc, title, applied) in PROFILES.items():
        pathlib.Path("one.tif").write_bytes(saved("TIFF", icc))
        if said("one.tif") != (title, applied):
            yield f"{name}: {said('one.tif')}"
        # LittleCMS: whether going to sRGB changes colours.
        to_srgb = ImageCms.buildTransform(io.BytesIO(icc), io.BytesIO(SRGB), "RGB", "RGB")
        changed = np.abs(np.asarray(ImageCms.applyTransform(Image.fromarray(PICTURE), to_srgb)).astype(int) - PICTURE)
        if (changed.max() <= 2) != (applied == "yes"):
            yield f"{name}: LittleCMS changes values by {changed.max()}, ours is “{applied}”"
    for tone, applied in (("formula", "yes"), (2.2, "no"), (1.8, "no")):
        icc = profile("Grey", None, tone, b"GRAY")
        Image.fromarray(PICTURE[..., 0]).save("grey.png", icc_profile=icc)
        if said("grey.png") != ("Grey", applied):
            yield f"grey, {tone}: {said('grey.png')}"


def none_and_damaged():
    pathlib.Path("none.png").write_bytes(saved("PNG", None))
    if said("none.png") != (None, None):
        yield f"without one: {said('none.png')}"
    for n in (1, 100, 131, 132, 140, 200, 400, len(WIDE[0]) - 1):
        pathlib.Path("cut.tif").write_bytes(saved("TIFF", WIDE[0][:n]))
        if said("cut.tif")[1] != "no":
            yield f"cut to {n} bytes: {said('cut.tif')}"
    random = np.random.default_rng(3)
    for _ in range(20):
        icc = bytearray(WIDE[0])
        for at in random.integers(128, 300, 6):
            icc[at] = random.integers(0, 256)
        pathlib.Path("odd.dcm").write_bytes(dicom(bytes(icc)))
        if said("odd.dcm")[1] is None:
            yield "a damaged one is not noted"


if __name__ == "__main__":
    sys.exit(run_cases({
        "the profile of every format is named, and not applied": of_every_format,
        "which ones are sRGB is decided by what they do": of_every_kind,
        "damaged ones are no trouble": none_and_damaged,
    }))
