#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Runs external checkers: format, static analysis, validators. Each row of CHECKS is a case;
ends with "N passed, N failed, N skipped"."""
import os
import shutil
import subprocess
import sys
import tempfile

import tree

# What cppcheck reports against the house style or against GLib's macros, each with its reason.
CPPCHECK_SUPPRESSIONS = [
    "unknownMacro",  # G_DEFINE_TYPE and its like, where --library=gtk does not know them
    "missingIncludeSystem",  # libraries' headers are not analysed
    "missingInclude",  # config.h lies in the build folder
    "unmatchedSuppression",
    "nullPointerArithmeticRedundantCheck",  # pointers that the loop's condition has checked
    "memleak",  # knows nothing of what GLib's functions take over; the sanitizers see leaks
    "nullPointer:tests/*",  # two conditions that imply each other
    "pointerOutOfBounds:tests/*",
    "invalidPointerCast",  # samples of any type lie in planes with strides in bytes
]


def run(command, **options):
    """Output of a failed command, or None."""
    done = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", cwd=tree.ROOT, check=False, **options)
    return None if done.returncode == 0 else done.stdout or f"exit status {done.returncode}"


def each(command, files):
    if not files:
        return "there is no such file"
    problems = [problem for file in files if (problem := run([*command, file]))]
    return "\n".join(problems) or None


def clang_format():
    sources = tree.files_with(".c", ".h", ".cpp", ".cc", ".hpp")
    return run(["clang-format", "--dry-run", "-Werror", *sources])


def cppcheck():
    jobs = min(os.cpu_count() or 1, 4)
    with tempfile.TemporaryDirectory() as folder:
        suppressions = os.path.join(folder, "suppressions")
        with open(suppressions, "w", encoding="utf-8") as out:
            out.write("\n".join(CPPCHECK_SUPPRESSIONS) + "\n")
        with open(os.path.join(folder, "spatial_list.h"), "w", encoding="utf-8") as out:
            subprocess.run([tree.ROOT / "src/list.py", "header"], stdout=out, check=True)
        return run(["cppcheck", "--quiet", "--error-exitcode=1", f"-j{jobs}", "--inline-suppr",
                    "--enable=warning,performance,portability", "--library=gtk", "--std=c11",
                    "--std=c++17", "-Isrc", f"-I{folder}", f"--suppressions-list={suppressions}", "-DG_OS_UNIX",
                    *tree.files_with(".c", ".cpp", ".cc")])


def xml():
    files = tree.files_with(".ui", ".xml", ".svg", ".xsd")
    return run(["xmllint", "--noout", "--nonet", *files])


def desktop_file():
    # The validator checks the file name, too; templates have an additional suffix.
    with tempfile.TemporaryDirectory() as folder:
        copies = []
        for path in tree.all_files():
            if path.name.endswith((".desktop", ".desktop.in")):
                copies.append(os.path.join(folder, path.name.removesuffix(".in")))
                shutil.copy(tree.ROOT / path, copies[-1])
        return each(["desktop-file-validate"], copies)


def metainfo():
    return each(["appstreamcli", "validate", "--no-net", "--explain"],
                [p for p in tree.all_files() if ".metainfo.xml" in p.name])


def settings_schema():
    return run(["glib-compile-schemas", "--strict", "--dry-run", "resources"])


def translations_compile():
    return each(["msgfmt", "--check", "--output-file=/dev/null"], tree.files_with(".po"))


def translations_complete():
    """No untranslated and no fuzzy messages."""
    problems = []
    for po in tree.files_with(".po"):
        for what in ("--untranslated", "--only-fuzzy"):
            found = subprocess.run(["msgattrib", what, "--no-obsolete", tree.ROOT / po],
                                   capture_output=True, text=True, check=False)
            if found.returncode != 0 or "msgid" in found.stdout:
                problems.append(f"{po}, {what}:\n{found.stdout}{found.stderr}")
    return "\n".join(problems) or None


def shell_scripts():
    return ["dev", ".ci/run", *tree.files_with(".sh")]


def shell_syntax():
    return each(["bash", "-n"], shell_scripts())


def shellcheck():
    return run(["shellcheck", *shell_scripts()])


def python_syntax():
    scripts = [tree.ROOT / path for path in tree.files_with(".py")]
    try:
        for script in scripts:
            compile(script.read_text(encoding="utf-8"), str(script), "exec")
    except SyntaxError as error:
        return str(error)
    return None


# name, required tool, check
CHECKS = [
    ("sources are formatted by .clang-format", "clang-format", clang_format),
    ("cppcheck finds nothing", "cppcheck", cppcheck),
    ("XML is well-formed", "xmllint", xml),
    ("the desktop file is valid", "desktop-file-validate", desktop_file),
    ("the metainfo is valid", "appstreamcli", metainfo),
    ("the settings schema compiles strictly", "glib-compile-schemas", settings_schema),
    ("translations compile", "msgfmt", translations_compile),
    ("translations are complete", "msgattrib", translations_complete),
    ("shell scripts parse", "bash", shell_syntax),
    ("shellcheck finds nothing", "shellcheck", shellcheck),
    ("Python scripts parse", "bash", python_syntax),
]


def main():
    counts = {"passed": 0, "FAILED": 0, "skipped": 0}
    for name, tool, check in CHECKS:
        problem = None
        if shutil.which(tool) is None:
            outcome, problem = "skipped", f"{tool} is not installed"
        else:
            problem = check()
            outcome = "FAILED" if problem else "passed"
        counts[outcome] += 1
        print(f"{outcome}: {name}", flush=True)
        if problem:
            print("\n".join("    " + line for line in problem.splitlines()), flush=True)
    print(f"\n{counts['passed']} passed, {counts['FAILED']} failed, {counts['skipped']} skipped")
    return 1 if counts["FAILED"] else 0


if __name__ == "__main__":
    sys.exit(main())
