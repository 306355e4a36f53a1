#!/bin/bash
# SPDX-License-Identifier: MIT
# usage: timed.sh COMMAND [ARGUMENT…]
# Runs a test (meson test --wrapper) and says at the end of its errors what processor time it and the
# processes that it waited for took, from which summary.py makes its table: on a machine that does other
# things too, this is what can be compared from run to run.
TIMEFORMAT='processor seconds: %U %S'
time "$@"
