// SPDX-License-Identifier: MIT
// What the card of a filter shows of that filter's measurements. Each kind is a row in a
// file of its own, and is named in the table in measure_row.c. Their widgets may activate
// "measure.set", key and value ("sd"): sets a parameter of the filter, or with
// ODL_VALUE_AUTO has it measured; calls in a row are one step of the history. Main
// thread.
#pragma once

#include <gtk/gtk.h>

#include "filter/filter.h"
#include "image/image.h"
#include "image/unit.h"
#include "plan/step.h"

typedef struct {
  OdlFilterKind filter;
  // A widget that shows nothing yet. `levels` of the filter's transform; 0: it has none.
  GtkWidget *(*make) (int levels);
  // Shows what `step` of the filter wrote (plan/numbers.h), in that unit; `image` is the
  // picture as it came.
  void (*show) (GtkWidget *widget,
                const OdlStep *step,
                const float *numbers,
                const OdlImage *image,
                OdlUnit unit);
} OdlMeasure;

extern const OdlMeasure odl_bayes_measure;
extern const OdlMeasure odl_trough_measure;

// Three significant digits, since more would flicker; with the locale's decimal
// separator. Transfer full.
char *odl_measure_number (double value);

// The text that comes first, and wraps; a caption below or beside a histogram.
GtkWidget *odl_measure_text (const char *text);
GtkWidget *odl_measure_caption (const char *text);

// A grid with a column for each of HL, LH and HH, after one for the numbers of the
// levels, which have `rows` rows each. The first row of it names the bands.
GtkWidget *odl_measure_band_grid (int levels, int rows);

// Sources of `cr` for the bars of a histogram (`alpha` of the text's colour) and for the
// line across it.
void odl_measure_use_bars (GtkDrawingArea *area, cairo_t *cr, double alpha);
void odl_measure_use_line (GtkDrawingArea *area, cairo_t *cr);

// The height of a bar of `count` samples: square roots, so that few samples are seen
// beside many.
double odl_measure_bar (double count, double most, int height);
