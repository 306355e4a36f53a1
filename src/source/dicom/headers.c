// SPDX-License-Identifier: MIT
#include "source/dicom/headers.h"

#include <glib/gstdio.h>
#include <string.h>

#include "base/parallel.h"
#include "base/thread.h"
#include "source/dicom/dicom.h"
#include "source/helper/client.h"
#include "source/helper/fork_server.h"

// More than processors, since a thread waits while its process is started and ended.
#define PER_PROCESSOR 2
#define MOST_THREADS 16

// ---- one header ----------------------------------------------------------------------

// What is kept of a header. Most of it is the same in all pictures of a series, and is
// there once (GRefString).
static const char *const keys[] = {
  "person",
  "patient-name",
  "patient-id",
  "patient-birth",
  "study-instance",
  "study",
  "study-date",
  "series-instance",
  "series",
  "series-number",
  "modality",
  "body-part",
  "sop-instance",
  "instance-number",
  "image-type",
  "laterality",
  "sides",
  "frame-of-reference",
  "lossy",
  "rows",
  "columns",
  "content-time",
  "acquisition-time",
  "temporal-position",
  "trigger-time",
  "image-position",
  "image-orientation",
  // Of objects that are no pictures.
  "object",
  "object-title",
  "object-parts",
  "object-space",
  "object-of",
};

// GLib counts references of such a text down to none before it takes the text out of its
// table: another thread that asks for the same text in between would get the one that is
// freed (2.74). So they are made and released by one thread at a time.
static GMutex *
get_texts_mutex (void)
{
  static GMutex mutex;

  return &mutex;
}

static char *
text_intern (const char *text)
{
  g_mutex_lock (get_texts_mutex ());
  char *interned = g_ref_string_new_intern (text);
  g_mutex_unlock (get_texts_mutex ());
  return interned;
}

static void
texts_release (char **texts)
{
  g_mutex_lock (get_texts_mutex ());
  for (size_t i = 0; i < G_N_ELEMENTS (keys); i++)
    g_clear_pointer (&texts[i], g_ref_string_release);
  g_mutex_unlock (get_texts_mutex ());
}

struct _OdlPictureHeader {
  gatomicrefcount ref_count;
  char *texts[G_N_ELEMENTS (keys)]; // GRefString; NULL: it does not say
  int n_frames;
  double spacing_mm[2];
};

void
odl_picture_header_unref (OdlPictureHeader *header)
{
  if (!g_atomic_ref_count_dec (&header->ref_count))
    return;
  texts_release (header->texts);
  g_free (header);
}

static OdlPictureHeader *
header_ref (OdlPictureHeader *header)
{
  g_atomic_ref_count_inc (&header->ref_count);
  return header;
}

const char *
odl_picture_header_text (const OdlPictureHeader *header, const char *key)
{
  for (size_t i = 0; i < G_N_ELEMENTS (keys); i++)
    if (strcmp (keys[i], key) == 0)
      return header->texts[i];
  g_return_val_if_reached (NULL);
}

char *
odl_picture_header_dup (const OdlPictureHeader *header, const char *key)
{
  const char *text = odl_picture_header_text (header, key);

  return g_strdup (text != NULL ? text : "");
}

int
odl_picture_header_n_frames (const OdlPictureHeader *header)
{
  return header->n_frames;
}

const double *
odl_picture_header_spacing_mm (const OdlPictureHeader *header)
{
  return header->spacing_mm;
}

// Files that one helper reads at most.
#define MOST_IN_TURN 16

struct _OdlHeaderHelper {
  OdlSource *last; // has the process; NULL: none is running
  char *folder; // of the files that it has read
  int n; // of them
};

static void
helper_end (OdlHeaderHelper *helper)
{
  g_clear_pointer (&helper->last, odl_source_unref);
  g_clear_pointer (&helper->folder, g_free);
  helper->n = 0;
}

// Transfer full.
static OdlSource *
open_header (const char *path, OdlHeaderHelper *helper, GCancellable *cancellable)
{
  const OdlDecoderRequest request
      = { .location = path, .format = "dicom-header", .is_run = helper != NULL };

  if (helper == NULL)
    return odl_decoded_source_open (&odl_dicom_source, &request, cancellable, NULL);
  g_autofree char *folder = g_path_get_dirname (path);
  if (helper->n >= MOST_IN_TURN || g_strcmp0 (helper->folder, folder) != 0) {
    helper_end (helper);
    helper->folder = g_steal_pointer (&folder);
  }
  g_autoptr (OdlSource) before = g_steal_pointer (&helper->last);
  OdlSource *source = odl_decoded_source_open_after (before, &odl_dicom_source, &request,
                                                     cancellable, NULL);
  helper->n++;
  helper->last = source != NULL ? odl_source_ref (source) : NULL;
  return source;
}

// Transfer full.
static OdlSource *
open_object (const char *path, GCancellable *cancellable)
{
  const OdlDecoderRequest request = { .location = path, .format = "dicom-object" };

  return odl_decoded_source_open (&odl_dicom_source, &request, cancellable, NULL);
}

// Takes the source, which may be NULL.
static OdlPictureHeader *
keep_texts (OdlSource *opened, GCancellable *cancellable)
{
  g_autoptr (OdlSource) source = opened;
  g_autoptr (OdlImage) image
      = source != NULL ? odl_source_read_frame (source, 0, cancellable, NULL) : NULL;

  if (image == NULL)
    return NULL;
  OdlPictureHeader *header = g_new0 (OdlPictureHeader, 1);
  g_atomic_ref_count_init (&header->ref_count);
  for (size_t i = 0; i < G_N_ELEMENTS (keys); i++) {
    const char *text = odl_source_detail (source, keys[i]);
    header->texts[i] = text != NULL ? text_intern (text) : NULL;
  }
  header->n_frames = MAX (source->info.n_frames, 1);
  memcpy (header->spacing_mm, odl_image_info (image)->spacing_mm,
          sizeof header->spacing_mm);
  return header;
}

// ---- those that are kept -------------------------------------------------------------

// As many as a folder is read of.
#define MOST_KEPT 20000u
// A file may change within a tick of its times: one that was written just now is not
// kept.
#define SETTLED_NS (2 * (int64_t) 1000000000)

// What tells that a file is still the one that was read.
typedef struct {
  dev_t device;
  ino_t inode;
  off_t size;
  int64_t modified_ns, changed_ns;
} Identity;

typedef struct {
  Identity identity;
  OdlPictureHeader *header;
} KeptHeader;

typedef struct {
  GMutex mutex;
  GHashTable *headers; // path → KeptHeader; NULL: none yet
} Kept;

// The singleton.
static Kept *
get_kept (void)
{
  static Kept kept = { 0 };

  return &kept;
}

static void
kept_header_free (void *data)
{
  KeptHeader *kept = data;

  odl_picture_header_unref (kept->header);
  g_free (kept);
}

static int64_t
nanoseconds (const struct timespec *time)
{
  return (int64_t) time->tv_sec * 1000000000 + time->tv_nsec;
}

static bool
identify (const char *path, Identity *identity)
{
  GStatBuf status;

  if (g_stat (path, &status) != 0)
    return false;
  *identity = (Identity){ status.st_dev, status.st_ino, status.st_size,
                          nanoseconds (&status.st_mtim), nanoseconds (&status.st_ctim) };
  return true;
}

static bool
is_same (const Identity *one, const Identity *other)
{
  return one->device == other->device && one->inode == other->inode
         && one->size == other->size && one->modified_ns == other->modified_ns
         && one->changed_ns == other->changed_ns;
}

static OdlPictureHeader *
find_kept (const char *path, const Identity *identity)
{
  Kept *kept = get_kept ();
  OdlPictureHeader *header = NULL;

  g_mutex_lock (&kept->mutex);
  const KeptHeader *found
      = kept->headers != NULL ? g_hash_table_lookup (kept->headers, path) : NULL;
  if (found != NULL && is_same (&found->identity, identity))
    header = header_ref (found->header);
  g_mutex_unlock (&kept->mutex);
  return header;
}

static void
keep (const char *path, const Identity *identity, OdlPictureHeader *header)
{
  Kept *kept = get_kept ();
  const int64_t now_ns = g_get_real_time () * 1000;

  if (now_ns - identity->modified_ns < SETTLED_NS)
    return;
  KeptHeader *one = g_new (KeptHeader, 1);
  *one = (KeptHeader){ *identity, header_ref (header) };
  g_mutex_lock (&kept->mutex);
  if (kept->headers == NULL)
    kept->headers
        = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, kept_header_free);
  if (g_hash_table_size (kept->headers) >= MOST_KEPT)
    g_hash_table_remove_all (kept->headers);
  g_hash_table_replace (kept->headers, g_strdup (path), one);
  g_mutex_unlock (&kept->mutex);
}

guint
odl_headers_kept (void)
{
  Kept *kept = get_kept ();

  g_mutex_lock (&kept->mutex);
  const guint n = kept->headers != NULL ? g_hash_table_size (kept->headers) : 0;
  g_mutex_unlock (&kept->mutex);
  return n;
}

OdlPictureHeader *
odl_picture_header_read (const char *path,
                         OdlHeaderHelper *helper,
                         GCancellable *cancellable)
{
  Identity identity;

  if (!identify (path, &identity))
    return NULL;
  OdlPictureHeader *header = find_kept (path, &identity);
  if (header != NULL)
    return header;
  header = keep_texts (open_header (path, helper, cancellable), cancellable);
  if (header != NULL)
    keep (path, &identity, header);
  return header;
}

OdlPictureHeader *
odl_object_header_read (const char *path, GCancellable *cancellable)
{
  // Pictures are kept by their paths, which have no line break before them.
  g_autofree char *key = g_strconcat ("\n", path, NULL);
  Identity identity;

  if (!identify (path, &identity))
    return NULL;
  OdlPictureHeader *header = find_kept (key, &identity);
  if (header != NULL)
    return header;
  header = keep_texts (open_object (path, cancellable), cancellable);
  if (header != NULL)
    keep (key, &identity, header);
  return header;
}

// ---- many ----------------------------------------------------------------------------

typedef struct {
  const GPtrArray *paths;
  OdlHeaderFunc read;
  GCancellable *cancellable;
  int next; // path that no thread has taken; atomic
  void **results; // each written by one thread
} Reading;

static void *
read_thread (void *data)
{
  Reading *reading = data;
  OdlHeaderHelper helper = { 0 };
  int i;

  while (!g_cancellable_is_cancelled (reading->cancellable)
         && (i = g_atomic_int_add (&reading->next, 1)) < (int) reading->paths->len)
    reading->results[i] = reading->read (g_ptr_array_index (reading->paths, i), &helper,
                                         reading->cancellable);
  helper_end (&helper);
  return NULL;
}

GPtrArray *
odl_headers_read (const GPtrArray *paths, OdlHeaderFunc read, GCancellable *cancellable)
{
  GPtrArray *results = g_ptr_array_new ();
  GThread *threads[MOST_THREADS];
  const guint wanted = (guint) CLAMP (PER_PROCESSOR * odl_parallel_threads (), 1,
                                      MIN (MOST_THREADS, (int) MAX (paths->len, 1)));

  g_ptr_array_set_size (results, (int) paths->len);
  Reading reading = { paths, read, cancellable, 0, results->pdata };
  odl_fork_server_open ();
  for (guint i = 0; i < wanted; i++)
    threads[i] = odl_thread_or_here ("header", read_thread, &reading);
  for (guint i = 0; i < wanted; i++)
    odl_thread_join (threads[i]);
  odl_fork_server_close ();
  return results;
}

bool
odl_header_path_is (const char *path, mode_t kind)
{
  GStatBuf status;

  return g_lstat (path, &status) == 0 && (status.st_mode & S_IFMT) == kind;
}
