#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Large batches: folders below folders, shares of several runs, what an earlier run has done, and DICOM
files of several runs that fit together.

usage: shares.py ONDELETTE_CLI
"""
import os
import pathlib
import subprocess
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "helpers"))
import pixels  # noqa: E402
from command_line import CLI, fails, leftovers, process, random_picture, read, run_cases  # noqa: E402
from dicom_file import Writer  # noqa: E402


def files(folder):
    return sorted(str(path.relative_to(folder)) for path in pathlib.Path(folder).rglob("*") if path.is_file())


def make_tree(root, names):
    for i, name in enumerate(names):
        path = pathlib.Path(root, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        pixels.write_png(path, random_picture(1, np.uint8, seed=i))


TREE = ("a.png", "one/a.png", "one/b.png", "one/two/a.png", "three/c.png")


def trees_are_kept():
    make_tree("in", TREE)
    process("in", "-o", "out", "--recursive", "-f", "median")
    assert files("out") == sorted(TREE), files("out")
    for name in TREE:
        process(f"in/{name}", "-o", "alone.png", "--force", "-f", "median")
        assert pathlib.Path("alone.png").read_bytes() == pathlib.Path("out", name).read_bytes(), name
    process("in", "-o", "flat")
    assert files("flat") == ["a.png"], "without --recursive the folders below count, too"
    process("in/", "-o", "slash/", "--recursive")
    assert files("slash") == sorted(TREE), files("slash")


def bad_files_do_not_stop_it():
    make_tree("in", TREE)
    pathlib.Path("in/one/b.png").write_bytes(b"\x89PNG\r\n\x1a\nno")
    done = process("in", "-o", "out", "--recursive", status=1)
    assert files("out") == sorted(name for name in TREE if name != "one/b.png"), files("out")
    assert "in/one/b.png" in done.stderr and "1 of 5 pictures could not be processed" in done.stderr, done.stderr
    assert not leftovers("out/one")


def circles_and_outputs_are_no_inputs():
    make_tree("in", TREE)
    os.symlink("../..", "in/one/circle")
    os.symlink("in", "other")
    os.makedirs("in/.hidden")
    make_tree("in/.hidden", ["h.png"])
    for _ in range(2):
        process("in", "-o", "in/three/out", "--recursive", "--force")
        assert files("in/three/out") == sorted(TREE), files("in/three/out")


def shares_are_disjoint_and_together_everything():
    make_tree("in", [f"{i % 3}/{i:02}.png" for i in range(11)])
    process("in", "-o", "whole", "--recursive")
    seen = []
    for i in (1, 2, 3):
        process("in", "-o", f"share-{i}", "--recursive", "--shard", f"{i}/3")
        seen += files(f"share-{i}")
        assert 3 <= len(files(f"share-{i}")) <= 4
    assert sorted(seen) == files("whole"), seen
    process("in", "-o", "many", "--recursive", "--shard", "20/20")
    assert files("many") == []


def what_is_there_is_left_alone():
    make_tree("in", TREE)
    process("in", "-o", "out", "--recursive")
    kept, gone = pathlib.Path("out/one/a.png"), pathlib.Path("out/three/c.png")
    kept.write_bytes(b"touched")
    before = gone.read_bytes()
    gone.unlink()
    done = process("in", "-o", "out", "--recursive", "--resume")
    assert kept.read_bytes() == b"touched" and gone.read_bytes() == before
    assert "4 of 5 pictures were there already" in done.stderr, done.stderr
    done = process("in", "-o", "out", "--recursive", "--resume")
    assert "5 of 5 pictures were there already" in done.stderr, done.stderr


def make_study(root, patients=2, pictures=3):
    for p in range(patients):
        for i in range(pictures):
            out = Writer()
            out.put(0x00080016, "UI", "1.2.840.10008.5.1.4.1.1.7").put(0x00080018, "UI", f"1.2.3.{p}.{i}")
            out.put(0x0020000d, "UI", f"1.2.3.{p}").put(0x0020000e, "UI", f"1.2.3.{p}.9").put(0x00080060, "CS", "OT")
            out.put(0x00100010, "PN", f"Doe{p}^Jane").put(0x00200013, "IS", i + 1)
            out.put(0x00280002, "US", 1).put(0x00280004, "CS", "MONOCHROME2")
            out.put(0x00280010, "US", 20).put(0x00280011, "US", 30).put(0x00280100, "US", 8)
            out.put(0x00280101, "US", 8).put(0x00280102, "US", 7).put(0x00280103, "US", 0)
            out.put(0x7fe00010, "OB", np.random.default_rng([p, i]).integers(0, 255, 600).astype("u1").tobytes())
            folder = pathlib.Path(root, f"DOE{p}_JANE")
            folder.mkdir(parents=True, exist_ok=True)
            out.write().rename(folder / f"{i}.dcm")


def series_of(folder):
    """Identifiers: of each series, the pictures."""
    found = {}
    for name in files(folder):
        details = read("info", pathlib.Path(folder, name))["details"]
        found.setdefault((details["study-instance"], details["series-instance"]), []).append(details["sop-instance"])
    return {key: sorted(value) for key, value in found.items()}


def runs_with_one_secret_fit_together():
    make_study("in")
    common = ("in", "--recursive", "--format", "dicom", "-f", "median", "--secret", "secret")
    process(*common, "-o", "whole")
    assert os.stat("secret").st_mode & 0o777 == 0o600 and len(pathlib.Path("secret").read_text().strip()) == 64
    assert files("whole") == [f"DOE{p}_JANE/{i}.dcm" for p in (0, 1) for i in (0, 1, 2)]
    whole = series_of("whole")
    assert len(whole) == 2 and all(len(set(pictures)) == 3 for pictures in whole.values()), whole
    for i in (1, 2):
        process(*common, "-o", "shares", "--shard", f"{i}/2")
    assert series_of("shares") == whole
    os.unlink("shares/DOE1_JANE/1.dcm")
    process(*common, "-o", "shares", "--resume")
    assert series_of("shares") == whole
    # Another recipe makes other pictures, which are never taken for these.
    process(*common[:-4], "-f", "gaussian", "--secret", "secret", "-o", "others")
    others = series_of("others")
    assert not {uid for pictures in others.values() for uid in pictures} & \
        {uid for pictures in whole.values() for uid in pictures}
    # And so does another secret.
    process(*common[:-1], "secret-2", "-o", "apart")
    assert not set(series_of("apart")) & set(whole)


def runs_at_the_same_time_make_one_secret():
    make_study("in", 1, 8)
    runs = [subprocess.Popen([CLI, "process", "in", "-o", "out", "--recursive", "--format", "dicom", "-f", "median",
                              "--secret", "secret", "--shard", f"{i}/4"], stderr=subprocess.DEVNULL) for i in (1, 2, 3, 4)]
    assert [one.wait(600) for one in runs] == [0] * 4
    assert len(series_of("out")) == 1 and len(files("out")) == 8
    assert [name for name in os.listdir() if name.startswith("secret")] == ["secret"]


def names_of_folders_may_be_those_of_patients():
    make_study("in")
    for i in (1, 2):
        process("in", "-o", "out", "--recursive", "--format", "dicom", "--deidentify", "--secret", "secret",
                "--shard", f"{i}/2")
    assert files("out") == [f"{i:05}.dcm" for i in range(1, 7)], files("out")
    assert [path.name for path in pathlib.Path("out").iterdir() if path.is_dir()] == []
    assert all(b"DOE" not in path.read_bytes().upper() for path in pathlib.Path("out").iterdir())
    assert len(series_of("out")) == 2


def what_does_not_fit_is_refused():
    make_study("in")
    many = ("process", "in", "-o", "out", "--recursive", "--format", "dicom")
    for more in (("--shard", "1/2"), ("--resume",)):
        fails(2, "--secret", arguments=(*many, *more))
    for text in ("0/2", "3/2", "1", "a/b", "1/2/3", "1/0", "-1/2"):
        fails(2, "is no share", arguments=(*many, "--secret", "secret", f"--shard={text}"))
    pathlib.Path("short").write_text("0123\n")
    fails(1, "short", "holds no secret", arguments=(*many, "--secret", "short"))
    fails(1, "cannot be written", arguments=(*many, "--secret", "nowhere/secret"))
    fails(2, "--secret is for DICOM", arguments=("process", "in", "-o", "out", "--recursive", "--secret", "secret"))
    fails(2, "several pictures", arguments=("process", "in/DOE0_JANE/0.dcm", "-o", "a.png", "--resume"))
    assert not os.path.exists("secret") or len(pathlib.Path("secret").read_text()) == 65


if __name__ == "__main__":
    sys.exit(run_cases({case.__name__.replace("_", " "): case for case in (
        trees_are_kept, bad_files_do_not_stop_it, circles_and_outputs_are_no_inputs,
        shares_are_disjoint_and_together_everything, what_is_there_is_left_alone,
        runs_with_one_secret_fit_together, runs_at_the_same_time_make_one_secret,
        names_of_folders_may_be_those_of_patients, what_does_not_fit_is_refused)}))
