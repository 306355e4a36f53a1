// SPDX-License-Identifier: MIT
// The metric of a sweep as a picture: SVG, which needs no library.
#pragma once

#include "work/sweep/table.h"

// Whether it can be drawn. ODL_ERROR_USAGE: the second parameter has too many values.
bool odl_plot_check (const OdlTrial *trial, GError **error);

// One line for each value of the second parameter over the values of the first. Of
// further parameters the best value counts. Words lie side by side in equal distances.
bool odl_plot_write (OdlOutput *output, const OdlTable *table, GError **error);
