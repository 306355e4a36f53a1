// SPDX-License-Identifier: MIT
#include "decoder/dicom/text.hpp"

#include <cstring>
#include <glib.h>

int
odl_dicom_character_set (DcmItem *dataset)
{
  OFString terms;

  dataset->findAndGetOFStringArray (DCM_SpecificCharacterSet, terms);
  return odl_character_set_find (terms.c_str ());
}

char *
odl_dicom_text (DcmItem *dataset, const DcmTagKey &tag)
{
  OFString value;

  // All values, as they stand.
  if (dataset->findAndGetOFStringArray (tag, value).bad ())
    return g_strdup ("");
  return odl_character_set_decode (value.c_str (), odl_dicom_character_set (dataset));
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
