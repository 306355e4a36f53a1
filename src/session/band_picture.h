// SPDX-License-Identifier: MIT
// The coefficients that a filter leaves, as the view of them shows these, and how much of
// their energy that is, made beside the picture (aside.h). Main thread.
#pragma once

#include "image/details.h"
#include "session/player/frame.h"

// Of a volume whose bands lie along z, too, those of the slice that is seen: at the left
// the bands that are low along z, and right of them the others, level by level, the
// finest first.
typedef struct {
  int width, height; // of the whole picture of bands, samples
  int left_width; // of that at the left; of pictures `width`
  int channels; // 1 or 3
  uint8_t *levels_shown; // interleaved, width × height × channels
  OdlDetails details; // of it
  int told[ODL_DETAIL_LEVELS]; // how many times as strong as samples, finest level first
  // Σ squares of the detail coefficients of a level, before the filter and after it.
  double before[ODL_MAX_LEVELS], after[ODL_MAX_LEVELS];
  // Of a volume the slices that these are of, counted from 0, and how many there are, and
  // the slice that is seen; else 0.
  int first, n_slices, n_all, seen;
} OdlBandPicture;

// Borrowed.
typedef void (*OdlBandPictureCb) (const OdlBandPicture *picture, void *data);

typedef struct _OdlBandPictures OdlBandPictures;

OdlBandPictures *odl_band_pictures_new (OdlBandPictureCb cb, void *data);
void odl_band_pictures_free (OdlBandPictures *pictures); // no more calls

// As odl_band_meter_show; filters that have no picture of coefficients make none.
void
odl_band_pictures_show (OdlBandPictures *pictures, OdlFrame *frame, bool other, int item);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlBandPictures, odl_band_pictures_free)
