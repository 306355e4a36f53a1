# SPDX-License-Identifier: MIT
"""Table I of Wong et al. (lookup tables, 2007) by the same protocol: 9/7, five levels, one tile; what a start costs and
what a frame does when all is in place, with the size from which the GPU pays, and addresses from a table against
computed ones against lifting. Tables, a CSV and a plot of what “bench --set start” measured."""
import csv
import io

import published
from measured import side_table, table

INIT = ("context_ms", "engine_ms", "programs_ms")
STARTS = (*INIT, "textures_ms", "first_ms", "read_back_ms")
SAME = ("engine", "width", "height", "channels", "precision", "levels", "threads", "asked")
# How coefficients are found, and whose.
METHODS = (("table", "gl-lookup", ""), ("computed addresses", "gl-fragment", ""),
           ("computed addresses, compute", "gl-compute", "convolution"), ("lifting, compute", "gl-compute", ""),
           ("lifting, processor", "cpu", ""))


def init_ms(start):
    return sum(start[key] for key in INIT)


def cold_ms(start):
    return sum(start[key] for key in STARTS)


def is_gl(start):
    return start["context_ms"] > 0


def one_way(found):
    return [start for start in found.starts if not start["inverse"]]


def both_ways(found, start):
    """The same start of both directions; an engine may work in another way then."""
    return next((other for other in found.starts if other["inverse"]
                 and all(other[key] == start[key] for key in SAME)), None)


def warm_case(found, start):
    variant = (both_ways(found, start) or start)["variant"]
    return next((case for case in found.cases if case.variant == variant
                 and all(case.row[key] == start[key] for key in SAME[:-1])), None)


def warm_ms(found, start, part="decompose"):
    case = warm_case(found, start)
    return case.ms(part) if case else 0


def name_of(start):
    return (f"{start['engine']}{':' * bool(start['asked'])}{start['asked']}-{start['precision']}, "
            f"{start['threads']} thr.")


# ---- the table -----------------------------------------------------------------------------

COLUMNS = {
    "init": init_ms, "textures": lambda start: start["textures_ms"], "frame": lambda start: start["first_ms"],
    "back": lambda start: start["read_back_ms"], "cold": cold_ms}
WARM = {"upload": "upload", "DWT": "forward", "back, warm": "read back", "warm": "decompose",
        "inverse": "backward", "warm, inv.": "reconstruct"}


def rows(found):
    """name, side, numbers of each start, and of those that were published."""
    for start in one_way(found):
        case, both = warm_case(found, start), both_ways(found, start)
        yield name_of(start), start["width"], [
            *(value(start) for value in COLUMNS.values()), *(case.ms(part) if case else 0 for part in WARM.values()),
            cold_ms(both) if both else 0]
    for side, (software, total, context, buffers, transform, rest) in published.START.items():
        yield "  2007: lookup", side, [context, buffers, transform, rest, total, *[0] * (len(WARM) + 1)]
        yield "  2007: software", side, [0, 0, 0, 0, software, *[0] * (len(WARM) + 1)]


HEADINGS = [*COLUMNS, *WARM, "cold, both"]


def starts_table(found):
    lines = sorted(((side, i, name, cells) for i, (name, side, cells) in enumerate(rows(found))))
    return table("Table I: start-up and frames, ms", HEADINGS,
                 [[f"{side}² {name}", *cells] for side, _, name, cells in lines],
                 "init: OpenGL's context, the engine and its programs; textures: the buffers of this size; frame: the "
                 "first one, upload and\ndecomposition; back: coefficients read back; cold: all of it; warm: the same "
                 "frame when all is in place, its parts timed one by\none; both: decomposition and reconstruction with "
                 "shrinkage, cold. The driver's caches of programs on disk are switched off.\nRows “2007” were "
                 + published.START_SOURCE + ".\nTheir frame: the transform; their back: everything else.")


def to_csv(found):
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["side", "name", *(heading.replace(",", "").replace(".", "") for heading in HEADINGS)])
    for name, side, cells in rows(found):
        writer.writerow([side, name.strip(), *(f"{cell:.6g}" if cell else "" for cell in cells)])
    return text.getvalue()


# ---- where the GPU begins to pay -----------------------------------------------------------


def crossing(points):
    """Of (pixels, GPU, CPU) in rising order: from how many pixels on the GPU is faster, by a straight line between
    sizes; 0: from the first on; None: not at the last."""
    if not points or points[-1][1] >= points[-1][2]:
        return None
    last = max((i for i, (_, gpu, cpu) in enumerate(points) if gpu >= cpu), default=-1)
    if last < 0:
        return 0
    (a, *before), (b, *after) = points[last], points[last + 1]
    behind, ahead = before[0] - before[1], after[1] - after[0]
    return a + (b - a) * behind / (behind + ahead)


def words_of(points):
    pixels = crossing(points)
    if pixels is None:
        return "nowhere faster than cpu among the sizes measured"
    if pixels == 0:
        return f"faster than cpu from {points[0][0] ** 0.5:.0f}² on, the smallest measured"
    return f"faster than cpu from {pixels / 1e6:.3f} megapixels on ({pixels ** 0.5:.0f}²)"


def crossovers(found):
    ways = {"cold": cold_ms, "warm": lambda start: warm_ms(found, start),
            "warm, inverse": lambda start: warm_ms(found, start, "reconstruct")}
    text = ""
    for name in dict.fromkeys(name_of(start) for start in one_way(found) if is_gl(start)):
        for word, ms in ways.items():
            points = []
            for start in one_way(found):
                rivals = [ms(other) for other in one_way(found) if other["engine"] == "cpu" and ms(other) > 0
                          and (other["width"], other["channels"]) == (start["width"], start["channels"])]
                if name_of(start) == name and rivals and ms(start) > 0:
                    points.append((start["width"] * start["height"], ms(start), min(rivals)))
            text += f"{name}, {word}: {words_of(sorted(points))}\n" if points else ""
    if text:
        of_2007 = [(side * side, total, software) for side, (software, total, *_) in published.START.items()]
        text += f"2007: lookup, cold: {words_of(of_2007)}\n"
    return "\nWhere the GPU begins to pay, read back included\n\n" + text if text else ""


# ---- table, arithmetic, lifting ------------------------------------------------------------


def find(found, engine, variant, side):
    """The grey square by that engine; with several threads, the fastest."""
    levels = {start["levels"] for start in found.starts}
    cases = [case for case in found.cases if case.row["engine"] == engine and case.side == side
             and case.row["channels"] == 1 and case.row["precision"] == 32 and case.row["levels"] in levels
             and ("convolution" in case.parts_variant) == (variant == "convolution")]
    return min(cases, key=lambda case: case.ms("forward") or float("inf"), default=None)


def methods(found):
    text = ""
    for part, word in (("forward", "Decomposition"), ("backward", "Reconstruction")):
        lines = []
        for what, engine, variant in METHODS:
            cases = {side: find(found, engine, variant, side) for side in found.sides}
            lines.append((f"{what} ({engine}{':' * bool(variant)}{variant})",
                          {side: 1e3 * case.ms(part) for side, case in cases.items() if case}))
        of_table, computed = lines[0][1], lines[1][1]
        lines.append(("table / computed addresses", {
            side: us / computed[side] for side, us in of_table.items() if computed.get(side)}))
        text += side_table(found, f"{word} in place: microseconds by method", lines)
    return text


def tables(found):
    return starts_table(found) + crossovers(found) + methods(found)


# ---- plot ----------------------------------------------------------------------------------


def curves(found):
    """label, (megapixels, milliseconds) in rising order, whether it is ours."""
    lines = {}
    for start in one_way(found):
        megapixels = start["width"] * start["height"] / 1e6
        for word, ms in (("cold", cold_ms(start)), ("warm", warm_ms(found, start))):
            if ms > 0:
                lines.setdefault(f"{name_of(start)}, {word}", []).append((megapixels, ms))
    for label, points in lines.items():
        yield label, sorted(points), True
    for i, label in ((0, "software lifting"), (1, "lookup, cold"), (4, "lookup, transform alone")):
        yield f"2007: {label}", [(side * side / 1e6, values[i]) for side, values in published.START.items()], False


def draw(found, path):
    """False where there is nothing to draw."""
    if not found.starts:
        return False
    import matplotlib  # pylint: disable=import-outside-toplevel # the tables do without
    matplotlib.use("svg")
    from matplotlib import pyplot  # pylint: disable=import-outside-toplevel

    matplotlib.rcParams["svg.fonttype"] = "none"
    colours = pyplot.get_cmap("tab20").colors
    figure, panel = pyplot.subplots(figsize=(12, 7))
    for i, (label, points, ours) in enumerate(curves(found)):
        cold = label.endswith("cold")
        panel.plot(*zip(*points), label=label, marker="o" if ours else "s", markersize=4,
                   linewidth=2 if ours and not cold else 1, linestyle="-" if not cold and ours else "--",
                   color=colours[i // 2 * 2 % 20 + cold] if ours else str(0.3 + 0.1 * (i % 4)))
    panel.set_xscale("log")
    panel.set_yscale("log")
    panel.set_xlabel("megapixels")
    panel.set_ylabel("milliseconds, coefficients read back")
    panel.grid(True, color="0.9")
    panel.legend(loc="upper left", bbox_to_anchor=(1.01, 1), fontsize=8)
    machine = found.machine
    panel.set_title(f"Decomposition, 9/7, five levels, grey\n{machine['cpu']}, {machine['cores']} cores; "
                    f"{machine['gl_renderer']}; {machine['date'][:10]}", loc="left", fontsize=10)
    figure.text(0.12, 0.0, f"2007: {published.START_SOURCE}.", fontsize=7)
    figure.savefig(path, bbox_inches="tight")
    return True
