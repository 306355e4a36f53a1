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
  .kind = ODL_PARAMETER_NUMBER,
  .maximum = ODL_MOST_STRENGTH,
  .count = 1,
};

// "soft-threshold:2.levels", or "strength"
static bool
find_parameter (OdlVaried *axis, const OdlRecipe *recipe, GError **error)
{
  g_auto (GStrv) words = g_strsplit (axis->name, ".", 2);
  guint64 n = 1;

  if (g_str_equal (axis->name, strength.key)) {
    axis->item = ODL_VARIED_RECIPE;
    axis->parameter = &strength;
    return true;
  }
  if (g_strv_length (words) != 2)
    return odl_usage_error (
        error,
        _ ("--vary “%s” names no parameter. Write FILTER.PARAMETER=…, "
           "such as soft-threshold.threshold=0:0.2:0.01, or strength=… of the recipe."),
        axis->name);
  char *colon = strchr (words[0], ':');
  if (colon != NULL) {
    *colon = '\0';
    if (!g_ascii_string_to_unsigned (colon + 1, 10, 1, ODL_RECIPE_MAX_FILTERS, &n, NULL))
      return odl_usage_error (
          error, _ ("--vary “%s”: what follows the colon is no number."), axis->name);
  }
  axis->item = find_item (recipe, words[0], n);
  if (axis->item < 0)
    return odl_error_set (error, ODL_ERROR_USAGE,
                          _ ("--vary “%s”: the recipe has no such filter. Name it with "
                             "--filter or --recipe."),
                          axis->name);
  axis->parameter = odl_filter_parameter (recipe->items[axis->item].filter, words[1]);
  if (axis->parameter == NULL)
    return odl_error_set (error, ODL_ERROR_USAGE,
                          _ ("--vary “%s”: this filter has no such parameter; “list "
                             "filters” names them. The strength of the whole recipe "
                             "is varied by strength=…"),
                          axis->name);
  if (odl_parameter_is_file (axis->parameter)
      || axis->parameter->kind == ODL_PARAMETER_PULLS)
    return odl_usage_error (
        error, _ ("--vary “%s”: only numbers and words can be varied."), axis->name);
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

// A value as the item of a recipe that has nothing else; false: it is none.
static bool
parse_value (const OdlVaried *axis,
             const OdlRecipe *recipe,
             const char *text,
             OdlRecipe *parsed,
             GError **error)
{
  const bool whole = axis->item == ODL_VARIED_RECIPE;
  const OdlOwnCode *code = whole ? NULL : recipe->items[axis->item].filter->code;
  g_autofree char *scale = whole          ? NULL
                           : code != NULL ? code_text (code)
                                          : scale_text (&recipe->items[axis->item]);
  g_autofree char *word
      = whole ? g_strconcat (axis->parameter->key, "=", text, NULL)
              : g_strconcat (recipe->items[axis->item].filter->name, ":", scale,
                             axis->parameter->key, "=", text, NULL);

  odl_recipe_init (parsed);
  parsed->trusts_code = recipe->trusts_code;
  if (strpbrk (text, ", \t\r\n#\"") != NULL)
    return odl_error_set (error, ODL_ERROR_USAGE, _ ("--vary “%s”: “%s” is no value."),
                          axis->name, text);
  return odl_recipe_parse (parsed, word, error);
}

char *
odl_varied_text (const OdlVaried *axis, guint index)
{
  return axis->texts != NULL ? g_strdup (g_ptr_array_index (axis->texts, index))
                             : number_text (axis->from + index * axis->step);
}

// Whether the recipe accepts value `index`.
static bool
check_value (const OdlVaried *axis, const OdlRecipe *recipe, guint index, GError **error)
{
  g_autofree char *text = odl_varied_text (axis, index);
  OdlRecipe parsed;

  return parse_value (axis, recipe, text, &parsed, error);
}

// All values. Of numbers in a range the ends are enough, since what is between them is
// within the parameter's bounds, too; of whole ones and choices one may be none.
static bool
check_values (const OdlVaried *axis, const OdlRecipe *recipe, GError **error)
{
  const OdlParameterKind kind = axis->parameter->kind;
  const bool ends = axis->texts == NULL
                    && (kind == ODL_PARAMETER_NUMBER || kind == ODL_PARAMETER_MATRIX);

  for (guint i = 0; i < axis->count;
       i += ends && i + 1 < axis->count ? axis->count - 1 : 1)
    if (!check_value (axis, recipe, i, error))
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
           const OdlRecipe *recipe,
           char **parts,
           guint n,
           int divisions,
           GError **error)
{
  double numbers[3];

  if (n > 3 || !are_numbers (parts, n, numbers))
    return odl_usage_error (
        error, _ ("--vary “%s”: a range is FROM:TO:STEP, such as 0:0.2:0.01."),
        axis->name);
  const double from = numbers[0], to = numbers[1];
  const bool whole = axis->parameter->kind == ODL_PARAMETER_INTEGER;
  if (n == 2 && !whole && divisions == 0)
    return odl_usage_error (
        error, _ ("--vary “%s”: this range needs a step, such as 0:0.2:0.01."),
        axis->name);
  axis->ranged = n == 2 && !whole;
  const double step = n == 3 ? numbers[2] : whole ? 1 : (to - from) / divisions;
  if (!(step > 0) || !(to >= from))
    return odl_usage_error (
        error, _ ("--vary “%s”: a range goes upwards, by a step above 0."), axis->name);
  // Rounding must not lose the end.
  const double count = floor ((to - from) / step * (1 + 1e-12) + 1e-9) + 1;
  if (count > ODL_VARIED_MOST)
    return odl_error_set (error, ODL_ERROR_USAGE,
                          _ ("--vary “%s”: this range has more than a thousand million "
                             "values. Choose a larger step."),
                          axis->name);
  axis->from = from;
  axis->step = step;
  axis->count = (guint) count;
  return check_values (axis, recipe, error);
}

// Parses "FILTER.PARAMETER=FROM:TO:STEP" (or "strength=…"), "=FROM:TO" or
// "=VALUE,VALUE,…"; FILTER:2 is the second filter of that name. `whole` values are
// refused where a range lacks its step, unless `divisions` says in how many parts it is
// then divided (0: it needs one). Each value is one that the recipe accepts.
// ODL_ERROR_USAGE. NULL on errors.
static OdlVaried *
varied_new (const char *text, const OdlRecipe *recipe, int divisions, GError **error)
{
  g_autoptr (OdlVaried) axis = g_new0 (OdlVaried, 1);
  const char *equals = strchr (text, '=');

  axis->name
      = equals != NULL ? g_strndup (text, (gsize) (equals - text)) : g_strdup (text);
  if (!find_parameter (axis, recipe, error))
    return NULL;
  if (equals == NULL || equals[1] == '\0')
    return odl_error_null (
        error, ODL_ERROR_USAGE,
        _ ("--vary “%s”: its values are missing. Write =FROM:TO:STEP or =VALUE,VALUE,…"),
        axis->name);
  g_auto (GStrv) parts = g_strsplit (equals + 1, ":", 4);
  const guint n = g_strv_length (parts);
  if (n > 1 && strchr (equals, ',') == NULL && strchr (equals, '/') == NULL)
    return add_range (axis, recipe, parts, n, divisions, error) ? g_steal_pointer (&axis)
                                                                : NULL;
  char **words = g_strsplit (equals + 1, ",", -1);
  axis->count = g_strv_length (words);
  axis->texts = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < axis->count; i++)
    g_ptr_array_add (axis->texts, words[i]);
  g_free (words);
  return check_values (axis, recipe, error) ? g_steal_pointer (&axis) : NULL;
}

// Puts value `index` into the recipe.
static void
apply (const OdlVaried *axis, guint index, OdlRecipe *recipe)
{
  const OdlParameter *parameter = axis->parameter;
  g_autofree char *text = odl_varied_text (axis, index);
  OdlRecipe parsed;

  // varied_new has seen that it parses.
  if (!parse_value (axis, recipe, text, &parsed, NULL))
    g_assert_not_reached ();
  if (axis->item == ODL_VARIED_RECIPE) {
    recipe->strength = parsed.strength;
    return;
  }
  OdlRecipeItem *item = &recipe->items[axis->item];
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
odl_varied_goes_on (const OdlVaried *axis, const OdlRecipe *recipe, guint index)
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
  if (isnan (value) || !(most > least) || (value > least && value < most))
    return false;
  const double by
      = axis->parameter->kind == ODL_PARAMETER_INTEGER ? 1 : (most - least) / 1000;
  g_autofree char *text = number_text (value > least ? value + by : value - by);
  return parse_value (axis, recipe, text, &parsed, NULL);
}

// ---- the grid ------------------------------------------------------------------------

static void
free_axis (void *axis)
{
  odl_varied_free (axis);
}

GPtrArray *
odl_axes_new (char **texts, const OdlRecipe *recipe, int divisions, GError **error)
{
  g_autoptr (GPtrArray) axes = g_ptr_array_new_with_free_func (free_axis);

  for (gsize i = 0; texts != NULL && texts[i] != NULL; i++) {
    OdlVaried *axis = varied_new (texts[i], recipe, divisions, error);
    if (axis == NULL)
      return NULL;
    for (guint k = 0; k < axes->len; k++) {
      const OdlVaried *other = g_ptr_array_index (axes, k);
      if (other->item == axis->item && other->parameter == axis->parameter) {
        odl_error_set (error, ODL_ERROR_USAGE,
                       _ ("--vary “%s”: this parameter is varied twice."), axis->name);
        odl_varied_free (axis);
        return NULL;
      }
    }
    g_ptr_array_add (axes, axis);
  }
  if (axes->len == 0 || axes->len > ODL_AXES_MOST)
    return odl_error_null (
        error, ODL_ERROR_USAGE,
        axes->len == 0
            ? _ ("Say what to vary, such as --vary soft-threshold.threshold=0:0.2:0.01.")
            : _ ("These are too many parameters; vary at most 16."));
  return g_steal_pointer (&axes);
}

double
odl_axes_points (const GPtrArray *axes)
{
  double points = 1;

  for (guint i = 0; i < axes->len; i++)
    points *= ((const OdlVaried *) g_ptr_array_index (axes, i))->count;
  return points;
}

void
odl_axes_indices (const GPtrArray *axes, gint64 point, guint *indices)
{
  for (guint i = axes->len; i-- > 0;) {
    const gint64 n = ((const OdlVaried *) g_ptr_array_index (axes, i))->count;
    indices[i] = (guint) (point % n);
    point /= n;
  }
}

gint64
odl_axes_point (const GPtrArray *axes, const guint *indices)
{
  gint64 point = 0;

  for (guint i = 0; i < axes->len; i++)
    point = point * ((const OdlVaried *) g_ptr_array_index (axes, i))->count + indices[i];
  return point;
}

OdlRecipe
odl_axes_recipe (const GPtrArray *axes, const OdlRecipe *recipe, const guint *indices)
{
  OdlRecipe made = *recipe;

  for (guint i = 0; i < axes->len; i++)
    apply (g_ptr_array_index (axes, i), indices[i], &made);
  return made;
}
