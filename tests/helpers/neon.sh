#!/bin/bash
# SPDX-License-Identifier: MIT
# Builds the core for 64-bit ARM and runs the kernel tests under qemu: neon.sh SOURCE FOLDER [TEST…]
# Debian's libraries for ARM are unpacked into FOLDER/sysroot; the system itself stays as it is.
# Ends with "N passed, N failed, N skipped".
set -euo pipefail

source_root=$1 folder=$2
shift 2
[ $# -gt 0 ] || set -- cpu_kernels cpu_lift cpu_levels cpu_temporal
triplet=aarch64-linux-gnu

skip ()
{
  echo "$*"
  echo "0 passed, 0 failed, 1 skipped"
  exit 0
}

for tool in "$triplet-gcc" "$triplet-g++" qemu-aarch64 apt-get dpkg-deb; do
  command -v "$tool" >/dev/null || skip "skipped: no $tool here"
done
mkdir -p "$folder"
folder=$(readlink -f "$folder")
root=$folder/sysroot

# An apt of its own: another architecture, own lists, nothing installed.
fetch ()
{
  local state=$folder/apt
  mkdir -p "$state/lists/partial" "$state/cache/archives/partial"
  : >"$state/status"
  local options=(-q -o "Dir::State::lists=$state/lists" -o "Dir::State::status=$state/status"
    -o "Dir::Cache=$state/cache" -o APT::Architecture=arm64 -o APT::Architectures::=arm64
    -o Acquire::Languages=none -o APT::Sandbox::User=root)
  apt-get "${options[@]}" update || return 1
  apt-get "${options[@]}" -y --no-install-recommends --download-only install \
    libc6-dev libgomp1 libglib2.0-dev libepoxy-dev libegl-dev || return 1
  for package in "$state"/cache/archives/*.deb; do
    dpkg-deb -x "$package" "$root.part"
  done
  mv "$root.part" "$root"
  rm -rf "$state"
}

if [ ! -d "$root" ]; then
  rm -rf "$root.part"
  fetch >"$folder/fetch.log" 2>&1 ||
    skip "skipped: the libraries for ARM could not be fetched; see $folder/fetch.log"
fi

cat >"$folder/cross.ini" <<END
[constants]
root = '$root'
[binaries]
c = '$triplet-gcc'
cpp = '$triplet-g++'
ar = '$triplet-ar'
strip = '$triplet-strip'
pkgconfig = 'pkg-config'
exe_wrapper = ['qemu-aarch64', '-L', root]
[properties]
sys_root = root
pkg_config_libdir = [root / 'usr/lib/$triplet/pkgconfig', root / 'usr/share/pkgconfig']
[built-in options]
c_args = ['--sysroot=' + root]
c_link_args = ['--sysroot=' + root]
[host_machine]
system = 'linux'
cpu_family = 'aarch64'
cpu = 'aarch64'
endian = 'little'
END

build=$folder/build
[ -f "$build/build.ninja" ] ||
  meson setup "$build" "$source_root" --cross-file "$folder/cross.ini" -Dapp=false >/dev/null
ninja -C "$build" tests/kernels/test-kernels >"$folder/ninja.log" ||
  { cat "$folder/ninja.log"; echo "0 passed, 1 failed, 0 skipped"; exit 1; }

passed=0 failed=0
for name in "$@"; do
  if qemu-aarch64 -L "$root" "$build/tests/kernels/test-kernels" "$name" >"$folder/$name.log" 2>&1; then
    passed=$((passed + $(grep -c '^ok ' "$folder/$name.log")))
    grep '^ok ' "$folder/$name.log"
  else
    failed=$((failed + 1))
    cat "$folder/$name.log"
  fi
done
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
