// SPDX-License-Identifier: MIT
#pragma once

#include <glib.h>

class DcmItem;

// Appends a line for each element: depth, tag, VR, keyword and value, with tabs between
// them. Items are lines, too, one deeper than their sequence.
void odl_dicom_dump (DcmItem *dataset, GString *out);
