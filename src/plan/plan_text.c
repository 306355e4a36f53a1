// SPDX-License-Identifier: MIT
// A plan as text, for golden tests and ODL_DEBUG=plan.
#include "base/text.h"
#include "base/debug.h"
#include "plan/plan.h"

static const char *const slot_names[] = {
  [ODL_SLOT_PICTURE] = "picture", [ODL_SLOT_HALF] = "half",
  [ODL_SLOT_BANDS] = "bands",     [ODL_SLOT_MASK] = "mask",
  [ODL_SLOT_NUMBERS] = "numbers", [ODL_SLOT_OCTANTS] = "octants",
};

static const char *const axis_names[] = { "", " x", " y", " z" };

static void
append_number (GString *text, const char *name, double value)
{
  g_autofree char *number = odl_number_to_text (value);

  g_string_append_printf (text, " %s=%s", name, number);
}

static void
append_fields (GString *text, const OdlStep *step)
{
  if (step->wavelet != NULL)
    g_string_append_printf (text, " wavelet=%s border=%s", step->wavelet->name,
                            odl_border_names[step->border + 1]);
  if (step->quantum > 0)
    append_number (text, "quantum", step->quantum);
  for (const OdlStepField *f = odl_step_row (step->kind)->fields; f->name != NULL; f++)
    if (f->offset != offsetof (OdlStep, level)
        && f->offset != offsetof (OdlStep, axis)) // are there already
      append_number (text, f->name, odl_step_field_value (step, f));
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
    g_string_append_printf (text, "slot %d %s level=%d %d×%d channels=%d%s%s%s\n", i,
                            slot_names[slot->kind], slot->level, slot->width,
                            slot->height, slot->channels, slot->details ? " details" : "",
                            i == plan->source ? " source" : "",
                            i == plan->result ? " result" : "");
  }
  for (int i = 0; i < plan->n_steps; i++) {
    const OdlStep *step = &plan->steps[i];
    g_string_append_printf (text, "step %d %s%s", i, odl_step_row (step->kind)->name,
                            axis_names[step->axis]);
    if (step->level > 0)
      g_string_append_printf (text, " level=%d", step->level);
    for (int r = 0; r < ODL_STEP_MOST_READS; r++)
      if (step->reads[r] != ODL_PLAN_NO_SLOT)
        g_string_append_printf (text, " %d", step->reads[r]);
    g_string_append_printf (text, " -> %d", step->writes);
    append_fields (text, step);
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
