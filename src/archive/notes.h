// SPDX-License-Identifier: MIT
// What is to be said of a query besides what it found.
#pragma once

#include "archive/find.h"

// Calls `say` with each sentence. `done`: the query came to its end.
void odl_found_say (const OdlFound *found,
                    bool done,
                    void (*say) (const char *text, void *data),
                    void *data);
