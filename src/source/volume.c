// SPDX-License-Identifier: MIT
#include "source/volume.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/machine.h"
#include "base/text.h"
#include "image/volume/directions.h"
#include "image/volume/volume.h"

// Containers round times to milliseconds.
#define ROUNDED_NS 1000000

bool
odl_volume_shape_find (const OdlSource *source,
                       gint64 first,
                       gint64 n,
                       OdlVolumeShape *shape,
                       GError **error)
{
  OdlVolumeShape placed = { 0 };

  placed.is_placed
      = odl_numbers_from_text (odl_source_detail (source, "image-position"), 3,
                               placed.position_mm)
        && odl_numbers_from_text (odl_source_detail (source, "image-orientation"), 6,
                                  placed.orientation)
        && odl_numbers_from_text (odl_source_detail (source, "slice-step"), 3,
                                  placed.slice_step_mm);
  // A single slice whose third axis is known is a volume of one.
  const int slices = MAX (source->info.n_slices, placed.is_placed);

  *shape = placed;
  if (slices == 0)
    return odl_error_set (
        error, ODL_ERROR_UNSUPPORTED,
        _ ("it is no volume. Write it as a video or as numbered pictures, or write "
           "“volume:” before its name to take its pictures for slices."));
  if (first % slices == 0 && n % slices == 0) {
    shape->slices = slices;
    shape->volumes = (int) (n / slices);
  } else if (first / slices == (first + n - 1) / slices) {
    shape->slices = (int) n;
    shape->volumes = 1;
  } else {
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                          _ ("a volume has %d slices here: the frames must be whole "
                             "volumes, or slices of one."),
                          slices);
  }
  for (int row = 0; shape->is_placed && row < 3; row++)
    shape->position_mm[row] += (double) (first % slices) * shape->slice_step_mm[row];
  if (!odl_numbers_from_text (odl_source_detail (source, "volume-interval-s"), 1,
                              &shape->interval_s))
    shape->interval_s = 0;
  return true;
}

// Mean time from frame to frame; 0: it is unknown.
static double
find_interval (const OdlSourceInfo *info, gint64 first, gint64 n, bool *is_uneven)
{
  const int64_t *times = info->frame_times_ns;
  int64_t shortest = G_MAXINT64, longest = 0;

  if (times == NULL || n < 2)
    return info->frame_rate > 0 ? 1 / info->frame_rate : 0;
  for (gint64 i = first + 1; i < first + n; i++) {
    shortest = MIN (shortest, times[i] - times[i - 1]);
    longest = MAX (longest, times[i] - times[i - 1]);
  }
  *is_uneven = longest - shortest > ROUNDED_NS;
  return (double) (times[first + n - 1] - times[first]) / (double) (n - 1) / 1e9;
}

bool
odl_pages_shape_find (const OdlSource *source,
                      gint64 first,
                      gint64 n,
                      OdlVolumeShape *shape,
                      bool *is_uneven,
                      GError **error)
{
  const OdlSourceInfo *info = &source->info;
  // What is generated has no end, and delivers as many as are wanted.
  const bool is_endless = info->live && !info->capture;
  const bool is_known = !info->capture && !info->at_most && n > 0
                        && (is_endless || first + n <= info->n_frames);
  bool uneven = false;

  if (info->n_slices > 0 || !is_known)
    return odl_volume_shape_find (source, first, n, shape, error);
  // Of frames that say where they lie, this is left out.
  *shape = (OdlVolumeShape){ .slices = 1, .volumes = (int) n, .is_sequence = true };
  shape->interval_s = find_interval (info, first, n, &uneven);
  if (uneven)
    shape->times_ns = info->frame_times_ns + first;
  if (is_uneven != NULL)
    *is_uneven = uneven;
  return true;
}

// Leaves memory for other programs.
#define MOST_OF_MEMORY 0.75

// Checks the memory for `count` slices, which are like `slice`, plus `floats` volumes of
// floats. ODL_ERROR_TOO_LARGE; the message says what works without it. Any thread.
static bool
fits (const OdlSource *source,
      const OdlImage *slice,
      int count,
      int floats,
      GError **error)
{
  const OdlImageInfo *info = odl_image_info (slice);
  const double samples
      = (double) info->extent.x * info->extent.y * info->channels * count;
  const double bytes
      = samples * ((double) odl_sample_size (info->type) + sizeof (float) * floats);
  const double free_bytes = odl_machine_free_memory ("");

  if (samples <= (double) ODL_IMAGE_MAX_SAMPLES
      && (free_bytes == 0 || bytes <= MOST_OF_MEMORY * free_bytes))
    return true;
  g_autofree char *needed = g_format_size ((guint64) bytes);
  return odl_error_set (
      error, ODL_ERROR_TOO_LARGE,
      _ ("%s: its %d slices need %s of memory at once, which is more than there is; it "
         "can be seen and filtered slice by slice, without the three planes and without "
         "filters in 3 dimensions"),
      source->info.name, count, needed);
}

// ---- Slices that differ ----

// The same pixels in the same place, so that their values can be compared.
static bool
is_like (const OdlImageInfo *slice, const OdlImageInfo *first)
{
  return slice->extent.x == first->extent.x && slice->extent.y == first->extent.y
         && slice->channels == first->channels
         && slice->spacing_mm[0] == first->spacing_mm[0]
         && slice->spacing_mm[1] == first->spacing_mm[1]
         && slice->value_map.inverse == first->value_map.inverse
         && strcmp (slice->value_map.unit, first->value_map.unit) == 0;
}

// Whether stored numbers of both mean the same values, as those of a volume and of its
// slices usually do.
static bool
mean_the_same (const OdlImage *slice, const OdlImage *other)
{
  const OdlImageInfo *a = odl_image_info (slice), *b = odl_image_info (other);

  return a->type == b->type && a->stored_min == b->stored_min
         && a->stored_max == b->stored_max && a->value_map.slope == b->value_map.slope
         && a->value_map.intercept == b->value_map.intercept;
}

void
odl_source_share_values (OdlImage **slice, OdlImage *volume, int z)
{
  const char *mark = odl_image_info (volume)->mark;

  if (z >= 0 && !mean_the_same (*slice, volume)) {
    odl_image_unref (*slice);
    *slice = odl_volume_slice (volume, z);
  }
  OdlImageInfo info = *odl_image_info (*slice);
  if (mark == NULL || info.mark != NULL)
    return;
  info.mark = mark;
  OdlImage *marked = odl_image_with_info (*slice, &info);
  odl_image_unref (*slice);
  *slice = marked;
}

static double
value_of (const OdlImageInfo *info, double stored)
{
  return stored * info->value_map.slope + info->value_map.intercept;
}

static void
set_unlike (const OdlSource *source, int64_t index, GError **error)
{
  g_set_error (error, ODL_ERROR, ODL_ERROR_CORRUPT,
               _ ("%s: slice %d has another size or range than the first one; they "
                  "can be seen one by one"),
               source->info.name, (int) index + 1);
}

OdlImage *
odl_volume_missing_slice (const OdlImage *like)
{
  OdlImageInfo info = *odl_image_info (like);
  const double range = info.stored_max - info.stored_min;
  const size_t n = (size_t) info.extent.x * info.extent.y;
  g_autofree float *row = g_new (float, info.extent.x);
  float least = INFINITY;
  void *samples = NULL;

  info.extent.z = info.extent.t = 1;
  info.mark = _ ("slices missing");
  OdlImage *blank = odl_image_alloc (&info, &samples, NULL);
  if (blank == NULL || info.channels > 1)
    return blank;
  for (int y = 0; y < info.extent.y; y++) {
    odl_image_scaled_row (like, 0, y, 0, 0, row);
    for (int x = 0; x < info.extent.x; x++)
      least = MIN (least, row[x]);
  }
  const double stored = info.stored_min + range * (double) least;
  for (size_t i = 0; i < n; i++)
    switch (info.type) {
    case ODL_SAMPLE_U8:
      ((uint8_t *) samples)[i] = (uint8_t) lrint (stored);
      break;
    case ODL_SAMPLE_U16:
      ((uint16_t *) samples)[i] = (uint16_t) lrint (stored);
      break;
    case ODL_SAMPLE_S16:
      ((int16_t *) samples)[i] = (int16_t) lrint (stored);
      break;
    default:
      ((float *) samples)[i] = (float) stored;
    }
  return blank;
}

// Slices have channels: frames of videos, of luma and colour differences, become floats.
static OdlImage *
read_frame (OdlSource *source, int64_t index, GCancellable *cancellable, GError **error)
{
  g_autoptr (OdlImage) frame = odl_source_read_frame (source, index, cancellable, error);

  if (frame == NULL || !odl_image_info (frame)->ycbcr.used)
    return g_steal_pointer (&frame);
  return odl_image_to_scaled (frame, error);
}

// A slice that is missing or damaged is dark, and marked.
static OdlImage *
read_slice (OdlSource *source,
            int64_t index,
            const OdlImage *like,
            GCancellable *cancellable,
            GError **error)
{
  g_autoptr (GError) cause = NULL;
  OdlImage *slice = read_frame (source, index, cancellable, &cause);

  if (slice == NULL && g_error_matches (cause, ODL_ERROR, ODL_ERROR_CORRUPT))
    slice = odl_volume_missing_slice (like);
  if (slice == NULL)
    g_propagate_error (error, g_steal_pointer (&cause));
  return slice;
}

// The full scale of all slices in the unit of the file. Those that cannot be read have
// that of `like`.
static bool
find_scale (OdlSource *source,
            const OdlImage *like,
            int64_t begin,
            int count,
            OdlImageInfo *scale,
            GCancellable *cancellable,
            GError **error)
{
  scale->stored_min = INFINITY;
  scale->stored_max = -INFINITY;
  for (int z = 0; z < count; z++) {
    g_autoptr (OdlImage) slice = read_slice (source, begin + z, like, cancellable, error);
    if (slice == NULL)
      return false;
    const OdlImageInfo *info = odl_image_info (slice);
    if (!is_like (info, scale) || info->channels > 1) {
      set_unlike (source, begin + z, error);
      return false;
    }
    const double low = value_of (info, info->stored_min);
    const double high = value_of (info, info->stored_max);
    scale->stored_min = fmin (scale->stored_min, fmin (low, high));
    scale->stored_max = fmax (scale->stored_max, fmax (low, high));
  }
  return true;
}

static void
put_values (const OdlImage *slice, float *samples)
{
  const OdlImageInfo *info = odl_image_info (slice);
  const double range = info->stored_max - info->stored_min;

  for (int y = 0; y < info->extent.y; y++) {
    float *row = samples + (size_t) y * info->extent.x;
    odl_image_scaled_row (slice, 0, y, 0, 0, row);
    for (int x = 0; x < info->extent.x; x++)
      row[x] = (float) value_of (info, info->stored_min + range * (double) row[x]);
  }
}

// Slices whose stored numbers mean different values, as those of PET do, become floats in
// the unit of the file. They are read twice, to find the scale that holds all.
static OdlImage *
read_values (OdlSource *source,
             const OdlImage *first,
             int64_t begin,
             int count,
             char **mark,
             GCancellable *cancellable,
             GError **error)
{
  OdlImageInfo info = *odl_image_info (first);
  void *samples = NULL;

  if (!find_scale (source, first, begin, count, &info, cancellable, error))
    return NULL;
  info.type = ODL_SAMPLE_F32;
  info.value_map.slope = 1;
  info.value_map.intercept = 0;
  g_autoptr (OdlImage) like = odl_image_alloc (&info, &samples, error);
  g_autoptr (OdlImage) volume
      = like != NULL ? odl_volume_alloc (like, count, &samples, error) : NULL;
  for (int z = 0; volume != NULL && z < count; z++) {
    g_autoptr (OdlImage) slice
        = read_slice (source, begin + z, first, cancellable, error);
    if (slice == NULL)
      return NULL;
    // The file may have changed since.
    if (!is_like (odl_image_info (slice), &info)) {
      set_unlike (source, begin + z, error);
      return NULL;
    }
    if (*mark == NULL)
      *mark = g_strdup (odl_image_info (slice)->mark);
    put_values (slice, (float *) samples + (size_t) z * info.extent.x * info.extent.y);
  }
  return g_steal_pointer (&volume);
}

// ---- The volume ----

int
odl_source_axes (const OdlSource *source, double axes[3][3])
{
  const char *stands = odl_source_detail (source, "stands-on");

  return stands == NULL || *stands == '\0' || strcmp (stands, "BIPED") == 0
             ? odl_directions_axes (odl_source_detail (source, "image-orientation"),
                                    odl_source_detail (source, "slice-step"), axes)
             : 0;
}

static void
find_patient_axes (const OdlSource *source, int8_t nearest[3])
{
  double axes[3][3];

  memset (nearest, 0, 3 * sizeof *nearest);
  if (odl_source_axes (source, axes) == 3)
    odl_directions_nearest (axes, nearest);
}

OdlImageInfo
odl_source_volume_info (const OdlSource *source, const OdlImage *slice)
{
  OdlImageInfo info = *odl_image_info (slice);

  info.extent.z = MAX (source->info.n_slices, 1);
  find_patient_axes (source, info.patient_axes);
  return info;
}

// With the window of its middle slice, since the first one rarely shows much.
static OdlImage *
describe (const OdlSource *source,
          OdlImage *volume,
          const OdlImage *middle,
          const char *mark)
{
  OdlImageInfo info = *odl_image_info (volume);
  const double slope = info.value_map.slope, intercept = info.value_map.intercept;

  info.value_map = odl_image_info (middle)->value_map;
  info.value_map.slope = slope;
  info.value_map.intercept = intercept;
  info.windows = odl_image_info (middle)->windows;
  info.mark = mark;
  find_patient_axes (source, info.patient_axes);
  return odl_image_with_info (volume, &info);
}

// Frames `begin` … `begin` + `count` − 1, each as a slice; `first` is one of them. A mark
// of any slice is that of all.
static OdlImage *
read_slices (OdlSource *source,
             OdlImage *first,
             int64_t begin,
             int count,
             GCancellable *cancellable,
             GError **error)
{
  void *samples = NULL;
  g_autoptr (OdlImage) volume = odl_volume_alloc (first, count, &samples, error);
  g_autoptr (OdlImage) middle = odl_image_ref (first);
  g_autofree char *mark = NULL;

  for (int z = 0; volume != NULL && z < count; z++) {
    g_autoptr (OdlImage) slice
        = read_slice (source, begin + z, first, cancellable, error);
    if (slice == NULL)
      return NULL;
    const OdlImageInfo *info = odl_image_info (slice);
    if (mark == NULL)
      mark = g_strdup (info->mark);
    if (z == count / 2) {
      odl_image_unref (middle);
      middle = odl_image_ref (slice);
    }
    if (!mean_the_same (slice, first)) {
      odl_image_unref (volume);
      volume = read_values (source, first, begin, count, &mark, cancellable, error);
      break;
    }
    if (!is_like (info, odl_image_info (first))
        || !odl_volume_put (volume, samples, z, slice)) {
      set_unlike (source, begin + z, error);
      return NULL;
    }
  }
  return volume != NULL ? describe (source, volume, middle, mark) : NULL;
}

// The first of these frames that can be read; else the first one's error.
static OdlImage *
read_any (OdlSource *source,
          int64_t begin,
          int count,
          GCancellable *cancellable,
          GError **error)
{
  g_autoptr (GError) cause = NULL;
  OdlImage *slice = read_frame (source, begin, cancellable, &cause);

  for (int z = 1; slice == NULL && z < count
                  && g_error_matches (cause, ODL_ERROR, ODL_ERROR_CORRUPT);
       z++)
    slice = read_frame (source, begin + z, cancellable, NULL);
  if (slice == NULL)
    g_propagate_error (error, g_steal_pointer (&cause));
  return slice;
}

static OdlImage *
read_fitting (OdlSource *source,
              int64_t first,
              int count,
              int floats,
              GCancellable *cancellable,
              GError **error)
{
  g_autoptr (OdlImage) slice = read_any (source, first, count, cancellable, error);

  if (slice == NULL || !fits (source, slice, count, floats, error))
    return NULL;
  return read_slices (source, slice, first, count, cancellable, error);
}

OdlImage *
odl_source_read_volume (OdlSource *source,
                        int number,
                        int floats,
                        GCancellable *cancellable,
                        GError **error)
{
  const int depth = source->info.n_slices;

  g_return_val_if_fail (depth > 0, NULL);
  return read_fitting (source, (int64_t) number * depth, depth, floats, cancellable,
                       error);
}

OdlImage *
odl_source_read_slices (OdlSource *source,
                        int first,
                        int count,
                        int floats,
                        GCancellable *cancellable,
                        GError **error)
{
  return read_fitting (source, first, count, floats, cancellable, error);
}

OdlImage *
odl_source_read_volumes (OdlSource *source, GCancellable *cancellable, GError **error)
{
  const int n = source->info.n_frames, depth = MAX (source->info.n_slices, 1);

  g_autoptr (OdlImage) slice = read_any (source, 0, depth, cancellable, error);
  if (slice == NULL)
    return NULL;
  g_autoptr (OdlImage) tall = read_slices (source, slice, 0, n, cancellable, error);
  if (tall == NULL)
    return NULL;
  OdlImageInfo info = *odl_image_info (tall);
  info.extent.z = depth;
  info.extent.t = n / depth;
  for (int c = 0; c < info.channels; c++)
    info.planes[c].frame_stride_bytes = info.planes[c].slice_stride_bytes * depth;
  OdlImage *volumes = odl_image_wrap (&info, (GDestroyNotify) odl_image_unref,
                                      odl_image_ref (tall), error);
  if (volumes == NULL)
    odl_image_unref (tall);
  return volumes;
}

// Of videos the number of frames is known when the end was read.
static bool
find_end (OdlSource *source, GCancellable *cancellable, GError **error)
{
  while (source->info.at_most || source->info.n_frames < 1) {
    const int n = MAX (source->info.n_frames, 1);
    g_autoptr (GError) end = NULL;
    g_autoptr (OdlImage) last = odl_source_read_frame (source, n - 1, cancellable, &end);
    if (last != NULL)
      return true;
    if (!g_error_matches (end, ODL_ERROR, ODL_ERROR_END) || source->info.n_frames >= n) {
      g_propagate_error (error, g_steal_pointer (&end));
      return false;
    }
  }
  return true;
}

// What else a warning says than that its frames could be opened as a volume, in the words
// of decoder/dicom/space.cpp. Transfer full.
static char *
without_invitation (const char *warning)
{
  g_autoptr (GString) text = g_string_new (warning);

  g_string_replace (text,
                    _ ("its header does not say where its frames lie (functional "
                       "groups): they are no volume, unless opened as volume:FILE, or "
                       "with “Frames as Slices of a Volume” in the window’s menu"),
                    "", 1);
  g_string_replace (text, "; ; ", "; ", 1);
  const size_t start = g_str_has_prefix (text->str, "; ") ? 2 : 0;
  const size_t end = g_str_has_suffix (text->str + start, "; ") ? 2 : 0;
  return g_strndup (text->str + start, text->len - start - end);
}

bool
odl_source_lacks_frame (const OdlSource *source, int64_t index)
{
  const char *const *files = source->info.files;

  return files != NULL && index >= 0 && index < source->info.n_frames
         && *files[index] == '\0';
}

bool
odl_source_become_volume (OdlSource *source, GCancellable *cancellable, GError **error)
{
  OdlSourceInfo *info = &source->info;

  if (info->n_slices > 1)
    return true;
  if (info->live)
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                          _ ("what is live has no last picture, and is no volume"));
  if (!find_end (source, cancellable, error))
    return false;
  if (info->n_frames < 2) {
    const char *why = info->warning;
    return odl_error_set (
        error, ODL_ERROR_UNSUPPORTED,
        // Translators: what else is said of it, in brackets, or nothing.
        _ ("it is a single picture, and a volume has several%s%s%s"),
        why != NULL ? " (" : "", why != NULL ? why : "", why != NULL ? ")" : "");
  }
  g_autofree char *before = without_invitation (info->warning);
  g_free (info->warning);
  info->warning = g_strconcat (before, *before != '\0' ? "; " : "",
                               _ ("its pictures are taken for the slices of a volume, as "
                                  "asked for; how far apart they are is not known"),
                               NULL);
  info->n_slices = info->n_frames;
  info->is_stack = true;
  return true;
}
