// SPDX-License-Identifier: MIT
// Pictures: PNG, JPEG, GIF, BMP, TIFF and others, also of several pages or frames.
#pragma once

#include "source/source.h"

extern const OdlSourceClass odl_still_source;

// The helper's name for the format with this beginning; NULL if unknown.
const char *odl_still_format (const uint8_t *head, size_t n_head);
