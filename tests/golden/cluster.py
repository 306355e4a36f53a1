#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The files for clusters in resources/examples, each run by what it is for: Slurm, GNU parallel and
Snakemake, where these are installed.

usage: cluster.py ONDELETTE_CLI
"""
import os
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
import tree  # noqa: E402
from command_line import CLI, Skip, run, run_cases  # noqa: E402

EXAMPLES = tree.ROOT / "resources" / "examples"
GRID = ["--filter", "soft-threshold", "--noise", "gaussian:25/255,7", "--vary", "soft-threshold.threshold=0:0.2:0.01",
        "--vary", "soft-threshold.levels=1:5"]


def environment():
    """Where ondelette-cli is the program under test."""
    os.makedirs("bin", exist_ok=True)
    if not os.path.exists("bin/ondelette-cli"):
        os.symlink(CLI, "bin/ondelette-cli")
    return {**os.environ, "PATH": f"{os.path.abspath('bin')}:{os.environ['PATH']}:/usr/sbin:/sbin", "HOME": os.getcwd()}


def call(*words):
    if shutil.which(words[0]) is None:
        raise Skip(f"{words[0]} is not installed")
    return subprocess.run([*map(str, words)], env=environment(), capture_output=True, encoding="utf-8", timeout=280,
                          stdin=subprocess.DEVNULL, check=False)


def make_whole(side="96x80"):
    run("process", f"phantom:{side},clean", "-o", "clean.png")
    run("sweep", "clean.png", *GRID, "--csv", "whole.csv", "--plot", "whole.svg")


def check_whole(done):
    assert done.returncode == 0, done.stdout + done.stderr
    for ending in ("csv", "svg"):
        assert pathlib.Path(f"all.{ending}").read_bytes() == pathlib.Path(f"whole.{ending}").read_bytes(), ending


def parallel_shares_it_out():
    make_whole()
    check_whole(call("parallel", "--version") and call(EXAMPLES / "sweep-parallel.sh", "clean.png", "4"))
    assert os.path.exists("part-4.csv") and not os.path.exists("part-5.csv")


def snakemake_shares_it_out():
    make_whole()
    snakemake = ("snakemake", "--snakefile", EXAMPLES / "Snakefile", "--cores", "2", "--config", "picture=clean.png", "shards=4")
    check_whole(call(*snakemake))
    # What is missing is made again, and goes on where it stopped.
    text = pathlib.Path("part-3.csv").read_bytes()
    pathlib.Path("part-3.csv").write_bytes(text[:len(text) // 2])
    for name in ("part-3.done", "all.csv"):
        os.unlink(name)
    check_whole(call(*snakemake))
    assert pathlib.Path("part-3.csv").read_bytes() == text


# The second task is sent back to the queue when it has written rows, as when its node dies.
SLURM = """
set -e
job=$(sbatch --parsable --array=1-4 "$1" clean.png)
last=$(sbatch --parsable --dependency=afterany:$job --export=ALL,MERGE=4 "$1" clean.png)
# Its size changes once more after the header, or the job is through.
until [ "$(wc -l < part-2.csv 2> /dev/null || echo 0)" -gt 2 ]; do sleep 0.05; done
scontrol requeue ${job}_2 && echo requeued || echo it was through
while squeue --noheader --jobs $last --format %t 2> /dev/null | grep -q .; do sleep 0.2; done
scontrol show job $last | grep -q JobState=COMPLETED || { cat slurm-*.out; exit 1; }
"""


def slurm_shares_it_out():
    make_whole("512x512")
    pathlib.Path("walk.sh").write_text(SLURM)
    done = call(tree.ROOT / "tests/helpers/slurm.sh", os.path.abspath("cluster"), "sh", "walk.sh", EXAMPLES / "sweep.sbatch")
    if done.returncode == 77:
        raise Skip(done.stdout.strip().replace("\n", " ")[-200:] or "Slurm does not run here")
    check_whole(done)


if __name__ == "__main__":
    sys.exit(run_cases({case.__name__.replace("_", " "): case for case in (
        parallel_shares_it_out, snakemake_shares_it_out, slurm_shares_it_out)}))
