#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What playing costs, in the real window under Xvfb with software GL: frames, drops, processor
time, latency, memory; against what the project demands.

usage: play.py ODL_PLAY [--seconds N] [--results FOLDER] [NAME…]
"""
import argparse
import datetime
import itertools
import json
import os
import pathlib
import platform
import re
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "helpers"))
import results  # noqa: E402

SHRINKAGE = "soft-threshold:wavelet=cdf97,levels=3,threshold=0.05"
FRAME_BYTES = 2 << 20
CINE_FRAMES = 1024
LIMIT_KB = 3 << 20
MEMORY_MB = 64


def make_video(folder, rate=30):
    """Four seconds of 1920 × 1080 in colour, H.264 where an encoder is at hand."""
    path = folder / f"1080p{rate}.mkv"
    for encoder in ("x264enc speed-preset=veryfast ! h264parse",
                    "openh264enc bitrate=8000000 ! h264parse"):
        done = subprocess.run(
            ["gst-launch-1.0", "-q", *f"videotestsrc num-buffers={4 * rate} pattern=zone-plate kx2=20 ky2=20 kt=1 ! video/x-raw,"
             f"format=I420,width=1920,height=1080,framerate={rate}/1 ! {encoder} ! matroskamux ! "
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


SIDE = 1448


def put(tag, vr, value):
    """A data element, explicit VR little endian."""
    if isinstance(value, str):
        value = value.encode() + b" " * (len(value) % 2)
    elif isinstance(value, int):
        value = value.to_bytes(2, "little")
    head = tag[0].to_bytes(2, "little") + tag[1].to_bytes(2, "little") + vr
    if vr in (b"OB", b"OW"):
        return head + bytes(2) + len(value).to_bytes(4, "little") + value
    return head + len(value).to_bytes(2, "little") + value


def dicom_head(syntax, side, frames):
    return (bytes(128) + b"DICM" + put((2, 0x10), b"UI", syntax)
            + put((0x18, 0x1063), b"DS", "40") + put((0x28, 2), b"US", 1)
            + put((0x28, 4), b"CS", "MONOCHROME2") + put((0x28, 8), b"IS", str(frames))
            + put((0x28, 0x10), b"US", side) + put((0x28, 0x11), b"US", side)
            + put((0x28, 0x100), b"US", 8) + put((0x28, 0x101), b"US", 8)
            + put((0x28, 0x102), b"US", 7) + put((0x28, 0x103), b"US", 0))


def make_native(folder):
    """The same 2 GiB as a DICOM cine."""
    path = folder / "native.dcm"
    with open(path, "wb") as out:
        out.write(dicom_head("1.2.840.10008.1.2.1", SIDE, CINE_FRAMES))
        out.write(put((0x7fe0, 0x10), b"OB", b"")[:-4])
        out.write((SIDE * SIDE * CINE_FRAMES).to_bytes(4, "little"))
        for i in range(CINE_FRAMES):
            frame = bytearray(SIDE * SIDE)
            frame[i * SIDE:(i + 40) * SIDE] = b"\xc8" * (40 * SIDE)
            out.write(frame[:SIDE * SIDE])
    return path


def write_pieces(path, syntax, side, pieces, frames, table):
    """Frames of one piece each, taken from `pieces` in turn."""
    offsets = list(itertools.accumulate(8 + len(pieces[i % len(pieces)]) for i in range(frames)))
    item = b"\xfe\xff\x00\xe0"
    with open(path, "wb") as out:
        out.write(dicom_head(syntax, side, frames))
        out.write(put((0x7fe0, 0x10), b"OB", b"")[:-4] + b"\xff\xff\xff\xff" + item)
        entries = [0, *offsets[:-1]] if table else []
        out.write((4 * len(entries)).to_bytes(4, "little"))
        out.write(b"".join(entry.to_bytes(4, "little") for entry in entries))
        for i in range(frames):
            piece = pieces[i % len(pieces)]
            out.write(item + len(piece).to_bytes(4, "little") + piece)
        out.write(b"\xfe\xff\xdd\xe0" + bytes(4))
    return path


def make_rle(folder, table):
    """Some 400 MB: noise, which runs do not shorten."""
    side = 1024
    pieces = []
    for _ in range(4):
        noise = os.urandom(side * side)
        runs = b"".join(b"\x7f" + noise[at:at + 128] for at in range(0, len(noise), 128))
        pieces.append((1).to_bytes(4, "little") + (64).to_bytes(4, "little") + bytes(56) + runs)
    name = "rle-table.dcm" if table else "rle.dcm"
    return write_pieces(folder / name, "1.2.840.10008.1.2.5", side, pieces, 400, table)


def make_jpeg(folder, table):
    """Some 400 MB of JPEG as an encoder makes it, 3000 frames."""
    side = 512
    pattern = folder / "jpeg-%d.jpg"
    subprocess.run(
        ["gst-launch-1.0", "-q", *f"videotestsrc num-buffers=8 pattern=snow ! video/x-raw,"
         f"format=GRAY8,width={side},height={side} ! jpegenc quality=90 ! multifilesink "
         f"location={pattern}".split()], check=True, capture_output=True)
    pieces = [pathlib.Path(str(pattern) % i).read_bytes() for i in range(8)]
    pieces = [piece + bytes(len(piece) % 2) for piece in pieces]
    name = "jpeg-table.dcm" if table else "jpeg.dcm"
    return write_pieces(folder / name, "1.2.840.10008.1.2.4.50", side, pieces, 3000, table)


def first_picture(cli, path):
    """Opens a file that is in no cache up to its first picture."""
    with open(path, "rb") as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    start = time.monotonic()
    child = subprocess.Popen([cli, "info", "--json", path], stdout=subprocess.PIPE)
    answer = child.stdout.read()
    # With its helper, which it has waited for.
    _, status, usage = os.wait4(child.pid, 0)
    seconds = time.monotonic() - start
    if status != 0:
        return {"failure": "it does not open"}
    read = subprocess.run(["fincore", "-b", "-n", "-o", "RES", path], capture_output=True,
                          encoding="utf-8")
    size = path.stat().st_size
    share = 100 * int(read.stdout) / size if read.returncode == 0 else None
    again = time.monotonic()
    subprocess.run([cli, "info", path], capture_output=True)
    return {"location": path.name, "file_mb": round(size / 1e6), "frames": json.loads(answer)["frames"],
            "first_picture_ms": round(1e3 * seconds), "cached_ms": round(1e3 * (time.monotonic() - again)),
            "read_percent": share and round(share, 2),
            "largest_resident_mb": round(usage.ru_maxrss / 1e3)}


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


def dicom(program, seconds, folder):
    """The first picture of a file that no cache holds, then playing."""
    cli = os.path.join(os.path.dirname(program), "..", "..", "src", "ondelette-cli")
    if os.statvfs(folder).f_bavail * os.statvfs(folder).f_frsize < 6 << 30:
        yield "DICOM cines", {"failure": "disk too small"}, None, 0, "≤"
        return
    path = make_native(folder)
    got = first_picture(cli, path)
    yield "2 GiB native DICOM cine, read for the first picture, %", got, got.get("read_percent"), 1, "≤"
    yield "its first picture, ms", got, got.get("first_picture_ms"), 1000, "≤"
    got = run(program, path, seconds, limit_kb=LIMIT_KB)
    yield "it under ulimit -v of 3 GiB, fps of 25", got, got.get("fps"), 20, "≥"
    path.unlink()
    for name, make, table in (("JPEG with offset table", make_jpeg, True), ("JPEG without", make_jpeg, False),
                              ("RLE with offset table", make_rle, True), ("RLE without", make_rle, False)):
        path = make(folder, table)
        got = first_picture(cli, path)
        yield f"DICOM cine, {name}, read for the first picture, %", got, got.get("read_percent"), 10, "≤"
        yield "its first picture, ms", got, got.get("first_picture_ms"), 1000, "≤"
        if not table:
            got = run(program, path, seconds)
            yield "it, fps of 25", got, got.get("fps"), 20, "≥"
        path.unlink()


def answer(*command, camera=False):
    """The last line of what a program says, under a display and, for cameras, PipeWire."""
    session = [str(HERE.parents[1] / "helpers" / "pipewire.sh")] if camera else []
    done = subprocess.run(
        [*session, "xvfb-run", "-a", "-s", "-screen 0 1400x900x24", *map(str, command)],
        capture_output=True, encoding="utf-8", timeout=300,
        env={**os.environ, "LIBGL_ALWAYS_SOFTWARE": "1", "LC_ALL": "C.UTF-8"})
    lines = done.stdout.strip().splitlines()
    if done.returncode != 0 or not lines:
        return {"failure": ([*lines, *done.stderr.strip().splitlines()] or ["no answer"])[-1]}
    if lines[-1].startswith("{"):
        return json.loads(lines[-1])
    found = re.search(r"longest ([0-9.]+) ms", lines[-1])
    return {"said": lines[-1], "longest_ms": float(found[1])} if found else {"failure": lines[-1]}


def response(program, seconds, folder):
    """What a person waits for: the window's own turns, a picture that is sought, a lost camera."""
    tools = pathlib.Path(program).parent
    data = pathlib.Path(os.environ.get("ODL_TESTDATA", HERE.parents[3] / "shared" / "testdata"))
    cine = data / "pydicom" / "examples_ybr_color.dcm"
    movie = data / "imageio-binaries" / "realshort.mp4"
    os.environ["ODL_CAMERA_PROVIDER"] = str(tools.parent / "helpers" / "camera-provider")
    if cine.exists():
        got = answer(tools / "odl-scrub", cine)
        yield "real cine, from a seek to the cached picture, longest, ms", got, got.get("longest_ms"), 50, "≤"
    got = answer(tools / "odl-response", "main-loop", "phantom:512x512",
                 *[path for path in (cine, movie) if path.exists()])
    yield ("opening, seeking and changing filters: main loop kept from its turns, longest, ms", got,
           got.get("longest_gap_ms"), 150, "≤")
    got = answer(tools / "odl-response", "camera", camera=True)
    yield "a camera that falls silent is said to be lost, longest of 5, ms", got, got.get("silent_ms"), 1000, "≤"
    yield "one that is unplugged, longest of 5, ms", got, got.get("unplugged_ms"), 1000, "≤"


def on_the_display(*command):
    """The last line of what a program says on the display that is there."""
    done = subprocess.run([str(part) for part in command], capture_output=True, encoding="utf-8",
                          timeout=300)
    lines = done.stdout.strip().splitlines()
    if done.returncode != 0 or not lines:
        return {"failure": (done.stderr.strip().splitlines() or ["no answer"])[-1]}
    return json.loads(lines[-1])


def graphics_card(program, seconds, folder):
    """Where there is a graphics card with a display: 1920 × 1080 at 60 frames a second, in colour.
    An empty window drawn as often tells what the display takes for itself."""
    devices = [*pathlib.Path("/dev").glob("nvidiactl"), *pathlib.Path("/dev/dri").glob("renderD*")]
    displays = [os.environ.get(name) for name in ("WAYLAND_DISPLAY", "DISPLAY")]
    path = make_video(folder, rate=60) if devices and any(displays) else None
    if path is None:
        yield "1920 × 1080 at 60 fps on a graphics card", {"failure": "none with a display here"}, None, 10, "≤"
        return
    blank = on_the_display(pathlib.Path(program).with_name("odl-blank"), seconds)
    got = on_the_display(program, f"--seconds={seconds}", f"--filter={SHRINKAGE}", path)
    both = "failure" not in got and "failure" not in blank
    yield "1920 × 1080 at 60 fps in colour on the graphics card, dropped frames", got, got.get("dropped"), 0, "≤"
    yield "an empty window drawn as often, % of one core", blank, blank.get("cpu_percent"), 100, "≤"
    yield ("processor time besides decoding (the frames are cached) and that, % of one core", got,
           round(got["cpu_percent"] - blank["cpu_percent"], 1) if both else None, 10, "≤")
    latency = got.get("latency_ms")
    yield ("latency to the screen, 95 of 100, ms (two frames)", got, latency and latency[1], 33.3, "≤")


SETS = {"phantom": phantom, "video": video, "graphics-card": graphics_card, "cine": cine, "dicom": dicom,
        "response": response}


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
        for path in results.write(options.results, f"{today}-{os.cpu_count()}-core-play",
                                  {"md": "\n".join(lines)}):
            print(f"written to {path}", file=sys.stderr)


if __name__ == "__main__":
    main()
