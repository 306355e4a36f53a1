// SPDX-License-Identifier: MIT
// The second picture or the kernel of a filter: a button that shows its name and chooses
// another one, and one that takes it away, where the filter does without.
#pragma once

#include <gtk/gtk.h>

#include "filter/filter.h"
#include "session/session.h"

// `parameter`: of a file; it outlives the widget. `name`: for screen readers.
GtkWidget *odl_file_button_new (OdlSession *session,
                                int item,
                                const OdlParameter *parameter,
                                const char *name);

// Shows what the recipe has.
void odl_file_button_update (GtkWidget *button);
