#!/bin/bash
# SPDX-License-Identifier: MIT
#
# An OpenEXR file can hold luminance Y and two chroma channels of half the size instead of red,
# green and blue: RY = (R - Y) / Y and BY = (B - Y) / Y, where Y is the sum of the three by their
# luminance weights (0.2126, 0.7152, 0.0722 for the primaries of Rec. 709, which files without a
# chromaticities attribute have). Technical Introduction to OpenEXR, “Luminance/Chroma Images”;
# RgbaYca::computeYw() and YCAtoRGBA() of its library.
# One would guess: who reads that from the file gets the colours back, up to rounding, as red and
# blue, which are (RY + 1) Y and (BY + 1) Y, suggest.
# What happens: cv2.imread of OpenCV 4.6.0 (Debian 12) weighs by the y of the chromaticities of red,
# green and blue (0.33, 0.60, 0.06) in the place of luminance weights: red and blue are right, green
# is 0.307 instead of 0.351, without a word. The three numbers do not add up to 1, so that even grey
# has 1.7 % too much green, little enough to pass for rounding. OpenEXR's own exrmakepreview paints
# the file as it paints one that holds those three colours.
#
# Needs amd64, apt-get, dpkg, python3-numpy, and what python3-opencv and openexr of Debian 12 depend
# on; these, the libraries that read OpenEXR files, and OpenCV's are fetched and run from a
# temporary folder.
set -euo pipefail

CV=4.6.0+dfsg-12
EXR=3.1.5-5

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -qq -o APT::Sandbox::User="$(id -un)" download "python3-opencv=$CV" "libopencv-core406=$CV" \
    "libopencv-imgcodecs406=$CV" "libopencv-imgproc406=$CV" "openexr=$EXR" "libopenexr-3-1-30=$EXR"
for package in *.deb; do
    dpkg -x "$package" root
done
export LD_LIBRARY_PATH=$folder/root/usr/lib/x86_64-linux-gnu PATH=$folder/root/usr/bin:$PATH
export PYTHONPATH=$folder/root/usr/lib/python3/dist-packages OPENCV_IO_ENABLE_OPENEXR=1
ldd root/usr/lib/python3/dist-packages/cv2*.so | sed -n 's/.*=> \(.*libopencv_\(core\|imgcodecs\).*\) (.*/\1/p'
dpkg-deb -W openexr_*.deb | tr '\t' ' '

seen=$(/usr/bin/python3 - <<'PYTHON'
import struct
import subprocess

import cv2
import numpy

WIDTH, HEIGHT = 8, 4
print("OpenCV", cv2.__version__)


def attribute(name, kind, value):
    return name.encode() + b"\0" + kind.encode() + b"\0" + struct.pack("<i", len(value)) + value


def write(path, channels):
    """One colour everywhere; channels: value and distance of samples by name."""
    names = sorted(channels)
    window = struct.pack("<4i", 0, 0, WIDTH - 1, HEIGHT - 1)
    listed = b"".join(name.encode() + struct.pack("<BiBBBBii", 0, 1, 0, 0, 0, 0, channels[name][1], channels[name][1])
                      for name in names) + b"\0"
    data = struct.pack("<II", 20000630, 2) + attribute("channels", "chlist", listed)
    data += attribute("compression", "compression", b"\0") + attribute("dataWindow", "box2i", window)
    data += attribute("displayWindow", "box2i", window) + attribute("lineOrder", "lineOrder", b"\0")
    data += attribute("pixelAspectRatio", "float", struct.pack("<f", 1))
    data += attribute("screenWindowCenter", "v2f", bytes(8)) + attribute("screenWindowWidth", "float", struct.pack("<f", 1))
    data += b"\0"
    rows = []
    for y in range(HEIGHT):
        row = b"".join(numpy.full(WIDTH // channels[name][1], channels[name][0], "<f2").tobytes() for name in names
                       if y % channels[name][1] == 0)
        rows.append(struct.pack("<ii", y, len(row)) + row)
    at = len(data) + 8 * HEIGHT
    for row in rows:
        data += struct.pack("<Q", at)
        at += len(row)
    with open(path, "wb") as file:
        file.write(data + b"".join(rows))


def preview(path):
    subprocess.run(["exrmakepreview", "-w", "8", path, "preview.exr"], check=True)
    with open("preview.exr", "rb") as file:
        data = file.read()
    at = data.index(b"preview\0preview\0") + 16 + 4 + 8
    return list(data[at:at + 3])


luminance, red, blue = 0.4, 0.6, 0.3
green = (luminance - 0.2126 * red - 0.0722 * blue) / 0.7152
write("chroma.exr", {"Y": (luminance, 1), "RY": (red / luminance - 1, 2), "BY": (blue / luminance - 1, 2)})
write("colours.exr", {"R": (red, 1), "G": (green, 1), "B": (blue, 1)})
write("grey.exr", {"Y": (luminance, 1), "RY": (0, 2), "BY": (0, 2)})
for name in "colours", "chroma", "grey":
    seen = cv2.imread(name + ".exr", cv2.IMREAD_UNCHANGED)[1, 3, ::-1]
    print(f"{name}: red, green, blue of OpenCV {' '.join(f'{value:.3f}' for value in seen)}, "
          f"exrmakepreview {preview(name + '.exr')}")
PYTHON
)
echo "$seen"
expected="OpenCV 4.6.0
colours: red, green, blue of OpenCV 0.600 0.351 0.300, exrmakepreview [138, 112, 105]
chroma: red, green, blue of OpenCV 0.600 0.307 0.300, exrmakepreview [138, 112, 105]
grey: red, green, blue of OpenCV 0.400 0.407 0.400, exrmakepreview [118, 118, 118]"
if [ "$seen" != "$expected" ]; then
    printf 'This has changed; it was:\n%s\n' "$expected" >&2
    exit 1
fi
