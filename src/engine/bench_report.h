// SPDX-License-Identifier: MIT
// Results of the benchmark as text. All numbers in the C locale.
#pragma once

#include "engine/bench.h"

G_BEGIN_DECLS

// For people: one line per engine and geometry, parts in columns, medians in
// milliseconds. Transfer full.
char *odl_bench_to_table (const OdlBenchResult *result);

// One line per row, with a heading line. Transfer full.
char *odl_bench_to_csv (const OdlBenchResult *result);

// {"machine": {"cpu", "cores", "threads", "cpu_mhz", "governor", "huge_pages", "load",
// "compiler", "flags", "version", "date", "gl_renderer", "gl_driver"}, "rows":
// [{"engine", "variant", "width", "height", "channels", "precision", "levels", "threads",
// "part", "median_ms", "min_ms", "mpx_per_s", "gb_per_s"}, …]}. Transfer full.
char *odl_bench_to_json (const OdlBenchResult *result);

G_END_DECLS
