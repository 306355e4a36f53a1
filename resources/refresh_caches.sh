#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: refresh_caches.sh DATADIR
# After an installation: tells the desktop's caches of the new schema, icons and desktop file. A tool
# that is missing is named; the desktop refreshes that cache by itself later. (Meson's own
# gnome.post_install wants all three tools when it configures, though no build needs them.)
# Whoever packages (DESTDIR is set) does this on the target machine.
[ -z "${DESTDIR:-}" ] || exit 0

refresh ()
{
  if command -v "$1" >/dev/null; then
    "$@" || echo "refresh_caches.sh: $1 failed" >&2
  else
    echo "refresh_caches.sh: $1 is not installed; skipped" >&2
  fi
}

refresh glib-compile-schemas "$1/glib-2.0/schemas"
refresh gtk4-update-icon-cache -q -t -f "$1/icons/hicolor"
refresh update-desktop-database -q "$1/applications"
