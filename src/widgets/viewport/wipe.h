// SPDX-License-Identifier: MIT
// The wipe's divider and the labels of the two halves, over the canvas.
#pragma once

#include <gtk/gtk.h>

// The user moved the divider; `position` is a fraction of a column.
typedef void (*OdlWipeCb) (double position, void *data);

#define ODL_TYPE_WIPE (odl_wipe_get_type ())
G_DECLARE_FINAL_TYPE (OdlWipe, odl_wipe, ODL, WIPE, GtkWidget)

GtkWidget *odl_wipe_new (OdlWipeCb moved, void *data);

// A divider that is fixed cannot be moved.
void odl_wipe_set_fixed (GtkWidget *wipe, bool fixed);

// The columns that the divider goes through, logical pixels from … to of the canvas, one
// or two from left to right; each has one of its own, and they move together.
void odl_wipe_set_columns (GtkWidget *wipe, const double columns[][2], int n);

// Where the dividers of the columns begin and end, from the top, logical pixels.
void odl_wipe_set_ends (GtkWidget *wipe, const int starts[2], const int ends[2]);

// Lays it out over a canvas of that size, its words from `top` on; a negative position
// hides the divider and calls everything original.
void odl_wipe_allocate (GtkWidget *wipe, int width, int height, double position, int top);

// What the halves are called, “Original” and “Processed” at first.
void odl_wipe_set_words (GtkWidget *wipe, const char *left, const char *right);
