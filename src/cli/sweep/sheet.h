// SPDX-License-Identifier: MIT
// Results of a sweep side by side, as a PNG.
#pragma once

#include "cli/sweep/table.h"
#include "output/output.h"

// The picture as it came and what it is compared with, then the results: a column for
// each value of the first parameter, a row for each of the second, at most
// ODL_SHEET_SIDE of each, evenly chosen; of further parameters the best values. Pixel by
// pixel, of large pictures the part about the region, or the middle. Results are computed
// again.
bool odl_sheet_write (OdlOutput *output, const OdlTable *table, GError **error);

#define ODL_SHEET_SIDE 12
