#!/bin/bash
# SPDX-License-Identifier: MIT
#
# getscu of DCMTK asks Orthanc (without plugins) for a study that has a JPEG 2000 picture, and takes uncompressed
# pictures only.
# One would guess: the last response says that it failed and, as PS3.4 C.4.3.1.4 has it, brings the list of the
# instances that failed in a data set behind the command; a command has elements of group 0000 alone (PS3.7 6.3.1).
# And that getscu, which prints "Failed: UnableToProcess", ends with a status that a script can see.
# What happens (Orthanc 1.10.1, DCMTK 3.6.7, Debian 12): the list (0008,0058) stands among the elements of the command
# itself, which says at the same time that no data set follows. A reader that is strict about groups in commands loses
# the association with the answer, and one that waits for the data set never learns what failed. getscu ends with
# status 0.
# Source: seen here; the standard's parts above.
#
# Needs apt-get, dpkg and python3, and for Orthanc libcurl4, libsqlite3-0, libssl3, libuuid1, libpng16-16 and
# libjpeg62-turbo as most systems have them; the other packages are fetched and run from a temporary folder. Orthanc
# listens for a few seconds, for DICOM alone, and answers only this caller's title.
set -euo pipefail

ORTHANC=1.10.1+dfsg-2+deb12u1
DCMTK=3.6.7-9~deb12u4
OPENJPEG=2.5.0-2+deb12u3
BOOST=1.74.0+ds1-21

folder=$(mktemp -d)
server=
trap 'kill $server 2>/dev/null || true; wait 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
for package in orthanc=$ORTHANC dcmtk=$DCMTK libdcmtk17=$DCMTK libopenjp2-tools=$OPENJPEG libopenjp2-7=$OPENJPEG \
  libboost-{filesystem,iostreams,locale,regex,thread}1.74.0=$BOOST libcivetweb1 libjsoncpp25 liblua5.3-0 \
  libpugixml1v5 libicu72; do
  apt-get -qq -o APT::Sandbox::User="$(id -un)" download "$package"
done
for file in *.deb; do
  dpkg -x "$file" unpacked
done
LD_LIBRARY_PATH=$(echo "$folder"/unpacked/usr/lib/*-linux-gnu*)
DCMDICTPATH=$(find unpacked -name dicom.dic | head -n 1)
export LD_LIBRARY_PATH DCMDICTPATH
PATH=$folder/unpacked/usr/bin:$folder/unpacked/usr/sbin:$PATH

# A grey picture of 32 × 32 as JPEG 2000 in a DICOM file.
python3 - <<'PYTHON'
with open("picture.pgm", "wb") as file:
    file.write(b"P5\n32 32\n255\n" + bytes((x * 8 + y) % 256 for y in range(32) for x in range(32)))
PYTHON
opj_compress -i picture.pgm -o picture.j2k >/dev/null
python3 - <<'PYTHON'
import struct


def element(group, number, vr, value):
    if isinstance(value, str):
        value = value.encode()
    value += (b"\0" if vr == "UI" else b" ") * (len(value) % 2)
    if vr == "OB":
        return struct.pack("<HH2sHI", group, number, vr.encode(), 0, len(value)) + value
    return struct.pack("<HH2sH", group, number, vr.encode(), len(value)) + value


def short(group, number, value):
    return element(group, number, "US", struct.pack("<H", value))


kind, instance = "1.2.840.10008.5.1.4.1.1.7", "2.25.1"
meta = (element(2, 1, "OB", b"\0\1") + element(2, 2, "UI", kind) + element(2, 3, "UI", instance)
        + element(2, 0x10, "UI", "1.2.840.10008.1.2.4.90") + element(2, 0x12, "UI", "2.25.9"))
stream = open("picture.j2k", "rb").read()
stream += b"\0" * (len(stream) % 2)
pixels = (struct.pack("<HH2sHI", 0x7fe0, 0x10, b"OB", 0, 0xffffffff) + struct.pack("<HHI", 0xfffe, 0xe000, 0)
          + struct.pack("<HHI", 0xfffe, 0xe000, len(stream)) + stream + struct.pack("<HHI", 0xfffe, 0xe0dd, 0))
data = (element(8, 0x16, "UI", kind) + element(8, 0x18, "UI", instance) + element(8, 0x20, "DA", "20260101")
        + element(8, 0x60, "CS", "OT") + element(0x10, 0x10, "PN", "A") + element(0x10, 0x20, "LO", "1")
        + element(0x20, 0xd, "UI", "2.25.2") + element(0x20, 0xe, "UI", "2.25.3") + short(0x28, 2, 1)
        + element(0x28, 4, "CS", "MONOCHROME2") + short(0x28, 0x10, 32) + short(0x28, 0x11, 32) + short(0x28, 0x100, 8)
        + short(0x28, 0x101, 8) + short(0x28, 0x102, 7) + short(0x28, 0x103, 0) + pixels)
with open("picture.dcm", "wb") as file:
    file.write(b"\0" * 128 + b"DICM" + element(2, 0, "UL", struct.pack("<I", len(meta))) + meta + data)
PYTHON

port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
mkdir store
cat >orthanc.json <<JSON
{ "Name": "finding", "StorageDirectory": "store", "IndexDirectory": "store", "HttpServerEnabled": false,
  "DicomAet": "ORTHANC", "DicomPort": $port, "DicomAlwaysAllowStore": false, "DicomAlwaysAllowEcho": true,
  "DicomModalities": { "caller": [ "CALLER", "127.0.0.1", 104 ] }, "Plugins": [] }
JSON
Orthanc orthanc.json >orthanc.log 2>&1 &
server=$!
for _ in $(seq 100); do
  echoscu -aet CALLER -aec ORTHANC 127.0.0.1 "$port" 2>/dev/null && break
  sleep 0.1
done
storescu -xv -aet CALLER -aec ORTHANC 127.0.0.1 "$port" picture.dcm
status=0
getscu -ll trace -S -aet CALLER -aec ORTHANC -k QueryRetrieveLevel=STUDY -k StudyInstanceUID=2.25.2 127.0.0.1 "$port" \
  >getscu.log 2>&1 || status=$?

echo "Orthanc ${ORTHANC%%+*} and getscu of DCMTK ${DCMTK%%-*}: the command of the last response"
sed -n '/CommandField *$/h; s/^T: \((0[0-9a-f]*,.*[^ ]\) *$/\1/p' getscu.log | sed -n '/US 32784/,$p' | tee command.txt
echo "getscu ends with status $status"
if grep -q '^(0008,0058)' command.txt && grep -q '^(0000,0800) US 257' command.txt && [ "$status" = 0 ]; then
  echo "as described: the list of what failed stands in the command, and nothing follows; the status is 0"
else
  echo "not as described" >&2
  exit 1
fi
