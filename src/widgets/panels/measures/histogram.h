// SPDX-License-Identifier: MIT
// OdlHistogram: how often each value occurs in a picture, with the grey-level window
// drawn over it. A drag moves the window, or one of its ends; the arrow keys move its
// centre, with Shift they change its width. Main thread.
//
// Signals:
//   chosen (double centre, double width)  somebody moved the window
#pragma once

#include <gtk/gtk.h>

#include "image/image.h"

#define ODL_TYPE_HISTOGRAM (odl_histogram_get_type ())
G_DECLARE_FINAL_TYPE (OdlHistogram, odl_histogram, ODL, HISTOGRAM, GtkWidget)

#define ODL_HISTOGRAM_BINS 128

// Values of a picture, of colours their luma: counts between `least` and `most`.
typedef struct {
  double least, most; // equal: there is one value, or none
  guint counts[ODL_HISTOGRAM_BINS];
} OdlHistogramCounts;

// Of rows and columns spread over the whole picture, at most some hundred thousand
// values, so that it costs the same for every size. `came`: the picture that a result was
// made of, whose unit the values have, as the window has; NULL: the picture's own.
void odl_histogram_count (const OdlImage *image,
                          const OdlImage *came,
                          OdlHistogramCounts *counts);

// NULL: there is no picture. The pictures are only looked at.
void odl_histogram_set_picture (OdlHistogram *histogram,
                                const OdlImage *image,
                                const OdlImage *came);
// What was counted; NULL: there is no picture. Borrowed.
const OdlHistogramCounts *odl_histogram_counts (OdlHistogram *histogram);
void odl_histogram_set_window (OdlHistogram *histogram, double centre, double width);

// Where a value stands, as a share of the widget's width.
double odl_histogram_place (OdlHistogram *histogram, double value);
