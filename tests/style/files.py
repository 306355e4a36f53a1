#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""How files look and where they are registered: files.py BUILD"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
import tap  # noqa: E402
import tree  # noqa: E402

BUILD = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else None
MAX_LINES = 1000
MAX_FUNCTION_LINES = 90
TOP = {"README.md", "LICENSE", "meson.build", "meson_options.txt", "dev", ".ci", ".clang-format",
       ".editorconfig", ".gitignore", "src", "ui", "shaders", "resources", "tests", "po", "findings"}
C_LIKE = (".c", ".h", ".cpp", ".cc")
SHADERS = (".frag", ".vert", ".comp", ".glsl")
SPDX = "SPDX-License-Identifier: MIT"
BINARY = {".png", ".ico", ".gz", ".raw", ".dcm", ".jpg", ".tif", ".mo", ".webp", ".zip"}
TEST_FOLDERS = ("unit", "kernels", "gl", "golden", "proof", "widgets", "style")
LEFT_BEHIND = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")
NAMES_THE_WORDS = {"files.py", "summary.py"}  # this file, and TAP's directive of that name
PRIVATE_PATH = re.compile(r"(?<![\w$}.*)])/(?:work|root|home)/")
NAMED_FILES = r"\.(?:c|h|cpp|frag|vert|comp|glsl|py|sh|ui|md|build)"
# A variable at file scope: [static] type name[…] = … or ;
MUTABLE = re.compile(r"^(?:static )?(?:struct |enum )?(?!extern|typedef|using|namespace|return)"
                     r"[A-Za-z_][\w ]*[ *]+(\w+)(\[[^\]]*\])*( =.*|;)$")
# What GObject's own patterns need: the ids of a class, filled once in class_init.
GOBJECT_TABLES = {"signals", "properties"}


def texts():
    for path in tree.all_files():
        if path.suffix not in BINARY:
            yield path, tree.text_of(path)


def lines_of(*suffixes):
    for path in tree.files_with(*suffixes):
        for number, line in enumerate(tree.text_of(path).splitlines(), 1):
            yield path, number, line


def top_level_is_the_fixed_list():
    for name in sorted({path.parts[0] for path in tree.all_files()} - TOP):
        yield f"{name} does not belong at the top"


def licence_comes_first():
    for path, text in texts():
        if path.suffix in C_LIKE + SHADERS + (".py", ".sh") or path.name in ("dev", "run"):
            head = text.splitlines()[:2]
            if head and head[0].startswith("#!"):
                head = head[1:]
            if not head or SPDX not in head[0]:
                yield f"{path}: the first line is not {SPDX}"


def whitespace_is_clean():
    for path, text in texts():
        for number, line in enumerate(text.split("\n"), 1):
            if line != line.rstrip():
                yield f"{path}:{number}: ends in white space"
            if "\t" in line and path.suffix not in (".po", ".pot"):
                yield f"{path}:{number}: contains a tab"
        if text and not text.endswith("\n"):
            yield f"{path}: does not end in a newline"


def files_are_short():
    for path in tree.files_with(*C_LIKE, *SHADERS, ".py"):
        count = len(tree.text_of(path).splitlines())
        if count > MAX_LINES:
            yield f"{path} has {count} lines; split it by concern ({MAX_LINES} at most)"


def functions_fit_a_screen():
    start = None
    for path, number, line in lines_of(".c", ".cpp", ".cc"):
        if number == 1:
            start = None
        if line == "{":
            start = number
        elif line.startswith("}") and start is not None:
            length, start = number - start - 1, None
            if length > MAX_FUNCTION_LINES:
                yield f"{path}:{number - length}: a function of {length} lines"


def headers_guard_themselves():
    """But those that are compiled by themselves, where GCC warns of the guard."""
    for path in tree.files_with(".h", ".hpp"):
        if path.parent.name != "precompiled" and "#pragma once" not in tree.text_of(path):
            yield f"{path}: no #pragma once"


def nothing_is_left_behind():
    for path, text in texts():
        for number, line in enumerate(text.splitlines(), 1):
            if LEFT_BEHIND.search(line) and path.name not in NAMES_THE_WORDS:
                yield f"{path}:{number}: {line.strip()}"
            if line.startswith("#if 0"):
                yield f"{path}:{number}: code that is switched off"


def no_private_paths():
    for path, text in texts():
        for number, line in enumerate(text.splitlines(), 1):
            if PRIVATE_PATH.search(line) and path.name != "files.py":
                yield f"{path}:{number}: {line.strip()}"


def globals_are_constant():
    for path, number, line in lines_of(".c", ".cpp", ".cc"):
        found = MUTABLE.match(line)
        if path.parts[0] == "src" and found and "const " not in line \
                and "(" not in line.split("=")[0] and found.group(1) not in GOBJECT_TABLES:
            yield f"{path}:{number}: {line}"


def links_lead_somewhere():
    for path in tree.files_with(".md"):
        for target in re.findall(r"\]\(([^)#]+)[^)]*\)", tree.text_of(path)):
            if "://" not in target and not (tree.ROOT / path.parent / target).exists():
                yield f"{path} links to {target}, which is not there"


def names_in_documents_are_there():
    """Files, by any end of their paths, and what of the code is named; results tell of their day."""
    ends = {"/".join(path.parts[-n:]) for path in tree.all_files() for n in range(1, len(path.parts) + 1)}
    words = {word for path in tree.all_files() if path.suffix not in BINARY | {".md", ".po", ".pot"}
             for word in re.findall(r"\b(?:odl_|Odl|ODL_)\w+", tree.text_of(path))}
    for path in tree.files_with(".md"):
        for name in re.findall(r"`([^`\n]+)`", tree.text_of(path) if "results" not in path.parts else ""):
            if re.fullmatch(r"(?!build/)[\w/-][\w./-]*" + NAMED_FILES, name) and "NAME" not in name \
                    and name not in ends:
                yield f"{path} names the file {name}, which is not there"
            for word in re.findall(r"\b(?:odl_|Odl|ODL_)\w+", name):
                if "NAME" not in word and not any(known.startswith(word) for known in words):
                    yield f"{path} names {word}, which is not there"


def introspect(what):
    file = BUILD / "meson-info" / f"intro-{what}.json" if BUILD else None
    if file is None or not file.exists():
        raise tap.Skip("no build folder was named")
    return json.loads(file.read_text(encoding="utf-8"))


def whole_program_is_built():
    options = {option["name"]: option["value"] for option in introspect("buildoptions")}
    if not options.get("app", True):
        raise tap.Skip("built without the program")


def compiled_sources():
    return {pathlib.Path(name).resolve() for target in introspect("targets")
            for group in target["target_sources"] for name in group.get("sources", [])}


def every_source_is_compiled():
    whole_program_is_built()
    compiled = compiled_sources()
    for path in tree.files_with(".c", ".cpp", ".cc"):
        if (tree.ROOT / path).resolve() not in compiled:
            yield f"{path} is in no meson.build"


def every_test_is_registered():
    whole_program_is_built()
    words = {word for test in introspect("tests") for word in test["cmd"]}
    for target in introspect("targets"):
        folder = pathlib.Path(target["defined_in"]).resolve().relative_to(tree.ROOT).parts
        if target["type"] == "executable" and folder[0] == "tests" and folder[1] in TEST_FOLDERS \
                and not words & set(target["filename"]):
            yield f"{target['name']} is built but no test runs it"
    run = {pathlib.Path(word).resolve() for word in words}
    for path in tree.files_with(".py"):
        if path.parts[0] == "tests" and path.parts[1] in TEST_FOLDERS and path.name != "tap.py" \
                and (tree.ROOT / path).resolve() not in run:
            yield f"{path} is run by no test"


def tests_have_one_form():
    """What a test needs is needed; what is only run, a script looks for when the test runs. So no
    test is another one because of what was there when Meson configured."""
    for path in tree.files_with("meson.build"):
        if path.parts[0] != "tests":
            continue
        for number, line in enumerate(tree.text_of(path).splitlines(), 1):
            if re.search(r"required: *false|\.found *\(|disabler: *true", line):
                yield f"{path}:{number}: {line.strip()}"


def windows_have_their_display():
    """Every program of tests/widgets and every soak is run on a display of its own, and what wants
    the libraries of a missing driver finds their folder in its command."""
    whole_program_is_built()
    folder = BUILD.resolve() / "tests" / "widgets"
    for test in introspect("tests"):
        words = " ".join(test["cmd"])
        shows = str(folder) in words or "odl-soak" in words
        if shows and test["name"] != "widgets-no-display" and "display.sh" not in words:
            yield f"{test['name']} is run without tests/helpers/display.sh"
        if "no-lib" in test["name"] and f"LD_LIBRARY_PATH={folder}" not in words:
            yield f"{test['name']} is run without its LD_LIBRARY_PATH"


def pieces_of_filters_are_missed():
    """In a project of one spatial filter, whole and without each of its files in turn."""
    pieces = ["src/plan/spatial/a_b.c", "src/engine/reference/spatial/a_b.c",
              "src/engine/cpu/spatial/a_b.c", "shaders/spatial/a-b.glsl"]
    with tempfile.TemporaryDirectory() as folder:
        script = pathlib.Path(folder, "src", "list.py")
        for piece in pieces:
            pathlib.Path(folder, piece).parent.mkdir(parents=True)
            pathlib.Path(folder, piece).touch()
        shutil.copy(tree.ROOT / "src" / "list.py", script)
        for missing in [None, *pieces]:
            if missing:
                pathlib.Path(folder, missing).unlink()
            done = subprocess.run([script, "header"], capture_output=True, text=True, check=False)
            if missing and (done.returncode == 0 or missing not in done.stderr):
                yield f"without {missing} list.py says: {done.stdout}{done.stderr}"
            elif not missing and done.stdout.count("X (A_B, a_b)") != 2:
                yield f"list.py says of a whole filter: {done.stdout}{done.stderr}"
            if missing:
                pathlib.Path(folder, missing).touch()


def bundled():
    """Paths named by the resource bundles, relative to the project."""
    names = set()
    for path in tree.files_with(".xml"):
        if path.name.endswith(".gresource.xml"):
            for name in re.findall(r"<file[^>]*>([^<]+)</file>", tree.text_of(path)):
                names.add(name)
    return names


def every_template_is_bundled():
    names = bundled()
    for path in tree.files_with(".ui"):
        if not any(str(path) == name or str(path).endswith("/" + name) for name in names):
            yield f"{path} is in no gresource.xml"


CASES = [
    ("/files/top-level-is-the-fixed-list", top_level_is_the_fixed_list),
    ("/files/licence-comes-first", licence_comes_first),
    ("/files/white-space-is-clean", whitespace_is_clean),
    ("/files/files-are-short", files_are_short),
    ("/files/functions-fit-a-screen", functions_fit_a_screen),
    ("/files/headers-guard-themselves", headers_guard_themselves),
    ("/files/nothing-is-left-behind", nothing_is_left_behind),
    ("/files/no-private-paths", no_private_paths),
    ("/files/globals-are-constant", globals_are_constant),
    ("/files/links-lead-somewhere", links_lead_somewhere),
    ("/files/names-in-documents-are-there", names_in_documents_are_there),
    ("/files/every-source-is-compiled", every_source_is_compiled),
    ("/files/every-test-is-registered", every_test_is_registered),
    ("/files/tests-have-one-form", tests_have_one_form),
    ("/files/windows-have-their-display", windows_have_their_display),
    ("/files/pieces-of-filters-are-missed", pieces_of_filters_are_missed),
    ("/files/every-template-is-bundled", every_template_is_bundled),
]

if __name__ == "__main__":
    sys.exit(tap.run(CASES))
