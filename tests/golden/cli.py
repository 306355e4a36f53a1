#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The command line program, as people use it.

usage: cli.py ONDELETTE_CLI MAN_PAGE
"""
import json
import os
import pathlib
import re
import resource
import signal
import stat
import subprocess
import sys
import tempfile
import time

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
import pixels  # noqa: E402
from unfinished import unfinished  # noqa: E402

CLI = os.path.abspath(sys.argv[1])
MAN_PAGE = os.path.abspath(sys.argv[2])
SOFT = "soft-threshold:wavelet=cdf97,levels=3,threshold=0.05"
PNG_KINDS = [(channels, dtype) for channels in (1, 2, 3, 4) for dtype in (np.uint8, np.uint16)]
HOME = tempfile.TemporaryDirectory(prefix="ondelette-cli-")


class Skip(Exception):
    pass


def run(*arguments, status=0, **more):
    done = subprocess.run([CLI, *map(str, arguments)], capture_output=True, timeout=1800,
                          encoding="utf-8", **more)
    assert done.returncode == status, \
        f"{arguments} gave {done.returncode}, not {status}: {done.stderr}"
    return done


def process(*arguments, **more):
    return run("process", *arguments, **more)


def read(*arguments):
    return json.loads(run(*arguments, "--json").stdout)


def fails(status, *words, arguments, **more):
    """The run fails with that status and one message that holds the words."""
    done = run(*arguments, status=status, **more)
    lines = done.stderr.splitlines()
    assert len(lines) == 1 and lines[0].startswith("ondelette-cli: "), done.stderr
    for word in words:
        assert word.lower() in lines[0].lower(), f"“{word}” is not in: {lines[0]}"


def leftovers(folder="."):
    return [name for name in os.listdir(folder) if name.endswith(".part")]


def random_picture(channels, dtype, height=37, width=53, seed=1):
    random = np.random.default_rng(seed)
    top = np.iinfo(dtype).max
    picture = random.integers(0, top, (height, width, channels), dtype, endpoint=True)
    picture[0, :2] = 0
    picture[1, :2] = top
    return picture


def as_rgba(picture):
    if picture.shape[2] != 2:
        return picture
    return np.concatenate([picture[:, :, :1]] * 3 + [picture[:, :, 1:]], axis=2)


# ---- process -------------------------------------------------------------------------------

def the_issues_example():
    process("phantom:512x512", "-o", "out.png", "--filter", SOFT)
    header = next(pixels.png_chunks("out.png"))[1]
    assert header[:10] == bytes([0, 0, 2, 0, 0, 0, 2, 0, 8, 0]), header
    before = read("compare", "phantom:512x512,clean", "phantom:512x512")
    after = read("compare", "phantom:512x512,clean", "out.png")
    assert after["psnr_db"] > before["psnr_db"] + 0.5, (before, after)


def engines_agree(engine):
    for size in ("phantom:512x512", "phantom:131x97"):
        for extra in ([], ["--view", "analysis"], ["--view", "filtered-analysis"]):
            common = [size, "--filter", SOFT, *extra]
            process(*common, "-o", "reference.tif", "--engine", "reference")
            done = subprocess.run([CLI, "process", *common, "-o", "other.tif", "--engine", engine],
                                  capture_output=True, encoding="utf-8", timeout=1800)
            if done.returncode and engine.startswith("gl-"):
                raise Skip(done.stderr.strip())
            assert done.returncode == 0, done.stderr
            a = pixels.read_tiff("reference.tif")[1]
            b = pixels.read_tiff("other.tif")[1]
            worst = np.abs(a - b).max() / 255
            assert worst <= 1e-5, f"{size} {extra}: {worst}"


def pass_through(channels, dtype):
    picture = random_picture(channels, dtype)
    for name, arguments in (("nothing.png", []), ("passed.png", ["--filter", "pass-through"])):
        pixels.write_png("in.png", picture)
        process("in.png", "-o", name, *arguments)
        got = pixels.read_png(name)
        assert got.dtype == dtype, got.dtype
        assert np.array_equal(got, as_rgba(picture)), np.abs(got - as_rgba(picture)).max()


def float_tiff():
    picture = random_picture(1, np.uint16)
    pixels.write_png("in.png", picture)
    process("in.png", "-o", "out.tif", "--filter", "pass-through")
    tags, got = pixels.read_tiff("out.tif")
    assert np.abs(got - picture).max() <= 65535 * 2e-7, np.abs(got - picture).max()
    assert tags[340] == (0,) and tags[341] == (65535,), (tags[340], tags[341])
    assert b"pass-through" in tags[270][0] and b"diagnostic" not in tags[270][0]


def float_tiff_is_not_clipped():
    process("phantom:256x256", "-o", "out.tif", "-f", "sharpen:amount=4")
    got = pixels.read_tiff("out.tif")[1]
    assert got.min() < -1 and got.max() > 256, (got.min(), got.max())


def analysis_in_tiff():
    process("phantom:64x64", "-o", "whole.tif", "-f", SOFT, "--view", "analysis")
    got = pixels.read_tiff("whole.tif")[1][:, :, 0]
    assert got[:8, :8].min() >= -60 and got[:8, :8].max() > 60
    assert abs(got[32:, 32:].mean()) < 5 and got[32:, 32:].min() < -5


def texts_say_what_was_done():
    process("phantom:64x64", "-o", "out.png", "-f", SOFT, "--engine", "cpu")
    texts = pixels.png_texts("out.png")
    assert texts["Software"].startswith("Ondelette "), texts
    for word in ("soft-threshold", "threshold=0.05", "engine cpu", "not for diagnostic use"):
        assert word in texts["Description"], texts
    process("phantom:64x64", "-o", "out.png")
    assert "diagnostic" not in pixels.png_texts("out.png")["Description"]


def texts_keep_names_private():
    pixels.write_png("Doe^Jane.png", random_picture(1, np.uint8))
    process("Doe^Jane.png", "-o", "out.png", "-f", "gaussian")
    process("Doe^Jane.png", "-o", "out.tif", "-f", "gaussian")
    for name in ("out.png", "out.tif"):
        assert b"Doe" not in open(name, "rb").read(), name


def recipe_file():
    pathlib.Path("soft.recipe").write_text(f"# tuned by hand\n{SOFT}\nview=filtered-analysis\n")
    process("phantom:96x64", "-o", "a.png", "--recipe", "soft.recipe")
    process("phantom:96x64", "-o", "b.png", "--filter", SOFT, "--view", "filtered-analysis")
    process("phantom:96x64", "-o", "c.png", "--filter", f"{SOFT} view=filtered-analysis")
    a, b, c = (pathlib.Path(name).read_bytes() for name in ("a.png", "b.png", "c.png"))
    assert a == b == c
    process("phantom:96x64", "-o", "d.png", "--filter", SOFT)
    assert pathlib.Path("d.png").read_bytes() != a


def text_written_is_text_read():
    process("phantom:64x64", "-o", "a.png", "-f", "shrinkage:thresholds=0.1/0.07",
            "-f", "gaussian:sigma=1.5", "--colour", "luma")
    said = pixels.png_texts("a.png")["Description"]
    recipe = said.removeprefix("recipe ").partition(";")[0]
    process("phantom:64x64", "-o", "b.png", "-f", recipe)
    assert pathlib.Path("a.png").read_bytes() == pathlib.Path("b.png").read_bytes()


def frames_differ():
    for n in (0, 10):
        process("phantom:64x64", "-o", f"frame{n}.png", "--frame", n)
    assert not np.array_equal(pixels.read_png("frame0.png"), pixels.read_png("frame10.png"))


def windows_act():
    process("phantom:64x64", "-o", "full.png", "--window", "full")
    process("phantom:64x64", "-o", "file.png")
    process("phantom:64x64", "-o", "narrow.png", "--window", "-10,1")
    full, file, narrow = (pixels.read_png(f"{n}.png") for n in ("full", "file", "narrow"))
    assert np.array_equal(full, file) and narrow.min() == 255


def batch_into_a_new_folder():
    done = process("phantom:64x64", "phantom:64x64,seed=2", "phantom:64x64", "-o", "new/folder")
    names = sorted(os.listdir("new/folder"))
    assert names == ["phantom-64x64-2.png", "phantom-64x64-seed-2.png", "phantom-64x64.png"], names
    lines = done.stderr.splitlines()
    assert len(lines) == 3 and lines[0].startswith("[1/3] "), done.stderr
    assert not leftovers("new/folder")


def folder_into_folder():
    os.mkdir("pictures")
    for n, name in enumerate(("b.png", "a.png", "a.tiff.png")):
        pixels.write_png(f"pictures/{name}", random_picture(1, np.uint8, seed=n))
    pathlib.Path("pictures/.hidden.png").write_bytes(b"no")
    pathlib.Path("pictures/notes.txt").write_text("no picture")
    process("pictures", "-o", "results", "-f", "gaussian", "--format", "tiff")
    assert sorted(os.listdir("results")) == ["a.tif", "a.tiff.tif", "b.tif"]


def batch_goes_on():
    pathlib.Path("broken.png").write_bytes(b"\x89PNG\r\n\x1a\nrubbish")
    done = process("broken.png", "phantom:64x64", "missing.png", "-o", "partly", status=1)
    assert os.listdir("partly") == ["phantom-64x64.png"]
    assert "broken.png: " in done.stderr and "missing.png: " in done.stderr
    assert "2 of 3" in done.stderr


def batch_of_failures():
    done = process("missing1.png", "missing2.png", "-o", "unmade", status=1)
    assert "None of the 2 pictures" in done.stderr and not os.path.exists("unmade"), done.stderr
    os.mkdir("kept")
    process("missing1.png", "missing2.png", "-o", "kept", status=1)
    assert os.path.isdir("kept")


def single_into_a_folder():
    os.mkdir("existing")
    process("phantom:64x64", "-o", "existing")
    assert os.listdir("existing") == ["phantom-64x64.png"]


def shared(path):
    data = os.environ.get("ODL_TESTDATA", "")
    if not os.path.isdir(data):
        raise Skip("shared/testdata is absent")
    return os.path.join(data, path)


def dicom_keeps_its_unit():
    scan = shared("dicom-test-files/REF/CT1_UNC")
    process(scan, "-o", "ct.tif")
    tags, got = pixels.read_tiff("ct.tif")
    raw = pathlib.Path(scan).read_bytes()
    at = raw.rindex(b"\xe0\x7f\x10\x00OW") + 12
    stored = np.frombuffer(raw[at:at + 2 * 512 * 512], "<i2").reshape(512, 512, 1)
    assert np.abs(got - (stored - 1024.0)).max() <= 65536 * 2e-7
    assert b"unit HU" in tags[270][0]
    process(scan, "-o", "ct.png", "--window", "40,400")
    shown = pixels.read_png("ct.png").astype(float) / 65535
    expected = np.clip((stored - 1024.0 - 39.5) / 399 + 0.5, 0, 1)
    assert shown.shape == got.shape and np.abs(shown - expected).max() < 1e-4


def monochrome1_is_shown_inverted():
    scan = shared("dicom-test-files/JPLL/RG3_JPLL")
    assert read("info", scan)["image"]["inverse"] is True
    process(scan, "-o", "x.tif")
    process(scan, "-o", "x.png")
    process("x.png", "-o", "shown.tif")
    values, shown = (pixels.read_tiff(name)[1].ravel() for name in ("x.tif", "shown.tif"))
    assert np.corrcoef(values, shown)[0, 1] < -0.8


def incomplete_is_marked():
    pixels.write_png("whole.png", random_picture(1, np.uint8, 200, 200))
    whole = pathlib.Path("whole.png").read_bytes()
    pathlib.Path("half.png").write_bytes(whole[:len(whole) // 2])
    done = process("half.png", "-o", "out.png")
    assert "half.png: warning: incomplete" in done.stderr, done.stderr
    assert pixels.png_texts("out.png")["Warning"] == "incomplete"
    process("whole.png", "-o", "out.png")
    assert "Warning" not in pixels.png_texts("out.png")


# ---- failures ------------------------------------------------------------------------------

def never_over_the_input():
    pixels.write_png("keep.png", random_picture(1, np.uint8))
    before = pathlib.Path("keep.png").read_bytes()
    os.link("keep.png", "hard.png")
    os.symlink("keep.png", "soft.png")
    for out in ("keep.png", "./keep.png", "hard.png", "soft.png"):
        fails(1, out, "never written over", arguments=["process", "keep.png", "-o", out])
    process("keep.png", "phantom:64x64", "-o", ".", status=1)
    assert pathlib.Path("keep.png").read_bytes() == before


def existing_output_is_replaced():
    pathlib.Path("old.png").write_text("old")
    os.chmod("old.png", 0o640)
    os.symlink("old.png", "link.png")
    process("phantom:64x64", "-o", "link.png")
    assert pixels.read_png("old.png").shape == (64, 64, 1)
    assert os.path.islink("link.png") and stat.S_IMODE(os.stat("old.png").st_mode) == 0o640


def link_to_nowhere_stays():
    os.symlink("nowhere", "lost.png")
    fails(1, "lost.png", arguments=["process", "phantom:64x64", "-o", "lost.png"])
    assert os.path.islink("lost.png")


def full_standard_output():
    for arguments in (["list", "filters"], ["info", "phantom", "--json"], ["--help"],
                      ["compare", "phantom", "phantom"]):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([CLI, *arguments], stdout=full, stderr=subprocess.PIPE,
                                  encoding="utf-8", timeout=1800)
        assert done.returncode == 1 and "Standard output" in done.stderr, (arguments, done)


def full_disk():
    for kind in ("png", "tiff"):
        fails(1, "/dev/full", "No space left",
              arguments=["process", "phantom:64x64", "-o", "/dev/full", "--format", kind])
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode)


def file_too_large():
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

    for name in ("limited.png", "limited.tif"):
        pathlib.Path(name).write_text("old")
        fails(1, name, "too large", arguments=["process", "phantom:256x256", "-o", name],
              preexec_fn=limit)
        assert pathlib.Path(name).read_text() == "old"
    assert not leftovers()


def unwritable_folder():
    os.mkdir("locked")
    pathlib.Path("locked/old.png").write_text("old")
    os.chmod("locked", 0o555)
    if os.access("locked", os.W_OK):  # root may write everywhere but to /proc
        fails(1, "/proc/x.png", arguments=["process", "phantom:64x64", "-o", "/proc/x.png"])
    else:
        fails(1, "locked/old.png", "Permission denied",
              arguments=["process", "phantom:64x64", "-o", "locked/old.png"])
    assert pathlib.Path("locked/old.png").read_text() == "old"
    fails(1, "gone/x.png", "Create the folder",
          arguments=["process", "phantom:64x64", "-o", "gone/x.png"])


def interrupted():
    for _ in range(200):
        pathlib.Path("slow.tif").write_text("old")
        child = subprocess.Popen([CLI, "process", "phantom:4096x4096", "-o", "slow.tif"],
                                 stderr=subprocess.DEVNULL)
        while child.poll() is None and not unfinished(child.pid):
            time.sleep(0.001)
        writing = child.poll() is None
        child.send_signal(signal.SIGINT)
        status = child.wait(timeout=1800)
        assert not leftovers(), leftovers()
        if writing and status == -signal.SIGINT:
            assert pathlib.Path("slow.tif").read_text() == "old"
            return
        assert status in (0, -signal.SIGINT), status
    raise AssertionError("never caught while writing")


def bad_inputs():
    pathlib.Path("empty.png").write_bytes(b"")
    pathlib.Path("text.png").write_text("this is no picture at all\n" * 20)
    for name in ("missing.png", "empty.png", "text.png"):
        fails(1, name, arguments=["process", name, "-o", "no.png"])
        fails(1, name, arguments=["info", name])
        fails(1, name, arguments=["compare", name, "phantom"])
        assert not os.path.exists("no.png")
    for name in ("missing.png", "text.png", "./empty.png", "phantom:1x1"):
        message = run("info", name, status=1).stderr
        base = os.path.basename(name)
        assert message.count(base) == 1 and name in message, message
    message = run("info", "two\nlines\033[31m.png", status=1).stderr
    assert message.startswith("ondelette-cli: two?lines?[31m.png: "), message
    os.mkdir("hollow")
    fails(1, "hollow", arguments=["process", "hollow", "-o", "results"])


def usage_errors():
    p = ["process", "phantom:64x64", "-o", "no.png"]
    for words, arguments in [
            (["verb"], []),
            (["paint", "verb"], ["paint"]),
            (["--nonsense"], p + ["--nonsense"]),
            (["input"], ["process", "-o", "x.png"]),
            (["-o"], ["process", "phantom"]),
            ([".gif", ".png", ".tif"], ["process", "phantom", "-o", "no.gif"]),
            (["jpeg", "png", "tiff"], p + ["--format", "jpeg"]),
            (["filter"], p + ["--filter", " "]),
            (["blur"], p + ["--filter", "blur"]),
            (["threshold"], p + ["--filter", "soft-threshold:threshold=x"]),
            (["sideways"], p + ["--view", "sideways"]),
            (["warp", "auto", "cpu"], p + ["--engine", "warp"]),
            (["precision"], p + ["--precision", "12"]),
            (["40"], p + ["--window", "40"]),
            (["1,0"], p + ["--window", "1,0"]),
            (["frame"], p + ["--frame", "-1"]),
            (["no.png", "folder"], p + ["phantom:64x65"]),
            (["filters", "wavelets"], ["list"]),
            (["filters"], ["list", "colours"]),
            (["picture"], ["info"]),
            (["two"], ["compare", "phantom"])]:
        fails(2, *words, arguments=arguments)
        assert not os.path.exists("no.png")


def too_large_for_the_gpu():
    pixels.write_png("wide.png", random_picture(1, np.uint8, 2, 40000))
    done = subprocess.run([CLI, "process", "wide.png", "-o", "no.png", "--engine", "gl-fragment"],
                          capture_output=True, encoding="utf-8", timeout=1800)
    if done.returncode == 0:
        raise Skip("the graphics driver takes 40000 pixels")
    assert done.returncode == 1 and ("gl-fragment" in done.stderr or "40000" in done.stderr)
    assert not os.path.exists("no.png")
    process("wide.png", "-o", "yes.png", "--filter", "pass-through")
    assert read("compare", "wide.png", "yes.png")["equal"]


def other_failures():
    fails(1, "phantom:64x64", "analysis",
          arguments=["process", "phantom:64x64", "-o", "no.png", "--view", "analysis"])
    fails(1, "phantom:64x32",
          arguments=["compare", "phantom:64x64", "phantom:64x32"])
    fails(1, "none.recipe", arguments=["process", "phantom", "-o", "no.png", "-r", "none.recipe"])


# ---- the other verbs -----------------------------------------------------------------------

def help_names_every_verb():
    text = run("--help").stdout
    for verb in ("process", "info", "list", "compare", "bench"):
        assert f"\n  {verb}" in text, verb
        own = run(verb, "--help").stdout
        assert f"ondelette-cli {verb}" in own, own
    assert run("--version").stdout.startswith("ondelette-cli ")


def manual_names_every_option():
    manual = pathlib.Path(MAN_PAGE).read_text(encoding="utf-8").replace("\\-", "-")
    for verb in ("process", "info", "list", "compare", "bench"):
        assert f"ondelette-cli {verb}" in manual
        options = re.findall(r"^ +(?:-., )?(--[a-z-]+)", run(verb, "--help").stdout, re.M)
        assert "--help" in options
        for option in options:
            assert re.search(rf"{option}\b", manual), f"{verb} {option}"


def lists_are_complete():
    expected = {
        "filters": ["pass-through", "gaussian", "sharpen", "soft-threshold", "hard-threshold",
                    "shrinkage"],
        "wavelets": ["cdf97", "cdf53", "int53", "haar", "db10", "sym10", "coif5", "bior6.8", "rbio6.8"],
        "engines": ["reference", "cpu", "gl-fragment", "gl-lookup", "gl-compute"],
        "sources": ["phantom", "still", "dicom"],
    }
    for what, names in expected.items():
        rows = read("list", what)
        text = run("list", what).stdout
        assert set(names) <= {row["name"] for row in rows}, (what, rows)
        for row in rows:
            assert f"\n{row['name']} " in "\n" + text, (what, row["name"])
            for parameter in row.get("parameters", []):
                assert f" {parameter['key']}={parameter['default']} " in text, parameter


def info_says_what_is_there():
    got = read("info", "phantom:320x200,seed=5")
    assert got["image"]["width"] == 320 and got["image"]["height"] == 200
    assert got["frames"] == 50 and got["live"] is True and got["details"]["seed"] == "5"
    text = run("info", "phantom:320x200,seed=5").stdout
    assert "320×200" in text and "phantom" in text


def negative_intercepts_have_one_sign():
    where = os.environ.get("ODL_TESTDATA", "")
    path = os.path.join(where, "dicom-test-files/REF/MR4_UNC")
    if not where or not os.path.exists(path):
        raise Skip("shared/testdata is absent")
    assert "× stored − 19595\n" in run("info", path).stdout


def drivers_are_silent():
    environment = dict(os.environ, LIBGL_DRIVERS_PATH="/nonexistent", EGL_PLATFORM="surfaceless")
    done = process("phantom:64x64", "-o", "quiet.png", env=environment)
    assert done.stderr == "", done.stderr


def odd_names_survive_json():
    name = 'a "quoted" \\ name.png'
    pixels.write_png(name, random_picture(3, np.uint16))
    got = read("info", name)
    assert got["location"] == name and got["image"]["type"] == "u16"
    assert got["image"]["channels"] == 3


def comparison_is_right():
    a = random_picture(3, np.uint8, seed=1)
    b = a.copy()
    b[7, 11, 2] = a[7, 11, 2] ^ 0x40
    pixels.write_png("a.png", a)
    pixels.write_png("b.png", b)
    got = read("compare", "a.png", "b.png")
    assert abs(got["max"] - 64 / 255) < 1e-6 and got["differing"] == 1 and not got["equal"]
    assert got["max_at"] == {"x": 11, "y": 7, "channel": 2}
    assert abs(got["rms"] - 64 / 255 / a.size ** 0.5) < 1e-7
    fails(1, "a.png", "no frame 3; the last one is 0",
          arguments=["compare", "a.png", "a.png", "--frame", "3"])
    pathlib.Path("half.png").write_bytes(pathlib.Path("a.png").read_bytes()[:3000])
    assert "incomplete" in run("compare", "a.png", "half.png").stderr
    same = read("compare", "a.png", "a.png")
    assert same["equal"] and same["psnr_db"] is None and abs(same["ssim"] - 1) < 1e-9
    assert "equal" in run("compare", "a.png", "a.png").stdout


def numbers_ignore_the_locale():
    try:
        subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", "./de_DE.UTF-8"], check=True,
                       capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        raise Skip("a locale with a decimal comma cannot be made (package locales)")
    environment = dict(os.environ, LC_ALL="de_DE.UTF-8", LOCPATH=os.getcwd(), LANGUAGE="C")
    comma = subprocess.run(["locale", "decimal_point"], env=environment, capture_output=True,
                           encoding="utf-8").stdout
    assert comma == ",\n", comma
    process("phantom:64x64", "-o", "de.png", "-f", SOFT, env=environment)
    process("phantom:64x64", "-o", "c.png", "-f", SOFT)
    assert pathlib.Path("de.png").read_bytes() == pathlib.Path("c.png").read_bytes()
    text = run("compare", "phantom:64x64", "phantom:64x64,clean", env=environment).stdout
    assert "." in text and "," not in text.split("PSNR")[1].splitlines()[0]


def auto_falls_back():
    environment = dict(os.environ, ODL_NO_GL="1", LIBGL_ALWAYS_SOFTWARE="1")
    process("phantom:64x64", "-o", "auto.png", "-f", SOFT, env=environment)
    assert "engine cpu" in pixels.png_texts("auto.png")["Description"]


CASES = {
    "the example of the manual denoises the phantom": the_issues_example,
    **{f"engine {engine} agrees with the reference to 1e-5": lambda name=engine: engines_agree(name)
       for engine in ("cpu", "gl-fragment", "gl-lookup", "gl-compute")},
    "without a GPU the automatic engine is the CPU's": auto_falls_back,
    "float TIFF keeps the stored values and their range": float_tiff,
    "float TIFF is not clipped": float_tiff_is_not_clipped,
    "float TIFF of the analysis has details around zero": analysis_in_tiff,
    "texts in the file say what was done": texts_say_what_was_done,
    "texts in the file keep names private": texts_keep_names_private,
    "a recipe file is the same as filters on the command line": recipe_file,
    "the recipe that is written can be read": text_written_is_text_read,
    "the frame can be chosen": frames_differ,
    "the window acts": windows_act,
    "DICOM values keep their unit, and the window is DICOM's": dicom_keeps_its_unit,
    "MONOCHROME1 is shown inverted": monochrome1_is_shown_inverted,
    "an incomplete picture is marked": incomplete_is_marked,
    "several inputs go into a new folder under different names": batch_into_a_new_folder,
    "a folder goes into a folder": folder_into_folder,
    "a batch goes on after a failure": batch_goes_on,
    "a batch that fails altogether says so and leaves nothing": batch_of_failures,
    "one input goes into an existing folder": single_into_a_folder,
    "an input is never written over": never_over_the_input,
    "an existing output is replaced, through links too": existing_output_is_replaced,
    "a link to nowhere is not replaced": link_to_nowhere_stays,
    "a full disk is an error": full_disk,
    "a full disk under standard output is an error": full_standard_output,
    "a file size limit leaves the old file": file_too_large,
    "a folder without write permission leaves the old file": unwritable_folder,
    "an interrupt leaves nothing behind": interrupted,
    "a picture beyond the GPU's limit is refused or goes to the CPU": too_large_for_the_gpu,
    "bad inputs are named": bad_inputs,
    "what does not parse gives status 2": usage_errors,
    "what does not work gives status 1": other_failures,
    "help names every verb": help_names_every_verb,
    "the manual names every option": manual_names_every_option,
    "lists are complete, as text and as JSON": lists_are_complete,
    "info says what is there": info_says_what_is_there,
    "a negative intercept has one sign": negative_intercepts_have_one_sign,
    "drivers that cannot be loaded write nothing": drivers_are_silent,
    "odd file names survive JSON": odd_names_survive_json,
    "compare is right": comparison_is_right,
    "numbers ignore the locale": numbers_ignore_the_locale,
}
for _channels, _dtype in PNG_KINDS:
    CASES[f"pass-through keeps {np.dtype(_dtype).itemsize * 8}-bit PNG of {_channels} channels "
          "bit for bit"] = lambda c=_channels, d=_dtype: pass_through(c, d)

print(f"1..{len(CASES)}")
for _number, (_name, _function) in enumerate(CASES.items(), 1):
    os.chdir(tempfile.mkdtemp(dir=HOME.name))
    try:
        _function()
        print(f"ok {_number} {_name}")
    except Skip as reason:
        print(f"ok {_number} {_name} # SKIP {reason}")
    except Exception as problem:  # the report must go on
        text = f"{type(problem).__name__}: {problem}".replace("\n", "\n# ")
        print(f"not ok {_number} {_name}\n# {text}")
    sys.stdout.flush()
