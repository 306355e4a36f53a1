// SPDX-License-Identifier: MIT
#include "image/annotation/calculation.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"

#define MM_PER_CM 10.0
#define MM3_PER_ML 1000.0
#define DAYS_PER_WEEK 7
#define DISKS 20

// ---- inputs --------------------------------------------------------------------------

// What the annotation measures by that name; NAN: nothing.
static double
measured (const OdlCalculationPart *part, const char *name)
{
  const OdlSubject subject = { .scale = part->scale };
  OdlMeasurement measures[ODL_ANNOTATION_MAX_MEASURES];
  const int n = odl_annotation_measure (part->annotation, &subject, measures);

  for (int i = 0; i < n; i++)
    if (strcmp (measures[i].name, name) == 0)
      return measures[i].value;
  return NAN;
}

static double
length_mm (const OdlCalculationPart *part)
{
  return measured (part, "length");
}

static double
around_mm (const OdlCalculationPart *part)
{
  return measured (part, "perimeter");
}

static double
length_cm (const OdlCalculationPart *part)
{
  return length_mm (part) / MM_PER_CM;
}

static double
around_cm (const OdlCalculationPart *part)
{
  return around_mm (part) / MM_PER_CM;
}

// ---- volumes -------------------------------------------------------------------------

static double
ellipsoid (const OdlCalculationPart *parts)
{
  return G_PI / 6 * length_mm (&parts[0]) * length_mm (&parts[1]) * length_mm (&parts[2])
         / MM3_PER_ML;
}

static double
area_length (const OdlCalculationPart *parts)
{
  const double area = measured (&parts[0], "area");

  return 8 * area * area / (3 * G_PI * length_mm (&parts[1])) / MM3_PER_ML;
}

static OdlPoint
in_mm (const OdlScale *scale, OdlPoint at)
{
  return (OdlPoint){ at.x * scale->x, at.y * scale->y };
}

static int
by_place (const void *a, const void *b)
{
  const double left = *(const double *) a, right = *(const double *) b;

  return (left > right) - (left < right);
}

// Where the line through `axis` at that share of its length, perpendicular to it, lies
// within the closed line, by the even-odd rule.
typedef struct {
  double mm; // all of it together
  bool holds; // the axis itself is there
} Diameter;

static Diameter
diameter_at (const OdlCalculationPart *closed,
             const OdlCalculationPart *axis,
             double share)
{
  const OdlScale scale = odl_annotation_scale (closed->annotation, &closed->scale);
  const OdlPoint base = in_mm (&scale, axis->annotation->points[0]);
  const OdlPoint apex = in_mm (&scale, axis->annotation->points[1]);
  const double length = hypot (apex.x - base.x, apex.y - base.y);
  const OdlPoint along = { (apex.x - base.x) / length, (apex.y - base.y) / length };
  OdlPoint line[ODL_ANNOTATION_MAX_OUTLINE];
  double crossings[ODL_ANNOTATION_MAX_OUTLINE] = { 0 };
  const int n = odl_annotation_outline (closed->annotation, line);
  Diameter diameter = { 0, false };
  int found = 0;

  for (int i = 0; i + 1 < n; i++) {
    const OdlPoint a = in_mm (&scale, line[i]), b = in_mm (&scale, line[i + 1]);
    const double from = (a.x - base.x) * along.x + (a.y - base.y) * along.y;
    const double to = (b.x - base.x) * along.x + (b.y - base.y) * along.y;
    const double at = share * length;
    if ((from <= at) == (to <= at))
      continue;
    const double part = (at - from) / (to - from);
    const OdlPoint cross = { a.x + part * (b.x - a.x), a.y + part * (b.y - a.y) };
    crossings[found++] = (cross.y - base.y) * along.x - (cross.x - base.x) * along.y;
  }
  qsort (crossings, (size_t) found, sizeof *crossings, by_place);
  for (int i = 0; i + 1 < found; i += 2) {
    diameter.mm += crossings[i + 1] - crossings[i];
    diameter.holds |= crossings[i] <= 0 && crossings[i + 1] >= 0;
  }
  return diameter;
}

// π/4 · Σ a b · L / 20 of disks that are as thick along the longer of both axes.
static double
disks (const OdlCalculationPart *first, const OdlCalculationPart *second)
{
  const double length = fmax (length_mm (&first[1]), length_mm (&second[1]));
  double sum = 0;

  for (int i = 0; i < DISKS; i++) {
    const double share = (i + 0.5) / DISKS;
    sum += diameter_at (&first[0], &first[1], share).mm
           * diameter_at (&second[0], &second[1], share).mm;
  }
  return G_PI / 4 * sum * length / DISKS / MM3_PER_ML;
}

static double
simpson (const OdlCalculationPart *parts)
{
  return disks (parts, parts);
}

static double
simpson_biplane (const OdlCalculationPart *parts)
{
  return disks (parts, parts + 2);
}

// ---- biometry ------------------------------------------------------------------------

// Weeks by sizes in cm.
static double
age_by_bpd (const OdlCalculationPart *parts)
{
  const double bpd = length_cm (parts);

  return 9.54 + 1.482 * bpd + 0.1676 * bpd * bpd;
}

static double
age_by_hc (const OdlCalculationPart *parts)
{
  const double hc = around_cm (parts);

  return 8.96 + 0.540 * hc + 0.0003 * hc * hc * hc;
}

static double
age_by_ac (const OdlCalculationPart *parts)
{
  const double ac = around_cm (parts);

  return 8.14 + 0.753 * ac + 0.0036 * ac * ac;
}

static double
age_by_fl (const OdlCalculationPart *parts)
{
  const double fl = length_cm (parts);

  return 10.35 + 2.460 * fl + 0.170 * fl * fl;
}

static double
age_by_crl (const OdlCalculationPart *parts)
{
  return (8.052 * sqrt (1.037 * length_mm (parts)) + 23.73) / DAYS_PER_WEEK;
}

static double
weight (const OdlCalculationPart *parts)
{
  const double bpd = length_cm (&parts[0]), hc = around_cm (&parts[1]);
  const double ac = around_cm (&parts[2]), fl = length_cm (&parts[3]);

  return pow (10, 1.3596 - 0.00386 * ac * fl + 0.0064 * hc + 0.00061 * bpd * ac
                      + 0.0424 * ac + 0.174 * fl);
}

// ---- the table -----------------------------------------------------------------------

#define LANG "Lang et al., J Am Soc Echocardiogr 2015; 28: 1–39"
#define HADLOCK "Hadlock et al., Radiology 1984; 152: 497–501"

// Where the regressions of 1984 give 14 to 42 weeks.
#define BPD \
  { \
    "bpd", N_ ("Biparietal diameter (BPD)"), ODL_TAKES_LENGTH, 23.7, 101.8 \
  }
#define HC \
  { \
    "hc", N_ ("Head circumference (HC)"), ODL_TAKES_CLOSED, 89.4, 357.7 \
  }
#define AC \
  { \
    "ac", N_ ("Abdominal circumference (AC)"), ODL_TAKES_CLOSED, 75.1, 380.5 \
  }
#define FL \
  { \
    "fl", N_ ("Femur length (FL)"), ODL_TAKES_LENGTH, 13.6, 82.1 \
  }

static const OdlCalculation table[] = {
  { "ellipsoid",
    N_ ("Volume of an ellipsoid"),
    "ml",
    3,
    { { "length", N_ ("Length"), ODL_TAKES_LENGTH },
      { "width", N_ ("Width"), ODL_TAKES_LENGTH },
      { "height", N_ ("Height"), ODL_TAKES_LENGTH } },
    N_ ("π/6 · L · W · H"),
    NULL,
    0,
    0,
    ellipsoid },
  { "area-length",
    N_ ("Volume by area and length"),
    "ml",
    2,
    { { "contour", N_ ("Contour"), ODL_TAKES_CLOSED },
      { "axis", N_ ("Its long axis"), ODL_TAKES_AXIS } },
    N_ ("8 · A² / (3π · L)"),
    LANG,
    0,
    0,
    area_length },
  { "simpson",
    N_ ("Volume by disks, one plane (Simpson)"),
    "ml",
    2,
    { { "contour", N_ ("Contour"), ODL_TAKES_CLOSED },
      { "axis", N_ ("Its long axis"), ODL_TAKES_AXIS } },
    N_ ("π/4 · Σ aᵢ² · L/20, i = 1…20"),
    LANG,
    0,
    0,
    simpson },
  { "simpson-biplane",
    N_ ("Volume by disks, two planes (Simpson)"),
    "ml",
    4,
    { { "contour-1", N_ ("First contour"), ODL_TAKES_CLOSED },
      { "axis-1", N_ ("Its long axis"), ODL_TAKES_AXIS },
      { "contour-2", N_ ("Second contour"), ODL_TAKES_CLOSED },
      { "axis-2", N_ ("Its long axis"), ODL_TAKES_AXIS } },
    N_ ("π/4 · Σ aᵢ · bᵢ · L/20, i = 1…20"),
    LANG,
    0,
    0,
    simpson_biplane },
  { "bpd",
    N_ ("Age by the biparietal diameter (BPD)"),
    "wk",
    1,
    { BPD },
    N_ ("9.54 + 1.482 · BPD + 0.1676 · BPD² (cm)"),
    HADLOCK,
    14,
    42,
    age_by_bpd },
  { "hc",
    N_ ("Age by the head circumference (HC)"),
    "wk",
    1,
    { HC },
    N_ ("8.96 + 0.540 · HC + 0.0003 · HC³ (cm)"),
    HADLOCK,
    14,
    42,
    age_by_hc },
  { "ac",
    N_ ("Age by the abdominal circumference (AC)"),
    "wk",
    1,
    { AC },
    N_ ("8.14 + 0.753 · AC + 0.0036 · AC² (cm)"),
    HADLOCK,
    14,
    42,
    age_by_ac },
  { "fl",
    N_ ("Age by the femur length (FL)"),
    "wk",
    1,
    { FL },
    N_ ("10.35 + 2.460 · FL + 0.170 · FL² (cm)"),
    HADLOCK,
    14,
    42,
    age_by_fl },
  { "crl",
    N_ ("Age by the crown-rump length (CRL)"),
    "wk",
    1,
    { { "crl", N_ ("Crown-rump length (CRL)"), ODL_TAKES_LENGTH } },
    N_ ("(8.052 · √(1.037 · CRL) + 23.73) / 7 (mm)"),
    "Robinson and Fleming, Br J Obstet Gynaecol 1975; 82: 702–710",
    6,
    14,
    age_by_crl },
  { "efw",
    N_ ("Estimated fetal weight (EFW)"),
    "g",
    4,
    { BPD, HC, AC, FL },
    N_ ("log₁₀ EFW = 1.3596 − 0.00386 · AC · FL + 0.0064 · HC + 0.00061 · BPD · AC + "
        "0.0424 · AC + 0.174 · FL (cm)"),
    "Hadlock et al., Am J Obstet Gynecol 1985; 151: 333–337",
    0,
    0,
    weight },
};

const OdlCalculation *
odl_calculation_at (size_t i)
{
  return i < G_N_ELEMENTS (table) ? &table[i] : NULL;
}

const OdlCalculation *
odl_calculation_find (const char *name)
{
  for (size_t i = 0; i < G_N_ELEMENTS (table); i++)
    if (strcmp (table[i].name, name) == 0)
      return &table[i];
  return NULL;
}

bool
odl_calculation_fits (const OdlCalculationInput *input, const OdlAnnotation *annotation)
{
  const OdlAnnotationKind *kind = annotation->kind;

  return input->takes == ODL_TAKES_CLOSED
             ? kind == &odl_annotation_ellipse || kind == &odl_annotation_polygon
                   || kind == &odl_annotation_freehand
             : kind == &odl_annotation_length;
}

const char *
odl_calculation_wants (const OdlCalculationInput *input)
{
  static const char *const words[] = {
    // Translators: what an input of a calculation is made from.
    [ODL_TAKES_LENGTH] = N_ ("a length"),
    [ODL_TAKES_CLOSED] = N_ ("an ellipse or a closed line"),
    [ODL_TAKES_AXIS] = N_ ("a length from the middle of the base to the apex"),
  };

  return _ (words[input->takes]);
}

// ---- refusals ------------------------------------------------------------------------

static bool
lacks (const OdlCalculation *calculation, int i, GError **error)
{
  return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                        // Translators: a calculation, an input, and what that is.
                        _ ("“%s” needs “%s” as well: %s"), _ (calculation->title),
                        _ (calculation->inputs[i].title),
                        odl_calculation_wants (&calculation->inputs[i]));
}

static bool
has_millimetres (const OdlCalculationInput *input,
                 const OdlCalculationPart *part,
                 GError **error)
{
  const OdlScale scale = odl_annotation_scale (part->annotation, &part->scale);

  return scale.known
         || odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                           // Translators: an input of a calculation, and why its
                           // millimetres are not known.
                           _ ("“%s” is in pixels (%s), of which nothing follows. "
                              "Calibrate by a known length first."),
                           _ (input->title), odl_scale_note (&scale));
}

// Whether the axis is drawn over its contour, and in it.
static bool
is_axis (const OdlCalculationInput *input,
         const OdlCalculationPart *closed,
         const OdlCalculationPart *axis,
         GError **error)
{
  const OdlAnnotation *a = closed->annotation, *b = axis->annotation;
  const OdlScale scale = odl_annotation_scale (a, &closed->scale);
  const OdlScale own = odl_annotation_scale (b, &axis->scale);
  const bool together = closed->source == axis->source && a->frame == b->frame
                        && a->on.used == b->on.used
                        && odl_annotation_is_on (b, a->frame, &a->on) && scale.x == own.x
                        && scale.y == own.y;

  // Its ends may lie a little outside, and a contour may be bent.
  return (together && diameter_at (closed, axis, 0.5).holds
          && diameter_at (closed, axis, 0.1).mm > 0
          && diameter_at (closed, axis, 0.9).mm > 0)
         || odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                           together
                               ? _ ("“%s” does not lie in its contour. Draw it from the "
                                    "middle of the base to the apex.")
                               : _ ("“%s” is drawn over another picture than its "
                                    "contour. Draw it over the same one."),
                           _ (input->title));
}

static bool
check (const OdlCalculation *calculation,
       const OdlCalculationPart *parts,
       int i,
       GError **error)
{
  const OdlCalculationInput *input = &calculation->inputs[i];

  if (parts[i].annotation == NULL || !odl_calculation_fits (input, parts[i].annotation))
    return lacks (calculation, i, error);
  if (!has_millimetres (input, &parts[i], error))
    return false;
  if (input->takes == ODL_TAKES_CLOSED && isnan (measured (&parts[i], "area")))
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                          _ ("“%s” crosses itself, so that it has no single area."),
                          _ (input->title));
  return input->takes != ODL_TAKES_AXIS
         || is_axis (input, &parts[i - 1], &parts[i], error);
}

// ---- results -------------------------------------------------------------------------

void
odl_calculated_clear (OdlCalculated *calculated)
{
  g_clear_pointer (&calculated->note, g_free);
}

static bool
is_outside (const OdlCalculation *calculation,
            const OdlCalculationPart *parts,
            double value)
{
  if (calculation->most > 0)
    return value < calculation->least || value > calculation->most;
  for (int i = 0; i < calculation->n_inputs; i++) {
    const OdlCalculationInput *input = &calculation->inputs[i];
    const double mm = input->takes == ODL_TAKES_CLOSED ? around_mm (&parts[i])
                                                       : length_mm (&parts[i]);
    if (input->most > 0 && (mm < input->least || mm > input->most))
      return true;
  }
  return false;
}

// Each once: what has to be said of the millimetres, then of the range.
static void
add_notes (const OdlCalculation *calculation,
           const OdlCalculationPart *parts,
           OdlCalculated *calculated)
{
  g_autoptr (GPtrArray) notes = g_ptr_array_new ();

  for (int i = 0; i < calculation->n_inputs; i++) {
    const OdlScale scale = odl_annotation_scale (parts[i].annotation, &parts[i].scale);
    const char *note = odl_scale_note (&scale);
    if (i == 0 || (note != NULL && notes->len == 0))
      calculated->scale = scale;
    if (note != NULL
        && !g_ptr_array_find_with_equal_func (notes, note, g_str_equal, NULL))
      g_ptr_array_add (notes, (void *) note);
  }
  if (calculated->outside)
    // Translators: beside a result of a formula, such as an age.
    g_ptr_array_add (notes, (void *) _ ("outside the published range"));
  g_ptr_array_add (notes, NULL);
  if (notes->len > 1)
    calculated->note = g_strjoinv (", ", (char **) notes->pdata);
}

bool
odl_calculate (const OdlCalculation *calculation,
               const OdlCalculationPart *parts,
               OdlCalculated *calculated,
               GError **error)
{
  g_return_val_if_fail (calculation != NULL && parts != NULL, false);

  for (int i = 0; i < calculation->n_inputs; i++)
    if (!check (calculation, parts, i, error))
      return false;
  const double value = calculation->compute (parts);
  if (!isfinite (value) || value <= 0)
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                          _ ("“%s” has no value with these sizes."),
                          _ (calculation->title));
  *calculated = (OdlCalculated){ .value = value };
  calculated->outside = is_outside (calculation, parts, value);
  add_notes (calculation, parts, calculated);
  return true;
}

// "20 weeks + 1 day", to the nearest day.
static char *
weeks_text (double weeks)
{
  const int days = (int) fmin (round (weeks * DAYS_PER_WEEK), G_MAXINT / 2);
  g_autofree char *whole = g_strdup_printf (
      ngettext ("%d week", "%d weeks", (gulong) (days / DAYS_PER_WEEK)),
      days / DAYS_PER_WEEK);
  g_autofree char *rest
      = g_strdup_printf (ngettext ("%d day", "%d days", (gulong) (days % DAYS_PER_WEEK)),
                         days % DAYS_PER_WEEK);

  // Translators: an age in weeks, then in weeks and days.
  return g_strdup_printf (_ ("%.1f weeks (%s + %s)"), weeks, whole, rest);
}

char *
odl_calculated_to_text (const OdlCalculation *calculation,
                        const OdlCalculated *calculated)
{
  const double value = calculated->value;

  if (strcmp (calculation->unit, "wk") == 0)
    return weeks_text (value);
  // Four digits, but no fraction of a gram.
  return strcmp (calculation->unit, "g") == 0 || value >= 1000
             ? g_strdup_printf ("%.0f %s", value, calculation->unit)
         : value >= 10 ? g_strdup_printf ("%.1f %s", value, calculation->unit)
                       : g_strdup_printf ("%.3g %s", value, calculation->unit);
}

char *
odl_calculated_to_line (const OdlCalculation *calculation,
                        const OdlCalculated *calculated)
{
  g_autofree char *text = odl_calculated_to_text (calculation, calculated);
  const char *note = calculated->note, *source = calculation->source;

  return g_strdup_printf ("%s: %s%s%s. %s%s%s.", _ (calculation->title), text,
                          note != NULL ? ", " : "", note != NULL ? note : "",
                          source != NULL ? source : "", source != NULL ? ". " : "",
                          odl_calculation_warning ());
}

const char *
odl_calculation_warning (void)
{
  return _ ("This program's, not for diagnosis");
}
