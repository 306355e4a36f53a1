#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""HDF5 files as h5py writes and reads them: arrays by name, zea, UFF, MATLAB 7.3.

usage: hdf5.py ONDELETTE_CLI
"""
import os
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "helpers"))
import nrrd  # noqa: E402
import tap  # noqa: E402
from places import info, run, run_cases, shown, wrong_values  # noqa: E402

try:
    import h5py
except ImportError:
    h5py = None

os.environ["ODL_ENGINE"] = "cpu"
RANDOM = np.random.default_rng(7)
NUMBERS = ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8")


def needs_h5py(case):
    def checked():
        if h5py is None:
            raise tap.Skip("python3-h5py is not here")
        yield from case()
    return checked


def random(kind, *shape):
    if kind[-2] == "f":
        return RANDOM.normal(0, 300, shape).astype(kind)
    return RANDOM.integers(np.iinfo(kind).min, np.iinfo(kind).max, shape, endpoint=True, dtype=kind[-2:]).astype(kind)


def read(location, n):
    return shown(location, n)[..., 0]


@needs_h5py
def numbers():
    """Every type in either order of bytes, stored in every way that is built in, also in the last frame."""
    ways = ({}, {"chunks": (2, 3, 4)}, {"chunks": (1, 5, 6), "compression": "gzip"},
            {"chunks": (4, 5, 6), "compression": "gzip", "shuffle": True, "fletcher32": True})
    with h5py.File("types.h5", "w", userblock_size=512) as file:
        for i, kind in enumerate(order + kind for order in "<>" for kind in NUMBERS):
            file.create_dataset(f"deep/{kind}", data=random(kind, 4, 5, 6), **ways[i % len(ways)])
        file["half"] = random("f4", 5, 6).astype("f2")
        file["bool"] = RANDOM.integers(0, 2, (5, 6)).astype(bool)
        file["colours"] = random("u1", 5, 6, 3)
    with h5py.File("types.h5") as file:
        for name in file["deep"]:
            yield from wrong_values(name, read(f"types.h5:/deep/{name}", 4), file["deep"][name][()].astype("f4"))
        for name in "half", "bool":
            yield from wrong_values(name, read(f"types.h5:/{name}", 1)[0], file[name][()].astype("f4"))
        yield from wrong_values("colours", shown("types.h5:/colours", 1)[0], file["colours"][()].astype("f4"))


@needs_h5py
def names():
    """The only array opens by itself; of several all are named; soft links and blanks are followed."""
    samples = random("f4", 5, 6)
    with h5py.File("one.h5", "w") as file:
        file["group/only one"] = samples
        file["number"] = 3
        file["text"] = "words"
        file["link"] = h5py.SoftLink("/group/only one")
        file["circle"] = h5py.SoftLink("/circle")
        file["group/up"] = file["/"]
    for name in "one.h5", "one.h5:/group/only one", "one.h5:/link", "one.h5:/group/up/group/only one":
        yield from wrong_values(name, read(name, 1)[0], samples)
    with h5py.File("two.h5", "w") as file:
        file["a"] = samples
        file["b/c"] = random("u1", 3, 4, 5)
    for location, status, said in (("two.h5", 1, ("FILE:/NAME", "/a (5×6 float)", "/b/c (3×4×5 uint8)")),
                                   ("two.h5:/d", 1, ("“/d”", "/a (5×6 float)")), ("two.h5:/b", 1, ("“/b”", "/b/c")),
                                   ("one.h5:/circle", 1, ("“/circle”",)), ("one.h5:/text", 1, ("texts",))):
        message = run("info", location, status=status).stderr
        if message.count("\n") != 1 or not all(words in message for words in said):
            yield f"{location}: {message}"
    told = info("two.h5:/b/c")
    if told["slices"] != 3 or told["frames"] != 3 or "/a (5×6 float)" not in told["details"]["arrays"]:
        yield f"slices: {told}"
    run("process", "two.h5:/a", "-o", "named.npy")
    yield from wrong_values("named.npy", np.load("named.npy"), samples)


def zea_coordinates(x, z):
    return np.stack([x, 0 * x, z], -1).astype("f4")


def unlike(name, told, **wanted):
    for key, value in wanted.items():
        is_number = isinstance(value, (int, float, list))
        if not (np.allclose(told, value, rtol=1e-5) if is_number else told[key] == value):
            yield f"{name}: {key} is {told[key]}, not {value}"


def wrong(what, got, wanted, tolerance=1e-5):
    if got is None or not np.allclose(got, wanted, rtol=tolerance, atol=1e-9):
        yield f"{what}: {got}, not {wanted}"


@needs_h5py
def zea():
    """Old and current files of zea: values, spacing, beams and times."""
    bytes_ = random("u1", 3, 20, 30)
    decibels = RANDOM.uniform(-60, 0, (3, 20, 30)).astype("f4")
    z, x = np.meshgrid(np.arange(20) * 2e-4, (np.arange(30) - 14.5) * 3e-4, indexing="ij")
    depth, angle = np.meshgrid(5e-3 + np.arange(20) * 2.5e-4, np.linspace(-0.5, 0.4, 30), indexing="ij")
    with h5py.File("old.h5", "w") as file:
        file["data/image"] = bytes_
        file["scan/n_frames"] = 3
    with h5py.File("current.h5", "w") as file:
        file.create_dataset("data/image/values", data=decibels, chunks=(1, 20, 30), compression="gzip")
        file["data/image/coordinates"] = zea_coordinates(x, z)
        file["scan/time_to_next_transmit"] = np.full((3, 8), 0.005, "f4")
    with h5py.File("polar.h5", "w") as file:
        group = file.create_group("tracks/track_0/data/image")
        group["values"] = decibels
        group["coordinates"] = np.broadcast_to(
            zea_coordinates(depth * np.sin(angle), depth * np.cos(angle) - 3e-3), (3, 20, 30, 3))
    yield from wrong_values("old", read("old.h5", 3), bytes_.astype("f4"))
    for name in "current.h5", "polar.h5":
        yield from wrong_values(name, read(name, 3), decibels)
    told = info("current.h5")
    yield from wrong("spacing", told["image"]["spacing_mm"][:2], [0.3, 0.2])
    yield from wrong("rate", told["frame_rate"], 25)
    if told["image"]["unit"] != "dB" or told["slices"] or told["frames"] != 3:
        yield f"current: {told}"
    beams = info("polar.h5")["image"]["beams"]
    for key, value in (("radius_mm", 3), ("start_mm", 2), ("sample_mm", 0.25), ("first", -0.5), ("step", 0.9 / 29)):
        yield from wrong(f"beams, {key}", beams[key], value, 1e-4)
    # A sector from the skin has no radius, however its places are rounded.
    depth, angle = np.meshgrid(10e-3 + np.arange(20) * 4e-4, np.linspace(-0.6, 0.6, 30), indexing="ij")
    with h5py.File("sector.h5", "w") as file:
        file["data/image/values"] = decibels
        file["data/image/coordinates"] = zea_coordinates(depth * np.sin(angle), depth * np.cos(angle))
    beams = info("sector.h5")["image"]["beams"]
    if beams["radius_mm"] != 0 or abs(beams["start_mm"] - 10) > 1e-3:
        yield f"sector: {beams}"
    with h5py.File("volume.h5", "w") as file:
        file["data/image/values"] = volume = random("u1", 2, 5, 6, 3)
    yield from wrong_values("volume", read("volume.h5", 6), volume.transpose(0, 3, 1, 2).reshape(6, 5, 6).astype("f4"))
    if info("volume.h5")["slices"] != 3:
        yield f"volume: {info('volume.h5')}"
    with h5py.File("iq.h5", "w") as file:
        file["data/beamformed_data/values"] = pairs = random("f4", 2, 20, 30, 2)
        file["data/raw_data"] = random("i2", 2, 4, 50, 8, 1)
    yield from wrong_values("pairs without places", read("iq.h5", 2), np.hypot(pairs[..., 0], pairs[..., 1]))
    with h5py.File("iq.h5") as file:
        yield from wrong_values("raw", read("iq.h5:/data/raw_data", 8),
                                file["data/raw_data"][..., 0].reshape(8, 50, 8).astype("f4"))
    if "beamforming" not in (info("iq.h5:/data/raw_data")["warning"] or ""):
        yield "channels are not said to be from before beamforming"


@needs_h5py
def tracks():
    """Recordings that took turns: the first one opens by itself, which is said, others by their names; a schedule says
    that the next transmit is another one's."""
    kept = [random("u1", 4, 9, 8), RANDOM.uniform(-60, 0, (6, 5, 7)).astype("f4"), random("u1", 2, 6, 6)]
    z, x = np.meshgrid(np.arange(5) * 2e-4, np.arange(7) * 3e-4, indexing="ij")
    with h5py.File("tracks.h5", "w") as file:
        for i, (values, transmits) in enumerate(zip(kept, (3, 2, 1))):
            track = file.create_group(f"tracks/track_{i}")
            track["data/image/values"] = values
            track["scan/time_to_next_transmit"] = np.full((len(values), transmits), 0.01 * (i + 1), "f4")
        file["tracks/track_1/data/image/coordinates"] = zea_coordinates(x, z)
        file["tracks/track_1/data/raw_data"] = channels = random("i2", 2, 3, 20, 4, 1)
        file["tracks/track_1/data/sos_map/values"] = speed = random("f4", 6, 5, 7)
    places = {"": 0, ":/tracks/track_0": 0, ":/tracks/track_1": 1, ":/tracks/track_1/data": 1,
              ":/tracks/track_1/data/image": 1, ":/tracks/track_1/data/image/values": 1, ":/tracks/track_2": 2}
    own, all_ = [25 / 0.75, 25, 2 / 0.06], 0.12 + 0.24 + 0.06
    for schedule in False, True:
        if schedule:
            with h5py.File("tracks.h5", "a") as file:
                file["track_schedule"] = np.resize(np.int32([0, 0, 0, 1, 1, 2]), 26)
        for place, i in places.items():
            name = "tracks.h5" + place
            yield from wrong_values(name, read(name, len(kept[i])), kept[i].astype("f4"))
            told = info(name)
            yield from wrong(f"{name}, schedule={schedule}", told["frame_rate"],
                             len(kept[i]) / all_ if schedule else own[i])
            said = "it holds 3 tracks and this is track_0" in (told["warning"] or "")
            if said != (place == "") or told["details"]["array"] != f"/tracks/track_{i}/data/image/values":
                yield f"{name}: {told}"
    yield from wrong("spacing of a track", info("tracks.h5:/tracks/track_1")["image"]["spacing_mm"][:2], [0.3, 0.2])
    yield from wrong_values("map", read("tracks.h5:/tracks/track_1/data/sos_map", 6), speed)
    yield from wrong_values("channels", read("tracks.h5:/tracks/track_1/data/raw_data", 6),
                            channels[..., 0].reshape(6, 20, 4).astype("f4"))
    if "no array" not in run("info", "tracks.h5:/tracks/track_3", status=1).stderr:
        yield "a track that is not there is not named"
    # Where the first one has no picture, another one is shown.
    with h5py.File("tracks.h5", "a") as file:
        del file["tracks/track_0/data"]
    yield from wrong_values("without a first one", read("tracks.h5", 6), kept[1])
    if "this is track_1" not in info("tracks.h5")["warning"]:
        yield f"without a first one: {info('tracks.h5')}"


def write_uff(file, name, data, scan, kind):
    """As USTB writes objects: classes as attributes, axes in the order of MATLAB."""
    group = file.create_group(name)
    group.attrs["class"] = "uff.beamformed_data"
    group.create_group("scan").attrs["class"] = np.bytes_(kind)
    for axis, numbers_ in scan.items():
        group[f"scan/{axis}"] = np.atleast_2d(numbers_)
    if np.iscomplexobj(data):
        group["data/real"], group["data/imag"] = data.real, data.imag
    else:
        group["data"] = data
    return group


@needs_h5py
def uff():
    """USTB's beamformed data, linear and sector, real and complex; channel data of both kinds of UFF."""
    pixels = random("f4", 3, 1, 1, 30, 20)  # frames, waves, channels; x; z
    linear = {"x_axis": (np.arange(30) - 14.5) * 3e-4, "z_axis": np.arange(20) * 2e-4}
    sector = {"azimuth_axis": np.linspace(-0.5, 0.4, 30), "depth_axis": 5e-3 + np.arange(20) * 2.5e-4}
    flat = pixels.reshape(3, 1, 1, 600)
    with h5py.File("linear.uff", "w") as file:
        write_uff(file, "b_data", flat, linear, "uff.linear_scan")
        file["other"] = random("u1", 4, 4)
    with h5py.File("sector.uff", "w") as file:
        group = write_uff(file, "b_data", (flat + 1j * flat[::-1]).astype("c8"), sector, "uff.sector_scan")
        group["scan/apex/distance"], group["scan/apex/azimuth"] = -3e-3, 0.0
        group["frame_rate"] = [[20.0]]
    pictures = pixels[:, 0, 0].transpose(0, 2, 1)
    yield from wrong_values("linear", read("linear.uff", 3), pictures)
    yield from wrong("spacing", info("linear.uff")["image"]["spacing_mm"][:2], [0.3, 0.2])
    # Both numbers of IQ, beside each other.
    yield from wrong_values("sector", read("sector.uff", 3), np.concatenate([pictures, pictures[::-1]], axis=2))
    yield from wrong_values("real part", read("sector.uff:/b_data/data/real", 3), pictures)
    yield from wrong_values("imaginary part", read("sector.uff:/b_data/data/imag", 3), pictures[::-1])
    told = info("sector.uff")
    for key, value in (("radius_mm", 3), ("start_mm", 2), ("sample_mm", 0.25), ("first", -0.5), ("step", 0.9 / 29)):
        yield from wrong(f"beams, {key}", told["image"]["beams"][key], value)
    yield from wrong("rate", told["frame_rate"], 20)
    if told["image"]["beams"]["data"] != "iq" or told["warning"] or told["image"]["width"] != 60:
        yield f"sector: {told}"
    with h5py.File("complex.uff", "w") as file:
        write_uff(file, "b_data", flat, {**linear, "z_axis": linear["z_axis"] + 1e-3}, "uff.linear_scan")
        del file["b_data/data"]
        file["b_data/data"] = (flat - 2j * flat).astype("c8")
    yield from wrong_values("one array of complex numbers", read("complex.uff", 3),
                            np.concatenate([pictures, -2 * pictures], axis=2))
    beams = info("complex.uff")["image"]["beams"]
    for key, value in (("array", "linear"), ("data", "iq")):
        if beams[key] != value:
            yield f"complex: {key} is {beams[key]}"
    for key, value in (("start_mm", 1), ("sample_mm", 0.2), ("first", -14.5 * 0.3), ("step", 0.3), ("steering", 0)):
        yield from wrong(f"complex: {key}", beams[key], value)
    channels = random("f4", 2, 3, 8, 50)  # frames, events, channels, samples
    for group in "channel_data", "uff.channel_data":
        with h5py.File("channels.uff", "w") as file:
            file[f"{group}/data_real"], file[f"{group}/data_imag"] = channels, 2 * channels
            file[f"{group}/sequence/00000001/event"] = 1
            file[f"{group}/probes/00000001/element"] = random("f4", 8, 8)
            file["other"] = random("u1", 4, 4)
        for location in "channels.uff", f"channels.uff:/{group}", f"channels.uff:/{group}/data_imag":
            is_part = location.endswith("imag")
            factor = 2 if is_part else np.sqrt(5, dtype="f4")
            wanted = channels.reshape(6, 8, 50).transpose(0, 2, 1)
            yield from wrong_values(location, read(location, 6), factor * (wanted if is_part else np.abs(wanted)))
            told = info(location)
            if "beamforming" not in told["warning"] or told["details"]["events"] != "3":
                yield f"{location}: {told}"
    with h5py.File("single.uff", "w") as file:
        file["channel_data/data_real"], file["channel_data/repetition_rate"] = channels[:, :1], 20.0
    yield from wrong("rate of single events", info("single.uff")["frame_rate"], 20)


@needs_h5py
def iq_of_ustb():
    """IQ on a sector and on a linear scan goes through the chain of beams, as the same samples in NRRD do, where a key
    says what their scan says; its envelope is NumPy's magnitude."""
    samples = (RANDOM.normal(size=(2, 40, 64)) + 1j * RANDOM.normal(size=(2, 40, 64))).astype("c8")  # x, z
    scans = {"sector": ({"azimuth_axis": np.linspace(-0.5, 0.4, 40), "depth_axis": 5e-3 + np.arange(64) * 2.5e-4},
                        f"curvilinear data=iq radius_mm=3 first=-0.5 step={0.9 / 39!r} start_mm=2 sample_mm=0.25"),
             "linear": ({"x_axis": (np.arange(40) - 19.5) * 3e-4, "z_axis": 1e-3 + np.arange(64) * 2e-4},
                        f"linear data=iq first={-19.5 * 0.3!r} step=0.3 start_mm=1 sample_mm=0.2")}
    chain = "-f", "envelope", "-f", "log-compress:reference=0.5,range=40", "-f", "scan-convert:width=150,height=170"
    for name, (scan, key) in scans.items():
        for parts in "two", "one":
            with h5py.File("iq.uff", "w") as file:
                group = write_uff(file, "b_data", samples.reshape(2, 1, 1, -1), scan, f"uff.{name}_scan")
                if parts == "one":
                    del group["data"]
                    group["data"] = samples.reshape(2, 1, 1, -1)
                if name == "sector":
                    group["scan/apex/distance"], group["scan/apex/azimuth"] = -3e-3, 0.0
            image = info("iq.uff")["image"]
            full = image["stored_max"] - image["stored_min"]
            rows = samples.transpose(0, 2, 1)
            for frame in 0, 1:
                run("process", "iq.uff", "--force", "--frame", frame + 1, "-f", "envelope", "-o", "e.npy")
                off = np.abs(np.load("e.npy") * full - np.abs(rows[frame])).max()
                if off > 1e-5:
                    yield f"{name}, {parts}: the envelope is off by {off}"
            nrrd.write("iq.nrrd", np.concatenate([rows.real, rows.imag], axis=2), keys=["beams:=" + key],
                       kinds="domain domain list")
            for location in "iq.uff", "iq.nrrd":
                run("process", location, "--force", "--frame", 2, *chain, "-o", f"{location}.npy")
            got, wanted = np.load("iq.uff.npy"), np.load("iq.nrrd.npy")
            if got.shape[:2] != (170, 150) or wanted.std() < 0.05 or np.abs(got - wanted).max() > 1e-5:
                yield f"{name}, {parts}: converted pictures differ by {np.abs(got - wanted).max()}"


@needs_h5py
def real_numbers_of_ustb():
    """Real numbers that swing about 0 are RF, whose envelope is that of the same samples in NRRD; amplitudes, decibels
    and whole numbers are not, and lie on a linear scan as pixels."""
    waves = RANDOM.normal(size=(2, 40, 64)).astype("f4")  # frames, x, z
    linear = {"x_axis": (np.arange(40) - 19.5) * 3e-4, "z_axis": 1e-3 + np.arange(64) * 2e-4}
    sector = {"azimuth_axis": np.linspace(-0.5, 0.4, 40), "depth_axis": 5e-3 + np.arange(64) * 2.5e-4}
    keys = {"linear": f"linear data=rf first={-19.5 * 0.3!r} step=0.3 start_mm=1 sample_mm=0.2",
            "sector": f"curvilinear data=rf first=-0.5 step={0.9 / 39!r} start_mm=5 sample_mm=0.25"}
    for name, scan in ("linear", linear), ("sector", sector):
        for what, samples, content in (("RF", waves, "rf"), ("amplitudes", np.abs(waves), ""),
                                       ("decibels", -np.abs(waves), ""), ("leaning", waves + 3, ""),
                                       ("whole", (waves * 100).astype("i2"), "")):
            with h5py.File("real.uff", "w") as file:
                write_uff(file, "b_data", samples.reshape(2, 1, 1, -1), scan, f"uff.{name}_scan")
            image = info("real.uff")["image"]
            told = image["beams"]["data"] if image.get("beams") else ""
            if told != content or image["width"] != 40 or (name == "linear" and not content and image.get("beams")):
                yield f"{name}, {what}: {image}"
            if name == "linear":
                yield from wrong(f"{what}, spacing", image["spacing_mm"][:2], [0.3, 0.2])
            yield from wrong_values(f"{name}, {what}", read("real.uff", 2), samples.transpose(0, 2, 1).astype("f4"))
        with h5py.File("real.uff", "w") as file:
            write_uff(file, "b_data", waves.reshape(2, 1, 1, -1), scan, f"uff.{name}_scan")
        nrrd.write("real.nrrd", waves.transpose(0, 2, 1), keys=["beams:=" + keys[name]], kinds="domain domain list")
        got = []
        for location in "real.uff", "real.nrrd":
            run("process", location, "--force", "--frame", 2, "-f", "envelope", "-f", "log-compress:reference=0.5",
                "-f", "scan-convert:width=120,height=140", "-o", f"{location}.npy")
            got.append(np.load(f"{location}.npy"))
        if got[0].shape != got[1].shape or got[1].std() < 0.02 or np.abs(got[0] - got[1]).max() > 1e-5:
            yield f"{name}: converted pictures differ by {np.abs(got[0] - got[1]).max()}"


@needs_h5py
def origins_of_ustb():
    """Beams of a sector that begin in points of their own: on an arc, on a line, steered; and where a point is missing."""
    angles, depths = np.linspace(-0.5, 0.4, 30), np.arange(20) * 2.5e-4
    arc = [(0.06 * np.sin(a), 0.06 * np.cos(a) - 0.06) for a in angles]
    line = [((i - 14.5) * 3e-4, 0.0) for i in range(30)]
    for name, azimuths, points, wanted in (
            ("arc", angles, arc, {"array": "curvilinear", "radius_mm": 60, "first": -0.5, "step": 0.9 / 29, "start_mm": 0}),
            ("line", 0 * angles, line, {"array": "linear", "first": -14.5 * 0.3, "step": 0.3, "steering": 0}),
            ("steered", 0 * angles + 0.2, line, {"array": "linear", "first": -14.5 * 0.3, "step": 0.3, "steering": 0.2}),
            ("missing", angles, arc[:29], None)):
        with h5py.File("origins.uff", "w") as file:
            samples = (random("f4", 1, 600) + 1j * random("f4", 1, 600)).astype("c8")
            group = write_uff(file, "b_data", samples, {"azimuth_axis": azimuths, "depth_axis": depths}, "uff.sector_scan")
            for i, (x, z) in enumerate(points):
                point = group.create_group(f"scan/origin/origin_{i + 1:04}")
                point["distance"], point["azimuth"] = np.hypot(x, z), np.arctan2(x, z)
        told = info("origins.uff")
        beams = told["image"].get("beams")
        if wanted is None:
            if beams or "even grid" not in (told["warning"] or ""):
                yield f"{name}: {told}"
            continue
        for key, value in wanted.items():
            if not (beams[key] == value if isinstance(value, str) else np.isclose(beams[key], value, rtol=1e-4, atol=1e-6)):
                yield f"{name}: {key} is {beams[key]}, not {value}"
        yield from wrong(f"{name}, sample", beams["sample_mm"], 0.25, 1e-4)


@needs_h5py
def matlab():
    """What MATLAB calls rows, columns and slices; complex numbers; a file with its own first bytes."""
    rows, volume, colours = random("f8", 5, 6), random("i2", 4, 5, 3), random("u1", 5, 6, 3)
    with h5py.File("matlab.mat", "w", userblock_size=512) as file:
        for name, array, kind in (("rows", rows, "double"), ("volume", volume, "int16"), ("rgb", colours, "uint8")):
            file[name] = array.transpose()
            file[name].attrs["MATLAB_class"] = np.bytes_(kind)
        file["iq"] = np.array([(1, 2), (3, 4)], [("real", "f8"), ("imag", "f8")]).reshape(1, 2)
        file["iq"].attrs["MATLAB_class"] = np.bytes_("double")
    with open("matlab.mat", "r+b") as file:
        file.write(b"MATLAB 7.3 MAT-file, Platform: GLNXA64".ljust(508) + b"\0\2IM")
    yield from wrong_values("rows", read("matlab.mat:/rows", 1)[0], rows.astype("f4"))
    yield from wrong_values("volume", read("matlab.mat:/volume", 3), volume.transpose(2, 0, 1).astype("f4"))
    yield from wrong_values("colours", shown("matlab.mat:/rgb", 1)[0], colours.astype("f4"))
    yield from wrong_values("complex", read("matlab.mat:/iq", 1)[0], np.sqrt([[5], [25]]).astype("f4"))


@needs_h5py
def refusals():
    """What is packed by others, lies elsewhere or has endless chunks is refused by name."""
    samples = random("f4", 5, 6)
    with h5py.File("outer.h5", "w") as file:
        file["a"] = samples
    pathlib.Path("outer.raw").write_bytes(samples.tobytes())
    layout = h5py.VirtualLayout((5, 6), "f4")
    layout[:] = h5py.VirtualSource("outer.h5", "a", (5, 6))
    own = h5py.VirtualLayout((5, 6), "f4")
    own[:] = h5py.VirtualSource(".", "itself", (5, 6))
    with h5py.File("refused.h5", "w", libver="latest") as file:
        file.create_dataset("lzf", data=samples, compression="lzf")
        file.create_dataset("external", (5, 6), "f4", external=[("outer.raw", 0, h5py.h5f.UNLIMITED)])
        file.create_virtual_dataset("virtual", layout)
        file.create_virtual_dataset("itself", own)
        file.create_dataset("huge", (1 << 40, 1 << 10), "u1", chunks=(1 << 20, 1 << 10))
        file.create_dataset("empty", (3, 0), "f4")
        file.create_dataset("nothing", (30, 40), "f4")
        file.create_dataset("frames", (1 << 30, 5, 5), "u1", chunks=(1, 5, 5))
        file["outside"] = h5py.ExternalLink("outer.h5", "/a")
        file["table"] = np.zeros(4, [("a", "f4"), ("b", "i4")])
        file["strings"] = ["a", "b"]
    for name, said in (("lzf", "LZF"), ("external", "another file"), ("virtual", "virtual"), ("itself", "virtual"),
                       ("huge", "chunk"), ("empty", "no numbers"), ("nothing", "larger than the file"),
                       ("frames", "pictures"), ("outside", "no array"), ("table", "tables"), ("strings", "texts")):
        message = run("info", f"refused.h5:/{name}", status=1).stderr
        if message.count("\n") != 1 or said not in message or "crashed" in message:
            yield f"{name}: {message}"
    pathlib.Path("old.mat").write_bytes(b"MATLAB 5.0 MAT-file".ljust(600))
    if "-v7.3" not in run("info", "old.mat", status=1).stderr:
        yield "a file of MATLAB 5 is not told from one of 7.3"


@needs_h5py
def written():
    """What the command line writes is what h5py reads and what it reads itself: numbers, places, unit, times."""
    z, x = np.meshgrid(np.arange(20) * 2e-4, (np.arange(30) - 14.5) * 3e-4, indexing="ij")
    for kind in NUMBERS:
        samples = random(kind, 4, 20, 30)
        with h5py.File("in.h5", "w") as file:
            file["data/image/values"] = samples
            file["data/image/coordinates"] = zea_coordinates(x, z)
            file["data/image/unit"] = "m/s"
            times = file.create_group("metadata/frame_times")
            times["samples"], times["sampling_frequency"] = np.array([0, 0.1, 0.25, 0.3]), 10.0
        run("process", "in.h5", "--force", "-o", "out.h5")
        with h5py.File("out.h5") as file, h5py.File("in.h5") as other:
            got = file["data/image/values"]
            if got.dtype != samples.dtype or not np.array_equal(got[()], samples):
                yield f"{kind}: {got.dtype}, {np.count_nonzero(got[()] != samples)} samples differ"
            for name in ("data/image/coordinates", "metadata/frame_times/samples"):
                yield from wrong(f"{kind}, {name}", file[name][()], other[name][()], 1e-6)
            if file["data/image/unit"].asstr()[()] != "m/s":
                yield f"{kind}: unit {file['data/image/unit'][()]}"
        one, other = info("in.h5"), info("out.h5")
        for key in "frames", "frame_rate", "timing":
            if one[key] != other[key]:
                yield f"{kind}: {key} is {other[key]}, not {one[key]}"
        yield from wrong(f"{kind}, spacing", other["image"]["spacing_mm"], one["image"]["spacing_mm"], 1e-6)
    run("process", "in.h5", "-f", "gaussian", "--force", "-o", "out.h5")
    run("process", "in.h5", "-f", "gaussian", "--force", "-o", "out.nrrd")
    yield from wrong_values("filtered", read("out.h5", 4), read("out.nrrd", 4))
    run("process", "in.h5", "--frames", "2-3", "--force", "-o", "part.hdf5")
    with h5py.File("part.hdf5") as file:
        yield from wrong_values("a part", file["data/image/values"][()].astype("f4"), samples[1:3].astype("f4"))
        yield from wrong("a part's times", file["metadata/frame_times/samples"][()], [0, 0.15])


def as_zea(samples, slices):
    """(frames, [slices, ]rows, columns[, colours]) in zea's order: frames, z, x[, y[, colours]]."""
    return np.moveaxis(samples, 1, 3) if slices else samples


@needs_h5py
def volumes_written():
    """Volumes of every type, over time and not, with and without lengths; colours, and volumes of them."""
    for number, kind in enumerate(NUMBERS):
        samples = random(kind, *((3, 5, 7, 11) if number % 2 else (1, 5, 7, 11)))
        nrrd.write("in.nrrd", samples if number % 2 else samples[0], kinds="domain domain domain" + " list" * (number % 2),
                   spacings="0.3 0.2 0.7" + " 0.5" * (number % 2), units='"mm" "mm" "mm"' + ' "s"' * (number % 2))
        run("process", "in.nrrd", "--force", "-o", "out.h5")
        with h5py.File("out.h5") as file:
            values, places = file["data/image/values"], file["data/image/coordinates"][()]
            if values.dtype != samples.dtype or not np.array_equal(values[()], as_zea(samples, True)):
                yield f"{kind}: {values.dtype} {values.shape}, {samples.shape}"
            z, x, y = np.meshgrid(np.arange(7) * 2e-4, (np.arange(11) - 5) * 3e-4, (np.arange(5) - 2) * 7e-4, indexing="ij")
            yield from wrong(f"{kind}, places", places, np.stack([x, y, z], -1), 1e-6)
        one, other = info("in.nrrd"), info("out.h5")
        for key in "frames", "slices":
            if one[key] != other[key]:
                yield f"{kind}: {key} is {other[key]}, not {one[key]}"
        yield from wrong(f"{kind}, spacing", other["image"]["spacing_mm"], one["image"]["spacing_mm"], 1e-6)
        yield from wrong_values(kind, read("out.h5", samples.shape[0] * 5), samples.reshape(-1, 7, 11).astype("f4"))
        if number % 2 and other["details"].get("volume-interval-s") != one["details"].get("volume-interval-s"):
            yield f"{kind}: {other['details']}"
    nrrd.write("bare.nrrd", random("i2", 4, 5, 6), kinds="domain domain domain")
    run("process", "bare.nrrd", "--force", "-o", "bare.h5")
    with h5py.File("bare.h5") as file:
        if "coordinates" in file["data/image"] or file["data/image/values"].shape != (1, 5, 6, 4):
            yield f"without lengths: {list(file['data/image'])}"
    # More slices than an index has room for in its usual page, and slices that zlib cannot look back over.
    nrrd.write("many.nrrd", random("u1", 1100, 2, 3), kinds="domain domain domain", spacings="1 1 1", units='"mm" "mm" "mm"')
    nrrd.write("wide.nrrd", random("u1", 3, 40, 9000), kinds="domain domain domain", spacings="1 1 2", units='"mm" "mm" "mm"')
    for name, third in ("many", 1e-3), ("wide", 2e-3):
        run("process", f"{name}.nrrd", "--force", "-o", "out.h5")
        with h5py.File("out.h5") as file:
            places = file["data/image/coordinates"][()]
            n, rows, columns = places.shape[2], *places.shape[:2]
            z, x, y = np.meshgrid(np.arange(rows) * 1e-3, (np.arange(columns) - (columns - 1) / 2) * 1e-3,
                                  (np.arange(n) - (n - 1) / 2) * third, indexing="ij")
            yield from wrong(f"{name}, places", places, np.stack([x, y, z], -1), 1e-6)
        yield from wrong(name, info("out.h5")["image"]["spacing_mm"], info(f"{name}.nrrd")["image"]["spacing_mm"], 1e-5)
    yield from colours_written()


def colours_written():
    for channels, kind in (3, "u1"), (4, "u2"), (3, "f4"):
        for slices in 0, 4:
            name = f"{channels} colours, {kind}, {slices} slices"
            samples = random(kind, *((2, slices, 5, 6, channels) if slices else (2, 5, 6, channels)))
            axes = "domain domain domain list" if slices else "domain domain list"
            nrrd.write("in.nrrd", samples, kinds=("RGB-color " if channels == 3 else "RGBA-color ") + axes,
                       spacings="nan 1 1" + " 1" * bool(slices) + " nan", units='"" "mm" "mm"' + ' "mm"' * bool(slices) + ' ""')
            run("process", "in.nrrd", "--force", "-o", "out.h5")
            with h5py.File("out.h5") as file:
                got, labels = file["data/color_image/values"], file["data/color_image/labels"][()]
                wanted = as_zea(samples, True) if slices else samples[:, :, :, None]
                if got.dtype != samples.dtype or not np.array_equal(got[()], wanted):
                    yield f"{name}: {got.dtype} {got.shape}"
                if list(labels) != [b"red", b"green", b"blue", b"opacity"][:channels]:
                    yield f"{name}: {labels}"
                if file["data/color_image/coordinates"].shape != (*wanted.shape[1:-1], 3):
                    yield f"{name}: places {file['data/color_image/coordinates'].shape}"
            one, other = info("in.nrrd"), info("out.h5")
            for key in "frames", "slices":
                if one[key] != other[key]:
                    yield f"{name}: {key} is {other[key]}, not {one[key]}"
            yield from wrong(name, other["image"]["spacing_mm"], one["image"]["spacing_mm"])
            n = one["frames"]
            yield from wrong_values(name, shown("out.h5", n), shown("in.nrrd", n))


@needs_h5py
def maps():
    """Maps of other names, and of more numbers than colours have."""
    with h5py.File("maps.h5", "w") as file:
        file["data/image/values"] = random("u1", 2, 5, 6)
        group = file.create_group("data/sos_map")
        group["values"], group["unit"] = (speed := random("f4", 2, 5, 6)), "m/s"
        z, x = np.meshgrid(np.arange(5) * 2e-4, np.arange(6) * 3e-4, indexing="ij")
        group["coordinates"] = zea_coordinates(x, z)
        file["data/segmentation/values"] = mask = RANDOM.integers(0, 2, (2, 5, 6, 3, 2)).astype(bool)
    for name in "maps.h5:/data/sos_map", "maps.h5:/data/sos_map/values":
        yield from wrong_values(name, read(name, 2), speed)
        image = info(name)["image"]
        yield from wrong(name, image["spacing_mm"], [0.3, 0.2, 0])
        if image["unit"] != "m/s":
            yield f"{name}: {image['unit']}"
    yield from wrong_values("labels", read("maps.h5:/data/segmentation", 12),
                            mask.transpose(0, 3, 4, 1, 2).reshape(12, 5, 6).astype("f4"))


if __name__ == "__main__":
    sys.exit(run_cases([
        ("numbers of all types are read as h5py reads them", numbers),
        ("arrays open by their names", names),
        ("zea's layouts say what they hold", zea),
        ("tracks of zea open by their names", tracks),
        ("UFF says what it holds", uff),
        ("IQ of USTB becomes pictures", iq_of_ustb),
        ("RF of USTB is told from amplitudes", real_numbers_of_ustb),
        ("beams of USTB begin where they say", origins_of_ustb),
        ("MATLAB's arrays are turned", matlab),
        ("what cannot be read is named", refusals),
        ("written files are equal", written),
        ("written volumes and colours are equal", volumes_written),
        ("maps open by their names", maps),
    ]))
