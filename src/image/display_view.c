// SPDX-License-Identifier: MIT
#include "image/display.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "image/display_arithmetic.h"

#define MOST_TAPS 8
#define CANVAS (ODL_CANVAS_LEVEL / 255.0f)

typedef struct {
  float r, g, b;
} Colour;

// One of the two pictures of a scene, ready for sampling.
typedef struct {
  const OdlDisplay *display;
  const OdlPlane *planes;
  int width, height, channels;
  float minimum, factor; // scaled = (sample − minimum) · factor
} Picture;

typedef struct {
  Picture pictures[2]; // processed, original
  float matrix[6];
  int taps;
  bool smooth;
} Sampler;

static const Colour canvas_colour = { CANVAS, CANVAS, CANVAS };

static Picture
picture_of (const OdlImage *image, const OdlDisplay *display)
{
  const OdlImageInfo *info = odl_image_info (image);

  return (Picture){
    .display = display,
    .planes = info->planes,
    .width = info->extent.x,
    .height = info->extent.y,
    .channels = info->channels,
    .minimum = (float) info->stored_min,
    .factor = (float) (1 / (info->stored_max - info->stored_min)),
  };
}

static inline float
scaled_at (const Picture *picture, int channel, int x, int y)
{
  const OdlPlane *plane = &picture->planes[channel];
  float sample;

  memcpy (&sample,
          (const char *) plane->data + (size_t) y * plane->row_stride_bytes
              + (size_t) x * plane->sample_stride_bytes,
          sizeof sample);
  return (sample - picture->minimum) * picture->factor;
}

static inline Colour
mix (Colour a, Colour b, float t)
{
  return (Colour){
    a.r * (1.0f - t) + b.r * t,
    a.g * (1.0f - t) + b.g * t,
    a.b * (1.0f - t) + b.b * t,
  };
}

static inline float
level_at (const Picture *picture, bool detail, int channel, int x, int y)
{
  float scaled = scaled_at (picture, channel, x, y);

  return detail ? odl_display_detail (picture->display, scaled)
                : odl_display_picture (picture->display, scaled);
}

static inline Colour
shown_at (const Picture *picture, int x, int y)
{
  bool detail = odl_display_is_detail (picture->display, x, y);
  float first = level_at (picture, detail, 0, x, y);

  if (picture->channels < 3)
    return (Colour){ first, first, first };

  Colour colour = { first, level_at (picture, detail, 1, x, y),
                    level_at (picture, detail, 2, x, y) };
  if (picture->channels == 4)
    colour
        = mix (canvas_colour, colour, odl_display_clamp (scaled_at (picture, 3, x, y)));
  return colour;
}

static inline Colour
bilinear_at (const Picture *picture, float x, float y)
{
  float left = floorf (x - 0.5f), top = floorf (y - 0.5f);
  int x0 = MAX ((int) left, 0), x1 = MIN ((int) left + 1, picture->width - 1);
  int y0 = MAX ((int) top, 0), y1 = MIN ((int) top + 1, picture->height - 1);
  float tx = x - 0.5f - left, ty = y - 0.5f - top;

  return mix (mix (shown_at (picture, x0, y0), shown_at (picture, x1, y0), tx),
              mix (shown_at (picture, x0, y1), shown_at (picture, x1, y1), tx), ty);
}

static inline Colour
colour_at (const Sampler *sampler, const Picture *picture, float x, float y, bool smooth)
{
  const float *m = sampler->matrix;
  float image_x = m[0] * x + m[1] * y + m[2];
  float image_y = m[3] * x + m[4] * y + m[5];

  if (!(image_x >= 0 && image_x < picture->width && image_y >= 0
        && image_y < picture->height))
    return canvas_colour;
  if (smooth)
    return bilinear_at (picture, image_x, image_y);
  return shown_at (picture, (int) image_x, (int) image_y);
}

static inline Colour
mean_at (const Sampler *sampler, const Picture *picture, int x, int y)
{
  int n = sampler->taps;
  float pitch = 1.0f / n;
  Colour sum = { 0, 0, 0 };

  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) {
      Colour tap = colour_at (sampler, picture, x + (i + 0.5f) * pitch,
                              y + (j + 0.5f) * pitch, false);
      sum.r += tap.r;
      sum.g += tap.g;
      sum.b += tap.b;
    }

  float weight = pitch * pitch;
  return (Colour){ sum.r * weight, sum.g * weight, sum.b * weight };
}

static inline uint8_t
to_byte (float level)
{
  return (uint8_t) (level * 255.0f + 0.5f);
}

static void
render_span (const Sampler *sampler,
             const Picture *picture,
             int y,
             int from,
             int to,
             uint8_t *rgba)
{
  for (int x = from; x < to; x++) {
    Colour colour = sampler->taps > 1 ? mean_at (sampler, picture, x, y)
                                      : colour_at (sampler, picture, x + 0.5f, y + 0.5f,
                                                   sampler->smooth);
    uint8_t *pixel = rgba + 4 * (size_t) x;

    pixel[0] = to_byte (colour.r);
    pixel[1] = to_byte (colour.g);
    pixel[2] = to_byte (colour.b);
    pixel[3] = 255;
  }
}

int
odl_display_taps (const double matrix[6])
{
  double across = fabs (matrix[0]) + fabs (matrix[3]);
  double down = fabs (matrix[1]) + fabs (matrix[4]);
  // A whole number of samples per pixel must not round up.
  double taps = ceil (MAX (across, down) - 1e-6);

  return (int) CLAMP (taps, 1, MOST_TAPS);
}

void
odl_display_render_view (const OdlDisplayScene *scene,
                         const OdlView *view,
                         int width,
                         int height,
                         uint8_t *rgba)
{
  g_return_if_fail (odl_image_info (scene->scaled)->type == ODL_SAMPLE_F32);
  g_return_if_fail (scene->original == NULL
                    || odl_image_info (scene->original)->type == ODL_SAMPLE_F32);

  Sampler sampler = { .smooth = scene->smooth };
  double matrix[6];
  int wipe = scene->original != NULL ? CLAMP (scene->wipe_x, 0, width) : 0;

  odl_view_matrix (view, width, height, matrix);
  for (int i = 0; i < 6; i++)
    sampler.matrix[i] = (float) matrix[i];
  sampler.taps = odl_display_taps (matrix);
  sampler.pictures[0] = picture_of (scene->scaled, &scene->display);
  if (scene->original != NULL)
    sampler.pictures[1] = picture_of (scene->original, &scene->original_display);

  ODL_PARALLEL_FOR
  for (int y = 0; y < height; y++) {
    uint8_t *row = rgba + 4 * (size_t) width * y;

    render_span (&sampler, &sampler.pictures[1], y, 0, wipe, row);
    render_span (&sampler, &sampler.pictures[0], y, wipe, width, row);
  }
}
