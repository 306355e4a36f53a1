// SPDX-License-Identifier: MIT
#include "filter/quoted.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/error.h"

// Length in bytes of the quoted string at the start of `text`; −1 if it is unterminated.
static int
quoted_span (const char *text)
{
  for (int n = 1; text[n] != '\0'; n++)
    if (text[n] == '"')
      return n + 1;
    else if (text[n] == '\\' && text[n + 1] != '\0')
      n++;
  return -1;
}

int
odl_quoted_span_to (const char *text, const char *stops)
{
  int n = 0;

  while (text[n] != '\0' && strchr (stops, text[n]) == NULL) {
    const int step = text[n] == '"' ? quoted_span (text + n) : 1;
    if (step < 0)
      return -1;
    n += step;
  }
  return n;
}

char *
odl_quoted_parse (const char *text, GError **error)
{
  const int n = (int) strlen (text);

  if (*text == '"' && quoted_span (text) != n)
    return odl_error_null (error, ODL_ERROR_USAGE,
                           _ ("“%s” has text after the closing quote"), text);
  g_autofree char *inside = *text == '"' ? g_strndup (text + 1, n - 2) : NULL;
  return inside != NULL ? g_strcompress (inside) : g_strdup (text);
}

void
odl_quoted_append (GString *text, const char *file)
{
  char beyond[0x81] = "";

  if (g_utf8_validate (file, -1, NULL))
    for (int i = 0; i < 0x80; i++)
      beyond[i] = (char) (0x80 + i);
  g_autofree char *escaped = g_strescape (file, beyond);
  if (g_str_equal (escaped, file) && strpbrk (file, " \t\r\n,#") == NULL)
    g_string_append (text, file);
  else
    g_string_append_printf (text, "\"%s\"", escaped);
}
