// SPDX-License-Identifier: MIT
// --valid: what of a result depends on no border, as SciPy's mode='valid'.
#pragma once

#include "cli/process/process.h"
#include "output/volume_file.h"

typedef struct {
  OdlArrangement part; // of every slice
  int first_slice, end_slice; // of every volume
  gint64 first_time, end_time; // volumes, or pictures where there are none
  int unit; // frames of each
} OdlValid;

// Cuts what depends on no border out of `picture`, that of frame `index`; *any: there is
// something. `info`: NULL for a single picture. Any thread. ODL_ERROR_UNSUPPORTED: the
// result depends on all of the picture, on all frames before it, or everywhere on a
// border.
bool odl_valid_cut_picture (const OdlProcess *task,
                            const OdlSourceInfo *info,
                            gint64 index,
                            OdlPicture *picture,
                            OdlValid *valid,
                            bool *any,
                            GError **error);

// False, with the error that all frames asked for depend on a border.
bool odl_valid_has_none (GError **error);

// The file for `n` frames of the source, or what is left of them, whose place moves
// along; `slice`, one of them, says how large samples are. `valid`: NULL for all; `band`:
// that which `slice` is written as, NULL: none. Errors of odl_volume_shape_find and
// odl_volume_file_new.
OdlVolumeFile *odl_process_open_volume (const OdlProcess *task,
                                        const OdlJob *job,
                                        const OdlSource *source,
                                        gint64 n,
                                        const OdlPicture *slice,
                                        const OdlValid *valid,
                                        const OdlBandPlace *band,
                                        OdlSure sure,
                                        GError **error);
