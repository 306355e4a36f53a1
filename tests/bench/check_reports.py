#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The benchmark's reports are well formed, complete and say the same: check_reports.py ODL_BENCH"""
import csv
import io
import json
import pathlib
import subprocess
import sys
import tempfile

BENCH = sys.argv[1]
KEYS = ["engine", "variant", "width", "height", "channels", "precision", "levels", "threads",
        "part", "median_ms", "min_ms", "mpx_per_s", "gb_per_s"]
PARTS = {"total", "upload", "forward", "filter", "backward", "display"}
SIZES = [(64, 64), (33, 20)]


def bench(*options):
    return subprocess.run([BENCH, *options], capture_output=True, text=True, timeout=100)


def check_rows(data):
    assert list(data) == ["machine", "rows"], list(data)
    assert set(data["machine"]) == {"cpu", "threads", "compiler", "gl_renderer"}
    assert data["machine"]["threads"] >= 1 and data["machine"]["compiler"]
    cases = {}
    for row in data["rows"]:
        assert list(row) == KEYS, list(row)
        assert 0 < row["min_ms"] <= row["median_ms"] and row["mpx_per_s"] > 0, row
        assert row["gb_per_s"] > 0, row
        # The CPU engine runs the plan as one pass, and once more step by step for the parts.
        wanted = {"upload": "per-level", "forward": "per-level", "filter": "per-level",
                  "backward": "per-level"}.get(row["part"], "streamed")
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
    done = bench("--engine=cpu", "--sizes=16", "--runs=1", "--json", "-")
    assert done.returncode == 0 and json.loads(done.stdout)["rows"], done.stderr


def wrong_options_are_named():
    for option, word in (("--engine=magic", "magic"), ("--sizes=big", "big"),
                         ("--channels=2", "channels"), ("--precision=24", "precision"),
                         ("--threads=0", "threads"), ("--wavelet=db99", "db99"),
                         ("--levels=99", "levels"), ("stray", "stray"), ("--what", "what")):
        done = bench(option)
        assert done.returncode == 2 and word in done.stderr, (option, done)
    done = bench("--engine=cpu", "--sizes=16", "--runs=1", "--csv", "/nowhere/at/all.csv")
    assert done.returncode == 1 and "/nowhere/at/all.csv" in done.stderr, done


CHECKS = (reports_agree, standard_output_takes_json, wrong_options_are_named)
print(f"1..{len(CHECKS)}")
for number, check in enumerate(CHECKS, 1):
    name = check.__name__.replace("_", "-")
    try:
        check()
        print(f"ok {number} /bench/{name}")
    except (AssertionError, json.JSONDecodeError, OSError, subprocess.SubprocessError) as error:
        print(f"not ok {number} /bench/{name}\n# " + repr(error).replace("\n", "\n# "))
