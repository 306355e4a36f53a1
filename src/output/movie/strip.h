// SPDX-License-Identifier: MIT
// A strip below the picture with the badge's text, which keeps the picture itself
// free. One thread at a time.
#pragma once

#include "image/image.h"
#include "output/badge.h"

typedef struct _OdlStrip OdlStrip;

OdlStrip *odl_strip_new (void);
void odl_strip_free (OdlStrip *strip); // accepts NULL

// `shown` (U8 or U16, interleaved) with a strip appended that makes its height even.
// The first call sets the strip's height by its text, or for `title` NULL
// (unprocessed) by typical text. `marks` as in OdlBadgeText. ODL_ERROR_TOO_LARGE,
// ODL_ERROR_UNSUPPORTED (no font installed). Transfer full.
OdlImage *odl_strip_add (OdlStrip *strip,
                         const OdlImage *shown,
                         const char *title,
                         const char *const *marks,
                         GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlStrip, odl_strip_free)
