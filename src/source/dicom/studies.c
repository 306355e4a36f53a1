// SPDX-License-Identifier: MIT
#include "source/dicom/studies.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "source/dicom/dicom.h"
#include "source/dicom/headers.h"
#include "source/dicom/series.h"
#include "source/dicom/study_objects.h"
#include "source/helper/fork_server.h"
#include "source/source_file.h"

#define MAX_FILES 20000u
#define MAX_SEEN 100000u // of any kind: a whole home folder takes no minutes
#define MAX_DEPTH 8
#define FILE_ID "\t(0004,1500)\t" // Referenced File ID, in the text of a header

static void
series_free (void *data)
{
  OdlSeries *series = data;

  g_free (series->title);
  g_free (series->space);
  g_free (series->of);
  g_clear_pointer (&series->instances, g_ptr_array_unref);
  g_clear_pointer (&series->files, g_ptr_array_unref);
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
  g_free (series->body_part);
  g_free (series->image_type);
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

// ---- what is known so far ------------------------------------------------------------

// Files read in one go: before anything is told no more than take a moment, then enough
// to keep all processors busy.
#define FIRST_FILES 256u
#define MORE_FILES 512u
// The list is told again when so much more of it is known (fraction).
#define MORE_TOLD 0.25

// Series so far, and files that were found and not read yet.
typedef struct {
  const OdlStudiesTelling *telling; // NULL: nobody listens
  GCancellable *cancellable;
  GPtrArray *found; // paths
  GHashTable *seen; // of paths that were found; borrowed
  GPtrArray *waiting; // of them, those that were not read yet; borrowed
  GPtrArray *list; // OdlSeries, in the order in which they were found
  GHashTable *by_key; // of the list
  GHashTable *names; // of persons: GPtrArray
  guint n_read, n_told; // files
  char *first; // the folder whose files come before all others; NULL: none
  bool cut; // files of the folder that is being read were read already
} Reading;

static void read_waiting (Reading *reading);
static void tell (Reading *reading, bool whole);

static bool
are_beside (const char *path, const char *other)
{
  const char *end = strrchr (path, '/'), *other_end = strrchr (other, '/');

  return end != NULL && other_end != NULL && end - path == other_end - other
         && strncmp (path, other, (size_t) (end - path)) == 0;
}

// Takes the path of a DICOM file; those of one folder come one after the other. The first
// folder that holds pictures is told as soon as it is read.
static void
take_path (Reading *reading, char *path)
{
  GPtrArray *waiting = reading->waiting;
  const char *before
      = reading->found->len > 0 ? reading->found->pdata[reading->found->len - 1] : path;
  const bool leaves = !are_beside (before, path);

  if (leaves && reading->n_told == 0) {
    read_waiting (reading);
    tell (reading, !reading->cut);
  } else if (waiting->len >= (reading->n_told == 0 ? FIRST_FILES : MORE_FILES)) {
    read_waiting (reading);
    tell (reading, false);
    reading->cut = true;
  }
  reading->cut = reading->cut && !leaves;
  g_ptr_array_add (reading->found, path);
  g_ptr_array_add (waiting, path);
}

static bool
is_full (const Reading *reading)
{
  return reading->found->len >= MAX_FILES
         || g_cancellable_is_cancelled (reading->cancellable);
}

static int compare_entries (const void *a, const void *b);

typedef struct {
  char *key; // of its name, for natural sorting
  char *path;
  bool is_folder;
} Entry;

static void
entry_clear (void *data)
{
  Entry *entry = data;

  g_free (entry->key);
  g_free (entry->path);
}

// Files and folders, files first. NULL: it cannot be read.
static GArray *
list_entries (const char *folder, guint *n_seen, Reading *reading, GError **error)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, error);
  const char *name;

  if (dir == NULL)
    return NULL;
  GArray *entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  g_array_set_clear_func (entries, entry_clear);
  while ((name = g_dir_read_name (dir)) != NULL && !is_full (reading)
         && (*n_seen)++ < MAX_SEEN) {
    g_autofree char *path = g_build_filename (folder, name, NULL);
    const bool is_folder = odl_header_path_is (path, S_IFDIR);
    if (name[0] == '.' || !(is_folder || odl_header_path_is (path, S_IFREG)))
      continue;
    g_autofree char *shown = g_filename_display_name (name);
    const Entry entry = { g_utf8_collate_key_for_filename (shown, -1),
                          g_steal_pointer (&path), is_folder };
    g_array_append_val (entries, entry);
  }
  g_array_sort (entries, compare_entries);
  return entries;
}

static int
compare_entries (const void *a, const void *b)
{
  const Entry *left = a, *right = b;

  return left->is_folder != right->is_folder ? left->is_folder - right->is_folder
                                             : strcmp (left->key, right->key);
}

static bool
may_be_picture (const Entry *entry)
{
  return !entry->is_folder && !odl_studies_is_table (entry->path)
         && odl_studies_is_dicom (entry->path);
}

static void
take_files (GArray *entries, Reading *reading)
{
  for (guint i = 0; i < entries->len && !is_full (reading); i++) {
    Entry *entry = &g_array_index (entries, Entry, i);
    if (may_be_picture (entry))
      take_path (reading, g_steal_pointer (&entry->path));
  }
}

// Folders that cannot be read are left out, but for the first one.
static bool
list_folder (const char *folder,
             int depth,
             guint *n_seen,
             Reading *reading,
             GError **error)
{
  g_autoptr (GError) cause = NULL;
  g_autoptr (GArray) entries = list_entries (folder, n_seen, reading, &cause);

  if (entries == NULL) {
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_IO, cause->message);
    return false;
  }
  const bool taken = g_strcmp0 (folder, reading->first) == 0;
  if (!taken)
    take_files (entries, reading);
  for (guint i = 0; i < entries->len && !is_full (reading); i++) {
    Entry *entry = &g_array_index (entries, Entry, i);
    if (entry->is_folder && depth < MAX_DEPTH)
      list_folder (entry->path, depth + 1, n_seen, reading, NULL);
  }
  return true;
}

// ---- the folder that comes first -----------------------------------------------------

// Files that are no DICOM at the beginning of a folder, and folders that are looked into.
#define MOST_STRANGE 8
#define MOST_SCOUTED 64u

// A file of a folder, and how many lie there.
typedef struct {
  char *path;
  int n_files;
} Scout;

static void
scout_clear (void *data)
{
  Scout *scout = data;

  g_free (scout->path);
}

// A file of the folder and of each one below it that holds some.
static void
scout_folder (const char *folder, int depth, guint *n_seen, GArray *scouts, Reading *all)
{
  g_autoptr (GArray) entries = list_entries (folder, n_seen, all, NULL);
  Scout scout = { 0 };
  int n_strange = 0;

  for (guint i = 0; entries != NULL && i < entries->len; i++) {
    Entry *entry = &g_array_index (entries, Entry, i);
    scout.n_files += !entry->is_folder;
    if (entry->is_folder || scout.path != NULL || n_strange == MOST_STRANGE)
      continue;
    if (may_be_picture (entry))
      scout.path = g_strdup (entry->path);
    else
      n_strange++;
  }
  if (scout.path != NULL)
    g_array_append_val (scouts, scout);
  for (guint i = 0; entries != NULL && i < entries->len && scouts->len < MOST_SCOUTED
                    && !is_full (all);
       i++) {
    const Entry *entry = &g_array_index (entries, Entry, i);
    if (entry->is_folder && depth < MAX_DEPTH)
      scout_folder (entry->path, depth + 1, n_seen, scouts, all);
  }
}

static void *
read_picture (const char *path, OdlHeaderHelper *helper, GCancellable *cancellable);

// An OdlSeries of each, in their order.
static GPtrArray *
read_scouts (const GArray *scouts, GCancellable *cancellable)
{
  g_autoptr (GPtrArray) paths = g_ptr_array_new ();
  GPtrArray *list = g_ptr_array_new_with_free_func (series_free);

  for (guint i = 0; i < scouts->len; i++)
    g_ptr_array_add (paths, g_array_index (scouts, Scout, i).path);
  g_autoptr (GPtrArray) read = odl_headers_read (paths, read_picture, cancellable);
  for (guint i = 0; i < read->len; i++) {
    OdlSeries *one = read->pdata[i];
    if (one == NULL)
      continue;
    one->n_pictures = g_array_index (scouts, Scout, i).n_files;
    g_ptr_array_add (list, one);
  }
  return list;
}

// Of the person that comes first the newest study, there a series that does not hang
// last.
static const OdlSeries *
choose_first (const GPtrArray *list)
{
  const OdlSeries *best = list->len > 0 ? list->pdata[0] : NULL;

  for (guint i = 1; i < list->len; i++) {
    const OdlSeries *one = list->pdata[i];
    const int date = strcmp (one->study_date, best->study_date);
    if (strcmp (one->person, best->person) == 0
        && (date > 0 || (date == 0 && best->hangs_last && !one->hangs_last)))
      best = one;
  }
  return best;
}

// Of a folder with others below it: sets the one whose files come first, and takes these.
static void
find_first (const char *folder, Reading *reading)
{
  g_autoptr (GArray) scouts = g_array_new (FALSE, FALSE, sizeof (Scout));
  guint n_seen = 0;

  g_array_set_clear_func (scouts, scout_clear);
  scout_folder (folder, 0, &n_seen, scouts, reading);
  if (scouts->len < 2)
    return;
  g_autoptr (GPtrArray) list = read_scouts (scouts, reading->cancellable);
  if (reading->telling->judge != NULL)
    reading->telling->judge (list);
  const OdlSeries *first = choose_first (list);
  if (first == NULL)
    return;
  n_seen = 0;
  g_autofree char *chosen = g_path_get_dirname (first->path);
  g_autoptr (GArray) entries = list_entries (chosen, &n_seen, reading, NULL);
  if (entries == NULL)
    return;
  take_files (entries, reading);
  reading->first = g_steal_pointer (&chosen);
}

// ---- discs ---------------------------------------------------------------------------

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
list_table (const char *table, Reading *reading, char **note, GError **error)
{
  int n_missing = 0;
  g_autofree char *text = odl_dicom_read_header (table, reading->cancellable, error);
  g_autofree char *folder = g_path_get_dirname (table);

  if (text == NULL)
    return false;
  for (const char *at = text; !is_full (reading) && (at = strstr (at, FILE_ID)) != NULL;
       at++) {
    const char *end = strchr (at, '\n');
    g_autofree char *line
        = end != NULL ? g_strndup (at, (gsize) (end - at)) : g_strdup (at);
    // Type and name of the element come before its value.
    const char *id = strrchr (line, '\t') + 1;
    char *path = file_of_id (folder, id);
    n_missing += path == NULL;
    if (path != NULL && g_hash_table_add (reading->seen, path))
      take_path (reading, path);
    else
      g_free (path);
  }
  *note = say_missing (n_missing);
  return true;
}

// ---- what they say -------------------------------------------------------------------

// An OdlSeries of one picture; NULL: it is none.
static void *
read_picture (const char *path, OdlHeaderHelper *helper, GCancellable *cancellable)
{
  g_autoptr (OdlPictureHeader) header
      = odl_picture_header_read (path, helper, cancellable);

  if (header == NULL)
    return NULL;
  OdlSeries *series = odl_series_of_header (header, path);
  series->instances = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (series->instances, odl_picture_header_dup (header, "sop-instance"));
  series->files = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (series->files, g_strdup (path));
  return series;
}

// An OdlSeries of one picture, or of an object that says something of pictures; NULL: it
// is neither.
static void *
read_row (const char *path, OdlHeaderHelper *helper, GCancellable *cancellable)
{
  OdlSeries *object
      = odl_study_object_is_in (path) ? odl_study_object_read (path, cancellable) : NULL;

  return object != NULL ? object : read_picture (path, helper, cancellable);
}

// What must be the same of pictures of one stack; of others their own path.
static char *
key_of (const OdlSeries *series)
{
  g_autofree char *folder = g_path_get_dirname (series->path);
  const bool single = series->n_frames > 1 || *series->series_uid == '\0'
                      || series->kind != ODL_SERIES_PICTURES;

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

// Of a person the newest study comes first, and undated ones last.
static int
compare (const void *a, const void *b)
{
  const OdlSeries *left = *(OdlSeries *const *) a, *right = *(OdlSeries *const *) b;
  const int orders[]
      = { g_utf8_collate (left->names, right->names),
          strcmp (left->person, right->person),
          strcmp (right->study_date, left->study_date),
          strcmp (left->study_uid, right->study_uid),
          (left->kind != ODL_SERIES_PICTURES) - (right->kind != ODL_SERIES_PICTURES),
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

// Two spellings of one person are one heading, with both.
static void
add_name (GHashTable *names, const OdlSeries *picture)
{
  GPtrArray *known = g_hash_table_lookup (names, picture->person);

  if (known == NULL) {
    known = g_ptr_array_new_with_free_func (g_free);
    g_hash_table_insert (names, g_strdup (picture->person), known);
  }
  if (*picture->patient != '\0'
      && !g_ptr_array_find_with_equal_func (known, picture->patient, g_str_equal, NULL))
    g_ptr_array_add (known, g_strdup (picture->patient));
}

// All names of a person, with strokes between them. Transfer full.
static char *
join_names (GHashTable *names, const char *person)
{
  GPtrArray *known = g_hash_table_lookup (names, person);
  GString *all = g_string_new (NULL);

  g_ptr_array_sort (known, compare_names);
  for (guint i = 0; i < known->len; i++)
    g_string_append_printf (all, "%s%s", i > 0 ? " / " : "", (char *) known->pdata[i]);
  return g_string_free (all, FALSE);
}

// What all pictures of a series are: of its words those that the picture has, too.
static void
keep_common (char **words, const char *picture)
{
  if (strcmp (*words, picture) == 0)
    return;
  g_auto (GStrv) all = g_strsplit (*words, "\\", -1);
  g_auto (GStrv) of_picture = g_strsplit (picture, "\\", -1);
  g_autoptr (GStrvBuilder) common = g_strv_builder_new ();

  for (size_t i = 0; all[i] != NULL; i++)
    if (g_strv_contains ((const char *const *) of_picture, all[i]))
      g_strv_builder_add (common, all[i]);
  g_auto (GStrv) kept = g_strv_builder_end (common);
  g_free (*words);
  *words = g_strjoinv ("\\", kept);
}

// Adds the picture to its series; takes it.
static void
add_picture (Reading *reading, OdlSeries *picture)
{
  g_autofree char *key = key_of (picture);
  OdlSeries *series = g_hash_table_lookup (reading->by_key, key);

  add_name (reading->names, picture);
  if (series == NULL) {
    g_hash_table_insert (reading->by_key, g_steal_pointer (&key), picture);
    g_ptr_array_add (reading->list, picture);
    return;
  }
  series->n_pictures++;
  keep_common (&series->image_type, picture->image_type);
  g_ptr_array_extend_and_steal (series->instances, g_steal_pointer (&picture->instances));
  g_ptr_array_extend_and_steal (series->files, g_steal_pointer (&picture->files));
  if (compare_paths (picture->path, series->path) < 0) {
    char *first = picture->path;
    picture->path = series->path;
    series->path = first;
  }
  series_free (picture);
}

static void
read_waiting (Reading *reading)
{
  g_autoptr (GPtrArray) pictures
      = odl_headers_read (reading->waiting, read_row, reading->cancellable);

  for (guint i = 0; i < pictures->len; i++)
    if (pictures->pdata[i] != NULL)
      add_picture (reading, pictures->pdata[i]);
  reading->n_read += reading->waiting->len;
  g_ptr_array_set_size (reading->waiting, 0);
}

static void *
copy_text (const void *text, void *data)
{
  return g_strdup (text);
}

// More may come to those of the series while the copy is looked at elsewhere.
static GPtrArray *
copy_texts (GPtrArray *texts)
{
  return texts != NULL ? g_ptr_array_copy (texts, copy_text, NULL) : NULL;
}

static OdlSeries *
series_copy (const OdlSeries *series, GHashTable *names)
{
  OdlSeries *copy = g_new (OdlSeries, 1);

  *copy = (OdlSeries){
    .kind = series->kind,
    .title = g_strdup (series->title),
    .n_parts = series->n_parts,
    .space = g_strdup (series->space),
    .of = g_strdup (series->of),
    .instances = copy_texts (series->instances),
    .files = copy_texts (series->files),
    .person = g_strdup (series->person),
    .patient = g_strdup (series->patient),
    .patient_id = g_strdup (series->patient_id),
    .birth = g_strdup (series->birth),
    .names = join_names (names, series->person),
    .study_uid = g_strdup (series->study_uid),
    .study = g_strdup (series->study),
    .study_date = g_strdup (series->study_date),
    .series_uid = g_strdup (series->series_uid),
    .series = g_strdup (series->series),
    .number = g_strdup (series->number),
    .modality = g_strdup (series->modality),
    .body_part = g_strdup (series->body_part),
    .image_type = g_strdup (series->image_type),
    .path = g_strdup (series->path),
    .location = series->n_pictures > 1 ? odl_series_location (series->path)
                                       : g_strdup (series->path),
    .n_pictures = series->n_pictures,
    .n_frames = series->n_frames,
  };
  return copy;
}

// The list as it is now, sorted. Transfer full.
static GPtrArray *
copy_list (const Reading *reading)
{
  GPtrArray *list = g_ptr_array_new_with_free_func (series_free);

  for (guint i = 0; i < reading->list->len; i++)
    g_ptr_array_add (list, series_copy (reading->list->pdata[i], reading->names));
  g_ptr_array_sort (list, compare);
  if (reading->telling != NULL && reading->telling->judge != NULL)
    reading->telling->judge (list);
  return list;
}

// Tells what is known, where that is much more than was told before.
static void
tell (Reading *reading, bool whole)
{
  if (reading->telling == NULL || reading->telling->tell == NULL
      || reading->list->len == 0 || g_cancellable_is_cancelled (reading->cancellable)
      || reading->n_read < reading->n_told * (1 + MORE_TOLD))
    return;
  const bool first = reading->n_told == 0;
  reading->n_told = reading->n_read;
  const OdlStudiesSoFar so_far = { copy_list (reading), reading->n_read, first && whole };
  reading->telling->tell (&so_far, reading->telling->data);
}

GPtrArray *
odl_studies_read (const char *path,
                  const OdlStudiesTelling *telling,
                  char **note,
                  GCancellable *cancellable,
                  GError **error)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) waiting = g_ptr_array_new ();
  g_autoptr (GPtrArray) list = g_ptr_array_new_with_free_func (series_free);
  g_autoptr (GHashTable) by_key
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) names = g_hash_table_new_full (
      g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_ptr_array_unref);
  Reading reading = { .telling = telling,
                      .cancellable = cancellable,
                      .found = found,
                      .seen = seen,
                      .waiting = waiting,
                      .list = list,
                      .by_key = by_key,
                      .names = names };
  guint n_seen = 0;

  *note = NULL;
  // One fork server for all that is read.
  odl_fork_server_open ();
  const bool is_folder = g_file_test (path, G_FILE_TEST_IS_DIR);
  if (is_folder && telling != NULL && telling->tell != NULL)
    find_first (path, &reading);
  const bool listed = is_folder ? list_folder (path, 0, &n_seen, &reading, error)
                                : list_table (path, &reading, note, error);
  if (listed)
    read_waiting (&reading);
  odl_fork_server_close ();
  g_free (reading.first);
  if (!listed)
    return NULL;
  return g_cancellable_is_cancelled (cancellable)
             ? odl_error_null (error, ODL_ERROR_CANCELLED, _ ("cancelled"))
             : copy_list (&reading);
}
