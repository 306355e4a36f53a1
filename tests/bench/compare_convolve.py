#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Convolution of the engine `cpu` with kernels that are not separable, in interleaved rounds of one run:
compare_convolve.py ODL_ROUNDS [NUMBER [banks]]

2048 × 2048 samples against OpenCV's filter2D, two threads each; filter2D takes a Fourier transform of
kernels of 50 coefficients and more. 128³ samples against SciPy's ndimage.convolve, which has one thread,
so ours with one and with two. Mono, float32, mirrored, wall time, least of the rounds; ours includes
loading the picture. Then banks: the eight or twelve kernels of a structure tensor, which read the
picture once for all, against the same convolutions one after the other, one thread. Tables in Markdown."""
import subprocess
import sys
import time

import cv2
import numpy
from scipy import ndimage

SIDE, THREADS = 2048, 2
SIZES = (3, 5, 7, 9, 11, 13, 15, 17)
RECIPE = "convolve:shape=quadrature,direction=30,border=symmetric,size={}"
CUBE, CUBES = 128, (3, 5, 7, 13)
BANK = "structure-tensor:smoothing=0,size={}"
CUBE_RECIPE = RECIPE + ",elevation=20,dimensions=3"


class Rounds:
    def __init__(self, program, recipe, engine="cpu"):
        self.process = subprocess.Popen([program, recipe, engine], text=True, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE)

    def least_ms(self, what, runs, side=SIDE, threads=THREADS, depth=1):
        self.process.stdin.write(f"{what} {side} {side} {threads} {runs} {depth}\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline().split()[1])


def opencv_ms(image, kernel, runs):
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        cv2.filter2D(image, cv2.CV_32F, kernel, borderType=cv2.BORDER_REFLECT_101)
        times.append(1e3 * (time.perf_counter() - start))
    return min(times)


def volumes(program, number):
    rng = numpy.random.default_rng(2)
    cube = rng.random((CUBE,) * 3, dtype=numpy.float32)
    print("\n| kernel | one thread, ms | two, ms | SciPy, ms | times as fast: one, two "
          "| 10⁹ multiply-adds a second, two |\n| --- | --: | --: | --: | --: | --: |")
    for size in CUBES:
        ours = Rounds(program, CUBE_RECIPE.format(size))
        kernel = rng.normal(size=(size,) * 3).astype(numpy.float32)
        times = [], [], []
        for _ in range(number if size < 7 else 2):
            for i in range(2):
                times[i].append(ours.least_ms("f32", 5, CUBE, i + 1, CUBE))
            start = time.perf_counter()
            ndimage.convolve(cube, kernel, mode="mirror")
            times[2].append(1e3 * (time.perf_counter() - start))
        one, two, others = map(min, times)
        print(f"| {size}³ | {one:.1f} | {two:.1f} | {others:.0f} | {others / one:.0f}, "
              f"{others / two:.0f} | {CUBE ** 3 * size ** 3 / 1e6 / two:.0f} |")


def pictures(program, number):
    cv2.setNumThreads(THREADS)
    rng = numpy.random.default_rng(1)
    image = rng.random((SIDE, SIDE), dtype=numpy.float32)
    kernels = {size: rng.normal(size=(size, size)).astype(numpy.float32) for size in SIZES}
    ours = {size: Rounds(program, RECIPE.format(size)) for size in SIZES}
    times = {size: ([], []) for size in SIZES}
    copies = []
    for _ in range(number):
        copies.append(ours[3].least_ms("copy", 9))
        for size in SIZES:
            times[size][0].append(ours[size].least_ms("f32", 5))
            times[size][1].append(opencv_ms(image, kernels[size], 5))
    print(f"OpenCV {cv2.__version__}, {number} rounds; a copy takes {min(copies):.1f} ms"
          "\n\n| kernel | ms | OpenCV, ms | times as fast | 10⁹ multiply-adds a second |\n"
          "| --- | --: | --: | --: | --: |")
    for size, both in times.items():
        own, others = map(min, both)
        print(f"| {size} × {size} | {own:.1f} | {others:.1f} | {others / own:.1f} "
              f"| {SIDE * SIDE * size * size / 1e6 / own:.0f} |")


def banks(program, number):
    print("\n| bank | together, ms | one after the other, ms | times as fast |\n| --- | --: | --: | --: |")
    for name, side, depth, sizes, recipe in (("8 of {}²", SIDE, 1, SIZES[:5], BANK),
                                             ("12 of {}³", CUBE, CUBE, CUBES[:3], BANK + ",dimensions=3")):
        for size in sizes:
            ours = Rounds(program, recipe.format(size), "cpu:direct")
            times = [], []
            for _ in range(number):
                for own, what in zip(times, ("bank", "apart")):
                    own.append(ours.least_ms(what, 3, side, 1, depth))
            together, apart = map(min, times)
            print(f"| {name.format(size)} | {together:.1f} | {apart:.1f} | {apart / together:.2f} |", flush=True)


def main():
    program, number = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 7
    if sys.argv[3:] == ["banks"]:
        banks(program, number)
        return
    pictures(program, number)
    volumes(program, number)
    banks(program, number)


main()
