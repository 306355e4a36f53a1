#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The stationary transform of the engine `cpu` against the decimated one and against PyWavelets'
swt2 and iswt2, in interleaved rounds of one run: compare_stationary.py ODL_ROUNDS [NUMBER]

Work: 3 levels of CDF 9/7 (bior4.4), soft threshold of the details, synthesis; 1920 × 1080 samples,
mono, float32. One thread, CPU time. A table in Markdown."""
import statistics
import subprocess
import sys
import time

import numpy
import pywt

WIDTH, HEIGHT, LEVELS, THRESHOLD = 1920, 1080, 3, 0.05
RECIPE = f"soft-threshold:wavelet=cdf97,levels={LEVELS},threshold={THRESHOLD},transform="


class Rounds:
    def __init__(self, program, recipe):
        self.process = subprocess.Popen([program, recipe], text=True, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE)

    def median_ms(self, runs):
        self.process.stdin.write(f"f32 {WIDTH} {HEIGHT} 1 {runs}\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline().split()[0])


def pywt_ms(image):
    start = time.process_time()
    coefficients = [(a, tuple(pywt.threshold(band, THRESHOLD, "soft") for band in details))
                    for a, details in pywt.swt2(image, "bior4.4", LEVELS)]
    pywt.iswt2(coefficients, "bior4.4")
    return 1e3 * (time.process_time() - start)


def main():
    program, number = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 9
    image = numpy.random.default_rng(1).random((HEIGHT, WIDTH), dtype=numpy.float32)
    ours = {"decimated": (Rounds(program, RECIPE + "decimated"), 20),
            "stationary": (Rounds(program, RECIPE + "stationary"), 3),
            "stationary, periodic": (Rounds(program, RECIPE + "stationary border=periodic"), 3)}
    times = {name: [] for name in (*ours, "PyWavelets swt2, iswt2")}
    for _ in range(number):
        for name, (rounds, runs) in ours.items():
            times[name].append(rounds.median_ms(runs))
        times["PyWavelets swt2, iswt2"].append(pywt_ms(image))
    print(f"PyWavelets {pywt.__version__}, {number} rounds\n\n| what | median, ms | Mpx/s |\n"
          "| --- | --- | --- |")
    for name, all_of_them in times.items():
        median = statistics.median(all_of_them)
        print(f"| {name} | {median:.1f} | {WIDTH * HEIGHT / 1e3 / median:.1f} |")


main()
