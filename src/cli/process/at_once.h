// SPDX-License-Identifier: MIT
// Several inputs whose frames all go into a file each, such as DICOM, at the same time:
// each thread does one input from beginning to end, with an engine of its own. Results
// and messages, in the order of the inputs, are those of one after the other.
#pragma once

#include "cli/process/process.h"

// Whether that is so for the task: several files that become DICOM, and an engine on the
// processor. Not where standard output, or progress in lines, tells of one after the
// other.
bool odl_at_once_is_possible (const OdlProcess *task);

// Does all of them. `run` does one; `task` is then the thread's own. Returns how many
// failed; *marked as for odl_process_moving, of all.
guint odl_at_once_run (
    OdlProcess *task,
    bool (*run) (OdlProcess *task, const OdlJob *job, gint64 *marked, GError **error),
    gint64 *marked);
