// SPDX-License-Identifier: MIT
// Volumes: images with extent.z > 1. Any thread.
#pragma once

#include "image/image.h"

// Slice z as an image that shares the samples of `volume`; without its mark.
OdlImage *odl_volume_slice (OdlImage *volume, int z);

// The slices as one picture, one below the other, which shares the samples of `volume`
// where they lie so and else copies them. ODL_ERROR_TOO_LARGE.
OdlImage *odl_volume_tall (OdlImage *volume, GError **error) G_GNUC_WARN_UNUSED_RESULT;

// Allocates a volume of `depth` slices described like `slice`; *samples is writable
// until the volume is shared. ODL_ERROR_TOO_LARGE.
OdlImage *
odl_volume_alloc (const OdlImage *slice, int depth, void **samples, GError **error)
    G_GNUC_WARN_UNUSED_RESULT;

// Copies `slice` to slice `z` of the samples of `volume`. False if it differs in size,
// channels, type or range.
bool odl_volume_put (const OdlImage *volume, void *samples, int z, const OdlImage *slice);

// Likewise, into *volume of `depth` slices, which the first slice allocates.
// ODL_ERROR_TOO_LARGE; ODL_ERROR_UNSUPPORTED: it differs.
bool odl_volume_add (OdlImage **volume,
                     void **samples,
                     int depth,
                     int z,
                     const OdlImage *slice,
                     GError **error);
