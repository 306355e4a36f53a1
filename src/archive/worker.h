// SPDX-License-Identifier: MIT
// A thread that works on what there is to do, and waits for more until it is closed.
#pragma once

#include <gio/gio.h>
#include <stdbool.h>

typedef struct _OdlWorker OdlWorker;

// `run` gets the worker by `data`, and returns soon after odl_worker_is_closing.
OdlWorker *odl_worker_new (void);
// ODL_ERROR_TOO_LARGE: there is no thread for it.
bool odl_worker_start (OdlWorker *self,
                       const char *name,
                       GThreadFunc run,
                       void *data,
                       GError **error);
// Ends what it does, and waits for that. Accepts NULL.
void odl_worker_free (OdlWorker *self);

// Tells it that there is more to do. Any thread.
void odl_worker_wake (OdlWorker *self);

// For `run`: waits for so many seconds, whatever it is told meanwhile.
void odl_worker_rest (OdlWorker *self, guint seconds);
// For `run`: waits until it is told that there is more, also since the last wait, and for
// so many seconds at most (0: for as long as it takes).
void odl_worker_wait (OdlWorker *self, guint seconds);
bool odl_worker_is_closing (OdlWorker *self);
GCancellable *odl_worker_cancellable (OdlWorker *self);
