// SPDX-License-Identifier: MIT
// Volumes over time that are read more slowly than they are played: what is said of a
// picture is what it shows.
#include <glib/gstdio.h>
#include <string.h>

#include "image/volume/volume.h"
#include "session/volume_reader.h"
#include "settle.h"

#define SIDE 96
#define DEPTH 24
#define N_VOLUMES 24
#define HEADER 352

typedef struct {
  char *folder;
  char *path;
  OdlSession *session;
  int n_frames; // that were ready with a volume
  int n_late; // of these, behind the player
  int n_changes; // of the volume shown
  int shown; // −1: none
  int leap; // the most volumes that one was after the one before
  bool hidden; // nothing is painted
} Fixture;

// Of each volume every sample is its number; one is shown for 2 ms.
static void
write_volumes (const char *path)
{
  const gint16 dim[] = { 4, SIDE, SIDE, DEPTH, N_VOLUMES, 1, 1, 1 };
  static const float pixdim[] = { 1, 1, 1, 1, 2 };
  const size_t each = (size_t) SIDE * SIDE * DEPTH;
  g_autofree guint8 *bytes = g_malloc0 (HEADER + N_VOLUMES * each);
  const gint32 size = 348;
  const gint16 code = 2, bits = 8;
  const float offset = HEADER;

  memcpy (bytes, &size, sizeof size);
  memcpy (bytes + 40, dim, sizeof dim);
  memcpy (bytes + 70, &code, sizeof code);
  memcpy (bytes + 72, &bits, sizeof bits);
  memcpy (bytes + 76, pixdim, sizeof pixdim);
  memcpy (bytes + 108, &offset, sizeof offset);
  bytes[123] = 2 | 16; // mm, milliseconds
  memcpy (bytes + 344, "n+1", 4);
  for (int t = 0; t < N_VOLUMES; t++)
    memset (bytes + HEADER + t * each, t, each);
  g_assert_true (g_file_set_contents (path, (const char *) bytes,
                                      (gssize) (HEADER + N_VOLUMES * each), NULL));
}

// The frame's number is that of its volume; it is painted at once.
static void
ready_cb (OdlSession *session, Fixture *fixture)
{
  OdlFrame *frame = odl_session_frame (session);
  float row[4 * SIDE + 500];

  if (frame == NULL)
    return;
  if (frame->volume == NULL) {
    odl_session_painted (session, frame);
    return;
  }
  g_autoptr (OdlImage) slice = odl_volume_slice (frame->volume, 0);
  odl_image_scaled_row (slice, 0, 0, 0, 0, row);
  const OdlImageInfo *info = odl_image_info (slice);
  const double range = info->stored_max - info->stored_min;
  const int shown = (int) (info->stored_min + range * (double) row[0] + 0.5);
  const int64_t at = odl_playback_position (odl_session_playback (session)) / DEPTH;
  g_assert_cmpint (frame->index / DEPTH, ==, shown);
  fixture->n_frames++;
  fixture->n_late += shown != at;
  fixture->n_changes += shown != fixture->shown;
  fixture->leap = MAX (fixture->leap, (shown - fixture->shown + N_VOLUMES) % N_VOLUMES);
  fixture->shown = shown;
  if (!fixture->hidden)
    odl_session_painted (session, frame);
}

static void
iterate_until (Fixture *fixture, int n_changes)
{
  const int64_t end = g_get_monotonic_time () + PATIENCE_US;

  while (fixture->n_changes < n_changes && g_get_monotonic_time () < end)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (200);
  g_assert_cmpint (fixture->n_changes, >=, n_changes);
}

static void
set_up (Fixture *fixture, const void *data)
{
  fixture->shown = -1;
  fixture->folder = g_dir_make_tmp ("ondelette-volume-XXXXXX", NULL);
  fixture->path = g_build_filename (fixture->folder, "beats.nii", NULL);
  write_volumes (fixture->path);
  fixture->session = odl_session_new ();
  odl_session_set_canvas (fixture->session, ODL_GL_NONE, 0, true);
  g_signal_connect (fixture->session, "frame-ready", G_CALLBACK (ready_cb), fixture);
  odl_session_set_planes (fixture->session, true);
}

static void
tear_down (Fixture *fixture, const void *data)
{
  g_assert_finalize_object (fixture->session);
  g_unlink (fixture->path);
  g_rmdir (fixture->folder);
  g_free (fixture->path);
  g_free (fixture->folder);
}

static void
test_late (Fixture *fixture, const void *data)
{
  odl_session_open (fixture->session, fixture->path, NULL);
  iterate_until (fixture, 1);
  odl_session_set_playing (fixture->session, true);
  iterate_until (fixture, 2);
  // From here on, everything that is painted shows planes of a volume.
  const guint64 painted = odl_session_n_painted (fixture->session);
  const int changes = fixture->n_changes;
  iterate_until (fixture, 12);
  g_assert_cmpint (fixture->n_late, >, 0);
  // A rate is of volumes; the frames between them are dropped, which is told.
  g_assert_cmpuint (odl_session_n_painted (fixture->session) - painted, ==,
                    fixture->n_changes - changes);
  g_assert_cmpuint (odl_session_dropped (fixture->session), >, 0);
}

// With a filter that sees the volumes about each one.
static void
open_filtered (Fixture *fixture)
{
  OdlRecipe recipe;

  odl_recipe_init (&recipe);
  g_assert_true (odl_recipe_parse (
      &recipe, "convolve:size=3,duration=5,dimensions=4,border=symmetric", NULL));
  odl_session_open (fixture->session, fixture->path, &recipe);
  iterate_until (fixture, 1);
}

// As fast as possible each volume is filtered with those about it, and waited for.
static void
test_fast (Fixture *fixture, const void *data)
{
  open_filtered (fixture);
  odl_playback_set_speed (odl_session_playback (fixture->session), ODL_SPEED_FAST);
  odl_session_set_playing (fixture->session, true);
  iterate_until (fixture, 2);
  fixture->leap = 0;
  iterate_until (fixture, 2 * N_VOLUMES);
  g_assert_cmpint (fixture->leap, ==, 1);
}

// Nothing waits for volumes that nobody looks at any more.
static void
test_slices_again (Fixture *fixture, const void *data)
{
  OdlRecipe recipe;

  open_filtered (fixture);
  odl_playback_set_speed (odl_session_playback (fixture->session), ODL_SPEED_FAST);
  odl_session_set_playing (fixture->session, true);
  iterate_until (fixture, 4);
  odl_recipe_init (&recipe);
  odl_session_set_recipe (fixture->session, &recipe, NULL);
  odl_session_set_planes (fixture->session, false);
  const int64_t end = g_get_monotonic_time () + PATIENCE_US;
  const guint64 painted = odl_session_n_painted (fixture->session);
  while (odl_session_n_painted (fixture->session) < painted + 100
         && g_get_monotonic_time () < end)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (200);
  g_assert_cmpuint (odl_session_n_painted (fixture->session), >=, painted + 100);
}

static int
player_stride (Fixture *fixture)
{
  OdlPlayer *player = odl_playback_player (fixture->session->playback);

  g_mutex_lock (&player->mutex);
  const int n = player->stride;
  g_mutex_unlock (&player->mutex);
  return n;
}

static void
iterate_until_stride (Fixture *fixture, bool any)
{
  const int64_t end = g_get_monotonic_time () + PATIENCE_US;

  while ((player_stride (fixture) > 0) != any && g_get_monotonic_time () < end)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (200);
  g_assert_cmpint (player_stride (fixture) > 0, ==, any);
}

static void
iterate_until_arrived (Fixture *fixture, int n)
{
  const int64_t end = g_get_monotonic_time () + PATIENCE_US;
  const guint64 last = fixture->session->arrival + (guint64) n;

  while (fixture->session->arrival < last && g_get_monotonic_time () < end)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (200);
  g_assert_cmpuint (fixture->session->arrival, >=, last);
}

// Reading takes longer than a volume lasts: the clock waits.
static void
play_slowly (Fixture *fixture)
{
  open_filtered (fixture);
  odl_session_set_playing (fixture->session, true);
  iterate_until_stride (fixture, true);
}

// What was read is kept: from the second time on the clock drives, in a range, too.
static void
test_kept (Fixture *fixture, const void *data)
{
  const bool *ranged = data;

  fixture->hidden = ranged == NULL;
  play_slowly (fixture);
  if (ranged)
    odl_playback_set_range (fixture->session->playback, 2 * DEPTH, 6 * DEPTH - 1);
  iterate_until_stride (fixture, false);
  if (!ranged) {
    // One that was not read yet holds it again, but in the end all were.
    iterate_until (fixture, fixture->n_changes + 2 * N_VOLUMES);
    iterate_until_stride (fixture, false);
  }
  const int changes = fixture->n_changes;
  iterate_until (fixture, changes + 8);
  g_assert_cmpint (player_stride (fixture), ==, 0);
  g_assert_cmpint (fixture->session->volume_reader->volume_us, ==, 0);
}

// A clock that waited goes on from what is shown.
static void
test_goes_on (Fixture *fixture, const void *data)
{
  play_slowly (fixture);
  OdlPlayer *player = odl_playback_player (fixture->session->playback);
  odl_player_set_stride (player, 1);
  g_usleep (400000); // nothing is received, and two are sent
  odl_player_set_stride (player, 0);
  const int64_t since_us = g_get_monotonic_time () - player_base_us (player);
  g_assert_cmpint (since_us, <, 200000);
}

// Nobody paints. Filters that look at no others, in slices: nothing is waited for.
static void
test_other_recipe (Fixture *fixture, const void *data)
{
  OdlRecipe none;

  fixture->hidden = true;
  play_slowly (fixture);
  odl_recipe_init (&none);
  odl_session_set_planes (fixture->session, false);
  odl_session_set_recipe (fixture->session, &none, NULL);
  odl_session_set_playing (fixture->session, true);
  odl_session_settle (fixture->session);
  g_assert_cmpint (player_stride (fixture), ==, 0);
  iterate_until_arrived (fixture, 10);
  g_assert_cmpint (player_stride (fixture), ==, 0);
}

// Told with the next picture.
static void
test_other_speed (Fixture *fixture, const void *data)
{
  OdlVolumeReader *reader = fixture->session->volume_reader;

  play_slowly (fixture);
  odl_session_set_playing (fixture->session, false);
  settle (fixture->session);
  reader->volume_us = 4000; // one lasts 2 ms
  reader->filter_us = 1;
  static const struct {
    double speed;
    int stride;
  } cases[] = { { 1, 1 }, { 0.25, 0 }, { 1, 1 }, { ODL_SPEED_FAST, 0 } };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    odl_playback_set_speed (fixture->session->playback, cases[i].speed);
    odl_session_mark (fixture->session, ODL_MARK_PICTURE);
    odl_session_settle (fixture->session);
    g_assert_cmpint (player_stride (fixture), ==, cases[i].stride);
  }
}

// Slices are shown where volumes can no longer be read, and go on though none is painted.
static void
test_unreadable (Fixture *fixture, const void *data)
{
  OdlVolumeReader *reader = fixture->session->volume_reader;

  fixture->hidden = true;
  play_slowly (fixture);
  odl_session_set_playing (fixture->session, false);
  settle (fixture->session);
  for (const int64_t end = g_get_monotonic_time () + PATIENCE_US;
       (reader->job || reader->ahead_job) && g_get_monotonic_time () < end;)
    g_main_context_iteration (NULL, FALSE);
  g_unlink (fixture->path);
  g_clear_pointer (&reader->source, odl_neighbour_reader_free);
  g_clear_pointer (&reader->ahead, odl_neighbours_unref);
  odl_session_set_playing (fixture->session, true);
  for (const int64_t end = g_get_monotonic_time () + PATIENCE_US;
       !reader->failed && g_get_monotonic_time () < end;)
    g_main_context_iteration (NULL, FALSE);
  g_assert_true (reader->failed);
  iterate_until_arrived (fixture, 10);
  g_assert_cmpint (player_stride (fixture), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/session/volume-time/late-volumes-have-their-own-number", Fixture, NULL,
              set_up, test_late, tear_down);
  g_test_add ("/session/volume-time/as-fast-as-possible-leaves-no-volume-out", Fixture,
              NULL, set_up, test_fast, tear_down);
  g_test_add ("/session/volume-time/slices-play-on-as-fast-as-possible", Fixture, NULL,
              set_up, test_slices_again, tear_down);
  static const bool ranged = true;
  g_test_add ("/session/volume-time/kept-volumes-leave-the-clock-alone", Fixture, NULL,
              set_up, test_kept, tear_down);
  g_test_add ("/session/volume-time/kept-volumes-of-a-range", Fixture, &ranged, set_up,
              test_kept, tear_down);
  g_test_add ("/session/volume-time/the-clock-goes-on-from-there", Fixture, NULL, set_up,
              test_goes_on, tear_down);
  g_test_add ("/session/volume-time/another-recipe-waits-for-nothing", Fixture, NULL,
              set_up, test_other_recipe, tear_down);
  g_test_add ("/session/volume-time/another-speed-is-obeyed", Fixture, NULL, set_up,
              test_other_speed, tear_down);
  g_test_add ("/session/volume-time/unreadable-volumes-do-not-stop-it", Fixture, NULL,
              set_up, test_unreadable, tear_down);
  return g_test_run ();
}
