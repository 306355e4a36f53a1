# SPDX-License-Identifier: MIT
"""The filter “sharpen” with 4 neighbours, as code of one's own:

  ondelette-cli process IN.png --filter python:file=sharpen.py,amount=1 --trust-code -o OUT.png

A picture is an array of height × width × channels, from 0 (black) to 1; it cannot be written to."""
import numpy


def filter(picture, amount: "0..4  Amount" = 0.5):
    around = numpy.pad(picture, ((1, 1), (1, 1), (0, 0)), mode="reflect")
    near = around[1:-1, :-2] + around[1:-1, 2:] + around[:-2, 1:-1] + around[2:, 1:-1]
    return picture - amount * (near - 4 * picture)
