#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What people read about filters and the program is whole: texts.py BUILD"""
import json
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
import messages  # noqa: E402
import tap  # noqa: E402
import tree  # noqa: E402

sys.path.insert(0, str(tree.ROOT / "resources"))
import texts  # noqa: E402

MOST_BYTES = 65536  # ODL_HELP_MOST_BYTES


def rows():
    """Keys of the parameters of each filter, as its row has them."""
    program = pathlib.Path(sys.argv[1], "src", "ondelette-cli") if len(sys.argv) > 1 else None
    if program is None or not program.exists():
        raise tap.Skip("the program was not built")
    listed = subprocess.run([program, "list", "filters", "--json"], capture_output=True, text=True, check=True)
    return {row["name"]: [parameter["key"] for parameter in row["parameters"]] for row in json.loads(listed.stdout)}


def sections(path):
    """(heading, blocks below it), in their order; what stands before the first one has the heading None."""
    found = [(None, [])]
    for kind, term, text in texts.blocks(texts.read(path)):
        if kind == "heading":
            found.append((text, []))
        else:
            found[-1][1].append((kind, term, text))
    return found


def every_filter_has_its_text():
    files = {path.stem for path in texts.files() if path.parent.name == "filters"}
    for name in sorted(set(rows()) - files):
        yield f"resources/filters lacks {name}.txt"
    for name in sorted(files - set(rows())):
        yield f"resources/filters/{name}.txt is about no filter"


def every_section_is_there():
    for path in texts.files():
        if path.parent.name != "filters":
            continue
        before, *found = sections(path)
        names = tuple(name for name, below in found)
        if before[1] or names != texts.SECTIONS:
            yield f"{path.name} has the sections {', '.join(names)} instead of {', '.join(texts.SECTIONS)}"
        for name, below in found:
            if not any(text for kind, term, text in below):
                yield f"{path.name} says nothing under “{name}”"


def every_parameter_is_named():
    for name, keys in rows().items():
        path = tree.ROOT / "resources" / "filters" / f"{name}.txt"
        below = dict(sections(path)).get("Parameters", []) if path.exists() else []
        named = [term.strip("`") for kind, term, text in below if kind == "term" and text]
        if named != keys:
            yield f"{path.name} names the parameters {', '.join(named)}; the row has {', '.join(keys)}"


def translations_keep_what_is_typed():
    for language in messages.languages():
        done = subprocess.run(["msgattrib", "--translated", "--no-obsolete", "--no-wrap", f"po/{language}.po"],
                              cwd=tree.ROOT, capture_output=True, text=True, check=True)
        pairs = re.findall('^msgid "(.*`.*)"\nmsgstr "(.*)"$', done.stdout, re.M)
        if not pairs:
            yield f"po/{language}.po has no text with typed words"
        for message, translated in pairs:
            if sorted(re.findall("`[^`]*`", message)) != sorted(re.findall("`[^`]*`", translated)):
                yield f"po/{language}.po has other typed words than “{message[:60]}”"


def texts_can_be_read():
    """The rules of base/help.h: no lone back quote, no text that is cut off, no line that is none of theirs."""
    for path in texts.files():
        text = texts.read(path)
        if len(text.encode()) > MOST_BYTES:
            yield f"{path.name} is longer than {MOST_BYTES} bytes"
        for kind, term, words in texts.blocks(text):
            if kind != "code" and (term + words).count("`") % 2:
                yield f"{path.name}: a back quote stands alone in “{words[:60]}”"
            if kind == "term" and not words:
                yield f"{path.name}: “{term}” has no text"
            if kind != "code" and re.search(r"(^|\s)(#|-) ", term + words):
                yield f"{path.name}: an empty line is missing before “{words[:60]}”"


MANUAL = pathlib.Path("resources", "ondelette.1")
KEYS = pathlib.Path("resources", "help", "keys.txt")
MODIFIERS = {"Ctrl", "Shift", "Alt"}  # with the arrows and the wheel


def keys_of_the_table():
    """(row, key as texts write it, whether the shortcuts window shows it) of all keys."""
    for row in texts.commands():
        shown, further = row.keys.split() if row.id else [], row.also.split()
        for key in shown + further:
            yield row, texts.key_as_written(key, texts.NAMES | texts.ARROWS), key in shown


def every_shortcut_is_in_the_help():
    page = texts.read(tree.ROOT / KEYS)
    told = {key for quoted in re.findall("`([^`]+)`", page) for key in quoted.split(" ")}
    for row, key, shown in keys_of_the_table():
        if shown and not re.match(r"win\.(lean|push)|measuring\.move", row.id) and key not in told:
            yield f"{KEYS} lacks {key}, of {row.id}"


def keys_come_from_the_table():
    """What the page of keys and the manual page say is typed is the key of a row, and no other text,
    of the window or of help, names a key that is not there."""
    for term in re.findall("`([^`]+)`", tree.text_of(KEYS)):
        if not re.fullmatch(r"(\{[^}]+\} ?)+", term) and term not in MODIFIERS:
            yield f"{KEYS} has {term} in the place of the id of its command"
    section = tree.text_of(MANUAL).split(".SH KEYS\n")[1].split("\n.SH ")[0]
    for heading in re.findall(r"^\.TP\n\.BR? (.*)", section, re.M):
        other = re.sub(r'\{[^}]+\}|"[^"]*"|\s', "", heading)
        if other:
            yield f"{MANUAL} has {other} in the place of the id of its command"
    known = {key for row, key, shown in keys_of_the_table()}
    for path in [*texts.files(), *(tree.ROOT / name for name in ("README.md", "po/fr.po", MANUAL))]:
        text = texts.read(path).replace("Maj+", "Shift+")  # as some say it in French
        for key in re.findall(r'(?:(?:Ctrl|Shift|Alt)\+)+[^\s`",.;:)]+|\bF\d+\b', text):
            if key not in known:
                yield f"{path.relative_to(tree.ROOT)} names {key}, which no command has"


def rows_of_commands_are_read():
    table = tree.text_of(texts.COMMANDS.relative_to(tree.ROOT)).split(" menus[] = {")[0]
    lines = re.findall(r"^  \{ ", table, re.M)
    found = list(texts.commands())
    if len(found) != len(lines):
        yield f"{texts.COMMANDS.name} has {len(lines)} rows, of which texts.py reads {len(found)}"
    for row in found:
        if row.place in ("ACCELERATOR", "KEY") and not (row.id and row.keys + row.also):
            yield f"the command “{row.id or row.title}” lacks its action or its key"


def keys_do_one_thing():
    """Among those of the window and its picture, of measuring, of the card of a filter and so on."""
    seen = {}
    for row in texts.commands():
        room, _, name = row.id.partition(".")
        room = "win" if room in ("app", "window", "canvas") else room
        for key in (row.keys + " " + row.also).split() if name else []:
            key = re.sub(r"\b\w$", lambda letter: letter[0].lower(), key)
            if (room, key) in seen:
                yield f"{key} is {seen[room, key]} and {row.id}"
            seen[room, key] = row.id


if __name__ == "__main__":
    sys.exit(tap.run([
        ("/texts/every-filter-has-its-text", every_filter_has_its_text),
        ("/texts/every-section-is-there", every_section_is_there),
        ("/texts/every-parameter-is-named", every_parameter_is_named),
        ("/texts/every-shortcut-is-in-the-help", every_shortcut_is_in_the_help),
        ("/texts/keys-come-from-the-table", keys_come_from_the_table),
        ("/texts/rows-of-commands-are-read", rows_of_commands_are_read),
        ("/texts/keys-do-one-thing", keys_do_one_thing),
        ("/texts/translations-keep-what-is-typed", translations_keep_what_is_typed),
        ("/texts/texts-can-be-read", texts_can_be_read),
    ]))
