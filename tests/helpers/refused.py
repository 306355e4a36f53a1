# SPDX-License-Identifier: MIT
"""Files that lie: each must end in one sentence, and take no memory that the file cannot back."""
import pathlib
import subprocess
import sys

from places import CLI

MOST_MB = 700  # of a helper for a small file, its libraries and a picture among it
PROBE = """
import resource, subprocess, sys
done = subprocess.run(sys.argv[1:], capture_output=True, encoding="utf-8", timeout=280)
sys.stderr.write(done.stderr)
print(done.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)
"""


def sentence(path, *said):
    """What is wrong with the answer, which must be one sentence that names the file."""
    done = subprocess.run([sys.executable, "-c", PROBE, CLI, "process", path, "-o", "out.tif", "--force"],
                          capture_output=True, encoding="utf-8", timeout=290)
    status, peak = map(int, done.stdout.split())
    name = pathlib.Path(path).name
    if status != 1 or done.stderr.count("\n") != 1 or name not in done.stderr \
            or not all(word in done.stderr for word in said):
        yield f"{path}: {status}, {done.stderr}"
    if "crashed" in done.stderr or "without an answer" in done.stderr:
        yield f"{path}: {done.stderr}"
    if peak > MOST_MB:
        yield f"{path} took {peak} MB"
