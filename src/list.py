#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What the build finds by the names of its files: spatial filters, shaders and texts for people.

usage: list.py header | sources | shaders | help | texts | check BUILD

A filter NAME is src/plan/spatial/NAME.c; if it has a step of its own, that is in the files NAME
of every folder of PIECES, too: a missing one is named. `check` compares a build folder with what
is there now. If they differ, it says so, fails, and has Ninja configure anew next time."""
import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
FILTERS = ("src/plan/spatial", ".c")
PIECES = [("src/engine/reference/spatial", ".c"), ("src/engine/cpu/spatial", ".c"),
          ("shaders/spatial", ".glsl")]
SHADERS = (".comp", ".frag", ".glsl", ".vert")
# What people read (base/help.h).
SHELVES = ("filters", "help")
MADE = "help/keys.txt"  # from that file by resources/texts.py, in the build folder
HEADER, RESOURCES, HELP = "spatial_list.h", "shaders/shaders.gresource.xml", "resources/help.gresource.xml"


def names_in(folder, suffix):
    return {path.stem.replace("_", "-") for path in (ROOT / folder).glob("*" + suffix)}


def file_of(name, folder, suffix):
    return f"{folder}/{name.replace('-', '_') if suffix == '.c' else name}{suffix}"


def filters():
    return sorted(names_in(*FILTERS))


def steps():
    """Names of the filters with steps of their own."""
    own = set.union(*(names_in(*piece) for piece in PIECES)) & names_in(*FILTERS)
    code = set.union(*(names_in(folder, suffix) for folder, suffix in PIECES if suffix == ".c"))
    wanted = [(*FILTERS, code), *((*piece, own) for piece in PIECES)]
    missing = [file_of(name, folder, suffix) for folder, suffix, needed in wanted
               for name in sorted(needed - names_in(folder, suffix))]
    if missing:
        sys.exit("a spatial filter is incomplete without " + ", ".join(missing))
    return sorted(own)


def rows(macro, names):
    lines = [f"  X ({name.upper()}, {name})".replace("-", "_") for name in names]
    return f"#define {macro}(X) \\\n" + ", \\\n".join(lines) + "\n"


def header():
    return "// Made by src/list.py.\n#pragma once\n\n" + "\n".join(
        [rows("ODL_SPATIAL_FILTERS", filters()), rows("ODL_SPATIAL_STEPS", steps())])


def sources():
    """Relative to src/, a line each."""
    folders = [FILTERS, *(piece for piece in PIECES if piece[1] == ".c")]
    return "".join(file_of(name, *folder).removeprefix("src/") + "\n" for folder in folders
                   for name in sorted(names_in(*folder)))


def bundle(prefix, found, options=""):
    return ('<?xml version="1.0" encoding="UTF-8"?>\n<gresources>\n'
            f'  <gresource prefix="/org/ondelette{prefix}">\n'
            + "".join(f"    <file{options}>{path}</file>\n" for path in found)
            + "  </gresource>\n</gresources>\n")


def shaders():
    folder = ROOT / "shaders"
    found = sorted(path.relative_to(folder) for path in folder.glob("**/*") if path.suffix in SHADERS)
    found += sorted(path.stem + ".glsl" for path in folder.glob("**/*.py"))  # what they write
    return bundle("/shaders", found)


def text_files():
    folder = ROOT / "resources"
    return [path.relative_to(folder) for shelf in SHELVES for path in sorted((folder / shelf).glob("*.txt"))]


def texts():
    """Relative to resources/, a line each."""
    return "".join(f"{path}\n" for path in text_files())


def help():  # the name of the job
    return bundle("", text_files(), ' compressed="true"').replace(f">{MADE}<", f' alias="{MADE}">keys.txt<')


def check(build):
    for file, text in ((HEADER, header()), (RESOURCES, shaders()), (HELP, help())):
        before = set((build / file).read_text(encoding="utf-8").splitlines())
        changed = sorted(line.strip(" \\") for line in before ^ set(text.splitlines()))
        if changed:
            os.utime(build / "meson-private" / "coredata.dat")
            sys.exit("spatial filters, shaders or texts came or went; build again: " + ", ".join(changed))


if __name__ == "__main__":
    if sys.argv[1:2] == ["check"] and len(sys.argv) == 3:
        check(pathlib.Path(sys.argv[2]))
    elif len(sys.argv) == 2 and sys.argv[1] in ("header", "sources", "shaders", "help", "texts"):
        print(globals()[sys.argv[1]](), end="")
    else:
        sys.exit(__doc__)
