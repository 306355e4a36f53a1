# SPDX-License-Identifier: MIT
"""Functions of Python as filters of recipes."""
from __future__ import annotations

import ast
import ctypes
import inspect
import itertools
import threading
from typing import Any, Callable, Dict, Optional, Tuple

import numpy

from ._core import _library, _sentence
from ._error import Error


class _Call(ctypes.Structure):
    _fields_ = [("width", ctypes.c_int), ("height", ctypes.c_int), ("depth", ctypes.c_int), ("channels", ctypes.c_int),
                ("samples", ctypes.POINTER(ctypes.c_float)), ("values", ctypes.POINTER(ctypes.c_double)),
                ("n_values", ctypes.c_int), ("result", ctypes.POINTER(ctypes.c_float))]


_FUNCTION = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(_Call), ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)
# The library may call them as long as the process lives.
_kept: list[Any] = []
_raised: Dict[int, BaseException] = {}
_numbers = itertools.count(1)
_lock = threading.Lock()
_MARK = "\x1f"  # before the number of an exception, in what the library says


def take_raised(sentence: str) -> Tuple[str, Optional[BaseException]]:
    """A sentence of the library without the number of an exception, and that exception."""
    text, _, number = sentence.partition(_MARK)
    with _lock:
        return text, _raised.pop(int(number), None) if number.isdigit() else None


def _parameters(function: Callable[..., Any]) -> Tuple[str, list[Tuple[str, bool]], bool]:
    """The signature as recipes have it, name and wholeness of each parameter, and whether there is an “out”."""
    words, names, takes_out = [], [], False
    try:
        found = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError) as problem:
        raise Error(f"This is no function whose parameters are known ({problem}).") from None
    for parameter in found[1:]:
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        if parameter.name in ("out", "other"):
            takes_out |= parameter.name == "out"
            words.append(parameter.name)
            continue
        told = parameter.annotation
        if isinstance(told, str) and told[:1] in "'\"":  # from __future__ import annotations
            try:
                told = ast.literal_eval(told)
            except (SyntaxError, ValueError):
                pass
        if not isinstance(told, str) or isinstance(parameter.default, bool) \
                or not isinstance(parameter.default, (int, float, numpy.integer, numpy.floating)):
            raise Error(f"The parameter “{parameter.name}” needs a range, perhaps a unit, two blanks and words for people, and a "
                        f"number, such as {parameter.name}: \"0..4 px  How much\" = 0.5.")
        whole = isinstance(parameter.default, (int, numpy.integer))
        number = repr(int(parameter.default)) if whole else repr(float(parameter.default))
        words.append(f"{parameter.name}: '{told}' = {number}")
        names.append((parameter.name, whole))
    if not found:
        raise Error("The function needs a first parameter, the picture.")
    return f"def filter (picture{''.join(', ' + word for word in words)}):", names, takes_out


def _fill(out: numpy.ndarray, made: Any) -> None:
    made = numpy.asarray(made)
    wanted = (out.shape, out.shape[:-1]) if out.shape[-1] == 1 else (out.shape,)
    if made.shape not in wanted or not numpy.can_cast(made.dtype, out.dtype, "same_kind"):
        raise ValueError(f"the function returned {made.dtype} {' × '.join(map(str, made.shape)) or made} instead of real numbers in "
                         "the shape of the picture")
    numpy.copyto(out, made.reshape(out.shape), casting="same_kind")


class Registered:
    """A function that recipes of this process know as a filter. It can be called as before, and is withdrawn by
    :meth:`close`, or as a context manager; else it stays until the process ends."""

    def __init__(self, function: Callable[..., Any], name: str) -> None:
        self.function = function
        self.name = name
        self._open = False
        signature, self._names, self._takes_out = _parameters(function)
        self._callback = _FUNCTION(self._run)
        message = ctypes.c_void_p()
        if not _library().ondelette_register(name.encode(), signature.encode(), self._callback, None, ctypes.byref(message)):
            raise Error(_sentence(message))
        self._open = True
        _kept.append(self._callback)

    def _run(self, call: Any, data: Any, message: int, size: int) -> int:
        try:
            told = call.contents
            sides = (told.height, told.width, told.channels)
            shape = (told.depth, *sides) if told.depth else sides
            picture = numpy.ctypeslib.as_array(told.samples, shape)
            picture.flags.writeable = False
            out = numpy.ctypeslib.as_array(told.result, shape)
            given = {name: int(told.values[i]) if whole else told.values[i] for i, (name, whole) in enumerate(self._names)}
            if self._takes_out:
                given["out"] = out
            made = self.function(picture, **given)
            if made is not out and not (self._takes_out and made is None):
                _fill(out, made)
            return 1
        except BaseException as problem:  # the caller of the filter gets it
            with _lock:
                number = next(_numbers)
                _raised[number] = problem
            mark = f"{_MARK}{number}".encode()
            text = f"{type(problem).__name__}: {problem}".encode("utf-8", "replace")[:max(size - len(mark) - 1, 0)] + mark + b"\0"
            ctypes.memmove(message, text, min(len(text), size))
            return 0

    def __call__(self, *words: Any, **more: Any) -> Any:
        return self.function(*words, **more)

    def close(self) -> None:
        """Recipes do not know it any more; filters that were made with it fail from now on."""
        if self._open:
            _library().ondelette_withdraw(self.name.encode())
        self._open = False

    def __enter__(self) -> "Registered":
        return self

    def __exit__(self, *problem: Any) -> None:
        self.close()


def register(function: Optional[Callable[..., Any]] = None, *, name: Optional[str] = None) -> Any:
    """Makes a function a filter of the recipes that :func:`run` and :class:`Filter` of this process take; also as a
    decorator, `@ondelette.register` or `@ondelette.register(name="my-filter")`. Neither the window nor the command
    line knows it: these take files (`python:file=NAME.py`).

    The function gets a read-only float32 array of height × width × channels, 0 black and 1 white, with
    `dimensions=3` in the recipe slices × height × width × channels, and returns one of that shape. Its other
    parameters become those of the filter: ``amount: "0..4 px  How much steeper edges get" = 0.5`` has range, perhaps a
    unit, two blanks, words for people, and a default, without a point for whole numbers. A parameter ``out`` is the
    memory of the result. `name`: small letters, digits and “-”; without it that of the function.

    The engines "cpu" and "reference" call it, in a thread of theirs that holds the GIL meanwhile, and wait for it;
    where several threads have filters, several at a time. It is called once for each picture, and more often where a
    value behind it is measured. What it raises ends the filtering with an :class:`Error`, whose ``__cause__`` it is;
    KeyboardInterrupt and SystemExit go on as they are. The array is gone when it returns: copy what is to be kept.
    The same name again takes the place of the one before."""
    def make(given: Callable[..., Any]) -> Registered:
        return Registered(given, name if name is not None else getattr(given, "__name__", "").replace("_", "-"))

    return make if function is None else make(function)
