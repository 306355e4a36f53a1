#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Convolution by Fourier transforms of the engine `cpu`, in interleaved rounds of one run:
compare_fourier.py ODL_ROUNDS [NUMBER]

Beside the products themselves (`cpu:direct`), what the engine takes by itself, and SciPy's fft, which
gets float32, two workers, sizes that it likes best and the kernel transformed beforehand. Mono, mirrored
(SciPy: zeros, which need less room), wall time of two threads; ours includes loading the picture and
transforming the kernel. Tables in Markdown."""
import os
import statistics
import subprocess
import sys
import time

import numpy
import scipy.fft

THREADS = 2
RECIPE = "convolve:shape=quadrature,direction=30,border=symmetric,size={}"
CASES = [((2048, 2048), (7, 9, 11, 13, 17)), ((128,) * 3, (3, 5, 7, 9, 13, 17)), ((256,) * 3, (7, 13, 17))]
WAYS = ("direct", "fft", "")


class Rounds:
    def __init__(self, program, recipe, way):
        self.process = subprocess.Popen([program, recipe], text=True, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, env={**os.environ, "ODL_CPU": way})

    def median_ms(self, shape, runs):
        depth = shape[0] if len(shape) == 3 else 1
        self.process.stdin.write(f"f32 {shape[-1]} {shape[-2]} {THREADS} {runs} {depth}\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline().split()[0])


def scipy_ms(samples, side, runs):
    shape = [scipy.fft.next_fast_len(n + side - 1, real=True) for n in samples.shape]
    kernel = scipy.fft.rfftn(numpy.ones((side,) * samples.ndim, "f4"), shape, workers=THREADS)
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        spectrum = scipy.fft.rfftn(samples, shape, workers=THREADS)
        spectrum *= kernel
        scipy.fft.irfftn(spectrum, shape, workers=THREADS)
        times.append(1e3 * (time.perf_counter() - start))
    return statistics.median(times)


def main():
    program, number = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 5
    rng = numpy.random.default_rng(1)
    print("| samples | kernel | products, ms | Fourier, ms | by itself, ms | SciPy, ms | Fourier beside products "
          "| beside SciPy |\n| --- | --- | --: | --: | --: | --: | --: | --: |")
    for shape, sides in CASES:
        samples = rng.random(shape, dtype=numpy.float32)
        runs = 5 if samples.size < 5e6 else 1
        for side in sides:
            recipe = RECIPE.format(side) + (",elevation=20,dimensions=3" if len(shape) == 3 else "")
            ours = [Rounds(program, recipe, way) for way in WAYS]
            times = [[] for _ in range(4)]
            for _ in range(number):
                for i, own in enumerate(ours):
                    times[i].append(own.median_ms(shape, runs))
                times[3].append(scipy_ms(samples, side, runs))
            direct, fourier, chosen, others = map(statistics.median, times)
            power = "²" if len(shape) == 2 else "³"
            print(f"| {shape[0]}{power} | {side}{power} | {direct:.1f} | {fourier:.1f} | {chosen:.1f} | {others:.1f} "
                  f"| {direct / fourier:.2f} | {others / fourier:.2f} |", flush=True)
            for own in ours:
                own.process.stdin.close()
                own.process.wait()


main()
