#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Which way convolutions go by the prices that are shipped, and by those that are measured here:
prices.py ONDELETTE_CLI ODL_ROUNDS [ENGINE [NUMBER]]

Measures the prices several times, as the program does it, then both ways of each case, by the time that the
processor gave them (one thread, or all that draw in software), the least of alternating runs; the way that
each of the prices takes is what the program says. Below: how much longer the slower ways take, added up. A
table in Markdown."""
import os
import re
import subprocess
import sys
import tempfile

import numpy

CLI, ROUNDS = map(os.path.abspath, sys.argv[1:3])
ENGINE = sys.argv[3] if len(sys.argv) > 3 else "cpu"
NUMBER = int(sys.argv[4]) if len(sys.argv) > 4 else 3
RECIPE = "convolve:shape=quadrature,direction=30,border=symmetric,size={}"
CASES = [((512, 512), (5, 7, 9, 11, 13, 17)), ((2048, 2048), (5, 7, 9, 11, 13, 17)),
         ((64,) * 3, (3, 5, 7, 9)), ((128,) * 3, (3, 5, 7, 9, 13))]
TIMES = 5


class Way:
    def __init__(self, folder, recipe, engine, prices):
        self.said = open(f"{folder}/said", "w+", encoding="utf-8")
        self.process = subprocess.Popen(
            [ROUNDS, recipe, engine], text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.said,
            env={**os.environ, "XDG_CACHE_HOME": folder, "ODL_DEBUG": "plan", "ODL_PRICES": prices})

    def least_ms(self, shape):
        depth = shape[0] if len(shape) == 3 else 1
        self.process.stdin.write(f"f32 {shape[-1]} {shape[-2]} 1 2 {depth}\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline().split()[1])

    def end(self):
        self.process.stdin.close()
        self.process.wait()
        self.said.seek(0)
        return "transforms" if "by Fourier" in self.said.read() else "products"


def measure(folder):
    """What the program finds in each of some runs; the last is kept."""
    numpy.save(f"{folder}/in.npy", numpy.zeros((64, 64), "f4"))
    for _ in range(TIMES):
        said = subprocess.run(
            [CLI, "process", f"{folder}/in.npy", "-o", f"{folder}/out.npy", "--force", "-e", ENGINE, "-f", "convolve"],
            capture_output=True, text=True, check=True,
            env={**os.environ, "XDG_CACHE_HOME": folder, "ODL_DEBUG": "plan", "ODL_PRICES": "again"}).stderr
        print("-", re.search(r"transforms are .* shipped.*", said)[0])


def taken(folder, recipe, prices, shape):
    way = Way(folder, recipe, ENGINE, prices)
    way.least_ms(shape)
    return way.end()


def main():
    with tempfile.TemporaryDirectory() as folder:
        measure(folder)
        print("\n| samples | kernel | products, ms | transforms, ms | as shipped | as measured |\n"
              "| --- | --- | --: | --: | --- | --- |")
        lost = {"shipped": 0.0, "": 0.0}
        wrong = {"shipped": 0, "": 0}
        for shape, sides in CASES:
            for side in sides:
                recipe = RECIPE.format(side) + (",elevation=20,dimensions=3" if len(shape) == 3 else "")
                ways = [Way(folder, recipe, f"{ENGINE}:{way}", "shipped") for way in ("direct", "fft")]
                least = [min(times) for times in zip(*([way.least_ms(shape) for way in ways] for _ in range(NUMBER)))]
                for way in ways:
                    way.end()
                times = dict(zip(("products", "transforms"), least))
                cells = []
                for prices in lost:
                    way = taken(folder, recipe, prices, shape)
                    more = times[way] / min(least) - 1
                    lost[prices] += more
                    wrong[prices] += more > 0
                    cells.append(way + (f", **{100 * more:.0f} % more**" if more > 0 else ""))
                power = "²" if len(shape) == 2 else "³"
                print(f"| {shape[0]}{power} | {side}{power} | {times['products']:.2f} | {times['transforms']:.2f} "
                      f"| {' | '.join(cells)} |", flush=True)
        print(f"\nSlower ways: {wrong['shipped']} as shipped, {wrong['']} as measured, which take "
              f"{100 * lost['shipped']:.0f} and {100 * lost['']:.0f} % more, added up.")


main()
