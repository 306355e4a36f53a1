#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Tables, plots and sheets of `sweep`, and what `optimise` finds.

usage: sweep.py ONDELETTE_CLI
"""
import csv
import json
import os
import pathlib
import resource
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree

import nibabel
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
import pixels  # noqa: E402
from command_line import CLI, compare, fails, process, random_picture, run, run_cases  # noqa: E402

NOISE = "gaussian:25/255,7"
CLEAN = "phantom:96x80,clean"
SOFT = ["-f", "soft-threshold"]
THRESHOLD = ["--vary", "soft-threshold.threshold=0:0.2:0.02"]
LEVELS = ["--vary", "soft-threshold.levels=1:3"]
FINE = ["--vary", "soft-threshold.threshold=0:0.9:5e-7"]
GRID = [CLEAN, *SOFT, *THRESHOLD, *LEVELS, "--noise", NOISE]
SVG = "{http://www.w3.org/2000/svg}"


def sweep(*arguments, **more):
    return run("sweep", *arguments, **more)


def streams_are_dashes():
    whole = whole_grid()
    done = sweep(*GRID, "--csv", "-")
    assert done.stdout.encode() == whole and "best PSNR" in done.stderr, done
    assert not os.path.exists("-")
    process(CLEAN, "-o", "clean.png", "--frame", "1")
    done = subprocess.run([CLI, "sweep", "-", *SOFT, *LEVELS, "--noise", NOISE, "--csv", "-"],
                          input=pathlib.Path("clean.png").read_bytes(), capture_output=True, check=True, timeout=280)
    assert [row["input"] for row in csv.DictReader(done.stdout.decode().splitlines())] == ["-"] * 3, done


def table(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def whole_grid(path="whole.csv"):
    sweep(*GRID, "--csv", path)
    return pathlib.Path(path).read_bytes()


def rows_are_the_whole_grid():
    whole_grid()
    rows = table("whole.csv")
    wanted = [(t, n) for t in range(11) for n in (1, 2, 3)]
    assert [(round(float(row["soft-threshold.threshold"]) / 0.02), int(row["soft-threshold.levels"]))
            for row in rows] == wanted
    assert [int(row["point"]) for row in rows] == list(range(1, 34))
    assert rows[7]["soft-threshold.threshold"] == "0.04", rows[7]
    process(CLEAN, "-o", "clean.tif")
    for row in (rows[0], rows[7], rows[32]):
        assert row["input"] == CLEAN and row["frame"] == "1", row
        process(row["input"], "-o", "out.tif", "--force", "--noise", row["noise"], "-f", row["recipe"])
        said = compare("out.tif", "clean.tif")
        for name in ("psnr_db", "ssim", "mse", "edges"):
            assert abs(float(row[name]) - said[name]) < 1e-5 * abs(said[name]), (name, row, said)


def stopped_sweeps_continue():
    """Wherever the file ends, the next call makes it whole, to the byte."""
    whole = whole_grid()
    header = whole.index(b"\n") + 1
    second = whole.index(b"\n", header) + 1
    for cut in (0, 5, header - 1, header, header + 1, second - 1, second, second + 40,
                len(whole) // 2, len(whole) - 1, len(whole)):
        pathlib.Path("part.csv").write_bytes(whole[:cut])
        done = sweep(*GRID, "--csv", "part.csv")
        assert pathlib.Path("part.csv").read_bytes() == whole, cut
        assert (cut < second) != ("are there already" in done.stderr), (cut, done.stderr)
        assert "best PSNR: " in done.stdout


def killed_sweeps_continue():
    many = ["phantom:128x128,clean", *SOFT, "--vary", "soft-threshold.threshold=0:0.2:0.001", *LEVELS,
            "--noise", NOISE, "--csv"]
    sweep(*many, "whole.csv")
    for number in (signal.SIGKILL, signal.SIGTERM):
        pathlib.Path("part.csv").unlink(missing_ok=True)
        with subprocess.Popen([CLI, "sweep", *many, "part.csv"], stderr=subprocess.PIPE,
                              stdout=subprocess.DEVNULL) as child:
            while not os.path.exists("part.csv") or os.path.getsize("part.csv") < 2000:
                assert child.poll() is None
                time.sleep(0.01)
            child.send_signal(number)
            said = child.communicate()[1].decode()
        assert number == signal.SIGKILL or "stay" in said, said
        assert os.path.getsize("part.csv") >= 2000
        sweep(*many, "part.csv")
        assert pathlib.Path("part.csv").read_bytes() == pathlib.Path("whole.csv").read_bytes()


def shards_make_the_whole():
    whole = whole_grid().splitlines(keepends=True)
    rows = []
    for shard in (1, 2, 3, 4):
        sweep(*GRID, "--csv", f"{shard}.csv", "--shard", f"{shard}/4", "--jobs", str(shard % 3 + 1),
              env={**os.environ, "OMP_NUM_THREADS": "3"})
        lines = pathlib.Path(f"{shard}.csv").read_bytes().splitlines(keepends=True)
        assert lines[0] == whole[0] and 8 <= len(lines) - 1 <= 9, len(lines)
        rows += lines[1:]
    rows.sort(key=lambda row: int(row.split(b",")[0]))
    assert [whole[0], *rows] == whole
    # Joined in any order they are a table, of which nothing is left to do.
    pathlib.Path("all.csv").write_bytes(whole[0] + b"".join(reversed(rows)))
    before = pathlib.Path("all.csv").read_bytes()
    assert "33 of 33" in sweep(*GRID, "--csv", "all.csv", "--plot", "all.svg").stderr
    assert pathlib.Path("all.csv").read_bytes() == before and os.path.exists("all.svg")


def no_threads_make_the_whole():
    whole = whole_grid()
    for name, jobs in (("row", "3"), ("one", "1")):
        sweep(*GRID, "--csv", f"no-{name}.csv", "--jobs", jobs, env={**os.environ, "ODL_FAULT": "thread/new"})
        assert pathlib.Path(f"no-{name}.csv").read_bytes() == whole


def other_tables_are_refused():
    whole = whole_grid()
    for change in (["--noise", "gaussian:25/255,8"], ["--region", "9,9,9,9", "--background", "30,30,9,9"],
                   ["--colour", "luma"], ["--vary", "soft-threshold.wavelet=haar,cdf97"]):
        fails(1, "whole.csv", arguments=["sweep", *GRID, *change, "--csv", "whole.csv"])
    fails(1, "line 2", "another input", arguments=["sweep", "phantom:96x81,clean", *GRID[1:], "--csv",
                                                   "whole.csv"])
    assert pathlib.Path("whole.csv").read_bytes() == whole
    for text in ("a letter\n", "point", "point,input,frame\n", "\0\n", "pint"):
        pathlib.Path("letter.csv").write_text(text)
        if text != "point":  # what a header that was torn looks like
            fails(1, "letter.csv", "header", arguments=["sweep", *GRID, "--csv", "letter.csv"])
            assert pathlib.Path("letter.csv").read_text() == text
    head = whole[:whole.index(b"\n") + 1]
    for row in (b"nonsense\n", b"0,\n", b"34,\n", b"99999999999999999999,\n", b"\n",
                whole[len(head):].replace(b",0,1,20.", b",0,1,2o.", 1)):
        pathlib.Path("odd.csv").write_bytes(head + row)
        fails(1, "odd.csv", "line", arguments=["sweep", *GRID, "--csv", "odd.csv"])
        assert pathlib.Path("odd.csv").read_bytes() == head + row


def full_disks_lose_nothing():
    fails(1, "/dev/full", "No space left", arguments=["sweep", *GRID, "--csv", "/dev/full"])
    whole = whole_grid()
    for limit in (100, len(whole) // 2, len(whole) - 3):
        def limited(limit=limit):
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        pathlib.Path("part.csv").unlink(missing_ok=True)
        done = sweep(*GRID, "--csv", "part.csv", status=1, preexec_fn=limited)
        line, = done.stderr.splitlines()
        assert "part.csv" in line and "rows before it stay" in line, line
        there = pathlib.Path("part.csv").read_bytes()
        assert whole.startswith(there) and len(there) <= limit, there
        assert there == b"" or there.endswith(b"\n")
        sweep(*GRID, "--csv", "part.csv")
        assert pathlib.Path("part.csv").read_bytes() == whole, limit
    fails(1, "no/such/out.csv", arguments=["sweep", *GRID, "--csv", "no/such/out.csv"])
    os.mkdir("folder.csv")
    fails(1, "folder.csv", arguments=["sweep", *GRID, "--csv", "folder.csv"])


def a_range_of_more_than_a_million_is_swept():
    """Its shards, too; neither time nor memory is spent on the points of the others."""
    sweep(CLEAN, *SOFT, "--noise", NOISE, *FINE, "--yes", "--shard", "2/600000", "--csv", "fine.csv")
    assert [float(row["soft-threshold.threshold"]) for row in table("fine.csv")] == [5e-7, 0.3000005, 0.6000005]
    assert [int(row["point"]) for row in table("fine.csv")] == [2, 600002, 1200002]


def what_cannot_be_swept_is_refused():
    def refused(*words, arguments, status=2):
        fails(status, *words, arguments=["sweep", *arguments, "--csv", "no.csv"])
        assert not os.path.exists("no.csv")

    basic = [CLEAN, *SOFT, "--noise", NOISE]
    for name, last in (("cine", 6), ("short", 3)):
        run("process", CLEAN, "--frames", f"1-{last}", "-o", f"{name}.mkv", "--quality", "lossless")
    for vary, word in (("threshold=0:1:0.1", "FILTER.PARAMETER"), ("gaussian.sigma=1:2:0.1", "no such filter"),
                       ("soft-threshold:2.levels=1:2", "no such filter"), ("soft-threshold:x.levels=1:2", "number"),
                       ("soft-threshold.sigma=1:2:1", "no such parameter"), ("soft-threshold.levels=", "missing"),
                       ("soft-threshold.levels", "missing"), ("soft-threshold.threshold=0:1", "step"),
                       ("soft-threshold.threshold=0:1:0", "upwards"), ("soft-threshold.threshold=1:0:0.1", "upwards"),
                       ("soft-threshold.threshold=0:1:1:1", "range"), ("soft-threshold.threshold=0:x:1", "range"),
                       ("soft-threshold.threshold=0:1:1e-9", "million"), ("soft-threshold.threshold=0:9:1", "outside"),
                       ("soft-threshold.levels=1.5", "whole"), ("soft-threshold.wavelet=haar,none", "none"),
                       ("soft-threshold.levels=1,,2", "is not a number"), ("soft-threshold.levels=1 x=2", "no value")):
        refused("", word, arguments=[*basic, "--vary", vary])
    refused("twice", arguments=[*basic, *LEVELS, *LEVELS])
    refused("what to vary", arguments=basic)
    refused("nothing to measure", arguments=[CLEAN, *SOFT, *LEVELS])
    refused("no metric", "psnr", arguments=[*basic, *LEVELS, "--metric", "beauty"])
    refused("two regions", arguments=[*basic, *LEVELS, "--metric", "cnr"])
    refused("one picture", arguments=[*basic, *LEVELS, "phantom:64x64"])
    refused("coefficients", arguments=[CLEAN, "-f", "soft-threshold view=analysis", *LEVELS, "--noise", NOISE])
    refused("later frames", arguments=[CLEAN, "-f", "adaptive:dimensions=4", "--vary",
                                       "adaptive.noise=0.1,0.2", "--noise", NOISE])
    os.mkdir("folder")
    refused("folder. Name a picture", "series:folder", arguments=["folder", *basic[1:], *LEVELS], status=1)
    refused("no range", arguments=[*basic, *LEVELS, "--frames", "5-3"])
    refused("exclude", arguments=[*basic, *LEVELS, "--frames", "3-5", "--frame", "2"])
    refused("counted from 1", arguments=[*basic, *LEVELS, "--frame", "0"])
    refused("of several", "--frames 1-16", arguments=["phantom:32x32x16x3", "-f", "soft-threshold:dimensions=3",
                                                     *LEVELS, "--noise", NOISE, "--frames", "5-20"])
    refused("3 frames", status=2, arguments=["cine.mkv", *SOFT, *LEVELS, "--frames", "2-5", "--reference", "short.mkv"])
    refused("--shard", arguments=[*basic, *LEVELS, "--shard", "5/4"])
    for more in (["--plot", "a.jpg"], ["--sheet", "a.svg"]):
        refused("SVG, PNG, PDF", arguments=[*basic, *LEVELS, *more])
    for vary, word in (("soft-threshold=median,nothing", "“nothing” is not a filter"), ("soft-threshold=", "is no filter"),
                       ("soft-threshold:2=median", "no parameter"), ("soft-threshold=mix:with=a.png", "reads a file"),
                       ("soft-threshold=median:size=4", "4"), ("soft-threshold=" + "median," * 40 + "box", "40"),
                       ("soft-threshold=" + " ".join(["median"] * 17), "at most 16"),
                       ("soft-threshold=median,bilateral:dimensions=3", "such alone"),
                       ("soft-threshold='a", "not a filter"), ('soft-threshold="a', "no filters")):
        refused("", word, arguments=[*basic, "--vary", vary])
    refused("only one filter", arguments=[*basic, "--vary", "soft-threshold=median", "--vary", "soft-threshold=box"])
    refused("no such filter", arguments=[*basic, "--vary", "soft-threshold=median", "--vary", "box.size=3,5"])
    refused("merge", arguments=[*basic, *LEVELS, "--shard", "1/4", "--plot", "a.svg"])
    refused("--jobs", arguments=[*basic, *LEVELS, "--jobs", "0"])
    refused("2700003 points", "--yes", arguments=[
        *basic, *LEVELS[:1], "soft-threshold.threshold=0:0.9:0.000001", *LEVELS])
    refused("1800001 points", "--yes", arguments=[*basic, *FINE])
    refused("100000 values", arguments=[*basic, *FINE, "--yes", "--plot", "many.svg"])
    refused("more than can be", arguments=[
        *basic, "--vary", "soft-threshold.threshold=0:0.9:0.000001", "-f", "gaussian", "--vary",
        "gaussian.sigma=1:9:0.00001", "--yes"])
    refused("missing.png", status=1, arguments=["missing.png", *basic[1:], *LEVELS])
    refused("96×80", status=1, arguments=[*basic, *LEVELS, "--reference", "phantom:64x64"])
    fails(2, "--csv", arguments=["sweep", *basic, *LEVELS])
    pixels.write_png("in.png", random_picture(1, np.uint8))
    before = pathlib.Path("in.png").read_bytes()
    fails(1, "never written over", arguments=["sweep", "in.png", *basic[1:], *LEVELS, "--csv", "in.png"])
    pathlib.Path("old.svg").write_text("mine")
    fails(1, "exists already", arguments=["sweep", *basic, *LEVELS, "--csv", "a.csv", "--plot", "old.svg"])
    assert pathlib.Path("in.png").read_bytes() == before and not os.path.exists("a.csv")


def points_that_cannot_be_computed_have_no_metrics():
    done = sweep(CLEAN, *SOFT, "--vary", "soft-threshold.transform=decimated,dual-tree", "--noise", NOISE,
                 "--csv", "out.csv", "-e", "gl-lookup", status=1)
    first, second = table("out.csv")
    assert float(first["psnr_db"]) > 10 and second["psnr_db"] == "" and "no metrics" in done.stderr, done.stderr


def words_and_second_filters_vary():
    sweep(CLEAN, "-f", "gaussian", *SOFT, "-f", "gaussian", "--noise", NOISE, "--csv", "out.csv", "--vary",
          "gaussian:2.sigma=0.5,2", "--vary", "soft-threshold.wavelet=haar,sym8", "--region", "40,40,9,9",
          "--background", "40,60,9.5,9", "--metric", "cnr")
    rows = table("out.csv")
    assert [(row["gaussian:2.sigma"], row["soft-threshold.wavelet"]) for row in rows] == [
        ("0.5", "haar"), ("0.5", "sym8"), ("2", "haar"), ("2", "sym8")]
    assert rows[3]["recipe"].startswith("gaussian:sigma=1 soft-threshold:wavelet=sym8,"), rows[3]
    assert " gaussian:sigma=2 " in rows[3]["recipe"] and rows[3]["background"] == "40,60,9.5,9"
    assert all(float(row[name]) >= 0 for row in rows for name in ("snr", "cnr", "gcnr", "enl", "speckle_index"))


def the_strength_of_a_recipe_varies():
    """Each row is what its recipe makes, and strength 1 is the recipe as written."""
    common = [CLEAN, "-f", "shrinkage:thresholds=0.05/0.1/0.2", "--noise", NOISE]
    sweep(*common, "--vary", "strength=0:2:0.5", "--vary", "shrinkage.levels=2,3", "--csv", "out.csv")
    rows = table("out.csv")
    assert [float(row["strength"]) for row in rows[::2]] == [0, 0.5, 1, 1.5, 2]
    process(CLEAN, "-o", "clean.tif", "--force")
    for row in rows:
        assert ("strength" in row["recipe"]) == (row["strength"] != "1"), row
        process(CLEAN, "-o", "out.tif", "--force", "--noise", row["noise"], "-f", row["recipe"])
        assert abs(float(row["psnr_db"]) - compare("out.tif", "clean.tif")["psnr_db"]) < 1e-5, row
    numbers = [float(row["psnr_db"]) for row in rows]
    assert abs(numbers[0] - numbers[1]) < 1e-5 and min(np.abs(np.diff(numbers[1:]))) > 0.1, numbers
    best = max(rows, key=lambda row: float(row["psnr_db"]))
    found = run("optimise", *common, "--vary", "strength=0:2:0.5", "--vary", "shrinkage.levels=2,3").stdout
    assert found == best["recipe"] + "\n", (found, best)
    for name in "shrinkage.strength", "threshold":
        fails(2, "strength=…", arguments=["sweep", *common, "--vary", f"{name}=0:2:1", "--csv", "no.csv"])
    for values in "0:5:1", "-1:1:1", "much":
        fails(2, "0 to 4", arguments=["sweep", *common, "--vary", f"strength={values}", "--csv", "no.csv"])
    fails(2, "twice", arguments=["sweep", *common, *(["--vary", "strength=0,1"] * 2), "--csv", "no.csv"])


def plots_are_drawn():
    name = "a<b>&\"c'.png"
    pixels.write_png(name, random_picture(1, np.uint8, 40, 50))
    sweep(name, *SOFT, *THRESHOLD, *LEVELS, "--noise", "speckle:0.2", "--csv", "out.csv", "--plot", "out.svg")
    root = xml.etree.ElementTree.parse("out.svg").getroot()
    texts = [text.text for text in root.iter(f"{SVG}text")]
    for text in (f"{name}, speckle:0.2", "PSNR (dB)", "soft-threshold.threshold (of full scale)",
                 "soft-threshold.levels", "1", "2", "3", "0.1"):
        assert text in texts, (text, texts)
    curves = [path.get("d") for path in root.iter(f"{SVG}path")
              if path.get("fill") == "none" and path.get("d").count("L") > 1]
    assert len(curves) == 3, curves
    rows = table("out.csv")
    for level, curve in enumerate(curves):
        places = np.array([point.split() for point in curve[1:].split("L")], float)
        wanted = np.array([float(row["psnr_db"]) for row in rows[level::3]])
        assert np.allclose(np.diff(places[:, 0]), 52, atol=0.02), places
        # Heights are an affine function of the metric, downwards.
        fit = np.polyfit(wanted, places[:, 1], 1) if np.ptp(wanted) > 0.1 else None
        assert fit is None or (fit[0] < 0 and np.abs(np.polyval(fit, wanted) - places[:, 1]).max() < 0.02)
    many = [CLEAN, *SOFT, *LEVELS, *THRESHOLD[:1], "soft-threshold.threshold=0:0.3:0.01", "--noise", NOISE]
    fails(2, "24 lines", arguments=["sweep", *many, "--csv", "many.csv", "--plot", "many.svg"])
    assert not os.path.exists("many.csv")
    for ending, begins in (("png", b"\x89PNG"), ("pdf", b"%PDF")):
        made = []
        for n in range(2):
            sweep(*GRID, "--csv", "out2.csv", "--plot", f"{n}.{ending}")
            made.append(pathlib.Path(f"{n}.{ending}").read_bytes())
        assert made[0] == made[1] and made[0].startswith(begins) and b"CreationDate" not in made[0], ending
    picture = pixels.read_png("0.png")
    assert picture.shape == (1000, 1600, 3) and (picture[100:860, 200:1150] != 255).any(-1).mean() > 0.01


OTHERS = [CLEAN, "-f", "gaussian:sigma=0.4", *SOFT, "--noise", NOISE, "--vary",
          "soft-threshold=soft-threshold,soft-threshold:levels=2,wavelet=haar,median,bivariate,visu-shrink",
          "--vary", "soft-threshold.threshold=0:0.2:0.05", "--vary", "soft-threshold.levels=2,3", "--vary",
          "median.size=3,5", "--vary", "bivariate.sigma=0.05:0.15:0.05", "--vary", "gaussian.sigma=0.3,0.5"]
COUNTS = (20, 20, 4, 6, 2)  # points of each


def filters_stand_in_for_each_other():
    """Each with what it has of what varies, as if it were swept by itself."""
    sweep(*OTHERS, "--csv", "out.csv", "--plot", "out.svg", "--sheet", "out.png")
    rows = table("out.csv")
    words = ["soft-threshold", "soft-threshold:levels=2,wavelet=haar", "median", "bivariate", "visu-shrink"]
    assert [row["soft-threshold"] for row in rows] == [word for word, n in zip(words, COUNTS) for _ in range(n)]
    for row in rows:
        name = row["soft-threshold"].split(":")[0]
        for column in ("soft-threshold.threshold", "soft-threshold.levels", "median.size", "bivariate.sigma"):
            assert (row[column] != "") == (column.split(".")[0] == name), row
        assert f" {name}" in row["recipe"] and row["gaussian.sigma"] in ("0.3", "0.5"), row
    assert all("wavelet=haar" in row["recipe"] for row in rows[20:40])
    sweep(CLEAN, "-f", "gaussian:sigma=0.4", "-f", "bivariate", "--noise", NOISE, "--csv", "alone.csv", "--vary",
          "bivariate.sigma=0.05:0.15:0.05", "--vary", "gaussian.sigma=0.3,0.5")
    for row, alone in zip(rows[44:50], table("alone.csv")):
        assert [row[name] for name in ("psnr_db", "ssim", "recipe")] == [
            alone[name] for name in ("psnr_db", "ssim", "recipe")], (row, alone)
    # A line for each, over its own range, and a row of pictures.
    root = xml.etree.ElementTree.parse("out.svg").getroot()
    texts = [text.text for text in root.iter(f"{SVG}text")]
    for text in (*words, "threshold 0 … 0.2", "size 3 … 5", "share of the range of each"):
        assert text in texts, (text, texts)
    lines = [path.get("d").count("L") for path in root.iter(f"{SVG}path") if path.get("fill") == "none"]
    assert lines[:5] == [4, 4, 1, 2, 1], lines
    sheet = pixels.read_png("out.png")
    assert sheet.shape == (8 + 6 * (80 + 36 + 8), 8 + 5 * (96 + 8), 3), sheet.shape
    filled = [[np.ptp(sheet[8 + y * 124:88 + y * 124, 8 + x * 104:104 + x * 104].astype(int)) > 60 for x in range(5)]
              for y in range(1, 6)]
    assert [sum(row) for row in filled] == [5, 5, 2, 3, 2], filled


def filters_are_continued_and_shared_out():
    sweep(*OTHERS, "--csv", "whole.csv", "--plot", "whole.svg")
    whole = pathlib.Path("whole.csv").read_bytes()
    pathlib.Path("cut.csv").write_bytes(whole[:len(whole) // 2])
    sweep(*OTHERS, "--csv", "cut.csv")
    for shard in (1, 2, 3):
        sweep(*OTHERS, "--csv", f"{shard}.csv", "--shard", f"{shard}/3")
    run("merge", "all.csv", "1.csv", "2.csv", "3.csv", "--plot", "all.svg")
    assert whole == pathlib.Path("cut.csv").read_bytes() == pathlib.Path("all.csv").read_bytes()
    assert pathlib.Path("whole.svg").read_bytes() == pathlib.Path("all.svg").read_bytes()


def the_best_filter_is_found():
    sweep(*OTHERS, "--csv", "all.csv")
    best = best_of("all.csv", "psnr_db")
    found = json.loads(run("optimise", *OTHERS, "--json").stdout)
    assert found["recipe"] == best["recipe"] and found["evaluated"] <= sum(COUNTS), (found, best)
    assert found["parameters"]["soft-threshold"] == best["soft-threshold"], found
    assert set(found["parameters"]) == {name for name in (*best,) if "." in name or name == "soft-threshold"
                                        if best[name] != ""}, found
    # Presets are filters, too.
    done = run("optimise", CLEAN, *SOFT, "--noise", NOISE, "--vary", "soft-threshold=median gaussian,median", "--vary",
               "gaussian.sigma=0:2:0.1")
    assert "median:size=3" in done.stdout and "gaussian" in done.stdout, done


def sheets_show_the_results():
    sweep(*GRID, "--csv", "out.csv", "--sheet", "out.png")
    sheet = pixels.read_png("out.png")
    process(CLEAN, "-o", "noisy.png", "--noise", NOISE)
    row = table("out.csv")[7]
    process(CLEAN, "-o", "result.png", "--noise", NOISE, "-f", row["recipe"])
    assert sheet.shape == (8 + 4 * (80 + 36 + 8), 8 + 11 * (96 + 8), 3), sheet.shape

    def cell(column, line):
        top, left = 8 + line * (80 + 36 + 8), 8 + column * (96 + 8)
        return sheet[top:top + 80, left:left + 96, 0].astype(int), sheet[top + 80:top + 116, left:left + 96]

    for name, place in (("noisy.png", (0, 0)), ("result.png", (2, 2))):  # the third threshold, two levels
        shown, label = cell(*place)
        wanted = pixels.read_png(name)[..., 0].astype(float)
        wanted *= 255 / np.iinfo(pixels.read_png(name).dtype).max
        assert np.abs(shown - wanted).max() <= 1, (name, np.abs(shown - wanted).max())
        assert np.ptp(label) > 100, name
    assert "not for diagnostic use" in str(pixels.png_texts("out.png"))


def best_of(path, name, sign=1):
    return max(table(path), key=lambda row: sign * float(row[name]))


def optimise_finds_what_a_sweep_finds():
    for metric, name, sign in (("psnr", "psnr_db", 1), ("ssim", "ssim", 1), ("mse", "mse", -1),
                               ("edges", "edges", 1)):
        grid = [CLEAN, *SOFT, "--vary", "soft-threshold.threshold=0:0.3:0.005", *LEVELS, "--vary",
                "soft-threshold.wavelet=haar,cdf97", "--noise", NOISE, "--metric", metric]
        if metric == "psnr":
            sweep(*grid, "--csv", "all.csv")
        best = best_of("all.csv", name, sign)
        found = json.loads(run("optimise", *grid, "--json").stdout)
        assert abs(found["after"][name] - float(best[name])) < 1e-9, (metric, found, best)
        assert found["recipe"] == best["recipe"] and found["evaluated"] < 183, found
        done = run("optimise", *grid)
        assert done.stdout == best["recipe"] + "\n" and "the best of" in done.stderr, done
    fine = json.loads(run("optimise", CLEAN, *SOFT, "--vary", "soft-threshold.threshold=0:0.3", *LEVELS,
                          "--noise", NOISE, "--json").stdout)
    coarse = best_of("all.csv", "psnr_db")
    assert fine["after"]["psnr_db"] > float(coarse["psnr_db"]) - 0.2 and fine["evaluated"] < 200, fine
    fails(2, "nothing to measure", arguments=["optimise", CLEAN, *SOFT, *LEVELS])
    fails(2, "what to vary", arguments=["optimise", CLEAN, *SOFT, "--noise", NOISE])
    fails(1, "missing.png", arguments=["optimise", "missing.png", *SOFT, *LEVELS, "--noise", NOISE])
    fails(1, "Cannot open “”:", arguments=["optimise", "", *SOFT, *LEVELS, "--noise", NOISE])


def the_end_of_a_range_is_told():
    """Where others can be tried beyond it, and on standard error alone."""
    told = "The best soft-threshold.threshold, 0.04, lies at the end of its range"
    for end, says in (("0.04", True), ("0.2", False)):
        grid = [CLEAN, *SOFT, "--vary", f"soft-threshold.threshold=0:{end}:0.02", "--noise", NOISE]
        for done in (sweep(*grid, "--csv", f"{end}.csv"), run("optimise", *grid)):
            assert (told in done.stderr) == says and "end of its range" not in done.stdout, done
        found = run("optimise", *grid, "--json")
        assert (told in found.stderr) == says, found
        assert json.loads(found.stdout)["at_end_of_range"] == (["soft-threshold.threshold"] if says else []), found
    grid[grid.index("--noise") + 1] = "gaussian:0.0001"  # nothing is the best, and nothing is below
    assert "end of its range" not in sweep(*grid, "--csv", "clean.csv").stderr


def before_is_the_mean_of_all_frames():
    grid = ["phantom:64x48,clean", *SOFT, *LEVELS, "--noise", NOISE, "--metric", "ssim"]
    means = [json.loads(run("optimise", *grid, "--frames", frames, "--json").stdout)["before"]["ssim"]
             for frames in ("2", "3", "4", "2-4")]
    assert abs(means[3] - sum(means[:3]) / 3) < 1e-9 and means[0] != means[1], means


def a_stopped_search_says_so():
    with subprocess.Popen([CLI, "optimise", "phantom:1024x1024,clean", "-f", "non-local-means", "--noise", NOISE,
                           "--vary", "non-local-means.strength=0.01:0.4"], stderr=subprocess.PIPE,
                          stdout=subprocess.PIPE, encoding="utf-8") as child:
        # What waits for signals is a thread, which comes before all others.
        while len(os.listdir(f"/proc/{child.pid}/task")) < 2:
            time.sleep(0.01)
        time.sleep(0.2)
        child.send_signal(signal.SIGINT)
        out, said = child.communicate()
    assert child.returncode == -signal.SIGINT and out == "", (child.returncode, out)
    assert said.startswith("ondelette-cli: Stopped before") and said.count("\n") == 1, said


def noisy_frames(last, recipe):
    """What process makes of frames 1 to `last`, and these without noise."""
    run("process", CLEAN, "--frames", f"1-{last}", "--noise", NOISE, "-f", recipe, "-o", "made-%05d.tif", "--force")
    run("process", CLEAN, "--frames", f"1-{last}", "-o", "clean-%05d.tif", "--force")
    return [[pixels.read_tiff(f"{name}-{n:05d}.tif")[1] for n in range(1, last + 1)] for name in ("made", "clean")]


def frames_follow_each_other():
    """Filters over time see the frames before; several frames have the mean of their squares."""
    for recipe, vary in (("recursive-average:weight=W", (0.3, 0.8)), ("sliding-mean:frames=W", (3, 5)), ("gaussian:sigma=W", (0.5, 1))):
        name, key = recipe.split("=")[0].split(":")
        common = [CLEAN, "-f", name, "--noise", NOISE, "--vary", f"{name}.{key}={vary[0]},{vary[1]}"]
        sweep(*common, "--frame", "5", "--csv", "one.csv")
        sweep(*common, "--frames", "3-6", "--csv", "some.csv", "--jobs", "2")
        for one, some, value in zip(table("one.csv"), table("some.csv"), vary):
            made, clean = noisy_frames(6, recipe.replace("W", str(value)))
            squares = [np.mean(((a.astype(float) - b) / 255) ** 2) for a, b in zip(made, clean)]
            assert one["frame"] == "5" and some["frame"] == "3-6"
            near(float(one["mse"]), squares[4], recipe)
            near(float(some["mse"]), np.mean(squares[2:]), recipe)
            near(float(some["psnr_db"]), -10 * np.log10(float(some["mse"])), recipe)
        os.remove("some.csv")
        sweep(*common, "--frames", "5", "--csv", "some.csv")
        assert table("some.csv") == table("one.csv")
        os.remove("one.csv")
        os.remove("some.csv")
    run("optimise", CLEAN, "-f", "recursive-average", "--noise", NOISE, "--vary", "recursive-average.weight=0.1:1",
        "--frames", "4-6")


def near(got, wanted, what):
    assert abs(got / wanted - 1) < 1e-3, f"{what}: {got}, not {wanted}"


def volumes_are_filtered_whole():
    """All slices together, against the clean twin, and slice by slice where a filter does so."""
    noisy, clean = "phantom:40x36x12,noise=gaussian,sigma=0.1", "phantom:40x36x12,clean"
    run("process", clean, "-o", "clean.nii")
    run("process", noisy, "-o", "noisy.nii")
    volume = {"clean": nibabel.load("clean.nii").get_fdata()}

    def error(source, made, reference, truth):
        scaled = []
        for name, values in ((source, made), (reference, truth)):
            low, high = (run_info(name)["image"][key] for key in ("stored_min", "stored_max"))
            scaled.append((values - low) / (high - low))
        return np.mean((scaled[0] - scaled[1]) ** 2)

    for source, reference in ((noisy, clean), ("noisy.nii", "clean.nii")):
        for dimensions in (2, 3):
            sweep(source, "-f", f"soft-threshold:dimensions={dimensions},threshold=0.05", "--reference", reference,
                  "--vary", "soft-threshold.levels=1:2", "--frames", "all", "--csv", "out.csv")
            for row in table("out.csv"):
                run("process", source, "-f", row["recipe"].split()[0], "-o", "made.nii", "--force")
                made = nibabel.load("made.nii").get_fdata()
                mse = error(source, made, reference, volume["clean"])
                print(f"# {source}, {dimensions} dimensions, {row['soft-threshold.levels']} levels: {row['psnr_db']} dB")
                near(float(row["mse"]), mse, row["recipe"])
            os.remove("out.csv")
    # Filters over slices see and measure all of them, if nothing else is said; one on request.
    sweep(noisy, "-f", "soft-threshold:dimensions=3,threshold=0.05", "--reference", clean, "--vary",
          "soft-threshold.levels=1:2", "--csv", "out.csv")
    assert table("out.csv")[0]["frame"] == "1-12"
    os.remove("out.csv")
    sweep(noisy, "-f", "soft-threshold:dimensions=3,threshold=0.05", "--reference", clean, "--vary",
          "soft-threshold.levels=1:2", "--frame", "5", "--csv", "out.csv")
    run("process", noisy, "-f", table("out.csv")[1]["recipe"].split()[0], "-o", "made.nii", "--force")
    made = nibabel.load("made.nii").get_fdata()[..., 4]
    near(float(table("out.csv")[1]["mse"]), error(noisy, made, clean, volume["clean"][..., 4]), "slice 5")


def volumes_over_time_are_measured():
    """One of the volumes, filtered as a whole, and all of them, slice by slice."""
    noisy, clean = (f"phantom:32x28x16x3,{kind}" for kind in ("noise=gaussian,sigma=0.1", "clean"))
    truth = {}
    for name, words in (("noisy", ["-f", "soft-threshold:dimensions=3,threshold=0.05,levels=2"]), ("clean", [])):
        run("process", noisy if words else clean, *words, "-o", f"{name}-4d.nii")
        truth[name] = nibabel.load(f"{name}-4d.nii").get_fdata()
    common = ["--reference", clean, "--vary", "soft-threshold.levels=1:2", "--csv", "over.csv"]
    found = {}
    for frames in ("1-16", "17-32", "33-48", "all"):
        for dimensions in (2, 3):
            if (frames, dimensions) != ("all", 3):
                sweep(noisy, "-f", f"soft-threshold:dimensions={dimensions},threshold=0.05", *common, "--frames", frames)
                found[frames, dimensions] = float(table("over.csv")[1]["mse"])
                os.remove("over.csv")
    volumes = [truth[name].reshape(32, 28, 16, 3, order="F")[..., 1] for name in ("noisy", "clean")]
    image = run_info(noisy)["image"]
    near(found["17-32", 3], np.mean(((volumes[0] - volumes[1]) / (image["stored_max"] - image["stored_min"])) ** 2),
         "the second volume")
    near(found["all", 2], np.mean([found[frames, 2] for frames in ("1-16", "17-32", "33-48")]), "all volumes")


def run_info(source):
    return json.loads(run("info", source, "--json").stdout)


sys.exit(run_cases({
    "rows are the whole grid, and what process and compare say": rows_are_the_whole_grid,
    "- is standard input and output": streams_are_dashes,
    "a sweep continues wherever its table ends": stopped_sweeps_continue,
    "a sweep that was killed continues": killed_sweeps_continue,
    "shards make the whole, on any number of threads": shards_make_the_whole,
    "where the system allows no thread, the table is the same": no_threads_make_the_whole,
    "tables of other sweeps are refused and stay": other_tables_are_refused,
    "a full disk loses no row": full_disks_lose_nothing,
    "a range of more than a million is swept": a_range_of_more_than_a_million_is_swept,
    "what cannot be swept is refused in a sentence": what_cannot_be_swept_is_refused,
    "points that cannot be computed have no metrics": points_that_cannot_be_computed_have_no_metrics,
    "words and second filters vary, regions are measured": words_and_second_filters_vary,
    "the strength of a recipe varies": the_strength_of_a_recipe_varies,
    "plots are drawn, names are escaped": plots_are_drawn,
    "sheets show the results": sheets_show_the_results,
    "filters stand in for each other": filters_stand_in_for_each_other,
    "filters are continued and shared out": filters_are_continued_and_shared_out,
    "the best filter is found": the_best_filter_is_found,
    "frames follow each other": frames_follow_each_other,
    "volumes are filtered whole": volumes_are_filtered_whole,
    "volumes over time are measured": volumes_over_time_are_measured,
    "optimise finds what a sweep finds": optimise_finds_what_a_sweep_finds,
    "the end of a range is told": the_end_of_a_range_is_told,
    "what was before is the mean of all frames": before_is_the_mean_of_all_frames,
    "a search that is stopped says so": a_stopped_search_says_so,
}))
