#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""NRRD files that lie: each ends as a picture or in one sentence, and takes no memory that the file cannot back.

usage: nrrd_hostile.py ONDELETTE_CLI
"""
import bz2
import gzip
import os
import pathlib
import subprocess
import sys
import zlib

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "helpers"))
import nrrd  # noqa: E402
import refused  # noqa: E402
from places import CLI, info, run_cases, shown, wrong_values  # noqa: E402

os.environ["ODL_ENGINE"] = "cpu"
TURNED = {"space": "LPS", "space_directions": "(0,0,1) (1,0,0) (0,1,0)"}
VOLUME = "domain domain domain"
def lying_sizes():
    samples = b"x" * 1000
    for number, sizes in enumerate(("2000000000 2000000000", "40000 40000", "30 40 100000000", "1 1 16000000",
                                    "2000000000 1", "3 2000000000 1")):
        shape = [int(word) for word in sizes.split()][::-1]
        for more in {}, {"kinds": " ".join(["list"] + ["domain"] * (len(shape) - 1))}:
            path = f"lie{number}{len(more)}.nrrd"
            pathlib.Path(path).write_bytes(nrrd.header(shape, "u1", **more) + b"\n" + samples)
            done = subprocess.run([CLI, "info", path], capture_output=True, encoding="utf-8", timeout=280)
            if done.returncode not in (0, 1) or done.stderr.count("\n") > 1 or "crashed" in done.stderr:
                yield f"{path}: {done.returncode}, {done.stderr}"
    pathlib.Path("short.nrrd").write_bytes(nrrd.header((1000, 3, 4), "u1", kinds=VOLUME) + b"\n" + samples)
    # Slices that lie across the stored ones all lack something.
    head = nrrd.header((10, 10, 10), "u1", kinds=VOLUME, **TURNED)
    pathlib.Path("across.nrrd").write_bytes(head + b"\n" + samples[:600])
    told = info("across.nrrd")
    if "declares 1000 bytes of samples but holds 600" not in told["warning"]:
        yield f"{told}"
    told = info("short.nrrd")
    if told["frames"] != 83 or "declares 1000 frames but holds 83" not in told["warning"]:
        yield f"83 of 1000 pictures are there: {told}"


def bombs():
    """What packs a thousand to one is refused, or read as far as memory goes, by region and in order."""
    size = 1 << 30
    packer = zlib.compressobj(9, wbits=31)
    block = bytes(1 << 20)
    stream = b"".join(packer.compress(block) for _ in range(size >> 20)) + packer.flush()
    squeezer = bz2.BZ2Compressor()
    dense = b"".join(squeezer.compress(block) for _ in range(size >> 20)) + squeezer.flush()
    for name, shape in (("volume", (1024, 1024, 1024)), ("picture", (32768, 32768))):
        for encoding, data in (("gzip", stream), ("bzip2", dense)):
            kinds = " ".join(["domain"] * len(shape))
            place = TURNED if len(shape) == 3 else {}
            path = f"{name}-{encoding}.nrrd"
            pathlib.Path(path).write_bytes(nrrd.header(shape, "u1", kinds=kinds, encoding=encoding, **place) + b"\n" + data)
            yield from refused.sentence(path)
    # In order the first picture needs no more than itself.
    pathlib.Path("order.nrrd").write_bytes(
        nrrd.header((1024, 1024, 1024), "u1", kinds=VOLUME, encoding="gzip") + b"\n" + stream)
    if info("order.nrrd")["frames"] != 1024:
        yield f"a thousand pictures of a megabyte: {info('order.nrrd')}"
    # A few bytes do not hold a thousand pictures.
    small = gzip.compress(bytes(8000))
    pathlib.Path("few.nrrd").write_bytes(
        nrrd.header((1000, 40, 50), "u2", kinds=VOLUME, encoding="gzip") + b"\n" + small)
    if info("few.nrrd")["frames"] > len(small) * 1032 // 4000 + 1:
        yield f"{len(small)} bytes hold {info('few.nrrd')['frames']} pictures"


def elsewhere():
    """Names with folders are refused, and so is a link that leads out."""
    secret = pathlib.Path("..", "secret.raw")
    pathlib.Path("inner").mkdir(exist_ok=True)
    os.chdir("inner")
    try:
        secret.write_bytes(bytes(12))
        pathlib.Path("link.raw").symlink_to(secret)
        for name, field, more in (("up", "../secret.raw", b""), ("root", "/etc/hostname", b""), ("link", "link.raw", b""),
                                  ("list", "LIST", b"../secret.raw\n"), ("pattern", "../secret%d.raw 1 1 1", b""),
                                  ("missing", "none.raw", b""), ("long", "x" * 5000, b""), ("self", ".", b"")):
            path = f"{name}.nhdr"
            pathlib.Path(path).write_bytes(nrrd.header((3, 4), "u1", data_file=field) + more)
            yield from refused.sentence(path)
    finally:
        os.chdir("..")


def many_files():
    """Ten thousand that are named and not there; a thousand that are, for one picture."""
    for name, field, more in (("pattern", "gone%d.raw 0 9999 1", b""),
                              ("list", "LIST", b"".join(b"gone%d.raw\n" % i for i in range(10000)))):
        for place in {}, TURNED:
            path = f"{name}{len(place)}.nhdr"
            pathlib.Path(path).write_bytes(nrrd.header((10000, 3, 4), "u1", kinds=VOLUME, **place, data_file=field) + more)
            yield from refused.sentence(path, "gone0.raw")
    samples = np.arange(1000 * 6, dtype="u2").reshape(1000, 2, 3)
    for i, part in enumerate(samples):
        pathlib.Path(f"many{i}.raw").write_bytes(part.tobytes())
    pathlib.Path("many.nhdr").write_bytes(
        nrrd.header(samples.shape, "u2", kinds=VOLUME, **TURNED, data_file="many%d.raw 0 999 1"))
    yield from wrong_values("many", shown("many.nhdr", 3)[..., 0], samples.transpose(2, 0, 1).astype("f4"))


def headers():
    """Headers without an end, of a million lines, of one endless line."""
    begin = nrrd.header((3, 4), "u1")
    for name, data, said in (("lines", begin + b"a:=b\n" * 1_100_000 + b"\n" + bytes(12), "lines"),
                             ("endless", begin + b"x" * 5_000_000, "line 7"),
                             ("key", begin + b"key:=" + b"y" * 5_000_000 + b"\n", "samples"),
                             ("zeros", begin + bytes(4096), "line 7"),
                             ("empty", b"NRRD0004\n", "(type)"), ("magic", b"NRRD0004", "NRRD")):
        pathlib.Path(f"{name}.nrrd").write_bytes(data)
        yield from refused.sentence(f"{name}.nrrd", said)
    long = " ".join(["0.5"] * 2_000_000)
    pathlib.Path("index.nrrd").write_bytes(
        nrrd.header((2, 3, 4), "u1", [f"axis 2 index values:={long}"], kinds="domain domain time") + b"\n" + bytes(24))
    if "index values is invalid" not in (info("index.nrrd")["warning"] or ""):
        yield f"two million times: {info('index.nrrd')}"


if __name__ == "__main__":
    sys.exit(run_cases([
        ("lying sizes", lying_sizes),
        ("bombs", bombs),
        ("names that lead elsewhere", elsewhere),
        ("ten thousand files", many_files),
        ("headers without an end", headers),
    ]))
