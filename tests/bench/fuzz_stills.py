#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Damaged stills of the formats that libraries decode, and of our own readers: each must end as a picture
or in a sentence, never in a crash of the decoder.

usage: fuzz_stills.py ONDELETTE_CLI [--files N] [--seed N] [--keep FOLDER] [--only EXTENSION] [--corpus ZIP]

Small NPY, PNM, PFM, JPEG 2000, WebP, TGA, AVIF, OpenEXR, TIFF and GIF files, some of them of several pages and animated,
made by NumPy, OpenJPEG, libavif, FFmpeg, tifffile and Pillow. With a decoder
that was built under the address sanitizer (ODL_DECODER), a wrong access is a crash. Exits with 1 after one;
its files are kept.
"""
import io
import pathlib
import subprocess
import tempfile

import numpy as np
import tifffile
from PIL import Image

import fuzzing

RANDOM = np.random.default_rng(1)
GREY = RANDOM.integers(0, 256, (16, 24), np.uint8)


def array(values, **more):
    out = io.BytesIO()
    np.save(out, values, **more)
    return out.getvalue()


def pages(*shape, **more):
    out = io.BytesIO()
    tifffile.imwrite(out, RANDOM.integers(0, 120, shape).astype(more.pop("dtype", "u1")), **more)
    return out.getvalue()


def pyramid(listed):
    out = io.BytesIO()
    with tifffile.TiffWriter(out) as file:
        for page in RANDOM.integers(0, 120, (3, 32, 48), "u1"):
            file.write(page, metadata=None, tile=(16, 16), **({"subifds": 1} if listed else {}))
            file.write(page[::2, ::2], metadata=None, tile=(16, 16), subfiletype=1)
    return out.getvalue()


def moving(form, **more):
    frames = [Image.fromarray(RANDOM.integers(0, 256, (16, 24, 4), np.uint8)) for _ in range(5)]
    out = io.BytesIO()
    frames[0].save(out, form, save_all=True, append_images=frames[1:], duration=[40, 50, 60, 70, 0], **more)
    return out.getvalue()


def made_by(command, source, name, extension=".pgm"):
    """What a program makes of a file: the words SOURCE and OUT of the command are its names."""
    with tempfile.TemporaryDirectory() as folder:
        there = pathlib.Path(folder) / ("in" + pathlib.Path(name).suffix + extension)
        out = pathlib.Path(folder) / name
        there.write_bytes(source)
        words = [{"SOURCE": str(there), "OUT": str(out)}.get(word, word) for word in command]
        subprocess.run(words, check=True, capture_output=True)
        return out.read_bytes()


PGM = b"P5\n24 16\n255\n" + GREY.tobytes()
Y4M = b"YUV4MPEG2 W%d H%d F25:1 Ip C444p12 XCOLORRANGE=FULL\nFRAME\n"
COLOURS = Y4M % (24, 16) + RANDOM.integers(0, 4096, 3 * 24 * 16, "<u2").tobytes()
TILES = Y4M % (128, 64) + RANDOM.integers(0, 4096, 3 * 128 * 64, "<u2").tobytes()
AVIFENC = ["avifenc", "-j", "1", "-s", "10"]
OPENJPEG = ["opj_compress", "-i", "SOURCE", "-o", "OUT", "-n", "3"]
FFMPEG = ["ffmpeg", "-v", "error", "-i", "SOURCE"]
SEEDS = [
    (".npy", array(GREY)), (".npy", array(RANDOM.normal(size=(3, 5, 7)).astype("f4"))),
    (".npy", array(np.asfortranarray(RANDOM.normal(size=(2, 3, 5, 7)).astype(">f8")))),
    (".npy", array(np.array([[1, None]]), allow_pickle=True)), (".pgm", PGM),
    (".pgm", b"P2\n3 2\n1000\n" + b"1 20 300 400 5 6\n"), (".pgm", b"P4\n24 16\n" + GREY.tobytes()[:48]),
    (".pfm", b"Pf\n4 4\n-1.0\n" + GREY.tobytes()[:64]), (".jp2", made_by(OPENJPEG, PGM, "a.jp2")),
    (".tif", pages(6, 16, 24, dtype="u2", imagej=True, resolution=(4, 4), metadata={
        "axes": "TYX", "unit": "um", "finterval": 0.04, "min": 3, "max": 90, "vunit": "HU", "cf": 0, "c0": -3, "c1": 2})),
    (".tif", pages(2, 3, 2, 16, 24, imagej=True, metadata={"axes": "TZCYX", "spacing": 2, "unit": "mm"})),
    (".tif", pages(3, 2, 16, 24, dtype="f4", photometric="minisblack", bigtiff=True, metadata={"axes": "ZTYX"})),
    (".tif", pages(4, 32, 32, 3, photometric="rgb", tile=(16, 16), compression="zlib", metadata=None)),
    (".tif", pages(4, 16, 24, dtype=">f8", byteorder=">", photometric="minisblack", metadata=None)),
    (".tif", pyramid(True)), (".tif", pyramid(False)),
    (".gif", moving("gif", disposal=2)), (".gif", moving("gif")), (".webp", moving("webp", lossless=True)),
    (".webp", moving("webp", lossless=False)),
    (".j2k", made_by([*OPENJPEG, "-r", "4"], PGM, "a.j2k")),
    (".webp", made_by([*FFMPEG, "-c:v", "libwebp", "-lossless", "1", "OUT"], PGM, "a.webp")),
    (".webp", made_by([*FFMPEG, "-c:v", "libwebp", "OUT"], PGM, "a.webp")),
    (".tga", made_by([*FFMPEG, "OUT"], PGM, "a.tga")), (".avif", made_by([*FFMPEG, "OUT"], PGM, "a.avif")),
    (".avif", made_by([*AVIFENC, "--irot", "1", "--imir", "1", "SOURCE", "OUT"], COLOURS, "a.avif", ".y4m")),
    (".avif", made_by([*AVIFENC, "--clap", "20,1,10,1,0,1,0,1", "SOURCE", "OUT"], COLOURS, "a.avif", ".y4m")),
    (".avif", made_by([*AVIFENC, "--grid", "2x1", "SOURCE", "OUT"], TILES, "a.avif", ".y4m")),
    (".exr", made_by([*FFMPEG, "-pix_fmt", "grayf32le", "OUT"], PGM, "a.exr")),
    (".exr", made_by([*FFMPEG, "-pix_fmt", "gbrpf32le", "-compression", "zip16", "-format", "half", "OUT"], PGM, "a.exr")),
    (".exr", made_by([*FFMPEG, "-pix_fmt", "gbrapf32le", "-compression", "rle", "OUT"], PGM, "a.exr")),
]


def write(path, chance, _):
    fitting = [content for extension, content in SEEDS if extension == path.suffix]
    path.write_bytes(fuzzing.damage(chance.choice(fitting), chance))


fuzzing.run(write, lambda n: SEEDS[n % len(SEEDS)][0], "fuzz-stills")
