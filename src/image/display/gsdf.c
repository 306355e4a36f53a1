// SPDX-License-Identifier: MIT
#include "image/display/gsdf.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"

#define MOST_TEXT 65536
#define MOST_LEVEL 255.0
#define BISECTIONS 60
// Of the table of a screen, and the least of one that it is put behind.
#define TABLE_LEVELS 4096

// ---- the standard's function ---------------------------------------------------------

double
odl_gsdf_luminance (double j)
{
  static const double above[]
      = { -1.3011877, 8.0242636e-2, 1.3646699e-1, -2.5468404e-2, 1.3635334e-3 };
  static const double below[]
      = { 1, -2.5840191e-2, -1.0320229e-1, 2.8745620e-2, -3.1978977e-3, 1.2992634e-4 };
  const double x = log (CLAMP (j, ODL_GSDF_FIRST, ODL_GSDF_LAST));
  double top = 0, bottom = 0;

  for (int i = G_N_ELEMENTS (above) - 1; i >= 0; i--)
    top = top * x + above[i];
  for (int i = G_N_ELEMENTS (below) - 1; i >= 0; i--)
    bottom = bottom * x + below[i];
  return pow (10, top / bottom);
}

double
odl_gsdf_index (double luminance)
{
  double low = ODL_GSDF_FIRST, high = ODL_GSDF_LAST;

  for (int i = 0; i < BISECTIONS; i++) {
    const double middle = (low + high) / 2;
    if (odl_gsdf_luminance (middle) < luminance)
      low = middle;
    else
      high = middle;
  }
  return (low + high) / 2;
}

// ---- a measurement as text -----------------------------------------------------------

static bool
fail (int line, const char *what, GError **error)
{
  // Translators: a line of a file with measured luminance, and what is wrong with it.
  return odl_error_set (error, ODL_ERROR_CORRUPT, _ ("line %d: %s"), line, what);
}

// The words of a line; empty ones are left out. Transfer full.
static GStrv
words_of (const char *line)
{
  g_auto (GStrv) parts = g_strsplit_set (line, ",; \t\r", -1);
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();

  for (int i = 0; parts[i] != NULL; i++)
    if (*parts[i] != '\0')
      g_strv_builder_add (words, parts[i]);
  return g_strv_builder_end (words);
}

static bool
is_date (const char *text)
{
  return strlen (text) == 10 && strspn (text, "0123456789-") == 10 && text[4] == '-'
         && text[7] == '-';
}

static bool
take_level (OdlMonitor *screen, int line, double level, double luminance, GError **error)
{
  const int n = screen->n;

  if (!(level >= 0 && level <= MOST_LEVEL))
    return fail (line, _ ("levels of grey are from 0 to 255"), error);
  if (!(luminance >= 0))
    return fail (line, _ ("luminance is not negative"), error);
  if (n == ODL_MONITOR_MOST_LEVELS)
    return fail (line, _ ("there are more than 256 levels"), error);
  if (n > 0 && level <= screen->level[n - 1])
    return fail (line, _ ("levels of grey have to rise from line to line"), error);
  if (n > 0 && luminance <= screen->luminance[n - 1])
    return fail (line,
                 _ ("the luminance does not rise with the level of grey; measure again, "
                    "with the room's light off"),
                 error);
  screen->level[n] = level;
  screen->luminance[n] = luminance;
  screen->n++;
  return true;
}

static bool
take_line (OdlMonitor *screen, int number, const char *line, GError **error)
{
  g_auto (GStrv) words = words_of (line);
  double values[2] = { 0, 0 };

  if (words[0] == NULL)
    return true;
  if (words[1] != NULL && g_ascii_strcasecmp (words[0], "date") == 0
      && is_date (words[1])) {
    g_strlcpy (screen->date, words[1], sizeof screen->date);
    return true;
  }
  const bool ambient = g_ascii_strcasecmp (words[0], "ambient") == 0;
  if ((ambient || odl_number_from_text (words[0], &values[0])) && words[1] != NULL
      && odl_number_from_text (words[1], &values[1]) && words[2] == NULL) {
    if (!ambient)
      return take_level (screen, number, values[0], values[1], error);
    if (!(values[1] >= 0))
      return fail (number, _ ("luminance is not negative"), error);
    screen->ambient = values[1];
    return true;
  }
  return number == 1
         || fail (number,
                  _ ("it is no level of grey and its luminance, such as “15, 0.62”"),
                  error);
}

static bool
check (OdlMonitor *screen, GError **error)
{
  const int n = screen->n;

  if (n < ODL_MONITOR_LEAST_LEVELS)
    g_set_error (error, ODL_ERROR, ODL_ERROR_CORRUPT,
                 _ ("it has %d levels of grey; at least %d are needed, and 18 (0, 15, … "
                    "255) are usual"),
                 n, ODL_MONITOR_LEAST_LEVELS);
  else if (screen->level[0] != 0 || screen->level[n - 1] != MOST_LEVEL)
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_CORRUPT,
                         _ ("the levels of grey have to begin with 0 and to end with "
                            "255"));
  else {
    for (int i = 0; i < n; i++)
      screen->luminance[i] += screen->ambient;
    if (screen->luminance[0] >= odl_gsdf_luminance (ODL_GSDF_FIRST) - 5e-5
        && screen->luminance[n - 1] <= odl_gsdf_luminance (ODL_GSDF_LAST))
      return true;
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_CORRUPT,
                         _ ("with the ambient light its luminance is beyond what the "
                            "standard describes, 0.05 to 3993 cd/m²"));
  }
  return false;
}

bool
odl_monitor_parse (OdlMonitor *screen, const char *text, GError **error)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  *screen = (OdlMonitor){ 0 };
  if (strlen (text) > MOST_TEXT)
    return fail (1, _ ("it is too long for a measurement"), error);
  for (int i = 0; lines[i] != NULL; i++) {
    char *comment = strchr (lines[i], '#');
    if (comment != NULL)
      *comment = '\0';
    if (!take_line (screen, i + 1, lines[i], error))
      return false;
  }
  return check (screen, error);
}

// ---- a screen ------------------------------------------------------------------------

// The slope of logarithms between two levels.
static double
slope_of (const OdlMonitor *screen, int i)
{
  return (log10 (screen->luminance[i + 1]) - log10 (screen->luminance[i]))
         / (screen->level[i + 1] - screen->level[i]);
}

// At an end, from three points, kept monotone.
static double
end_tangent (double near, double far, double slope, double next)
{
  const double tangent = ((2 * near + far) * slope - near * next) / (near + far);

  return tangent <= 0 ? 0 : MIN (tangent, 3 * slope);
}

// The weighted harmonic mean of the slopes on both sides.
static double
tangent_at (const OdlMonitor *screen, int i)
{
  const int n = screen->n;
  const double *level = screen->level;

  if (i == 0)
    return end_tangent (level[1] - level[0], level[2] - level[1], slope_of (screen, 0),
                        slope_of (screen, 1));
  if (i == n - 1)
    return end_tangent (level[i] - level[i - 1], level[i - 1] - level[i - 2],
                        slope_of (screen, i - 1), slope_of (screen, i - 2));
  const double before = level[i] - level[i - 1], after = level[i + 1] - level[i];
  const double w1 = 2 * after + before, w2 = after + 2 * before;
  return (w1 + w2) / (w1 / slope_of (screen, i - 1) + w2 / slope_of (screen, i));
}

double
odl_monitor_luminance (const OdlMonitor *screen, double level)
{
  int i = 0;

  while (i + 2 < screen->n && screen->level[i + 1] <= level)
    i++;
  const double width = screen->level[i + 1] - screen->level[i];
  const double t = CLAMP ((level - screen->level[i]) / width, 0, 1), u = 1 - t;
  const double left = log10 (screen->luminance[i]);
  const double right = log10 (screen->luminance[i + 1]);
  return pow (10, u * u * (1 + 2 * t) * left + t * t * (3 - 2 * t) * right
                      + width * t * u * u * tangent_at (screen, i)
                      - width * t * t * u * tangent_at (screen, i + 1));
}

OdlCurve *
odl_monitor_curve (const OdlMonitor *screen)
{
  g_autofree float *levels = g_new (float, TABLE_LEVELS);
  const double first = odl_gsdf_index (screen->luminance[0]);
  const double last = odl_gsdf_index (screen->luminance[screen->n - 1]);

  for (int i = 0; i < TABLE_LEVELS; i++) {
    const double j = first + (last - first) * i / (TABLE_LEVELS - 1);
    const double luminance = odl_gsdf_luminance (j);
    double low = 0, high = MOST_LEVEL;
    for (int k = 0; k < BISECTIONS; k++) {
      const double middle = (low + high) / 2;
      if (odl_monitor_luminance (screen, middle) < luminance)
        low = middle;
      else
        high = middle;
    }
    levels[i] = (float) ((low + high) / 2 / MOST_LEVEL);
  }
  levels[0] = 0;
  levels[TABLE_LEVELS - 1] = 1;
  return odl_curve_new (levels, TABLE_LEVELS);
}

OdlCurve *
odl_curve_on_monitor (const OdlCurve *curve, bool invert, const OdlCurve *screen)
{
  const int n_own = curve != NULL ? curve->n : 2;
  // The entries of the table stay entries.
  const int each = (TABLE_LEVELS + n_own - 3) / (n_own - 1);
  const int n = MIN (each * (n_own - 1) + 1, ODL_CURVE_MAX_LEVELS);
  g_autofree float *levels = g_new (float, n);

  for (int i = 0; i < n; i++) {
    const float at = (float) i / (float) (n - 1);
    const float grey = curve != NULL ? odl_curve_at (curve->levels, n_own, at) : at;
    const float shown
        = odl_curve_at (screen->levels, screen->n, invert ? 1 - grey : grey);
    levels[i] = CLAMP (invert ? 1 - shown : shown, 0, 1);
  }
  return odl_curve_new (levels, n);
}
