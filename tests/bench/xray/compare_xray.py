#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The pipeline for bone on the X-ray phantom, each step by engine, beside OpenCV's steps on a
picture of that size in 8 bits (its median takes no more beyond 5 × 5) and what was published:
compare_xray.py ODL_XRAY [--runs N] [--engine NAME:THREADS:RUNS…] [--results FOLDER]

On a machine with a GPU: --engine gl-compute:1:50, beside those of the processor.

OpenCV's rounds stand between ours. All times are of the wall clock, in milliseconds."""
import argparse
import datetime
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1] / "helpers"), str(HERE.parent / "tables")]
import published  # noqa: E402
import results  # noqa: E402

WIDTH, HEIGHT = 2920, 2320
PIPELINE = "median:size=19 trough-threshold sobel"
WITH_CONTOURS = PIPELINE + " contours mask"
STAGES = {"median": "median 19 × 19", "trough": "histogram and trough", "cut": "threshold",
          "sobel": "Sobel", "snakes": "contours", "outline": "lines, or mask", "keep": "mask onto the original"}

ALONE = {f"median:size={side}": f"median {side} × {side}{more}" for side, more in
         ((3, ""), (5, ""), (7, ""), (9, ""), (13, ""), (19, ", by itself"))}


class Program:
    """odl-xray; `ask` gives {name: (median, mean, least, deviation)}."""

    def __init__(self, path):
        self.process = subprocess.Popen([path, str(WIDTH), str(HEIGHT)], text=True, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE)

    def ask(self, engine, kind, threads, runs, recipe):
        self.process.stdin.write(f"{engine} {kind} {threads} {runs} {recipe}\n")
        self.process.stdin.flush()
        found = {}
        while (line := self.process.stdout.readline().rstrip("\n")):
            name, rest = line.split(" ", 1)
            if name == "error":
                return {"error": rest}
            found.setdefault(name, tuple(map(float, rest.split())))
        return found


def processors():
    return len(os.sched_getaffinity(0))


def machine():
    names = [line.split(":")[1].strip() for line in open("/proc/cpuinfo", encoding="utf-8")
             if line.startswith("model name")]
    return f"{names[0] if names else platform.machine()}, {processors()} processors"


def opencv_rounds(runs):
    """{stage: median}: OpenCV's own functions on 8 bits of a picture of that size."""
    try:
        import cv2
        import numpy
    except ImportError:
        return None, {}
    cv2.setNumThreads(processors())
    rng = numpy.random.default_rng(1)
    y, x = numpy.mgrid[:HEIGHT, :WIDTH]
    scene = 200 - 150 * (numpy.hypot(x - WIDTH / 2, y - HEIGHT / 2) < HEIGHT / 4)
    picture = numpy.clip(scene + rng.normal(0, 2, scene.shape), 0, 255).astype(numpy.uint8)
    times = {}

    def timed(name, function, *arguments):
        start = time.perf_counter()
        result = function(*arguments)
        times.setdefault(name, []).append(1e3 * (time.perf_counter() - start))
        return result

    def sobel(image):
        slopes = [cv2.Sobel(image, cv2.CV_32F, *order) for order in ((1, 0), (0, 1))]
        return cv2.convertScaleAbs(cv2.magnitude(*slopes))

    for _ in range(runs + 1):
        median = timed("median 19 × 19", cv2.medianBlur, picture, 19)
        timed("histogram and trough", cv2.calcHist, [median], [0], None, [256], [0, 256])
        _, cut = timed("threshold", cv2.threshold, median, 100, 0, cv2.THRESH_TOZERO_INV)
        timed("Sobel", sobel, cut)
        timed("median 3 × 3", cv2.medianBlur, picture, 3)
    found = {name: statistics.median(all_of_them[1:]) for name, all_of_them in times.items()}
    found["whole pipeline, without contours"] = sum(
        found[name] for name in ("median 19 × 19", "histogram and trough", "threshold", "Sobel"))
    return cv2.__version__, found


def ours(program, engine, threads, runs, kinds):
    """{what: (median, mean, least, deviation)}, and what went wrong."""
    rows, wrong = {}, []
    for kind, more in kinds:
        for recipe in (PIPELINE, WITH_CONTOURS, *ALONE):
            found = program.ask(engine, kind, threads, runs, recipe)
            if "error" in found:
                wrong.append(f"{engine}: {found['error']}")
            elif recipe == PIPELINE:
                rows["whole pipeline, float" if more else "whole pipeline, without contours"] = found["all"]
                rows["its stages, without load" + more] = found["steps"]
            elif recipe == WITH_CONTOURS:
                rows["whole pipeline, with contours" + more] = found["all"]
                rows["load" + more] = found["load"]
                rows |= {label + more: found[step] for step, label in STAGES.items() if step in found}
            else:
                rows[ALONE[recipe] + more] = found["median"]
    return rows, wrong


def table(columns, peers):
    names = list(dict.fromkeys(name for rows in columns.values() for name in rows))
    cv = [f"OpenCV {peers[0]}, 8 bits"] if peers[0] else []
    head = ["", *columns, *cv, "2011: one core", "2011: four cores", "2011: GPU"]
    lines = ["| " + " | ".join(head) + " |", "| --- |" + " --: |" * (len(head) - 1)]
    for name in names:
        cells = [f"{rows[name][0]:.2f} ± {rows[name][3]:.2f}" if name in rows else "" for rows in columns.values()]
        if cv:
            cells.append(f"{peers[1][name]:.1f}" if name in peers[1] else "")
        cells += [f"{value:.1f}" if value else "" for value in published.XRAY.get(name, (0, 0, 0))]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def groups(program):
    """Work groups of other sizes, and where the histogram is counted, beside tables 14, 18 and 19 of 2011."""
    done = subprocess.run([program, str(WIDTH), str(HEIGHT)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return f"\nWork groups were not measured: {done.stderr.strip()}.\n"
    known = {f"{step}-in-groups-of-{size}": ms for step, row in published.XRAY_GROUPS.items()
             for size, ms in zip(published.XRAY_GROUP_SIZES, row)}
    known["histogram-read-back"] = published.XRAY["histogram and trough"][2]
    lines = ["", "gl-compute, 50 runs of 20 dispatches:", "", "| | ms | 2011: GPU |", "| --- | --: | --: |"]
    for line in done.stdout.splitlines():
        name, median, _, _, deviation = line.split()
        lines.append(f"| {name.replace('-', ' ')} | {float(median):.4f} ± {float(deviation):.4f} | {known.get(name, '')} |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--runs", type=int, default=50)
    parser.add_argument("--engine", action="append", help="NAME:THREADS:RUNS")
    parser.add_argument("--whole", action="store_true", help="leave out what is computed in fractions")
    parser.add_argument("--results")
    arguments = parser.parse_args()
    cores = processors()
    asked = arguments.engine or [f"cpu:{cores}:{arguments.runs}", f"cpu:1:{arguments.runs}"]
    program = Program(arguments.program)
    columns, wrong = {}, []
    before = opencv_rounds(10)
    for one in asked:
        engine, threads, runs = one.split(":")
        kinds = (("whole", ""), ("float", ", float"))[:1 if arguments.whole else 2]
        rows, failed = ours(program, engine, int(threads), int(runs), kinds)
        columns[f"{engine}, {threads} thread{'s' if threads != '1' else ''}, {runs} runs"] = rows
        wrong += failed
    after = opencv_rounds(10)
    peers = (before[0], {name: min(before[1][name], after[1][name]) for name in before[1]})
    text = (f"# The pipeline for bone, {datetime.date.today()}\n\n{machine()}. {WIDTH} × {HEIGHT}, 12 bits, "
            "`phantom:xray`; milliseconds, median ± standard deviation of the runs. Whole pipelines go from the "
            "picture in memory to the result; stages are steps of one plan (`load` is the conversion to the engine's "
            "samples). The better of two series of OpenCV, before and after ours, its steps one after the other.\n\n"
            f"{table(columns, peers)}\n\n"
            f"The 2011 columns: {published.XRAY_SOURCE}.\n")
    if wrong:
        text += "\nNot measured: " + "; ".join(dict.fromkeys(wrong)) + ".\n"
    if any(one.startswith("gl-compute") for one in asked):
        text += groups(pathlib.Path(arguments.program).with_name("odl-xray-groups"))
    print(text)
    if arguments.results:
        stem = f"{datetime.date.today()}-{'two' if cores == 2 else cores}-core-xray"
        for path in results.write(arguments.results, stem, {"md": text}):
            print(path)


main()
