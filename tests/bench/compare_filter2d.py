#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Convolution of the engine `cpu` with kernels that are not separable against OpenCV's filter2D, in
interleaved rounds of one run: compare_filter2d.py ODL_ROUNDS [NUMBER]

2048 × 2048 samples, mono, float32, mirrored, two threads each, wall time; ours includes loading the
picture. filter2D takes a Fourier transform of kernels of 50 coefficients and more. A table in Markdown."""
import statistics
import subprocess
import sys
import time

import cv2
import numpy

SIDE, THREADS = 2048, 2
SIZES = (3, 5, 7, 9, 11, 13, 15, 17)
RECIPE = "convolve:shape=quadrature,direction=30,border=symmetric,size={}"


class Rounds:
    def __init__(self, program, recipe):
        self.process = subprocess.Popen([program, recipe], text=True, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE)

    def median_ms(self, what, runs):
        self.process.stdin.write(f"{what} {SIDE} {SIDE} {THREADS} {runs}\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline().split()[0])


def opencv_ms(image, kernel, runs):
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        cv2.filter2D(image, cv2.CV_32F, kernel, borderType=cv2.BORDER_REFLECT_101)
        times.append(1e3 * (time.perf_counter() - start))
    return statistics.median(times)


def main():
    program, number = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 7
    cv2.setNumThreads(THREADS)
    rng = numpy.random.default_rng(1)
    image = rng.random((SIDE, SIDE), dtype=numpy.float32)
    kernels = {size: rng.normal(size=(size, size)).astype(numpy.float32) for size in SIZES}
    ours = {size: Rounds(program, RECIPE.format(size)) for size in SIZES}
    times = {size: ([], []) for size in SIZES}
    copies = []
    for _ in range(number):
        copies.append(ours[3].median_ms("copy", 9))
        for size in SIZES:
            times[size][0].append(ours[size].median_ms("f32", 5))
            times[size][1].append(opencv_ms(image, kernels[size], 5))
    print(f"OpenCV {cv2.__version__}, {number} rounds; a copy takes {statistics.median(copies):.1f} ms"
          "\n\n| kernel | ms | OpenCV, ms | times as fast | 10⁹ multiply-adds a second |\n"
          "| --- | --: | --: | --: | --: |")
    for size, both in times.items():
        own, others = map(statistics.median, both)
        print(f"| {size} × {size} | {own:.1f} | {others:.1f} | {others / own:.1f} "
              f"| {SIDE * SIDE * size * size / 1e6 / own:.0f} |")


main()
