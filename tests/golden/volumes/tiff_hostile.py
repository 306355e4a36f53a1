#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""TIFF files whose pages lie: each ends as a picture or in one sentence, and takes no memory that the file cannot back.

usage: tiff_hostile.py ONDELETTE_CLI
"""
import os
import pathlib
import struct
import subprocess
import sys

import numpy as np
import tifffile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "helpers"))
from places import CLI, info, run_cases, shown, wrong_values  # noqa: E402

os.environ["ODL_ENGINE"] = "cpu"
MOST_MB = 700  # of a helper for a small file, its libraries and a picture among it
PROBE = """
import resource, subprocess, sys
done = subprocess.run(sys.argv[1:], capture_output=True, encoding="utf-8", timeout=280)
sys.stderr.write(done.stderr)
print(done.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)
"""
FIELDS = {256: 5, 257: 4, 258: 8, 259: 1, 262: 1, 277: 1, 278: 4, 279: 20}


def answer(path, status, *said):
    """What is wrong with the answer: its status, its one sentence, its memory."""
    done = subprocess.run([sys.executable, "-c", PROBE, CLI, "info", path], capture_output=True, encoding="utf-8", timeout=290)
    got, peak = map(int, done.stdout.split())
    lines = done.stderr.count("\n")
    if got != status or lines != status or not all(word in done.stderr for word in said) \
            or (status and pathlib.Path(path).name not in done.stderr):
        yield f"{path}: {got}, {done.stderr}"
    if "crashed" in done.stderr or "without an answer" in done.stderr:
        yield f"{path}: {done.stderr}"
    if peak > MOST_MB:
        yield f"{path} took {peak} MB"


def directory(place, following, big=False, **fields):
    """A page whose samples are the first 20 bytes behind the header of the file."""
    entries = {**FIELDS, 273: 16, **{int(tag[1:]): value for tag, value in fields.items()}}
    count, entry, end = ("<Q", "<HHQQ", "<Q") if big else ("<H", "<HHII", "<I")
    body = struct.pack(count, len(entries))
    for tag, value in sorted(entries.items()):
        body += struct.pack(entry, tag, 4, 1, value)
    return body + struct.pack(end, following)


def chain(n, last=0, big=False, page=directory, **fields):
    """A file of `n` pages that share their samples; the last one is followed by page `last` (from 1; 0: none)."""
    size = len(directory(0, 0, big, **fields)) if page is directory else len(page(0))
    places = [40 + i * size for i in range(n)]
    head = struct.pack("<2sHHHQ", b"II", 43, 8, 0, 40) if big else struct.pack("<2sHI8x", b"II", 42, 40)
    out = [head, bytes(range(24))]
    for i in range(n):
        following = places[i + 1] if i + 1 < n else places[last - 1] if last else 0
        out.append(directory(0, following, big, **fields) if page is directory else page(following))
    return b"".join(out)


def circles():
    """Lists that lead back: to themselves, to the first page, to one between."""
    for big in False, True:
        for n, last in (1, 1), (2, 1), (7, 7), (7, 4), (1000, 999), (1000, 1), (1000, 500):
            path = f"circle{n}-{last}-{big}.tif"
            pathlib.Path(path).write_bytes(chain(n, last, big))
            yield from answer(path, 1, "circle", "--pages=first")
            yield from answer(f"pages:stack:{path}", 1, "circle")
            if info(f"pages:first:{path}")["frames"] != 1:
                yield f"the first page of {path}"
        # Directories that lie over each other: each begins with the entries of the one before.
        data = bytearray(chain(1, 0, big))
        word = 8 if big else 4
        for i in range(4000):
            at = len(data) - word
            data[at:] = struct.pack("<Q" if big else "<I", at + word)
            data += struct.pack("<Q" if big else "<H", 0) + bytes(word)
        pathlib.Path("empty-list.tif").write_bytes(data)
        if info("empty-list.tif")["frames"] != 1:
            yield "empty directories are no pages like the first"


def many():
    """Ten thousand equal pages; a hundred thousand that are empty, alone and behind a picture; a list that ends early."""
    for big in False, True:
        pathlib.Path("many.tif").write_bytes(chain(10000, 0, big))
        told = info("many.tif")
        if (told["frames"], told["warning"]) != (10000, None):
            yield f"ten thousand pages: {told}"
        yield from wrong_values("one of them", shown("pages:first:many.tif", 1)[0, ..., 0],
                                np.arange(20, dtype="f4").reshape(4, 5))
    empty = chain(100_000, page=lambda following: struct.pack("<HI", 0, following))
    pathlib.Path("empty.tif").write_bytes(empty)
    yield from answer("empty.tif", 1)
    data = bytearray(chain(1))
    first = len(data)
    data[-4:] = struct.pack("<I", first)
    for i in range(100_000):
        data += struct.pack("<HI", 0, first + 6 * (i + 1) if i < 99_999 else 0)
    pathlib.Path("behind.tif").write_bytes(data)
    told = info("behind.tif")
    if told["frames"] != 1 or "several pictures" not in told["warning"]:
        yield f"empty pages behind one: {told}"
    whole = chain(10)
    pathlib.Path("cut.tif").write_bytes(whole[:-60])
    told = info("cut.tif")
    if told["frames"] != 9 or "9 are there" not in told["warning"]:
        yield f"a list that is cut: {told}"
    pathlib.Path("far.tif").write_bytes(chain(3)[:-4] + struct.pack("<I", 0xfffffff0))
    told = info("far.tif")
    if told["frames"] != 3 or "3 are there" not in told["warning"]:
        yield f"a list that leads out of the file: {told}"


def lies():
    """Sizes and counts that the file does not hold, in the first page and in a later one."""
    for tag, value in (("t256", 0), ("t257", 0), ("t256", 0xffffffff), ("t257", 60000), ("t258", 0), ("t258", 65535),
                       ("t277", 65535), ("t273", 0xfffffff0), ("t279", 0xffffffff), ("t278", 0), ("t259", 9999), ("t262", 77)):
        pathlib.Path("lie.tif").write_bytes(chain(3, **{tag: value}))
        done = subprocess.run([CLI, "info", "lie.tif"], capture_output=True, encoding="utf-8", timeout=60)
        if done.returncode not in (0, 1) or done.stderr.count("\n") > 1 or "crashed" in done.stderr:
            yield f"{tag} {value}: {done.returncode} {done.stderr}"
    # A page whose samples are not there is one damaged frame.
    data = chain(3)
    at = data.rindex(struct.pack("<HHII", 273, 4, 1, 16))
    pathlib.Path("later.tif").write_bytes(data[:at] + struct.pack("<HHII", 273, 4, 1, 0xfffff000) + data[at + 12:])
    if info("later.tif")["frames"] != 3:
        yield f"{info('later.tif')}"
    shown("later.tif", 2, status=3)


def words():
    """Descriptions that contradict the pages: these decide, which is said; numbers that are none are not said at all."""
    samples = np.zeros((6, 4, 5), "u1")
    for text, said in (("ImageJ=1.53\nslices=4\nframes=2\n", "8 pages (ImageJ)"), ("ImageJ=1.53\nslices=1000000000\nframes=1000000000\n", "pages (ImageJ)"),
                       ('{"shape": [7, 4, 5], "axes": "ZYX"}', "7 pages (tifffile)"), ("ImageJ=1.53\nslices=-6\n", None),
                       ("ImageJ=1.53\nslices=nan\nframes=1e300\nspacing=inf\nfinterval=-1\nfps=1e-300\nc0=nan\nc1=0\ncf=0\nmin=5\nmax=-5\n", None),
                       ("ImageJ=1.53\n" + "x" * 1_000_000, None), ("ImageJ=", None), ("ImageJ=1.53\norder=zzz\nslices=6", None),
                       ('{"shape": [', None), ('{"shape": [6, 4, 5], "axes": "', None), ('{"shape": [6, 4, 5], "axes": "ZZZZZZ"}', None),
                       ('{"shape": [99999999999999999999999, -1], "axes": "TZ"}', None), ("{" * 100_000, None)):
        tifffile.imwrite("words.tif", samples, photometric="minisblack", metadata=None, description=text)
        told = info("words.tif")
        if told["frames"] != 6 or ((said or "") not in (told["warning"] or "")) or (said is None and told["warning"]):
            yield f"{text[:60]}: {told}"
    told = info("pages:stack:words.tif")
    if told["slices"] != 6:
        yield f"asked for: {told}"


def xml():
    """Entities, a text without an end, numbers that lie, a million elements, pages that are not there."""
    samples = np.zeros((6, 4, 5), "u1")
    pixels = '<Pixels DimensionOrder="XYZCT" SizeX="5" SizeY="4" SizeZ="{}" SizeC="{}" SizeT="{}" {}>{}</Pixels>'
    bomb = "<!DOCTYPE OME [" + '<!ENTITY a "aaaaaaaaaa">' + "".join(
        f'<!ENTITY {chr(98 + i)} "{f"&{chr(97 + i)};" * 10}">' for i in range(9)) + "]>"
    outside = '<!DOCTYPE OME [<!ENTITY file SYSTEM "file:///etc/hostname">]>'

    def image(*numbers, more="", inner=""):
        return f'<Image>{pixels.format(*numbers, more, inner)}</Image>'

    def of(file, page=0, **more):
        attributes = " ".join(f'{name}="{value}"' for name, value in more.items())
        return f'<TiffData IFD="{page}" {attributes}><UUID{f" FileName={chr(34)}{file}{chr(34)}" if file else ""}>urn:x</UUID></TiffData>'

    big = 4294967295
    others = "pages of other files"
    for name, text, slices, said in (
            ("plain", image(6, 1, 1), 6, None), ("bomb", bomb + "<OME>" + image(6, 1, 1, inner="&j;") + "</OME>", 0, None),
            ("outside", outside + "<OME>" + image(6, 1, 1, inner="&file;") + "</OME>", 0, None), ("no end", image(6, 1, 1) + "<a", 0, None),
            ("other number", image(5, 1, 1), 0, "5 pages (OME)"), ("huge", image(big, big, big), 0, "pages (OME)"),
            ("no order", "<Image>" + pixels.format(6, 1, 1, "", "").replace("XYZCT", "XYZZT") + "</Image>", 0, None),
            ("negative", image(-6, 1, 6), 0, None), ("beyond", image(6, 1, 1, inner='<TiffData IFD="9" FirstZ="0"/>'), 0, "not there, or not all (OME)"),
            ("twice", image(6, 1, 1, inner='<TiffData IFD="5" PlaneCount="6"/>' + '<TiffData IFD="5"/>' * 5), 0, "not there, or not all (OME)"),
            ("huge counts", image(6, 1, 1, inner=f'<TiffData IFD="3" PlaneCount="{big}"/>' * 20000), 0, "not there, or not all (OME)"),
            ("many elements", image(6, 1, 1, inner='<TiffData IFD="0"/><Plane TheT="0" DeltaT="nan"/>' * 200_000), 6, None),
            ("deep", "<a>" * 200_000, 0, None), ("sizes", image(6, 1, 1, more='PhysicalSizeX="nan" PhysicalSizeY="-1" TimeIncrement="1e999"'), 6, None),
            ("elsewhere", image(6, 1, 1, inner=of("../xml.tif", PlaneCount=6)), 0, others),
            ("no name", image(6, 1, 1, inner=of("", PlaneCount=6)), 0, others),
            ("missing", image(6, 1, 2, inner=of("none.tif", PlaneCount=12)), 0, others),
            ("five thousand files", image(6, 1, 1000, inner="".join(of(f"{i}.tif", FirstT=i % 1000) for i in range(5000))), 0, others),
            ("counts of others", image(big, 1, 1, inner=of("xml.tif", PlaneCount=big) * 100), 0, "(OME)"),
            ("zero samples", image(1, 6, 1, inner='<Channel SamplesPerPixel="0"/>'), 0, "6 channels")):
        body = text if "<OME>" in text else f"<OME>{text}</OME>"
        tifffile.imwrite("xml.tif", samples, photometric="minisblack", metadata=None, description='<?xml version="1.0"?>' + body)
        told = info("xml.tif")
        if (told["frames"], told["slices"]) != (6, slices) or (said or "") not in (told["warning"] or "") or (said is None and told["warning"]):
            yield f"{name}: {told['frames']} {told['slices']} {told['warning']}"


if __name__ == "__main__":
    sys.exit(run_cases([
        ("lists of pages that lead in a circle", circles),
        ("many pages, empty ones, lists that are cut", many),
        ("lying sizes", lies),
        ("descriptions that contradict the pages", words),
        ("XML that lies", xml),
    ]))
