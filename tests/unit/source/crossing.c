// SPDX-License-Identifier: MIT
// Reference lines: where pictures cross each other.
#include "source/dicom/crossing.h"

#include <glib.h>
#include <math.h>

// 100 × 50 samples of 2 mm, the first one's outer corner at the origin.
static OdlSegmentsPlane
axial (void)
{
  return (OdlSegmentsPlane){ .width = 100,
                             .height = 50,
                             .is_placed = true,
                             .across = { 2, 0, 0 },
                             .down = { 0, 2, 0 },
                             .frame_of_reference = "1.2" };
}

// Stands upright at y = 30 mm, from x = 50 mm to 150 mm.
static OdlSegmentsPlane
coronal (void)
{
  return (OdlSegmentsPlane){ .width = 100,
                             .height = 100,
                             .is_placed = true,
                             .corner = { 50, 30, 40 },
                             .across = { 1, 0, 0 },
                             .down = { 0, 0, -1 },
                             .frame_of_reference = "1.2" };
}

static void
assert_line (const OdlSegmentsPlane *plane,
             const OdlSegmentsPlane *other,
             OdlPoint from,
             OdlPoint to)
{
  OdlPoint line[2];
  g_assert_true (odl_crossing (plane, other, line));
  const int first = hypot (line[0].x - from.x, line[0].y - from.y) > 1e-9;
  g_assert_cmpfloat_with_epsilon (line[first].x, from.x, 1e-9);
  g_assert_cmpfloat_with_epsilon (line[first].y, from.y, 1e-9);
  g_assert_cmpfloat_with_epsilon (line[!first].x, to.x, 1e-9);
  g_assert_cmpfloat_with_epsilon (line[!first].y, to.y, 1e-9);
}

static void
test_lines (void)
{
  const OdlSegmentsPlane one = axial (), other = coronal ();
  assert_line (&one, &other, (OdlPoint){ 25, 15 }, (OdlPoint){ 75, 15 });
  assert_line (&other, &one, (OdlPoint){ 0, 40 }, (OdlPoint){ 100, 40 });
  // As far as both reach.
  OdlSegmentsPlane wide = coronal ();
  wide.across[0] = 4;
  assert_line (&one, &wide, (OdlPoint){ 25, 15 }, (OdlPoint){ 100, 15 });
  // Askew.
  OdlSegmentsPlane askew = coronal ();
  askew.across[1] = 1;
  assert_line (&one, &askew, (OdlPoint){ 25, 15 }, (OdlPoint){ 60, 50 });
}

static void
test_none (void)
{
  const OdlSegmentsPlane one = axial ();
  OdlPoint line[2];
  OdlSegmentsPlane above = axial (), beside = coronal (), elsewhere = coronal (),
                   unknown = coronal (), nowhere = coronal (), short_of = coronal ();
  above.corner[2] = 5;
  beside.corner[1] = 130;
  elsewhere.frame_of_reference = "1.3";
  unknown.frame_of_reference = NULL;
  nowhere.is_placed = false;
  short_of.corner[2] = -1;
  const OdlSegmentsPlane *const others[]
      = { &one, &above, &beside, &elsewhere, &unknown, &nowhere, &short_of };
  for (size_t i = 0; i < G_N_ELEMENTS (others); i++)
    g_assert_false (odl_crossing (&one, others[i], line));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/crossing/lines", test_lines);
  g_test_add_func ("/crossing/none", test_none);
  return g_test_run ();
}
