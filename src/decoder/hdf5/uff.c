// SPDX-License-Identifier: MIT
// UFF: beamformed data of USTB with its scan; channel data of USTB and of UFF 0.3.
#include "decoder/hdf5/axes.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/error.h"

// Numbers that tell waves, and by which share of the other side they must reach below 0
// and above.
#define LOOKED 65536u
#define SWING 0.25

// Both of a place in two arrays of a group, or one array.
static bool
find_parts (OdlH5Layout *layout,
            const OdlH5File *file,
            const char *single,
            const char *real,
            const char *imaginary)
{
  if (odl_h5_file_look (file, single) == ODL_H5_ARRAY) {
    layout->path = g_strdup (single);
    return true;
  }
  if (odl_h5_file_look (file, real) != ODL_H5_ARRAY)
    return false;
  layout->path = g_strdup (real);
  if (odl_h5_file_look (file, imaginary) == ODL_H5_ARRAY)
    layout->other_path = g_strdup (imaginary);
  return true;
}

// An axis of a scan, of which there are between 1 and as many as a side may have numbers.
static double *
scan_axis (const OdlH5File *file, const char *object, const char *name, uint32_t *n)
{
  g_autofree char *path = g_strconcat (object, "/scan/", name, NULL);
  double *numbers = g_new (double, ODL_IMAGE_MAX_SIDE);

  *n = (uint32_t) odl_h5_array_numbers (file, path, numbers, ODL_IMAGE_MAX_SIDE);
  if (*n == 0)
    g_clear_pointer (&numbers, g_free);
  return numbers;
}

// x and z of a point in metres, of which a distance and an angle are written.
static void
read_point (const OdlH5File *file, const char *path, double point_m[2])
{
  const double distance = odl_h5_number_at (file, path, "distance"),
               angle = odl_h5_number_at (file, path, "azimuth");

  point_m[0] = distance * sin (angle);
  point_m[1] = distance * cos (angle);
}

// Where all beams of a sector begin. Transfer full; NULL: it is not said.
static char *
find_apex (const OdlH5File *file, const char *object)
{
  static const char *const names[] = { "origin", "apex" };

  for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
    char *path = g_strconcat (object, "/scan/", names[i], NULL);
    if (odl_h5_file_look (file, path) == ODL_H5_GROUP)
      return path;
    g_free (path);
  }
  return NULL;
}

typedef struct {
  double *angles, *depths_m; // of columns and rows
} Sector;

// Beams that begin in a point each, "origin/origin_0001" and so on. False: there is only
// one for all.
static bool
take_origins (OdlH5Layout *layout,
              const OdlH5File *file,
              const char *apex,
              const Sector *sector,
              size_t memory)
{
  const uint32_t w = layout->width, h = layout->height;
  g_autofree char *name = g_path_get_basename (apex);
  g_autofree char *first = g_strdup_printf ("%s/%s_0001", apex, name);

  if (odl_h5_file_look (file, first) != ODL_H5_GROUP)
    return false;
  g_autofree float *places_m = (size_t) w * h <= memory / (3 * sizeof (float))
                                   ? g_new0 (float, 3 * w * h)
                                   : NULL;
  layout->has_odd_places = places_m == NULL;
  for (uint32_t x = 0; x < w && !layout->has_odd_places; x++) {
    g_autofree char *path = g_strdup_printf ("%s/%s_%04u", apex, name, x + 1);
    double origin_m[2];
    layout->has_odd_places = odl_h5_file_look (file, path) != ODL_H5_GROUP;
    read_point (file, path, origin_m);
    for (uint32_t y = 0; y < h; y++) {
      float *place_m = places_m + 3 * ((size_t) y * w + x);
      place_m[0] = (float) (origin_m[0] + sector->depths_m[y] * sin (sector->angles[x]));
      place_m[2] = (float) (origin_m[1] + sector->depths_m[y] * cos (sector->angles[x]));
    }
  }
  if (!layout->has_odd_places)
    odl_h5_grid_places (layout, places_m);
  return true;
}

static void
take_sector (OdlH5Layout *layout,
             const OdlH5File *file,
             const char *object,
             const Sector *sector,
             size_t memory)
{
  g_autofree char *apex = find_apex (file, object);
  double apex_m[2] = { 0 };

  if (apex != NULL && take_origins (layout, file, apex, sector, memory))
    return;
  if (apex != NULL)
    read_point (file, apex, apex_m);
  odl_h5_grid_sector (layout, sector->angles, sector->depths_m, apex_m);
}

// All pixels are one side, rows first: it is the last one, as MATLAB writes, or the
// first.
static bool
take_pixels (OdlH5Layout *layout, uint32_t width, uint32_t height, GError **error)
{
  const uint64_t pixels = (uint64_t) width * height;
  const int n = layout->array.n_sides;
  const int at = layout->array.sides[n - 1] == pixels ? n - 1 : 0;

  if (layout->array.sides[at] != pixels)
    return odl_error_set (error, ODL_ERROR_CORRUPT,
                          _ ("its scan has %u×%u places, and its data another number"),
                          width, height);
  layout->whole[at] = true;
  if (layout->array.is_complex)
    layout->parts = ODL_H5_PAIRS;
  if (layout->parts != ODL_H5_SINGLE)
    layout->content = ODL_BEAMS_COMPLEX;
  layout->width = width;
  layout->height = height;
  layout->channels = 1;
  layout->step[0] = height;
  layout->step[1] = layout->step[2] = 1;
  return odl_h5_count_frames (layout, error);
}

// Echoes swing about 0; amplitudes and decibels are all on one side of it. Numbers in the
// middle of the first picture are looked at.
static bool
are_waves (const OdlH5Layout *layout)
{
  const OdlMetaSample sample = layout->array.sample;
  uint64_t start[ODL_H5_MAX_SIDES] = { 0 }, count[ODL_H5_MAX_SIDES];
  g_autofree double *numbers = g_new (double, LOOKED); // room for any type
  double least = 0, most = 0;
  uint64_t n = 0;

  if (sample != ODL_META_F32 && sample != ODL_META_F64)
    return false;
  for (int i = 0; i < layout->array.n_sides; i++) {
    count[i] = 1;
    if (layout->whole[i]) {
      n = count[i] = MIN (layout->array.sides[i], LOOKED);
      start[i] = (layout->array.sides[i] - count[i]) / 2;
    }
  }
  if (!odl_h5_array_read (&layout->array, start, count, numbers))
    return false;
  for (uint64_t i = 0; i < n; i++) {
    const double number = sample == ODL_META_F32
                              ? (double) ((const float *) (const void *) numbers)[i]
                              : numbers[i];
    least = fmin (least, number);
    most = fmax (most, number);
  }
  return isfinite (least) && isfinite (most) && -least > SWING * most
         && most > SWING * -least;
}

static bool
take_scan (OdlH5Layout *layout,
           const OdlH5File *file,
           const char *object,
           size_t memory,
           GError **error)
{
  uint32_t n[4];
  g_autofree double *x = scan_axis (file, object, "x_axis", &n[0]);
  g_autofree double *z = scan_axis (file, object, "z_axis", &n[1]);
  g_autofree double *azimuth = scan_axis (file, object, "azimuth_axis", &n[2]);
  g_autofree double *depth = scan_axis (file, object, "depth_axis", &n[3]);

  layout->kind = "UFF";
  if (x != NULL && z != NULL) {
    if (!take_pixels (layout, n[0], n[1], error))
      return false;
    odl_h5_grid_linear (layout, x, z);
  } else if (azimuth != NULL && depth != NULL) {
    if (!take_pixels (layout, n[2], n[3], error))
      return false;
    take_sector (layout, file, object, &(Sector){ azimuth, depth }, memory);
  } else {
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                          _ ("its scan is neither linear nor a sector with its axes"));
  }
  if (layout->parts == ODL_H5_SINGLE && are_waves (layout))
    layout->content = ODL_BEAMS_WAVES;
  layout->rate = odl_h5_number_at (file, object, "frame_rate");
  layout->rate_name = "frame_rate";
  return true;
}

// Frames, events, channels, samples.
static bool
take_channels (OdlH5Layout *layout,
               const OdlH5File *file,
               const char *object,
               GError **error)
{
  const OdlH5Axes axes = { 1, 0, -1, -1, -1 };

  layout->kind = "UFF";
  layout->is_raw = true;
  if (!odl_h5_take_axes (layout, &axes, error))
    return false;
  layout->n_events = (uint32_t) odl_h5_side (layout, 2);
  // It is that of frames, whose events follow each other faster.
  if (layout->n_events == 1) {
    layout->rate = odl_h5_number_at (file, object, "repetition_rate");
    layout->rate_name = "repetition_rate";
  }
  return true;
}

typedef struct {
  const OdlH5File *file;
  char *found[2]; // beamformed data, and channel data
} Objects;

static bool
note_object_cb (const char *path, OdlH5Thing thing, void *data)
{
  static const char *const classes[] = { "uff.beamformed_data", "uff.channel_data" };
  Objects *objects = data;
  g_autofree char *class = thing == ODL_H5_GROUP
                               ? odl_h5_file_text (objects->file, path, "class")
                               : NULL;

  for (int i = 0; class != NULL && i < 2; i++)
    if (objects->found[i] == NULL && strcmp (class, classes[i]) == 0)
      objects->found[i] = g_strdup (path);
  return objects->found[0] == NULL;
}

// UFF 0.3 has no classes; MATLAB's writer puts “uff.” before the name.
static const char *const groups[] = { "/uff.channel_data", "/channel_data" };

// Which of the objects of UFF lies at or above `name`, or anywhere (NULL); is_channels:
// of which kind. Transfer full; NULL: none.
static char *
find_object (const OdlH5File *file, const char *name, bool *is_channels)
{
  Objects objects = { file, { NULL } };
  bool is_cut;

  if (name == NULL) {
    odl_h5_file_walk (file, note_object_cb, &objects, &is_cut);
    for (size_t i = 0; i < G_N_ELEMENTS (groups); i++)
      if (objects.found[0] == NULL && objects.found[1] == NULL
          && odl_h5_file_look (file, groups[i]) == ODL_H5_GROUP)
        objects.found[1] = g_strdup (groups[i]);
  } else {
    // What lies in "data" belongs to it.
    g_autofree char *path = g_strdup (name);
    for (int up = 0; up < 3 && objects.found[0] == NULL && objects.found[1] == NULL
                     && strlen (path) > 1;
         up++) {
      note_object_cb (path, odl_h5_file_look (file, path), &objects);
      for (size_t i = 0; i < G_N_ELEMENTS (groups); i++)
        if (strcmp (path, groups[i]) == 0 && objects.found[1] == NULL)
          objects.found[1] = g_strdup (path);
      char *above = g_path_get_dirname (path);
      g_free (path);
      path = above;
    }
  }
  *is_channels = objects.found[0] == NULL;
  if (!*is_channels)
    g_free (objects.found[1]);
  return objects.found[*is_channels];
}

bool
odl_h5_try_uff (OdlH5Layout *layout,
                const OdlH5File *file,
                const char *name,
                size_t memory,
                bool *found,
                GError **error)
{
  bool is_channels = false;
  g_autofree char *object = find_object (file, name, &is_channels);

  if (object == NULL)
    return true;
  g_autofree char *single = g_strconcat (object, "/data", NULL);
  g_autofree char *real = g_strconcat (single, "/real", NULL);
  g_autofree char *imaginary = g_strconcat (single, "/imag", NULL);
  g_autofree char *flat = g_strconcat (single, "_real", NULL);
  g_autofree char *flat_imaginary = g_strconcat (single, "_imag", NULL);
  if (name != NULL && strcmp (name, object) != 0 && strcmp (name, single) != 0) {
    // One of the parts, or something else.
    const char *const parts[] = { real, imaginary, flat, flat_imaginary, NULL };
    *found = g_strv_contains (parts, name) && find_parts (layout, file, name, name, name);
  } else {
    *found = find_parts (layout, file, single, real, imaginary)
             || find_parts (layout, file, single, flat, flat_imaginary);
  }
  return !*found
         || (odl_h5_open_arrays (layout, file, memory, error)
             && (is_channels ? take_channels (layout, file, object, error)
                             : take_scan (layout, file, object, memory, error)));
}
