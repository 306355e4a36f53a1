// SPDX-License-Identifier: MIT
// The page of the preferences that lists DICOM nodes. Main thread.
#pragma once

#include <gtk/gtk.h>

#include "session/archive/nodes.h"
#include "widgets/settings.h"

GtkWidget *odl_nodes_page_new (OdlSettings *settings);

// What is in the settings, and back.
GPtrArray *odl_nodes_load (OdlSettings *settings);
void odl_nodes_save (OdlSettings *settings, const GPtrArray *nodes);
