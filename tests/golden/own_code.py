#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Code of one's own, the filter “glsl”: own_code.py PROGRAM

The examples are their built-in twins; nothing runs without --trust-code; what crashes, hangs or does
not compile is a sentence; and where a recipe is written down, code has a name and a hash, no path."""
import hashlib
import os
import pathlib
import stat
import subprocess
import sys
import tempfile

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
import tap  # noqa: E402
import tree  # noqa: E402

CLI = pathlib.Path(sys.argv[1]).resolve()
EXAMPLES = tree.ROOT / "resources" / "examples"
ENGINES = ("gl-compute", "gl-fragment", "gl-lookup")
FOLDER = tempfile.TemporaryDirectory()  # until the end
WORK = pathlib.Path(FOLDER.name)
BOUND = 1e-5


def run(*words, code=0, **more):
    environment = dict(os.environ, LIBGL_ALWAYS_SOFTWARE="1", **more)
    done = subprocess.run([CLI, *map(str, words)], capture_output=True, text=True, env=environment, cwd=WORK)
    assert done.returncode == code, f"{words}: {done.returncode}, {done.stderr}"
    return done.stdout + done.stderr


def result(source, chosen, engine, *more):
    """Samples of full scale 1."""
    run("process", source, "-o", "out.npy", "--force", "-f", chosen, "-e", engine, *more)
    samples = numpy.load(WORK / "out.npy").astype(float)
    return samples / 255 if samples.max() > 8 else samples


def pictures():
    """One grey and one of colours, of odd sizes, in floats so that results are not rounded."""
    random = numpy.random.default_rng(5)
    for name, shape in (("grey", (37, 53)), ("colours", (41, 29, 3)), ("second", (37, 53))):
        numpy.save(WORK / f"{name}.npy", random.random(shape, numpy.float32))


TWINS = [
    ("sharpen", "amount=1.25", "sharpen:amount=1.25,neighbours=4"),
    ("gamma", "gamma=2.2", "gamma:gamma=2.2"),
    ("box", "radius=2", "box:size=5"),
    ("median", "", "median:size=3"),
]


def examples_are_their_twins():
    pictures()
    for name, values, twin in TWINS:
        for source in ("grey.npy", "colours.npy"):
            wanted = result(source, twin, "reference")
            for engine in ENGINES:
                got = result(source, f"glsl:file={EXAMPLES / name}.glsl,{values}".rstrip(","), engine, "--trust-code")
                distance = numpy.abs(got - wanted).max()
                if not distance < BOUND:
                    yield f"{name} on {engine}: {source} differs by {distance}"
                if numpy.abs(got - numpy.load(WORK / source)).max() < 1e-3:
                    yield f"{name} on {engine} changes nothing"
    wanted = result("grey.npy", "mix:with=second.npy,weight=0.25", "reference")
    for engine in ENGINES:
        got = result("grey.npy", f"glsl:file={EXAMPLES}/mix.glsl,with=second.npy,weight=0.25", engine, "--trust-code")
        if not numpy.abs(got - wanted).max() < BOUND:
            yield f"mix on {engine} differs by {numpy.abs(got - wanted).max()}"
    if {path.stem for path in EXAMPLES.glob("*.glsl")} != {name for name, *_ in TWINS} | {"mix"}:
        yield "an example has no twin here"


def nothing_runs_without_trust():
    file = EXAMPLES / "gamma.glsl"
    (WORK / "recipe").write_text(f"glsl:file={file}\n")
    for words in (["-f", f"glsl:file={file}"], ["--recipe", "recipe"]):
        said = run("process", "phantom:64x64", "-o", "no.png", *words, code=1)
        if "--trust-code" not in said or (WORK / "no.png").exists():
            yield f"{words}: {said}"
    if "--trust-code" not in run("sweep", "phantom:64x64", "--noise", "gaussian:0.1", "-f", f"glsl:file={file}",
                                 "--vary", "glsl.gamma=1,2", "--csv", "no.csv", code=1):
        yield "sweep does not ask"
    run("process", "phantom:64x64", "-o", "yes.png", "--recipe", "recipe", "--trust-code")


def other_engines_name_one_that_can():
    for engine in ("cpu", "reference"):
        said = run("process", "phantom:64x64", "-o", "no.png", "-f", f"glsl:file={EXAMPLES}/gamma.glsl", "-e", engine,
                   "--trust-code", code=1)
        if "gl-compute" not in said or (WORK / "no.png").exists():
            yield f"{engine}: {said}"
    # “auto” is one that can, for many files at once, too.
    chosen = f"glsl:file={EXAMPLES}/gamma.glsl"
    run("process", "phantom:64x64", "phantom:65x65", "phantom:66x66", "-o", "auto", "-f", chosen, "--trust-code")
    if len(list((WORK / "auto").iterdir())) != 3:
        yield "auto does not filter several pictures"
    run("process", "phantom:64x64", "-o", "auto-%02d.png", "--frames", "1-3", "-f", chosen, "--trust-code")
    run("process", "phantom:24x24x8", "-o", "slices.mha", "-f", chosen, "--trust-code")
    if "dimensions=3" not in run("process", "phantom:24x24x8", "-o", "no.mha", "-f", chosen, "-f",
                                 "shrinkage:dimensions=3,thresholds=0.1", "--trust-code", code=1):
        yield "volumes in three dimensions are not refused in words"


def errors_name_the_line():
    for text, line, word in (
            ("SAMPLE filtered (ivec2 p)\n{\n  return at (p) + mat2 (1.0) * vec3 (1.0);\n}\n", 3, "bad.glsl"),
            ("SAMPLE filtered (ivec2 p)\n{\n  float x;\n  x.y = 2.0;\n  return at (p);\n}\n", 4, "bad.glsl"),
            ("\nlayout (binding = 0) buffer X { float x; };\n", 2, "layout"),
            ("SAMPLE filtered (ivec2 p)\n{\n  return other (p) + at (q);\n}\n", 3, "“q”")):
        (WORK / "bad.glsl").write_text(text)
        for engine in ENGINES:
            said = run("process", "phantom:64x64", "-o", "no.png", "-f", "glsl:file=bad.glsl", "-e", engine,
                       "--trust-code", code=2 if "“" in word or word == "layout" else 1)
            if f"bad.glsl, line {line}:" not in said or word not in said or "own_" in said:
                yield f"{engine}: {said}"


def what_has_no_end_is_finite():
    (WORK / "endless.glsl").write_text("SAMPLE filtered (ivec2 p)\n{\n  SAMPLE f = SAMPLE (0.0);\n  for (;;)\n"
                                       "    f += SAMPLE (1.0 / 16384.0);\n  while (true)\n    f += 1.0;\n"
                                       "  return f;\n}\n")
    (WORK / "index.glsl").write_text("SAMPLE filtered (ivec2 p)\n{\n  float a[3];\n  a[p.x * 1000000] = 0.5;\n"
                                     "  a[-p.y] = 0.25;\n  return SAMPLE (a[0]);\n}\n")
    numpy.save(WORK / "small.npy", numpy.zeros((5, 7), numpy.float32))
    for engine in ENGINES:
        if numpy.abs(result("small.npy", "glsl:file=endless.glsl", engine, "--trust-code") - 16000 / 16384).max() > BOUND:
            yield f"{engine}: loops do not end after 16000 turns"
        if numpy.abs(result("small.npy", "glsl:file=index.glsl", engine, "--trust-code") - 0.25).max() > BOUND:
            yield f"{engine}: indices do not stay within arrays"
    # The counter that ends a loop says so, and only then.
    for name, told in (("endless", True), ("index", False)):
        said = run("process", "small.npy", "-o", "looped.png", "--force", "-f", f"glsl:file={name}.glsl", "--trust-code")
        if ("16000 turns" in said and f"{name}.glsl" in said) != told:
            yield f"{name}: {said}"


def inside_a_transform_it_is_its_twin():
    """On bands as on pictures; where there are none that a picture could stand for, a sentence."""
    same = set()
    for transform in ("wavelet=haar,levels=2", "wavelet=cdf97,levels=2,transform=stationary"):
        for at in ("details", "approximation", "coarsest"):
            wanted = result("colours.npy", f"transform:{transform}", "reference", "-f",
                            f"sharpen:amount=1.25,neighbours=4,at={at}", "-f", "inverse")
            same.add(wanted.tobytes())
            for engine in ENGINES:
                words = (f"transform:{transform}", "-e", engine, "-f", f"glsl:file={EXAMPLES}/sharpen.glsl,amount=1.25,at={at}", "-f",
                         "inverse", "--trust-code")
                if engine != "gl-compute" and "stationary" not in transform:  # which has no bands as pictures
                    said = run("process", "colours.npy", "-o", "no.npy", "-f", *words, code=1)
                    if "choose another engine" not in said or (WORK / "no.npy").exists():
                        yield f"inside on {engine}: {said}"
                    continue
                got = result("colours.npy", words[0], engine, *words[3:])
                if not numpy.abs(got - wanted).max() < BOUND:
                    yield f"{transform}, at={at} on {engine}: {numpy.abs(got - wanted).max()}"
    if len(same) != 6:
        yield "places do not differ"
    for inside, transform in ((f"glsl:file={EXAMPLES}/sharpen.glsl", "transform=dual-tree"),
                              (f"glsl:file={EXAMPLES}/mix.glsl,with=colours.npy", "levels=2")):
        said = run("process", "colours.npy", "-o", "inside.npy", "--force", "-f", f"transform:{transform}", "-f", inside,
                   "-f", "inverse", "--trust-code")
        if "without “glsl”: it has no place inside a transform" not in said:
            yield f"{inside} in {transform}: {said}"
    for engine in ("reference", "cpu"):
        said = run("process", "colours.npy", "-o", "no.npy", "-f", "transform", "-f", f"glsl:file={EXAMPLES}/sharpen.glsl", "-f",
                   "inverse", "-e", engine, "--trust-code", code=1)
        if "gl-compute" not in said:
            yield f"inside on {engine}: {said}"


def verify_tells_what_breaks():
    texts = {"none.glsl": "  return sqrt (at (p) - 2.0);", "place.glsl": "  return at (p) * (1.0 + float (p.x) / 1024.0);",
             "bad.glsl": "  return mat2 (1.0) * at (p);",
             "loop.glsl": "  SAMPLE f = at (p);\n  for (;;)\n    f = min (f, SAMPLE (0.5));\n  return f;"}
    for name, text in texts.items():
        (WORK / name).write_text("SAMPLE filtered (ivec2 p)\n{\n" + text + "\n}\n")
    for file, engine, words, code in (
            (EXAMPLES / "box.glsl", "gl-compute", ["1 to 67", "mirrored; a sample does not", "bit by bit", "Nothing broke, on 1"], 0),
            (f"{EXAMPLES}/mix.glsl,with=second.npy", "gl-fragment", ["Nothing broke, on 1"], 0),
            ("none.glsl", "gl-fragment", ["NaN       samples of “chance”"], 1),
            ("place.glsl", "gl-fragment", ["depends on where it lies", "Nothing broke"], 0),
            ("loop.glsl", "gl-fragment", ["loops     loop.glsl"], 1),
            ("bad.glsl", "gl-compute", ["bad.glsl, line 3: the graphics driver"], 1)):
        said = run("verify", "-e", engine, "-f", f"glsl:file={file}", "--trust-code", code=code)
        for word in words:
            if word not in said:
                yield f"verify {file} does not say “{word}”: {said}"
    if "--trust-code" not in run("verify", "-f", f"glsl:file={EXAMPLES}/box.glsl", code=1):
        yield "verify runs code that nobody trusts"
    for engine in ("reference", "cpu"):
        said = run("verify", "-e", engine, "-f", "soft-threshold:threshold=0.1", "-f", "sharpen")
        if "Nothing broke, on 1" not in said or "a sample depends" not in said:
            yield f"verify on {engine}: {said}"
    run("verify", code=2)
    run("verify", "-f", "median", "picture.png", code=2)


def helper(text):
    """A program in the place of the one that tries code."""
    path = WORK / "helper"
    path.write_text("#!/bin/sh\n" + text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def a_process_of_its_own_may_die():
    words = ["process", "phantom:64x64", "-o", "no.png", "-f", f"glsl:file={EXAMPLES}/gamma.glsl", "-e", "gl-compute",
             "--trust-code"]
    for text, said in (("kill -SEGV $$\n", "crashed"), ("exit 3\n", "crashed"), ("kill -XCPU $$\n", "20 seconds")):
        told = run(*words, code=1, ODL_REHEARSAL=str(helper(text)))
        if said not in told or "gamma.glsl" not in told or (WORK / "no.png").exists():
            yield f"{text.strip()}: {told}"
    if "nowhere" not in run(*words, code=1, ODL_REHEARSAL="/nowhere"):
        yield "a missing helper is not named"


def what_is_written_has_name_and_hash():
    folder = WORK / "secret folder"
    folder.mkdir()
    (folder / "mine.glsl").write_text((EXAMPLES / "gamma.glsl").read_text())
    digest = hashlib.sha256((folder / "mine.glsl").read_bytes()).hexdigest()
    chosen = f'glsl:file="{folder}/mine.glsl",gamma=2'
    for name in ("told.png", "told.tif"):
        run("process", "phantom:64x64", "-o", name, "-f", chosen, "--trust-code")
        written = (WORK / name).read_bytes()
        if b"secret folder" in written or f"glsl:file=mine.glsl,sha256={digest},gamma=2".encode() not in written:
            yield f"{name} has a path, or lacks name and hash"
    run("sweep", "phantom:64x64", "--noise", "gaussian:0.1", "-f", chosen, "--vary", "glsl.gamma=0.5:2:0.5", "--csv",
        "told.csv", "--trust-code")
    table = (WORK / "told.csv").read_text()
    if "secret folder" in table or table.count(digest) != 4 or len(set(table.splitlines()[1:])) != 4:
        yield f"the table of a sweep: {table}"
    # The recipe that was written runs where the same bytes lie, and nowhere else.
    recipe = f"glsl:file=mine.glsl,sha256={digest},gamma=2"
    (folder / "preset").write_text(recipe)
    run("process", "phantom:64x64", "-o", "again.png", "--recipe", folder / "preset", "--trust-code")
    if (WORK / "again.png").read_bytes() != (WORK / "told.png").read_bytes():
        yield "the recipe that was written makes another picture"
    (folder / "mine.glsl").write_text("// another\n" + (EXAMPLES / "gamma.glsl").read_text())
    if digest in run("process", "phantom:64x64", "-o", "no.png", "--recipe", folder / "preset", "--trust-code", code=1):
        yield "the message has the recipe's hash, not the file's"
    if (WORK / "no.png").exists():
        yield "another file ran under the recipe's hash"


def presets_keep_their_code():
    """As the window saves them (unit/filter/library.c), in the folder of the user's data."""
    code = (EXAMPLES / "gamma.glsl").read_bytes()
    digest = hashlib.sha256(code).hexdigest()
    data = WORK / "data"
    kept = data / "ondelette" / "presets" / "code" / digest / "kept.glsl"
    kept.parent.mkdir(parents=True)
    kept.write_bytes(code)
    (data / "ondelette" / "presets" / "Mine.txt").write_text(
        f"# Ondelette recipe, format 1\nglsl:file=kept.glsl,sha256={digest},gamma=2\n")
    words = ["process", "phantom:64x64", "--preset", "Mine", "-o"]
    if "nobody has said" not in run(*words, "no.png", code=1, XDG_DATA_HOME=str(data)):
        yield "a preset with code runs without a word"
    run(*words, "kept.npy", "--trust-code", XDG_DATA_HOME=str(data))
    run("process", "phantom:64x64", "-o", "wanted.npy", "-f", f"glsl:file={EXAMPLES}/gamma.glsl,gamma=2", "--trust-code")
    if (WORK / "kept.npy").read_bytes() != (WORK / "wanted.npy").read_bytes():
        yield "the preset makes another picture"
    kept.write_bytes(b"// another\n" + code)
    run(*words, "no.png", "--trust-code", code=1, XDG_DATA_HOME=str(data))
    if (WORK / "no.png").exists():
        yield "other code ran in the place of what was saved"


def dicom_files_have_name_and_hash():
    source = pathlib.Path(os.environ.get("ODL_TESTDATA", "")) / "pydicom" / "CT_small.dcm"
    if not source.is_file():
        raise tap.Skip("CT_small.dcm is not at hand")
    file = EXAMPLES / "gamma.glsl"
    run("process", source, "-o", "told.dcm", "-f", f"glsl:file={file},gamma=2", "--trust-code")
    written = (WORK / "told.dcm").read_bytes()
    if str(EXAMPLES).encode() in written or hashlib.sha256(file.read_bytes()).hexdigest().encode() not in written:
        yield "a derived DICOM file has the path, or lacks the hash"


sys.exit(tap.run([
    ("the examples are their built-in twins", examples_are_their_twins),
    ("nothing runs without trust", nothing_runs_without_trust),
    ("other engines name one that can", other_engines_name_one_that_can),
    ("errors name the author's line", errors_name_the_line),
    ("what has no end is finite", what_has_no_end_is_finite),
    ("inside a transform it is its twin", inside_a_transform_it_is_its_twin),
    ("verify tells what breaks", verify_tells_what_breaks),
    ("a process of its own may die", a_process_of_its_own_may_die),
    ("what is written down has name and hash", what_is_written_has_name_and_hash),
    ("presets keep their code", presets_keep_their_code),
    ("DICOM files have name and hash", dicom_files_have_name_and_hash)]))
