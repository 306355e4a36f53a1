// SPDX-License-Identifier: MIT
// Names of numbered files: a pattern such as frame-%05d.png.
#pragma once

#include <glib.h>
#include <stdbool.h>

G_BEGIN_DECLS

// True when the last part of `path` holds one number: %d, or %0Nd with N from 1 to 9.
bool odl_sequence_is_pattern (const char *path);

// The name of number `index` (at least 0). Transfer full.
char *odl_sequence_name (const char *pattern, gint64 index);

G_END_DECLS
