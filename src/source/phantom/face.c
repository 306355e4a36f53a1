// SPDX-License-Identifier: MIT
// A face as a grid of control points, to be deformed: phantom:face[:WIDTHxHEIGHT]. In
// millimetres: x to the right, y upwards, z to the viewer. Columns go from the right to
// the left and rows downwards, so that normals point outwards.
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "source/source.h"

#define USUAL_SIDE 65
#define LEAST_SIDE 8
#define MOST_SIDE 1024
#define DEGREE 3

#define HALF_HEIGHT 110.0
#define HALF_WIDTH 75.0
#define DEPTH 85.0
#define HALF_ANGLE (100 * G_PI / 180)
// The sides of the head have no features.
#define SIDE_FROM 0.2 // cosine of the angle

// A bell over the front of the head.
typedef struct {
  double x, y; // x: on either side, if above 0
  double wide, high; // standard deviations
  double out; // how far it stands out
} Bump;

static const Bump bumps[] = {
  { 31, 27, 17, 12, -15 }, // sockets of the eyes
  { 31, 26, 11, 7.5, 9 }, // eyes
  { 27, 46, 22, 7, 6 }, // brows
  { 0, -13, 7, 9, 17 }, // tip of the nose
  { 0, 4, 7, 15, 10 }, // its bridge
  { 11, -17, 6, 6, 8 }, // wings of the nose
  { 42, -6, 19, 17, 6 }, // cheeks
  { 0, -41, 19, 5, 8 }, // lips
  { 0, -54, 16, 5.5, 9 },  { 0, -47.5, 21, 3.2, -8 }, { 0, -67, 20, 7, -4 }, // below them
  { 0, -88, 19, 13, 11 }, // chin
};

typedef struct {
  OdlSource base;
  int width, height;
} FaceSource;

extern const OdlSourceClass odl_face_source;

static double
bell (double x, double y, const Bump *bump)
{
  const double u = (x - bump->x) / bump->wide, v = (y - bump->y) / bump->high;

  return exp (-0.5 * (u * u + v * v));
}

// A point of the head, from the directions u (−1 … 1, right to left) and v (−1 … 1,
// down).
static void
find_point (double u, double v, float point[3])
{
  const double angle = -u * HALF_ANGLE, t = -v;
  const double y = HALF_HEIGHT * t;
  const double narrow = 1 - (t > 0 ? 0.22 : 0.38) * t * t * (t > 0 ? t * t : -t);
  const double depth = 1 - (t > 0 ? 0.30 * t * t * t : 0.10 * t * t);
  const double x = HALF_WIDTH * narrow * sin (angle);
  const double front = CLAMP ((cos (angle) - SIDE_FROM) / (1 - SIDE_FROM), 0, 1);
  double out = 0;

  for (size_t i = 0; i < G_N_ELEMENTS (bumps); i++) {
    const Bump *bump = &bumps[i];
    const double other = bump->x > 0 ? bell (-x, y, bump) : 0;
    out += bump->out * (bell (x, y, bump) + other);
  }
  point[0] = (float) x;
  point[1] = (float) y;
  point[2] = (float) (DEPTH * depth * cos (angle) + out * front);
}

static OdlImage *
make_image (const FaceSource *face, GError **error)
{
  const OdlSurfaceShape shape
      = { .points = { face->width, face->height }, .degree = { DEGREE, DEGREE } };
  const size_t n = 3 * (size_t) face->width * (size_t) face->height;
  g_autoptr (OdlSurface) surface = odl_surface_new_uniform (&shape);
  g_autofree float *points = g_new (float, n);
  OdlImageInfo info = { .extent = { face->width, face->height, 1, 1 },
                        .channels = 3,
                        .type = ODL_SAMPLE_F32,
                        .surface = surface };
  void *samples = NULL;

  for (int y = 0; y < face->height; y++)
    for (int x = 0; x < face->width; x++)
      find_point (2.0 * x / (face->width - 1) - 1, 2.0 * y / (face->height - 1) - 1,
                  points + 3 * ((size_t) y * (size_t) face->width + (size_t) x));
  info.stored_min = info.stored_max = (double) points[0];
  for (size_t i = 0; i < n; i++) {
    info.stored_min = MIN (info.stored_min, (double) points[i]);
    info.stored_max = MAX (info.stored_max, (double) points[i]);
  }
  OdlImage *image = odl_image_alloc (&info, &samples, error);
  if (image != NULL)
    memcpy (samples, points, n * sizeof *points);
  return image;
}

static bool
face_probe (const char *location, const uint8_t *head, size_t n_head)
{
  const char *name = "phantom:face";

  return g_str_has_prefix (location, name)
         && strchr (":", location[strlen (name)]) != NULL;
}

static bool
parse (const char *location, FaceSource *face)
{
  const char *rest = location + strlen ("phantom:face");
  g_auto (GStrv) sides = g_strsplit (*rest == ':' ? rest + 1 : rest, "x", 2);
  guint64 width = USUAL_SIDE, height = USUAL_SIDE;

  if (*rest != '\0'
      && (g_strv_length (sides) != 2
          || !g_ascii_string_to_unsigned (sides[0], 10, LEAST_SIDE, MOST_SIDE, &width,
                                          NULL)
          || !g_ascii_string_to_unsigned (sides[1], 10, LEAST_SIDE, MOST_SIDE, &height,
                                          NULL)))
    return false;
  face->width = (int) width;
  face->height = (int) height;
  return true;
}

static OdlSource *
face_open (const char *location, GCancellable *cancellable, GError **error)
{
  FaceSource found = { 0 };

  if (!parse (location, &found))
    return odl_error_null (
        error, ODL_ERROR_USAGE,
        _ ("“%s” is not a face. Write phantom:face, or phantom:face:WIDTHxHEIGHT with %d "
           "to %d control points each."),
        location, LEAST_SIDE, MOST_SIDE);
  FaceSource *self = g_new0 (FaceSource, 1);
  OdlSourceInfo *info = &self->base.info;
  odl_source_init (&self->base, &odl_face_source, location);
  self->width = found.width;
  self->height = found.height;
  g_free (info->name);
  info->name
      = g_strdup_printf (_ ("face of %d×%d control points"), self->width, self->height);
  g_free (info->format);
  info->format = g_strdup (_ ("generated NURBS surface"));
  info->n_frames = info->declared_frames = 1;
  odl_source_add_detail (&self->base, "degree", "%d×%d", DEGREE, DEGREE);
  odl_source_add_detail (&self->base, "rational", "no");
  return &self->base;
}

static void
face_close (OdlSource *source)
{
  (void) source;
}

static OdlImage *
face_read_frame (OdlSource *source,
                 int64_t index,
                 GCancellable *cancellable,
                 GError **error)
{
  if (index != 0) {
    odl_source_set_no_frame (source, index, error);
    return NULL;
  }
  return make_image ((const FaceSource *) source, error);
}

static const char *const examples[] = { "phantom:face", "phantom:face:129x129", NULL };

const OdlSourceClass odl_face_source = {
  .name = "face",
  .description
  = N_ ("A generated face: control points of a NURBS surface, to be deformed"),
  .examples = examples,
  .probe = face_probe,
  .open = face_open,
  .close = face_close,
  .read_frame = face_read_frame,
};
