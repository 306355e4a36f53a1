// SPDX-License-Identifier: MIT
#include "session/history.h"

typedef struct {
  OdlRecipe recipe;
  OdlAnnotations *annotations; // NULL: none
} Step;

static void
step_clear (void *data)
{
  odl_annotations_unref (((Step *) data)->annotations);
}

static GArray *
steps_new (void)
{
  GArray *steps = g_array_new (FALSE, FALSE, sizeof (Step));
  g_array_set_clear_func (steps, step_clear);
  return steps;
}

static Step *
step_at (const OdlHistory *history, guint i)
{
  return &g_array_index (history->steps, Step, i);
}

static void
append (GArray *steps, const OdlRecipe *recipe, OdlAnnotations *annotations)
{
  const Step step = { *recipe, odl_annotations_ref (annotations) };
  g_array_append_vals (steps, &step, 1);
}

void
odl_history_init (OdlHistory *history,
                  const OdlRecipe *first,
                  OdlAnnotations *annotations)
{
  *history = (OdlHistory){ .steps = steps_new () };
  append (history->steps, first, annotations);
}

void
odl_history_clear (OdlHistory *history)
{
  g_clear_pointer (&history->steps, g_array_unref);
  g_clear_pointer (&history->tag, g_free);
}

void
odl_history_copy (const OdlHistory *history, OdlHistory *copy)
{
  *copy = *history;
  copy->steps = steps_new ();
  for (guint i = 0; i < history->steps->len; i++)
    append (copy->steps, &step_at (history, i)->recipe,
            step_at (history, i)->annotations);
  copy->tag = g_strdup (history->tag);
}

const OdlRecipe *
odl_history_current (const OdlHistory *history)
{
  return &step_at (history, history->position)->recipe;
}

OdlAnnotations *
odl_history_annotations (const OdlHistory *history)
{
  return step_at (history, history->position)->annotations;
}

static bool
coalesces (const OdlHistory *history, const char *tag, int64_t now_ms)
{
  return tag && history->tag && g_str_equal (tag, history->tag) && history->position > 0
         && now_ms - history->changed_ms <= ODL_HISTORY_COALESCE_MS;
}

// `recipe` and `annotations` may be those of the current step.
static void
push (OdlHistory *history,
      const OdlRecipe *recipe,
      OdlAnnotations *annotations,
      const char *tag,
      int64_t now_ms)
{
  const OdlRecipe taken = *recipe;
  g_autoptr (OdlAnnotations) kept = odl_annotations_ref (annotations);
  const bool replace = coalesces (history, tag, now_ms);
  g_array_set_size (history->steps, history->position + (replace ? 0 : 1));
  append (history->steps, &taken, kept);
  if (history->steps->len > ODL_HISTORY_MAX_STEPS + 1)
    g_array_remove_index (history->steps, 0);
  history->position = history->steps->len - 1;
  if (!replace) {
    g_free (history->tag);
    history->tag = g_strdup (tag);
  }
  history->changed_ms = now_ms;
}

bool
odl_history_amend (OdlHistory *history, const OdlRecipe *recipe)
{
  OdlRecipe *current = &step_at (history, history->position)->recipe;
  bool differs = !odl_recipe_equal (recipe, current);

  for (int i = 0; i < recipe->n_items && !differs; i++)
    differs = recipe->items[i].measured_after != current->items[i].measured_after;
  *current = *recipe;
  return differs;
}

bool
odl_history_push (OdlHistory *history,
                  const OdlRecipe *recipe,
                  const char *tag,
                  int64_t now_ms)
{
  if (odl_recipe_equal (recipe, odl_history_current (history)))
    return false;
  push (history, recipe, odl_history_annotations (history), tag, now_ms);
  return true;
}

void
odl_history_annotate (OdlHistory *history, OdlAnnotations *annotations, int64_t now_ms)
{
  push (history, odl_history_current (history), annotations, NULL, now_ms);
}

const OdlRecipe *
odl_history_recipe_at (const OdlHistory *history, guint i)
{
  g_return_val_if_fail (i < history->steps->len, NULL);
  return &step_at (history, i)->recipe;
}

bool
odl_history_can_undo (const OdlHistory *history)
{
  return history->position > 0;
}

bool
odl_history_can_redo (const OdlHistory *history)
{
  return history->position + 1 < history->steps->len;
}

bool
odl_history_undo (OdlHistory *history)
{
  if (!odl_history_can_undo (history))
    return false;
  history->position--;
  g_clear_pointer (&history->tag, g_free);
  return true;
}

bool
odl_history_redo (OdlHistory *history)
{
  if (!odl_history_can_redo (history))
    return false;
  history->position++;
  g_clear_pointer (&history->tag, g_free);
  return true;
}
