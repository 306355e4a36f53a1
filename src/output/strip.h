// SPDX-License-Identifier: MIT
// The strip below a picture that says what was done to it, in the words and boxes of the
// badge: the picture itself stays free. One thread at a time.
#pragma once

#include "image/image.h"
#include "output/badge.h"

G_BEGIN_DECLS

typedef struct _OdlStrip OdlStrip;

OdlStrip *odl_strip_new (void);
void odl_strip_free (OdlStrip *strip); // accepts NULL

// The size of letters in a picture of that size.
double odl_strip_font (int width, int height);

// `shown`, U8 or U16, interleaved, with a strip below that makes its height even. The
// first call decides how high the strip is, by its words, or, where `title` is NULL, by
// those that may come; NULL says that the picture is as it came. `marks` as those of
// OdlBadgeText. Errors: ODL_ERROR_TOO_LARGE, ODL_ERROR_UNSUPPORTED (no font is
// installed). Transfer full.
OdlImage *odl_strip_add (OdlStrip *strip,
                         const OdlImage *shown,
                         const char *title,
                         const char *const *marks,
                         GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlStrip, odl_strip_free)

G_END_DECLS
