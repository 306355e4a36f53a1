# SPDX-License-Identifier: MIT
"""Filters of pictures in memory, by the shared library odl-core."""
from __future__ import annotations

import ctypes
import functools
import math
import os
from typing import Any, Optional, Sequence, Tuple

import numpy

from ._error import Error

# Samples as the library has them (ondelette.h), and the range of those that are whole numbers.
TYPES = {"uint8": (0, 0.0, 255.0), "uint16": (1, 0.0, 65535.0), "int16": (2, -32768.0, 32767.0),
         "float32": (3, 0.0, 1.0)}


class _Picture(ctypes.Structure):
    _fields_ = [("width", ctypes.c_int), ("height", ctypes.c_int), ("channels", ctypes.c_int), ("type", ctypes.c_int),
                ("samples", ctypes.c_void_p), ("row_bytes", ctypes.c_size_t), ("minimum", ctypes.c_double),
                ("maximum", ctypes.c_double), ("result", ctypes.c_void_p)]


class _Volume(ctypes.Structure):
    _fields_ = [("slice", _Picture), ("depth", ctypes.c_int), ("slice_bytes", ctypes.c_size_t),
                ("spacing_mm", ctypes.c_double * 3)]


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
    library.ondelette_filter_set_other.argtypes = [ctypes.c_void_p, ctypes.POINTER(_Volume), ctypes.POINTER(ctypes.c_void_p)]
    library.ondelette_filter_run_volume.argtypes = [ctypes.c_void_p, ctypes.POINTER(_Volume), ctypes.POINTER(ctypes.c_void_p)]
    library.ondelette_register.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_void_p, ctypes.c_void_p,
                                           ctypes.POINTER(ctypes.c_void_p)]
    library.ondelette_withdraw.argtypes = [ctypes.c_char_p]
    library.ondelette_withdraw.restype = None
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


def _axes_of(samples: numpy.ndarray, axes: Optional[str]) -> str:
    """The letters of the axes: as they are said, or as they look."""
    shape = " × ".join(map(str, samples.shape)) or "a number"
    if axes is None:
        coloured = samples.ndim >= 3 and samples.shape[-1] in (1, 3, 4)
        spatial = samples.ndim - coloured
        axes = ("tzyx"[4 - spatial:] if 2 <= spatial <= 4 else "?") + ("c" if coloured else "")
    in_order = "".join(letter for letter in "tzyxc" if letter in axes)
    if axes != in_order or len(axes) != samples.ndim or "yx" not in axes or not samples.size \
            or ("c" in axes and samples.shape[-1] not in (1, 3, 4)):
        raise Error(f"A picture is an array of rows × columns, a volume of slices × rows × columns; 1, 3 or 4 channels may stand "
                    f"behind these, and times before (axes=\"tzyxc\" and parts of it say so in doubt); this one is {shape}.")
    return axes


class Filter:
    """A recipe on an engine, kept from picture to picture, which is quicker than :func:`run`; for filters over time
    pictures are frames in order. It belongs to the thread that made it."""

    def __init__(self, recipe: str, engine: str = "cpu") -> None:
        message = ctypes.c_void_p()
        self._filter = None
        self._other: Optional[numpy.ndarray] = None
        self._filter = _library().ondelette_filter_new(engine.encode(), recipe.encode(), ctypes.byref(message))
        if not self._filter:
            raise Error(_sentence(message))

    def set_other(self, other: Any = None, range: Optional[Tuple[float, float]] = None) -> None:  # noqa: A002
        """The second picture or volume for all runs from now on, of the filters of the recipe that take one, such as
        ``mix:weight=0.3``; None: none again. As large as the first; `range` as for that."""
        message = ctypes.c_void_p()
        if not self._filter:
            raise Error("This filter was closed.")
        volume, samples = None, None
        if other is not None:
            samples = as_samples(other)
            axes = _axes_of(samples, None)
            if "t" in axes:
                raise Error("A second picture has no times.")
            kind, low, high = TYPES[samples.dtype.name]
            height, width = (samples.shape[axes.index(letter)] for letter in "yx")
            picture = _Picture(width, height, samples.shape[-1] if "c" in axes else 1, kind, samples.ctypes.data, 0,
                               *(range or (low, high)), None)
            volume = ctypes.byref(_Volume(picture, samples.shape[0] if "z" in axes else 1, 0))
        done = _library().ondelette_filter_set_other(self._filter, volume, ctypes.byref(message))
        self._other = samples if done else None  # the library looks at its memory
        if not done:
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

    def _run(self, samples: numpy.ndarray, result: numpy.ndarray, axes: str, ends: Tuple[float, float],
             spacing: Sequence[float]) -> None:
        """One picture or volume, into `result`."""
        kind = TYPES[samples.dtype.name][0]
        height, width = (samples.shape[axes.index(letter)] for letter in "yx")
        channels = samples.shape[-1] if "c" in axes else 1
        picture = _Picture(width, height, channels, kind, samples.ctypes.data, 0, *ends, result.ctypes.data)
        message = ctypes.c_void_p()
        if "z" in axes:
            volume = _Volume(picture, samples.shape[0], 0, (ctypes.c_double * 3)(*spacing))
            done = _library().ondelette_filter_run_volume(self._filter, ctypes.byref(volume), ctypes.byref(message))
        else:
            done = _library().ondelette_filter_run(self._filter, ctypes.byref(picture), ctypes.byref(message))
        if done:
            return
        from ._register import take_raised
        sentence, raised = take_raised(_sentence(message))
        if raised is not None and not isinstance(raised, Exception):
            raise raised
        raise Error(sentence) from raised

    def __call__(self, array: Any, range: Optional[Tuple[float, float]] = None, *,  # noqa: A002
                 spacing: Optional[Sequence[float]] = None, axes: Optional[str] = None) -> numpy.ndarray:
        """The result, float32 of the same shape, in the units of the array: rows × columns, slices × rows × columns of a
        volume, with 1, 3 or 4 channels behind these, and times before a volume (four axes). `axes`: letters of "tzyxc"
        where that is not what they are, such as "tyx" for frames. `range`: the values of black and white; without it
        all that the type has, of floats 0 and 1. `spacing`: mm between samples along x, y and z.

        Filters with ``dimensions=3`` take volumes whole, others slice by slice, filters over time as frames in order.
        Times are frames, or volumes, in order, as further calls are."""
        samples = as_samples(array)
        if not self._filter:
            raise Error("This filter was closed.")
        axes = _axes_of(samples, axes)
        _, low, high = TYPES[samples.dtype.name]
        low, high = range or (low, high)
        apart = [0.0] * 3 if spacing is None else [float(mm) for mm in spacing]
        if len(apart) not in (2, 3) or not all(0 <= mm < math.inf for mm in apart):
            raise Error("“spacing” are two or three distances in mm, along x, y and z.")
        apart = (apart + [0.0])[:3]
        result = numpy.empty(samples.shape, "float32")
        if axes[0] == "t":
            for frame, made in zip(samples, result):
                self._run(frame, made, axes[1:], (low, high), apart)
        else:
            self._run(samples, result, axes, (low, high), apart)
        if (low, high) != (0, 1):
            result *= numpy.float32(high - low)
            result += numpy.float32(low)
        return result


def run(recipe: str, array: Any, engine: str = "cpu", range: Optional[Tuple[float, float]] = None, *,  # noqa: A002
        spacing: Optional[Sequence[float]] = None, axes: Optional[str] = None, other: Any = None,
        trust_code: bool = False) -> numpy.ndarray:
    """What the filters of `recipe`, as on the command line, make of a picture or a volume; see
    :meth:`Filter.__call__`. `other`: a second picture or volume, for filters that take one (:meth:`Filter.set_other`).

    A recipe that runs code of files (``glsl:file=…``, ``python:file=…``, a preset with such) needs ``trust_code=True``:
    ``ondelette-cli`` then runs it, in its sandbox; pictures and volumes without times, and without `other`."""
    if trust_code:
        from ._command import run_trusted
        if other is not None:
            raise Error("Code of files takes its second picture from the recipe: with=FILE.")
        return run_trusted(recipe, array, engine, range, spacing, axes)
    with Filter(recipe, engine) as filtering:
        if other is not None:
            filtering.set_other(other, range)
        return filtering(array, range, spacing=spacing, axes=axes)
