// SPDX-License-Identifier: MIT
// Pictures and plans for tests of engines.
#pragma once

#include "engine/engine.h"

#include "../helpers/images.h"
#include "../helpers/plans.h"

// A deterministic F32 picture: uniform noise in minimum … maximum, the same on all
// machines.
static inline OdlImage *
make_noise (int width,
            int height,
            int channels,
            guint32 seed,
            float minimum,
            float maximum)
{
  void *samples;
  OdlImage *image = odl_test_image (width, height, channels, ODL_SAMPLE_F32, &samples);

  for (size_t i = 0; i < (size_t) width * height * channels; i++) {
    seed = seed * 1664525u + 1013904223u;
    ((float *) samples)[i]
        = minimum + (maximum - minimum) * (float) (seed >> 8) / 16777215.0f;
  }
  return image;
}

// Rounds the samples of an F32 picture in 0 … 1 to 8-bit values, which reversible
// wavelets preserve exactly.
static inline void
make_whole (OdlImage *image)
{
  const OdlImageInfo *info = odl_image_info (image);
  float *samples = (float *) info->planes[0].data;

  for (int i = 0; i < info->extent.x * info->extent.y * info->channels; i++)
    samples[i] = (float) (int) (samples[i] * 255) / 255;
}

// Recipe settings for each border that a wavelet allows.
static const char *const border_words[ODL_N_BORDERS]
    = { "border=symmetric", "border=periodic", "border=zero" };

static inline OdlEngine *
open_engine (const char *name)
{
  g_autoptr (GError) error = NULL;
  const OdlEngineClass *klass = odl_engine_find (name);

  g_assert_nonnull (klass);
  OdlEngine *engine = odl_engine_open (klass, &error);
  g_assert_no_error (error);
  return engine;
}

// The cpu engine with ODL_CPU set, such as "avx2,per-level".
static inline OdlEngine *
open_cpu (const char *words)
{
  g_setenv ("ODL_CPU", words, TRUE);
  OdlEngine *engine = open_engine ("cpu");
  g_unsetenv ("ODL_CPU");
  return engine;
}

// Runs `engine` on `image`.
static inline OdlImage *
process (OdlEngine *engine, const char *text, OdlImage *image)
{
  g_autoptr (OdlPlan) plan = odl_test_plan (text, image);
  g_autoptr (GError) error = NULL;
  OdlImage *result = odl_engine_process (engine, plan, image, &error);

  g_assert_no_error (error);
  return result;
}

static inline float
sample_of (const OdlImage *image, int channel, int x, int y)
{
  const OdlPlane *plane = &odl_image_info (image)->planes[channel];

  return *(const float *) (const void *) ((const char *) plane->data
                                          + y * plane->row_stride_bytes
                                          + x * plane->sample_stride_bytes);
}
