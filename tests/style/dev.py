#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""“./dev cli” builds nothing where nothing has changed, and whatever has changed, in a project of two
programs. Every run of Ninja leaves a line in a file beside it."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "helpers"))
import tap  # noqa: E402

PROGRAM = '#include <stdio.h>\n#include "word.h"\nint main (void) { puts (WORD); return 0; }\n'
FILES = {
    "meson.build": """project ('small', 'c')
subdir ('src')
custom_target ('count', command: ['sh', '-c', 'echo >>@COUNT@'], output: 'count',
  build_always_stale: true, build_by_default: true)
""",
    "meson_options.txt": "option ('tests', type: 'boolean', value: false)\n",
    "src/meson.build": "executable ('ondelette-cli', 'cli.c')\nsubdir ('decoder')\n",
    "src/cli.c": PROGRAM,
    "src/word.h": '#define WORD "one"\n',
    "src/decoder/meson.build": "executable ('ondelette-decoder', 'decoder.c')\n",
    "src/decoder/decoder.c": "int main (void) { return 0; }\n",
    "tests/note": "",
}


class Project:
    """A small project with the script, which asks for no packages."""

    def __init__(self, folder):
        self.root = pathlib.Path(folder, "project")
        self.count = pathlib.Path(folder, "count")
        for name, text in FILES.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text.replace("@COUNT@", str(self.count)), encoding="utf-8")
        script = re.sub(r'_packages="[^"]*"', '_packages=""', (ROOT / "dev").read_text(encoding="utf-8"))
        (self.root / "dev").write_text(script, encoding="utf-8")

    def cli(self):
        """What the program says, and how often Ninja ran."""
        before = len(self.count.read_text(encoding="utf-8")) if self.count.exists() else 0
        run = subprocess.run(["bash", self.root / "dev", "cli"], capture_output=True, text=True, check=False)
        return run.stdout.strip() + run.stderr, len(self.count.read_text(encoding="utf-8")) - before

    def settle(self):
        """Until nothing is left to build: what the first build configures anew is newer than it."""
        for _ in range(3):
            if self.cli()[1] == 0:
                return True
        return False


def word(project, text):
    (project.root / "src/word.h").write_text(f'#define WORD "{text}"\n', encoding="utf-8")


def older(project):
    """A file that was copied with the time that it had elsewhere."""
    path = project.root / "src/decoder/decoder.c"
    path.write_text("int main (void) { return 1; }\n", encoding="utf-8")
    os.utime(path, (1e9, 1e9))


def added(project):
    (project.root / "src/more.c").touch()


def removed(project):
    (project.root / "src/more.c").unlink()


def program_removed(project):
    (project.root / "build/src/ondelette-cli").unlink()


def configured(project):
    subprocess.run(["/usr/bin/meson", "configure", project.root / "build", "-Doptimization=1"],
                   capture_output=True, check=True)


def moved(project):
    to = project.root.with_name("elsewhere")
    project.root.rename(to)
    project.root = to


CHANGES = [("an edited header", lambda project: word(project, "two"), "two"),
           ("a file with an older time", older, "two"), ("a file more", added, "two"),
           ("a file less", removed, "two"), ("a program that is gone", program_removed, "two"),
           ("another option", configured, "two"), ("another folder", moved, "two")]


def every_change_is_built():
    if not pathlib.Path("/var/lib/dpkg/status").exists():
        raise tap.Skip("packages are not Debian's, so that every call builds")
    with tempfile.TemporaryDirectory() as folder:
        project = Project(folder)
        said, runs = project.cli()
        if (said, runs) != ("one", 1):
            yield f"the first call says “{said}” after {runs} builds"
            return
        for what, change, wanted in CHANGES:
            if not project.settle():
                yield f"before {what}: nothing has changed, but each call builds"
            change(project)
            said, runs = project.cli()
            if said != wanted or runs == 0:
                yield f"{what}: “{said}” after {runs} builds"
        project.settle()
        shutil.copy(project.root / "dev", project.root / "tests/note")
        if project.cli()[1] != 0:
            yield "a test that changed has the program built"


CASES = [("/dev/cli-builds-what-has-changed-and-nothing-else", every_change_is_built)]

if __name__ == "__main__":
    sys.exit(tap.run(CASES))
