# SPDX-License-Identifier: MIT
"""Takes away stripes from top to bottom, as of a sensor whose columns are not equally bright: what the
mean of each column has more than those of its neighbours. No built-in filter does that.

The parameter “out” is the memory of the result: what is written there is not copied again. A default
without a point makes a whole number."""
import numpy


def filter(picture, out, radius: "1..64 px  Neighbours on either side" = 8, share: "0..1  Share" = 1.0):
    columns = picture.mean(axis=0, dtype=float)
    radius = min(radius, len(columns) - 1)
    around = numpy.pad(columns, ((radius, radius), (0, 0)), mode="reflect") if radius else columns
    sums = numpy.cumsum(numpy.concatenate([numpy.zeros_like(around[:1]), around]), axis=0)
    smooth = (sums[2 * radius + 1:] - sums[:-2 * radius - 1]) / (2 * radius + 1)
    numpy.subtract(picture, (share * (columns - smooth)).astype(numpy.float32), out=out)
