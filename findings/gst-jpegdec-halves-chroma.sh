#!/bin/bash
# SPDX-License-Identifier: MIT
#
# A JPEG picture, and each frame of a Motion JPEG video, can store its two colour differences at
# full size (4:4:4), as cameras for measuring do, or halved in width alone (4:2:2), as most older
# ones do. libjpeg gives them either way, and GStreamer has formats for both, Y444 and Y42B.
# One would guess: jpegdec, which is libjpeg behind a GStreamer pad, hands on what is stored.
# What happens: jpegdec of GStreamer 1.22.0 (Debian 12) announces I420 for each of them, leaves out
# every second one of the samples that are stored, and says nothing: of columns of red and blue in
# turn all are red, of rows all are blue, even where the file halves the width alone. They are not
# averaged, which would be purple. djpeg of libjpeg-turbo, the same library, has red and blue again
# each time. (avdec_mjpeg keeps them, but decodebin prefers jpegdec by its rank.)
#
# Needs amd64, apt-get, dpkg, python3, and what libgstreamer1.0-0, gstreamer1.0-plugins-good and
# libjpeg-turbo-progs of Debian 12 depend on; these themselves are fetched and run from a temporary
# folder.
set -euo pipefail

GST=1.22.0
PACKAGES=(gstreamer1.0-tools="$GST-2+deb12u1" libgstreamer1.0-0="$GST-2+deb12u1"
          gstreamer1.0-plugins-base="$GST-3+deb12u7" libgstreamer-plugins-base1.0-0="$GST-3+deb12u7"
          gstreamer1.0-plugins-good="$GST-5+deb12u4"
          libjpeg-turbo-progs=1:2.1.5-2 libjpeg62-turbo=1:2.1.5-2)
PLUGINS=(coreelements videoconvertscale jpeg)

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
djpeg -version 2>&1 | sed -n 1p

python3 -c '
red, blue = bytes((200, 30, 30)), bytes((30, 30, 200))
for name, rows in ("columns", [(red + blue) * 16] * 32), ("rows", [red * 32, blue * 32] * 16):
    with open(name + ".ppm", "wb") as file:
        file.write(b"P6 32 32 255\n" + b"".join(rows))'

seen=
for what in "columns 1x1 4:4:4" "rows 1x1 4:4:4" "rows 2x1 4:2:2"; do
    read -r stripes sample name <<< "$what"
    cjpeg -quality 98 -sample "$sample" "$stripes.ppm" > in.jpg
    gst-launch-1.0 -v filesrc location=in.jpg ! jpegdec ! videoconvert ! video/x-raw,format=RGB ! \
        filesink location=rgb > gst.log
    djpeg -ppm in.jpg | tail -c 3072 > rgb.djpeg
    format=$(sed -n 's/.*jpegdec.*src: caps = .*format=(string)\([A-Z0-9a-z]*\).*/\1/p' gst.log | head -n 1)
    # Two pixels beside or above each other in the middle.
    step=$([ "$stripes" = columns ] && echo 3 || echo 96)
    line="$stripes, $name: jpegdec $format"
    for file in rgb rgb.djpeg; do
        first=$(od -An -tu1 -j 1584 -N3 "$file" | tr -s ' ')
        second=$(od -An -tu1 -j $((1584 + step)) -N3 "$file" | tr -s ' ')
        line+=", ${file/rgb.djpeg/djpeg}$first and$second"
    done
    echo "$line"
    seen+="$line"$'\n'
done
expected="columns, 4:4:4: jpegdec I420, rgb 199 28 30 and 169 0 0, djpeg 200 30 30 and 29 30 200
rows, 4:4:4: jpegdec I420, rgb 66 60 223 and 35 29 192, djpeg 200 30 30 and 29 30 200
rows, 4:2:2: jpegdec I420, rgb 66 60 223 and 35 29 192, djpeg 200 30 30 and 29 30 200
"
if [ "$seen" != "$expected" ]; then
    printf 'This has changed; it was:\n%s\n' "$expected" >&2
    exit 1
fi
