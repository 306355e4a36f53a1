// SPDX-License-Identifier: MIT
// zea: maps of the group “data”, old ones an array, current ones a group of values with
// their places; what the program writes as HDF5 is of that layout, too.
#include "decoder/hdf5/axes.h"

#include <math.h>
#include <string.h>

#define MM 1e3
// Fraction of a step by which slices may be off even places.
#define UNEVEN 0.02

// Most tracks that are looked for.
#define MAX_TRACKS 256u

// What it looks for, in this order; samples of an UNKNOWN content may be decibels.
static const struct {
  const char *map;
  OdlBeamContent content;
  bool is_raw; // from before beamforming
} maps[] = {
  { "image", ODL_BEAMS_UNKNOWN, false },
  { "image_sc", ODL_BEAMS_UNKNOWN, false },
  { "color_image", ODL_BEAMS_UNKNOWN, false },
  { "envelope_data", ODL_BEAMS_AMPLITUDES, false },
  { "beamformed_data", ODL_BEAMS_WAVES, false },
  { "raw_data", ODL_BEAMS_UNKNOWN, true },
  { "aligned_data", ODL_BEAMS_UNKNOWN, true },
};

// Of a map of another name: any that there is.
#define OTHER (-1)

static bool
is_map (int map, const char *name)
{
  return map != OTHER && strcmp (maps[map].map, name) == 0;
}

// ---- Times ---------------------------------------------------------------------------

// Times of frames, as this program writes them: a signal of zea's with times as samples.
static void
read_times (OdlH5Layout *layout, const OdlH5File *file)
{
  const double rate
      = odl_h5_number_at (file, "/metadata/frame_times", "sampling_frequency");
  const uint32_t n = layout->n_frames / MAX (layout->n_slices, 1);
  g_autofree double *times = g_new (double, n);

  if (rate > 0) {
    layout->rate = rate;
    layout->rate_name = "frame_times";
  }
  if (odl_h5_array_numbers (file, "/metadata/frame_times/samples", times, n) != n)
    return;
  layout->stamps_s = g_array_new (FALSE, FALSE, sizeof (double));
  g_array_append_vals (layout->stamps_s, times, n);
}

// The sum of an array of times; 0: there is none.
static double
sum_of (const OdlH5File *file, const char *folder)
{
  g_autofree char *path
      = g_build_path ("/", folder, "scan", "time_to_next_transmit", NULL);
  g_autofree double *times = g_new (double, 1 << 20);
  const size_t n = odl_h5_array_numbers (file, path, times, 1 << 20);
  double sum = 0;

  for (size_t i = 0; i < n; i++)
    sum += times[i];
  return sum;
}

// The time of all transmits of a frame. Of tracks that took turns the next transmit is
// another one's, so that the times of all of them count.
static void
read_rate (OdlH5Layout *layout, const OdlH5File *file, const char *data)
{
  g_autofree char *folder = g_path_get_dirname (data);
  const bool takes_turns = layout->n_tracks > 1
                           && odl_h5_file_look (file, "/track_schedule") == ODL_H5_ARRAY;
  double sum = takes_turns ? 0 : sum_of (file, folder);

  for (uint32_t i = 0; takes_turns && i < layout->n_tracks; i++) {
    g_autofree char *track = g_strdup_printf ("/tracks/track_%u", i);
    sum += sum_of (file, track);
  }
  if (sum > 0 && sum < 1e6) {
    layout->rate = layout->n_frames / sum;
    layout->rate_name = "time_to_next_transmit";
  }
}

// ---- Places --------------------------------------------------------------------------

// An array of places: of which sides they are, from the first.
typedef struct {
  OdlH5Array array;
  int y, x; // rows and columns
  int third; // slices; −1: it has no such side
} Places;

// Whether its sides suit: frames may be left out, and the third side of volumes is there
// where values have it.
static bool
find_sides (Places *places, const OdlH5Layout *layout, bool has_third)
{
  const OdlH5Array *array = &places->array;
  const int last = array->n_sides - 1;

  places->third = has_third ? last - 1 : -1;
  places->x = last - 1 - has_third;
  places->y = places->x - 1;
  return array->sample == ODL_META_F32 && !array->is_complex && places->y >= 0
         && places->y <= 1 && array->sides[places->y] == layout->height
         && array->sides[places->x] == layout->width && array->sides[last] == 3
         && (!has_third || array->sides[last - 1] == MAX (layout->n_slices, 1));
}

// Those of a slice in the first frame, or of its first pixel alone.
static bool
read_slice (const Places *places, uint32_t slice, bool first, float *to)
{
  uint64_t start[ODL_H5_MAX_SIDES] = { 0 }, count[ODL_H5_MAX_SIDES];

  for (int i = 0; i < places->array.n_sides; i++) {
    const bool whole = i == places->y || i == places->x;
    count[i] = i == places->array.n_sides - 1 || (whole && !first)
                   ? places->array.sides[i]
                   : 1;
    start[i] = i == places->third ? slice : 0;
  }
  return odl_h5_array_read (&places->array, start, count, to);
}

// Slices that are evenly apart, straight behind each other.
static void
find_slice_step (const Places *places, OdlH5Layout *layout)
{
  const uint32_t looked[] = { 0, 1, layout->n_slices - 1 };
  float at[G_N_ELEMENTS (looked)][3];

  for (size_t i = 0; i < G_N_ELEMENTS (looked); i++)
    if (!read_slice (places, looked[i], true, at[i]))
      return;
  const double step = ((double) at[2][1] - (double) at[0][1]) / looked[2] * MM;
  const double second = ((double) at[1][1] - (double) at[0][1]) * MM;
  const double aside = hypot ((double) at[2][0] - (double) at[0][0],
                              (double) at[2][2] - (double) at[0][2])
                       * MM;
  if (fabs (second - step) <= UNEVEN * fabs (step) && aside <= UNEVEN * fabs (step)
      && fabs (step) >= 1e-6 && fabs (step) <= 1e6)
    layout->spacing_mm[2] = fabs (step);
}

static void
read_places (OdlH5Layout *layout,
             const OdlH5File *file,
             const char *path,
             bool has_third,
             size_t memory)
{
  const size_t pixels = (size_t) layout->width * layout->height;
  Places places = { .y = 0 };

  if (odl_h5_file_look (file, path) != ODL_H5_ARRAY)
    return;
  const bool fits = odl_h5_array_open (&places.array, file, path, memory, NULL)
                    && find_sides (&places, layout, has_third)
                    && pixels <= memory / (3 * sizeof (float));
  g_autofree float *places_m = fits ? g_new (float, 3 * pixels) : NULL;
  if (fits && read_slice (&places, 0, false, places_m)) {
    odl_h5_grid_places (layout, places_m);
    if (layout->n_slices > 1 && layout->spacing_mm[0] > 0)
      find_slice_step (&places, layout);
  } else {
    layout->has_odd_places = true;
  }
  odl_h5_array_close (&places.array);
}

// What this program writes beside places, which are rounded.
static bool
read_key (OdlH5Layout *layout, const OdlH5File *file)
{
  g_autofree char *key = odl_h5_file_text (file, layout->path, ODL_BEAMS_KEY);
  OdlBeams beams;

  return key != NULL && odl_beams_from_key (key, &beams)
         && odl_h5_beams_take_key (layout, &beams);
}

// ---- Maps ----------------------------------------------------------------------------

// Frames, z, x; then y of a volume; then numbers of each place: colours, or those of RF
// and IQ.
static OdlH5Axes
axes_of (const OdlH5Layout *layout, int map, bool *has_third)
{
  const int n = layout->array.n_sides;
  const bool beams = is_map (map, "beamformed_data");
  const bool numbers = beams ? n > 3 : n > 4;
  const uint64_t n_numbers = odl_h5_side (layout, 0);
  const bool colours
      = numbers && !beams && (n_numbers == 1 || n_numbers == 3 || n_numbers == 4);
  const int extra = numbers ? 1 : 0;

  *has_third = n > 3 + extra;
  if (map != OTHER && maps[map].is_raw)
    return (OdlH5Axes){ 1, 2, -1, 0, -1 };
  const int x = extra + *has_third;
  // Of what is neither a colour nor a part, pictures follow each other.
  const bool counted = numbers && !beams && !colours;
  return (OdlH5Axes){ x, x + 1, colours ? 0 : -1, beams && numbers ? 0 : -1,
                      *has_third && !counted ? extra : -1 };
}

static void
find_content (OdlH5Layout *layout, int map)
{
  layout->content = map != OTHER ? maps[map].content : ODL_BEAMS_UNKNOWN;
  if (layout->parts != ODL_H5_SINGLE)
    layout->content = ODL_BEAMS_COMPLEX;
  else if (layout->content == ODL_BEAMS_UNKNOWN && g_strcmp0 (layout->unit, "dB") == 0)
    layout->content = ODL_BEAMS_DECIBELS;
}

static bool
take_map (OdlH5Layout *layout,
          const OdlH5File *file,
          const char *group,
          int map,
          size_t memory,
          GError **error)
{
  bool has_third = false;
  const OdlH5Axes axes = axes_of (layout, map, &has_third);

  layout->kind = "zea";
  layout->is_raw = map != OTHER && maps[map].is_raw;
  if (!odl_h5_take_axes (layout, &axes, error))
    return false;
  read_rate (layout, file, group);
  read_times (layout, file);
  if (g_str_has_suffix (layout->path, "/values")) {
    g_autofree char *folder = g_path_get_dirname (layout->path);
    g_autofree char *places = g_strconcat (folder, "/coordinates", NULL);
    g_autofree char *unit = g_strconcat (folder, "/unit", NULL);
    layout->unit = odl_h5_file_word (file, unit);
    // Its images of floats are logarithms.
    if (layout->unit == NULL && is_map (map, "image")
        && layout->array.sample == ODL_META_F32)
      layout->unit = g_strdup ("dB");
    if (g_strcmp0 (layout->unit, "-") == 0)
      g_clear_pointer (&layout->unit, g_free);
    find_content (layout, map);
    if (!read_key (layout, file))
      read_places (layout, file, places, has_third, memory);
  }
  return true;
}

// Zea's array at, or in, what lies there; NULL: there is none. Transfer full.
static char *
zea_array (const OdlH5File *file, const char *path)
{
  const OdlH5Thing thing = odl_h5_file_look (file, path);
  char *values = g_strconcat (path, thing == ODL_H5_GROUP ? "/values" : "", NULL);

  if (thing == ODL_H5_NOTHING || odl_h5_file_look (file, values) != ODL_H5_ARRAY)
    g_clear_pointer (&values, g_free);
  return values;
}

// Recordings that took turns have a group each, from track_0 on.
static uint32_t
count_tracks (const OdlH5File *file)
{
  uint32_t n = 0;

  for (; n < MAX_TRACKS; n++) {
    g_autofree char *path = g_strdup_printf ("/tracks/track_%u", n);
    if (odl_h5_file_look (file, path) != ODL_H5_GROUP)
      break;
  }
  return n;
}

// The map of a group that `path` lies in or is; OTHER: one of another name. Transfer
// full; NULL: it lies elsewhere.
static char *
map_at (const char *group, const char *path, int *map)
{
  const size_t n = strlen (group);

  *map = OTHER;
  if (strncmp (path, group, n) != 0 || path[n] != '/')
    return NULL;
  char *name = g_strndup (path + n + 1, strcspn (path + n + 1, "/"));
  for (size_t i = 0; i < G_N_ELEMENTS (maps); i++)
    if (is_map ((int) i, name))
      *map = (int) i;
  return name;
}

// The one of a name; of another than those that are known, it is a group with values.
static char *
find_named (const OdlH5File *file, const char *group, const char *name, int *map)
{
  g_autofree char *own = map_at (group, name, map);
  g_autofree char *path = own != NULL ? g_strconcat (group, "/", own, NULL) : NULL;

  if (path == NULL || (*map == OTHER && odl_h5_file_look (file, path) != ODL_H5_GROUP))
    return NULL;
  char *array = zea_array (file, path);
  if (array != NULL && strcmp (name, path) != 0 && strcmp (name, array) != 0)
    g_clear_pointer (&array, g_free);
  return array;
}

static char *
find_any (const OdlH5File *file, const char *group, int *map)
{
  for (size_t i = 0; i < G_N_ELEMENTS (maps); i++) {
    g_autofree char *path = g_strconcat (group, "/", maps[i].map, NULL);
    char *array = zea_array (file, path);
    *map = (int) i;
    if (array != NULL)
      return array;
  }
  return NULL;
}

bool
odl_h5_try_zea (OdlH5Layout *layout,
                const OdlH5File *file,
                const char *name,
                size_t memory,
                bool *found,
                GError **error)
{
  const uint32_t n_tracks = count_tracks (file);

  for (uint32_t i = 0; i <= n_tracks; i++) {
    g_autofree char *track
        = i < n_tracks ? g_strdup_printf ("/tracks/track_%u", i) : g_strdup ("");
    g_autofree char *group = g_strconcat (track, "/data", NULL);
    const bool any
        = name == NULL || strcmp (name, group) == 0 || strcmp (name, track) == 0;
    int map = OTHER;
    layout->path
        = any ? find_any (file, group, &map) : find_named (file, group, name, &map);
    *found = layout->path != NULL;
    if (!*found)
      continue;
    layout->n_tracks = i < n_tracks ? n_tracks : 0;
    layout->track = i;
    layout->is_named = name != NULL;
    return odl_h5_open_arrays (layout, file, memory, error)
           && take_map (layout, file, group, map, memory, error);
  }
  return true;
}
