# SPDX-License-Identifier: MIT
"""What ondelette-python hands to the interpreter, inside the sandbox: it receives the code of a file,
then orders for frames, and answers them. protocol.h has the messages."""
import math
import os
import struct
import sys

MEMORY, SOCKET = 3, 4
MAGIC = 0x4F444C79
KEY = 32
CODE = struct.Struct(f"=IIQII256s{8 * KEY}s")
ORDER = struct.Struct("=IIIIIIII8d")
TAKES_OUT, TAKES_OTHER, TELLS_NONE = 1, 2, 4
ANSWER = struct.Struct("=IIII512s")
DONE, _, _, NO_NUMPY, RAISED, NO_FUNCTION, NO_MEMORY, EXITED, OTHER_SHAPE = range(9)


def answer(serial, end, reason="", line=0):
    words = str(reason).encode("utf-8", "replace")[:ANSWER.size - 17]
    os.write(SOCKET, ANSWER.pack(MAGIC, serial, end, line, words))


def text(field):
    return field.split(b"\0", 1)[0].decode("utf-8", "replace")


class Refusal(Exception):
    """Its arguments are an end, a reason and a line."""


def said(error):
    words = getattr(error, "msg", None) if isinstance(error, SyntaxError) else None
    return f"{type(error).__name__}: {words if words is not None else error}".rstrip(": ")


def guarded(name, call):
    """What `call` makes; else a Refusal, with the last line of the file that it was in."""
    try:
        return call()
    except Refusal:
        raise
    except MemoryError:
        raise Refusal(NO_MEMORY, "", 0) from None
    except SystemExit:
        raise Refusal(EXITED, "", 0) from None
    except BaseException as error:  # whatever an author raises
        line = (error.lineno or 0) if isinstance(error, SyntaxError) and error.filename == name else 0
        trace = error.__traceback__
        while trace is not None:
            if trace.tb_frame.f_code.co_filename == name:
                line = trace.tb_lineno
            trace = trace.tb_next
        raise Refusal(RAISED, guarded_words(error), line) from None


def guarded_words(error):
    try:
        return said(error)
    except BaseException:  # its own words may raise, too
        return type(error).__name__


def load(name, source):
    space = {"__name__": "own", "__file__": name, "__builtins__": __builtins__}
    guarded(name, lambda: exec(compile(source, name, "exec", dont_inherit=True), space))
    if not callable(space.get("filter")):
        raise Refusal(NO_FUNCTION, "", 0)
    return space["filter"]


class Frames:
    """The memory that is shared with the program: pictures that are read, and one that is written."""

    def __init__(self, capacity, n_read):
        import mmap
        self.count = capacity
        self.n_read = n_read
        size = 4 * capacity * (n_read + 1)
        self.read = mmap.mmap(MEMORY, size, mmap.MAP_SHARED, mmap.PROT_READ)
        self.written = mmap.mmap(MEMORY, size, mmap.MAP_SHARED, mmap.PROT_READ | mmap.PROT_WRITE)

    def of(self, place, shape):
        count = math.prod(shape)
        if count > self.count:
            raise Refusal(NO_MEMORY, "", 0)
        memory = self.read if place < self.n_read else self.written
        return numpy.frombuffer(memory, numpy.float32, count, 4 * place * self.count).reshape(shape)


def fill(out, result):
    """Says what is no picture of that size."""
    if result is None:
        raise Refusal(OTHER_SHAPE, "None", 0)
    result = numpy.asarray(result)
    wanted = (out.shape, out.shape[:-1]) if out.shape[-1] == 1 else (out.shape,)
    if result.shape not in wanted or not numpy.can_cast(result.dtype, out.dtype, "same_kind"):
        raise Refusal(OTHER_SHAPE, f"{result.dtype} {' × '.join(map(str, result.shape))}", 0)
    if result.size and result is not out:
        numpy.copyto(out, result.reshape(out.shape), casting="same_kind")


def serve(words):
    _, n_bytes, capacity, n_keys, takes, name, keys = CODE.unpack_from(words)
    name = text(name)
    keys = [text(keys[KEY * i:KEY * (i + 1)]) for i in range(n_keys)]
    frames = Frames(capacity, 2 if takes & TAKES_OTHER else 1)
    function = load(name, words[CODE.size:CODE.size + n_bytes])
    answer(0, DONE)
    while order := os.read(SOCKET, ORDER.size):
        _, serial, width, height, depth, channels, other_channels, whole, *values = ORDER.unpack(order)
        sides = (depth, height, width) if depth else (height, width)
        given = {key: int(values[i]) if whole >> i & 1 else values[i] for i, key in enumerate(keys)}
        try:
            out = frames.of(frames.n_read, (*sides, channels))
            if takes & TAKES_OUT:
                given["out"] = out
            if takes & TAKES_OTHER:
                given["other"] = frames.of(1, (*sides, other_channels))
            picture = frames.of(0, (*sides, channels))
            result = guarded(name, lambda: function(picture, **given))
            guarded(name, lambda: fill(out, out if takes & TAKES_OUT and result is None else result))
            if takes & TELLS_NONE:
                numpy.copyto(out, ~numpy.isfinite(out))
            answer(serial, DONE)
        except Refusal as refusal:
            end, reason, line = refusal.args
            answer(serial, end, reason, line)


try:
    import numpy
except ImportError:
    answer(0, NO_NUMPY)
    sys.exit(0)
try:
    serve(os.read(SOCKET, CODE.size + 65536))
except Refusal as refused:
    answer(0, refused.args[0], *refused.args[1:])
