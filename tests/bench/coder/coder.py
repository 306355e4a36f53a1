#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The transform of video coders in every way that A. T. Eskildsen et al. described in 2012: what each
costs, how well it reconstructs, and their acceptance test, with their figures beside. A dated file.

usage: coder.py BUILD [--results FOLDER] [--ms N] [--largest SIDE] [--frames N] [--ways WAY,…] [--engines NAME,…]
       [--threads N,…] [--video FILE] [NAME…]
NAME: costs table engines psnr frames sources
"""
import argparse
import datetime
import json
import os
import pathlib
import platform
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1] / "helpers"), str(HERE.parent / "tables")]
import published  # noqa: E402
import results  # noqa: E402

FRAME_MS = 40
THREADS = len(os.sched_getaffinity(0))
BINS = (2, 4, 6, 8, 10, 12, 14, 16, 20, 25, 30, 40, 60, 100)


def ask(*command, wrapper=()):
    """The objects that a program prints; an empty list where it fails, with its last words."""
    done = subprocess.run([*map(str, wrapper), *map(str, command)], capture_output=True, encoding="utf-8",
                          timeout=3600, env={**os.environ, "LC_ALL": "C.UTF-8"})
    said = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode != 0 or not said:
        print(f"coder.py: {command[1:]}: {(done.stderr.strip().splitlines() or ['no answer'])[-1]}", file=sys.stderr)
        return []
    return said


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "| --- |" + " --: |" * (len(head) - 1)]
    return lines + ["| " + " | ".join(row) + " |" for row in rows] + [""]


def number(value):
    return "–" if not value else f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 100 else f"{value:.0f}"


def name(row):
    return f"{row['scheme']}, {row['method']}"


# ---- parts -------------------------------------------------------------------------------

def costs(options):
    """Its table 4.1."""
    theirs = {"row-column, filtering": ("187", "25 MB"), "row-column, lifting": ("87", "25 MB"),
              "line-based, filtering": ("187", "29 kB (117 kB where no float is forgotten)"),
              "line-based, lifting": ("87", ""), "block-based, filtering": ("1001.5", "49.7 MB; masks 1296 B")}
    rows = []
    for row in ask(options.program, "costs"):
        operations, memory = theirs.get(name(row), ("", ""))
        rows.append([name(row), f"{row['operations'] / 1920 / 1080 / 3:.0f}", f"{row['operations'] / 1e6:.1f}", operations,
                     f"{row['picture_bytes'] / 1e6:.1f}", f"{row['work_bytes'] / 1e3:.1f}", memory])
    yield from table(["level 1 of 1920 × 1080, colour", "per sample", "million", "2012", "pictures, MB",
                      "rings or masks of a channel, kB", "2012"], rows)
    yield ("Periodic rings hold eight lines more, which come again at the end. 87 million is 14 a sample; the source writes "
           "GFLOP for MFLOP in its chapter 5.")
    yield ""


def sizes(options):
    for (width, height), figures in published.VIDEO.items():
        if max(width, height) <= options.largest:
            yield width, height, figures[0], False, figures
    for width, height, levels, *_ in ((852, 480, 0), (1280, 720, 0), (1920, 1080, 0), (3840, 2160, 0), (4520, 2540, 0)):
        if 1 << (max(width, height) - 1).bit_length() <= options.largest:
            yield width, height, levels, True, None


def times(options):
    for width, height, levels, padded, figures in sizes(options):
        measured = {}
        for threads in options.threads:
            for row in ask(options.program, "table", width, height, levels, int(padded), threads, options.ms):
                measured.setdefault(name(row), {})[threads] = row
        rows = []
        for what, by_threads in measured.items():
            cells = [what]
            for threads in options.threads:
                row = by_threads.get(threads)
                cells += [number(row and row["forward"]), number(row and row["load"] + row["forward"]),
                          number(row and row["inverse"]), number(row and row["inverse"] + row["store"])]
            rows.append(cells)
        if figures:
            _, cpu, lifting, filtering, lifting_alone, filtering_alone = figures
            blank = [""] * (4 * len(options.threads) - 4)
            rows += [["*2012: CPU, 1 core, 3 × grey*", number(cpu), "", "", "", *blank],
                     ["*2012: GTX 680, lifting*", number(lifting_alone), number(lifting), "", "", *blank],
                     ["*2012: GTX 680, filtering*", number(filtering_alone), number(filtering), "", "", *blank]]
        levels = next(iter(next(iter(measured.values())).values()))["levels"] if measured else levels
        yield f"### {width} × {height}, {levels} levels{', padded to a square of zeros' if padded else ''}"
        yield ""
        head = ["ms"]
        for threads in options.threads:
            head += [f"{threads} thr.: forward", "+ conversion", "back", "+ conversion"]
        yield from table(head, rows)
        print("\n".join(rows and [f"{width} x {height}: {len(rows)} rows"]), file=sys.stderr)


def engines(options):
    """Both ways by engines; with padding and the limit to 0 … 1 on the GPU."""
    for width, height, levels, padded, figures in sizes(options):
        rows = []
        for engine in options.engines:
            for row in ask(options.program, "engine", engine, width, height, levels, int(padded), options.ms):
                levels = row["levels"]
                rows.append([engine, number(row["again"] - row["inverse"]), number(row["inverse"]), number(row["again"]),
                             number(row["both"]), number(row["both"] + row["floats"]), number(row["bytes"] and row["both"] + row["bytes"]),
                             f"{row['psnr']:.1f}"])
        if figures:
            rows += [["*2012: GTX 680, lifting*", number(figures[4]), "", "", number(figures[2]), *[""] * 3],
                     ["*2012: GTX 680, filtering*", number(figures[5]), "", "", number(figures[3]), *[""] * 3]]
        if not rows:
            continue
        yield f"### {width} × {height}, {levels} levels{', padded to a square of zeros by the engine' if padded else ''}"
        yield ""
        yield from table(["ms", "forward", "inverse", "both", "+ upload", "+ floats back", "+ bytes back", "dB"], rows)
        print(f"engines, {width} x {height}: {len(rows)} rows", file=sys.stderr)


def psnr(options):
    """Its listing 5.9."""
    rows = [[f"{name(row)}, {row['border']}", *(f"{row[str(cut)]:.1f}" for cut in (0, 5, 10, 15, 20)), f"{row['worst']:.1f}"]
            for row in ask(options.program, "psnr")]
    rows.append(["*2012: lifting*", "45.4", "59.5", "66.1", "85.5", "113.5", ""])
    yield from table(["dB, border cut off", "0", "5", "10", "15", "20", "worst line, 0 … 23 from the border"], rows)


def histogram(totals):
    edges = (0, *BINS, float("inf"))
    counts = [sum(low <= ms < high for ms in totals) for low, high in zip(edges, edges[1:])]
    return ", ".join(f"{low}–{high}: {count}" if high < 1e9 else f"above {low}: {count}"
                     for low, high, count in zip(edges, edges[1:], counts) if count)


def acceptance_row(what, frames, part):
    totals = [sum(frame.get(key, 0) for key in part) for frame in frames]
    within = sum(ms < FRAME_MS for ms in totals)
    mean = sum(totals) / len(totals)
    return [what, number(mean), number(min(totals)), number(sorted(totals)[len(totals) // 2]), number(max(totals)),
            f"{1e3 / mean:.1f}", f"{100 * within / len(totals):.1f} %", histogram(totals)]


HEAD = ["ms a frame", "mean", "least", "median", "most", "per s", "below 40 ms", "frames by ms"]
BOTH = ("forward", "inverse", "both")


def frames(options):
    """Its table 7.1, on frames in memory."""
    rows = []
    ways = (("streamed", THREADS, 0, 0), ("streamed", 1, 0, 0), ("streamed", THREADS, FRAME_MS, 0), *((way, THREADS, 0, 0) for way in (
        "row-column", "filtering", "line-based", "block-based", *options.engines)),
            *((way, THREADS, 0, 1) for way in options.engines if way.startswith("gl-compute")))
    for way, threads, pace, padded in ways:
        if options.ways and way not in options.ways:
            continue
        # What takes a fifth of a second is told by fewer.
        number_of = options.frames // (4 if way in ("line-based", "block-based") else 1)
        got = ask(options.program, "frames", way, number_of, threads, pace, padded)
        if not got:
            continue
        what = f"{way}, {threads} thr., {len(got)} frames" + (f", a frame each {pace} ms" if pace else "") + (", padded to 2048²" if padded else "")
        if "both" in got[0]:
            rows.append(acceptance_row(f"{what}: both", got, ("both",)))
            rows.append(acceptance_row(f"{what}: both, and floats read back", got, ("both", "floats")))
            if got[0]["bytes"]:
                rows.append(acceptance_row(f"{what}: both, and bytes read back", got, ("both", "bytes")))
            continue
        for part in (("forward",), ("inverse",), ("forward", "inverse"), ("forward", "inverse", "store")):
            words = {1: part[0], 2: "both", 3: "both, and to 8 bits"}[len(part)]
            rows.append(acceptance_row(f"{what}: {words}", got, part))
        print(rows[-2][:6], file=sys.stderr)
    rows += [[f"*2012: {what}*", number(mean), number(least), "", number(most), f"{1e3 / mean:.1f}", "", ""]
             for what, (mean, least, most) in published.ACCEPTANCE.items()]
    yield from table(HEAD, rows)


def make_video(folder, seconds):
    """1920 × 1080 in colour, 60 frames a second, H.264."""
    path = folder / "1080p60.mkv"
    done = subprocess.run(
        ["gst-launch-1.0", "-q", *f"videotestsrc num-buffers={60 * seconds} pattern=ball ! video/x-raw,format=I420,width=1920,"
         f"height=1080,framerate=60/1 ! x264enc speed-preset=veryfast ! h264parse ! matroskamux ! filesink location={path}".split()],
        capture_output=True, check=False)
    return path if done.returncode == 0 and path.exists() else None


def sources(options):
    """The same on the frames of a file and of a camera, with conversion, while others are decoded."""
    program = options.program.with_name("odl-coder-source")
    rows, notes = [], []
    with tempfile.TemporaryDirectory(prefix="ondelette-coder-") as folder:
        made = options.video or make_video(pathlib.Path(folder), (options.frames + 59) // 60)
        os.environ["ODL_DECODER"] = str(options.build / "src" / "decoder" / "ondelette-decoder")
        os.environ["ODL_CAMERA_PROVIDER"] = str(options.build / "tests" / "helpers" / "camera-provider")
        for what, location, wrapper in (("video file", made, ()), ("camera of 60 frames a second", "camera", [HERE.parents[1] / "helpers" / "pipewire.sh"])):
            got = ask(program, location, options.frames + 1, wrapper=wrapper) if location else []
            if not got:
                notes.append(f"{what}: not measured.")
                continue
            whole = got.pop()
            rows.append(acceptance_row(f"{what}: both", got, BOTH))
            rows.append(acceptance_row(f"{what}: both, and to 8 bits", got, (*BOTH, "store")))
            notes.append(f"{what}: {whole['width']} × {whole['height']}, {whole['frames']} frames in {whole['seconds']:.2f} s: "
                         f"**{whole['frames'] / whole['seconds']:.1f} a second** with decoding, conversion, both directions and "
                         f"8-bit samples; {whole['missed']} missed; {whole['psnr']:.1f} dB; {whole['busy_ms']:.1f} ms of processor time a "
                         f"frame, with that of helpers that had ended.")
    yield from table(HEAD, rows)
    yield from notes
    yield ""


PARTS = {"costs": ("Operations and memory", costs), "frames": ("Acceptance: 1920 × 1080, colour, 3 levels, frames in memory", frames),
         "sources": ("Acceptance: from a file and from a camera", sources), "psnr": ("PSNR of reconstruction", psnr),
         "engines": ("Times of engines", engines), "table": ("Times", times)}


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("names", nargs="*", default=[])
    parser.add_argument("--results")
    parser.add_argument("--ms", type=float, default=1500)
    parser.add_argument("--largest", type=int, default=8192)
    parser.add_argument("--frames", type=int, default=400)
    parser.add_argument("--threads", type=lambda text: [int(n) for n in text.split(",")], default=[*dict.fromkeys((1, THREADS))],
                        help="of the table; 1 and all")
    parser.add_argument("--video")
    parser.add_argument("--ways", type=lambda text: text.split(","), help="of the frames; all")
    parser.add_argument("--engines", type=lambda text: text.split(","), default=["cpu"])
    options = parser.parse_intermixed_args()
    options.program = options.build / "tests" / "bench" / "odl-coder"
    today = datetime.date.today().isoformat()
    load = os.getloadavg()
    lines = [f"# The transform of video coders, {today}", "",
             f"{machine()}, {THREADS} processors, load {load[0]:.1f} at the start. CDF 9/7 in single precision, three channels. "
             "Medians; three runs to warm up, two pictures in turn, the sum of the coefficients the same every time "
             "(checked). “+ conversion”: from 8-bit samples and back to them, which is what the source's transfer is on a GPU; "
             "`streamed` converts as it reads. Figures of 2012 are of A. T. Eskildsen et al., Aalborg University.", ""]
    for key, (title, part) in PARTS.items():
        if options.names and key not in options.names:
            continue
        lines += [f"## {title}", "", *part(options)]
    lines.append(f"Load at the end: {os.getloadavg()[0]:.1f}, of which this program is one.")
    text = "\n".join(lines) + "\n"
    print(text)
    if options.results:
        for path in results.write(options.results, f"{today}-{THREADS}-core-coder", {"md": text}):
            print(f"written to {path}", file=sys.stderr)


def machine():
    try:
        models = [line.split(":")[1].strip() for line in open("/proc/cpuinfo", encoding="utf-8") if line.startswith("model name")]
    except OSError:
        models = []
    return models[0] if models else platform.machine()


if __name__ == "__main__":
    main()
