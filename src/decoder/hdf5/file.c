// SPDX-License-Identifier: MIT
#include "decoder/hdf5/file.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

#include "base/error.h"
#include "decoder/formats.h"

// The driver's only file. It is absolute, since libhdf5 asks for the folder of others.
#define NAME "/input"
#define MAX_DEPTH 32
#define HEAP_LEAST 4096u // bytes of a global heap, as libhdf5 makes them
#define HEAP_HEAD 16u // bytes before a global heap's objects, and before what each holds
#define MAX_LINKS 20000
#define MAX_TEXT 4096

// ---- The driver ----------------------------------------------------------------------

typedef struct {
  const uint8_t *data;
  size_t size;
} Bytes;

typedef struct {
  H5FD_t base;
  Bytes bytes;
  haddr_t end; // of what libhdf5 takes to be in use
} Mapped;

static H5FD_t *
open_cb (const char *name, unsigned flags, hid_t access, haddr_t most)
{
  const Bytes *bytes = H5Pget_driver_info (access);

  if (bytes == NULL || strcmp (name, NAME) != 0 || (flags & H5F_ACC_RDWR) != 0)
    return NULL;
  Mapped *mapped = g_new0 (Mapped, 1);
  mapped->bytes = *bytes;
  return &mapped->base;
}

static herr_t
close_cb (H5FD_t *file)
{
  g_free (file);
  return 0;
}

static haddr_t
get_end_cb (const H5FD_t *file, H5FD_mem_t type)
{
  return ((const Mapped *) file)->end;
}

static herr_t
set_end_cb (H5FD_t *file, H5FD_mem_t type, haddr_t end)
{
  ((Mapped *) file)->end = end;
  return 0;
}

static haddr_t
get_size_cb (const H5FD_t *file, H5FD_mem_t type)
{
  return ((const Mapped *) file)->bytes.size;
}

// A global heap, which texts of variable length lie in, is a head of 16 bytes with the
// size of all, and objects behind one another: a number, and their size at 8. libhdf5
// copies from where they say they end, wherever that is, and of a smaller heap than it
// makes itself takes objects that are not there. Files whose sizes have other than 8
// bytes are rare, and left to it.
static bool
is_sound_heap (const uint8_t *heap, uint64_t room)
{
  static const uint8_t head[8] = { 'G', 'C', 'O', 'L', 1, 0, 0, 0 };
  uint64_t size, n;

  if (room < HEAP_HEAD || memcmp (heap, head, sizeof head) != 0)
    return true;
  memcpy (&size, heap + 8, sizeof size);
  size = GUINT64_FROM_LE (size);
  if (size < HEAP_LEAST || size > room)
    return false;
  for (uint64_t at = HEAP_HEAD; size - at >= HEAP_HEAD; at += n) {
    const bool is_free = heap[at] == 0 && heap[at + 1] == 0; // the last one
    memcpy (&n, heap + at + 8, sizeof n);
    n = GUINT64_FROM_LE (n);
    if (n > size)
      return false;
    n = is_free ? n : HEAP_HEAD + (n + 7) / 8 * 8;
    if (n == 0 || n > size - at)
      return false;
  }
  return true;
}

static herr_t
read_cb (H5FD_t *file, H5FD_mem_t type, hid_t transfer, haddr_t at, size_t n, void *to)
{
  const Bytes *bytes = &((const Mapped *) file)->bytes;

  if (at > bytes->size || n > bytes->size - at
      || !is_sound_heap (bytes->data + at, bytes->size - at))
    return -1;
  memcpy (to, bytes->data + at, n);
  return 0;
}

static herr_t
write_cb (H5FD_t *file,
          H5FD_mem_t type,
          hid_t transfer,
          haddr_t at,
          size_t n,
          const void *from)
{
  return -1;
}

static const H5FD_class_t driver_class = {
#if H5_VERSION_GE(1, 13, 0)
  .version = H5FD_CLASS_VERSION,
  .value = (H5FD_class_value_t) 400, // of those for anybody
#endif
  .name = "mapped",
  .maxaddr = G_MAXINT64,
  .fc_degree = H5F_CLOSE_STRONG,
  .fapl_size = sizeof (Bytes),
  .open = open_cb,
  .close = close_cb,
  .get_eoa = get_end_cb,
  .set_eoa = set_end_cb,
  .get_eof = get_size_cb,
  .read = read_cb,
  .write = write_cb,
  .fl_map = H5FD_FLMAP_DICHOTOMY,
};

void
odl_prepare_hdf5 (const char *format)
{
  // Nothing at the end of the process, no words on standard error, no code from files,
  // no other files.
  H5dont_atexit ();
  H5open ();
  H5Eset_auto2 (H5E_DEFAULT, NULL, NULL);
  H5PLset_loading_state (0);
  H5Lunregister (H5L_TYPE_EXTERNAL);
}

bool
odl_h5_file_open (OdlH5File *file, const uint8_t *data, size_t size, GError **error)
{
  const Bytes bytes = { data, size };
  const hid_t access = H5Pcreate (H5P_FILE_ACCESS);

  file->driver = H5FDregister (&driver_class);
  file->file = -1;
  if (file->driver >= 0 && H5Pset_driver (access, file->driver, &bytes) >= 0)
    file->file = H5Fopen (NAME, H5F_ACC_RDONLY, access);
  H5Pclose (access);
  return file->file >= 0
         || odl_error_set (error, ODL_ERROR_CORRUPT,
                           _ ("it is no HDF5 file, is damaged, or ends early"));
}

void
odl_h5_file_close (OdlH5File *file)
{
  if (file->file >= 0)
    H5Fclose (file->file);
  if (file->driver >= 0)
    H5FDunregister (file->driver);
  file->file = file->driver = -1;
}

// ---- What lies in it -----------------------------------------------------------------

OdlH5Thing
odl_h5_file_look (const OdlH5File *file, const char *path)
{
  H5O_info_t info;

  if (strcmp (path, "/") == 0)
    return ODL_H5_GROUP;
  if (H5Oget_info_by_name2 (file->file, path, &info, H5O_INFO_BASIC, H5P_DEFAULT) < 0)
    return ODL_H5_NOTHING;
  return info.type == H5O_TYPE_GROUP     ? ODL_H5_GROUP
         : info.type == H5O_TYPE_DATASET ? ODL_H5_ARRAY
                                         : ODL_H5_NOTHING;
}

typedef struct {
  const OdlH5File *file;
  bool (*tell) (const char *path, OdlH5Thing thing, void *data);
  void *data;
  GHashTable *seen; // addresses
  GPtrArray *names; // of the group that is read
  int depth, n_links;
  bool is_cut, is_over;
} Walk;

static herr_t
name_cb (hid_t group, const char *name, const H5L_info_t *link, void *data)
{
  Walk *walk = data;

  walk->is_cut |= ++walk->n_links > MAX_LINKS;
  if (link->type == H5L_TYPE_HARD && !walk->is_cut)
    g_ptr_array_add (walk->names, g_strdup (name));
  return walk->is_cut;
}

static int
compare_names (const void *a, const void *b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

// The names in a group, in order. In libhdf5's own order: for any other it makes a table,
// which it frees before it is filled where a group is damaged.
static GPtrArray *
read_names (Walk *walk, const char *path)
{
  walk->names = g_ptr_array_new_with_free_func (g_free);
  H5Literate_by_name (walk->file->file, path, H5_INDEX_NAME, H5_ITER_NATIVE, NULL,
                      name_cb, walk, H5P_DEFAULT);
  g_ptr_array_sort (walk->names, compare_names);
  return g_steal_pointer (&walk->names);
}

static void
walk_group (Walk *walk, const char *path)
{
  g_autoptr (GPtrArray) names = read_names (walk, path);
  H5O_info_t info;

  walk->is_cut |= ++walk->depth > MAX_DEPTH;
  for (guint i = 0; i < names->len && walk->depth <= MAX_DEPTH && !walk->is_over; i++) {
    g_autofree char *inner = g_strconcat (strcmp (path, "/") == 0 ? "" : path, "/",
                                          (char *) names->pdata[i], NULL);
    if (H5Oget_info_by_name2 (walk->file->file, inner, &info, H5O_INFO_BASIC, H5P_DEFAULT)
            < 0
        || (info.type != H5O_TYPE_GROUP && info.type != H5O_TYPE_DATASET)
        || !g_hash_table_add (walk->seen, g_memdup2 (&info.addr, sizeof info.addr)))
      continue;
    const OdlH5Thing thing = info.type == H5O_TYPE_GROUP ? ODL_H5_GROUP : ODL_H5_ARRAY;
    walk->is_over = !walk->tell (inner, thing, walk->data);
    if (thing == ODL_H5_GROUP && !walk->is_over)
      walk_group (walk, inner);
  }
  walk->depth--;
}

void
odl_h5_file_walk (const OdlH5File *file,
                  bool (*tell) (const char *path, OdlH5Thing thing, void *data),
                  void *data,
                  bool *is_cut)
{
  Walk walk = { file, tell, data };

  walk.seen = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  walk_group (&walk, "/");
  g_hash_table_unref (walk.seen);
  *is_cut = walk.is_cut;
}

// ---- Small values --------------------------------------------------------------------

typedef herr_t (*ReadFunc) (hid_t from, hid_t type, void *to);

static herr_t
read_array (hid_t from, hid_t type, void *to)
{
  return H5Dread (from, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, to);
}

// The only text of what has so many. Transfer full; NULL: it is none.
static char *
read_text (hid_t from, hid_t type, hid_t space, ReadFunc read)
{
  const size_t size = H5Tget_size (type);
  char *text = NULL;

  if (H5Tget_class (type) != H5T_STRING || H5Sget_simple_extent_npoints (space) != 1)
    return NULL;
  if (H5Tis_variable_str (type) > 0) {
    char *given = NULL;
    if (read (from, type, (void *) &given) >= 0 && given != NULL)
      text = g_strndup (given, MAX_TEXT);
    H5free_memory (given);
  } else if (size > 0 && size <= MAX_TEXT) {
    text = g_malloc0 (size + 1);
    if (read (from, type, text) < 0)
      g_clear_pointer (&text, g_free);
  }
  if (text != NULL && !g_utf8_validate (text, -1, NULL))
    g_clear_pointer (&text, g_free);
  return text;
}

static void
close_both (hid_t type, hid_t space)
{
  if (type >= 0)
    H5Tclose (type);
  if (space >= 0)
    H5Sclose (space);
}

char *
odl_h5_file_text (const OdlH5File *file, const char *path, const char *attribute)
{
  const hid_t at
      = H5Aopen_by_name (file->file, path, attribute, H5P_DEFAULT, H5P_DEFAULT);

  if (at < 0)
    return NULL;
  const hid_t type = H5Aget_type (at), space = H5Aget_space (at);
  char *text = type >= 0 && space >= 0 ? read_text (at, type, space, H5Aread) : NULL;
  close_both (type, space);
  H5Aclose (at);
  return text;
}

// Whether the numbers or texts of an array lie in the file itself.
static bool
is_here (hid_t array)
{
  const hid_t creation = H5Dget_create_plist (array);
  const H5D_layout_t layout = creation >= 0 ? H5Pget_layout (creation) : H5D_LAYOUT_ERROR;
  const bool here
      = layout == H5D_COMPACT
        || (layout == H5D_CONTIGUOUS && H5Pget_external_count (creation) == 0);

  if (creation >= 0)
    H5Pclose (creation);
  return here;
}

char *
odl_h5_file_word (const OdlH5File *file, const char *path)
{
  const hid_t at = odl_h5_file_look (file, path) == ODL_H5_ARRAY
                       ? H5Dopen2 (file->file, path, H5P_DEFAULT)
                       : -1;
  char *text = NULL;

  if (at < 0)
    return NULL;
  if (is_here (at)) {
    const hid_t type = H5Dget_type (at), space = H5Dget_space (at);
    if (type >= 0 && space >= 0)
      text = read_text (at, type, space, read_array);
    close_both (type, space);
  }
  H5Dclose (at);
  return text;
}
