// SPDX-License-Identifier: MIT
// Work on a worker thread for an object of the main thread.
#pragma once

#include <gio/gio.h>
#include <stdbool.h>

// Counts jobs in flight, so that a program that ends can wait for them. Any thread.
typedef struct _OdlGate OdlGate;

OdlGate *odl_gate_new (void);
void odl_gate_unref (OdlGate *gate);

// Waits until no job is in flight, or until the time is over. True: none is.
bool odl_gate_wait (OdlGate *gate, int64_t timeout_us);

typedef struct {
  // On the worker thread. Returns the result, NULL with an error. `data` is that of
  // odl_job_run.
  void *(*work) (void *data, GCancellable *cancellable, GError **error);
  // On the main thread. `result` is transfer full; NULL when `error` is set. Not called
  // when the job was cancelled or `owner` is gone.
  void (*done) (void *owner, void *result, const GError *error, void *data);
  GDestroyNotify free_result;
  GDestroyNotify free_data;
} OdlJobClass;

// Takes ownership of `data`. Returns what cancels the job, transfer full.
GCancellable *
odl_job_run (GObject *owner, OdlGate *gate, const OdlJobClass *klass, void *data);

// Cancels a job, unless *job is NULL, and clears *job.
void odl_job_cancel (GCancellable **job);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlGate, odl_gate_unref)
