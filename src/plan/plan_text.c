// SPDX-License-Identifier: MIT
// A plan as text, for golden tests and ODL_DEBUG=plan.
#include "base/text.h"
#include "base/debug.h"
#include "plan/plan.h"

static const char *const slot_names[] = {
  [ODL_SLOT_PICTURE] = "picture",
  [ODL_SLOT_HALF] = "half",
  [ODL_SLOT_BANDS] = "bands",
};

static const char *const step_names[] = {
  [ODL_STEP_LOAD] = "load",
  [ODL_STEP_LUMA] = "luma",
  [ODL_STEP_CONVOLVE] = "convolve",
  [ODL_STEP_SHARPEN] = "sharpen",
  [ODL_STEP_FORWARD] = "forward",
  [ODL_STEP_THRESHOLD] = "threshold",
  [ODL_STEP_INVERSE] = "inverse",
  [ODL_STEP_LAYOUT] = "layout",
  [ODL_STEP_RECOMBINE] = "recombine",
  [ODL_STEP_RECURSIVE] = "recursive",
  [ODL_STEP_PERSISTENCE] = "persistence",
  [ODL_STEP_MEAN] = "mean",
  [ODL_STEP_MEDIAN] = "median",
};

static const char *const part_names[] = {
  [ODL_PART_LOAD] = "load",
  [ODL_PART_FORWARD] = "forward",
  [ODL_PART_FILTER] = "filter",
  [ODL_PART_BACKWARD] = "backward",
};

static const char *const axis_names[] = { "", " x", " y" };

const char *
odl_step_name (OdlStepKind kind)
{
  g_return_val_if_fail (kind < G_N_ELEMENTS (step_names), NULL);
  return step_names[kind];
}

const char *
odl_part_name (OdlPart part)
{
  g_return_val_if_fail (part < G_N_ELEMENTS (part_names), NULL);
  return part_names[part];
}

static void
append_number (GString *text, const char *name, double value)
{
  g_autofree char *number = odl_number_to_text (value);

  g_string_append_printf (text, " %s=%s", name, number);
}

static void
append_parameters (GString *text, const OdlStep *step)
{
  if (step->wavelet != NULL)
    g_string_append_printf (text, " wavelet=%s border=%s", step->wavelet->name,
                            odl_border_names[step->border + 1]);
  if (step->quantum > 0)
    append_number (text, "quantum", step->quantum);
  if (step->kind == ODL_STEP_LUMA) {
    append_number (text, "kr", step->weights[0]);
    append_number (text, "kb", step->weights[2]);
  }
  if (step->kind == ODL_STEP_THRESHOLD)
    append_number (text, step->hard ? "hard" : "soft", step->threshold);
  if (step->kind == ODL_STEP_CONVOLVE)
    append_number (text, "radius", step->radius);
  if (step->kind == ODL_STEP_SHARPEN) {
    append_number (text, "amount", step->amount);
    append_number (text, "neighbours", step->neighbours);
  }
  if (step->frames > 0)
    append_number (text, "frames", step->frames);
  if (step->weight > 0)
    append_number (text, "weight", step->weight);
  if (step->kind == ODL_STEP_PERSISTENCE) {
    append_number (text, "threshold", step->threshold);
    append_number (text, "radius", step->radius);
  }
}

char *
odl_plan_to_text (const OdlPlan *plan)
{
  g_return_val_if_fail (plan != NULL, NULL);

  GString *text = g_string_new (NULL);
  g_string_append_printf (text, "plan %d×%d channels=%d bits=%d precision=%d view=%s\n",
                          plan->geometry.width, plan->geometry.height,
                          plan->geometry.channels, plan->geometry.bits, plan->precision,
                          odl_view_names[plan->view]);
  for (int i = 0; i < plan->n_slots; i++) {
    const OdlSlot *slot = &plan->slots[i];
    g_string_append_printf (
        text, "slot %d %s level=%d %d×%d channels=%d%s%s\n", i, slot_names[slot->kind],
        slot->level, slot->width, slot->height, slot->channels,
        i == plan->source ? " source" : "", i == plan->result ? " result" : "");
  }
  for (int i = 0; i < plan->n_steps; i++) {
    const OdlStep *step = &plan->steps[i];
    g_string_append_printf (text, "step %d %s%s", i, step_names[step->kind],
                            axis_names[step->axis]);
    if (step->level > 0)
      g_string_append_printf (text, " level=%d", step->level);
    for (int r = 0; r < 3; r++)
      if (step->reads[r] != ODL_PLAN_NO_SLOT)
        g_string_append_printf (text, " %d", step->reads[r]);
    g_string_append_printf (text, " -> %d", step->writes);
    append_parameters (text, step);
    g_string_append_c (text, '\n');
  }
  return g_string_free (text, FALSE);
}

void
odl_plan_debug (const OdlPlan *plan)
{
  if (!odl_debug_wants (ODL_DEBUG_PLAN))
    return;
  g_autofree char *text = odl_plan_to_text (plan);
  odl_debug (ODL_DEBUG_PLAN, "%s", g_strchomp (text));
}
