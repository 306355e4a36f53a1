// SPDX-License-Identifier: MIT
// How the CPU engine runs plans: its variants, by their names.
#pragma once

#include "engine/cpu/steps/steps.h"
#include "engine/engine.h"

// Variants that are not instruction sets.
#define ODL_CPU_WAY_PER_LEVEL "per-level"
#define ODL_CPU_WAY_FILTERING "filtering"
#define ODL_CPU_WAY_FOURIER "fft"
#define ODL_CPU_WAY_DIRECT "direct"

typedef struct {
  OdlCpuMethod steps;
  bool per_level; // step by step, even for filters that could run as one pass
} OdlCpuWay;

// Ends with one without a name.
extern const OdlEngineVariant odl_cpu_variants[];

// As these words of ODL_CPU say; unknown ones are left out.
OdlCpuWay odl_cpu_way_of (const char *const *words);

// Changes `way` to a variant, NULL: to none. False: ODL_ERROR_UNSUPPORTED, this processor
// or this build has not its instructions.
bool odl_cpu_way_choose (OdlCpuWay *way, const char *name, GError **error);
