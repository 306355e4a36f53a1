// SPDX-License-Identifier: MIT
// What contours are pulled by hand with: values of a parameter. Of each pull, where a
// point of a contour lies and where it is to go: x, y, x, y, pixels. Those that are not
// used are ODL_NO_PULL. `values` are always ODL_PULLS_VALUES. Any thread.
#pragma once

#include <glib.h>
#include <stdbool.h>

#define ODL_MOST_PULLS 16
#define ODL_PULL_VALUES 4
#define ODL_PULLS_VALUES (ODL_MOST_PULLS * ODL_PULL_VALUES)
#define ODL_NO_PULL (-1.0)
#define ODL_PULL_LARGEST 65536

int odl_pulls_count (const double values[]);

// "x:y:x:y", more of them after a slash; or "none". Transfer full.
char *odl_pulls_to_text (const double values[]);

// ODL_ERROR_USAGE, which names `key`.
bool odl_pulls_parse (const char *text, const char *key, double values[], GError **error);
