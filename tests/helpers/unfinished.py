# SPDX-License-Identifier: MIT
"""Files that a program is writing and that have not got their name yet."""
import os


def unfinished(process):
    """Paths, as the process has them open, of files in this folder that hold something."""
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
    """Whether the file system of this folder has files that a crash leaves nothing of."""
    try:
        os.close(os.open(".", os.O_TMPFILE | os.O_RDWR))
        return True
    except OSError:
        return False
