#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Code of one's own that is Python, the filter “python”: own_python.py PROGRAM works | hostile

The examples are their built-in twins or do what they say; nothing runs without --trust-code; whatever
the code tries, it gets a sentence and no more; and where a recipe is written down, code has a name and
a hash, no path. The rows of the sandbox's table (src/decoder/README.md) are tried from inside."""
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import numpy
from PIL import Image

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
import mha  # noqa: E402
import tap  # noqa: E402
import tree  # noqa: E402

CLI = pathlib.Path(sys.argv[1]).resolve()
EXAMPLES = tree.ROOT / "resources" / "examples"
TABLE = tree.ROOT / "src" / "decoder" / "README.md"
FOLDER = tempfile.TemporaryDirectory()  # until the end
WORK = pathlib.Path(FOLDER.name)
ENGINES = ("cpu", "reference")
BOUND = 1e-5


def run(*words, code=0, **more):
    done = subprocess.run([CLI, *map(str, words)], capture_output=True, text=True, cwd=WORK,
                          env=dict(os.environ, **more), check=False)
    assert done.returncode == code, f"{words}: {done.returncode}, {done.stdout}{done.stderr}"
    return done.stdout + done.stderr


def result(source, chosen, engine="cpu", *more):
    """Samples of full scale 1."""
    run("process", source, "-o", "out.npy", "--force", "-f", chosen, "-e", engine, *more)
    samples = numpy.load(WORK / "out.npy").astype(float)
    return samples / 255 if samples.max() > 8 else samples


def author(name, text):
    (WORK / name).write_text(text)
    return f"python:file={name}"


def body(lines, name="own.py", before=""):
    """A filter whose function does that first."""
    indented = "".join(f"    {line}\n" for line in lines.strip("\n").split("\n"))
    return author(name, f"import os, sys, time\n{before}\ndef filter(picture):\n{indented}    return picture\n")


def refused(chosen, *words, code=1, **more):
    """What is said of code that makes no picture."""
    said = run("process", "small.npy", "-o", "no.png", "-f", chosen, "--trust-code", code=code, **more)
    for word in words:
        if word not in said:
            yield f"{chosen}: “{word}” is not said: {said}"
    if (WORK / "no.png").exists():
        yield f"{chosen}: there is a picture"
    if len(said.splitlines()) > 3:
        yield f"{chosen}: more than a sentence: {said}"


def pictures():
    """One grey and one of colours, of odd sizes, in floats so that results are not rounded."""
    random = numpy.random.default_rng(5)
    for name, shape in (("grey", (37, 53)), ("colours", (41, 29, 3)), ("small", (5, 7))):
        numpy.save(WORK / f"{name}.npy", random.random(shape, numpy.float32))


def examples_are_their_twins():
    for source in ("grey.npy", "colours.npy"):
        for engine in ENGINES:
            wanted = result(source, "sharpen:amount=1.25,neighbours=4", "reference")
            got = result(source, f"python:file={EXAMPLES}/sharpen.py,amount=1.25", engine, "--trust-code")
            if not numpy.abs(got - wanted).max() < BOUND:
                yield f"sharpen on {engine}: {source} differs by {numpy.abs(got - wanted).max()}"
            if numpy.abs(got - numpy.load(WORK / source)).max() < 1e-3:
                yield f"sharpen on {engine} changes nothing"
    if {path.name for path in EXAMPLES.glob("*.py")} != {"sharpen.py", "stripes.py"}:
        yield "an example is not tested here"


def stripes_are_taken_away():
    rows, columns = numpy.mgrid[:64, :96]
    clean = 0.5 + 0.2 * numpy.sin(rows / 9) * numpy.sin(columns / 13)
    striped = clean + 0.05 * numpy.random.default_rng(2).standard_normal(96)
    numpy.save(WORK / "striped.npy", striped.astype(numpy.float32))
    for values, most in (("radius=8", 0.3), ("radius=8,share=0", 1.001), ("radius=64", 1)):
        got = result("striped.npy", f"python:file={EXAMPLES}/stripes.py,{values}", "cpu", "--trust-code")
        left = numpy.std(got - clean) / numpy.std(striped - clean)
        if not left < most or ("share=0" in values) != (left > 0.999):
            yield f"{values}: {left} of the stripes are left"


def nothing_runs_without_trust():
    file = EXAMPLES / "sharpen.py"
    (WORK / "recipe").write_text(f"python:file={file}\n")
    for words in (["-f", f"python:file={file}"], ["--recipe", "recipe"]):
        said = run("process", "phantom:64x64", "-o", "no.png", *words, code=1)
        if "--trust-code" not in said or (WORK / "no.png").exists():
            yield f"{words}: {said}"
    if "--trust-code" not in run("sweep", "phantom:64x64", "--noise", "gaussian:0.1", "-f", f"python:file={file}",
                                 "--vary", "python.amount=1,2", "--csv", "no.csv", code=1):
        yield "sweep does not ask"
    run("process", "phantom:64x64", "-o", "yes.png", "--recipe", "recipe", "--trust-code")


def languages_are_told_apart():
    shutil.copy(EXAMPLES / "gamma.glsl", WORK / "gamma.glsl")
    for chosen, word in (("python:file=gamma.glsl", "glsl:file"), (f"glsl:file={EXAMPLES}/sharpen.py", "python:file"),
                         ("python", "file=NAME.py")):
        said = run("process", "phantom:64x64", "-o", "no.png", "-f", chosen, "--trust-code", code=2)
        if word not in said:
            yield f"{chosen}: {said}"


def other_engines_name_one_that_can():
    chosen = f"python:file={EXAMPLES}/sharpen.py,amount=1"
    for engine in ("gl-compute", "gl-fragment"):
        said = run("process", "phantom:64x64", "-o", "no.png", "-f", chosen, "-e", engine, "--trust-code", code=1,
                   LIBGL_ALWAYS_SOFTWARE="1")
        if "“cpu”" not in said or (WORK / "no.png").exists():
            yield f"{engine}: {said}"
    # “auto” is one that can, for many files and frames, too, each of them filtered.
    run("process", "phantom:64x64", "phantom:65x65", "phantom:66x166", "-o", "auto", "-f", chosen, "--trust-code")
    if len(list((WORK / "auto").iterdir())) != 3:
        yield "auto does not filter several pictures"
    run("process", "phantom:64x64", "-o", "auto-%02d.png", "--frames", "1-9", "-f", chosen, "--trust-code")
    run("process", "phantom:64x64", "-o", "twin-%02d.png", "--frames", "1-9", "-f", "sharpen:amount=1,neighbours=4")
    for i in range(1, 10):
        one, other = (numpy.asarray(Image.open(WORK / f"{name}-{i:02}.png")).astype(int) for name in ("auto", "twin"))
        if numpy.abs(one - other).max() > 1 or (one != other).mean() > 1e-3:
            yield f"frame {i} is not that of the twin"


DEEP = '''
def filter(picture, weight: "0..1  Share of the mean of all slices" = 0.5, levels: "1..9  Levels" = 3):
    assert picture.ndim == 4 and picture.dtype == "float32" and type(levels) is int, picture.shape
    return (1 - weight) * picture + weight * picture.mean(axis=0, keepdims=True)
'''


def volume_of(words, *more, engine="cpu", shape=(6, 9, 11), channels=False, source="volume.mha"):
    run("process", source, "-o", "out.mha", "--force", "-f", words, "-e", engine, "--trust-code", *more)
    return mha.read(WORK / "out.mha", shape, channels)


def volumes_come_whole():
    """With dimensions=3 the function has all slices at once, grey and in colours."""
    random = numpy.random.default_rng(6)
    grey, colours = random.random((6, 9, 11), numpy.float32), random.random((6, 9, 11, 3), numpy.float32)
    mha.write(WORK / "volume.mha", grey, mha.UNIT)
    mha.write(WORK / "coloured.mha", colours, mha.UNIT, channels=True)
    chosen = author("deep.py", DEEP) + ",weight=0.75,dimensions=3"
    for engine in ENGINES:
        wanted = 0.25 * grey + 0.75 * grey.mean(axis=0)
        if not numpy.abs(volume_of(chosen, engine=engine) - wanted).max() < BOUND:
            yield f"{engine}: the volume is not that of NumPy"
        wanted = 0.25 * colours + 0.75 * colours.mean(axis=0)
        got = volume_of(chosen, engine=engine, shape=colours.shape, channels=True, source="coloured.mha")
        if not numpy.abs(got - wanted).max() < BOUND:
            yield f"{engine}: the volume in colours is not that of NumPy"
    # In a chain: before it a filter in three dimensions, behind it code for pictures, slice by slice.
    flat = f"python:file={EXAMPLES}/sharpen.py,amount=1"
    got = volume_of("bilateral:dimensions=3", "-f", chosen, "-f", flat)
    before = volume_of("bilateral:dimensions=3")
    mha.write(WORK / "before.mha", 0.25 * before + 0.75 * before.mean(axis=0), mha.UNIT)
    wanted = volume_of("sharpen:amount=1,neighbours=4", source="before.mha")
    if not numpy.abs(got - wanted).max() < BOUND:
        yield f"in a chain it differs by {numpy.abs(got - wanted).max()}"
    # One slice of it, and points of a grid.
    run("process", "volume.mha", "-o", "slice.npy", "--frame", "3", "-f", chosen, "--trust-code")
    wanted = (0.25 * grey + 0.75 * grey.mean(axis=0))[2]
    if not numpy.abs(numpy.load(WORK / "slice.npy") - wanted).max() < BOUND:
        yield "one slice is not that of the volume"
    run("sweep", "volume.mha", "--reference", "volume.mha", "-f", chosen, "--vary", "python.weight=0,0.5", "--csv", "deep.csv",
        "--trust-code")
    rows = (WORK / "deep.csv").read_text().splitlines()
    if len(rows) != 3 or rows[1] == rows[2] or "inf" not in rows[1]:
        yield f"a sweep of volumes: {rows}"


def pictures_are_no_volumes():
    chosen = author("deep.py", DEEP)
    yield from refused(chosen + ",dimensions=3", "deep.py", "takes volumes", "volume:NAME")
    yield from refused(chosen, "deep.py, line 3: AssertionError")
    said = run("process", "phantom:24x24x8", "-o", "no.mha", "-f", f"glsl:file={EXAMPLES}/gamma.glsl", "-f",
               "shrinkage:dimensions=3,thresholds=0.1", "--trust-code", code=1)
    if "dimensions=3" not in said:
        yield f"GLSL in three dimensions: {said}"
    run("process", "phantom:32x32", "-o", "told.png", "--force", "-f", f"python:file={EXAMPLES}/sharpen.py", "--trust-code")
    if b"amount=0.5,dimensions=2" not in (WORK / "told.png").read_bytes():
        yield "the recipe does not say its dimensions"



MIX = '''
def filter(picture, other, weight: "0..1  Weight" = 0.5):
    assert other.shape[:-1] == picture.shape[:-1] and other.shape[-1] in (1, picture.shape[-1]), other.shape
    try:
        other[...] = 0
    except ValueError:
        return picture + weight * (other - picture)
'''


def a_second_picture_is_other():
    """As “mix”, whose weight it has."""
    random = numpy.random.default_rng(7)
    for name, shape in (("second", (37, 53)), ("coloured", (37, 53, 3)), ("long", (38, 53))):
        numpy.save(WORK / f"{name}.npy", random.random(shape, numpy.float32))
    chosen = author("mix.py", MIX)
    for one, other in (("grey", "second"), ("coloured", "second"), ("grey", "coloured"), ("coloured", "coloured")):
        for engine in ENGINES:
            wanted = result(f"{one}.npy", f"mix:with={other}.npy,weight=0.3", "reference")
            got = result(f"{one}.npy", f"{chosen},with={other}.npy,weight=0.3", engine, "--trust-code")
            if not numpy.abs(got - wanted).max() < BOUND:
                yield f"{one} with {other} on {engine}: {numpy.abs(got - wanted).max()} from “mix”"
    said = run("process", "grey.npy", "-o", "no.png", "-f", chosen, "--trust-code", code=2)
    if "python:with=FILE" not in said:
        yield f"without a second picture: {said}"
    said = run("process", "grey.npy", "-o", "no.png", "-f", f"{chosen},with=long.npy", "--trust-code", code=1)
    if "53 × 38" not in said:
        yield f"another size: {said}"
    # Of volumes a volume, or for each slice the same picture.
    volumes = random.random((2, 6, 9, 11), numpy.float32)
    mha.write(WORK / "volume.mha", volumes[0], mha.UNIT)
    mha.write(WORK / "other.mha", volumes[1], mha.UNIT)
    numpy.save(WORK / "slice.npy", volumes[1, 4])
    for engine in ENGINES:
        got = volume_of(f"{chosen},with=other.mha,weight=0.3,dimensions=3", engine=engine)
        if not numpy.abs(got - (0.7 * volumes[0] + 0.3 * volumes[1])).max() < BOUND:
            yield f"two volumes on {engine}"
        for more in ([], ["-f", "bilateral:dimensions=3,range=0"]):
            got = volume_of(f"{chosen},with=slice.npy,weight=0.3", *more, engine=engine)
            if not numpy.abs(got - (0.7 * volumes[0] + 0.3 * volumes[1, 4])).max() < BOUND:
                yield f"one picture for all slices on {engine} {more}"
    said = run("process", "volume.mha", "-o", "no.mha", "-f", f"{chosen},with=slice.npy,dimensions=3", "--trust-code", code=1)
    if "6 slices" not in said:
        yield f"a picture in the place of a volume: {said}"


def no_number_is_0():
    """What is no number, or has no end, stays within the engine."""
    text = """
import numpy
def filter(picture):
    made = picture.copy()
    made[0, 0], made[0, 1], made[0, 2] = numpy.nan, numpy.inf, -numpy.inf
    return made
"""
    second = author("finite.py", "import numpy\ndef filter(picture):\n    assert numpy.isfinite(picture).all()\n    return picture\n")
    for engine in ENGINES:
        got = result("small.npy", author("none.py", text), engine, "-f", second, "--trust-code")
        if not numpy.isfinite(got).all() or numpy.load(WORK / "out.npy")[0, 0] != 0:
            yield f"{engine}: {got[0]}"
    holes = numpy.load(WORK / "small.npy")
    holes[1, 1], holes[2, 2] = numpy.nan, numpy.inf
    numpy.save(WORK / "holes.npy", holes)
    for engine in ENGINES:
        if not numpy.isfinite(result("holes.npy", second, engine, "--trust-code")).all():
            yield f"{engine}: holes"


def parameters_are_those_of_the_signature():
    chosen = author("told.py", '''
"""A text that mentions
def filter(other, wrong: "9..1" = 3): ...
"""
def helper(x): return x

def filter (picture,  # a comment, with (parentheses
            half_width: "0..9 px  "
                        "Half the width" = 3, *,
            gain : '-2..2  Gain, in ("shares")' = 1e-1, out=None, **more):
    assert type(half_width) is int and type(gain) is float, (half_width, gain)
    assert picture.shape == (5, 7, 1) and picture.dtype == "float32" and not more
    out[...] = 0.1 * half_width + gain
''')
    for values, wanted in (("", 0.4), (",half-width=5", 0.6), (",gain=-0.25,half-width=4", 0.15)):
        got = result("small.npy", chosen + values, "cpu", "--trust-code")
        if numpy.abs(got - wanted).max() > BOUND:
            yield f"{values}: {got.ravel()[0]} instead of {wanted}"
    run("sweep", "phantom:64x64", "--noise", "gaussian:0.1", "-f", f"python:file={EXAMPLES}/sharpen.py", "--vary",
        "python.amount=0:1:0.5", "--csv", "varied.csv", "--trust-code")
    if len((WORK / "varied.csv").read_text().splitlines()) != 4:
        yield "a parameter is not varied"
    for signature, line, word in (("picture, gain=0.5", 1, "gain"), ('picture, gain: "0..4  Gain" = x', 1, "default"),
                                  ('picture,\n  gain: "4..0  Gain" = 1', 2, "4..0"), ('picture, gain: "0..4" = 1', 1, "words"),
                                  ('picture, Gain: "0..4  Gain" = 1', 1, "Gain"), ('picture, with_: "0..4  G" = 1', 1, "with-"),
                                  ('picture, *all', 1, "*all"), ("picture, gain: 'a\nb' = 1", 1, "gain")):
        said = run("process", "small.npy", "-o", "no.png", "-f", author("bad.py", f"def filter({signature}):\n  pass\n"),
                   "--trust-code", code=2)
        if f"bad.py, line {line}:" not in said or word not in said:
            yield f"{signature}: {said}"
    for text in ("def other(picture): pass\n", "  def filter(picture): pass\n", "def filter (picture"):
        run("process", "small.npy", "-o", "no.png", "-f", author("bad.py", text), "--trust-code", code=2)


def errors_name_the_line():
    for text, line, word in (("x = 1\ny = 1 / 0\n", 2, "ZeroDivisionError"), ("\n\nx = = 1\n", 3, "SyntaxError"),
                             ("import nothing_of_this_name\n", 1, "ModuleNotFoundError")):
        yield from refused(author("own.py", text + "def filter(picture):\n  return picture\n"), f"own.py, line {line}: {word}")
    yield from refused(body("x = 1\nraise ValueError('so\\nit\\x1b[1m is')"), "own.py, line 5: ValueError: so")
    yield from refused(body("picture[0] = 1"), "own.py, line 4: ValueError", "read-only")
    yield from refused(author("own.py", "def inner(x):\n  return x.nothing\ndef filter(picture):\n  return inner(picture)\n"),
                       "own.py, line 2: AttributeError")
    yield from refused(author("own.py", "def filter(picture): pass\ndel filter\n"), "own.py", "no function")
    for made, word in (("picture[1:]", "float32 4 × 7 × 1"), ("picture * 1j", "complex64"), ("None", "None"),
                       ("'text'", "<U4"), ("picture.tolist()[:2]", "2 × 7")):
        yield from refused(author("own.py", f"def filter(picture):\n  return {made}\n"), "own.py", word)


def what_is_hostile_is_a_sentence():
    for lines, words in (("sys.exit(3)", ["ended Python"]), ("raise KeyboardInterrupt", ["KeyboardInterrupt"]),
                         ("os._exit(0)", ["ended without a result"]), ("os.abort()", ["ended without a result"]),
                         ("import ctypes\nctypes.string_at(1)", ["ended without a result"]),
                         ("os.fork()", ["line 4: PermissionError"]), ("time.sleep(1000)", ["line 4: PermissionError"]),
                         ("x = bytearray(1 << 40)", ["more memory"]),
                         ("x = []\nwhile True: x.append(bytearray(1 << 24))", ["more memory"]),
                         ("open('out.txt', 'w')", ["line 4: "]), ("open('/usr/lib/out.txt', 'w')", ["line 4: "]),
                         (f"os.listdir({str(pathlib.Path.home())!r})", ["line 4: FileNotFoundError"]),
                         (f"open({str(WORK / 'own.py')!r})", ["line 4: FileNotFoundError"]),
                         ("def f(): f()\nf()", ["RecursionError"]),
                         ("class E(Exception):\n  def __str__(self): raise E\nraise E", ["line 6: E"])):
        yield from refused(body(lines), "own.py", *words)
    yield from refused(author("own.py", "import sys\nsys.exit()\ndef filter(picture): pass\n"), "own.py", "ended Python")
    # What is printed goes nowhere, and the picture is made.
    said = run("process", "small.npy", "-o", "printed.png", "--trust-code", "-f",
               body("for i in range(1000000): print(i)\nprint('much', file=sys.stderr)"))
    if len(said.splitlines()) > 3 or not (WORK / "printed.png").exists():
        yield f"printing: {said[:300]}"
    # Frames after one that ended the process are made by another one.
    text = "seen = []\n\ndef filter(picture):\n    import os\n    seen.append(1)\n    return picture * 0 + len(seen) / 10\n"
    got = [result("small.npy", author("count.py", text), "cpu", "--trust-code").max() for _ in range(2)]
    if numpy.abs(numpy.array(got) - 0.1).max() > BOUND:
        yield f"a process is shared by runs: {got}"


def what_computes_or_waits_for_ever_is_stopped():
    """By processor time, and where nothing is computed at all."""
    yield from refused(body("while True: pass"), "own.py", "20 seconds")
    yield from refused(body("os.read(4, 1)"), "own.py", "waited")


def answers_cannot_be_forged():
    for message in ("b'x'", "b'y' * 528", "bytes.fromhex('794c444f') + b'\\0' * 524",
                    "bytes.fromhex('794c444f01000000ff000000') + b'\\0' * 516"):
        yield from refused(body(f"os.write(4, {message})\nos._exit(0)"), "own.py", "ended without a result")


# Name in the table, what is tried from inside, and that it raises: an error, or a value that says so.
ROWS = [
    ("home", f"os.stat({str(pathlib.Path.home())!r})"), ("root-folder", "os.listdir('/')"), ("tmp", "os.listdir('/tmp')"),
    ("etc", "open('/etc/passwd')"), ("proc", "os.listdir('/proc')"), ("devices", "open('/dev/zero')"),
    ("its-own-folder", f"os.stat({str(WORK)!r})"), ("make-a-file", "open('/usr/lib/x', 'w')"), ("make-a-folder", "os.mkdir('/x')"),
    ("write-a-library", "os.open(os.__file__, os.O_RDWR)"), ("unlink", "os.unlink(os.__file__)"),
    ("rename", "os.rename(os.__file__, '/usr/lib/x')"), ("link", "os.symlink('/', '/usr/lib/x')"),
    ("change-rights", "os.chmod(os.__file__, 0o777)"), ("chroot", "os.chroot('/usr')"),
    ("mount", "call(165, b'none', b'/usr', b'tmpfs', 0, 0)"), ("unshare", "call(272, 0x10000000)"),
    ("socket", "__import__('socket').socket()"), ("unix-socket", "__import__('socket').socket(1)"),
    ("socketpair", "__import__('socket').socketpair()"), ("send-descriptors", "call(46, 4, 0, 0)"),
    ("receive-descriptors", "call(47, 4, 0, 0)"), ("connect", "call(42, 4, 0, 0)"),
    ("fork", "os.fork()"), ("thread", "__import__('_thread').start_new_thread(print, ())"), ("clone3", "call(435, 0, 0)"),
    ("another-program", "os.execv('/usr/lib/x86_64-linux-gnu/libc.so.6', ['x'])"), ("shell", "os.execv('/bin/sh', ['sh'])"),
    ("memory-program", "call(322, 3, b'', 0, 0, 0x1000)"),
    ("memory-file", "os.memfd_create('x')"), ("shared-segment", "call(29, 0, 4096, 0o600)"),
    ("grow-the-frame", "os.ftruncate(3, 1 << 30)"), ("shrink-the-frame", "os.ftruncate(3, 0)"),
    ("sleep", "time.sleep(1)"), ("select", "__import__('select').select([4], [], [])"),
    ("wait-for-a-lock", "call(202, id(lock), 0, 0, 0)"), ("pause", "call(34)"),
    ("wait-for-a-child", "os.wait()"), ("timer", "call(37, 1)"),
    ("let-go-of-life", "os.close(15)"), ("replace-life", "os.dup2(0, 15)"),
    ("no-signal-of-life", "__import__('fcntl').fcntl(15, 10, 0)"), ("no-owner-of-life", "__import__('fcntl').fcntl(15, 8, 0)"),
    ("no-notice-of-life", "__import__('fcntl').fcntl(15, 4, 0)"),
    ("kill-parent", "os.kill(os.getppid() or 1, 0)"), ("stop-itself", "os.kill(os.getpid(), 19)"),
    ("trace-parent", "call(101, 16, os.getppid(), 0, 0)"), ("read-parent", "call(310, os.getppid(), 0, 0, 0, 0, 0)"),
    ("raise-limits", "__import__('resource').setrlimit(9, (-1, -1))"), ("set-user", "os.setuid(0)"),
    ("another-filter", "call(317, 1, 0, 0)"), ("process-control", "call(157, 4, 1, 0, 0, 0)"),
    ("device-control", "__import__('fcntl').ioctl(0, 0x5401, bytes(64))"), ("io-uring", "call(425, 4, 0)"),
    ("bpf", "call(321, 0, 0, 64)"), ("keys", "call(250, 0, -3, 0)"),
    ("environment", "fail(set(os.environ) - {'LANG', 'LC_ALL', 'LC_CTYPE', 'OMP_NUM_THREADS', 'OPENBLAS_NUM_THREADS',"
                    " 'MKL_NUM_THREADS', 'PYTHONHASHSEED', 'PYTHONNOUSERSITE', 'PYTHONDONTWRITEBYTECODE', 'PYTHONSAFEPATH'})"),
    ("descriptors", "fail([fd for fd in range(7, 256) if is_open(fd) and fd != 15])"),
    ("folders-of-the-user", "fail([p for p in sys.path if not p.startswith(('/usr/lib', '/usr/local/lib'))])"),
]


def the_table_of_the_sandbox_holds():
    tries = "".join(f"""
    try:
        {tried}
        got.append({name!r})
    except (OSError, RuntimeError, ValueError):
        pass
""" for name, tried in ROWS)
    chosen = author("rows.py", f"""
import ctypes, os, sys, time
lock = 0
libc = ctypes.CDLL(None, use_errno=True)
def call(*words):
    if libc.syscall(*[ctypes.c_long(w) if isinstance(w, int) else w for w in words]) < 0:
        raise OSError(ctypes.get_errno(), 'refused')
def is_open(fd):
    try:
        os.fstat(fd)
        return True
    except OSError:
        return False
def fail(found):
    if not found:
        raise OSError
def filter(picture):
    got = []
{tries}
    if got:
        raise ValueError(' '.join(got))
    return picture
""")
    if os.uname().machine != "x86_64":
        raise tap.Skip("the numbers of system calls are those of x86-64")
    said = run("process", "small.npy", "-o", "rows.png", "-f", chosen, "--trust-code", code=0)
    if not (WORK / "rows.png").exists():
        yield said
    part = TABLE.read_text().split("# The sandbox of Python", 1)[1].split("\n# ", 1)[0]
    named = {word for line in part.splitlines() if line.startswith("| ")
             for word in re.findall(r"`([a-z0-9-]+)`", line.rsplit("|", 2)[1])}
    for name in sorted({name for name, _ in ROWS} ^ named):
        yield f"{name} is not both in the table and tried"


def it_fails_closed():
    """What the helper says where a layer is missing: nothing runs, whatever ODL_SANDBOX says."""
    helper = WORK / "helper"
    layer = "import os, struct; os.write(4, struct.pack('=IIII512s', 0x4f444c79, 0, 1, 0, b'Landlock'))"
    for text, word in ((f"#!/usr/bin/python3\n{layer}\n", "Landlock"), ("#!/bin/sh\nexit 3\n", "ended without a result")):
        helper.write_text(text)
        helper.chmod(0o755)
        yield from refused(f"python:file={EXAMPLES}/sharpen.py", word, ODL_PYTHON=str(helper), ODL_SANDBOX="optional")
    yield from refused(f"python:file={EXAMPLES}/sharpen.py", "/nowhere", ODL_PYTHON="/nowhere")


def what_is_written_has_name_and_hash():
    folder = WORK / "secret folder"
    folder.mkdir()
    (folder / "mine.py").write_text((EXAMPLES / "sharpen.py").read_text())
    digest = hashlib.sha256((folder / "mine.py").read_bytes()).hexdigest()
    run("process", "phantom:64x64", "-o", "told.png", "-f", f'python:file="{folder}/mine.py",amount=2', "--trust-code")
    written = (WORK / "told.png").read_bytes()
    if b"secret folder" in written or f"python:file=mine.py,sha256={digest},amount=2".encode() not in written:
        yield "the picture has a path, or lacks name and hash"
    # The recipe runs where the same bytes lie, and nowhere else: not where they changed since somebody looked.
    (folder / "preset").write_text(f"python:file=mine.py,sha256={digest},amount=2")
    run("process", "phantom:64x64", "-o", "again.png", "--recipe", folder / "preset", "--trust-code")
    if (WORK / "again.png").read_bytes() != written:
        yield "the recipe that was written makes another picture"
    (folder / "mine.py").write_text("# another\n" + (EXAMPLES / "sharpen.py").read_text())
    if digest in run("process", "phantom:64x64", "-o", "no.png", "--recipe", folder / "preset", "--trust-code", code=1):
        yield "the message has the recipe's hash, not the file's"
    # What is beside the file is no part of the hash, and is not seen.
    (folder / "beside.py").write_text("x = 1\n")
    (folder / "mine.py").write_text("import beside\ndef filter(picture):\n    return picture\n")
    said = run("process", "phantom:64x64", "-o", "no.png", "-f", f'python:file="{folder}/mine.py"', "--trust-code", code=1)
    if "line 1: ModuleNotFoundError" not in said:
        yield f"a module beside the file was found: {said}"


def inside_a_transform_it_is_its_twin():
    """On bands as on pictures; where there are none that a picture could stand for, a sentence."""
    same = set()
    for transform in ("wavelet=haar,levels=2", "wavelet=cdf97,levels=2,transform=stationary"):
        for at in ("details", "approximation", "coarsest"):
            wanted = result("colours.npy", f"transform:{transform}", "reference", "-f",
                            f"sharpen:amount=1.25,neighbours=4,at={at}", "-f", "inverse")
            same.add(wanted.tobytes())
            for engine in ENGINES:
                got = result("colours.npy", f"transform:{transform}", engine, "-f",
                             f"python:file={EXAMPLES}/sharpen.py,amount=1.25,at={at}", "-f", "inverse", "--trust-code")
                if not numpy.abs(got - wanted).max() < BOUND:
                    yield f"{transform}, at={at} on {engine}: {numpy.abs(got - wanted).max()}"
    if len(same) != 6:
        yield "places do not differ"
    mixed = author("mix.py", MIX) + ",with=colours.npy"
    for inside, transform in ((f"python:file={EXAMPLES}/sharpen.py", "transform=dual-tree"), (mixed, "levels=2"),
                              (author("deep.py", DEEP) + ",dimensions=3", "levels=2")):
        source = "phantom:24x24x8" if "deep" in inside else "colours.npy"
        out = "inside.mha" if "deep" in inside else "inside.npy"
        said = run("process", source, "-o", out, "--force", "-f", f"transform:{transform}", "-f", inside, "-f", "inverse",
                   "--trust-code")
        if "without “python”: it has no place inside a transform" not in said:
            yield f"{inside} in {transform}: {said}"


def verify_tells_what_breaks():
    said = run("verify", "-e", "cpu", "-f", f"python:file={EXAMPLES}/sharpen.py", "--trust-code")
    for word in ("1 to 67", "bit by bit", "Nothing broke"):
        if word not in said:
            yield f"verify does not say “{word}”: {said}"
    for name, text, values, word in (
            ("none.py", "import numpy\ndef filter(picture):\n    return numpy.log(picture - 0.9)\n", "", "NaN       samples of “chance”"),
            ("end.py", "import numpy\ndef filter(picture):\n    return 1 / (1 - picture)\n", "", "NaN       samples of “white”"),
            ("call.py", "seen = []\ndef filter(picture):\n    seen.append(1)\n    return picture + len(seen) / 1e3\n", "", "again     the same"),
            ("start.py", "import numpy\nat = numpy.random.default_rng().random()\ndef filter(picture):\n    return picture * 0 + at\n",
             "", "again     the same"),
            ("shallow.py", DEEP.replace("return", "assert len(picture) < 8; return"), ",dimensions=3", "× 8: shallow.py")):
        said = run("verify", "-e", "cpu", "-f", author(name, text) + values, "--trust-code", code=1)
        if word not in said:
            yield f"verify does not say “{word}”: {said}"
    for values, word in ((",dimensions=3", "2 to 8 slices"), (",dimensions=3,weight=0", "mirrored; a sample")):
        said = run("verify", "-f", author("deep.py", DEEP) + values, "--trust-code")
        if word not in said or "Nothing broke, on 2 engines" not in said:
            yield f"verify of volumes: {said}"
    said = run("verify", "-e", "cpu", "-f", author("place.py", "def filter(picture):\n    return picture * picture.mean()\n"),
               "--trust-code")
    if "depends on where it lies" not in said:
        yield f"verify of borders: {said}"
    said = run("verify", "-e", "reference", "-f", author("mix.py", MIX) + ",with=second.npy", "--trust-code")
    if "Nothing broke, on 1" not in said:
        yield f"verify with a second picture: {said}"
    said = run("verify", "-e", "cpu", "-f", author("wide.py", "def filter(picture):\n  assert picture.shape[1] > 3\n  return picture\n"),
               "--trust-code", code=1)
    if "1 × 1" not in said or "wide.py, line 2: AssertionError" not in said:
        yield f"verify: {said}"


def chains_go_on_around_it():
    chosen = f"python:file={EXAMPLES}/sharpen.py,amount=1"
    wanted = result("grey.npy", "gaussian:sigma=1", "reference", "-f", "sharpen:amount=1,neighbours=4", "-f", "median")
    got = result("grey.npy", "gaussian:sigma=1", "cpu", "-f", chosen, "-f", "median", "--trust-code")
    if numpy.abs(got - wanted).max() > BOUND:
        yield f"within a chain it differs by {numpy.abs(got - wanted).max()}"


THEMES = {
    "works": [
        ("the examples are their built-in twins", examples_are_their_twins),
        ("stripes are taken away", stripes_are_taken_away),
        ("nothing runs without trust", nothing_runs_without_trust),
        ("languages are told apart", languages_are_told_apart),
        ("other engines name one that can", other_engines_name_one_that_can),
        ("parameters are those of the signature", parameters_are_those_of_the_signature),
        ("what is written down has name and hash", what_is_written_has_name_and_hash),
        ("volumes come whole", volumes_come_whole),
        ("pictures are no volumes", pictures_are_no_volumes),
        ("a second picture is “other”", a_second_picture_is_other),
        ("no number is 0, and what has no end a large one", no_number_is_0),
        ("inside a transform it is its twin", inside_a_transform_it_is_its_twin),
        ("verify tells what breaks", verify_tells_what_breaks),
        ("chains go on around it", chains_go_on_around_it)],
    "hostile": [
        ("the table of the sandbox holds", the_table_of_the_sandbox_holds),
        ("it fails closed", it_fails_closed),
        ("answers cannot be forged", answers_cannot_be_forged),
        ("what computes or waits for ever is stopped", what_computes_or_waits_for_ever_is_stopped),
        ("errors name the author's line", errors_name_the_line),
        ("what is hostile is a sentence", what_is_hostile_is_a_sentence)],
}



def refused_here():
    """What this system refuses of the sandbox, in words; "": nothing."""
    done = subprocess.run([CLI, "process", "grey.npy", "-o", "tried.npy", "-f", body(""), "--trust-code"],
                          capture_output=True, text=True, cwd=WORK, check=False)
    return done.stderr.strip() if "refuses a part of the sandbox" in done.stderr else ""


def skip():
    raise tap.Skip(REFUSED)


pictures()
REFUSED = refused_here()
# Where the sandbox cannot be, nothing runs, which is what is tried then.
sys.exit(tap.run([(name, case if not REFUSED or case is it_fails_closed else skip) for name, case in THEMES[sys.argv[2]]]))
