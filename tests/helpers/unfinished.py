# SPDX-License-Identifier: MIT
"""Inspects unnamed files (O_TMPFILE) that a program is writing."""
import os


def unfinished(process):
    """Paths, as in /proc/PID/fd, of the process's non-empty open files in this folder."""
    found = []
    for number in os.listdir(f"/proc/{process}/fd"):
        path = f"/proc/{process}/fd/{number}"
        try:
            target = os.readlink(path)
            if target.startswith(os.getcwd() + "/") and os.stat(path).st_size > 0 \
                    and (target.endswith(" (deleted)") or target.endswith(".part")):
                found.append(target)
        except FileNotFoundError:  # closed meanwhile
            pass
    return found


def has_nameless_files():
    """Whether the file system of this folder supports unnamed files."""
    try:
        os.close(os.open(".", os.O_TMPFILE | os.O_RDWR))
        return True
    except OSError:
        return False
