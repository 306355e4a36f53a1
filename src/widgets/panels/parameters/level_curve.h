// SPDX-License-Identifier: MIT
// The numbers of all levels as a curve whose points are dragged, in a filter's card. Main
// thread.
#pragma once

#include <gtk/gtk.h>

#include "session/session.h"

// Appends the row of odl_scale_row_new, and one for `levels` levels of a matrix, from the
// finest on, as high as their sliders are far: of bands that differ the largest, which
// are moved in proportion.
void odl_level_curve_add (GtkListBox *list,
                          OdlSession *session,
                          int item,
                          const OdlParameter *parameter,
                          int levels);

// For tests: as if the point of a level (0 the finest) were dragged to `to`.
void odl_level_curve_drag (GtkWidget *row, int level, double to);
