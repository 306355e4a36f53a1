// SPDX-License-Identifier: MIT
// Which array of a file is its picture, and what each of its axes is: of the layouts that
// are known (zea; UFF of USTB and 0.3), of arrays that MATLAB wrote, and of plain ones.
#pragma once

#include "decoder/hdf5/array.h"
#include "decoder/hdf5/file.h"
#include "image/beams.h"

// What two numbers of a place are.
typedef enum {
  ODL_H5_SINGLE,
  ODL_H5_PAIRS, // one behind the other
  ODL_H5_TWO_ARRAYS,
} OdlH5Parts;

typedef struct {
  const char *kind; // for people, "" for plain arrays
  char *path, *other_path; // of the array, and of the imaginary part
  OdlH5Array array, other;
  OdlH5Parts parts; // of which the magnitude is shown, or both
  bool whole[ODL_H5_MAX_SIDES]; // sides that a picture has all of; the others are counted
  uint32_t width, height, channels;
  uint64_t step[3]; // to the next column, row and channel in what is read of a picture
  uint32_t n_frames, n_slices; // of all, and of each volume (0: no volumes)
  bool is_raw; // from before beamforming
  uint32_t n_events; // pictures of each frame, of channel data of UFF; 0: others
  uint32_t n_tracks, track; // of zea, and the one that is shown
  bool is_named; // somebody chose that one
  bool has_odd_places; // they are said, but are no grid
  OdlBeamContent content; // what samples are if they lie on beams
  double spacing_mm[3]; // 0: unknown
  OdlBeams beams; // NONE: pixels
  OdlBeams upright; // where pixels of an even grid lie if they are samples of beams
  double rate; // of frames in a second; 0: unknown
  const char *rate_name; // which says it
  GArray *stamps_s; // double, of the frames; NULL: unknown
  char *unit; // NULL: unknown
} OdlH5Layout;

// Finds the picture that lies at `name`, or the one that the file says (NULL). `memory`:
// most for a chunk. ODL_ERROR_UNSUPPORTED with what lies in the file, _CORRUPT,
// _TOO_LARGE. Clear it in any case.
bool odl_h5_layout_find (OdlH5Layout *layout,
                         const OdlH5File *file,
                         const char *name,
                         size_t memory,
                         GError **error);
// Numbers that a picture has of the array.
uint64_t odl_h5_layout_numbers (const OdlH5Layout *layout);

void odl_h5_layout_clear (OdlH5Layout *layout);

// Whether both numbers of a place are shown, as beams have them: one half of a picture
// beside the other.
bool odl_h5_beams_split (const OdlH5Layout *layout);

// Takes what a file's key says of beams. False: it does not suit the samples.
bool odl_h5_beams_take_key (OdlH5Layout *layout, const OdlBeams *beams);

// Before compression columns of an even grid are beams, too; what is compressed and lies
// on one is a picture. Without a place numbers of two parts have a magnitude alone.
void odl_h5_beams_settle (OdlH5Layout *layout);

// In grid.c: sets spacings or beams by the places of columns and rows in metres, or says
// that they are odd.
void odl_h5_grid_linear (OdlH5Layout *layout, const double *x_m, const double *z_m);
void odl_h5_grid_sector (OdlH5Layout *layout,
                         const double *angles,
                         const double *depths_m,
                         const double apex_m[2]);
// The same by the place (x, y, z) of each pixel, row by row.
void odl_h5_grid_places (OdlH5Layout *layout, const float *places_m);

// The arrays of numbers that lie in a file.

// With their sides and types: "/a (10×20 float), …". Transfer full. *n: how many there
// are.
char *odl_h5_list_text (const OdlH5File *file, unsigned *n);
