// SPDX-License-Identifier: MIT
// Writes volumes, and volumes over time, as MetaImage (.mha), NIfTI-1 (.nii, .nii.gz) or
// NRRD (.nrrd, packed by gzip), values as odl_values_form has them with the place in the
// body, or as a TIFF file of a page for each slice or as HDF5 (.h5), which have distances
// but no place, or as an array of NumPy (.npy), which has neither. The last four hold
// pictures that follow one another, too, as slices of
// depth 1. The file appears when it is complete, or not at all.
//
// Formats: ITK's MetaIO (metaImage), whose world is LPS as DICOM's; nifti1.h, whose world
// is RAS, so that x and y change their signs; teem's NRRD, version 5, with the times as
// the last axis, as 3D Slicer has sequences since 5.10; for TIFF the lines of ImageJ,
// which say what is a slice, what a time, and how far apart they are.
#pragma once

#include "image/volume/shape.h"
#include "output/output.h"
#include "output/values.h"

typedef struct _OdlVolumeFile OdlVolumeFile;

typedef enum {
  ODL_VOLUME_NONE,
  ODL_VOLUME_METAIMAGE, // it holds beams that follow one another, too
  ODL_VOLUME_NIFTI, // packed by gzip if the path ends with .gz
  ODL_VOLUME_TIFF, // this and the following hold pictures, too
  ODL_VOLUME_OME, // a TIFF file
  ODL_VOLUME_NRRD,
  ODL_VOLUME_HDF5,
  ODL_VOLUME_NPY,
} OdlVolumeFormat;

// Whether it holds what is no volume: a picture, or pictures that follow one another;
// `beams`: those of ultrasound. Any thread.
bool odl_volume_format_holds_pictures (OdlVolumeFormat format, bool beams);

// `sure`: of the type of the numbers, which the first slice decides for all; begin with
// ODL_SURE_OF_THIS. `replace`: it may replace an existing file. ODL_ERROR_IO, naming
// `path`.
OdlVolumeFile *odl_volume_file_new (OdlOutputGuard *guard,
                                    const char *path,
                                    OdlVolumeFormat format,
                                    const OdlVolumeShape *shape,
                                    OdlSure sure,
                                    bool replace,
                                    GError **error);

// Appends a slice; the first one sets size, channels and spacing. ODL_ERROR_UNSUPPORTED
// if the format cannot hold it, or if it differs from the first; ODL_ERROR_IO; errors of
// the rows. After an error only odl_volume_file_abandon may be called.
bool odl_volume_file_write (OdlVolumeFile *file, const OdlValues *slice, GError **error);

// Whether the last slice was refused since its numbers do not fit the type of the
// first's: then all are to be written again, into a file that is `next` sure. False for
// NULL.
bool odl_volume_file_is_unsuited (const OdlVolumeFile *file, OdlSure *next);

gint64 odl_volume_file_bytes (const OdlVolumeFile *file); // that were written so far

// Publishes the file; frees it, also on failure. ODL_ERROR_UNSUPPORTED if slices are
// missing.
bool odl_volume_file_finish (OdlVolumeFile *file, GError **error);
void odl_volume_file_abandon (OdlVolumeFile *file); // NULL is fine
