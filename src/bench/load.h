// SPDX-License-Identifier: MIT
// How much of a processor core the program needs to show pictures at a given rate.
#pragma once

#include "engine/engine.h"
#include "engine/gl/platform/headless.h"

typedef struct {
  double fps; // frames per second; 0: 20
  double seconds; // measured, after half a second of warming up; 0: 3
} OdlBenchLoadParams;

typedef struct {
  double percent; // of one core: CPU time of all threads of the process by wall time
  double fps; // reached
  int frames;
  int late; // frames that began more than half an interval late
} OdlBenchLoad;

// Runs `plan` on `image` and draws the result into a framebuffer of the picture's size at
// a steady rate, uploads included, as the window does: nothing waits for the GPU, and
// between frames the thread sleeps. Engines without GL have their result uploaded when
// `headless` is there, else it is made and left in memory. The process must do nothing
// else meanwhile. With `headless`, its context must be current. Errors are those of the
// engine.
bool odl_bench_load (OdlEngine *engine,
                     OdlGlHeadless *headless,
                     const OdlPlan *plan,
                     OdlImage *image,
                     const OdlBenchLoadParams *params,
                     OdlBenchLoad *load,
                     GError **error);
