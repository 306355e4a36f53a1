// SPDX-License-Identifier: MIT
// A volume is an OdlImage whose extent.z is more than 1. It is put together of slices,
// and looked at slice by slice. Any thread.
#pragma once

#include "image/image.h"

G_BEGIN_DECLS

// A slice as an image of its own, on the samples of `volume`; without its mark.
OdlImage *odl_volume_slice (OdlImage *volume, int z);

// Room for `depth` slices like `slice`, whose description the volume gets; *samples is
// writable until somebody else has the volume. ODL_ERROR_TOO_LARGE.
OdlImage *
odl_volume_alloc (const OdlImage *slice, int depth, void **samples, GError **error)
    G_GNUC_WARN_UNUSED_RESULT;

// Copies `slice` to place `z` of the samples of `volume`. False when it differs from the
// others in size, channels, type or range.
bool odl_volume_put (const OdlImage *volume, void *samples, int z, const OdlImage *slice);

G_END_DECLS
