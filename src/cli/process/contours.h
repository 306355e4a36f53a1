// SPDX-License-Identifier: MIT
// --mask-output and --contour-output: what the filter “contours” found, as files of their
// own.
#pragma once

#include "cli/process/process.h"

// Takes the names from `options` into `task`, whose recipe, format and jobs are there.
// A “%” in the last part of a name stands for that of the picture's result, without its
// extension. ODL_ERROR_USAGE: without contours, for videos, without “%” for several
// pictures, or with an unknown extension.
bool odl_process_parse_contours (const OdlProcessOptions *options,
                                 OdlProcess *task,
                                 GError **error);

// The numbers of the contours of the picture that the runner processed last; NULL where
// nobody asked for them, or on errors. Transfer full.
float *odl_process_contours (const OdlProcess *task, const OdlPlan *plan, GError **error);

// Writes the files that were asked for, each whole or not at all, and says where nothing
// was found. `source`: the picture as it came.
bool odl_process_write_contours (const OdlProcess *task,
                                 const OdlJob *job,
                                 const float *numbers,
                                 const OdlImage *source,
                                 const char *description,
                                 GError **error);
