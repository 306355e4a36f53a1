#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Where transforms begin to pay on the engine `cpu`: products, Fourier transforms, and what counting takes:
crossovers.py ODL_ROUNDS [NUMBER]

One thread, by the processor time that it was given, least of alternating runs, so that other work on the
machine counts little; every instruction set that the machine has. `tie` is the number of products for each
point and halving (PRODUCTS of engine/cpu/steps/fourier.c) at which both ways would take as long. Tables in
Markdown."""
import math
import os
import subprocess
import sys

RECIPE = "convolve:shape=quadrature,direction=30,border=symmetric,size={}"
CASES = [((512, 512), (7, 9, 11, 13, 15, 17)), ((2048, 2048), (7, 9, 11, 13, 15, 17)),
         ((64,) * 3, (3, 5, 7, 9)), ((128,) * 3, (3, 5, 7, 9))]
SETS = ("avx512", "avx2", "sse2")
MOST_SIDE = 288


def points_of(n):
    """The next product of twos, threes and fives."""
    while True:
        left = n
        for prime in (2, 3, 5):
            while left % prime == 0:
                left //= prime
        if left == 1:
            return n
        n += 1


def count(shape, side):
    """Points times halvings, as odl_cpu_goes_by_fourier counts them."""
    deep = len(shape) == 3
    blocks = [math.ceil(n / MOST_SIDE) for n in shape[-2:]] + ([2] if deep else [])
    if not deep and blocks == [1, 1]:
        blocks[0] = 2
    axes = list(shape[-2:]) + ([shape[0]] if deep else [])
    points = [points_of(math.ceil(n / b) + side - 1) for n, b in zip(axes, blocks)]
    slices = points[2] if deep else 1
    total = points[0] * points[1] * (slices * math.ceil(math.prod(blocks) / 2) + (side if deep else 1))
    return total * sum(math.log2(n) for n in points)


class Way:
    def __init__(self, program, recipe, words):
        self.process = subprocess.Popen([program, recipe], text=True, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, env={**os.environ, "ODL_CPU": words})

    def least_ms(self, shape):
        depth = shape[0] if len(shape) == 3 else 1
        self.process.stdin.write(f"f32 {shape[-1]} {shape[-2]} 1 3 {depth}\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline().split()[1])


def main():
    program, number = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 3
    for name in SETS:
        print(f"\n{name}\n\n| samples | kernel | products, ms | Fourier, ms | counting takes, ms | tie |\n"
              "| --- | --- | --: | --: | --: | --: |")
        for shape, sides in CASES:
            for side in sides:
                recipe = RECIPE.format(side) + (",elevation=20,dimensions=3" if len(shape) == 3 else "")
                ways = [Way(program, recipe, f"{name}{way}") for way in (",direct", ",fft", "")]
                times = [min(all_times) for all_times in
                         zip(*([way.least_ms(shape) for way in ways] for _ in range(number)))]
                for way in ways:
                    way.process.stdin.close()
                    way.process.wait()
                products = math.prod(shape) * side ** len(shape)
                tie = times[1] / times[0] * products / count(shape, side)
                power = "²" if len(shape) == 2 else "³"
                print(f"| {shape[0]}{power} | {side}{power} | {times[0]:.1f} | {times[1]:.1f} | {times[2]:.1f} "
                      f"| {tie:.1f} |", flush=True)


main()
