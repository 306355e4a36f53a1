// SPDX-License-Identifier: MIT
// Resource usage of this process: processor time per thread, memory, files, threads.
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  char name[20];
  double seconds; // processor time
} OdlThreadLoad;

typedef struct {
  double cpu_seconds; // of the process, without children
  gsize resident_bytes;
  gsize heap_bytes; // in use
  int descriptors;
  int threads;
  GArray *by_name; // OdlThreadLoad: threads of the same name combined
} OdlLoad;

void odl_load_read (OdlLoad *load);
void odl_load_clear (OdlLoad *load);

// Processor seconds of the threads of that name; 0 if there are none.
double odl_load_of (const OdlLoad *load, const char *name);

G_END_DECLS
