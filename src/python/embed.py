#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A text as an array of C: embed.py NAME FILE OUT"""
import pathlib
import sys

NAME, SOURCE, OUT = sys.argv[1:]
numbers = [str(byte) for byte in pathlib.Path(SOURCE).read_bytes()] + ["0"]
lines = [", ".join(numbers[i:i + 24]) for i in range(0, len(numbers), 24)]
pathlib.Path(OUT).write_text(f"static const char {NAME}[] = {{\n" + ",\n".join(lines) + "\n};\n", encoding="ascii")
