// SPDX-License-Identifier: MIT
#include "engine/gl/compute/private.h"

#include <glib/gi18n-lib.h>

#include "base/memory.h"
#include "engine/cpu/steps/steps.h"
#include "base/error.h"
#include "engine/gl/compute/bm3d_streams.h"
#include "engine/gl/compute/bm3d_time.h"
#include "engine/gl/compute/fusion/fusion_fill.h"
#include "engine/gl/compute/read.h"
#include "engine/gl/platform/device_buffer.h"
#include "engine/gl/platform/pace.h"
#include "engine/gl/texture_stores.h"
#include "image/volume/volume.h"
#include "plan/flow.h"

void
odl_gl_structure_clear (OdlGlStructure *structure)
{
  g_clear_pointer (&structure->timer, odl_gl_timer_free);
  g_clear_pointer (&structure->observer, odl_gl_observer_free);
  g_clear_pointer (&structure->stores, odl_gl_stores_free);
  g_clear_pointer (&structure->past, g_array_unref);
  g_clear_pointer (&structure->fouriers, odl_gl_fouriers_free);
  g_clear_pointer (&structure->streams, odl_gl_bm3d_streams_unref);
  g_clear_pointer (&structure->kernels, g_ptr_array_unref);
  g_clear_pointer (&structure->dispatches, g_array_unref);
  g_clear_pointer (&structure->turns, g_array_unref);
  for (guint i = 0; structure->fusions != NULL && i < structure->fusions->len; i++)
    glDeleteBuffers (1, &g_array_index (structure->fusions, OdlGlFusion, i).kept);
  g_clear_pointer (&structure->fusions, g_array_unref);
  g_clear_pointer (&structure->plan, odl_plan_unref);
  for (int i = 0; i < ODL_GL_SHOWN; i++)
    odl_gl_shown_clear (&structure->shown[i]);
  *structure = (OdlGlStructure){ 0 };
}

OdlGlFusionRule
odl_gl_compute_rule (const OdlGlComputeEngine *self)
{
  return self->chosen == NULL || g_str_equal (self->chosen, "fused")
                 || odl_gl_compute_convolving (self) != ODL_GL_CONVOLVE_FASTEST
             ? ODL_GL_FUSE_BY_SIZE
         : g_str_equal (self->chosen, "pairs") ? ODL_GL_FUSE_PAIRS
                                               : ODL_GL_FUSE_NONE;
}

OdlGlConvolving
odl_gl_compute_convolving (const OdlGlComputeEngine *self)
{
  return g_strcmp0 (self->chosen, "fft") == 0      ? ODL_GL_CONVOLVE_FOURIER
         : g_strcmp0 (self->chosen, "direct") == 0 ? ODL_GL_CONVOLVE_DIRECT
                                                   : ODL_GL_CONVOLVE_FASTEST;
}

OdlGlDispatchParams
odl_gl_structure_params (OdlGlComputeEngine *self, const OdlGlStructure *structure)
{
  return (OdlGlDispatchParams){
    .caps = &self->caps,
    .plan = structure->plan,
    .stores = structure->stores,
    .past = structure->past,
    .programs = self->programs,
    .fusions = structure->fusions,
    .fouriers = structure->fouriers,
    .streams = structure->streams,
    .accumulates = structure->accumulates,
    .tuning = odl_gl_tuner_tuning (self->tuner),
    .convolution = g_strcmp0 (self->chosen, "convolution") == 0,
  };
}

// Holds the coefficients of levels that one dispatch analyses and reconstructs, so that a
// moved slider need not repeat the analysis.
static bool
create_kept (OdlGlStructure *structure,
             const OdlGlCaps *caps,
             size_t *created,
             GError **error)
{
  const OdlPlan *plan = structure->plan;

  odl_gl_forget_errors ();
  for (guint i = 0; i < structure->fusions->len; i++) {
    OdlGlFusion *fusion = &g_array_index (structure->fusions, OdlGlFusion, i);
    const size_t bytes = odl_gl_fusion_kept_bytes (fusion, plan, structure->stores);
    if (bytes == 0)
      continue;
    fusion->kept = odl_gl_device_buffer_new (caps, bytes);
    *created += 1;
  }
  return odl_gl_check (_ ("preparing the filter"), error);
}

// Which slots some dispatch writes; plan->n_slots of them. Transfer full.
static bool *
stored_slots (const OdlPlan *plan, const GArray *fusions)
{
  bool *stored = g_new0 (bool, plan->n_slots);

  for (int i = 0; i < plan->n_steps; i++) {
    const OdlGlFusion *fusion = odl_gl_fusion_at (fusions, i);
    if (plan->slots[plan->steps[i].writes].kind != ODL_SLOT_HALF
        && !odl_step_writes_half (&plan->steps[i])
        && !odl_plan_is_fused_threshold (plan, i)
        && (fusion == NULL || odl_gl_fusion_stores (fusion, i)
            || odl_gl_fusion_stores_detail (fusion, i)))
      stored[plan->steps[i].writes] = true;
  }
  return stored;
}

bool
odl_gl_structure_compile (OdlGlComputeEngine *self,
                          OdlGlStructure *structure,
                          OdlGlFusionRule rule,
                          GError **error)
{
  const OdlPlan *plan = structure->plan;

  structure->accumulates = rule != ODL_GL_FUSE_NONE;
  structure->fusions = odl_gl_fusions_find (plan, rule, &self->caps);
  g_autofree bool *stored = stored_slots (plan, structure->fusions);
  structure->stores = odl_gl_stores_new (&self->caps, plan, stored,
                                         &self->base.counters.allocations, error);
  if (structure->stores == NULL)
    return false;
  if (structure->past == NULL)
    structure->past = odl_gl_past_buffers_new (&self->caps, plan, structure->stores,
                                               &self->base.counters.allocations, error);
  if (structure->past == NULL
      || !create_kept (structure, &self->caps, &self->base.counters.allocations, error))
    return false;

  if (structure->streams == NULL)
    structure->streams = odl_gl_bm3d_streams_new ();
  structure->kernels = g_ptr_array_new_with_free_func (g_free);
  structure->fouriers = odl_gl_fouriers_new (&self->caps, plan, structure->stores,
                                             odl_gl_compute_convolving (self),
                                             structure->accumulates, &self->base, error);
  if (structure->fouriers == NULL)
    return false;

  const OdlGlDispatchParams params = odl_gl_structure_params (self, structure);
  structure->dispatches = odl_gl_dispatches_compile (&params, error);
  if (structure->dispatches == NULL)
    return false;
  structure->turns = odl_gl_turns_new (structure->dispatches, plan);
  structure->first_level = odl_gl_source_reader (plan, structure->dispatches);
  structure->last_level = odl_gl_shown_writer (plan, structure->dispatches);
  return true;
}

bool
odl_gl_structure_prepare (OdlGlComputeEngine *self,
                          OdlGlStructure *structure,
                          GError **error)
{
  const OdlPlan *plan = structure->plan;

  if (!odl_gl_check_size (&self->caps, plan->geometry.width, plan->geometry.height, error)
      || !odl_gl_structure_compile (self, structure, odl_gl_compute_rule (self), error))
    return false;
  const OdlGlDispatchParams params = odl_gl_structure_params (self, structure);
  const int slots[ODL_GL_SHOWN] = { plan->source, plan->result };
  for (int i = 0; i < (plan->result == plan->source ? 1 : ODL_GL_SHOWN); i++)
    if (!odl_gl_shown_init (&structure->shown[i], &params, slots[i],
                            &self->base.counters.textures, error))
      return false;
  return odl_gl_check (_ ("preparing the filter"), error);
}

void
odl_gl_unbind_buffers (void)
{
  for (GLuint i = 0; i < ODL_GL_DISPATCH_BUFFERS; i++)
    glBindBufferBase (GL_SHADER_STORAGE_BUFFER, i, 0);
}

void
odl_gl_operand_free (void *data)
{
  OdlGlOperand *operand = data;

  odl_gl_source_free (operand->source);
  g_clear_pointer (&operand->image, odl_image_unref);
  g_free (operand);
}

int
odl_gl_count_operands (const OdlPlan *plan)
{
  int n = 0;

  for (int i = 0; i < plan->n_steps; i++)
    n = MAX (n, plan->steps[i].input);
  return n;
}

static OdlGlOperand *
operand_at (OdlGlComputeEngine *self, int input)
{
  while ((int) self->operands->len < input) {
    OdlGlOperand *operand = g_new0 (OdlGlOperand, 1);
    operand->source
        = odl_gl_source_new (&self->caps, self->programs, &self->base.counters,
                             &self->no_pool, self->operand_upload);
    g_ptr_array_add (self->operands, operand);
  }
  return g_ptr_array_index (self->operands, input - 1);
}

// Of a sequence each frame sees most pictures of the one before, as other inputs: the
// operand that holds `image` becomes input `input`.
static OdlGlOperand *
operand_with (OdlGlComputeEngine *self, int input, const OdlImage *image)
{
  OdlGlOperand *operand = operand_at (self, input);

  for (guint i = 0; i < self->operands->len && operand->image != image; i++) {
    OdlGlOperand *other = g_ptr_array_index (self->operands, i);
    if (other->image != image)
      continue;
    self->operands->pdata[i] = operand;
    self->operands->pdata[input - 1] = other;
    return other;
  }
  return operand;
}

// As a source takes it.
static OdlImage *
as_picture (const OdlGlStructure *structure, OdlImage *input, GError **error)
{
  return structure->plan->geometry.depth > 1 ? odl_volume_tall (input, error)
                                             : odl_image_ref (input);
}

// Puts the samples of `input` on the GPU, before the LOAD pass.
static bool
load (OdlGlComputeEngine *self,
      OdlGlStructure *structure,
      OdlImage *input,
      OdlGlDispatch *dispatch,
      GError **error)
{
  const OdlGlDispatchParams params = odl_gl_structure_params (self, structure);
  g_autoptr (OdlImage) tall = as_picture (structure, input, error);

  structure->is_loaded = false;
  return tall != NULL && odl_gl_source_take (self->source, tall, error)
         && odl_gl_source_complete_load (self->source, &params, dispatch, error);
}

// The same for the operand of a LOAD, unless it is already there.
static bool
load_operand (OdlGlComputeEngine *self,
              OdlGlStructure *structure,
              const OdlStep *step,
              OdlGlDispatch *dispatch,
              GError **error)
{
  const OdlGlDispatchParams params = odl_gl_structure_params (self, structure);
  OdlImage *image = step->parameters.operand;
  OdlGlOperand *operand = operand_with (self, step->input, image);

  if (operand->image != image) {
    g_clear_pointer (&operand->image, odl_image_unref);
    g_autoptr (OdlImage) tall = as_picture (structure, image, error);
    if (tall == NULL || !odl_gl_source_take (operand->source, tall, error))
      return false;
    // A picture by itself stays; of a sequence another one comes with each frame.
    if (odl_gl_count_operands (structure->plan) == 1)
      odl_gl_upload_drop_buffers (self->operand_upload);
    operand->image = odl_image_ref (image);
  }
  return odl_gl_source_complete_load (operand->source, &params, dispatch, error);
}

static OdlGlDispatch *
dispatch_at (const OdlGlStructure *structure, guint index)
{
  return &g_array_index (structure->dispatches, OdlGlDispatch, index);
}

void
odl_gl_structure_ensure_loaded (OdlGlStructure *structure)
{
  if (!structure->is_loaded)
    odl_gl_dispatch (dispatch_at (structure, 0));
  structure->is_loaded = true;
}

void
odl_gl_structure_ensure_stored (OdlGlStructure *structure)
{
  if (!structure->is_stored && structure->last_level >= 0)
    odl_gl_dispatch (dispatch_at (structure, (guint) structure->last_level));
  structure->is_stored = true;
}

// The previous result was shown, so this one will probably be shown, too.
static bool
is_watched (const OdlGlComputeEngine *self, const OdlGlStructure *structure)
{
  const OdlGlShown *result = &structure->shown[1];

  return result->texture != 0 && result->frame != 0 && result->frame == self->frame - 1;
}

static bool
reads_colours (const OdlGlStructure *structure, const OdlGlDispatch *dispatch)
{
  const OdlStep *step = &structure->plan->steps[dispatch->step];

  return (step->kind == ODL_STEP_LUMA || step->kind == ODL_STEP_RECOMBINE)
         && step->reads[0] == structure->plan->source;
}

// LOAD is skipped if the first level reads the stored samples itself.
static bool
run_dispatch (OdlGlComputeEngine *self,
              OdlGlStructure *structure,
              guint first,
              OdlGlTurn turn,
              GError **error)
{
  const guint index = turn.index;

  if (index == 0) {
    if (!odl_gl_source_has_luma (self->source, structure->plan)
        && (structure->first_level < 0 || odl_gl_source_is_ycbcr (self->source)))
      odl_gl_structure_ensure_loaded (structure);
    return true;
  }
  OdlGlDispatch dispatch = *dispatch_at (structure, index);
  structure->is_stored = true;
  dispatch.overlaps = turn.overlaps;
  if (self->base.observing && dispatch.observed != NULL)
    dispatch.program = dispatch.observed;
  if (index == first && dispatch.resumed != NULL)
    dispatch.program = dispatch.resumed;
  if ((int) index == structure->first_level && !odl_gl_source_is_ycbcr (self->source)
      && !odl_gl_source_replace (self->source, structure->plan, &dispatch, error))
    return false;
  if (reads_colours (structure, &dispatch)
      && odl_gl_source_has_luma (self->source, structure->plan)
      && !odl_gl_source_join (self->source, structure->plan, &dispatch, error))
    return false;
  if ((int) index == structure->last_level && is_watched (self, structure)) {
    structure->is_stored = false;
    return odl_gl_shown_write (&structure->shown[1], self->programs, &dispatch,
                               self->frame, error);
  }
  odl_gl_dispatch (&dispatch);
  return true;
}

// Samples of a slot in planes one after the other.
static bool
alloc (const OdlSlot *slot, OdlCpuPicture *picture)
{
  *picture = (OdlCpuPicture){ .width = slot->width,
                              .height = slot->height,
                              .channels = slot->channels,
                              .pitch = (size_t) slot->width };
  const size_t factors[] = { (size_t) slot->width, (size_t) slot->height,
                             (size_t) slot->channels, sizeof (float) };
  size_t bytes;
  if (!odl_size_product (factors, G_N_ELEMENTS (factors), &bytes))
    return false;
  picture->samples = odl_aligned_alloc_unset (bytes, true);
  return picture->samples != NULL;
}

static bool
fetch (const OdlGlDispatchParams *params,
       int slot,
       const OdlCpuPicture *picture,
       GError **error)
{
  const size_t n = (size_t) picture->width * picture->height;
  const int channels = picture->channels;

  if (channels == 1)
    return odl_gl_compute_read (params, slot, picture->samples, error);
  g_autofree float *pixels = g_try_new (float, n *(size_t) channels);
  if (pixels == NULL || !odl_gl_compute_read (params, slot, pixels, error))
    return false;
  for (size_t i = 0; i < n; i++)
    for (int c = 0; c < channels; c++)
      picture->samples[(size_t) c * n + i] = pixels[i * (size_t) channels + (size_t) c];
  return true;
}

static bool
send (const OdlGlDispatchParams *params,
      int slot,
      const OdlCpuPicture *numbers,
      GError **error)
{
  const GLsizeiptr bytes = (GLsizeiptr) ((size_t) numbers->width * sizeof (float));
  GLuint staging;

  // Buffers on the GPU may be out of reach for anything but copies.
  odl_gl_forget_errors ();
  glGenBuffers (1, &staging);
  glBindBuffer (GL_COPY_READ_BUFFER, staging);
  glBufferData (GL_COPY_READ_BUFFER, bytes, numbers->samples, GL_STREAM_COPY);
  glBindBuffer (GL_COPY_WRITE_BUFFER, odl_gl_stores_at (params->stores, slot)->buffer);
  glCopyBufferSubData (GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0, bytes);
  glBindBuffer (GL_COPY_READ_BUFFER, 0);
  glBindBuffer (GL_COPY_WRITE_BUFFER, 0);
  glDeleteBuffers (1, &staging);
  return odl_gl_check (_ ("filtering"), error);
}

// Contours are found on the processor, for this engine too: what they look at is read
// back, and the numbers go to the GPU. Does step `index`, SNAKES, whose dispatch has no
// program. Waits for the GPU. ODL_ERROR_GPU, ODL_ERROR_TOO_LARGE. GL current.
static bool
find_snakes (const OdlGlDispatchParams *params, int index, GError **error)
{
  const OdlPlan *plan = params->plan;
  const OdlStep *step = &plan->steps[index];
  const OdlCpuMethod method
      = { .variant = odl_cpu_variant_choose ((const char *const[]){ NULL }) };
  const OdlCpuPast none = { 0 };
  g_autofree OdlCpuPicture *pictures = g_new0 (OdlCpuPicture, plan->n_slots);
  bool room = alloc (&plan->slots[step->writes], &pictures[step->writes]), ok = true;

  for (int r = 0; r < ODL_STEP_MOST_READS && room; r++)
    if (step->reads[r] != ODL_PLAN_NO_SLOT)
      room = alloc (&plan->slots[step->reads[r]], &pictures[step->reads[r]]);
  if (!room)
    g_set_error (error, ODL_ERROR, ODL_ERROR_TOO_LARGE,
                 _ ("there is not enough memory to read %d × %d pixels back"),
                 plan->geometry.width, plan->geometry.height);
  for (int r = 0; r < ODL_STEP_MOST_READS && room && ok; r++)
    if (step->reads[r] != ODL_PLAN_NO_SLOT)
      ok = fetch (params, step->reads[r], &pictures[step->reads[r]], error);
  if (room && ok) {
    odl_cpu_run_step (plan, step, &method, pictures, NULL, &none);
    ok = send (params, step->writes, &pictures[step->writes], error);
  }
  for (int i = 0; i < plan->n_slots; i++)
    odl_aligned_free (pictures[i].samples);
  return room && ok;
}

static bool
run_snakes (OdlGlComputeEngine *self, OdlGlStructure *structure, int step, GError **error)
{
  const OdlGlDispatchParams params = odl_gl_structure_params (self, structure);

  if (odl_step_reads (&structure->plan->steps[step], structure->plan->source))
    odl_gl_structure_ensure_loaded (structure);
  return find_snakes (&params, step, error);
}

// Once, where its last dispatch stands.
static bool
run_bm3d_time (OdlGlComputeEngine *self,
               OdlGlStructure *structure,
               guint index,
               OdlImage *input,
               GError **error)
{
  const OdlGlDispatchParams params = odl_gl_structure_params (self, structure);
  const OdlGlDispatch *dispatch = dispatch_at (structure, index);

  if (index + 1 < structure->dispatches->len && dispatch[1].step == dispatch->step)
    return true;
  if (odl_step_reads (&structure->plan->steps[dispatch->step], structure->plan->source))
    odl_gl_structure_ensure_loaded (structure);
  structure->is_stored = true;
  return odl_gl_bm3d_time_run (&params, dispatch->step, input, self->base.progress,
                               error);
}

OdlGlTurn
odl_gl_structure_turn (const OdlGlStructure *structure, guint place, bool in_order)
{
  if (structure->turns != NULL && !in_order)
    return g_array_index (structure->turns, OdlGlTurn, place);
  return (OdlGlTurn){ place, dispatch_at (structure, place)->overlaps };
}

bool
odl_gl_structure_run (OdlGlComputeEngine *self,
                      OdlGlStructure *structure,
                      guint first,
                      OdlImage *input,
                      GError **error)
{
  const OdlPlan *plan = structure->plan;
  OdlGlPace pace = { .progress = self->base.progress };
  bool ok = true, renewed = false;

  if (self->base.timing && structure->timer == NULL)
    structure->timer = odl_gl_timer_new (&self->caps, plan->n_steps);

  const bool measured = self->base.timing && structure->timer != NULL
                        && odl_gl_timer_frame_begin (structure->timer, &self->base);
  odl_gl_fouriers_begin (structure->fouriers, plan, input, structure->dispatches);
  for (guint k = 0; k < structure->dispatches->len && ok; k++) {
    // Steps are timed one after the other.
    const OdlGlTurn turn = odl_gl_structure_turn (structure, k, measured);
    const guint i = turn.index;
    OdlGlDispatch *dispatch = dispatch_at (structure, i);
    if (i < first)
      continue;
    if (measured && (i == first || dispatch[-1].step != dispatch->step))
      odl_gl_timer_step_begin (structure->timer, dispatch->step);
    const OdlStep *step = &plan->steps[dispatch->step];
    if (dispatch->once && dispatch[-1].step != dispatch->step)
      renewed = odl_gl_fouriers_renew (structure->fouriers, dispatch->step, plan);
    if ((dispatch->once && !renewed)
        || (dispatch->term > 0
            && !odl_gl_fouriers_is_due (structure->fouriers, dispatch->step,
                                        dispatch->term - 1)))
      continue;
    if (step->kind == ODL_STEP_LOAD)
      ok = step->input > 0 ? load_operand (self, structure, step, dispatch, error)
                           : load (self, structure, input, dispatch, error);
    if (ok) {
      odl_gl_dispatch_parameters (dispatch, plan);
      if (odl_gl_fouriers_at (structure->fouriers, dispatch->step) == NULL)
        odl_gl_write_kernels (structure->kernels, dispatch, &self->caps, plan);
      odl_gl_past_uniforms (&self->base, step, &dispatch->uniforms);
      if (step->kind == ODL_STEP_SNAKES)
        ok = run_snakes (self, structure, dispatch->step, error);
      else if (step->kind == ODL_STEP_BM3D_TIME)
        ok = run_bm3d_time (self, structure, i, input, error);
      else
        ok = run_dispatch (self, structure, first, turn, error);
    }
    if (measured
        && (!ok || i + 1 == structure->dispatches->len
            || dispatch[1].step != dispatch->step))
      odl_gl_timer_step_end (structure->timer);
    ok = ok && odl_gl_pace_keep (&pace, k, structure->dispatches->len, error);
  }
  odl_gl_pace_end (&pace);
  if (measured && ok)
    odl_gl_timer_frame_end (structure->timer);
  structure->is_binned = self->base.observing || (first > 0 && structure->is_binned);
  if (!ok)
    odl_gl_fouriers_forget (structure->fouriers);
  return ok;
}
