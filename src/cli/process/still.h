// SPDX-License-Identifier: MIT
// One picture of one input, in three steps.
#pragma once

#include "cli/process/process.h"
#include "cli/process/volume.h"
#include "source/dicom/presentation.h"

typedef struct {
  OdlImage *image; // as it was read, with the noise of the task
  OdlImage *clean; // as it was read, for comparison; NULL: there is no noise to compare
  OdlVolumes *volumes; // where a filter sees them whole; NULL: none does
  gint64 begin; // the frame with which their lead-in begins
  OdlInputLength length;
  OdlRows *rows; // of the result
  OdlImage *result; // NULL: the runner has the rows, which come while they are written
  OdlPlan *plan;
  char *description;
  OdlWindow window; // how it is shown, and the shape that it gets
  OdlShape shape;
  OdlPresentation *state; // that both are from; NULL: they are the task's
  OdlOutlines *outlines; // that are drawn over it; NULL: none
  float *contours; // image/contour/contour.h; NULL: nobody wants them
  bool apart; // another thread writes
} OdlStill;

// Each fills `still`, which must be zeroed, and reports what the user should know. The
// runner belongs to the filtering thread; with temporal filters reading filters, too.
// `apart`: another thread writes while the runner continues with the next picture.
bool
odl_still_read (OdlProcess *task, const OdlJob *job, OdlStill *still, GError **error);
bool odl_still_filter (OdlProcess *task,
                       const OdlJob *job,
                       OdlStill *still,
                       bool apart,
                       GError **error);

// *marked is set to 1 for a picture that could be read in part only. Any thread.
bool odl_still_write (OdlProcess *task,
                      const OdlJob *job,
                      OdlStill *still,
                      gint64 *marked,
                      GError **error);

void odl_still_clear (OdlStill *still);

// Bytes of memory from here to the file that is written; and what a file of `bytes` leads
// to expect that is not compressed.
double odl_still_cost (const OdlStill *still);
double odl_still_cost_of_file (double bytes);

// --mask-output and --contour-output: what the filter “contours” found, as files of their
// own.

// Takes the names from `options` into `task`, whose recipe, format and jobs are there.
// A “%” in the last part of a name stands for that of the picture's result, without its
// extension. ODL_ERROR_USAGE: without contours, for videos, without “%” for several
// pictures, or with an unknown extension.
bool odl_process_parse_contours (const OdlProcessOptions *options,
                                 OdlProcess *task,
                                 GError **error);

// --mesh-output: the surface of a grid of control points, as a file of its own.

// Takes the name from `options` into `task`, whose format and jobs are there.
// ODL_ERROR_USAGE: for several pictures, or with an unknown extension.
bool odl_process_parse_mesh (const OdlProcessOptions *options,
                             OdlProcess *task,
                             GError **error);
