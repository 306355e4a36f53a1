#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""odl-core as other programs get it: installed into a folder of its own, found by its .pc file, linked by a
program in C and loaded by one in Python; what it exports, and what it says to wrong calls.

usage: install.py BUILD SOURCE_OF_LIBRARY
"""
import ctypes
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
import tap  # noqa: E402

BUILD, SOURCE = map(pathlib.Path, sys.argv[1:3])
FOLDER = tempfile.TemporaryDirectory(prefix="ondelette-library-")
ROOT = pathlib.Path(FOLDER.name)
FUNCTIONS = {"ondelette_version", "ondelette_engines", "ondelette_filter_new", "ondelette_filter_run",
             "ondelette_filter_run_volume", "ondelette_filter_set_other", "ondelette_register", "ondelette_withdraw",
             "ondelette_filter_free", "ondelette_message_free"}


def run(*command, status=0, **variables):
    done = subprocess.run([str(word) for word in command], capture_output=True, encoding="utf-8",
                          env={**os.environ, **variables})
    assert done.returncode == status, (command, done.returncode, done.stdout, done.stderr)
    return done


def installed():
    """Programs, libraries and what compiling against them needs; no data."""
    if not (ROOT / "image").exists():
        run("meson", "install", "-C", BUILD, "--no-rebuild", "--quiet", "--tags", "runtime,devel",
            "--destdir", ROOT / "image")
    library = list((ROOT / "image").rglob("libodl-core.so.0"))[0]
    if re.search(r"__(a|t|ub)san_", run("nm", "-D", "--undefined-only", library).stdout):
        raise tap.Skip("built with a sanitizer, which the program that loads it would need, too")
    return library.parent


def flags():
    folder = list((ROOT / "image").rglob("odl-core.pc"))[0].parent
    said = run("pkg-config", "--cflags", "--libs", "odl-core", PKG_CONFIG_PATH=str(folder),
               PKG_CONFIG_SYSROOT_DIR=str(ROOT / "image")).stdout
    return said.split()


def built():
    folder = installed()
    program = ROOT / "example"
    if not program.exists():
        run("cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", SOURCE / "example.c", "-o", program, *flags())
    return program, {"LD_LIBRARY_PATH": str(folder)}


def values(text):
    return [(int(a), float(b)) for a, b in re.findall(r"(\d+) -> ([-\d.]+)", text)]


def one_header_one_library_one_pc_file():
    installed()
    names = sorted(str(path.relative_to(ROOT / "image")) for path in (ROOT / "image").rglob("*") if not path.is_dir())
    for ending in ("ondelette.h", "libodl-core.so", "libodl-core.so.0", "odl-core.pc"):
        assert sum(name.endswith(ending) for name in names) == 1, names
    assert not [name for name in names if name.endswith(".h") and "ondelette.h" not in name], names


def nothing_else_is_exported():
    said = run("nm", "-D", "--defined-only", installed() / "libodl-core.so.0").stdout
    names = {line.split()[-1].split("@")[0] for line in said.splitlines()}
    assert names == FUNCTIONS, names ^ FUNCTIONS
    header = (SOURCE / "ondelette.h").read_text(encoding="utf-8")
    assert set(re.findall(r"\b(ondelette_\w+) \(", header)) == FUNCTIONS


def examples_agree_on_every_engine():
    program, environment = built()
    want = values(run(program, "reference", **environment).stdout)
    assert len(want) == 16 and want[0][1] < 90 < 150 < want[-1][1], want
    library = ctypes.CDLL(str(installed() / "libodl-core.so.0"))
    library.ondelette_engines.restype = ctypes.c_char_p
    engines = library.ondelette_engines().decode().split()
    assert {"reference", "cpu", "gl-compute"} <= set(engines), engines
    for engine in engines:
        for command in ((program,), (sys.executable, SOURCE / "example.py")):
            got = values(run(*command, engine, **environment).stdout)
            assert [a for a, _ in got] == [a for a, _ in want], (engine, got)
            assert max(abs(a[1] - b[1]) for a, b in zip(got, want)) < 255 * 1e-5, (engine, got, want)


def wrong_words_are_refused():
    program, environment = built()
    for arguments, word in ((("no-such-engine",), "no-such-engine"), (("cpu", "no-such-filter"), "no-such-filter"),
                            (("cpu", "median:size=4"), "size"), (("cpu", "mix:with=a.png"), "second picture")):
        done = run(program, *arguments, status=1, **environment)
        assert word in done.stderr and done.stdout == "", (arguments, done.stderr)


class Picture(ctypes.Structure):
    _fields_ = [("width", ctypes.c_int), ("height", ctypes.c_int), ("channels", ctypes.c_int), ("type", ctypes.c_int),
                ("samples", ctypes.c_void_p), ("row_bytes", ctypes.c_size_t), ("minimum", ctypes.c_double),
                ("maximum", ctypes.c_double), ("result", ctypes.c_void_p)]


def pictures():
    """Every type, channels, rows with a gap, and what is no picture."""
    library = ctypes.CDLL(str(installed() / "libodl-core.so.0"))
    library.ondelette_filter_new.restype = ctypes.c_void_p
    library.ondelette_filter_run.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]
    library.ondelette_filter_free.argtypes = [ctypes.c_void_p]
    library.ondelette_message_free.argtypes = [ctypes.c_void_p]
    filtering = library.ondelette_filter_new(b"cpu", b"pass-through", None)
    assert filtering
    for kind, (ctype, low, high) in enumerate(((ctypes.c_uint8, 0, 255), (ctypes.c_uint16, 0, 65535),
                                               (ctypes.c_int16, -32768, 32767), (ctypes.c_float, 0, 1))):
        for channels in (1, 3, 4):
            width, height, pitch = 5, 3, 5 * channels + 2
            stored = (ctype * (pitch * height))(*[low + (i * (high - low)) / 50 if kind == 3 else low + i * (high - low) // 50
                                                  for i in range(pitch * height)])
            result = (ctypes.c_float * (width * height * channels))()
            picture = Picture(width, height, channels, kind, ctypes.addressof(stored), pitch * ctypes.sizeof(ctype), 0, 0,
                              ctypes.addressof(result))
            message = ctypes.c_void_p()
            assert library.ondelette_filter_run(filtering, ctypes.byref(picture), ctypes.byref(message)) == 1
            for y in range(height):
                for x in range(width * channels):
                    want = (stored[y * pitch + x] - low) / (high - low)
                    assert abs(result[y * width * channels + x] - want) < 1e-6, (kind, channels, x, y)
    good = dict(width=5, height=3, channels=1, type=0, samples=picture.samples, row_bytes=0, minimum=0, maximum=0,
                result=picture.result)
    for wrong in (dict(width=0), dict(height=-1), dict(width=1 << 30), dict(channels=2), dict(type=9), dict(samples=None),
                  dict(result=None), dict(row_bytes=4), dict(minimum=2, maximum=1), dict(maximum=float("nan"))):
        message = ctypes.c_void_p()
        picture = Picture(**{**good, **wrong})
        assert library.ondelette_filter_run(filtering, ctypes.byref(picture), ctypes.byref(message)) == 0, wrong
        assert message.value and ctypes.string_at(message.value), wrong
        library.ondelette_message_free(message)
    assert library.ondelette_filter_run(None, None, None) == 0
    assert library.ondelette_filter_run(filtering, None, None) == 0
    library.ondelette_filter_free(filtering)
    library.ondelette_filter_free(None)


def case(function):
    def problems():
        try:
            function()
        except (AssertionError, IndexError) as problem:
            yield repr(problem)
    return problems


sys.exit(tap.run([
    ("/library/one-header-one-library-one-pc-file", case(one_header_one_library_one_pc_file)),
    ("/library/nothing-else-is-exported", case(nothing_else_is_exported)),
    ("/library/the-examples-agree-on-every-engine", case(examples_agree_on_every_engine)),
    ("/library/wrong-words-are-refused", case(wrong_words_are_refused)),
    ("/library/pictures-of-every-type-and-none", case(pictures)),
]))
