// SPDX-License-Identifier: MIT
// The page of the preferences that lists DICOM nodes. Main thread.
#pragma once

#include <gtk/gtk.h>

#include "widgets/settings.h"

GtkWidget *odl_nodes_page_new (OdlSettings *settings);
