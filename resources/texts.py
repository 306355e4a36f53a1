#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What people read about filters and the program, as src/base/help.h says it is written; and the
manual page of filters.

usage: texts.py OUTPUT    writes ondelette-filters(7)"""
import collections
import pathlib
import re
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
SHELVES = ("filters", "help")
COMMANDS = FOLDER.parent / "src" / "widgets" / "window" / "commands.c"
Command = collections.namedtuple("Command", "place id keys title also")
SECTIONS = ("Purpose", "Formula", "Parameters", "When to use it", "Figures", "Source")


def commands():
    """The rows of commands.c, in their order; "" where a string is NULL or left out."""
    table = COMMANDS.read_text(encoding="utf-8").split(" commands[] = {")[1].split("\n};")[0]
    for place, row in re.findall(r"\{ (\w+), ([^}]*) \}", table):
        row = re.sub(r'NC_ \("shortcuts",\s*', "", re.sub(r'"\s+"', "", row))
        yield Command(place, *(re.findall(r'"([^"]*)"|NULL', row) + [""] * 3)[:4])


def blocks(text):
    """(kind, term, text) of each block: heading, paragraph, term or code."""
    for block in re.split(r"\n(?:[ ]*\n)+", text.strip("\n")):
        lines = [line.rstrip() for line in block.split("\n")]
        if lines[0].startswith("    "):
            yield "code", "", "\n".join(re.sub("^ {4}", "", line) for line in lines)
            continue
        kind = {"# ": "heading", "- ": "term"}.get(lines[0][:2], "paragraph")
        joined = " ".join(line.strip() for line in lines)
        joined = joined if kind == "paragraph" else joined[2:].lstrip()
        if kind == "term":
            term, _, rest = joined.partition(": ")
            yield kind, term, rest
        else:
            yield kind, "", joined


def messages(text):
    """What is translated, in its order."""
    for kind, term, words in blocks(text):
        if re.search(r"[^\W\d_]", re.sub("`[^`]*`", "", term)):  # a letter that is not typed
            yield term
        if words and kind != "code":
            yield words


def files():
    """Paths of all texts."""
    return [path for shelf in SHELVES for path in sorted((FOLDER / shelf).glob("*.txt"))]


def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    text = re.sub("`([^`]*)`", "\\\\fB\\1\\\\fP", text)
    return "\n".join("\\&" + line if line.startswith((".", "'")) else line for line in text.split("\n"))


def page(path):
    """One filter of the manual page."""
    yield f".SH {roff(path.stem)}"
    for kind, term, text in blocks(path.read_text(encoding="utf-8")):
        if kind == "heading":
            yield f".SS {roff(text)}"
        elif kind == "term":
            yield f".TP\n{roff(term)}\n{roff(text)}"
        elif kind == "code":
            yield f".PP\n.nf\n.RS 4\n{roff(text)}\n.RE\n.fi"
        else:
            yield f".PP\n{roff(text)}"


def manual():
    yield '.\\" SPDX-License-Identifier: MIT\n.\\" Made by resources/texts.py from resources/filters.'
    yield '.TH ONDELETTE\\-FILTERS 7 "" "Ondelette" "Filters"'
    yield ".SH NAME\nondelette\\-filters \\- the filters of ondelette and ondelette\\-cli"
    yield (".SH DESCRIPTION\nA filter is written NAME:KEY=VALUE,KEY=VALUE.\n"
           ".B ondelette\\-cli list filters\nprints all of them with their defaults and ranges,\n"
           ".B ondelette\\-cli help NAME\nthe page of one, in your language.\n"
           "In formulas f or x is the sample or coefficient that a filter reads.\n"
           "They are for research and teaching, not for diagnostic use.")
    for path in sorted((FOLDER / "filters").glob("*.txt")):
        yield from page(path)
    yield ".SH SEE ALSO\n.BR ondelette (1),\n.BR ondelette\\-cli (1)"


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    pathlib.Path(sys.argv[1]).write_text("\n".join(manual()) + "\n", encoding="utf-8")
