#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Arrays of 1080p floats from Python into the window and back: how long each way takes, how many pictures a second that
are, and how often one could have copied the array meanwhile.

usage: arrays.py BUILD [SECONDS]      (on a display; the window is started here, with folders of its own)
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import time

BUILD = pathlib.Path(sys.argv[1]).resolve()
SECONDS = float(sys.argv[2]) if len(sys.argv) > 2 else 5.0
sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "src" / "library" / "python"))
os.environ.setdefault("ONDELETTE_LIBRARY", str(BUILD / "src" / "library" / "libodl-core.so.0"))
import numpy  # noqa: E402

import ondelette  # noqa: E402

SHAPE = (1080, 1920)


def processor_s(process):
    """Of this program, or of that with a number."""
    if process is None:
        return time.process_time()
    fields = pathlib.Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measured(call, process=None):
    """Of as many calls as the time allows, three at least: the median in ms, and the processor's time in ms of each,
    here and in the window, which paints meanwhile."""
    times, end = [], time.monotonic() + SECONDS
    before = processor_s(None), processor_s(process)
    while time.monotonic() < end or len(times) < 3:
        begin = time.monotonic()
        call()
        times.append(1e3 * (time.monotonic() - begin))
    used = [1e3 * (now - then) / len(times) for now, then in zip((processor_s(None), processor_s(process)), before)]
    return sorted(times)[len(times) // 2], *used


def connected(program):
    end = time.monotonic() + 120
    while time.monotonic() < end and program.poll() is None:
        try:
            return ondelette.Window()
        except ondelette.Error:
            time.sleep(0.1)
    sys.exit("the window has not come")


def measure(window, pictures, process):
    numbers = iter(range(1 << 30))

    def there():
        window.show(pictures[next(numbers) % len(pictures)], "bench")

    def both():
        there()
        window.result("bench", copy=False)

    copied = numpy.empty(SHAPE, "f4")
    copy, copy_processor, _ = measured(lambda: numpy.copyto(copied, pictures[next(numbers) % len(pictures)]))
    print(f"A copy takes {copy:.2f} ms, {copy_processor:.2f} ms of the processor.\n")
    print("| filters | there, ms | there and back, ms | a second | ratio to a copy | processor in Python, ms | in the window, ms |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for recipe in ("pass-through", "gaussian:sigma=1", "soft-threshold:wavelet=cdf53,levels=3,threshold=0.05"):
        there()
        window.recipe(recipe)
        way, _, _ = measured(there, process)
        ways, here, in_window = measured(both, process)
        print(f"| `{recipe}` | {way:.1f} | {ways:.1f} | {1e3 / ways:.0f} | {ways / copy:.1f} | {here:.1f} | {in_window:.1f} |",
              flush=True)


def main():
    pictures = [numpy.random.default_rng(seed).random(SHAPE, "f4") for seed in range(4)]
    with tempfile.TemporaryDirectory(prefix="ondelette-bench-") as folder:
        os.environ["XDG_RUNTIME_DIR"] = folder
        variables = {name: folder for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")}
        program = subprocess.Popen([BUILD / "src" / "ondelette", "--arrays", "--engine", "cpu"],
                                   env={**os.environ, **variables, "DBUS_SESSION_BUS_ADDRESS": "disabled:",
                                        "ODL_DECODER": str(BUILD / "src" / "decoder" / "ondelette-decoder")},
                                   stderr=subprocess.DEVNULL)
        try:
            with connected(program) as window:
                measure(window, pictures, program.pid)
        finally:
            program.terminate()
            program.wait()


if __name__ == "__main__":
    main()
