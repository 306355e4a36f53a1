#!/bin/bash
# SPDX-License-Identifier: MIT
#
# A raw AVI of 8 bits with a palette can keep its rows from the top down: biHeight of its
# BITMAPINFOHEADER is then negative (Microsoft's documentation of that structure, for BI_RGB), and
# FFmpeg writes pal8 so. The palette follows the header in either case.
# One would guess: the order of rows has nothing to do with colours.
# What happens: avidemux of GStreamer 1.22.0 (Debian 12) announces RGB8P both times, and puts the
# palette behind the samples, where RGB8P has its second plane, only where it turns the rows over:
# top-down frames come without it, and are black, without a word. FFmpeg 5.1.9 shows both alike.
# It looks like palette changes (xxpc chunks) that are not read, but the files made here have none.
#
# Needs amd64, apt-get, dpkg, python3, and what libgstreamer1.0-0, gstreamer1.0-plugins-good and
# ffmpeg of Debian 12 depend on; these themselves are fetched and run from a temporary folder.
set -euo pipefail

GST=1.22.0
PACKAGES=(gstreamer1.0-tools="$GST-2+deb12u1" libgstreamer1.0-0="$GST-2+deb12u1"
          gstreamer1.0-plugins-base="$GST-3+deb12u7" libgstreamer-plugins-base1.0-0="$GST-3+deb12u7"
          gstreamer1.0-plugins-good="$GST-5+deb12u4")
PLUGINS=(coreelements videoconvertscale avi)
for name in ffmpeg libavcodec59 libavdevice59 libavfilter8 libavformat59 libavutil57 libpostproc56 \
    libswresample4 libswscale6; do
    PACKAGES+=("$name=7:5.1.9-0+deb12u1")
done

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -qq -o APT::Sandbox::User="$(id -un)" download "${PACKAGES[@]}"
for package in *.deb; do
    dpkg -x "$package" root
done
libraries=$folder/root/usr/lib/x86_64-linux-gnu
mkdir plugins
for name in "${PLUGINS[@]}"; do
    cp "$libraries/gstreamer-1.0/libgst$name.so" plugins/
done
export LD_LIBRARY_PATH=$libraries PATH=$folder/root/usr/bin:$PATH GST_REGISTRY=$folder/registry
export GST_PLUGIN_SYSTEM_PATH=$folder/plugins GST_PLUGIN_PATH="" GST_REGISTRY_FORK=no
gst-launch-1.0 --version | sed -n 1p
ffmpeg -version | sed -n 1p

# play [-v] FILE ! ELEMENTS
play() {
    local verbose=()
    if [ "$1" = -v ]; then
        verbose=(-v)
        shift
    fi
    local file=$1
    shift
    gst-launch-1.0 "${verbose[@]}" filesrc location="$file" "$@" > gst.log
}

# expect SEEN EXPECTED
expect() {
    if [ "$1" != "$2" ]; then
        printf 'This has changed; it was:\n%s\n' "$2" >&2
        exit 1
    fi
}

python3 - <<'PYTHON'
import struct

WIDTH, HEIGHT, FRAMES = 32, 16, 3


def chunk(name, data):
    return name + struct.pack("<I", len(data)) + data


def avi(rows):
    size = WIDTH * HEIGHT
    palette = b"".join(bytes((50, 100, i, 0)) for i in range(256))  # blue, green, red, 0
    header = struct.pack("<14I", 200000, size * 5, 0, 0x10, FRAMES, 0, 1, size, WIDTH, HEIGHT,
                         0, 0, 0, 0)
    stream = b"vidsDIB " + struct.pack("<IHHIIIIIIII4H", 0, 0, 0, 0, 1, 5, 0, FRAMES, size,
                                       0xffffffff, 0, 0, 0, WIDTH, HEIGHT)
    bitmap = struct.pack("<IiiHHIIiiII", 40, WIDTH, rows, 1, 8, 0, size, 0, 0, 256, 0)
    frame = chunk(b"00db", bytes([200]) * size)
    index = b"".join(b"00db" + struct.pack("<III", 0x10, 4 + i * len(frame), size)
                     for i in range(FRAMES))
    streams = chunk(b"LIST", b"strl" + chunk(b"strh", stream) + chunk(b"strf", bitmap + palette))
    return chunk(b"RIFF", b"AVI " + chunk(b"LIST", b"hdrl" + chunk(b"avih", header) + streams) +
                 chunk(b"LIST", b"movi" + frame * FRAMES) + chunk(b"idx1", index))


for name, rows in (("bottom-up", HEIGHT), ("top-down", -HEIGHT)):
    with open(name + ".avi", "wb") as file:
        file.write(avi(rows))
PYTHON

seen=
for rows in bottom-up top-down; do
    play "$rows.avi" ! avidemux ! filesink location=demuxed
    play "$rows.avi" ! avidemux ! videoconvert ! video/x-raw,format=RGB ! filesink location=rgb
    ffmpeg -v error -y -i "$rows.avi" -pix_fmt rgb24 -f rawvideo rgb.ffmpeg
    line="$rows: bytes a frame $(($(stat -c %s demuxed) / 3)),"
    line+=" first pixel GStreamer$(od -An -tu1 -N3 rgb | tr -s ' '),"
    line+=" FFmpeg$(od -An -tu1 -N3 rgb.ffmpeg | tr -s ' ')"
    echo "$line"
    seen+="$line"$'\n'
done
expect "$seen" "bottom-up: bytes a frame 1536, first pixel GStreamer 200 100 50, FFmpeg 200 100 50
top-down: bytes a frame 512, first pixel GStreamer 0 0 0, FFmpeg 200 100 50
"
