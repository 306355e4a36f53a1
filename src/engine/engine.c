// SPDX-License-Identifier: MIT
#include "engine/engine.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "base/debug.h"
#include "base/error.h"
#include "filter/own/own.h"
#include "plan/flow.h"

OdlEngine *
odl_engine_open_choice (OdlEngineChoice choice, GError **error)
{
  g_autoptr (OdlEngine) engine = odl_engine_open (choice.klass, error);

  if (engine == NULL || !odl_engine_choose (engine, choice.variant, error))
    return NULL;
  return g_steal_pointer (&engine);
}

bool
odl_engine_choose (OdlEngine *engine, const char *variant, GError **error)
{
  g_return_val_if_fail (engine != NULL, false);

  engine->is_variant = variant != NULL;
  return engine->klass->choose == NULL || engine->klass->choose (engine, variant, error);
}

OdlEngine *
odl_engine_open (const OdlEngineClass *klass, GError **error)
{
  g_return_val_if_fail (klass != NULL, NULL);

  if (odl_debug_fault (klass->name, "open", error))
    return NULL;

  OdlEngine *engine = klass->open (error);
  if (engine != NULL)
    engine->klass = klass;
  return engine;
}

void
odl_engine_close (OdlEngine *engine)
{
  if (engine == NULL)
    return;
  g_clear_pointer (&engine->step_ns, g_free);
  g_clear_pointer (&engine->device, g_free);
  g_clear_error (&engine->failure);
  engine->klass->close (engine);
}

// Names what in `step` exceeds `limits`; NULL: nothing.
static const char *
beyond_limits (const OdlEngineLimits *limits, const OdlStep *step)
{
  if (step->wavelet == NULL)
    return NULL;
  if (step->wavelet->reversible && !limits->reversible)
    return _ ("it does not compute in whole numbers");
  if ((limits->borders & 1u << step->border) == 0)
    return _ ("it does not have this border");
  if (limits->lifting_only && step->wavelet->lifting.count == 0)
    return _ ("it needs lifting steps, which this wavelet has not");
  return NULL;
}

bool
odl_engine_can_run (const OdlEngineClass *klass, const OdlPlan *plan, GError **error)
{
  g_return_val_if_fail (klass != NULL && plan != NULL, false);

  const bool is_volume = plan->geometry.depth > 1;

  if (is_volume && klass->has_volume_step == NULL)
    return odl_error_set (
        error, ODL_ERROR_UNSUPPORTED,
        _ ("the engine “%s” filters pictures, not volumes (dimensions=3); choose “cpu”"),
        klass->name);
  for (int i = 0; i < plan->n_steps; i++) {
    const OdlStep *step = &plan->steps[i];
    const bool is_flat = is_volume && step->kind == ODL_STEP_OWN;
    if (step->code != NULL && (is_flat || !klass->has_step (step)))
      return odl_error_set (
          error, ODL_ERROR_UNSUPPORTED,
          is_flat ? _ ("the filter “%s” is code of a file, which filters pictures, not "
                       "volumes (dimensions=3); leave one of them out")
          : step->kind == ODL_STEP_PYTHON
              ? _ ("the filter “%s” is Python, which the engine “%s” does not run; “cpu” "
                   "and “reference” do")
              : _ ("the filter “%s” is code of a file, which the engine “%s” does "
                   "not run; “gl-compute” and “gl-fragment” do"),
          step->code->name, klass->name);
    if (is_volume && !klass->has_volume_step (step))
      return odl_error_set (
          error, ODL_ERROR_UNSUPPORTED,
          _ ("the engine “%s” has no step “%s” for volumes; choose “cpu”"), klass->name,
          odl_step_row (step->kind)->name);
    if (!klass->has_step (step))
      return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                            _ ("the engine “%s” has no step “%s”; choose another engine"),
                            klass->name, odl_step_row (step->kind)->name);
    if (klass->limits.shrinks_once && odl_plan_shrinks_again (plan, i))
      return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                            _ ("the engine “%s” shrinks coefficients once, not one "
                               "threshold after the other; choose another engine"),
                            klass->name);
    const char *reason = beyond_limits (&klass->limits, step);
    if (reason == NULL)
      continue;
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                          _ ("the engine “%s” cannot run the wavelet %s with the border "
                             "“%s”: %s; choose another engine or wavelet"),
                          klass->name, step->wavelet->label,
                          odl_border_names[step->border + 1], reason);
  }
  return true;
}

bool
odl_engine_prepare (OdlEngine *engine, const OdlPlan *plan, GError **error)
{
  g_return_val_if_fail (engine != NULL && plan != NULL, false);
  return odl_engine_can_run (engine->klass, plan, error)
         && !odl_debug_fault (engine->klass->name, "prepare", error)
         && engine->klass->prepare (engine, plan, error);
}

// Moves on to the frame of `engine->moment`.
static void
take_moment (OdlEngine *engine)
{
  const OdlMoment now = engine->moment, last = engine->last;

  if (now.take == 0 || now.take != last.take || now.serial < last.serial)
    engine->past = 0;
  else if (now.serial > last.serial)
    engine->past++;
}

int
odl_engine_earlier (const OdlEngine *engine, const OdlStep *step)
{
  return (int) MIN (engine->past, (uint64_t) MAX (step->frames - 1, 0));
}

int
odl_engine_place (const OdlEngine *engine, const OdlStep *step, int back)
{
  g_return_val_if_fail (back <= odl_engine_earlier (engine, step), 0);
  return (int) ((engine->past - (uint64_t) back) % (uint64_t) step->frames);
}

static bool
fits (const OdlEngine *engine, const OdlPlan *plan, const OdlImage *input)
{
  const OdlGeometry own = odl_geometry_of (input), *wanted = &plan->geometry;

  if (own.channels != wanted->channels)
    return false;
  return (own.width == wanted->width && own.height == wanted->height)
         || (engine->klass->limits.pads && !odl_image_info (input)->ycbcr.used
             && own.width <= wanted->width && own.height <= wanted->height);
}

bool
odl_engine_run (OdlEngine *engine, const OdlPlan *plan, OdlImage *input, GError **error)
{
  g_return_val_if_fail (engine != NULL && plan != NULL && input != NULL, false);

  g_return_val_if_fail (fits (engine, plan, input), false);
  take_moment (engine);
  g_atomic_int_set (&engine->short_of_memory, 0);
  g_clear_error (&engine->failure);
  bool done = !odl_debug_fault (engine->klass->name, "run", error)
              && engine->klass->run (engine, plan, input, error);
  if (done && odl_progress_stopped (engine->progress)) {
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_CANCELLED,
                         _ ("filtering was given up before it was done"));
    done = false;
  }
  if (done && engine->failure != NULL) {
    g_propagate_error (error, g_steal_pointer (&engine->failure));
    done = false;
  }
  if (done && g_atomic_int_get (&engine->short_of_memory)) {
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_TOO_LARGE,
                         _ ("there is not enough memory for this filter; close other "
                            "programs, or choose another filter"));
    done = false;
  }
  // A failed run invalidates the history.
  engine->last = done ? engine->moment : (OdlMoment){ 0 };
  return done;
}

void
odl_engine_set_steps (OdlEngine *engine, int n_steps)
{
  g_return_if_fail (engine != NULL);
  g_free (engine->step_ns);
  engine->step_ns = g_new0 (int64_t, n_steps);
  engine->n_step_ns = n_steps;
  engine->frame_ns = 0;
  engine->last = (OdlMoment){ 0 };
}

char *
odl_engine_note (const OdlEngineClass *klass, const OdlPlan *plan)
{
  g_return_val_if_fail (klass != NULL && plan != NULL, NULL);

  if (plan->precision != 16 || klass->needs_gl)
    return NULL;
  return g_strdup_printf (_ ("32-bit precision: the engine “%s” has no other"),
                          klass->name);
}

// Interleaves the channels of `picture` and the alpha of `input` into one image.
static OdlImage *
with_alpha (OdlImage *picture, OdlImage *input, GError **error)
{
  OdlImageInfo info = *odl_image_info (picture);
  const OdlImageInfo from = info;
  float *samples;

  info.channels = 4;
  OdlImage *result = odl_image_alloc (&info, (void **) &samples, error);
  if (result == NULL)
    return NULL;

  g_autofree float *alpha = g_new (float, info.extent.x);
  for (int y = 0; y < info.extent.y; y++) {
    const float *row = (const float *) from.planes[0].data
                       + y * from.planes[0].row_stride_bytes / sizeof (float);
    odl_image_scaled_row (input, 3, y, 0, 0, alpha);
    for (int x = 0; x < info.extent.x; x++, samples += 4) {
      memcpy (samples, row + 3 * x, 3 * sizeof *samples);
      samples[3] = alpha[x];
    }
  }
  return result;
}

// Copies value map and other metadata of the input to the result.
static OdlImage *
with_meaning (const OdlPlan *plan, OdlImage *picture, OdlImage *input)
{
  OdlImageInfo info = odl_plan_describe (plan, odl_image_info (input));

  info.stored_min = 0;
  info.stored_max = 1;
  return odl_image_with_info (picture, &info);
}

// Whether the rows of the input equal those of the result bit by bit: no step changes
// them, and row readers scale whole samples as the engines do.
static bool
is_its_own_result (const OdlEngine *engine, const OdlPlan *plan, const OdlImage *input)
{
  const OdlImageInfo *info = odl_image_info (input);

  return engine->klass->show != NULL && !engine->timing && plan->result == plan->source
         && info->type != ODL_SAMPLE_F32 && !info->ycbcr.used;
}

OdlImage *
odl_engine_show (OdlEngine *engine, const OdlPlan *plan, OdlImage *input, GError **error)
{
  if (is_its_own_result (engine, plan, input)) {
    if (!odl_engine_prepare (engine, plan, error)
        || odl_debug_fault (engine->klass->name, "run", error))
      return NULL;
    engine->frame_ns = 0;
    return odl_image_ref (input);
  }
  if (engine->klass->show == NULL || plan->geometry.channels == 4)
    return odl_engine_process (engine, plan, input, error);
  if (!odl_engine_prepare (engine, plan, error)
      || !odl_engine_run (engine, plan, input, error))
    return NULL;
  g_autoptr (OdlImage) picture = engine->klass->show (engine, plan, error);
  return picture != NULL ? with_meaning (plan, picture, input) : NULL;
}

OdlImage *
odl_engine_read_back (OdlEngine *engine, const OdlPlan *plan, int slot, GError **error)
{
  const OdlSlot *wanted = &plan->slots[slot];
  const OdlImageInfo info = {
    .extent = { wanted->width, wanted->height, wanted->depth, 1 },
    .channels = wanted->channels,
    .type = ODL_SAMPLE_F32,
  };
  float *samples;
  g_autoptr (OdlImage) image = odl_image_alloc_unset (&info, (void **) &samples, error);

  if (image == NULL || !engine->klass->read_back (engine, plan, slot, samples, error))
    return NULL;
  return g_steal_pointer (&image);
}

bool
odl_engine_parts (OdlEngine *engine,
                  const OdlPlan *plan,
                  OdlPartForm form,
                  const OdlPart *parts,
                  int n_parts,
                  void *out,
                  GError **error)
{
  const OdlSlot *result = &plan->slots[plan->result];

  g_return_val_if_fail (engine->klass->parts != NULL, false);
  g_return_val_if_fail (form != ODL_PART_BYTES || n_parts == 1, false);
  for (int i = 0; i < n_parts; i++)
    g_return_val_if_fail (parts[i].x >= 0 && parts[i].width >= 0 && parts[i].y >= 0
                              && parts[i].height >= 0
                              && parts[i].width <= result->width - parts[i].x
                              && parts[i].height <= result->height - parts[i].y,
                          false);
  return engine->klass->parts (engine, plan, form, parts, n_parts, out, error);
}

bool
odl_engine_observe (OdlEngine *engine, const OdlPlan *plan, float *numbers)
{
  g_return_val_if_fail (engine != NULL && plan != NULL && numbers != NULL, false);
  return engine->klass->observe != NULL && engine->klass->observe (engine, plan, numbers);
}

OdlImage *
odl_engine_process (OdlEngine *engine,
                    const OdlPlan *plan,
                    OdlImage *input,
                    GError **error)
{
  if (!odl_engine_prepare (engine, plan, error)
      || !odl_engine_run (engine, plan, input, error))
    return NULL;

  g_autoptr (OdlImage) picture = odl_engine_read_back (engine, plan, plan->result, error);
  if (picture == NULL)
    return NULL;
  if (plan->geometry.channels == 4 && odl_image_info (picture)->channels == 3) {
    OdlImage *whole = with_alpha (picture, input, error);
    if (whole == NULL)
      return NULL;
    odl_image_unref (g_steal_pointer (&picture));
    picture = whole;
  }
  return with_meaning (plan, picture, input);
}
