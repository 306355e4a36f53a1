#!/bin/bash
# SPDX-License-Identifier: MIT
#
# An MP4 with B-frames needs composition offsets (ctts); without negative ones its first frame is
# shown later than at 0. An edit list can take that back, but files without one are valid, and then
# the whole track is shown (ISO/IEC 14496-12, 8.6.5 and 8.6.6: edits are optional, and without them
# the media's times are those of the presentation). FFmpeg writes such files with -use_editlist 0.
# One would guess: the edit list moves frames in time, and has no say in how many there are.
# What happens: qtdemux of GStreamer 1.22.0 (Debian 12) ends the track at the sum of all durations,
# counted from 0: of ten frames that are shown from 0.1 to 1.0 s, the one at 1.0 s is left out
# by the demuxer, without a word. With an edit list all ten come. FFmpeg 5.1.9 has ten both times.
#
# Needs amd64, apt-get, dpkg, and what libgstreamer1.0-0, gstreamer1.0-plugins-good and ffmpeg of
# Debian 12 depend on; these themselves are fetched and run from a temporary folder.
set -euo pipefail

GST=1.22.0
PACKAGES=(gstreamer1.0-tools="$GST-2+deb12u1" libgstreamer1.0-0="$GST-2+deb12u1"
          libgstreamer-plugins-base1.0-0="$GST-3+deb12u7"
          gstreamer1.0-plugins-good="$GST-5+deb12u4")
PLUGINS=(coreelements isomp4)
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

seen=
for edits in 0 1; do
    ffmpeg -v error -y -f lavfi -i testsrc=s=64x64:r=10:d=1 -pix_fmt yuv420p -c:v mpeg4 -bf 2 \
        -flags +bitexact -threads 1 -use_editlist "$edits" "$edits.mp4"
    play -v "$edits.mp4" ! qtdemux ! fakesink silent=false
    ffmpeg -v error -y -i "$edits.mp4" -vsync passthrough -f framecrc frames
    last=$(sed -n 's/.* chain .* pts: 0:00:0\(.\..\).*/\1/p' gst.log | sort | tail -n 1)
    line="edit lists $(grep -ac elst "$edits.mp4" || true):"
    line+=" frames GStreamer $(grep -c ' chain ' gst.log), last at $last s;"
    line+=" FFmpeg $(grep -vc '^#' frames)"
    echo "$line"
    seen+="$line"$'\n'
done
expect "$seen" "edit lists 0: frames GStreamer 9, last at 0.9 s; FFmpeg 10
edit lists 1: frames GStreamer 10, last at 1.0 s; FFmpeg 10
"
