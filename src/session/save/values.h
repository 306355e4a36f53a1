// SPDX-License-Identifier: MIT
// Writes the values of one frame as a TIFF file or, where the name says so, as a lossless
// JPEG 2000 file or the control points of a surface (OBJ), identical to those of the
// command line; those of volumes slice by slice.
#pragma once

#include "output/volume_file.h"
#include "session/player/frame.h"
#include "source/source.h"

// `result` is that of the frame. What stands at `path` is replaced. Errors: ODL_ERROR_IO,
// ODL_ERROR_TOO_LARGE, ODL_ERROR_UNSUPPORTED for OBJ without control points, those of
// odl_jpeg2000_write. Any thread.
bool odl_values_save (const char *path,
                      const OdlFrame *frame,
                      OdlImage *result,
                      GError **error);

// The file at `path` for `n` frames of the source from `first` on, as odl_volume_file_new
// has it. Errors of that, and of odl_volume_shape_find. Any thread.
OdlVolumeFile *odl_values_open_volume (const OdlSource *source,
                                       int64_t first,
                                       int64_t n,
                                       OdlVolumeFormat format,
                                       const char *path,
                                       OdlSure sure,
                                       bool replace,
                                       GError **error);

typedef struct {
  OdlImage *image; // before the filters
  OdlImage *shown; // the result
  const OdlPlan *plan;
  const char *description;
  bool damaged;
} OdlSliceToSave;

// Errors of odl_volume_file_write. Any thread.
bool
odl_values_write_slice (OdlVolumeFile *file, const OdlSliceToSave *slice, GError **error);
