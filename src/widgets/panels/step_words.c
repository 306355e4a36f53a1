// SPDX-License-Identifier: MIT
#include "widgets/panels/step_words.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "plan/title.h"

static const char *
name_at (const OdlRecipe *recipe, int item)
{
  return _ (recipe->items[item].filter->label);
}

// But for the switch.
static bool
does_the_same (const OdlRecipeItem *a, const OdlRecipeItem *b)
{
  return a->filter == b->filter && a->file == b->file && a->at == b->at
         && memcmp (a->values, b->values, sizeof a->values) == 0;
}

// The first place where both differ, or the end of the shorter one.
static int
first_other (const OdlRecipe *a, const OdlRecipe *b)
{
  int i = 0;
  while (i < MIN (a->n_items, b->n_items) && does_the_same (&a->items[i], &b->items[i]))
    i++;
  return i;
}

// Of several filters that came or went the first.
static char *
count_words (const OdlRecipe *longer, const OdlRecipe *shorter, bool added)
{
  const int n = longer->n_items - shorter->n_items;
  const char *name = name_at (longer, first_other (longer, shorter));
  if (!added && shorter->n_items == 0)
    return g_strdup (_ ("Remove all filters"));
  if (n > 1)
    return g_strdup_printf (added ? _ ("Add %s and more") : _ ("Remove %s and more"),
                            name);
  return g_strdup_printf (added ? _ ("Add %s") : _ ("Remove %s"), name);
}

// One filter is off or on that was not, or several at once.
static char *
switch_words (const OdlRecipe *before, const OdlRecipe *now)
{
  int n = 0, last = 0, n_on = 0, on = 0;
  for (int i = 0; i < now->n_items; i++) {
    if (before->items[i].bypassed != now->items[i].bypassed) {
      n++;
      last = i;
    }
    if (!now->items[i].bypassed) {
      n_on++;
      on = i;
    }
  }
  if (n == 0)
    return NULL;
  if (n == 1)
    return g_strdup_printf (now->items[last].bypassed ? _ ("Switch off %s")
                                                      : _ ("Switch on %s"),
                            name_at (now, last));
  if (n_on == 1)
    // Translators: one filter of several acts alone.
    return g_strdup_printf (_ ("Solo: %s"), name_at (now, on));
  return g_strdup (n_on == 0 ? _ ("Switch off all filters") : _ ("Switch on filters"));
}

static bool
contains (char **parts, const char *part)
{
  return g_strv_contains ((const char *const *) parts, part);
}

// The settings of a filter that it did not have before: "Size 5, Threshold 0.1".
static char *
settings_words (const OdlRecipe *before, const OdlRecipe *now, int item)
{
  g_autofree char *old = odl_plan_item_words (before, item);
  g_autofree char *new = odl_plan_item_words (now, item);
  g_autoptr (GRegex) ends = g_regex_new (" · |, ", 0, 0, NULL);
  g_auto (GStrv) olds = g_regex_split (ends, old, 0);
  g_auto (GStrv) news = g_regex_split (ends, new, 0);
  g_autoptr (GString) text = g_string_new (NULL);
  for (int i = 0; news[i]; i++)
    if (!contains (olds, news[i]))
      g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", news[i]);
  // Translators: a filter, and what was set of it.
  return text->len > 0 ? g_strdup_printf (_ ("%s: %s"), name_at (now, item), text->str)
                       : g_strdup_printf (_ ("Change %s"), name_at (now, item));
}

// Where a filter stands that moved: past it the others follow as they did.
static int
find_moved (const OdlRecipe *before, const OdlRecipe *now, int from, int last)
{
  const bool later = does_the_same (&before->items[from], &now->items[last]);
  for (int i = from; i < last; i++)
    if (!does_the_same (&before->items[later ? i + 1 : i],
                        &now->items[later ? i : i + 1]))
      return -1;
  return later                                                     ? last
         : does_the_same (&before->items[last], &now->items[from]) ? from
                                                                   : -1;
}

// The filters are as many as before.
static char *
chain_words (const OdlRecipe *before, const OdlRecipe *now)
{
  const int first = first_other (before, now);
  int last = now->n_items - 1;
  if (first == now->n_items)
    return switch_words (before, now);
  while (does_the_same (&before->items[last], &now->items[last]))
    last--;
  if (first < last) {
    const int moved = find_moved (before, now, first, last);
    return moved >= 0 ? g_strdup_printf (_ ("Move %s"), name_at (now, moved))
                      : g_strdup (_ ("Change several filters"));
  }
  if (before->items[first].filter != now->items[first].filter)
    // Translators: one filter takes the place of another.
    return g_strdup_printf (_ ("%s in place of %s"), name_at (now, first),
                            name_at (before, first));
  return settings_words (before, now, first);
}

char *
odl_step_words (const OdlRecipe *before, const OdlRecipe *now)
{
  char *words = now->n_items > before->n_items   ? count_words (now, before, true)
                : now->n_items < before->n_items ? count_words (before, now, false)
                                                 : chain_words (before, now);
  if (words)
    return words;
  if (before->strength != now->strength)
    return g_strdup_printf (_ ("Strength %d %%"), (int) lrint (100 * now->strength));
  return g_strdup (before->view != now->view ? _ ("What is shown")
                                             : _ ("Colour, precision or border"));
}
