// SPDX-License-Identifier: MIT
#include "work/sweep/axes.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/error.h"
#include "filter/quoted.h"

void
odl_axes_free (OdlAxes *axes)
{
  if (axes == NULL)
    return;
  g_clear_pointer (&axes->varied, g_ptr_array_unref);
  g_free (axes->recipes);
  g_free (axes->begins);
  g_free (axes);
}

// ---- other filters in the place of one -----------------------------------------------

// "soft-threshold=…"; parameters have a full stop in their names.
static bool
is_of_filters (const char *text)
{
  g_auto (GStrv) words = g_strsplit (text, "=", 2);

  return words[0] != NULL && words[1] != NULL && strchr (words[0], '.') == NULL
         && !g_str_equal (words[0], "strength");
}

// "a:x=1,y=2,b" are a:x=1,y=2 and b: what has a value and no filter goes on with the one
// before. NULL: a quote is open.
static GPtrArray *
split (const char *text)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new_with_free_func (g_free);

  for (;; text++) {
    const int n = odl_quoted_span_to (text, ",");
    if (n < 0)
      return NULL;
    g_autofree char *word = g_strndup (text, n);
    if (word[strcspn (word, ":=")] == '=' && found->len > 0) {
      char *before = g_ptr_array_steal_index (found, found->len - 1);
      g_ptr_array_add (found, g_strconcat (before, ",", word, NULL));
      g_free (before);
    } else
      g_ptr_array_add (found, g_steal_pointer (&word));
    text += n;
    if (*text == '\0')
      return g_steal_pointer (&found);
  }
}

static bool
reads_files (const OdlRecipe *recipe)
{
  for (int i = 0; i < recipe->n_items; i++)
    if (recipe->items[i].file != NULL)
      return true;
  return false;
}

// The recipe with `text` in the place of filter `item`.
static bool
replace (const OdlRecipe *recipe,
         int item,
         const char *text,
         OdlRecipe *made,
         GError **error)
{
  const OdlRecipeItem *old = &recipe->items[item];
  OdlRecipe others = *recipe; // settings of presets count

  *made = *recipe;
  made->items[item].bypassed = false;
  if (g_str_equal (text, old->filter->name))
    return true;
  others.n_items = 0;
  if (!odl_recipe_parse (&others, text, error))
    return false;
  if (others.n_items == 0)
    return odl_usage_error (error, _ ("--vary “%s”: “%s” is no filter."),
                            old->filter->name, text);
  if (reads_files (&others))
    return odl_usage_error (error,
                            _ ("--vary “%s”: “%s” reads a file, which only filters can "
                               "that stay."),
                            old->filter->name, text);
  const int n = recipe->n_items - 1 + others.n_items;
  if (n > ODL_RECIPE_MAX_FILTERS)
    return odl_usage_error (error, _ ("a recipe holds at most %d filters"),
                            ODL_RECIPE_MAX_FILTERS);
  if (others.items[0].at == ODL_AT_DETAILS)
    others.items[0].at = old->at;
  others.view = recipe->view;
  memmove (&others.items[item], others.items,
           sizeof (OdlRecipeItem) * (size_t) others.n_items);
  memcpy (others.items, recipe->items, sizeof (OdlRecipeItem) * (size_t) item);
  memcpy (&others.items[n - (recipe->n_items - 1 - item)], old + 1,
          sizeof (OdlRecipeItem) * (size_t) (recipe->n_items - 1 - item));
  others.n_items = n;
  *made = others;
  return true;
}

// The recipes, and the axis that says which.
static bool
add_filters (OdlAxes *axes, const OdlRecipe *recipe, const char *text, GError **error)
{
  const char *equals = strchr (text, '=');
  g_autofree char *name = g_strndup (text, (gsize) (equals - text));
  g_autofree char *said = g_strdup_printf (_ ("--vary “%s”"), name);
  g_autoptr (GPtrArray) words = split (equals + 1);
  int item;

  if (!odl_varied_find (recipe, name, said, &item, error))
    return false;
  if (item < 0)
    return odl_usage_error (
        error,
        _ ("%s names no parameter. Write FILTER.PARAMETER=…, such as "
           "soft-threshold.threshold=0:0.2:0.01, strength=… of the recipe, or FILTER=… "
           "for other filters in its place."),
        said);
  if (axes->has_filters)
    return odl_usage_error (error, _ ("%s: only one filter gives way to others."), said);
  if (words == NULL || words->len > ODL_AXES_MOST)
    return odl_usage_error (
        error, _ ("%s: these are no filters, or more than %d. Write NAME,NAME,…"), said,
        ODL_AXES_MOST);
  axes->n_recipes = words->len;
  axes->recipes = g_renew (OdlRecipe, axes->recipes, words->len);
  for (guint i = 0; i < words->len; i++)
    if (!replace (recipe, item, words->pdata[i], &axes->recipes[i], error))
      return false;
  axes->has_filters = true;
  g_ptr_array_add (
      axes->varied,
      odl_varied_new_of_filters (name, g_steal_pointer (&words), item, axes->n_recipes));
  return true;
}

// ---- parameters ----------------------------------------------------------------------

static void
free_axis (void *axis)
{
  odl_varied_free (axis);
}

// Whether some recipe has both, and they are one.
static bool
are_alike (const OdlVaried *a, const OdlVaried *b)
{
  for (guint i = 0; i < a->n_recipes; i++)
    if (a->items[i] == b->items[i] && a->items[i] != ODL_VARIED_NOWHERE
        && g_str_equal (a->parameter->key, b->parameter->key))
      return true;
  return false;
}

static bool
add_parameter (OdlAxes *axes, const OdlVariedParams *params, GError **error)
{
  g_autoptr (OdlVaried) axis = odl_varied_new (params, error);

  if (axis == NULL)
    return false;
  for (guint i = 0; i < axes->varied->len; i++)
    if (are_alike (odl_axes_at (axes, i), axis))
      return odl_usage_error (error, _ ("%s: this parameter is varied twice."),
                              axis->said);
  g_ptr_array_add (axes->varied, g_steal_pointer (&axis));
  return true;
}

static double
points_of (const OdlAxes *axes, guint number)
{
  double points = 1;

  for (guint i = 0; i < axes->varied->len; i++)
    if (odl_axes_recipe_has (axes, number, i) && !(axes->has_filters && i == 0))
      points *= odl_axes_at (axes, i)->count;
  return points;
}

static void
count_points (OdlAxes *axes)
{
  double begin = 0;

  axes->begins = g_new (gint64, axes->n_recipes + 1);
  for (guint i = 0; i <= axes->n_recipes; i++) {
    axes->begins[i] = begin < (double) (G_MAXINT64 / 2) ? (gint64) begin : G_MAXINT64 / 2;
    if (i < axes->n_recipes)
      begin += points_of (axes, i);
  }
}

OdlAxes *
odl_axes_new (const OdlAxesParams *params, GError **error)
{
  g_autoptr (OdlAxes) axes = g_new0 (OdlAxes, 1);
  char *const *texts = params->texts;

  axes->varied = g_ptr_array_new_with_free_func (free_axis);
  axes->recipes = g_memdup2 (params->recipe, sizeof *params->recipe);
  axes->n_recipes = 1;
  for (gsize i = 0; texts != NULL && texts[i] != NULL; i++)
    if (is_of_filters (texts[i]) && !add_filters (axes, params->recipe, texts[i], error))
      return NULL;
  for (gsize i = 0; texts != NULL && texts[i] != NULL; i++) {
    const OdlVariedParams own
        = { texts[i], params->titles != NULL ? params->titles[i] : NULL, axes->recipes,
            axes->n_recipes, params->divisions };
    if (!is_of_filters (texts[i]) && !add_parameter (axes, &own, error))
      return NULL;
  }
  if (axes->varied->len == 0)
    return odl_error_null (
        error, ODL_ERROR_USAGE,
        _ ("Say what to vary, such as --vary soft-threshold.threshold=0:0.2:0.01."));
  if (axes->varied->len > ODL_AXES_MOST)
    return odl_error_null (error, ODL_ERROR_USAGE,
                           _ ("These are too many parameters; vary at most %d."),
                           ODL_AXES_MOST);
  count_points (axes);
  return g_steal_pointer (&axes);
}

// ---- the grid ------------------------------------------------------------------------

double
odl_axes_points (const OdlAxes *axes)
{
  double points = 0;

  for (guint i = 0; i < axes->n_recipes; i++)
    points += points_of (axes, i);
  return points;
}

guint
odl_axes_number (const OdlAxes *axes, const guint *indices)
{
  return axes->has_filters ? indices[0] : 0;
}

bool
odl_axes_recipe_has (const OdlAxes *axes, guint number, guint axis)
{
  return odl_axes_at (axes, axis)->items[number] != ODL_VARIED_NOWHERE;
}

bool
odl_axes_has (const OdlAxes *axes, const guint *indices, guint axis)
{
  return odl_axes_recipe_has (axes, odl_axes_number (axes, indices), axis);
}

int
odl_axes_first_of (const OdlAxes *axes, guint number)
{
  for (guint i = axes->has_filters ? 1 : 0; i < axes->varied->len; i++)
    if (odl_axes_recipe_has (axes, number, i))
      return (int) i;
  return -1;
}

void
odl_axes_indices (const OdlAxes *axes, gint64 point, guint *indices)
{
  const guint first = axes->has_filters ? 1 : 0;
  guint number = 0;

  while (number + 1 < axes->n_recipes && point >= axes->begins[number + 1])
    number++;
  point -= axes->begins[number];
  for (guint i = axes->varied->len; i-- > first;) {
    const gint64 n
        = odl_axes_recipe_has (axes, number, i) ? odl_axes_at (axes, i)->count : 1;
    indices[i] = (guint) (point % n);
    point /= n;
  }
  if (axes->has_filters)
    indices[0] = number;
}

gint64
odl_axes_point (const OdlAxes *axes, const guint *indices)
{
  gint64 point = 0;

  for (guint i = axes->has_filters ? 1 : 0; i < axes->varied->len; i++)
    if (odl_axes_has (axes, indices, i))
      point = point * odl_axes_at (axes, i)->count + indices[i];
  return axes->begins[odl_axes_number (axes, indices)] + point;
}

bool
odl_axes_goes_on (const OdlAxes *axes, const guint *indices, guint axis)
{
  const guint number = odl_axes_number (axes, indices);

  return odl_varied_goes_on (odl_axes_at (axes, axis), &axes->recipes[number], number,
                             indices[axis]);
}

const OdlFilter *
odl_axes_filter (const OdlAxes *axes, guint axis)
{
  const OdlVaried *varied = odl_axes_at (axes, axis);

  for (guint i = 0; i < varied->n_recipes; i++)
    if (varied->items[i] >= 0)
      return axes->recipes[i].items[varied->items[i]].filter;
  return NULL;
}

OdlRecipe
odl_axes_recipe (const OdlAxes *axes, const guint *indices)
{
  const guint number = odl_axes_number (axes, indices);
  OdlRecipe made = axes->recipes[number];

  for (guint i = axes->has_filters ? 1 : 0; i < axes->varied->len; i++)
    if (odl_axes_recipe_has (axes, number, i))
      odl_varied_apply (odl_axes_at (axes, i), indices[i], number, &made);
  return made;
}
