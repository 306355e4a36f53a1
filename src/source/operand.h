// SPDX-License-Identifier: MIT
// Loading operands: second pictures for filters and references for comparison.
#pragma once

#include "source/source.h"

// Reads the picture in `file`, in any format of the sources, through the sandboxed
// helper. Blocks. Rejects, naming the file: non-files (folders, specifications such as
// phantom:…), moving pictures and incomplete pictures. Errors: any of ODL_ERROR.
OdlImage *odl_operand_read (const char *file, GCancellable *cancellable, GError **error)
    G_GNUC_WARN_UNUSED_RESULT;

// Likewise a volume, all its slices, or a picture; a volume over time is rejected.
// `floats` volumes of floats must fit into memory beside it (source/volume.h).
OdlImage *odl_operand_read_volume (const char *file,
                                   int floats,
                                   GCancellable *cancellable,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

// A sentence on how the volume of `file` lies otherwise than that of `source`, in size of
// voxels, direction or place, since filters compare voxels by their numbers. NULL: alike,
// as far as both say it. `spacing_mm` is that of the source's pictures, x and y. Transfer
// full. Reads what `source` says of itself, and `file` up to its first picture; blocks.
char *odl_operand_lies_otherwise (const OdlSource *source,
                                  const double spacing_mm[2],
                                  const char *file,
                                  GCancellable *cancellable);

// Likewise a kernel: a MetaImage, or what the helper's decoder of kernels reads.
OdlImage *odl_operand_read_kernel (const char *file,
                                   GCancellable *cancellable,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

// Opens a reference for comparison: a still, or what has a picture for each frame.
// Blocks. Rejects, naming the file: non-files and cameras.
OdlSource *odl_operand_open_reference (const char *file,
                                       GCancellable *cancellable,
                                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

// The picture that frame `index`, from 0, is compared with: the still, or the frame of
// the same number. Blocks. ODL_ERROR_USAGE: there are fewer. One call at a time.
OdlImage *odl_operand_read_reference (OdlSource *source,
                                      int64_t index,
                                      GCancellable *cancellable,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
