// SPDX-License-Identifier: MIT
// Lengths, what lies under a pointer, and sets of annotations.
#include <glib.h>
#include <locale.h>

#include "image/annotation/annotations.h"

static const OdlScale square = { .x = 1, .y = 1 };

static OdlAnnotation
line (double x0, double y0, double x1, double y1, int64_t frame)
{
  return (OdlAnnotation){ .kind = ODL_ANNOTATION_LENGTH,
                          .frame = frame,
                          .points = { { x0, y0 }, { x1, y1 } } };
}

static void
check_text (const OdlScale *scale, const OdlAnnotation *annotation, const char *wanted)
{
  g_autofree char *text
      = odl_annotation_row (annotation->kind)->measure (annotation, scale);
  g_assert_cmpstr (text, ==, wanted);
}

// Three pixels to the right of 0.4 mm, four down of 0.2 mm: 1.2 and 0.8 mm.
static void
test_spacing (void)
{
  const OdlImageInfo info = { .spacing_mm = { 0.4, 0.2 }, .pixel_aspect = 2 };
  const OdlScale scale = odl_scale_of (&info);
  const OdlAnnotation slanted = line (10, 10, 13, 14, 0);
  const OdlAnnotation across = line (0, 5, 30, 5, 0), down = line (5, 30, 5, 0, 0);
  g_assert_true (scale.known);
  g_assert_cmpfloat_with_epsilon (
      odl_scale_distance (&scale, slanted.points[0], slanted.points[1]), 1.4422205, 1e-6);
  check_text (&scale, &slanted, "1.4 mm");
  check_text (&scale, &across, "12.0 mm");
  check_text (&scale, &down, "6.0 mm");
  g_assert_null (odl_scale_note (&scale));
}

// Nothing is said in millimetres where only one of them is known, or none.
static void
test_pixels (void)
{
  const OdlImageInfo known[] = {
    { .pixel_aspect = 1 },
    { .pixel_aspect = 2 },
    { .spacing_mm = { 0.5, 0 }, .pixel_aspect = 1 },
    { .spacing_mm = { 0, 0.5 }, .pixel_aspect = 1 },
  };
  static const char *const wanted[] = { "5.0 px", "7.2 px", "5.0 px", "5.0 px" };
  const OdlAnnotation annotation = line (0, 0, 3, 4, 0);
  for (size_t i = 0; i < G_N_ELEMENTS (known); i++) {
    const OdlScale scale = odl_scale_of (&known[i]);
    g_assert_false (scale.known);
    check_text (&scale, &annotation, wanted[i]);
    g_assert_cmpstr (odl_scale_note (&scale), ==, "millimetres unknown");
  }
}

static void
test_places (void)
{
  OdlImageInfo info = { .spacing_mm = { 0.1, 0.1 }, .pixel_aspect = 1 };
  info.spacing_place = ODL_SPACING_AT_DETECTOR;
  OdlScale scale = odl_scale_of (&info);
  g_assert_cmpstr (odl_scale_note (&scale), ==, "at the detector");
  info.spacing_place = ODL_SPACING_ON_FILM;
  scale = odl_scale_of (&info);
  g_assert_cmpstr (odl_scale_note (&scale), ==, "on the scanned film");
}

// A unit of the last digit is no longer than a pixel.
static void
test_digits (void)
{
  static const struct {
    double spacing;
    const char *text; // of 12.34567 mm
  } rows[] = { { 5, "12.3 mm" },
               { 0.1, "12.3 mm" },
               { 0.05, "12.35 mm" },
               { 0.004, "12.346 mm" },
               { 1e-5, "12.3457 mm" } };
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    const OdlImageInfo info = { .spacing_mm = { rows[i].spacing, 7 } };
    const OdlScale scale = odl_scale_of (&info);
    g_autofree char *text = odl_scale_to_text (&scale, 12.34567);
    g_assert_cmpstr (text, ==, rows[i].text);
  }
}

static void
test_decimal_sign (void)
{
  const OdlScale scale = { .known = true, .x = 1, .y = 1 };
  if (!setlocale (LC_NUMERIC, "de_DE.UTF-8") && !setlocale (LC_NUMERIC, "fr_FR.UTF-8")) {
    g_test_skip ("no locale with a decimal comma is installed");
    return;
  }
  g_autofree char *text = odl_scale_to_text (&scale, 12.34);
  setlocale (LC_NUMERIC, "C");
  g_assert_cmpstr (text, ==, "12,3 mm");
}

static void
test_parts (void)
{
  const OdlAnnotation annotation = line (10, 10, 50, 10, 0);
  static const struct {
    OdlPoint at;
    int part;
  } rows[] = { { { 10, 10 }, 0 },
               { { 49, 12 }, 1 },
               { { 30, 12 }, ODL_PART_LINE },
               { { 30, 14 }, ODL_PART_NONE },
               { { 54, 10 }, ODL_PART_NONE }, // beyond its end
               { { 6, 10 }, ODL_PART_NONE } };
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++)
    g_assert_cmpint (odl_annotation_part_at (&annotation, rows[i].at, &square, 3), ==,
                     rows[i].part);
  // Pixels twice as wide as high: one beside it is as far as two below.
  const OdlScale wide = { .x = 2, .y = 1 };
  g_assert_cmpint (odl_annotation_part_at (&annotation, (OdlPoint){ 52, 10 }, &wide, 3),
                   ==, ODL_PART_NONE);
  // Of two ends within reach the nearer one.
  const OdlAnnotation brief = line (0, 0, 2, 0, 0);
  g_assert_cmpint (odl_annotation_part_at (&brief, (OdlPoint){ 0.4, 0 }, &square, 5), ==,
                   0);
  g_assert_cmpint (odl_annotation_part_at (&brief, (OdlPoint){ 1.6, 0 }, &square, 5), ==,
                   1);
}

static void
check_ends (const OdlAnnotation *annotation, double x0, double y0, double x1, double y1)
{
  g_assert_cmpfloat (annotation->points[0].x, ==, x0);
  g_assert_cmpfloat (annotation->points[0].y, ==, y0);
  g_assert_cmpfloat (annotation->points[1].x, ==, x1);
  g_assert_cmpfloat (annotation->points[1].y, ==, y1);
}

// Inside a picture of 100 × 80.
static void
test_move (void)
{
  OdlAnnotation moved = line (10, 20, 30, 40, 0);
  odl_annotation_move (&moved, 1, (OdlPoint){ 30, 40 }, (OdlPoint){ 120, -5 }, 100, 80);
  check_ends (&moved, 10, 20, 100, 0);
  moved = line (10, 20, 30, 40, 0);
  odl_annotation_move (&moved, ODL_PART_LINE, (OdlPoint){ 5, 5 }, (OdlPoint){ 8, 4 }, 100,
                       80);
  check_ends (&moved, 13, 19, 33, 39);
  // Against the edge it stops, as long as it is.
  odl_annotation_move (&moved, ODL_PART_LINE, (OdlPoint){ 0, 0 }, (OdlPoint){ 500, -500 },
                       100, 80);
  check_ends (&moved, 80, 0, 100, 20);
}

static void
test_sets (void)
{
  g_autoptr (OdlAnnotations) none = odl_annotations_new (100, 80);
  const OdlAnnotation a = line (0, 0, 10, 0, 3), b = line (0, 5, 10, 5, 4);
  g_autoptr (OdlAnnotations) one = odl_annotations_with (none, &a);
  g_autoptr (OdlAnnotations) two = odl_annotations_with (one, &b);
  g_assert_cmpint (odl_annotations_count (none), ==, 0);
  g_assert_cmpint (odl_annotations_count (one), ==, 1);
  g_assert_cmpint (odl_annotations_count (two), ==, 2);
  g_assert_cmpint (odl_annotations_count (NULL), ==, 0);
  const unsigned first = odl_annotations_at (two, 0)->id;
  const unsigned second = odl_annotations_at (two, 1)->id;
  g_assert_cmpuint (first, !=, second);

  OdlAnnotation changed = *odl_annotations_find (two, first);
  changed.points[1].x = 99;
  g_autoptr (OdlAnnotations) other = odl_annotations_with (two, &changed);
  g_assert_cmpint (odl_annotations_count (other), ==, 2);
  g_assert_cmpfloat (odl_annotations_find (other, first)->points[1].x, ==, 99);
  g_assert_cmpfloat (odl_annotations_find (two, first)->points[1].x, ==, 10);

  g_autoptr (OdlAnnotations) rest = odl_annotations_without (other, second);
  g_assert_null (odl_annotations_find (rest, second));
  g_assert_nonnull (odl_annotations_find (rest, first));
  // An id is not given twice.
  g_autoptr (OdlAnnotations) again = odl_annotations_with (rest, &b);
  g_assert_cmpuint (odl_annotations_at (again, 1)->id, >, second);
  g_assert_true (odl_annotations_fit (again, 100, 80));
  g_assert_false (odl_annotations_fit (again, 80, 100));
  g_assert_false (odl_annotations_fit (NULL, 100, 80));
}

static void
test_pick (void)
{
  g_autoptr (OdlAnnotations) none = odl_annotations_new (100, 80);
  const OdlAnnotation made[]
      = { line (0, 0, 20, 0, 1), line (10, -10, 10, 10, 1), line (0, 0, 20, 0, 2),
          line (0, 40, 9, 40, ODL_EVERY_FRAME) };
  g_autoptr (OdlAnnotations) set = odl_annotations_ref (none);
  int part;
  for (size_t i = 0; i < G_N_ELEMENTS (made); i++) {
    OdlAnnotations *next = odl_annotations_with (set, &made[i]);
    odl_annotations_unref (set);
    set = next;
  }
  const OdlAnnotation *picked
      = odl_annotations_pick (set, 1, (OdlPoint){ 0, 0 }, &square, 2, &part);
  g_assert_true (picked == odl_annotations_at (set, 0));
  g_assert_cmpint (part, ==, 0);
  // Where they cross, the one on top.
  picked = odl_annotations_pick (set, 1, (OdlPoint){ 10, 0 }, &square, 2, &part);
  g_assert_true (picked == odl_annotations_at (set, 1));
  g_assert_cmpint (part, ==, ODL_PART_LINE);
  // An end below a line comes first.
  picked = odl_annotations_pick (set, 1, (OdlPoint){ 15, 0 }, &square, 6, &part);
  g_assert_cmpint (part, ==, 1);
  g_assert_true (picked == odl_annotations_at (set, 0));
  picked = odl_annotations_pick (set, 2, (OdlPoint){ 10, 0 }, &square, 2, &part);
  g_assert_true (picked == odl_annotations_at (set, 2));
  g_assert_null (odl_annotations_pick (set, 3, (OdlPoint){ 10, 0 }, &square, 2, &part));
  g_assert_cmpint (part, ==, ODL_PART_NONE);
  g_assert_nonnull (
      odl_annotations_pick (set, 77, (OdlPoint){ 5, 40 }, &square, 2, &part));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/annotation/lengths-by-the-spacing-of-each-axis", test_spacing);
  g_test_add_func ("/annotation/without-spacing-lengths-are-pixels", test_pixels);
  g_test_add_func ("/annotation/where-a-spacing-holds-is-said", test_places);
  g_test_add_func ("/annotation/digits-are-those-of-a-pixel", test_digits);
  g_test_add_func ("/annotation/the-decimal-sign-is-the-locales", test_decimal_sign);
  g_test_add_func ("/annotation/ends-come-before-lines", test_parts);
  g_test_add_func ("/annotation/moves-stay-inside-the-picture", test_move);
  g_test_add_func ("/annotation/sets-do-not-change", test_sets);
  g_test_add_func ("/annotation/what-lies-under-the-pointer", test_pick);
  return g_test_run ();
}
