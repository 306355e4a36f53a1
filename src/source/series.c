// SPDX-License-Identifier: MIT
#include "config.h"

#include "source/series.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "source/dicom.h"
#include "source/helper/client.h"
#include "source/helper/fork_server.h"
#include "source/source_file.h"

#define PREFIX "series:"
#define MAX_FILES 20000u
// Directions and places that differ by less are the same (cosines; mm).
#define SAME_DIRECTION 1e-3
#define SAME_PLACE 1e-3
// Gaps between neighbours may differ by this fraction.
#define SAME_GAP 0.02

// What the header of a file says.
typedef struct {
  char *path;
  char *name;
  char *key; // of the name, for natural sorting
  char *instance;
  char *group; // person, study and series
  char *series;
  char *shape; // rows and columns
  char *time;
  double number; // NaN: none
  double place[3], direction[6];
  bool has_place; // and direction
  bool lossy;
  char *type; // of the image
  char *laterality;
  double along; // the stack, in whole steps of SAME_PLACE
  int n_frames;
} Slice;

// How many pictures are left out, and why.
typedef struct {
  int of_others; // of the series by its number, not of the person or the study
  int unlike; // in size or direction
  int moving;
  int twice;
  int unreadable;
} LeftOut;

static void
slice_free (void *data)
{
  Slice *slice = data;

  g_free (slice->path);
  g_free (slice->name);
  g_free (slice->key);
  g_free (slice->instance);
  g_free (slice->group);
  g_free (slice->series);
  g_free (slice->shape);
  g_free (slice->time);
  g_free (slice->type);
  g_free (slice->laterality);
  g_free (slice);
}

// ---- Headers ----

static char *
copy_detail (const OdlSource *source, const char *key)
{
  const char *text = odl_source_detail (source, key);

  return g_strdup (text != NULL ? text : "");
}

static bool
read_numbers (const OdlSource *source, const char *key, int n, double *numbers)
{
  const char *text = odl_source_detail (source, key);
  g_auto (GStrv) words = g_strsplit (text != NULL ? text : "", "\\", -1);
  bool done = (int) g_strv_length (words) == n;

  for (int i = 0; done && i < n; i++)
    done = odl_number_from_text (words[i], &numbers[i]);
  return done;
}

// Position along the normal of the picture, which rows and columns span.
static bool
find_place (const OdlSource *source, Slice *slice)
{
  const double *r = slice->direction, *c = slice->direction + 3;

  if (!read_numbers (source, "image-position", 3, slice->place)
      || !read_numbers (source, "image-orientation", 6, slice->direction))
    return false;
  const double normal[3] = { r[1] * c[2] - r[2] * c[1], r[2] * c[0] - r[0] * c[2],
                             r[0] * c[1] - r[1] * c[0] };
  const double length
      = sqrt (normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
  // Two directions at right angles, each of length 1.
  if (!(fabs (length - 1) < 0.05))
    return false;
  for (int i = 0; i < 3; i++)
    slice->along += normal[i] / length * slice->place[i];
  slice->along = round (slice->along / SAME_PLACE);
  return true;
}

// NULL: it is no picture, or cannot be read. Every file is read by a process of its own,
// so that what one says cannot be said by another.
static Slice *
read_slice (const char *path, GCancellable *cancellable)
{
  const OdlDecoderRequest request = { .location = path, .format = "dicom-header" };
  g_autoptr (OdlSource) source
      = odl_decoded_source_open (&odl_dicom_source, &request, cancellable, NULL);
  double number;

  if (source == NULL)
    return NULL;
  Slice *slice = g_new0 (Slice, 1);
  slice->name = g_path_get_basename (path);
  slice->path = g_strdup (path);
  g_autofree char *shown = g_filename_display_name (slice->name);
  slice->key = g_utf8_collate_key_for_filename (shown, -1);
  slice->instance = copy_detail (source, "sop-instance");
  slice->series = copy_detail (source, "series-instance");
  slice->time = copy_detail (source, "content-time");
  slice->type = copy_detail (source, "image-type");
  slice->laterality = copy_detail (source, "laterality");
  slice->lossy = g_strcmp0 (odl_source_detail (source, "lossy"), "yes") == 0;
  slice->group = g_strjoin (" ", odl_source_detail (source, "person"), slice->series,
                            odl_source_detail (source, "study-instance"), NULL);
  slice->shape = g_strjoin ("×", odl_source_detail (source, "columns"),
                            odl_source_detail (source, "rows"), NULL);
  slice->number = read_numbers (source, "instance-number", 1, &number) ? number : NAN;
  slice->has_place = find_place (source, slice);
  slice->n_frames = source->info.n_frames;
  return slice;
}

static bool
is_dicom (const char *path)
{
  uint8_t head[ODL_SOURCE_HEAD_BYTES];
  size_t n_head = 0;

  return odl_source_file_read_head (path, head, &n_head, NULL)
         && odl_dicom_source.probe (path, head, n_head);
}

// The DICOM files of the folder, or of that of the file.
static GPtrArray *
list_paths (const char *path, GError **error)
{
  const bool whole = g_file_test (path, G_FILE_TEST_IS_DIR);
  g_autofree char *folder = whole ? g_strdup (path) : g_path_get_dirname (path);
  g_autoptr (GError) cause = NULL;
  g_autoptr (GDir) dir = g_dir_open (folder, 0, &cause);
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  if (dir == NULL) {
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_IO, cause->message);
    return NULL;
  }
  while ((name = g_dir_read_name (dir)) != NULL && paths->len < MAX_FILES) {
    g_autofree char *file = g_build_filename (folder, name, NULL);
    if (name[0] != '.' && is_dicom (file))
      g_ptr_array_add (paths, g_steal_pointer (&file));
  }
  return g_steal_pointer (&paths);
}

static GPtrArray *
read_slices (const char *path,
             LeftOut *left_out,
             GCancellable *cancellable,
             GError **error)
{
  g_autoptr (GPtrArray) paths = list_paths (path, error);
  g_autoptr (GPtrArray) slices = g_ptr_array_new_with_free_func (slice_free);

  if (paths == NULL)
    return NULL;
  odl_fork_server_open ();
  for (guint i = 0; i < paths->len && !g_cancellable_is_cancelled (cancellable); i++) {
    Slice *slice = read_slice (g_ptr_array_index (paths, i), cancellable);
    if (slice != NULL)
      g_ptr_array_add (slices, slice);
    else
      left_out->unreadable++;
  }
  odl_fork_server_close ();
  if (!g_cancellable_is_cancelled (cancellable))
    return g_steal_pointer (&slices);
  g_set_error_literal (error, ODL_ERROR, ODL_ERROR_CANCELLED, _ ("cancelled"));
  return NULL;
}

// ---- Which belong together ----

// A cine is a series of its own.
static bool
is_alike (const Slice *slice, const Slice *other)
{
  if (strcmp (slice->group, other->group) != 0 || strcmp (slice->shape, other->shape) != 0
      || slice->n_frames > 1 || other->n_frames > 1
      || slice->has_place != other->has_place)
    return false;
  for (int i = 0; slice->has_place && i < 6; i++)
    if (fabs (slice->direction[i] - other->direction[i]) > SAME_DIRECTION)
      return false;
  return true;
}

// The slice of that file, or one of the largest stack.
static const Slice *
find_chosen (const GPtrArray *slices, const char *path)
{
  const bool folder = g_file_test (path, G_FILE_TEST_IS_DIR);
  g_autofree char *name = g_path_get_basename (path);
  const Slice *found = NULL;
  guint most = 0;

  for (guint i = 0; i < slices->len && (folder || found == NULL); i++) {
    const Slice *slice = g_ptr_array_index (slices, i);
    guint n = 0;
    if (!folder && strcmp (slice->name, name) == 0)
      return slice;
    // Each stack is counted at its first slice.
    for (guint k = 0; folder && k < slices->len; k++)
      if (is_alike (slice, g_ptr_array_index (slices, k))) {
        if (k < i)
          break;
        n++;
      }
    if (n > most) {
      most = n;
      found = slice;
    }
  }
  return found;
}

static int
compare (const void *a, const void *b)
{
  const Slice *left = *(Slice *const *) a, *right = *(Slice *const *) b;

  if (left->has_place && left->along != right->along)
    return left->along < right->along ? -1 : 1;
  if (isnan (left->number) != isnan (right->number))
    return isnan (left->number) ? 1 : -1;
  if (!isnan (left->number) && left->number != right->number)
    return left->number < right->number ? -1 : 1;
  const int by_time = strcmp (left->time, right->time);
  return by_time != 0 ? by_time : strcmp (left->key, right->key);
}

// Borrowed slices.
static GPtrArray *
stack_of (const GPtrArray *slices, const Slice *chosen, LeftOut *left_out)
{
  GPtrArray *stack = g_ptr_array_new ();
  g_autoptr (GHashTable) instances = g_hash_table_new (g_str_hash, g_str_equal);

  g_hash_table_add (instances, chosen->instance);
  for (guint i = 0; i < slices->len; i++) {
    Slice *slice = g_ptr_array_index (slices, i);
    if (strcmp (slice->series, chosen->series) != 0)
      continue;
    if (strcmp (slice->group, chosen->group) != 0)
      left_out->of_others++;
    else if (slice->n_frames > 1)
      left_out->moving++;
    else if (!is_alike (slice, chosen))
      left_out->unlike++;
    else if (slice != chosen && *slice->instance != '\0'
             && !g_hash_table_add (instances, slice->instance))
      left_out->twice++;
    else
      g_ptr_array_add (stack, slice);
  }
  g_ptr_array_sort (stack, compare);
  return stack;
}

// ---- Words ----

static void add (GString *text, const char *format, ...) G_GNUC_PRINTF (2, 3);

static void
add (GString *text, const char *format, ...)
{
  va_list arguments;

  if (text->len > 0)
    g_string_append (text, "; ");
  va_start (arguments, format);
  g_string_append_vprintf (text, format, arguments);
  va_end (arguments);
}

static void
add_left_out (GString *text, const LeftOut *n)
{
  if (n->of_others > 0)
    add (text,
         ngettext ("%d picture has its series number but is of another person or study; "
                   "it is left out",
                   "%d pictures have its series number but are of another person or "
                   "study; they are left out",
                   (gulong) n->of_others),
         n->of_others);
  if (n->unlike > 0)
    add (text,
         ngettext (
             "%d picture of the series has another size or direction and is left out",
             "%d pictures of the series have another size or direction and are left "
             "out",
             (gulong) n->unlike),
         n->unlike);
  if (n->moving > 0)
    add (text,
         ngettext ("%d file of the series has several frames and is left out",
                   "%d files of the series have several frames and are left out",
                   (gulong) n->moving),
         n->moving);
  if (n->twice > 0)
    add (text,
         ngettext ("%d picture is there twice and is shown once",
                   "%d pictures are there twice and are shown once", (gulong) n->twice),
         n->twice);
  if (n->unreadable > 0)
    add (text,
         ngettext ("%d DICOM file of the folder holds no picture that can be read",
                   "%d DICOM files of the folder hold no picture that can be read",
                   (gulong) n->unreadable),
         n->unreadable);
}

// Whether slices lie at the same place, or one of them seems to be missing.
static void
add_gaps (GString *text, const GPtrArray *stack)
{
  double least = INFINITY, most = 0;
  int at_one = 0;

  for (guint i = 1; i < stack->len; i++) {
    const Slice *slice = g_ptr_array_index (stack, i);
    const Slice *before = g_ptr_array_index (stack, i - 1);
    const double gap = (slice->along - before->along) * SAME_PLACE;
    if (!slice->has_place)
      return;
    at_one += gap == 0;
    least = gap > 0 ? MIN (least, gap) : least;
    most = MAX (most, gap);
  }
  if (at_one > 0)
    add (text,
         ngettext ("%d picture lies where another one does",
                   "%d pictures lie where others do", (gulong) at_one),
         at_one);
  if (most > least * (1 + SAME_GAP) + SAME_PLACE)
    add (text, _ ("its pictures are %.2f to %.2f mm apart; some may be missing"), least,
         most);
}

static const char *
order_of (const GPtrArray *stack)
{
  const Slice *first = g_ptr_array_index (stack, 0);

  return first->has_place ? "place" : !isnan (first->number) ? "number" : "time";
}

// What was measured on a stack belongs to these pictures in this order, to no single one.
static char *
identify (const GPtrArray *stack)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);

  for (guint i = 0; i < stack->len; i++) {
    const Slice *slice = g_ptr_array_index (stack, i);
    const char *name = *slice->instance != '\0' ? slice->instance : slice->path;
    g_checksum_update (sum, (const guchar *) name, (gssize) strlen (name) + 1);
  }
  return g_strconcat (PREFIX, g_checksum_get_string (sum), NULL);
}

static void
set_detail (OdlSource *source, const char *key, const char *value)
{
  GPtrArray *details = source->info.details;

  for (guint i = 0; details != NULL && i + 1 < details->len; i += 2)
    if (strcmp (g_ptr_array_index (details, i), key) == 0) {
      g_free (g_ptr_array_index (details, i + 1));
      g_ptr_array_index (details, i + 1) = g_strdup (value);
      return;
    }
  odl_source_add_detail (source, key, "%s", value);
}

static void
describe (OdlSource *source,
          const GPtrArray *stack,
          const Slice *chosen,
          const LeftOut *left_out,
          const char *path)
{
  OdlSourceInfo *info = &source->info;
  g_autofree char *before = g_steal_pointer (&info->warning);
  g_autofree char *format = g_steal_pointer (&info->format);
  g_autofree char *name = odl_source_file_display_name (path);
  g_autofree char *identity = identify (stack);
  GString *warning = g_string_new (before);
  guint start = 0;

  add_left_out (warning, left_out);
  add_gaps (warning, stack);
  info->warning = g_string_free (warning, warning->len == 0);
  info->format = g_strdup_printf (
      ngettext ("series of %d picture, %s", "series of %d pictures, %s", stack->len),
      (int) stack->len, format);
  g_free (info->name);
  info->name = g_strdup_printf (_ ("Series of %s"), name);
  info->is_stack = true;
  if (!g_file_test (path, G_FILE_TEST_IS_DIR)
      && g_ptr_array_find ((GPtrArray *) stack, chosen, &start))
    info->start = (int) start;
  for (guint i = 0; i < stack->len; i++) {
    const Slice *slice = g_ptr_array_index (stack, i);
    if (slice->lossy)
      set_detail (source, "lossy", "yes");
    if (g_str_has_prefix (slice->type, "DERIVED"))
      set_detail (source, "image-type", slice->type);
    // Of pictures of both sides none is that of all.
    if (strcmp (slice->laterality, chosen->laterality) != 0)
      set_detail (source, "laterality", "");
  }
  set_detail (source, "sop-instance", identity);
  set_detail (source, "series-order", order_of (stack));
}

// ---- The source ----

const char *
odl_series_path (const char *location)
{
  return g_str_has_prefix (location, PREFIX) ? location + strlen (PREFIX) : NULL;
}

char *
odl_series_location (const char *path)
{
  return g_strconcat (PREFIX, path, NULL);
}

static bool
probe (const char *location, const uint8_t *head, size_t n_head)
{
  return odl_series_path (location) != NULL;
}

static const char *
format_of (const uint8_t *head, size_t n_head)
{
  return odl_dicom_source.probe ("", head, n_head) ? "dicom" : NULL;
}

static OdlSource *
open_stack (const char *location,
            const GPtrArray *stack,
            GCancellable *cancellable,
            GError **error)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new ();
  g_autoptr (GPtrArray) instances = g_ptr_array_new ();

  for (guint i = 0; i < stack->len; i++) {
    const Slice *slice = g_ptr_array_index (stack, i);
    g_ptr_array_add (files, slice->path);
    g_ptr_array_add (instances, slice->instance);
  }
  g_ptr_array_add (files, NULL);
  g_ptr_array_add (instances, NULL);
  const OdlDecoderRequest request = {
    .location = location,
    .files = (const char *const *) files->pdata,
    .format_of = format_of,
    .instances = (const char *const *) instances->pdata,
  };
  return odl_decoded_source_open (&odl_series_source, &request, cancellable, error);
}

static OdlSource *
open_series (const char *location, GCancellable *cancellable, GError **error)
{
  const char *path = odl_series_path (location);
  LeftOut left_out = { 0 };
  g_autoptr (GPtrArray) slices = read_slices (path, &left_out, cancellable, error);
  const Slice *chosen = slices != NULL ? find_chosen (slices, path) : NULL;

  if (slices != NULL && (chosen == NULL || *chosen->series == '\0'))
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED,
                         chosen == NULL
                             ? _ ("it is no DICOM picture, and no folder with some")
                             : _ ("its header names no series"));
  if (chosen == NULL || *chosen->series == '\0') {
    odl_source_file_name_error (path, error);
    return NULL;
  }
  g_autoptr (GPtrArray) stack = stack_of (slices, chosen, &left_out);
  OdlSource *source = open_stack (location, stack, cancellable, error);
  if (source != NULL)
    describe (source, stack, chosen, &left_out, path);
  return source;
}

// The picture itself, or the first of the folder by name: which of them belong together
// is not known yet.
static char *
preview (const char *location)
{
  const char *path = odl_series_path (location);
  if (!g_file_test (path, G_FILE_TEST_IS_DIR))
    return g_strdup (path);
  g_autoptr (GPtrArray) paths = list_paths (path, NULL);
  g_autofree char *least = NULL;
  const char *found = NULL;

  for (guint i = 0; paths != NULL && i < paths->len; i++) {
    const char *file = g_ptr_array_index (paths, i);
    g_autofree char *name = g_path_get_basename (file);
    g_autofree char *shown = g_filename_display_name (name);
    g_autofree char *key = g_utf8_collate_key_for_filename (shown, -1);
    // The table of a disc is no picture.
    if (g_ascii_strcasecmp (name, "DICOMDIR") == 0
        || (found != NULL && strcmp (key, least) >= 0))
      continue;
    found = file;
    g_free (least);
    least = g_steal_pointer (&key);
  }
  return g_strdup (found);
}

static GStrv
list_files (const char *location)
{
  GPtrArray *paths = list_paths (odl_series_path (location), NULL);

  if (paths == NULL)
    return NULL;
  g_ptr_array_add (paths, NULL);
  return (GStrv) g_ptr_array_free (paths, FALSE);
}

static const char *const examples[] = { "series:FILE.dcm", "series:FOLDER", NULL };

const OdlSourceClass odl_series_source = {
  .name = "series",
  .description = N_ ("Series of a DICOM picture, or the largest of a folder, as a stack"),
  .examples = examples,
  .probe = probe,
  .files = list_files,
  .preview = preview,
  .open = open_series,
  .close = odl_decoded_source_close,
  .read_frame = odl_decoded_source_read_frame,
};
