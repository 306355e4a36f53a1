// SPDX-License-Identifier: MIT
// Cells of the benchmark's tables. All numbers in the C locale.
#pragma once

#include <glib.h>

G_BEGIN_DECLS

// Right-aligned, in `width` columns of letters (not bytes).
void odl_bench_append_cell (GString *out, const char *text, int width);

// A number in `width` columns with as many digits as its size asks for: 0.0123, 1.23,
// 12.3, 123, 1234; a dash when it is not above 0.
void odl_bench_append_number (GString *out, double value, int width);

// `name` at the left, in `width` columns, cut where it is longer.
void odl_bench_append_name (GString *out, const char *name, int width);

// A heading, underlined, with empty lines around it.
void odl_bench_append_title (GString *out, const char *title);

// printf of the C locale at the end of `out`.
void odl_bench_append (GString *out, const char *format, ...) G_GNUC_PRINTF (2, 3);

G_END_DECLS
