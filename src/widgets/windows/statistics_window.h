// SPDX-License-Identifier: MIT
// What regions of the picture on the canvas hold, before and after the filters, and how
// well one stands out from another one; follows the picture. Main thread.
#pragma once

#include "widgets/window/window.h"

// One for each window. Borrowed.
GtkWindow *odl_statistics_window_present (OdlMainWindow *parent);

// The same as OdlStatisticRow, of the region that is selected, or the last one, and
// another one: of what the filters in force make of it, or with `other` the ones that
// they are compared with. Empty: there is nothing to measure. Transfer full.
GArray *odl_statistics_rows (const OdlWindowParts *parts, bool other);

// A value of these, with four digits. Transfer full.
char *odl_statistics_number (double value);

// The same for a lab book: a line for each value, each after `start`; of the region that
// is selected, or the last one, and another one. NULL: there is no region. Transfer full.
char *odl_statistics_text (const OdlWindowParts *parts, const char *start);
