// SPDX-License-Identifier: MIT
#include "cli/json.h"

#include <math.h>
#include <stdio.h>

void
odl_json_init (OdlJson *json)
{
  json->text = g_string_new (NULL);
  json->depth = 0;
  json->first = true;
}

void
odl_json_clear (OdlJson *json)
{
  g_string_free (g_steal_pointer (&json->text), TRUE);
}

static void
append_quoted (GString *text, const char *value)
{
  g_autofree char *valid = g_utf8_make_valid (value, -1);

  g_string_append_c (text, '"');
  for (const char *c = valid; *c != '\0'; c++) {
    if (*c == '"' || *c == '\\')
      g_string_append_printf (text, "\\%c", *c);
    else if ((guchar) *c < 0x20 || *c == 0x7f)
      g_string_append_printf (text, "\\u%04x", (guchar) *c);
    else
      g_string_append_c (text, *c);
  }
  g_string_append_c (text, '"');
}

static void
new_line (OdlJson *json)
{
  g_string_append_c (json->text, '\n');
  for (int i = 0; i < json->depth; i++)
    g_string_append (json->text, "  ");
}

static void
begin_value (OdlJson *json, const char *key)
{
  if (!json->first)
    g_string_append_c (json->text, ',');
  json->first = false;
  if (json->depth > 0)
    new_line (json);
  if (key != NULL) {
    append_quoted (json->text, key);
    g_string_append (json->text, ": ");
  }
}

static void
begin_group (OdlJson *json, const char *key, char bracket)
{
  begin_value (json, key);
  g_string_append_c (json->text, bracket);
  json->depth++;
  json->first = true;
}

static void
end_group (OdlJson *json, char bracket)
{
  json->depth--;
  if (!json->first)
    new_line (json);
  g_string_append_c (json->text, bracket);
  json->first = false;
}

void
odl_json_begin_object (OdlJson *json, const char *key)
{
  begin_group (json, key, '{');
}

void
odl_json_end_object (OdlJson *json)
{
  end_group (json, '}');
}

void
odl_json_begin_array (OdlJson *json, const char *key)
{
  begin_group (json, key, '[');
}

void
odl_json_end_array (OdlJson *json)
{
  end_group (json, ']');
}

void
odl_json_string (OdlJson *json, const char *key, const char *value)
{
  begin_value (json, key);
  if (value != NULL)
    append_quoted (json->text, value);
  else
    g_string_append (json->text, "null");
}

void
odl_json_strings (OdlJson *json, const char *key, const char *const *values, gssize n)
{
  odl_json_begin_array (json, key);
  for (gssize i = 0; n < 0 ? values[i] != NULL : i < n; i++)
    odl_json_string (json, NULL, values[i]);
  odl_json_end_array (json);
}

void
odl_json_number (OdlJson *json, const char *key, double value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  begin_value (json, key);
  // The shortest text that reads back as the same double: 0.05, not 0.050000000000000003.
  for (int digits = 15; digits <= 17; digits++) {
    char format[8];
    g_snprintf (format, sizeof format, "%%.%dg", digits);
    g_ascii_formatd (buffer, sizeof buffer, format, value);
    if (g_ascii_strtod (buffer, NULL) == value)
      break;
  }
  g_string_append (json->text, isfinite (value) ? buffer : "null");
}

void
odl_json_integer (OdlJson *json, const char *key, gint64 value)
{
  begin_value (json, key);
  g_string_append_printf (json->text, "%" G_GINT64_FORMAT, value);
}

void
odl_json_bool (OdlJson *json, const char *key, bool value)
{
  begin_value (json, key);
  g_string_append (json->text, value ? "true" : "false");
}

void
odl_json_flush (OdlJson *json)
{
  fputs (json->text->str, stdout);
  fflush (stdout);
  g_string_truncate (json->text, 0);
}

void
odl_json_print (OdlJson *json)
{
  fputs (json->text->str, stdout);
  fputc ('\n', stdout);
  odl_json_clear (json);
}
