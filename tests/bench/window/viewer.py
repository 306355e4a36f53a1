#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What a clinician waits for, in the real window under Xvfb with software GL, against what the project
demands; and JPEG 2000 against opj_decompress.

usage: viewer.py BUILD_FOLDER [--results FOLDER] [--runs N] [PART…]

Parts: first, held, series, folder, jpeg2000. The files are made of CT and MR files of the test data
(ODL_TESTDATA) and take 0.7 GB meanwhile. Times are the least of the runs, since other programs may use
the machine; its load stands beside them. Exits with 1 when a bar is missed.
"""
import argparse
import datetime
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import pydicom

LIMIT_KB = 1 << 20
DATA = pathlib.Path(os.environ.get("ODL_TESTDATA", ""))


def make_series(folder, source, n, step=1.0):
    """Slices of one series, each with an identifier, number and place of its own."""
    folder.mkdir()
    picture = pydicom.dcmread(source)
    for i in range(n):
        picture.SOPInstanceUID = picture.file_meta.MediaStorageSOPInstanceUID = f"1.2.3.4.{i + 1}"
        picture.InstanceNumber = i + 1
        picture.ImagePositionPatient = [0, 0, i * step]
        picture.ImageOrientationPatient = [1, 0, 0, 0, 1, 0]
        picture.save_as(folder / f"{i:04}.dcm", write_like_original=False)
    return folder


class Bench:
    def __init__(self, build, runs):
        self.viewer = build / "tests/bench/odl-viewer"
        self.cli = build / "src/ondelette-cli"
        self.runs, self.rows = runs, []

    def run(self, *words):
        done = subprocess.run([self.viewer, *map(str, words)], capture_output=True, encoding="utf-8",
                              timeout=600)
        assert done.returncode == 0, done.stderr[-2000:]
        return json.loads(done.stdout.splitlines()[-1])

    def row(self, what, got, bar, unit, more=""):
        met = got <= bar if bar is not None else True
        self.rows.append((what, got, bar, unit, more, met))
        print(f"{what}: {got:g} {unit} (at most {bar:g}){'' if met else '  MISSED'} {more}", flush=True)

    def first(self, folder):
        source = DATA / "dicom-test-files/REF/CT1_UNC"
        paths = [folder / f"{name}.dcm" for name in "ab"]
        for path in paths:
            shutil.copy(source, path)
        got = [self.run("first", *paths, 10) for _ in range(self.runs)]
        times = sorted(ms for one in got for ms in one["ms"])
        self.row("CT of 512², first picture after the drop", times[0], 150, "ms",
                 f"median {times[len(times) // 2]:.0f}, longest {times[-1]:.0f}")

    def held(self, folder):
        files = make_series(folder / "held", DATA / "dicom-test-files/REF/CT1_UNC", 200)
        best = min((self.run("held", files, 200) for _ in range(self.runs)),
                   key=lambda one: one["after_last_ms"])
        self.row("200 files by a held arrow key: the last is not shown", 0 if best["last_wins"] else 1, 0, "",
                 f"it is {best['after_last_ms']:.0f} ms after the last step")
        self.row("memory that grew meanwhile", (best["after_kb"] - best["before_kb"]) / 1024, 64, "MiB",
                 f"peak {best['peak_kb'] / 1024:.0f} MiB")
        shutil.rmtree(files)

    def series(self, folder):
        files = make_series(folder / "series", DATA / "dicom-test-files/REF/CT1_UNC", 1000)
        all_runs = [self.run("series", files) for _ in range(self.runs)]
        self.row("series of 1000, first picture", min(one["first_ms"] for one in all_runs), 500, "ms")
        self.row("series of 1000, sorted", min(one["list_ms"] for one in all_runs), 3000, "ms")
        best = max(all_runs, key=lambda one: one["delivered"] / one["scrolled"])
        # What software GL has no time to paint is no slice that was not there.
        self.row("slices not there in time, at 30 per second", best["scrolled"] - best["delivered"], 0, "slices",
                 f"{best['scrolled']} scrolled in {best['seconds']} s, {best['cached']} cached, "
                 f"{best['painted']} painted; a step alone takes {best['step_ms']:.1f} ms; {best['missed']} "
                 "were not there though the next step came half a period later or more")
        self.row("memory, peak", best["peak_kb"] / 1024, LIMIT_KB / 1024, "MiB",
                 "the cache of frames among it")
        shutil.rmtree(files)

    def folder(self, folder):
        files = make_series(folder / "folder", DATA / "pydicom/MR_small.dcm", 5000)
        few = make_series(folder / "few", DATA / "pydicom/MR_small.dcm", 20)
        best, base = (min((self.run("folder", one, 10) for _ in range(self.runs)),
                          key=lambda one: one["busiest_ms"]) for one in (files, few))
        # On a busy machine other programs take their time in between.
        self.row("5000 files in a folder, most processor time between two turns of the main loop",
                 best["busiest_ms"], 50, "ms",
                 f"by the clock {best['longest_gap_ms']:.0f} ms, with 20 files {base['longest_gap_ms']:.0f}; "
                 f"first picture {best['first_ms']:.0f} ms")
        shutil.rmtree(files)

    def time(self, *command, **more):
        """Processor seconds of a whole command, its children among them."""
        before = os.times()
        begin = time.monotonic()
        done = subprocess.run([*map(str, command)], capture_output=True, **more)
        after = os.times()
        assert done.returncode == 0, done.stderr[-1000:]
        return (after.children_user + after.children_system - before.children_user - before.children_system,
                time.monotonic() - begin)

    def jpeg2000(self, folder):
        """Sixteen frames in one file, and the same stream sixteen times; both only decode."""
        picture = pydicom.dcmread(DATA / "dicom-test-files/J2KR/CT1_J2KR")
        stream = pydicom.encaps.generate_pixel_data_frame(picture.PixelData, 1)
        data = next(iter(stream))
        (folder / "one.j2k").write_bytes(data)
        n = 64
        picture.NumberOfFrames = n
        picture.PixelData = pydicom.encaps.encapsulate([data] * n)
        picture.save_as(folder / "cine.dcm", write_like_original=False)
        folders = folder / "streams"
        folders.mkdir()
        for i in range(n):
            shutil.copy(folder / "one.j2k", folders / f"{i:03}.j2k")
        ours, theirs, walls, their_walls = [], [], [], []
        for _ in range(self.runs):
            cpu, wall = self.time(self.cli, "process", folder / "cine.dcm", "-o", folder / "f-%03d.tif", "--force",
                                  "--frames", f"1-{n}")
            ours.append(cpu / n)
            walls.append(wall / n)
            cpu, wall = self.time("opj_decompress", "-ImgDir", folders, "-OutFor", "raw", "-threads", "1",
                                  "-quiet", cwd=folder)
            theirs.append(cpu / n)
            their_walls.append(wall / n)
        self.row("JPEG 2000, processor time per picture against opj_decompress", min(ours) / min(theirs), 1.1, "times",
                 f"{min(ours) * 1e3:.1f} and {min(theirs) * 1e3:.1f} ms; ours writes float TIFF, theirs raw samples")
        self.row("a cine on two processors, time per picture against opj_decompress",
                 min(walls) / min(their_walls), 1 / 1.8, "times",
                 f"{min(walls) * 1e3:.1f} and {min(their_walls) * 1e3:.1f} ms")


def write_results(folder, bench):
    model = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")),
                 "?")
    cores = len(os.sched_getaffinity(0))
    path = folder / f"{datetime.date.today()}-{'two' if cores == 2 else cores}-core-viewer.md"
    load = ", ".join(f"{one:.1f}" for one in os.getloadavg())
    lines = ["# The viewer's bars", "", f"{model}, {len(os.sched_getaffinity(0))} processors, Xvfb, software GL; "
             f"load of the machine at the end {load}; least of {bench.runs} runs (`./dev bench viewer`).", "",
             "| what | measured | at most | met | beside it |", "| --- | ---: | ---: | --- | --- |"]
    for what, got, bar, unit, more, met in bench.rows:
        lines.append(f"| {what} | {got:.4g} {unit} | {bar:.4g} {unit} | {'yes' if met else '**no**'} | {more} |")
    path.write_text("\n".join(lines) + "\n")
    print(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("parts", nargs="*")
    parser.add_argument("--results", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_intermixed_args()
    bench = Bench(options.build.resolve(), options.runs)
    os.environ.setdefault("ODL_DECODER", str(options.build.resolve() / "src/decoder/ondelette-decoder"))
    with tempfile.TemporaryDirectory() as folder:
        for part in options.parts or ("first", "held", "series", "folder", "jpeg2000"):
            getattr(bench, part)(pathlib.Path(folder))
    if options.results:
        write_results(options.results, bench)
    return 0 if all(row[-1] for row in bench.rows) else 1


if __name__ == "__main__":
    sys.exit(main())
