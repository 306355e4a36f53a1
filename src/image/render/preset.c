// SPDX-License-Identifier: MIT
#include "image/render/preset.h"

#include <glib/gi18n-lib.h>
#include <math.h>

static const OdlRenderPreset presets[] = {
  { .name = "maximum", .title = N_ ("Maximum Projection"), .maximum = true },
  { .name = "ct-bone",
    .title = N_ ("CT: Bone"),
    .unit = "HU",
    .points = { { 120, { 0.75f, 0.45f, 0.32f }, 0 },
                { 250, { 0.89f, 0.75f, 0.60f }, 0.35f },
                { 700, { 0.97f, 0.93f, 0.84f }, 0.9f },
                { 1800, { 1, 1, 0.98f }, 0.98f } },
    .n_points = 4 },
  { .name = "ct-soft",
    .title = N_ ("CT: Soft Tissue"),
    .unit = "HU",
    .points = { { -150, { 0.76f, 0.52f, 0.38f }, 0 },
                { 0, { 0.80f, 0.50f, 0.40f }, 0.10f },
                { 60, { 0.82f, 0.40f, 0.34f }, 0.35f },
                { 200, { 0.90f, 0.55f, 0.42f }, 0.6f },
                { 500, { 0.97f, 0.93f, 0.84f }, 0.95f } },
    .n_points = 5 },
  { .name = "mr",
    .title = N_ ("MR"),
    .points = { { 0.12, { 0.42f, 0.40f, 0.42f }, 0 },
                { 0.35, { 0.64f, 0.60f, 0.58f }, 0.25f },
                { 0.75, { 0.92f, 0.88f, 0.82f }, 0.6f },
                { 1, { 1, 1, 1 }, 0.85f } },
    .n_points = 4 },
  { .name = "ultrasound",
    .title = N_ ("Ultrasound"),
    .points = { { 0.2, { 0.36f, 0.22f, 0.12f }, 0 },
                { 0.45, { 0.74f, 0.50f, 0.32f }, 0.2f },
                { 0.75, { 0.95f, 0.78f, 0.58f }, 0.7f },
                { 1, { 1, 0.94f, 0.84f }, 0.95f } },
    .n_points = 4 },
};

const OdlRenderPreset *
odl_render_preset_at (size_t i)
{
  return i < G_N_ELEMENTS (presets) ? &presets[i] : NULL;
}

const OdlRenderPreset *
odl_render_preset_find (const char *name)
{
  for (size_t i = 0; i < G_N_ELEMENTS (presets); i++)
    if (g_strcmp0 (presets[i].name, name) == 0)
      return &presets[i];
  return NULL;
}

void
odl_render_preset_fill (const OdlRenderPreset *preset,
                        double thickness,
                        float levels[ODL_RENDER_LEVELS][4])
{
  const OdlRenderPoint *points = preset->points;
  const double first = points[0].at, last = points[preset->n_points - 1].at;
  int p = 0;

  for (int i = 0; i < ODL_RENDER_LEVELS; i++) {
    const double at = first + (last - first) * i / (ODL_RENDER_LEVELS - 1);
    while (p + 2 < preset->n_points && at > points[p + 1].at)
      p++;
    const OdlRenderPoint *a = &points[p], *b = &points[p + 1];
    const float t = (float) CLAMP ((at - a->at) / (b->at - a->at), 0, 1);
    for (int c = 0; c < 3; c++)
      levels[i][c] = a->colour[c] + t * (b->colour[c] - a->colour[c]);
    const double opacity = (double) (a->opacity + t * (b->opacity - a->opacity));
    levels[i][3] = (float) (1 - pow (1 - opacity, thickness));
  }
}
