// SPDX-License-Identifier: MIT
// The shape of the volume that a range of a source's frames makes.
#pragma once

#include "image/volume/shape.h"
#include "source/source.h"

// Frames first … first + n − 1: whole volumes, or slices of one; a picture that says
// where it lies, and how thick it is, is a volume of one slice. ODL_ERROR_UNSUPPORTED for
// others, and for sources that are no volumes.
bool odl_volume_shape_find (const OdlSource *source,
                            gint64 first,
                            gint64 n,
                            OdlVolumeShape *shape,
                            GError **error);

// The same for formats that hold pictures, too: frames that are no slices are volumes of
// one slice each. *is_uneven: they are not equally far apart in time, and interval_s is
// the mean; may be NULL.
bool odl_pages_shape_find (const OdlSource *source,
                           gint64 first,
                           gint64 n,
                           OdlVolumeShape *shape,
                           bool *is_uneven,
                           GError **error);
