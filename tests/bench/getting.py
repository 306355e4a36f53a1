#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Getting a study of CT pictures from Orthanc or dcmqrscp by `get`: when the first picture is there, and when all are.

usage: getting.py ONDELETTE_CLI [--files N] [--runs N] [--folder FOLDER] [--from orthanc|dcmqrscp]

Times are those of the whole command, from its start. Exits with 1 when the bar for the first picture is missed by the median.
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))

BAR = 1.0  # seconds
SIDE = 512


def make(folder, n):
    import dicom_peer as peer
    folder.mkdir()
    for number in range(n):
        name = f"1.2.3.4.{number + 1}"
        data = peer.data_set(instance=name, size=2 * SIDE * SIDE, fill=number % 250)
        (folder / f"{number:05}.dcm").write_bytes(peer.whole_file(data, name))


def get(cli, archive, folder, *more):
    begin = time.perf_counter()
    with subprocess.Popen([cli, "get", "--from", archive.name, "--study", "1.2.3", "-o", folder, *more], stdout=subprocess.PIPE,
                          text=True) as process:
        first, n = None, 0
        for line in process.stdout:
            first = first or time.perf_counter() - begin
            n += line.startswith("stored ")
    return first, time.perf_counter() - begin, n


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cli")
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--folder", default="/dev/shm")
    parser.add_argument("--from", dest="kind", choices=("orthanc", "dcmqrscp"), default="orthanc")
    options = parser.parse_args()
    options.cli = os.path.abspath(options.cli)
    from archives import Dcmqrscp, Orthanc
    with tempfile.TemporaryDirectory(dir=options.folder, prefix="ondelette-getting-") as home:
        os.chdir(home)
        make(pathlib.Path("files"), options.files)
        with {"orthanc": Orthanc, "dcmqrscp": Dcmqrscp}[options.kind]() as archive:
            archive.put(*sorted(pathlib.Path("files").iterdir()), options=("-x=",))
            rows = [get(options.cli, archive, f"got{run}") for run in range(options.runs)]
    assert all(n == options.files for *_, n in rows), rows
    for name, at in (("first picture", 0), ("all", 1)):
        some = [row[at] for row in rows]
        print(f"{name}: median {statistics.median(some):.2f} s of " + ", ".join(f"{one:.2f}" for one in some))
    print(f"bar for the first picture: {BAR} s")
    return 0 if statistics.median(row[0] for row in rows) <= BAR else 1


if __name__ == "__main__":
    sys.exit(main())
