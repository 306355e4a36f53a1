// SPDX-License-Identifier: MIT
#include "source/dicom/studies.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "source/dicom/dicom.h"
#include "source/helper/client.h"
#include "source/dicom/headers.h"
#include "source/dicom/series.h"
#include "source/source_file.h"

#define MAX_FILES 20000u
#define MAX_SEEN 100000u // of any kind: a whole home folder takes no minutes
#define MAX_DEPTH 8
#define FILE_ID "\t(0004,1500)\t" // Referenced File ID, in the text of a header

static void
series_free (void *data)
{
  OdlSeries *series = data;

  g_free (series->person);
  g_free (series->patient);
  g_free (series->names);
  g_free (series->patient_id);
  g_free (series->birth);
  g_free (series->study_uid);
  g_free (series->study);
  g_free (series->study_date);
  g_free (series->series_uid);
  g_free (series->series);
  g_free (series->number);
  g_free (series->modality);
  g_free (series->path);
  g_free (series->location);
  g_free (series);
}

// ---- which files ---------------------------------------------------------------------

bool
odl_studies_is_dicom (const char *path)
{
  uint8_t head[ODL_SOURCE_HEAD_BYTES];
  size_t n_head = 0;

  return odl_source_file_read_head (path, head, &n_head, NULL)
         && odl_dicom_source.probe (path, head, n_head);
}

bool
odl_studies_is_table (const char *path)
{
  g_autofree char *name = g_path_get_basename (path);

  return g_ascii_strcasecmp (name, "DICOMDIR") == 0;
}

typedef struct {
  GPtrArray *paths;
  guint n_seen;
  GCancellable *cancellable;
} Search;

// Folders that cannot be read are left out, but for the first one.
static bool
list_folder (const char *folder, int depth, Search *search, GError **error)
{
  GPtrArray *paths = search->paths;
  g_autoptr (GError) cause = NULL;
  g_autoptr (GDir) dir = g_dir_open (folder, 0, &cause);
  const char *name;

  if (dir == NULL) {
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_IO, cause->message);
    return false;
  }
  while ((name = g_dir_read_name (dir)) != NULL && paths->len < MAX_FILES
         && search->n_seen++ < MAX_SEEN
         && !g_cancellable_is_cancelled (search->cancellable)) {
    g_autofree char *path = g_build_filename (folder, name, NULL);
    if (name[0] == '.')
      continue;
    if (odl_header_path_is (path, S_IFDIR) && depth < MAX_DEPTH)
      list_folder (path, depth + 1, search, NULL);
    else if (odl_header_path_is (path, S_IFREG) && !odl_studies_is_table (path)
             && odl_studies_is_dicom (path))
      g_ptr_array_add (paths, g_steal_pointer (&path));
  }
  return true;
}

// The entry of a folder with that name; discs are also mounted in lower case. NULL: there
// is none.
static char *
find_entry (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree char *lower = g_ascii_strdown (name, -1);

  if (g_file_test (path, G_FILE_TEST_EXISTS))
    return g_steal_pointer (&path);
  g_free (path);
  path = g_build_filename (folder, lower, NULL);
  return g_file_test (path, G_FILE_TEST_EXISTS) ? g_steal_pointer (&path) : NULL;
}

// "DIR\FILE" below `folder`, never elsewhere: no part is a way up, a path or a link.
// NULL: there is no such file.
static char *
file_of_id (const char *folder, const char *id)
{
  g_auto (GStrv) parts = g_strsplit (id, "\\", MAX_DEPTH + 1);
  g_autofree char *path = g_strdup (folder);

  for (char **part = parts; *part != NULL; part++) {
    const char *name = g_strstrip (*part);
    if (*name == '\0' || name[0] == '.' || strchr (name, '/') != NULL)
      return NULL;
    char *next = find_entry (path, name);
    g_free (path);
    path = next;
    if (path == NULL || !odl_header_path_is (path, part[1] != NULL ? S_IFDIR : S_IFREG))
      return NULL;
  }
  return *parts != NULL ? g_steal_pointer (&path) : NULL;
}

static char *
say_missing (int n)
{
  return n > 0 ? g_strdup_printf (
             ngettext (
                 "The index of the disc names %d picture that is not in its folder.",
                 "The index of the disc names %d pictures that are not in its folder.",
                 (gulong) n),
             n)
               : NULL;
}

static bool
list_table (const char *table,
            GPtrArray *paths,
            char **note,
            GCancellable *cancellable,
            GError **error)
{
  int n_missing = 0;
  g_autofree char *text = odl_dicom_read_header (table, cancellable, error);
  g_autofree char *folder = g_path_get_dirname (table);
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);

  if (text == NULL)
    return false;
  for (const char *at = text;
       paths->len < MAX_FILES && (at = strstr (at, FILE_ID)) != NULL; at++) {
    const char *end = strchr (at, '\n');
    g_autofree char *line
        = end != NULL ? g_strndup (at, (gsize) (end - at)) : g_strdup (at);
    // Type and name of the element come before its value.
    const char *id = strrchr (line, '\t') + 1;
    char *path = file_of_id (folder, id);
    n_missing += path == NULL;
    if (path != NULL && g_hash_table_add (known, path))
      g_ptr_array_add (paths, path);
    else
      g_free (path);
  }
  *note = say_missing (n_missing);
  return true;
}

// ---- what they say -------------------------------------------------------------------

// An OdlSeries of one picture; NULL: it is none.
static void *
read_picture (const char *path, GCancellable *cancellable)
{
  const OdlDecoderRequest request = { .location = path, .format = "dicom-header" };
  g_autoptr (OdlSource) source
      = odl_decoded_source_open (&odl_dicom_source, &request, cancellable, NULL);

  if (source == NULL)
    return NULL;
  OdlSeries *series = g_new0 (OdlSeries, 1);
  *series = (OdlSeries){
    .person = odl_header_detail (source, "person"),
    .patient = odl_header_detail (source, "patient-name"),
    .patient_id = odl_header_detail (source, "patient-id"),
    .birth = odl_header_detail (source, "patient-birth"),
    .study_uid = odl_header_detail (source, "study-instance"),
    .study = odl_header_detail (source, "study"),
    .study_date = odl_header_detail (source, "study-date"),
    .series_uid = odl_header_detail (source, "series-instance"),
    .series = odl_header_detail (source, "series"),
    .number = odl_header_detail (source, "series-number"),
    .modality = odl_header_detail (source, "modality"),
    .path = g_strdup (path),
    .n_pictures = 1,
    .n_frames = MAX (source->info.n_frames, 1),
  };
  return series;
}

// What must be the same of pictures of one stack; of others their own path.
static char *
key_of (const OdlSeries *series)
{
  g_autofree char *folder = g_path_get_dirname (series->path);
  const bool single = series->n_frames > 1 || *series->series_uid == '\0';

  return g_strjoin ("\n", series->person, series->study_uid, series->series_uid,
                    single ? series->path : folder, NULL);
}

static char *
name_key (const char *path)
{
  g_autofree char *shown = g_filename_display_name (path);

  return g_utf8_collate_key_for_filename (shown, -1);
}

static int
compare_paths (const char *left, const char *right)
{
  g_autofree char *left_key = name_key (left);
  g_autofree char *right_key = name_key (right);

  return strcmp (left_key, right_key);
}

// Those without a number come last.
static int
compare_numbers (const char *left, const char *right)
{
  double a = INFINITY, b = INFINITY;

  odl_number_from_text (left, &a);
  odl_number_from_text (right, &b);
  return (a > b) - (a < b);
}

static int
compare (const void *a, const void *b)
{
  const OdlSeries *left = *(OdlSeries *const *) a, *right = *(OdlSeries *const *) b;
  const int orders[] = { g_utf8_collate (left->names, right->names),
                         strcmp (left->person, right->person),
                         strcmp (left->study_date, right->study_date),
                         strcmp (left->study_uid, right->study_uid),
                         compare_numbers (left->number, right->number) };

  for (size_t i = 0; i < G_N_ELEMENTS (orders); i++)
    if (orders[i] != 0)
      return orders[i];
  return compare_paths (left->path, right->path);
}

static int
compare_names (const void *a, const void *b)
{
  const char *left = *(char *const *) a, *right = *(char *const *) b;
  const int by_name = g_utf8_collate (left, right);

  return by_name != 0 ? by_name : strcmp (left, right);
}

// Each person's names among the pictures: person → GPtrArray of names. Transfer full.
static GHashTable *
find_names (const GPtrArray *pictures)
{
  GHashTable *names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                             (GDestroyNotify) g_ptr_array_unref);

  for (guint i = 0; i < pictures->len; i++) {
    const OdlSeries *picture = pictures->pdata[i];
    if (picture == NULL)
      continue;
    GPtrArray *known = g_hash_table_lookup (names, picture->person);
    if (known == NULL) {
      known = g_ptr_array_new_with_free_func (g_free);
      g_hash_table_insert (names, g_strdup (picture->person), known);
    }
    if (*picture->patient != '\0'
        && !g_ptr_array_find_with_equal_func (known, picture->patient, g_str_equal, NULL))
      g_ptr_array_add (known, g_strdup (picture->patient));
  }
  return names;
}

// Two spellings of one person are one heading, with both.
static void
name_persons (GPtrArray *list, GHashTable *names)
{
  for (guint i = 0; i < list->len; i++) {
    OdlSeries *series = list->pdata[i];
    GPtrArray *known = g_hash_table_lookup (names, series->person);
    g_autoptr (GString) all = g_string_new (NULL);
    g_ptr_array_sort (known, compare_names);
    for (guint k = 0; k < known->len; k++)
      g_string_append_printf (all, "%s%s", k > 0 ? " / " : "", (char *) known->pdata[k]);
    series->names = g_strdup (all->str);
  }
}

// Adds the picture to its series in `list`.
static void
add_picture (OdlSeries *picture, GHashTable *by_key, GPtrArray *list)
{
  g_autofree char *key = key_of (picture);
  OdlSeries *series = g_hash_table_lookup (by_key, key);

  if (series == NULL) {
    g_hash_table_insert (by_key, g_steal_pointer (&key), picture);
    g_ptr_array_add (list, picture);
    return;
  }
  series->n_pictures++;
  if (compare_paths (picture->path, series->path) < 0) {
    char *first = picture->path;
    picture->path = series->path;
    series->path = first;
  }
  series_free (picture);
}

GPtrArray *
odl_studies_read (const char *path,
                  char **note,
                  GCancellable *cancellable,
                  GError **error)
{
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) list = g_ptr_array_new_with_free_func (series_free);
  g_autoptr (GHashTable) by_key
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  *note = NULL;
  Search search = { .paths = paths, .cancellable = cancellable };
  if (!(g_file_test (path, G_FILE_TEST_IS_DIR)
            ? list_folder (path, 0, &search, error)
            : list_table (path, paths, note, cancellable, error)))
    return NULL;
  g_autoptr (GPtrArray) pictures = odl_headers_read (paths, read_picture, cancellable);
  g_autoptr (GHashTable) names = find_names (pictures);
  for (guint i = 0; i < pictures->len; i++)
    if (pictures->pdata[i] != NULL)
      add_picture (pictures->pdata[i], by_key, list);
  if (g_cancellable_is_cancelled (cancellable))
    return odl_error_null (error, ODL_ERROR_CANCELLED, _ ("cancelled"));
  for (guint i = 0; i < list->len; i++) {
    OdlSeries *series = list->pdata[i];
    series->location = series->n_pictures > 1 ? odl_series_location (series->path)
                                              : g_strdup (series->path);
  }
  name_persons (list, names);
  g_ptr_array_sort (list, compare);
  return g_steal_pointer (&list);
}

GPtrArray *
odl_studies_read_files (const char *const *paths, GCancellable *cancellable)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new ();

  for (int i = 0; paths[i] != NULL; i++)
    g_ptr_array_add (all, (void *) paths[i]);
  g_autoptr (GPtrArray) read = odl_headers_read (all, read_picture, cancellable);
  GPtrArray *files = g_ptr_array_new_with_free_func (series_free);
  for (guint i = 0; i < read->len; i++)
    if (read->pdata[i] != NULL)
      g_ptr_array_add (files, read->pdata[i]);
  return files;
}
