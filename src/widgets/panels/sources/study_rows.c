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

// Files may be named after the patient. `named` is what it is found by, without counts:
// every “picture” has a CT in it.
static void
add_words (OdlSourceItem *item,
           const OdlSeries *series,
           const char *named,
           bool hides_names,
           Heading *patient,
           Heading *study)
{
  g_autofree char *file
      = hides_names ? g_strdup ("") : g_filename_display_basename (series->path);
  g_autofree char *all = g_strjoin (" ", patient->name, study->name, named, file, NULL);
  g_strdelimit (all, "\n", ' ');
  odl_source_item_set_words (item, all);
  heading_add_words (patient, all);
  heading_add_words (study, all);
}

// What an object is called, and how much it has; transfer full.
static char *
count_parts (const OdlSeries *object)
{
  const int n = object->n_parts;
  switch (object->kind) {
  case ODL_SERIES_SEGMENTS:
    return g_strdup_printf (ngettext ("%d segment", "%d segments", (gulong) n), n);
  case ODL_SERIES_STRUCTURES:
    return g_strdup_printf (ngettext ("%d structure", "%d structures", (gulong) n), n);
  case ODL_SERIES_KEYS:
    return g_strdup_printf (ngettext ("%d picture", "%d pictures", (gulong) n), n);
  default:
    return g_strdup ("");
  }
}

static void
add_object (GListStore *items,
            const OdlSeries *object,
            bool hides_names,
            Heading *patient,
            Heading *study)
{
  static const struct {
    const char *title;
    OdlThumbnailState state;
  } kinds[] = {
    // Translators: rows of a list: what was outlined in pictures, or said of them.
    [ODL_SERIES_SEGMENTS] = { N_ ("Segmentation"), ODL_THUMBNAIL_OUTLINES },
    [ODL_SERIES_STRUCTURES] = { N_ ("Structures"), ODL_THUMBNAIL_OUTLINES },
    [ODL_SERIES_KEYS] = { N_ ("Key pictures"), ODL_THUMBNAIL_KEYS },
    [ODL_SERIES_REPORT] = { N_ ("Report"), ODL_THUMBNAIL_REPORT },
  };
  g_autofree char *count = count_parts (object);
  // Titles are typed by people.
  const char *title = hides_names ? "" : object->title;
  const char *words[] = { _ (kinds[object->kind].title), title, count };
  g_autofree char *text = join (words, G_N_ELEMENTS (words));
  g_autofree char *named = join (words, G_N_ELEMENTS (words) - 1);
  OdlSourceItem *item
      = add (items, object->path, object->path, text, kinds[object->kind].state);
  odl_source_item_set_count (item, count);
  add_words (item, object, named, hides_names, patient, study);
}

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
  g_autofree char *keys
      = series->n_keys > 0 ? g_strdup_printf (
            ngettext ("%d key picture", "%d key pictures", (gulong) series->n_keys),
            series->n_keys)
                           : NULL;
  const char *words[] = { number, series->modality, series->series, keys, count };
  const char *counts[] = { keys, count };
  g_autofree char *text = join (words, G_N_ELEMENTS (words));
  g_autofree char *has = join (counts, G_N_ELEMENTS (counts));
  OdlSourceItem *item
      = add (items, series->location, series->path, text, ODL_THUMBNAIL_NONE);
  odl_source_item_set_count (item, has);
  g_autofree char *named = join (words, G_N_ELEMENTS (words) - 1);
  odl_source_item_set_n_keys (item, series->n_keys);
  add_words (item, series, named, hides_names, patient, study);
}

const char *
odl_study_rows_find (const GPtrArray *series, const char *file, const char *series_uid)
{
  g_autofree char *folder = g_path_get_dirname (file);
  for (guint i = 0; i < series->len; i++) {
    const OdlSeries *one = series->pdata[i];
    g_autofree char *other = g_path_get_dirname (one->path);
    if (one->kind == ODL_SERIES_PICTURES && g_strcmp0 (one->series_uid, series_uid) == 0
        && g_str_equal (other, folder))
      return one->location;
  }
  return NULL;
}

static GListStore *
make_rows (const GPtrArray *series, bool hides_names)
{
  GListStore *items = g_list_store_new (ODL_TYPE_SOURCE_ITEM);
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
    if (one->kind == ODL_SERIES_PICTURES)
      add_series (items, one, hides_names, &patient, &study);
    else
      add_object (items, one, hides_names, &patient, &study);
    before = one;
  }
  heading_clear (&patient);
  heading_clear (&study);
  return items;
}

// ---- a list that grows ---------------------------------------------------------------

// What tells rows apart: headings by their words, series by what they open. Transfer
// full.
static char *
key_of (OdlSourceItem *item)
{
  const bool heading = odl_source_item_is_heading (item);
  return g_strdup_printf (
      "%d\n%s\n%s", odl_source_item_depth (item), odl_source_item_location (item),
      heading ? odl_source_item_name (item) : odl_source_item_picture (item));
}

// Whether `item` stays as the row that `made` is; it then has the words of that.
static bool
stays (OdlSourceItem *item, OdlSourceItem *made)
{
  g_autofree char *key = key_of (item);
  g_autofree char *other = key_of (made);
  if (!g_str_equal (key, other))
    return false;
  if (!g_str_equal (odl_source_item_name (item), odl_source_item_name (made)))
    odl_source_item_set_name (item, odl_source_item_name (made));
  odl_source_item_set_words (item, odl_source_item_words (made));
  odl_source_item_set_n_keys (item, odl_source_item_n_keys (made));
  odl_source_item_set_count (item, odl_source_item_count (made));
  return true;
}

static bool
stay_at (GListModel *items, guint i, GListModel *made, guint k)
{
  g_autoptr (OdlSourceItem) item = g_list_model_get_item (items, i);
  g_autoptr (OdlSourceItem) other = g_list_model_get_item (made, k);
  return stays (item, other);
}

// Those of `rows` that were there before, in the place of new ones, so that their small
// pictures stay.
static void
keep_known (GPtrArray *rows, GListModel *items, guint from, guint n)
{
  g_autoptr (GHashTable) known
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
  for (guint i = from; i < from + n; i++) {
    OdlSourceItem *item = g_list_model_get_item (items, i);
    g_hash_table_replace (known, key_of (item), item);
  }
  for (guint i = 0; i < rows->len; i++) {
    g_autofree char *key = key_of (rows->pdata[i]);
    OdlSourceItem *item = g_hash_table_lookup (known, key);
    if (!item || !stays (item, rows->pdata[i]))
      continue;
    g_object_unref (rows->pdata[i]);
    rows->pdata[i] = g_object_ref (item);
    g_hash_table_remove (known, key);
  }
}

void
odl_study_rows_set (GListStore *store, const GPtrArray *series, bool hides_names)
{
  g_autoptr (GListStore) made = make_rows (series, hides_names);
  GListModel *items = G_LIST_MODEL (store), *others = G_LIST_MODEL (made);
  const guint n = g_list_model_get_n_items (items);
  const guint n_made = g_list_model_get_n_items (others);
  guint first = 0, last = 0;
  while (first < MIN (n, n_made) && stay_at (items, first, others, first))
    first++;
  while (last < MIN (n, n_made) - first
         && stay_at (items, n - 1 - last, others, n_made - 1 - last))
    last++;
  if (n == n_made && first == n)
    return;
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = first; i < n_made - last; i++)
    g_ptr_array_add (rows, g_list_model_get_item (others, i));
  keep_known (rows, items, first, n - first - last);
  g_list_store_splice (store, first, n - first - last, rows->pdata, rows->len);
}
