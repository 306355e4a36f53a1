// SPDX-License-Identifier: MIT
#include "base/text.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

// Whether a terminal would do something else than show it: control characters of both
// sets, ends of lines, and what turns the direction of all that follows.
static bool
is_order (gunichar c)
{
  return g_unichar_iscntrl (c) || c == 0x2028 || c == 0x2029
         || (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

char *
odl_text_in_one_line (const char *text)
{
  char *line = g_utf8_make_valid (text, -1);
  char *to = line;

  for (const char *c = line, *next; *c != '\0'; c = next) {
    next = g_utf8_next_char (c);
    if (is_order (g_utf8_get_char (c))) {
      *to++ = '?';
      continue;
    }
    memmove (to, c, (size_t) (next - c));
    to += next - c;
  }
  *to = '\0';
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

size_t
odl_text_before_inner (const char *location)
{
  for (const char *at = strstr (location, ":/"); at != NULL; at = strstr (at + 1, ":/"))
    if (at > location && at[2] != '/')
      return (size_t) (at - location);
  return 0;
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
