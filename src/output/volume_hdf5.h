// SPDX-License-Identifier: MIT
// What stands before the samples of an HDF5 file in zea's layout. A map of "data" has its
// "values" (frames × z × x, then y of volumes, then colours), the place of each as
// "coordinates" in metres, where it is known, and what they are; the times of frames are
// a signal, "metadata/frame_times". The map is "image"; "color_image" of colours; of
// beams what zea calls them: "beamformed_data", with both numbers of IQ, and
// "envelope_data". The key that says where beams lie is an attribute of theirs, since
// places in metres are rounded.
//
// Slices of volumes are chunks, so that they are written one after the other although
// numbers of all slices stand beside each other in the array.
#pragma once

#include "image/image.h"
#include "image/number.h"
#include "image/volume/shape.h"
#include "output/output.h"

typedef struct {
  OdlNumberType type; // whole numbers and floats
  const OdlImageInfo *first; // of the pictures; its samples are not read
  const OdlVolumeShape *shape;
  double spacing_mm[3]; // 0: unknown
  const char *unit, *description; // UTF-8, not empty
} OdlHdf5Pictures;

// Adds what was written to *bytes. ODL_ERROR_UNSUPPORTED: slices of 4 GB; _IO.
bool odl_hdf5_write_head (const OdlHdf5Pictures *pictures,
                          OdlOutput *output,
                          gint64 *bytes,
                          GError **error);

// A row of numbers in the file's order: of IQ the two of a place stand beside each other.
// Returns `row`, or `room`, which is as large, with what became of it.
const void *
odl_hdf5_row (const OdlImageInfo *first, OdlNumberType type, const void *row, void *room);
