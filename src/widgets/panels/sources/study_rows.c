// SPDX-License-Identifier: MIT
#include "widgets/panels/sources/study_rows.h"

#include <glib/gi18n-lib.h>

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

// A heading, and what the rows below it are found by.
typedef struct {
  OdlSourceItem *item; // of the list; NULL: none yet
  char *name; // of it
  GString *words;
} Heading;

static void
heading_clear (Heading *heading)
{
  if (heading->words)
    g_string_free (heading->words, TRUE);
  g_free (heading->name);
  *heading = (Heading){ 0 };
}

static void
heading_add_words (Heading *heading, const char *words)
{
  g_string_append_printf (heading->words, "%s\n", words);
  odl_source_item_set_words (heading->item, heading->words->str);
}

// Borrowed from the list.
static OdlSourceItem *
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
  return item;
}

static void
begin_heading (GListStore *items,
               Heading *heading,
               const char *name,
               OdlThumbnailState state)
{
  heading_clear (heading);
  *heading = (Heading){ add (items, "", "", name, state), g_strdup (name),
                        g_string_new (NULL) };
}

static void
add_patient (GListStore *items,
             const OdlSeries *series,
             int number,
             bool hides_names,
             Heading *heading)
{
  // Translators: the number of a patient in a list, in the place of a name.
  g_autofree char *numbered = g_strdup_printf (_ ("Patient %d"), number);
  g_autofree char *birth = odl_diagnostics_date (series->birth);
  const char *words[] = { series->names, birth, series->patient_id };
  g_autofree char *text = join (words, G_N_ELEMENTS (words));
  begin_heading (items, heading, hides_names || !*text ? numbered : text,
                 ODL_THUMBNAIL_PATIENT);
}

static void
add_study (GListStore *items, const OdlSeries *series, Heading *heading)
{
  g_autofree char *date = odl_diagnostics_date (series->study_date);
  const char *words[] = { date, series->study };
  g_autofree char *text = join (words, G_N_ELEMENTS (words));
  // Translators: a study whose file says neither date nor name.
  begin_heading (items, heading, *text ? text : _ ("Study"), ODL_THUMBNAIL_STUDY);
}

// Files may be named after the patient.
static void
add_series (GListStore *items,
            const OdlSeries *series,
            bool hides_names,
            Heading *patient,
            Heading *study)
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
  const char *words[] = { number, series->modality, series->series, count };
  g_autofree char *text = join (words, G_N_ELEMENTS (words));
  OdlSourceItem *item
      = add (items, series->location, series->path, text, ODL_THUMBNAIL_NONE);
  g_autofree char *file
      = hides_names ? g_strdup ("") : g_filename_display_basename (series->path);
  // Without the count: every “picture” has a CT in it.
  g_autofree char *named = join (words, G_N_ELEMENTS (words) - 1);
  g_autofree char *all = g_strjoin (" ", patient->name, study->name, named, file, NULL);
  g_strdelimit (all, "\n", ' ');
  odl_source_item_set_words (item, all);
  heading_add_words (patient, all);
  heading_add_words (study, all);
}

const char *
odl_study_rows_find (const GPtrArray *series, const char *file, const char *series_uid)
{
  g_autofree char *folder = g_path_get_dirname (file);
  for (guint i = 0; i < series->len; i++) {
    const OdlSeries *one = series->pdata[i];
    g_autofree char *other = g_path_get_dirname (one->path);
    if (g_strcmp0 (one->series_uid, series_uid) == 0 && g_str_equal (other, folder))
      return one->location;
  }
  return NULL;
}

void
odl_study_rows_add (GListStore *items, const GPtrArray *series, bool hides_names)
{
  const OdlSeries *before = NULL;
  Heading patient = { 0 }, study = { 0 };
  int n_patients = 0;
  for (guint i = 0; i < series->len; i++) {
    const OdlSeries *one = series->pdata[i];
    const bool other = !before || !g_str_equal (one->person, before->person);
    if (other)
      add_patient (items, one, ++n_patients, hides_names, &patient);
    if (other || !g_str_equal (one->study_uid, before->study_uid))
      add_study (items, one, &study);
    add_series (items, one, hides_names, &patient, &study);
    before = one;
  }
  heading_clear (&patient);
  heading_clear (&study);
}
