// SPDX-License-Identifier: MIT
// The right panel: presets, the chain of filters, how they work, the grey-level window.
// Main thread.
#pragma once

#include <adwaita.h>

#include "session/session.h"
#include "widgets/panels/filter_chain.h"
#include "widgets/panels/preset_bar.h"
#include "widgets/viewport/viewport.h"

#define ODL_TYPE_FILTER_PANEL (odl_filter_panel_get_type ())
G_DECLARE_FINAL_TYPE (OdlFilterPanel, odl_filter_panel, ODL, FILTER_PANEL, GtkWidget)

void odl_filter_panel_set_up (OdlFilterPanel *panel,
                              OdlSession *session,
                              OdlViewport *viewport);

// Grey levels by name.
void odl_filter_panel_set_levels_menu (OdlFilterPanel *panel, GMenuModel *menu);

// While a page covers the picture, nothing can be set, and the picture's numbers are
// hidden.
void odl_filter_panel_set_covered (OdlFilterPanel *panel, bool covered);

// Presets and strength; and what can be folded away below them. Borrowed.
OdlPresetBar *odl_filter_panel_presets (OdlFilterPanel *panel);
GtkExpander *odl_filter_panel_parameters (OdlFilterPanel *panel);
// The grey levels, which can be folded. Borrowed.
AdwExpanderRow *odl_filter_panel_levels (OdlFilterPanel *panel);

// The card of filter number `item`, for tests; NULL when there is none.
GtkWidget *odl_filter_panel_card (OdlFilterPanel *panel, int item);

// The filters and what is selected of them; borrowed.
OdlFilterChain *odl_filter_panel_chain (OdlFilterPanel *panel);
