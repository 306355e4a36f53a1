// SPDX-License-Identifier: MIT
#include "source/sequence.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "source/helper/client.h"
#include "source/dicom/dicom.h"
#include "source/dicom/headers.h"
#include "source/source_file.h"
#include "source/still.h"

#define PREFIX "sequence:"
#define RATE ",rate="
#define MIN_RATE 0.1
#define MAX_RATE 1000.0
#define MAX_FILES 1000000u
// Longer numbers are dates or identifiers.
#define MAX_DIGITS 15

// A parsed location: names consisting of prefix, number and suffix; or a whole folder.
typedef struct {
  char *folder;
  char *prefix;
  char *suffix; // NULL: whole folder
  size_t digits; // minimum number of digits
  double rate; // 0: unspecified
} Pattern;

typedef struct {
  int64_t number;
  char *key; // for natural sorting
  char *path;
} Entry;

static void
pattern_clear (Pattern *pattern)
{
  g_free (pattern->folder);
  g_free (pattern->prefix);
  g_free (pattern->suffix);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Pattern, pattern_clear)

// Finds the only %d or %04d in a name.
static bool
find_directive (const char *name, const char **start, const char **end, size_t *digits)
{
  for (const char *at = strchr (name, '%'); at != NULL; at = strchr (at + 1, '%')) {
    const char *letter = at + 1 + strspn (at + 1, "0123456789");
    if (*letter != 'd' || letter - at > 3)
      continue;
    *start = at;
    *end = letter + 1;
    *digits = (size_t) g_ascii_strtoull (at + 1, NULL, 10);
    return true;
  }
  return false;
}

// Finds the last number in a name without its extension.
static bool
find_number (const char *name, const char **start, const char **end)
{
  const char *dot = strrchr (name, '.');
  const char *at = dot != NULL && dot != name ? dot : name + strlen (name);

  while (at > name && !g_ascii_isdigit (at[-1]))
    at--;
  *end = at;
  while (at > name && g_ascii_isdigit (at[-1]))
    at--;
  *start = at;
  return at < *end && *end - at <= MAX_DIGITS;
}

static void
split_name (Pattern *pattern, const char *name, const char *start, const char *end)
{
  pattern->prefix = g_strndup (name, (gsize) (start - name));
  pattern->suffix = g_strdup (end);
}

static bool
parse (const char *location, Pattern *pattern, GError **error)
{
  const bool named = g_str_has_prefix (location, PREFIX);
  g_autofree char *path = g_strdup (location + (named ? strlen (PREFIX) : 0));
  char *rate = g_strrstr (path, RATE);
  const char *start, *end;

  if (rate != NULL) {
    if (!odl_number_from_text (rate + strlen (RATE), &pattern->rate)
        || !(pattern->rate >= MIN_RATE && pattern->rate <= MAX_RATE))
      return odl_usage_error (
          error, _ ("“%s” is not a rate between 0.1 and 1000 frames per second"),
          rate + strlen (RATE));
    *rate = '\0';
  }
  if (g_file_test (path, G_FILE_TEST_IS_DIR)) {
    pattern->folder = g_strdup (path);
    return true;
  }
  g_autofree char *name = g_path_get_basename (path);
  pattern->folder = g_path_get_dirname (path);
  if (find_directive (name, &start, &end, &pattern->digits)
      && !g_file_test (path, G_FILE_TEST_EXISTS)) {
    split_name (pattern, name, start, end);
    return true;
  }
  if (find_number (name, &start, &end)) {
    split_name (pattern, name, start, end);
    pattern->digits = *start == '0' ? (size_t) (end - start) : 0;
    return true;
  }
  return odl_error_set (error, ODL_ERROR_USAGE,
                        _ ("its name holds no number; name a folder, one of several "
                           "numbered pictures, or a pattern such as frame-%%04d.png"));
}

// The number in a file name that matches the pattern; −1 if it does not match.
static int64_t
number_of (const Pattern *pattern, const char *name)
{
  const size_t length = strlen (name);
  const size_t before = strlen (pattern->prefix);
  const size_t after = strlen (pattern->suffix);

  if (length <= before + after || !g_str_has_prefix (name, pattern->prefix)
      || !g_str_has_suffix (name, pattern->suffix))
    return -1;
  const size_t digits = length - before - after;
  if (digits > MAX_DIGITS || strspn (name + before, "0123456789") < digits
      || digits < pattern->digits
      || (pattern->digits > 0 && digits > pattern->digits && name[before] == '0'))
    return -1;
  return (int64_t) g_ascii_strtoull (name + before, NULL, 10);
}

static void
entry_clear (void *data)
{
  Entry *entry = data;
  g_free (entry->key);
  g_free (entry->path);
}

static int
entry_compare (const void *a, const void *b)
{
  const Entry *left = a, *right = b;

  if (left->number != right->number)
    return left->number < right->number ? -1 : 1;
  return strcmp (left->key, right->key);
}

char *
odl_sequence_sort_key (const char *name)
{
  g_autofree char *shown = g_filename_display_name (name);
  g_autofree char *folded = g_utf8_casefold (shown, -1);

  return g_utf8_collate_key_for_filename (folded, -1);
}

// The formats that a sequence may have.
static bool
is_picture (const char *path)
{
  return odl_source_class_knows_name (&odl_still_source, path)
         || odl_dicom_is_candidate (path);
}

static GArray *
read_folder (const Pattern *pattern, GError **error)
{
  g_autoptr (GError) cause = NULL;
  g_autoptr (GDir) dir = g_dir_open (pattern->folder, 0, &cause);
  g_autoptr (GArray) entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  const char *name;

  g_array_set_clear_func (entries, entry_clear);
  if (dir == NULL) {
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_IO, cause->message);
    return NULL;
  }
  while ((name = g_dir_read_name (dir)) != NULL && entries->len < MAX_FILES) {
    const int64_t number = pattern->suffix != NULL ? number_of (pattern, name) : 0;
    if (name[0] == '.' || number < 0)
      continue;
    g_autofree char *path = g_build_filename (pattern->folder, name, NULL);
    if ((pattern->suffix == NULL && !is_picture (path))
        || g_file_test (path, G_FILE_TEST_IS_DIR))
      continue;
    Entry entry = { number, odl_sequence_sort_key (name), g_steal_pointer (&path) };
    g_array_append_val (entries, entry);
  }
  g_array_sort (entries, entry_compare);
  return g_steal_pointer (&entries);
}

static GStrv
list (const Pattern *pattern, int64_t *missing, GError **error)
{
  g_autoptr (GArray) entries = read_folder (pattern, error);
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);

  if (entries == NULL)
    return NULL;
  if (entries->len == 0)
    return odl_error_null (error, ODL_ERROR_IO,
                           _ ("there is no picture of that name in the folder"));
  const Entry *all = (const Entry *) entries->data;
  *missing = pattern->suffix == NULL
                 ? 0
                 : all[entries->len - 1].number - all[0].number + 1 - entries->len;
  for (guint i = 0; i < entries->len; i++)
    g_ptr_array_add (paths, g_strdup (all[i].path));
  g_ptr_array_add (paths, NULL);
  return (GStrv) g_ptr_array_free (g_steal_pointer (&paths), FALSE);
}

char *
odl_sequence_location (const char *path, double rate)
{
  g_autofree char *name = g_path_get_basename (path);
  const char *start, *end;
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  if (!find_number (name, &start, &end))
    return NULL;
  return g_strconcat (PREFIX, path, rate > 0 ? RATE : "",
                      rate > 0 ? g_ascii_formatd (text, sizeof text, "%g", rate) : "",
                      NULL);
}

static const char *
format_of (const uint8_t *head, size_t n_head)
{
  const char *still = odl_still_format (head, n_head);

  // DICOM first: its preamble may contain a TIFF header.
  return odl_dicom_source.probe ("", head, n_head) ? "dicom" : still;
}

// "frame-####.png", or the folder's name.
static char *
name_of (const Pattern *pattern)
{
  if (pattern->suffix == NULL)
    return odl_source_file_display_name (pattern->folder);
  g_autofree char *hashes = g_strnfill (MAX (pattern->digits, 1), '#');
  g_autofree char *name = g_strconcat (pattern->prefix, hashes, pattern->suffix, NULL);
  return odl_source_file_display_name (name);
}

// The first picture says nothing about who is in the others, and where they belong.
static void
forget_origin (GPtrArray *details)
{
  static const char *const keys[]
      = { "person", "patient-", "study",    "series",     "instance-",
          "sop-",   "image-",   "content-", "laterality", "sides" };

  for (guint i = 0; details != NULL && i + 1 < details->len;) {
    bool of_one = false;
    for (size_t k = 0; k < G_N_ELEMENTS (keys); k++)
      of_one = of_one || g_str_has_prefix (g_ptr_array_index (details, i), keys[k]);
    if (of_one)
      g_ptr_array_remove_range (details, i, 2);
    else
      i += 2;
  }
}

static void
describe (OdlSource *source, const Pattern *pattern, int64_t missing)
{
  OdlSourceInfo *info = &source->info;

  forget_origin (info->details);

  g_free (info->name);
  info->name = name_of (pattern);
  info->frame_rate = pattern->rate;
  g_autofree char *format = g_steal_pointer (&info->format);
  info->format
      = g_strdup_printf (_ ("sequence of %d pictures, %s"), info->n_frames, format);
  if (missing > 0) {
    g_autofree char *before = g_steal_pointer (&info->warning);
    g_autofree char *gaps = g_strdup_printf (
        ngettext ("%d number is missing and left out",
                  "%d numbers are missing and left out", (gulong) missing),
        (int) MIN (missing, G_MAXINT));
    info->warning = before == NULL ? g_steal_pointer (&gaps)
                                   : g_strconcat (before, "; ", gaps, NULL);
  }
}

// Existing files with such a name are opened as files.
static bool
probe (const char *location, const uint8_t *head, size_t n_head)
{
  g_autofree char *name = g_path_get_basename (location);
  const char *start, *end;
  size_t digits;

  return g_str_has_prefix (location, PREFIX)
         || (n_head == 0 && find_directive (name, &start, &end, &digits)
             && !g_file_test (location, G_FILE_TEST_EXISTS));
}

// The SOP Instance UID of a DICOM file, or NULL.
static void *
read_instance (const char *path, OdlHeaderHelper *helper, GCancellable *cancellable)
{
  g_autoptr (OdlPictureHeader) header
      = odl_picture_header_read (path, helper, cancellable);

  return header != NULL ? odl_picture_header_dup (header, "sop-instance") : NULL;
}

// Of pictures of DICOM, which are told from others by it, each one's. Transfer full;
// NULL: the first one is none of these.
static GStrv
read_instances (GStrv files, GCancellable *cancellable)
{
  uint8_t head[ODL_SOURCE_HEAD_BYTES];
  size_t n_head = 0;

  if (!odl_source_file_read_head (files[0], head, &n_head, NULL)
      || !odl_dicom_source.probe (files[0], head, n_head))
    return NULL;
  const guint n = g_strv_length (files);
  g_autoptr (GPtrArray) paths = g_ptr_array_sized_new (n);
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (paths, files[i]);
  GPtrArray *instances = odl_headers_read (paths, read_instance, cancellable);
  for (guint i = 0; i < n; i++)
    if (instances->pdata[i] == NULL)
      instances->pdata[i] = g_strdup ("");
  g_ptr_array_add (instances, NULL);
  return (GStrv) g_ptr_array_free (instances, FALSE);
}

static OdlSource *
open_sequence (const char *location, GCancellable *cancellable, GError **error)
{
  g_auto (Pattern) pattern = { 0 };
  int64_t missing = 0;

  g_auto (GStrv) files
      = parse (location, &pattern, error) ? list (&pattern, &missing, error) : NULL;
  if (files == NULL) {
    odl_source_file_name_error (location, error);
    return NULL;
  }
  g_auto (GStrv) instances = read_instances (files, cancellable);
  OdlDecoderRequest request = {
    .location = location,
    .files = (const char *const *) files,
    .format_of = format_of,
    .instances = (const char *const *) instances,
  };
  OdlSource *source
      = odl_decoded_source_open (&odl_sequence_source, &request, cancellable, error);
  if (source != NULL)
    describe (source, &pattern, missing);
  return source;
}

static GStrv
list_files (const char *location)
{
  g_auto (Pattern) pattern = { 0 };
  int64_t missing;

  return parse (location, &pattern, NULL) ? list (&pattern, &missing, NULL) : NULL;
}

static const char *const examples[]
    = { "sequence:FOLDER", "sequence:frame-0001.png,rate=30", "frame-%04d.png", NULL };

const OdlSourceClass odl_sequence_source = {
  .name = "sequence",
  .description = N_ ("Numbered pictures, or all pictures of a folder, as a sequence"),
  .examples = examples,
  .probe = probe,
  .files = list_files,
  .open = open_sequence,
  .close = odl_decoded_source_close,
  .read_frame = odl_decoded_source_read_frame,
};
