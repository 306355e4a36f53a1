// SPDX-License-Identifier: MIT
// Description of the machine under test, without its host name.
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

// Texts are never NULL; "" means unknown.
typedef struct {
  char *cpu; // model
  int cores; // available to this process
  int threads; // used by ODL_PARALLEL_FOR
  double cpu_mhz; // current clock; 0: unknown
  char *governor; // CPU frequency governor
  char *huge_pages; // transparent huge pages: "always", "madvise", "never"
  double load; // one-minute average before measuring
  char *compiler;
  char *flags;
  char *version; // of the program
  char *date; // UTC, "2026-11-21T05:00:00Z"
  char *gl_renderer; // "" if no GL engine was measured
  char *gl_driver; // full renderer and GL_VERSION, which includes the driver's version
  bool gl_software; // software rasteriser
} OdlBenchMachine;

// Fills in everything except GL. Free with odl_bench_machine_clear.
void odl_bench_machine_init (OdlBenchMachine *machine);
void odl_bench_machine_clear (OdlBenchMachine *machine);

// Free main memory in bytes; 0: unknown.
uint64_t odl_bench_free_memory (void);
