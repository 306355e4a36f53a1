#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Every test that a table of claims names is there, with its case."""
import functools
import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
import tap  # noqa: E402
import tree  # noqa: E402

TABLES = ["tests/hazards.md", "tests/published.md"]


def plain(words):
    """A case's name however it is written: letters and digits alone."""
    return re.sub(r"[^a-z0-9]+", "", words.lower().replace("’", "").replace("'", ""))


@functools.lru_cache
def cases():
    """What stands in quotation marks in tests, the last part of what is a path, and the functions of
    Python, whose names often are those of cases. A pattern where text is put in."""
    names, patterns = set(), set()
    for path in tree.files_with(".c", ".py", ".h"):
        if path.parts[0] != "tests":
            continue
        text = tree.text_of(path)
        for quoted in re.findall(r'"((?:[^"\\\n]|\\.)*)"', text):
            parts = [plain(part) for part in re.split(r"\{[^}]*\}", quoted)]
            if len(parts) == 1:
                names |= {plain(quoted), plain(quoted.rsplit("/", 1)[-1])}
            elif len("".join(parts)) > 12:
                patterns.add(".*".join(parts))
        names |= {plain(name) for name in re.findall(r"^def (\w+)", text, re.MULTILINE)}
    return names, patterns


def is_case(name):
    names, patterns = cases()
    return name in names or any(re.fullmatch(pattern, name) for pattern in patterns)


def programs():
    tests = pathlib.Path(sys.argv[1], "meson-info", "intro-tests.json") if len(sys.argv) > 1 else None
    if tests is None or not tests.exists():
        raise tap.Skip("nothing was configured")
    found = {test["name"] for test in json.loads(tests.read_text())}
    if not found:
        raise tap.Skip("tests were not built")
    return found


def claims(table):
    """The last cells of a table's rows."""
    for number, line in enumerate(tree.text_of(table).splitlines(), 1):
        if line.startswith("|") and not line.startswith("| ---"):
            yield number, line.strip().strip("|").rsplit("|", 1)[-1]


def every_case_is_there():
    for table in TABLES:
        for number, cell in claims(table):
            for name in re.findall(r"(?<!\*)\*([^*`]+)\*(?!\*)", cell):
                if not is_case(plain(name)):
                    yield f"{table}:{number}: no test has a case “{name}”"


def every_program_is_there():
    known = programs()
    for table in TABLES:
        for number, cell in claims(table):
            for name in re.findall(r"`([a-z][a-z0-9_]*-[a-z0-9_*-]+)`", cell):
                if not any(re.fullmatch(name.replace("*", ".*"), test) for test in known):
                    yield f"{table}:{number}: there is no test “{name}”"


if __name__ == "__main__":
    sys.exit(tap.run([("every case that a table names is there", every_case_is_there),
                      ("every test that a table names is there", every_program_is_there)]))
