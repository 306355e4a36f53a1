// SPDX-License-Identifier: MIT
// Where the picture lies on an ultrasound screen: a sector, a trapezium or a rectangle,
// amid text, marks and bars on an even background.
#pragma once

#include "image/image.h"

// Sets inside[y · width + x] to 0 outside the sector, which is looked for where it is not
// 0; slice 0, frame 0.
// It is the convex hull of the largest area without thin parts, and of others that are
// nearly as large, without what lies between a curved transducer and the chord of its
// arc; so dark places within, and at the far end, belong to it. Exact to two pixels or
// so in pictures of 640 columns. ODL_ERROR_UNSUPPORTED, a sentence without the file's
// name: there is nothing like that. Any thread.
bool odl_sector_find (OdlImage *image, guint8 *inside, GError **error);
