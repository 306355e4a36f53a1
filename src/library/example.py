#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Filters a noisy square in memory, as example.c does: example.py [ENGINE [RECIPE]]"""
import ctypes
import sys

SIDE = 128
U8, U16, S16, F32 = range(4)


class Picture(ctypes.Structure):
    _fields_ = [("width", ctypes.c_int), ("height", ctypes.c_int), ("channels", ctypes.c_int), ("type", ctypes.c_int),
                ("samples", ctypes.c_void_p), ("row_bytes", ctypes.c_size_t), ("minimum", ctypes.c_double),
                ("maximum", ctypes.c_double), ("result", ctypes.POINTER(ctypes.c_float))]


library = ctypes.CDLL("libodl-core.so.0")
library.ondelette_filter_new.restype = ctypes.c_void_p
library.ondelette_filter_new.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.POINTER(ctypes.c_char_p)]
library.ondelette_filter_run.argtypes = [ctypes.c_void_p, ctypes.POINTER(Picture), ctypes.POINTER(ctypes.c_char_p)]
library.ondelette_filter_free.argtypes = [ctypes.c_void_p]

engine = (sys.argv[1:2] or ["cpu"])[0]
recipe = (sys.argv[2:3] or ["shrinkage:wavelet=cdf97,levels=3"])[0]
noise, samples = 1, bytearray()
for i in range(SIDE * SIDE):
    noise = (noise * 1664525 + 1013904223) % 2 ** 32
    inside = abs(i % SIDE - 64) < 32 and abs(i // SIDE - 64) < 32
    samples.append((160 if inside else 64) + (noise >> 27))

stored = (ctypes.c_ubyte * len(samples)).from_buffer(samples)
result = (ctypes.c_float * len(samples))()
message = ctypes.c_char_p()
picture = Picture(SIDE, SIDE, 1, U8, ctypes.addressof(stored), 0, 0, 0, result)
filtering = library.ondelette_filter_new(engine.encode(), recipe.encode(), message)
if not filtering or not library.ondelette_filter_run(filtering, picture, message):
    sys.exit(message.value.decode())
for x in range(24, 40):
    print(f"{samples[64 * SIDE + x]} -> {255 * result[64 * SIDE + x]:.5f}")
library.ondelette_filter_free(filtering)
