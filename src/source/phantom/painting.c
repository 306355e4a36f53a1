// SPDX-License-Identifier: MIT
// A painting, for what takes a second picture: strokes along a flow with eddies, by line
// integral convolution of noise (B. Cabral, L. Leedom, "Imaging vector fields using line
// integral convolution", SIGGRAPH 1993). Lengths are fractions of the shorter side.
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/parallel.h"
#include "source/phantom/internal.h"
#include "source/source.h"

#define NAME "phantom:painting"
#define MAX_SIDE 16384

#define BRISTLE 0.006f // width of a stroke
#define STEPS 12 // of that length, from the middle of a stroke to either end
#define CONTRAST 3.0f
#define PATCH 0.15f // of one colour
#define EDDIES 5
#define EDDY 0.12f // radius

typedef struct {
  OdlSource base;
  int width, height;
  unsigned seed;
} PaintingSource;

typedef struct {
  float x, y, turn;
} Eddy;

typedef struct {
  const PaintingSource *params;
  float side; // the shorter one, pixels
  Eddy eddies[EDDIES];
} Scene;

extern const OdlSourceClass odl_painting_source;

// 0 … 1.
static float
random_at (const Scene *scene, uint64_t stream, int64_t x, int64_t y)
{
  const uint64_t bits
      = odl_phantom_hash (scene->params->seed, stream, (uint64_t) y << 32 | (uint32_t) x);

  return (float) (bits >> 40) * 0x1p-24f;
}

static Scene
make_scene (const PaintingSource *params)
{
  Scene scene = { .params = params, .side = (float) MIN (params->width, params->height) };

  for (int i = 0; i < EDDIES; i++)
    scene.eddies[i] = (Eddy){
      .x = random_at (&scene, 0, i, 0) * (float) params->width / scene.side,
      .y = random_at (&scene, 0, i, 1) * (float) params->height / scene.side,
      .turn = i % 2 == 0 ? 1.0f : -1.0f,
    };
  return scene;
}

// Noise of that grain, linear between its points.
static float
noise_at (const Scene *scene, uint64_t stream, float grain, float x, float y)
{
  const float u = x / grain, v = y / grain;
  const float left = floorf (u), top = floorf (v), dx = u - left, dy = v - top;
  const int64_t i = (int64_t) left, k = (int64_t) top;
  const float above = (1 - dx) * random_at (scene, stream, i, k)
                      + dx * random_at (scene, stream, i + 1, k);
  const float below = (1 - dx) * random_at (scene, stream, i, k + 1)
                      + dx * random_at (scene, stream, i + 1, k + 1);

  return (1 - dy) * above + dy * below;
}

// The flow, of length 1: to the right, and about the eddies.
static void
flow_at (const Scene *scene, float x, float y, float flow[2])
{
  float fx = 1, fy = 0.6f * noise_at (scene, 1, 3 * PATCH, x, y) - 0.3f;

  for (int i = 0; i < EDDIES; i++) {
    const Eddy *eddy = &scene->eddies[i];
    const float dx = x - eddy->x, dy = y - eddy->y;
    const float strength = eddy->turn * 2 * EDDY / (dx * dx + dy * dy + EDDY * EDDY);
    fx -= strength * dy;
    fy += strength * dx;
  }
  const float length = sqrtf (fx * fx + fy * fy);
  flow[0] = length > 0 ? fx / length : 1;
  flow[1] = length > 0 ? fy / length : 0;
}

// The mean of the noise along the stroke through a point, about 0.
static float
stroke_at (const Scene *scene, float x, float y)
{
  float sum = noise_at (scene, 2, BRISTLE, x, y);

  for (int direction = -1; direction <= 1; direction += 2) {
    float px = x, py = y;
    for (int i = 0; i < STEPS; i++) {
      float flow[2];
      flow_at (scene, px, py, flow);
      px += (float) direction * BRISTLE * flow[0];
      py += (float) direction * BRISTLE * flow[1];
      sum += noise_at (scene, 2, BRISTLE, px, py);
    }
  }
  return sum / (2 * STEPS + 1) - 0.5f;
}

// Night, sky, and light about the eddies.
static void
fill_row (const Scene *scene, int row, uint8_t *out)
{
  static const float colours[][3] = {
    { 0.07f, 0.12f, 0.32f },
    { 0.20f, 0.38f, 0.66f },
    { 0.62f, 0.76f, 0.80f },
    { 0.95f, 0.82f, 0.36f },
  };
  const float y = ((float) row + 0.5f) / scene->side;

  for (int column = 0; column < scene->params->width; column++) {
    const float x = ((float) column + 0.5f) / scene->side;
    const float stroke = CONTRAST * stroke_at (scene, x, y);
    float light = 1.4f * noise_at (scene, 3, PATCH, x, y) + 0.7f * stroke;
    for (int i = 0; i < EDDIES; i++) {
      const float dx = x - scene->eddies[i].x, dy = y - scene->eddies[i].y;
      light += 2 * MAX (1 - sqrtf (dx * dx + dy * dy) / EDDY, 0.0f);
    }
    light = CLAMP (light, 0.0f, 2.999f);
    const int i = (int) light;
    for (int c = 0; c < 3; c++) {
      const float between = light - (float) i;
      const float plain = (1 - between) * colours[i][c] + between * colours[i + 1][c];
      const float value = 255 * CLAMP (plain * (1 + stroke), 0.0f, 1.0f);
      *out++ = (uint8_t) (value + 0.5f);
    }
  }
}

static bool
painting_probe (const char *location, const uint8_t *head, size_t n_head)
{
  return g_str_has_prefix (location, NAME)
         && strchr (":,", location[strlen (NAME)]) != NULL;
}

static bool
parse (const char *text, PaintingSource *self)
{
  g_auto (GStrv) words = g_strsplit_set (text + strlen (NAME), ":,", 3);
  guint64 width = 1024, height = 768, seed = 1;
  int n = 1;
  bool good = words[0] == NULL || *words[0] == '\0';

  if (good && words[0] != NULL && text[strlen (NAME)] == ':') {
    g_auto (GStrv) sides = g_strsplit (words[n++], "x", 2);
    good = g_strv_length (sides) == 2
           && g_ascii_string_to_unsigned (sides[0], 10, 1, MAX_SIDE, &width, NULL)
           && g_ascii_string_to_unsigned (sides[1], 10, 1, MAX_SIDE, &height, NULL);
  }
  if (good && words[0] != NULL && words[n] != NULL)
    good = g_str_has_prefix (words[n], "seed=") && words[n + 1] == NULL
           && g_ascii_string_to_unsigned (words[n] + strlen ("seed="), 10, 0, G_MAXUINT,
                                          &seed, NULL);
  self->width = (int) width;
  self->height = (int) height;
  self->seed = (unsigned) seed;
  return good;
}

static OdlSource *
painting_open (const char *location, GCancellable *cancellable, GError **error)
{
  PaintingSource params = { .seed = 0 };

  if (!parse (location, &params))
    return odl_error_null (
        error, ODL_ERROR_USAGE,
        _ ("“%s” is not a painting. Write phantom:painting:WIDTHxHEIGHT, with sides of 1 "
           "to %d, and ,seed=N if you like."),
        location, MAX_SIDE);
  PaintingSource *self = g_new0 (PaintingSource, 1);
  *self = params;
  OdlSourceInfo *info = &self->base.info;
  odl_source_init (&self->base, &odl_painting_source, location);
  g_free (info->name);
  info->name = g_strdup_printf (_ ("painting %d×%d"), self->width, self->height);
  g_free (info->format);
  info->format = g_strdup (_ ("generated painting"));
  info->n_frames = info->declared_frames = 1;
  odl_source_add_detail (&self->base, "seed", "%u", self->seed);
  return &self->base;
}

static void
painting_close (OdlSource *source)
{
  (void) source;
}

static OdlImage *
painting_read_frame (OdlSource *source,
                     int64_t index,
                     GCancellable *cancellable,
                     GError **error)
{
  const PaintingSource *self = (const PaintingSource *) source;
  const OdlImageInfo info = {
    .extent = { self->width, self->height, 1, 1 },
    .channels = 3,
    .type = ODL_SAMPLE_U8,
  };
  void *samples = NULL;

  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  if (index != 0) {
    odl_source_set_no_frame (source, index, error);
    return NULL;
  }
  OdlImage *image = odl_image_alloc (&info, &samples, error);
  if (image == NULL)
    return NULL;
  const Scene scene = make_scene (self);
  const size_t row_bytes = 3 * (size_t) self->width;
  ODL_PARALLEL_FOR
  for (int y = 0; y < self->height; y++)
    fill_row (&scene, y, (uint8_t *) samples + (size_t) y * row_bytes);
  return image;
}

static const char *const painting_examples[]
    = { NAME, NAME ":1920x1080", NAME ":640x480,seed=3", NULL };

const OdlSourceClass odl_painting_source = {
  .name = "painting",
  .description = N_ ("A generated painting of strokes and eddies, as a second picture"),
  .examples = painting_examples,
  .probe = painting_probe,
  .open = painting_open,
  .close = painting_close,
  .read_frame = painting_read_frame,
};
