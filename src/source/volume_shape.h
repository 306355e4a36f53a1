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
