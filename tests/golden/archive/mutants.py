#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Two hundred mutated conversations, at the port of a node and as answers of one that is asked; tests/bench/fuzz_network.py
has more.

usage: mutants.py ONDELETTE_CLI
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "helpers"))
import mutants  # noqa: E402
from command_line import run_cases  # noqa: E402

CASES = {
    "/mutants/at-the-port": lambda: mutants.at_the_port(100),
    "/mutants/answers-to-find": lambda: mutants.at_find(50),
    "/mutants/answers-to-get": lambda: mutants.at_get(50),
}

if __name__ == "__main__":
    sys.exit(run_cases(CASES))
