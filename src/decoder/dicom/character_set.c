// SPDX-License-Identifier: MIT
#include "decoder/dicom/character_set.h"

#include <stdbool.h>
#include <string.h>

#define MAX_TERMS 8

// PS3.3 C.12.1.1.2. With code extensions the text says by an escape sequence which set
// comes; where that is only one besides ASCII, the sequence can be left out.
static const struct {
  const char *name; // behind "ISO_IR " or "ISO 2022 IR ", or the whole one
  const char *converter;
  const char *escape;
} sets[] = {
  { "100", "ISO-8859-1", "\x1b-A" },
  { "101", "ISO-8859-2", "\x1b-B" },
  { "109", "ISO-8859-3", "\x1b-C" },
  { "110", "ISO-8859-4", "\x1b-D" },
  { "144", "ISO-8859-5", "\x1b-L" },
  { "127", "ISO-8859-6", "\x1b-G" },
  { "126", "ISO-8859-7", "\x1b-F" },
  { "138", "ISO-8859-8", "\x1b-H" },
  { "148", "ISO-8859-9", "\x1b-M" },
  { "203", "ISO-8859-15", "\x1b-b" },
  { "166", "TIS-620", "\x1b-T" },
  { "87", "ISO-2022-JP-2", NULL },
  { "159", "ISO-2022-JP-2", NULL },
  { "149", "EUC-KR", "\x1b$)C" },
  { "58", "EUC-CN", "\x1b$)A" },
  { "GB18030", "GB18030", NULL },
  { "GBK", "GBK", NULL },
};

static GIConv converters[G_N_ELEMENTS (sets)];

void
odl_character_sets_init (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (sets); i++)
    if (converters[i] == NULL)
      converters[i] = g_iconv_open ("UTF-8", sets[i].converter);
}

// −1: ASCII or UTF-8; −2: unknown.
static int
find_term (const char *name)
{
  static const char *const starts[] = { "ISO_IR ", "ISO 2022 IR " };

  for (gsize i = 0; i < G_N_ELEMENTS (starts); i++)
    if (g_str_has_prefix (name, starts[i]))
      name += strlen (starts[i]);
  if (*name == '\0' || strcmp (name, "6") == 0 || strcmp (name, "192") == 0)
    return -1;
  for (gsize i = 0; i < G_N_ELEMENTS (sets); i++)
    if (strcmp (sets[i].name, name) == 0)
      return (int) i;
  return -2;
}

int
odl_character_set_find (const char *terms)
{
  g_auto (GStrv) names = g_strsplit (terms, "\\", -1);
  int found = -1;

  for (int i = 0; i < MAX_TERMS && names[i] != NULL; i++) {
    const int set = find_term (g_strstrip (names[i]));
    if (set == -1)
      continue;
    if (found >= 0
        && (set < 0 || strcmp (sets[set].converter, sets[found].converter) != 0))
      return -2;
    found = set;
  }
  return found;
}

static char *
convert (const char *raw, int set)
{
  if (set < 0 || converters[set] == (GIConv) -1)
    return NULL;
  g_autofree char *text = g_strdup (raw);
  const char *escape = sets[set].escape;
  for (char *at = escape != NULL ? strstr (text, escape) : NULL; at != NULL;
       at = strstr (at, escape))
    memmove (at, at + strlen (escape), strlen (at + strlen (escape)) + 1);
  // It starts anew, whatever the text before has left.
  g_iconv (converters[set], NULL, NULL, NULL, NULL);
  return g_convert_with_iconv (text, -1, converters[set], NULL, NULL, NULL);
}

static char *
escape_bytes (const char *raw)
{
  GString *text = g_string_new (NULL);

  for (; *raw != '\0'; raw++)
    if (g_ascii_isprint (*raw))
      g_string_append_c (text, *raw);
    else
      g_string_append_printf (text, "\\x%02X", (unsigned) (guchar) *raw);
  return g_string_free (text, FALSE);
}

static bool
is_ascii (const char *text)
{
  for (; *text != '\0'; text++)
    if (!g_ascii_isprint (*text))
      return false;
  return true;
}

char *
odl_character_set_decode (const char *value, int set)
{
  g_autofree char *raw = g_strstrip (g_strdup (value));

  if (is_ascii (raw))
    return g_steal_pointer (&raw);
  char *text = set == -1 && g_utf8_validate (raw, -1, NULL) ? g_strdup (raw)
                                                            : convert (raw, set);
  return text != NULL ? text : escape_bytes (raw);
}
