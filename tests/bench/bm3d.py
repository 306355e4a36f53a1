#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""BM3D on the graphics card: decibels, how far it is from the engine cpu, whether runs are equal, and
what a frame takes that lies on the card already. Prints Markdown.

usage: bm3d.py [--temporal] [--small] BUILD [PICTURES.npz]

With --temporal only the form of several frames: what a frame more takes that lies on the card already,
at 1920 x 1080, too (`ascent`, enlarged by cubic interpolation), where "bar" begins the lines that tell
whether three frames take at most 1.2 times what BM3DCUDA does; then decibels of what stands still,
moves and turns, beside one frame, what a frame takes within a sequence, from file to file, and how far
engines are from cpu. With --small all of it with corners of 64 x 48 pixels: whether it runs at all.

BUILD has src/library/libodl-core.so.0.1.0 and tests/bench/gpu-resident. The pictures are `camera` and
`ascent`, of PyWavelets where the file is not given. Each gets noise of a fresh default_rng (7).
"""
import ctypes
import itertools
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np
from scipy import ndimage

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
import pixels  # noqa: E402

RUNS = 50
BAR_MS = 1.2 * 7.5  # of BM3DCUDA (4, 16), three frames at 1920 x 1080 on an H200
SIGMAS = (15, 25, 50)
F32 = 3


class Picture(ctypes.Structure):
    _fields_ = [("width", ctypes.c_int), ("height", ctypes.c_int), ("channels", ctypes.c_int),
                ("type", ctypes.c_int), ("samples", ctypes.c_void_p), ("row_bytes", ctypes.c_size_t),
                ("minimum", ctypes.c_double), ("maximum", ctypes.c_double), ("result", ctypes.c_void_p)]


class Filter:
    def __init__(self, library, engine, recipe):
        self.library, message = library, ctypes.c_char_p()
        library.ondelette_filter_new.restype = ctypes.c_void_p
        self.filter = ctypes.c_void_p(library.ondelette_filter_new(engine.encode(), recipe.encode(),
                                                                   ctypes.byref(message)))
        assert self.filter, message.value.decode()

    def run(self, samples):
        samples, message = np.ascontiguousarray(samples, np.float32), ctypes.c_char_p()
        result = np.empty_like(samples)
        picture = Picture(samples.shape[1], samples.shape[0], 1, F32, samples.ctypes.data, 0, 0, 1,
                          result.ctypes.data)
        assert self.library.ondelette_filter_run(self.filter, ctypes.byref(picture),
                                                 ctypes.byref(message)), message.value.decode()
        return result

    def __del__(self):
        self.library.ondelette_filter_free(self.filter)


def psnr(samples, clean):
    return 10 * np.log10(255 ** 2 / ((np.clip(samples * 511 - 128, 0, 255) - clean) ** 2).mean())


def pictures(file):
    if file is not None:
        return dict(np.load(file))
    import pywt.data
    return {name: getattr(pywt.data, name)() for name in ("camera", "ascent")}


def write_pgm(path, picture, sigma, seed=7):
    noisy = picture + np.random.default_rng(seed).normal(0, sigma, picture.shape)
    stored = np.clip(np.rint((noisy + 128) / 511 * 65535), 0, 65535).astype(">u2")
    pathlib.Path(path).write_bytes(b"P5 %d %d 65535\n" % stored.shape[::-1] + stored.tobytes())


def sequence(picture, motion, n):
    """So many frames of a picture that stands still, is moved by (1.3, 0.7) pixels a frame or turned by 0.4°."""
    middle = (np.array(picture.shape) - 1) / 2
    for k in range(n):
        turn = np.deg2rad(0.4 * k) * (motion == "turned")
        matrix = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        offset = middle - matrix @ middle - np.array([0.7, 1.3]) * k * (motion == "moved")
        yield np.clip(ndimage.affine_transform(picture, matrix, offset, order=3, mode="mirror"), 0, 255)


def filtered(build, engine, recipe, frames):
    """What frames become, through a file, and the seconds of the whole run."""
    header = ("ObjectType = Image\nNDims = 4\nDimSize = {2} {1} 1 {0}\nElementType = MET_FLOAT\nElementMin = 0\n"
              "ElementMax = 1\nElementDataFile = LOCAL\n").format(*frames.shape)
    pathlib.Path("in.mha").write_bytes(header.encode() + ((frames + 128) / 511).astype("<f4").tobytes())
    start = time.monotonic()
    subprocess.run([build / "src/ondelette-cli", "process", "in.mha", "-o", "out-%d.tif", "--force", "-e", engine, "-f", recipe],
                   check=True, stdout=subprocess.DEVNULL)
    seconds = time.monotonic() - start
    return np.array([pixels.read_tiff(f"out-{k + 1}.tif")[1][..., 0] for k in range(len(frames))]), seconds


def median_ms(words):
    """Of the first row of the table that gpu-resident prints."""
    rows = [row.split("|") for row in words.splitlines() if ".pgm |" in row]
    return float(rows[0][4]) / 1000 if rows else None


def resident(build, clean, small):
    """A frame more of a sequence on the card, of a scene that stands still."""
    for name, picture in clean.items():
        for k in range(9):
            write_pgm(f"{name}-{k}.pgm", picture, 25, 7 + k)
        for effort, n in itertools.product(("normal", "fast"), (3,) if small else (1, 3, 5)):
            recipe = f"bm3d:sigma={25 / 511:.6f},effort={effort},frames={n}"
            print(f"\n{name} {picture.shape[1]} × {picture.shape[0]}, {recipe}\n", flush=True)
            words = subprocess.run([build / "tests/bench/gpu-resident", "--sequence", "--steps",
                                    f"--frames={3 if small else 200}", recipe,
                                    *(f"{name}-{k}.pgm" for k in range(9))], check=False, capture_output=True,
                                   encoding="utf-8")
            print(words.stdout + words.stderr, flush=True)
            took = median_ms(words.stdout)
            if name == "enlarged" and n == 3:
                print(f"bar, effort={effort}: " + (
                    "nothing was measured" if not took or picture.shape != (1080, 1920) else
                    f"{took:.2f} ms for a frame of three, at most {BAR_MS:.1f} on an H200: "
                    + ("held" if took <= BAR_MS else "missed")), flush=True)


def temporal(build, clean, small):
    """Engines that lack the form of several frames are named."""
    few, many, sigma = (6, 8, 25) if small else (8, 20, 25)
    print("| picture | engine | effort | still, one frame / three / the mean of three, dB | moved | turned | ms a frame, one / three |"
          " three, of cpu: farther off than σ / 10, dB |\n| --- | --- | --- | --: | --: | --: | --: | --: |")
    engines, of_cpu = [], {}
    for engine in ("cpu", "gl-compute"):
        try:
            filtered(build, engine, "bm3d:sigma=0.1,frames=3", np.zeros((3, 16, 16)))
            engines.append(engine)
        except subprocess.CalledProcessError:
            print(f"| all | {engine} | | has no form of several frames | | | |")
    for (name, picture), engine, effort in itertools.product(clean.items(), engines, ("normal", "fast")):
        recipes = [f"bm3d:sigma={sigma / 511:.6f},effort={effort},frames={n}" for n in (1, 3)]
        cells, off, apart, rng = [], [], [], np.random.default_rng(7)
        for motion in ("still", "moved", "turned"):
            frames = np.array(list(sequence(picture.astype(float), motion, few)))
            noisy = frames + rng.normal(0, sigma, frames.shape)
            results = [filtered(build, engine, recipe, noisy)[0] for recipe in recipes]
            levels = [psnr(result[4], frames[4]) for result in results]
            wanted = of_cpu.setdefault((name, effort, motion), results[1])
            off.append(np.abs(results[1] - wanted) * 511 / sigma)
            apart.append(abs(psnr(results[1], frames) - psnr(wanted, frames)))
            if motion == "still":
                mean = f"bm3d:sigma={sigma / 511 / np.sqrt(3):.6f},effort={effort}"
                levels.append(psnr(filtered(build, engine, mean, noisy[3:6].mean(axis=0)[None])[0][0], frames[4]))
            cells.append(" / ".join(f"{level:.2f}" for level in levels))
        long = np.resize(noisy, (many, *picture.shape))
        milliseconds = [(filtered(build, engine, recipe, long)[1] - filtered(build, engine, recipe, long[:few])[1])
                        * 1000 / (many - few) for recipe in recipes]
        print(f"| {name} {picture.shape[1]} × {picture.shape[0]} | {engine} | {effort} | " + " | ".join(cells)
              + " | " + " / ".join(f"{ms:.1f}" for ms in milliseconds)
              + f" | {100 * np.mean(np.array(off) > 0.1):.4f} %, {max(apart):.3f} |", flush=True)


def enlarged(picture):
    sides = np.array([1080, 1920])
    return np.clip(ndimage.zoom(picture.astype(float), sides / picture.shape, order=3, mode="mirror"), 0, 255)


def main():
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    small = "--small" in sys.argv
    build = pathlib.Path(words[0]).resolve()
    clean = pictures(words[1] if len(words) > 1 else None)
    if "--temporal" in sys.argv:
        shown = {"enlarged": enlarged(clean["ascent"])} if "ascent" in clean else {}
        shown |= clean
        if small:
            shown, clean = ({name: picture[:48, :64] for name, picture in of.items()} for of in (shown, clean))
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            resident(build, shown, small)
            temporal(build, clean, small)
        return
    if small:
        clean = {name: picture[:48, :64] for name, picture in clean.items()}
    library = ctypes.CDLL(str(build / "src/library/libodl-core.so.0.1.0"))
    print("| picture | σ | cpu, dB | gl-compute, dB | samples farther off than σ / 10 | farthest, σ | "
          f"unequal runs of {RUNS} |\n| --- | --: | --: | --: | --: | --: | --: |")
    for name, picture in clean.items():
        picture = picture.astype(float)
        for sigma in SIGMAS:
            noisy = picture + np.random.default_rng(7).normal(0, sigma, picture.shape)
            samples = ((noisy + 128) / 511).astype(np.float32)
            recipe = f"bm3d:sigma={sigma / 511:.6f}"
            cpu = Filter(library, "cpu", recipe).run(samples)
            card = Filter(library, "gl-compute", recipe)
            got = card.run(samples)
            again = [np.array_equal(got, card.run(samples)) for _ in range(RUNS - 1 if sigma == 25 else 0)]
            off = np.abs(got - cpu) * 511 / sigma
            print(f"| {name} {picture.shape[1]} × {picture.shape[0]} | {sigma} | {psnr(cpu, picture):.3f} | "
                  f"{psnr(got, picture):.3f} | {100 * np.mean(off > 0.1):.4f} % | {off.max():.4f} | "
                  f"{again.count(False) if again else '–'} |", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for name, picture in clean.items():
            write_pgm(f"{folder}/{name}.pgm", picture, 25)
        for recipe in (f"bm3d:sigma={25 / 511:.6f}", "non-local-means:search=21,patch=9,rounds=2"):
            print(f"\n{recipe}\n", flush=True)
            subprocess.run([pathlib.Path(build).resolve() / "tests/bench/gpu-resident", "--steps",
                            f"--frames={3 if small else 200}", recipe,
                            *(f"{name}.pgm" for name in clean)], check=False, cwd=folder)


if __name__ == "__main__":
    start = time.monotonic()
    main()
    print(f"\n{time.monotonic() - start:.0f} s")
