// SPDX-License-Identifier: MIT
// Which files beside a picture are presentations of it.
#include <string.h>

#include "source/dicom/dicom.h"
#include "source/dicom/headers.h"
#include "source/dicom/presentation.h"
#include "source/source_file.h"

// What the SOP classes of all begin with. It stands in the first bytes of such a file.
#define FAMILY_UID "1.2.840.10008.5.1.4.1.1.11."

#define MOST_FILES 20000
#define MOST_BESIDE 2000 // in folders beside, which may be of anything
#define MOST_READ 512 // of presentations, whether they are of the picture or not
#define DEPTH_OF_DISC 6

typedef struct {
  OdlHeadTest is_in;
  GPtrArray *paths;
  GHashTable *folders; // that were looked through
  int n_seen;
  GCancellable *cancellable;
} Search;

bool
odl_presentation_is_in (const uint8_t *head, size_t n)
{
  const char *found
      = memmem (head, n, ODL_PRESENTATION_CLASS, strlen (ODL_PRESENTATION_CLASS));
  // It is no longer one.
  const size_t after
      = found != NULL ? (size_t) (found - (char *) head) + strlen (ODL_PRESENTATION_CLASS)
                      : n;
  return after < n && (head[after] == 0 || head[after] == ' ' || head[after] == 2);
}

static bool
is_in_family (const uint8_t *head, size_t n)
{
  return memmem (head, n, FAMILY_UID, strlen (FAMILY_UID)) != NULL;
}

static bool
is_file (const char *path, OdlHeadTest is_in)
{
  uint8_t head[ODL_SOURCE_HEAD_BYTES];
  size_t n = 0;

  return odl_source_file_read_head (path, head, &n, NULL)
         && odl_dicom_source.probe (path, head, n) && is_in (head, n);
}

bool
odl_presentation_is_file (const char *path)
{
  return is_file (path, is_in_family);
}

static void
look_through (const char *folder, int depth, Search *search)
{
  if (!g_hash_table_add (search->folders, g_strdup (folder)))
    return;
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL
         && search->n_seen++ < MOST_FILES && search->paths->len < MOST_READ
         && !g_cancellable_is_cancelled (search->cancellable)) {
    g_autofree char *path = g_build_filename (folder, name, NULL);
    if (name[0] == '.')
      continue;
    if (depth > 0 && odl_header_path_is (path, S_IFDIR))
      look_through (path, depth - 1, search);
    else if (odl_header_path_is (path, S_IFREG) && is_file (path, search->is_in))
      g_ptr_array_add (search->paths, g_steal_pointer (&path));
  }
}

// SOP Instance UIDs: Media Storage, and that of the data set.
static bool
has_instance (const char *path, const char *sop_instance)
{
  static const char tags[][6] = { { 2, 0, 3, 0, 'U', 'I' }, { 8, 0, 0x18, 0, 'U', 'I' } };
  const size_t length = strlen (sop_instance);
  uint8_t head[ODL_SOURCE_HEAD_BYTES];
  size_t n = 0;

  if (!odl_source_file_read_head (path, head, &n, NULL)
      || !odl_dicom_source.probe (path, head, n))
    return false;
  for (gsize i = 0; i < G_N_ELEMENTS (tags); i++) {
    const uint8_t *found = memmem (head, n, tags[i], sizeof tags[i]);
    const size_t at = found ? (size_t) (found - head) + sizeof tags[i] : n;
    // Two bytes of length, which is even.
    if (at + 2 + length <= n && head[at] == length + length % 2 && head[at + 1] == 0
        && memcmp (head + at + 2, sop_instance, length) == 0)
      return true;
  }
  return false;
}

char *
odl_presentation_find_picture (const char *path,
                               const char *sop_instance,
                               GCancellable *cancellable)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  for (int i = 0; *sop_instance != '\0' && dir != NULL && i < MOST_BESIDE
                  && (name = g_dir_read_name (dir)) != NULL
                  && !g_cancellable_is_cancelled (cancellable);
       i++) {
    g_autofree char *file = g_build_filename (folder, name, NULL);
    if (odl_header_path_is (file, S_IFREG) && has_instance (file, sop_instance))
      return g_steal_pointer (&file);
  }
  return NULL;
}

static bool
is_disc (const char *folder)
{
  static const char *const names[] = { "DICOMDIR", "dicomdir" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *table = g_build_filename (folder, names[i], NULL);
    if (odl_header_path_is (table, S_IFREG))
      return true;
  }
  return false;
}

// The folder of a disc's table, above a file; NULL: it lies on none.
static char *
disc_of (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);

  for (int i = 0; i < DEPTH_OF_DISC; i++) {
    if (is_disc (folder))
      return g_steal_pointer (&folder);
    char *above = g_path_get_dirname (folder);
    g_free (folder);
    folder = above;
  }
  return NULL;
}

static int
compare (const void *a, const void *b)
{
  const OdlPresentation *left = *(OdlPresentation *const *) a;
  const OdlPresentation *right = *(OdlPresentation *const *) b;
  const int by_label = g_utf8_collate (left->label, right->label);
  const int by_date = strcmp (left->date, right->date);

  return by_label != 0  ? by_label
         : by_date != 0 ? by_date
                        : strcmp (left->path, right->path);
}

static void
list_files (const char *path, Search *search)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *above = g_path_get_dirname (folder);
  g_autofree char *disc = disc_of (path);

  look_through (folder, 0, search);
  if (disc != NULL)
    look_through (disc, DEPTH_OF_DISC, search);
  search->n_seen = MAX (search->n_seen, MOST_FILES - MOST_BESIDE);
  if (disc == NULL)
    look_through (above, 1, search);
}

GPtrArray *
odl_dicom_files_beside (const char *path, OdlHeadTest is_in, GCancellable *cancellable)
{
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) folders
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Search search = { is_in, paths, folders, 0, cancellable };

  list_files (path, &search);
  return paths;
}

GPtrArray *
odl_presentations_find (const char *path, GCancellable *cancellable)
{
  GPtrArray *list
      = g_ptr_array_new_with_free_func ((GDestroyNotify) odl_presentation_free);
  g_autoptr (GPtrArray) paths
      = odl_dicom_files_beside (path, odl_presentation_is_in, cancellable);

  g_autofree char *own
      = paths->len > 0 ? odl_dicom_read_header (path, cancellable, NULL) : NULL;
  g_autofree char *sop_instance = odl_presentation_value (own ? own : "", "(0008,0018)");
  for (guint i = 0; i < paths->len && !g_cancellable_is_cancelled (cancellable); i++) {
    g_autofree char *text = odl_dicom_read_header (paths->pdata[i], cancellable, NULL);
    OdlPresentation *found
        = text != NULL ? odl_presentation_parse (text, sop_instance, -1) : NULL;
    if (found == NULL)
      continue;
    g_free (found->path);
    found->path = g_strdup (paths->pdata[i]);
    found->of_other = odl_presentation_is_of_other (text, own);
    g_ptr_array_add (list, found);
  }
  g_ptr_array_sort (list, compare);
  if (list->len > ODL_MOST_PRESENTATIONS)
    g_ptr_array_set_size (list, ODL_MOST_PRESENTATIONS);
  return list;
}
