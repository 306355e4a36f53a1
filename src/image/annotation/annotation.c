// SPDX-License-Identifier: MIT
#include "image/annotation/annotation.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "image/annotation/calibration.h"

// ---- kinds ---------------------------------------------------------------------------

static const OdlAnnotationKind *const kinds[]
    = { &odl_annotation_length,     &odl_annotation_angle,    &odl_annotation_ellipse,
        &odl_annotation_polygon,    &odl_annotation_freehand, &odl_annotation_profile,
        &odl_annotation_point,      &odl_annotation_arrow,    &odl_annotation_text,
        &odl_annotation_right,      &odl_annotation_left,     &odl_annotation_number,
        &odl_annotation_calibration };

const OdlAnnotationKind *
odl_annotation_kind_at (size_t i)
{
  return i < G_N_ELEMENTS (kinds) ? kinds[i] : NULL;
}

const OdlAnnotationKind *
odl_annotation_kind_find (const char *name)
{
  for (size_t i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (g_strcmp0 (kinds[i]->name, name) == 0)
      return kinds[i];
  return g_strcmp0 (odl_annotation_key.name, name) == 0 ? &odl_annotation_key : NULL;
}

static void
settle (OdlAnnotation *annotation, int part)
{
  if (annotation->kind->settle)
    annotation->kind->settle (annotation, part);
}

// ---- one of them ---------------------------------------------------------------------

OdlAnnotation
odl_annotation_make (const OdlAnnotationKind *kind, int64_t frame, OdlPoint at)
{
  OdlAnnotation made = { .kind = kind, .frame = frame, .n_points = kind->n_points };

  for (int i = 0; i < kind->n_points; i++)
    made.points[i] = at;
  if (kind->origin == ODL_WORDS_FIXED)
    g_strlcpy (made.words, kind->words, sizeof made.words);
  return made;
}

bool
odl_annotation_from_points (const OdlAnnotationKind *kind,
                            const char *text,
                            OdlAnnotation *annotation)
{
  g_auto (GStrv) words = g_strsplit (text, ",", -1);
  OdlPoint *points = annotation->points;

  *annotation = odl_annotation_make (kind, 0, (OdlPoint){ 0, 0 });
  const guint n = g_strv_length (words);
  if (n % 2 != 0 || n < 2 * (guint) kind->n_placed
      || n > 2 * (guint) (kind->many ? ODL_ANNOTATION_MAX_POINTS : kind->n_placed))
    return false;
  annotation->n_points = kind->many ? (int) n / 2 : kind->n_points;
  for (int i = 0; i < (int) n / 2; i++)
    if (!odl_number_from_text (g_strstrip (words[2 * i]), &points[i].x)
        || !odl_number_from_text (g_strstrip (words[2 * i + 1]), &points[i].y))
      return false;
  settle (annotation, 1);
  return true;
}

// Whether its words differ from one to the next, so that they are written.
static bool
has_own_words (const OdlAnnotationKind *kind)
{
  return kind->origin == ODL_WORDS_TYPED || kind->origin == ODL_WORDS_COUNTED;
}

// The numbers of the placed points, then words.
static bool
words_from_text (const OdlAnnotationKind *kind,
                 const char *text,
                 OdlAnnotation *annotation)
{
  const char *end = text;

  for (int i = 0; i < 2 * kind->n_placed && end != NULL; i++)
    end = strchr (i > 0 ? end + 1 : end, ',');
  if (end == NULL)
    return false;
  g_autofree char *numbers = g_strndup (text, (gsize) (end - text));
  if (!odl_annotation_from_points (kind, numbers, annotation))
    return false;
  odl_annotation_set_words (annotation, end + 1);
  return *annotation->words != '\0';
}

bool
odl_annotation_from_text (const OdlAnnotationKind *kind,
                          const char *text,
                          OdlAnnotation *annotation)
{
  OdlPoint *points = annotation->points;

  if (has_own_words (kind))
    return words_from_text (kind, text, annotation);
  if (!odl_annotation_from_points (kind, text, annotation))
    return false;
  if (kind->sized)
    points[1] = (OdlPoint){ points[0].x + points[1].x, points[0].y + points[1].y };
  settle (annotation, 1);
  return true;
}

char *
odl_annotation_to_numbers (const OdlAnnotation *annotation)
{
  const OdlAnnotationKind *kind = annotation->kind;
  OdlPoint points[ODL_ANNOTATION_MAX_POINTS];
  GString *text = g_string_new (NULL);

  memcpy (points, annotation->points, sizeof points);
  if (kind->sized) {
    const OdlPoint a = points[0], b = points[1];
    points[0] = (OdlPoint){ fmin (a.x, b.x), fmin (a.y, b.y) };
    points[1] = (OdlPoint){ fabs (b.x - a.x), fabs (b.y - a.y) };
  }
  for (int i = 0; i < 2 * odl_annotation_placed (annotation); i++) {
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    const double value = i % 2 == 0 ? points[i / 2].x : points[i / 2].y;
    g_string_append_printf (text, "%s%s", i > 0 ? "," : "",
                            g_ascii_dtostr (number, sizeof number, value));
  }
  if (has_own_words (kind))
    g_string_append_printf (text, ",%s", annotation->words);
  return g_string_free (text, FALSE);
}

int
odl_annotation_placed (const OdlAnnotation *annotation)
{
  return annotation->kind->many ? annotation->n_points : annotation->kind->n_placed;
}

bool
odl_annotation_is_on (const OdlAnnotation *annotation,
                      int64_t frame,
                      const OdlOnPlane *on)
{
  static const OdlOnPlane none = { 0 };

  return (annotation->frame == ODL_EVERY_FRAME || annotation->frame == frame)
         && odl_on_plane_is_same (&annotation->on, on ? on : &none);
}

// Whether all points lie on one line.
static bool
is_flat (const OdlAnnotation *annotation)
{
  const OdlPoint *points = annotation->points, a = points[0];

  for (int i = 1; i < annotation->n_points; i++)
    for (int j = i + 1; j < annotation->n_points; j++)
      if ((points[i].x - a.x) * (points[j].y - a.y)
          != (points[i].y - a.y) * (points[j].x - a.x))
        return false;
  return true;
}

bool
odl_annotation_is_words (const OdlAnnotation *annotation)
{
  return annotation->kind->origin != ODL_WORDS_NONE && annotation->kind->n_points == 1;
}

bool
odl_annotation_is_empty (const OdlAnnotation *annotation)
{
  const OdlAnnotationKind *kind = annotation->kind;
  const OdlPoint *points = annotation->points;

  if (kind->origin != ODL_WORDS_NONE
      && (*annotation->words == '\0'
          || (kind->has_sense && !kind->has_sense (annotation))))
    return true;
  if (kind->many)
    return is_flat (annotation);
  for (int i = 1; i < kind->n_placed; i++) {
    const bool thin = points[i].x == points[i - 1].x,
               flat = points[i].y == points[i - 1].y;
    if (kind->sized ? thin || flat : thin && flat)
      return true;
  }
  return false;
}

bool
odl_annotation_set_words (OdlAnnotation *annotation, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_auto (GStrv) pieces = g_strsplit (valid, "\r\n", -1);
  g_autofree char *lines = g_strjoinv ("\n", pieces);
  gsize n = 0;

  g_strchomp (lines);
  for (const char *at = lines; *at != '\0'; at = g_utf8_next_char (at)) {
    const gsize bytes = (gsize) (g_utf8_next_char (at) - at);
    const gunichar letter = g_utf8_get_char (at);
    if (n + bytes >= sizeof annotation->words) {
      annotation->words[n] = '\0';
      return false;
    }
    if (letter == '\t' || letter == '\r')
      annotation->words[n++] = ' ';
    else if (letter == '\n' || !g_unichar_iscntrl (letter)) {
      memcpy (annotation->words + n, at, bytes);
      n += bytes;
    }
  }
  annotation->words[n] = '\0';
  return true;
}

bool
odl_annotation_is_same (const OdlAnnotation *a, const OdlAnnotation *b)
{
  if (a->kind != b->kind || a->frame != b->frame || a->n_points != b->n_points
      || !odl_on_plane_is_same (&a->on, &b->on) || strcmp (a->words, b->words) != 0)
    return false;
  for (int i = 0; i < a->n_points; i++)
    if (a->points[i].x != b->points[i].x || a->points[i].y != b->points[i].y)
      return false;
  return true;
}

GArray *
odl_annotation_values (const OdlAnnotation *annotation,
                       const OdlImage *image,
                       const OdlImage *scaled)
{
  g_return_val_if_fail (annotation->kind->values != NULL, NULL);

  return annotation->kind->values (annotation, image, scaled);
}

int
odl_annotation_outline (const OdlAnnotation *annotation, OdlPoint *line)
{
  if (annotation->kind->outline)
    return annotation->kind->outline (annotation, line);
  for (int i = 0; i < annotation->n_points; i++)
    line[i] = annotation->points[i];
  return annotation->n_points;
}

OdlScale
odl_annotation_scale (const OdlAnnotation *annotation, const OdlScale *scale)
{
  OdlPoint line[ODL_ANNOTATION_MAX_OUTLINE];
  const int n = odl_annotation_outline (annotation, line);

  return odl_scale_at (scale, line, n);
}

int
odl_annotation_measure (const OdlAnnotation *annotation,
                        const OdlSubject *subject,
                        OdlMeasurement *measures)
{
  OdlSubject here = *subject;

  if (!annotation->kind->measure)
    return 0;
  here.scale = odl_annotation_scale (annotation, &subject->scale);
  return annotation->kind->measure (annotation, &here, measures);
}

char *
odl_annotation_suv_unknown (const OdlAnnotation *annotation, const OdlSubject *subject)
{
  if (!annotation->kind->samples || !annotation->kind->measure || !subject->before
      || !subject->suv_unknown)
    return NULL;
  // Translators: why a PET picture has no uptake values, “no SUVbw: it does not say …”.
  return g_strdup_printf (_ ("no SUVbw: %s"), subject->suv_unknown);
}

char *
odl_annotation_to_text (const OdlAnnotation *annotation, const OdlSubject *subject)
{
  OdlMeasurement measures[ODL_ANNOTATION_MAX_MEASURES];
  const int n = odl_annotation_measure (annotation, subject, measures);
  GString *text = g_string_new (annotation->words);

  for (int i = 0; i < n; i++) {
    g_autofree char *value = odl_measurement_to_text (&measures[i]);
    g_string_append_printf (text, "%s%s",
                            i == 0               ? ""
                            : measures[i].joined ? ", "
                                                 : "\n",
                            value);
  }
  // Of filters whose result stays on the graphics card.
  if (annotation->kind->samples && n > 1 && subject->filtered && !subject->after)
    // Translators: below values of a region, which are not those after the filters.
    g_string_append_printf (text, "\n%s", _ ("of the original"));
  g_autofree char *why = odl_annotation_suv_unknown (annotation, subject);
  if (why)
    g_string_append_printf (text, "\n%s", why);
  return g_string_free (text, FALSE);
}

const char *
odl_annotation_note (const OdlAnnotation *annotation, const OdlScale *scale)
{
  const OdlScale here = odl_annotation_scale (annotation, scale);
  if (annotation->kind == &odl_annotation_calibration)
    return here.known && here.place == ODL_SPACING_BY_HAND
               ? odl_scale_note (&here)
               // Translators: below a length by which a picture is to be calibrated.
               : _ ("not applied: the file says how large its pixels are");
  if (!annotation->kind->measure)
    return NULL;
  // An angle needs no millimetres, but axes that are alike.
  if (!annotation->kind->scaled)
    return here.mixed || (here.region && !here.known) ? odl_scale_note (&here) : NULL;
  // Both of its axes are measured.
  return odl_scale_has_axes (&here) && !annotation->kind->samples
             ? NULL
             : odl_scale_note (&here);
}

// ---- places --------------------------------------------------------------------------

static double
distance_from_line (OdlPoint a, OdlPoint b, OdlPoint at, const OdlScale *metric)
{
  const double dx = (b.x - a.x) * metric->x, dy = (b.y - a.y) * metric->y;
  const double px = (at.x - a.x) * metric->x, py = (at.y - a.y) * metric->y;
  const double square = dx * dx + dy * dy;
  const double along = square > 0 ? CLAMP ((px * dx + py * dy) / square, 0, 1) : 0;

  return hypot (px - along * dx, py - along * dy);
}

static double
distance_from_outline (const OdlAnnotation *annotation,
                       OdlPoint at,
                       const OdlScale *metric)
{
  OdlPoint line[ODL_ANNOTATION_MAX_OUTLINE];
  const int n = odl_annotation_outline (annotation, line);
  double least = INFINITY;

  for (int i = 1; i < n; i++)
    least = fmin (least, distance_from_line (line[i - 1], line[i], at, metric));
  return least;
}

// How far [first, last] can go by `step` inside of [0, size].
static double
step_inside (double first, double last, double step, double size)
{
  return fmax (fmin (step, size - last), -first);
}

static void
move_all (OdlAnnotation *annotation, OdlPoint by, int width, int height)
{
  const int n = annotation->n_points;
  OdlPoint *points = annotation->points;
  OdlPoint first = points[0], last = points[0];

  for (int i = 1; i < n; i++) {
    first = (OdlPoint){ fmin (first.x, points[i].x), fmin (first.y, points[i].y) };
    last = (OdlPoint){ fmax (last.x, points[i].x), fmax (last.y, points[i].y) };
  }
  by.x = step_inside (first.x, last.x, by.x, width);
  by.y = step_inside (first.y, last.y, by.y, height);
  for (int i = 0; i < n; i++) {
    points[i].x += by.x;
    points[i].y += by.y;
  }
}

void
odl_annotation_move (OdlAnnotation *annotation,
                     int part,
                     OdlPoint from,
                     OdlPoint to,
                     int width,
                     int height)
{
  g_return_if_fail (part >= ODL_PART_LINE && part < annotation->n_points);

  if (part == ODL_PART_LINE) {
    move_all (annotation, (OdlPoint){ to.x - from.x, to.y - from.y }, width, height);
    return;
  }
  annotation->points[part]
      = (OdlPoint){ CLAMP (to.x, 0, width), CLAMP (to.y, 0, height) };
  settle (annotation, part);
}

int
odl_annotation_part_at (const OdlAnnotation *annotation,
                        OdlPoint at,
                        const OdlScale *metric,
                        double reach)
{
  int nearest = ODL_PART_NONE;
  double least = reach;

  for (int i = 0; i < annotation->n_points; i++) {
    const double distance = odl_scale_distance (metric, annotation->points[i], at);
    if (distance <= least) {
      least = distance;
      nearest = i;
    }
  }
  return nearest == ODL_PART_NONE
                 && distance_from_outline (annotation, at, metric) <= reach
             ? ODL_PART_LINE
             : nearest;
}

// ---- pixels --------------------------------------------------------------------------

static bool
is_within (const OdlPoint *line, int n, OdlPoint at)
{
  bool within = false;

  for (int i = 0; i + 1 < n; i++) {
    const OdlPoint a = line[i], b = line[i + 1];
    if ((a.y <= at.y) != (b.y <= at.y)
        && at.x >= a.x + (at.y - a.y) / (b.y - a.y) * (b.x - a.x))
      within = !within;
  }
  return within;
}

uint8_t *
odl_annotation_mask (const OdlAnnotation *annotation, int width, int height, int area[4])
{
  OdlPoint line[ODL_ANNOTATION_MAX_OUTLINE];
  const int n = odl_annotation_outline (annotation, line);
  OdlPoint first = { width, height }, last = { 0, 0 };

  for (int i = 0; i < n; i++) {
    first = (OdlPoint){ fmin (first.x, line[i].x), fmin (first.y, line[i].y) };
    last = (OdlPoint){ fmax (last.x, line[i].x), fmax (last.y, line[i].y) };
  }
  area[0] = (int) floor (fmax (first.x, 0));
  area[1] = (int) floor (fmax (first.y, 0));
  area[2] = (int) ceil (fmin (last.x, width)) - area[0];
  area[3] = (int) ceil (fmin (last.y, height)) - area[1];
  if (area[2] <= 0 || area[3] <= 0)
    return NULL;
  uint8_t *mask = g_new (uint8_t, (size_t) area[2] * area[3]);
  for (int y = 0; y < area[3]; y++)
    for (int x = 0; x < area[2]; x++)
      mask[(size_t) y * area[2] + x]
          = is_within (line, n, (OdlPoint){ area[0] + x + 0.5, area[1] + y + 0.5 });
  return mask;
}
