// SPDX-License-Identifier: MIT
// One row per engine; registry.c lists them.
#pragma once

#include "engine/engine.h"

extern const OdlEngineClass odl_cpu_engine;
extern const OdlEngineClass odl_reference_engine;
extern const OdlEngineClass odl_gl_fragment_engine;
extern const OdlEngineClass odl_gl_lookup_engine;
extern const OdlEngineClass odl_gl_compute_engine;
