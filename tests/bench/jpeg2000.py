#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""JPEG 2000 files of ours and of OpenJPEG's opj_compress: time and PSNR at equal size.

usage: jpeg2000.py ONDELETTE_CLI [--results FOLDER] [--side N] [--runs N] [--threads N] [--folder FOLDER]

The pictures are of scikit-image, mirrored at their sides until they are SIDE pixels wide and high,
in TIFF files that both programs read. Whole commands are timed, which take turns; bars are held
against the medians. Exits with 1 when one is missed.
"""
import argparse
import datetime
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np
import skimage.data

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
import results  # noqa: E402

LOSSLESS_BAR, LOSSY_BAR, PSNR_BAR = 1.0, 1.5, -0.1
RATES = (None, 0.25, 0.5, 1, 2)


def mirrored(picture, side):
    """Without seams: the picture and its mirror images, side by side."""
    for axis in (0, 1):
        picture = np.concatenate([picture, np.flip(picture, axis)], axis)
        times = -(-side // picture.shape[axis])
        picture = np.concatenate([picture] * times, axis)
        picture = picture[:side] if axis == 0 else picture[:, :side]
    return np.ascontiguousarray(picture)


def write_tiff(path, picture):
    """Uncompressed, 8 bits, one strip."""
    height, width, channels = picture.shape
    data = picture.tobytes()
    entries = [(256, 4, width), (257, 4, height), (258, 3, 8), (259, 3, 1),
               (262, 3, 2 if channels == 3 else 1), (273, 4, 8), (277, 3, channels),
               (278, 4, height), (279, 4, len(data))]
    offset = 8 + len(data) + len(data) % 2
    extra = b""
    body = len(entries).to_bytes(2, "little")
    for tag, kind, value in entries:
        count = channels if tag == 258 else 1
        if count == 3:
            extra = (8).to_bytes(2, "little") * 3
            value = offset + 2 + 12 * len(entries) + 4
        body += (tag.to_bytes(2, "little") + kind.to_bytes(2, "little")
                 + count.to_bytes(4, "little") + value.to_bytes(4, "little"))
    path.write_bytes(b"II*\0" + offset.to_bytes(4, "little") + data + b"\0" * (len(data) % 2)
                     + body + b"\0" * 4 + extra)


def timed(*command):
    """Seconds, and seconds of processors."""
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run([*map(str, command)], check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (time.monotonic() - begin,
            after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def psnr(path, picture, folder):
    raw = folder / "decoded.rawl"
    subprocess.run(["opj_decompress", "-i", path, "-o", raw, "-threads", "2"], check=True,
                   stdout=subprocess.DEVNULL)
    height, width, channels = picture.shape
    decoded = np.fromfile(raw, np.uint8).reshape(channels, height, width).transpose(1, 2, 0)
    error = np.mean((decoded.astype(np.float32) - picture) ** 2, dtype=float)
    return 10 * np.log10(255 ** 2 / error) if error else np.inf


def row_of(cli, folder, name, picture, rate, options):
    """One line of the table, and whether it meets the bars."""
    source, ours, theirs = folder / f"{name}.tif", folder / "ours.jp2", folder / "theirs.jp2"
    pixels = picture.shape[0] * picture.shape[1]
    lossy = ["-I", "-r", 8 * picture.shape[2] / rate] if rate else []
    opj = ["opj_compress", "-i", source, "-o", theirs, "-threads", options.threads, *lossy]
    timed(*opj)
    size = theirs.stat().st_size
    how = ["--rate", repr(8 * size / pixels)] if rate else ["--lossless"]
    own = [cli, "process", source, "-o", ours, "--force", *how]
    timed(*own)
    times = [timed(*own) + timed(*opj) for _ in range(options.runs)]
    mine, my_work, other, work = (statistics.median(t) for t in zip(*times))
    a, b = psnr(ours, picture, folder), psnr(theirs, picture, folder)
    good = (other / mine >= (LOSSY_BAR if rate else LOSSLESS_BAR)
            and (a >= b + PSNR_BAR if rate else a == np.inf))
    return (f"| {name} | {f'{rate} bits' if rate else 'lossless'} | {mine:.2f} | {other:.2f} | "
            f"{other / mine:.2f} | {my_work:.2f} | {work:.2f} | {ours.stat().st_size} | {size} | "
            + (f"{a:.2f} | {b:.2f} |" if rate else "∞ | ∞ |")
            + (" |" if good else " MISSED |")), good


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cli")
    parser.add_argument("--results")
    parser.add_argument("--side", type=int, default=4096)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--folder", help="of the files; /dev/shm: neither waits for a disk")
    options = parser.parse_args()
    cli = os.path.abspath(options.cli)
    pictures = {"camera": skimage.data.camera()[..., None], "astronaut": skimage.data.astronaut()}
    lines = [f"# JPEG 2000, {options.side} × {options.side}, against opj_compress", "",
             f"{os.cpu_count()} processors, {options.threads} threads each, whole commands from a "
             f"TIFF file to a JP2 file, medians of {options.runs} alternate runs in seconds; load "
             f"before: {os.getloadavg()[0]:.2f}. Bars: lossless {LOSSLESS_BAR:.1f} and lossy "
             f"{LOSSY_BAR:.1f} times as fast, PSNR at most {-PSNR_BAR} dB less at no more bytes.", "",
             "| picture | rate | ours, s | OpenJPEG, s | times as fast | ours, CPU s | "
             "OpenJPEG, CPU s | ours, bytes | OpenJPEG, bytes | ours, dB | OpenJPEG, dB | |",
             "|---|---|---|---|---|---|---|---|---|---|---|---|"]
    all_good = True
    os.environ["OMP_NUM_THREADS"] = str(options.threads)
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        folder = pathlib.Path(name)
        for name, small in pictures.items():
            picture = mirrored(small, options.side)
            write_tiff(folder / f"{name}.tif", picture)
            for rate in RATES:
                line, good = row_of(cli, folder, name, picture, rate, options)
                all_good &= good
                lines.append(line)
                print(line, flush=True)
    if options.results:
        stem = f"{datetime.date.today()}-{os.cpu_count()}-core-jpeg2000"
        for path in results.write(options.results, stem, {"md": "\n".join(lines) + "\n"}):
            print(path)
    return 0 if all_good else 1


if __name__ == "__main__":
    sys.exit(main())
