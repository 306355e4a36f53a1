// SPDX-License-Identifier: MIT
// How the points of a sweep are called: numbers in the unit that cards have, with as many
// digits as people read. Main thread.
#pragma once

#include "session/sweep.h"
#include "widgets/units.h"

typedef struct {
  const OdlTrial *trial; // borrowed
  OdlUnitRange ranges[ODL_AXES_MOST]; // what 0 and 1 of each parameter are shown as
  char *units[ODL_AXES_MOST]; // of these, translated, ""
} OdlSweepWords;

// In the unit of the session, for the picture that it shows. Transfer full.
OdlSweepWords *odl_sweep_words_new (OdlSession *session, const OdlTrial *trial);
void odl_sweep_words_free (OdlSweepWords *words);

// "Threshold", or where several filters have that one "Threshold (Soft Threshold)".
// Transfer full.
char *odl_sweep_axis_title (const OdlSweepWords *words, guint axis);
// "PSNR (dB)"; `unit` is translated already, and may be NULL or "". Transfer full.
char *odl_sweep_with_unit (const char *title, const char *unit);
// "0.05", "haar", of filters what they are called. Transfer full.
char *odl_sweep_value_text (const OdlSweepWords *words, guint axis, guint index);
// "31.20" of a score, in the locale; "∞", "none". Transfer full.
char *odl_sweep_score_number (int score, double value);
// "31.20 dB". Transfer full.
char *odl_sweep_score_text (int score, double value);
// "Threshold 0.05, Levels 3", and with the filter before it where others stand in for it.
// Transfer full.
char *odl_sweep_values_text (const OdlSweepWords *words, const OdlSweepRow *row);
char *odl_sweep_point_text (const OdlSweepWords *words, const OdlSweepRow *row);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlSweepWords, odl_sweep_words_free)
