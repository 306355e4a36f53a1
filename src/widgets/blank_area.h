// SPDX-License-Identifier: MIT
// OdlBlankArea: a picture on which rectangles are drawn that will be black. By pointer: a
// drag draws one, a click into one removes it. They can also be set as text, by keyboard.
//
// Signals:
//   changed ()  somebody drew or removed one
#pragma once

#include <gtk/gtk.h>

#include "image/blank.h"

#define ODL_TYPE_BLANK_AREA (odl_blank_area_get_type ())
G_DECLARE_FINAL_TYPE (OdlBlankArea, odl_blank_area, ODL, BLANK_AREA, GtkWidget)

GtkWidget *odl_blank_area_new (void);

// The picture; each of its pixels is `aspect` times as wide as high.
void
odl_blank_area_set_picture (OdlBlankArea *area, GdkPaintable *picture, double aspect);

// Those that somebody drew, OdlBlank; borrowed until they change.
const GArray *odl_blank_area_drawn (OdlBlankArea *area);
void odl_blank_area_set_drawn (OdlBlankArea *area, const GArray *blanks);

// Others, which are shown and cannot be removed here.
void odl_blank_area_set_others (OdlBlankArea *area, const GArray *blanks);
