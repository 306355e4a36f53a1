#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What “bench” measured, as tables and as a plot, with figures that others published beside:

engines.py FILE.json                         prints the tables
engines.py FILE.json --svg FILE.svg          and draws the grey pictures in 32 bits
engines.py --results FOLDER PROGRAM [ARG…]   has the program measure (“ondelette-cli bench --set all”), and
                                             keeps what it printed, tables, rows and plots in a folder
engines.py --results FOLDER FILE.json        keeps the tables and plots of what another machine measured"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import first_system
import published
import table1
from measured import PARTS, Results, of_2007, of_lines, side_table, table

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "helpers"))
import results  # noqa: E402

FRAME_MS = 40  # 25 frames per second


# ---- sets ----------------------------------------------------------------------------------


def elements_per_us(case):
    return case.side ** 2 * (4 if case.row["channels"] == 3 else case.row["channels"]) / (1e3 * case.frame_ms)


def copy_lines(found):
    lines = {}
    for row in found.copies:
        if row["channels"] == 1 and row["width"] == row["height"]:
            lines.setdefault(f"copy of f32, {row['variant']}, ms", {}).setdefault(row["width"], row["median_ms"])
    for name, cases in found.lines().items():
        if name.startswith("cpu") and " mono" in name:
            lines[f"copies: {name}"] = {
                side: case.ms("total") * found.copy_speed(case) * 1e6 / (8 * side * side)
                for side, case in cases.items()}
    return lines.items()


def filter_tables(found):
    parts = [(f"{part:9}{cases[max(cases)].name(cases[max(cases)].parts_variant)}",
              {side: case.ms(part) for side, case in cases.items()})
             for cases in found.lines().values() for part in PARTS]
    pdwt = {side: 1e3 * ms for side, ms in published.PEERS[published.PDWT].items()}
    return "".join([
        f"\nRows “2007” were {published.FILTER_SOURCE}.\nOurs: frames that follow each other, upload included, "
        "nothing read back.\n",
        side_table(found, "Elements per microsecond (colour: 4 for each pixel)",
                   of_lines(found, elements_per_us) + of_2007(published.ELEMENTS)),
        side_table(found, "Frames per second",
                   of_lines(found, lambda case: 1e3 / case.frame_ms) + of_2007(published.FRAMES)),
        side_table(found, "Milliseconds by part (2007: gpu-mono-16)", parts + of_2007(published.PARTS)),
        side_table(found, "On the GPU already: microseconds of a frame, GPU's timer",
                   of_lines(found, lambda case: 1e3 * case.resident_ms) + [(published.PDWT, pdwt)]),
        side_table(found, "A moved slider: microseconds",
                   of_lines(found, lambda case: 1e3 * case.ms("slider"))),
        side_table(found, "Plain copies of a grey float picture, and frames in copies", copy_lines(found)),
        demands(found)])


def method_of(case):
    variants = case.parts_variant + " " + case.variant
    if case.row["engine"] == "gl-compute":
        return "filtering" if "convolution" in variants else "lifting"
    return "lifting" if case.row["engine"] == "cpu" and "filtering" not in variants else "filtering"


def video_name(case):
    threads = "" if case.is_gl else f", {case.row['threads']} thr."
    return f"{case.row['engine']} {case.parts_variant}-{case.row['precision']}{threads}, {method_of(case)}"


def acceptance(found):
    def line(name, mean, least, most):
        words = ("every frame within 40 ms" if most <= FRAME_MS
                 else "within 40 ms on average" if mean <= FRAME_MS else "above 40 ms")
        return [name, mean, least, most, 1e3 / mean, words]

    lines = [line(f"{video_name(case)}, {word}", row["mean_ms"], row["min_ms"], row["max_ms"])
             for case in found.cases if case.size == (1920, 1080) and case.row["channels"] == 3
             for part, word in (("decompose", "decomposition"), ("reconstruct", "reconstruction"), ("whole", "both"))
             for row in [case.rows.get(part)] if row]
    lines += [line(f"  2012: {name}", *figures) for name, figures in published.ACCEPTANCE.items()]
    return table("Acceptance: 1920×1080, colour, 25 frames per second, with transfer",
                 ["mean ms", "min", "max", "per s", ""], lines)


def video_tables(found):
    text = (f"\nRows “2012” were {published.VIDEO_SOURCE}.\nTransfer: upload of the 8-bit picture and read back of "
            "floats; on the CPU, where no bus lies between, reading the picture as\nfloats and handing a copy out. "
            "“both, whole”: upload, decomposition, shrinkage and reconstruction in one go, nothing read\nback. Steps "
            "timed one by one.\n")
    for size, (levels, cpu, lifting, filtering, lifting_alone, filtering_alone) in published.VIDEO.items():
        cases = [case for case in found.cases if case.size == size and case.row["channels"] == 3]
        if cases:
            lines = [[video_name(case), *(case.ms(part) for part in ("forward", "decompose", "backward",
                                                                     "reconstruct", "total"))] for case in cases]
            lines += [["  2012: lifting", lifting_alone, lifting, 0, 0, 0],
                      ["  2012: filtering", filtering_alone, filtering, 0, 0, 0],
                      ["  2012: cpu, one core (estimated)", cpu, 0, 0, 0, 0]]
            text += table(f"{size[0]}×{size[1]}, {cases[0].row['levels']} levels (2012: {levels}), ms",
                          ["decompose", "+ transfer", "reconstruct", "+ transfer", "both, whole"], lines)
    return text + acceptance(found)


def load_tables(found):
    lines = [[f"{load['engine']}:{load['variant']}-{load['precision']}, {load['threads']} thr.",
              f"{load['width']}×{load['height']}×{load['channels']}", load["percent"], load["fps"],
              f"{load['late']} of {load['frames']}"] for load in found.loads]
    lines += [[f"  2007: {name}", f"{side}×{side}×1", value, 0, ""]
              for name, values in published.LOADS.items() for side, value in values.items()]
    return table("Processor load at 20 frames per second, % of a core", ["size", "load %", "per s", "late"],
                 lines, "All threads of the process, upload and drawing included.")


# ---- what this project demands -------------------------------------------------------------


def ratio(above, below):
    return above / below if above and below else 0


def measure(found, engine, side, precision=32, threads=0):
    """part -> milliseconds of a grey square; 0 for what was not measured."""
    case = found.find(engine, side, precision, threads)

    def ms(part):
        if case is None:
            return 0
        return case.resident_ms if part == "resident" else case.ms(part)
    return ms


def pdwt_over(found, side):
    return ratio(published.PEERS[published.PDWT][side], measure(found, "gl-compute", side)("resident"))


def copies_of_frame(found, engine, side, threads):
    case = found.find(engine, side, 32, threads)
    return case.ms("total") * found.copy_speed(case) * 1e6 / (8 * side * side) if case else 0


def copies_of_passes(found, engine, side):
    """Against copies of as many texels as its passes read and write."""
    case = found.find(engine, side)
    if case is None or "resident" not in case.rows:
        return 0
    return ratio(found.copy_speed(case), case.rows["resident"]["gb_per_s"])


def bars(found):
    """What, value, whether it is at least (else at most), limit, of a GPU."""
    compute = {(side, bits): measure(found, "gl-compute", side, bits) for side in published.SIDES for bits in (16, 32)}
    yield ("cpu, 2048²: one thread / two threads", ratio(measure(found, "cpu", 2048, 32, 1)("total"),
                                                         measure(found, "cpu", 2048, 32, 2)("total")), True, 1.7, False)
    yield ("cpu, 4096², one thread: plain copies of the picture", copies_of_frame(found, "cpu", 4096, 1),
           False, 2.7, False)
    for side, bits, most in ((2048, 32, 50), (8192, 32, 500), (8192, 16, 300)):
        yield f"gl-compute, {side}², {bits} bit: µs", 1e3 * compute[side, bits]("resident"), False, most, True
    for side in (512, 1024, 2048, 4096, 8192):
        yield f"gl-compute, {side}²: PDWT on an H200 / ours", pdwt_over(found, side), True, 1, True
    for side in (2048, 8192):
        ms = compute[side, 32]
        yield (f"gl-compute, {side}²: moved slider, % of a frame", 100 * ratio(ms("slider"), ms("resident")),
               False, 60, True)
    for side in (512, 2048):
        ms = compute[side, 32]
        yield (f"gl-compute, {side}²: frame with upload / larger of both",
               ratio(ms("overlapped"), max(ms("upload"), ms("resident"))), False, 1.1, True)
    for side in (512, 1024, 2048):
        yield (f"gl-lookup / gl-fragment, {side}²", ratio(measure(found, "gl-lookup", side)("resident"),
                                                          measure(found, "gl-fragment", side)("resident")),
               True, 3, True)
    yield ("gl-fragment, 2048²: fragment copies of its texels", copies_of_passes(found, "gl-fragment", 2048),
           False, 3, True)


def demands(found):
    software = re.search("llvmpipe|softpipe|swrast", found.machine["gl_renderer"], re.I)
    lines = [[what, value, f"{'≥' if at_least else '≤'} {limit:g}",
              "reached" if (value >= limit if at_least else value <= limit) else "not reached"]
             for what, value, at_least, limit, gpu in bars(found) if value and not (gpu and software)]
    return table("What this project demands (grey, three levels, 9/7; GPU: an H200's figures)", ["", "", ""], lines)


def tables(found, prices=None):
    text = ""
    if any(case.side and case.row["levels"] == 3 for case in found.cases):
        text += filter_tables(found) + first_system.tables(found, prices)
    if any(case.row["channels"] == 3 and case.size in published.VIDEO for case in found.cases):
        text += video_tables(found)
    if found.starts:
        text += table1.tables(found)
    if found.loads:
        text += load_tables(found)
    return text


# ---- plot ----------------------------------------------------------------------------------


def curves(found):
    """Of grey pictures in 32 bits: label, milliseconds by side, whether it is ours."""
    for suffix, ms in (("", lambda case: case.frame_ms), (", data resident", lambda case: case.ms("resident"))):
        for name, cases in found.lines().items():
            if " mono-32" in name and any(ms(case) and case.row["levels"] == 3 for case in cases.values()):
                yield name + suffix, {side: ms(case) for side, case in cases.items() if ms(case)}, True
    for name, values in published.ELEMENTS.items():
        if name in ("gpu-mono-32", "previous-gpu-32") or name.startswith("cpu"):
            yield f"2007: {name}", {side: side * side / (1e3 * value) for side, value in values.items()}, False
    for name, values in published.PEERS.items():
        yield name, values, False


def draw(found, path):
    """False where there is nothing to draw."""
    import matplotlib  # pylint: disable=import-outside-toplevel # the tables do without
    matplotlib.use("svg")
    from matplotlib import pyplot, ticker  # pylint: disable=import-outside-toplevel

    drawn = list(curves(found))
    if not any(ours for _, _, ours in drawn):
        return False
    matplotlib.rcParams["svg.fonttype"] = "none"
    colours, markers = pyplot.get_cmap("tab20").colors, "os^vD<>P*X"
    figure, panels = pyplot.subplots(2, 1, figsize=(12, 13), sharex=True, gridspec_kw={"hspace": 0.12})
    for panel, title, value in (
            (panels[0], "elements per microsecond", lambda side, ms: side * side / (1e3 * ms)),
            (panels[1], "milliseconds of a frame, upload included but where data is resident",
             lambda side, ms: ms)):
        for i, (label, values, ours) in enumerate(drawn):
            panel.plot(list(values), [value(side, ms) for side, ms in values.items()], label=label,
                       marker="o" if ours else markers[i % len(markers)], markersize=4 if ours else 5,
                       linewidth=1 + ours, linestyle="-" if ours else "--",
                       color=colours[i % len(colours)] if ours else "0.5")
        panel.set_xscale("log", base=2)
        panel.set_yscale("log")
        panel.xaxis.set_major_formatter(ticker.ScalarFormatter())
        panel.set_title(title, loc="left")
        panel.grid(True, color="0.9")
    panels[1].set_xlabel("side of the picture, pixels")
    panels[0].legend(loc="upper left", bbox_to_anchor=(1.01, 1), fontsize=8)
    machine = found.machine
    figure.suptitle(f"Analysis, wavelet shrinkage, synthesis of grey pictures, 32 bit\n{machine['cpu']}, "
                    f"{machine['cores']} cores; {machine['gl_renderer']}; {machine['date'][:10]}", y=0.95)
    figure.text(0.12, 0.05, f"Dashed: {published.FILTER_SOURCE}.\n{published.PEERS_SOURCE}.", fontsize=7)
    figure.savefig(path, bbox_inches="tight")
    return True


# By the ends of their names.
PLOTS = {"svg": draw, "parts.svg": first_system.draw_parts, "load.svg": first_system.draw_loads,
         "table1.svg": table1.draw}


# ---- measuring -----------------------------------------------------------------------------


def kind_of(machine):
    """2-core-intel-xeon-llvmpipe"""
    words = []
    for text, most in ((machine["cpu"], 2), (machine["gl_renderer"], 3)):
        text = re.split("[,@]", re.sub(r"\([^)]*\)", "", text))[0]
        words += re.findall("[a-z0-9]+", text.lower())[:most]
    return "-".join([f"{machine['cores']}-core", *words])


def keep(folder, found, prices, texts, printed=""):
    """Tables and plots beside `texts`, as files that are named by day and machine."""
    with tempfile.TemporaryDirectory() as private:
        plot = pathlib.Path(private, "plot.svg")
        text = tables(found, prices)
        print(text)
        kind, day = kind_of(found.machine), found.machine["date"][:10]
        texts = {"md": f"# Benchmark, {kind}, {day}\n\n```\n{printed}{text}```\n", **texts}
        for kind_of_plot, painter in PLOTS.items():
            if painter(found, plot):
                # matplotlib ends lines of a path in blanks.
                lines = plot.read_text(encoding="utf-8").splitlines()
                texts[kind_of_plot] = "".join(line.rstrip() + "\n" for line in lines)
        if found.starts:
            texts["table1.csv"] = table1.to_csv(found)
        for path in results.write(folder, f"{day}-{kind}", texts):
            print(path)


def run(folder, prices, command):
    with tempfile.TemporaryDirectory() as private:
        rows, lines = (pathlib.Path(private, name) for name in ("rows.json", "rows.csv"))
        with subprocess.Popen([*command, f"--json={rows}", f"--csv={lines}"], stdout=subprocess.PIPE,
                              text=True) as program:
            printed = ""
            for line in program.stdout:
                printed += line
                print(line, end="", flush=True)
        if program.returncode:
            return program.returncode
        texts = {"csv": lines.read_text(encoding="utf-8"), "json": rows.read_text(encoding="utf-8")}
        keep(folder, Results(json.loads(texts["json"])), prices, texts, printed)
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--svg")
    parser.add_argument("--results")
    parser.add_argument("--price", action="append", default=[], metavar="NAME=AMOUNT",
                        help="what costs how much: the beginning of a line's name, such as gl or “2007: gpu”")
    parser.add_argument("words", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    prices = {name: float(amount) for name, amount in (price.rsplit("=", 1) for price in options.price)}
    if options.results and not options.words[0].endswith(".json"):
        return run(options.results, prices, options.words)
    rows = pathlib.Path(options.words[0]).read_text(encoding="utf-8")
    found = Results(json.loads(rows))
    if options.results:
        keep(options.results, found, prices, {"json": rows})
        return 0
    print(tables(found, prices))
    return 1 if options.svg and not draw(found, options.svg) else 0


if __name__ == "__main__":
    sys.exit(main())
