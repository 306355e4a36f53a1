// SPDX-License-Identifier: MIT
// Opens a source and reads its first frame on a worker thread.
#pragma once

#include <gio/gio.h>

#include "source/source.h"

G_BEGIN_DECLS

// Counts work in flight, so that a program that ends can wait for it. Any thread.
typedef struct _OdlGate OdlGate;

OdlGate *odl_gate_new (void);
OdlGate *odl_gate_ref (OdlGate *gate);
void odl_gate_unref (OdlGate *gate);
void odl_gate_enter (OdlGate *gate);
void odl_gate_leave (OdlGate *gate);

// Waits until all have left, or until the time is over. True: all have left.
bool odl_gate_wait (OdlGate *gate, int64_t timeout_us);

typedef struct {
  OdlSource *source;
  OdlImage *image; // frame 0
} OdlOpened;

void odl_opened_free (OdlOpened *opened);

// `cb` comes in the caller's main context, with no source object. Errors: any of
// ODL_ERROR; a cancelled call fails with G_IO_ERROR_CANCELLED or ODL_ERROR_CANCELLED.
// `before` (may be NULL) is parked meanwhile: the device that it holds may be the one
// that is opened. When that fails it takes it again.
void odl_opener_open (const char *location,
                      OdlSource *before,
                      OdlGate *gate,
                      GCancellable *cancellable,
                      GAsyncReadyCallback cb,
                      void *data);

// Transfer full.
OdlOpened *odl_opener_finish (GAsyncResult *result, GError **error);

// The message of such an error without its first words, which name the file.
const char *odl_opener_reason (const char *location, const GError *error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlGate, odl_gate_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlOpened, odl_opened_free)

G_END_DECLS
