#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The engine `cpu` against PyWavelets, in interleaved rounds of one run: compare_pywt.py ROUNDS

Work: 3-level CDF 9/7 analysis (bior4.4, reflect), soft threshold of the details, synthesis; mono,
float32. One thread is measured by its CPU time, several by the wall clock, so that other programs
disturb little. The ratio is that of the medians of the rounds. ROUNDS is the program odl-rounds."""
import argparse
import datetime
import json
import os
import pathlib
import platform
import re
import statistics
import subprocess
import sys
import time

import numpy
import pywt

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
import results  # noqa: E402

LEVELS = 3
THRESHOLD = 0.05
RECIPE = f"soft-threshold:wavelet=cdf97,levels={LEVELS},threshold={THRESHOLD}"


class Rounds:
    """One odl-rounds with its own ODL_CPU."""

    def __init__(self, program, words):
        environment = dict(os.environ, ODL_CPU=words)
        self.process = subprocess.Popen([program, RECIPE], env=environment, text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def median_ms(self, what, size, threads, runs):
        self.process.stdin.write(f"{what} {size} {size} {threads} {runs}\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline().split()[0])

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def pywt_round(image):
    """What the engine does, with PyWavelets."""
    details = []
    approximation = image
    for _ in range(LEVELS):
        approximation, bands = pywt.dwt2(approximation, "bior4.4", mode="reflect")
        details.append(tuple(pywt.threshold(band, THRESHOLD, "soft") for band in bands))
    for bands in reversed(details):
        rows, columns = bands[0].shape
        approximation = pywt.idwt2((approximation[:rows, :columns], bands), "bior4.4",
                                   mode="reflect")
    return approximation


def pywt_ms(image, runs):
    times = []
    for _ in range(runs):
        start = time.process_time()
        pywt_round(image)
        times.append(1e3 * (time.process_time() - start))
    return statistics.median(times)


def cpu_flags():
    for line in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith(("flags", "Features")):
            return line.split(":")[1].split()
    return []


def cpu_model():
    for line in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.split(":")[1].strip()
    return platform.machine()


def kind_of(machine):
    """As the benchmark names its files: 2-core-intel-xeon."""
    words = re.sub(r"\([^)]*\)", "", machine["cpu"].split("@")[0].split(",")[0])
    return "-".join([f"{machine['cores']}-core", *re.findall("[a-z0-9]+", words.lower())[:2]])


def variants():
    flags = cpu_flags()
    names = [name for name, flag in (("avx512", "avx512dq"), ("avx2", "avx2"), ("sse2", "sse2"))
             if flag in flags] or ["neon"]
    return [name + pages for name in names for pages in ("", ",small-pages")]


def measure(program, rounds):
    engines = {words: Rounds(program, words) for words in variants()}
    cases = {}

    def add(key, value):
        cases.setdefault(key, []).append(value)

    for size in (512, 2048):
        image = numpy.random.default_rng(1).random((size, size), dtype=numpy.float32)
        assert pywt_round(image).dtype == numpy.float32
        for _ in range(rounds):
            add((size, "PyWavelets", 1), pywt_ms(image, 3 if size == 512 else 1))
            for words, engine in engines.items():
                add((size, words, 1), engine.median_ms("f32", size, 1, 40 if size == 512 else 5))
    best, small = list(engines)[:2]
    for _ in range(rounds):
        # The scheduler needs some frames to give each thread a core.
        add((2048, best + ", wall", 2), engines[best].median_ms("f32", 2048, 2, 40))
        for words in (best, small):
            add((4096, words, 1), engines[words].median_ms("f32", 4096, 1, 1))
            add((4096, "copy " + words, 1), engines[words].median_ms("copy", 4096, 1, 2))
    for engine in engines.values():
        engine.close()
    return {key: statistics.median(values) for key, values in cases.items()}


def report(medians):
    rows = []
    for (size, name, threads), ms in medians.items():
        base = medians.get((size, "PyWavelets", 1))
        rows.append({"size": size, "what": name, "threads": threads, "median_ms": round(ms, 4),
                     "mpx_per_s": round(size * size / 1e3 / ms, 1),
                     "times_pywavelets": round(base / ms, 1) if base else None})
    best = variants()[0]
    ratios = {
        "two_threads_2048": medians[2048, best, 1] / medians[2048, best + ", wall", 2],
        "4096_over_copy": medians[4096, best, 1] / medians[4096, "copy " + best, 1],
        "4096_over_copy_small_pages":
            medians[4096, best + ",small-pages", 1]
            / medians[4096, "copy " + best + ",small-pages", 1],
    }
    return rows, {name: round(value, 2) for name, value in ratios.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", help="build/tests/bench/odl-rounds")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--results", help="writes report and numbers into this folder, named by"
                        " the day and the kind of machine")
    parser.add_argument("--json", help="writes the numbers to this file")
    arguments = parser.parse_args()

    load_before = os.getloadavg()[0]
    rows, ratios = report(measure(arguments.program, arguments.rounds))
    machine = {"cpu": cpu_model(), "cores": os.cpu_count(), "pywt": pywt.__version__,
               "numpy": numpy.__version__, "rounds": arguments.rounds,
               "date": datetime.date.today().isoformat(),
               "load_before": load_before, "load_after": os.getloadavg()[0]}
    lines = [", ".join(f"{key} {value}" for key, value in machine.items()), "",
             f"{'size':>5} {'what':<28} {'threads':>7} {'ms':>10} {'Mpx/s':>8} {'× PyWavelets':>13}"]
    for row in rows:
        times = "–" if row["times_pywavelets"] is None else row["times_pywavelets"]
        lines.append(f"{row['size']:>5} {row['what']:<28} {row['threads']:>7}"
                     f" {row['median_ms']:>10.3f} {row['mpx_per_s']:>8} {times:>13}")
    lines += ["", f"two threads against one at 2048²: {ratios['two_threads_2048']}",
              f"4096² against a plain copy: {ratios['4096_over_copy']} (small pages:"
              f" {ratios['4096_over_copy_small_pages']})"]
    text = "\n".join(lines)
    print(text)
    data = json.dumps({"machine": machine, "rows": rows, "ratios": ratios}, indent=1) + "\n"
    if arguments.results:
        name = f"{machine['date']}-{kind_of(machine)}-pywavelets"
        for path in results.write(arguments.results, name, {
                "md": f"# The engine cpu against PyWavelets, {name}\n\n```\n{text}\n```\n",
                "json": data}):
            print(f"written to {path}", file=sys.stderr)
    if arguments.json:
        pathlib.Path(arguments.json).write_text(data, encoding="utf-8")


main()
