#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Every way of odl-filtering, by its name, is what the plain reference makes.

usage: ways.py ODL_FILTERING
"""
import csv
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "helpers"))
import tap  # noqa: E402

# By dimensions and the side of the kernel, for every way: primes that take several work groups, and one sample.
SIZES = {
    2: {3: [(97, 61)], 9: [(337, 331), (1, 1)], 11: [(127, 131)], 17: [(127, 131), (161, 97)]},
    3: {3: [(29, 17, 11)], 9: [(37, 29, 11), (89, 57, 2)], 13: [(23, 29, 17)]},
    4: {3: [(19, 13, 5, 7)], 5: [(19, 13, 5, 7), (89, 57, 3, 5)], 11: [(13, 17, 3, 11)]},
}

# About the samples of a work group, by how names begin: textures 32 × 16, shared memory 88 × 56 and 80 × 48, tiles
# 16 × 8 × 8 and 24 × 8 × 4. Others have no such samples, and each size of a way has a program of its own.
EDGES = {
    "texture": {2: {9: [(31, 17), (33, 15)]}, 3: {9: [(33, 17, 10)]}},
    "shared": {2: {9: [(88, 56), (87, 57), (89, 55)], 17: [(80, 48), (79, 49), (81, 47)]}, 3: {13: [(81, 49, 3)]}},
    "tile": {3: {9: [(16, 8, 8), (17, 7, 9), (15, 9, 7), (24, 8, 4), (25, 9, 5), (23, 7, 3)]}},
}


def run(*arguments):
    return subprocess.run([sys.argv[1], *arguments], capture_output=True, encoding="utf-8", check=False)


def ways():
    """Names, with the dimensions and the largest side that each has."""
    found = {}
    for line in run("--ways").stdout.splitlines():
        name, rest = line.split(maxsplit=1)
        dimensions, sides = rest.split(":")[0].split(", ")
        found[name] = (int(dimensions[0]), int(dimensions[-2]), int(sides.split()[-1]))
    return found


def works(name, least, most, most_side):
    for dimensions in range(least, most + 1):
        edges = next((sizes for begin, sizes in EDGES.items() if name.startswith(begin)), {})
        for side, sizes in SIZES[dimensions].items():
            if side > most_side:
                continue
            wanted = ["x".join(map(str, size)) for size in sizes + edges.get(dimensions, {}).get(side, [])]
            done = run("--check", f"--way={name}", f"--side={side}", *(f"--size={size}" for size in wanted))
            rows = list(csv.DictReader(line for line in done.stdout.splitlines() if line[0] != "#"))
            if done.returncode != 0 or [r["way"] for r in rows] != [name] * len(wanted):
                yield f"side {side}, {wanted}: {done.returncode}, {len(rows)} rows, {done.stderr}"
            off = max((float(r["plain_off"]) for r in rows), default=0)
            if off == 0:
                yield f"side {side}, {wanted}: nothing is compared"
            print(f"# {name}, {dimensions}D, side {side}: at most {off:.2g} from the reference")


def measured():
    """Two ways of one figure are timed, alike."""
    done = run("--small", "--only=16", "--side=7", "--way=direct", "--way=fft-published", "11")
    rows = list(csv.DictReader(line for line in done.stdout.splitlines() if line[0] != "#"))
    if done.returncode != 0 or [r["way"] for r in rows] != ["direct", "fft-published"]:
        yield f"{done.returncode}: {done.stdout}{done.stderr}"
    for row in rows:
        if not 0 <= float(row["us"]) < float(row["us_with_transfer"]):
            yield f"not measured: {row}"


def refused():
    for arguments, words in ((["--way=shared-rolled", "6"], [*ways(), "shared-rolled"]),
                             (["--way=tile-24x16x16", "--side=11", "--size=20x20x20"], ["tile-24x16x16", "11"]),
                             (["--way=texture", "--side=5", "--size=9x9x9x9"], ["texture", "4 dimensions"]),
                             (["--side=4", "--size=9x9"], ["odd"]), (["--side=5", "--size=9"], ["no size"]),
                             (["5"], ["no figure"])):
        done = run(*arguments)
        if done.returncode != 1 or not all(word in done.stderr for word in words):
            yield f"{arguments}: {done.returncode}, {done.stderr}"


sys.exit(tap.run([(f"{name} is the plain reference", lambda name=name, row=row: works(name, *row))
                  for name, row in ways().items()]
                 + [("two ways are measured", measured), ("wrong names, sides and sizes are refused", refused)]))
