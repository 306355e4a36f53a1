#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What files of research cost to read, as shares of what the least reader takes in the same run: NRRD by gzip beside
teem's unu, raw beside reading the file into memory, the first picture of a TIFF of 10,000 pages, and sequences of
1 GB (zea; NRRD with the list last): pictures a second, and anonymous memory of all processes.

usage: research.py ONDELETTE_CLI FOLDER [ROUNDS]

FOLDER takes 3 GB, best in memory. Rounds of all ways take turns; printed are medians, and the least, in seconds, by the
clock and of the processor (all processes of a way). “Into memory” is what a reader cannot do without: the whole file,
which the page cache has, by read() into memory that is new, as malloc gives it (nothing is cleared before). “Start” is a
file of two slices, so that what starting two programs takes can be taken off.
"""
import mmap
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import threading
import time

import h5py
import numpy as np
import tifffile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
from processes import children  # noqa: E402

CLI, FOLDER = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
ROUNDS = int(sys.argv[3]) if len(sys.argv) > 3 else 7
UNU = "teem-unu"
os.environ["ODL_ENGINE"] = "cpu"


def speckle(*shape):
    """As an ultrasound volume has it: noise that is smooth along x, and dark outside of a sector."""
    random = np.random.default_rng(8)
    depth, rows, columns = shape
    y, x = np.mgrid[0:rows, 0:columns]
    inside = np.abs(x - columns / 2) < 0.2 * columns + 0.3 * y * columns / rows
    out = np.empty(shape, "u1")
    for slice_ in out:
        noise = random.rayleigh(30, (rows, columns))
        slice_[:] = np.where(inside, np.minimum((noise + np.roll(noise, 1, 1)) / 1.5, 255), 0)
    return out


def write_nrrd(name, samples, encoding="raw", kinds="domain domain domain"):
    header = f"NRRD0005\ntype: {'uint8' if samples.dtype == np.uint8 else 'float'}\ndimension: 3\n" \
             f"sizes: {' '.join(map(str, samples.shape[::-1]))}\nkinds: {kinds}\n" \
             f"encoding: {encoding}\nendian: little\n\n"
    with open(name, "wb") as file:
        file.write(header.encode())
        if encoding == "raw":
            samples.tofile(file)
        else:
            file.flush()
            packed = subprocess.Popen(["gzip", "-6"], stdin=subprocess.PIPE, stdout=file)
            packed.stdin.write(samples.tobytes())
            packed.stdin.close()
            packed.wait()


def processor(who):
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def timed(command):
    """By the clock and of the processor."""
    start, used = time.monotonic(), processor(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.monotonic() - start, processor(resource.RUSAGE_CHILDREN) - used


def rounds(**ways):
    """Times of several ways, which take turns."""
    times = {name: [] for name in ways}
    for _ in range(ROUNDS):
        for name, way in ways.items():
            times[name].append(way())
    return times


def show(what, times, base):
    for name, taken in times.items():
        cells = []
        for own, others in zip(zip(*taken), zip(*times[base])):
            cells += [f"{statistics.median(own):.3f}", f"{min(own):.3f}",
                      f"{statistics.median(own) / statistics.median(others):.2f}", f"{min(own) / min(others):.2f}"]
        print(f"| {what} | {name} | {' | '.join(cells)} |", flush=True)


def into_memory(path):
    """With the memory given back, as the end of a process does."""
    start, used = time.monotonic(), processor(resource.RUSAGE_SELF)
    with open(path, "rb", buffering=0) as file:
        with mmap.mmap(-1, os.fstat(file.fileno()).st_size) as room:
            with memoryview(room) as view:
                done = 0
                while done < len(view):
                    done += file.readinto(view[done:])
    return time.monotonic() - start, processor(resource.RUSAGE_SELF) - used


def below(pid):
    found = children(pid)
    return found + [grandchild for child in found for grandchild in below(child)]


def anonymous_mb(pids):
    total = 0
    for pid in pids:
        try:
            text = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text()
        except OSError:
            continue
        total += sum(int(line.split()[1]) for line in text.splitlines() if line.startswith("Anonymous:"))
    return total / 1024


def played(path, frames):
    """Frames a second of a whole sequence, and the most anonymous memory."""
    start = time.monotonic()
    done = subprocess.Popen([CLI, "process", path, "--format", "hdf5", "-o", "-"],
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    most = [0.0]

    def watch():
        while done.poll() is None:
            most[0] = max(most[0], anonymous_mb([done.pid, *below(done.pid)]))
            time.sleep(0.1)

    watcher = threading.Thread(target=watch)
    watcher.start()
    done.wait()
    watcher.join()
    assert done.returncode == 0, path
    return frames / (time.monotonic() - start), most[0]


def main():
    os.chdir(FOLDER)
    volume = speckle(256, 1024, 1024)
    write_nrrd("raw.nrrd", volume)
    write_nrrd("gzip.nrrd", volume, "gzip")
    write_nrrd("start.nrrd", volume[:2])
    del volume
    print("| file | reader | clock: median s | least s | share of medians | of the least | processor: median s | least s "
          "| share of medians | of the least |\n| --- | --- |" + " --: |" * 8)
    for name in "gzip", "raw":
        ours = [CLI, "process", f"{name}.nrrd", "--format", "mha", "-o", "-"]
        theirs = [UNU, "save", "-f", "nrrd", "-e", "raw", "-i", f"{name}.nrrd", "-o", "-"]
        ways = {"unu": lambda: timed(theirs), "process": lambda: timed(ours),
                "info": lambda: timed([CLI, "info", f"{name}.nrrd"])}
        if name == "raw":
            ways = {"into memory": lambda: into_memory("raw.nrrd"), **ways,
                    "start": lambda: timed([CLI, "process", "start.nrrd", "--format", "mha", "-o", "-"])}
        show(f"{name} NRRD, 256 MB", rounds(**ways), next(iter(ways)))
    pages = np.random.default_rng(3).integers(0, 255, (10000, 64, 64), "u1")
    with tifffile.TiffWriter("pages.tif") as out:
        for page in pages:
            out.write(page, metadata=None, contiguous=False)
    for name in "raw.nrrd", "gzip.nrrd", "start.nrrd":
        pathlib.Path(name).unlink()
    show("TIFF, 10,000 pages", rounds(**{"first picture": lambda: timed(
        [CLI, "process", "pages.tif", "--frame", "1", "-o", "-", "--format", "npy"]), "info": lambda: timed(
            [CLI, "info", "pages.tif"])}), "first picture")
    pathlib.Path("pages.tif").unlink()
    print("\n| sequence of 1 GB | frames a second | anonymous MB |\n| --- | --: | --: |")
    cine = np.random.default_rng(4).normal(0, 1, (1000, 512, 512)).astype("f4")
    with h5py.File("zea.h5", "w") as file:
        file["data/image/values"] = cine
    print("| zea | {:.0f} | {:.0f} |".format(*played("zea.h5", 1000)), flush=True)
    pathlib.Path("zea.h5").unlink()
    write_nrrd("last.seq.nrrd", cine, kinds="domain domain list")
    print("| NRRD, list last | {:.0f} | {:.0f} |".format(*played("last.seq.nrrd", 1000)), flush=True)
    pathlib.Path("last.seq.nrrd").unlink()


if __name__ == "__main__":
    main()
