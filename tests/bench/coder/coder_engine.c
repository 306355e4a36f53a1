// SPDX-License-Identifier: MIT
#include "coder_engine.h"

#include <math.h>

#include "base/clock.h"
#include "engine/gl/platform/headless.h"

#define REPEATS 4 // of what is short

struct _CoderEngine {
  OdlCoderParams params;
  OdlGlHeadless *headless; // NULL: not needed
  OdlEngine *engine;
  OdlPlan *plan;
  float *floats;
  uint8_t *bytes;
};

static double
since_ms (int64_t start_ns)
{
  return 1e-6 * (double) (odl_clock_now_ns () - start_ns);
}

static void
finish (const CoderEngine *self)
{
  if (self->headless != NULL)
    odl_gl_headless_finish (self->headless);
}

static OdlPlan *
make_plan (const OdlCoderParams *params, GError **error)
{
  const OdlGeometry geometry = { .width = odl_coder_width (params),
                                 .height = odl_coder_height (params),
                                 .depth = 1,
                                 .channels = params->channels,
                                 .bits = 8 };
  g_autofree char *text = g_strdup_printf (
      "soft-threshold:wavelet=cdf97,levels=%d,threshold=0 precision=32 border=%s",
      odl_coder_levels (params),
      params->border == ODL_BORDER_PERIODIC ? "periodic" : "symmetric");
  OdlRecipe recipe;

  odl_recipe_init (&recipe);
  return odl_recipe_parse (&recipe, text, error)
             ? odl_plan_new (&recipe, &geometry, error)
             : NULL;
}

CoderEngine *
coder_engine_new (const char *name, const OdlCoderParams *params, GError **error)
{
  const size_t n = (size_t) params->width * params->height * params->channels;
  CoderEngine *self = g_new0 (CoderEngine, 1);
  OdlEngineChoice choice;

  self->params = *params;
  self->floats = g_new (float, n);
  self->bytes = g_new (uint8_t, n);
  bool done = odl_engine_choice_parse (name, &choice, error);
  if (done && choice.klass->needs_gl) {
    self->headless = odl_gl_headless_new (error);
    done = self->headless != NULL;
  }
  self->plan = done ? make_plan (params, error) : NULL;
  self->engine = self->plan != NULL ? odl_engine_open_choice (choice, error) : NULL;
  done = self->engine != NULL && odl_engine_prepare (self->engine, self->plan, error);
  if (done && params->padded && !self->engine->klass->limits.pads) {
    g_set_error (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED, "%s does not pad", name);
    done = false;
  }
  if (!done)
    g_clear_pointer (&self, coder_engine_free);
  return self;
}

void
coder_engine_free (CoderEngine *self)
{
  g_clear_pointer (&self->plan, odl_plan_unref);
  odl_engine_close (self->engine);
  g_clear_pointer (&self->headless, odl_gl_headless_free);
  g_free (self->floats);
  g_free (self->bytes);
  g_free (self);
}

static bool
read_floats (CoderEngine *self, GError **error)
{
  const OdlPart all
      = { .width = self->params.width, .height = self->params.height, .scale = 1 };
  const OdlEngineClass *klass = self->engine->klass;

  return klass->parts != NULL
             ? odl_engine_parts (self->engine, self->plan, ODL_PART_FLOATS, &all, 1,
                                 self->floats, error)
             : klass->read_back (self->engine, self->plan, self->plan->result,
                                 self->floats, error);
}

static bool
read_bytes (CoderEngine *self, GError **error)
{
  const OdlPart all
      = { .width = self->params.width, .height = self->params.height, .scale = 255 };

  return odl_engine_parts (self->engine, self->plan, ODL_PART_BYTES, &all, 1, self->bytes,
                           error);
}

static double
repeat_ms (const CoderEngine *self, bool synthesis_only)
{
  const int64_t start_ns = odl_clock_now_ns ();

  for (int i = 0; i < REPEATS; i++)
    self->engine->klass->repeat (self->engine, synthesis_only);
  finish (self);
  return since_ms (start_ns) / REPEATS;
}

bool
coder_engine_run (CoderEngine *self,
                  OdlImage *frame,
                  bool whole,
                  CoderEngineMs *ms,
                  GError **error)
{
  int64_t start_ns = odl_clock_now_ns ();

  *ms = (CoderEngineMs){ 0 };
  if (!odl_engine_run (self->engine, self->plan, frame, error))
    return false;
  finish (self);
  ms->both = since_ms (start_ns);
  start_ns = odl_clock_now_ns ();
  if (!read_floats (self, error))
    return false;
  ms->floats = since_ms (start_ns);
  if (self->engine->klass->parts != NULL) {
    start_ns = odl_clock_now_ns ();
    if (!read_bytes (self, error))
      return false;
    ms->bytes = since_ms (start_ns);
  }
  if (whole && self->engine->klass->repeat != NULL) {
    ms->again = repeat_ms (self, false);
    ms->inverse = repeat_ms (self, true);
  }
  return true;
}

double
coder_engine_sum (const CoderEngine *self)
{
  const size_t n
      = (size_t) self->params.width * self->params.height * self->params.channels;
  double sum = 0;

  for (size_t i = 0; i < n; i++)
    sum += (double) self->floats[i];
  return sum;
}

double
coder_engine_psnr (const CoderEngine *self, const OdlImage *frame)
{
  const int width = self->params.width, channels = self->params.channels;
  g_autofree float *row = g_new (float, width);
  double sum = 0;

  for (int c = 0; c < channels; c++)
    for (int y = 0; y < self->params.height; y++) {
      const float *got = self->floats + (size_t) y * width * channels + c;
      odl_image_scaled_row (frame, c, y, 0, 0, row);
      for (int x = 0; x < width; x++)
        sum += pow ((double) got[(size_t) x * channels] - (double) row[x], 2);
    }
  return 10 * log10 ((double) width * self->params.height * channels / sum);
}
