# SPDX-License-Identifier: MIT
"""Filters of pictures in memory, by the shared library odl-core."""
from __future__ import annotations

import ctypes
import functools
import os
from typing import Any, Optional, Tuple

import numpy

from ._error import Error

# Samples as the library has them (ondelette.h), and the range of those that are whole numbers.
TYPES = {"uint8": (0, 0.0, 255.0), "uint16": (1, 0.0, 65535.0), "int16": (2, -32768.0, 32767.0),
         "float32": (3, 0.0, 1.0)}


class _Picture(ctypes.Structure):
    _fields_ = [("width", ctypes.c_int), ("height", ctypes.c_int), ("channels", ctypes.c_int), ("type", ctypes.c_int),
                ("samples", ctypes.c_void_p), ("row_bytes", ctypes.c_size_t), ("minimum", ctypes.c_double),
                ("maximum", ctypes.c_double), ("result", ctypes.c_void_p)]


@functools.lru_cache(maxsize=None)
def _library() -> Any:
    name = os.environ.get("ONDELETTE_LIBRARY", "libodl-core.so.0")
    try:
        library = ctypes.CDLL(name)
    except OSError as problem:
        raise Error(f"The library of Ondelette cannot be loaded ({problem}): install Ondelette, or name the file in "
                    "ONDELETTE_LIBRARY.") from None
    library.ondelette_version.restype = ctypes.c_char_p
    library.ondelette_engines.restype = ctypes.c_char_p
    library.ondelette_filter_new.restype = ctypes.c_void_p
    library.ondelette_filter_new.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.POINTER(ctypes.c_void_p)]
    library.ondelette_filter_run.argtypes = [ctypes.c_void_p, ctypes.POINTER(_Picture), ctypes.POINTER(ctypes.c_void_p)]
    library.ondelette_filter_free.argtypes = [ctypes.c_void_p]
    library.ondelette_message_free.argtypes = [ctypes.c_void_p]
    return library


def _sentence(message: ctypes.c_void_p) -> str:
    """What the library said, which is freed."""
    text = ctypes.string_at(message.value).decode() if message.value else "the filter failed"
    _library().ondelette_message_free(message)
    return text


def version() -> str:
    """The version of the library."""
    return _library().ondelette_version().decode()


def engines() -> list[str]:
    """The engines that there are; some may not run on this machine."""
    return _library().ondelette_engines().decode().split()


def as_samples(array: Any) -> numpy.ndarray:
    """The array as the library and the window take it: whole numbers of 8 or 16 bits, else float32."""
    array = numpy.asarray(array)
    if array.dtype.name not in TYPES or not array.dtype.isnative:
        if array.dtype.kind not in "fiub":
            raise Error(f"An array of {array.dtype} has no samples of a picture: convert it to float32, uint8 or uint16.")
        array = array.astype("float32")
    return numpy.ascontiguousarray(array)


class Filter:
    """A recipe on an engine, kept from picture to picture, which is quicker than :func:`run`; for filters over time
    pictures are frames in order. It belongs to the thread that made it."""

    def __init__(self, recipe: str, engine: str = "cpu") -> None:
        message = ctypes.c_void_p()
        self._filter = None
        self._filter = _library().ondelette_filter_new(engine.encode(), recipe.encode(), ctypes.byref(message))
        if not self._filter:
            raise Error(_sentence(message))

    def close(self) -> None:
        """Gives up what it holds; it cannot be used afterwards."""
        if self._filter:
            _library().ondelette_filter_free(self._filter)
        self._filter = None

    def __enter__(self) -> "Filter":
        return self

    def __exit__(self, *problem: Any) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()

    def __call__(self, array: Any, range: Optional[Tuple[float, float]] = None) -> numpy.ndarray:  # noqa: A002
        """The result, float32 in the units of the array: rows × columns, or rows × columns × 3 or 4. `range`: the
        values of black and white; without it all that the type has, of floats 0 and 1."""
        samples = as_samples(array)
        if not self._filter:
            raise Error("This filter was closed.")
        if samples.ndim not in (2, 3) or (samples.ndim == 3 and samples.shape[2] not in (1, 3, 4)) or not samples.size:
            raise Error(f"A picture is an array of rows × columns, or with 1, 3 or 4 channels behind these; this one is "
                        f"{' × '.join(map(str, samples.shape)) or 'a number'}.")
        kind, low, high = TYPES[samples.dtype.name]
        low, high = range or (low, high)
        result = numpy.empty(samples.shape, "float32")
        picture = _Picture(samples.shape[1], samples.shape[0], samples.shape[2] if samples.ndim == 3 else 1, kind,
                           samples.ctypes.data, 0, low, high, result.ctypes.data)
        message = ctypes.c_void_p()
        if not _library().ondelette_filter_run(self._filter, ctypes.byref(picture), ctypes.byref(message)):
            raise Error(_sentence(message))
        if (low, high) != (0, 1):
            result *= numpy.float32(high - low)
            result += numpy.float32(low)
        return result


def run(recipe: str, array: Any, engine: str = "cpu",
        range: Optional[Tuple[float, float]] = None) -> numpy.ndarray:  # noqa: A002
    """What the filters of `recipe`, as on the command line, make of a picture; see :meth:`Filter.__call__`."""
    with Filter(recipe, engine) as filtering:
        return filtering(array, range)
