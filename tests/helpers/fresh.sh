#!/bin/bash
# SPDX-License-Identifier: MIT
# usage: fresh.sh ROOT
# The README's two commands as a newcomer gives them: makes a bare Debian 12 in a temporary folder,
# clones ROOT's last commit into it and runs there what the README's first block says, line by line.
# As root. The last line is that of `./dev test`; everything is removed afterwards.
set -euo pipefail

if [ "${1:-}" != --inside ]; then
  folder=$(mktemp -d "${TMPDIR:-/var/tmp}/ondelette-fresh.XXXXXX")
  chmod 755 "$folder" # the root folder of the new system's users, apt's among them
  # Mounts and processes of the new system end with the inner script: the folder holds nothing but
  # its own files then.
  trap 'rm -rf --one-file-system "$folder"' EXIT
  unshare --mount --pid --fork --kill-child --propagation private -- "$0" --inside "$1" "$folder"
  exit
fi
root=$2 folder=$3
clone=$folder/srv/newcomer/ondelette

say ()
{
  printf 'fresh: %s\n' "$*"
}

if [ -n "$(git -C "$root" status --porcelain)" ]; then
  say "there are changes that are not committed; they take no part"
fi
say "a bare Debian 12 into $folder"
log=$(mktemp)
if ! debootstrap --variant=minbase bookworm "$folder" >"$log" 2>&1; then
  tail -n 30 "$log"
  rm -f "$log"
  say "debootstrap failed"
  exit 1
fi
rm -f "$log"

mount -t proc proc "$folder/proc"
mount --rbind /dev "$folder/dev"
mkdir -p "$folder/srv/newcomer"
git -c safe.directory='*' clone -q --no-hardlinks "$root" "$clone"
say "$(git -C "$clone" log -1 --format='cloned %h, %s')"
# Real files that are not part of the repository, where they are at hand.
if [ -d "$root/../shared" ]; then
  mkdir "$folder/srv/newcomer/shared"
  mount --bind --options ro "$(readlink -f "$root/../shared")" "$folder/srv/newcomer/shared"
fi

# The commands stand in the README's first block of code.
mapfile -t commands < <(awk '/^```/ { if (inside) exit; inside = 1; next } inside' "$clone/README.md")
[ "${#commands[@]}" = 2 ] || { say "the README does not begin with two commands"; exit 1; }
status=0
for command in "${commands[@]}"; do
  say "$command"
  start=$SECONDS
  chroot "$folder" /usr/bin/env -i HOME=/root TERM=dumb \
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin ${http_proxy:+http_proxy="$http_proxy"} /bin/bash -c "cd /srv/newcomer/ondelette && $command" </dev/null 2>&1 |
    tee "$folder/last" || status=1
  say "$command took $((SECONDS - start)) s"
  [ "$status" = 0 ] || say "$command failed"
done
if [[ $(tail -n 1 "$folder/last") =~ ^[0-9]+\ passed,\ [0-9]+\ failed,\ [0-9]+\ skipped$ ]] && [ "$status" = 0 ]; then
  tail -n 1 "$folder/last"
else
  say "the two commands did not both succeed"
  exit 1
fi
