#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The engine `cpu` against PyWavelets' wavedecn and waverecn, in interleaved rounds of one run:
compare_wavedecn.py ROUNDS [NUMBER]

Work: 3-level CDF 9/7 analysis of 256³ (bior4.4, periodization, the cheapest that PyWavelets has),
soft threshold of the details, synthesis; float32. Ours with two threads and with one. The bar of two
cores is 40 times. Least times of the rounds and their ratio; beside them the copies of the volume that
the same threads make meanwhile. ROUNDS is the program odl-rounds."""
import subprocess
import sys
import time

import numpy
import pywt

SIDE, LEVELS, THRESHOLD = 256, 3, 0.05
RECIPE = f"shrinkage:wavelet=cdf97,levels={LEVELS},thresholds={THRESHOLD},dimensions=3"


def pywt_ms(volume):
    start = time.perf_counter()
    bands = pywt.wavedecn(volume, "bior4.4", mode="periodization", level=LEVELS)
    shrunk = [bands[0]] + [{key: pywt.threshold(band, THRESHOLD, "soft")
                            for key, band in own.items()} for own in bands[1:]]
    pywt.waverecn(shrunk, "bior4.4", mode="periodization")
    return 1e3 * (time.perf_counter() - start)


def main():
    program, number = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 3
    process = subprocess.Popen([program, RECIPE], text=True, stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE)

    def least_ms(what, threads, runs):
        process.stdin.write(f"{what} {SIDE} {SIDE} {threads} {runs} {SIDE}\n")
        process.stdin.flush()
        return float(process.stdout.readline().split()[1])

    volume = numpy.random.default_rng(1).random((SIDE,) * 3, dtype=numpy.float32)
    times = {"one thread": [], "two threads": [], "a copy, two threads": [], "PyWavelets": []}
    for _ in range(number):
        for name, words in (("one thread", ("f32", 1, 3)), ("two threads", ("f32", 2, 5)),
                            ("a copy, two threads", ("copy", 2, 5))):
            times[name].append(least_ms(*words))
        times["PyWavelets"].append(pywt_ms(volume))
    process.stdin.close()
    process.wait()
    others = min(times["PyWavelets"])
    print(f"PyWavelets {pywt.__version__}, {number} rounds\n\n| {SIDE}³ | ms | times PyWavelets |\n"
          "| --- | --: | --: |")
    for name, all_of in times.items():
        print(f"| {name} | {min(all_of):.1f} | {others / min(all_of):.1f} |")


main()
