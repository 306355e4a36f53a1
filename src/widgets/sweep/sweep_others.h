// SPDX-License-Identifier: MIT
// Filters that are compared with one of the chain, each over the range of what says most
// how much it does. Main thread.
#pragma once

#include <adwaita.h>

#include "widgets/window/parts.h"

typedef struct _OdlSweepOthers OdlSweepOthers;

OdlSweepOthers *odl_sweep_others_new (const OdlWindowParts *parts);
void odl_sweep_others_free (OdlSweepOthers *others);
GtkWidget *odl_sweep_others_widget (OdlSweepOthers *others); // owned by who packs it

// The chain is another one, or numbers have another unit: those that were chosen go.
void odl_sweep_others_follow (OdlSweepOthers *others, const OdlRecipe *recipe);

// Adds one, as who chooses it does. False: it cannot be compared.
bool odl_sweep_others_add (OdlSweepOthers *others, const OdlFilter *filter);

// Adds what OdlAxesParams takes: which filters, and what varies of them; nothing where
// none was chosen. ODL_ERROR_USAGE.
bool odl_sweep_others_read (OdlSweepOthers *others,
                            GStrvBuilder *vary,
                            GStrvBuilder *titles,
                            GError **error);
bool odl_sweep_others_has_any (const OdlSweepOthers *others);
