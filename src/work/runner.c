// SPDX-License-Identifier: MIT
#include "work/runner.h"

#include <glib/gi18n-lib.h>

#include "base/clock.h"
#include "base/debug.h"
#include "base/error.h"
#include "engine/choice_cache.h"
#include "engine/choice_measure.h"
#include "work/rehearsal.h"
#include "engine/prices.h"
#include "engine/gl/platform/headless.h"
#include "engine/sections.h"
#include "engine/takes.h"
#include "plan/bands.h"

// Measuring takes up to a second, so the work must take several.
#define WORTH_MEASURING_NS ((int64_t) 5000000000)

// A picture that is filtered in bands, or a complete result.
typedef struct {
  OdlRows rows; // first member
  OdlRunner *runner;
  OdlRecipe recipe;
  OdlImage *input;
  OdlOperands *operands; // rows of the current band
  OdlBands bands;
} Banded;

struct _OdlRunner {
  bool automatic;
  bool decided; // chosen by measurement; it is made only once
  int expected; // pictures to come
  int64_t last_ns; // time of the last picture
  OdlPlan *last; // its plan; NULL: none yet
  OdlGlHeadless *headless; // NULL: no GL was needed
  OdlEngine *engine; // NULL: “auto” found none that opens
  char *name;
  bool priced; // its convolutions, in this run
  bool gave_way; // to another engine, for the current picture
  GError *fallback_reason; // why this engine works in the place of another; the next note
                           // says it
  OdlOperands *operands; // NULL: none
  bool in_time;
  OdlNeighbours *neighbours; // NULL: none
  OdlGridVolume *grid; // NULL: nobody draws it
  OdlProgress *progress; // NULL: nobody waits
  OdlProcessWhole whole; // what makes a result
  const OdlRecipe *recipe; // that is being run; NULL: only its plan is known
  OdlPlan *told; // the plan whose note was printed last; NULL: none
  OdlTakes takes;
  bool noted; // the note about the engine's deviations was printed
  char *cut; // the sections that were said last; NULL: none
  bool cuts; // others are to be said
  bool continues; // the next picture follows the one before
  Banded banded; // of the last picture given to odl_runner_rows
};

// On the CPU, the fastest first.
static const char *const cpu_engines[] = { "cpu", "reference" };
// What runs code of files that is GLSL, which the CPU's engines do not.
static const char *const code_engine = "gl-compute";

static void
close_engine (OdlRunner *runner)
{
  g_clear_pointer (&runner->engine, odl_engine_close);
  g_clear_pointer (&runner->headless, odl_gl_headless_free);
  g_clear_pointer (&runner->name, g_free);
  runner->priced = false;
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

// The fastest engine on the CPU that can run `plan` (NULL: any plan), is not `failed`
// (NULL: none), and opens. The error is that of the first engine that did not open.
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
      if (cause != NULL && runner->fallback_reason == NULL)
        runner->fallback_reason = g_steal_pointer (&cause);
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

// Writers read rows. Luma and colour differences would be converted again for each of the
// three colours.
static OdlImage *
show_rows (OdlEngine *engine, const OdlPlan *plan, OdlImage *input, GError **error)
{
  return odl_image_info (input)->ycbcr.used
             ? odl_engine_process (engine, plan, input, error)
             : odl_engine_show (engine, plan, input, error);
}

static bool
has_code (const OdlRecipe *recipe)
{
  for (int i = 0; i < recipe->n_items; i++)
    if (recipe->items[i].filter->kind == ODL_FILTER_GLSL
        && odl_recipe_item_acts (&recipe->items[i]))
      return true;
  return false;
}

OdlRunner *
odl_runner_new_for (const char *engine, const OdlRecipe *recipe, GError **error)
{
  OdlEngineRequest request;

  if (!odl_engine_request (engine, NULL, &request, error))
    return NULL;
  return odl_runner_new (
      request.choice.klass == NULL && has_code (recipe) ? code_engine : engine, error);
}

OdlRunner *
odl_runner_new (const char *engine, GError **error)
{
  g_autoptr (OdlRunner) runner = g_new0 (OdlRunner, 1);
  OdlEngineRequest request;

  runner->whole = show_rows;
  if (!odl_engine_request (engine, NULL, &request, error))
    return NULL;
  runner->automatic = request.choice.klass == NULL;
  if (runner->automatic) {
    if (!open_on_cpu (runner, NULL, NULL, error))
      return NULL;
  } else if (!open_engine (runner, request.choice, error)) {
    g_autofree char *name = odl_engine_choice_to_text (request.choice);
    g_prefix_error (error, _ ("the engine %s cannot run here: "), name);
    return NULL;
  }
  return g_steal_pointer (&runner);
}

OdlRunner *
odl_runner_open (OdlEngineChoice choice, GError **error)
{
  const OdlEngineChoice cpu = { odl_engine_find ("cpu"), NULL };
  g_autoptr (OdlRunner) runner = g_new0 (OdlRunner, 1);

  runner->whole = odl_engine_process;
  if (!open_engine (runner, choice, NULL) && !open_engine (runner, cpu, error))
    return NULL;
  runner->priced = true;
  return g_steal_pointer (&runner);
}

OdlRunner *
odl_runner_new_like (const OdlRunner *runner, GError **error)
{
  OdlRunner *other = odl_runner_new (runner->name, error);

  if (other == NULL)
    return NULL;
  other->automatic = runner->automatic;
  other->decided = true;
  odl_runner_set_operands (other, runner->operands);
  return other;
}

bool
odl_runner_needs_gl (const OdlRunner *runner)
{
  return runner->engine != NULL && runner->engine->klass->needs_gl;
}

static void
drop_banded (OdlRunner *runner)
{
  g_clear_pointer (&runner->banded.rows.image, odl_image_unref);
  g_clear_pointer (&runner->banded.input, odl_image_unref);
  g_clear_pointer (&runner->banded.operands, odl_operands_unref);
}

void
odl_runner_free (OdlRunner *runner)
{
  if (runner == NULL)
    return;
  close_engine (runner);
  drop_banded (runner);
  g_clear_error (&runner->fallback_reason);
  g_clear_pointer (&runner->told, odl_plan_unref);
  g_clear_pointer (&runner->last, odl_plan_unref);
  odl_operands_unref (runner->operands);
  odl_neighbours_unref (runner->neighbours);
  g_free (runner->cut);
  g_free (runner);
}

void
odl_runner_begin_input (OdlRunner *runner)
{
  runner->noted = false;
}

void
odl_runner_expect (OdlRunner *runner, int pictures)
{
  runner->expected = pictures;
}

void
odl_runner_set_operands (OdlRunner *runner, OdlOperands *operands)
{
  odl_operands_unref (runner->operands);
  runner->operands = operands != NULL ? odl_operands_ref (operands) : NULL;
}

void
odl_runner_set_time (OdlRunner *runner, bool in_time, OdlNeighbours *neighbours)
{
  OdlNeighbours *own = neighbours != NULL ? odl_neighbours_ref (neighbours) : NULL;

  odl_neighbours_unref (runner->neighbours);
  runner->neighbours = own;
  runner->in_time = in_time;
}

void
odl_runner_set_grid (OdlRunner *runner, OdlGridVolume *grid)
{
  runner->grid = grid;
}

void
odl_runner_set_progress (OdlRunner *runner, OdlProgress *progress)
{
  runner->progress = progress;
}

OdlGeometry
odl_runner_operands (const OdlRunner *runner)
{
  return (OdlGeometry){ .operands = runner->operands };
}

OdlGeometry
odl_runner_geometry (const OdlRunner *runner, const OdlImage *image)
{
  OdlGeometry geometry = odl_geometry_of (image);

  geometry.operands = runner->operands;
  geometry.in_time = runner->in_time;
  geometry.neighbours = runner->neighbours;
  return geometry;
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

OdlEngine *
odl_runner_lend_engine (OdlRunner *runner)
{
  return runner->engine;
}

const char *
odl_runner_engine (const OdlRunner *runner)
{
  return runner->name;
}

// A frame that took longer counts as measured.
#define LONG_FRAME_NS ((int64_t) 200000000)

static bool
can_run (OdlEngineChoice choice, void *plan)
{
  return odl_engine_can_run (choice.klass, plan, NULL);
}

// The name of the card; NULL where there is none, or OpenGL is drawn by the CPU, which
// then is as fast without. Transfer full.
static char *
find_card (void)
{
  g_autoptr (OdlGlHeadless) headless = odl_gl_headless_new (NULL);

  if (headless == NULL || odl_gl_headless_is_software (headless))
    return NULL;
  return g_strdup (odl_gl_headless_gpu (headless));
}

static void
count_own_frame (OdlRanking *ranking, const OdlEngineClass *own, int64_t own_ns)
{
  for (int i = 0; i < ranking->n && own_ns >= LONG_FRAME_NS; i++) {
    const OdlCandidate *candidate = &ranking->candidates[i];
    if (candidate->choice.klass == own && candidate->choice.variant == NULL
        && candidate->state == ODL_CANDIDATE_UNMEASURED)
      odl_ranking_set_measured (ranking, i, (double) own_ns * 1e-6);
  }
}

// The fastest engine for `plan` on this machine: measured now on `image`, for up to a
// second, unless an earlier measurement is kept. `own` is the engine that made the last
// picture, in `own_ns` (0: its plan was another one); a long time counts as measured, so
// that the time for measuring is left to the others. klass NULL: there is no card, or
// nothing can run the plan; then the CPU's engine is the fastest. On a thread without a
// GL context.
static OdlEngineChoice
fastest_engine (const OdlPlan *plan,
                OdlImage *image,
                const OdlEngineClass *own,
                int64_t own_ns)
{
  g_autofree char *path = odl_choice_cache_path ();
  g_autofree char *card = find_card ();

  if (card == NULL)
    return (OdlEngineChoice){ NULL, NULL };
  g_autofree char *key = odl_choice_key (plan, ODL_TARGET_MEMORY, card);
  g_autoptr (OdlRanking) ranking = odl_choice_cache_load (path, key);
  OdlChoiceMeasure params = { .plan = plan,
                              .image = image,
                              .target = ODL_TARGET_MEMORY,
                              .gpu = card,
                              .cache_path = path };
  if (ranking == NULL)
    ranking = odl_ranking_new (key);
  if (!odl_ranking_is_complete (ranking)) {
    count_own_frame (ranking, own, own_ns);
    odl_choice_measure (ranking, &params);
    odl_choice_cache_save (path, ranking, NULL);
  }
  return odl_choice_pick (ranking, can_run, (void *) plan);
}

// Takes the engine that is fastest for such pictures on this machine. If it does not
// open, the CPU engine stays.
static void
decide (OdlRunner *runner, const OdlPlan *plan, OdlImage *image)
{
  const bool like_last
      = runner->last != NULL && odl_plan_same_structure (runner->last, plan);
  const OdlEngineChoice best = fastest_engine (plan, image, runner->engine->klass,
                                               like_last ? runner->last_ns : 0);

  runner->decided = true;
  if (best.klass == NULL || best.klass == runner->engine->klass)
    return;
  g_clear_error (&runner->fallback_reason);
  close_engine (runner);
  if (!open_engine (runner, best, &runner->fallback_reason))
    open_on_cpu (runner, plan, NULL, NULL);
}

// Whether another engine may take over without loss.
static bool
may_change (const OdlRunner *runner, const OdlPlan *plan)
{
  return runner->automatic && !runner->decided
         && (!runner->continues || odl_plan_frames (plan) == 1);
}

// Before the first picture that either way may suit, so that all go the same.
static void
measure_prices (OdlRunner *runner, const OdlPlan *plan)
{
  if (runner->priced || runner->engine->device == NULL || runner->engine->is_variant
      || !odl_prices_matter (plan))
    return;
  runner->priced = true;
  odl_prices_measure (odl_gl_headless_gpu (runner->headless), NULL, NULL);
  odl_gl_headless_make_current (runner->headless);
}

OdlImage *
odl_runner_run (OdlRunner *runner,
                const OdlPlan *plan,
                OdlMoment moment,
                OdlImage *input,
                GError **error)
{
  OdlEngine *engine = runner->engine;
  g_autofree char *cut = NULL;

  if (engine->klass->needs_gl && !odl_rehearse (plan, runner->name, error))
    return NULL;
  measure_prices (runner, plan);
  engine->moment = moment;
  engine->progress = runner->progress;
  engine->timing = odl_debug_wants (ODL_DEBUG_TIMING);
  OdlImage *result = NULL;
  if (runner->grid == NULL)
    result = odl_engine_process_fitting (engine, runner->recipe, plan, input,
                                         runner->whole, &cut, error);
  else if (odl_grid_volume_process (engine, runner->recipe, plan, input, runner->whole,
                                    runner->grid, &cut, error))
    result = odl_image_ref (runner->grid->volume);
  engine->progress = NULL;
  if (cut != NULL && g_strcmp0 (cut, runner->cut) != 0) {
    g_free (runner->cut);
    runner->cut = g_steal_pointer (&cut);
    runner->cuts = true;
  }
  return result;
}

static bool
has_python (const OdlPlan *plan)
{
  for (int i = 0; i < plan->n_steps; i++)
    if (plan->steps[i].kind == ODL_STEP_PYTHON)
      return true;
  return false;
}

// An “auto” runner continues with the next engine on the CPU.
static OdlImage *
run_or_give_way (OdlRunner *runner,
                 const OdlPlan *plan,
                 OdlMoment moment,
                 bool continues,
                 OdlImage *input,
                 GError **error)
{
  g_autoptr (GError) cause = NULL;

  // An engine that failed for one picture, or did not open, may work for the next.
  if (runner->gave_way && !continues)
    close_engine (runner);
  runner->gave_way &= continues;
  if (runner->engine == NULL && !open_on_cpu (runner, plan, NULL, error))
    return NULL;
  OdlImage *result = odl_runner_run (runner, plan, moment, input, &cause);
  if (result != NULL)
    return result;
  // Who gave it up wants no other engine, which is slow and cannot be given up. The other
  // one of the processor takes more memory, and Python is the same there.
  if (!runner->automatic || has_python (plan)
      || g_error_matches (cause, ODL_ERROR, ODL_ERROR_CANCELLED)
      || (!runner->engine->klass->needs_gl
          && g_error_matches (cause, ODL_ERROR, ODL_ERROR_TOO_LARGE))) {
    g_propagate_error (error, g_steal_pointer (&cause));
    return NULL;
  }
  const OdlEngineClass *failed = runner->engine->klass;
  close_engine (runner);
  runner->gave_way = true;
  g_clear_error (&runner->fallback_reason);
  runner->fallback_reason = g_steal_pointer (&cause);
  return open_on_cpu (runner, plan, failed, error)
             ? odl_runner_run (runner, plan, moment, input, error)
             : NULL;
}

// Consecutive plans are mostly equal; the note of each is printed once.
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

// The total with input and output, and the steps if the engine times them.
static void
tell_timing (const OdlRunner *runner, const OdlPlan *plan)
{
  const OdlEngine *engine = runner->engine;

  odl_debug (ODL_DEBUG_TIMING, "timing %s: %d×%d in %.3f ms", runner->name,
             plan->geometry.width, plan->geometry.height, (double) runner->last_ns / 1e6);
  for (int i = 0; i < MIN (engine->n_step_ns, plan->n_steps); i++)
    if (engine->step_ns[i] > 0)
      odl_debug (ODL_DEBUG_TIMING, "timing step %d %s: %.3f ms", i,
                 odl_step_row (plan->steps[i].kind)->name,
                 (double) engine->step_ns[i] / 1e6);
}

// Takes ownership of the plan; NULL if it could not be made.
static OdlImage *
process (OdlRunner *runner,
         OdlPlan *taken,
         OdlImage *input,
         OdlPlan **plan,
         char **note,
         GError **error)
{
  g_autoptr (OdlPlan) made = taken;

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
  g_clear_pointer (&runner->last, odl_plan_unref);
  runner->last = odl_plan_ref (made);
  tell_timing (runner, made);
  if (runner->fallback_reason != NULL)
    *note
        = g_strdup_printf (_ ("done by the engine “%s” instead: %s"),
                           runner->engine->klass->name, runner->fallback_reason->message);
  g_clear_error (&runner->fallback_reason);
  // Once is enough for all frames of a video.
  if (*note == NULL && !runner->noted) {
    *note = odl_engine_note (runner->engine->klass, made);
    runner->noted = *note != NULL;
  }
  if (*note == NULL && runner->cuts) {
    *note = g_strdup_printf (_ ("memory is short: %s"), runner->cut);
    runner->cuts = false;
  }
  *plan = g_steal_pointer (&made);
  return result;
}

OdlImage *
odl_runner_process (OdlRunner *runner,
                    const OdlRecipe *recipe,
                    OdlImage *input,
                    OdlPlan **plan,
                    char **note,
                    GError **error)
{
  const OdlGeometry geometry = odl_runner_geometry (runner, input);

  runner->recipe = recipe;
  OdlImage *result = process (runner, odl_plan_new (recipe, &geometry, error), input,
                              plan, note, error);
  runner->recipe = NULL;
  return result;
}

// ---- Rows of a result ----

// Only independent pictures are filtered in bands: the history of temporal filters holds
// whole pictures, overlays and shutters are attached to whole pictures, and rows of
// videos are interpolated with their neighbours.
static OdlBands
bands_for (const OdlRunner *runner, const OdlPlan *plan, const OdlImage *input)
{
  const OdlImageInfo *info = odl_image_info (input);

  if (runner->continues || plan->result == plan->source || info->ycbcr.used
      || info->overlay != NULL || info->shutter != NULL)
    return (OdlBands){ 0 };
  return odl_bands_of (plan, ODL_BAND_BYTES);
}

// With the same rows of all operands.
static OdlImage *
cut_band (Banded *banded, int first, GError **error)
{
  OdlRows *rows = &banded->rows;
  const OdlBand band = odl_bands_cut (&banded->bands, first);

  g_clear_pointer (&rows->image, odl_image_unref);
  rows->first = band.first;
  rows->end = band.end;
  rows->top = band.top;
  g_clear_pointer (&banded->operands, odl_operands_unref);
  if (!odl_operands_some_rows (banded->runner->operands, banded->bands.height, band.from,
                               band.to, band.tail, &banded->operands, error))
    return NULL;
  return odl_image_some_rows (banded->input, band.from, band.to, band.tail, error);
}

static OdlPlan *
plan_band (const Banded *banded, const OdlImage *band, GError **error)
{
  OdlGeometry geometry = odl_geometry_of (band);

  geometry.operands = banded->operands;
  return odl_plan_new (&banded->recipe, &geometry, error);
}

// The engine stays, since the file already names it.
static bool
next_band (OdlRows *rows, GError **error)
{
  Banded *banded = (Banded *) rows;
  OdlRunner *runner = banded->runner;
  g_autoptr (OdlImage) input = cut_band (banded, rows->end, error);

  if (input == NULL)
    return false;
  g_autoptr (OdlPlan) plan = plan_band (banded, input, error);
  if (plan == NULL)
    return false;
  const int64_t before_ns = runner->last_ns, begin_ns = odl_clock_now_ns ();
  const OdlMoment moment = odl_takes_next (&runner->takes, input, false, false);
  tell_plan (runner, plan);
  rows->image = odl_runner_run (runner, plan, moment, input, error);
  runner->last_ns = odl_clock_now_ns () - begin_ns;
  tell_timing (runner, plan);
  runner->last_ns += before_ns;
  return rows->image != NULL;
}

OdlRows *
odl_runner_rows (OdlRunner *runner,
                 const OdlRecipe *recipe,
                 OdlImage *input,
                 OdlPlan **plan,
                 char **note,
                 GError **error)
{
  Banded *banded = &runner->banded;
  const OdlGeometry geometry = odl_runner_geometry (runner, input);
  g_autoptr (OdlPlan) whole = odl_plan_new (recipe, &geometry, error);
  g_autoptr (OdlPlan) first = NULL;

  *note = NULL;
  drop_banded (runner);
  if (whole == NULL)
    return NULL;
  const OdlBands bands = bands_for (runner, whole, input);
  if (bands.own == 0) {
    banded->rows.image = odl_runner_process (runner, recipe, input, plan, note, error);
    if (banded->rows.image == NULL)
      return NULL;
    banded->rows = odl_rows_of_image (banded->rows.image);
    return &banded->rows;
  }
  *banded = (Banded){ .rows = { .height = bands.height, .next = next_band },
                      .runner = runner,
                      .recipe = *recipe,
                      .input = odl_image_ref (input),
                      .bands = bands };
  g_autoptr (OdlImage) top = cut_band (banded, 0, error);
  if (top != NULL)
    banded->rows.image
        = process (runner, plan_band (banded, top, error), top, &first, note, error);
  if (banded->rows.image == NULL)
    return NULL;
  *plan = g_steal_pointer (&whole);
  return &banded->rows;
}

OdlImage *
odl_runner_read_back (OdlRunner *runner, const OdlPlan *plan, int slot, GError **error)
{
  g_return_val_if_fail (runner->engine != NULL, NULL);
  return odl_engine_read_back (runner->engine, plan, slot, error);
}
