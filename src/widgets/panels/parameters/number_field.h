// SPDX-License-Identifier: MIT
// A spin button for numbers of any precision. Main thread.
#pragma once

#include <gtk/gtk.h>

#include "image/unit.h"
#include "session/session.h"

// Makes `field` show all digits of its number, and accept numbers with the decimal
// separator of the locale or a point. Invalid or out-of-range text (`whole`: also
// fractions) leaves the number unchanged and is reported, in the preferences window that
// contains the field, else by a message of `session`. Keeps no reference to `session`,
// which must outlive the field.
void odl_number_field_set_up (GtkSpinButton *field, OdlSession *session, bool whole);

// Leaves the wheel to the panel around a slider or a field, so that scrolling changes no
// number that happens to come under the pointer. Fields that are set up have it.
void odl_number_field_leave_wheel (GtkWidget *control);

// Has the number shown and read as zero + number · (one − zero); its value is none of
// that.
void odl_number_field_set_range (GtkSpinButton *field, OdlUnitRange shown);

// While `empty`, the field shows nothing and its text is not read. Its value is kept.
void odl_number_field_set_empty (GtkSpinButton *field, bool empty);

// What an empty field shows in its place, dimmed.
void odl_number_field_set_hint (GtkSpinButton *field, const char *hint);
