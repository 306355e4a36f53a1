// SPDX-License-Identifier: MIT
// A row of a form for one parameter that a sweep varies: switched on, from where to where
// in the unit that cards have, or which words. Main thread.
#pragma once

#include <adwaita.h>

#include "widgets/units.h"

typedef struct _OdlSweepVaried OdlSweepVaried;

// For `name`, "soft-threshold:2.levels", which people call `title`. Its widget is owned
// by who packs it.
OdlSweepVaried *
odl_sweep_varied_new (char *name, const char *title, const char *subtitle);
void odl_sweep_varied_free (OdlSweepVaried *varied);
AdwExpanderRow *odl_sweep_varied_row (OdlSweepVaried *varied);

// What names the filter and the unit, "Soft Threshold, of full scale". Transfer full.
char *odl_sweep_varied_subtitle (OdlSession *session,
                                 const OdlFilter *filter,
                                 const OdlParameter *parameter);

// Whether a parameter can vary at all, beside the others.
bool odl_sweep_can_vary (const OdlRecipeItem *item, const OdlParameter *parameter);

// Offers values: from the least to twice what it is now, or all words.
void odl_sweep_varied_offer (OdlSweepVaried *varied,
                             OdlSession *session,
                             const OdlRecipeItem *item,
                             const OdlParameter *parameter);

// Numbers as they are.
void odl_sweep_varied_offer_range (OdlSweepVaried *varied,
                                   double from,
                                   double to,
                                   double step);

bool odl_sweep_varied_is_on (OdlSweepVaried *varied);

// As odl_varied_new has it. NULL: ODL_ERROR_USAGE. Transfer full.
char *odl_sweep_varied_text (OdlSweepVaried *varied, GError **error);
const char *odl_sweep_varied_title (OdlSweepVaried *varied);

// What a screen reader says of the part of a row that takes the focus.
void odl_sweep_name_field (GtkEditable *row, const char *name);
void odl_sweep_name_switch (GtkWidget *widget, const char *name);
