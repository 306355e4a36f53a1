# SPDX-License-Identifier: MIT
"""The files of the project, for the style test and lint."""
import functools
import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]


def git_list(*options):
    command = ["git", "-c", "safe.directory=*", "-C", ROOT, "ls-files", "-z", *options]
    out = subprocess.run(command, capture_output=True, check=True).stdout
    found = [pathlib.Path(os.fsdecode(name)) for name in out.split(b"\0") if name]
    return {path for path in found if (ROOT / path).is_file()}


@functools.lru_cache
def all_files():
    """Every file that belongs to the project, relative to ROOT: what git tracks, and new files
    in the folders; without git, everything outside build folders."""
    try:
        tracked = git_list("--cached")
        folders = {path.parts[0] for path in tracked if len(path.parts) > 1}
        new = git_list("--others", "--exclude-standard")
        return sorted(tracked | {path for path in new if path.parts[0] in folders})
    except (OSError, subprocess.CalledProcessError):
        return sorted(walk())


def walk():
    for folder, names, files in os.walk(ROOT):
        here = pathlib.Path(folder).relative_to(ROOT)
        top = here == pathlib.Path(".")
        names[:] = [n for n in names if n not in (".git", "__pycache__")
                    and not (top and (n == "build" or n.startswith("build-")))]
        for name in files:
            yield here / name


def files_with(*suffixes):
    return [path for path in all_files() if path.suffix in suffixes]


def text_of(path):
    return (ROOT / path).read_text(encoding="utf-8")
