// SPDX-License-Identifier: MIT
// The text form of recipes: parsing and printing.
#include <string.h>

#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "base/text.h"
#include "filter/inside.h"
#include "filter/own/words.h"
#include "filter/presets.h"
#include "filter/pulls.h"
#include "filter/quoted.h"

#define FORMAT_LINE "# Ondelette recipe, format "
#define BYPASS "bypass"
#define AT "at"

const char *const odl_view_names[] = { "synthesis", "analysis", "filtered-analysis",
                                       "residual",  "falling",  "filtered-falling",
                                       "level:1",   "level:2",  "level:3",
                                       "level:4",   "level:5",  "level:6",
                                       "level:7",   "level:8",  "level:9",
                                       "level:10",  "level:11", "level:12",
                                       "level:13",  "level:14", "level:15",
                                       "level:16",  NULL };
G_STATIC_ASSERT (G_N_ELEMENTS (odl_view_names) == ODL_VIEW_LEVEL + ODL_MAX_LEVELS + 1);
const char *const odl_colour_names[] = { "channels", "luma", "opponent", NULL };
const char *const odl_border_names[] = { "auto", "symmetric", "periodic", "zero", NULL };
const char *const odl_at_names[]
    = { N_ ("details"), N_ ("approximation"), N_ ("coarsest"), NULL };

static const char *const precision_names[] = { "16", "32", NULL };
static const char *const switch_names[] = { "no", "yes", NULL };

static int
index_of (const char *text, const char *const *names)
{
  for (int i = 0; names[i] != NULL; i++)
    if (g_ascii_strcasecmp (names[i], text) == 0)
      return i;
  return -1;
}

static bool
set_choice_error (GError **error, const char *text, const char *key, const char *known)
{
  return odl_error_set (error, ODL_ERROR_USAGE,
                        _ ("“%s” is not a value for “%s”; choose one of: %s"), text, key,
                        known);
}

// Index of `text` in `names`; −1 and an error that lists the alternatives.
static int
find_choice (const char *key, const char *text, const char *const *names, GError **error)
{
  const int index = index_of (text, names);

  if (index < 0) {
    g_autofree char *known = g_strjoinv (", ", (char **) names);
    set_choice_error (error, text, key, known);
  }
  return index;
}

static bool
set_range_error (GError **error,
                 const OdlParameter *parameter,
                 const char *text,
                 double maximum)
{
  g_autofree char *low = odl_number_to_text (parameter->minimum);
  g_autofree char *high = odl_number_to_text (maximum);

  return odl_error_set (error, ODL_ERROR_USAGE, _ ("“%s” for “%s” is outside %s … %s"),
                        text, parameter->key, low, high);
}

// Thresholds have no end before the normalisation is known.
static bool
parse_number (const OdlParameter *parameter,
              const char *text,
              double *value,
              GError **error)
{
  if (odl_parameter_from_word (parameter, text, value))
    return true;
  if (!odl_number_from_text (text, value))
    return odl_error_set (error, ODL_ERROR_USAGE, _ ("“%s” is not a number for “%s”"),
                          text, parameter->key);
  if (*value < parameter->minimum
      || (*value > parameter->maximum && !parameter->is_threshold))
    return set_range_error (error, parameter, text, parameter->maximum);
  if (parameter->kind == ODL_PARAMETER_INTEGER && *value != (int) *value)
    return odl_error_set (error, ODL_ERROR_USAGE,
                          _ ("“%s” for “%s” must be a whole number"), text,
                          parameter->key);
  return true;
}

// One number for all detail bands of a level, or one for each.
static bool
parse_level (const OdlParameter *parameter,
             const char *text,
             double *values,
             GError **error)
{
  g_auto (GStrv) bands = g_strsplit (text, ":", -1);
  const guint n = g_strv_length (bands), all = (guint) odl_parameter_bands (parameter);

  if (n > 1 && n != all)
    return odl_usage_error (
        error,
        parameter->follows == ODL_FOLLOWS_SLICES
            ? _ ("“%s” for “%s” must be one number, or four for the bands "
                 "LLH:HLH:LHH:HHH")
            : _ ("“%s” for “%s” must be one number, or three for the bands HL:LH:HH"),
        text, parameter->key);
  for (guint b = 0; b < all; b++)
    if (!parse_number (parameter, n > 1 ? bands[b] : text, &values[b], error))
      return false;
  return true;
}

static bool
parse_matrix (const OdlParameter *parameter,
              const char *text,
              OdlRecipeItem *item,
              GError **error)
{
  double *values = item->values + parameter->offset;
  g_auto (GStrv) levels = g_strsplit (text, "/", -1);
  const int n = (int) g_strv_length (levels);
  const int bands = odl_parameter_bands (parameter);
  const int possible = parameter->count / bands;

  if (n == 0)
    return odl_error_set (error, ODL_ERROR_USAGE, _ ("“%s” is not a number for “%s”"),
                          text, parameter->key);
  if (n > possible)
    return odl_error_set (error, ODL_ERROR_USAGE,
                          _ ("“%s” has %d entries, at most %d are possible"),
                          parameter->key, n, possible);
  for (int l = 0; l < n; l++)
    if (!parse_level (parameter, levels[l], values + bands * l, error))
      return false;
  for (int i = bands * n; i < parameter->count; i++)
    values[i] = values[i - bands];
  if (!parameter->follows)
    item->n_given = n;
  return true;
}

// Rows after slashes, one number for all of a row or ODL_SPECTRUM_SIDE; the last row
// stands for those that are missing.
static bool
parse_spectrum (const OdlParameter *parameter,
                const char *text,
                OdlRecipeItem *item,
                GError **error)
{
  double *values = item->values + parameter->offset;
  g_auto (GStrv) rows = g_strsplit (text, "/", -1);
  const int n = (int) g_strv_length (rows);

  if (n > ODL_SPECTRUM_SIDE)
    return odl_error_set (error, ODL_ERROR_USAGE,
                          _ ("“%s” has %d entries, at most %d are possible"),
                          parameter->key, n, ODL_SPECTRUM_SIDE);
  for (int y = 0; y < ODL_SPECTRUM_SIDE; y++) {
    const char *row = n == 0 ? "" : rows[MIN (y, n - 1)];
    g_auto (GStrv) numbers = g_strsplit (row, ":", -1);
    const int columns = (int) g_strv_length (numbers);
    if (columns > 1 && columns != ODL_SPECTRUM_SIDE)
      return odl_error_set (
          error, ODL_ERROR_USAGE,
          _ ("“%s” for “%s” must be one number, or %d for the columns of "
             "coefficients"),
          row, parameter->key, ODL_SPECTRUM_SIDE);
    for (int x = 0; x < ODL_SPECTRUM_SIDE; x++)
      if (!parse_number (parameter, columns > 1 ? numbers[x] : row,
                         &values[y * ODL_SPECTRUM_SIDE + x], error))
        return false;
  }
  return true;
}

static bool
parse_wavelet (const char *text, double *value, GError **error)
{
  const OdlWavelet *wavelet = odl_wavelet_find (text);

  for (size_t i = 0; i < odl_wavelet_count (); i++)
    if (odl_wavelet_at (i) == wavelet) {
      *value = (double) i;
      return true;
    }

  g_autofree char *message = odl_wavelet_unknown (text);
  return odl_error_set (error, ODL_ERROR_USAGE, "%s", message);
}

#define BLANKS " \t\r\n"

static bool
parse_file (const char *text, OdlRecipeItem *item, GError **error)
{
  g_autofree char *file = odl_quoted_parse (text, error);

  if (file == NULL)
    return false;
  item->file = *file != '\0' ? g_intern_string (file) : NULL;
  return true;
}

static bool
parse_value (const OdlParameter *parameter,
             const char *text,
             OdlRecipeItem *item,
             GError **error)
{
  double *values = item->values + parameter->offset;
  int index;

  switch (parameter->kind) {
  case ODL_PARAMETER_NUMBER:
  case ODL_PARAMETER_INTEGER:
    return parse_number (parameter, text, values, error);
  case ODL_PARAMETER_MATRIX:
    return parse_matrix (parameter, text, item, error);
  case ODL_PARAMETER_SPECTRUM:
    return parse_spectrum (parameter, text, item, error);
  case ODL_PARAMETER_PULLS:
    return odl_pulls_parse (text, parameter->key, values, error);
  case ODL_PARAMETER_WAVELET:
    return parse_wavelet (text, values, error);
  case ODL_PARAMETER_CHOICE:
    index = find_choice (parameter->key, text, parameter->choices, error);
    *values = index;
    return index >= 0;
  case ODL_PARAMETER_FILE:
  case ODL_PARAMETER_KERNEL:
    return parse_file (text, item, error);
  }
  g_return_val_if_reached (false);
}

static bool
parse_bypass (OdlRecipeItem *item, const char *text, GError **error)
{
  const int index = find_choice (BYPASS, text, switch_names, error);

  item->bypassed = index == 1;
  return index >= 0;
}

static bool
parse_at (OdlRecipeItem *item, const char *text, GError **error)
{
  const int index = find_choice (AT, text, odl_at_names, error);

  item->at = (OdlInsideAt) MAX (index, 0);
  return index >= 0;
}

static bool
parse_assignment (OdlRecipeItem *item, const char *text, GError **error)
{
  g_auto (GStrv) pair = g_strsplit (text, "=", 2);
  const OdlFilter *filter = item->filter;

  if (g_strcmp0 (pair[0], BYPASS) == 0 && pair[1] != NULL)
    return parse_bypass (item, pair[1], error);
  if (g_strcmp0 (pair[0], AT) == 0 && pair[1] != NULL && odl_filter_has_at (filter))
    return parse_at (item, pair[1], error);
  const OdlParameter *parameter
      = pair[0] == NULL ? NULL : odl_filter_parameter (filter, pair[0]);

  if (parameter != NULL && pair[1] != NULL)
    return parse_value (parameter, pair[1], item, error);
  if (parameter != NULL)
    return odl_error_set (error, ODL_ERROR_USAGE,
                          _ ("“%s” of filter “%s” needs a value: %s=…"), pair[0],
                          filter->name, pair[0]);
  if (filter->n_parameters == 0)
    return odl_error_set (error, ODL_ERROR_USAGE,
                          _ ("filter “%s” has no parameters, but “%s” was given"),
                          filter->name, text);

  g_autoptr (GString) known = g_string_new (NULL);
  for (size_t i = 0; i < filter->n_parameters; i++)
    g_string_append_printf (known, "%s, ", filter->parameters[i].key);
  if (odl_filter_has_at (filter))
    g_string_append (known, AT ", ");
  g_string_append (known, BYPASS);
  return odl_error_set (error, ODL_ERROR_USAGE,
                        _ ("filter “%s” has no parameter “%s”; it has: %s"), filter->name,
                        pair[0] == NULL ? "" : pair[0], known->str);
}

// Whether thresholds are within the range of their normalisation.
static bool
check_thresholds (const OdlRecipeItem *item, GError **error)
{
  for (size_t p = 0; p < item->filter->n_parameters; p++) {
    const OdlParameter *parameter = &item->filter->parameters[p];
    const double *values = item->values + parameter->offset;
    for (int i = 0; parameter->is_threshold && i < parameter->count; i++) {
      const double maximum = odl_recipe_item_maximum (item, parameter);
      g_autofree char *text = values[i] > maximum ? odl_number_to_text (values[i]) : NULL;
      if (text != NULL)
        return set_range_error (error, parameter, text, maximum);
    }
  }
  return true;
}

static bool
parse_filter (OdlRecipe *recipe, const char *word, const char *folder, GError **error)
{
  const char *colon = strchr (word, ':');
  g_autofree char *name
      = colon == NULL ? g_strdup (word) : g_strndup (word, colon - word);
  const OdlOwnCode *function = odl_own_registered (name);
  const OdlFilter *filter = function != NULL ? &function->filter : odl_filter_find (name);

  if (filter == NULL) {
    g_autoptr (GString) known = g_string_new (NULL);
    for (size_t i = 0; i < odl_filter_count (); i++)
      g_string_append_printf (known, "%s%s", i == 0 ? "" : ", ", odl_filter_at (i)->name);
    return odl_error_set (error, ODL_ERROR_USAGE,
                          _ ("“%s” is not a filter; choose one of: %s"), name,
                          known->str);
  }
  if (recipe->refuses_code && odl_own_is_filter (filter))
    return odl_error_set (error, ODL_ERROR_DENIED,
                          _ ("filters that a program sends cannot name code; insert it "
                             "in the window"));
  const char *words = colon != NULL ? colon + 1 : "";
  g_autofree char *rest = NULL; // without the file of the code
  if (odl_own_is_filter (filter) && filter->code == NULL && *words != '\0') {
    filter = odl_own_filter (filter, words, folder, recipe->trusts_code, &rest, error);
    if (filter == NULL)
      return false;
    words = rest;
  }
  if (!odl_recipe_append (recipe, filter))
    return odl_error_set (error, ODL_ERROR_USAGE, _ ("a recipe holds at most %d filters"),
                          ODL_RECIPE_MAX_FILTERS);
  if (*words == '\0')
    return true;

  OdlRecipeItem *item = &recipe->items[recipe->n_items - 1];
  for (const char *text = words;; text++) {
    const int n = odl_quoted_span_to (text, ",");
    g_autofree char *assignment = g_strndup (text, n);
    if (!parse_assignment (item, assignment, error))
      return false;
    text += n;
    if (*text == '\0')
      return check_thresholds (item, error);
  }
}

static bool
parse_strength (const char *text, double *value, GError **error)
{
  double strength;

  if (!odl_number_from_text (text, &strength) || strength < 0
      || strength > ODL_MOST_STRENGTH)
    return odl_error_set (error, ODL_ERROR_USAGE,
                          _ ("“%s” for “%s” is no number from 0 to %d"), text, "strength",
                          (int) ODL_MOST_STRENGTH);
  *value = strength;
  return true;
}

// By its name, or by what the window calls it.
static int
find_view (const char *key, const char *value, GError **error)
{
  static const char *const words[]
      = { "result", "coefficients", "filtered-coefficients", NULL }; // in the same order
  const int index = index_of (value, words);
  const int own = index < 0 ? index_of (value, odl_view_names) : index;

  if (own < 0)
    set_choice_error (error, value, key,
                      "result, coefficients, filtered-coefficients, residual, falling, "
                      "filtered-falling, level:1 … level:" G_STRINGIFY (ODL_MAX_LEVELS));
  return own;
}

// Settings of the whole recipe.
static bool
parse_setting (OdlRecipe *recipe, const char *key, const char *value, GError **error)
{
  int index;

  if (g_str_equal (key, "view")) {
    index = find_view (key, value, error);
    recipe->view = index < 0 ? recipe->view : (OdlViewKind) index;
  } else if (g_str_equal (key, "colour")) {
    index = find_choice (key, value, odl_colour_names, error);
    recipe->colour = index < 0 ? recipe->colour : (OdlColourMode) index;
  } else if (g_str_equal (key, "precision")) {
    index = find_choice (key, value, precision_names, error);
    recipe->precision = index == 0 ? 16 : 32;
  } else if (g_str_equal (key, "border")) {
    index = find_choice (key, value, odl_border_names, error);
    recipe->border = index < 0 ? recipe->border : (OdlBorderChoice) index;
  } else if (g_str_equal (key, "strength")) {
    return parse_strength (value, &recipe->strength, error);
  } else {
    return odl_error_set (error, ODL_ERROR_USAGE,
                          _ ("“%s” is not a setting; choose one of: view, colour, "
                             "precision, border, strength"),
                          key);
  }
  return index >= 0;
}

static bool
parse_word (OdlRecipe *recipe, const char *word, const char *folder, GError **error)
{
  const char *equals = strchr (word, '=');
  const char *colon = strchr (word, ':');
  const OdlPreset *preset = odl_preset_find (word);

  if (preset != NULL) {
    g_autofree char *words = odl_preset_words (preset);
    return odl_recipe_parse (recipe, words, error);
  }
  if (equals == NULL || (colon != NULL && colon < equals))
    return parse_filter (recipe, word, folder, error);

  g_autofree char *key = g_strndup (word, equals - word);
  return parse_setting (recipe, key, equals + 1, error);
}

// Of the comment that files begin with: "# Ondelette recipe, format 1".
static bool
check_format (const char *comment, GError **error)
{
  const gint64 format = g_str_has_prefix (comment, FORMAT_LINE)
                            ? g_ascii_strtoll (comment + strlen (FORMAT_LINE), NULL, 10)
                            : 0;

  if (format <= ODL_RECIPE_FORMAT)
    return true;
  return odl_error_set (error, ODL_ERROR_USAGE,
                        _ ("a newer version of Ondelette wrote this recipe (format "
                           "%d; this version reads format %d and older ones). Update "
                           "the program to use it"),
                        (int) MIN (format, G_MAXINT), ODL_RECIPE_FORMAT);
}

bool
odl_recipe_parse (OdlRecipe *recipe, const char *text, GError **error)
{
  return odl_recipe_parse_in (recipe, text, NULL, error);
}

bool
odl_recipe_parse_in (OdlRecipe *recipe,
                     const char *text,
                     const char *folder,
                     GError **error)
{
  g_return_val_if_fail (recipe != NULL && text != NULL, false);

  OdlRecipe parsed = *recipe;

  for (;;) {
    text += strspn (text, BLANKS);
    if (*text == '\0')
      break;
    if (*text == '#') {
      if (!check_format (text, error))
        return false;
      text += strcspn (text, "\n");
      continue;
    }
    const int n = odl_quoted_span_to (text, BLANKS "#");
    if (n < 0)
      return odl_error_set (error, ODL_ERROR_USAGE, _ ("“%s” has an unterminated quote"),
                            text);
    g_autofree char *word = g_strndup (text, n);
    if (!parse_word (&parsed, word, folder, error))
      return false;
    text += n;
  }
  *recipe = parsed;
  return true;
}

static char *
number_text (const OdlParameter *parameter, double value)
{
  const char *word = odl_parameter_word (parameter, value);

  return word != NULL ? g_strdup (word) : odl_number_to_text (value);
}

// Writes one number if all bands of a level are equal.
static void
append_level (GString *text, const OdlParameter *parameter, const double *values)
{
  const int bands = odl_parameter_bands (parameter);
  bool linked = true;

  for (int b = 1; b < bands; b++)
    linked = linked && values[b] == values[0];
  for (int b = 0; b < (linked ? 1 : bands); b++) {
    g_autofree char *number = number_text (parameter, values[b]);
    g_string_append_printf (text, "%s%s", b == 0 ? "" : ":", number);
  }
}

// Each row in as few numbers as say it, and no row that is as the one before it at the
// end.
static void
append_spectrum (GString *text, const OdlParameter *parameter, const double *values)
{
  const size_t row = ODL_SPECTRUM_SIDE * sizeof *values;
  int n = ODL_SPECTRUM_SIDE;

  while (n > 1
         && memcmp (values + (n - 1) * ODL_SPECTRUM_SIDE,
                    values + (n - 2) * ODL_SPECTRUM_SIDE, row)
                == 0)
    n--;
  for (int y = 0; y < n; y++, values += ODL_SPECTRUM_SIDE) {
    bool linked = true;
    for (int x = 1; x < ODL_SPECTRUM_SIDE; x++)
      linked = linked && values[x] == values[0];
    g_string_append (text, y == 0 ? "" : "/");
    for (int x = 0; x < (linked ? 1 : ODL_SPECTRUM_SIDE); x++) {
      g_autofree char *number = number_text (parameter, values[x]);
      g_string_append_printf (text, "%s%s", x == 0 ? "" : ":", number);
    }
  }
}

// Writes one level if all levels are equal; else all of them.
static void
append_matrix (GString *text, const OdlParameter *parameter, const double *values, int n)
{
  const int bands = odl_parameter_bands (parameter);
  bool equal = true;

  for (int i = bands; i < n; i++)
    equal = equal && values[i] == values[i - bands];
  for (int i = 0; i < (equal ? bands : n); i += bands) {
    g_string_append (text, i == 0 ? "" : "/");
    append_level (text, parameter, values + i);
  }
}

static void
append_value (GString *text, const OdlRecipeItem *item, const OdlParameter *parameter)
{
  const double *values = item->values + parameter->offset;

  if (odl_parameter_is_file (parameter)) {
    odl_quoted_append (text, item->file != NULL ? item->file : "");
    return;
  }
  if (parameter->kind == ODL_PARAMETER_PULLS) {
    g_autofree char *pulls = odl_pulls_to_text (values);
    g_string_append (text, pulls);
    return;
  }
  if (parameter->kind == ODL_PARAMETER_WAVELET) {
    g_string_append (text, odl_wavelet_at ((size_t) values[0])->name);
    return;
  }
  if (parameter->kind == ODL_PARAMETER_CHOICE) {
    g_string_append (text, parameter->choices[(int) values[0]]);
    return;
  }
  if (parameter->kind == ODL_PARAMETER_SPECTRUM) {
    append_spectrum (text, parameter, values);
    return;
  }
  if (parameter->kind == ODL_PARAMETER_MATRIX) {
    append_matrix (text, parameter, values, odl_recipe_item_count (item, parameter));
    return;
  }
  g_autofree char *number = number_text (parameter, values[0]);
  g_string_append (text, number);
}

static void
append_filter (GString *text, const OdlRecipeItem *item)
{
  const OdlFilter *filter = item->filter;
  const char *separator = ":";

  g_string_append (text, filter->name);
  if (filter->code != NULL && filter->code->call == NULL) {
    g_string_append (text, separator);
    odl_own_append_words (text, filter->code);
    separator = ",";
  }
  for (size_t p = 0; p < filter->n_parameters; p++) {
    const OdlParameter *parameter = &filter->parameters[p];
    if (!odl_recipe_item_uses (item, parameter)
        && odl_recipe_item_has_default (item, parameter))
      continue;
    g_string_append_printf (text, "%s%s=", separator, parameter->key);
    append_value (text, item, parameter);
    separator = ",";
  }
  if (item->at != ODL_AT_DETAILS) {
    g_string_append_printf (text, "%s%s=%s", separator, AT, odl_at_names[item->at]);
    separator = ",";
  }
  if (item->bypassed)
    g_string_append_printf (text, "%s%s=%s", separator, BYPASS, switch_names[1]);
}

char *
odl_recipe_to_text (const OdlRecipe *recipe, const char *separator)
{
  g_return_val_if_fail (recipe != NULL && separator != NULL, NULL);

  GString *text = g_string_new (NULL);
  for (int i = 0; i < recipe->n_items; i++) {
    append_filter (text, &recipe->items[i]);
    g_string_append (text, separator);
  }
  g_string_append_printf (text, "view=%s%scolour=%s%sprecision=%d%sborder=%s",
                          odl_view_names[recipe->view], separator,
                          odl_colour_names[recipe->colour], separator, recipe->precision,
                          separator, odl_border_names[recipe->border]);
  if (recipe->strength != 1) {
    g_autofree char *strength = odl_number_to_text (recipe->strength);
    g_string_append_printf (text, "%sstrength=%s", separator, strength);
  }
  return g_string_free (text, FALSE);
}
