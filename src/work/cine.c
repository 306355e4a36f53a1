// SPDX-License-Identifier: MIT
#include "work/cine.h"

#include "engine/engine.h"
#include "engine/volume.h"
#include "source/frame_reader.h"

typedef struct {
  const OdlCineFrames *frames;
  OdlOperands *operands;
  const OdlRecipe *filters;
  OdlEngine *engine; // of the processor, as for all that is measured
  double peak;
  gint64 n_seen;
  GError *error;
} Cine;

static void
look_at (Cine *self, OdlImage *image)
{
  OdlGeometry geometry = odl_geometry_of (image);

  geometry.operands = self->operands;
  g_autoptr (OdlPlan) plan = odl_plan_new (self->filters, &geometry, NULL);
  g_autoptr (OdlImage) made
      = plan == NULL || odl_recipe_is_identity (self->filters)
            ? odl_image_ref (image) // as where one picture is measured
            : odl_engine_process_volume (self->engine, plan, image, &self->error);
  if (made == NULL)
    return;
  self->peak = MAX (self->peak, odl_peak_of (made));
  self->n_seen++;
}

static void
look_at_source (Cine *self)
{
  const OdlCineFrames *frames = self->frames;
  g_autoptr (OdlSource) source
      = odl_source_open (frames->location, frames->cancellable, &self->error);
  g_autoptr (OdlFrameReader) reader
      = source != NULL ? odl_frame_reader_new (source, 0, -1, &self->error) : NULL;

  while (reader != NULL && self->error == NULL) {
    g_autoptr (OdlReadFrame) frame
        = odl_frame_reader_next (reader, frames->cancellable, &self->error);
    if (frame == NULL)
      break;
    if (frame->damaged || frame->again)
      continue;
    if (frames->prepare != NULL)
      frames->prepare (&frame->image, frame->index, frames->data);
    look_at (self, frame->image);
  }
  // A stream that ends early is the cine that there is.
  if (self->n_seen > 0 && !g_cancellable_is_cancelled (frames->cancellable))
    g_clear_error (&self->error);
}

static bool
peak (const OdlRecipe *filters, void *data, double *found)
{
  Cine *self = data;
  const GPtrArray *frames = self->frames->frames;

  self->filters = filters;
  self->peak = 0;
  self->n_seen = 0;
  if (self->engine == NULL)
    self->engine = odl_engine_open (odl_engine_find ("cpu"), &self->error);
  if (self->engine == NULL)
    return false;
  if (frames == NULL)
    look_at_source (self);
  for (guint i = 0; frames != NULL && i < frames->len && self->error == NULL; i++)
    look_at (self, frames->pdata[i]);
  *found = self->peak;
  return self->error == NULL && self->n_seen > 0;
}

bool
odl_cine_measure (OdlRecipe *recipe,
                  const OdlMeasured *measured,
                  const OdlCineFrames *frames,
                  GError **error)
{
  Cine cine = { .frames = frames, .operands = measured->operands };
  const OdlCine how = { peak, &cine };
  OdlMeasured whole = *measured;
  OdlRecipe found = *recipe;

  whole.cine = &how;
  odl_measure_recipe (&found, &whole);
  g_clear_pointer (&cine.engine, odl_engine_close);
  if (cine.error != NULL) {
    g_propagate_error (error, cine.error);
    return false;
  }
  *recipe = found;
  return true;
}
