// SPDX-License-Identifier: MIT
#include "session/history.h"

void
odl_history_init (OdlHistory *history, const OdlRecipe *first)
{
  *history = (OdlHistory){ .recipes = g_array_new (FALSE, FALSE, sizeof (OdlRecipe)) };
  g_array_append_vals (history->recipes, first, 1);
}

void
odl_history_clear (OdlHistory *history)
{
  g_clear_pointer (&history->recipes, g_array_unref);
  g_clear_pointer (&history->tag, g_free);
}

void
odl_history_copy (const OdlHistory *history, OdlHistory *copy)
{
  *copy = *history;
  copy->recipes = g_array_copy (history->recipes);
  copy->tag = g_strdup (history->tag);
}

const OdlRecipe *
odl_history_current (const OdlHistory *history)
{
  return &g_array_index (history->recipes, OdlRecipe, history->position);
}

static bool
coalesces (const OdlHistory *history, const char *tag, int64_t now_ms)
{
  return tag && history->tag && g_str_equal (tag, history->tag) && history->position > 0
         && now_ms - history->changed_ms <= ODL_HISTORY_COALESCE_MS;
}

bool
odl_history_push (OdlHistory *history,
                  const OdlRecipe *recipe,
                  const char *tag,
                  int64_t now_ms)
{
  if (odl_recipe_equal (recipe, odl_history_current (history)))
    return false;
  bool replace = coalesces (history, tag, now_ms);
  g_array_set_size (history->recipes, history->position + 1);
  if (replace) {
    g_array_index (history->recipes, OdlRecipe, history->position) = *recipe;
  } else {
    g_array_append_vals (history->recipes, recipe, 1);
    if (history->recipes->len > ODL_HISTORY_MAX_STEPS + 1)
      g_array_remove_index (history->recipes, 0);
    history->position = history->recipes->len - 1;
    g_free (history->tag);
    history->tag = g_strdup (tag);
  }
  history->changed_ms = now_ms;
  return true;
}

bool
odl_history_can_undo (const OdlHistory *history)
{
  return history->position > 0;
}

bool
odl_history_can_redo (const OdlHistory *history)
{
  return history->position + 1 < history->recipes->len;
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
