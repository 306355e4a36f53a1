// SPDX-License-Identifier: MIT
// Says that the noise of a filter was measured before filters above it changed, and
// offers to measure it again.
#pragma once

#include <gtk/gtk.h>

#include "session/session.h"

// A line that is seen as long as that is so of filter `item`. Main thread.
GtkWidget *odl_measured_before_new (OdlSession *session, int item);
