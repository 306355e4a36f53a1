// SPDX-License-Identifier: MIT
// Play, pause and the frame counter of a moving source. Main thread.
#pragma once

#include <gtk/gtk.h>

#include "session/session.h"

G_BEGIN_DECLS

#define ODL_TYPE_TRANSPORT (odl_transport_get_type ())
G_DECLARE_FINAL_TYPE (OdlTransport, odl_transport, ODL, TRANSPORT, GtkWidget)

// Shows the state of `session`.
void odl_transport_update (OdlTransport *transport,
                           OdlSession *session,
                           double frames_per_second);

G_END_DECLS
