// SPDX-License-Identifier: MIT
// The benchmark program: options, measuring, reports. Used by odl-bench and by the
// verb `bench` of the command line.
#pragma once

#include "bench/bench.h"

// Features that need more than the core library.
typedef struct {
  OdlBenchDecode decode; // NULL: the part decode is omitted
  const char *decode_name;
  void *user_data;
} OdlBenchHooks;

// `argv[0]` is the name in the help text; `hooks` may be NULL. Writes the tables (or
// CSV or JSON to "-") on standard output, progress and errors on standard error.
// Returns the exit status: 0, 1 for failures, 2 for invalid options.
int odl_bench_main (int argc, char **argv, const OdlBenchHooks *hooks);
