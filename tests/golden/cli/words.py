#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What the command line program says: help, lists, figures, and what was wrong.

usage: words.py ONDELETTE_CLI MAN_PAGE
"""
import os
import pathlib
import re
import subprocess
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "helpers"))
import pixels  # noqa: E402
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "resources"))
import texts  # noqa: E402
from command_line import (CLI, compare, fails, process, random_picture, read, run,  # noqa: E402
                          run_cases, shared, Skip, SOFT)

MAN_PAGE = pathlib.Path(sys.argv[2]).resolve()


def help_names_every_verb():
    text = run("--help").stdout
    for verb in ("process", "info", "list", "compare", "measure", "sweep", "optimise", "bench",
                 "node", "send", "neutral", "help"):
        assert f"\n  {verb}" in text, verb
        own = run(verb, "--help").stdout
        assert f"ondelette-cli {verb}" in own, own
    assert run("--version").stdout.startswith("ondelette-cli ")


def help_tells_what_the_texts_say():
    """Every message that is translated, as its page shows it: the program and gettext read the same."""
    for path in texts.files():
        told = " ".join(run("help", path.stem).stdout.split())
        for message in texts.messages(texts.read(path)):
            assert " ".join(message.replace("`", "").split()) in told, (path.name, message)
    assert " ".join(run("help", "Gaussian").stdout.split()).startswith("gaussian Smooths")
    names = re.findall("^[a-z0-9-]+", run("help", "filters").stdout, re.M)
    assert names == [row["name"] for row in read("list", "filters")], names
    assert run("help").stdout == run("--help").stdout
    fails(2, "help filters", "no filter and no topic", arguments=("help", "../presets/bone"))
    fails(2, "Say what", arguments=("help", "median", "box"))


def recipes_told():
    """What texts tell people to type: filters with settings, and settings alone in the text of their filter."""
    rows = {row["name"]: [parameter["key"] for parameter in row["parameters"]] for row in read("list", "filters")}
    for path in texts.files():
        for typed in re.findall("`([a-z0-9-]+[:=][^`]*)`", path.read_text(encoding="utf-8")):
            if typed.split(":")[0] in rows:
                yield typed
            elif typed.split("=")[0] in rows.get(path.stem, []):
                second = ",with=second.png" if "with" in rows[path.stem] else ""
                yield f"{path.stem}:{typed}{second}"


def recipes_in_texts_can_be_given():
    process("phantom:32x32", "-o", "second.png")
    told = set(recipes_told())
    assert len(told) > 40, told
    for recipe in sorted(told):
        filters = [word for name in recipe.split() for word in ("-f", name)]
        process("phantom:32x32", "-o", "told.tif", "--force", *filters)


def manual_names_every_option():
    manual = MAN_PAGE.read_text(encoding="utf-8").replace("\\-", "-")
    for verb in ("process", "info", "list", "compare", "sweep", "merge", "optimise", "bench"):
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


def choices_are_translatable():
    """The window shows the words of choices, such as "low", in its own language."""
    french = (pathlib.Path(__file__).resolve().parents[3] / "po" / "fr.po").read_text(encoding="utf-8")
    words = {choice for row in read("list", "filters") for parameter in row["parameters"]
             for choice in parameter.get("choices", []) if choice.isalpha()}
    assert "low" in words, words
    for word in words:
        assert f'\nmsgid "{word}"\n' in french, word


def variants_of_engines_are_listed():
    """What can be written behind a colon, each of which --engine takes or refuses by itself."""
    text = run("list", "engines").stdout
    engines = {row["name"]: [v["name"] for v in row["variants"]] for row in read("list", "engines")}
    assert {"scalar", "avx2", "per-level"} <= set(engines["cpu"]) and not engines["reference"]
    assert {"quads", "packed", "mirror"} <= set(engines["gl-fragment"])
    for engine, variants in engines.items():
        assert all(f"\n    {engine}:{variant} " in text for variant in variants), text
    for variant in engines["cpu"]:
        done = subprocess.run([CLI, "process", "phantom:16x16", "-o", "out.png", "--force", "--engine",
                               f"cpu:{variant}"], capture_output=True, text=True, timeout=1800)
        assert done.returncode == 0 or "cannot run the instructions" in done.stderr, done


def info_says_what_is_there():
    got = read("info", "phantom:320x200,seed=5")
    assert got["image"]["width"] == 320 and got["image"]["height"] == 200
    assert got["frames"] == 50 and got["live"] is True and got["details"]["seed"] == "5"
    text = run("info", "phantom:320x200,seed=5").stdout
    assert "320×200" in text and "phantom" in text


def negative_intercepts_have_one_sign():
    assert "× stored − 19595\n" in run("info", shared("dicom-test-files/REF/MR4_UNC")).stdout


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
    got = compare("a.png", "b.png")
    assert abs(got["max"] - 64 / 255) < 1e-6 and got["differing"] == 1 and not got["equal"]
    assert got["max_at"] == {"x": 11, "y": 7, "channel": 2}
    assert abs(got["rms"] - 64 / 255 / a.size ** 0.5) < 1e-7
    fails(2, "a.png", "no frame 3; the last one is 1",
          arguments=["compare", "a.png", "a.png", "--frame", "3"])
    for most, status in (("0.25", 1), ("0.251", 0), ("1", 0)):
        run("compare", "a.png", "b.png", "--max-difference", most, status=status)
    fails(2, "max-difference", arguments=["compare", "a.png", "b.png", "-m", "-1"])
    pathlib.Path("half.png").write_bytes(pathlib.Path("a.png").read_bytes()[:3000])
    assert "incomplete" in run("compare", "a.png", "half.png", status=1).stderr
    same = read("compare", "a.png", "a.png")
    assert same["equal"] and same["psnr_db"] is None and abs(same["ssim"] - 1) < 1e-9
    assert "equal" in run("compare", "a.png", "a.png").stdout


def other_channels_are_compared():
    """Those that both have; alpha is left out, grey stands for red, green and blue."""
    grey = random_picture(1, np.uint8)
    colour = np.repeat(grey, 3, axis=2)
    seen = np.concatenate([colour, random_picture(1, np.uint8, seed=4)], axis=2)
    for name, picture in (("grey.png", grey), ("rgb.png", colour), ("rgba.png", seen)):
        pixels.write_png(name, picture)
    for a, b, words in (("grey.png", "rgb.png", "grey picture against"),
                        ("rgba.png", "grey.png", "alpha is left out"),
                        ("rgba.png", "rgb.png", "red, green and blue; alpha is left out")):
        done = run("compare", a, b)
        assert words in done.stdout and "equal" in done.stdout, done.stdout
        got = compare(a, b)
        assert got["equal"] and got["channels"] == 3 and got["samples"] == grey.size * 3, got
    assert compare("rgba.png", "rgba.png")["channels"] == 4
    colour[3, 4, 1] ^= 1
    pixels.write_png("rgb.png", colour)
    assert compare("grey.png", "rgb.png")["max_at"] == {"x": 4, "y": 3, "channel": 1}


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
    text = run("compare", "phantom:64x64", "phantom:64x64,clean", status=1,
               env=environment).stdout
    assert "." in text and "," not in text.split("PSNR")[1].splitlines()[0]


def drivers_are_silent():
    environment = dict(os.environ, LIBGL_DRIVERS_PATH="/nonexistent", EGL_PLATFORM="surfaceless")
    done = process("phantom:64x64", "-o", "quiet.png", env=environment)
    assert done.stderr == "", done.stderr


def missing_libraries_are_no_crash():
    """A driver can be there without the library of OpenGL; libepoxy would end the program."""
    os.mkdir("desktop")
    os.mkdir("es")
    for name in ("desktop/libGL.so.1", "desktop/libOpenGL.so.0", "es/libGLESv2.so.2"):
        pathlib.Path(name).touch()
    desktop, es = os.path.abspath("desktop"), os.path.abspath("es")
    arguments = ["process", "phantom:64x64", "-o", "out.png", "--force", "--filter", SOFT]
    run(*arguments, env={**os.environ, "LD_LIBRARY_PATH": f"{desktop}:{es}"})
    fails(1, "libGL.so.1", arguments=arguments + ["--engine", "gl-fragment"],
          env={**os.environ, "LD_LIBRARY_PATH": f"{desktop}:{es}"})
    # OpenGL ES is enough.
    done = subprocess.run([CLI, *arguments, "--engine", "gl-fragment"], capture_output=True,
                          text=True, timeout=1800, env={**os.environ, "LD_LIBRARY_PATH": desktop})
    assert done.returncode == 0 or "the engine gl-fragment cannot run here" in done.stderr, done


def bad_inputs():
    pathlib.Path("empty.png").write_bytes(b"")
    pathlib.Path("text.png").write_text("this is no picture at all\n" * 20)
    for name in ("missing.png", "empty.png", "text.png"):
        fails(1, name, arguments=["process", name, "-o", "no.png"])
        fails(1, name, arguments=["info", name])
        fails(2, name, arguments=["compare", name, "phantom"])
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
            (["bmppcx", "png", "tiff"], p + ["--format", "bmppcx"]),
            (["filter"], p + ["--filter", " "]),
            (["blur"], p + ["--filter", "blur"]),
            (["threshold"], p + ["--filter", "soft-threshold:threshold=x"]),
            (["sideways"], p + ["--view", "sideways"]),
            (["warp", "auto", "cpu"], p + ["--engine", "warp"]),
            (["precision"], p + ["--precision", "12"]),
            (["40"], p + ["--window", "40"]),
            (["1,0"], p + ["--window", "1,0"]),
            (["counted from 1", "no frame -1"], p + ["--frame", "-1"]),
            (["counted from 1", "no frame 0"], p + ["--frame", "0"]),
            (["counted from 1", "no frame 0"], ["compare", "phantom", "phantom", "--frame", "0"]),
            (["no.png", "folder"], p + ["phantom:64x65"]),
            (["filters", "presets", "wavelets"], ["list"]),
            (["filters"], ["list", "colours"]),
            (["picture"], ["info"]),
            (["standard output", "--format"], p[:2] + ["-o", "-"]),
            (["two"], ["compare", "phantom"])]:
        fails(2, *words, arguments=arguments)
        assert not os.path.exists("no.png")
    assert run("bench", "quickly", status=2).stderr.startswith("ondelette-cli bench: “quickly” is not")


def other_failures():
    fails(1, "phantom:64x64", "analysis",
          arguments=["process", "phantom:64x64", "-o", "no.png", "--view", "analysis"])
    fails(2, "phantom:64x32",
          arguments=["compare", "phantom:64x64", "phantom:64x32"])
    fails(1, "none.recipe", arguments=["process", "phantom", "-o", "no.png", "-r", "none.recipe"])


def odd_numbers_of_threads_do_no_harm():
    process("phantom:67x53", "-o", "one.tif", "--filter", SOFT)
    wanted = pixels.read_tiff("one.tif")[1]
    for threads in ("0", "-3", "rubbish", "", "7", "1,2,3", "99999999"):
        process("phantom:67x53", "-o", "other.tif", "--force", "--filter", SOFT, "--engine", "cpu",
                env={**os.environ, "OMP_NUM_THREADS": threads})
        assert np.array_equal(pixels.read_tiff("other.tif")[1], wanted), threads


def misspelled_variables_are_named():
    """A run that took no notice of them would measure, or test, something else."""
    for variable, text, word, others in (
            ("ODL_CPU", "avx3", "“avx3”", "avx2, "), ("ODL_CPU", "avx2,small-page", "“small-page”", "small-pages"),
            ("ODL_FAULT", "cpu/jog", "“cpu/jog”", "cpu/run"), ("ODL_TUNE", "of", "“of”", "off, again"), ("ODL_PRICES", "2", "“2”", "shipped, again"),
            ("ODL_DEBUG", "timming", "“timming”", "timing"), ("ODL_ENGINE", "cpo", "“cpo”", "cpu")):
        fails(2, variable, word, others, arguments=["process", "phantom:16x16", "-o", "no.png"],
              env={**os.environ, variable: text})
    run("--help", env={**os.environ, "ODL_CPU": "avx3"})


def engines_give_way():
    """Those that fail, to the next, with a sentence; and the next picture has another try."""
    two = ["process", "phantom:16x16", "phantom:17x17", "-o", "results", "--force", "--filter", SOFT]

    def said(fault, status):
        done = run(*two, status=status, env={**os.environ, "ODL_FAULT": fault})
        return [line for line in done.stderr.splitlines() if line.startswith("ondelette-cli: ")]

    for fault in ("cpu/run", "cpu/prepare"):
        lines = said(fault, 0)
        assert len(lines) == 2, lines
        assert all("“reference” instead" in line and fault in line for line in lines), lines
    # The engine is opened once for both pictures.
    lines = said("cpu/open", 0)
    assert len(lines) == 1 and "“reference” instead" in lines[0] and "cpu/open" in lines[0], lines
    # With none left each picture is an error, and the program goes on.
    assert len(said("cpu/run,reference/open", 1)) >= 2
    assert len(said("cpu/run,reference/run", 1)) >= 2
    fails(1, "cpu/open", arguments=two, env={**os.environ, "ODL_FAULT": "cpu/open,reference/open"})
    # What was asked for by name is not replaced.
    fails(1, "cpu/run", arguments=["process", "phantom:16x16", "-o", "no.png", "--engine", "cpu"],
          env={**os.environ, "ODL_FAULT": "cpu/run"})


CASES = {
    "help names every verb": help_names_every_verb,
    "help tells what the texts say": help_tells_what_the_texts_say,
    "recipes in texts can be given": recipes_in_texts_can_be_given,
    "the manual names every option": manual_names_every_option,
    "lists are complete, as text and as JSON": lists_are_complete,
    "words of choices can be translated": choices_are_translatable,
    "variants of engines are listed": variants_of_engines_are_listed,
    "info says what is there": info_says_what_is_there,
    "a negative intercept has one sign": negative_intercepts_have_one_sign,
    "odd file names survive JSON": odd_names_survive_json,
    "compare is right": comparison_is_right,
    "compare takes the channels that both have": other_channels_are_compared,
    "numbers ignore the locale": numbers_ignore_the_locale,
    "drivers that cannot be loaded write nothing": drivers_are_silent,
    "odd numbers of threads do no harm": odd_numbers_of_threads_do_no_harm,
    "misspelled environment variables are named": misspelled_variables_are_named,
    "engines that fail give way with a sentence": engines_give_way,
    "missing libraries of OpenGL are no crash": missing_libraries_are_no_crash,
    "bad inputs are named": bad_inputs,
    "what does not parse gives status 2": usage_errors,
    "what does not work gives status 1": other_failures,
}

sys.exit(run_cases(CASES))
