// SPDX-License-Identifier: MIT
#include "image/annotation/profile.h"

#include <math.h>

#include "base/text.h"

G_STATIC_ASSERT (2 + ODL_STATISTICS_MEASURES <= ODL_ANNOTATION_MAX_MEASURES);

static OdlPoint
between (OdlPoint a, OdlPoint b, double t)
{
  return (OdlPoint){ a.x + t * (b.x - a.x), a.y + t * (b.y - a.y) };
}

static double *
read_values (const OdlProfile *profile, const OdlSubject *subject, const OdlImage *image)
{
  double *values = g_new (double, profile->n);
  const OdlImageInfo *info = odl_image_info (subject->before);

  odl_values_at (subject->before, image, profile->positions, profile->n, values);
  for (int i = 0; i < profile->n; i++)
    values[i] = odl_unit_value (info, info->channels == 1, subject->unit, values[i]);
  return values;
}

OdlProfile
odl_profile_read (const OdlAnnotation *line, const OdlSubject *subject)
{
  const OdlScale scale = odl_scale_at (&subject->scale, line->points, 2);
  const OdlPoint a = line->points[0], b = line->points[1];
  const double pixels = hypot (b.x - a.x, b.y - a.y);
  const double length = odl_scale_distance (&scale, a, b);
  OdlProfile profile = { .at_unit = odl_scale_unit (&scale) };

  if (!subject->before)
    return profile;
  profile.unit = g_strdup (odl_statistics_unit (subject));
  profile.n = (int) fmin (ceil (pixels) + 1, ODL_PROFILE_MOST);
  profile.positions = g_new (OdlPoint, profile.n);
  profile.at = g_new (double, profile.n);
  for (int i = 0; i < profile.n; i++) {
    const double t = profile.n > 1 ? (double) i / (profile.n - 1) : 0;
    profile.positions[i] = between (a, b, t);
    profile.at[i] = t * length;
  }
  profile.before = read_values (&profile, subject, odl_subject_first (subject));
  if (subject->filtered && subject->after)
    profile.after = read_values (&profile, subject, subject->after);
  return profile;
}

void
odl_profile_clear (OdlProfile *profile)
{
  g_free (profile->positions);
  g_free (profile->at);
  g_free (profile->before);
  g_free (profile->after);
  g_free (profile->unit);
  *profile = (OdlProfile){ 0 };
}

OdlPoint
odl_profile_position (const OdlProfile *profile, double at)
{
  const double length = profile->at[profile->n - 1];

  return between (profile->positions[0], profile->positions[profile->n - 1],
                  length > 0 ? CLAMP (at / length, 0, 1) : 0);
}

double
odl_profile_nearest (const OdlProfile *profile, const OdlScale *metric, OdlPoint position)
{
  const OdlPoint a = profile->positions[0], b = profile->positions[profile->n - 1];
  const double dx = (b.x - a.x) * metric->x, dy = (b.y - a.y) * metric->y;
  const double square = dx * dx + dy * dy;
  const double along
      = ((position.x - a.x) * metric->x * dx + (position.y - a.y) * metric->y * dy);

  return square > 0 ? CLAMP (along / square, 0, 1) * profile->at[profile->n - 1] : 0;
}

// ---- the kind ------------------------------------------------------------------------

static int
measure (const OdlAnnotation *annotation,
         const OdlSubject *subject,
         OdlMeasurement *measures)
{
  const int n = odl_annotation_length.measure (annotation, subject, measures);

  if (!subject->before)
    return n;
  OdlSubject own = *subject;
  own.unit = ODL_UNIT_FILE;
  g_auto (OdlProfile) profile = odl_profile_read (annotation, &own);
  const OdlStatistics before = odl_statistics_of_values (profile.before, profile.n);
  const OdlStatistics after
      = profile.after ? odl_statistics_of_values (profile.after, profile.n) : before;
  return n
         + odl_statistics_as_measures (subject, &before, profile.after ? &after : NULL,
                                       measures + n);
}

const OdlAnnotationKind odl_annotation_profile = {
  .name = "profile",
  .title = N_ ("Profile"),
  .hint = N_ ("Profile: drag from one end to the other; the values along the line are "
              "plotted."),
  .numbers = "X1,Y1,X2,Y2",
  .n_points = 2,
  .n_placed = 2,
  .samples = true,
  .scaled = true,
  .measure = measure,
};
