// SPDX-License-Identifier: MIT
#include "filter/own/python.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"

#define FUNCTION "filter"
#define OUT "out"
#define OTHER "other"

typedef struct {
  OdlOwnHeader *h;
  const char *at;
} Scan;

char *
odl_own_python_key (const OdlParameter *parameter)
{
  return g_strdelimit (g_strdup (parameter->key), "-", '_');
}

// ---- words ---------------------------------------------------------------------------

static bool
is_name_byte (char c)
{
  return g_ascii_isalnum (c) || c == '_' || (c & 0x80) != 0;
}

// Blanks, ends of lines within parentheses, and comments.
static void
skip_blanks (Scan *scan)
{
  for (;; scan->at++) {
    if (*scan->at == '#')
      scan->at += strcspn (scan->at, "\n");
    if (*scan->at == '\n')
      scan->h->line++;
    else if (*scan->at == '\0' || strchr (" \t\r\f\\", *scan->at) == NULL)
      return;
  }
}

static bool
take (Scan *scan, const char *text)
{
  skip_blanks (scan);
  if (!g_str_has_prefix (scan->at, text))
    return false;
  scan->at += strlen (text);
  return true;
}

// Transfer full; "" where there is none.
static char *
take_name (Scan *scan)
{
  skip_blanks (scan);
  const char *from = scan->at;
  while (is_name_byte (*scan->at))
    scan->at++;
  return g_strndup (from, (gsize) (scan->at - from));
}

// Behind a text in quotes that begins here. False: it has no end in its line.
static bool
skip_quoted (Scan *scan)
{
  const char quote = *scan->at++;

  for (; *scan->at != quote; scan->at++) {
    if (*scan->at == '\\' && scan->at[1] != '\0')
      scan->at++;
    if (*scan->at == '\0' || *scan->at == '\n')
      return false;
  }
  scan->at++;
  return true;
}

// Until the comma or parenthesis that ends what is no parameter of a recipe.
static bool
skip_rest (Scan *scan)
{
  for (int depth = 0;;) {
    skip_blanks (scan);
    const char c = *scan->at;
    if (c == '\0' || (depth == 0 && (c == ',' || c == ')')))
      return c != '\0';
    if (c == '"' || c == '\'') {
      if (!skip_quoted (scan))
        return false;
      continue;
    }
    depth += strchr ("([{", c) != NULL ? 1 : strchr (")]}", c) != NULL ? -1 : 0;
    scan->at++;
  }
}

// ---- the function --------------------------------------------------------------------

// What follows the parenthesis of the last one that begins a line; NULL: there is none.
static const char *
find_function (OdlOwnHeader *h, const char *text)
{
  const char *found = NULL;
  int line = 1;

  for (const char *at = text; at != NULL; line++) {
    Scan scan = { &(OdlOwnHeader){ 0 }, at + strlen ("def") };
    if (g_str_has_prefix (at, "def") && (*scan.at == ' ' || *scan.at == '\t')) {
      g_autofree char *name = take_name (&scan);
      if (g_str_equal (name, FUNCTION) && take (&scan, "(")) {
        found = scan.at;
        h->line = line + scan.h->line;
      }
    }
    at = strchr (at, '\n');
    at = at != NULL ? at + 1 : NULL;
  }
  return found;
}

static bool
refuse_parameter (const Scan *scan, const char *name)
{
  return odl_own_header_fail (
      scan->h, name,
      _ ("is no parameter such as amount: \"0..4 px  How much\" = 0.5, with range, unit, "
         "two blanks, words for people, and a number"));
}

// “"0..4 px  " "How much"”. NULL: it is none. Transfer full.
static char *
take_annotation (Scan *scan)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (;;) {
    skip_blanks (scan);
    if (*scan->at != '"' && *scan->at != '\'')
      break;
    const char *from = scan->at + 1;
    if (!skip_quoted (scan))
      return NULL;
    g_string_append_len (text, from, scan->at - from - 1);
  }
  return text->len > 0 && strchr (text->str, '\\') == NULL ? g_strdup (text->str) : NULL;
}

static bool
read_parameter (Scan *scan, const char *name)
{
  g_autofree char *key = g_strdelimit (g_strdup (name), "_", '-');
  OdlParameter parameter;

  if (!odl_own_header_key (scan->h, key, &parameter))
    return false;
  g_autofree char *words = take (scan, ":") ? take_annotation (scan) : NULL;
  if (words == NULL || !take (scan, "="))
    return refuse_parameter (scan, name);
  skip_blanks (scan);
  g_autofree char *number = g_strndup (scan->at, strspn (scan->at, "+-.0123456789eE"));
  scan->at += strlen (number);
  char *rest = words;
  const char *range = odl_own_next_word (&rest);
  if (!odl_own_header_range (scan->h, range, &parameter)
      || !odl_own_header_default (scan->h, number, &parameter))
    return false;
  if (strpbrk (number, ".eE") == NULL)
    parameter.kind = ODL_PARAMETER_INTEGER;
  g_autofree char *shown = g_strconcat (" ", rest, NULL);
  return odl_own_header_add (scan->h, shown, &parameter);
}

// One parameter; the first one is the picture.
static bool
read_one (Scan *scan, bool first, OdlOwnPythonTakes *takes)
{
  if (take (scan, "**"))
    return skip_rest (scan);
  if (take (scan, "*") || take (scan, "/")) {
    skip_blanks (scan);
    return *scan->at == ',' || *scan->at == ')';
  }
  g_autofree char *name = take_name (scan);
  if (*name == '\0')
    return false;
  const bool out = !first && g_str_equal (name, OUT);
  const bool other = !first && g_str_equal (name, OTHER);
  takes->out |= out;
  takes->other |= other;
  if (first || out || other)
    return skip_rest (scan);
  return read_parameter (scan, name);
}

bool
odl_own_python_read (OdlOwnHeader *h, const char *text, OdlOwnPythonTakes *takes)
{
  Scan scan = { h, find_function (h, text) };

  if (scan.at == NULL)
    return odl_error_set (h->error, ODL_ERROR_USAGE,
                          _ ("%s has no function that begins a line with “def filter "
                             "(picture”"),
                          h->name);
  for (bool first = true;; first = false) {
    if (!first && take (&scan, ")"))
      return true;
    const char *from = scan.at;
    GError *before = h->error != NULL ? *h->error : NULL;
    if (read_one (&scan, first, takes)
        && (take (&scan, ",") || (skip_blanks (&scan), *scan.at == ')')))
      continue;
    if (h->error != NULL && *h->error != before)
      return false;
    g_autofree char *word = g_strndup (from, strcspn (from, "\n,"));
    return refuse_parameter (&scan, g_strstrip (word));
  }
}
