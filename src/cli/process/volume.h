// SPDX-License-Identifier: MIT
// Whole volumes, and pictures with those before and after them, of one input of a task.
#pragma once

#include "cli/process/process.h"
#include "work/volumes.h"

// The volumes of `location`, which is opened once more, if the filters of the task see
// them (odl_recipe_sees_volumes).
OdlVolumes *
odl_process_open_volumes (OdlProcess *task, const char *location, GError **error);

// Of a camera, whose filters look at later frames when these have come, which is said. It
// is opened but once: *capture is replaced by a source of the frames that are kept, from
// which its owner reads, too.
OdlVolumes *odl_process_follow (OdlProcess *task, const char *input, OdlSource **capture);
