#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""BM3D on the graphics card: decibels, how far it is from the engine cpu, whether runs are equal, and
what a frame takes that lies on the card already. Prints Markdown.

usage: bm3d.py BUILD [PICTURES.npz]

BUILD has src/library/libodl-core.so.0.1.0 and tests/bench/gpu-resident. The pictures are `camera` and
`ascent`, of PyWavelets where the file is not given. Each gets noise of a fresh default_rng (7).
"""
import ctypes
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np

RUNS = 50
SIGMAS = (15, 25, 50)
F32 = 3


class Picture(ctypes.Structure):
    _fields_ = [("width", ctypes.c_int), ("height", ctypes.c_int), ("channels", ctypes.c_int),
                ("type", ctypes.c_int), ("samples", ctypes.c_void_p), ("row_bytes", ctypes.c_size_t),
                ("minimum", ctypes.c_double), ("maximum", ctypes.c_double), ("result", ctypes.c_void_p)]


class Filter:
    def __init__(self, library, engine, recipe):
        self.library, message = library, ctypes.c_char_p()
        library.ondelette_filter_new.restype = ctypes.c_void_p
        self.filter = ctypes.c_void_p(library.ondelette_filter_new(engine.encode(), recipe.encode(),
                                                                   ctypes.byref(message)))
        assert self.filter, message.value.decode()

    def run(self, samples):
        samples, message = np.ascontiguousarray(samples, np.float32), ctypes.c_char_p()
        result = np.empty_like(samples)
        picture = Picture(samples.shape[1], samples.shape[0], 1, F32, samples.ctypes.data, 0, 0, 1,
                          result.ctypes.data)
        assert self.library.ondelette_filter_run(self.filter, ctypes.byref(picture),
                                                 ctypes.byref(message)), message.value.decode()
        return result

    def __del__(self):
        self.library.ondelette_filter_free(self.filter)


def psnr(samples, clean):
    return 10 * np.log10(255 ** 2 / ((np.clip(samples * 511 - 128, 0, 255) - clean) ** 2).mean())


def pictures(file):
    if file is not None:
        return dict(np.load(file))
    import pywt.data
    return {name: getattr(pywt.data, name)() for name in ("camera", "ascent")}


def write_pgm(path, picture, sigma):
    noisy = picture + np.random.default_rng(7).normal(0, sigma, picture.shape)
    stored = np.clip(np.rint((noisy + 128) / 511 * 65535), 0, 65535).astype(">u2")
    pathlib.Path(path).write_bytes(b"P5 %d %d 65535\n" % stored.shape[::-1] + stored.tobytes())


def main():
    build = pathlib.Path(sys.argv[1])
    library = ctypes.CDLL(str(build / "src/library/libodl-core.so.0.1.0"))
    clean = pictures(sys.argv[2] if len(sys.argv) > 2 else None)
    print("| picture | σ | cpu, dB | gl-compute, dB | samples farther off than σ / 10 | farthest, σ | "
          f"unequal runs of {RUNS} |\n| --- | --: | --: | --: | --: | --: | --: |")
    for name, picture in clean.items():
        picture = picture.astype(float)
        for sigma in SIGMAS:
            noisy = picture + np.random.default_rng(7).normal(0, sigma, picture.shape)
            samples = ((noisy + 128) / 511).astype(np.float32)
            recipe = f"bm3d:sigma={sigma / 511:.6f}"
            cpu = Filter(library, "cpu", recipe).run(samples)
            card = Filter(library, "gl-compute", recipe)
            got = card.run(samples)
            again = [np.array_equal(got, card.run(samples)) for _ in range(RUNS - 1 if sigma == 25 else 0)]
            off = np.abs(got - cpu) * 511 / sigma
            print(f"| {name} {picture.shape[1]} × {picture.shape[0]} | {sigma} | {psnr(cpu, picture):.3f} | "
                  f"{psnr(got, picture):.3f} | {100 * np.mean(off > 0.1):.4f} % | {off.max():.4f} | "
                  f"{again.count(False) if again else '–'} |", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for name, picture in clean.items():
            write_pgm(f"{folder}/{name}.pgm", picture, 25)
        for recipe in (f"bm3d:sigma={25 / 511:.6f}", "non-local-means:search=21,patch=9,rounds=2"):
            print(f"\n{recipe}\n", flush=True)
            subprocess.run([pathlib.Path(build).resolve() / "tests/bench/gpu-resident", "--steps", recipe,
                            *(f"{name}.pgm" for name in clean)], check=False, cwd=folder)


if __name__ == "__main__":
    start = time.monotonic()
    main()
    print(f"\n{time.monotonic() - start:.0f} s")
