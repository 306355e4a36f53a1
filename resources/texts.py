#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What people read about filters and the program, as src/base/help.h says it is written; and the
manual pages of the window and of filters.

In help/keys.txt and ondelette.1 {ID} stands for the key of a row of the table of commands, {ID:2}
for its second one.

usage: texts.py OUTPUT    writes keys.txt, ondelette.1 or ondelette-filters.7"""
import collections
import pathlib
import re
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
SHELVES = ("filters", "help")
COMMANDS = FOLDER.parent / "src" / "widgets" / "window" / "commands.c"
NAMES = {"question": "?", "comma": ",", "period": ".", "plus": "+", "minus": "−", "less": "<", "greater": ">",
         "bracketleft": "[", "bracketright": "]", "space": "Space", "BackSpace": "Backspace",
         "<Control>": "Ctrl+", "<Shift>": "Shift+", "<Alt>": "Alt+"}
ARROWS = {"Left": "←", "Right": "→", "Up": "↑", "Down": "↓"}
Command = collections.namedtuple("Command", "place id keys title also")
SECTIONS = ("Purpose", "Formula", "Parameters", "When to use it", "Figures", "Source")


def commands():
    """The rows of commands.c, in their order; "" where a string is NULL or left out."""
    table = COMMANDS.read_text(encoding="utf-8").split(" commands[] = {")[1].split("\n};")[0]
    for place, row in re.findall(r"\{ (\w+), ([^}]*) \}", table):
        row = re.sub(r'NC_ \("shortcuts",\s*', "", re.sub(r'"\s+"', "", row))
        yield Command(place, *(re.findall(r'"([^"]*)"|NULL', row) + [""] * 3)[:4])


def key_as_written(accelerator, names):
    parts = re.findall(r"<\w+>|\w+", accelerator)
    return "".join(names.get(part, part.upper() if len(part) == 1 else part) for part in parts)


def with_keys(text, names):
    """`text` with the keys of the table in the place of {ID} and {ID:2}."""
    keys = {row.id: (row.keys + " " + row.also).split() for row in commands() if row.id}

    def key(found):
        own, number = keys.get(found[1], []), int(found[2] or 1)
        if number > len(own):
            raise ValueError(f"{found[0]} is the key of no row of {COMMANDS.name}")
        return key_as_written(own[number - 1], names)
    return re.sub(r"\{([a-z]+\.[^}:]+)(?::(\d))?\}", key, text)


def read(path):
    """The text of a file of help, whose keys are those of the table."""
    return with_keys(path.read_text(encoding="utf-8"), NAMES | ARROWS)


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


def filters_manual():
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


WRITTEN = {
    "keys.txt": lambda: read(FOLDER / "help" / "keys.txt"),
    "ondelette.1": lambda: with_keys((FOLDER / "ondelette.1").read_text(encoding="utf-8"), NAMES),
    "ondelette-filters.7": lambda: "\n".join(filters_manual()) + "\n",
}

if __name__ == "__main__":
    output = pathlib.Path(sys.argv[-1])
    if len(sys.argv) != 2 or output.name not in WRITTEN:
        sys.exit(__doc__)
    output.write_text(WRITTEN[output.name](), encoding="utf-8")
