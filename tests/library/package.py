#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The package of Python: against NumPy and PyWavelets, installed, and as a wheel; without a window, which has
tests/widgets/arrays.c.

usage: package.py BUILD SOURCE_OF_PACKAGE
"""
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
import tap  # noqa: E402

BUILD, SOURCE = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
FOLDER = tempfile.TemporaryDirectory(prefix="ondelette-package-")
ROOT = pathlib.Path(FOLDER.name)
sys.dont_write_bytecode = True
sys.path.insert(0, str(SOURCE))
import numpy  # noqa: E402
import pywt  # noqa: E402

import ondelette  # noqa: E402

SANITIZERS = (b"__asan_init", b"__tsan_init")
LIBRARY = pathlib.Path(os.environ["ONDELETTE_LIBRARY"]).read_bytes()
RANDOM = numpy.random.default_rng(40)


def refused(call, *words):
    try:
        call()
    except ondelette.Error as error:
        for word in words:
            assert word in str(error), (word, str(error))
        return
    raise AssertionError(f"not refused: {words}")


def filters_equal_numpy():
    picture = RANDOM.random((40, 56), "f4")
    assert abs(ondelette.run("pass-through", picture) - picture).max() < 1e-6
    padded = numpy.pad(picture, 1, "reflect")
    windows = numpy.lib.stride_tricks.sliding_window_view(padded, (3, 3))
    median = numpy.median(windows, axis=(2, 3))
    inside = (slice(2, -2), slice(2, -2))
    for engine in ("cpu", "reference"):
        assert abs(ondelette.run("median:size=3", picture, engine) - median)[inside].max() < 1e-6
    coloured = RANDOM.integers(0, 256, (20, 30, 3), "u1")
    made = ondelette.run("median:size=3", coloured)
    for c in range(3):
        want = numpy.median(numpy.lib.stride_tricks.sliding_window_view(coloured[..., c], (3, 3)), axis=(2, 3))
        assert abs(made[2:-2, 2:-2, c] - want[1:-1, 1:-1]).max() < 1e-3
    for kind in ("u1", "u2", "i2", "f4", "f8", "bool", "i4"):
        values = RANDOM.integers(0, 2, (9, 8)).astype(kind)
        assert abs(ondelette.run("pass-through", values) - values).max() < 1e-2, kind
    turned = picture.T[::-1]  # neither contiguous nor in order
    assert abs(ondelette.run("pass-through", turned) - turned).max() < 1e-6
    scaled = 1000 * picture - 300
    assert abs(ondelette.run("pass-through", scaled, range=(-300, 700)) - scaled).max() < 1e-3


def frames_in_order():
    frames = RANDOM.random((6, 16, 16), "f4")
    with ondelette.Filter("sliding-mean:frames=3") as filtering:
        made = [filtering(frame) for frame in frames]
    assert abs(made[5] - frames[3:6].mean(axis=0)).max() < 1e-5
    refused(lambda: filtering(frames[0]), "closed")


def thresholds_equal_pywavelets():
    picture = RANDOM.random((64, 64), "f4")
    parts = pywt.wavedec2(picture.astype("f8"), "haar", "periodization", 3)
    soft = [parts[0]] + [tuple(pywt.threshold(band, 0.1, "soft") for band in level) for level in parts[1:]]
    want = pywt.waverec2(soft, "haar", "periodization")
    made = ondelette.run("soft-threshold:wavelet=haar,levels=3,normalisation=orthonormal,threshold=0.1 border=periodic", picture)
    assert abs(made - want).max() < 1e-4, abs(made - want).max()


def bands_equal_pywavelets():
    picture = RANDOM.random((32, 48), "f4")
    bands = ondelette.bands(picture, "haar", 2)
    assert set(bands) == {"HL1", "LH1", "HH1", "HL2", "LH2", "HH2", "LL2"}, sorted(bands)
    low, second, first = pywt.wavedec2(picture.astype("f8"), "haar", "periodization", 2)
    for level, parts in ((1, first), (2, second)):
        for name, want in zip(("LH", "HL", "HH"), parts):  # those of PyWavelets: along rows first
            made = bands[f"{name}{level}"]
            assert made.shape == want.shape, (name, made.shape, want.shape)
            assert abs(abs(made) - abs(want)).max() < 1e-4, (name, level, abs(abs(made) - abs(want)).max())
    assert abs(bands["LL2"] - low).max() < 1e-4
    energy = sum((band.astype("f8") ** 2).sum() for band in bands.values())
    assert abs(energy / (picture.astype("f8") ** 2).sum() - 1) < 1e-4
    plain = ondelette.bands(picture, "haar", 2, normalisation="unit-gain")
    assert abs(plain["LL2"].mean() - picture.mean()) < 1e-5
    refused(lambda: ondelette.bands(picture[None]), "rows × columns")
    refused(lambda: ondelette.bands(picture, "no-such-wavelet"), "no-such-wavelet")


def files_are_loaded():
    picture = RANDOM.random((12, 20), "f4")
    numpy.save(ROOT / "picture.npy", picture)
    assert numpy.array_equal(ondelette.load(ROOT / "picture.npy"), picture)
    made = ondelette.load(ROOT / "picture.npy", "median:size=3")
    assert abs(made - ondelette.run("median:size=3", picture)).max() < 1e-6
    phantom = ondelette.load("phantom:32x24x10")
    assert phantom.shape == (10, 24, 32), phantom.shape
    refused(lambda: ondelette.load(ROOT / "none.png"), "none.png")


def filters_are_data():
    names = {row["name"]: row for row in ondelette.filters()}
    assert {"median", "shrinkage", "bm3d"} <= set(names)
    assert [row["key"] for row in names["median"]["parameters"]][0] == "size", names["median"]
    assert {"cpu", "reference"} <= set(ondelette.engines()) and ondelette.version()


def wrong_calls_are_sentences():
    picture = numpy.zeros((4, 4), "f4")
    refused(lambda: ondelette.run("no-such-filter", picture), "no-such-filter")
    refused(lambda: ondelette.run("median", picture, "no-such-engine"), "no-such-engine")
    refused(lambda: ondelette.run("median", numpy.zeros((4, 4, 2))), "channels")
    refused(lambda: ondelette.run("median", numpy.zeros(4)), "rows × columns")
    refused(lambda: ondelette.run("median", numpy.zeros((0, 4))), "rows × columns")
    refused(lambda: ondelette.run("median", numpy.zeros((4, 4), complex)), "complex128")
    refused(lambda: ondelette.run("mix:with=a.png", picture), "second picture")
    os.environ["XDG_RUNTIME_DIR"] = str(ROOT)
    refused(lambda: ondelette.show(picture), "ondelette --arrays")
    del os.environ["XDG_RUNTIME_DIR"]
    refused(lambda: ondelette.show(picture), "XDG_RUNTIME_DIR")


def run(*command, **variables):
    done = subprocess.run([str(word) for word in command], capture_output=True, encoding="utf-8", cwd=ROOT,
                          env={**os.environ, **variables})
    assert done.returncode == 0, (command, done.stdout, done.stderr)
    return done.stdout


def it_is_installed():
    run("meson", "install", "-C", BUILD, "--no-rebuild", "--quiet", "--tags", "python-runtime", "--destdir", ROOT / "image")
    places = {path.parent.parent for path in (ROOT / "image").rglob("ondelette/__init__.py")}
    assert len(places) == 1, places
    place = places.pop()
    installed = "/" + str(place.relative_to(ROOT / "image"))
    known = run("/usr/bin/python3", "-I", "-c", "import sys; print(*sys.path, sep='\\n')").split("\n")
    assert installed in known or not installed.startswith("/usr/"), (installed, known)
    want = {path.name for path in (SOURCE / "ondelette").iterdir() if path.suffix == ".py" or path.name == "py.typed"}
    assert {path.name for path in (place / "ondelette").iterdir() if path.is_file()} == want
    run("/usr/bin/python3", "-B", "-c", "import ondelette; print(ondelette.run('median:size=3', [[1.0]] * 4))",
        PYTHONPATH=str(place))


def its_wheel_is_built():
    """Without the network: by what Debian has."""
    copy = ROOT / "package"
    run("cp", "-r", SOURCE, copy)
    try:
        run("/usr/bin/python3", "-c", "import setuptools, wheel, pip")
    except AssertionError:
        raise tap.Skip("pip, setuptools or wheel is not installed") from None
    run("/usr/bin/python3", "-m", "pip", "wheel", "--no-build-isolation", "--no-deps", "--no-index", "--quiet", "-w", ROOT / "wheels",
        copy)
    wheels = list((ROOT / "wheels").glob("ondelette-*-py3-none-any.whl"))
    assert len(wheels) == 1, wheels
    run("/usr/bin/python3", "-B", "-c", "import ondelette; assert '.whl' in ondelette.__file__; print(ondelette.engines())",
        PYTHONPATH=str(wheels[0]))


def case(function):
    def problems():
        if any(word in LIBRARY for word in SANITIZERS):
            raise tap.Skip("built with a sanitizer, which the program that loads it would need, too")
        try:
            function()
        except (AssertionError, IndexError, KeyError, ondelette.Error) as problem:
            yield repr(problem)
    return problems


sys.exit(tap.run([
    ("/package/filters-equal-numpy", case(filters_equal_numpy)),
    ("/package/frames-are-in-order", case(frames_in_order)),
    ("/package/thresholds-equal-pywavelets", case(thresholds_equal_pywavelets)),
    ("/package/bands-equal-pywavelets", case(bands_equal_pywavelets)),
    ("/package/files-are-loaded", case(files_are_loaded)),
    ("/package/filters-are-data", case(filters_are_data)),
    ("/package/wrong-calls-are-sentences", case(wrong_calls_are_sentences)),
    ("/package/it-is-installed", case(it_is_installed)),
    ("/package/its-wheel-is-built", case(its_wheel_is_built)),
]))
