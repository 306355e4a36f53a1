// SPDX-License-Identifier: MIT
// GTK's own file chooser, as a person uses it.
#pragma once

#include "support/support.h"

GtkFileChooser *open_chooser (void); // NULL: none is open

// Conditions of wait_until. `data`: NULL for no chooser, a path for the file.
bool has_chooser (Fixture *fixture, const void *data);
bool has_chosen (Fixture *fixture, const void *path);

// In the list that has this option.
void choose (GtkWidget *root, const char *title);
