#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The fast set of tests, for every edit: fast.py BUILD --targets names what Ninja has to build for it,
fast.py BUILD runs it, two programs at a time, without a display and without helpers.

It is all of the suites style, kernels and unit and, of the proof, one case of each engine, but what
tests/slow.txt lists, a name a line. What takes more than MOST_SECONDS of processor time is
reported; it leaves the set by a line there.
"""
import concurrent.futures
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading

from summary import Executable

MOST_SECONDS = 5
MOST_WAITING = 120  # seconds, until a program is ended
SUITES = {"style", "kernels", "unit"}
PROOF = ["-p", "/proof/{engine}/{api}auto/every-wavelet-and-border-equals-the-reference"]
SLOW = pathlib.Path(__file__).resolve().parents[1] / "slow.txt"
UNSET = ["DISPLAY", "WAYLAND_DISPLAY", "LANGUAGE"]
SET = {"ODL_DECODER": os.devnull, "DBUS_SESSION_BUS_ADDRESS": "disabled:", "GSETTINGS_BACKEND": "memory"}


def introspect(build, what):
    out = subprocess.run(["/usr/bin/meson", "introspect", f"--{what}", build],
                         capture_output=True, text=True, check=True).stdout
    return json.loads(out)


def arguments_of(test):
    """What is added to the test's command; None: it is not in the set."""
    suites = {suite.split(":")[-1] for suite in test["suite"]}
    if "proof" in suites:
        engine = test["env"]["ODL_TEST_ENGINE"]
        return [word.format(engine=engine, api="desktop/" if engine.startswith("gl-") else "") for word in PROOF]
    return [] if suites & SUITES and "waits" not in suites else None


def members(build):
    """(test, arguments) of the set."""
    slow = [line.split()[0] for line in SLOW.read_text(encoding="utf-8").splitlines()
            if line.strip() and not line.startswith("#")]
    tests = introspect(build, "tests")
    for name in slow:
        if all(test["name"] != name for test in tests):
            raise SystemExit(f"fast.py: tests/slow.txt has a line for “{name}”, which is no test; take it out")
    return [(test, arguments_of(test)) for test in tests
            if test["name"] not in slow and arguments_of(test) is not None]


def targets(build):
    """What the members need, relative to BUILD, and the messages of every language."""
    wanted = {target for test, _ in members(build) for target in test["depends"]}
    return sorted({os.path.relpath(name, os.path.realpath(build)) for target in introspect(build, "targets")
                   for name in target["filename"] if target["id"] in wanted or name.endswith(".mo")})


def run(member):
    """The record of a finished test, as Meson writes it, and its processor time."""
    test, arguments = member
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as out:
        env = {**os.environ, **test["env"], **SET}
        for name in UNSET:
            env.pop(name, None)
        for name in ("CONFIG", "CACHE", "STATE", "DATA"):
            env[f"XDG_{name}_HOME"] = f"{folder}/{name}"
        env["XDG_RUNTIME_DIR"] = env["TMPDIR"] = folder
        with subprocess.Popen(test["cmd"] + arguments, env=env, cwd=test["workdir"], stdin=subprocess.DEVNULL,
                              stdout=out, stderr=subprocess.STDOUT, start_new_session=True) as process:
            watch = threading.Timer(MOST_WAITING, os.killpg, (process.pid, signal.SIGKILL))
            watch.start()
            _, status, usage = os.wait4(process.pid, 0)
            watch.cancel()
            process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        said = out.read().decode(errors="replace")
        record = {"name": test["name"], "stdout": said, "returncode": process.returncode,
                  "result": "OK" if process.returncode == 0 else "FAIL"}
        return Executable(record), usage.ru_utime + usage.ru_stime


def main():
    if sys.argv[2:] == ["--targets"]:
        print("\n".join(targets(sys.argv[1])))
        return 0
    with concurrent.futures.ThreadPoolExecutor(max(2, os.cpu_count() or 2)) as pool:
        runs = list(pool.map(run, members(sys.argv[1])))
    for done, _ in runs:
        if done.failed:
            print(f"\n--- {done.name}\n{done.tail()}")
    for done, seconds in sorted(runs, key=lambda run: -run[1]):
        for name, reason in done.skipped:
            print(f"skipped: {name} ({reason})")
        for name, reason in done.failed:
            print(f"FAILED: {name} ({reason})")
        if seconds > MOST_SECONDS:
            print(f"{done.name} took {seconds:.1f} s of processor time, more than {MOST_SECONDS}: "
                  f"a line “{done.name}” in tests/slow.txt takes it out of the fast set")
    counts = [sum(len(getattr(done, kind)) for done, _ in runs) for kind in ("passed", "failed", "skipped")]
    print("\n{} passed, {} failed, {} skipped".format(*counts))
    print(f"{len(runs)} programs, {sum(seconds for _, seconds in runs):.0f} s of processor time", file=sys.stderr)
    return 0 if counts[0] and not counts[1] else 1


if __name__ == "__main__":
    sys.exit(main())
