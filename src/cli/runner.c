// SPDX-License-Identifier: MIT
#include "config.h"

#include "cli/runner.h"

#include <glib/gi18n-lib.h>

#include "base/clock.h"
#include "base/debug.h"
#include "base/error.h"
#include "engine/choice_cache.h"
#include "engine/choice_measure.h"
#include "engine/gl/headless.h"
#include "engine/takes.h"

// Measuring takes up to a second; it must have several to gain.
#define WORTH_MEASURING_NS ((int64_t) 5000000000)

struct _OdlRunner {
  bool automatic;
  bool decided; // by measurement; there is no second one
  int expected; // pictures to come
  int64_t last_ns; // that the last picture took
  OdlGlHeadless *headless; // NULL: no GL was needed
  OdlEngine *engine; // NULL: “auto” found none that opens
  char *name;
  bool gave_way; // to another, for the picture at hand
  GError *detour; // why this engine works in the place of another; the next note says it
  OdlPlan *told; // the plan that was said last; NULL: none
  OdlTakes takes;
  bool noted; // what the engine does otherwise was said
  bool continues; // the next picture follows the one before
};

// On the CPU, the fastest first.
static const char *const cpu_engines[] = { "cpu", "reference" };

static void
close_engine (OdlRunner *runner)
{
  g_clear_pointer (&runner->engine, odl_engine_close);
  g_clear_pointer (&runner->headless, odl_gl_headless_free);
  g_clear_pointer (&runner->name, g_free);
}

static bool
open_engine (OdlRunner *runner, OdlEngineChoice choice, GError **error)
{
  if (choice.klass->needs_gl) {
    runner->headless = odl_gl_headless_new (error);
    if (runner->headless == NULL)
      return false;
  }
  runner->engine = odl_engine_open_choice (choice, error);
  if (runner->engine == NULL)
    close_engine (runner);
  else
    runner->name = odl_engine_choice_to_text (choice);
  return runner->engine != NULL;
}

// The fastest engine on the CPU that can run `plan`, is not the one that `failed` and
// opens; NULL stands for any plan and for none. The error is that of the first that did
// not open.
static bool
open_on_cpu (OdlRunner *runner,
             const OdlPlan *plan,
             const OdlEngineClass *failed,
             GError **error)
{
  g_autoptr (GError) cause = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (cpu_engines); i++) {
    OdlEngineChoice choice = { odl_engine_find (cpu_engines[i]), NULL };
    if (choice.klass == NULL || choice.klass == failed
        || (plan != NULL && !odl_engine_can_run (choice.klass, plan, NULL)))
      continue;
    if (open_engine (runner, choice, cause == NULL ? &cause : NULL)) {
      if (cause != NULL && runner->detour == NULL)
        runner->detour = g_steal_pointer (&cause);
      return true;
    }
  }
  if (cause != NULL)
    g_propagate_error (error, g_steal_pointer (&cause));
  else
    g_set_error_literal (
        error, ODL_ERROR, ODL_ERROR_UNSUPPORTED,
        _ ("No engine works on this computer; the picture cannot be computed."));
  return false;
}

OdlRunner *
odl_runner_new (const char *engine, GError **error)
{
  g_autoptr (OdlRunner) runner = g_new0 (OdlRunner, 1);
  OdlEngineWish wish;

  if (!odl_engine_wish (engine, NULL, &wish, error))
    return NULL;
  runner->automatic = wish.choice.klass == NULL;
  if (runner->automatic) {
    if (!open_on_cpu (runner, NULL, NULL, error))
      return NULL;
  } else if (!open_engine (runner, wish.choice, error)) {
    g_autofree char *name = odl_engine_choice_to_text (wish.choice);
    g_prefix_error (error, _ ("the engine %s cannot run here: "), name);
    return NULL;
  }
  return g_steal_pointer (&runner);
}

void
odl_runner_free (OdlRunner *runner)
{
  if (runner == NULL)
    return;
  close_engine (runner);
  g_clear_error (&runner->detour);
  g_clear_pointer (&runner->told, odl_plan_unref);
  g_free (runner);
}

void
odl_runner_expect (OdlRunner *runner, int pictures)
{
  runner->expected = pictures;
}

void
odl_runner_begin (OdlRunner *runner)
{
  runner->continues = false;
}

void
odl_runner_pass (OdlRunner *runner, const OdlImage *frame)
{
  odl_takes_next (&runner->takes, frame, runner->continues, true);
  runner->continues = true;
}

const char *
odl_runner_engine (const OdlRunner *runner)
{
  return runner->name;
}

static bool
can_run (OdlEngineChoice choice, void *plan)
{
  return odl_engine_can_run (choice.klass, plan, NULL);
}

// Takes what is known to be best for such pictures on this machine, measured now if need
// be. What the CPU does stays when the winner does not open.
static void
decide (OdlRunner *runner, const OdlPlan *plan, OdlImage *image)
{
  g_autofree char *path = odl_choice_cache_path ();
  g_autofree char *gpu = NULL;

  runner->decided = true;
  OdlGlHeadless *headless = odl_gl_headless_new (NULL);
  if (headless != NULL)
    gpu = g_strdup (odl_gl_headless_gpu (headless));
  g_clear_pointer (&headless, odl_gl_headless_free);

  g_autofree char *key = odl_choice_key (plan, ODL_TARGET_MEMORY, gpu);
  g_autoptr (OdlRanking) ranking = odl_choice_cache_load (path, key);
  OdlChoiceMeasure params = { .plan = plan,
                              .image = image,
                              .target = ODL_TARGET_MEMORY,
                              .gpu = gpu,
                              .cache_path = path };
  if (ranking == NULL)
    ranking = odl_ranking_new (key);
  if (!odl_ranking_is_complete (ranking)) {
    odl_choice_measure (ranking, &params);
    odl_choice_cache_save (path, ranking, NULL);
  }
  OdlEngineChoice best = odl_choice_pick (ranking, can_run, (void *) plan);
  if (best.klass == NULL || best.klass == runner->engine->klass)
    return;
  g_clear_error (&runner->detour);
  close_engine (runner);
  if (!open_engine (runner, best, &runner->detour))
    open_on_cpu (runner, plan, NULL, NULL);
}

// Whether another engine may take over without loss.
static bool
may_change (const OdlRunner *runner, const OdlPlan *plan)
{
  return runner->automatic && !runner->decided
         && (!runner->continues || odl_plan_frames (plan) == 1);
}

static OdlImage *
run (OdlRunner *runner,
     const OdlPlan *plan,
     OdlMoment moment,
     OdlImage *input,
     GError **error)
{
  runner->engine->moment = moment;
  runner->engine->timing = odl_debug_wants (ODL_DEBUG_TIMING);
  // Both writers read rows. What shows luma and differences would be mixed anew for each
  // of its three colours.
  return odl_image_info (input)->ycbcr.used
             ? odl_engine_process (runner->engine, plan, input, error)
             : odl_engine_show (runner->engine, plan, input, error);
}

// An “auto” runner goes on with the next engine on the CPU.
static OdlImage *
run_or_give_way (OdlRunner *runner,
                 const OdlPlan *plan,
                 OdlMoment moment,
                 bool continues,
                 OdlImage *input,
                 GError **error)
{
  g_autoptr (GError) cause = NULL;

  // What one picture was too much for may do the next; and maybe none opened for it.
  if (runner->gave_way && !continues)
    close_engine (runner);
  runner->gave_way &= continues;
  if (runner->engine == NULL && !open_on_cpu (runner, plan, NULL, error))
    return NULL;
  OdlImage *result = run (runner, plan, moment, input, &cause);
  if (result != NULL)
    return result;
  if (!runner->automatic) {
    g_propagate_error (error, g_steal_pointer (&cause));
    return NULL;
  }
  const OdlEngineClass *failed = runner->engine->klass;
  close_engine (runner);
  runner->gave_way = true;
  g_clear_error (&runner->detour);
  runner->detour = g_steal_pointer (&cause);
  return open_on_cpu (runner, plan, failed, error)
             ? run (runner, plan, moment, input, error)
             : NULL;
}

// Plans follow each other unchanged; each is said once.
static void
tell_plan (OdlRunner *runner, OdlPlan *plan)
{
  if (!odl_debug_wants (ODL_DEBUG_PLAN)
      || (runner->told != NULL && odl_plan_same_structure (runner->told, plan)))
    return;
  g_clear_pointer (&runner->told, odl_plan_unref);
  runner->told = odl_plan_ref (plan);
  odl_plan_debug (plan);
}

// The whole, with what comes in and goes out, and the steps where the engine knows.
static void
tell_timing (const OdlRunner *runner, const OdlPlan *plan)
{
  const OdlEngine *engine = runner->engine;

  odl_debug (ODL_DEBUG_TIMING, "timing %s: %d×%d in %.3f ms", runner->name,
             plan->geometry.width, plan->geometry.height, (double) runner->last_ns / 1e6);
  for (int i = 0; i < MIN (engine->n_step_ns, plan->n_steps); i++)
    if (engine->step_ns[i] > 0)
      odl_debug (ODL_DEBUG_TIMING, "timing step %d %s: %.3f ms", i,
                 odl_step_name (plan->steps[i].kind), (double) engine->step_ns[i] / 1e6);
}

OdlImage *
odl_runner_process (OdlRunner *runner,
                    const OdlRecipe *recipe,
                    OdlImage *input,
                    OdlPlan **plan,
                    char **note,
                    GError **error)
{
  OdlGeometry geometry = odl_geometry_of (input);
  g_autoptr (OdlPlan) made = odl_plan_new (recipe, &geometry, error);

  *note = NULL;
  if (made == NULL)
    return NULL;
  if (may_change (runner, made) && odl_choice_is_worth_measuring (made)
      && runner->last_ns * (runner->expected + 1) > WORTH_MEASURING_NS)
    decide (runner, made, input);

  tell_plan (runner, made);
  const OdlMoment moment = odl_takes_next (&runner->takes, input, runner->continues,
                                           odl_plan_frames (made) != 1);
  const bool continues = runner->continues;
  runner->continues = true;
  int64_t begin_ns = odl_clock_now_ns ();
  OdlImage *result = run_or_give_way (runner, made, moment, continues, input, error);
  runner->last_ns = odl_clock_now_ns () - begin_ns;
  if (result == NULL)
    return NULL;
  tell_timing (runner, made);
  if (runner->detour != NULL)
    *note = g_strdup_printf (_ ("done by the engine “%s” instead: %s"),
                             runner->engine->klass->name, runner->detour->message);
  g_clear_error (&runner->detour);
  // Once is enough for all frames of a video.
  if (*note == NULL && !runner->noted) {
    *note = odl_engine_note (runner->engine->klass, made);
    runner->noted = *note != NULL;
  }
  *plan = g_steal_pointer (&made);
  return result;
}
