#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Kills the node, the node that enhances and sends on, the sender with its queue, and `get`, at many moments each: every
instance that was answered Success is there, whole, and none twice. The cases are those of tests/golden/archive, with more
moments; exits with 1 where one fails.

usage: killing.py ONDELETTE_CLI [MOMENTS]
"""
import pathlib
import sys

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / "golden" / "archive"), str(TESTS / "helpers")]
import enhance  # noqa: E402
import get  # noqa: E402
import kill  # noqa: E402
import send  # noqa: E402
from command_line import run_cases  # noqa: E402

MOMENTS = int((sys.argv + ["50"])[2])

if __name__ == "__main__":
    sys.exit(run_cases({
        f"/killing/the-node-{MOMENTS}-times": lambda: kill.killed(MOMENTS),
        f"/killing/the-sender-{MOMENTS}-times": lambda: send.kills(MOMENTS),
        f"/killing/the-node-that-enhances-and-sends-on-{MOMENTS}-times": lambda: enhance.kills(MOMENTS),
        f"/killing/who-gets-{MOMENTS}-times": lambda: get.kills(MOMENTS),
    }))
