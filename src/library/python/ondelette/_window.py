# SPDX-License-Identifier: MIT
"""Arrays in the running window, through its socket (src/session/arrays/README.md has the protocol)."""
from __future__ import annotations

import fcntl
import math
import mmap
import os
import pathlib
import socket
import stat
import struct
import threading
from typing import Any, Callable, Dict, Optional, Sequence, Tuple

import numpy

from ._core import as_samples
from ._error import Error

VERSION = 1
MOST_BYTES = 65536
PATIENCE_S = 90
_ADD_SEALS, _SEAL_SHRINK = 1033, 2
_LETTERS = {"uint8": "u8", "uint16": "u16", "float32": "f32"}


def _sockets() -> list[pathlib.Path]:
    """Where windows may answer: that which was looked at last, then all others, the newest first."""
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    if not runtime:
        raise Error("XDG_RUNTIME_DIR is not set, so there is no place for the window's socket: log in to a session that "
                    "has one.")
    folder = pathlib.Path(runtime) / "ondelette"

    def age(path: pathlib.Path) -> float:
        try:
            return -path.lstat().st_mtime
        except OSError:
            return math.inf

    return [folder / "latest", *sorted(folder.glob("*.socket"), key=age)]


def _is_mine(link: socket.socket) -> bool:
    return struct.unpack("3i", link.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))[1] == os.geteuid()


def _connect() -> socket.socket:
    for path in _sockets():
        link = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET | socket.SOCK_CLOEXEC)
        try:
            if stat.S_ISSOCK(path.stat().st_mode):
                link.settimeout(PATIENCE_S)
                link.connect(str(path))
                if _is_mine(link):
                    return link
        except OSError:
            pass
        link.close()
    raise Error("No window of Ondelette takes arrays: start `ondelette --arrays`, or allow it in the preferences of the "
                "window, under “Other Programs”.")


class _Room:
    """A file without a name, sealed against shrinking, that is kept from array to array."""

    def __init__(self) -> None:
        self.fd = -1
        self.bytes = 0
        self.map: Optional[mmap.mmap] = None

    def close(self) -> None:
        self.map = None  # goes when the last array that lies in it does
        if self.fd >= 0:
            os.close(self.fd)
        self.fd, self.bytes = -1, 0

    def view(self, shape: Sequence[int], dtype: Any) -> numpy.ndarray:
        """An array in it, of what it has now."""
        wanted = max(int(numpy.prod(shape, dtype=object)) * numpy.dtype(dtype).itemsize, 1)
        if wanted > self.bytes:
            self.close()
            try:
                self.fd = os.memfd_create("ondelette", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
                os.ftruncate(self.fd, wanted)
                fcntl.fcntl(self.fd, _ADD_SEALS, _SEAL_SHRINK)
                self.map = mmap.mmap(self.fd, wanted)
            except OSError as problem:
                self.close()
                raise Error(f"There is no memory for an array of {wanted} bytes ({problem.strerror}).") from None
            self.bytes = wanted
        return numpy.ndarray(tuple(shape), dtype, buffer=self.map)


def _axes(array: numpy.ndarray, times: Any) -> str:
    """What axes mean where nobody said it."""
    coloured = array.ndim >= 3 and array.shape[-1] in (3, 4) and min(array.shape[-3:-1]) > 4
    spatial = array.ndim - coloured - (times is not None)
    if spatial not in (2, 3):
        raise Error(f"An array of {' × '.join(map(str, array.shape))} is no picture, sequence or volume: say what its axes "
                    "are, such as axes=\"tyx\".")
    return ("t" if times is not None else "") + ("z" if spatial == 3 else "") + "yx" + ("c" if coloured else "")


class Window:
    """A connection with the window that was looked at last. The functions of the package share one; threads of one
    object take turns."""

    def __init__(self) -> None:
        self._link = _connect()
        self._lock = threading.Lock()
        self._number = 0
        self._sent, self._received = _Room(), _Room()
        self._room_for: Dict[Optional[str], int] = {}

    def close(self) -> None:
        """Ends the connection; what is shown stays."""
        self._link.close()
        self._sent.close()
        self._received.close()

    def __enter__(self) -> "Window":
        return self

    def __exit__(self, *problem: Any) -> None:
        self.close()

    def _receive(self) -> Tuple[str, int, Dict[str, str]]:
        try:
            try:
                text = self._link.recv(MOST_BYTES + 1).decode()
            except ConnectionResetError:  # the window has closed it; what it said before that is still there
                text = self._link.recv(MOST_BYTES + 1).decode()
        except socket.timeout:
            raise Error("The window does not answer.") from None
        except OSError as problem:
            raise Error(f"The connection with the window has ended ({problem.strerror}).") from None
        if not text:
            raise Error("The window has ended the connection.")
        first, *lines = text.split("\n")
        words = first.split(" ")
        if len(words) != 4 or words[0] != "ondelette" or words[1] != str(VERSION):
            raise Error("The window speaks another version of the protocol: update the older one.")
        return words[2], int(words[3]), dict(line.partition(" ")[::2] for line in lines if line)

    def _ask(self, kind: str, lines: Dict[str, Any], fd: int = -1) -> Dict[str, str]:
        self._number = self._number % 999999999 + 1
        for key, value in lines.items():
            if "\n" in str(value):
                raise Error(f"“{key}” has to be one line.")
        text = f"ondelette {VERSION} {kind} {self._number}\n" + "".join(f"{key} {value}\n" for key, value in lines.items())
        message = text.encode()
        if len(message) > MOST_BYTES:
            raise Error(f"The message has {len(message)} bytes, and {MOST_BYTES} are the most: give a rate, not times.")
        try:
            socket.send_fds(self._link, [message], [fd] if fd >= 0 else [])
        except OSError:
            pass  # what the window said before it closed tells more
        while True:
            word, number, answer = self._receive()
            if word == "failed":
                raise Error(answer.get("why", "The window has failed."))
            if word == "done" and number == self._number:
                return answer

    def show(self, array: Any, name: str = "array", *, spacing: Optional[Sequence[float]] = None,
             times: Optional[Sequence[float]] = None, rate: Optional[float] = None,
             range: Optional[Tuple[float, float]] = None, axes: Optional[str] = None) -> None:  # noqa: A002
        """Opens the array in the window, or puts it in the place of the one of the same name; filters, zoom and
        sliders stay as they are.

        uint8, uint16 and float32 go as they are, others as float32. `axes`: letters of "tzyxc", without it rows ×
        columns, × 3 or 4 colours, slices in front, and with `times` (seconds of each frame) or `rate` frames before
        these. `spacing`: mm between samples in x, y (and z). `range`: the values of black and white; without it all
        that the type has, of floats 0 and 1 or, beyond these, what there is."""
        samples = as_samples(array)
        if samples.dtype.name not in _LETTERS:
            samples = samples.astype("float32")
        lines: Dict[str, Any] = {"name": name, "type": _LETTERS[samples.dtype.name],
                                 "axes": axes or _axes(samples, times if times is not None else rate),
                                 "shape": " ".join(map(str, samples.shape))}
        for key, numbers in (("spacing", spacing), ("range", range), ("times", times)):
            if numbers is not None:
                lines[key] = " ".join(repr(float(number)) for number in numbers)
        if rate is not None:
            lines["rate"] = repr(float(rate))
        with self._lock:
            self._sent.view(samples.shape, samples.dtype)[...] = samples
            self._ask("show", lines, self._sent.fd)

    def recipe(self, text: Optional[str] = None, *, name: Optional[str] = None) -> str:
        """The filters as text; with `text`, these take their place first, as one step that can be undone. They can
        name neither files nor code. `name`: of the window with that array, not the one that was looked at last."""
        lines = {**({"name": name} if name is not None else {}), **({"recipe": text} if text is not None else {})}
        with self._lock:
            return self._ask("recipe", lines).get("recipe", "")

    def result(self, name: Optional[str] = None, *, copy: bool = True) -> numpy.ndarray:
        """What the filters make of the array, float32 in its units, once it is there; of a file the picture that is
        seen. Without `copy` it lies in memory that the next result overwrites."""
        with self._lock:
            lines = {"name": name} if name is not None else {}
            self._received.view((self._room_for.get(name, max(self._sent.bytes, 1)),), "u1")
            while True:
                answer = self._ask("result", lines, self._received.fd)
                wanted = int(answer["bytes"])
                self._room_for[name] = wanted
                if wanted <= self._received.bytes:
                    break
                self._received.view((wanted,), "u1")
            made = self._received.view([int(side) for side in answer["shape"].split(" ")], "f4")
            return made.copy() if copy else made

    def _watch(self, callback: Callable[[str], Any], name: Optional[str]) -> None:
        with self._lock:
            self._ask("watch", {"name": name} if name is not None else {})
        self._link.settimeout(None)

        def listen() -> None:
            while True:
                try:
                    word, _, answer = self._receive()
                except (Error, ValueError):
                    return  # the window or the program has closed it
                if word == "changed":
                    callback(answer.get("recipe", ""))

        threading.Thread(target=listen, name="ondelette", daemon=True).start()


_shared: Dict[int, Window] = {}
_shared_lock = threading.Lock()


def _window() -> Window:
    """The connection of the package, of this process: a child process has one of its own."""
    with _shared_lock:
        if os.getpid() not in _shared:
            _shared.clear()
            _shared[os.getpid()] = Window()
        return _shared[os.getpid()]


def _with_window(call: Callable[[Window], Any]) -> Any:
    """A window that was closed meanwhile, and perhaps opened again, is looked for once more."""
    window = _window()
    try:
        return call(window)
    except Error:
        try:
            window.recipe()
        except (Error, OSError):
            with _shared_lock:
                _shared.clear()
            window.close()
            return call(_window())
        raise


def show(array: Any, name: str = "array", **options: Any) -> None:
    """:meth:`Window.show` in the window that was looked at last."""
    _with_window(lambda window: window.show(array, name, **options))


def recipe(text: Optional[str] = None, *, name: Optional[str] = None) -> str:
    """:meth:`Window.recipe`."""
    return _with_window(lambda window: window.recipe(text, name=name))


def result(name: Optional[str] = None, *, copy: bool = True) -> numpy.ndarray:
    """:meth:`Window.result`."""
    return _with_window(lambda window: window.result(name, copy=copy))


def on_change(callback: Callable[[str], Any], name: Optional[str] = None) -> Window:
    """Calls `callback` with the filters as text, in a thread of its own, each time that they change. Close what it
    returns to end that."""
    window = Window()
    try:
        window._watch(callback, name)
    except Error:
        window.close()
        raise
    return window
