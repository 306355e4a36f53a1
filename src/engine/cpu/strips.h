// SPDX-License-Identifier: MIT
// How a picture is cut into strips that run at the same time.
#pragma once

#include "engine/cpu/stream.h"

// first … end − 1 of the result's rows or columns, and from … to − 1 of the input's,
// which these depend on.
typedef struct {
  int first, end;
  int from, to;
} OdlCpuRange;

typedef struct {
  int width, height; // of the picture
  int unit; // every level has an even row at its multiples
  int reach; // rows and columns that results depend on beyond their own
  int count;
  int columns; // side by side
} OdlCpuStrips;

// For at most `threads` threads.
OdlCpuStrips odl_cpu_strips (const OdlPlan *plan, const OdlCpuSpan *span, int threads);

OdlCpuRange odl_cpu_strip_rows (const OdlCpuStrips *strips, int index);
OdlCpuRange odl_cpu_strip_columns (const OdlCpuStrips *strips, int index);
