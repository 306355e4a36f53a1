// SPDX-License-Identifier: MIT
#include "widgets/panels/sources/study_rows.h"

#include <glib/gi18n-lib.h>

#include "config.h"
#include "widgets/diagnostics.h"
#include "widgets/panels/sources/source_item.h"

#define NAME_CHARS 120

// The words that there are, with dots between them. Transfer full.
static char *
join (const char *const *words, size_t n)
{
  GString *text = g_string_new (NULL);
  for (size_t i = 0; i < n; i++)
    if (words[i] && *words[i])
      g_string_append_printf (text, "%s%s", text->len > 0 ? " · " : "", words[i]);
  return g_string_free (text, FALSE);
}

static void
add (GListStore *items,
     const char *location,
     const char *picture,
     const char *text,
     OdlThumbnailState state)
{
  g_autofree char *name = odl_diagnostics_short_name (text, NAME_CHARS);
  g_autoptr (OdlSourceItem) item = odl_source_item_new_of (location, picture, name);
  odl_source_item_set_thumbnail (item, state, NULL);
  g_list_store_append (items, item);
}

static void
add_patient (GListStore *items, const OdlSeries *series, int number, bool hides_names)
{
  // Translators: the number of a patient in a list, in the place of a name.
  g_autofree char *numbered = g_strdup_printf (_ ("Patient %d"), number);
  g_autofree char *birth = odl_diagnostics_date (series->birth);
  const char *words[] = { series->patient, birth, series->patient_id };
  g_autofree char *text = join (words, G_N_ELEMENTS (words));
  add (items, "", "", hides_names || !*text ? numbered : text, ODL_THUMBNAIL_PATIENT);
}

static void
add_study (GListStore *items, const OdlSeries *series)
{
  g_autofree char *date = odl_diagnostics_date (series->study_date);
  const char *words[] = { date, series->study };
  g_autofree char *text = join (words, G_N_ELEMENTS (words));
  // Translators: a study whose file says neither date nor name.
  add (items, "", "", *text ? text : _ ("Study"), ODL_THUMBNAIL_STUDY);
}

static void
add_series (GListStore *items, const OdlSeries *series)
{
  g_autofree char *number
      = *series->number ? g_strdup_printf (_ ("Series %s"), series->number) : NULL;
  g_autofree char *count = series->n_frames > 1
                               ? g_strdup_printf (ngettext ("%d frame", "%d frames",
                                                            (gulong) series->n_frames),
                                                  series->n_frames)
                               : g_strdup_printf (ngettext ("%d picture", "%d pictures",
                                                            (gulong) series->n_pictures),
                                                  series->n_pictures);
  const char *words[] = { number, series->series, series->modality, count };
  g_autofree char *text = join (words, G_N_ELEMENTS (words));
  add (items, series->location, series->path, text, ODL_THUMBNAIL_NONE);
}

void
odl_study_rows_add (GListStore *items, const GPtrArray *series, bool hides_names)
{
  const OdlSeries *before = NULL;
  int n_patients = 0;
  for (guint i = 0; i < series->len; i++) {
    const OdlSeries *one = series->pdata[i];
    const bool other = !before || !g_str_equal (one->person, before->person);
    if (other)
      add_patient (items, one, ++n_patients, hides_names);
    if (other || !g_str_equal (one->study_uid, before->study_uid))
      add_study (items, one);
    add_series (items, one);
    before = one;
  }
}
