# SPDX-License-Identifier: MIT
"""A TAP producer; each case is a function that yields problems as text."""
import sys


class Skip(Exception):
    """Raised by a case that cannot run on this machine."""


def run(cases):
    """cases: (name, function). Returns the exit status: 1 if a case failed."""
    print(f"1..{len(cases)}")
    bad = False
    for number, (sentence, case) in enumerate(cases, 1):
        try:
            problems = list(case())
        except Skip as reason:
            print(f"ok {number} {sentence} # SKIP {reason}", flush=True)
            continue
        bad |= bool(problems)
        print(f"{'not ok' if problems else 'ok'} {number} {sentence}")
        for problem in problems:
            print("# " + str(problem).replace("\n", "\n# "))
        sys.stdout.flush()
    return 1 if bad else 0
