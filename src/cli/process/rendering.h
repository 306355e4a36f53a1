// SPDX-License-Identifier: MIT
// --rendering: volumes as they are seen from outside, as a picture, or turning; and
// --plane (cli/process/plane.h): a picture of each volume.
#pragma once

#include "cli/process/process.h"

// Takes what is shown from `options` into `task`, whose format is there. ODL_ERROR_USAGE:
// an unknown name, or a format that holds values.
bool odl_process_parse_rendering (const OdlProcessOptions *options,
                                  OdlProcess *task,
                                  GError **error);

// Writes one input, which is complete or not there; *marked as for odl_process_moving, of
// volumes. ODL_ERROR_UNSUPPORTED: it is no volume, or of another unit; any of ODL_ERROR.
bool
odl_process_render (OdlProcess *task, const OdlJob *job, gint64 *marked, GError **error);
