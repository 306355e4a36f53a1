// SPDX-License-Identifier: MIT
// What the sides of an array are, for all layouts.
#pragma once

#include "decoder/hdf5/layout.h"

// Sides from the end that are columns and rows, and colours; −1: none.
typedef struct {
  int x, y, channel;
  int pair; // two numbers of a place, if there are two
  int slice; // of a volume: the last one of all that are counted
} OdlH5Axes;

// Opens the arrays that the layout names. Errors as odl_h5_layout_find.
bool odl_h5_open_arrays (OdlH5Layout *layout,
                         const OdlH5File *file,
                         size_t memory,
                         GError **error);

// A side of the array from the end: 0 is the last one. 1: it has not so many.
uint64_t odl_h5_side (const OdlH5Layout *layout, int from_end);

// Takes the sides for what they are, and counts what is left as pictures.
bool odl_h5_take_axes (OdlH5Layout *layout, const OdlH5Axes *axes, GError **error);
bool odl_h5_count_frames (OdlH5Layout *layout, GError **error);

// A single number of a group; 0: there is none.
double odl_h5_number_at (const OdlH5File *file, const char *group, const char *name);

// The layouts of ultrasound research, each in a file of its own. `name`: where something
// lies; NULL: whatever the file says. *found: it is of that layout, and its sides are
// taken. Errors as odl_h5_layout_find, of what was found.
bool odl_h5_try_zea (OdlH5Layout *layout,
                     const OdlH5File *file,
                     const char *name,
                     size_t memory,
                     bool *found,
                     GError **error);
bool odl_h5_try_uff (OdlH5Layout *layout,
                     const OdlH5File *file,
                     const char *name,
                     size_t memory,
                     bool *found,
                     GError **error);
