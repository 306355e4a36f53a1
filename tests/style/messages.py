#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The translations hold exactly the messages of the sources."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
import messages  # noqa: E402
import tap  # noqa: E402
import tree  # noqa: E402

REMEDY = "run tests/helpers/messages.py, then translate"


def difference(label, have, want):
    for message in sorted(want - have, key=str):
        yield f"{label} lacks {message[1]!r}; {REMEDY}"
    for message in sorted(have - want, key=str):
        yield f"{label} still has {message[1]!r}; {REMEDY}"


def potfiles_lists_every_file_with_messages():
    want = set(messages.potfiles_text().split())
    have = set(tree.text_of(messages.POTFILES).split())
    for path in sorted(want - have):
        yield f"{messages.POTFILES} lacks {path}"
    for path in sorted(have - want):
        yield f"{messages.POTFILES} still names {path}"


def translations_follow_the_sources():
    want = messages.current_messages()
    for language in messages.languages():
        path = f"po/{language}.po"
        yield from difference(path, messages.messages_of(path), want)


def a_window_has_one_name_in_french():
    """Grey levels have a “niveau” and a “largeur”, of which the corners of a picture show the beginnings."""
    text = subprocess.run(["msgattrib", "--no-obsolete", "--no-wrap", "po/fr.po"], cwd=tree.ROOT,
                          capture_output=True, text=True, check=True).stdout
    for english, french in re.findall(r'^msgid "(.*)"\nmsgstr "(.*)"$', text, re.M):
        is_window = re.search(r"\bcentre\b.*\b(width|grey-level)\b", english, re.I) or english == "Centre"
        if is_window and re.search(r"\b[Cc]entre\b", french):
            yield f"“{english[:80]}” is a “centre” in French, not a “niveau”"


def programs_speak_every_language():
    """Also: the message "" is the header of a catalogue, which nobody wants to read."""
    program = pathlib.Path(sys.argv[1], "src", "ondelette-cli") if len(sys.argv) > 1 else None
    if program is None or not program.exists():
        raise tap.Skip("the program was not built")
    english = {}
    damaged = tempfile.NamedTemporaryFile(suffix=".png")  # what the decoder says of it, too
    damaged.write(b"\x89PNG\r\n\x1a\n" + bytes(600))
    damaged.flush()
    for language in ["en", *messages.languages()]:
        for words in (["--help"], ["bench", "--help"], ["list", "filters"], ["list", "engines"],
                      ["list", "sources"], ["help", "lee"], ["info", "phantom:64x64"], ["info", damaged.name]):
            run = subprocess.run([program, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                 check=words[-1] != damaged.name,
                                 env={**os.environ, "LC_ALL": "C.UTF-8", "LANGUAGE": language})
            text = run.stdout
            if "Project-Id-Version" in text:
                yield f"{words} in {language} shows the header of the catalogue"
            if english.setdefault(tuple(words), text) == text and language != "en":
                yield f"{words} in {language} is English"


if __name__ == "__main__":
    sys.exit(tap.run([
        ("/messages/potfiles-lists-every-file-with-messages",
         potfiles_lists_every_file_with_messages),
        ("/messages/translations-follow-the-sources", translations_follow_the_sources),
        ("/messages/a-window-has-one-name-in-french", a_window_has_one_name_in_french),
        ("/messages/programs-speak-every-language", programs_speak_every_language),
    ]))
