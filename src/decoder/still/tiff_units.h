// SPDX-License-Identifier: MIT
// Units and axes, as descriptions of TIFF files write them.
#pragma once

#include <stdbool.h>

// Channels, slices and times.
enum { ODL_TIFF_C, ODL_TIFF_Z, ODL_TIFF_T, ODL_TIFF_N_AXES };

// Millimetres and seconds of a unit; 0: it is none that is known.
double odl_tiff_length_mm (const char *unit);
double odl_tiff_time_s (const char *unit);

// The axes of a word such as “CZT”, that which changes from page to page first. False: it
// is none, and `order` stays.
bool odl_tiff_axes_order (const char *letters, int order[ODL_TIFF_N_AXES]);
