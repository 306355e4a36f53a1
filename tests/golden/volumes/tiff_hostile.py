#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""TIFF files whose pages lie: each ends as a picture or in one sentence, and takes no memory that the file cannot back.

usage: tiff_hostile.py ONDELETTE_CLI
"""
import io
import os
import pathlib
import struct
import subprocess
import sys

import numpy as np
import tifffile
from PIL import Image

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "helpers"))
from places import CLI, info, run_cases, shown, wrong_values  # noqa: E402

os.environ["ODL_ENGINE"] = "cpu"
MOST_MB = 700  # of a helper for a small file, its libraries and a picture among it
FEW_MB = 60  # of one that is refused
PROBE = """
import resource, subprocess, sys
done = subprocess.run(sys.argv[1:], capture_output=True, encoding="utf-8", timeout=280)
sys.stderr.write(done.stderr)
print(done.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)
"""
FIELDS = {256: 5, 257: 4, 258: 8, 259: 1, 262: 1, 277: 1, 278: 4, 279: 20}


def answer(path, status, *said, most_mb=MOST_MB):
    """What is wrong with the answer: its status, its one sentence, its memory."""
    done = subprocess.run([sys.executable, "-c", PROBE, CLI, "info", path], capture_output=True, encoding="utf-8", timeout=290)
    got, peak = map(int, done.stdout.split())
    lines = done.stderr.count("\n")
    if got != status or lines != status or not all(word in done.stderr for word in said) \
            or (status and pathlib.Path(path).name not in done.stderr):
        yield f"{path}: {got}, {done.stderr}"
    if "crashed" in done.stderr or "without an answer" in done.stderr:
        yield f"{path}: {done.stderr}"
    if peak > most_mb:
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
        done = subprocess.run([CLI, "info", "lie.tif"], capture_output=True, encoding="utf-8", timeout=280)
        if done.returncode not in (0, 1) or done.stderr.count("\n") > 1 or "crashed" in done.stderr:
            yield f"{tag} {value}: {done.returncode} {done.stderr}"
    # A page whose samples are not there is one damaged frame.
    data = chain(3)
    at = data.rindex(struct.pack("<HHII", 273, 4, 1, 16))
    pathlib.Path("later.tif").write_bytes(data[:at] + struct.pack("<HHII", 273, 4, 1, 0xfffff000) + data[at + 12:])
    if info("later.tif")["frames"] != 3:
        yield f"{info('later.tif')}"
    shown("later.tif", 2, status=3)


def damaged(data, tag, *entry):
    """A file of little endian that tifffile wrote with another entry in the place of one: tag, type, count, value."""
    with tifffile.TiffFile(io.BytesIO(data)) as file:
        at = file.pages[0].tags[tag].offset
    return data[:at] + struct.pack("<HHII", *entry) + data[at + 12:]


def beyond_the_file():
    """Sizes that a file of some KB cannot hold are refused in words; counts of entries that it has no bytes for take no
    memory, of which libtiff makes as much as the file might fill."""
    out = io.BytesIO()
    tifffile.imwrite(out, np.zeros((64, 64), "f8"), photometric="minisblack", metadata=None, software="x" * 20)
    small = out.getvalue()
    for name, data, frames in (("wide", damaged(small, 256, 256, 4, 1, 40_000), 1), ("high", damaged(small, 257, 257, 4, 1, 50_000), 1),
                               ("many", chain(40, t256=800, t257=700), 40)):
        pathlib.Path(f"{name}.tif").write_bytes(data)
        yield from answer(f"pages:stack:{name}.tif" if frames > 1 else f"{name}.tif", 1, "a file of this size cannot hold", f"({frames})", most_mb=FEW_MB)
    for tag, kind, count in ((258, 3, 67_000_000), (273, 3, 16_000_000), (305, 5, 20_000_000), (60000, 5, 28_000_000),
                             (60000, 2, 60_000_000), (60000, 16, 8_000_000), (339, 3, 30_000_000)):
        for where in 0, 95_000_000:
            data = damaged(small, tag if tag < 60000 else 305, tag, kind, count, where)
            pathlib.Path("counts.tif").write_bytes(data)
            done = subprocess.run([sys.executable, "-c", PROBE, CLI, "info", "counts.tif"], capture_output=True,
                                  encoding="utf-8", timeout=290)
            status, peak = map(int, done.stdout.split())
            if status not in (0, 1) or done.stderr.count("\n") != status or "crashed" in done.stderr or peak > FEW_MB:
                yield f"{count} values of {tag}: {status}, {peak} MB, {done.stderr}"


def dense():
    """What packers make of pictures that are one colour opens, however small its file is."""
    for mode, sides, ways in (("L", (6000, 5000), ("tiff_lzw", "tiff_adobe_deflate", "packbits", "zstd", "lzma", "jpeg")),
                              ("1", (9000, 8000), ("group3", "group4", "tiff_ccitt", "packbits", "tiff_lzw"))):
        for way in ways:
            try:
                Image.new(mode, sides, 1).save("dense.tif", compression=way)
            except (OSError, KeyError, RuntimeError):  # that libtiff knows no such way
                print(f"# {way} is not here", flush=True)
                continue
            done = subprocess.run([CLI, "info", "dense.tif"], capture_output=True, encoding="utf-8", timeout=290)
            if done.returncode != 0:
                yield f"{mode}, {way}, {os.path.getsize('dense.tif')} bytes: {done.stderr}"
    blank = [Image.new("1", (2480, 3508), 1) for _ in range(30)]
    blank[0].save("fax.tif", save_all=True, append_images=blank[1:], compression="group4")
    if info("fax.tif")["frames"] != 30:
        yield f"thirty blank faxes: {info('fax.tif')}"
    # A file that ends early shows what it has.
    tifffile.imwrite("half.tif", np.full((6000, 5000), 9, "u1"), photometric="minisblack", metadata=None, rowsperstrip=1)
    whole = pathlib.Path("half.tif").read_bytes()
    pathlib.Path("half.tif").write_bytes(whole[:len(whole) // 8])
    if "ends too early" not in (info("half.tif")["warning"] or ""):
        yield f"an eighth of a picture: {info('half.tif')}"


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
        ("sizes and counts beyond the file", beyond_the_file),
        ("pictures that are packed densely", dense),
        ("descriptions that contradict the pages", words),
        ("XML that lies", xml),
    ]))
