#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""NRRD files as teem's unu reads and writes them.

usage: nrrd_peers.py ONDELETTE_CLI
"""
import bz2
import gzip
import os
import pathlib
import shutil
import subprocess
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "helpers"))
import nrrd  # noqa: E402
import tap  # noqa: E402
from places import info, run, run_cases, shown, wrong_values  # noqa: E402

# Which engine “auto” takes for many pictures depends on how busy the machine is.
os.environ["ODL_ENGINE"] = "cpu"
UNU = shutil.which("teem-unu") or shutil.which("unu")
RANDOM = np.random.default_rng(38)
VOLUME = "domain domain domain"


def unu(*arguments):
    done = subprocess.run([UNU, *map(str, arguments)], capture_output=True, encoding="utf-8", timeout=60)
    return done.returncode == 0


def as_unu(path, kind, shape):
    """The samples as unu reads them; NULL: it refuses the file."""
    if not unu("save", "-f", "nrrd", "-e", "raw", "-en", "little", "-i", path, "-o", "unu.nrrd"):
        return None
    data = pathlib.Path("unu.nrrd").read_bytes()
    return np.frombuffer(data[data.index(b"\n\n") + 2:], "<" + kind).reshape(shape)


def needs_unu():
    if UNU is None:
        raise tap.Skip("teem-apps is not here")


def some(kind, *shape):
    if kind[0] == "f":
        return RANDOM.normal(0, 300, shape).astype("f4").astype(kind)
    limits = np.iinfo(kind)
    return RANDOM.integers(max(limits.min, -(1 << 23)), min(limits.max, 1 << 23), shape, endpoint=True).astype(kind)


def written_by_unu():
    """Every type in every encoding and order of bytes, attached and in two files."""
    needs_unu()
    for number, kind in enumerate(nrrd.TYPES):
        samples = some(kind, 3, 5, 7)
        nrrd.write("in.nrrd", samples, kinds=VOLUME, spacings="1 2 3")
        for step, encoding in enumerate(("raw", "ascii", "hex", "gzip", "bzip2")):
            name = "out.nhdr" if (number + step) % 2 else "out.nrrd"
            # unu swaps the bytes of what it writes as text, too (findings/unu-big-endian-text.sh).
            order = "big" if (number + step) % 3 and encoding != "ascii" else "little"
            if not unu("save", "-f", "nrrd", "-e", encoding, "-en", order, "-i", "in.nrrd", "-o", name):
                yield f"unu does not write {kind} as {encoding}"
                continue
            yield from wrong_values(f"{kind} {encoding} {order}", shown(name, 3)[..., 0], samples.astype("f4"))
            if info(name)["image"]["spacing_mm"] != [1, 2, 3]:
                yield f"{kind} {encoding}: {info(name)}"


def read_by_unu():
    """Samples lie where unu finds them: lines and bytes that are skipped, from the end, packed, in several files."""
    needs_unu()
    samples = some("u2", 6, 4, 5)
    parts = [part.tobytes() for part in samples]
    whole = b"".join(parts)
    for name, data in {"skip.raw": b"a line\nand another\nxyz" + whole, "end.raw": b"?" * 9 + whole,
                       "behind.raw": whole + b"12", "bytes.gz": b"line\n" + gzip.compress(b"x" * 7 + whole),
                       "end.gz": gzip.compress(b"abc" + whole), "behind.gz": gzip.compress(whole + b"tail"),
                       "bytes.bz2": bz2.compress(b"x" * 7 + whole),
                       "last.bz2": bz2.compress(whole), "skip.hex": b"ab\n" + whole.hex().encode(),
                       "all.txt": b"head\n" + ", ".join(map(str, samples.ravel())).encode()}.items():
        pathlib.Path(name).write_bytes(data)
    for i, part in enumerate(parts):
        pathlib.Path(f"part{i}.raw").write_bytes(part)
    agreed = 0
    for name, fields, more in (
            ("skip", {"line_skip": 2, "byte_skip": 3, "data_file": "skip.raw"}, b""),
            ("end", {"byte_skip": -1, "data_file": "end.raw"}, b""),
            ("behind", {"byte_skip": -3, "data_file": "behind.raw"}, b""),
            ("gzip", {"encoding": "gz", "line_skip": 1, "byte_skip": 7, "data_file": "bytes.gz"}, b""),
            ("gzip-end", {"encoding": "gzip", "byte_skip": -1, "data_file": "end.gz"}, b""),
            ("gzip-behind", {"encoding": "gzip", "byte_skip": -5, "data_file": "behind.gz"}, b""),
            ("bzip2", {"encoding": "bz2", "byte_skip": 7, "data_file": "bytes.bz2"}, b""),
            ("bzip2-last", {"encoding": "bz2", "byte_skip": -1, "data_file": "last.bz2"}, b""),
            ("text", {"encoding": "txt", "line_skip": 1, "data_file": "all.txt"}, b""),
            ("text-bytes", {"encoding": "txt", "byte_skip": 5, "data_file": "all.txt"}, b""),
            ("hex-bytes", {"encoding": "hex", "byte_skip": 3, "data_file": "skip.hex"}, b""),
            ("pattern", {"data_file": "part%d.raw 0 5 1"}, b""),
            ("down", {"data_file": "part%d.raw 5 0 -1"}, b""),
            ("list", {"data_file": "LIST"}, b"".join(b"part%d.raw\n" % i for i in range(6)))):
        path = f"{name}.nhdr"
        pathlib.Path(path).write_bytes(nrrd.header(samples.shape, "u2", kinds=VOLUME, **fields) + more)
        theirs = as_unu(path, "u2", samples.shape)
        if theirs is None:
            print(f"# unu does not read {name}", flush=True)
            continue
        agreed += 1
        yield from wrong_values(name, shown(path, 6)[..., 0], theirs.astype("f4"))
    if agreed < 11:
        yield f"unu reads {agreed} of 14"
    # Neither counts from the end of text, where bytes are no samples.
    for encoding, data in (("hex", whole.hex().encode()), ("text", " ".join(map(str, samples.ravel())).encode())):
        pathlib.Path("end.nrrd").write_bytes(nrrd.header(samples.shape, "u2", encoding=encoding, byte_skip=-1) + b"\n" + data)
        told = run("info", "end.nrrd", status=1).stderr
        if as_unu("end.nrrd", "u2", samples.shape) is not None or "counts from the end" not in told:
            yield f"{encoding}: {told}"


def headers_of_unu():
    """Versions that unu knows and does not; slices that it joined."""
    needs_unu()
    samples = some("u2", 3, 4, 5)
    for version in "00.01", *(f"000{n}" for n in range(10)):
        head = nrrd.header(samples.shape, "u2")
        pathlib.Path("version.nrrd").write_bytes(f"NRRD{version}".encode() + head[head.index(b"\n"):] + b"\n" + samples.tobytes())
        theirs = as_unu("version.nrrd", "u2", samples.shape)
        if theirs is None:
            run("info", "version.nrrd", status=1)
        else:
            yield from wrong_values(version, shown("version.nrrd", 3)[..., 0], theirs.astype("f4"))
    for i, part in enumerate(samples):
        nrrd.write(f"slice{i}.nrrd", part)
    if not unu("join", "-a", 2, "-sp", 2, "-i", *(f"slice{i}.nrrd" for i in range(3)), "-o", "joined.nrrd"):
        yield "unu does not join"
    yield from wrong_values("joined", shown("joined.nrrd", 3)[..., 0], samples.astype("f4"))
    if info("joined.nrrd")["slices"] != 3:
        yield f"joined: {info('joined.nrrd')}"


if __name__ == "__main__":
    sys.exit(run_cases([
        ("files that unu writes", written_by_unu),
        ("samples lie where unu finds them", read_by_unu),
        ("versions of unu, and slices that it joined", headers_of_unu),
    ]))
