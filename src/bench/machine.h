// SPDX-License-Identifier: MIT
// The machine that a benchmark ran on, never its name.
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

G_BEGIN_DECLS

// Texts are never NULL; "" where nothing is known.
typedef struct {
  char *cpu; // model
  int cores; // that this process may use
  int threads; // that ODL_PARALLEL_FOR uses
  double cpu_mhz; // now; 0: not readable
  char *governor; // of the clock
  char *huge_pages; // the system's choice: "always", "madvise", "never"
  double load; // average of the last minute, before measuring
  char *compiler;
  char *flags;
  char *version; // of the program
  char *date; // UTC, "2026-11-21T05:00:00Z"
  char *gl_renderer; // "" when no GL engine was measured
  char *gl_driver; // renderer in full and GL_VERSION, which names the driver's version
  bool gl_software; // a rasteriser on the CPU
} OdlBenchMachine;

// Fills all but the fields of GL. Free with odl_bench_machine_clear.
void odl_bench_machine_init (OdlBenchMachine *machine);
void odl_bench_machine_clear (OdlBenchMachine *machine);

// Free main memory in bytes; 0: not readable.
uint64_t odl_bench_free_memory (void);

G_END_DECLS
