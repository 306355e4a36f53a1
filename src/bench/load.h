// SPDX-License-Identifier: MIT
// Processor load while displaying pictures at a given rate.
#pragma once

#include "engine/engine.h"
#include "engine/gl/platform/headless.h"

typedef struct {
  double fps; // frames per second; 0: 20
  double seconds; // measuring time, after 0.5 s of warm-up; 0: 3
} OdlBenchLoadParams;

typedef struct {
  double percent; // of one core: CPU time of all threads / wall time
  double fps; // reached
  int frames;
  int late; // frames that started more than half an interval late
} OdlBenchLoad;

// Runs `plan` on `image` and draws the result into a framebuffer of the picture's size
// at a steady rate, uploads included. As in the window, nothing waits for the GPU and
// the thread sleeps between frames. With `headless`, whose context must be current,
// results of engines without GL are uploaded; without, they stay in memory. No other
// threads may be active. Errors are those of the engine.
bool odl_bench_load (OdlEngine *engine,
                     OdlGlHeadless *headless,
                     const OdlPlan *plan,
                     OdlImage *image,
                     const OdlBenchLoadParams *params,
                     OdlBenchLoad *load,
                     GError **error);
