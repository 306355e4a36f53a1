#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Damaged HDF5 files: each must be written whole as NRRD or end in a sentence. A crash of libhdf5 ends the decoder,
which is a sentence, too; these are counted and kept.

usage: fuzz_hdf5.py ONDELETTE_CLI [--files N] [--seed N] [--keep FOLDER] [--corpus ZIP]

Small files of old structures, most of which have no checksum, and of the latest ones: zea, UFF, MATLAB and plain
arrays, in one block, in the header and in chunks with every filter that is built in, with groups of many names and
attributes.
"""
import io

import h5py
import numpy as np

import fuzzing

RANDOM = np.random.default_rng(1)
CHUNKED = {"chunks": (1, 6, 7)}
WAYS = ({}, CHUNKED, {**CHUNKED, "compression": "gzip"}, {**CHUNKED, "compression": "gzip", "shuffle": True, "fletcher32": True},
        {**CHUNKED, "scaleoffset": 0}, {"chunks": (2, 3, 4), "maxshape": (None, 6, 7)},
        {"chunks": (2, 3, 4), "maxshape": (None, None, 7), "compression": "gzip"})


def made(fill, **more):
    out = io.BytesIO()
    with h5py.File(out, "w", **more) as file:
        fill(file)
    return out.getvalue()


def samples(*shape):
    return RANDOM.integers(0, 120, shape).astype("i2")


def zea(way):
    def fill(file):
        file.create_dataset("data/image/values", data=samples(5, 6, 7), **way)
        file["data/image/coordinates"] = RANDOM.random((6, 7, 3)).astype("f4")
        file["data/image/unit"] = "dB"
        file["scan/time_to_next_transmit"] = np.full((5, 2), 0.02, "f4")
        file["metadata/frame_times/samples"] = np.arange(5) * 0.1
    return fill


def uff(way):
    def fill(file):
        group = file.create_group("b_data")
        group.attrs["class"] = "uff.beamformed_data"
        for part in "real", "imag":
            group.create_dataset(f"data/{part}", data=RANDOM.random((3, 6, 7)).astype("f4").reshape(3, 1, 42))
        group["scan/azimuth_axis"], group["scan/depth_axis"] = np.linspace(-1, 1, 7), np.arange(6) * 1e-3
    return fill


def plain(way):
    def fill(file):
        file.create_dataset("a", data=samples(5, 6, 7), **way)
        file["a"].attrs["MATLAB_class"] = np.bytes_("int16")
        for number in range(20):
            file[f"many/name{number}"] = number
            file["many"].attrs[f"attribute{number}"] = "x" * number
        file["again"] = file["/"]
        file["soft"] = h5py.SoftLink("/many/name3")
        file["outside"] = h5py.ExternalLink("other.h5", "/a")
    return fill


SEEDS = [made(fill(way), **more) for way in WAYS for fill in (zea, uff, plain)
         for more in ({}, {"libver": "latest"}, {"userblock_size": 512})]


def write(path, chance, folder):
    path.write_bytes(fuzzing.damage(chance.choice(SEEDS), chance))


if __name__ == "__main__":
    fuzzing.run(write, lambda n: ".h5", "fuzz-hdf5", "nrrd")
