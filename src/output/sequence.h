// SPDX-License-Identifier: MIT
// Numbered file names: patterns such as frame-%05d.png.
#pragma once

#include <glib.h>
#include <stdbool.h>

// True if the last component of `path` contains exactly one number: %d, or %0Nd with N
// from 1 to 9.
bool odl_sequence_is_pattern (const char *path);

// The file name for number `index` >= 0. Transfer full.
char *odl_sequence_name (const char *pattern, gint64 index);
