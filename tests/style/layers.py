#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Who may include whom, as the tables of src/README.md say."""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
import tap  # noqa: E402
import tree  # noqa: E402

README = pathlib.Path("src/README.md")
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)
ANYWHERE = {"config.h", "python_bootstrap.h", "spatial_list.h"}  # the build folder's
DEFINED = re.compile(r"^(odl_\w+)(?: \(|\[| = )|^(?:extern )?const \w+ \**(odl_\w+)(?:\[| = )", re.M)
NAME = re.compile(r"\bodl_\w+")
COMMENT = re.compile(r"//.*")


def spans(cell):
    return re.findall(r"`([^`]+)`", cell)


def table(first_heading):
    """The rows below the heading row that starts with `first_heading`, as lists of cells."""
    rows, inside = [], False
    for line in tree.text_of(README).splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("|") and cells[0] == first_heading:
            inside = True
        elif inside and not line.startswith("|"):
            break
        elif inside and not set(cells[0]) <= set("- "):
            rows.append(cells)
    return rows


def sources():
    return [path for path in tree.files_with(".c", ".h", ".cpp", ".cc")
            if path.parts[0] == "src"]


def layer_of(path):
    """src/engine/gl/pass.c -> engine; src/main.c -> main.c"""
    return path.parts[1]


def layers():
    return {spans(row[0])[0]: set(spans(row[1])) for row in table("folder")}


def every_folder_has_a_row():
    known = layers()
    found = {layer_of(path) for path in sources()}
    for layer in sorted(found - set(known)):
        yield f"src/{layer} has no row in {README}"
    for layer in sorted(set(known)):
        if "." not in layer and not (tree.ROOT / "src" / layer).is_dir():
            yield f"{README} names {layer}, which is not there"


def includes_obey_the_table():
    known = layers()
    for path in sources():
        own = layer_of(path)
        allowed = known.get(own, set()) | {own}
        for name in INCLUDE.findall(tree.text_of(path)):
            if name in ANYWHERE or name in allowed or name.split("/")[0] in allowed:
                continue
            yield f'{path} includes "{name}"; {own} may include {", ".join(sorted(allowed))}'


def included_files_exist():
    for path in sources():
        for name in INCLUDE.findall(tree.text_of(path)):
            if name not in ANYWHERE and not (tree.ROOT / "src" / name).is_file():
                yield f'{path} includes "{name}", which is not below src/'


def libraries_stay_in_their_place():
    rules = [(row[0], spans(row[1]), spans(row[2])) for row in table("library")]
    if not rules:
        yield f"{README} has no table of libraries"
    for path in sources():
        text = tree.text_of(path)
        inside = path.relative_to("src")
        for library, places, signs in rules:
            if any(inside == pathlib.Path(place) or pathlib.Path(place) in inside.parents
                   for place in places):
                continue
            for sign in signs:
                if sign in text:
                    yield f"{path} uses {sign}: {library} belongs to {', '.join(places)}"


def cplusplus_stays_with_dcmtk():
    for path in tree.files_with(".cpp", ".cc", ".cxx", ".hpp"):
        if path.parts[:2] not in (("src", "decoder"), ("src", "network")):
            yield f"{path} is C++; only src/decoder and src/network may be"


def calls_within(folder):
    """file -> those of the folder whose functions and tables it names"""
    texts = {path: tree.text_of(path) for path in sources()
             if layer_of(path) == folder and path.suffix == ".c"}
    home = {a or b: str(path) for path, text in texts.items()
            for a, b in DEFINED.findall(COMMENT.sub("", text))}
    calls = {}
    for path, text in texts.items():
        own = str(path)
        called = {home[name] for name in NAME.findall(COMMENT.sub("", text)) if name in home}
        calls.setdefault(own, set()).update(called - {own})
    return calls


def circle(calls):
    """The files of one circle, in the order in which they call each other; [] for none."""
    done = set()

    def walk(path, way):
        if path in way:
            return way[way.index(path):]
        if path in done:
            return []
        for called in sorted(calls[path]):
            found = walk(called, way + [path])
            if found:
                return found
        done.add(path)
        return []

    return next((found for found in (walk(path, []) for path in sorted(calls)) if found), [])


def files_of_a_folder_call_in_no_circle():
    for folder in sorted({layer_of(path) for path in sources()}):
        found = circle(calls_within(folder))
        if found:
            yield "a circle of calls: " + " -> ".join(found + found[:1])


if __name__ == "__main__":
    sys.exit(tap.run([
        ("/layers/every-folder-has-a-row-in-the-table", every_folder_has_a_row),
        ("/layers/includes-obey-the-table", includes_obey_the_table),
        ("/layers/included-files-exist", included_files_exist),
        ("/layers/files-of-a-folder-call-in-no-circle", files_of_a_folder_call_in_no_circle),
        ("/layers/libraries-stay-in-their-place", libraries_stay_in_their_place),
        ("/layers/cplusplus-stays-with-dcmtk", cplusplus_stays_with_dcmtk),
    ]))
