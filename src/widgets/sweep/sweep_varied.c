// SPDX-License-Identifier: MIT
#include "widgets/sweep/sweep_varied.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/error.h"
#include "widgets/diagnostics.h"
#include "widgets/expression.h"

#define SHARES 20 // steps of a range that is offered
#define MOST_WHOLE 10 // likewise of whole numbers

struct _OdlSweepVaried {
  char *name; // "soft-threshold:2.levels"
  char *title;
  AdwExpanderRow *row;
  GtkEditable *from, *to, *step, *count; // of numbers
  GtkEditable *words; // else
  OdlUnitRange range; // what 0 and 1 of the parameter are here
  bool linking; // step and count follow each other
};

// ---- names ---------------------------------------------------------------------------

static void
name_part (GtkWidget *part, const char *name)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (part), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  name, -1);
}

void
odl_sweep_name_field (GtkEditable *row, const char *name)
{
  name_part (GTK_WIDGET (gtk_editable_get_delegate (row)), name);
}

// That of a row that can be switched on.
void
odl_sweep_name_switch (GtkWidget *widget, const char *name)
{
  if (GTK_IS_SWITCH (widget))
    name_part (widget, name);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child;
       child = gtk_widget_get_next_sibling (child))
    odl_sweep_name_switch (child, name);
}

// ---- numbers -------------------------------------------------------------------------

static bool
read_number (GtkEditable *editable, double *value)
{
  return odl_expression_read (gtk_editable_get_text (editable),
                              odl_diagnostics_read_number, value)
         && isfinite (*value);
}

static void
set_number (GtkEditable *editable, double value)
{
  g_autofree char *text = g_strdup_printf ("%.12g", value);
  gtk_editable_set_text (editable, text);
}

static double
count_of (double from, double to, double step)
{
  return floor ((to - from) / step * (1 + 1e-12) + 1e-9) + 1;
}

static bool
read_range (const OdlSweepVaried *varied, double numbers[3])
{
  return read_number (varied->from, &numbers[0]) && read_number (varied->to, &numbers[1])
         && read_number (varied->step, &numbers[2]);
}

static void
range_cb (GtkEditable *editable, OdlSweepVaried *varied)
{
  double numbers[3];
  if (varied->linking || !read_range (varied, numbers) || !(numbers[2] > 0)
      || numbers[1] < numbers[0])
    return;
  varied->linking = true;
  set_number (varied->count, count_of (numbers[0], numbers[1], numbers[2]));
  varied->linking = false;
}

static void
count_cb (GtkEditable *editable, OdlSweepVaried *varied)
{
  double numbers[3], count;
  if (varied->linking || !read_number (varied->from, &numbers[0])
      || !read_number (varied->to, &numbers[1]) || !read_number (varied->count, &count)
      || count < 2 || numbers[1] <= numbers[0])
    return;
  varied->linking = true;
  set_number (varied->step, (numbers[1] - numbers[0]) / (floor (count) - 1));
  varied->linking = false;
}

// ---- fields --------------------------------------------------------------------------

static GtkEditable *
add_field (OdlSweepVaried *varied, const char *title)
{
  GtkWidget *row = adw_entry_row_new ();
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_entry_row_set_activates_default (ADW_ENTRY_ROW (row), TRUE);
  adw_expander_row_add_row (varied->row, row);
  // Translators: a parameter, and what is typed of it: “Threshold, from”.
  g_autofree char *name = g_strdup_printf (_ ("%s, %s"), varied->title, title);
  odl_sweep_name_field (GTK_EDITABLE (row), name);
  return GTK_EDITABLE (row);
}

static void
add_fields (OdlSweepVaried *varied)
{
  varied->from = add_field (varied, _ ("From"));
  // Translators: the end of a range of numbers.
  varied->to = add_field (varied, _ ("To"));
  // Translators: between the numbers of a range.
  varied->step = add_field (varied, _ ("Step"));
  varied->count = add_field (varied, _ ("Number of values"));
  g_signal_connect (varied->from, "changed", G_CALLBACK (range_cb), varied);
  g_signal_connect (varied->to, "changed", G_CALLBACK (range_cb), varied);
  g_signal_connect (varied->step, "changed", G_CALLBACK (range_cb), varied);
  g_signal_connect (varied->count, "changed", G_CALLBACK (count_cb), varied);
}

void
odl_sweep_varied_offer_range (OdlSweepVaried *varied, double from, double to, double step)
{
  add_fields (varied);
  set_number (varied->from, from);
  set_number (varied->to, to);
  set_number (varied->step, step);
}

// 1, 2 or 5 times a power of ten, not below `least`.
static double
round_step (double least)
{
  const double power = pow (10, floor (log10 (least))), share = least / power;
  return power * (share <= 1 ? 1 : share <= 2 ? 2 : share <= 5 ? 5 : 10);
}

static double
shown (const OdlSweepVaried *varied, double value)
{
  return varied->range.zero + value * (varied->range.one - varied->range.zero);
}

static void
offer_numbers (OdlSweepVaried *varied,
               const OdlRecipeItem *item,
               const OdlParameter *parameter)
{
  const double now = odl_parameter_usual (parameter, 0, item->values[parameter->offset]);
  const double ends[] = { shown (varied, parameter->minimum),
                          shown (varied, odl_recipe_item_maximum (item, parameter)) };
  const double least = fmin (ends[0], ends[1]), most = fmax (ends[0], ends[1]);
  const double value = shown (varied, now);
  double to = value > least ? least + 2 * (value - least) : most;
  double step = 1;
  if (parameter->kind == ODL_PARAMETER_INTEGER)
    to = fmin (fmax (to, least + MOST_WHOLE), most);
  else {
    step = round_step ((fmin (to, most) - least) / SHARES);
    to = fmin (least + step * ceil ((to - least) / step - 1e-9), most);
  }
  odl_sweep_varied_offer_range (varied, least, to, step);
}

static bool
has_words (const OdlParameter *parameter)
{
  return parameter->kind == ODL_PARAMETER_CHOICE
         || parameter->kind == ODL_PARAMETER_WAVELET;
}

static void
offer_words (OdlSweepVaried *varied, const OdlParameter *parameter)
{
  g_autoptr (GString) all = g_string_new (NULL);
  const int last = (int) odl_parameter_maximum (parameter);
  for (int i = 0; i <= last; i++)
    g_string_append_printf (all, "%s%s", i > 0 ? "," : "",
                            parameter->kind == ODL_PARAMETER_WAVELET
                                ? odl_wavelet_at ((size_t) i)->name
                                : parameter->choices[i]);
  varied->words = add_field (varied, _ ("Words, separated by commas"));
  gtk_editable_set_text (varied->words, all->str);
}

void
odl_sweep_varied_offer (OdlSweepVaried *varied,
                        OdlSession *session,
                        const OdlRecipeItem *item,
                        const OdlParameter *parameter)
{
  varied->range = odl_units_range (session, item->filter, parameter);
  if (has_words (parameter))
    offer_words (varied, parameter);
  else
    offer_numbers (varied, item, parameter);
}

bool
odl_sweep_can_vary (const OdlRecipeItem *item, const OdlParameter *parameter)
{
  return (has_words (parameter) || parameter->kind == ODL_PARAMETER_NUMBER
          || parameter->kind == ODL_PARAMETER_INTEGER
          || parameter->kind == ODL_PARAMETER_MATRIX)
         && odl_recipe_item_uses (item, parameter);
}

char *
odl_sweep_varied_subtitle (OdlSession *session,
                           const OdlFilter *filter,
                           const OdlParameter *parameter)
{
  const char *unit = odl_units_are_of (parameter) ? odl_units_caption (session)
                     : *parameter->unit           ? _ (parameter->unit)
                                                  : "";
  return *unit ? g_strdup_printf ("%s, %s", _ (filter->label), unit)
               : g_strdup (_ (filter->label));
}

// ---- what was typed ------------------------------------------------------------------

bool
odl_sweep_varied_is_on (OdlSweepVaried *varied)
{
  return adw_expander_row_get_enable_expansion (varied->row);
}

const char *
odl_sweep_varied_title (OdlSweepVaried *varied)
{
  return varied->title;
}

// Twelve digits, or as many as it takes that a range in another unit has its end.
static char *
number_text (const OdlSweepVaried *varied, double value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];
  const bool plain = varied->range.zero == 0 && varied->range.one == 1;
  return g_strdup (
      g_ascii_formatd (buffer, sizeof buffer, plain ? "%.12g" : "%.15g", value));
}

static char *
words_text (OdlSweepVaried *varied, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (gtk_editable_get_text (varied->words), " ", -1);
  g_autofree char *words = g_strjoinv ("", parts);
  if (*words)
    return g_strconcat (varied->name, "=", words, NULL);
  odl_usage_error (error, _ ("%s: write at least one word."), varied->title);
  return NULL;
}

char *
odl_sweep_varied_text (OdlSweepVaried *varied, GError **error)
{
  double numbers[3];
  if (varied->words)
    return words_text (varied, error);
  if (!read_range (varied, numbers)) {
    odl_usage_error (error, _ ("%s: write three numbers, such as from 0 to 0.2 by 0.01."),
                     varied->title);
    return NULL;
  }
  if (numbers[1] < numbers[0] || !(numbers[2] > 0)) {
    odl_usage_error (error, _ ("%s: a range goes upwards, by a step above 0."),
                     varied->title);
    return NULL;
  }
  const OdlUnitRange *range = &varied->range;
  const double scale = range->one - range->zero;
  const double first = (numbers[0] - range->zero) / scale;
  const double last = (numbers[1] - range->zero) / scale;
  g_autofree char *from = number_text (varied, fmin (first, last));
  g_autofree char *to = number_text (varied, fmax (first, last));
  g_autofree char *step = number_text (varied, numbers[2] / fabs (scale));
  return g_strdup_printf ("%s=%s:%s:%s", varied->name, from, to, step);
}

// ---- the row -------------------------------------------------------------------------

OdlSweepVaried *
odl_sweep_varied_new (char *name, const char *title, const char *subtitle)
{
  OdlSweepVaried *varied = g_new0 (OdlSweepVaried, 1);
  GtkWidget *row = adw_expander_row_new ();
  varied->name = name;
  varied->title = g_strdup (title);
  varied->row = ADW_EXPANDER_ROW (row);
  varied->range = (OdlUnitRange){ 0, 1 };
  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_expander_row_set_subtitle (varied->row, subtitle);
  adw_expander_row_set_show_enable_switch (varied->row, TRUE);
  adw_expander_row_set_enable_expansion (varied->row, FALSE);
  g_autofree char *spoken = g_strdup_printf (_ ("%s, %s"), title, subtitle);
  odl_sweep_name_switch (row, spoken);
  return varied;
}

void
odl_sweep_varied_free (OdlSweepVaried *varied)
{
  if (!varied)
    return;
  g_free (varied->name);
  g_free (varied->title);
  g_free (varied);
}

AdwExpanderRow *
odl_sweep_varied_row (OdlSweepVaried *varied)
{
  return varied->row;
}
