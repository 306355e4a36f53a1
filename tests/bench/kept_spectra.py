#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Processor time of each further frame of filters in four dimensions: kept_spectra.py CLI…

Each CLI (as of before and after a change) filters a short and a longer phantom in turn; the difference by the
frames between them has neither the start nor the first frame in it. Least of several, of all threads together.
"""
import os
import resource
import subprocess
import sys
import tempfile

import numpy as np

SHORT, LONG, REPEATS = 12, 28, 3
SIZE = "64x64x48"


def seconds(cli, times, words, folder):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([cli, "process", f"phantom:{SIZE}x{times}", "-o", os.path.join(folder, "out.nii"), "--force",
                    "--engine", "cpu", "--filter", words], check=True, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    with tempfile.TemporaryDirectory() as folder:
        rows = [("adaptive:dimensions=4", "adaptive, 20 kernels of 9⁴"),
                ("structure-tensor:dimensions=4,output=energy", "structure tensor, 20 kernels of 9⁴"),
                ("adaptive:dimensions=3", "adaptive in 3D, each time by itself")]
        random = np.random.default_rng(1)
        for n in (7, 9, 11):
            path = os.path.join(folder, f"{n}.npy")
            np.save(path, (random.normal(size=(n,) * 4) / n**4).astype(np.float32))
            rows.insert(0, (f"convolve:kernel={path},dimensions=4", f"one kernel of {n}⁴, random"))
        for words, title in rows:
            frames = []
            for cli in sys.argv[1:]:
                least = [min(seconds(cli, times, words, folder) for _ in range(REPEATS)) for times in (SHORT, LONG)]
                frames.append((least[1] - least[0]) / (LONG - SHORT))
            print(f"| {title} | " + " | ".join(f"{1000 * s:.0f}" for s in frames)
                  + f" | {frames[0] / frames[-1]:.2f} |", flush=True)


if __name__ == "__main__":
    main()
