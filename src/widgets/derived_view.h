// SPDX-License-Identifier: MIT
// What is shown of a derived DICOM file before it is written: its picture, and the words
// that it will tell.
#pragma once

#include <gtk/gtk.h>

#include "session/save/derived_preview.h"

// Of a displayed image of 8 bits. Transfer full.
GdkTexture *odl_derived_view_texture (const OdlImage *image);

// Rows of keyword and value. `hidden`: names of persons are not shown.
void odl_derived_view_fill (GtkGrid *list, const OdlDerivedReport *report, bool hidden);
void odl_derived_view_clear (GtkGrid *list);
