// SPDX-License-Identifier: MIT
// Still pictures: PNG, JPEG, GIF, BMP, TIFF.
#pragma once

#include "source/source.h"

G_BEGIN_DECLS

extern const OdlSourceClass odl_still_source;

// The helper's name for the format with this beginning; NULL if unknown.
const char *odl_still_format (const uint8_t *head, size_t n_head);

G_END_DECLS
