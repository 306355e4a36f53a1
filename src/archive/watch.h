// SPDX-License-Identifier: MIT
// The time that something with a peer may take altogether, by the clock.
#pragma once

#include <gio/gio.h>
#include <stdbool.h>

typedef struct _OdlWatch OdlWatch;

// `cancellable` (may be NULL) cancels it, too.
OdlWatch *odl_watch_start (GCancellable *cancellable, guint seconds);
// What is cancelled when the time is up; borrowed.
GCancellable *odl_watch_cancellable (OdlWatch *self);
// It may take so long from now on, rather than from its start. Any thread.
void odl_watch_extend (OdlWatch *self, guint seconds);
// Whether its time was up.
bool odl_watch_is_late (OdlWatch *self);
// Ends it. An ODL_ERROR_CANCELLED is an ODL_ERROR_TOO_LARGE that says so then, if the
// time was up.
void odl_watch_end (OdlWatch *self, GError **error);
