// SPDX-License-Identifier: MIT
#include "engine/gl/measure.h"

#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "base/memory.h"
#include "engine/cpu/steps/steps.h"
#include "plan/compression.h"
#include "plan/flow.h"
#include "plan/numbers.h"

struct _OdlGlMeasures {
  OdlEngine *engine; // of this frame
  OdlGlReadSlot read;
  const OdlCpuVariant *variant;
  int n_slots;
  OdlCpuPicture *pictures; // one per slot; without samples if no measuring step reads it
  int *writers; // the step whose result a picture holds; −1: none of this frame
  float *texels, *interleaved; // for the largest of them
  const OdlImage *input; // of this frame
};

static bool
measures (const OdlStep *step)
{
  return odl_step_class (step) == ODL_STEP_CLASS_MEASURE;
}

static bool
add_picture (OdlGlMeasures *self, const OdlSlot *slot, int index, size_t *largest)
{
  OdlCpuPicture *picture = &self->pictures[index];
  const size_t size = (size_t) slot->width * slot->height * slot->channels;

  if (picture->samples != NULL)
    return true;
  *picture = (OdlCpuPicture){ .width = slot->width,
                              .height = slot->height,
                              .channels = slot->channels,
                              .pitch = slot->width };
  *largest = MAX (*largest, size);
  return odl_cpu_picture_alloc (picture, false);
}

// LOAD and LUMA are repeated on the CPU, which costs less than reading their output back.
static bool
is_made_here (const OdlStep *step)
{
  return measures (step) || step->kind == ODL_STEP_LOAD || step->kind == ODL_STEP_LUMA;
}

static bool
add_pictures (OdlGlMeasures *self, const OdlPlan *plan)
{
  size_t largest = 0;

  for (int i = 0; i < plan->n_steps; i++) {
    const OdlStep *step = &plan->steps[i];
    if (!is_made_here (step))
      continue;
    if (!add_picture (self, &plan->slots[step->writes], step->writes, &largest))
      return false;
    for (int r = 0; r < ODL_STEP_MOST_READS && step->reads[r] != ODL_PLAN_NO_SLOT; r++)
      if (!add_picture (self, &plan->slots[step->reads[r]], step->reads[r], &largest))
        return false;
  }
  self->texels = g_try_new (float, 4 * largest);
  self->interleaved = g_try_new (float, largest);
  return self->texels != NULL && self->interleaved != NULL;
}

OdlGlMeasures *
odl_gl_measures_new (const OdlPlan *plan, bool *ok, GError **error)
{
  bool any = false;

  for (int i = 0; i < plan->n_steps; i++)
    any |= measures (&plan->steps[i]);
  *ok = true;
  if (!any)
    return NULL;

  OdlGlMeasures *self = g_new0 (OdlGlMeasures, 1);
  self->variant = odl_cpu_variant_choose ((const char *const[]){ NULL });
  self->n_slots = plan->n_slots;
  self->pictures = g_new0 (OdlCpuPicture, plan->n_slots);
  self->writers = g_new (int, plan->n_slots);
  *ok = add_pictures (self, plan);
  if (*ok)
    return self;
  g_set_error (error, ODL_ERROR, ODL_ERROR_TOO_LARGE,
               _ ("there is not enough memory to read %d × %d pixels back"),
               plan->geometry.width, plan->geometry.height);
  odl_gl_measures_free (self);
  return NULL;
}

void
odl_gl_measures_free (OdlGlMeasures *self)
{
  if (self == NULL)
    return;
  for (int i = 0; i < self->n_slots; i++)
    odl_aligned_free (self->pictures[i].samples);
  g_free (self->pictures);
  g_free (self->writers);
  g_free (self->texels);
  g_free (self->interleaved);
  g_free (self);
}

void
odl_gl_measures_begin (OdlGlMeasures *self,
                       OdlEngine *engine,
                       OdlGlReadSlot read,
                       const OdlImage *input)
{
  self->engine = engine;
  self->read = read;
  self->input = input;
  for (int i = 0; i < self->n_slots; i++)
    self->writers[i] = -1;
}

// Converts interleaved samples to planes.
static void
take_apart (const float *samples, const OdlCpuPicture *picture)
{
  for (int y = 0; y < picture->height; y++)
    for (int c = 0; c < picture->channels; c++) {
      const float *from = samples + (size_t) y * picture->width * picture->channels + c;
      float *to = odl_cpu_row (picture, c, y);
      for (int x = 0; x < picture->width; x++, from += picture->channels)
        to[x] = *from;
    }
}

static bool
read_back (OdlGlMeasures *self, int slot, int before, GError **error)
{
  const OdlCpuPicture *picture = &self->pictures[slot];
  float *samples = picture->channels == 1 ? picture->samples : self->interleaved;

  const OdlGlSlotWanted wanted
      = { .slot = slot, .before = before, .texels = self->texels };
  if (!self->read (self->engine, &wanted, samples, error))
    return false;
  if (picture->channels > 1)
    take_apart (samples, picture);
  return true;
}

// Reads the content that `slot` has before step `before` into its picture, unless it is
// there.
static bool
fetch (OdlGlMeasures *self, const OdlPlan *plan, int slot, int before, GError **error)
{
  const int writer = odl_plan_last_writer (plan, slot, before);

  if (self->writers[slot] == writer)
    return true;
  self->writers[slot] = writer;
  return is_made_here (&plan->steps[writer])
             ? odl_gl_measures_run (self, plan, writer, error)
             : read_back (self, slot, before, error);
}

bool
odl_gl_measures_run (OdlGlMeasures *self, const OdlPlan *plan, int step, GError **error)
{
  const OdlStep *own = &plan->steps[step];
  const OdlCpuMethod method = { .variant = self->variant };
  const OdlCpuPast none = { 0 };

  for (int r = 0; r < ODL_STEP_MOST_READS && own->reads[r] != ODL_PLAN_NO_SLOT; r++)
    if (!fetch (self, plan, own->reads[r], step, error))
      return false;
  odl_cpu_run_step (plan, own, &method, self->pictures, self->input, &none);
  self->writers[own->writes] = step;
  return true;
}

void
odl_gl_measures_thresholds (const OdlGlMeasures *self,
                            const OdlStep *threshold,
                            OdlGlUniforms *uniforms)
{
  const float *numbers = self->pictures[odl_step_numbers (threshold)].samples;

  for (int band = 0; band < ODL_DETAIL_BANDS; band++)
    uniforms->thresholds[band] = numbers[band * ODL_BAND_NUMBERS + ODL_BAND_THRESHOLD];
}

bool
odl_gl_measures_tell_reference (const OdlStep *step)
{
  return step->kind == ODL_STEP_LOG_COMPRESS && step->reads[1] != ODL_PLAN_NO_SLOT;
}

// The first one of the step's parameters.
void
odl_gl_measures_reference (const OdlGlMeasures *self,
                           const OdlStep *step,
                           OdlGlUniforms *uniforms)
{
  const float *peaks = self->pictures[step->reads[1]].samples;

  uniforms->parameters[ODL_COMPRESSION_TIMES]
      = (float) odl_step_value (step, "times") / odl_compression_reference (peaks);
}

bool
odl_gl_measures_have (const OdlPlan *plan, int slot)
{
  const OdlSlotKind kind = plan->slots[slot].kind;

  return kind == ODL_SLOT_MASK || kind == ODL_SLOT_NUMBERS;
}

void
odl_gl_measures_read (const OdlGlMeasures *self, int slot, float *out)
{
  const OdlCpuPicture *picture = &self->pictures[slot];

  for (int y = 0; y < picture->height; y++)
    for (int x = 0; x < picture->width; x++)
      for (int c = 0; c < picture->channels; c++)
        *out++ = odl_cpu_row (picture, c, y)[x];
}
