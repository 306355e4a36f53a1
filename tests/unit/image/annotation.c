// SPDX-License-Identifier: MIT
// What annotations measure, what lies under a pointer, and sets of them.
#include <glib/gstdio.h>
#include <locale.h>
#include <math.h>

#include "image/annotation/calibration.h"
#include "image/annotation/kept.h"
#include "image/annotation/table.h"

static const OdlScale square = { .x = 1, .y = 1 };

static OdlAnnotation
line (double x0, double y0, double x1, double y1, int64_t frame)
{
  return (OdlAnnotation){ .kind = &odl_annotation_length,
                          .n_points = 2,
                          .frame = frame,
                          .points = { { x0, y0 }, { x1, y1 } } };
}

static void
check_text (const OdlScale *scale, const OdlAnnotation *annotation, const char *wanted)
{
  const OdlSubject subject = { .scale = *scale };
  g_autofree char *text = odl_annotation_to_text (annotation, &subject);
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

static OdlAnnotation
parse (const OdlAnnotationKind *kind, const char *text)
{
  OdlAnnotation annotation;
  g_assert_true (odl_annotation_from_text (kind, text, &annotation));
  return annotation;
}

// 25 mm along (3, 4) pixels, which are twice as wide as they are high.
static void
test_calibration (void)
{
  static const struct {
    const char *words;
    double mm; // NAN: no length
  } rows[] = {
    { "25", 25 },      { "25 mm", 25 },    { " 2.5 cm ", 25 },   { "2,5cm", 25 },
    { "0.025 m", 25 }, { "25000 µm", 25 }, { "1e-3", 0.001 },    { "0", NAN },
    { "-3", NAN },     { "", NAN },        { "ruler", NAN },     { "25 feet", NAN },
    { "1e99", NAN },   { "1 2", NAN },     { "0.0000001", NAN }, { "nan", NAN },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    double mm = NAN;
    g_test_message ("“%s”", rows[i].words);
    g_assert_cmpint (odl_calibration_length (rows[i].words, &mm), ==,
                     isfinite (rows[i].mm));
    if (isfinite (rows[i].mm))
      g_assert_cmpfloat_with_epsilon (mm, rows[i].mm, 1e-9);
  }
  OdlImageInfo info
      = { .extent = { .x = 100, .y = 80, .z = 1, .t = 1 }, .pixel_aspect = 2 };
  OdlAnnotation ruler = parse (&odl_annotation_calibration, "10,10,13,14,2.5 cm");
  OdlAnnotation later = parse (&odl_annotation_calibration, "10,10,13,14,5 cm");
  const OdlAnnotation length = line (20, 20, 23, 24, 1);
  later.frame = 7;
  g_autoptr (OdlAnnotations) none = odl_annotations_new (100, 80);
  g_autoptr (OdlAnnotations) one = odl_annotations_with (none, &ruler);
  g_autoptr (OdlAnnotations) two = odl_annotations_with (one, &later);
  OdlScale scale = odl_calibrated_scale (one, 1, &info);
  check_text (&scale, &length, "25.0 mm");
  g_assert_cmpstr (odl_scale_note (&scale), ==, "calibrated by hand");
  g_assert_cmpstr (odl_scale_place_name (&scale), ==, "hand");
  g_assert_cmpstr (odl_annotation_note (&ruler, &scale), ==, "calibrated by hand");
  // That of the frame, else the last one.
  scale = odl_calibrated_scale (two, 0, &info);
  check_text (&scale, &length, "25.0 mm");
  scale = odl_calibrated_scale (two, 3, &info);
  check_text (&scale, &length, "50.0 mm");
  // Of a picture of another size nothing holds, and the file goes first.
  info.extent.x = 99;
  g_assert_false (odl_calibrated_scale (two, 0, &info).known);
  info.extent.x = 100;
  info.spacing_mm[0] = info.spacing_mm[1] = 2;
  scale = odl_calibrated_scale (two, 0, &info);
  check_text (&scale, &length, "10.0 mm");
  g_assert_true (g_str_has_prefix (odl_annotation_note (&ruler, &scale), "not applied"));
  // At the detector what is seen is magnified, so that a known length is better.
  info.spacing_place = ODL_SPACING_AT_DETECTOR;
  scale = odl_calibrated_scale (one, 0, &info);
  check_text (&scale, &length, "25.0 mm");
}

// Degrees by acos (a · b / |a| |b|) of the sides in millimetres, in Python. The corner is
// the second point.
static void
test_angles (void)
{
  static const struct {
    double spacing[2];
    const char *points;
    double degrees;
  } rows[] = {
    { { 1, 1 }, "13,10,10,10,13,14", 53.13010235415598 }, // 3, 4, 5
    { { 1, 1 }, "0,0,5,0,9,0", 180 },
    { { 1, 1 }, "9,1,5,1,7,1", 0 },
    { { 0.4, 0.2 }, "20,10,10,10,20,30", 45 }, // 4 mm and 4 mm
    { { 0.2, 0.4 }, "20,10,10,10,20,30", 75.96375653207353 }, // 2 mm and 8 mm
    { { 0.661468, 0.661468 }, "120.5,80,60,61.25,31,140", 92.9973138054097 },
    { { 0.5, 1.25 }, "120.5,80,60,61.25,31,140", 60.61121282451883 },
    { { 0, 0 }, "13,10,10,10,13,14", 69.44395478041653 }, // pixels of 1 : 2
  };
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    const OdlImageInfo info = { .spacing_mm = { rows[i].spacing[0], rows[i].spacing[1] },
                                .pixel_aspect = 0.5 };
    const OdlSubject subject = { .scale = odl_scale_of (&info) };
    const OdlAnnotation annotation = parse (&odl_annotation_angle, rows[i].points);
    OdlMeasurement measure;
    g_test_message ("%s", rows[i].points);
    g_assert_cmpint (annotation.kind->measure (&annotation, &subject, &measure), ==, 1);
    g_assert_cmpfloat_with_epsilon (measure.value, rows[i].degrees, 1e-9);
    g_assert_cmpstr (measure.unit, ==, "°");
    g_assert_null (odl_annotation_note (&annotation, &subject.scale));
  }
}

// In millimetres the angles of any triangle are 180° together; by pixels they would be,
// too, but others.
static void
test_triangles (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (7);
  for (int i = 0; i < 1000; i++) {
    const OdlSubject subject
        = { .scale = { .known = true,
                       .x = g_rand_double_range (random, 0.01, 5),
                       .y = g_rand_double_range (random, 0.01, 5) } };
    OdlPoint corners[3];
    double sum = 0;
    for (int k = 0; k < 3; k++)
      corners[k] = (OdlPoint){ g_rand_double_range (random, 0, 500),
                               g_rand_double_range (random, 0, 500) };
    for (int k = 0; k < 3; k++) {
      OdlMeasurement measure;
      const OdlAnnotation angle
          = { .kind = &odl_annotation_angle,
              .n_points = 3,
              .points = { corners[k], corners[(k + 1) % 3], corners[(k + 2) % 3] } };
      angle.kind->measure (&angle, &subject, &measure);
      g_assert_true (measure.value >= 0 && measure.value <= 180);
      sum += measure.value;
    }
    g_assert_cmpfloat_with_epsilon (sum, 180, 1e-6);
  }
}

static void
test_areas (void)
{
  static const struct {
    double spacing[2];
    const char *numbers, *text, *note;
  } rows[] = {
    { { 1, 1 }, "10,20,30,40", "942.5 mm²\nperimeter 110.5 mm", NULL }, // π 15 · 20
    { { 0.5, 0.25 }, "10,20,30,40", "117.8 mm²\nperimeter 39.7 mm", NULL }, // π 7.5 · 5
    { { 0, 0 }, "10,20,30,40", "942.5 px²\nperimeter 110.5 px", "millimetres unknown" },
    { { 1, 1 },
      "40,60,-30,-40",
      "942.5 mm²\nperimeter 110.5 mm",
      NULL }, // from the other corner
  };
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    const OdlImageInfo info
        = { .spacing_mm = { rows[i].spacing[0], rows[i].spacing[1] }, .pixel_aspect = 1 };
    const OdlScale scale = odl_scale_of (&info);
    const OdlAnnotation annotation = parse (&odl_annotation_ellipse, rows[i].numbers);
    check_text (&scale, &annotation, rows[i].text);
    g_assert_cmpstr (odl_annotation_note (&annotation, &scale), ==, rows[i].note);
  }
}

// What every kind must have, so that a new one cannot be half there.
static void
test_kinds (void)
{
  const OdlAnnotationKind *kind;
  const OdlSubject subject = { .scale = square };
  for (size_t i = 0; (kind = odl_annotation_kind_at (i)) != NULL; i++) {
    OdlPoint outline[2 * ODL_ANNOTATION_MAX_OUTLINE];
    OdlMeasurement measures[2 * ODL_ANNOTATION_MAX_MEASURES];
    g_autoptr (GString) numbers = g_string_new (NULL);
    g_test_message ("kind %zu: %s", i, kind->name ? kind->name : "without a name");
    g_assert_true (kind->name && kind->title && kind->hint && kind->numbers);
    g_assert_true (odl_annotation_kind_find (kind->name) == kind);
    g_assert_true (kind->n_placed >= 1 && kind->n_placed <= kind->n_points);
    g_assert_cmpint (kind->n_points, <=, ODL_ANNOTATION_MAX_POINTS);
    g_assert_true (kind->n_placed == kind->n_points || kind->settle);
    for (int p = 0; p < kind->n_placed; p++)
      g_string_append_printf (numbers, "%s%d,%d", p > 0 ? "," : "", 10 + 7 * p,
                              20 + 5 * p * p);
    // Words that differ follow; others are always there.
    const bool is_words = kind->origin != ODL_WORDS_NONE;
    const bool says = is_words && kind->origin != ODL_WORDS_FIXED;
    g_assert_true (!is_words || !kind->measure);
    g_assert_true (!is_words || kind->n_points == 1 || kind->has_sense);
    g_assert_cmpint (kind->words != NULL, ==, kind->origin == ODL_WORDS_FIXED);
    if (says)
      g_string_append (numbers, ",7");
    g_auto (GStrv) words = g_strsplit (kind->numbers, ",", -1);
    g_assert_cmpuint (g_strv_length (words), ==, 2 * kind->n_placed + (says ? 1 : 0));
    OdlAnnotation made = parse (kind, numbers->str);
    g_assert_false (odl_annotation_is_empty (&made));
    const OdlAnnotation point = odl_annotation_make (kind, 0, (OdlPoint){ 3, 4 });
    g_assert_cmpint (odl_annotation_is_empty (&point), ==, !is_words || says);
    const int n_outline = odl_annotation_outline (&made, outline);
    g_assert_true (n_outline >= (kind->n_points == 1 ? 1 : 2));
    g_assert_cmpint (n_outline, <=, ODL_ANNOTATION_MAX_OUTLINE);
    const int n_measures = odl_annotation_measure (&made, &subject, measures);
    g_assert_true (n_measures <= ODL_ANNOTATION_MAX_MEASURES);
    g_assert_cmpint (n_measures >= 1, ==, kind->measure != NULL);
    if (n_measures > 0)
      g_assert_true (measures[0].name && measures[0].unit
                     && (isfinite (measures[0].value) || kind == &odl_annotation_point));
    // Every point can be taken to another place, and comes back to the same whole.
    for (int p = 0; p < kind->n_points; p++) {
      const OdlPoint from = made.points[p], to = { 71, 73 };
      OdlAnnotation moved = made;
      g_assert_cmpint (odl_annotation_part_at (&made, from, &square, 0.5), ==, p);
      odl_annotation_move (&moved, p, from, to, 100, 100);
      g_assert_cmpfloat (moved.points[p].x, ==, 71);
      g_assert_cmpfloat (moved.points[p].y, ==, 73);
      g_assert_false (odl_annotation_is_same (&moved, &made));
      odl_annotation_move (&moved, p, to, from, 100, 100);
      g_assert_true (odl_annotation_is_same (&moved, &made));
    }
    g_autofree char *again = odl_annotation_to_numbers (&made);
    OdlAnnotation same = parse (kind, again);
    g_assert_true (odl_annotation_is_same (&same, &made));
    g_assert_false (odl_annotation_from_text (kind, is_words ? "1" : "1,2", &made));
    g_string_append (numbers, ",1");
    if (!says)
      g_assert_false (odl_annotation_from_text (kind, numbers->str, &made));
    g_assert_false (odl_annotation_from_text (kind, "nan,1,2,3,4,5", &made));
  }
}

// Lines stay, blanks at the end and what is no letter go, and no letter is cut in two.
static void
test_words (void)
{
  static const struct {
    const char *given, *words;
    bool fits;
  } rows[] = { { "one, two", "one, two", true },
               { "  one\r\ntwo\n \n", "  one\ntwo", true },
               { "\t\x1b[31m\rred\x7f", " [31m red", true },
               { "שלום\nגוף", "שלום\nגוף", true },
               { " \n\t", "", true },
               { "a\xff", "a\xef\xbf\xbd", true },
               { NULL, NULL, false } };
  OdlAnnotation text = odl_annotation_make (&odl_annotation_text, 0, (OdlPoint){ 1, 2 });
  for (size_t i = 0; rows[i].given; i++) {
    g_assert_cmpint (odl_annotation_set_words (&text, rows[i].given), ==, rows[i].fits);
    g_assert_cmpstr (text.words, ==, rows[i].words);
    g_assert_cmpint (odl_annotation_is_empty (&text), ==, *text.words == '\0');
  }
  g_autofree char *most = g_strnfill (ODL_ANNOTATION_MAX_WORDS - 2, 'x');
  g_autofree char *more = g_strconcat (most, "é…", NULL);
  g_assert_false (odl_annotation_set_words (&text, more));
  g_assert_cmpstr (text.words, ==, most);
  g_assert_true (odl_annotation_from_text (&odl_annotation_text, "1,2.5,a,b", &text));
  g_assert_cmpstr (text.words, ==, "a,b");
  g_assert_false (odl_annotation_from_text (&odl_annotation_text, "1,2,", &text));
}

// Numbers go on after the highest one, and words are in files as they are.
static void
test_words_are_kept (void)
{
  g_autoptr (OdlAnnotations) all = odl_annotations_new (100, 80);
  static const char *const words[] = { "3", "x", "99999999999", "2" };
  for (size_t i = 0; i < G_N_ELEMENTS (words); i++) {
    OdlAnnotation made
        = odl_annotation_make (&odl_annotation_number, 0, (OdlPoint){ 1, 2 });
    g_autoptr (OdlAnnotations) before = g_steal_pointer (&all);
    odl_annotation_set_words (&made, words[i]);
    all = odl_annotations_with (before, &made);
  }
  g_assert_cmpuint (odl_annotations_next_number (all, &odl_annotation_number), ==, 4);
  g_assert_cmpuint (odl_annotations_next_number (NULL, &odl_annotation_number), ==, 1);
  OdlAnnotation text = parse (&odl_annotation_text, "3,4,100 %; \"a\"\n שלום");
  OdlAnnotation on_plane = text;
  on_plane.on = (OdlOnPlane){ .used = true, .plane = ODL_PLANE_CORONAL };
  g_autoptr (OdlAnnotations) two = odl_annotations_with (all, &text);
  g_autoptr (OdlAnnotations) kept = odl_annotations_with (two, &on_plane);
  g_autofree char *content = odl_annotations_to_file_text (kept, "me");
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "odl-words", NULL);
  g_assert_true (g_file_set_contents (path, content, -1, NULL));
  g_autoptr (OdlAnnotations) read = NULL;
  g_assert_true (odl_annotations_read_file (path, "me", &read));
  g_remove (path);
  g_assert_cmpint (odl_annotations_count (read), ==, odl_annotations_count (kept));
  for (int i = 0; i < odl_annotations_count (read); i++)
    g_assert_true (odl_annotation_is_same (odl_annotations_at (read, i),
                                           odl_annotations_at (kept, i)));
}

// The corners beside the one that is dragged go along.
static void
test_corners (void)
{
  OdlAnnotation ellipse = parse (&odl_annotation_ellipse, "10,20,30,40");
  static const struct {
    int part;
    double box[4]; // after it was moved to (25, 30)
  } rows[] = { { 0, { 25, 30, 40, 60 } },
               { 1, { 10, 20, 25, 30 } },
               { 2, { 10, 30, 25, 60 } },
               { 3, { 25, 20, 40, 30 } } };
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    OdlAnnotation moved = ellipse;
    odl_annotation_move (&moved, rows[i].part, moved.points[rows[i].part],
                         (OdlPoint){ 25, 30 }, 100, 100);
    g_assert_cmpfloat (moved.points[0].x, ==, rows[i].box[0]);
    g_assert_cmpfloat (moved.points[0].y, ==, rows[i].box[1]);
    g_assert_cmpfloat (moved.points[1].x, ==, rows[i].box[2]);
    g_assert_cmpfloat (moved.points[1].y, ==, rows[i].box[3]);
  }
  // Its line is what can be taken hold of, not its inside.
  g_assert_cmpint (odl_annotation_part_at (&ellipse, (OdlPoint){ 40, 40 }, &square, 1),
                   ==, ODL_PART_LINE);
  g_assert_cmpint (odl_annotation_part_at (&ellipse, (OdlPoint){ 25, 40 }, &square, 5),
                   ==, ODL_PART_NONE);
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
  static const struct {
    double spacing, length;
    const char *text; // in a unit that people read
  } small[] = { { 0.001, 0.0999, "99.9 µm" },
                { 0.001, 0.1, "0.100 mm" },
                { 0.0002, 0.0014, "1.4 µm" },
                { 1e-6, 0.00001234, "0.01234 µm" },
                { 0.0002, 0.0, "0.0000 mm" } };
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    const OdlImageInfo info = { .spacing_mm = { rows[i].spacing, 7 } };
    const OdlScale scale = odl_scale_of (&info);
    const OdlAnnotation annotation = line (0, 0, 12.34567 / rows[i].spacing, 0, 0);
    check_text (&scale, &annotation, rows[i].text);
  }
  for (size_t i = 0; i < G_N_ELEMENTS (small); i++) {
    const OdlImageInfo info = { .spacing_mm = { small[i].spacing, small[i].spacing } };
    const OdlScale scale = odl_scale_of (&info);
    const OdlAnnotation annotation
        = line (0, 0, small[i].length / small[i].spacing, 0, 0);
    check_text (&scale, &annotation, small[i].text);
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
  const OdlAnnotation annotation = line (0, 0, 12.34, 0, 0);
  const OdlSubject subject = { .scale = scale };
  g_autofree char *text = odl_annotation_to_text (&annotation, &subject);
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
      = odl_annotations_pick (set, 1, NULL, (OdlPoint){ 0, 0 }, &square, 2, &part);
  g_assert_true (picked == odl_annotations_at (set, 0));
  g_assert_cmpint (part, ==, 0);
  // Where they cross, the one on top.
  picked = odl_annotations_pick (set, 1, NULL, (OdlPoint){ 10, 0 }, &square, 2, &part);
  g_assert_true (picked == odl_annotations_at (set, 1));
  g_assert_cmpint (part, ==, ODL_PART_LINE);
  // An end below a line comes first.
  picked = odl_annotations_pick (set, 1, NULL, (OdlPoint){ 15, 0 }, &square, 6, &part);
  g_assert_cmpint (part, ==, 1);
  g_assert_true (picked == odl_annotations_at (set, 0));
  picked = odl_annotations_pick (set, 2, NULL, (OdlPoint){ 10, 0 }, &square, 2, &part);
  g_assert_true (picked == odl_annotations_at (set, 2));
  g_assert_null (
      odl_annotations_pick (set, 3, NULL, (OdlPoint){ 10, 0 }, &square, 2, &part));
  g_assert_cmpint (part, ==, ODL_PART_NONE);
  g_assert_nonnull (
      odl_annotations_pick (set, 77, NULL, (OdlPoint){ 5, 40 }, &square, 2, &part));
}

// Rows of a Doppler spectrum have velocities; angles across it are of no body.
static void
test_regions (void)
{
  static const OdlRegion items[] = {
    { 0, 0, 100, 100, ODL_REGION_TISSUE, { ODL_REGION_CM, ODL_REGION_CM }, { 0.1, 0.1 } },
    { 100,
      0,
      200,
      100,
      ODL_REGION_SPECTRAL,
      { ODL_REGION_S, ODL_REGION_CM_PER_S },
      { 0.01, -0.5 },
      true,
      { 100, 40 },
      { 0, 2 } },
    { 200,
      0,
      300,
      100,
      ODL_REGION_SPECTRAL,
      { ODL_REGION_S, ODL_REGION_CM_PER_S },
      { 0.01, -0.5 } }
  };
  OdlRegions *regions = odl_regions_new (items, G_N_ELEMENTS (items));
  const OdlScale scale = { .x = 1, .y = 1, .regions = regions };
  static const struct {
    int column, row;
    const char *text;
  } rows[]
      = { { 150, 40, "2.0 cm/s" }, { 150, 0, "22.0 cm/s" }, { 150, 99, "-27.5 cm/s" },
          { 50, 40, NULL },        { 250, 40, NULL },       { 350, 40, NULL } };
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autofree char *text = odl_scale_row_text (&scale, rows[i].column, rows[i].row);
    g_assert_cmpstr (text, ==, rows[i].text);
  }
  static const struct {
    const char *points, *note;
  } angles[] = { { "10,10,50,10,50,50", NULL },
                 { "110,10,150,10,150,50", "no millimetres in this region" },
                 { "10,10,50,10,150,50", "across regions of different scales" } };
  for (size_t i = 0; i < G_N_ELEMENTS (angles); i++) {
    OdlAnnotation angle;
    g_assert_true (
        odl_annotation_from_text (&odl_annotation_angle, angles[i].points, &angle));
    g_assert_cmpstr (odl_annotation_note (&angle, &scale), ==, angles[i].note);
  }
  // A bar has the scale of the regions with lengths, unless these differ.
  bool others;
  const OdlScale bar = odl_scale_for_bar (&scale, &others);
  g_assert_true (bar.known && others);
  g_assert_cmpfloat_with_epsilon (bar.x, 1, 1e-9);
  OdlRegion pair[] = { items[0], items[0] };
  pair[1].left += 100;
  pair[1].right += 100;
  for (int i = 0; i < 2; i++) {
    OdlRegions *both = odl_regions_new (pair, 2);
    const OdlScale of_both = odl_scale_for_bar (
        &(OdlScale){ .known = true, .x = 3, .y = 3, .regions = both }, &others);
    g_assert_true (of_both.known == (i == 0) && !others);
    odl_regions_unref (both);
    pair[1].delta[0] = pair[1].delta[1] = 0.2;
  }
  odl_regions_unref (regions);
}

// Where something lies on a plane survives as text, and what makes no sense is refused.
static void
test_planes (void)
{
  static const char *const good[] = { "axial:0",
                                      "coronal:12",
                                      "sagittal:3:mean:10",
                                      "coronal:4:maximum:2.5",
                                      "axial:1/2/3:turned:1/0/0/0/0/-1",
                                      "coronal:1/2/3:turned:0.6/0.8/0/0/0/-1:minimum:3" };
  static const char *const bad[] = { "",
                                     "axial",
                                     "oblique:3",
                                     "axial:-1",
                                     "axial:1.5",
                                     "axial:nan",
                                     "axial:1:mean",
                                     "axial:1:slice:3",
                                     "axial:1/2/3",
                                     "axial:1:mean:0",
                                     "axial:1:mean:2:3",
                                     "axial:1/2/3:turned:1/0/0/1/0/0",
                                     "axial:1/2/3:turned:2/0/0/0/1/0",
                                     "axial:1/2/3:turned:1/0/0/0/1" };
  OdlOnPlane on, other;
  for (size_t i = 0; i < G_N_ELEMENTS (good); i++) {
    g_assert_true (odl_on_plane_from_text (good[i], &on));
    g_autofree char *text = odl_on_plane_to_text (&on);
    g_assert_true (odl_on_plane_from_text (text, &other));
    g_assert_true (odl_on_plane_is_same (&on, &other));
    for (size_t j = 0; j < i; j++) {
      g_assert_true (odl_on_plane_from_text (good[j], &other));
      g_assert_false (odl_on_plane_is_same (&on, &other));
    }
  }
  for (size_t i = 0; i < G_N_ELEMENTS (bad); i++)
    if (odl_on_plane_from_text (bad[i], &on))
      g_error ("“%s” is a plane", bad[i]);
  // Longer voxels than the picture can stretch: by their own size all the same.
  const OdlImageInfo info = { .extent = { 40, 30, 20, 1 },
                              .channels = 1,
                              .pixel_aspect = 1,
                              .spacing_mm = { 0.5, 0.5, 20 } };
  g_assert_true (odl_on_plane_from_text ("axial:19:mean:320", &on)
                 && odl_on_plane_fits (&on, &info));
  static const char *const beyond[]
      = { "axial:20", "axial:99999999999", "axial:19:mean:1e99" };
  for (size_t i = 0; i < G_N_ELEMENTS (beyond); i++)
    g_assert_true (odl_on_plane_from_text (beyond[i], &on)
                   && !odl_on_plane_fits (&on, &info));
  g_assert_true (odl_on_plane_from_text ("coronal:3", &on));
  OdlScale scale = odl_on_plane_scale (&info, &on, false);
  g_assert_true (scale.known);
  g_assert_cmpfloat_with_epsilon (scale.x, 0.5, 1e-9);
  g_assert_cmpfloat_with_epsilon (scale.y, 20 / ODL_PLANES_MOST_STRETCH, 1e-9);
  g_assert_false (odl_on_plane_scale (&info, &on, true).known);
  g_assert_true (odl_on_plane_from_text (good[5], &on));
  g_assert_false (odl_on_plane_scale (&info, &on, false).known);
  const OdlImageInfo unknown = { .extent = { 40, 30, 20, 1 },
                                 .channels = 1,
                                 .pixel_aspect = 1,
                                 .spacing_mm = { 0.5, 0.5, 0 } };
  g_assert_true (odl_on_plane_from_text ("coronal:3", &on));
  g_assert_false (odl_on_plane_scale (&unknown, &on, false).known);
  g_assert_true (odl_on_plane_from_text ("axial:3", &on));
  g_assert_true (odl_on_plane_scale (&unknown, &on, true).known);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/annotation/lengths-by-the-spacing-of-each-axis", test_spacing);
  g_test_add_func ("/annotation/without-spacing-lengths-are-pixels", test_pixels);
  g_test_add_func ("/annotation/where-a-spacing-holds-is-said", test_places);
  g_test_add_func ("/annotation/known-lengths-make-millimetres", test_calibration);
  g_test_add_func ("/annotation/angles-by-the-spacing-of-each-axis", test_angles);
  g_test_add_func ("/annotation/angles-of-triangles-are-180-degrees", test_triangles);
  g_test_add_func ("/annotation/areas-of-ellipses", test_areas);
  g_test_add_func ("/annotation/every-kind-is-whole", test_kinds);
  g_test_add_func ("/annotation/words-are-lines-of-letters", test_words);
  g_test_add_func ("/annotation/words-are-kept-and-numbers-go-on", test_words_are_kept);
  g_test_add_func ("/annotation/corners-of-an-ellipse-go-along", test_corners);
  g_test_add_func ("/annotation/digits-are-those-of-a-pixel", test_digits);
  g_test_add_func ("/annotation/the-decimal-sign-is-the-locales", test_decimal_sign);
  g_test_add_func ("/annotation/ends-come-before-lines", test_parts);
  g_test_add_func ("/annotation/moves-stay-inside-the-picture", test_move);
  g_test_add_func ("/annotation/sets-do-not-change", test_sets);
  g_test_add_func ("/annotation/regions-have-velocities-and-no-angles", test_regions);
  g_test_add_func ("/annotation/planes-survive-as-text", test_planes);
  g_test_add_func ("/annotation/what-lies-under-the-pointer", test_pick);
  return g_test_run ();
}
