// SPDX-License-Identifier: MIT
// The grayscale standard display function (PS3.14), and what a measured screen needs to
// follow it: equal steps of grey then look equally far apart. Any thread.
#pragma once

#include "image/display/curve.h"

// Of the index of just noticeable differences, and of luminance, cd/m².
#define ODL_GSDF_FIRST 1.0
#define ODL_GSDF_LAST 1023.0

// PS3.14 section 7, equation 1: the luminance (cd/m²) of index j, 1 … 1023.
double odl_gsdf_luminance (double j);

// Its inverse: the index of a luminance, by bisection of equation 1; beyond the ends
// these. (The standard's own equation 2 is off by up to 0.3 of an index.)
double odl_gsdf_index (double luminance);

#define ODL_MONITOR_MOST_LEVELS 256
#define ODL_MONITOR_LEAST_LEVELS 10

// A screen: what it emits, at levels of grey that were measured.
typedef struct {
  int n;
  double level[ODL_MONITOR_MOST_LEVELS]; // ascending from 0 to 255
  double luminance[ODL_MONITOR_MOST_LEVELS]; // cd/m², ambient light included, rising
  double ambient; // that is included
  char date[11]; // "2026-11-26", or ""
} OdlMonitor;

// Reads lines of "LEVEL, LUMINANCE", without ambient light, with commas, semicolons, tabs
// or blanks between them; beside them "ambient, LUMINANCE" and "date, 2026-11-26" once
// each, empty lines, comments after #, and words in the first line. ODL_ERROR_CORRUPT,
// naming the line: no numbers, fewer levels than ODL_MONITOR_LEAST_LEVELS, or without 0
// and 255, luminance that does not rise, is negative, or beyond what the standard
// describes.
bool odl_monitor_parse (OdlMonitor *screen, const char *text, GError **error);

// The luminance at a level of grey, 0 … 255, by monotone cubic interpolation of its
// logarithm (F. Fritsch, J. Butland, "A method for constructing local monotone piecewise
// cubic interpolants", SIAM Journal on Scientific and Statistical Computing 5 (1984)).
double odl_monitor_luminance (const OdlMonitor *screen, double level);

// Grey levels 0 … 1 of the screen for P-values 0 … 1 (PS3.14 section 6): equal steps of
// these are equal numbers of just noticeable differences between its darkest and its
// brightest level.
OdlCurve *odl_monitor_curve (const OdlMonitor *screen);

// `curve` (NULL: none), inverted if wanted, and then `screen`, in one table. With what a
// display inverts afterwards (OdlDisplay.invert) taken back, so that it can replace
// `curve` there.
OdlCurve *
odl_curve_on_monitor (const OdlCurve *curve, bool invert, const OdlCurve *screen);
