// SPDX-License-Identifier: MIT
// Arrays that other programs show: pictures, frames and volumes in memory, which a
// location such as array:NAME names as long as somebody shows them.
#pragma once

#include "source/source.h"

#define ODL_ARRAY_PREFIX "array:"

// Frames and slices of one array.
#define ODL_ARRAY_MOST_FRAMES 65536

// Samples lie row by row, slice by slice and time by time; channels are interleaved.
typedef struct {
  OdlSampleType type; // not S16
  int width, height;
  int channels; // 1, 3 or 4
  int slices; // of each volume; 0: pictures
  int frames; // in time, at least 1
  double minimum, maximum; // that are black and white; equal: as the type has them, of
                           // floats beyond 0 … 1 what there is
  double spacing_mm[3]; // in x, y and z; 0: unknown
  double rate; // frames per second; 0: unknown
  double *times_s; // of each of `frames`, ascending; NULL: by the rate
} OdlArrayShape;

typedef struct _OdlArray OdlArray; // immutable, any thread

// Bytes of the samples. False: it is no shape, or the samples are more than an image may
// have; ODL_ERROR_USAGE, ODL_ERROR_TOO_LARGE.
bool odl_array_shape_bytes (const OdlArrayShape *shape, size_t *bytes, GError **error);

// Takes ownership of `samples`, from odl_aligned_alloc. Looks at all samples of floats
// without a range. Any thread.
OdlArray *odl_array_new (const OdlArrayShape *shape, void *samples);
OdlArray *odl_array_ref (OdlArray *array);
void odl_array_unref (OdlArray *array);

// The array that a location names from now on, NULL: none. What shows the one before
// keeps it. Any thread.
void odl_array_put (const char *location, OdlArray *array);
bool odl_array_is_location (const char *location);

// Forgets those whose location `keeps` says no to.
void odl_array_forget (bool (*keeps) (const char *location, void *data), void *data);

// Whether the source shows an array that another one has taken the place of. If that is a
// picture like it, the source has it from now on, and *image (transfer full) is it; else
// it has to be opened again (NULL).
bool odl_array_source_renew (OdlSource *source, OdlImage **image);

// All slices of the volume that this frame belongs to. Transfer full; NULL: it shows no
// array, or one without volumes.
OdlImage *odl_array_source_volume (OdlSource *source, int64_t index);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlArray, odl_array_unref)
