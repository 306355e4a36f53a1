#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The package of Python: against NumPy and PyWavelets, installed, and as a wheel; without a window, which has
tests/widgets/arrays.c.

usage: package.py BUILD SOURCE_OF_PACKAGE
"""
import itertools
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time

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
    refused(lambda: ondelette.bands(picture[None, None]), "rows × columns")
    refused(lambda: ondelette.bands(picture, "no-such-wavelet"), "no-such-wavelet")


def bands_of_volumes_equal_pywavelets():
    """One array each, with all axes."""
    volume = RANDOM.random((8, 12, 16), "f4")
    bands = ondelette.bands(volume, "haar", 2)
    parts = pywt.wavedecn(volume.astype("f8"), "haar", "periodization", 2)
    wanted = {"LLL2": parts[0]}
    for level in (1, 2):
        for name, band in parts[-level].items():  # a and d for the axes z, y and x
            wanted[name[::-1].replace("a", "L").replace("d", "H") + str(level)] = band
    assert set(bands) == set(wanted), set(bands) ^ set(wanted)
    for name, want in wanted.items():
        assert bands[name].shape == want.shape, (name, bands[name].shape, want.shape)
        assert abs(abs(bands[name]) - abs(want)).max() < 1e-4, (name, abs(abs(bands[name]) - abs(want)).max())


def stationary_bands_are_as_large_as_the_picture():
    picture = RANDOM.random((32, 48), "f4")
    bands = ondelette.bands(picture, "haar", 2, transform="stationary")
    assert {band.shape for band in bands.values()} == {picture.shape}
    for level, (low, (horizontal, vertical, diagonal)) in zip((2, 1), pywt.swt2(picture.astype("f8"), "haar", 2)):
        for name, want in (("LH", horizontal), ("HL", vertical), ("HH", diagonal)):
            made, least = abs(bands[f"{name}{level}"]), 1
            for shift in itertools.product(range(-4, 5), repeat=2):  # by what filters are centred at; away from borders
                least = min(least, abs(made - abs(numpy.roll(want, shift, (0, 1))))[8:-8, 8:-8].max())
            assert least < 1e-4, (name, level, least)
    for wavelet in ("haar", "cdf97"):  # every second sample of which is the decimated one's, high ones those between
        every_second, whole = ondelette.bands(picture, wavelet, 1), ondelette.bands(picture, wavelet, 1, transform="stationary")
        for name in every_second:
            x, y = (int(letter == "H") for letter in name[:2])
            assert abs(whole[name][y::2, x::2] - every_second[name]).max() < 1e-5, name
    refused(lambda: ondelette.bands(picture[None], transform="stationary"), "stationary")
    refused(lambda: ondelette.bands(picture, transform="other"), "stationary")


def volumes_are_filtered():
    """Whole by filters in three dimensions, slice by slice by others, times one after the other."""
    volume = RANDOM.random((6, 9, 11), "f4")
    flat = ondelette.run("gaussian:sigma=1", volume)
    for z in range(6):
        assert abs(flat[z] - ondelette.run("gaussian:sigma=1", volume[z])).max() < 1e-6
    soft = {}
    for engine in ("cpu", "reference"):
        soft[engine] = ondelette.run("shrinkage:dimensions=3,thresholds=0.1,wavelet=haar,levels=1", volume, engine, spacing=(1, 1, 2))
        assert soft[engine].shape == volume.shape
    assert abs(soft["cpu"] - soft["reference"]).max() < 1e-5
    assert abs(soft["cpu"] - ondelette.run("shrinkage:thresholds=0.1,wavelet=haar,levels=1", volume)).max() > 1e-2
    numpy.save(ROOT / "volume.npy", volume)
    told = ondelette.load(ROOT / "volume.npy", "shrinkage:dimensions=3,thresholds=0.1,wavelet=haar,levels=1")
    assert abs(told - soft["cpu"]).max() < 1e-5
    # Times are volumes in order, and of whole numbers, in colours, in units.
    times = RANDOM.integers(0, 256, (4, 5, 8, 9), "u1")
    kept = ondelette.run("recursive-average:weight=0.5 bilateral:dimensions=3,range=0", times, range=(0, 255))
    want = times[0].astype("f8")
    for i in range(4):
        want = want + 0.5 * (times[i] - want) if i else want
        assert abs(kept[i] - want).max() < 1e-2, (i, abs(kept[i] - want).max())
    coloured = RANDOM.random((5, 8, 9, 3), "f4")
    assert abs(ondelette.run("median:size=3", coloured)[2] - ondelette.run("median:size=3", coloured[2])).max() < 1e-6
    frames = ondelette.run("sliding-mean:frames=3", volume, axes="tyx")
    assert abs(frames[5] - volume[3:6].mean(axis=0)).max() < 1e-5
    narrow = RANDOM.random((7, 6, 3), "f4")
    assert abs(ondelette.run("gaussian", narrow, axes="zyx")[1] - ondelette.run("gaussian", narrow[1])).max() < 1e-6
    for words, array in (({"axes": "zyx"}, volume[0]), ({"axes": "xyz"}, volume), ({"spacing": (1, -1)}, volume),
                         ({"spacing": 4 * (1,)}, volume), ({"axes": "yxc"}, volume), ({}, volume[None, None, None])):
        refused(lambda words=words, array=array: ondelette.run("median", array, **words), "along" if "spacing" in words else "axes")


def functions_are_filters():
    picture = RANDOM.random((20, 24), "f4")
    seen = []

    def steeper(picture, amount: "0..4 px  How much" = 0.5, times: "1..9  How often" = 2, out=None):
        seen.append((picture.shape, picture.dtype.name, type(amount), type(times), picture.flags.writeable, threading.get_ident()))
        out[...] = picture * amount * times

    with ondelette.register(steeper) as registered:
        assert registered.name == "steeper" and registered(picture, 1, 1, picture.copy()) is None
        for engine in ("cpu", "reference"):
            made = ondelette.run("steeper:amount=0.25,times=3 gaussian:sigma=1", picture, engine)
            assert abs(made - ondelette.run("gaussian:sigma=1", 0.75 * picture)).max() < 1e-5
        assert seen[-1][:5] == ((20, 24, 1), "float32", float, int, False), seen[-1]
        assert ondelette.run("steeper:dimensions=3,amount=1", numpy.stack([picture] * 3)).shape == (3, 20, 24)
        assert seen[-1][0] == (3, 20, 24, 1)
        ondelette.run("steeper", numpy.stack([picture] * 3, axis=-1))
        assert seen[-1][0] == (20, 24, 3)
        refused(lambda: ondelette.run("steeper:amount=5", picture), "amount")
        refused(lambda: ondelette.run("steeper:often=5", picture), "often", "amount")
        refused(lambda: ondelette.run("steeper:dimensions=3", picture), "takes volumes")
        refused(lambda: ondelette.run("steeper", picture, "gl-compute"), "Python")
        kept = ondelette.Filter("steeper:amount=2")
    # Withdrawn: recipes do not know it, and what was made with it says so.
    refused(lambda: ondelette.run("steeper", picture), "“steeper” is not a filter")
    refused(lambda: kept(picture), "withdrawn")

    @ondelette.register(name="twice")
    def other(picture):
        return 2 * picture
    assert abs(ondelette.run("twice", picture) - 2 * picture).max() < 1e-6
    first = ondelette.Filter("twice")

    @ondelette.register(name="twice")
    def third(picture):
        return 3 * picture
    assert abs(ondelette.run("twice", picture) - 3 * picture).max() < 1e-6
    assert abs(first(picture) - 2 * picture).max() < 1e-6  # what has the one before keeps it


def exceptions_are_errors():
    picture = RANDOM.random((5, 6), "f4")

    @ondelette.register
    def wrong(picture):
        raise ValueError("no such luck: ä")
    try:
        ondelette.run("wrong", picture)
        raise AssertionError("not refused")
    except ondelette.Error as error:
        assert str(error) == "wrong: ValueError: no such luck: ä", str(error)
        assert isinstance(error.__cause__, ValueError) and error.__cause__.__traceback__ is not None
    for made, word in ((lambda p: p[1:], "4 × 6 × 1"), (lambda p: p * 1j, "complex"), (lambda p: None, "object"),
                       (lambda p: p.__setitem__(0, 1), "read-only"), (lambda p: "x" * 9999, "<U9999")):
        with ondelette.register(made, name="made"):
            refused(lambda: ondelette.run("made", picture), "made: ", word)

    @ondelette.register
    def interrupted(picture):
        raise KeyboardInterrupt
    try:
        ondelette.run("interrupted", picture)
        raise AssertionError("not interrupted")
    except KeyboardInterrupt:
        pass
    assert not ondelette._register._raised
    for function, name, words in ((lambda picture, a=1: 0, "a", "range"), (lambda picture, a: 0, "a", "range"), (lambda: 0, "a", "picture"),
                                  (lambda picture: 0, "median", "a filter has already"), (lambda picture: 0, "A b", "small letters"),
                                  (lambda picture, other: 0, "a", "second picture"), (lambda picture: 0, "", "small letters"),
                                  (3, "a", "no function")):
        refused(lambda function=function, name=name: ondelette.register(function, name=name), words)
    # Numbers that are none stay out of other filters.
    with ondelette.register(lambda picture: picture * numpy.nan, name="none"):
        assert not ondelette.run("none", picture).any()


def threads_have_filters_of_their_own():
    """Several call one function at once, each with its picture."""
    pictures = [numpy.full((30, 30), i / 16, "f4") for i in range(16)]
    made = [None] * len(pictures)
    with ondelette.register(lambda picture: (time.sleep(0.01), picture + 1)[1], name="more"):
        def work(i):
            with ondelette.Filter("more median") as filtering:
                made[i] = [filtering(pictures[i]) for _ in range(3)]
        workers = [threading.Thread(target=work, args=(i,)) for i in range(len(pictures))]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
    for picture, results in zip(pictures, made):
        for result in results:
            assert abs(result - picture - 1).max() < 1e-6


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
    refused(lambda: ondelette.run("median", numpy.zeros((4, 4, 2)), axes="yxc"), "channels")
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


def second_pictures_are_arrays():
    one, two = RANDOM.random((20, 31), "f4"), RANDOM.random((20, 31), "f4")
    made = ondelette.run("mix:weight=0.25", one, other=two)
    assert abs(made - (0.75 * one + 0.25 * two)).max() < 1e-6
    bytes_ = (200 * one).astype("u1")
    made = ondelette.run("mix:weight=0.5", bytes_, other=bytes_[::-1])
    assert abs(made - (bytes_ / 2 + bytes_[::-1] / 2)).max() < 1e-3
    with ondelette.Filter("mix:weight=1") as filtering:
        refused(lambda: filtering(one), "second picture")
        filtering.set_other(two)
        assert abs(filtering(one) - two).max() < 1e-6
        filtering.set_other(one[::-1].copy())  # its memory is the filter's alone
        assert abs(filtering(two) - one[::-1]).max() < 1e-6
        filtering.set_other(None)
        refused(lambda: filtering(one), "second picture")
        filtering.set_other(two[:10])
        refused(lambda: filtering(one))
        refused(lambda: filtering.set_other(numpy.zeros((3, 4, 5, 6))), "times")
    refused(lambda: ondelette.run("median", one, other=two), "no filter", "second picture")
    refused(lambda: ondelette.run("mix:with=a.png", one, other=two), "from memory")


def code_of_files_is_trusted_by_word():
    one = RANDOM.random((24, 33), "f4")
    file = ROOT / "half.py"
    file.write_text('def filter(picture, factor: "0..2  Factor" = 0.5):\n    return picture * factor\n')
    recipe = f"python:file={file},factor=0.25"
    refused(lambda: ondelette.run(recipe, one), "nobody has said")
    refused(lambda: ondelette.load("phantom:32x32", recipe), "nobody has said")
    made = ondelette.run(recipe, one, trust_code=True)
    assert made.dtype == numpy.float32 and abs(made - 0.25 * one).max() < 1e-6
    whole = RANDOM.integers(0, 256, (5, 16, 20), "u1")
    made = ondelette.run(f"# of mine\npython:file={file},factor=2,dimensions=3\n", whole, trust_code=True)
    assert abs(made - 2.0 * whole).max() < 1e-2
    plain = ondelette.load("phantom:32x32")
    assert abs(ondelette.load("phantom:32x32", recipe, trust_code=True) - 0.25 * plain).max() <= 0.01 * plain.max()
    refused(lambda: ondelette.run(recipe, one[None], axes="tyx", trust_code=True), "times")
    refused(lambda: ondelette.run(recipe, one, other=one, trust_code=True), "with=FILE")


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
    ("/package/bands-of-volumes-equal-pywavelets", case(bands_of_volumes_equal_pywavelets)),
    ("/package/stationary-bands-are-as-large-as-the-picture", case(stationary_bands_are_as_large_as_the_picture)),
    ("/package/volumes-are-filtered", case(volumes_are_filtered)),
    ("/package/second-pictures-are-arrays", case(second_pictures_are_arrays)),
    ("/package/code-of-files-is-trusted-by-word", case(code_of_files_is_trusted_by_word)),
    ("/package/functions-are-filters", case(functions_are_filters)),
    ("/package/exceptions-are-errors", case(exceptions_are_errors)),
    ("/package/threads-have-filters-of-their-own", case(threads_have_filters_of_their_own)),
    ("/package/files-are-loaded", case(files_are_loaded)),
    ("/package/filters-are-data", case(filters_are_data)),
    ("/package/wrong-calls-are-sentences", case(wrong_calls_are_sentences)),
    ("/package/it-is-installed", case(it_is_installed)),
    ("/package/its-wheel-is-built", case(its_wheel_is_built)),
]))
