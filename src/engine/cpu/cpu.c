// SPDX-License-Identifier: MIT
// The CPU engine: single precision, planar, OpenMP over bands of rows. The working set is
// allocated with the plan; nothing is allocated per frame. A plan of 16-bit precision is
// computed in single precision as well: it is as fast here and never worse.
#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/text.h"
#include "engine/cpu/steps.h"
#include "engine/registry.h"

// Floats between the end of a row and the next: rows that start a power of two apart
// would fall into the same cache sets.
#define PITCH_UNIT 16

typedef struct {
  OdlEngine base;
  OdlPlan *plan; // the structure in place
  OdlCpuPicture *pictures; // one per slot
} CpuEngine;

static void
drop_pictures (CpuEngine *self)
{
  if (self->plan != NULL)
    for (int i = 0; i < self->plan->n_slots; i++)
      odl_aligned_free (self->pictures[i].samples);
  g_clear_pointer (&self->pictures, g_free);
  g_clear_pointer (&self->plan, odl_plan_unref);
}

static bool
alloc_picture (OdlCpuPicture *picture, const OdlSlot *slot)
{
  size_t pitch
      = ((size_t) slot->width + PITCH_UNIT - 1) / PITCH_UNIT * PITCH_UNIT + PITCH_UNIT;
  const size_t factors[] = { pitch, slot->height, slot->channels, sizeof (float) };
  size_t size;

  *picture = (OdlCpuPicture){
    .width = slot->width,
    .height = slot->height,
    .channels = slot->channels,
    .pitch = pitch,
  };
  if (odl_size_product (factors, G_N_ELEMENTS (factors), &size))
    picture->samples = odl_aligned_alloc (size);
  return picture->samples != NULL;
}

static OdlEngine *
cpu_open (GError **error)
{
  CpuEngine *self = g_new0 (CpuEngine, 1);

  return &self->base;
}

static void
cpu_close (OdlEngine *engine)
{
  CpuEngine *self = (CpuEngine *) engine;

  drop_pictures (self);
  g_free (self);
}

static bool
cpu_prepare (OdlEngine *engine, const OdlPlan *plan, GError **error)
{
  CpuEngine *self = (CpuEngine *) engine;

  if (self->plan != NULL && odl_plan_same_structure (self->plan, plan))
    return true;

  drop_pictures (self);
  self->plan = odl_plan_ref ((OdlPlan *) plan);
  self->pictures = g_new0 (OdlCpuPicture, plan->n_slots);
  for (int i = 0; i < plan->n_slots; i++) {
    if (!alloc_picture (&self->pictures[i], &plan->slots[i])) {
      g_set_error (error, ODL_ERROR, ODL_ERROR_TOO_LARGE,
                   _ ("there is not enough memory to filter %d × %d pixels; close other "
                      "programs or choose fewer filters"),
                   plan->geometry.width, plan->geometry.height);
      drop_pictures (self);
      return false;
    }
    engine->counters.allocations++;
  }
  odl_engine_set_steps (engine, plan->n_steps);
  return true;
}

static bool
cpu_run (OdlEngine *engine, const OdlPlan *plan, OdlImage *input, GError **error)
{
  CpuEngine *self = (CpuEngine *) engine;

  g_return_val_if_fail (self->plan != NULL && odl_plan_same_structure (self->plan, plan),
                        false);
  engine->frame_ns = 0;
  for (int i = 0; i < plan->n_steps; i++) {
    int64_t start_ns = odl_clock_now_ns ();

    odl_cpu_run_step (plan, &plan->steps[i], self->pictures, input);
    engine->step_ns[i] = odl_clock_now_ns () - start_ns;
    engine->frame_ns += engine->step_ns[i];
  }
  return true;
}

static OdlImage *
cpu_read_back (OdlEngine *engine, const OdlPlan *plan, int slot, GError **error)
{
  CpuEngine *self = (CpuEngine *) engine;
  const OdlCpuPicture *picture = &self->pictures[slot];
  const OdlImageInfo info = {
    .extent = { picture->width, picture->height, 1, 1 },
    .channels = picture->channels,
    .type = ODL_SAMPLE_F32,
  };
  float *samples;
  OdlImage *image = odl_image_alloc (&info, (void **) &samples, error);

  if (image == NULL)
    return NULL;

  size_t row_samples = (size_t) picture->width * picture->channels;

  ODL_PARALLEL_FOR
  for (int y = 0; y < picture->height; y++) {
    float *out = samples + row_samples * y;

    for (int c = 0; c < picture->channels; c++) {
      const float *row = odl_cpu_row (picture, c, y);
      for (int x = 0; x < picture->width; x++)
        out[(size_t) x * picture->channels + c] = row[x];
    }
  }
  return image;
}

const OdlEngineClass odl_cpu_engine = {
  .name = "cpu",
  .description = N_ ("all processor cores, single precision"),
  .open = cpu_open,
  .close = cpu_close,
  .prepare = cpu_prepare,
  .run = cpu_run,
  .read_back = cpu_read_back,
};
