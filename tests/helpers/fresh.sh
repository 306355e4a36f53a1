#!/bin/bash
# SPDX-License-Identifier: MIT
# usage: fresh.sh ROOT
# The README's two commands as a newcomer gives them: makes a bare Debian 12 in a temporary folder,
# clones ROOT's last commit into it and runs there what the README's first block says, line by line:
# in the repository alone, and the tests once more with shared/ beside it, where ROOT has that.
# As root. The last line is that of the last `./dev test`; everything is removed afterwards.
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
# The commands stand in the README's first block of code.
mapfile -t commands < <(awk '/^```/ { if (inside) exit; inside = 1; next } inside' "$clone/README.md")
[ "${#commands[@]}" = 2 ] || { say "the README does not begin with two commands"; exit 1; }

# give COMMAND: as a newcomer does; what it printed is kept in $folder/last.
give ()
{
  local start=$SECONDS status=0
  say "$1"
  chroot "$folder" /usr/bin/env -i HOME=/root TERM=dumb \
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin ${http_proxy:+http_proxy="$http_proxy"} /bin/bash -c "cd /srv/newcomer/ondelette && $1" </dev/null 2>&1 |
    tee "$folder/last" || status=1
  say "$1 took $((SECONDS - start)) s"
  [ "$status" = 0 ] || { say "$1 failed"; exit 1; }
}

# The closing line of the tests.
counts ()
{
  local line
  line=$(tail -n 1 "$folder/last")
  [[ $line =~ ^[0-9]+\ passed,\ [0-9]+\ failed,\ [0-9]+\ skipped$ ]] || { say "the tests have no closing line" >&2; exit 1; }
  echo "$line"
}

# The repository alone, as anyone has it.
give "${commands[0]}"
give "${commands[1]}"
alone=$(counts)
# Once more beside the real files that are no part of the repository, where they are at hand.
if [ -d "$root/../shared" ]; then
  say "the repository alone: $alone; now beside shared/"
  mkdir "$folder/srv/newcomer/shared"
  mount --bind --options ro "$(readlink -f "$root/../shared")" "$folder/srv/newcomer/shared"
  give "${commands[1]}"
fi
counts
