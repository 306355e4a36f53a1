#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What playing costs, in the real window under Xvfb with software GL: frames, drops, processor
time, latency, memory; against what the project demands.

usage: play.py ODL_PLAY [--seconds N] [--results FOLDER] [NAME…]
"""
import argparse
import datetime
import json
import os
import pathlib
import platform
import subprocess
import sys
import tempfile

SHRINKAGE = "soft-threshold:wavelet=cdf97,levels=3,threshold=0.05"
FRAME_BYTES = 2 << 20
CINE_FRAMES = 1024
LIMIT_KB = 3 << 20
MEMORY_MB = 64


def make_video(folder):
    """Four seconds of 1920 × 1080 in colour, H.264 where an encoder is at hand."""
    path = folder / "1080.mkv"
    for encoder in ("x264enc speed-preset=veryfast ! h264parse",
                    "openh264enc bitrate=8000000 ! h264parse"):
        done = subprocess.run(
            ["gst-launch-1.0", "-q", *f"videotestsrc num-buffers=120 pattern=zone-plate kx2=20 ky2=20 kt=1 ! video/x-raw,"
             f"format=I420,width=1920,height=1080,framerate=30/1 ! {encoder} ! matroskamux ! "
             f"filesink location={path}".split()], capture_output=True)
        # An encoder that fails may leave a file with little in it, and say nothing.
        if done.returncode == 0 and b"rror" not in done.stderr:
            return path
    return None


def make_cine(folder):
    """2 GiB of 1448 × 1448 bytes a frame, really written: zeros but for a mark that moves."""
    side = 1448
    path = folder / "large.mha"
    head = (f"ObjectType = Image\nNDims = 3\nDimSize = {side} {side} {CINE_FRAMES}\n"
            "ElementType = MET_UCHAR\nElementDataFile = LOCAL\n").encode()
    if os.statvfs(folder).f_bavail * os.statvfs(folder).f_frsize < 3 << 30:
        return None
    with open(path, "wb") as out:
        out.write(head)
        for i in range(CINE_FRAMES):
            frame = bytearray(side * side)
            frame[i * side:(i + 40) * side] = b"\xc8" * (40 * side)
            out.write(frame)
    return path


def run(program, location, seconds, limit_kb=0, **options):
    command = [program, f"--seconds={seconds}", f"--filter={SHRINKAGE}", str(location)]
    command += ["--luma"] if options.get("luma") else []
    limit = f"ulimit -v {limit_kb}; " if limit_kb else ""
    done = subprocess.run(
        ["xvfb-run", "-a", "-s", "-screen 0 1400x900x24", "bash", "-c", f'{limit}exec "$@"', "_",
         *command], capture_output=True, encoding="utf-8", timeout=seconds + 120,
        env={**os.environ, "LIBGL_ALWAYS_SOFTWARE": "1", "LC_ALL": "C.UTF-8"})
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode != 0 or not lines:
        return {"failure": (done.stderr.strip().splitlines() or ["no answer"])[-1]}
    return json.loads(lines[-1])


def launch_mb(*pipeline):
    """Most memory, in MB, that a pipeline of GStreamer's own tool had resident."""
    child = subprocess.Popen(["gst-launch-1.0", "-q", *pipeline], stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_maxrss * 1024 / 1e6 if child.returncode == 0 else None


def own_mb(got, path):
    """What playing takes of memory beside the frames that are kept and GStreamer: resident, less
    the window before it had a source, less the cache, less what the same decoding takes by itself."""
    alone = launch_mb("filesrc", f"location={path}", "!", "decodebin3", "!", "fakesink", "sync=true")
    nothing = launch_mb("fakesrc", "num-buffers=1", "!", "fakesink")
    if "failure" in got or alone is None or nothing is None:
        return None
    got["gstreamer_mb"] = round(alone - nothing, 1)
    return round(got["resident_mb"] - got["idle_mb"] - got["cached_mb"] - got["gstreamer_mb"], 1)


def phantom(program, seconds, folder):
    got = run(program, "phantom:512x512,rate=50", seconds)
    yield "512² phantom at 50 fps, dropped frames", got, got.get("dropped"), 0, "≤"
    yield "its processor time, % of one core", got, got.get("cpu_percent"), 60, "≤"
    latency = got.get("latency_ms")
    yield ("its latency to the screen, 95 of 100, ms (two frames)", got,
           latency and latency[1], 40, "≤")


def video(program, seconds, folder):
    path = make_video(folder)
    got = run(program, path, seconds, luma=True) if path else {"failure": "no H.264 encoder here"}
    yield "1920 × 1080 H.264, luma filtered, fps", got, got.get("fps"), 25, "≥"
    yield ("its memory beside cache, GStreamer and the idle window, MB", got,
           path and own_mb(got, path), MEMORY_MB, "≤")


def cine(program, seconds, folder):
    path = make_cine(folder)
    got = run(program, path, seconds, limit_kb=LIMIT_KB) if path else {"failure": "disk too small"}
    yield "2 GiB cine under ulimit -v of 3 GiB, frames painted", got, got.get("painted"), 10, "≥"


SETS = {"phantom": phantom, "video": video, "cine": cine}


def judge(value, bar, sense):
    if value is None:
        return "not measured"
    return "met" if (value <= bar if sense == "≤" else value >= bar) else "missed"


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("program")
    parser.add_argument("names", nargs="*", default=[])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--results")
    options = parser.parse_intermixed_args()
    today = datetime.date.today().isoformat()
    load = os.getloadavg()[0]
    lines = [f"# Playing, {today}", "",
             f"{platform.machine()}, {os.cpu_count()} processors, load {load:.1f} from others at "
             f"the start; {options.seconds:g} s each, software GL, engine auto.", "",
             "| what | measured | bar | |", "| --- | --- | --- | --- |"]
    details = []
    with tempfile.TemporaryDirectory(prefix="ondelette-play-") as folder:
        for name, function in SETS.items():
            if options.names and name not in options.names:
                continue
            for what, got, value, bar, sense in function(options.program, options.seconds,
                                                         pathlib.Path(folder)):
                lines.append(f"| {what} | {value if value is not None else got.get('failure')} | "
                             f"{sense} {bar} | {judge(value, bar, sense)} |")
                print(lines[-1], flush=True)
                if got not in details:
                    details.append(got)
    lines += ["", "```json", *(json.dumps(one) for one in details), "```", ""]
    if options.results:
        path = pathlib.Path(options.results, f"{today}-{os.cpu_count()}-core-play.md")
        path.write_text("\n".join(lines))
        print(f"written to {path}", file=sys.stderr)


if __name__ == "__main__":
    main()
