// SPDX-License-Identifier: MIT
// Pictures as a presentation state says that they are looked at.
#pragma once

#include "cli/process/still.h"

// Reads the state that --presentation-state names, into task->work.state.
// ODL_ERROR_USAGE: it does not suit what is written; ODL_ERROR_UNSUPPORTED: the file is
// none; ODL_ERROR_IO.
bool odl_process_read_state (const OdlProcessOptions *options,
                             OdlProcess *task,
                             GError **error);

// Sets how `still`, which was read, is written; without a state as the options say.
// ODL_ERROR_UNSUPPORTED: the state is for other pictures. Any thread.
bool odl_process_present (const OdlProcess *task,
                          const OdlJob *job,
                          OdlStill *still,
                          GError **error);

// A way to turn a picture by its name ("90", "flip-v"), as states have it: quarter turns
// clockwise, then left to right. False: there is none of that name.
bool odl_process_find_turn (const char *name, int *quarter_turns, bool *flip);
