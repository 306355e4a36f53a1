// SPDX-License-Identifier: MIT
// A spin button for numbers of any precision. Main thread.
#pragma once

#include <gtk/gtk.h>

#include "session/session.h"

G_BEGIN_DECLS

// Makes `field` show the whole of its number, however many digits that has, and take one
// with the decimal sign of the user's locale or a point. What is no number, or out of
// range (`whole`: or has a fraction), leaves the number as it was and is told: by the
// preferences that hold the field, else by a message of `session`. Keeps no reference to
// `session`, which lives as long as the field.
void odl_number_field_set_up (GtkSpinButton *field, OdlSession *session, bool whole);

// While `empty`, the field shows nothing and what is in it is not read. Its value stays.
void odl_number_field_set_empty (GtkSpinButton *field, bool empty);

G_END_DECLS
