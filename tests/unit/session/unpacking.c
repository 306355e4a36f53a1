// SPDX-License-Identifier: MIT
// Files that are unpacked whole before anything of them can be seen: how far that is, and
// giving it up.
#include "source/unpacking.h"

#include <glib/gstdio.h>
#include <zlib.h>

#include "folder.h"
#include "session/session.h"

#define SIDE 1024
#define ITEMS 80 // a byte of each pixel, more than the decoder takes into memory
#define TOTAL ((uint64_t) SIDE * SIDE * ITEMS)
#define PATIENCE_US (600 * G_USEC_PER_SEC)
#define SMALL "phantom:64x64"

// What was told, by the thread that opens; it may be held there.
typedef struct {
  GMutex mutex;
  GCond cond;
  GArray *done; // uint64_t
  int ended;
  bool holds; // until the test has looked
} Told;

static Told *
told (void)
{
  static Told all;

  return &all;
}

static void
told_cb (const OdlUnpacking *unpacking)
{
  Told *all = told ();

  g_assert_cmpuint (unpacking->total, ==, TOTAL);
  g_assert_true (g_str_has_suffix (unpacking->location, "list.nrrd"));
  g_mutex_lock (&all->mutex);
  g_array_append_val (all->done, unpacking->done);
  all->ended += unpacking->ended;
  while (all->holds)
    g_cond_wait (&all->cond, &all->mutex);
  g_mutex_unlock (&all->mutex);
}

static void
begin (bool holds)
{
  Told *all = told ();

  g_clear_pointer (&all->done, g_array_unref);
  all->done = g_array_new (FALSE, FALSE, sizeof (uint64_t));
  all->ended = 0;
  all->holds = holds;
}

static void
let_go (void)
{
  Told *all = told ();

  g_mutex_lock (&all->mutex);
  all->holds = false;
  g_cond_broadcast (&all->cond);
  g_mutex_unlock (&all->mutex);
}

// A sequence with the list first, as 3D Slicer wrote them until 5.8.
static char *
make_file (const char *folder)
{
  static uint8_t row[SIDE * ITEMS];
  char *path = g_build_filename (folder, "list.nrrd", NULL);
  g_autofree char *head
      = g_strdup_printf ("NRRD0005\ntype: uint8\ndimension: 3\nsizes: %d %d %d\nkinds: "
                         "list domain domain\nencoding: gzip\n\n",
                         ITEMS, SIDE, SIDE);

  g_assert_true (g_file_set_contents (path, head, -1, NULL));
  gzFile packed = gzopen (path, "ab1");
  g_assert_nonnull (packed);
  for (int y = 0; y < SIDE; y++) {
    for (size_t i = 0; i < sizeof row; i++)
      row[i] = (uint8_t) (y + (int) (i % ITEMS));
    g_assert_cmpint (gzwrite (packed, row, sizeof row), ==, (int) sizeof row);
  }
  g_assert_cmpint (gzclose (packed), ==, Z_OK);
  return path;
}

static bool
has_ended (void)
{
  Told *all = told ();

  g_mutex_lock (&all->mutex);
  const bool ended = all->ended > 0;
  g_mutex_unlock (&all->mutex);
  return ended;
}

static void
await_open (OdlSession *session)
{
  const int64_t end = g_get_monotonic_time () + PATIENCE_US;

  while (odl_session_opening (session) && g_get_monotonic_time () < end)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (500);
  g_assert_null (odl_session_opening (session));
}

static void
test_told (const char *path)
{
  OdlSession *session = odl_session_new ();
  Told *all = told ();

  begin (true);
  g_assert_cmpfloat (odl_session_unpacked (session), <, 0);
  odl_session_open (session, path, NULL);
  const int64_t end = g_get_monotonic_time () + PATIENCE_US;
  while (odl_session_unpacked (session) < 0 && g_get_monotonic_time () < end)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (500);
  g_assert_cmpfloat (odl_session_unpacked (session), >=, 0);
  let_go ();
  await_open (session);
  g_assert_cmpfloat (odl_session_unpacked (session), <, 0);
  g_assert_cmpint (odl_session_info (session)->n_frames, ==, ITEMS);
  g_assert_cmpint (all->ended, ==, 1);
  g_assert_cmpuint (all->done->len, >=, 2);
  const uint64_t *done = (const uint64_t *) (void *) all->done->data;
  g_assert_cmpuint (done[0], ==, 0);
  g_assert_cmpuint (done[all->done->len - 1], ==, TOTAL);
  for (guint i = 1; i < all->done->len; i++)
    g_assert_cmpuint (done[i], >=, done[i - 1]);
  g_assert_finalize_object (session);
}

static void
test_given_up (const char *path)
{
  OdlSession *session = odl_session_new ();

  begin (false);
  odl_session_open (session, SMALL, NULL);
  await_open (session);
  begin (true);
  odl_session_open (session, path, NULL);
  const int64_t end = g_get_monotonic_time () + PATIENCE_US;
  while (odl_session_unpacked (session) < 0 && g_get_monotonic_time () < end)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (500);
  odl_session_cancel_open (session);
  g_assert_null (odl_session_opening (session));
  g_assert_cmpfloat (odl_session_unpacked (session), <, 0);
  let_go ();
  // It ends, and what is shown stays.
  while (!has_ended () && g_get_monotonic_time () < end)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (500);
  g_assert_true (has_ended ());
  g_assert_cmpstr (odl_session_info (session)->location, ==, SMALL);
  g_assert_finalize_object (session);
}

int
main (int argc, char **argv)
{
  char *folder = g_dir_make_tmp ("ondelette-XXXXXX", NULL);
  g_setenv ("XDG_CACHE_HOME", folder, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_autofree char *path = make_file (folder);
  odl_unpacking_tell (told_cb);
  g_test_add_data_func ("/unpacking/how-far-it-is-is-told", path,
                        (GTestDataFunc) test_told);
  g_test_add_data_func ("/unpacking/it-can-be-given-up", path,
                        (GTestDataFunc) test_given_up);
  return odl_test_run_in (folder);
}
