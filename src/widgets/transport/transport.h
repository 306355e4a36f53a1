// SPDX-License-Identifier: MIT
// The transport bar of a moving source: steps, play, position, range, speed, repeat, rate
// and drops. Only what the source can do is shown. Main thread.
#pragma once

#include <gtk/gtk.h>

#include "session/session.h"

#define ODL_TYPE_TRANSPORT (odl_transport_get_type ())
G_DECLARE_FINAL_TYPE (OdlTransport, odl_transport, ODL, TRANSPORT, GtkWidget)

void odl_transport_set_session (OdlTransport *transport, OdlSession *session);

// Shows the state of the session. While it plays, this happens a few times a second, so
// that numbers can be read and layout costs little; `now` insists.
void odl_transport_update (OdlTransport *transport, double frames_per_second, bool now);

// True while a menu or an entry of it is in use, so that it must not be hidden.
bool odl_transport_in_use (OdlTransport *transport);
