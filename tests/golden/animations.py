#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Animated GIF and WebP: frames as Pillow composes them, at their times; files that are damaged end in frames or a sentence.

usage: animations.py ONDELETTE_CLI
"""
import io
import itertools
import os
import pathlib
import random
import subprocess
import sys

import numpy as np
from PIL import Image

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
from places import CLI, info, run, run_cases  # noqa: E402

os.environ["ODL_ENGINE"] = "cpu"
RANDOM = np.random.default_rng(37)
W, H = 23, 17
PALETTE = RANDOM.integers(0, 256, (256, 3), np.uint8)
DISPOSALS = 0, 1, 2, 3


def truth(path):
    """All frames and their times in ms, as Pillow has them."""
    frames, times = [], []
    with Image.open(path) as image:
        for i in range(image.n_frames):
            image.seek(i)
            image.load()
            frames.append(np.array(image.convert("RGBA")))
            times.append(image.info.get("duration", 0))
    return np.array(frames), times


def shown(path, *options, status=0):
    for old in pathlib.Path(".").glob("out-*.png"):
        old.unlink()
    run("process", path, "-o", "out-%03d.png", *options, status=status)
    return np.array([np.array(Image.open(out).convert("RGBA")) for out in sorted(pathlib.Path(".").glob("out-*.png"))])


def composed(frames):
    """GIF89a, section 23, on a canvas without anything on it, as browsers have it."""
    canvas, out = np.zeros((H, W, 4), np.uint8), []
    for index, (x, y), disposal, _, transparent, palette in frames:
        before = canvas.copy()
        part = canvas[y:y + index.shape[0], x:x + index.shape[1]]
        seen = np.ones(index.shape, bool) if transparent is None else index != transparent
        part[seen, :3] = (PALETTE if palette is None else palette)[index][seen]
        part[seen, 3] = 255
        out.append(canvas.copy())
        if disposal == 2:
            part[...] = 0
        elif disposal == 3:
            canvas = before
    return np.array(out)


def ffmpeg(path):
    raw = subprocess.run(["ffmpeg", "-v", "error", "-ignore_loop", "1", "-i", path, "-fps_mode", "passthrough", "-f", "rawvideo",
                          "-pix_fmt", "rgba", "-"], capture_output=True, check=True, timeout=280).stdout
    return np.frombuffer(raw, np.uint8).reshape(-1, H, W, 4)


def wrong(name, got, wanted):
    """Colours count where something can be seen."""
    if got.shape != wanted.shape:
        yield f"{name}: {got.shape}, not {wanted.shape}"
        return
    for i, (one, other) in enumerate(zip(got.astype(int), wanted.astype(int))):
        if np.abs(one[..., 3] - other[..., 3]).max() > 0 or np.abs((one - other)[other[..., 3] > 0]).max(initial=0) > 0:
            yield f"{name}: frame {i + 1} of {len(got)} differs"


def wrong_times(name, path, delays):
    told = info(path)
    if told["frames"] != len(delays) or told["declared_frames"] != len(delays) or abs(told["frame_rate"] - 1000 * len(delays) / sum(delays)) > 1e-6:
        yield f"{name}: {told['frames']} frames, {told['frame_rate']} a second, {told['timing']}"
    done = run("process", path, "-o", "times.mkv", "--quality", "lossless", "--force")
    probed = subprocess.run(["ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "frame=pts_time", "-of", "csv=p=0", "times.mkv"],
                            capture_output=True, encoding="utf-8", check=True, timeout=280).stdout
    got = [float(line.strip(",")) for line in probed.split()]
    wanted = [sum(delays[:i]) / 1000 for i in range(len(delays))]
    if not np.allclose(got, wanted, atol=1.01e-3):
        yield f"{name}: {got}, not {wanted} {done.stderr}"


def blocks(data):
    return b"".join(bytes([len(data[i:i + 255])]) + data[i:i + 255] for i in range(0, len(data), 255)) + b"\0"


def packed(index):
    """Codes of 9 bits, cleared before the table grows."""
    codes = []
    for i, value in enumerate(index.ravel().tolist()):
        codes += [256, value] if i % 250 == 0 else [value]
    bits = "".join(f"{code:09b}"[::-1] for code in codes + [257])
    bits += "0" * (-len(bits) % 8)
    return bytes(int(bits[i:i + 8][::-1], 2) for i in range(0, len(bits), 8))


def gif(frames, end=b";"):
    """frames: index, place, disposal, delay in 1/100 s, transparent entry or None, palette or None."""
    out = b"GIF89a" + W.to_bytes(2, "little") + H.to_bytes(2, "little") + b"\xf7\0\0" + PALETTE.tobytes()
    for index, (x, y), disposal, delay, transparent, palette in frames:
        out += b"!\xf9\4" + bytes([disposal << 2 | (transparent is not None)]) + delay.to_bytes(2, "little") + bytes([transparent or 0, 0])
        out += b"," + b"".join(n.to_bytes(2, "little") for n in (x, y, index.shape[1], index.shape[0]))
        out += bytes([0x87 if palette is not None else 0]) + (palette.tobytes() if palette is not None else b"")
        out += b"\x08" + blocks(packed(index))
    return out + end


def some(width=W, height=H):
    return RANDOM.integers(0, 8, (height, width), np.uint8)


def gif_frames():
    """Every disposal after every other one, parts, transparency, palettes of frames."""
    other = RANDOM.integers(0, 256, (256, 3), np.uint8)
    for one, two in itertools.product(DISPOSALS, repeat=2):
        for first in "whole", "transparent", "part":
            start = (some(), (0, 0)) if first != "part" else (some(9, 8), (3, 4))
            frames = [(*start, one, 5, 3 if first == "transparent" else None, None),
                      (some(11, 9), (6, 5), two, 12, 2, None), (some(7, 12), (1, 2), one, 7, None, other),
                      (some(), (0, 0), two, 20, 5, None), (some(3, 3), (10, 10), 1, 4, None, None)]
            pathlib.Path("a.gif").write_bytes(gif(frames))
            wanted = composed(frames)
            yield from wrong(f"disposal {one}, {two}, {first} first", shown("a.gif"), wanted)
            # Where nothing lies below, other programs have colours of their own.
            if first != "part" and one < 2:
                yield from wrong(f"FFmpeg, disposal {one}, {two}, {first} first", ffmpeg("a.gif"), wanted)
            if first != "part" and max(one, two) < 2:
                yield from wrong(f"Pillow, disposal {one}, {two}, {first} first", truth("a.gif")[0], wanted)
    yield from wrong_times("whole", "a.gif", truth("a.gif")[1])
    opaque = [(some(), (0, 0), 1, 10, None, None)] * 2
    pathlib.Path("opaque.gif").write_bytes(gif(opaque))
    told = info("opaque.gif")
    if told["image"]["channels"] != 3 or told["format"] != "GIF, animated" or told["warning"]:
        yield f"an opaque one: {told}"
    yield from wrong("back and forth", np.concatenate([shown("a.gif", "--frames", f"{i}-{i}") for i in (5, 1, 3, 2)]), wanted[[4, 0, 2, 1]])
    pathlib.Path("one.gif").write_bytes(gif(opaque[:1]))
    told = info("one.gif")
    if told["frames"] != 1 or told["format"] != "GIF" or told["warning"]:
        yield f"a single one: {told}"


def gif_times():
    """Delays of 0, which browsers take for 0.1 s, of 10 ms and of minutes."""
    pathlib.Path("times.gif").write_bytes(gif([(some(), (0, 0), 1, delay, None, None) for delay in (0, 1, 2, 0, 6000, 65535)]))
    yield from wrong_times("uneven", "times.gif", [100, 10, 20, 100, 60000, 655350])
    if "2 frames say no time" not in info("times.gif")["warning"]:
        yield info("times.gif")["warning"]


def webp_frames():
    """Lossless and lossy, opaque and not, as Pillow writes and reads them."""
    for lossless, alpha in itertools.product((True, False), repeat=2):
        frames = []
        for i in range(6):
            frame = np.zeros((H, W, 4 if alpha else 3), np.uint8)
            frame[...] = RANDOM.integers(0, 256, 3 + alpha)
            frame[i:i + 6, 2 * i:2 * i + 7] = RANDOM.integers(0, 256, (6, 7, 3 + alpha))
            if alpha and i % 2:
                frame[:8, :, 3] = 0
            frames.append(Image.fromarray(frame))
        delays = [40, 130, 20, 500, 75, 33]
        out = io.BytesIO()
        frames[0].save(out, "webp", save_all=True, append_images=frames[1:], duration=delays, lossless=lossless, quality=90)
        pathlib.Path("a.webp").write_bytes(out.getvalue())
        name = f"lossless {lossless}, opacity {alpha}"
        wanted, _ = truth("a.webp")
        yield from wrong(name, shown("a.webp"), wanted)
        yield from wrong_times(name, "a.webp", delays)
        told = info("a.webp")
        if told["image"]["channels"] != 3 + alpha or told["format"] != "WebP, animated" or told["warning"]:
            yield f"{name}: {told}"


def as_others():
    """A sequence of frames in filters, as slices, among numbered pictures, and where one picture is wanted."""
    pathlib.Path("a.gif").write_bytes(gif([(some(), (0, 0), 1, 4, None, None) for _ in range(5)]))
    wanted, _ = truth("a.gif")
    if info("volume:a.gif")["slices"] != 5:
        yield "frames as slices"
    run("process", "a.gif", "-o", "one.png", "--force")
    yield from wrong("the first frame", np.array(Image.open("one.png").convert("RGBA"))[None], wanted[:1])
    for i in range(3):
        pathlib.Path(f"n-{i}.gif").write_bytes(gif([(some(), (0, 0), 1, 4, None, None) for _ in range(2)]))
    told = info("n-%d.gif")
    if told["frames"] != 3 or told["slices"] != 0 or "first is shown" not in told["warning"]:
        yield f"numbered ones: {told}"
    yield from wrong("numbered ones", shown("n-%d.gif"), np.array([truth(f"n-{i}.gif")[0][0] for i in range(3)]))


def last_frames():
    """The last frame stays as long in videos as it does in the file, and in videos of these: as FFmpeg finds it."""
    delays = [40, 80, 120, 50, 200, 900]
    frames = [Image.fromarray(RANDOM.integers(0, 256, (32, 48, 3), np.uint8)) for _ in delays]
    for kind in "gif", "webp":
        frames[0].save(f"last.{kind}", save_all=True, append_images=frames[1:], duration=delays, lossless=True)
    for kind, codec, quality, end in (("gif", "h264", "high", "mkv"), ("webp", "h264", "small", "mp4"), ("gif", "vp9", "high", "mkv"),
                                      ("webp", "ffv1", "lossless", "mkv")):
        options = ["--codec", codec, "--quality", quality, "--force", "-o"]
        run("process", f"last.{kind}", *options, f"one.{end}")
        run("process", f"one.{end}", *options, f"two.{end}")
        for name in f"one.{end}", f"two.{end}":
            probed = subprocess.run(["ffprobe", "-v", "error", "-select_streams", "v", "-show_entries",
                                     "packet=pts_time,duration_time:format=duration", "-of", "csv=p=0", name],
                                    capture_output=True, check=True, encoding="utf-8").stdout.split()
            *packets, whole = probed
            times, last = [float(line.split(",")[0]) for line in packets], packets[-1].split(",")[1]
            if not np.allclose(times, np.cumsum([0, *delays[:-1]]) / 1e3, atol=2e-3) or abs(float(whole) - 1.39) > 2e-3 \
                    or last == "N/A" or abs(float(last) - 0.9) > 2e-3:
                yield f"{kind}, {codec}, {name}: {probed}"


def hostile():
    """Cut anywhere, ten thousand frames, sizes that lie, bytes that are others."""
    whole = gif([(some(), (0, 0), 2, 4, 1, None) for _ in range(6)])
    for share in 0.3, 0.5, 0.8, 0.95, 0.999:
        pathlib.Path("cut.gif").write_bytes(whole[:int(share * len(whole))])
        told = info("cut.gif")
        if told["frames"] > 6 or "end" not in told["warning"]:
            yield f"{share} of a GIF: {told['frames']} {told['warning']}"
    dot = np.zeros((1, 1), np.uint8)
    pathlib.Path("many.gif").write_bytes(gif([(dot, (i % W, i % H), 1, 1, None, None) for i in range(10000)]))
    if info("many.gif")["frames"] != 10000 or len(shown("many.gif", "--frames", "9999-10000")) != 2:
        yield "ten thousand frames"
    huge = bytearray(gif([(some(), (0, 0), 1, 4, None, None)] * 3))
    huge[6:10] = b"\xff\xff\xff\xff"
    pathlib.Path("huge.gif").write_bytes(huge)
    out = io.BytesIO()
    frames = [Image.fromarray(RANDOM.integers(0, 256, (H, W, 4), np.uint8)) for _ in range(4)]
    frames[0].save(out, "webp", save_all=True, append_images=frames[1:], duration=50, lossless=True)
    chance = random.Random(3)
    for number in range(150):
        for name, data in ("bad.gif", whole), ("bad.webp", out.getvalue()):
            data = bytearray(data)
            for _ in range(chance.choice((1, 4, 30))):
                data[chance.randrange(6 if name == "bad.gif" else 16, len(data))] = chance.choice((0, 1, 0x7f, 0x80, 0xff, chance.randrange(256)))
            pathlib.Path(name).write_bytes(data)
            done = subprocess.run([CLI, "process", name, "-o", "bad-%02d.png", "--force"], capture_output=True, encoding="utf-8", timeout=120)
            if done.returncode not in (0, 1, 3) or "crashed" in done.stderr or (done.returncode == 1 and name not in done.stderr):
                pathlib.Path(f"kept-{number}-{name}").write_bytes(data)
                yield f"{number} {name}: {done.returncode} {done.stderr}"
    done = subprocess.run([CLI, "info", "huge.gif"], capture_output=True, encoding="utf-8", timeout=280)
    if done.returncode != 1 or "too large" not in done.stderr:
        yield f"65535 × 65535: {done.returncode} {done.stderr}"


if __name__ == "__main__":
    sys.exit(run_cases([
        ("frames of GIF", gif_frames),
        ("times of GIF", gif_times),
        ("frames and times of WebP", webp_frames),
        ("as other sequences", as_others),
        ("last frames in videos", last_frames),
        ("damaged and hostile", hostile),
    ]))
