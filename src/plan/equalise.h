// SPDX-License-Identifier: MIT
// What EQUALISE measures, and CLAHE applies: contrast-limited adaptive histogram
// equalisation.
//
// Tiles. The picture is cut into tiles × tiles rectangles of width / tiles × height /
// tiles samples, if both are whole numbers. Else either side of a tile is the next larger
// whole number, also where that side of the picture would have been cut evenly; tiles
// that reach beyond the right and bottom end see the picture mirrored (whole-sample
// border).
//
// Curves. A sample s, clamped to 0 … 1, belongs to bin ⌊s · (bins − 1) + 1/2⌋ of its
// tile. With a limit, a whole number of samples, what a bin has beyond it is taken off,
// and of the E that were taken, each bin gets ⌊E / bins⌋; of the R that remain, one goes
// to each of the bins 0, d, 2 d … up to the last, d = ⌊bins / R⌋. Number i of the curve
// is the share of all samples in bins 0 … i.
//
// Application. The curve of a tile, with straight lines between its numbers, at s; of the
// four tiles whose middles surround a sample the bilinear mean, at the ends those that
// there are.
//
// K. Zuiderveld, "Contrast limited adaptive histogram equalization", Graphics Gems IV
// (1994), pages 474 to 485, with the limit, the middles and the order in which remains
// are handed out that OpenCV's createCLAHE has, so that whole samples of as many values
// as there are bins become the same, but for its rounding.
//
// Samples that are not whole may fall to either side of a bin's end by rounding, which is
// worth one sample of a tile.
#pragma once

#include <glib.h>

typedef struct {
  int width, height;
} OdlEqualiseTile;

// Samples of a tile of a picture.
static inline OdlEqualiseTile
odl_equalise_tile (int width, int height, int tiles)
{
  const int more = width % tiles != 0 || height % tiles != 0;

  return (OdlEqualiseTile){ width / tiles + more, height / tiles + more };
}

// The limit of a bin for tiles of so many samples; 0: there is none. `clip`: how many
// times the mean of a bin, 0 for none.
double odl_equalise_limit (double clip, int samples, int bins);

// Takes off what bins have beyond `limit`, and hands out what remains of it, as above.
// Returns what each bin gets besides, which is not added yet. Any thread.
guint32 odl_equalise_clip (guint32 *counts, int bins, guint32 limit);

static inline int
odl_equalise_bin (double sample, int bins)
{
  return (int) (CLAMP (sample, 0, 1) * (bins - 1) + 0.5);
}

// Along an axis: the tile before position x, or the first one, the one behind it, or the
// last one, and the share of the latter.
typedef struct {
  int before, behind;
  double share;
} OdlEqualisePlace;

static inline OdlEqualisePlace
odl_equalise_place (int x, int tile, int tiles)
{
  const double at = (double) x / tile - 0.5;
  const int before = at < 0 ? -1 : (int) at;

  return (OdlEqualisePlace){ MAX (before, 0), MIN (before + 1, tiles - 1), at - before };
}
