# SPDX-License-Identifier: MIT
"""What the thesis of 2007 (published.FILTER_SOURCE) draws from its measurements, of ours and beside its own: speed-up,
efficiency of grey against colour, price, the time that a model predicts; plots of the parts and of the processor's
load."""
import re

import published
from measured import PARTS, number, of_2007, side_table, table

LEVELS = 3
RATE = 20  # frames per second of its loads


def elements(case):
    return case.side ** 2 * (4 if case.row["channels"] == 3 else case.row["channels"]) / (1e3 * case.frame_ms)


def lines_of(found):
    """name -> the cases of three levels by side"""
    return {name: {side: case for side, case in cases.items() if case.row["levels"] == LEVELS}
            for name, cases in found.lines().items()}


def by_side(above, below, scale=1.0):
    """Quotients of what both have."""
    return {side: scale * value / below[side] for side, value in above.items() if below.get(side)}


# ---- speed-up, efficiency, price -----------------------------------------------------------


def speed_ups(found):
    ours = {name: {side: elements(case) for side, case in cases.items()} for name, cases in lines_of(found).items()}
    of_cpu = {word: next((values for name, values in ours.items() if name.startswith("cpu") and f" {word}-" in name
                          and name.endswith(", 1 thread")), {}) for word in ("mono", "colour")}
    lines = [(f"{name} / cpu, 1 thread", by_side(values, of_cpu["mono" if " mono-" in name else "colour"]))
             for name, values in ours.items() if not name.endswith(", 1 thread")]
    theirs = published.ELEMENTS
    lines += of_2007({f"{name} / cpu, one core": by_side(values, theirs["cpu-mono-32-single"])
                      for name, values in theirs.items() if name != "cpu-mono-32-single"})
    lines += of_2007({f"{name} / lookup method": by_side(theirs[name], theirs["previous-gpu-32"])
                      for name in ("gpu-colour-16", "gpu-colour-32")})
    lookup = {name: values for name, values in ours.items() if name.startswith("gl-lookup")}
    lines += [(f"{name} / {other}", by_side(values, ours[other])) for name, values in ours.items()
              for other in lookup if name.startswith("gl-") and name not in lookup
              and name.split(" ")[-1] == other.split(" ")[-1]]
    return side_table(found, "Speed-up, by elements per microsecond", lines)


def efficiency(found):
    """Of a grey picture against the same pixels in colour: in percent of its elements per microsecond."""
    ours = lines_of(found)

    def of_colour(name):  # an engine may work in another way for colour
        if name.replace(" mono-", " colour-") in ours:
            return name.replace(" mono-", " colour-")
        engine, rest = re.fullmatch(r"([\w-]+).* mono(-.*)", name).groups()
        return next((other for other in ours if re.match(re.escape(engine) + r"(:.*)? colour" + re.escape(rest) + "$",
                                                         other)), None)

    lines = []
    for name, cases in ours.items():
        colour = of_colour(name) if " mono-" in name else None
        if colour:
            lines.append((f"{name} / {colour}", by_side(
                {side: elements(case) for side, case in cases.items()},
                {side: elements(case) for side, case in ours[colour].items()}, 100)))
    lines += of_2007({f"gpu-mono-{bits} / gpu-colour-{bits}": by_side(
        published.ELEMENTS[f"gpu-mono-{bits}"], published.ELEMENTS[f"gpu-colour-{bits}"], 100) for bits in (16, 32)})
    return side_table(found, "Efficiency of grey against colour, % (colour: 4 elements for each pixel)", lines)


def price_table(found, prices):
    """Elements per microsecond for 100 units of money; prices: beginning of a line's name -> what it costs."""
    lines = [(name, {side: elements(case) for side, case in cases.items()}) for name, cases in lines_of(found).items()]
    lines += of_2007(published.ELEMENTS)
    return side_table(found, "Elements per microsecond for 100 units of money", [
        (f"{name} ({price:g})", {side: 100 * value / price for side, value in values.items()})
        for name, values in lines for start, price in prices.items() if name.strip().startswith(start)])


def dual_core(found):
    """That it has of one core follows from its elements per microsecond, and so does that of two."""
    dual = published.ELEMENTS["cpu-mono-32-dual"]
    frames = {side: 1e6 * value / side ** 2 for side, value in dual.items()}
    return side_table(found, "2007, two cores: from its elements per microsecond", of_2007({
        "frames per second": frames, f"load at {RATE} frames per second, % of both cores":
        {side: 100 * RATE / fps for side, fps in frames.items()}}))


# ---- model ---------------------------------------------------------------------------------

# Renderer -> GB/s of memory, GFLOPS, GB/s of the bus; nominal, one direction.
# 7600 GS: 128 bits at 800 MHz; 12 pipes of two products and sums, four wide, at 400 MHz.
NOMINAL = {"H200": (4800, 66900, 64), "GeForce 8800 GTX": (86.4, 332, 4), "GeForce 7600 GS": (12.8, 76.8, 4)}
PYRAMID = sum(4.0 ** -level for level in range(LEVELS))


def counts_2007(bits):
    """Fetches, operations and bytes of a grey pixel, analysis, shrinkage and synthesis in passes as the thesis has
    them: fragments of a pass (for each sample of its level), fetches, channels read, channels written, operations."""
    passes = (  # 10 fetches serve the 9 and the 7 taps of both bands
        (1 / 2, 10, 1, 2, 32), (1 / 4, 10, 2, 4, 64),
        (1 / 4, 1, 4, 4, 12),  # sign, magnitude, difference, product of three details
        (1 / 2, 5, 4, 2, 36), (1, 5, 2, 1, 18))  # 9 taps of an interleaved kernel
    fetches = PYRAMID * sum(share * n for share, n, *_ in passes)
    operations = PYRAMID * sum(share * n for share, *_, n in passes)
    fetched = PYRAMID * sum(share * (n * reads + writes) for share, n, reads, writes, _ in passes)
    # Where a cache keeps what neighbours fetch, each pass reads and writes its level once.
    once = PYRAMID * 2 * len(passes)
    return {"fetches": fetches, "operations": operations, "fetched": fetched * bits / 8, "once": once * bits / 8}


def lifting_operations():
    """Of a pixel: four steps, each for half of the samples of an axis (two additions, a product), and the gains; both
    axes and directions, and shrinkage."""
    return PYRAMID * (2 * 2 * (4 * 3 / 2 + 1) + 3)


def predicted_ms(pixels, operations, moved, figures):
    memory, arithmetic, bus = figures
    return pixels * (1e-6 / bus + max(1e-6 * operations / arithmetic, 1e-6 * moved / memory))


def fit(points):
    """Overhead and time of a megapixel, both at least 0, with the least relative squares over (pixels, ms)."""
    sums = [sum(weight) for weight in zip(*((1 / ms ** 2, x / ms ** 2, x * x / ms ** 2, 1 / ms, x / ms)
                                            for x, ms in ((1e-6 * pixels, ms) for pixels, ms in points)))]
    ones, linear, square, ms, cross = sums
    below = ones * square - linear * linear
    slope = (ones * cross - linear * ms) / below if below > 0 else cross / square
    overhead = (ms - slope * linear) / ones
    return (overhead, slope) if overhead >= 0 else (0, cross / square)


def model_lines(name, points, nominal):
    """points: (side, ms); nominal: side -> ms or 0."""
    overhead, slope = fit([(side * side, ms) for side, ms in points])
    for side, ms in points:
        fitted = overhead + slope * side * side * 1e-6
        yield [f"{side}² {name}", ms, nominal(side), ms / nominal(side) if nominal(side) else 0, fitted,
               f"{100 * (fitted / ms - 1):+.0f} %"]
    yield [f"  fitted: {number(overhead)} ms and {number(slope)} ms for a megapixel", *[""] * 5]


def model(found):
    figures = next((value for name, value in NOMINAL.items() if name in found.machine["gl_renderer"]), None)
    lines = []
    for name, cases in lines_of(found).items():
        if not name.startswith("gl-") or " mono-32" not in name or len(cases) < 3:
            continue
        lifts = name.startswith("gl-compute") and "convolution" not in name
        operations = lifting_operations() if lifts else counts_2007(32)["operations"]

        def nominal(side, cases=cases, operations=operations):
            row = cases[side].rows.get("resident")
            moved = row["gb_per_s"] * row["median_ms"] * 1e6 / side ** 2 if row else 0
            return predicted_ms(side * side, operations, moved, figures) if figures and moved else 0

        lines += model_lines(name, sorted((side, case.frame_ms) for side, case in cases.items()), nominal)
    for bits in (16, 32):
        counts = counts_2007(bits)
        points = [(side, 1e3 / fps) for side, fps in published.FRAMES[f"gpu-mono-{bits}"].items()]
        lines += model_lines(f"  2007: gpu-mono-{bits}", points, lambda side, counts=counts: predicted_ms(
            side * side, counts["operations"], counts["fetched"], NOMINAL["GeForce 8800 GTX"]))
        # The smaller card of 2007, whose measured figures no copy at hand holds, as far from nominal as the larger one.
        for side, ms in points:
            small, large = (predicted_ms(side * side, counts["operations"], counts["fetched"], NOMINAL[card])
                            for card in ("GeForce 7600 GS", "GeForce 8800 GTX"))
            lines.append([f"{side}²   2007: 7600 GS, predicted, mono-{bits}", 0, small, 0, small * ms / large, ""])
    counts = counts_2007(32)
    return table("Model: upload / bus + max (operations / arithmetic, bytes / memory), ms",
                 ["measured", "nominal", "ratio", "fitted", "error"], lines,
                 "nominal: by the figures of the card's maker and no overhead; of ours, 8 bits a sample over the bus "
                 "and the bytes that the\nengine's own passes move; of 2007, every fetch from memory: "
                 f"{counts['fetches']:.1f} fetches, {counts['operations']:.0f} operations, "
                 f"{counts['fetched']:.0f} bytes of a pixel\nin 32 bits ({counts['once']:.0f} where a cache keeps what "
                 f"neighbours fetch); lifting: {lifting_operations():.0f} operations. fitted: overhead and time of\na "
                 "megapixel, least relative squares; of the GeForce 7600 GS, nominal times the ratio of the 8800 GTX.")


def tables(found, prices):
    return (speed_ups(found) + efficiency(found) + (price_table(found, prices) if prices else "") + dual_core(found)
            + model(found))


# ---- plots ---------------------------------------------------------------------------------


def part_curves(found):
    """panel -> label -> milliseconds by side"""
    panels = {"2007: gpu-mono-16": published.PARTS}
    for name, cases in lines_of(found).items():
        curves = {part: {side: case.ms(part) for side, case in cases.items() if case.ms(part)} for part in PARTS}
        if " mono-32" in name and any(curves.values()):
            panels[name] = curves
    return panels


def load_curves(found):
    """label -> percent of a core by side"""
    lines = {}
    for load in found.loads:
        if load["channels"] == 1 and load["percent"] > 0:
            name = f"{load['engine']}:{load['variant']}-{load['precision']}, {load['threads']} thr."
            lines.setdefault(name, {})[load["width"]] = load["percent"]
    if lines:
        lines |= {f"2007: {name}": values for name, values in published.LOADS.items()}
    return lines


def axes(panel):
    from matplotlib import ticker  # pylint: disable=import-outside-toplevel # the tables do without
    panel.set_xscale("log", base=2)
    panel.set_yscale("log")
    panel.xaxis.set_major_formatter(ticker.ScalarFormatter())
    panel.grid(True, color="0.9")
    panel.set_xlabel("side of the picture, pixels")


def start_plot():
    import matplotlib  # pylint: disable=import-outside-toplevel
    matplotlib.use("svg")
    matplotlib.rcParams["svg.fonttype"] = "none"
    from matplotlib import pyplot  # pylint: disable=import-outside-toplevel
    return pyplot


def draw_parts(found, path):
    """False where there is nothing to draw, as below."""
    panels = part_curves(found)
    if len(panels) == 1:
        return False
    pyplot = start_plot()
    height = (len(panels) + 1) // 2
    figure, grid = pyplot.subplots(height, 2, figsize=(12, 4 * height), sharex=True, sharey=True, squeeze=False)
    for panel, (name, curves) in zip(grid.flat, panels.items()):
        axes(panel)
        for marker, (part, values) in zip("o^sD", curves.items()):
            panel.plot(list(values), list(values.values()), label=part, marker=marker, markersize=4)
        panel.set_title(name, loc="left", fontsize=10)
        panel.legend(fontsize=8)
        panel.set_ylabel("ms")
    machine = found.machine
    figure.suptitle(f"Parts of a frame, grey, three levels\n{machine['cpu']}; {machine['gl_renderer']}; "
                    f"{machine['date'][:10]}")
    figure.savefig(path, bbox_inches="tight")
    return True


def draw_loads(found, path):
    lines = load_curves(found)
    if not lines:
        return False
    pyplot = start_plot()
    figure, panel = pyplot.subplots(figsize=(12, 7))
    axes(panel)
    for name, values in lines.items():
        ours = not name.startswith("2007")
        panel.plot(list(values), list(values.values()), label=name, marker="o", markersize=4,
                   linestyle="-" if ours else "--", color=None if ours else "0.5")
    panel.set_ylabel("% of a core")
    panel.legend(loc="upper left", bbox_to_anchor=(1.01, 1), fontsize=8)
    machine = found.machine
    panel.set_title(f"Processor load at {RATE} frames per second, grey\n{machine['cpu']}; {machine['gl_renderer']}; "
                    f"{machine['date'][:10]}", loc="left", fontsize=10)
    figure.savefig(path, bbox_inches="tight")
    return True
