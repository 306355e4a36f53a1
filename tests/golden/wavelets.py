#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Every wavelet and border against PyWavelets, coefficient by coefficient; the integer 5/3
against OpenJPEG and against lifting written out here.

PyWavelets' cA[i] = sum over j of dec_lo[j] x[2 i + 1 - j] (in mode periodization x[2 i + F / 2 - j],
F taps), ours low[n] = sum over k of low_taps[k] x[2 n + k]. So low_taps[k] = dec_lo[c - k] / sqrt 2,
where c follows from where our taps begin, and likewise for the high-pass filter about 2 n + 1.

usage: wavelets.py ODL_TRANSFORM
"""
import functools
import os
import pathlib
import re
import subprocess
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
import tap  # noqa: E402

try:
    import pywt
except ImportError:
    pywt = None

TRANSFORM = sys.argv[1]
DATA = os.environ.get("ODL_TESTDATA", "")
BOUND = 1e-11  # PyWavelets' own tables are true to 2e-12
WANTED = (["haar"] + [f"db{n}" for n in range(1, 11)] + [f"sym{n}" for n in range(2, 11)]
          + [f"coif{n}" for n in range(1, 6)])
LENGTHS = {"symmetric": (2, 3, 5, 8, 17, 34, 67), "periodic": (2, 4, 6, 17, 34, 66),
           "zero": (2, 4, 17, 66)}


class Wavelet:
    def __init__(self, line):
        self.name, aliases, borders, low, high = line.rstrip("\n").split("\t")
        self.names = [self.name] + aliases.split()
        self.borders = borders.split()
        self.first_low = int(low.split()[0])
        self.first_high = int(high.split()[0])

    def places(self, name):
        """c of the low- and the high-pass filter, and the sign of the latter: ours has the gain
        +2 for (-1)^k about its middle."""
        wavelet = pywt.Wavelet(name)
        low, high = np.array(wavelet.dec_lo), np.array(wavelet.dec_hi)
        place_low = self.first_low + np.flatnonzero(np.abs(low) > 1e-12)[-1]
        place_high = self.first_high + np.flatnonzero(np.abs(high) > 1e-12)[-1]
        signs = (-1.0) ** np.abs(place_high - np.arange(len(high)))
        return place_low, place_high, np.sign(np.dot(signs, high))


def run(how, wavelet, border, image, levels):
    image = np.ascontiguousarray(image, dtype=np.float64)
    height, width = image.shape
    served = server()
    served.stdin.write(f"{how} {wavelet} {border} {width} {height} {levels}\n".encode() + image.tobytes())
    served.stdin.flush()
    status = int.from_bytes(served.stdout.read(4), sys.byteorder)
    if status != 0:
        raise subprocess.CalledProcessError(status, [TRANSFORM, how, wavelet, border])
    return np.frombuffer(served.stdout.read(image.nbytes)).reshape(image.shape)


@functools.cache
def server():
    """Thousands of small transforms are asked of one process."""
    return subprocess.Popen([TRANSFORM, "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def table():
    done = subprocess.run([TRANSFORM, "list"], stdout=subprocess.PIPE, check=True, text=True)
    return [Wavelet(line) for line in done.stdout.splitlines()]


def in_pywt(wavelet):
    return [name for name in wavelet.names if name in pywt.wavelist(kind="discrete")]


def need_pywt():
    if pywt is None:
        raise tap.Skip("PyWavelets is absent")


# ---- one line, as PyWavelets has it ------------------------------------------------------

def low_high(places, a, d, shift, n):
    """Picks ours from PyWavelets' coefficients: low[0] is a[shift]."""
    place_low, place_high, sign = places
    between = 1 + place_high - place_low
    assert between % 2 == 0
    low = a[shift + np.arange(n - n // 2)] / np.sqrt(2)
    high = sign * d[shift + between // 2 + np.arange(n // 2)] * np.sqrt(2)
    return np.concatenate([low, high])


def symmetric(wavelet, name, x):
    """mode='reflect'. It mirrors a short signal too seldom, and gives the other half of the
    coefficients where c is even: then extended by hand."""
    n = len(x)
    places = wavelet.places(name)
    far = 0
    if n < 40 or places[0] % 2 == 0:
        far = 41 - places[0] % 2
        index = np.abs(np.arange(-far, n + far) + 2 * (n - 1) * far) % (2 * (n - 1))
        x = x[np.where(index < n, index, 2 * (n - 1) - index)]
    a, d = pywt.dwt(x, name, mode="reflect")
    return low_high(places, a, d, (far + places[0] - 1) // 2, n)


def periodic(wavelet, name, x):
    """mode='periodization' of the even part, repeated; what is left stands alone."""
    n = len(x) // 2 * 2
    places = wavelet.places(name)
    turns = 3 + 80 // n
    start = n * (turns // 2)
    tiled = np.roll(np.tile(x[:n], turns), pywt.Wavelet(name).dec_len // 2 - places[0])
    a, d = pywt.dwt(tiled, name, mode="periodization")
    got = low_high(places, a, d, start // 2, n)
    return np.concatenate([got[:n // 2], x[n:], got[n // 2:]])


def zero(wavelet, name, x):
    n = len(x) // 2 * 2
    places = wavelet.places(name)
    a, d = pywt.dwt(x[:n], name, mode="zero")
    got = low_high(places, a, d, (places[0] - 1) // 2, n)
    return np.concatenate([got[:n // 2], x[n:], got[n // 2:]])


SCHEMES = ("row-column:filtering", "row-column:lifting", "row-column:on-the-fly", "line-based:filtering",
           "line-based:lifting", "line-based:on-the-fly", "block-based:filtering", "streamed:lifting")
LINES = {"symmetric": symmetric, "periodic": periodic, "zero": zero}


def plane(line, image):
    """One level of a picture: rows, then columns."""
    rows = np.array([line(row) for row in image])
    return np.array([line(column) for column in rows.T]).T


# ---- cases -------------------------------------------------------------------------------

def every_name_is_there():
    need_pywt()
    names = {name for wavelet in table() for name in wavelet.names}
    for name in WANTED + pywt.wavelist("bior") + pywt.wavelist("rbio"):
        if name not in names:
            yield f"{name} is not in the table"


def lines_equal_pywavelets():
    need_pywt()
    random = np.random.default_rng(3)
    compared = 0
    for wavelet in table():
        if wavelet.name == "int53":
            continue
        for name in in_pywt(wavelet):
            for border in wavelet.borders:
                for n in LENGTHS[border]:
                    x = random.random(n)
                    got = run("forward", wavelet.name, border, x[None], 1)[0]
                    worst = np.abs(got - LINES[border](wavelet, name, x)).max()
                    compared += n
                    if not worst < BOUND:
                        yield f"{name}, {border}, {n} samples: {worst}"
    if compared < 9000:
        yield f"only {compared} coefficients were compared"


def pictures_equal_pywavelets():
    need_pywt()
    random = np.random.default_rng(4)
    for wavelet in table():
        if wavelet.name == "int53":
            continue
        name = in_pywt(wavelet)[0]
        for border in wavelet.borders:
            image = random.random((26, 48))
            want = image.copy()
            for height, width in ((26, 48), (13, 24), (7, 12)):
                want[:height, :width] = plane(lambda x: LINES[border](wavelet, name, x),
                                              want[:height, :width])
            worst = np.abs(run("forward", wavelet.name, border, image, 3) - want).max()
            if not worst < BOUND:
                yield f"{name}, {border}: forward {worst}"
            worst = np.abs(run("inverse", wavelet.name, border, want, 3) - image).max()
            if not worst < 20 * BOUND:
                yield f"{name}, {border}: inverse {worst}"


def engine_reference_equals_pywavelets():
    """The plan, the engine and its border, not the functions alone."""
    need_pywt()
    random = np.random.default_rng(5)
    for wavelet in table():
        if wavelet.name == "int53":
            continue
        name = in_pywt(wavelet)[0]
        for border in wavelet.borders:
            image = random.random((14, 22))
            want = plane(lambda x: LINES[border](wavelet, name, x), image)
            worst = np.abs(run("reference", wavelet.name, border, image, 1) - want).max()
            if not worst < 1e-6:
                yield f"{name}, {border}: {worst}"


def coder_schemes_equal_pywavelets():
    """The video coder's gains are PyWavelets' own; its high bands have the sign of ours."""
    need_pywt()
    random = np.random.default_rng(7)
    wavelet = next(one for one in table() if one.name == "cdf97")
    ran = 0
    for scheme in SCHEMES:
        for border in ("symmetric", "periodic"):
            for width, height in ((64, 48), (37, 53), (67, 22)):
                image = random.random((height, width))
                want = image.copy()
                w, h, scale = width, height, np.ones_like(image)
                for _ in range(3):
                    want[:h, :w] = plane(lambda x: LINES[border](wavelet, "bior4.4", x), want[:h, :w])
                    low, high = np.sqrt(2), np.sqrt(0.5)
                    along = np.where(np.arange(w) < w - w // 2, low, high)
                    scale[:h, :w] = (np.where(np.arange(h) < h - h // 2, low, high)[:, None] * along
                                     * scale[:1, :1])
                    w, h = w - w // 2, h - h // 2
                want *= scale
                try:
                    got = run(scheme, "cdf97", border, image, 3)
                    back = run(scheme + ":back", "cdf97", border, want, 3)
                except subprocess.CalledProcessError as error:
                    if error.returncode != 3:
                        raise
                    continue
                ran += 1
                worst = np.abs(got - want).max(), np.abs(back - image).max()
                if not max(worst) < 4e-6:
                    yield f"{scheme}, {border}, {width} x {height}: {worst}"
    if ran != 43:  # masks want even sizes where they are periodic, and the stream mirrored borders
        yield f"{ran} pictures were compared"


# ---- functions ---------------------------------------------------------------------------

LEVELS = 5
HALF = ("analysis", "synthesis")


@functools.cache
def functions():
    """(wavelet, what) -> place of the first value, distance, values."""
    done = subprocess.run([TRANSFORM, "functions", str(LEVELS)], stdout=subprocess.PIPE, check=True, text=True)
    found = {}
    for line in done.stdout.splitlines():
        name, what, first, step, values = line.split("\t")
        found[name, what] = float(first), float(step), np.array(values.split(), dtype=float)
    return found


def laid_over(ours, theirs):
    """Ours where theirs has its greatest magnitude, as long as that, and what is beyond."""
    padded = np.concatenate([np.zeros(len(theirs)), ours, np.zeros(len(theirs))])
    at = np.argmax(np.correlate(padded, theirs, "valid"))
    beyond = np.concatenate([padded[:at], padded[at + len(theirs):]])
    return padded[at:at + len(theirs)], beyond


def functions_equal_pywavelets():
    need_pywt()
    compared = 0
    for wavelet in table():
        names = in_pywt(wavelet)
        if wavelet.name == "int53" or not names:
            continue
        *theirs, places = pywt.Wavelet(names[0]).wavefun(level=LEVELS)
        theirs = 2 * theirs if len(theirs) == 2 else theirs
        for i, want in enumerate(theirs):
            what = f"{HALF[i // 2]} {i % 2}"
            _, step, ours = functions()[wavelet.name, what]
            # Ours has the high-pass gain +2 at its middle tap.
            got, beyond = min((laid_over(sign * ours, want) for sign in (1, -1)),
                              key=lambda pair: np.abs(pair[0] - want).max())
            worst = max(np.abs(got - want).max(), np.abs(beyond).max()) / np.abs(want).max()
            compared += len(want)
            if not worst < 1e-9:
                yield f"{names[0]}, {what}: {worst}"
            if not np.isclose(step, places[1] - places[0]):
                yield f"{names[0]}, {what}: {step} apart, not {places[1] - places[0]}"
    if compared < 50000:
        yield f"only {compared} values were compared"


def product(a, b, shift):
    """The integral of a(x) b(x - shift)."""
    first, step, values = a
    other, _, others = b
    grid = np.zeros(len(values) + len(others) + 400 * 2 ** LEVELS)
    start = int(round(first / step)) - 200 * 2 ** LEVELS
    begin = int(round((other + shift) / step)) - start
    at = int(round(first / step)) - start
    grid[at:at + len(values)] = values
    return np.dot(grid[begin:begin + len(others)], others) * step


def functions_are_biorthogonal():
    """Places and norms of all four, without PyWavelets; such sums are exact at any level."""
    for wavelet in table():
        if wavelet.name == "int53":
            continue
        got = [functions()[wavelet.name, f"{half} {high}"] for half in HALF for high in (0, 1)]
        scale = max(np.abs(got[i][2]).max() * np.abs(got[j][2]).max() for i in (0, 1) for j in (2, 3))
        for i in (0, 1):
            for j in (0, 1):
                for shift in (-3, -1, 0, 1, 2):
                    want = 1.0 if i == j and shift == 0 else 0.0
                    worst = abs(product(got[i], got[2 + j], shift) - want)
                    if not worst < 1e-10 * max(scale, 1):
                        yield f"{wavelet.name}, {i} against {j} by {shift}: {worst}"


def gains_equal_numpy():
    need_pywt()
    for wavelet in table():
        names = in_pywt(wavelet)
        if wavelet.name == "int53" or not names:
            continue
        bank = pywt.Wavelet(names[0]).filter_bank
        for i, taps in enumerate(bank):
            got = functions()[wavelet.name, f"{HALF[i // 2]} gain {i % 2}"][2]
            want = np.abs(np.fft.rfft(taps, 2 * (len(got) - 1))) / np.sqrt(2)
            if not np.abs(got - want).max() < 1e-10:
                yield f"{names[0]}, {HALF[i // 2]} {i % 2}: {np.abs(got - want).max()}"


def integer_lines(image):
    """One level along the rows, in whole numbers."""
    n = image.shape[1]
    if n == 1:
        return image
    z = np.array(image, dtype=np.int64)
    mirror = np.abs(np.arange(-1, n + 1))  # of sample i - 1
    mirror[-1] = n - 2

    def sums(first):
        index = np.arange(first, n, 2)
        return z[:, mirror[index]] + z[:, mirror[index + 2]]
    z[:, 1::2] -= sums(1) // 2
    z[:, 0::2] += (sums(0) + 2) // 4
    return np.concatenate([z[:, 0::2], z[:, 1::2]], axis=1)


def integer_53_equals_lifting():
    random = np.random.default_rng(6)
    for height, width in ((1, 2), (2, 1), (2, 3), (5, 5), (16, 16), (17, 34), (67, 66)):
        image = random.integers(-2000, 2000, (height, width))
        want = integer_lines(integer_lines(image).T).T
        got = run("forward", "int53", "symmetric", image, 1)
        if not np.array_equal(got, want):
            yield f"{width} x {height}: differs by {np.abs(got - want).max()}"
        if not np.array_equal(run("inverse", "int53", "symmetric", got, 1), image):
            yield f"{width} x {height}: is not undone"


def integer_53_equals_openjpeg():
    """JPEG 2000 goes along columns first, we along rows: hence transposed."""
    if not os.path.isdir(DATA):
        raise tap.Skip("shared/testdata is absent")
    file = pathlib.Path(DATA, "dicom-test-files/REF/CT1_UNC").read_bytes()
    start = re.search(rb"\xe0\x7f\x10\x00OW\0\0", file).end() + 4  # the length of Pixel Data
    image = np.frombuffer(file, "<i2", 512 * 512, start).reshape(512, 512)
    for level in range(1, 6):
        side = 512 >> level
        path = pathlib.Path(DATA, f"derived/CT1_J2KR_LL{level}_{side}x{side}_i16le.raw")
        want = np.fromfile(path, "<i2").reshape(side, side)
        got = run("forward", "int53", "symmetric", image.T, level).T[:side, :side]
        if not np.array_equal(got, want):
            yield f"level {level}: {np.abs(got - want).max()}"


sys.exit(tap.run([
    ("/wavelets/every-name-of-pywavelets-is-there", every_name_is_there),
    ("/wavelets/lines-equal-pywavelets-to-1e-11", lines_equal_pywavelets),
    ("/wavelets/pictures-equal-pywavelets-to-1e-11", pictures_equal_pywavelets),
    ("/wavelets/engine-reference-equals-pywavelets", engine_reference_equals_pywavelets),
    ("/wavelets/schemes-of-the-video-coder-equal-pywavelets", coder_schemes_equal_pywavelets),
    ("/wavelets/functions-equal-pywavelets-to-1e-9", functions_equal_pywavelets),
    ("/wavelets/functions-are-biorthogonal", functions_are_biorthogonal),
    ("/wavelets/gains-equal-numpy-fft", gains_equal_numpy),
    ("/wavelets/integer-5/3-equals-lifting", integer_53_equals_lifting),
    ("/wavelets/integer-5/3-equals-openjpeg-bit-by-bit", integer_53_equals_openjpeg),
]))
