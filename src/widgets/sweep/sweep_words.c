// SPDX-License-Identifier: MIT
#include "widgets/sweep/sweep_words.h"

#include <glib/gi18n-lib.h>
#include <langinfo.h>
#include <math.h>
#include <string.h>

#include "base/text.h"

OdlSweepWords *
odl_sweep_words_new (OdlSession *session, const OdlTrial *trial)
{
  OdlSweepWords *words = g_new0 (OdlSweepWords, 1);
  words->trial = trial;
  for (guint i = 0; i < trial->axes->varied->len; i++) {
    const OdlFilter *filter = odl_axes_filter (trial->axes, i);
    const OdlParameter *parameter = odl_axes_at (trial->axes, i)->parameter;
    const bool shares = filter && odl_units_are_of (parameter);
    words->ranges[i] = (OdlUnitRange){ 0, 1 };
    if (shares)
      words->ranges[i] = odl_units_range (session, filter, parameter);
    words->units[i] = g_strdup (shares             ? odl_units_caption (session)
                                : *parameter->unit ? _ (parameter->unit)
                                                   : "");
  }
  return words;
}

void
odl_sweep_words_free (OdlSweepWords *words)
{
  if (!words)
    return;
  for (guint i = 0; i < ODL_AXES_MOST; i++)
    g_free (words->units[i]);
  g_free (words);
}

char *
odl_sweep_axis_title (const OdlSweepWords *words, guint axis)
{
  const OdlAxes *axes = words->trial->axes;
  const char *label = odl_axes_at (axes, axis)->parameter->label;
  const OdlFilter *filter = odl_axes_filter (axes, axis);
  guint alike = 0;
  for (guint i = 0; i < axes->varied->len; i++)
    alike += g_str_equal (odl_axes_at (axes, i)->parameter->label, label);
  return alike < 2 || !filter ? g_strdup (_ (label))
                              : g_strdup_printf ("%s (%s)", _ (label), _ (filter->label));
}

char *
odl_sweep_with_unit (const char *title, const char *unit)
{
  return unit && *unit ? g_strdup_printf ("%s (%s)", title, unit) : g_strdup (title);
}

// "%.4g" and the like of a number, in the locale.
static char *
in_locale (const char *format, double value)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  g_auto (GStrv) parts
      = g_strsplit (g_ascii_formatd (number, sizeof number, format, value), ".", 2);
  return odl_text_with_minus (g_strjoinv (nl_langinfo (RADIXCHAR), parts));
}

// What a filter is called that stands alone, without numbers of its own.
static char *
filter_text (char *typed)
{
  const OdlFilter *filter = odl_filter_find (typed);
  if (!filter)
    return typed;
  g_free (typed);
  return g_strdup (_ (filter->label));
}

char *
odl_sweep_value_text (const OdlSweepWords *words, guint axis, guint index)
{
  const OdlAxes *axes = words->trial->axes;
  const OdlVaried *varied = odl_axes_at (axes, axis);
  const OdlUnitRange *range = &words->ranges[axis];
  const double number = odl_varied_number (varied, index);
  if (axes->has_filters && axis == 0)
    return filter_text (odl_varied_text (varied, index));
  return isnan (number)
             ? odl_varied_text (varied, index)
             : in_locale ("%.4g", range->zero + number * (range->one - range->zero));
}

// With at most four digits behind the point, of small numbers four that count.
char *
odl_sweep_score_number (int score, double value)
{
  const char *format = odl_scores[score].format, *point = strchr (format, '.');
  if (isnan (value))
    // Translators: a value that does not exist.
    return g_strdup (_ ("none"));
  if (isinf (value))
    return g_strdup (value > 0 ? "∞" : "−∞");
  return in_locale (point && point[1] > '4' ? "%#.4g" : format, value);
}

char *
odl_sweep_score_text (int score, double value)
{
  const char *unit = odl_scores[score].unit;
  g_autofree char *number = odl_sweep_score_number (score, value);
  return *unit && !isnan (value) ? g_strdup_printf ("%s %s", number, unit)
                                 : g_steal_pointer (&number);
}

char *
odl_sweep_values_text (const OdlSweepWords *words, const OdlSweepRow *row)
{
  const OdlAxes *axes = words->trial->axes;
  GString *text = g_string_new (NULL);
  for (guint i = axes->has_filters ? 1 : 0; i < axes->varied->len; i++) {
    if (!odl_axes_has (axes, row->indices, i))
      continue;
    // Of a filter that stands before it.
    g_autofree char *title = axes->has_filters
                                 ? g_strdup (_ (odl_axes_at (axes, i)->parameter->label))
                                 : odl_sweep_axis_title (words, i);
    g_autofree char *value = odl_sweep_value_text (words, i, row->indices[i]);
    g_string_append_printf (text, "%s%s %s", text->len > 0 ? ", " : "", title, value);
  }
  return g_string_free (text, FALSE);
}

char *
odl_sweep_point_text (const OdlSweepWords *words, const OdlSweepRow *row)
{
  g_autofree char *values = odl_sweep_values_text (words, row);
  if (!words->trial->axes->has_filters)
    return g_steal_pointer (&values);
  g_autofree char *filter = odl_sweep_value_text (words, 0, row->indices[0]);
  return g_strdup_printf ("%s%s%s", filter, *values ? ", " : "", values);
}
