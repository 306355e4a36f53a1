// SPDX-License-Identifier: MIT
// The kernel of a convolution, in the filter's card: its middle slice as a picture, with
// numbers where there is room for them; of larger ones a curve through the centre, of
// quadrature filters both parts along their direction. Main thread.
#pragma once

#include <gtk/gtk.h>

#include "session/session.h"

// Whether the card of a filter has one.
bool odl_kernel_row_suits (const OdlFilter *filter);

GtkWidget *odl_kernel_row_new (OdlSession *session, int item);
