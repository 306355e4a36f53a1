// SPDX-License-Identifier: MIT
#include "work/sweep/vary.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "filter/normalisation.h"
#include "filter/own/words.h"

void
odl_varied_free (OdlVaried *axis)
{
  if (axis == NULL)
    return;
  g_free (axis->name);
  g_free (axis->said);
  g_free (axis->items);
  g_clear_pointer (&axis->texts, g_ptr_array_unref);
  g_free (axis);
}

// ---- which parameter -----------------------------------------------------------------

// The n-th filter (from 1) of that name; −1: there is none.
static int
find_item (const OdlRecipe *recipe, const char *name, guint64 n)
{
  for (int i = 0; i < recipe->n_items; i++)
    if (g_str_equal (recipe->items[i].filter->name, name) && --n == 0)
      return i;
  return -1;
}

// The strength of a recipe, which no filter has.
static const OdlParameter strength = {
  .key = "strength",
  .label = N_ ("Strength"),
  .unit = "",
  .kind = ODL_PARAMETER_NUMBER,
  .maximum = ODL_MOST_STRENGTH,
  .count = 1,
};

// Of other filters in the place of one; its values are not the program's, but typed.
static const OdlParameter others = {
  .key = "filter",
  .label = N_ ("Filter"),
  .unit = "",
  .kind = ODL_PARAMETER_CHOICE,
  .count = 1,
};

bool
odl_varied_find (const OdlRecipe *recipe,
                 const char *name,
                 const char *said,
                 int *item,
                 GError **error)
{
  g_auto (GStrv) parts = g_strsplit (name, ":", 2);
  guint64 n = 1;

  if (parts[0] != NULL && parts[1] != NULL
      && !g_ascii_string_to_unsigned (parts[1], 10, 1, ODL_RECIPE_MAX_FILTERS, &n, NULL))
    return odl_usage_error (error, _ ("%s: what follows the colon is no number."), said);
  *item = find_item (recipe, parts[0] != NULL ? parts[0] : "", n);
  return true;
}

// In which recipes, and in which of their filters. False: some of these are no parameters
// of the filter, or *error is set.
static bool
find_places (OdlVaried *axis,
             const OdlVariedParams *params,
             char *const *words,
             GError **error)
{
  bool any = false;

  for (guint i = 0; i < params->n_recipes; i++) {
    int item;
    if (!odl_varied_find (&params->recipes[i], words[0], axis->said, &item, error))
      return false;
    if (item < 0)
      continue;
    any = true;
    const OdlParameter *parameter
        = odl_filter_parameter (params->recipes[i].items[item].filter, words[1]);
    if (parameter == NULL)
      continue;
    axis->items[i] = item;
    if (axis->parameter == NULL)
      axis->parameter = parameter;
  }
  if (!any)
    return odl_error_set (
        error, ODL_ERROR_USAGE,
        _ ("%s: the recipe has no such filter. Name it with --filter or "
           "--recipe."),
        axis->said);
  return axis->parameter != NULL
         || odl_error_set (error, ODL_ERROR_USAGE,
                           _ ("%s: this filter has no such parameter; “list "
                              "filters” names them. The strength of the whole recipe "
                              "is varied by strength=…"),
                           axis->said);
}

// "soft-threshold:2.levels", or "strength"
static bool
find_parameter (OdlVaried *axis, const OdlVariedParams *params, GError **error)
{
  g_auto (GStrv) words = g_strsplit (axis->name, ".", 2);
  const bool whole = g_str_equal (axis->name, strength.key);

  axis->n_recipes = params->n_recipes;
  axis->items = g_new (int, params->n_recipes);
  for (guint i = 0; i < params->n_recipes; i++)
    axis->items[i] = whole ? ODL_VARIED_RECIPE : ODL_VARIED_NOWHERE;
  if (whole) {
    axis->parameter = &strength;
    return true;
  }
  if (g_strv_length (words) != 2)
    return odl_usage_error (
        error,
        _ ("%s names no parameter. Write FILTER.PARAMETER=…, such as "
           "soft-threshold.threshold=0:0.2:0.01, strength=… of the recipe, or FILTER=… "
           "for other filters in its place."),
        axis->said);
  if (!find_places (axis, params, words, error))
    return false;
  if (odl_parameter_is_file (axis->parameter)
      || axis->parameter->kind == ODL_PARAMETER_PULLS)
    return odl_usage_error (error, _ ("%s: only numbers and words can be varied."),
                            axis->said);
  return true;
}

// ---- which values --------------------------------------------------------------------

// Twelve digits, so that steps of 0.01 stay what was typed.
static char *
number_text (double value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  return g_strdup (g_ascii_formatd (buffer, sizeof buffer, "%.12g", value));
}

// What the range of thresholds depends on.
static char *
scale_text (const OdlRecipeItem *item)
{
  static const char *const keys[] = { "levels", ODL_NORMALISATION };
  GString *text = g_string_new (NULL);

  for (size_t i = 0; i < G_N_ELEMENTS (keys); i++) {
    const OdlParameter *parameter = odl_filter_parameter (item->filter, keys[i]);
    const int value = parameter != NULL ? (int) item->values[parameter->offset] : 0;
    if (parameter != NULL && parameter->choices != NULL)
      g_string_append_printf (text, "%s=%s,", keys[i], parameter->choices[value]);
    else if (parameter != NULL)
      g_string_append_printf (text, "%s=%d,", keys[i], value);
  }
  return g_string_free (text, FALSE);
}

// The code that has the parameter, which is known by its name and hash.
static char *
code_text (const OdlOwnCode *code)
{
  GString *text = g_string_new (NULL);

  odl_own_append_words (text, code);
  g_string_append_c (text, ',');
  return g_string_free (text, FALSE);
}

// A value as filter `item` of a recipe that has nothing else; false: it is none.
static bool
parse_value (const OdlVaried *axis,
             const OdlRecipe *recipe,
             int item,
             const char *text,
             OdlRecipe *parsed,
             GError **error)
{
  const bool whole = item == ODL_VARIED_RECIPE;
  const OdlOwnCode *code = whole ? NULL : recipe->items[item].filter->code;
  g_autofree char *scale = whole          ? NULL
                           : code != NULL ? code_text (code)
                                          : scale_text (&recipe->items[item]);
  g_autofree char *word = whole
                              ? g_strconcat (axis->parameter->key, "=", text, NULL)
                              : g_strconcat (recipe->items[item].filter->name, ":", scale,
                                             axis->parameter->key, "=", text, NULL);

  odl_recipe_init (parsed);
  parsed->trusts_code = recipe->trusts_code;
  if (strpbrk (text, ", \t\r\n#\"") != NULL)
    return odl_error_set (error, ODL_ERROR_USAGE, _ ("%s: “%s” is no value."), axis->said,
                          text);
  return odl_recipe_parse (parsed, word, error);
}

char *
odl_varied_text (const OdlVaried *axis, guint index)
{
  return axis->texts != NULL ? g_strdup (g_ptr_array_index (axis->texts, index))
                             : number_text (axis->from + index * axis->step);
}

// Whether the recipes that have it accept value `index`. What a window calls it begins
// the message, which else names its key alone.
static bool
check_value (const OdlVaried *axis,
             const OdlVariedParams *params,
             guint index,
             GError **error)
{
  g_autofree char *text = odl_varied_text (axis, index);
  OdlRecipe parsed;

  for (guint i = 0; i < axis->n_recipes; i++)
    if (axis->items[i] != ODL_VARIED_NOWHERE
        && !parse_value (axis, &params->recipes[i], axis->items[i], text, &parsed,
                         error)) {
      if (params->title != NULL && error != NULL
          && !g_str_has_prefix ((*error)->message, axis->said))
        g_prefix_error (error, "%s: ", axis->said);
      return false;
    }
  return true;
}

// All values. Of numbers in a range the ends are enough, since what is between them is
// within the parameter's bounds, too; of whole ones and choices one may be none.
static bool
check_values (const OdlVaried *axis, const OdlVariedParams *params, GError **error)
{
  const OdlParameterKind kind = axis->parameter->kind;
  const bool ends = axis->texts == NULL
                    && (kind == ODL_PARAMETER_NUMBER || kind == ODL_PARAMETER_MATRIX);

  for (guint i = 0; i < axis->count;
       i += ends && i + 1 < axis->count ? axis->count - 1 : 1)
    if (!check_value (axis, params, i, error))
      return false;
  return true;
}

// Whether `parts` are two or three numbers.
static bool
are_numbers (char **parts, guint n, double *numbers)
{
  for (guint i = 0; i < n; i++)
    if (!odl_number_from_text (parts[i], &numbers[i]))
      return false;
  return true;
}

static bool
add_range (OdlVaried *axis,
           const OdlVariedParams *params,
           char **parts,
           guint n,
           GError **error)
{
  const int divisions = params->divisions;
  double numbers[3];

  if (n > 3 || !are_numbers (parts, n, numbers))
    return odl_usage_error (error, _ ("%s: a range is FROM:TO:STEP, such as 0:0.2:0.01."),
                            axis->said);
  const double from = numbers[0], to = numbers[1];
  const bool whole = axis->parameter->kind == ODL_PARAMETER_INTEGER;
  if (n == 2 && !whole && divisions == 0)
    return odl_usage_error (error, _ ("%s: this range needs a step, such as 0:0.2:0.01."),
                            axis->said);
  axis->ranged = n == 2 && !whole;
  const double step = n == 3 ? numbers[2] : whole ? 1 : (to - from) / divisions;
  if (!(step > 0) || !(to >= from))
    return odl_usage_error (error, _ ("%s: a range goes upwards, by a step above 0."),
                            axis->said);
  // Rounding must not lose the end.
  const double count = floor ((to - from) / step * (1 + 1e-12) + 1e-9) + 1;
  if (count > ODL_VARIED_MOST)
    return odl_error_set (error, ODL_ERROR_USAGE,
                          _ ("%s: this range has more than a thousand million "
                             "values. Choose a larger step."),
                          axis->said);
  axis->from = from;
  axis->step = step;
  axis->count = (guint) count;
  return check_values (axis, params, error);
}

OdlVaried *
odl_varied_new (const OdlVariedParams *params, GError **error)
{
  g_autoptr (OdlVaried) axis = g_new0 (OdlVaried, 1);
  const char *text = params->text, *equals = strchr (text, '=');

  axis->name
      = equals != NULL ? g_strndup (text, (gsize) (equals - text)) : g_strdup (text);
  axis->said = params->title != NULL ? g_strdup (params->title)
                                     // Translators: an option, and what it is about.
                                     : g_strdup_printf (_ ("--vary “%s”"), axis->name);
  if (!find_parameter (axis, params, error))
    return NULL;
  if (equals == NULL || equals[1] == '\0')
    return odl_error_null (
        error, ODL_ERROR_USAGE,
        _ ("%s: its values are missing. Write =FROM:TO:STEP or =VALUE,VALUE,…"),
        axis->said);
  g_auto (GStrv) parts = g_strsplit (equals + 1, ":", 4);
  const guint n = g_strv_length (parts);
  if (n > 1 && strchr (equals, ',') == NULL && strchr (equals, '/') == NULL)
    return add_range (axis, params, parts, n, error) ? g_steal_pointer (&axis) : NULL;
  char **words = g_strsplit (equals + 1, ",", -1);
  axis->count = g_strv_length (words);
  axis->texts = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < axis->count; i++)
    g_ptr_array_add (axis->texts, words[i]);
  g_free (words);
  return check_values (axis, params, error) ? g_steal_pointer (&axis) : NULL;
}

OdlVaried *
odl_varied_new_of_filters (const char *name, GPtrArray *texts, int item, guint n_recipes)
{
  OdlVaried *axis = g_new0 (OdlVaried, 1);

  axis->name = g_strdup (name);
  axis->said = g_strdup (name);
  axis->parameter = &others;
  axis->texts = texts;
  axis->count = texts->len;
  axis->n_recipes = n_recipes;
  axis->items = g_new (int, n_recipes);
  for (guint i = 0; i < n_recipes; i++)
    axis->items[i] = item;
  return axis;
}

void
odl_varied_apply (const OdlVaried *axis, guint index, guint number, OdlRecipe *recipe)
{
  const int place = axis->items[number];
  g_autofree char *text = odl_varied_text (axis, index);
  OdlRecipe parsed;

  // odl_varied_new has seen that it parses.
  if (!parse_value (axis, recipe, place, text, &parsed, NULL))
    g_assert_not_reached ();
  if (place == ODL_VARIED_RECIPE) {
    recipe->strength = parsed.strength;
    return;
  }
  OdlRecipeItem *item = &recipe->items[place];
  // Code of two files may have the same parameter at two places.
  const OdlParameter *parameter
      = odl_filter_parameter (item->filter, axis->parameter->key);
  memcpy (item->values + parameter->offset, parsed.items[0].values + parameter->offset,
          sizeof (double) * (size_t) parameter->count);
  if (parameter->kind == ODL_PARAMETER_MATRIX)
    item->n_given = parsed.items[0].n_given;
}

double
odl_varied_number (const OdlVaried *axis, guint index)
{
  g_autofree char *text = odl_varied_text (axis, index);
  double value;

  return odl_number_from_text (text, &value) ? value : NAN;
}

bool
odl_varied_goes_on (const OdlVaried *axis,
                    const OdlRecipe *recipe,
                    guint number,
                    guint index)
{
  const double value = odl_varied_number (axis, index);
  double least = odl_varied_number (axis, 0);
  double most = odl_varied_number (axis, axis->count - 1);
  OdlRecipe parsed;

  // Those of a range ascend.
  for (guint i = 0; axis->texts != NULL && i < axis->count; i++) {
    least = fmin (least, odl_varied_number (axis, i));
    most = fmax (most, odl_varied_number (axis, i));
  }
  if (axis->items[number] == ODL_VARIED_NOWHERE || isnan (value) || !(most > least)
      || (value > least && value < most))
    return false;
  const double by
      = axis->parameter->kind == ODL_PARAMETER_INTEGER ? 1 : (most - least) / 1000;
  g_autofree char *text = number_text (value > least ? value + by : value - by);
  return parse_value (axis, recipe, axis->items[number], text, &parsed, NULL);
}
