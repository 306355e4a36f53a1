// SPDX-License-Identifier: MIT
// “Change one, scale the others” for numbers of levels, in a filter's card. Main thread.
#pragma once

#include <gtk/gtk.h>

#include "session/session.h"

// A row with a switch, first off, for the list with the rows of the levels.
GtkWidget *odl_scale_row_new (void);

// Values `first` … first + count − 1 of a matrix have been changed in `recipe`: where the
// list that `row` is in has such a switch, and it is on, all others change as much in
// proportion to what they are in `before`.
void odl_scale_row_apply (GtkWidget *row,
                          const OdlRecipe *before,
                          OdlRecipe *recipe,
                          int item,
                          const OdlParameter *parameter,
                          int first,
                          int count);
