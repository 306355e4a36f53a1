# SPDX-License-Identifier: MIT
"""Runs the command line program under test; its path is the test's first argument."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

import pixels
import tap
from tap import Skip

CLI = os.path.abspath(sys.argv[1])
SOFT = "soft-threshold:wavelet=cdf97,levels=3,threshold=0.05"


def skip_sanitizers():
    program = pathlib.Path(CLI).read_bytes()
    if b"__asan_init" in program or b"__tsan_init" in program:
        raise Skip("sanitizers take memory of their own")


def run(*arguments, status=0, **more):
    done = subprocess.run([CLI, *map(str, arguments)], capture_output=True, timeout=1800,
                          encoding="utf-8", **more)
    assert status is None or done.returncode == status, \
        f"{arguments} gave {done.returncode}, not {status}: {done.stderr}"
    return done


def process(*arguments, **more):
    return run("process", *arguments, **more)


def process_each(sources, recipe, engine, *more):
    """Samples of one channel that each source becomes, through a recipe (filters with blanks between
    them) in a single run, whose start costs more than small pictures do. Names must differ."""
    filters = [word for name in recipe.split() for word in ("-f", name)]
    process(*sources, "-o", "each/", "--format", "tiff", "--force", *filters, "-e", engine, *more)
    return [pixels.read_tiff(f"each/{pathlib.Path(source).stem}.tif")[1][..., 0] for source in sources]


def read(*arguments):
    return json.loads(run(*arguments, "--json").stdout)


def compare(a, b, *more):
    """Output of `compare` for two pictures; its status tells whether they are equal."""
    done = subprocess.run([CLI, "compare", str(a), str(b), *map(str, more), "--json"],
                          capture_output=True, timeout=1800, encoding="utf-8")
    assert done.returncode in (0, 1), done.stderr
    got = json.loads(done.stdout)
    assert got["within"] == (done.returncode == 0), done
    return got


def fails(status, *words, arguments, **more):
    """Asserts that the run fails with that status and one message containing the words."""
    done = run(*arguments, status=status, **more)
    lines = done.stderr.splitlines()
    assert len(lines) == 1 and lines[0].startswith("ondelette-cli: "), done.stderr
    for word in words:
        assert word.lower() in lines[0].lower(), f"“{word}” is not in: {lines[0]}"


def leftovers(folder="."):
    return [name for name in os.listdir(folder) if name.endswith(".part")]


def shared(path):
    """Path of a test data file."""
    whole = pathlib.Path(os.environ.get("ODL_TESTDATA", "")) / path
    if not whole.is_file():
        raise Skip(f"{path} is not at hand")
    return whole


def random_picture(channels, dtype, height=37, width=53, seed=1):
    random = np.random.default_rng(seed)
    top = np.iinfo(dtype).max
    picture = random.integers(0, top, (height, width, channels), dtype, endpoint=True)
    picture[0, :2] = 0
    picture[1, :2] = top
    return picture


def run_cases(cases):
    """Runs cases (name → function that raises, or yields what is wrong), each in a new folder.
    Returns the exit status."""
    def in_folder(case, home):
        os.chdir(tempfile.mkdtemp(dir=home))
        try:
            yield from case() or ()
        except Skip:
            raise
        except Exception as problem:  # the report must go on
            yield f"{type(problem).__name__}: {problem}"

    with tempfile.TemporaryDirectory(prefix="ondelette-cli-") as home:
        status = tap.run([(sentence, lambda case=case: in_folder(case, home))
                          for sentence, case in cases.items()])
        os.chdir("/")
    return status
