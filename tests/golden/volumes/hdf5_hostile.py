#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""HDF5 files that lie: each ends as a picture or in one sentence, and takes no memory that the file cannot back.

usage: hdf5_hostile.py ONDELETTE_CLI
"""
import os
import pathlib
import sys
import zlib

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "helpers"))
import command_line  # noqa: E402
import refused  # noqa: E402
import tap  # noqa: E402
from places import info, run, run_cases  # noqa: E402

try:
    import h5py
except ImportError:
    h5py = None

os.environ["ODL_ENGINE"] = "cpu"
SAMPLES = np.arange(30, dtype="f4").reshape(5, 6)


def needs_h5py(case):
    def checked():
        if h5py is None:
            raise tap.Skip("python3-h5py is not here")
        yield from case()
    return checked


@needs_h5py
def circles():
    """Groups in themselves, links in circles, a thousand groups in each other, 25,000 names."""
    with h5py.File("circle.h5", "w") as file:
        group = file.create_group("a/b")
        group["up"], file["a/self"] = file["/"], file["a"]
        file["x"], file["y"] = h5py.SoftLink("/y"), h5py.SoftLink("/x")
        group["picture"] = SAMPLES
    if info("circle.h5")["details"]["array"] != "/a/b/picture":
        yield f"circle: {info('circle.h5')}"
    yield from refused.sentence("circle.h5:/x", "circle.h5", "“/x”")
    with h5py.File("deep.h5", "w") as file:
        file["/".join(["g"] * 1000) + "/a"] = SAMPLES
    yield from refused.sentence("deep.h5", "deep.h5", "no arrays")
    with h5py.File("wide.h5", "w", libver="latest") as file:
        for number in range(25000):
            file.create_group(str(number))
        file["picture"] = SAMPLES
    yield from refused.sentence("wide.h5", "wide.h5")
    if info("wide.h5:/picture")["image"]["width"] != 6:
        yield "a picture among 25,000 names is not opened by its own"


@needs_h5py
def sizes():
    """Chunks of 2⁴⁰ bytes, arrays that end early, sides beyond all bounds."""
    with h5py.File("chunk.h5", "w") as file:
        file.create_dataset("a", (1 << 20, 1 << 20), "u1", chunks=(0x1234, 0x5678))
    data = pathlib.Path("chunk.h5").read_bytes()
    for number, sides in enumerate(((0x100000, 0x100000), (0xffffffff, 0xffffffff), (0, 1))):
        changed = data.replace(np.array([0x1234, 0x5678], "<u4").tobytes(), np.array(sides, "<u4").tobytes())
        assert changed != data
        pathlib.Path(f"chunk{number}.h5").write_bytes(changed)
        yield from refused.sentence(f"chunk{number}.h5", f"chunk{number}.h5")
    with h5py.File("whole.h5", "w") as file:
        file["a"] = np.zeros((100, 300, 300), "u1")
    whole = pathlib.Path("whole.h5").read_bytes()
    for n in (8, 100, 2000, len(whole) - 1):
        pathlib.Path("cut.h5").write_bytes(whole[:n])
        yield from refused.sentence("cut.h5", "cut.h5", "ends early")
    # Chunks that nobody wrote have no end; those that are packed as densely as can be are as good as others.
    with h5py.File("sparse.h5", "w") as file:
        file.create_dataset("a", (5000, 5000), "i2", chunks=(20, 30))[:20, :30] = 3
        file.create_dataset("small", (600, 600), "i2", chunks=(20, 30))[:20, :30] = 3
        file.create_dataset("dense", data=np.full((5000, 5000), 3, "i2"), chunks=(500, 5000), compression="gzip", compression_opts=9)
    yield from refused.sentence("sparse.h5:/a", "sparse.h5", "larger than the file")
    for name, side in ("small", 600), ("dense", 5000):
        if info(f"sparse.h5:/{name}")["image"]["width"] != side:
            yield f"{name} is not opened"
    sides = np.array([100, 300, 300], "<u8").tobytes()
    for number, more in enumerate(((100, 300, 301), (1 << 40, 1 << 40, 1 << 40), (1, 1 << 63, 1))):
        pathlib.Path(f"sides{number}.h5").write_bytes(whole.replace(sides, np.array(more, "<u8").tobytes()))
        yield from refused.sentence(f"sides{number}.h5:/a", f"sides{number}.h5")


@needs_h5py
def bombs():
    """Chunks that unpack to a thousand times what they say."""
    command_line.skip_sanitizers()
    packer = zlib.compressobj(9)
    block = bytes(1 << 20)
    stream = b"".join(packer.compress(block) for _ in range(1 << 10)) + packer.flush()
    with h5py.File("bomb.h5", "w") as file:
        small = file.create_dataset("small", (64, 64), "u1", chunks=(64, 64), compression="gzip")
        small.id.write_direct_chunk((0, 0), stream)
        large = file.create_dataset("large", (32768, 32768), "u1", chunks=(32768, 32768), compression="gzip")
        large.id.write_direct_chunk((0, 0), stream)
        twice = file.create_dataset("damaged", (3, 64, 64), "u1", chunks=(1, 64, 64), compression="gzip")
        twice[...] = 1
        twice.id.write_direct_chunk((1, 0, 0), b"no stream")
    yield from refused.sentence("bomb.h5:/small", "bomb.h5")
    yield from refused.sentence("bomb.h5:/large", "bomb.h5", "chunk")
    done = run("process", "bomb.h5:/damaged", "-o", "out-%02d.tif", status=3)
    if "1 of 3 frames" not in done.stderr:
        yield f"a damaged frame: {done.stderr}"


@needs_h5py
def filters_that_lie():
    """Filters whose own parameters count other numbers than their chunks have: libhdf5 believes them."""
    samples = np.arange(42, dtype="i2").reshape(6, 7)
    with h5py.File("scale.h5", "w") as file:
        file.create_dataset("a", data=samples, chunks=(6, 7), scaleoffset=0)
    with h5py.File("bits.h5", "w") as file:
        creation = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        creation.set_chunk((6, 7))
        creation.set_filter(h5py.h5z.FILTER_NBIT, h5py.h5z.FLAG_MANDATORY)
        kind = h5py.h5t.STD_I16LE.copy()
        kind.set_precision(12)
        made = h5py.h5d.create(file.id, b"a", kind, h5py.h5s.create_simple((6, 7)), creation)
        made.write(h5py.h5s.ALL, h5py.h5s.ALL, samples)
    # How many parameters stand before the count, and what the first of them are.
    for name, before in ("scale.h5", (2, 0)), ("bits.h5", (8, 0)):
        image = info(name)["image"]
        if (image["width"], image["height"]) != (7, 6):
            yield f"{name}: {image}"
        content = pathlib.Path(name).read_bytes()
        at = content.find(np.array([*before, 42], "<u4").tobytes()) + 8
        if at < 8:
            yield f"{name}: its parameters are not found"
        for count in 0, 41, 43, 0x06000000, 0x7fffffff, 0xffffffff:
            pathlib.Path("lie.h5").write_bytes(content[:at] + np.array(count, "<u4").tobytes() + content[at + 4:])
            yield from refused.sentence("lie.h5:/a", "lie.h5", "chunks are damaged")


@needs_h5py
def texts_that_lie():
    """Texts of variable length in a heap whose sizes lead out of it: they are not there, and pictures are."""
    with h5py.File("heap.h5", "w") as file:
        file.create_group("group").attrs["class"] = "words " * 20
        file["data/image/values"], file["data/image/unit"] = SAMPLES.reshape(1, 5, 6), "m/s"
    content = pathlib.Path("heap.h5").read_bytes()
    at = content.find(b"GCOL\1")
    for where in 8, 24:  # of all, and of the first text
        for size in 0, 1, 24, 5000, 1 << 20, 1 << 40, (1 << 64) - 1, (1 << 64) - 8:
            pathlib.Path("lie.h5").write_bytes(content[:at + where] + size.to_bytes(8, "little") + content[at + where + 8:])
            image = info("lie.h5")["image"]
            if (image["width"], image["height"]) != (6, 5):
                yield f"{where}, {size}: {image}"
    if info("heap.h5")["image"]["unit"] != "m/s":
        yield "a sound heap's text is not read"


@needs_h5py
def numbers_that_lie():
    """Places, times and axes that are none."""
    for number, value in enumerate((np.nan, np.inf, -1, 0, 1e30)):
        with h5py.File(f"odd{number}.h5", "w") as file:
            file["data/image/values"] = np.stack([SAMPLES, SAMPLES])
            file["data/image/coordinates"] = np.full((5, 6, 3), value, "f4")
            file["scan/time_to_next_transmit"] = np.full((2, 3), value, "f4")
            file["metadata/frame_times/samples"] = np.array([1, value])
            file["metadata/frame_times/sampling_frequency"] = value
        told = info(f"odd{number}.h5")
        if told["image"]["spacing_mm"][0] or "no even grid" not in told["warning"] or told["frames"] != 2:
            yield f"{value}: {told}"
        with h5py.File(f"scan{number}.uff", "w") as file:
            file.create_group("b").attrs["class"] = "uff.beamformed_data"
            file["b/data"] = SAMPLES.reshape(1, 30)
            file["b/scan/azimuth_axis"], file["b/scan/depth_axis"] = np.full(5, value), np.full(6, value)
            file["b/scan/origin/distance"], file["b/frame_rate"] = value, value
        if info(f"scan{number}.uff")["image"].get("beams"):
            yield f"{value}: {info(f'scan{number}.uff')['image']}"


if __name__ == "__main__":
    sys.exit(run_cases([
        ("circles and depths", circles),
        ("lying sizes", sizes),
        ("bombs", bombs),
        ("filters that lie", filters_that_lie),
        ("texts that lie", texts_that_lie),
        ("numbers that are none", numbers_that_lie),
    ]))
