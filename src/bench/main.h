// SPDX-License-Identifier: MIT
// The benchmark as a program: options, run, reports. The bare executable and the command
// line's verb are both this function.
#pragma once

#include "bench/bench.h"

// What a caller with more than the core library adds.
typedef struct {
  OdlBenchDecode decode; // NULL: no part decode
  const char *decode_name;
  void *user_data;
} OdlBenchHooks;

// `argv[0]` is the name for the help text; `hooks` may be NULL. Prints the table, or CSV
// or JSON where "-" asks for it, on standard output, progress and errors on standard
// error. Returns the exit status: 0, 1 when the world failed, 2 for wrong options.
int odl_bench_main (int argc, char **argv, const OdlBenchHooks *hooks);
