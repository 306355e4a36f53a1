// SPDX-License-Identifier: MIT
// Thresholds of filters that see all slices of a volume: whichever slice is shown.
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "filter/measure.h"
#include "settle.h"

#include "../../helpers/disc.h"

#define SIDE 48
#define DEPTH 12
#define RECIPE "soft-threshold:levels=2,wavelet=haar,dimensions=3"

// The first and the last slices and one in the middle are empty.
static bool
is_empty (int z)
{
  return z < 2 || z == DEPTH / 2 || z > DEPTH - 3;
}

static char *
write_volume (const char *folder)
{
  static const char header[] = "ObjectType = Image\nNDims = 3\nDimSize = 48 48 12\n"
                               "ElementType = MET_USHORT\nElementDataFile = LOCAL\n";
  static guint16 samples[DEPTH * SIDE * SIDE];
  g_autoptr (GRand) random = g_rand_new_with_seed (3);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  char *path = g_build_filename (folder, "volume.mha", NULL);

  for (int i = 0; i < DEPTH * SIDE * SIDE; i++)
    if (!is_empty (i / (SIDE * SIDE)))
      samples[i] = (guint16) (2000 + 100 * odl_test_normal (random));
  g_byte_array_append (bytes, (const guint8 *) header, sizeof header - 1);
  g_byte_array_append (bytes, (const guint8 *) samples, sizeof samples);
  g_assert_true (
      g_file_set_contents (path, (const char *) bytes->data, bytes->len, NULL));
  return path;
}

static void
wait_for_numbers (OdlSession *session)
{
  const int64_t end = g_get_monotonic_time () + PATIENCE_US;

  while (!odl_recipe_is_measured (odl_session_recipe (session))
         && g_get_monotonic_time () < end)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (1000);
  settle (session);
}

// With that slice on screen, for which a filter is added; 0: it has the filter already.
static double
measured_at (const char *path, int z)
{
  g_autoptr (OdlSession) session = odl_session_new ();
  OdlRecipe recipe;
  const guint steps = z < 0 ? 1 : 2;

  odl_recipe_init (&recipe);
  g_assert_true (odl_recipe_parse (&recipe, RECIPE, NULL));
  odl_session_set_canvas (session, ODL_GL_NONE, 0, true);
  odl_session_open (session, path, z < 0 ? &recipe : NULL);
  settle (session);
  if (z >= 0) {
    odl_playback_seek (session->playback, z);
    settle (session);
    odl_session_set_recipe (session, &recipe, NULL);
  }
  wait_for_numbers (session);
  // What came late is no step of its own.
  g_assert_cmpuint (odl_session_history (session)->steps->len, ==, steps);
  odl_session_undo (session);
  odl_session_redo (session);
  g_assert_true (odl_recipe_is_measured (odl_session_recipe (session)));
  return odl_recipe_get (odl_session_recipe (session), 0, "threshold", 0);
}

static void
test_slices (void)
{
  g_autofree char *folder = g_dir_make_tmp ("ondelette-noise-XXXXXX", NULL);
  g_autofree char *path = write_volume (folder);
  const double first = measured_at (path, -1);

  // White noise of σ = 1 has √½ on level 2 of unit gain; the values take 12 bits.
  g_assert_cmpfloat_with_epsilon (first, G_SQRT2 / 2 * 100 / 4095, 0.001);
  for (int z = 0; z < DEPTH; z += 3)
    g_assert_cmpfloat (measured_at (path, z), ==, first);
  g_unlink (path);
  g_rmdir (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session/volume-noise/is-that-of-all-slices", test_slices);
  return g_test_run ();
}
