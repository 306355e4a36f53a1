// SPDX-License-Identifier: MIT
// The metric of a sweep as a picture.
#pragma once

#include "output/drawing.h"
#include "work/sweep/table.h"

// Whether it can be drawn. ODL_ERROR_USAGE: there are too many values or lines.
bool odl_plot_check (const OdlTrial *trial, GError **error);

// One line for each value of the second parameter over the values of the first; words lie
// side by side in equal distances. Of filters in the place of one a line for each, over
// the range of its first parameter, whatever its length. Of further parameters the best
// value counts. Of the trial's pictures nothing is needed.
bool odl_plot_write (OdlOutput *output,
                     OdlDrawingFormat format,
                     const OdlTable *table,
                     GError **error);
