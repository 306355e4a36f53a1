#!/bin/bash
# SPDX-License-Identifier: MIT
#
# A TIFF file says how large its pixels are by XResolution and YResolution, pixels for each unit, and
# ResolutionUnit, which is none, inch or centimetre (TIFF 6.0, section 8). ImageJ adds lines of its own
# to ImageDescription, among them unit=, the unit of lengths.
# One would guess: a file of 5 pixels per centimetre whose description says unit=mm has pixels of 2 mm:
# the tags tell the length, the line tells in which unit it is to be shown. Programs that write TIFF with
# ImageJ's lines are led to that, since ResolutionUnit knows no millimetre.
# What happens: with a unit in the description ImageJ 1.53t (Debian 12) does not look at ResolutionUnit.
# XResolution then counts pixels for each of that unit: pixels are 0.2 mm, ten times too small, with inches
# 25.4 times, and nothing is said. Without the line the same tags are read as centimetres. Right is
# XResolution in pixels for each unit= and ResolutionUnit 1 (none), as ImageJ writes itself, which other
# programs cannot tell from no size at all unless they know the line, too.
# Source: ij/io/TiffDecoder and FileOpener.decodeDescription of ImageJ, seen here by what they do.
#
# Needs apt-get, dpkg, python3 and a JDK 11 or later (Debian's openjdk-17-jdk-headless); ImageJ is fetched
# and run from a temporary folder.
set -euo pipefail

IMAGEJ=1.53t-1

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -qq -o APT::Sandbox::User="$(id -un)" download "libij-java=$IMAGEJ"
dpkg -x libij-java_*.deb root

/usr/bin/python3 - <<'PYTHON'
import struct

WIDTH, HEIGHT = 8, 6


def tiff(path, description, unit, pixels, units):
    """Grey, `pixels` on `units` of ResolutionUnit `unit`."""
    text = description.encode() + b"\0"
    text += b"\0" * (len(text) % 2)
    begin = 8 + 2 + 12 * 13 + 4  # behind the directory
    sizes = begin + len(text)
    tags = [(256, 4, 1, WIDTH), (257, 4, 1, HEIGHT), (258, 3, 1, 8), (259, 3, 1, 1), (262, 3, 1, 1),
            (270, 2, len(text), begin), (273, 4, 1, sizes + 8), (277, 3, 1, 1), (278, 4, 1, HEIGHT),
            (279, 4, 1, WIDTH * HEIGHT), (282, 5, 1, sizes), (283, 5, 1, sizes), (296, 3, 1, unit)]
    directory = b"".join(struct.pack("<HHI", tag, kind, count)
                         + (struct.pack("<HH", value, 0) if kind == 3 else struct.pack("<I", value))
                         for tag, kind, count, value in tags)
    with open(path, "wb") as file:
        file.write(b"II*\0" + struct.pack("<IH", 8, len(tags)) + directory + bytes(4) + text
                   + struct.pack("<II", pixels, units) + bytes(range(WIDTH * HEIGHT)))


# Pixels of 2 mm: 5 on a centimetre, 127 on ten inches, 1 on two millimetres.
tiff("centimetres.tif", "a picture", 3, 5, 1)
tiff("centimetres-and-unit-mm.tif", "ImageJ=1.53t\nunit=mm\n", 3, 5, 1)
tiff("inches-and-unit-mm.tif", "ImageJ=1.53t\nunit=mm\n", 2, 127, 10)
tiff("none-and-unit-mm.tif", "ImageJ=1.53t\nunit=mm\n", 1, 1, 2)
PYTHON

cat >Sizes.java <<'JAVA'
import ij.IJ;
import ij.io.Opener;
import ij.measure.Calibration;

public class Sizes {
  public static void main (String[] paths)
  {
    System.out.println ("ImageJ " + IJ.getVersion ());
    for (String path : paths) {
      Calibration size = new Opener ().openImage (path).getCalibration ();
      System.out.printf (java.util.Locale.ROOT, "%s: %.4f %s%n", path, size.pixelWidth, size.getUnit ());
    }
  }
}
JAVA
seen=$(java -Djava.awt.headless=true -cp root/usr/share/java/ij.jar Sizes.java centimetres.tif \
    centimetres-and-unit-mm.tif inches-and-unit-mm.tif none-and-unit-mm.tif)
echo "$seen"
expected="ImageJ 1.53t
centimetres.tif: 0.2000 cm
centimetres-and-unit-mm.tif: 0.2000 mm
inches-and-unit-mm.tif: 0.0787 mm
none-and-unit-mm.tif: 2.0000 mm"
if [ "$seen" != "$expected" ]; then
    printf 'This has changed; it was:\n%s\n' "$expected" >&2
    exit 1
fi
