// SPDX-License-Identifier: MIT
// A sweep or a search (work/sweep/) in threads of its own, and what it found. Main
// thread.
#pragma once

#include "work/sweep/search.h"

// Points that are kept at most; a table of more belongs to the command line.
#define ODL_SWEEP_MOST_POINTS 100000

typedef struct _OdlSweep OdlSweep;

// Called once, in the main context that was the thread's default in odl_sweep_new, at the
// end. ODL_ERROR_CANCELLED after odl_sweep_cancel; what was found before stays.
typedef void (*OdlSweepCb) (const GError *error, void *data);

// One point.
typedef struct {
  gint64 point;
  guint indices[ODL_AXES_MOST]; // of the values of each parameter
  OdlScores scores; // none where it was refused
  double seconds; // that it took, by the clock, beside others
  char *refusal; // why it cannot be computed, translated; NULL: it was
} OdlSweepRow;

void odl_sweep_row_free (OdlSweepRow *row);

typedef struct {
  bool reading; // the pictures
  gint64 done, total; // points; total 0: a search, which says only at its end
} OdlSweepState;

// Begins it. All of `params` but what it says of notes and of giving up is copied.
// `searches`: for the best point alone. NULL: nothing was begun. ODL_ERROR_USAGE: it
// cannot be done; ODL_ERROR_TOO_LARGE: the system allows no more threads.
OdlSweep *odl_sweep_new (const OdlTrialParams *params,
                         bool searches,
                         OdlSweepCb cb,
                         void *data,
                         GError **error);

// Cancels and waits; the callback is not called again. Accepts NULL.
void odl_sweep_free (OdlSweep *sweep);
void odl_sweep_cancel (OdlSweep *sweep); // does not wait
bool odl_sweep_ended (const OdlSweep *sweep); // the callback was called

OdlSweepState odl_sweep_state (OdlSweep *sweep);

// What was found since the last call, OdlSweepRow. Transfer full.
GPtrArray *odl_sweep_take (OdlSweep *sweep);

// The first note of a picture or a recipe, translated; NULL: none by now. Transfer full.
char *odl_sweep_note (OdlSweep *sweep);

// What is varied, and how it is measured; its pictures are the threads'.
const OdlTrial *odl_sweep_trial (const OdlSweep *sweep);

// The scores of the pictures as they come; false: not known yet.
bool odl_sweep_before (OdlSweep *sweep, OdlScores *scores);

// Writes the table of these rows, of OdlSweepRow in the order of their points, as
// `ondelette-cli sweep --csv` does, or under a name that ends with .svg, .png or .pdf the
// plot of `--plot`; a file that is there is replaced. Once it has ended. ODL_ERROR_IO;
// ODL_ERROR_USAGE: a file that it reads, or there is too much to draw.
bool
odl_sweep_save (OdlSweep *sweep, const GPtrArray *rows, const char *path, GError **error);

// What a shell takes to do the same: `ondelette-cli sweep`, or `optimise`. The table goes
// to `csv`; of a search there is none. Transfer full.
char *odl_sweep_command (const OdlSweep *sweep, const char *csv);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlSweep, odl_sweep_free)
