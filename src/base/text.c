// SPDX-License-Identifier: MIT
#include "base/text.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

char *
odl_text_in_one_line (const char *text)
{
  char *line = g_utf8_make_valid (text, -1);

  for (char *c = line; *c != '\0'; c++)
    if (g_ascii_iscntrl (*c))
      *c = '?';
  return line;
}

char *
odl_text_cut_stop (char *text)
{
  const size_t n = strlen (g_strchomp (text));

  if (n > 0 && text[n - 1] == '.' && !g_str_has_suffix (text, ".."))
    text[n - 1] = '\0';
  return text;
}

char *
odl_text_cut_ending (char *name)
{
  for (bool packed = true; packed;) {
    char *dot = strrchr (name, '.');
    if (dot == NULL || dot == name)
      break;
    packed = g_ascii_strcasecmp (dot, ".gz") == 0;
    *dot = '\0';
  }
  return name;
}

char *
odl_number_to_text (double value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  int digits = 1;

  // Enough digits for the integer part, so that 10 is not printed as 1e+01.
  for (double rest = fabs (value); rest >= 10 && digits < 9; rest /= 10)
    digits++;
  for (; digits <= 9; digits++) {
    char format[8];
    g_snprintf (format, sizeof format, "%%.%dg", digits);
    g_ascii_formatd (buffer, sizeof buffer, format, value);
    if ((float) g_ascii_strtod (buffer, NULL) == (float) value)
      break;
  }
  return g_strdup (buffer);
}

char *
odl_text_with_minus (char *text)
{
  GString *typeset = g_string_new (NULL);
  for (const char *at = text; *at != '\0'; at++)
    if (*at == '-' && (g_ascii_isdigit (at[1]) || at[1] == '.' || at[1] == 'i')
        && (at == text || !g_ascii_isalnum (at[-1])))
      g_string_append (typeset, "\u2212");
    else
      g_string_append_c (typeset, *at);
  g_free (text);
  return g_string_free (typeset, FALSE);
}

gboolean
odl_number_from_text (const char *text, double *value)
{
  char *end = NULL;

  if (text == NULL || *text == '\0' || g_ascii_isspace (*text))
    return FALSE;

  double parsed = g_ascii_strtod (text, &end);
  if (*end != '\0' || !isfinite (parsed))
    return FALSE;
  *value = parsed;
  return TRUE;
}

gboolean
odl_numbers_from_text (const char *text, int n, double *values)
{
  g_auto (GStrv) words = g_strsplit (text != NULL ? text : "", "\\", -1);
  gboolean done = (int) g_strv_length (words) == n;

  for (int i = 0; done && i < n; i++)
    done = odl_number_from_text (words[i], &values[i]);
  return done;
}
