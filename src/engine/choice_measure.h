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
  // The user asked for it: also measures what cannot win, engines that need OpenGL where
  // that is drawn in software; compiling their shaders alone takes such a machine
  // seconds.
  bool thorough;
  const char *cache_path; // remembers accidents; NULL: nowhere
  // Asked between frames, on the measuring thread; true ends the measurement. May be
  // NULL.
  bool (*cancelled) (void *data);
  void *data;
} OdlChoiceMeasure;

// Measures the unmeasured candidates of `ranking` in contexts of its own, each for its
// share of the remaining time and at least two frames; the first one, which compiles and
// allocates, does not count. The time of a frame is the least seen, so that other load
// does not decide. Candidates that no time was left for, or that other work kept from
// running, stay unmeasured. Call on a thread without a GL context and of low priority
// (odl_parallel_lower_priority). False when it was cancelled.
bool odl_choice_measure (OdlRanking *ranking, const OdlChoiceMeasure *params);
