# SPDX-License-Identifier: MIT
"""Writes files with measurement results."""
import pathlib


def write(folder, stem, texts):
    """Writes STEM.EXTENSION for each extension of `texts`; where one of them is there already, a
    number behind the stem tells the new ones from it. The paths."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    name, number = stem, 1
    while any((folder / f"{name}.{extension}").exists() for extension in texts):
        number += 1
        name = f"{stem}-{number}"
    paths = []
    for extension, text in texts.items():
        paths.append(folder / f"{name}.{extension}")
        paths[-1].write_text(text, encoding="utf-8")
    return paths
