#!/bin/bash
# SPDX-License-Identifier: MIT
#
# An HDF5 array in chunks is packed chunk by chunk, and libhdf5 keeps chunks unpacked only up to 1 MB
# unless it is told otherwise; a larger one is unpacked, changed, packed and written with each call.
# One would guess: `array[:] = 3` in h5py fills an array of gzip chunks as `array[:] = numpy.full (…)`
# does, each chunk once, and only saves the memory for the numbers.
# What happens: with h5py 3.7 (Debian 12) a scalar that is given to more numbers than a chunk has is
# written in one call for each row of the last side. Chunks of more than 1 MB are then packed again for
# every row that they have: 400 rows in two chunks of 1.2 MB write 144 times as many bytes as they
# take, and 6000 × 6000 numbers in chunks of 600 rows do not end within ten minutes, where the array of
# numbers takes a second. The result is the same, and nothing is said. With one chunk for all, or chunks
# below 1 MB, both ways write the same. Right is a whole array, a larger rdcc_nbytes, or `fillvalue` of
# create_dataset, which writes nothing at all.
# Source: h5py/_hl/dataset.py, Dataset.__setitem__ (“intermediate array of size equal to the last
# dimension”), and the chunk cache of libhdf5 1.10.
#
# Needs Debian's python3-h5py. Bytes are counted, not time.
set -euo pipefail

seen=$(/usr/bin/python3 - <<'PYTHON'
import io

import h5py
import numpy as np


class Counting(io.BytesIO):
    """A file in memory that counts what is written into it."""
    written = 0

    def write(self, data):
        self.written += len(data)
        return super().write(data)


def written(chunk_rows, value):
    """Bytes that filling 400 rows of 6000 bytes writes."""
    out = Counting()
    with h5py.File(out, "w") as file:
        array = file.create_dataset("a", (400, 3000), "i2", chunks=(chunk_rows, 3000), compression="gzip",
                                    compression_opts=1)
        array[:] = value
        assert (array[:] == 3).all()
    return out.written


for rows in 20, 200, 400:
    whole, scalar = (written(rows, value) for value in (np.full((400, 3000), 3, "i2"), 3))
    print(f"chunks of {rows} rows: the array writes {whole} bytes, the scalar {scalar / whole:.0f} times as many")
PYTHON
)
echo "$seen"
expected="chunks of 20 rows: the array writes 15092 bytes, the scalar 1 times as many
chunks of 200 rows: the array writes 14628 bytes, the scalar 144 times as many
chunks of 400 rows: the array writes 14603 bytes, the scalar 1 times as many"
if [ "$seen" != "$expected" ]; then
    printf 'This has changed; it was:\n%s\n' "$expected" >&2
    exit 1
fi
