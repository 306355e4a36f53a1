// SPDX-License-Identifier: MIT
// Where slices lie in the patient, and which slice of another source lies there.
#include "session/slice_places.h"

#include <string.h>

// Details as pairs, ended by NULL.
static const char *
detail_cb (const char *key, void *data)
{
  const char *const *pairs = data;
  for (; pairs[0]; pairs += 2)
    if (g_str_equal (pairs[0], key))
      return pairs[1];
  return NULL;
}

static OdlSlicePlaces *
make (const char *frame,
      const char *position,
      const char *orientation,
      const char *key,
      const char *value,
      int n)
{
  const char *const pairs[] = { "image-position",     position, "image-orientation",
                                orientation,          key,      value,
                                "frame-of-reference", frame,    NULL };
  return odl_slice_places_new (detail_cb, (void *) pairs, n);
}

#define AXIAL "1\\0\\0\\0\\1\\0"
#define AXIAL_FROM_ABOVE "-1\\0\\0\\0\\1\\0"
#define CORONAL "1\\0\\0\\0\\0\\-1"

static void
slices_lie_along_the_normal (void)
{
  g_autoptr (OdlSlicePlaces) listed
      = make ("1.2", "0\\0\\-7", AXIAL, "slice-places", "-7\\-2\\1.5", 3);
  g_autoptr (OdlSlicePlaces) stepped
      = make ("1.2", "3\\4\\10", AXIAL, "slice-step", "0.5\\0\\2.5", 4);
  // Rows along x, columns along −z: the normal is y.
  g_autoptr (OdlSlicePlaces) coronal
      = make ("1.2", "0\\-20\\0", CORONAL, "slice-step", "0\\3\\0", 2);
  g_assert_cmpfloat (listed->along[1], ==, -2);
  g_assert_cmpfloat (stepped->along[0], ==, 10);
  g_assert_cmpfloat (stepped->along[3], ==, 17.5);
  g_assert_cmpfloat (coronal->along[1], ==, -17);
  g_assert_true (odl_slice_places_are_parallel (listed, stepped));
  g_assert_false (odl_slice_places_are_parallel (listed, coronal));
}

static void
the_nearest_one_is_found (void)
{
  g_autoptr (OdlSlicePlaces) fine
      = make ("1.2", "0\\0\\0", AXIAL, "slice-step", "0\\0\\1", 20);
  g_autoptr (OdlSlicePlaces) uneven
      = make ("1.2", "0\\0\\2", AXIAL, "slice-places", "2\\5\\11", 3);
  // The same planes counted from the head: their normal points to the feet.
  g_autoptr (OdlSlicePlaces) turned
      = make ("1.2", "0\\0\\11", AXIAL_FROM_ABOVE, "slice-places", "-11\\-5\\-2", 3);
  double distance;
  g_assert_cmpint (odl_slice_places_find (fine, 4, uneven, &distance), ==, 1);
  g_assert_cmpfloat (distance, ==, 1);
  g_assert_cmpint (odl_slice_places_find (fine, 8, uneven, &distance), ==, 1); // of two
  g_assert_cmpint (odl_slice_places_find (fine, 19, uneven, &distance), ==, 2);
  g_assert_cmpfloat (distance, ==, 8);
  g_assert_false (odl_slice_places_is_near (fine, uneven, distance));
  g_assert_true (odl_slice_places_is_near (fine, uneven, 3));
  g_assert_cmpint (odl_slice_places_find (fine, 4, turned, &distance), ==, 1);
  g_assert_cmpfloat (distance, ==, 1);
  g_assert_cmpint (odl_slice_places_find (turned, 2, fine, &distance), ==, 2);
  g_assert_cmpfloat (distance, ==, 0);
}

static void
a_point_is_at_the_same_place (void)
{
  g_autoptr (OdlSlicePlaces) a = make ("1.2", "-10\\3\\0", CORONAL, "x", "", 1);
  g_autoptr (OdlSlicePlaces) b = make ("1.2", "2\\7\\-4", CORONAL, "x", "", 1);
  g_autoptr (OdlSlicePlaces) axial = make ("1.2", "0\\0\\0", AXIAL, "x", "", 1);
  const double fine[] = { 0.5, 0.25 }, coarse[] = { 2, 1 };
  double point[2], back[2];
  g_assert_true (odl_slice_places_run_alike (a, b));
  g_assert_false (odl_slice_places_run_alike (a, axial));
  // x = −10 + 39.5 ∙ ½ = 9.75 = 2 + 3.875 ∙ 2; z = −(12 − ½) ∙ ¼ = −2.875 = −4 + 1.125
  odl_slice_places_same_point (a, fine, b, coarse, (const double[]){ 40, 12 }, point);
  g_assert_cmpfloat_with_epsilon (point[0], 4.375, 1e-12);
  g_assert_cmpfloat_with_epsilon (point[1], -0.625, 1e-12);
  odl_slice_places_same_point (b, coarse, a, fine, point, back);
  g_assert_cmpfloat_with_epsilon (back[0], 40, 1e-12);
  g_assert_cmpfloat_with_epsilon (back[1], 12, 1e-12);
}

static void
a_voxel_is_at_the_same_place (void)
{
  g_autoptr (OdlSlicePlaces) a
      = make ("1.2", "-10\\3\\0", CORONAL, "slice-step", "0\\4\\0", 5);
  g_autoptr (OdlSlicePlaces) b
      = make ("1.2", "2\\7\\-4", AXIAL, "slice-step", "0\\1\\5", 9);
  g_autoptr (OdlSlicePlaces) flat
      = make ("1.2", "0\\0\\0", AXIAL, "slice-step", "1\\0\\0", 9);
  const double fine[] = { 0.5, 0.25 }, coarse[] = { 2, 1 };
  const int voxel[3] = { 40, 12, 3 };
  double at[3];
  g_assert_true (odl_slice_places_same_voxel (a, fine, b, coarse, voxel, at));
  // x = −10 + 20 = 10 = 2 + 4 ∙ 2; z = −3 = −4 + ⅕ ∙ 5; y = 3 + 12 = 15 = 7 + 7.8 + ⅕
  g_assert_cmpfloat_with_epsilon (at[0], 4, 1e-12);
  g_assert_cmpfloat_with_epsilon (at[1], 7.8, 1e-12);
  g_assert_cmpfloat_with_epsilon (at[2], 0.2, 1e-12);
  g_assert_false (odl_slice_places_same_voxel (a, fine, flat, coarse, voxel, at));
}

static void
frames_are_compared_by_name (void)
{
  g_autoptr (OdlSlicePlaces) a = make ("1.2", "0\\0\\0", AXIAL, "x", "", 1);
  g_autoptr (OdlSlicePlaces) b = make ("1.2", "0\\0\\9", AXIAL, "x", "", 1);
  g_autoptr (OdlSlicePlaces) other = make ("1.3", "0\\0\\0", AXIAL, "x", "", 1);
  g_autoptr (OdlSlicePlaces) none = make ("", "0\\0\\0", AXIAL, "x", "", 1);
  g_assert_true (odl_slice_places_share_frame (a, b));
  g_assert_false (odl_slice_places_share_frame (a, other));
  g_assert_false (odl_slice_places_share_frame (a, none));
  // Nothing is at the same place as what names no frame.
  g_assert_false (odl_slice_places_share_frame (none, none));
}

static void
lies_are_no_places (void)
{
  static const struct {
    const char *position, *orientation, *key, *value;
    int n;
  } rows[] = {
    { NULL, AXIAL, "x", "", 1 },
    { "0\\0", AXIAL, "x", "", 1 },
    { "0\\0\\nan", AXIAL, "x", "", 1 },
    { "0\\0\\1e400", AXIAL, "x", "", 1 },
    { "0\\0\\0", "1\\0\\0\\1\\0\\0", "x", "", 1 }, // no plane
    { "0\\0\\0", "1\\0\\0\\0\\1", "x", "", 1 },
    { "0\\0\\0", AXIAL, "x", "", 2 }, // nothing says where the second one lies
    { "0\\0\\0", AXIAL, "slice-places", "1\\2", 3 },
    { "0\\0\\0", AXIAL, "slice-places", "1\\\\3", 3 },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    OdlSlicePlaces *places = make ("1.2", rows[i].position, rows[i].orientation,
                                   rows[i].key, rows[i].value, rows[i].n);
    if (places)
      g_error ("row %d", (int) i);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/slice-places/slices-lie-along-the-normal",
                   slices_lie_along_the_normal);
  g_test_add_func ("/slice-places/the-nearest-one-is-found", the_nearest_one_is_found);
  g_test_add_func ("/slice-places/a-point-is-at-the-same-place",
                   a_point_is_at_the_same_place);
  g_test_add_func ("/slice-places/a-voxel-is-at-the-same-place",
                   a_voxel_is_at_the_same_place);
  g_test_add_func ("/slice-places/frames-are-compared-by-name",
                   frames_are_compared_by_name);
  g_test_add_func ("/slice-places/lies-are-no-places", lies_are_no_places);
  return g_test_run ();
}
