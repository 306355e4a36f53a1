#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""NRRD files as teem's unu reads and writes them.

usage: nrrd_peers.py ONDELETTE_CLI
"""
import bz2
import gzip
import itertools
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
    done = subprocess.run([UNU, *map(str, arguments)], capture_output=True, encoding="utf-8", timeout=280)
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


def lists_with_skips():
    """SKIPLIST: bytes of each file before its samples, from either end; what unu refuses, or where it does not skip."""
    needs_unu()
    samples = some("u2", 6, 4, 5)
    parts = [part.tobytes() for part in samples]
    lines, one = [], b""
    for i, part in enumerate(parts):
        pathlib.Path(f"skip {i}.raw").write_bytes(b"?" * (3 * i) + part + (b"!" if i == 4 else b""))
        pathlib.Path(f"skip {i}.txt").write_bytes(b"?" * i + " ".join(map(str, samples[i].ravel())).encode())
        lines.append(f"{(-2 if i == 4 else -1) if i > 2 else 3 * i} skip {i}.raw")
        one += b"-" * (7 - i) + part
    pathlib.Path("one.raw").write_bytes(b"a line\n" + one)
    slices = [f"{sum(7 - k for k in range(i + 1)) + i * len(parts[0])} one.raw" for i in range(6)]
    for kinds, turn in ((VOLUME, (0, 1, 2)), ("list domain domain", (2, 0, 1))):
        for name, fields, names in (("ends", {}, lines), ("one", {"line_skip": 1}, slices), ("two", {}, lines),
                                    ("text", {"encoding": "text"}, [f"{i} skip {i}.txt" for i in range(6)])):
            fields = {"kinds": kinds, **fields, "data_file": "SKIPLIST 2" if name == "two" else "SKIPLIST"}
            pathlib.Path(f"{name}.nhdr").write_bytes(
                nrrd.header(samples.shape, "u2", version=6, **fields) + "".join(f"{name}\n" for name in names).encode())
            theirs = as_unu(f"{name}.nhdr", "u2", samples.shape)
            if theirs is None or not np.array_equal(theirs, samples):
                yield f"unu does not read {name}"
            wanted = samples.transpose(turn).astype("f4")
            yield from wrong_values(f"{name}, {kinds}", shown(f"{name}.nhdr", len(wanted))[..., 0], wanted)
    for fields, names, why in (({"byte_skip": 2}, lines, "says twice"), ({}, ["a.raw"] * 6, "no number of bytes"),
                               ({}, ["2"] * 6, "no number of bytes"), ({}, ["2a.raw"] * 6, "no number of bytes"),
                               ({}, ["0 ../one.raw"] * 6, "another folder"), ({}, ["0 one.raw"] * 7, "7 files"),
                               ({}, ["999999 one.raw"] * 6, "samples are missing"), ({}, [], "list of files is empty")):
        pathlib.Path("refused.nhdr").write_bytes(
            nrrd.header(samples.shape, "u2", version=6, **fields, data_file="SKIPLIST") + "".join(f"{name}\n" for name in names).encode())
        told = run("info", "refused.nhdr", status=1).stderr
        if why not in told or as_unu("refused.nhdr", "u2", samples.shape) is not None:
            yield f"{names[:1]}, {fields}: {told}"
    # In what is packed unu does not skip what it was told to: nobody knows what is meant, and that is said.
    for i, part in enumerate(parts):
        pathlib.Path(f"packed{i}.gz").write_bytes(gzip.compress(part))
    for skip in 0, 2:
        pathlib.Path("packed.nhdr").write_bytes(
            nrrd.header(samples.shape, "u2", version=6, encoding="gzip", kinds=VOLUME, data_file="SKIPLIST")
            + "".join(f"{skip} packed{i}.gz\n" for i in range(6)).encode())
        if not np.array_equal(as_unu("packed.nhdr", "u2", samples.shape), samples):
            yield f"unu skips {skip} bytes of gzip"
        if skip == 0:
            yield from wrong_values("packed", shown("packed.nhdr", 6)[..., 0], samples.astype("f4"))
        elif "not clear" not in run("info", "packed.nhdr", status=1).stderr:
            yield "a skip in what is packed is not refused"


def origins_of_some_axes():
    """Of axis mins that are nan on some axes the others are kept: what unu cropped lies as far as its own axis mins say."""
    needs_unu()
    samples = some("u1", 4, 5, 6)
    least, most, steps = [10, 20, 30], [22, 25, 38], [2, 1, 2]
    for known in itertools.product((True, False), repeat=3):
        for centre in "cell", "node":
            ends = {key: " ".join(str(number) if told else "nan" for number, told in zip(numbers, known))
                    for key, numbers in (("axis_mins", least), ("axis_maxs", np.add(most, np.multiply(steps, -(centre == "node")))))}
            others = " ".join("nan" if told else str(step) for told, step in zip(known, steps))
            nrrd.write("mins.nrrd", samples, kinds=VOLUME, centerings=" ".join([centre] * 3), spacings=others, **ends)
            if not unu("crop", "-min", 1, 1, 1, "-max", "M", "M", "M", "-i", "mins.nrrd", "-o", "cropped.nrrd"):
                yield "unu does not crop"
            head = pathlib.Path("cropped.nrrd").read_bytes().split(b"\n\n")[0].decode()
            theirs = [line.split(":")[1].split() for line in head.splitlines() if line.startswith("axis mins")]
            for name, mins in (("mins.nrrd", least), ("cropped.nrrd", np.array((theirs or [["nan"] * 3])[0], float))):
                told = info(name)
                wanted = [low + (step / 2 if centre == "cell" else 0) if axis else 0
                          for low, step, axis in zip(mins, steps, known)]
                got = told["details"].get("origin-mm")
                if told["image"]["spacing_mm"] != steps or told["warning"] \
                        or (got is None) != (not any(known)) or (got and list(map(float, got.split("\\"))) != wanted):
                    yield f"{name}, {known}, {centre}: {got}, not {wanted}; {told['image']['spacing_mm']}, {told['warning']}"


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
        ("lists of files that are skipped into", lists_with_skips),
        ("axis mins of some axes", origins_of_some_axes),
        ("versions of unu, and slices that it joined", headers_of_unu),
    ]))
