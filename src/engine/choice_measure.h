// SPDX-License-Identifier: MIT
// Measures the candidates of a ranking on a plan and a picture.
#pragma once

#include "engine/choice.h"

typedef struct {
  const OdlPlan *plan;
  OdlImage *image; // of the plan's geometry
  OdlChoiceTarget target;
  const char *gpu; // the one to measure, as odl_gl_canvas_gpu says; NULL: any
  int64_t budget_ns; // for everything; 0: one second, ten if thorough
  // Somebody asked for it: measures what cannot win as well, which are the engines that
  // need OpenGL where that is drawn in software; their shaders alone take such a machine
  // seconds.
  bool thorough;
  const char *cache_path; // remembers accidents; NULL: nowhere
  // Asked between frames, on the measuring thread; true ends the measurement. May be
  // NULL.
  bool (*cancelled) (void *data);
  void *data;
} OdlChoiceMeasure;

// Measures what is unmeasured in `ranking`, in contexts of its own, each candidate for
// its share of the time that is left, at least two frames; the first, which compiles and
// allocates, does not count. The time of a frame is the least seen: load from elsewhere
// must not decide. Candidates for which no time was left, or that were kept from running
// by other work, stay unmeasured. To be called on a thread without a GL context; lower
// its priority before (odl_parallel_yield_to_others). False when it was cancelled.
bool odl_choice_measure (OdlRanking *ranking, const OdlChoiceMeasure *params);
