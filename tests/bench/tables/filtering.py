#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Tables and plots of odl-filtering's CSV on the axes of figures 1.6 to 1.11 of A. Eklund, P. Dufort, GPU Pro 5 (2014),
with that chapter's GTX 680 beside it, as read off its figures.

usage: filtering.py ROWS.csv [PLOT.svg]
"""
import csv
import sys

SIDES = (3, 5, 7, 9, 11, 13, 15, 17)
GRID = {7: (384, 128), 9: (64, 0), 11: (16, 0)}  # sizes of the tables: their distance, and the rest
ABOUT = (-8, -1, 0, 1, 8)  # sizes that far from a power of two
GTX_680 = {  # samples a microsecond, by figure and way
    6: {"texture": (3970, 2830, 1500, 1160, 745, 615, 440, 375),
        "texture-unrolled": (7630, 3500, 2000, 1400, 875, 680, 480, 375),
        "shared": (4950, 3360, 1870, 1440, 925, 745, 530, 440),
        "shared-unrolled": (10920, 6820, 4020, 2660, 1750, 1320, 960, 750),
        "FFT": (760, 810, 810, 810, 810, 810, 810, 800)},
    8: {"texture": (1360, 505, 180, 98, 55, 35, 18, 12),
        "texture-unrolled": (2370, 510, 170, 80, 45, 27, 16),
        "shared": (1385, 570, 243, 149, 82, 53, 33, 27),
        "shared-unrolled": (2870, 1130, 515, 276, 160, 92, 61, 45),
        "FFT": (825, 825, 825, 817, 825, 825, 825, 825)},
    10: {"shared": (375, 93, 29, 14, 7, 3.5, 2, 1.5),
         "shared-unrolled": (735, 182, 62, 27, 13, 7.6, 5, 3),
         "FFT": (429, 422, 422, 429, 429, 430, 430, 428)},
}


def over_sides(rows, figure):
    """Samples a microsecond, a column for each side of the kernel."""
    ways = list(dict.fromkeys(r["way"] for r in rows))
    print(f"\n## Figure 1.{figure}: samples a microsecond\n\n| way | " + " | ".join(map(str, SIDES)) + " |")
    print("| --- |" + " --: |" * len(SIDES))
    for way in ways:
        own = {int(r["side"]): float(r["samples_per_us"]) for r in rows if r["way"] == way}
        print(f"| {way} | " + " | ".join(f"{own[s]:.0f}" if s in own else "" for s in SIDES) + " |")
    for way, values in GTX_680[figure].items():
        print(f"| *GTX 680, {way}* | " + " | ".join(f"{v:g}" for v in values) + " |")
    print("\nWith transfers:\n\n| way | " + " | ".join(map(str, SIDES)) + " |\n| --- |" + " --: |" * len(SIDES))
    for way in ways:
        own = {int(r["side"]): float(r["samples_per_us"]) * float(r["us"]) / float(r["us_with_transfer"])
               for r in rows if r["way"] == way}
        print(f"| {way} | " + " | ".join(f"{own[s]:.0f}" if s in own else "" for s in SIDES) + " |")
    rate = {(r["way"], int(r["side"])): float(r["samples_per_us"]) for r in rows}
    gains = [rate["shared-unrolled", s] / rate["shared", s] for s in SIDES if ("shared", s) in rate]
    crossing = next((s for s in SIDES if rate.get(("fft", s), 0) > rate.get(("direct", s), 0)), None)
    print(f"\nUnrolling the shared way gains {min(gains):.1f} to {max(gains):.1f} times. "
          + (f"Fourier transforms win from a side of {crossing} on." if crossing
             else "Fourier transforms win at no side."))


def over_sizes(rows, figure):
    """Likewise a row for each size on the source's grid."""
    for side in sorted({int(r["side"]) for r in rows}):
        own = [r for r in rows if int(r["side"]) == side]
        ways = list(dict.fromkeys(r["way"] for r in own))
        key = "times" if figure == 11 else "width"
        print(f"\n## Figure 1.{figure}, side {side}: samples a microsecond\n\n| {key} | " + " | ".join(ways) + " |")
        print("| --: |" + " --: |" * len(ways))
        for size in dict.fromkeys(r[key] for r in own if int(r[key]) % GRID[figure][0] == GRID[figure][1]):
            rates = {r["way"]: float(r["samples_per_us"]) for r in own if r[key] == size}
            print(f"| {size} | " + " | ".join(f"{rates[w]:.0f}" if w in rates else "" for w in ways) + " |")


def about_powers(rows, figure):
    """Whether sizes of powers of two are slower than those beside them."""
    own = {(int(r["side"]), r["way"], int(r["width"])): float(r["samples_per_us"]) for r in rows}
    powers = [2 ** n for n in range(5, 13) if any(width == 2 ** n + 1 for _, _, width in own)]
    if not powers:
        return
    print(f"\n## Figure 1.{figure} about powers of two: samples a microsecond\n\n| side | way | width | "
          + " | ".join(f"{d:+d}" if d else "0" for d in ABOUT) + " |\n| --: | --- | --: |" + " --: |" * len(ABOUT))
    for side, way in dict.fromkeys((side, way) for side, way, width in own if width - 1 in powers):
        for power in powers:
            rates = [own.get((side, way, power + d)) for d in ABOUT]
            print(f"| {side} | {way} | {power} | " + " | ".join("" if v is None else f"{v:.0f}" for v in rates) + " |")


def plot(rows, path):
    """One panel a figure; the chapter's curves are dashed."""
    import matplotlib
    matplotlib.use("svg")
    import matplotlib.pyplot as plt
    figure, panels = plt.subplots(2, 3, figsize=(15, 9))
    for panel, number in zip(panels.T.ravel(), (6, 7, 8, 9, 10, 11)):
        own = [r for r in rows if int(r["figure"]) == number]
        key = "side" if number % 2 == 0 else "times" if number == 11 else "width"
        panel.set_prop_cycle(color=plt.get_cmap("tab20").colors)
        for way in dict.fromkeys(r["way"] for r in own):
            for side in [None] if key == "side" else sorted({int(r["side"]) for r in own}):
                points = [(int(r[key]), float(r["samples_per_us"])) for r in own
                          if r["way"] == way and side in (None, int(r["side"]))]
                panel.plot(*zip(*points), marker=".", label=way if side is None else f"{way}, {side}")
        for way, values in GTX_680.get(number, {}).items():
            panel.plot(SIDES[:len(values)], values, "--", color="0.6")
        panel.set(yscale="log", title=f"Figure 1.{number}", xlabel=key, ylabel="samples a microsecond")
        panel.legend(fontsize=6)
    figure.tight_layout()
    figure.savefig(path)
    with open(path, encoding="utf-8") as file:
        lines = [line.rstrip() for line in file]
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    for number in sorted({int(r["figure"]) for r in rows}):
        own = [r for r in rows if int(r["figure"]) == number]
        (over_sides if number % 2 == 0 else over_sizes)(own, number)
        about_powers(own, number)
    most = max(float(r["most_off"]) for r in rows)
    print(f"\nThe largest difference from the engine's direct way is {most:.2g}, and the sum of all at most "
          f"{max(float(r['sum_off']) for r in rows):.3g}.")
    if len(sys.argv) > 2:
        plot(rows, sys.argv[2])


main()
