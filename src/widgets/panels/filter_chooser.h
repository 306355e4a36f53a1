// SPDX-License-Identifier: MIT
// The list of all filters, which can be searched by their names, those that recipes have,
// and what they do. Main thread.
#pragma once

#include <gtk/gtk.h>

#include "filter/filter.h"

// A GtkDropDown in the order of odl_filter_at, but for code of files, which the window
// does not run.
GtkWidget *odl_filter_chooser_new (const OdlFilter *selected);

const OdlFilter *odl_filter_chooser_selected (GtkDropDown *chooser);
