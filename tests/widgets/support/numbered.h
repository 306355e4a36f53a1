// SPDX-License-Identifier: MIT
// Compares numbered PNG files of a folder (START-00000.png …).
#pragma once

#include <gdk-pixbuf/gdk-pixbuf.h>
#include <stdbool.h>

G_BEGIN_DECLS

// The picture of frame `number` (from 0; file names count from 1). NULL if the file is
// missing or invalid.
GdkPixbuf *numbered_picture (const char *folder, const char *start, int number);

// Compares sample by sample.
bool numbered_is_same (GdkPixbuf *one, GdkPixbuf *other);

// Index of the equal file among the first `n`. −1: none; prints the difference to
// each.
int numbered_find (const char *folder, const char *start, int n, GdkPixbuf *picture);

G_END_DECLS
