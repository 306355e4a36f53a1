// SPDX-License-Identifier: MIT
// All slices of a source whose frames are those of a volume (info.n_slices), as one
// image.
#pragma once

#include "source/source.h"

G_BEGIN_DECLS

// What a volume needs beside itself to be looked at and filtered, in volumes of floats.
#define ODL_VOLUME_FILTERED_SLICES 1 // slice by slice: the result
#define ODL_VOLUME_FILTERED_WHOLE 6 // all slices at once: a transform's steps, too

// Whether there is memory for all slices, which look like `slice`, and `floats` volumes
// of floats. If not, ODL_ERROR_TOO_LARGE says what goes on without it. Any thread.
bool odl_source_volume_fits (const OdlSource *source,
                             const OdlImage *slice,
                             int floats,
                             GError **error);

// Reads every slice; blocks. The image has the description of the first one. A damaged
// slice fails with the error of its frame, slices that differ with ODL_ERROR_CORRUPT; and
// as above. Any thread, but no other may read frames of `source` meanwhile.
OdlImage *odl_source_read_volume (OdlSource *source,
                                  int floats,
                                  GCancellable *cancellable,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
