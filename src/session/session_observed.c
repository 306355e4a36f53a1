// SPDX-License-Identifier: MIT
// The numbers that filters measured in the frames that are shown.
#include "plan/flow.h"
#include "session/session_private.h"

void
odl_session_take_observed (OdlSession *self, OdlPlan *plan, const float *numbers)
{
  const int n = odl_plan_count_observed (plan);
  g_free (self->observed);
  self->observed = g_memdup2 (numbers, (size_t) n * sizeof *numbers);
  OdlPlan *before = self->observed_plan;
  self->observed_plan = odl_plan_ref (plan);
  g_clear_pointer (&before, odl_plan_unref);
  g_signal_emit_by_name (self, "observed");
}

const float *
odl_session_observed (OdlSession *self, const OdlPlan **plan)
{
  *plan = self->observed_plan;
  return self->observed;
}
