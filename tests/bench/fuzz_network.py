#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Mutated PDUs and data sets at the port of a node, and as answers to `find` and `get`: each conversation has to end in a
sentence. Prints what did not, and exits with 1 then.

usage: fuzz_network.py ONDELETTE_CLI [--port N] [--find N] [--get N] [--seed N] [--jobs N]
"""
import argparse
import os
import pathlib
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cli")
    for name, usual in (("port", 5000), ("find", 2500), ("get", 2500), ("seed", 1), ("jobs", 4)):
        parser.add_argument(f"--{name}", type=int, default=usual)
    options = parser.parse_args()
    sys.argv[1] = os.path.abspath(options.cli)
    import mutants
    ways = {"port": mutants.at_the_port, "find": mutants.at_find, "get": mutants.at_get}
    n_wrong = 0
    with tempfile.TemporaryDirectory(prefix="ondelette-fuzz-network-") as home:
        os.chdir(home)
        for name, way in ways.items():
            count, begin = getattr(options, name), time.monotonic()
            more = {"timeout": 3600} if name == "port" else {}
            wrong = list(way(count, options.seed, options.jobs, **more)) if count > 0 else []
            n_wrong += len(wrong)
            print(f"{name}: {count} conversations in {time.monotonic() - begin:.0f} s, wrong: {len(wrong)}",
                  *wrong[:20], sep="\n  ", flush=True)
    return 0 if n_wrong == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
