// SPDX-License-Identifier: MIT
// Letters of directions at the edges of pictures and of the planes of volumes.
#include "widgets/viewport/directions.h"

#include <math.h>
#include <stdlib.h>

#include "image/volume/oblique.h"

// At the left, right, upper and lower edge of a plane.
static char *
edges_of (const OdlPlanes *planes, OdlPlaneKind plane, const double axes[3][3])
{
  static const OdlPoint steps[] = { { -1, 0 }, { 1, 0 }, { 0, -1 }, { 0, 1 } };
  GString *text = g_string_new (NULL);
  const OdlOblique straight = odl_oblique_straight (planes, plane);
  double cosines[6];

  odl_oblique_cosines (&straight, axes, cosines);
  for (size_t i = 0; i < G_N_ELEMENTS (steps); i++) {
    char letters[ODL_DIRECTION_LETTERS + 1];
    odl_directions_letters (cosines, steps[i], letters);
    g_string_append_printf (text, "%s%s", i > 0 ? " " : "", letters);
  }
  return g_string_free (text, FALSE);
}

// Slices across the body from the feet up, from the head down, slices of a sagittal, a
// coronal and an oblique series, and of one whose axes are nearest to none: which way the
// three planes lie is read off a drawing of the patient.
static void
test_planes (void)
{
  static const struct {
    const char *orientation, *step;
    const char *axial, *coronal, *sagittal;
  } cases[] = {
    { "1\\0\\0\\0\\1\\0", "0\\0\\3", "R L A P", "R L H F", "A P H F" },
    { "1\\0\\0\\0\\1\\0", "0\\0\\-3", "R L A P", "R L H F", "A P H F" },
    { "0\\1\\0\\0\\0\\-1", "1.5\\0\\0", "R L A P", "R L H F", "A P H F" },
    { "-1\\0\\0\\0\\0\\-1", "0\\2\\0", "R L A P", "R L H F", "A P H F" },
    { "0.8\\0.6\\0\\-0.6\\0.8\\0", "0\\0\\1", "RA LP AL PR", "RA LP H F", "AL PR H F" },
    { "0.6\\0.8\\0\\0\\0\\-1", "0.8\\-0.6\\0", "RP LA AR PL", "RP LA H F", "AR PL H F" },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    OdlImageInfo info = { .extent = { 6, 5, 4, 1 } };
    double axes[3][3];
    g_assert_cmpint (odl_directions_axes (cases[i].orientation, cases[i].step, axes), ==,
                     3);
    odl_directions_nearest (axes, info.patient_axes);
    const OdlPlanes planes = odl_planes_of (&info);
    g_autofree char *axial = edges_of (&planes, ODL_PLANE_AXIAL, axes);
    g_autofree char *coronal = edges_of (&planes, ODL_PLANE_CORONAL, axes);
    g_autofree char *sagittal = edges_of (&planes, ODL_PLANE_SAGITTAL, axes);
    g_assert_cmpstr (axial, ==, cases[i].axial);
    g_assert_cmpstr (coronal, ==, cases[i].coronal);
    g_assert_cmpstr (sagittal, ==, cases[i].sagittal);
  }
}

// Each axis of the patient has one of the volume, also halfway between two of them.
static void
test_nearest (void)
{
  const double half = sqrt (0.5);
  const double between[3][3] = { { half, half, 0 }, { -half, half, 0 }, { 0, 0, -2 } };
  const double corner[3][3]
      = { { half, 0, half }, { -0.5, half, 0.5 }, { 0.5, half, -0.5 } };
  int8_t nearest[3];

  odl_directions_nearest (between, nearest);
  g_assert_cmpint (nearest[0], ==, 1);
  g_assert_cmpint (nearest[1], ==, 2);
  g_assert_cmpint (nearest[2], ==, -3);
  odl_directions_nearest (corner, nearest);
  g_assert_cmpint (abs (nearest[0]) * abs (nearest[1]) * abs (nearest[2]), ==, 6);
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

// Letters of radiographs, turned and flipped as the view may be.
static void
test_sides (void)
{
  static const OdlPoint upright[] = { { -1, 0 }, { 1, 0 }, { 0, -1 }, { 0, 1 } };
  static const OdlPoint turned[] = { { 0, 1 }, { 0, -1 }, { -1, 0 }, { 1, 0 } };
  static const OdlPoint flipped[] = { { 1, 0 }, { -1, 0 }, { 0, -1 }, { 0, 1 } };
  static const struct {
    const char *text;
    const OdlPoint *steps;
    const char *edges;
  } cases[] = {
    { "L\\F", upright, "R L H F" },       { "A\\R", upright, "P A L R" },
    { "P\\F", turned, "F H A P" },        { "R\\H", flipped, "R L F H" },
    { "AR\\FP", upright, "PL AR HA FP" }, { " L \\FAR ", upright, "R L HPL FAR" },
    { "LHA\\F", turned, "F H RFP LHA" },
  };
  static const char *const none[]
      = { NULL,    "",      "\\",   "L",    "L\\",     "L\\L",    "L\\R", "L\\RF",
          "LL\\F", "LR\\F", "X\\F", "l\\f", "L\\F\\P", "LPHL\\F", "1\\0" };
  double cosines[6];

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GString) text = g_string_new (NULL);
    g_assert_true (odl_directions_parse_sides (cases[i].text, cosines));
    for (size_t edge = 0; edge < G_N_ELEMENTS (upright); edge++) {
      char letters[ODL_DIRECTION_LETTERS + 1];
      odl_directions_letters (cosines, cases[i].steps[edge], letters);
      g_string_append_printf (text, "%s%s", edge > 0 ? " " : "", letters);
    }
    g_assert_cmpstr (text->str, ==, cases[i].edges);
  }
  for (size_t i = 0; i < G_N_ELEMENTS (none); i++)
    g_assert_false (odl_directions_parse_sides (none[i], cosines));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/directions/planes-have-the-letters-of-their-axes", test_planes);
  g_test_add_func ("/directions/each-axis-has-one-of-the-patient", test_nearest);
  g_test_add_func ("/directions/what-is-not-said-has-none", test_unknown);
  g_test_add_func ("/directions/sides-of-radiographs", test_sides);
  g_test_add_func ("/directions/places-are-those-of-nibabel", test_places);
  return g_test_run ();
}
