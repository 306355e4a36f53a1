// SPDX-License-Identifier: MIT
// --plane: planes of volumes, as the window shows them; also for `measure`.
#pragma once

#include "cli/process/process.h"

// What was typed. ODL_ERROR_USAGE: it is no plane.
bool odl_plane_parse (const char *text, OdlOnPlane *on, GError **error);

// Whether `source`, which was opened as `input`, has slices to lay planes through.
// ODL_ERROR_USAGE, which says how its pictures can be taken for slices.
bool odl_plane_has_slices (const OdlSource *source, const char *input, GError **error);

// Whether `volume` has the plane, which was typed as `text`. ODL_ERROR_USAGE.
bool odl_plane_is_in (const OdlOnPlane *on,
                      const char *text,
                      const OdlImageInfo *volume,
                      GError **error);

// Takes --plane from `options` into `task`, whose format is there. ODL_ERROR_USAGE: it is
// none, or does not suit what is written.
bool odl_process_parse_plane (const OdlProcessOptions *options,
                              OdlProcess *task,
                              GError **error);
