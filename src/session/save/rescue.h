// SPDX-License-Identifier: MIT
// Finds and completes, in the background, recordings and exports that were interrupted
// when the program was killed. Main thread.
#pragma once

#include <gio/gio.h>

#include "output/unfinished.h"

// `list`: as odl_unfinished_list gives it; borrowed.
typedef void (*OdlRescueListCb) (GPtrArray *list, void *data);
// `path`: the resulting file; NULL after an error.
typedef void (*OdlRescueCb) (const char *path, const GError *error, void *data);

void odl_rescue_list (OdlRescueListCb cb, void *data);

// As odl_unfinished_finish.
void odl_rescue_finish (const OdlUnfinished *unfinished, OdlRescueCb cb, void *data);
