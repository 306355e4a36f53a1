#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What the command line program writes: pixels, units, texts, on every engine.

usage: pictures.py ONDELETTE_CLI
"""
import os
import pathlib
import subprocess
import sys
import zlib

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "helpers"))
import pixels  # noqa: E402
from command_line import (CLI, compare, process, random_picture, read, run, run_cases,  # noqa: E402
                          shared, Skip, SOFT)

PNG_KINDS = [(channels, dtype) for channels in (1, 2, 3, 4) for dtype in (np.uint8, np.uint16)]


def example_of_the_manual():
    process("phantom:512x512", "-o", "out.png", "--filter", SOFT)
    header = next(pixels.png_chunks("out.png"))[1]
    assert header[:10] == bytes([0, 0, 2, 0, 0, 0, 2, 0, 8, 0]), header
    before = compare("phantom:512x512,clean", "phantom:512x512")
    after = compare("phantom:512x512,clean", "out.png")
    assert after["psnr_db"] > before["psnr_db"] + 0.5, (before, after)


def recipe_in(name):
    """The recipe that the texts of a PNG tell."""
    text = pixels.png_texts(name)["Description"]
    return text[text.index("recipe ") + 7:text.index("; engine")]


def defaults_come_from_the_picture():
    """They improve what is noisy, spare what is clean, and stand in the file as numbers."""
    for flt in ("shrinkage", "soft-threshold", "hard-threshold"):
        process("phantom:512x512", "-o", "noisy.png", "-f", flt, "--force")
        process("phantom:512x512,clean", "-o", "clean.png", "-f", flt, "--force")
        before = compare("phantom:512x512,clean", "phantom:512x512")
        after = compare("phantom:512x512,clean", "noisy.png")
        assert after["psnr_db"] > before["psnr_db"] + (0 if "hard" in flt else 0.3), (flt, after)
        spared = compare("phantom:512x512,clean", "clean.png")
        assert spared["equal"] or spared["psnr_db"] >= 45, (flt, spared)
        recipe = recipe_in("noisy.png")
        assert flt in recipe and "auto," not in recipe and "=auto view" not in recipe, recipe
        # Window and command line get the same picture from the text.
        pathlib.Path("recipe.txt").write_text(recipe)
        done = process("phantom:512x512", "-o", "again.png", "--recipe", "recipe.txt", "--force")
        assert done.stderr == "" and compare("noisy.png", "again.png")["equal"]
    said = process("phantom:512x512", "-o", "noisy.png", "-f", "shrinkage", "--force").stderr
    assert recipe_in("noisy.png") in said and "measured" in said, said
    # Each input of several by itself.
    process("phantom:128x128", "phantom:128x128,clean", "-o", "both", "-f", "shrinkage")
    numbers = {recipe_in(f"both/{name}.png") for name in ("phantom-128x128",
                                                          "phantom-128x128-clean")}
    assert len(numbers) == 2, numbers


def defaults_spare_real_pictures():
    for name in ("dicom-test-files/REF/CT1_UNC", "pydicom/CT_small.dcm", "fo-dicom/GH1308.dcm",
                 "fo-dicom/GH1728.dcm", "pydicom-data/eCT_Supplemental.dcm",
                 "dicom-test-files/REF/MR4_UNC", "pydicom/examples_ybr_color.dcm"):
        for flt in ("shrinkage", "soft-threshold", "hard-threshold"):
            process(shared(name), "-o", "plain.tif", "--force")
            process(shared(name), "-o", "filtered.tif", "-f", flt, "--force")
            plain, filtered = (pixels.read_tiff(f"{n}.tif")[1] for n in ("plain", "filtered"))
            image = read("info", shared(name))["image"]
            scale = (image["stored_max"] - image["stored_min"]) * abs(image["slope"])
            rms = np.sqrt(np.mean(((plain - filtered) / scale) ** 2))
            assert 0 < rms < 10 ** (-45 / 20), (name, flt, rms)


def lists_of_other_lengths_are_told():
    for flt, words in (("shrinkage:levels=4,thresholds=0.1/0.05", "2 thresholds for 4 levels"),
                       ("shrinkage:levels=3,thresholds=0.1/0.05/0.02/0.01", "beyond level 3"),
                       ("shrinkage:levels=3,thresholds=0.1/0.05/0.02", ""),
                       ("shrinkage:levels=2,thresholds=0.1", "")):
        said = process("phantom:64x64", "-o", "list.png", "-f", flt, "--force").stderr
        assert words in said and bool(words) == bool(said), (flt, said)
        pathlib.Path("list.txt").write_text(recipe_in("list.png"))
        said = process("phantom:64x64", "-o", "list.png", "-r", "list.txt", "--force").stderr
        assert said == "", said


def missing_precision_is_told():
    arguments = ["phantom:64x64", "-o", "half.png", "--force", "--engine", "cpu"]
    soft = ["-f", "soft-threshold:threshold=0.05"]
    assert "cpu" in process(*arguments, *soft, "--precision", "16").stderr
    assert process(*arguments, *soft, "--precision", "32").stderr == ""
    frames = ["phantom:64x64", "-o", "half-%02d.png", "--frames", "1-3", "--engine", "cpu"]
    assert process(*frames, *soft, "--precision", "16").stderr.count("cpu") == 1


def engines_agree(engine):
    for size in ("phantom:512x512", "phantom:131x97"):
        for extra in ([], ["--view", "analysis"], ["--view", "filtered-analysis"],
                      ["--view", "residual"]):
            common = [size, "--filter", SOFT, *extra]
            process(*common, "-o", "reference.tif", "--force", "--engine", "reference")
            done = subprocess.run([CLI, "process", *common, "-o", "other.tif", "--force", "--engine", engine],
                                  capture_output=True, encoding="utf-8", timeout=1800)
            if done.returncode and engine.startswith("gl-"):
                raise Skip(done.stderr.strip())
            assert done.returncode == 0, done.stderr
            a = pixels.read_tiff("reference.tif")[1]
            b = pixels.read_tiff("other.tif")[1]
            worst = np.abs(a - b).max() / 255
            assert worst <= 1e-5, f"{size} {extra}: {worst}"


def hard_thresholds_agree():
    """Details of whole samples often equal a round threshold: all engines lose the same."""
    for wavelet, threshold in (("haar", 0.1), ("haar", 0.05), ("cdf53", 0.2), ("int53", 0.2)):
        flt = f"hard-threshold:wavelet={wavelet},levels=2,threshold={threshold}"
        process("phantom:256x256", "-o", "reference.tif", "--force", "-f", flt, "--engine", "reference")
        wanted = pixels.read_tiff("reference.tif")[1]
        for engine in ("cpu", "cpu:filtering", "gl-fragment", "gl-lookup", "gl-compute"):
            if (wavelet, engine) == ("int53", "gl-lookup"):
                continue  # which rounds nothing
            process("phantom:256x256", "-o", "other.tif", "--force", "-f", flt, "--engine", engine)
            worst = np.abs(pixels.read_tiff("other.tif")[1] - wanted).max() / 255
            assert worst <= 1e-5, f"{flt} {engine}: {worst}"


def auto_falls_back():
    lacks = {"software": {"LIBGL_ALWAYS_SOFTWARE": "1"},
             "driver": {"LIBGL_DRIVERS_PATH": "/nonexistent", "EGL_PLATFORM": "surfaceless"},
             "egl": {"__EGL_VENDOR_LIBRARY_DIRS": "/nonexistent"}}
    for name, lack in lacks.items():
        # Nothing is known yet of any engine.
        environment = dict(os.environ, XDG_CACHE_HOME=os.path.abspath(f"cache-{name}"), **lack)
        process("phantom:640x480", "-o", f"{name}.png", "-f", SOFT, env=environment)
        assert "engine cpu" in pixels.png_texts(f"{name}.png")["Description"], name


def pass_through(channels, dtype):
    picture = random_picture(channels, dtype)
    for name, arguments in (("nothing.png", []), ("passed.png", ["--filter", "pass-through"])):
        pixels.write_png("in.png", picture)
        process("in.png", "-o", name, *arguments)
        got = pixels.read_png(name)
        assert got.dtype == dtype, got.dtype
        assert np.array_equal(got, as_rgba(picture)), np.abs(got - as_rgba(picture)).max()


def as_rgba(picture):
    if picture.shape[2] != 2:
        return picture
    return np.concatenate([picture[:, :, :1]] * 3 + [picture[:, :, 1:]], axis=2)


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
    # What stands for black and white is one thing, what there is another.
    told = read("info", "whole.tif")["image"]
    assert abs(told["lowest"] - got.min()) < 1e-3 and abs(told["highest"] - got.max()) < 1e-3, told
    assert told["lowest"] < -5 and told["stored_min"] == 0, told
    said = run("info", "whole.tif").stdout
    assert "full scale 0 to 255, found -" in said and "found in: " not in said, said
    # Of several frames the first one is looked at, which is said.
    said = run("info", "phantom:16x16x8").stdout
    assert "found in: the first frame or slice" in said, said


def whole_numbers_come_back():
    """Those of 12 bits, too, which is what scanners store in 16; their coefficients are whole."""
    random = np.random.default_rng(7)
    for kind, dtype, low, high in (("MET_USHORT", "<u2", 0, 4096), ("MET_SHORT", "<i2", -1024, 3072)):
        picture = random.integers(low, high, (37, 53)).astype(dtype)
        with open("scan.mha", "wb") as file:
            file.write(f"ObjectType = Image\nNDims = 2\nDimSize = 53 37\nElementType = {kind}\n"
                       "ElementByteOrderMSB = False\nElementDataFile = LOCAL\n".encode())
            file.write(picture.tobytes())
        for engine in ("reference", "cpu", "gl-fragment", "gl-compute"):
            options = ["--engine", engine, "-f", "soft-threshold:wavelet=int53,levels=3,threshold=0"]
            process("scan.mha", "-o", "out.tif", "--force", *options)
            got = pixels.read_tiff("out.tif")[1][:, :, 0]
            worst = np.abs(got - picture).max()
            assert worst < 1e-3, f"{kind} {engine}: {worst}"
            process("scan.mha", "-o", "bands.tif", "--force", "--view", "analysis", *options)
            details = pixels.read_tiff("bands.tif")[1][:, 27:, 0]
            worst = np.abs(details - np.round(details)).max()
            assert worst < 2e-3, f"{kind} {engine}: {worst} in the coefficients"


def texts_say_what_was_done():
    process("phantom:64x64", "-o", "out.png", "-f", SOFT, "--engine", "cpu")
    texts = pixels.png_texts("out.png")
    assert texts["Software"].startswith("Ondelette "), texts
    for word in ("soft-threshold", "threshold=0.05", "engine cpu", "not for diagnostic use"):
        assert word in texts["Description"], texts
    process("phantom:64x64", "-o", "out.png", "--force")
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
        process("phantom:64x64", "-o", f"frame{n}.png", "--frame", n + 1)
    assert not np.array_equal(pixels.read_png("frame0.png"), pixels.read_png("frame10.png"))


def windows_act():
    process("phantom:64x64", "-o", "full.png", "--window", "full")
    process("phantom:64x64", "-o", "file.png")
    process("phantom:64x64", "-o", "narrow.png", "--window", "-10,1")
    full, file, narrow = (pixels.read_png(f"{n}.png") for n in ("full", "file", "narrow"))
    assert np.array_equal(full, file) and narrow.min() == 255


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
    done = process("half.png", "-o", "out.png", status=3)
    assert "half.png: warning: incomplete" in done.stderr, done.stderr
    assert pixels.png_texts("out.png")["Warning"] == "incomplete"
    process("whole.png", "-o", "out.png", "--force")
    assert "Warning" not in pixels.png_texts("out.png")


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


def large_deep_pictures():
    """One filter for all rows, no search for the best: 6 s become less than one at 3000 × 4000."""
    random = np.random.default_rng(4)
    smooth = 2000 + 1500 * np.sin(np.arange(1500) / 90)[:, None] * np.cos(np.arange(1400) / 130)
    picture = (smooth + random.integers(0, 64, smooth.shape)).astype(np.uint16)[..., None]
    pixels.write_png("deep.png", picture)
    process("deep.png", "-o", "out.png")
    assert np.array_equal(pixels.read_png("out.png"), picture)
    data, at, stream = pathlib.Path("out.png").read_bytes(), 8, b""
    while at < len(data):
        n = int.from_bytes(data[at:at + 4], "big")
        stream += data[at + 8:at + 8 + n] if data[at + 4:at + 8] == b"IDAT" else b""
        at += 12 + n
    rows = np.frombuffer(zlib.decompress(stream), np.uint8).reshape(1500, -1)
    assert set(rows[:, 0]) == {1}, set(rows[:, 0])
    least = len(zlib.compress(rows.tobytes(), 9))
    assert len(data) < 1.1 * least, (len(data), least)


CASES = {
    "the example of the manual denoises the phantom": example_of_the_manual,
    "large deep pictures are written quickly and stay small": large_deep_pictures,
    **{f"engine {engine} agrees with the reference to 1e-5": lambda name=engine: engines_agree(name)
       for engine in ("cpu", "gl-fragment", "gl-lookup", "gl-compute")},
    "thresholds come from the picture when none are given": defaults_come_from_the_picture,
    "defaults spare real pictures": defaults_spare_real_pictures,
    "lists that do not fit the levels are told": lists_of_other_lengths_are_told,
    "an engine without 16 bits says so": missing_precision_is_told,
    "hard thresholds keep the same details in every engine": hard_thresholds_agree,
    "without a GPU the automatic engine is the CPU's": auto_falls_back,
    **{f"pass-through keeps {np.dtype(dtype).itemsize * 8}-bit PNG of {channels} channels bit for bit":
       lambda c=channels, d=dtype: pass_through(c, d) for channels, dtype in PNG_KINDS},
    "float TIFF keeps the stored values and their range": float_tiff,
    "float TIFF is not clipped": float_tiff_is_not_clipped,
    "float TIFF of the analysis has details around zero": analysis_in_tiff,
    "the integer wavelet undoes itself on 12 bits": whole_numbers_come_back,
    "texts in the file say what was done": texts_say_what_was_done,
    "texts in the file keep names private": texts_keep_names_private,
    "a recipe file is the same as filters on the command line": recipe_file,
    "the recipe that is written can be read": text_written_is_text_read,
    "the frame can be chosen": frames_differ,
    "the window acts": windows_act,
    "DICOM values keep their unit, and the window is DICOM's": dicom_keeps_its_unit,
    "MONOCHROME1 is shown inverted": monochrome1_is_shown_inverted,
    "an incomplete picture is marked": incomplete_is_marked,
    "a picture beyond the GPU's limit is refused or goes to the CPU": too_large_for_the_gpu,
}

sys.exit(run_cases(CASES))
