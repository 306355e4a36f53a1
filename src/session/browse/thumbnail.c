// SPDX-License-Identifier: MIT
#include "image/display/display.h"
#include "image/image.h"
#include "session/browse/thumbnailer.h"

// Averages boxes of the large picture, since point sampling would lose small details.
static void
add_row (const float *row, int width, int out_width, float *sums, float *counts)
{
  for (int x = 0; x < width; x++) {
    int to = (int) ((int64_t) x * out_width / width);
    sums[to] += row[x];
    counts[to] += 1;
  }
}

static OdlImage *
shrink (const OdlImage *image, int width, int height, GError **error)
{
  const OdlImageInfo *from = odl_image_info (image);
  OdlImageInfo info = { .extent = { width, height, 1, 1 },
                        .channels = from->channels,
                        .type = ODL_SAMPLE_F32,
                        .stored_max = 1 };
  void *samples;
  OdlImage *small = odl_image_alloc (&info, &samples, error);
  if (!small)
    return NULL;
  size_t n = (size_t) width * height;
  g_autofree float *row = g_new (float, from->extent.x);
  g_autofree float *sums = g_new (float, n);
  g_autofree float *counts = g_new (float, n);
  for (int channel = 0; channel < from->channels; channel++) {
    memset (sums, 0, n * sizeof (float));
    memset (counts, 0, n * sizeof (float));
    for (int y = 0; y < from->extent.y; y++) {
      size_t to = (size_t) ((int64_t) y * height / from->extent.y) * width;
      odl_image_scaled_row (image, channel, y, 0, 0, row);
      add_row (row, from->extent.x, width, sums + to, counts + to);
    }
    for (size_t i = 0; i < n; i++)
      ((float *) samples)[i * from->channels + channel] = sums[i] / MAX (counts[i], 1);
  }
  return small;
}

// The shutter for the small picture: pixels are covered where it covers more than half of
// what they show.
static const OdlOverlay *
shrink_shutter (const OdlOverlay *shutter, int width, int height)
{
  const gsize n = (gsize) width * height, stride = odl_overlay_stride (width);
  g_autofree float *row = g_new (float, shutter->width);
  g_autofree float *sums = g_new0 (float, n);
  g_autofree float *counts = g_new0 (float, n);
  g_autofree uint8_t *bits = g_malloc0 (stride * height);
  for (int y = 0; y < shutter->height; y++) {
    const gsize to = (gsize) ((int64_t) y * height / shutter->height) * width;
    for (int x = 0; x < shutter->width; x++)
      row[x] = odl_overlay_has (shutter, x, y) ? 1 : 0;
    add_row (row, shutter->width, width, sums + to, counts + to);
  }
  for (gsize i = 0; i < n; i++)
    if (2 * sums[i] > counts[i])
      bits[i / width * stride + i % width / 8] |= (uint8_t) (1 << i % width % 8);
  return odl_overlay_new (width, height, bits);
}

// Shown size of an image whose pixels need not be square, within `side`.
static void
fit (const OdlImageInfo *info, int side, int *width, int *height)
{
  double aspect = info->pixel_aspect > 0 ? info->pixel_aspect : 1;
  double wide = info->extent.x * aspect;
  double high = info->extent.y;
  double scale = MIN (1.0, side / MAX (wide, high));
  *width = CLAMP ((int) (wide * scale + 0.5), 1, side);
  *height = CLAMP ((int) (high * scale + 0.5), 1, side);
}

OdlImage *
odl_thumbnail_make (const OdlImage *image, int side, GError **error)
{
  const OdlImageInfo *info = odl_image_info (image);
  int width, height;
  fit (info, side, &width, &height);
  // Shrinks only; where pixels are not square one axis may have to grow.
  int inner_width = MIN (width, info->extent.x);
  int inner_height = MIN (height, info->extent.y);
  g_autoptr (OdlImage) small = shrink (image, inner_width, inner_height, error);
  if (!small)
    return NULL;
  OdlImageInfo out
      = { .extent = { width, height, 1, 1 }, .channels = 4, .type = ODL_SAMPLE_U8 };
  void *rgba;
  OdlImage *thumbnail = odl_image_alloc (&out, &rgba, error);
  if (!thumbnail)
    return NULL;
  OdlWindow window = { .mode = ODL_WINDOW_FILE };
  const OdlOverlay *shutter
      = info->shutter ? shrink_shutter (info->shutter, inner_width, inner_height) : NULL;
  OdlDisplayScene scene = { .scaled = small,
                            .display = odl_display_make (info, &window, ODL_NO_DETAILS),
                            .smooth = true };
  scene.display.shutter = shutter;
  double aspect = (double) width / inner_width * inner_height / height;
  OdlView view = odl_view_make (inner_width, inner_height, aspect);
  odl_view_layout (&view, width, height);
  odl_display_render_view (&scene, &view, width, height, rgba);
  odl_overlay_unref (shutter);
  return thumbnail;
}
