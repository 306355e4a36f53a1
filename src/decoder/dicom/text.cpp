// SPDX-License-Identifier: MIT
#include "decoder/dicom/text.hpp"

#include <cstring>
#include <glib.h>

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
odl_dicom_text_init (void)
{
  for (size_t i = 0; i < G_N_ELEMENTS (sets); i++)
    if (converters[i] == NULL)
      converters[i] = g_iconv_open ("UTF-8", sets[i].converter);
}

// The set besides ASCII: its index, −1: none, −2: unknown, or several that differ.
static int
find_set (DcmItem *dataset)
{
  int found = -1;

  for (unsigned i = 0; i < 8; i++) {
    OFString term;
    if (dataset->findAndGetOFString (DCM_SpecificCharacterSet, term, i).bad ())
      break;
    const char *name = term.c_str ();
    for (const char *start : { "ISO_IR ", "ISO 2022 IR " })
      if (g_str_has_prefix (name, start))
        name += strlen (start);
    if (*name == '\0' || strcmp (name, "6") == 0 || strcmp (name, "192") == 0)
      continue;
    int set = -2;
    for (size_t k = 0; k < G_N_ELEMENTS (sets); k++)
      if (strcmp (sets[k].name, name) == 0)
        set = (int) k;
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
      g_string_append_printf (text, "\\x%02X", (unsigned) (unsigned char) *raw);
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

int
odl_dicom_character_set (DcmItem *dataset)
{
  return find_set (dataset);
}

char *
odl_dicom_decode (const char *value, int set)
{
  g_autofree char *raw = g_strstrip (g_strdup (value));

  if (is_ascii (raw))
    return g_steal_pointer (&raw);
  char *text = set == -1 && g_utf8_validate (raw, -1, NULL) ? g_strdup (raw)
                                                            : convert (raw, set);
  return text != NULL ? text : escape_bytes (raw);
}

char *
odl_dicom_text (DcmItem *dataset, const DcmTagKey &tag)
{
  OFString value;

  // All values, as they stand.
  if (dataset->findAndGetOFStringArray (tag, value).bad ())
    return g_strdup ("");
  return odl_dicom_decode (value.c_str (), find_set (dataset));
}

// Family^Given^Middle^Prefix^Suffix.
static char *
name_of_group (const char *group)
{
  g_auto (GStrv) parts = g_strsplit (group, "^", -1);
  GString *name = g_string_new (NULL);

  for (int i = 0; parts[i] != NULL; i++) {
    const char *part = g_strstrip (parts[i]);
    if (*part != '\0')
      g_string_append_printf (name, "%s%s",
                              name->len == 0 ? ""
                              : i == 1       ? ", "
                                             : " ",
                              part);
  }
  return g_string_free (name, FALSE);
}

char *
odl_dicom_name (DcmItem *dataset, const DcmTagKey &tag)
{
  g_autofree char *text = odl_dicom_text (dataset, tag);
  g_auto (GStrv) groups = g_strsplit (text, "=", -1);
  GString *name = g_string_new (NULL);

  for (int i = 0; groups[i] != NULL; i++) {
    g_autofree char *one = name_of_group (groups[i]);
    if (*one != '\0')
      g_string_append_printf (name, "%s%s", name->len > 0 ? " · " : "", one);
  }
  return g_string_free (name, FALSE);
}
