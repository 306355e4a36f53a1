#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The translatable messages. `messages.py` alone writes po/POTFILES anew and merges the messages of
the sources into every translation; `messages.py FILE` writes their template there, for a new one.
The style test compares without writing."""
import pathlib
import re
import subprocess
import sys
import tempfile

import tree

sys.path.insert(0, str(tree.ROOT / "resources"))
import texts  # noqa: E402

DOMAIN = "ondelette"
POTFILES = pathlib.Path("po", "POTFILES")
LINGUAS = pathlib.Path("po", "LINGUAS")
# Translation macros of <glib/gi18n-lib.h>.
KEYWORDS = ["_", "N_", "C_:1c,2", "NC_:1c,2", "ngettext:1,2", "g_dngettext:2,3", "g_dcgettext:2",
            "g_dpgettext2:2c,3"]
FLAGS = ["g_set_error:4:c-format", "g_error_new:3:c-format", "g_strdup_printf:1:c-format",
         "odl_error_set:3:c-format", "odl_error_null:3:c-format", "odl_usage_error:2:c-format"]
MARKED = re.compile(r"\b(?:_|N_|C_|NC_|ngettext|g_dngettext|g_dcgettext|g_dpgettext2) \(\s*(?:GETTEXT_PACKAGE,\s*)?\"")
ALWAYS = (".desktop.in", ".metainfo.xml.in", ".gschema.xml")


def translatable_files():
    """All files with translatable messages."""
    for path in tree.all_files():
        if path.parts[0] not in ("src", "ui", "resources"):
            continue
        if path.name.endswith(ALWAYS):
            yield path
        elif path.suffix in (".c", ".cpp", ".cc", ".h") and MARKED.search(tree.text_of(path)):
            yield path
        elif path.suffix == ".ui" and re.search(r'translatable="(yes|true)"', tree.text_of(path)):
            yield path


def potfiles_text():
    return "".join(f"{path}\n" for path in translatable_files())


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def write_texts(output):
    """A template of what people read about filters and the program, which xgettext does not read."""
    rows = ['msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n']
    for path in texts.files():
        place = path.relative_to(tree.ROOT)
        rows += [f"#: {place}\nmsgid {quoted(message)}\nmsgstr \"\"\n"
                 for message in dict.fromkeys(texts.messages(texts.read(path)))]
    output.write_text("\n".join(rows), encoding="utf-8")


def extract(output):
    """Writes the template to `output`; raises when a program of gettext fails."""
    with tempfile.TemporaryDirectory() as folder:
        code, read = pathlib.Path(folder, "code.pot"), pathlib.Path(folder, "texts.pot")
        extract_code(code)
        write_texts(read)
        joined = pathlib.Path(folder, "joined.pot")  # msgcat does not take a message twice from one file
        subprocess.run(["msguniq", "--no-wrap", "--add-location=file", "-o", joined, read], check=True)
        subprocess.run(["msgcat", "--use-first", "--no-wrap", "--add-location=file", "-o", output, code, joined],
                       cwd=tree.ROOT, check=True)


def extract_code(output):
    """What xgettext finds; raises when it fails or warns."""
    command = ["xgettext", f"--output={output}", f"--files-from={POTFILES}", "--from-code=UTF-8",
               "--add-comments=Translators", f"--default-domain={DOMAIN}", "--sort-by-file",
               "--add-location=file",  # line numbers would change with every edit
               f"--package-name={DOMAIN}", "--copyright-holder=The Ondelette developers",
               "--no-wrap", *(f"--keyword={word}" for word in KEYWORDS),
               *(f"--flag={flag}" for flag in FLAGS)]
    subprocess.run(command, cwd=tree.ROOT, check=True)


def messages_of(path):
    """The (context, msgid, plural) of every message of a .po or .pot file, as a set."""
    done = subprocess.run(["msgattrib", "--no-obsolete", "--no-wrap", "--no-location", path],
                          cwd=tree.ROOT, capture_output=True, text=True, check=True)
    found = set()
    for block in done.stdout.split("\n\n"):
        fields = {}
        field = None
        for line in block.splitlines():
            start = re.match(r'(msgctxt|msgid_plural|msgid|msgstr\S*) "(.*)"$', line)
            if start:
                field = start.group(1)
                fields[field] = start.group(2)
            elif line.startswith('"') and field:
                fields[field] += line[1:-1]
        if fields.get("msgid"):
            found.add((fields.get("msgctxt"), fields["msgid"], fields.get("msgid_plural")))
    return found


def current_messages():
    """The messages in the sources."""
    with tempfile.TemporaryDirectory() as folder:
        template = pathlib.Path(folder, DOMAIN + ".pot")
        extract(template)
        return messages_of(template)


def languages():
    return [word for word in tree.text_of(LINGUAS).split() if not word.startswith("#")]


def main():
    (tree.ROOT / POTFILES).write_text(potfiles_text(), encoding="utf-8")
    if len(sys.argv) > 1:
        extract(pathlib.Path(sys.argv[1]).resolve())
        return
    with tempfile.TemporaryDirectory() as folder:
        template = pathlib.Path(folder, DOMAIN + ".pot")
        extract(template)
        for language in languages():
            subprocess.run(["msgmerge", "--update", "--backup=none", "--no-fuzzy-matching", "--no-wrap",
                            "--add-location=file", f"po/{language}.po", template], cwd=tree.ROOT, check=True)


if __name__ == "__main__":
    main()
