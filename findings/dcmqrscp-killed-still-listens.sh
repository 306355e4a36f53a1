#!/bin/bash
# SPDX-License-Identifier: MIT
#
# dcmqrscp, the archive of DCMTK, is killed while one caller is still associated.
# One would guess: its port is free at once, and the next caller reads "connection refused".
# What happens (DCMTK 3.6.7, Debian 12): the port still takes connections, and nobody answers them. dcmqrscp forks
# a process for each association and leaves the listening socket open in it, so the socket lives as long as the
# longest association; the kernel completes the handshakes of later callers, whose request for an association
# waits until their own timeout, or until that process ends and the kernel resets them. A caller thus cannot tell
# a dead archive from a slow one by connecting, and a restarted dcmqrscp cannot have the port either
# (address in use). Ending the whole process group leaves nothing behind.
# Tests that end an archive and expect "refused" hang now and then, whenever a query before has not quite ended.
# storescp --fork does the same.
# Source: seen here with the socket table of the kernel (/proc/net/tcp).
#
# Needs apt-get, dpkg and python3; DCMTK is fetched and run from a temporary folder.
set -euo pipefail

DCMTK=3.6.7-9~deb12u4

folder=$(mktemp -d)
trap 'pkill -9 -f "$folder" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
for package in dcmtk libdcmtk17; do
  apt-get -qq -o APT::Sandbox::User="$(id -un)" download "$package=$DCMTK"
done
for file in *.deb; do
  dpkg -x "$file" unpacked
done
LD_LIBRARY_PATH=$(echo "$folder"/unpacked/usr/lib/*)
DCMDICTPATH=$(find unpacked -name dicom.dic | head -n 1)
export LD_LIBRARY_PATH DCMDICTPATH FOLDER="$folder"
export PATH=$folder/unpacked/usr/bin:$PATH

echoscu --version | sed -n 1p
cat >try.py <<'TEXT'
import os, signal, socket, struct, subprocess, sys, time

HERE = "127.0.0.1"


def free_port():
    with socket.socket() as one:
        one.bind((HERE, 0))
        return one.getsockname()[1]


def request():
    """A-ASSOCIATE-RQ (PS3.8, 9.3.2) for verification in implicit little endian."""
    def item(kind, body):
        return struct.pack(">BBH", kind, 0, len(body)) + body
    context = item(0x20, bytes([1, 0, 0, 0]) + item(0x30, b"1.2.840.10008.1.1") + item(0x40, b"1.2.840.10008.1.2"))
    user = item(0x50, item(0x51, struct.pack(">I", 16384)) + item(0x52, b"1.2.3.4"))
    body = (struct.pack(">HH16s16s32s", 1, 0, b"ARCHIVE".ljust(16), b"CALLER".ljust(16), b"")
            + item(0x10, b"1.2.840.10008.3.1.1.1") + context + user)
    return struct.pack(">BBI", 1, 0, len(body)) + body


def listens(port):
    """Whether the kernel has a listening socket at that port."""
    with open("/proc/net/tcp") as table:
        rows = [line.split() for line in table][1:]
    return any(int(row[1].split(":")[1], 16) == port and row[3] == "0A" for row in rows)


def until(test):
    end = time.monotonic() + 60
    while not test():
        assert time.monotonic() < end
        time.sleep(0.02)


def echo(port):
    """How a C-ECHO with a timeout of 3 s ends."""
    done = subprocess.run(["echoscu", "-ta", "3", "-aec", "ARCHIVE", HERE, str(port)], capture_output=True, text=True)
    text = done.stdout + done.stderr
    return ("refused" if "refused" in text else "no answer" if "No data available" in text or "imeout" in text
            else "reset" if "reset" in text or "closed" in text else "answered" if done.returncode == 0 else text)


def command(kind, port):
    if kind.startswith("storescp"):
        return [*kind.split(), "-od", os.environ["FOLDER"], str(port)]
    name = os.path.join(os.environ["FOLDER"], "config")
    os.makedirs(os.path.join(os.environ["FOLDER"], "storage"), exist_ok=True)
    with open(name, "w") as config:
        config.write(f"NetworkTCPPort = {port}\nMaxPDUSize = 16384\nMaxAssociations = 16\nHostTable BEGIN\nHostTable END\n"
                     "VendorTable BEGIN\nVendorTable END\nAETable BEGIN\n"
                     f"ARCHIVE {os.environ['FOLDER']}/storage RW (10, 10mb) ANY\nAETable END\n")
    return [*kind.split(), "-c", name]


def round(kind, end):
    port = free_port()
    archive = subprocess.Popen(command(kind, port), start_new_session=True)
    until(lambda: listens(port))
    assert echo(port) == "answered"
    with socket.create_connection((HERE, port)) as caller:
        caller.sendall(request())
        assert caller.recv(1) == b"\2", "the association was not accepted"
        # The process for it is forked after the answer.
        time.sleep(0.5)
        end(archive)
        archive.wait()
        time.sleep(0.5)
        beside = listens(port), echo(port)
        if beside[0]:
            second = subprocess.Popen(command(kind, port), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            try:
                words = second.communicate(timeout=5)[0].strip().splitlines()
            except subprocess.TimeoutExpired:
                second.kill()
                words = ["runs"]
            print(f"  a second one: {words[-1] if words else second.returncode}")
    until(lambda: not listens(port))
    after = listens(port), echo(port)
    print(f"{kind:28}{end.__name__:14} beside the association: listens {beside[0]}, echo {beside[1]};"
          f" after it: listens {after[0]}, echo {after[1]}", flush=True)
    return beside, after


def leader(process):
    process.kill()


def group(process):
    os.killpg(process.pid, signal.SIGKILL)


GONE = (False, "refused")
assert round("dcmqrscp", leader) == ((True, "no answer"), GONE)
assert round("dcmqrscp", group) == (GONE, GONE)
assert round("storescp --fork", leader) == ((True, "no answer"), GONE)
print("still so")
TEXT
python3 try.py
