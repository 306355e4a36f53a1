// SPDX-License-Identifier: MIT
// Letters of directions at the edges of pictures and of the planes of volumes.
#include "widgets/viewport/directions.h"

#include <glib.h>

// At the left, right, upper and lower edge of a plane.
static char *
edges_of (const double axes[3][3], int across, int down)
{
  static const OdlPoint steps[] = { { -1, 0 }, { 1, 0 }, { 0, -1 }, { 0, 1 } };
  GString *text = g_string_new (NULL);
  double cosines[6];

  odl_directions_plane (axes, across, down, cosines);
  for (size_t i = 0; i < G_N_ELEMENTS (steps); i++) {
    char letters[ODL_DIRECTION_LETTERS + 1];
    odl_directions_letters (cosines, steps[i], letters);
    g_string_append_printf (text, "%s%s", i > 0 ? " " : "", letters);
  }
  return g_string_free (text, FALSE);
}

// Slices across the body from the feet up, from the head down, and slices of a sagittal
// series: which way the three planes lie is read off a drawing of the patient.
static void
test_planes (void)
{
  static const struct {
    const char *orientation, *step;
    const char *axial, *coronal, *sagittal;
  } cases[] = {
    { "1\\0\\0\\0\\1\\0", "0\\0\\3", "R L A P", "R L H F", "A P H F" },
    { "1\\0\\0\\0\\1\\0", "0\\0\\-3", "R L A P", "R L F H", "A P F H" },
    { "0\\1\\0\\0\\0\\-1", "1.5\\0\\0", "A P H F", "A P L R", "H F L R" },
    { "0.8\\0.6\\0\\-0.6\\0.8\\0", "0\\0\\1", "RA LP AL PR", "RA LP H F", "AL PR H F" },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    double axes[3][3];
    g_assert_cmpint (odl_directions_axes (cases[i].orientation, cases[i].step, axes), ==,
                     3);
    g_autofree char *axial = edges_of (axes, 0, 1);
    g_autofree char *coronal = edges_of (axes, 0, 2);
    g_autofree char *sagittal = edges_of (axes, 1, 2);
    g_assert_cmpstr (axial, ==, cases[i].axial);
    g_assert_cmpstr (coronal, ==, cases[i].coronal);
    g_assert_cmpstr (sagittal, ==, cases[i].sagittal);
  }
}

// What the file does not say, or says in a way that cannot be.
static void
test_unknown (void)
{
  static const struct {
    const char *orientation, *step;
    int known;
  } cases[] = {
    { NULL, "0\\0\\1", 0 },
    { "1\\0\\0\\1\\0\\0", "0\\0\\1", 0 },
    { "1\\0\\0\\0\\1", "0\\0\\1", 0 },
    { "1\\0\\0\\0\\1\\0", NULL, 2 },
    { "1\\0\\0\\0\\1\\0", "0\\0\\0", 2 },
    { "1\\0\\0\\0\\1\\0", "0\\0\\nan", 2 },
    { "1\\0\\0\\0\\1\\0", "0\\0", 2 },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    double axes[3][3];
    g_assert_cmpint (odl_directions_axes (cases[i].orientation, cases[i].step, axes), ==,
                     cases[i].known);
  }
}

// By nibabel's affine matrix of its example4d.nii.gz, whose rows are stored from the
// back.
static void
test_places (void)
{
  static const char *const orientation = "1\\0\\0\\0\\0.986855719\\-0.161603804";
  static const char *const position = "-117.855102539\\-151.779649258\\23.455925226";
  static const char *const step = "0\\0.355528235\\2.171081781";
  static const double spacing[] = { 2, 2 };
  g_autofree char *near = odl_directions_place (position, orientation, step, spacing,
                                                (const double[]){ 41, 4, 12 });
  g_autofree char *far = odl_directions_place (position, orientation, step, spacing,
                                               (const double[]){ 127, 95, 23 });
  g_assert_cmpstr (near, ==, "R 35.9 · A 139.6 · H 48.2 mm");
  g_assert_cmpstr (far, ==, "L 136.1 · P 43.9 · H 42.7 mm");
  // What lies nowhere, or farther away than numbers go.
  static const double nowhere[] = { 0, 2 }, voxel[] = { 1, 1, 1 };
  static const double unlikely[] = { 1e308, 1e308 }, late[] = { 1e9, 1, 1 };
  g_assert_null (odl_directions_place (NULL, orientation, step, spacing, voxel));
  g_assert_null (odl_directions_place (position, "1\\0", step, spacing, voxel));
  g_assert_null (odl_directions_place (position, orientation, NULL, spacing, voxel));
  g_assert_null (odl_directions_place (position, orientation, step, nowhere, voxel));
  g_assert_null (odl_directions_place (position, orientation, step, unlikely, late));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/directions/planes-have-the-letters-of-their-axes", test_planes);
  g_test_add_func ("/directions/what-is-not-said-has-none", test_unknown);
  g_test_add_func ("/directions/places-are-those-of-nibabel", test_places);
  return g_test_run ();
}
