#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The benchmark's reports are well formed, complete and say the same: check_reports.py ODL_BENCH"""
import csv
import io
import json
import math
import os
import pathlib
import platform
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "helpers"))
import results  # noqa: E402
sys.path.insert(0, str(HERE))
import engines  # noqa: E402
import first_system  # noqa: E402
import table1  # noqa: E402

BENCH = sys.argv[1]
KEYS = ["engine", "variant", "width", "height", "channels", "precision", "levels", "threads",
        "part", "median_ms", "min_ms", "mean_ms", "max_ms", "mpx_per_s", "gb_per_s"]
MACHINE = ["cpu", "cores", "threads", "cpu_mhz", "governor", "huge_pages", "load", "compiler",
           "flags", "version", "date", "gl_renderer", "gl_driver"]
PARTS = {"total", "upload", "forward", "filter", "backward", "display", "read back", "whole", "decompose",
         "reconstruct"}
STEPS = {"upload", "forward", "filter", "backward", "decompose", "reconstruct"}
SIZES = [(64, 64), (33, 20)]


def bench(*options):
    return subprocess.run([BENCH, *options], capture_output=True, text=True, timeout=1800)


def levels_of(width, height, levels):
    """Width and height of the picture that each level takes apart."""
    for _ in range(levels):
        yield width, height
        width, height = (width + 1) // 2, (height + 1) // 2


def check_bytes(row):
    """Each axis reads and writes a level once, thresholds the details alone; 32 bits."""
    sizes = list(levels_of(row["width"], row["height"], row["levels"]))
    samples = sum(w * h for w, h in sizes)
    details = sum(w * h - (w + 1) // 2 * ((h + 1) // 2) for w, h in sizes)
    pixels = row["width"] * row["height"]
    expected = {"upload": (1 + 4) * pixels, "forward": 2 * 2 * 4 * samples,
                "filter": 2 * 4 * details, "backward": 2 * 2 * 4 * samples,
                "display": (1 + 4) * pixels}
    expected["total"] = sum(expected.values()) - expected["display"]
    expected |= {"read back": 4 * pixels, "whole": 0, "decompose": 0, "reconstruct": 0}
    moved = row["gb_per_s"] * row["median_ms"] * 1e6
    assert math.isclose(moved, expected[row["part"]] * row["channels"], rel_tol=1e-4), \
        (row, moved, expected)


def check_rows(data):
    assert list(data) == ["machine", "rows"], list(data)
    machine = data["machine"]
    assert list(machine) == MACHINE, list(machine)
    assert machine["threads"] >= 1 and machine["cores"] >= 1 and machine["compiler"]
    assert machine["flags"].startswith("-O") and machine["date"].endswith("Z")
    assert machine["gl_renderer"] == "" == machine["gl_driver"], machine
    cases = {}
    for row in data["rows"]:
        assert list(row) == KEYS, list(row)
        assert 0 < row["min_ms"] <= row["median_ms"] <= row["max_ms"] and row["mpx_per_s"] > 0, row
        assert row["min_ms"] <= row["mean_ms"] <= row["max_ms"], row
        if row["engine"] == "copy":
            assert row["variant"] == "memory" and row["part"] == "total", row
            samples = row["width"] * row["height"] * row["channels"]
            assert math.isclose(row["gb_per_s"] * row["median_ms"] * 1e6, 8 * samples,
                                rel_tol=1e-4), row
            continue
        check_bytes(row)
        # The CPU engine runs the plan as one pass, and once more step by step for the parts.
        wanted = "per-level" if row["part"] in STEPS else "streamed"
        if row["engine"] == "cpu":
            assert row["variant"].startswith(wanted), row
        else:
            assert row["variant"] == "default", row
        case = tuple(row[key] for key in KEYS[:8] if key != "variant")
        assert row["part"] not in cases.setdefault(case, set()), row
        cases[case].add(row["part"])
    wanted = {(engine, *size, channels, 32, 2, threads) for engine in ("reference", "cpu")
              for size in SIZES for channels in (1, 3) for threads in (1, 2)}
    assert set(cases) == wanted, (set(cases) ^ wanted)
    for case, parts in cases.items():
        assert parts == PARTS, (case, parts)


def reports_agree():
    with tempfile.TemporaryDirectory() as folder:
        csv_path, json_path = pathlib.Path(folder, "b.csv"), pathlib.Path(folder, "b.json")
        sizes = ",".join(f"{w}x{h}" for w, h in SIZES)
        done = bench("--engine=reference,cpu", f"--sizes={sizes}", "--levels=2", "--runs=3",
                     "--threads=1,2", "--csv", str(csv_path), "--json", str(json_path))
        assert done.returncode == 0, done.stderr
        data = json.loads(json_path.read_text(encoding="utf-8"))
        check_rows(data)
        rows = list(csv.DictReader(io.StringIO(csv_path.read_text(encoding="utf-8"))))
        assert rows == [{key: str(row[key]) if isinstance(row[key], (str, int)) else entry[key]
                         for key in KEYS} for row, entry in zip(data["rows"], rows)]
        assert all(float(entry["median_ms"]) == row["median_ms"]
                   for row, entry in zip(data["rows"], rows))
        lines = [line for line in done.stdout.splitlines() if line.startswith(("reference", "cpu"))]
        # A line for each case of the reference, two for each of the CPU engine.
        assert len(lines) == 8 + 2 * 8, done.stdout


def standard_output_takes_json():
    for options in (["--json"], ["--json", "-"], ["--json=-"], ["--json", "--levels=2"]):
        done = bench("--engine=cpu", "--sizes=16", "--runs=1", *options)
        assert done.returncode == 0 and json.loads(done.stdout)["rows"], (options, done)


def section(text, title):
    """The lines of a table, without heading and columns."""
    lines = text.split("\n" + title, 1)[1].splitlines()[3:]
    return lines[:lines.index("")] if "" in lines else lines


def measured(*options):
    """The rows of a run, and the tables that follow from them."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "b.json")
        done = bench(*options, "--json", str(path))
        assert done.returncode == 0, done.stderr
        text = subprocess.run([sys.executable, HERE / "engines.py", path], capture_output=True, text=True, check=True,
                              timeout=600).stdout
        return json.loads(path.read_text(encoding="utf-8"))["rows"], text


def tables_follow_from_the_rows():
    """Elements per microsecond, frames per second and copies, from the JSON of the same run."""
    rows, text = measured("--engine=cpu", "--sizes=64,128", "--threads=1", "--runs=3")

    def median(engine, channels, size):
        return next(row["median_ms"] for row in rows if row["engine"] == engine and row["part"] ==
                    "total" and row["channels"] == channels and row["width"] == size)

    for title, value in (
            ("Elements per microsecond", lambda c, s: s * s * (4 if c == 3 else 1) / 1e3
             / median("cpu", c, s)),
            ("Frames per second", lambda c, s: 1e3 / median("cpu", c, s))):
        lines = [line for line in section(text, title) if line.startswith("cpu")]
        assert len(lines) == 2, text
        for channels, line in zip((1, 3), lines):
            for size, cell in zip((64, 128), line.split()[-2:]):
                assert math.isclose(float(cell), value(channels, size), rel_tol=0.01), line
    line = [line for line in section(text, "Plain copies") if line.startswith("copies")][0]
    for size, cell in zip((64, 128), line.split()[-2:]):
        assert math.isclose(float(cell), median("cpu", 1, size) / median("copy", 1, size),
                            rel_tol=0.01), line
    # What others published stands beside, and says when.
    assert "  2007: gpu-mono-16" in text and "29.20" in text


def made_up(*cases, starts=(), loads=(), renderer="NVIDIA"):
    """Results of cases that are made up: engine, variant, size, channels, threads, milliseconds by part."""
    rows = []
    for engine, variant, (width, height), channels, threads, parts in cases:
        for part, ms in {"total": 1, **parts}.items():
            mean, least, most = (ms, ms, ms) if isinstance(ms, (int, float)) else ms
            rows.append({"engine": engine, "variant": variant, "width": width, "height": height, "channels": channels,
                         "precision": 32, "levels": 3, "threads": threads, "part": part, "median_ms": mean,
                         "min_ms": least, "mean_ms": mean, "max_ms": most, "mpx_per_s": 1,
                         "gb_per_s": 8e-6 * width * height * channels / mean})
    machine = {"cpu": "Some CPU", "cores": 2, "gl_renderer": renderer, "date": "2026-01-02T"}
    return engines.Results({"machine": machine, "rows": rows, "starts": list(starts), "loads": list(loads)})


def line_with(text, words):
    return next(line for line in text.splitlines() if words in line)


def demands_are_compared():
    square = (2048, 2048)
    cases = [("cpu", "default", square, 1, 1, {"total": 4}), ("cpu", "default", square, 1, 2, {"total": 2}),
             ("copy", "memory", (4096, 4096), 1, 1, {"total": 10}),
             ("cpu", "default", (4096, 4096), 1, 1, {"total": 30}),
             ("copy", "gl-fragment", square, 1, 2, {"total": 0.5}),
             ("gl-compute", "fused", square, 1, 2, {"upload": 0.08, "overlapped": 0.084, "resident": 0.04,
                                                    "slider": 0.03}),
             ("gl-fragment", "packed", square, 1, 2, {"overlapped": 3, "resident": 3}),
             ("gl-lookup", "default", square, 1, 2, {"forward": 2, "filter": 2, "backward": 2, "overlapped": 6})]
    text = engines.demands(made_up(*cases))
    for words, value, verdict in (("one thread / two", "2.000", "reached"), ("cpu, 4096²", "3.000", "not reached"),
                                  ("gl-compute, 2048², 32 bit", "40.00", "reached"),
                                  ("2048²: PDWT", "4.000", "reached"), ("moved slider", "75.00", "not reached"),
                                  ("larger of both", "1.050", "reached"),
                                  ("gl-lookup / gl-fragment", "2.000", "not reached"),
                                  ("fragment copies", "6.000", "not reached")):
        line = line_with(text, words)
        assert f" {value} " in line and re.search(r"[≤≥] [\d.]+ +" + verdict + "$", line), line
    assert "8192²" not in text  # nothing was measured at this size
    # On the CPU's rasteriser the GPU's demands mean nothing.
    soft = engines.demands(made_up(*cases, renderer="llvmpipe"))
    assert "gl-compute" not in soft and "cpu, 4096²" in soft


def crossover_is_found():
    """100 ns of a pixel against 1 ms and 20 ns: even at 12500 pixels. Cold, 50 ms are even at 625000."""
    cases, starts = [], []
    for side in (128, 256, 512, 1024):
        pixels = side * side
        for engine, cold, warm in (("cpu", pixels * 1e-4, pixels * 1e-4),
                                   ("gl-compute", 50 + pixels * 2e-5, 1 + pixels * 2e-5), ("gl-lookup", 500, 500)):
            context = 0 if engine == "cpu" else cold / 2
            cases.append((engine, "default", (side, side), 1, 1, {"decompose": warm, "reconstruct": 2 * warm,
                                                                  "forward": warm / 2}))
            starts += [{"engine": engine, "variant": "default", "asked": "", "width": side, "height": side, "channels": 1,
                        "precision": 32, "levels": 3, "threads": 1, "context_ms": context, "engine_ms": 0,
                        "inverse": inverse, "programs_ms": 0, "textures_ms": 1, "first_ms": cold - context - 1,
                        "read_back_ms": inverse} for inverse in (0, 1)]
    found = made_up(*cases, starts=starts)
    text = table1.tables(found)
    assert "from 0.625 megapixels on (791²)" in line_with(text, "gl-compute-32, 1 thr., cold"), text
    assert "from 128² on, the smallest" in line_with(text, "gl-compute-32, 1 thr., warm:"), text
    assert "nowhere faster" in line_with(text, "gl-lookup-32, 1 thr., warm, inverse"), text
    # The published ones cross where a straight line between two rows of the table does.
    assert "from 0.354 megapixels on (595²)" in line_with(text, "2007: lookup, cold"), text
    line = line_with(text, "256² gl-compute")
    assert line.split()[4:9] == ["25.66", "1.000", "24.66", "–", "51.31"] and line.split()[-1] == "52.31", line
    line = line_with(text, "table (gl-lookup)")
    assert line.split()[-1] == "250000", line
    rows = list(csv.DictReader(io.StringIO(table1.to_csv(found))))
    assert {row["side"] for row in rows} == {"128", "256", "512", "1024", "1280", "2048"}, rows
    assert [row["cold"] for row in rows if row["name"] == "2007: lookup"][-1] == "1672", rows


def first_system_is_compared():
    """Colour takes 3 ms where grey takes 1.5: 2/3 of its elements. 1 ms and 2 ms of a megapixel: the fit finds both."""
    def ms(side):
        return 1 + 2e-6 * side ** 2

    cases = [("cpu", "default", (512, 512), 1, 1, {"total": 15}), ("cpu", "default", (512, 512), 3, 1, {"total": 60}),
             ("gl-fragment", "packed", (512, 512), 3, 2, {"total": 3, "overlapped": 3}),
             ("gl-fragment", "packed", (512, 512), 1, 2, {"total": 9, "overlapped": 1.5, "resident": 0.5})]
    text = first_system.tables(made_up(*cases), {"gl": 200, "2007: previous": 50})
    assert line_with(text, "gl-fragment:packed mono-32 / cpu").split()[-1] == "10.00", text
    assert line_with(text, "gl-fragment:packed colour-32 / cpu").split()[-1] == "20.00", text
    assert line_with(text, "gl-fragment:packed mono-32 / gl-fragment").split()[-1] == "50.00", text
    assert line_with(text, "gpu-mono-16 / gpu-colour-16").split()[-1] == "75.12", text
    assert line_with(text, "gl-fragment:packed mono-32 (200)").split()[-1] == "87.38", text
    assert line_with(text, "previous-gpu-32 (50)").split()[-1] == "232.6", text
    # 35 million elements a second are 133.5 frames of 512².
    assert line_with(text, "2007: frames per second").split()[-1] == "133.5", text
    assert line_with(text, "% of both cores").split()[-1] == "14.98", text
    assert "20.0 fetches, 93 operations, 189 bytes of a pixel" in text, text
    # The thesis predicted half a millisecond for 512²; the card took twice that.
    assert line_with(text, "512²   2007: gpu-mono-32").split()[-6:-4] == ["1.026", "0.6390"], text
    # 189 bytes of a pixel at 12.8 GB/s, and as far from that as the larger card: 6 ms.
    small = [cell for cell in line_with(text, "512²   2007: 7600 GS, predicted, mono-32").split() if cell != "–"]
    assert [round(float(cell), 1) for cell in small[-2:]] == [3.9, 6.3], text
    cases = [("gl-fragment", "packed", (side, side), 1, 2, {"overlapped": ms(side), "resident": ms(side)})
             for side in (256, 512, 1024)]
    text = first_system.tables(made_up(*cases, renderer="NVIDIA H200/PCIe"), {})
    assert "fitted: 1.000 ms and 2.000 ms for a megapixel" in text and "units of money" not in text, text
    # made_up's rows move 8 bytes of a pixel: less than the operations take.
    line = line_with(text, "1024² gl-fragment")
    bound = 1024 ** 2 * (1e-6 / 64 + max(8e-6 / 4800, 93.1875e-6 / 66900))
    assert abs(float(line.split()[-5]) - bound) < 1e-4 and line.split()[-2] in ("+0", "-0"), line


def acceptance_looks_at_every_frame():
    times = {"overlapped": 1, "decompose": (25, 10, 50), "reconstruct": (20, 10, 30)}
    text = engines.video_tables(made_up(("gl-compute", "fused", (1920, 1080), 3, 2, times)))
    line = line_with(text, "lifting, decomposition")
    assert line.split()[-9:] == ["25.00", "10.00", "50.00", "40.00", "within", "40", "ms", "on", "average"], line
    assert line_with(text, "lifting, reconstruction").endswith("every frame within 40 ms"), text


def explanation_adds_up():
    done = bench("--engine=cpu", "--sizes=64", "--channels=1", "--threads=1", "--explain")
    assert done.returncode == 0, done.stderr
    table = done.stdout.split("reached\n", 1)[1].splitlines()
    steps = {" ".join(line.split()[:-5]): line for line in table if "%" in line}
    bytes_of = {line[:44].strip(): int(line[44:58]) for line in table if "%" in line}
    assert bytes_of["load"] == 5 * 64 * 64, bytes_of
    assert bytes_of["forward x 2"] == bytes_of["inverse y 2"] == 8 * 32 * 32, steps
    assert bytes_of["threshold 3"] == 8 * 16 * 16 * 3 // 4, steps
    # (a): 1 + 4 + 8 + 16 (1/4 + 1/16) bytes of a pixel; (e): 1 + 4.
    assert bytes_of["chain (a), a pass per level and direction"] == 18 * 64 * 64, steps
    assert bytes_of["chain (e), everything fused"] == 5 * 64 * 64, steps
    assert bytes_of["chain, as this engine divides it"] == 5 * 64 * 64, steps
    for line in steps.values():
        # Each is printed rounded.
        bound, taken = (float(cell) for cell in line[58:78].split())
        least = 100 * (bound - 0.0005) / (taken + 0.0005) - 0.51
        most = 100 * (bound + 0.0005) / max(taken - 0.0005, 1e-9) + 0.51
        assert least <= float(line[78:].split()[0]) <= most, line


def any_filter_is_measured():
    """A chain, a filter over time and a wavelet in luma, on two engines, beside a copy."""
    chain = ["--filter=gaussian:sigma=1.5", "--filter=sharpen:amount=1"]
    for filters, words in ((chain, ("gaussian:sigma=1.5", "sharpen:amount=1")),
                           (["--filter=sliding-median:frames=5"], ("sliding-median:frames=5",)),
                           (["-f", "shrinkage:levels=2 colour=luma"], ("levels=2", "colour=luma"))):
        with tempfile.TemporaryDirectory() as folder:
            json_path, csv_path = (pathlib.Path(folder, "b." + kind) for kind in ("json", "csv"))
            done = bench(*filters, "--engine=reference,cpu", "--sizes=64", "--channels=1,3", "--runs=2",
                         "--threads=1", "--explain", f"--json={json_path}", f"--csv={csv_path}")
            assert done.returncode == 0, done.stderr
            rows = json.loads(json_path.read_text(encoding="utf-8"))["rows"]
            lines = list(csv.DictReader(io.StringIO(csv_path.read_text(encoding="utf-8"))))
        assert all(list(row) == KEYS + ["filter"] for row in rows + lines), rows
        for engine in ("reference", "cpu"):
            for channels in (1, 3):
                if channels == 1 and "luma" in words[-1]:
                    continue  # the recipe is then another one
                own = [row for row in rows if row["engine"] == engine and row["channels"] == channels]
                assert {"total", "upload", "filter", "display"} <= {row["part"] for row in own}, own
                assert all(word in row["filter"] for row in own for word in words), own
                assert all(row["gb_per_s"] > 0 for row in own if row["part"] not in ("whole", "decompose", "reconstruct")), own
        # Each row says what was measured, and the tables say it once.
        assert {row["filter"] for row in rows if row["engine"] == "copy"} == {""}, rows
        assert [row["filter"] for row in lines] == [row["filter"] for row in rows]
        typed = " ".join(option.split("=", 1)[-1] if option[:2] == "--" else option
                         for option in filters if option != "-f")
        assert typed + "; medians" in done.stdout, done.stdout
        assert "shrinkage, synthesis" not in done.stdout, done.stdout

        total = {row["engine"]: row["median_ms"] for row in rows
                 if row["part"] == "total" and row["channels"] == 1 and row["engine"] != "reference"}
        line = next(line for line in done.stdout.splitlines() if line.startswith("cpu  ") and " 1   32 " in line)
        copies, percent = (float(cell) for cell in line.split()[-2:])
        assert math.isclose(copies, total["cpu"] / total["copy"], rel_tol=0.02), (line, total)
        # One byte in, four out, against eight of a copy.
        assert math.isclose(percent, 100 * 5 / 8 * total["copy"] / total["cpu"], rel_tol=0.02, abs_tol=0.01), \
            (line, total)


def only_one_thing_is_measured():
    for options in (["--wavelet=haar"], ["--levels=2"], ["--set=filter"]):
        done = bench("--filter=gaussian", "--engine=cpu", "--sizes=16", "--runs=1", *options)
        assert done.returncode == 2 and "--filter" in done.stderr, (options, done)
    done = bench("--filter=gausian", "--engine=cpu", "--sizes=16", "--runs=1")
    assert done.returncode == 2 and "gausian" in done.stderr, done


def plot_is_well_formed():
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "plot.svg")
        figures = {"overlapped": 1, "resident": 0.5}
        assert engines.draw(made_up(*((engine, "fused", (side, side), 1, 2, figures)
                                      for engine in ("gl-compute", "gl-fragment") for side in (512, 1024))), path)
        root = xml.etree.ElementTree.parse(path).getroot()
        # Nothing is drawn of what is not grey and square.
        assert not engines.draw(made_up(("cpu", "default", (1920, 1080), 3, 2, {})), path)
    texts = {"".join(text.itertext()).strip() for text in root.iter("{http://www.w3.org/2000/svg}text")}
    of_loads = {"engine": "cpu", "variant": "sse2", "precision": 32, "threads": 1, "channels": 1, "percent": 3}
    of_starts = {"engine": "cpu", "variant": "sse2", "asked": "", "precision": 32, "threads": 1, "channels": 1,
                 "levels": 5, "height": 256, "inverse": 0, "context_ms": 0, "engine_ms": 0, "programs_ms": 0,
                 "textures_ms": 1, "first_ms": 1, "read_back_ms": 1}
    parts = [("gl-lookup", "default", (side, side), 1, 2, {"overlapped": 1, "forward": 0.5}) for side in (256, 512)]
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "plot.svg")
        for painter, found, words in (
                (first_system.draw_parts, made_up(*parts), ("gl-lookup mono-32", "2007: gpu-mono-16", "forward")),
                (first_system.draw_loads, made_up(loads=[of_loads | {"width": 256}]),
                 ("cpu:sse2-32, 1 thr.", "2007: cpu-mono-32-single", "% of a core")),
                (table1.draw, made_up(starts=[of_starts | {"width": 256}]),
                 ("cpu-32, 1 thr., cold", "2007: lookup, cold", "megapixels"))):
            assert not painter(made_up(), path) and painter(found, path), words
            drawn = {"".join(text.itertext()).strip() for text in xml.etree.ElementTree.parse(path).getroot().iter(
                "{http://www.w3.org/2000/svg}text")}
            assert drawn.issuperset(words), (words, drawn)
    for wanted in ("elements per microsecond", "2007: gpu-mono-32", "side of the picture, pixels",
                   "PyWavelets, Xeon, 1 thread", "gl-compute:fused mono-32", "gl-fragment:fused mono-32, data resident"):
        assert wanted in texts, (wanted, texts)


def results_are_named_by_day_and_machine():
    with tempfile.TemporaryDirectory() as folder:
        def run(side):
            return subprocess.run([sys.executable, HERE / "engines.py", "--results", folder, BENCH, "--engine=cpu",
                                   f"--sizes={side}", "--runs=1"], capture_output=True, text=True, timeout=1800)
        done = run(16)
        assert done.returncode == 0 and "Frames per second" in done.stdout, done
        names = sorted(path.name for path in pathlib.Path(folder).iterdir())
        assert [name.split(".", 1)[1] for name in names] == ["csv", "json", "md", "parts.svg", "svg"], names
        assert all(re.fullmatch(r"\d{4}-\d\d-\d\d-\d+-core[a-z0-9-]*(\.\w+)+", name)
                   for name in names), names
        # A second run on the same day leaves them as they are.
        texts = [path.read_bytes() for path in sorted(pathlib.Path(folder).iterdir())]
        assert run(32).returncode == 0
        assert [(pathlib.Path(folder) / name).read_bytes() for name in names] == texts
        stem = names[0].rsplit(".", 1)[0]
        assert len(list(pathlib.Path(folder).glob(stem + "-2.*"))) == len(names)
        host = platform.node().lower()
        assert all(host not in path.read_text(encoding="utf-8").lower()
                   for path in pathlib.Path(folder).iterdir()), host
        failed = subprocess.run([sys.executable, HERE / "engines.py", "--results", folder, BENCH, "--engine=magic"],
                                capture_output=True, text=True, timeout=600)
        assert failed.returncode == 2 and "magic" in failed.stderr, failed


def scripts_leave_earlier_results_as_they_are():
    """compare_pywt.py writes two files of a name; play.py, here of no set, one."""
    with tempfile.TemporaryDirectory() as folder:
        for text in "abc":
            paths = results.write(pathlib.Path(folder, "new"), "day-peers", {"md": text, "json": text})
            assert [path.read_text(encoding="utf-8") for path in paths] == [text, text]
            paths[0].unlink()  # the other one keeps the name
        assert sorted(os.listdir(pathlib.Path(folder, "new"))) == [
            "day-peers-2.json", "day-peers-3.json", "day-peers.json"]
        for _ in range(2):
            subprocess.run([sys.executable, HERE.parent / "window" / "play.py", "/nonexistent", "none", "--results",
                            folder + "/play"], check=True, capture_output=True, timeout=600)
        assert len(list(pathlib.Path(folder, "play").glob("*-core-play.md"))) == 1
        assert len(list(pathlib.Path(folder, "play").glob("*-core-play-2.md"))) == 1


def sets_have_their_tables():
    for name, words in (("video", ["256×256, 8 levels (2012: 8)", "decompose", "2012: lifting", "Acceptance"]),
                        ("start", ["cold, both", "2048²   2007: lookup", "lifting, processor"]),
                        ("load", ["of a core", "2007: gpu-mono-16"])):
        _, text = measured(f"--set={name}", "--engine=cpu", "--sizes=256", "--runs=1")
        assert all(word in text for word in words), text


def load_is_a_share_of_a_core():
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "b.json")
        done = bench("--set=load", "--engine=cpu", "--sizes=64", "--threads=1", "--json", str(path))
        assert done.returncode == 0, done.stderr
        loads = json.loads(path.read_text(encoding="utf-8"))["loads"]
    assert len(loads) == 1 and list(loads[0]) == KEYS[:8] + ["percent", "fps", "frames", "late"]
    assert 0 < loads[0]["percent"] and loads[0]["width"] == 64, loads
    lines = [line.split() for line in done.stdout.splitlines() if line.startswith("cpu")]
    assert len(lines) == 1 and lines[0][2] == "64×64", done.stdout
    # At most a core for each thread that there may be, and not faster than asked for.
    assert 0 < float(lines[0][-4]) <= 100 * os.cpu_count() and float(lines[0][-3]) <= 20.1, done.stdout


def cold_starts_are_in_the_rows_too():
    done = bench("--set=start", "--engine=cpu", "--sizes=64,128", "--threads=1", "--runs=1", "--json")
    assert done.returncode == 0, done.stderr
    starts = json.loads(done.stdout)["starts"]
    assert [(start["width"], start["inverse"]) for start in starts] == [(64, 0), (64, 1), (128, 0), (128, 1)], starts
    for start in starts:
        assert start["engine"] == "cpu" and start["first_ms"] > 0 and start["levels"] == 5, start


def wrong_options_are_named():
    for option, word in (("--engine=magic", "magic"), ("--sizes=big", "big"),
                         ("--channels=2", "channels"), ("--precision=24", "precision"),
                         ("--threads=0", "threads"), ("--wavelet=db99", "db99"),
                         ("--levels=99", "levels"), ("--set=none", "none"),
                         ("--engine=cpu:none", "none"), ("stray", "stray"), ("--what", "what"),
                         ("--engine=", "engine"), ("--sizes=", "sizes"), ("--threads=", "threads"),
                         ("--set=", "filter, video"), ("--levels=0", "levels"), ("--runs=0", "runs"),
                         ("--channels=0", "1, 3 or 4"), ("--precision=8", "16, 32"),
                         ("--wavelet=bior44", "“bior4.4”"), ("--wavelet=db99", "db10")):
        done = bench(option)
        assert done.returncode == 2 and word in done.stderr, (option, done)
    # What would be measured otherwise is not what the name says.
    done = subprocess.run([BENCH, "--engine=cpu", "--sizes=16"], capture_output=True, text=True,
                          timeout=1800, env={**os.environ, "ODL_CPU": "avx3"})
    assert done.returncode == 2 and "avx3" in done.stderr and not done.stdout, done
    # Two reports in one stream would be neither.
    for options in (["--json", "--csv"], ["--csv=-", "--json"]):
        done = bench("--engine=cpu", "--sizes=16", "--runs=1", *options)
        assert done.returncode == 2 and "standard output" in done.stderr and not done.stdout, done
    # Before anything is measured, whoever asks: root has permission everywhere.
    for path in ("/nowhere/at/all.csv", "/proc/nowhere", "/proc", ""):
        for option in ("--csv", "--json"):
            done = bench("--engine=cpu", "--sizes=16", "--runs=1", f"{option}={path}")
            assert done.returncode == 1 and f"“{path}”" in done.stderr and not done.stdout, done


def published_figures_follow_from_their_rows():
    """Each line that filtering.py makes of odl-filtering's CSV stands in the report beside it, with a GTX 680 in each figure."""
    rows = sorted(HERE.parent.glob("results/*-filtering.csv"))[-1]
    made = subprocess.run([sys.executable, HERE / "filtering.py", rows], capture_output=True, text=True, check=True, timeout=300)
    report = set(rows.with_suffix(".md").read_text(encoding="utf-8").splitlines())
    missing = [line for line in made.stdout.splitlines() if line not in report]
    assert not missing, missing[:3]
    figures = made.stdout.split("## Figure 1.")
    for number in range(6, 12):
        own = [text for text in figures if text.startswith(f"{number}") and "about powers" not in text[:40]]
        assert own and all("GTX 680" in text and "With transfers" in text and "gains" in text for text in own), number


def devices_and_links_are_written_through():
    """What is no file stays what it is: nobody wants a file in the place of /dev/null."""
    few = ("--engine=cpu", "--sizes=16", "--runs=1", "--channels=1", "--threads=1")
    with tempfile.TemporaryDirectory() as folder:
        pipe, link, nowhere = (pathlib.Path(folder, name) for name in ("pipe", "link", "nowhere"))
        os.mkfifo(pipe)
        with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE, text=True) as reader:
            done = bench(*few, "--json", str(pipe))
            assert done.returncode == 0 and pipe.is_fifo(), done
            assert json.loads(reader.communicate(timeout=60)[0])["rows"]
        pathlib.Path(folder, "old").write_text("old", encoding="utf-8")
        link.symlink_to("old")
        done = bench(*few, "--json", str(link))
        assert done.returncode == 0 and link.is_symlink() and json.loads(link.read_text()), done
        nowhere.symlink_to("missing")
        done = bench(*few, "--json", str(nowhere))
        assert done.returncode == 1 and nowhere.is_symlink() and not done.stdout, done
        assert not list(pathlib.Path(folder).glob(".*")), os.listdir(folder)


def a_full_disk_is_an_error():
    few = [BENCH, "--engine=cpu", "--sizes=16", "--runs=1", "--channels=1"]
    for options in (["--json"], ["--csv"], [], ["--json=/dev/full"]):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run(few + options, stdout=full, stderr=subprocess.PIPE, text=True,
                                  timeout=1800)
        assert done.returncode == 1 and done.stderr, (options, done)


def what_is_missing_is_told_beside_the_rows():
    """Rows on standard output come without the tables, which say what was not measured."""
    done = bench("--engine=cpu,cpu:neon,cpu:avx2", "--sizes=16", "--runs=1", "--json")
    assert done.returncode == 0, done.stderr
    measured = {row["variant"].split("-")[-1] for row in json.loads(done.stdout)["rows"]}
    for name in ("neon", "avx2"):
        assert name in measured or f"not measured: cpu:{name}" in done.stderr, done.stderr


def no_row_is_left_out():
    """However many engines there are and numbers of threads."""
    engines = ",".join(["cpu", "cpu:scalar", "cpu:filtering", "cpu:per-level", "reference"] * 2)
    threads = ",".join(str(number) for number in range(1, 13))
    done = bench(f"--engine={engines}", f"--threads={threads}", "--sizes=16", "--channels=1",
                 "--runs=1", "--json")
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)["rows"]
    totals = [row for row in rows if row["part"] == "total" and row["engine"] != "copy"]
    assert len(totals) == 10 * 12, len(totals)


CHECKS = (reports_agree, standard_output_takes_json, tables_follow_from_the_rows, demands_are_compared,
          crossover_is_found, first_system_is_compared, acceptance_looks_at_every_frame, explanation_adds_up,
          any_filter_is_measured, only_one_thing_is_measured, plot_is_well_formed, results_are_named_by_day_and_machine,
          scripts_leave_earlier_results_as_they_are, sets_have_their_tables, load_is_a_share_of_a_core,
          cold_starts_are_in_the_rows_too, wrong_options_are_named, published_figures_follow_from_their_rows,
          devices_and_links_are_written_through, a_full_disk_is_an_error, what_is_missing_is_told_beside_the_rows, no_row_is_left_out)
print(f"1..{len(CHECKS)}")
for number, check in enumerate(CHECKS, 1):
    name = check.__name__.replace("_", "-")
    try:
        check()
        print(f"ok {number} /bench/{name}")
    except (AssertionError, ValueError, LookupError, OSError, StopIteration,
            subprocess.SubprocessError, xml.etree.ElementTree.ParseError) as error:
        print(f"not ok {number} /bench/{name}\n# " + repr(error).replace("\n", "\n# "))
