# SPDX-License-Identifier: MIT
"""Computes once what several cases compare with: references in Python take longer than the program, and
cases that differ by the engine ask for the same."""
import functools
import hashlib
import pickle

import numpy as np


def once(function):
    """Keeps the result for equal arguments, among them arrays; arrays of a result cannot be written to."""
    kept = {}

    @functools.wraps(function)
    def called(*arguments, **named):
        key = hashlib.sha256(pickle.dumps((arguments, named))).digest()
        if key not in kept:
            result = function(*arguments, **named)
            for one in result if isinstance(result, tuple) else (result,):
                if isinstance(one, np.ndarray):
                    one.setflags(write=False)
            kept[key] = result
        return kept[key]
    return called
