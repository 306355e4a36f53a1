// SPDX-License-Identifier: MIT
// The order of a presentation: which source and recipe are shown at which time, and where
// the divider of the wipe is. Pure arithmetic on numbers of sources and recipes. Times
// are microseconds of a monotonic clock. Any thread.
#pragma once

#include <glib.h>
#include <stdbool.h>

// The built-in recipes, as text; NULL-terminated.
extern const char *const odl_presentation_recipes[];

// How long each source is shown by default.
#define ODL_PRESENTATION_DWELL_S 20.0
#define ODL_PRESENTATION_DWELL_MIN_S 1.0
#define ODL_PRESENTATION_DWELL_MAX_S 86400.0

typedef enum {
  ODL_PRESENTATION_OPENING, // the source was asked for
  ODL_PRESENTATION_SHOWING,
  ODL_PRESENTATION_FAILED, // a sentence says why; the next source comes when it was read
} OdlPresentationState;

typedef struct {
  int n_sources; // at least 1
  int n_recipes; // at least 1
  int64_t dwell_us;
  OdlPresentationState state;
  int source; // number of the source that is shown or being opened
  int recipe;
  bool paused;
  int64_t since_us; // when `elapsed_us` was counted last
  int64_t elapsed_us; // in this state, pauses left out
  int64_t shown_us; // how long it was shown before it failed, or before all stopped
} OdlPresentation;

// What has to be done now.
typedef enum {
  ODL_PRESENTATION_STAY,
  ODL_PRESENTATION_OPEN, // open `source` with `recipe`
  ODL_PRESENTATION_CHANGE, // set `recipe`
} OdlPresentationMove;

// Begins with source 0, to be opened at once. `dwell_s` 0: the default; else it is cut to
// the limits above.
OdlPresentation
odl_presentation_begin (int n_sources, int n_recipes, double dwell_s, int64_t now_us);

// Time passes: to be asked once per frame.
OdlPresentationMove odl_presentation_advance (OdlPresentation *show, int64_t now_us);

// The source's first picture is on screen: its time begins.
void odl_presentation_shown (OdlPresentation *show, int64_t now_us);

// The source cannot be opened, or was lost.
void odl_presentation_failed (OdlPresentation *show, int64_t now_us);

// The source that was lost is back before the next one came: it keeps the rest of its
// time.
void odl_presentation_recovered (OdlPresentation *show, int64_t now_us);

// The user moves on by `sources`; returns ODL_PRESENTATION_OPEN.
OdlPresentationMove
odl_presentation_step (OdlPresentation *show, int sources, int64_t now_us);

void odl_presentation_set_paused (OdlPresentation *show, bool paused, int64_t now_us);

// Nothing of what is to be shown is on screen yet, although its source is open: its time
// waits.
void odl_presentation_hold (OdlPresentation *show, int64_t now_us);

// What was left goes on: the source that it stopped at is to be opened, and keeps the
// rest of its time.
void odl_presentation_resume (OdlPresentation *show, int64_t now_us);

// Which part of the width shows the original, 0 … 1. Each recipe begins and ends with 1,
// so that nobody sees one replace another.
double odl_presentation_wipe (const OdlPresentation *show);
