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
# Likewise by size, for figure and side of the kernel: of a plateau where it begins, of a range both ends.
GTX_680_SIZES = {
    (7, 9): {"texture": {2048: 1155}, "texture-unrolled": {2048: 1390}, "shared": {2048: 1440},
             "shared-unrolled": {128: 490, 512: 1975, 1024: 2560, 2048: 2650},
             "fft": {128: 134, 512: 534, 1024: 730, 2048: 790, 4096: 760}},
    (7, 17): {"texture": {2048: 370}, "texture-unrolled": {2048: 385}, "shared": {2048: 435},
              "shared-unrolled": {2048: 755}, "fft": {128: 80, 512: 373, 1024: 657, 2048: 805, 4096: 760}},
    (9, 7): {"texture": {64: 168, 512: 175}, "texture-unrolled": {64: 160, 512: 166}, "shared": {64: 174, 512: 254},
             "shared-unrolled": {64: 347, 128: 436, 256: 504, 512: 540},
             "fft": {64: 515, 128: 780, 256: 815, 512: 542}},
    (9, 13): {"texture": {64: 32, 512: 32}, "texture-unrolled": {64: 24, 512: 27}, "shared": {64: 43, 512: 55},
              "shared-unrolled": {64: 82, 512: 100}, "fft": {64: 305, 128: 790, 256: 825, 512: 542}},
    (11, 7): {"shared": {16: 28, 128: 28}, "shared-unrolled": {16: 60, 128: 60}},
    (11, 11): {"shared": {16: 6.4, 128: 6.4}, "shared-unrolled": {16: 12.6, 128: 12.6}},
}
# The source does not say of which side these are.
FFT_OVER_TIME = dict(zip(range(16, 136, 8), (420, 285, 435, 332, 290, 339, 426, 282, 342, 344, 294, 335, 334, 268, 411)))
for _side in (7, 11):
    GTX_680_SIZES[11, _side]["fft"] = FFT_OVER_TIME


def rate_of(row, transfers=False):
    """Samples a microsecond."""
    return float(row["samples_per_us"]) * (float(row["us"]) / float(row["us_with_transfer"]) if transfers else 1)


def table(head, columns, lines):
    print(f"\n| {head} | " + " | ".join(map(str, columns)) + " |\n| --- |" + " --: |" * len(columns))
    for name, values in lines:
        print(f"| {name} | " + " | ".join("" if v is None else v if isinstance(v, str) else f"{v:.0f}" for v in values) + " |")


def say_gain(rates, key, places):
    """What unrolling gains, and from where on Fourier transforms win; `rates` by way and place."""
    gains = [rates["shared-unrolled", p] / rates["shared", p] for p in places if ("shared", p) in rates]
    crossing = [p for p in places if rates.get(("fft", p), 0) > rates.get(("direct", p), 0)]
    print(f"\nUnrolling the shared way gains {min(gains):.1f} to {max(gains):.1f} times. Fourier transforms win at "
          + (f"{len(crossing)} of {len(places)}: {key} " + ", ".join(map(str, crossing)) if crossing else f"no {key}") + ".")


def over_sides(rows, figure):
    """A column for each side of the kernel."""
    ways = list(dict.fromkeys(r["way"] for r in rows))
    print(f"\n## Figure 1.{figure}: samples a microsecond")
    for transfers in (False, True):
        rates = {(r["way"], int(r["side"])): rate_of(r, transfers) for r in rows}
        lines = [(way, [rates.get((way, side)) for side in SIDES]) for way in ways]
        if transfers:
            print("\nWith transfers:")
        else:
            lines += [(f"*GTX 680, {way}*", [*map("{:g}".format, values), *[None] * (len(SIDES) - len(values))])
                      for way, values in GTX_680[figure].items()]
            own = rates
        table("way", SIDES, lines)
    say_gain(own, "side", SIDES)


def over_sizes(rows, figure):
    """Likewise a row for each size on the source's grid."""
    key = "times" if figure == 11 else "width"
    for side in sorted({int(r["side"]) for r in rows}):
        own = [r for r in rows if int(r["side"]) == side]
        ways = list(dict.fromkeys(r["way"] for r in own))
        sizes = list(dict.fromkeys(int(r[key]) for r in own if int(r[key]) % GRID[figure][0] == GRID[figure][1]))
        theirs = GTX_680_SIZES[figure, side]
        print(f"\n## Figure 1.{figure}, side {side}: samples a microsecond")
        for transfers in (False, True):
            rates = {(r["way"], int(r[key])): rate_of(r, transfers) for r in own}
            lines = [(size, [rates.get((way, size)) for way in ways]) for size in sizes]
            if transfers:
                print("\nWith transfers:")
            else:
                lines += [(f"*GTX 680, {size}*", [f"{theirs[way][size]:g}" if size in theirs.get(way, {}) else None
                                                 for way in ways])
                          for size in sorted({size for values in theirs.values() for size in values})
                          if figure < 11 or size in sizes]
                alone = rates
            table(key, ways, lines)
        say_gain(alone, key, sizes)


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
    """One panel a figure, a colour for each way; the chapter's curves are dashed."""
    import matplotlib
    matplotlib.use("svg")
    import matplotlib.pyplot as plt
    figure, panels = plt.subplots(2, 3, figsize=(19, 9))
    colours = dict(zip(dict.fromkeys(r["way"] for r in rows), plt.get_cmap("tab10").colors))
    for panel, number in zip(panels.T.ravel(), (6, 7, 8, 9, 10, 11)):
        own = [r for r in rows if int(r["figure"]) == number]
        key = "side" if number % 2 == 0 else "times" if number == 11 else "width"
        sides = [None] if key == "side" else sorted({int(r["side"]) for r in own})
        for way in dict.fromkeys(r["way"] for r in own):
            for side in sides:
                style = {"color": colours[way], "marker": "." if side == sides[0] else "^", "markersize": 4}
                points = [(int(r[key]), float(r["samples_per_us"])) for r in own
                          if r["way"] == way and side in (None, int(r["side"]))]
                panel.plot(*zip(*points), label=way if side is None else f"{way}, {side}", **style)
                theirs = (dict(zip(SIDES, GTX_680[number].get("FFT" if way == "fft" else way, ()))) if side is None
                          else GTX_680_SIZES[number, side].get(way, {}))
                if theirs:
                    panel.plot(*zip(*theirs.items()), "--", label=f"GTX 680{'' if side is None else f', {side}'}", **style)
        panel.set(yscale="log", title=f"Figure 1.{number}", xlabel=key, ylabel="samples a microsecond")
        panel.legend(fontsize=6, bbox_to_anchor=(1, 1), loc="upper left")
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
