// SPDX-License-Identifier: MIT
// Cells of the benchmark's tables. Numbers in the C locale.
#pragma once

#include <glib.h>

// Right-aligned in `width` characters (not bytes).
void odl_bench_append_cell (GString *out, const char *text, int width);

// A number in `width` characters with about three digits: 0.0123, 1.23, 12.3, 123,
// 1234; a dash if it is not positive.
void odl_bench_append_number (GString *out, double value, int width);

// Left-aligned in `width` characters, truncated.
void odl_bench_append_name (GString *out, const char *name, int width);

// An underlined heading between blank lines.
void odl_bench_append_title (GString *out, const char *title);

// printf in the C locale, appended to `out`.
void odl_bench_append (GString *out, const char *format, ...) G_GNUC_PRINTF (2, 3);
