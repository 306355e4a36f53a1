// SPDX-License-Identifier: MIT
#include "archive/instances.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "network/protocol.h"
#include "source/dicom/dicom.h"

// Pictures of patients: of the user and the group.
#define FOLDER_MODE 0750
#define FILE_MODE 0640

#define APART "apart"
#define ENDING ".dcm"
#define HASH_DIGITS 16
#define UID_HASH_DIGITS 40
#define BLOCK_BYTES 65536

struct _OdlInstances {
  char *folder;
  bool durable;
  GMutex mutex; // of the next one
  GHashTable *known; // hashes of the names of instances, wherever they are; NULL: unknown
};

static bool
fail (const char *path, int code, GError **error)
{
  return odl_error_set (error, ODL_ERROR_IO, "%s: %s", path, g_strerror (code));
}

OdlInstances *
odl_instances_open (const char *folder, bool durable, GError **error)
{
  if (g_mkdir_with_parents (folder, FOLDER_MODE) != 0) {
    fail (folder, errno, error);
    return NULL;
  }
  OdlInstances *self = g_new0 (OdlInstances, 1);
  self->folder = g_strdup (folder);
  self->durable = durable;
  g_mutex_init (&self->mutex);
  // Said at once, rather than when the first instance comes.
  const int fd = odl_instances_new_file (self, error);
  if (fd < 0) {
    odl_instances_close (self);
    return NULL;
  }
  close (fd);
  return self;
}

void
odl_instances_close (OdlInstances *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->known, g_hash_table_unref);
  g_mutex_clear (&self->mutex);
  g_free (self->folder);
  g_free (self);
}

int
odl_instances_new_file (OdlInstances *self, GError **error)
{
  const int fd = open (self->folder, O_RDWR | O_TMPFILE | O_CLOEXEC, FILE_MODE);

  if (fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR))
    odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                   _ ("%s: its file system has no files without a name (O_TMPFILE), so "
                      "that half an instance could be left there; choose a folder on a "
                      "local disk"),
                   self->folder);
  else if (fd < 0)
    fail (self->folder, errno, error);
  return fd;
}

// ---- Names ----

bool
odl_uid_is_valid (const char *text)
{
  const size_t n = strlen (text);

  return n > 0 && n < ODL_NETWORK_UID && strspn (text, "0123456789.") == n
         && text[0] != '.' && text[n - 1] != '.' && strstr (text, "..") == NULL;
}

char *
odl_instances_name (const char *uid)
{
  if (odl_uid_is_valid (uid))
    return g_strdup (uid);
  g_autofree char *hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, uid, -1);
  return g_strdup_printf ("uid-%.*s", UID_HASH_DIGITS, hash);
}

// ---- Keeping ----

static bool
sync_folder (const char *path)
{
  const int fd = open (path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool done = fd >= 0 && fsync (fd) == 0;

  if (fd >= 0)
    close (fd);
  return done;
}

// Makes a folder below self's, with those above it.
static bool
make_folder (const OdlInstances *self, const char *path, GError **error)
{
  g_autofree char *whole = g_build_filename (self->folder, path, NULL);
  g_autofree char *parent = g_path_get_dirname (path);
  g_autofree char *above = g_path_get_dirname (whole);

  if (!g_str_equal (parent, ".") && !make_folder (self, parent, error))
    return false;
  // Another thread may have been quicker.
  if (mkdir (whole, FOLDER_MODE) != 0)
    return errno == EEXIST || fail (whole, errno, error);
  return !self->durable || sync_folder (above) || fail (above, errno, error);
}

// Returns an errno; EEXIST: there is one of that name.
static int
give_name (const OdlInstances *self, int fd, const char *whole)
{
  g_autofree char *descriptor = g_strdup_printf ("/proc/self/fd/%d", fd);
  g_autofree char *folder = g_path_get_dirname (whole);

  if (linkat (AT_FDCWD, descriptor, AT_FDCWD, whole, AT_SYMLINK_FOLLOW) != 0)
    return errno;
  return self->durable && !sync_folder (folder) ? errno : 0;
}

// Whether a file is there, the same byte for byte.
static bool
is_same (int fd, const char *whole)
{
  const int other = open (whole, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  struct stat a, b;
  bool same = other >= 0 && fstat (fd, &a) == 0 && fstat (other, &b) == 0
              && S_ISREG (b.st_mode) && a.st_size == b.st_size;
  char ours[BLOCK_BYTES], theirs[BLOCK_BYTES];

  for (off_t at = 0; same && at < a.st_size;) {
    const size_t n = (size_t) MIN (a.st_size - at, (off_t) BLOCK_BYTES);
    same = pread (fd, ours, n, at) == (ssize_t) n
           && pread (other, theirs, n, at) == (ssize_t) n
           && memcmp (ours, theirs, n) == 0;
    at += (off_t) n;
  }
  if (other >= 0)
    close (other);
  return same;
}

static char *
hash_of (int fd)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  guchar bytes[BLOCK_BYTES];
  off_t at = 0;
  ssize_t n;

  while ((n = pread (fd, bytes, sizeof bytes, at)) > 0) {
    g_checksum_update (sum, bytes, n);
    at += n;
  }
  return g_strndup (g_checksum_get_string (sum), HASH_DIGITS);
}

bool
odl_instances_keep_as (OdlInstances *self,
                       int fd,
                       const char *path,
                       bool *there,
                       GError **error)
{
  g_autofree char *whole = g_build_filename (self->folder, path, NULL);

  if (self->durable && fsync (fd) != 0)
    return fail (whole, errno, error);
  int code = give_name (self, fd, whole);

  if (code == ENOENT) {
    g_autofree char *parent = g_path_get_dirname (path);
    if (!make_folder (self, parent, error))
      return false;
    code = give_name (self, fd, whole);
  }
  *there = code == EEXIST;
  return code == 0 || *there || fail (whole, code, error);
}

char *
odl_instances_path (const OdlNetworkFacts *facts)
{
  g_autofree char *study = odl_instances_name (facts->study);
  g_autofree char *series = odl_instances_name (facts->series);
  g_autofree char *instance = odl_instances_name (facts->instance);

  return g_strconcat (study, "/", series, "/", instance, ENDING, NULL);
}

// ---- Which UIDs there are ----

// FNV-1a; a number of 64 bits for each instance, rather than its name, so that a million
// take some megabytes. Two names with one number would be kept apart, which is harmless.
static void *
number_of (const char *name, size_t n)
{
  guint64 hash = G_GUINT64_CONSTANT (14695981039346656037);

  for (size_t i = 0; i < n; i++)
    hash = (hash ^ (guchar) name[i]) * G_GUINT64_CONSTANT (1099511628211);
  return GSIZE_TO_POINTER (hash);
}

// Calls itself for the folders of studies and series.
static void
learn_from (OdlInstances *self, const char *folder, int depth)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    if (depth < 2 && !g_str_equal (name, APART)) {
      g_autofree char *inner = g_build_filename (folder, name, NULL);
      learn_from (self, inner, depth + 1);
    } else if (depth == 2 && g_str_has_suffix (name, ENDING)) {
      g_hash_table_add (self->known, number_of (name, strlen (name) - strlen (ENDING)));
    }
  }
}

void
odl_instances_learn (OdlInstances *self)
{
  self->known = g_hash_table_new (NULL, NULL);
  learn_from (self, self->folder, 0);
}

// Whether nobody has the name of that path yet; from now on it is taken.
static bool
claim (OdlInstances *self, const char *path)
{
  const char *name = strrchr (path, '/') + 1;

  if (self->known == NULL)
    return true;
  g_mutex_lock (&self->mutex);
  const bool first
      = g_hash_table_add (self->known, number_of (name, strlen (name) - strlen (ENDING)));
  g_mutex_unlock (&self->mutex);
  return first;
}

static void
unclaim (OdlInstances *self, const char *path)
{
  const char *name = strrchr (path, '/') + 1;

  g_mutex_lock (&self->mutex);
  if (self->known != NULL)
    g_hash_table_remove (self->known, number_of (name, strlen (name) - strlen (ENDING)));
  g_mutex_unlock (&self->mutex);
}

// ---- Instances ----

#define PREAMBLE 132 // bytes before the first element (PS3.10 7.1)
#define HEAD_BYTES 1024 // in which the meta information stands that we write
#define LENGTH_BYTES 12 // of its first element, the group length

// Transfer Syntax UID (0002,0010), as meta information has it: explicit little endian.
static const char syntax_head[] = { 0x02, 0x00, 0x10, 0x00, 'U', 'I' };

// False: it does not say.
static bool
read_syntax (int fd, char syntax[ODL_NETWORK_UID])
{
  guint8 head[HEAD_BYTES];
  const ssize_t n = pread (fd, head, sizeof head, 0);
  const guint8 *at = n > PREAMBLE ? memmem (head + PREAMBLE, (size_t) n - PREAMBLE,
                                            syntax_head, sizeof syntax_head)
                                  : NULL;

  if (at == NULL || head + n - at < (ssize_t) sizeof syntax_head + 2)
    return false;
  at += sizeof syntax_head;
  const gsize size = at[0] | (gsize) at[1] << 8;
  at += 2;
  if (size == 0 || size >= ODL_NETWORK_UID || (gsize) (head + n - at) < size)
    return false;
  memcpy (syntax, at, size);
  syntax[size] = '\0';
  return true;
}

// Its data set without compression; NULL: it cannot be had.
static GBytes *
plain_data (const char *path)
{
  g_autoptr (GBytes) whole = odl_plain_file (path, false, NULL);
  gsize n = 0;
  const guint8 *bytes = whole != NULL ? g_bytes_get_data (whole, &n) : NULL;

  if (n < PREAMBLE + LENGTH_BYTES)
    return NULL;
  const guint8 *length = bytes + PREAMBLE + LENGTH_BYTES - 4;
  const gsize meta = length[0] | (gsize) length[1] << 8 | (gsize) length[2] << 16
                     | (gsize) length[3] << 24;
  const gsize begin = PREAMBLE + LENGTH_BYTES + meta;
  return begin < n ? g_bytes_new_from_bytes (whole, begin, n - begin) : NULL;
}

// Whether a file without a name and one that is there say that they have different
// transfer syntaxes, and are the same without compression, by the decoder: every element,
// and every sample. What a lossy codec gives back otherwise is not the same. Blocks.
static bool
is_alike (int fd, const char *path)
{
  char ours[ODL_NETWORK_UID], theirs[ODL_NETWORK_UID];
  const int other = open (path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  const bool differ = other >= 0 && read_syntax (fd, ours) && read_syntax (other, theirs)
                      && strcmp (ours, theirs) != 0;

  if (other >= 0)
    close (other);
  if (!differ)
    return false;
  g_autofree char *descriptor = g_strdup_printf ("/proc/self/fd/%d", fd);
  g_autoptr (GBytes) one = plain_data (descriptor);
  g_autoptr (GBytes) another = one != NULL ? plain_data (path) : NULL;
  return another != NULL && g_bytes_equal (one, another);
}

bool
odl_instances_keep (OdlInstances *self,
                    int fd,
                    const OdlNetworkFacts *facts,
                    OdlKept *kept,
                    char **path,
                    GError **error)
{
  g_autofree char *name = odl_instances_path (facts);
  g_autofree char *whole = g_build_filename (self->folder, name, NULL);
  const bool first = claim (self, name);
  // One with this UID may be in another study or series.
  bool there = !first && !g_file_test (whole, G_FILE_TEST_EXISTS);

  if (!there && !odl_instances_keep_as (self, fd, name, &there, error)) {
    if (first)
      unclaim (self, name);
    return false;
  }
  *kept = ODL_KEPT_NEW;
  if (there && is_same (fd, whole)) {
    *kept = ODL_KEPT_AGAIN;
  } else if (there && is_alike (fd, whole)) {
    *kept = ODL_KEPT_ALIKE;
  } else if (there) {
    g_autofree char *hash = hash_of (fd);
    char *apart = g_strdup_printf (APART "/%.*s-%s" ENDING,
                                   (int) (strlen (name) - strlen (ENDING)), name, hash);
    g_free (name);
    name = apart;
    *kept = ODL_KEPT_APART;
    if (!odl_instances_keep_as (self, fd, name, &there, error))
      return false;
    *kept = there ? ODL_KEPT_AGAIN : ODL_KEPT_APART;
  }
  *path = g_steal_pointer (&name);
  return true;
}
