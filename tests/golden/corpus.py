#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Damaged files that fuzzing kept, one of each format for each sentence, and all that ever crashed the decoder:
each ends as a picture or in a sentence."""
import collections
import os
import pathlib
import subprocess
import sys
import zipfile

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / "helpers"), str(TESTS / "bench")]
import command_line  # noqa: E402
import fuzzing  # noqa: E402

CORPUS = TESTS / "bench" / "corpus.zip"


def end_in_words():
    with zipfile.ZipFile(CORPUS) as archive:
        names = sorted(archive.namelist())
        archive.extractall("in")
    done = subprocess.run([command_line.CLI, "process", *(f"in/{name}" for name in names), "-o", "out/", "--format", "png"],
                          capture_output=True, encoding="utf-8", errors="replace", timeout=250, check=False)
    assert done.returncode in (1, 3), done
    for line in done.stderr.splitlines():
        if fuzzing.CRASHES.search(line):
            yield line
    opened = {path.stem.split("-")[0] for path in pathlib.Path("out").iterdir()}
    refused = sum(line.startswith("ondelette-cli:") and "warning" not in line for line in done.stderr.splitlines())
    kinds = collections.Counter(os.path.splitext(name)[1] for name in names)
    assert len(kinds) > 10 and opened and refused > 50, (kinds, len(opened), refused)


sys.exit(command_line.run_cases({"damaged files end as pictures or in words": end_in_words}))
