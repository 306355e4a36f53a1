#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""TIFF of every layout: bits 1 to 32 × sample formats × planes × predictors × strips and tiles. What is
read has its values, what is not is refused in words, and nothing comes from beside the samples: built with
the address sanitizer (./dev sanitize) this is what shows reading beyond them, else that two runs are equal.

usage: tiff_layouts.py ONDELETTE_CLI
"""
import itertools
import pathlib
import struct
import subprocess
import sys
import zlib

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
from command_line import CLI, process, run_cases  # noqa: E402

UINT, INT, FLOAT, VOID, COMPLEX_INT, COMPLEX_FLOAT = range(1, 7)
WIDTH, HEIGHT = 19, 18
TILE = 16
SIZES = {3: "H", 4: "I"}


def entry(tag, values):
    values = values if isinstance(values, list) else [values]
    kind = 4 if tag in (256, 257, 273, 279, 324, 325) else 3
    return tag, kind, struct.pack(f"<{len(values)}{SIZES[kind]}", *values), len(values)


def write(path, tags, pieces, tiled):
    out = bytearray(b"II*\0\0\0\0\0")
    places = []
    for piece in pieces:
        out += b"\0" * (len(out) % 2)
        places.append(len(out))
        out += piece
    tags = {**tags, (324 if tiled else 273): places, (325 if tiled else 279): [len(piece) for piece in pieces]}
    entries = b""
    for tag, values in sorted(tags.items()):
        tag, kind, data, count = entry(tag, values)
        if len(data) > 4:
            out += b"\0" * (len(out) % 2)
            data, out = struct.pack("<I", len(out)), out + data
        entries += struct.pack("<HHI", tag, kind, count) + data.ljust(4, b"\0")
    out += b"\0" * (len(out) % 2)
    struct.pack_into("<I", out, 4, len(out))
    pathlib.Path(path).write_bytes(out + struct.pack("<H", len(tags)) + entries + b"\0\0\0\0")


def packed(numbers, bits, form):
    """Rows of samples as bytes, each row begun with a byte of its own."""
    if form == FLOAT and bits in (16, 32):
        return numbers.astype(f"<f{bits // 8}").tobytes()
    if bits in (8, 16, 32):
        return (numbers.astype(np.int64) & (2**bits - 1)).astype(f"<u{bits // 8}").tobytes()
    rows = (numbers.astype(np.int64) & (2**bits - 1)).reshape(numbers.shape[0], -1, 1)
    places = (rows >> np.arange(bits - 1, -1, -1)) & 1
    return np.packbits(places.reshape(numbers.shape[0], -1).astype(np.uint8), axis=1).tobytes()


def differences(numbers, bits, predictor):
    """numbers: rows × pixels × samples; those of a row, or their bytes, from the ones before."""
    if predictor == 2:
        return np.concatenate([numbers[:, :1], np.diff(numbers.astype(np.int64), axis=1)], axis=1)
    count = numbers.shape[2]
    planes = numbers.astype(f">f{bits // 8}").reshape(numbers.shape[0], -1)
    planes = planes.view(np.uint8).reshape(numbers.shape[0], -1, bits // 8).swapaxes(1, 2).reshape(numbers.shape[0], -1)
    rest = planes.astype(int)
    return np.concatenate([rest[:, :count], rest[:, count:] - rest[:, :-count]], axis=1).astype(np.uint8)


def sample_numbers(bits, form, samples):
    random = np.random.default_rng(bits * 10 + form)
    shape = (HEIGHT, WIDTH, samples)
    if form in (FLOAT, COMPLEX_FLOAT):
        return random.normal(0, 100, shape).astype(np.float16 if bits == 16 else np.float32)
    low = -(1 << (bits - 1)) if form == INT else 0
    return random.integers(low, low + (1 << bits), shape)


def layout(path, bits, form, samples, separate, predictor, tiled):
    numbers = sample_numbers(bits, form, samples)
    planes = [numbers[..., c:c + 1] for c in range(samples)] if separate else [numbers]
    side = TILE if tiled else 0
    pieces = []
    for plane in planes:
        for top in range(0, HEIGHT, side or 7):
            for left in range(0, WIDTH, side or WIDTH):
                part = plane[top:top + (side or 7), left:left + (side or WIDTH)]
                if tiled:
                    part = np.pad(part, ((0, side - part.shape[0]), (0, side - part.shape[1]), (0, 0)))
                if predictor == 1 or (predictor == 3) != (form == FLOAT and bits in (16, 32)):
                    content = packed(part, bits, form)
                elif predictor == 3:
                    content = differences(part, bits, 3).tobytes()
                else:
                    content = packed(differences(part, bits, 2), bits, form)
                pieces.append(zlib.compress(content, 1))
    tags = {256: WIDTH, 257: HEIGHT, 258: [bits] * samples, 259: 8, 262: 2 if samples >= 3 else 1, 277: samples,
            284: 2 if separate else 1, 317: predictor, 339: [form] * samples}
    if samples in (2, 4):
        tags[338] = [2]
    tags.update({322: TILE, 323: TILE} if tiled else {278: 7})
    write(path, tags, pieces, tiled)
    return numbers


def is_read(bits, form, predictor):
    """Whether these are numbers that the program reads; 3: a predictor of floats, 2: of 8, 16, 32 bits."""
    if form == FLOAT:
        return bits == 32 and predictor != 2
    return form in (UINT, INT, VOID) and bits in (1, 2, 4, 8, 16, 32) and (predictor == 1 or (predictor == 2 and bits >= 8))


def shown(numbers, bits, form):
    """Few bits are spread over 8; those with a sign are as they are."""
    if form in (UINT, VOID) and bits < 8:
        numbers = numbers * 255 // (2**bits - 1)
    if numbers.shape[2] == 2:
        numbers = numbers[..., [0, 0, 0, 1]]
    return numbers.squeeze().astype(np.float64)


def read_all(folder, names):
    """Samples of each file that can be read, and all messages."""
    done = subprocess.run([CLI, "process", *names, "-o", folder, "--format", "npy", "--force"], capture_output=True,
                          encoding="utf-8", check=False)
    assert done.returncode in (0, 1, 3), (done.returncode, done.stderr[-2000:])
    assert "sanitizer" not in done.stderr.lower() and "ended by signal" not in done.stderr, done.stderr[-4000:]
    return {name: np.load(path) for name in names
            if (path := pathlib.Path(folder) / name.replace(".tif", ".npy")).exists()}, done.stderr


def check(samples, separate, twice):
    kinds = {}
    for bits, form, predictor, tiled in itertools.product(range(1, 33), range(1, 7), (1, 2, 3), (False, True)):
        name = f"b{bits}-f{form}-p{predictor}-{'t' if tiled else 's'}.tif"
        kinds[name] = (bits, form, predictor, layout(name, bits, form, samples, separate, predictor, tiled))
    got, words = read_all("first", list(kinds))
    again = read_all("second", list(kinds))[0] if twice else got
    for name, (bits, form, predictor, numbers) in kinds.items():
        if name not in got:
            if is_read(bits, form, predictor):
                yield f"{name} is not read: {words[-300:]}"
            elif name not in words:
                yield f"{name} is refused without a word"
            continue
        if name not in again or not np.array_equal(got[name], again[name], equal_nan=True):
            yield f"{name} differs from run to run"
        if is_read(bits, form, predictor):
            wanted = shown(numbers, bits, form)
            most = max(np.abs(wanted).max(), 1)
            if got[name].shape != wanted.shape or np.abs(got[name] - wanted).max() > 2e-6 * most:
                yield f"{name} has other values"
        elif form in (COMPLEX_INT, COMPLEX_FLOAT):
            yield f"{name} holds no numbers that make a picture"


def signed_samples_are_twos_complement():
    for bits, row, wanted in ((4, bytes(range(1, 256, 34)), [0, 1, 2, 3, 4, 5, 6, 7, -8, -7, -6, -5, -4, -3, -2, -1]),
                              (2, b"\x1b\x1b", [0, 1, -2, -1, 0, 1, -2, -1]), (1, b"\x55", [0, -1] * 4)):
        write("signed.tif", {256: len(wanted), 257: 1, 258: bits, 259: 1, 262: 1, 277: 1, 278: 1, 339: 2}, [row], False)
        process("signed.tif", "-o", "signed.npy", "--force")
        assert np.array_equal(np.load("signed.npy").squeeze(), wanted), bits


cases = {"signed samples below 8 bits are two's complement": signed_samples_are_twos_complement}
for samples, planes, twice in ((1, False, True), (2, True, False), (3, True, True), (4, False, False)):
    cases[f"{samples} {'planes' if planes else 'samples'} of every kind"] = \
        lambda layout=(samples, planes, twice): check(*layout)
sys.exit(run_cases(cases))
