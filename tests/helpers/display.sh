#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: display.sh COMMAND [ARGUMENT…]
# Runs COMMAND on a virtual X display of its own. Looked for when the test runs, not when Meson configures:
# a test without its display fails, it does not become another test.
if ! command -v xvfb-run >/dev/null; then
  echo "Bail out! xvfb-run is not installed (Debian's packages xvfb and xauth)"
  exit 1
fi
# Several that start at once look for a free number from different ones on.
exec xvfb-run -a -n "$((99 + $$ % 900))" -s '-screen 0 1400x900x24' "$@"
