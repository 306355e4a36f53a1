// SPDX-License-Identifier: MIT
// What is calculated from measured things, against numbers by hand and published tables.
#include "image/annotation/calculation.h"
#include "image/annotation/table.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

static const OdlScale half = { .known = true, .x = 0.5, .y = 0.5 }; // mm

static OdlAnnotation
length (double x0, double y0, double x1, double y1)
{
  return (OdlAnnotation){ .kind = &odl_annotation_length,
                          .n_points = 2,
                          .points = { { x0, y0 }, { x1, y1 } } };
}

static OdlAnnotation
ellipse (double x, double y, double width, double height)
{
  g_autofree char *text = g_strdup_printf ("%g,%g,%g,%g", x, y, width, height);
  OdlAnnotation made;
  g_assert_true (odl_annotation_from_text (&odl_annotation_ellipse, text, &made));
  return made;
}

// An ellipse of 128 points about a place, its axis `a` turned.
static OdlAnnotation
closed (double x, double y, double a, double b, double turn)
{
  OdlAnnotation made = { .kind = &odl_annotation_freehand, .n_points = 128 };
  for (int i = 0; i < made.n_points; i++) {
    const double at = 2 * G_PI * i / made.n_points;
    const double along = a * cos (at), across = b * sin (at);
    made.points[i] = (OdlPoint){ x + along * cos (turn) - across * sin (turn),
                                 y + along * sin (turn) + across * cos (turn) };
  }
  return made;
}

// Of things on one picture of half a millimetre.
static double
value_of (const char *name, const OdlAnnotation *const *things, bool *outside)
{
  const OdlCalculation *calculation = odl_calculation_find (name);
  OdlCalculationPart parts[ODL_CALCULATION_MAX_INPUTS];
  g_auto (OdlCalculated) done = { 0 };
  g_autoptr (GError) error = NULL;
  g_assert_nonnull (calculation);
  for (int i = 0; i < calculation->n_inputs; i++)
    parts[i] = (OdlCalculationPart){ things[i], half, NULL };
  odl_calculate (calculation, parts, &done, &error);
  g_assert_no_error (error);
  if (outside)
    *outside = done.outside;
  g_assert_cmpint (done.outside, ==,
                   done.note && strstr (done.note, "outside the published range"));
  return done.value;
}

static double
value_of_length (const char *name, double mm, bool *outside)
{
  const OdlAnnotation line = length (0, 7, mm / half.x, 7);
  return value_of (name, (const OdlAnnotation *const[]){ &line }, outside);
}

// A circle of that length around.
static double
value_of_circle (const char *name, double mm, bool *outside)
{
  const double width = mm / G_PI / half.x;
  const OdlAnnotation circle = ellipse (0, 0, width, width);
  return value_of (name, (const OdlAnnotation *const[]){ &circle }, outside);
}

static void
assert_near (double got, double wanted, double share)
{
  g_assert_cmpfloat_with_epsilon (got, wanted, fabs (wanted) * share);
}

// A sphere of 40 mm holds 33.51 ml, whichever way it is calculated.
static void
test_spheres (void)
{
  const double sphere = G_PI / 6 * 40 * 40 * 40 / 1000;
  const OdlAnnotation across = length (10, 50, 90, 50), down = length (50, 10, 50, 90);
  const OdlAnnotation slanted = length (10, 10, 10 + 48, 10 + 64);
  const OdlAnnotation circle = closed (50, 50, 40, 40, 0.1);
  const OdlAnnotation round = ellipse (10, 10, 80, 80);
  const struct {
    const char *name;
    const OdlAnnotation *things[ODL_CALCULATION_MAX_INPUTS];
    double share;
  } rows[] = {
    { "ellipsoid", { &across, &down, &slanted }, 1e-12 },
    { "area-length", { &circle, &across }, 0.002 },
    { "area-length", { &round, &down }, 1e-12 },
    { "simpson", { &circle, &down }, 0.01 },
    { "simpson", { &round, &across }, 0.01 },
    { "simpson-biplane", { &circle, &down, &round, &across }, 0.01 },
  };
  assert_near (sphere, 33.5103, 1e-5);
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_test_message ("%s", rows[i].name);
    assert_near (value_of (rows[i].name, rows[i].things, NULL), sphere, rows[i].share);
  }
}

// An ellipsoid with axes of 80, 40 and 30 mm in two turned planes through its long axis;
// and the longer one of two axes counts.
static void
test_disks (void)
{
  const double turn = 0.7;
  const OdlAnnotation first = closed (200, 200, 80, 40, turn);
  const OdlAnnotation axis = length (200 - 80 * cos (turn), 200 - 80 * sin (turn),
                                     200 + 80 * cos (turn), 200 + 80 * sin (turn));
  const OdlAnnotation second = closed (500, 200, 80, 30, G_PI / 2);
  const OdlAnnotation up = length (500, 280, 500, 120);
  const double ellipsoid = G_PI / 6 * 80 * 40 * 30 / 1000;
  assert_near (value_of ("simpson-biplane",
                         (const OdlAnnotation *const[]){ &first, &axis, &second, &up },
                         NULL),
               ellipsoid, 0.01);
  assert_near (value_of ("simpson-biplane",
                         (const OdlAnnotation *const[]){ &second, &up, &first, &axis },
                         NULL),
               ellipsoid, 0.01);
  const OdlAnnotation shorter = closed (500, 200, 72, 30, G_PI / 2);
  const OdlAnnotation less = length (500, 272, 500, 128);
  assert_near (value_of ("simpson-biplane",
                         (const OdlAnnotation *const[]){ &first, &axis, &shorter, &less },
                         NULL),
               ellipsoid, 0.01);
}

// Sizes at 20 and 40 weeks of the table in Hadlock's paper of 1984 (HC and FL as it
// prints them, BPD and AC by its functions of the age), which are no inverse of its
// regressions of the age: half a week, a week at 40 weeks; its ±2 SD are 1.5 to 3.
// Loughna et al. (Ultrasound 2009; 17: 161–167) print 11 weeks + 2 days for a CRL of
// 45 mm and 14 + 1 for 84 mm.
static void
test_ages (void)
{
  static const struct {
    const char *name;
    bool around;
    double mm, weeks, within;
  } rows[] = {
    { "bpd", false, 46, 20, 0.5 },
    { "hc", true, 177, 20, 0.5 },
    { "ac", true, 149, 20, 0.5 },
    { "fl", false, 33, 20, 0.5 },
    { "bpd", false, 94, 40, 1.9 },
    { "hc", true, 346, 40, 1 },
    { "ac", true, 351, 40, 1 },
    { "fl", false, 77, 40, 1 },
    // By hand, from the coefficients.
    { "bpd", false, 50, 21.14, 1e-4 },
    { "hc", true, 200, 22.16, 1e-4 },
    { "ac", true, 200, 24.64, 1e-4 },
    { "fl", false, 40, 22.91, 1e-4 },
    { "crl", false, 45, 11 + 2 / 7.0, 0.5 / 7 },
    { "crl", false, 84, 14 + 1 / 7.0, 0.5 / 7 },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    const double weeks = rows[i].around
                             ? value_of_circle (rows[i].name, rows[i].mm, NULL)
                             : value_of_length (rows[i].name, rows[i].mm, NULL);
    g_test_message ("%s %g mm: %g weeks", rows[i].name, rows[i].mm, weeks);
    g_assert_cmpfloat_with_epsilon (weeks, rows[i].weeks, rows[i].within);
  }
}

static double
weight_of (double bpd, double hc, double ac, double fl, bool *outside)
{
  const OdlAnnotation lines[]
      = { length (0, 0, bpd / half.x, 0), length (0, 0, 0, fl / half.y) };
  const OdlAnnotation circles[]
      = { ellipse (0, 0, hc / G_PI / half.x, hc / G_PI / half.x),
          ellipse (0, 0, ac / G_PI / half.x, ac / G_PI / half.x) };
  return value_of (
      "efw",
      (const OdlAnnotation *const[]){ &lines[0], &circles[0], &circles[1], &lines[1] },
      outside);
}

// Sizes of that table give, within 4 %, the weights of Hadlock's standard (Radiology
// 1991; 181: 129–133): 331 g at 20 weeks, 3619 g at 40.
static void
test_weights (void)
{
  bool outside;
  assert_near (weight_of (46, 177, 149, 33, &outside), 331, 0.04);
  g_assert_false (outside);
  assert_near (weight_of (94, 346, 351, 77, &outside), 3619, 0.04);
  g_assert_false (outside);
  assert_near (weight_of (50, 200, 200, 40, NULL), pow (10, 2.7838), 0.0005);
  weight_of (46, 177, 149, 12, &outside);
  g_assert_true (outside);
  weight_of (46, 60, 149, 33, &outside);
  g_assert_true (outside);
}

// The value is told, and that it is outside.
static void
test_ranges (void)
{
  static const struct {
    const char *name;
    bool around;
    double mm;
    bool outside;
  } rows[] = {
    { "bpd", false, 23, true },   { "bpd", false, 24, false },
    { "bpd", false, 101, false }, { "bpd", false, 103, true },
    { "hc", true, 88, true },     { "hc", true, 357, false },
    { "ac", true, 74, true },     { "ac", true, 382, true },
    { "fl", false, 13, true },    { "fl", false, 14, false },
    { "fl", false, 83, true },    { "crl", false, 4.9, true },
    { "crl", false, 5.1, false }, { "crl", false, 84, true },
    { "crl", false, 80, false },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    bool outside;
    const double weeks = rows[i].around
                             ? value_of_circle (rows[i].name, rows[i].mm, &outside)
                             : value_of_length (rows[i].name, rows[i].mm, &outside);
    g_test_message ("%s %g mm: %g weeks", rows[i].name, rows[i].mm, weeks);
    g_assert_cmpint (outside, ==, rows[i].outside);
  }
}

static void
assert_refused (const char *name, const OdlCalculationPart *parts, const char *words)
{
  g_auto (OdlCalculated) done = { 0 };
  g_autoptr (GError) error = NULL;
  g_assert_false (odl_calculate (odl_calculation_find (name), parts, &done, &error));
  g_assert_error (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, words));
}

static void
test_refusals (void)
{
  const OdlScale pixels = { .x = 1, .y = 1 };
  const OdlAnnotation circle = closed (50, 50, 40, 40, 0);
  const OdlAnnotation down = length (50, 10, 50, 90), beside = length (5, 10, 5, 90);
  const OdlAnnotation short_of = length (50, 50, 50, 300);
  const OdlAnnotation point = length (50, 50, 50, 50);
  const int other = 0;
  OdlAnnotation later = down, crossed = closed (50, 50, 40, 40, 0);
  later.frame = 3;
  crossed.points[64] = (OdlPoint){ 200, 60 };
#define PART(thing) { thing, half, NULL }
  assert_refused ("simpson", (OdlCalculationPart[]){ PART (&circle), PART (NULL) },
                  "“Its long axis” as well");
  assert_refused ("simpson", (OdlCalculationPart[]){ PART (&down), PART (&down) },
                  "“Contour” as well: an ellipse or a closed line");
  assert_refused ("fl", (OdlCalculationPart[]){ { &down, pixels, NULL } }, "in pixels");
  assert_refused ("fl", (OdlCalculationPart[]){ { &down, pixels, NULL } },
                  "millimetres unknown");
  assert_refused ("simpson", (OdlCalculationPart[]){ PART (&circle), PART (&beside) },
                  "does not lie in its contour");
  assert_refused ("simpson", (OdlCalculationPart[]){ PART (&circle), PART (&short_of) },
                  "does not lie in its contour");
  assert_refused ("simpson", (OdlCalculationPart[]){ PART (&circle), PART (&later) },
                  "another picture");
  assert_refused ("simpson",
                  (OdlCalculationPart[]){ PART (&circle), { &down, half, &other } },
                  "another picture");
  assert_refused ("area-length", (OdlCalculationPart[]){ PART (&crossed), PART (&down) },
                  "crosses itself");
  assert_refused ("area-length", (OdlCalculationPart[]){ PART (&circle), PART (&point) },
                  "");
  assert_refused ("ellipsoid",
                  (OdlCalculationPart[]){ PART (&point), PART (&down), PART (&down) },
                  "no value");
}

static void
test_words (void)
{
  const OdlScale by_hand
      = { .known = true, .x = 0.5, .y = 0.5, .place = ODL_SPACING_BY_HAND };
  const OdlAnnotation line = length (0, 0, 400, 0), fl = length (0, 0, 80, 0);
  const OdlCalculationPart long_one = { &line, by_hand, NULL };
  const OdlCalculationPart part = { &fl, half, NULL };
  const OdlCalculation *bpd = odl_calculation_find ("bpd");
  const OdlCalculation *age = odl_calculation_find ("fl");
  g_auto (OdlCalculated) done = { 0 }, second = { 0 };
  g_autoptr (GString) table = g_string_new (NULL);
  g_assert_true (odl_calculate (bpd, &long_one, &done, NULL));
  g_assert_cmpstr (done.note, ==, "calibrated by hand, outside the published range");
  odl_measure_table_add_calculated (table, "a.png", 2, bpd, &long_one, &done);
  g_assert_true (g_str_has_prefix (
      table->str,
      "\"a.png\",2,calculation,\"bpd: length 0,0,400,0; outside the published "
      "range; this program's, not for diagnosis\",bpd,106.22"));
  g_assert_true (g_str_has_suffix (table->str, ",\"wk\",hand,,,,\n"));
  g_assert_true (odl_calculate (age, &part, &second, NULL));
  g_autofree char *line_of = odl_calculated_to_line (age, &second);
  g_assert_cmpstr (
      line_of, ==,
      "Age by the femur length (FL): 22.9 weeks (22 weeks + 6 days). Hadlock "
      "et al., Radiology 1984; 152: 497–501. This program's, not for "
      "diagnosis.");
}

// Every row is whole, and an ellipse is as long around as its outline.
static void
test_rows (void)
{
  const OdlCalculation *row;
  for (size_t i = 0; (row = odl_calculation_at (i)) != NULL; i++) {
    g_assert_true (odl_calculation_find (row->name) == row);
    g_assert_cmpint (row->n_inputs, >, 0);
    g_assert_cmpint (row->n_inputs, <=, ODL_CALCULATION_MAX_INPUTS);
    for (int k = 0; k < row->n_inputs; k++) {
      g_assert_nonnull (row->inputs[k].title);
      if (row->inputs[k].takes == ODL_TAKES_AXIS)
        g_assert_true (k > 0 && row->inputs[k - 1].takes == ODL_TAKES_CLOSED);
    }
  }
  g_assert_null (odl_calculation_find ("nonsense"));
  const OdlAnnotation flat = ellipse (10, 10, 120, 30);
  const OdlSubject subject = { .scale = { .known = true, .x = 0.4, .y = 1.1 } };
  OdlMeasurement measures[ODL_ANNOTATION_MAX_MEASURES];
  OdlPoint line[ODL_ANNOTATION_MAX_OUTLINE];
  const int n = odl_annotation_outline (&flat, line);
  double around = 0;
  for (int i = 0; i + 1 < n; i++)
    around += odl_scale_distance (&subject.scale, line[i], line[i + 1]);
  g_assert_cmpint (odl_annotation_measure (&flat, &subject, measures), ==, 2);
  g_assert_cmpstr (measures[1].name, ==, "perimeter");
  assert_near (measures[1].value, around, 2e-4);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/calculation/every-row-is-whole", test_rows);
  g_test_add_func ("/calculation/spheres-hold-what-they-hold", test_spheres);
  g_test_add_func ("/calculation/disks-lie-across-each-axis", test_disks);
  g_test_add_func ("/calculation/ages-are-those-of-published-tables", test_ages);
  g_test_add_func ("/calculation/weights-are-those-of-published-tables", test_weights);
  g_test_add_func ("/calculation/outside-the-published-range-is-said", test_ranges);
  g_test_add_func ("/calculation/what-has-no-result-is-refused", test_refusals);
  g_test_add_func ("/calculation/results-say-where-they-come-from", test_words);
  return g_test_run ();
}
