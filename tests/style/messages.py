#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The template and the translations hold exactly the messages of the sources."""
import pathlib
import sys

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


def template_is_current():
    yield from difference(messages.TEMPLATE, messages.messages_of(messages.TEMPLATE),
                          messages.current_messages())


def translations_follow_the_template():
    want = messages.messages_of(messages.TEMPLATE)
    for language in messages.languages():
        path = f"po/{language}.po"
        yield from difference(path, messages.messages_of(path), want)


if __name__ == "__main__":
    sys.exit(tap.run([
        ("/messages/potfiles-lists-every-file-with-messages",
         potfiles_lists_every_file_with_messages),
        ("/messages/template-is-current", template_is_current),
        ("/messages/translations-follow-the-template", translations_follow_the_template),
    ]))
