// SPDX-License-Identifier: MIT
// Histograms and other numbers of the bands that a filter of wavelet coefficients reads,
// measured beside the picture (aside.h). Main thread.
#pragma once

#include "session/player/frame.h"

// Bins of magnitudes, each ¼ octave, up to 1, full scale; what is smaller is in the
// first.
#define ODL_METER_BINS 64
#define ODL_METER_PER_OCTAVE 4

typedef struct {
  double bins[ODL_METER_BINS]; // coefficients
  double n; // coefficients
  double energy; // mean square, fraction of full scale squared
  double sigma; // of noise, by the median of the magnitudes over 0.6745; of complex
                // coefficients over 1.1774, that of their real and imaginary parts;
                // without the picture's surroundings (filter/noise.h)
} OdlMeteredBand;

// Of the dual tree each detail band has the magnitudes of two orientations: rising to the
// right (n), and to the left (ODL_DETAIL_BANDS + n). Volumes that are transformed along
// z, too, have seven: HLL, LHL and HHL, then HLH, LHH and HHH, and LLH.
#define ODL_METER_ORIENTATIONS (2 * ODL_DETAIL_BANDS)
#define ODL_METER_OCTANTS (2 * ODL_DETAIL_BANDS + 1)
#define ODL_METER_BANDS ODL_METER_OCTANTS // at most

typedef struct {
  int levels;
  int n_bands; // of a level: ODL_DETAIL_BANDS, or one of the numbers above
  // Of a volume the slices that were measured, counted from 0, and how many there are;
  // else 0.
  int first, n_slices, n_all;
  OdlMeteredBand bands[ODL_MAX_LEVELS][ODL_METER_BANDS];
} OdlMetered;

// Borrowed numbers.
typedef void (*OdlBandMeterCb) (const OdlMetered *metered, void *data);

typedef struct _OdlBandMeter OdlBandMeter;

OdlBandMeter *odl_band_meter_new (OdlBandMeterCb cb, void *data);
void odl_band_meter_free (OdlBandMeter *meter); // the callback is not called again

// Whether the bands of filter `item` can be measured: with no filter over time before it,
// and none of four dimensions. Of the stationary transform those coefficients are counted
// that the decimated one has, too: of level n every 2ⁿ-th along either side.
bool odl_band_meter_suits (const OdlRecipe *recipe, int item);

// Measures what filter `item` of the frame's recipe reads in that frame, or with `other`
// that of the recipe that it is compared with; nothing where it is compared with none.
// Frames that come faster than they can be measured are skipped.
void odl_band_meter_show (OdlBandMeter *meter, OdlFrame *frame, bool other, int item);

// The place of a magnitude among the bins, 0 … ODL_METER_BINS, and back. Any thread, as
// the next ones.
double odl_meter_place (double magnitude);
double odl_meter_magnitude (double place);

// The share of a band's coefficients up to `threshold`, by its bins.
double odl_meter_share (const OdlMeteredBand *band, double threshold);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlBandMeter, odl_band_meter_free)
