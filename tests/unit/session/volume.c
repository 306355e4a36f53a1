// SPDX-License-Identifier: MIT
// Volumes in the session: three planes, slices, and what is too large.
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "engine/volume.h"
#include "image/volume/volume.h"
#include "settle.h"
#include "source/neighbour_reader.h"

#define WIDTH 40
#define HEIGHT 30
#define DEPTH 20

typedef struct {
  char *folder;
  char *path;
  OdlSession *session;
  char *said; // last message
} Fixture;

static void
message_cb (OdlSession *session, const char *text, Fixture *fixture)
{
  g_free (fixture->said);
  fixture->said = g_strdup (text);
}

static void
write_file (Fixture *fixture, const char *header, const void *data, size_t size)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  g_byte_array_append (bytes, (const uint8_t *) header, (guint) strlen (header));
  g_byte_array_append (bytes, data, (guint) size);
  g_assert_true (
      g_file_set_contents (fixture->path, (const char *) bytes->data, bytes->len, NULL));
}

static void
set_up (Fixture *fixture, const void *data)
{
  static guint16 samples[DEPTH * HEIGHT * WIDTH];

  for (int i = 0; i < DEPTH * HEIGHT * WIDTH; i++)
    samples[i] = (guint16) g_test_rand_int_range (0, 4096);
  fixture->folder = g_dir_make_tmp ("ondelette-volume-XXXXXX", NULL);
  fixture->path = g_build_filename (fixture->folder, "volume.mha", NULL);
  write_file (fixture,
              "ObjectType = Image\nNDims = 3\nDimSize = 40 30 20\n"
              "ElementSpacing = 1 1 2.5\nElementType = MET_USHORT\n"
              "ElementDataFile = LOCAL\n",
              samples, sizeof samples);
  fixture->session = odl_session_new ();
  g_signal_connect (fixture->session, "message", G_CALLBACK (message_cb), fixture);
  odl_session_set_canvas (fixture->session, ODL_GL_NONE, 0, true);
}

static void
tear_down (Fixture *fixture, const void *data)
{
  g_assert_finalize_object (fixture->session);
  g_unlink (fixture->path);
  g_rmdir (fixture->folder);
  g_free (fixture->path);
  g_free (fixture->folder);
  g_free (fixture->said);
}

typedef bool (*Condition) (Fixture *fixture);

static void
wait_until (Fixture *fixture, Condition condition)
{
  const int64_t end = g_get_monotonic_time () + PATIENCE_US;

  while (!condition (fixture) && g_get_monotonic_time () < end)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (1000);
  g_assert_true (condition (fixture));
}

static bool
shows_planes (Fixture *fixture)
{
  const OdlFrame *frame = odl_session_frame (fixture->session);
  const OdlVoxel voxel = odl_session_voxel (fixture->session);

  return frame != NULL && frame->planes
         && memcmp (&frame->voxel, &voxel, sizeof voxel) == 0
         && odl_recipe_equal (&frame->recipe, odl_session_recipe (fixture->session));
}

static bool
shows_slice (Fixture *fixture)
{
  const OdlFrame *frame = odl_session_frame (fixture->session);

  return frame != NULL && !frame->planes && session_is_quiet (fixture->session)
         && odl_recipe_equal (&frame->recipe, odl_session_recipe (fixture->session));
}

// Row by row the left upper part of `picture` is `slice`.
static void
check_rows (OdlImage *picture, OdlImage *slice)
{
  float a[WIDTH + 500], b[WIDTH];

  for (int y = 0; y < HEIGHT; y++) {
    odl_image_scaled_row (picture, 0, y, 0, 0, a);
    odl_image_scaled_row (slice, 0, y, 0, 0, b);
    g_assert_cmpmem (a, sizeof b, b, sizeof b);
  }
}

static OdlImage *
filter_slice (Fixture *fixture, int z)
{
  const OdlFrame *frame = odl_session_frame (fixture->session);
  g_autoptr (OdlSource) source = odl_source_open (fixture->path, NULL, NULL);
  g_autoptr (OdlImage) slice = odl_source_read_frame (source, z, NULL, NULL);
  g_autoptr (OdlEngine) engine = odl_engine_open (frame->engine, NULL);
  const OdlGeometry geometry = odl_geometry_of (slice);
  g_autoptr (OdlPlan) plan = odl_plan_new (&frame->recipe, &geometry, NULL);
  return odl_engine_process (engine, plan, slice, NULL);
}

// Opened at rest in the middle; the axial plane is the filtered slice, bit by bit,
// wherever the cross-hair goes; and so is the single slice.
static void
test_planes (Fixture *fixture, const void *data)
{
  OdlRecipe recipe;

  odl_recipe_init (&recipe);
  g_assert_true (odl_recipe_parse (&recipe, "soft-threshold:threshold=0.1 median", NULL));
  odl_session_set_planes (fixture->session, true);
  odl_session_open (fixture->session, fixture->path, &recipe);
  wait_until (fixture, shows_planes);
  g_assert_false (odl_session_playing (fixture->session));
  const OdlVoxel middle = odl_session_voxel (fixture->session);
  g_assert_cmpint (middle.at[0], ==, WIDTH / 2);
  g_assert_cmpint (middle.at[2], ==, DEPTH / 2);
  g_autoptr (OdlImage) slice = filter_slice (fixture, DEPTH / 2);
  check_rows (odl_session_frame (fixture->session)->result, slice);

  const OdlVoxel corner = { { 3, 29, 19 } };
  odl_session_set_voxel (fixture->session, &corner);
  wait_until (fixture, shows_planes);
  odl_session_step_voxel (fixture->session, 1, 5);
  odl_session_step_voxel (fixture->session, 0, -1);
  wait_until (fixture, shows_planes);
  const OdlVoxel moved = odl_session_voxel (fixture->session);
  g_assert_cmpint (moved.at[0], ==, 2);
  g_assert_cmpint (moved.at[1], ==, 29);
  g_assert_cmpint (moved.at[2], ==, 19);
  g_autoptr (OdlImage) last = filter_slice (fixture, 19);
  check_rows (odl_session_frame (fixture->session)->result, last);

  odl_session_set_planes (fixture->session, false);
  wait_until (fixture, shows_slice);
  check_rows (odl_session_frame (fixture->session)->result, last);
}

static bool
shows_slab (Fixture *fixture)
{
  const OdlSlab slab = odl_session_slab (fixture->session);

  return shows_planes (fixture)
         && odl_session_frame (fixture->session)->slab.kind == slab.kind;
}

// The axial plane of a slab through all slices, before and after a filter: of each pixel
// the largest value of all slices, and of all filtered ones.
static void
test_slab (Fixture *fixture, const void *data)
{
  OdlRecipe recipe;
  float most[2][WIDTH] = { 0 }, row[WIDTH + 500];

  odl_recipe_init (&recipe);
  g_assert_true (odl_recipe_parse (&recipe, "median", NULL));
  odl_session_set_planes (fixture->session, true);
  odl_session_open (fixture->session, fixture->path, &recipe);
  wait_until (fixture, shows_planes);
  const OdlSlab slab = { ODL_SLAB_MAXIMUM, odl_session_thickest_slab (fixture->session) };
  g_assert_cmpfloat (slab.thickness, ==, DEPTH * 2.5);
  odl_session_set_slab (fixture->session, &slab);
  wait_until (fixture, shows_slab);
  g_autoptr (OdlSource) source = odl_source_open (fixture->path, NULL, NULL);
  for (int z = 0; z < DEPTH; z++) {
    g_autoptr (OdlImage) slice = odl_source_read_frame (source, z, NULL, NULL);
    g_autoptr (OdlImage) filtered = filter_slice (fixture, z);
    OdlImage *const images[] = { slice, filtered };
    for (int i = 0; i < 2; i++) {
      odl_image_scaled_row (images[i], 0, 7, 0, 0, row);
      for (int x = 0; x < WIDTH; x++)
        most[i][x] = MAX (most[i][x], row[x]);
    }
  }
  OdlFrame *frame = odl_session_frame (fixture->session);
  OdlImage *const shown[] = { frame->input, frame->result };
  for (int i = 0; i < 2; i++) {
    odl_image_scaled_row (shown[i], 0, 7, 0, 0, row);
    for (int x = 0; x < WIDTH; x++)
      g_assert_cmpfloat_with_epsilon (row[x], most[i][x], 1e-5);
  }
}

static bool
said_too_large (Fixture *fixture)
{
  return fixture->said != NULL && strstr (fixture->said, "slice by slice") != NULL
         && shows_slice (fixture);
}

// 2.7 thousand million voxels in a file that takes no room.
static void
test_too_large (Fixture *fixture, const void *data)
{
  write_file (fixture,
              "ObjectType = Image\nNDims = 3\nDimSize = 3000 3000 300\n"
              "ElementType = MET_UCHAR\nHeaderSize = 200\nElementDataFile = LOCAL\n",
              "", 0);
  g_assert_cmpint (truncate (fixture->path, 200 + (off_t) 3000 * 3000 * 300), ==, 0);
  odl_session_set_planes (fixture->session, true);
  odl_session_open (fixture->session, fixture->path, NULL);
  wait_until (fixture, said_too_large);
  g_assert_false (odl_session_shows_planes (fixture->session));
}

#define MOST_VOLUMES 3

// A NIfTI file of `n` volumes, with values up to `most`.
static void
write_volumes (Fixture *fixture, int n, int most)
{
  const gint16 dim[] = { 4, WIDTH, HEIGHT, DEPTH, (gint16) n, 1, 1, 1 };
  static const float rows[3][4] = { { -1, 0, 0, 0 }, { 0, -1, 0, 0 }, { 0, 0, 1, 0 } };
  static guint8 bytes[352 + MOST_VOLUMES * DEPTH * HEIGHT * WIDTH];
  const gint32 size = 348;
  const gint16 code = 2, bits = 8;
  const float interval = 0.25f;

  memcpy (bytes, &size, sizeof size);
  memcpy (bytes + 40, dim, sizeof dim);
  memcpy (bytes + 70, &code, sizeof code);
  memcpy (bytes + 72, &bits, sizeof bits);
  memcpy (bytes + 92, &interval, sizeof interval);
  bytes[123] = 8; // seconds
  memcpy (bytes + 254, &code, sizeof code);
  memcpy (bytes + 280, rows, sizeof rows);
  memcpy (bytes + 344, "n+1", 4);
  const size_t n_bytes = 352 + (size_t) n * DEPTH * HEIGHT * WIDTH;
  for (size_t i = 352; i < n_bytes; i++)
    bytes[i] = (guint8) g_test_rand_int_range (most < 255 ? most / 2 : 0, most + 1);
  g_unlink (fixture->path);
  g_free (fixture->path);
  fixture->path = g_build_filename (fixture->folder, "volumes.nii", NULL);
  g_assert_true (
      g_file_set_contents (fixture->path, (const char *) bytes, n_bytes, NULL));
}

// Whether the volume that the current frame is of is shown.
static bool
shows_its_volume (Fixture *fixture)
{
  const OdlFrame *frame = odl_session_frame (fixture->session);
  const int z = (int) odl_playback_position (odl_session_playback (fixture->session));

  if (!shows_planes (fixture))
    return false;
  g_autoptr (OdlSource) source = odl_source_open (fixture->path, NULL, NULL);
  g_autoptr (OdlImage) slice = odl_source_read_frame (source, z, NULL, NULL);
  g_autoptr (OdlImage) shown = odl_volume_slice (frame->volume, frame->voxel.at[2]);
  float a[WIDTH], b[WIDTH];
  odl_image_scaled_row (shown, 0, 5, 0, 0, a);
  odl_image_scaled_row (slice, 0, 5, 0, 0, b);
  return memcmp (a, b, sizeof a) == 0;
}

// The planes are those of the volume that the position is in; the cross-hair stays in it.
static void
test_volumes_over_time (Fixture *fixture, const void *data)
{
  write_volumes (fixture, 2, 255);
  odl_session_set_planes (fixture->session, true);
  odl_session_open (fixture->session, fixture->path, NULL);
  wait_until (fixture, shows_its_volume);
  g_assert_false (odl_session_counts_slices (fixture->session));
  OdlPlayback *playback = odl_session_playback (fixture->session);
  odl_playback_seek (playback, DEPTH + 3);
  wait_until (fixture, shows_its_volume);
  g_assert_cmpint (odl_session_voxel (fixture->session).at[2], ==, 3);
  odl_session_step_voxel (fixture->session, 2, 4);
  wait_until (fixture, shows_its_volume);
  g_assert_cmpint (odl_playback_position (playback), ==, DEPTH + 7);
  odl_session_step_voxel (fixture->session, 2, DEPTH);
  wait_until (fixture, shows_its_volume);
  g_assert_cmpint (odl_playback_position (playback), ==, 2 * DEPTH - 1);
}

static bool
shows_other_volume (Fixture *fixture)
{
  const OdlFrame *frame = odl_session_frame (fixture->session);

  g_assert_cmpint (frame->index % DEPTH, ==, 6);
  return frame->index >= DEPTH;
}

static bool
has_frame (Fixture *fixture)
{
  return odl_session_frame (fixture->session) != NULL;
}

static bool
shows_seventh (Fixture *fixture)
{
  const OdlFrame *frame = odl_session_frame (fixture->session);

  return frame != NULL && frame->index == 6;
}

// Playing goes to the other volume, to the same slice.
static void
test_playing (Fixture *fixture, const void *data)
{
  write_volumes (fixture, 2, 255);
  odl_session_set_planes (fixture->session, false);
  odl_session_open (fixture->session, fixture->path, NULL);
  wait_until (fixture, has_frame);
  OdlPlayback *playback = odl_session_playback (fixture->session);
  g_assert_cmpint (odl_playback_group (playback), ==, DEPTH);
  // The file has an interval of 0.25 s.
  g_assert_cmpfloat_with_epsilon (odl_playback_frame_rate (playback), 4, 1e-6);
  g_assert_cmpfloat_with_epsilon (odl_playback_length_s (playback), 0.5, 1e-6);
  odl_session_set_playing (fixture->session, false);
  odl_playback_seek (playback, 6);
  wait_until (fixture, shows_seventh);
  odl_session_set_playing (fixture->session, true);
  wait_until (fixture, shows_other_volume);
  odl_session_set_playing (fixture->session, false);
  odl_playback_seek (playback, DEPTH + 6);
  odl_playback_step_group (playback, 1);
  g_assert_cmpint (odl_playback_position (playback), ==, 6);
  odl_playback_step_group (playback, 1);
  g_assert_cmpint (odl_playback_position (playback), ==, DEPTH + 6);
  odl_playback_seek_group (playback, 0);
  g_assert_cmpint (odl_playback_position (playback), ==, 6);
}

// The volume `number`, filtered with those about it.
static OdlImage *
filter_in_time (Fixture *fixture, int number)
{
  const OdlFrame *frame = odl_session_frame (fixture->session);
  g_autoptr (OdlSource) source = odl_source_open (fixture->path, NULL, NULL);
  g_autoptr (OdlNeighbourReader) reader = odl_neighbour_reader_new (source, 1);
  g_autoptr (OdlNeighbours) neighbours
      = odl_neighbours_read (reader, number, 1, 1, false, NULL, NULL);
  g_autoptr (OdlEngine) engine = odl_engine_open (frame->engine, NULL);
  OdlImage *volume = odl_neighbours_find (neighbours, number);
  OdlGeometry geometry = odl_geometry_of (volume);
  geometry.in_time = true;
  geometry.neighbours = neighbours;
  g_autoptr (OdlPlan) plan = odl_plan_new (&frame->recipe, &geometry, NULL);
  return odl_engine_process (engine, plan, volume, NULL);
}

static bool
shows_with_neighbours (Fixture *fixture)
{
  const OdlFrame *frame = odl_session_frame (fixture->session);
  const int64_t number
      = odl_playback_position (odl_session_playback (fixture->session)) / DEPTH;

  return frame != NULL && session_is_quiet (fixture->session)
         && frame->planes == odl_session_shows_planes (fixture->session)
         && frame->plan->geometry.neighbours != NULL
         && odl_neighbours_at (frame->plan->geometry.neighbours) == number
         && frame->index / DEPTH == number;
}

// Kernels along time see the other volume, in planes and in a slice, at either end.
static void
test_kernel_in_time (Fixture *fixture, const void *data)
{
  OdlRecipe recipe;

  write_volumes (fixture, 2, 255);
  odl_recipe_init (&recipe);
  g_assert_true (odl_recipe_parse (
      &recipe, "convolve:shape=gaussian,size=3,border=symmetric,dimensions=4", NULL));
  odl_session_set_planes (fixture->session, true);
  odl_session_open (fixture->session, fixture->path, &recipe);
  wait_until (fixture, has_frame);
  for (int number = 1; number >= 0; number--) {
    odl_playback_seek (odl_session_playback (fixture->session), number * DEPTH + 4);
    wait_until (fixture, shows_with_neighbours);
    g_autoptr (OdlImage) volume = filter_in_time (fixture, number);
    g_autoptr (OdlImage) slice = odl_volume_slice (volume, 4);
    check_rows (odl_session_frame (fixture->session)->result, slice);
  }
  odl_session_set_planes (fixture->session, false);
  wait_until (fixture, shows_with_neighbours);
  g_autoptr (OdlImage) volume = filter_in_time (fixture, 0);
  g_autoptr (OdlImage) slice = odl_volume_slice (volume, 4);
  check_rows (odl_session_frame (fixture->session)->result, slice);
}

// The mean of slice `z` of three volumes, row by row.
static void
check_mean (Fixture *fixture, int z)
{
  g_autoptr (OdlSource) source = odl_source_open (fixture->path, NULL, NULL);
  float row[WIDTH], sum[HEIGHT][WIDTH] = { 0 }, shown[WIDTH + 500];

  for (int number = 0; number < 3; number++) {
    g_autoptr (OdlImage) slice
        = odl_source_read_frame (source, number * DEPTH + z, NULL, NULL);
    for (int y = 0; y < HEIGHT; y++) {
      odl_image_scaled_row (slice, 0, y, 0, 0, row);
      for (int x = 0; x < WIDTH; x++)
        sum[y][x] += row[x];
    }
  }
  for (int y = 0; y < HEIGHT; y++) {
    odl_image_scaled_row (odl_session_frame (fixture->session)->result, 0, y, 0, 0,
                          shown);
    for (int x = 0; x < WIDTH; x++)
      g_assert_cmpfloat_with_epsilon (shown[x], sum[y][x] / 3, 1e-5);
  }
}

static bool
knows_the_past (Fixture *fixture)
{
  const OdlFrame *frame = odl_session_frame (fixture->session);

  return frame != NULL && frame->index / DEPTH == 2 && session_is_quiet (fixture->session)
         && frame->past == ODL_PAST_KNOWN
         && frame->planes == odl_session_shows_planes (fixture->session);
}

static bool
knows_the_past_in_planes (Fixture *fixture)
{
  return knows_the_past (fixture) && shows_its_volume (fixture);
}

static bool
rests_in_planes (Fixture *fixture)
{
  const OdlFrame *frame = odl_session_frame (fixture->session);
  const int64_t at = odl_playback_position (odl_session_playback (fixture->session));

  return shows_its_volume (fixture) && frame->index == at
         && session_is_quiet (fixture->session);
}

// Filters over time see the same slice of the volumes before: in its lead-in, and in
// planes, where volumes follow one another.
static void
test_filters_over_time (Fixture *fixture, const void *data)
{
  OdlRecipe recipe;

  write_volumes (fixture, 3, 120); // larger changes would be a cut
  odl_recipe_init (&recipe);
  g_assert_true (odl_recipe_parse (&recipe, "sliding-mean:frames=3", NULL));
  odl_session_set_planes (fixture->session, false);
  odl_session_open (fixture->session, fixture->path, &recipe);
  wait_until (fixture, has_frame);
  OdlPlayback *playback = odl_session_playback (fixture->session);
  odl_session_set_playing (fixture->session, false);
  odl_playback_seek (playback, 2 * DEPTH + 9);
  wait_until (fixture, knows_the_past);
  check_mean (fixture, 9);

  odl_playback_seek (playback, 9);
  odl_session_set_planes (fixture->session, true);
  wait_until (fixture, rests_in_planes);
  odl_playback_step_group (playback, 1);
  wait_until (fixture, rests_in_planes);
  odl_playback_step_group (playback, 1);
  wait_until (fixture, knows_the_past_in_planes);
  check_mean (fixture, 9);

  // From elsewhere, too: those before it are read and filtered first.
  odl_playback_seek (playback, 9);
  wait_until (fixture, rests_in_planes);
  odl_playback_seek (playback, 2 * DEPTH + 9);
  wait_until (fixture, knows_the_past_in_planes);
  check_mean (fixture, 9);
}

static bool
is_at_work (Fixture *fixture)
{
  OdlVolumeWork work;
  return odl_session_volume_work (fixture->session, &work);
}

static int64_t
time_until_shown (Fixture *fixture)
{
  const int64_t begin = g_get_monotonic_time ();
  wait_until (fixture, shows_planes);
  return g_get_monotonic_time () - begin;
}

static void
open_registered (Fixture *fixture, const char *more)
{
  OdlRecipe recipe;

  odl_recipe_init (&recipe);
  g_autofree char *text
      = g_strconcat ("register:dimensions=3,with=", fixture->path, more, NULL);
  g_assert_true (odl_recipe_parse (&recipe, text, NULL));
  odl_session_set_planes (fixture->session, true);
  odl_session_open (fixture->session, fixture->path, &recipe);
}

static bool
is_same (OdlImage *a, OdlImage *b)
{
  float rows[2][WIDTH + 500];
  bool same = true;

  for (int y = 0; y < odl_image_info (a)->extent.y; y++) {
    odl_image_scaled_row (a, 0, y, 0, 0, rows[0]);
    odl_image_scaled_row (b, 0, y, 0, 0, rows[1]);
    for (int x = 0; x < odl_image_info (a)->extent.x; x++)
      same = same && fabsf (rows[0][x] - rows[1][x]) < 2e-3f;
  }
  return same;
}

// A volume registered to itself is not displaced: both halves of the wipe show one grid,
// in all planes, which is none of the volume's own.
static void
test_grids (Fixture *fixture, const void *data)
{
  open_registered (fixture, ",output=grid,iterations=1");
  wait_until (fixture, shows_planes);
  const OdlFrame *frame = odl_session_frame (fixture->session);
  g_assert_true (frame->gridded);
  g_assert_false (odl_frame_compares (frame));
  g_assert_true (is_same (frame->original, frame->result));
  g_assert_false (is_same (frame->original, frame->input));
}

// What takes long can be given up: its filter is off, which undo takes back.
static void
test_given_up (Fixture *fixture, const void *data)
{
  open_registered (fixture, ",iterations=30");
  wait_until (fixture, is_at_work);
  odl_session_give_up_volume (fixture->session);
  const int64_t given_up_us = time_until_shown (fixture);
  const OdlFrame *frame = odl_session_frame (fixture->session);
  g_assert_true (odl_session_recipe (fixture->session)->items[0].bypassed);
  g_assert_true (is_same (frame->result, frame->input));
  g_assert_null (fixture->said);
  odl_session_undo (fixture->session);
  g_assert_false (odl_session_recipe (fixture->session)->items[0].bypassed);
  wait_until (fixture, is_at_work);
  g_assert_cmpint (2 * given_up_us, <, time_until_shown (fixture));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/session/volume/three-planes-of-one-filtered-volume", Fixture, NULL,
              set_up, test_planes, tear_down);
  g_test_add ("/session/volume/thick-slices-before-and-after", Fixture, NULL, set_up,
              test_slab, tear_down);
  g_test_add ("/session/volume/too-large-goes-slice-by-slice", Fixture, NULL, set_up,
              test_too_large, tear_down);
  g_test_add ("/session/volume/a-registration-draws-its-grid-on-both", Fixture, NULL,
              set_up, test_grids, tear_down);
  g_test_add ("/session/volume/what-takes-long-is-given-up", Fixture, NULL, set_up,
              test_given_up, tear_down);
  g_test_add ("/session/volume/over-time", Fixture, NULL, set_up, test_volumes_over_time,
              tear_down);
  g_test_add ("/session/volume/playing-goes-along-time", Fixture, NULL, set_up,
              test_playing, tear_down);
  g_test_add ("/session/volume/kernels-reach-along-time", Fixture, NULL, set_up,
              test_kernel_in_time, tear_down);
  g_test_add ("/session/volume/filters-over-time-see-volumes", Fixture, NULL, set_up,
              test_filters_over_time, tear_down);
  return g_test_run ();
}
