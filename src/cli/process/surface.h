// SPDX-License-Identifier: MIT
// --mesh-output: the surface of a grid of control points, as a file of its own.
#pragma once

#include "cli/process/still.h"

// Takes the name from `options` into `task`, whose format and jobs are there.
// ODL_ERROR_USAGE: for several pictures, or with an unknown extension.
bool odl_process_parse_mesh (const OdlProcessOptions *options,
                             OdlProcess *task,
                             GError **error);

// Writes the mesh of the result of `still`, which is whole, or no file.
// ODL_ERROR_UNSUPPORTED: it is no grid; errors of the output.
bool
odl_process_write_mesh (const OdlProcess *task, const OdlStill *still, GError **error);
