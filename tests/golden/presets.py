#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Presets by name: those of the program and the user's own; their strength.

usage: presets.py ONDELETTE_CLI
"""
import json
import os
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
import pixels  # noqa: E402
from command_line import fails, process, read, run, run_cases  # noqa: E402

FILES = pathlib.Path(__file__).resolve().parents[2] / "resources" / "presets"
# What needs another picture, a grid, or decides for good.
SPECIAL = {"painting", "caricature", "bone"}
PHANTOM = "phantom:96x80,seed=3"


def result(*options):
    process(PHANTOM, "-o", "out.tif", "--force", "-e", "cpu", *options)
    return pixels.read_tiff("out.tif")[1]


def shipped_presets_are_their_files():
    listed = {one["name"] for one in read("list", "presets")}
    assert listed == {path.stem for path in FILES.glob("*.txt")}, listed
    assert {"ultrasound-soft", "ultrasound-strong", "x-ray", "ct", "microscope",
            "webcam-night"} <= listed
    plain = result()
    for name in sorted(listed - SPECIAL):
        by_name = result("--preset", name)
        assert np.array_equal(by_name, result("--recipe", FILES / (name + ".txt"))), name
        assert np.array_equal(by_name, result("-f", name)), name
        if name not in ("x-ray", "microscope", "webcam-night"):
            assert np.abs(by_name - plain).max() > 1, name


def speckle_goes():
    """Both presets for ultrasound come nearer to the phantom without speckle; strong leaves less."""
    big = "phantom:384x384,seed=3"

    def of(*options):
        process(big, "-o", "big.tif", "--force", "-e", "cpu", *options)
        return pixels.read_tiff("big.tif")[1]

    process(big + ",clean", "-o", "clean.tif")
    clean = pixels.read_tiff("clean.tif")[1]
    results = [of(*options) for options in ([], ["-p", "ultrasound-soft"], ["-p", "ultrasound-strong"])]
    errors = [((one - clean) ** 2).mean() for one in results]
    assert errors[0] > 1.3 * max(errors[1:]), errors
    roughness = [np.median(np.abs(np.diff(one, axis=1))[clean[:, 1:] > 20]) for one in results]
    assert roughness[0] > 2 * roughness[1] > 4 * roughness[2], roughness


def strength_scales():
    plain = result()
    for name in ("ultrasound-soft", "ultrasound-strong", "even-gain"):
        none = result("-p", name, "--strength", "0")
        assert np.abs(none - plain).max() < 255 * 2e-6, name
    half = result("-f", "gaussian:sigma=1", "--strength", "0.5")
    assert np.array_equal(half, result("-f", "gaussian:sigma=0.5"))
    # The text of the file holds what was asked for, and gives the same again.
    process(PHANTOM, "-o", "out.png", "-p", "ultrasound-soft", "--strength", "2", "--force")
    twice = result("-p", "ultrasound-soft", "--strength", "2")
    assert np.array_equal(twice, result("-f", "srad:steps=30 colour=luma"))


def neutral_settings_are_said():
    """The program's own number, on two engines and a picture of a file."""
    process(PHANTOM, "-o", "a.png", "--force")
    for engine, source in (("reference", PHANTOM), ("cpu", "a.png")):
        found = json.loads(run("neutral", source, "-e", engine, "--json").stdout)
        names = {one["filter"] for one in found}
        assert len(names) == len(found) > 15, found
        assert names >= {"transform inverse", "soft-threshold:transform=dual-tree,threshold=0"}, names
        assert all(one["largest"] <= 2e-6 for one in found), found
        assert any(one["largest"] > 0 for one in found), found  # it is measured
        assert "at most" in run("neutral", source, "-e", engine).stdout
    fails(2, "one picture", arguments=["neutral", "a.png", "b.png"])
    fails(1, "no.png", arguments=["neutral", "no.png"])


def own_presets():
    home = pathlib.Path("home").resolve()
    folder = home / "ondelette" / "presets"
    folder.mkdir(parents=True)
    (folder / "My knees, left.txt").write_text("# mine\ngaussian:sigma=0.5\nstrength=2\n")
    (folder / "old.txt").write_text("# Ondelette recipe, format 2\nwonder\n")
    (folder / "a\x1b[1m.txt").write_text("sharpen")
    os.environ["XDG_DATA_HOME"] = str(home)
    try:
        listed = {one["name"]: one["recipe"] for one in read("list", "presets")}
        assert listed["My knees, left"].startswith("gaussian:sigma=0.5 "), listed
        assert "newer version" in listed["old"], listed
        assert not any("\x1b" in name for name in listed), listed
        wanted = result("-f", "gaussian:sigma=1")
        assert np.array_equal(wanted, result("--preset", "My knees, left"))
        assert np.array_equal(wanted, result("--recipe", "My knees, left"))
        fails(2, "newer version", "old.txt",
              arguments=["process", PHANTOM, "-o", "no.png", "-p", "old"])
        assert not pathlib.Path("no.png").exists()
        assert (folder / "old.txt").read_text() == "# Ondelette recipe, format 2\nwonder\n"
    finally:
        del os.environ["XDG_DATA_HOME"]


def what_is_wrong_is_said():
    to = ["process", PHANTOM, "-o", "no.png"]
    fails(2, "no preset", "x-ray", arguments=[*to, "-p", "xray"])
    fails(2, "no preset", arguments=[*to, "-p", "../../etc/passwd"])
    fails(2, "--preset", "--recipe", arguments=[*to, "-p", "ct", "-r", "bone"])
    for bad in ("-1", "5", "much", ""):
        fails(2, "from 0 to 4", arguments=[*to, "-p", "ct", "--strength=" + bad])
    assert not pathlib.Path("no.png").exists()


sys.exit(run_cases({"the program's presets are their files": shipped_presets_are_their_files,
                    "presets for ultrasound take speckle away": speckle_goes,
                    "strength scales, 0 changes nothing": strength_scales,
                    "neutral settings are said to change nothing": neutral_settings_are_said,
                    "the user's presets go by name": own_presets,
                    "what is wrong is said": what_is_wrong_is_said}))
