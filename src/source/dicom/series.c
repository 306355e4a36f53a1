// SPDX-License-Identifier: MIT
#include "source/dicom/series.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "image/volume/directions.h"
#include "source/dicom/dicom.h"
#include "source/helper/client.h"
#include "source/dicom/headers.h"
#include "source/dicom/presentation.h"
#include "source/dicom/series_slice.h"
#include "source/source_file.h"

// Gaps between neighbours may differ by this fraction.
#define SAME_GAP 0.02

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
add_left_out (GString *text, const OdlSeriesLeftOut *n)
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
         ngettext ("%d picture of the series has another size or direction, or no valid "
                   "place, and is left out",
                   "%d pictures of the series have another size or direction, or no "
                   "valid place, and are left out",
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
  if (n->elsewhere > 0)
    add (text,
         ngettext ("the folder holds %d picture of other series; open one of a series to "
                   "see it",
                   "the folder holds %d pictures of other series; open one of a series "
                   "to see it",
                   (gulong) n->elsewhere),
         n->elsewhere);
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
    const OdlSeriesSlice *slice = g_ptr_array_index (stack, i);
    const OdlSeriesSlice *before = g_ptr_array_index (stack, i - 1);
    const double gap = fabs (slice->along - before->along) * ODL_SERIES_SAME_PLACE;
    at_one += gap == 0;
    least = gap > 0 ? MIN (least, gap) : least;
    most = MAX (most, gap);
  }
  // Nearly all places have several: volumes over time.
  if (at_one > (int) stack->len / 3)
    add (text, _ ("there are more pictures at some places than at others, as if some "
                  "were missing"));
  else if (at_one > 0)
    add (text,
         ngettext ("%d picture lies where another one does",
                   "%d pictures lie where others do", (gulong) at_one),
         at_one);
  if (most > least * (1 + SAME_GAP) + ODL_SERIES_SAME_PLACE)
    add (text, _ ("its pictures are %.2f to %.2f mm apart; some may be missing"), least,
         most);
}

static void
add_filled (GString *text, const OdlSeriesSpace *space)
{
  if (space->missing > 0)
    add (text,
         ngettext ("%d slice is missing: a dark one takes its place",
                   "%d slices are missing: dark ones take their places",
                   (gulong) space->missing),
         space->missing);
  if (space->doubled > 0)
    add (text,
         ngettext ("%d picture lies where another one does and is left out",
                   "%d pictures lie where others do and are left out",
                   (gulong) space->doubled),
         space->doubled);
}

// Why it is no volume, or what is odd about it.
static void
add_space (GString *text, const GPtrArray *stack, const OdlSeriesSpace *space)
{
  const OdlStackFlaw flaw = space->stack.flaw;

  add_filled (text, space);
  if (space->volumes == 1 && space->missing + space->doubled == 0)
    add_gaps (text, stack);
  else if (space->volumes > 1 && flaw == ODL_STACK_REGULAR && !space->in_time)
    add (text,
         _ ("each place has %d pictures: they are shown as %d volumes, in the order of "
            "their numbers"),
         space->volumes, space->volumes);
  if (flaw == ODL_STACK_REGULAR && space->uneven_times)
    add (text, _ ("its volumes do not follow each other at equal times, as if some were "
                  "missing"));
  if (flaw == ODL_STACK_SHIFTED)
    add (text, _ ("its pictures are shifted sideways against each other"));
  if (space->unlike_pixels)
    add (text, _ ("its pixels are not of one size, or its pictures not turned alike"));
  if (flaw == ODL_STACK_TOO_FEW)
    return;
  if (flaw != ODL_STACK_REGULAR || space->unlike_pixels)
    add (text, space->can_be_filled
                   ? _ ("by itself it is no volume; opened as volume:FOLDER, or with "
                        "“Frames as Slices of a Volume” in the window’s menu, it is one, "
                        "with dark slices for the missing ones")
                   : _ ("by itself it is no volume"));
  else if (space->stack.tilt_degrees > 0)
    add (text,
         _ ("gantry tilt of %.1f°: planes across its slices, and the rendered view, are "
            "slanted by as much"),
         space->stack.tilt_degrees);
}

// Sentences for people, separated by "; ": what is left out of `stack` (OdlSeriesSlice)
// and what is odd about it. NULL: nothing. Transfer full.
static char *
odl_series_words (const GPtrArray *stack,
                  const OdlSeriesLeftOut *left_out,
                  const OdlSeriesSpace *space,
                  const char *before)
{
  const OdlSeriesSlice *first = g_ptr_array_index (stack, 0);
  GString *text = g_string_new (before);

  add_left_out (text, left_out);
  if (first->has_place)
    add_space (text, stack, space);
  else if (first->bad_place && stack->len > 1)
    add (text, _ ("its pictures do not say properly where they lie (Image Position and "
                  "Orientation); by itself it is no volume"));
  return g_string_free (text, text->len == 0);
}

// What a stack of pictures says of itself, besides what its first picture does.

static const char *
order_of (const GPtrArray *stack, const OdlSeriesSpace *space)
{
  const OdlSeriesSlice *first = g_ptr_array_index (stack, 0);

  return space->volumes > 1       ? "volume"
         : first->has_place       ? "place"
         : !isnan (first->number) ? "number"
                                  : "time";
}

// What was measured on a stack belongs to these pictures in this order, to no single one.
static char *
identify (const GPtrArray *stack)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);

  for (guint i = 0; i < stack->len; i++) {
    const OdlSeriesSlice *slice = g_ptr_array_index (stack, i);
    const char *name = *slice->instance != '\0' ? slice->instance : slice->path;
    g_checksum_update (sum, (const guchar *) name, (gssize) strlen (name) + 1);
  }
  return g_strconcat (ODL_SERIES_PREFIX, g_checksum_get_string (sum), NULL);
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
set_numbers (OdlSource *source, const char *key, const double *numbers, int n)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (int i = 0; i < n; i++) {
    char digits[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_formatd (digits, sizeof digits, "%.12g", numbers[i]);
    g_string_append_printf (text, "%s%s", i > 0 ? "\\" : "", digits);
  }
  set_detail (source, key, text->str);
}

// Where its first voxel and the axes lie, whichever picture could be read first.
static void
describe_volume (OdlSource *source, const GPtrArray *stack, const OdlSeriesSpace *space)
{
  const OdlSeriesSlice *first = g_ptr_array_index (stack, 0);
  char letters[4];

  odl_directions_of_slices (first->direction, space->stack.step_mm, letters);
  set_detail (source, "orientation", letters);
  odl_decoded_source_set_slices (source, (int) stack->len / space->volumes,
                                 space->stack.spacing_mm);
  set_numbers (source, "image-position", first->place, 3);
  set_numbers (source, "image-orientation", first->direction, 6);
  set_numbers (source, "slice-step", space->stack.step_mm, 3);
  if (space->interval_s > 0)
    set_numbers (source, "volume-interval-s", &space->interval_s, 1);
  if (space->stack.tilt_degrees > 0)
    set_numbers (source, "gantry-tilt", &space->stack.tilt_degrees, 1);
}

// Of each picture along the normal, in mm; they need not be equally far apart.
static void
describe_places (OdlSource *source, const GPtrArray *stack)
{
  const OdlSeriesSlice *first = g_ptr_array_index (stack, 0);
  g_autofree double *places = g_new (double, stack->len);

  if (!first->has_place)
    return;
  for (guint i = 0; i < stack->len; i++) {
    const OdlSeriesSlice *slice = g_ptr_array_index (stack, i);
    places[i] = slice->along * ODL_SERIES_SAME_PLACE;
  }
  set_numbers (source, "slice-places", places, (int) stack->len);
}

// Instance numbers as the files have them, between backslashes; empty where there is
// none.
static void
describe_numbers (OdlSource *source, const GPtrArray *stack)
{
  g_autoptr (GString) text = g_string_new (NULL);
  bool any = false;

  for (guint i = 0; i < stack->len; i++) {
    const OdlSeriesSlice *slice = g_ptr_array_index (stack, i);
    const bool has_one = *slice->path != '\0' && !isnan (slice->number);
    char digits[G_ASCII_DTOSTR_BUF_SIZE] = "";
    if (has_one)
      g_ascii_formatd (digits, sizeof digits, "%.0f", slice->number);
    any = any || has_one;
    g_string_append_printf (text, "%s%s", i > 0 ? "\\" : "", digits);
  }
  if (any)
    set_detail (source, "instance-numbers", text->str);
}

// Adds the stack's name, order, places and warnings to the description that its first
// picture gave. `chosen`, one of the stack, was asked for by `path`.
static void
odl_series_describe (OdlSource *source,
                     const GPtrArray *stack,
                     const OdlSeriesSlice *chosen,
                     const OdlSeriesLeftOut *left_out,
                     const OdlSeriesSpace *space,
                     const char *path)
{
  OdlSourceInfo *info = &source->info;
  g_autofree char *before = g_steal_pointer (&info->warning);
  g_autofree char *format = g_steal_pointer (&info->format);
  g_autofree char *name = odl_source_file_display_name (path);
  g_autofree char *identity = identify (stack);
  guint start = 0;

  info->warning = odl_series_words (stack, left_out, space, before);
  info->format = g_strdup_printf (ngettext ("series of %d picture, %s",
                                            "series of %d pictures, %s",
                                            stack->len - (guint) space->missing),
                                  (int) stack->len - space->missing, format);
  g_free (info->name);
  info->name = g_strdup_printf (_ ("Series of %s"), name);
  info->is_stack = true;
  if (!g_file_test (path, G_FILE_TEST_IS_DIR)
      && g_ptr_array_find ((GPtrArray *) stack, chosen, &start))
    info->start = (int) start;
  for (guint i = 0; i < stack->len; i++) {
    const OdlSeriesSlice *slice = g_ptr_array_index (stack, i);
    if (slice->lossy)
      set_detail (source, "lossy", "yes");
    if (g_str_has_prefix (slice->type, "DERIVED"))
      set_detail (source, "image-type", slice->type);
    // Of pictures of both sides none is that of all.
    if (strcmp (slice->laterality, chosen->laterality) != 0)
      set_detail (source, "laterality", "");
    if (strcmp (slice->sides, chosen->sides) != 0)
      set_detail (source, "sides", "");
    if (strcmp (slice->frame_of_reference, chosen->frame_of_reference) != 0)
      set_detail (source, "frame-of-reference", "");
  }
  describe_places (source, stack);
  describe_numbers (source, stack);
  set_detail (source, "sop-instance", identity);
  set_detail (source, "series-order", order_of (stack, space));
  if (space->stack.flaw == ODL_STACK_REGULAR && !space->unlike_pixels)
    describe_volume (source, stack, space);
}

#define MAX_FILES 20000u
// Directions that differ by less are the same (cosines).
#define SAME_DIRECTION 1e-3

static void
slice_free (void *data)
{
  OdlSeriesSlice *slice = data;

  g_free (slice->path);
  g_free (slice->name);
  g_free (slice->key);
  g_free (slice->instance);
  g_free (slice->person);
  g_free (slice->group);
  g_free (slice->series);
  g_free (slice->shape);
  g_free (slice->time);
  g_free (slice->type);
  g_free (slice->laterality);
  g_free (slice->sides);
  g_free (slice->frame_of_reference);
  g_free (slice);
}

// ---- Headers ----

// Position along the normal of the picture, which rows and columns span.
static bool
find_place (const OdlPictureHeader *header, OdlSeriesSlice *slice)
{
  double normal[3];

  if (!odl_numbers_from_text (odl_picture_header_text (header, "image-position"), 3,
                              slice->place)
      || !odl_numbers_from_text (odl_picture_header_text (header, "image-orientation"), 6,
                                 slice->direction)
      || !odl_stack_normal (slice->direction, normal))
    return false;
  for (int i = 0; i < 3; i++)
    slice->along += normal[i] * slice->place[i];
  slice->along = round (slice->along / ODL_SERIES_SAME_PLACE);
  return true;
}

// An OdlSeriesSlice; NULL: it is no picture, or cannot be read.
static void *
read_slice (const char *path, OdlHeaderHelper *helper, GCancellable *cancellable)
{
  g_autoptr (OdlPictureHeader) header
      = odl_picture_header_read (path, helper, cancellable);

  if (header == NULL)
    return NULL;
  OdlSeriesSlice *slice = g_new0 (OdlSeriesSlice, 1);
  slice->name = g_path_get_basename (path);
  slice->path = g_strdup (path);
  g_autofree char *shown = g_filename_display_name (slice->name);
  slice->key = g_utf8_collate_key_for_filename (shown, -1);
  slice->instance = odl_picture_header_dup (header, "sop-instance");
  slice->series = odl_picture_header_dup (header, "series-instance");
  slice->time = odl_picture_header_dup (header, "content-time");
  slice->type = odl_picture_header_dup (header, "image-type");
  slice->laterality = odl_picture_header_dup (header, "laterality");
  slice->sides = odl_picture_header_dup (header, "sides");
  slice->frame_of_reference = odl_picture_header_dup (header, "frame-of-reference");
  slice->lossy = g_strcmp0 (odl_picture_header_text (header, "lossy"), "yes") == 0;
  slice->person = odl_picture_header_dup (header, "person");
  slice->group
      = g_strjoin (" ", odl_picture_header_text (header, "person"), slice->series,
                   odl_picture_header_text (header, "study-instance"), NULL);
  slice->shape = g_strjoin ("×", odl_picture_header_text (header, "columns"),
                            odl_picture_header_text (header, "rows"), NULL);
  odl_series_read_time (slice, header);
  slice->has_place = find_place (header, slice);
  slice->bad_place
      = !slice->has_place
        && (odl_picture_header_text (header, "image-position") != NULL
            || odl_picture_header_text (header, "image-orientation") != NULL);
  memcpy (slice->spacing_mm, odl_picture_header_spacing_mm (header),
          sizeof slice->spacing_mm);
  slice->n_frames = odl_picture_header_n_frames (header);
  return slice;
}

// Reports and selections of key objects (SR), structure sets and plans of radiotherapy.
static bool
is_about_pictures (const uint8_t *head, size_t n_head)
{
  static const char *const classes[]
      = { "1.2.840.10008.5.1.4.1.1.88.", "1.2.840.10008.5.1.4.1.1.481.3",
          "1.2.840.10008.5.1.4.1.1.481.5" };

  for (size_t i = 0; i < G_N_ELEMENTS (classes); i++)
    if (memmem (head, n_head, classes[i], strlen (classes[i])) != NULL)
      return true;
  return false;
}

// What says how pictures are looked at, or something about them, is no picture that would
// be missing.
static bool
is_dicom (const char *path)
{
  uint8_t head[ODL_SOURCE_HEAD_BYTES];
  size_t n_head = 0;

  return odl_source_file_read_head (path, head, &n_head, NULL)
         && odl_dicom_source.probe (path, head, n_head)
         && !odl_presentation_is_in (head, n_head) && !is_about_pictures (head, n_head);
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
             OdlSeriesLeftOut *left_out,
             GCancellable *cancellable,
             GError **error)
{
  g_autoptr (GPtrArray) paths = list_paths (path, error);
  g_autoptr (GPtrArray) slices = g_ptr_array_new_with_free_func (slice_free);

  if (paths == NULL)
    return NULL;
  g_autoptr (GPtrArray) read = odl_headers_read (paths, read_slice, cancellable);
  for (guint i = 0; i < read->len; i++)
    if (g_ptr_array_index (read, i) != NULL)
      g_ptr_array_add (slices, g_ptr_array_index (read, i));
    else
      left_out->unreadable++;
  if (!g_cancellable_is_cancelled (cancellable))
    return g_steal_pointer (&slices);
  return odl_error_null (error, ODL_ERROR_CANCELLED, _ ("cancelled"));
}

// ---- Which belong together ----

// A cine is a series of its own.
static bool
is_alike (const OdlSeriesSlice *slice, const OdlSeriesSlice *other)
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

// The slice of that file; of a folder one of the largest stack, or, where it has only
// files of several frames, the longest of these, the first by name.
static const OdlSeriesSlice *
find_chosen (const GPtrArray *slices, const char *path)
{
  const bool folder = g_file_test (path, G_FILE_TEST_IS_DIR);
  g_autofree char *name = g_path_get_basename (path);
  const OdlSeriesSlice *found = NULL, *longest = NULL;
  guint most = 0;

  for (guint i = 0; i < slices->len && (folder || found == NULL); i++) {
    const OdlSeriesSlice *slice = g_ptr_array_index (slices, i);
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
    if (folder
        && (longest == NULL || slice->n_frames > longest->n_frames
            || (slice->n_frames == longest->n_frames
                && strcmp (slice->key, longest->key) < 0)))
      longest = slice;
  }
  return found != NULL ? found : longest;
}

static int
compare (const void *a, const void *b)
{
  const OdlSeriesSlice *left = *(OdlSeriesSlice *const *) a,
                       *right = *(OdlSeriesSlice *const *) b;

  if (left->has_place && left->along != right->along)
    return left->along < right->along ? -1 : 1;
  // NaN is neither.
  if (left->has_place
      && (left->position < right->position || left->position > right->position))
    return left->position < right->position ? -1 : 1;
  if (left->has_place
      && (left->taken_s < right->taken_s || left->taken_s > right->taken_s))
    return left->taken_s < right->taken_s ? -1 : 1;
  if (isnan (left->number) != isnan (right->number))
    return isnan (left->number) ? 1 : -1;
  if (!isnan (left->number) && left->number != right->number)
    return left->number < right->number ? -1 : 1;
  const int by_time = strcmp (left->time, right->time);
  return by_time != 0 ? by_time : strcmp (left->key, right->key);
}

static int64_t
size_of (const char *path)
{
  GStatBuf status;

  return g_stat (path, &status) == 0 ? status.st_size : 0;
}

// Of two files with one picture the longer one is whole if any is; else the one that was
// asked for stays.
static bool
is_better (const OdlSeriesSlice *slice,
           const OdlSeriesSlice *other,
           const OdlSeriesSlice *chosen)
{
  const int64_t size = size_of (slice->path), other_size = size_of (other->path);

  if (size != other_size)
    return size > other_size;
  return other != chosen && (slice == chosen || strcmp (slice->key, other->key) < 0);
}

// One of those with the same picture is in the stack; *chosen becomes that one. False: it
// is there already.
static bool
take_once (GPtrArray *stack,
           GHashTable *instances,
           OdlSeriesSlice *slice,
           const OdlSeriesSlice **chosen)
{
  OdlSeriesSlice *other = *slice->instance != '\0'
                              ? g_hash_table_lookup (instances, slice->instance)
                              : NULL;
  guint at = 0;

  if (other == NULL) {
    g_ptr_array_add (stack, slice);
    g_hash_table_insert (instances, slice->instance, slice);
    return true;
  }
  const bool better = is_better (slice, other, *chosen);
  if (better && g_ptr_array_find (stack, other, &at)) {
    stack->pdata[at] = slice;
    g_hash_table_replace (instances, slice->instance, slice);
  }
  if (*chosen == (better ? other : slice))
    *chosen = better ? slice : other;
  return false;
}

// Borrowed slices.
static GPtrArray *
stack_of (const GPtrArray *slices,
          const OdlSeriesSlice **of,
          bool folder,
          OdlSeriesLeftOut *left_out)
{
  const OdlSeriesSlice *chosen = *of;
  GPtrArray *stack = g_ptr_array_new ();
  g_autoptr (GHashTable) instances = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < slices->len; i++) {
    OdlSeriesSlice *slice = g_ptr_array_index (slices, i);
    if (strcmp (slice->series, chosen->series) != 0)
      left_out->elsewhere += folder;
    else if (strcmp (slice->group, chosen->group) != 0)
      left_out->of_others++;
    else if (slice->n_frames > 1)
      left_out->moving++;
    else if (!is_alike (slice, chosen))
      left_out->unlike++;
    else
      left_out->twice += !take_once (stack, instances, slice, of);
  }
  odl_series_keep_common_times (stack);
  g_ptr_array_sort (stack, compare);
  return stack;
}

// ---- The source ----

const char *
odl_series_path (const char *location)
{
  return g_str_has_prefix (location, ODL_SERIES_PREFIX)
             ? location + strlen (ODL_SERIES_PREFIX)
             : NULL;
}

char *
odl_series_location (const char *path)
{
  return g_strconcat (ODL_SERIES_PREFIX, path, NULL);
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
            const OdlSeriesSlice *chosen,
            GCancellable *cancellable,
            GError **error)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new ();
  g_autoptr (GPtrArray) instances = g_ptr_array_new ();

  for (guint i = 0; i < stack->len; i++) {
    const OdlSeriesSlice *slice = g_ptr_array_index (stack, i);
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
    .series = chosen->series,
    .person = chosen->person,
  };
  return odl_decoded_source_open (&odl_series_source, &request, cancellable, error);
}

// A file of several frames is no picture of a stack, and opens as itself.
static OdlSource *
open_alone (const OdlSeriesSlice *chosen,
            const GPtrArray *slices,
            bool is_folder,
            GCancellable *cancellable,
            GError **error)
{
  OdlSource *source = odl_dicom_source.open (chosen->path, cancellable, error);
  int others = -1;

  for (guint i = 0; i < slices->len; i++) {
    const OdlSeriesSlice *slice = g_ptr_array_index (slices, i);
    others += is_folder || strcmp (slice->series, chosen->series) == 0;
  }
  if (source == NULL || others == 0)
    return source;
  g_autofree char *before = g_steal_pointer (&source->info.warning);
  g_autofree char *words = g_strdup_printf (
      is_folder ? ngettext ("it has several frames and is shown by itself, without %d "
                            "other picture of the folder",
                            "it has several frames and is shown by itself, without %d "
                            "other pictures of the folder",
                            (gulong) others)
                : ngettext ("it has several frames and is shown by itself, without %d "
                            "other picture of its series",
                            "it has several frames and is shown by itself, without %d "
                            "other pictures of its series",
                            (gulong) others),
      others);
  source->info.warning = g_strconcat (before != NULL ? before : "",
                                      before != NULL ? "; " : "", words, NULL);
  return source;
}

// Where that is asked for, dark pictures take the place of missing ones.
static OdlSource *
open_in (const char *location, bool fills, GCancellable *cancellable, GError **error)
{
  const char *path = odl_series_path (location);
  const bool is_folder = g_file_test (path, G_FILE_TEST_IS_DIR);
  OdlSeriesLeftOut left_out = { 0 };
  g_autoptr (GPtrArray) slices = read_slices (path, &left_out, cancellable, error);
  const OdlSeriesSlice *chosen = slices != NULL ? find_chosen (slices, path) : NULL;

  if (chosen != NULL && chosen->n_frames > 1)
    return open_alone (chosen, slices, is_folder, cancellable, error);
  if (slices != NULL && (chosen == NULL || *chosen->series == '\0'))
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED,
                         chosen != NULL ? _ ("its header names no series")
                         : is_folder
                             ? _ ("there is no DICOM picture in this folder")
                             : _ ("it is no DICOM picture; “series:” takes one, or a "
                                  "folder of them"));
  if (chosen == NULL || *chosen->series == '\0') {
    odl_source_file_name_error (path, error);
    return NULL;
  }
  g_autoptr (GPtrArray) stack = stack_of (slices, &chosen, is_folder, &left_out);
  OdlSeriesSpace space = odl_series_find_space (stack);
  OdlSeriesSpace filled_space = space;
  g_autoptr (GPtrArray) filled = odl_series_fill (stack, slices, &filled_space);
  space.can_be_filled = filled != NULL;
  if (fills && filled != NULL) {
    space = filled_space;
    g_ptr_array_unref (g_steal_pointer (&stack));
    stack = g_steal_pointer (&filled);
  }
  odl_series_follow_numbers (stack, &space);
  OdlSource *source = open_stack (location, stack, chosen, cancellable, error);
  if (source != NULL)
    odl_series_describe (source, stack, chosen, &left_out, &space, path);
  return source;
}

static OdlSource *
open_series (const char *location, GCancellable *cancellable, GError **error)
{
  return open_in (location, false, cancellable, error);
}

OdlSource *
odl_series_open_filled (const char *location, GCancellable *cancellable, GError **error)
{
  return open_in (location, true, cancellable, error);
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
