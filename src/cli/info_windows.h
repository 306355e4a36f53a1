// SPDX-License-Identifier: MIT
// What `info` says about the windows that a file offers, and about regions of
// ultrasound.
#pragma once

#include "cli/json.h"
#include "image/image.h"

// A line "label: text".
void odl_info_print_line (const char *label, const char *format, ...)
    G_GNUC_PRINTF (2, 3);

// NULL: none.
void odl_info_write_windows (OdlJson *json, const OdlFileWindows *windows);
void odl_info_print_windows (const OdlFileWindows *windows);
void odl_info_write_regions (OdlJson *json, const OdlRegions *regions);
void odl_info_print_regions (const OdlRegions *regions);
