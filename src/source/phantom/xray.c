// SPDX-License-Identifier: MIT
// Lengths are fractions of the shorter side, from the centre, x to the right and y
// downwards. Levels are fractions of full scale of a picture whose bone is bright.
#include "source/phantom/xray.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/parallel.h"
#include "base/text.h"
#include "source/phantom/internal.h"

#define SHORT_SIDE_MM 240.0

#define AIR 0.05
#define SECOND_AIR 0.14
#define TISSUE 0.27
#define TISSUE_SHADE 0.03 // thicker in the middle
#define BONE 0.58
#define TEXT 0.90
#define MARKER 0.97
#define NOISE 0.006 // σ of the quantum noise

// The right part beyond this line has the second exposure.
#define SECOND_FROM 0.27

// A capsule from (ax, ay) to (bx, by), or with ry > 0 an ellipse about (ax, ay).
typedef struct {
  float ax, ay, bx, by;
  float radius, ry;
  float level; // of bone: extremities are darker
} Shape;

// Metatarsals and phalanges of four rays, talus and heel.
#define RAYS 4
#define PARTS 3
#define BONES (RAYS * PARTS + 2)

// How far tissue reaches around bones, and how much softer its edge is.
#define FLESH 0.05f
#define FLESH_EDGE 0.004f

typedef struct {
  Shape bones[BONES];
  float side; // the shorter one, pixels
  float edge; // width of a sharp edge
} Scene;

static Scene
make_scene (const OdlXrayParams *params)
{
  static const struct {
    double from, to, radius, level;
  } parts[PARTS] = {
    { 0.00, 0.200, 0.026, 1.00 },
    { 0.255, 0.325, 0.020, 0.94 },
    { 0.370, 0.405, 0.016, 0.88 },
  };
  Scene scene = { .side = (float) MIN (params->width, params->height) };

  scene.edge = MAX (2 / scene.side, 1e-4f);
  for (int ray = 0; ray < RAYS; ray++) {
    const double turn = (ray - 1.5) * 0.11, x = (ray - 1.5) * 0.075;
    for (int i = 0; i < PARTS; i++)
      scene.bones[ray * PARTS + i]
          = (Shape){ .ax = (float) (x + sin (turn) * parts[i].from),
                     .ay = (float) (-0.02 - cos (turn) * parts[i].from),
                     .bx = (float) (x + sin (turn) * parts[i].to),
                     .by = (float) (-0.02 - cos (turn) * parts[i].to),
                     .radius = (float) parts[i].radius,
                     .level = (float) parts[i].level };
  }
  scene.bones[BONES - 2]
      = (Shape){ .ay = 0.100f, .radius = 0.12f, .ry = 0.055f, .level = 1 };
  scene.bones[BONES - 1]
      = (Shape){ .ay = 0.285f, .radius = 0.14f, .ry = 0.090f, .level = 1 };
  return scene;
}

// Distance from the shape's outline, negative inside; of ellipses its sign is exact and
// its size right near the outline.
static float
distance_of (const Shape *shape, float x, float y)
{
  if (shape->ry > 0) {
    const float u = (x - shape->ax) / shape->radius, v = (y - shape->ay) / shape->ry;
    const float gu = u / shape->radius, gv = v / shape->ry;
    const float slope = sqrtf (gu * gu + gv * gv), k = sqrtf (u * u + v * v);
    return slope > 0 ? k * (k - 1) / slope : -shape->ry;
  }
  const float dx = shape->bx - shape->ax, dy = shape->by - shape->ay;
  const float px = x - shape->ax, py = y - shape->ay;
  const float t = CLAMP ((px * dx + py * dy) / (dx * dx + dy * dy), 0.0f, 1.0f);
  const float qx = px - t * dx, qy = py - t * dy;
  return sqrtf (qx * qx + qy * qy) - shape->radius;
}

// 0 outside, 1 inside, with an edge of that width.
static float
coverage (float distance, float edge)
{
  return CLAMP (0.5f - distance / edge, 0.0f, 1.0f);
}

// 5 columns of 7 bits, the lowest above.
static const struct {
  char letter;
  uint8_t columns[5];
} font[] = {
  { 'F', { 0x7f, 0x09, 0x09, 0x09, 0x01 } },
  { 'O', { 0x3e, 0x41, 0x41, 0x41, 0x3e } },
  { 'T', { 0x01, 0x01, 0x7f, 0x01, 0x01 } },
  { 'L', { 0x7f, 0x40, 0x40, 0x40, 0x40 } },
  { '1', { 0x00, 0x42, 0x7f, 0x40, 0x00 } },
  { '2', { 0x42, 0x61, 0x51, 0x49, 0x46 } },
  { ' ', { 0 } },
};

// One line of letters whose upper left corner is (x, y), of dots of `dot`.
typedef struct {
  const char *text;
  float x, y, dot, level;
} Line;

static const Line lines[] = {
  { "FOOT L 12", -0.46f, -0.46f, 0.0019f, (float) TEXT },
  { "L 212", -0.46f, -0.44f, 0.0019f, (float) TEXT },
  { "L", 0.40f, 0.38f, 0.0034f, (float) MARKER },
};

static bool
is_in_letter (char letter, int column, int row)
{
  for (size_t i = 0; i < G_N_ELEMENTS (font); i++)
    if (font[i].letter == letter)
      return (font[i].columns[column] >> row & 1) != 0;
  return false;
}

// The level of text or marker at a place; 0: there is none.
static float
writing_at (float x, float y)
{
  for (size_t i = 0; i < G_N_ELEMENTS (lines); i++) {
    const Line *line = &lines[i];
    const float u = (x - line->x) / line->dot, v = (y - line->y) / line->dot;
    if (!(u >= 0 && v >= 0 && v < 7 && u < 6 * (float) strlen (line->text)))
      continue;
    const int column = (int) u % 6;
    if (column < 5 && is_in_letter (line->text[(int) u / 6], column, (int) v))
      return line->level;
  }
  return 0;
}

static float
nearest_bone (const Scene *scene, float x, float y, const Shape **bone)
{
  float nearest = INFINITY;

  for (int i = 0; i < BONES; i++) {
    const float distance = distance_of (&scene->bones[i], x, y);
    if (distance < nearest) {
      nearest = distance;
      *bone = &scene->bones[i];
    }
  }
  return nearest;
}

static float
level_at (const Scene *scene, const OdlXrayParams *params, float x, float y)
{
  const Shape *bone = scene->bones;
  const float distance = nearest_bone (scene, x, y, &bone);
  const bool second = params->backgrounds == 2 && x > (float) SECOND_FROM;
  float level = (float) (second ? SECOND_AIR : AIR);
  const float shade = (float) TISSUE_SHADE * CLAMP (-(distance - FLESH) / FLESH, 0, 1);

  level += ((float) TISSUE + shade - level)
           * coverage (distance - FLESH, FLESH_EDGE + scene->edge);
  level += ((float) BONE * bone->level - level) * coverage (distance, scene->edge);
  const float writing = params->clean ? 0 : writing_at (x, y);
  return writing > 0 ? writing : level;
}

// 0 … 1, of noise number `stream` at a pixel.
static double
chance (const OdlXrayParams *params, uint64_t stream, uint64_t pixel)
{
  return (double) (odl_phantom_hash (params->seed, stream, pixel) >> 11) * 0x1p-53;
}

// The sum of four uniform numbers is nearly normal, with variance 1/3.
static double
with_noise (const OdlXrayParams *params, double level, uint64_t pixel)
{
  const double salt = chance (params, 16, pixel);
  double sum = -2;

  if (salt < params->salt)
    return salt < params->salt / 2 ? 0 : 1;
  for (int i = 0; i < 4; i++)
    sum += chance (params, 17 + i, pixel);
  return level + NOISE * sqrt (3.0) * sum;
}

static void
fill_row (const Scene *scene, const OdlXrayParams *params, int y, void *samples)
{
  const int most = (1 << params->bits) - 1;
  const size_t first = (size_t) y * params->width;
  const float v = ((float) y + 0.5f - 0.5f * (float) params->height) / scene->side;

  for (int x = 0; x < params->width; x++) {
    const float u = ((float) x + 0.5f - 0.5f * (float) params->width) / scene->side;
    const Shape *bone;
    if (params->truth) {
      ((uint8_t *) samples)[first + x]
          = nearest_bone (scene, u, v, &bone) < 0 ? UINT8_MAX : 0;
      continue;
    }
    double level = (double) level_at (scene, params, u, v);
    if (!params->clean)
      level = with_noise (params, level, first + x);
    const int value = (int) (CLAMP (level, 0, 1) * most + 0.5);
    ((uint16_t *) samples)[first + x]
        = (uint16_t) (params->monochrome == 1 ? most - value : value);
  }
}

OdlImage *
odl_xray_image (const OdlXrayParams *params, GError **error)
{
  const Scene scene = make_scene (params);
  const double spacing = SHORT_SIDE_MM / (double) scene.side;
  OdlImageInfo info = {
    .extent = { params->width, params->height, 1, 1 },
    .channels = 1,
    .type = params->truth ? ODL_SAMPLE_U8 : ODL_SAMPLE_U16,
    .stored_max = params->truth ? UINT8_MAX : (1 << params->bits) - 1,
    .value_map = { .slope = 1, .inverse = !params->truth && params->monochrome == 1 },
    .spacing_mm = { spacing, spacing, 0 },
    .spacing_place = ODL_SPACING_AT_DETECTOR,
  };
  void *samples = NULL;
  OdlImage *image = odl_image_alloc (&info, &samples, error);

  if (image == NULL)
    return NULL;
  ODL_PARALLEL_FOR
  for (int y = 0; y < params->height; y++)
    fill_row (&scene, params, y, samples);
  return image;
}

static bool
parse_size (const char *word, OdlXrayParams *params)
{
  g_auto (GStrv) sides = g_strsplit (word, "x", 2);
  guint64 side[2] = { 0, 0 };

  if (g_strv_length (sides) != 2)
    return false;
  for (int k = 0; k < 2; k++)
    if (!g_ascii_string_to_unsigned (sides[k], 10, 1, ODL_XRAY_MAX_SIDE, &side[k], NULL))
      return false;
  params->width = (int) side[0];
  params->height = (int) side[1];
  return true;
}

static bool
parse_number (const char *text, guint64 least, guint64 most, int *number)
{
  guint64 value = 0;

  if (!g_ascii_string_to_unsigned (text, 10, least, most, &value, NULL))
    return false;
  *number = (int) value;
  return true;
}

static bool
parse_word (const char *word, OdlXrayParams *params)
{
  const char *value = strchr (word, '=');
  guint64 seed = 0;

  if (g_str_equal (word, "clean"))
    return params->clean = true;
  if (g_str_equal (word, "truth"))
    return params->truth = true;
  if (value == NULL)
    return false;
  value++;
  if (g_str_has_prefix (word, "bits="))
    return parse_number (value, 12, 16, &params->bits)
           && (params->bits == 12 || params->bits == 16);
  if (g_str_has_prefix (word, "monochrome="))
    return parse_number (value, 1, 2, &params->monochrome);
  if (g_str_has_prefix (word, "backgrounds="))
    return parse_number (value, 1, 2, &params->backgrounds);
  if (g_str_has_prefix (word, "salt="))
    return odl_number_from_text (value, &params->salt) && params->salt >= 0
           && params->salt <= 0.5;
  const bool good = g_str_has_prefix (word, "seed=")
                    && g_ascii_string_to_unsigned (value, 10, 0, G_MAXUINT, &seed, NULL);
  params->seed = (unsigned) seed;
  return good;
}

bool
odl_xray_parse (const char *text, OdlXrayParams *params, GError **error)
{
  OdlXrayParams result = { .width = 2920,
                           .height = 2320,
                           .seed = 1,
                           .bits = 12,
                           .monochrome = 1,
                           .backgrounds = 1,
                           .salt = 0.01 };
  const char *name = "phantom:xray";
  const char *rest = g_str_has_prefix (text, name) ? text + strlen (name) : "!";
  g_auto (GStrv) words = g_strsplit (*rest == '\0' ? "" : rest + 1, ",", -1);
  bool good = *rest == '\0' || (strchr (":,", *rest) != NULL && words[0] != NULL);

  for (int i = 0; good && words[i] != NULL; i++)
    good = i == 0 && *rest == ':' ? parse_size (words[i], &result)
                                  : parse_word (words[i], &result);
  if (!good)
    return odl_usage_error (
        error,
        _ ("“%s” is not an X-ray phantom. Write phantom:xray:WIDTHxHEIGHT, with sides of "
           "1 to %d, and what you like of seed=N, bits=12 or 16, monochrome=1 or 2, "
           "backgrounds=1 or 2, salt=SHARE up to 0.5, clean, truth, with commas between "
           "them."),
        text, ODL_XRAY_MAX_SIDE);
  *params = result;
  return true;
}
