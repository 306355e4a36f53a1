#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Processor time of each further frame of filters in four dimensions: kept_spectra.py CLI…

Each CLI (as of before and after a change) filters a short and a longer phantom in turn; the difference by the
frames between them has neither the start nor the first frame in it. Least of several, of all threads together.
"""
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
import mha  # noqa: E402

SHORT, LONG, REPEATS = 12, 28, 3
SIZE = "64x64x48"
SIGNED = "signed-%d.mha"  # in which 0 lies within the range


def seconds(cli, source, words, folder):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([cli, "process", source, "-o", os.path.join(folder, "out.nii"), "--force",
                    "--engine", "cpu", "--filter", words], check=True, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    with tempfile.TemporaryDirectory() as folder:
        phantom, signed = f"phantom:{SIZE}x%d", os.path.join(folder, SIGNED)
        rows = [(phantom, "adaptive:dimensions=4", "adaptive, 20 kernels of 9⁴"),
                (phantom, "structure-tensor:dimensions=4,output=energy", "structure tensor, 20 kernels of 9⁴"),
                (phantom, "adaptive:dimensions=3", "adaptive in 3D, each time by itself")]
        random = np.random.default_rng(1)
        for n in (7, 9, 11):
            path = os.path.join(folder, f"{n}.npy")
            np.save(path, (random.normal(size=(n,) * 4) / n**4).astype(np.float32))
            for source, name in ((signed, "signed"), (phantom, "random")):
                rows.insert(0, (source, f"convolve:kernel={path},dimensions=4", f"one kernel of {n}⁴, {name}"))
        for times in (SHORT, LONG):
            width, height, depth = map(int, SIZE.split("x"))
            mha.write(signed % times, random.integers(-500, 900, (times, depth, height, width)).astype("i2"))
        for source, words, title in rows:
            frames = []
            for cli in sys.argv[1:]:
                least = [min(seconds(cli, source % times, words, folder) for _ in range(REPEATS)) for times in (SHORT, LONG)]
                frames.append((least[1] - least[0]) / (LONG - SHORT))
            print(f"| {title} | " + " | ".join(f"{1000 * s:.0f}" for s in frames)
                  + f" | {frames[0] / frames[-1]:.2f} |", flush=True)


if __name__ == "__main__":
    main()
