// SPDX-License-Identifier: MIT
// What becomes black in a file that is written: rectangles that are drawn or typed, and
// what lies outside the ultrasound picture. Main thread.
#pragma once

#include <gtk/gtk.h>

#include "session/save/derived_preview.h"

typedef struct _OdlBlankGroup OdlBlankGroup;

// Appends its rows to `box`, which must not outlive it; `changed` is called with `data`
// after each change.
OdlBlankGroup *
odl_blank_group_new (GtkBox *box, void (*changed) (void *data), void *data);
void odl_blank_group_free (OdlBlankGroup *group); // accepts NULL

// The picture, and what can be told of it; borrowed.
void odl_blank_group_set_preview (OdlBlankGroup *group, const OdlDerivedPreview *preview);

// What was chosen; the rectangles are borrowed until the next call. False: what was typed
// is no list of rectangles.
bool odl_blank_group_read (OdlBlankGroup *group, OdlDerivedChoice *choice);
