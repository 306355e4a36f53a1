// SPDX-License-Identifier: MIT
#include "widgets/archive/find_row.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "widgets/diagnostics.h"

// The words that there are, with dots between them. Transfer full.
static char *
join (const char *const *words, gsize n)
{
  GString *text = g_string_new (NULL);

  for (gsize i = 0; i < n; i++)
    if (words[i] != NULL && *words[i] != '\0')
      g_string_append_printf (text, "%s%s", text->len > 0 ? " · " : "", words[i]);
  return g_string_free (text, FALSE);
}

char *
odl_find_row_name (const char *name)
{
  g_auto (GStrv) ways = g_strsplit (name, "=", -1);
  g_auto (GStrv) parts = g_strsplit (ways[0] != NULL ? ways[0] : "", "^", -1);
  GString *text = g_string_new (NULL);

  for (int i = 0; parts[i] != NULL; i++) {
    const char *part = g_strstrip (parts[i]);
    if (*part != '\0')
      g_string_append_printf (text, "%s%s",
                              text->len == 0 ? ""
                              : i == 1       ? ", "
                                             : " ",
                              part);
  }
  return g_string_free (text, FALSE);
}

static const char *
value_of (const OdlArchiveFound *found, OdlKey key)
{
  return odl_archive_found_value (found, key);
}

// "120 pictures"; NULL: the node does not say.
static char *
count_of (const OdlArchiveFound *found, OdlKey key)
{
  const guint n = odl_archive_found_count (found, key);

  return n > 0 ? g_strdup_printf (ngettext ("%u picture", "%u pictures", n), n) : NULL;
}

// Hours and minutes.
static char *
time_of (const OdlArchiveFound *found)
{
  const char *time = value_of (found, ODL_KEY_TIME);

  return strlen (time) >= 4 && strspn (time, "0123456789") >= 4
             ? g_strdup_printf ("%.2s:%.2s", time, time + 2)
             : g_strdup ("");
}

static char *
modalities_of (const OdlArchiveFound *found)
{
  g_auto (GStrv) all = g_strsplit (value_of (found, ODL_KEY_MODALITIES), "\\", -1);

  return g_strjoinv (", ", all);
}

char *
odl_find_row_title (const OdlArchiveFound *found,
                    OdlFindColumn column,
                    const char *hidden)
{
  if (column == ODL_FIND_PATIENT) {
    g_autofree char *name = odl_find_row_name (value_of (found, ODL_KEY_PATIENT_NAME));
    return hidden != NULL  ? g_strdup (hidden)
           : *name != '\0' ? g_steal_pointer (&name)
                           // Translators: a patient.
                           : g_strdup (_ ("Without a name"));
  }
  if (column == ODL_FIND_DATE) {
    const char *date = value_of (found, ODL_KEY_DATE);
    return *date != '\0' ? odl_diagnostics_date (date) : g_strdup (_ ("no date"));
  }
  g_autofree char *modalities = modalities_of (found);
  const char *words[] = { modalities, value_of (found, ODL_KEY_STUDY_DESCRIPTION) };
  g_autofree char *text = join (words, G_N_ELEMENTS (words));
  return *text != '\0' ? g_steal_pointer (&text) : g_strdup (_ ("Study"));
}

char *
odl_find_row_subtitle (const OdlArchiveFound *found,
                       OdlFindColumn column,
                       bool hides_names)
{
  if (column == ODL_FIND_DATE)
    return time_of (found);
  if (column == ODL_FIND_STUDY) {
    g_autofree char *count = count_of (found, ODL_KEY_N_STUDY_INSTANCES);
    const guint n_series = odl_archive_found_count (found, ODL_KEY_N_SERIES);
    g_autofree char *series
        = n_series > 0
              ? g_strdup_printf (ngettext ("%u series", "%u series", n_series), n_series)
              : NULL;
    const char *words[] = { series, count };
    return join (words, G_N_ELEMENTS (words));
  }
  g_autofree char *birth = odl_diagnostics_date (value_of (found, ODL_KEY_BIRTH_DATE));
  const char *words[]
      = { value_of (found, ODL_KEY_PATIENT_ID), birth, value_of (found, ODL_KEY_SEX) };
  return hides_names ? g_strdup ("") : join (words, G_N_ELEMENTS (words));
}

char *
odl_find_row_of_part (const OdlArchiveFound *found)
{
  if (odl_archive_found_level (found) == ODL_LEVEL_STUDY) {
    g_autofree char *all = count_of (found, ODL_KEY_N_STUDY_INSTANCES);
    const char *words[] = { _ ("All series"), all };
    return join (words, G_N_ELEMENTS (words));
  }
  const char *number = value_of (found, ODL_KEY_SERIES_NUMBER);
  g_autofree char *numbered
      = *number != '\0' ? g_strdup_printf (_ ("Series %s"), number) : NULL;
  g_autofree char *count = count_of (found, ODL_KEY_N_SERIES_INSTANCES);
  const char *words[] = { numbered, value_of (found, ODL_KEY_MODALITY),
                          value_of (found, ODL_KEY_SERIES_DESCRIPTION),
                          value_of (found, ODL_KEY_BODY_PART), count };
  return join (words, G_N_ELEMENTS (words));
}

// ---- Sorting -------------------------------------------------------------------------

static int
compare (const OdlArchiveFound *a, const OdlArchiveFound *b, OdlKey key)
{
  return g_utf8_collate (value_of (a, key), value_of (b, key));
}

// Of one patient, or day, the newest first.
static int
compare_cb (const void *a, const void *b, void *data)
{
  static const OdlKey keys[ODL_N_FIND_COLUMNS][3] = {
    [ODL_FIND_PATIENT] = { ODL_KEY_PATIENT_NAME, ODL_KEY_PATIENT_ID, ODL_KEY_DATE },
    [ODL_FIND_DATE] = { ODL_KEY_DATE, ODL_KEY_TIME, ODL_KEY_PATIENT_NAME },
    [ODL_FIND_STUDY] = { ODL_KEY_MODALITIES, ODL_KEY_STUDY_DESCRIPTION, ODL_KEY_DATE },
  };
  const OdlFindColumn column = (OdlFindColumn) GPOINTER_TO_INT (data);
  int order = 0;

  for (gsize i = 0; order == 0 && i < G_N_ELEMENTS (keys[column]); i++)
    order = compare (a, b, keys[column][i]);
  return order;
}

GtkSorter *
odl_find_row_sorter (OdlFindColumn column)
{
  return GTK_SORTER (
      gtk_custom_sorter_new (compare_cb, GINT_TO_POINTER ((int) column), NULL));
}
