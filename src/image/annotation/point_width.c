// SPDX-License-Identifier: MIT
#include "image/annotation/point_width.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define HALF_DB 6.020599913 // 20 log10 2
#define LEAST_AMPLITUDE 1e-12
#define DEPTH_DB 40.0 // below the peak all is alike
#define MOST_STEPS 4096 // that a side is looked for

// ---- levels --------------------------------------------------------------------------

typedef struct {
  const OdlImage *image, *scaled;
  OdlExtent extent;
  double least, range; // of values, as odl_values_at has them
  double range_db; // 0: they are amplitudes
  double zero; // which count from there, a share
  OdlPoint first, last; // corners of what is looked at
  double floor; // what lies lower counts as that between samples
} Levels;

// False: samples have no level, such as waves.
static bool
levels_of (const OdlImage *image, const OdlImage *scaled, Levels *levels)
{
  const OdlImageInfo *info = odl_image_info (image), *own = odl_image_info (scaled);
  const OdlBeams *beams
      = own->beams.array != ODL_BEAMS_NONE ? &own->beams : &own->made_of.beams;
  const bool grey = own->channels == 1;
  const double slope = grey ? info->value_map.slope : 1;
  const double intercept = grey ? info->value_map.intercept : 0;
  const double width
      = info->ycbcr.used ? 255 : info->stored_max - info->stored_min; // as of luma
  const double least = info->ycbcr.used ? 0 : info->stored_min;

  *levels = (Levels){ .image = image,
                      .scaled = scaled,
                      .extent = info->extent,
                      .least = slope * least + intercept,
                      .range = slope * width,
                      .range_db = beams->range_db };
  // Of beams amplitudes are shares, and of others values of the file.
  if (beams->array == ODL_BEAMS_NONE)
    levels->zero = -levels->least / levels->range;
  return slope != 0 && beams->content != ODL_BEAMS_WAVES
         && beams->content != ODL_BEAMS_COMPLEX
         && (beams->content != ODL_BEAMS_DECIBELS || beams->range_db > 0);
}

// Of samples at their middles: decibels below white, or of the full scale.
static void
levels_at (const Levels *levels, const OdlPoint *at, int n, double *found)
{
  odl_values_at (levels->image, levels->scaled, at, n, found);
  for (int i = 0; i < n; i++) {
    const double share = (found[i] - levels->least) / levels->range;
    found[i] = levels->range_db > 0
                   ? (share - 1) * levels->range_db
                   : 20 * log10 (fmax (share - levels->zero, LEAST_AMPLITUDE));
  }
}

// Weights of four samples in a row for the place `at` behind the second one: the cubic
// through them, which is exact where they lie on a parabola.
static void
weigh (double at, double weights[4])
{
  weights[0] = -at * (at - 1) * (at - 2) / 6;
  weights[1] = (at + 1) * (at - 1) * (at - 2) / 2;
  weights[2] = -(at + 1) * at * (at - 2) / 2;
  weights[3] = (at + 1) * at * (at - 1) / 6;
}

// Between samples, where straight lines would cut off what is as narrow as a few of them.
static double
level_at (const Levels *levels, OdlPoint at)
{
  const double left = floor (at.x - 0.5), top = floor (at.y - 0.5);
  OdlPoint places[16];
  double found[16], across[4], down[4], sum = 0;

  weigh (at.x - 0.5 - left, across);
  weigh (at.y - 0.5 - top, down);
  for (int i = 0; i < 16; i++)
    places[i] = (OdlPoint){ left + i % 4 - 0.5, top + i / 4 - 0.5 };
  levels_at (levels, places, 16, found);
  for (int i = 0; i < 16; i++)
    sum += down[i / 4] * across[i % 4] * fmax (found[i], levels->floor);
  return sum;
}

// ---- lines through the point ---------------------------------------------------------

typedef struct {
  OdlPoint origin; // in samples
  bool is_of_beams; // `beams` says which way they go
  bool shown; // they were made pixels
  OdlBeamsShown beams;
  OdlBeamsPoint place; // of the origin, mm
  double angle; // of the beam there
  double around_mm; // from the centre of the circle; 0: there is none
  double steps[2]; // from a sample to the next across and along the beam
  OdlScale scale; // of others
} Lines;

static void
find_beam (Lines *lines)
{
  const OdlBeams *beams = &lines->beams.beams;
  OdlBeamsPoint at = { lines->origin.x - 0.5, lines->origin.y - 0.5 };

  if (lines->shown) {
    lines->place = (OdlBeamsPoint){ lines->beams.left + lines->beams.pixel_mm * at.x,
                                    lines->beams.top + lines->beams.pixel_mm * at.y };
    at = odl_beams_find (beams, lines->place.x, lines->place.y);
  } else
    lines->place = odl_beams_place (beams, at.x, at.y);
  lines->angle = beams->steering;
  lines->steps[0] = beams->step * cos (beams->steering);
  lines->steps[1] = beams->sample_mm;
  if (beams->array == ODL_BEAMS_CURVILINEAR) {
    lines->angle = beams->first + beams->step * at.x;
    lines->around_mm = beams->radius_mm + beams->start_mm + beams->sample_mm * at.y;
    lines->steps[0] = beams->step * lines->around_mm;
  }
  for (int i = 0; i < 2 && lines->shown; i++)
    lines->steps[i] = fmax (lines->steps[i], lines->beams.pixel_mm);
}

static Lines
lines_through (const OdlImage *scaled, const OdlScale *scale, OdlPoint origin)
{
  const OdlImageInfo *info = odl_image_info (scaled);
  Lines lines = { .origin = origin, .scale = *scale, .steps = { scale->x, scale->y } };

  lines.shown = info->beams.array == ODL_BEAMS_NONE;
  lines.beams = lines.shown ? info->made_of : (OdlBeamsShown){ .beams = info->beams };
  lines.is_of_beams = lines.beams.beams.array != ODL_BEAMS_NONE;
  if (lines.is_of_beams)
    find_beam (&lines);
  return lines;
}

// The place so far from the origin, across the beam or along it, in samples.
static OdlPoint
place_on (const Lines *lines, bool along, double by)
{
  const double s = sin (lines->angle), c = cos (lines->angle);
  OdlBeamsPoint to = lines->place;

  if (!lines->is_of_beams)
    return (OdlPoint){ lines->origin.x + (along ? 0 : by / lines->scale.x),
                       lines->origin.y + (along ? by / lines->scale.y : 0) };
  if (along)
    to = (OdlBeamsPoint){ to.x + by * s, to.y + by * c };
  else if (lines->around_mm > 0) {
    const double turned = lines->angle + by / lines->around_mm;
    to.x += lines->around_mm * (sin (turned) - s);
    to.y += lines->around_mm * (cos (turned) - c);
  } else
    to = (OdlBeamsPoint){ to.x + by * c, to.y - by * s };
  if (lines->shown)
    return (OdlPoint){ (to.x - lines->beams.left) / lines->beams.pixel_mm + 0.5,
                       (to.y - lines->beams.top) / lines->beams.pixel_mm + 0.5 };
  const OdlBeamsPoint at = odl_beams_find (&lines->beams.beams, to.x, to.y);
  return (OdlPoint){ at.x + 0.5, at.y + 0.5 };
}

// ---- widths --------------------------------------------------------------------------

// Of equidistant samples: the height of the parabola above the middle one at its top.
static double
rise_of (double before, double middle, double behind)
{
  const double bend = before - 2 * middle + behind, slope = (behind - before) / 2;

  return bend < 0 ? -slope * slope / (2 * bend) : 0;
}

// Where between `above`, at 0, and `below`, at 1, the parabola through both and `before`,
// at −1, has that level.
static double
crossing_of (double before, double above, double below, double level)
{
  const double a = (before - 2 * above + below) / 2, b = (below - before) / 2;
  const double root = b * b - 4 * a * (above - level);
  const double straight = (above - level) / (above - below);

  if (fabs (a) < 1e-9 || root < 0)
    return straight;
  const double q = -(b + (b < 0 ? -1 : 1) * sqrt (root)) / 2;
  const double first = q / a, second = q != 0 ? (above - level) / q : -1;
  return first >= 0 && first <= 1     ? first
         : second >= 0 && second <= 1 ? second
                                      : straight;
}

// Within the region that was drawn.
static bool
is_in_reach (const Levels *levels, OdlPoint at)
{
  return at.x >= levels->first.x && at.y >= levels->first.y && at.x <= levels->last.x
         && at.y <= levels->last.y;
}

// From the origin on, by steps; NaN: it does not fall so far.
static double
side_of (const Levels *levels, const Lines *lines, bool along, double step, double level)
{
  double before = level_at (levels, place_on (lines, along, -step));
  double above = level_at (levels, lines->origin);

  for (int i = 1; i < MOST_STEPS; i++) {
    const OdlPoint at = place_on (lines, along, i * step);
    if (!is_in_reach (levels, at))
      break;
    const double below = level_at (levels, at);
    if (below <= level)
      return fabs (step) * (i - 1 + crossing_of (before, above, below, level));
    before = above;
    above = below;
  }
  return NAN;
}

// About the highest place of the line.
static double
width_of (const Levels *levels, const Lines *lines, bool along)
{
  const double step = lines->steps[along], middle = level_at (levels, lines->origin);
  const double before = level_at (levels, place_on (lines, along, -step));
  const double behind = level_at (levels, place_on (lines, along, step));
  const double half = middle + rise_of (before, middle, behind) - HALF_DB;

  return side_of (levels, lines, along, step, half)
         + side_of (levels, lines, along, -step, half);
}

// Where the region can be seen.
static void
set_reach (Levels *levels, const OdlAnnotation *annotation)
{
  levels->first = (OdlPoint){ levels->extent.x - 0.5, levels->extent.y - 0.5 };
  levels->last = (OdlPoint){ 0.5, 0.5 };
  for (int i = 0; i < annotation->n_points; i++) {
    const OdlPoint at = annotation->points[i];
    levels->first.x = fmax (fmin (levels->first.x, at.x), 0.5);
    levels->first.y = fmax (fmin (levels->first.y, at.y), 0.5);
    levels->last.x = fmin (fmax (levels->last.x, at.x), levels->extent.x - 0.5);
    levels->last.y = fmin (fmax (levels->last.y, at.y), levels->extent.y - 0.5);
  }
}

// Among the pixels whose middle lies in the ellipse between points 0 and 1; NaN: none.
static OdlPoint
find_peak (const OdlAnnotation *annotation, Levels *levels)
{
  const OdlPoint a = annotation->points[0], b = annotation->points[1];
  const OdlPoint centre = { (a.x + b.x) / 2, (a.y + b.y) / 2 };
  const double across = fabs (b.x - a.x) / 2, down = fabs (b.y - a.y) / 2;
  OdlPoint found = { NAN, NAN };
  double most = -INFINITY;

  for (double y = floor (levels->first.y) + 0.5; y <= levels->last.y; y++)
    for (double x = floor (levels->first.x) + 0.5; x <= levels->last.x; x++) {
      const OdlPoint at = { x, y };
      if (!(hypot ((x - centre.x) / across, (y - centre.y) / down) <= 1))
        continue;
      double level;
      levels_at (levels, &at, 1, &level);
      if (level > most) {
        most = level;
        found = at;
      }
    }
  levels->floor = most - DEPTH_DB;
  return found;
}

OdlPointWidth
odl_point_width_of (const OdlAnnotation *annotation,
                    const OdlImage *image,
                    const OdlImage *scaled,
                    const OdlScale *scale)
{
  OdlPointWidth widths = { NAN, NAN };
  Levels levels;

  if (!levels_of (image, scaled, &levels))
    return widths;
  set_reach (&levels, annotation);
  const OdlPoint peak = find_peak (annotation, &levels);
  if (isnan (peak.x))
    return widths;
  const Lines lines = lines_through (scaled, scale, peak);
  widths.lateral = width_of (&levels, &lines, false);
  widths.axial = width_of (&levels, &lines, true);
  return widths;
}

bool
odl_point_width_in_mm (const OdlImage *image)
{
  const OdlImageInfo *info = odl_image_info (image);

  return info->beams.array != ODL_BEAMS_NONE
         || info->made_of.beams.array != ODL_BEAMS_NONE;
}

// ---- the kind ------------------------------------------------------------------------

static void
settle (OdlAnnotation *annotation, int part)
{
  odl_annotation_ellipse.settle (annotation, part);
}

static int
outline (const OdlAnnotation *annotation, OdlPoint *line)
{
  return odl_annotation_ellipse.outline (annotation, line);
}

static OdlMeasurement
measure_of (const OdlScale *scale, const char *name, const char *label)
{
  return (OdlMeasurement){ .name = name,
                           .label = label,
                           .unit = odl_scale_unit (scale),
                           .decimals = odl_scale_decimals (scale) + 1 };
}

// What lies on beams is in millimetres, whatever the picture of them says.
static OdlScale
scale_of (const OdlSubject *subject)
{
  OdlScale scale = subject->scale;
  const OdlImage *shown = subject->after ? subject->after : subject->before;

  if (!scale.known && shown && odl_point_width_in_mm (shown))
    scale = (OdlScale){ .known = true, .x = 0.01, .y = 0.01 };
  return scale;
}

static int
measure (const OdlAnnotation *annotation,
         const OdlSubject *subject,
         OdlMeasurement *measures)
{
  OdlPointWidth before = { NAN, NAN }, after = { NAN, NAN };

  if (subject->before)
    before = odl_point_width_of (annotation, subject->before, odl_subject_first (subject),
                                 &subject->scale);
  if (subject->before && subject->filtered && subject->after)
    after = odl_point_width_of (annotation, subject->before, subject->after,
                                &subject->scale);
  const OdlScale scale = scale_of (subject);
  measures[0] = measure_of (&scale, "lateral", _ ("−6 dB lateral"));
  measures[1] = measure_of (&scale, "axial", _ ("axial"));
  measures[0].value = before.lateral;
  measures[0].after = after.lateral;
  measures[1].value = before.axial;
  measures[1].after = after.axial;
  return 2;
}

const OdlAnnotationKind odl_annotation_point = {
  .name = "point",
  .title = N_ ("Point Target"),
  .hint = N_ ("Point target: drag from one corner of the region about a bright point to "
              "the other; its width at −6 dB is measured."),
  .numbers = "X,Y,WIDTH,HEIGHT",
  .n_points = 4,
  .n_placed = 2,
  .sized = true,
  .samples = true,
  .scaled = true,
  .settle = settle,
  .outline = outline,
  .measure = measure,
};
