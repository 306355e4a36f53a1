// SPDX-License-Identifier: MIT
#include "engine/choice_measure.h"

#include <glib/gi18n-lib.h>

#include "base/clock.h"
#include "base/debug.h"
#include "base/error.h"
#include "base/progress.h"
#include "engine/choice_cache.h"
#include "engine/gl/canvas/canvas.h"
#include "engine/gl/platform/caps.h"
#include "engine/gl/platform/headless.h"

#define BUDGET_NS ((int64_t) 1000000000)
#define THOROUGH_BUDGET_NS (10 * BUDGET_NS)
#define MOST_FRAMES 30
// So far behind the best that further frames cannot change the choice.
#define HOPELESS 4
// A first frame, whose programs are compiled, is given up after this and the time in
// which it would be hopeless.
#define FIRST_FRAME_NS ((int64_t) 3000000000)
// If the thread waited for a processor longer than this fraction of a frame, the time
// measures other programs, not the engine.
#define MOST_WAITING 0.25

typedef struct {
  const OdlChoiceMeasure *params;
  OdlRanking *ranking;
  int64_t end_ns;
  double best_ms; // of all so far; 0: none
  OdlGlHeadless *headless; // NULL: not asked for yet, or there is none
  OdlGlCanvas *canvas;
  GError *no_gl; // why
  OdlProgress progress; // of the frame
  // The same samples twice: engines may skip work for an image that they have seen.
  OdlImage *images[2];
  int frame;
} Measurement;

static bool
is_cancelled (const Measurement *m)
{
  return m->params->cancelled != NULL && m->params->cancelled (m->params->data);
}

static bool
is_over (const Measurement *m)
{
  return odl_clock_now_ns () >= m->end_ns || is_cancelled (m);
}

// The context of all candidates, made when the first needs it.
static bool
ensure_gl (Measurement *m)
{
  if (m->headless != NULL || m->no_gl != NULL)
    return m->headless != NULL;
  m->headless = odl_gl_headless_new_on (m->params->gpu, &m->no_gl);
  if (m->headless == NULL)
    return false;
  m->ranking->software = odl_gl_headless_is_software (m->headless);
  m->canvas = odl_gl_canvas_new (&m->no_gl);
  if (m->canvas == NULL)
    g_clear_pointer (&m->headless, odl_gl_headless_free);
  return m->canvas != NULL;
}

// There is a canvas that draws with GL, even if its GPU cannot be used from here.
static bool
has_canvas (const Measurement *m)
{
  return m->params->target == ODL_TARGET_GL_CANVAS && m->params->gpu != NULL
         && *m->params->gpu != '\0';
}

// On a machine without OpenGL the CPU's pictures are shown without it as well.
static bool
is_uploaded (Measurement *m, const OdlEngine *engine)
{
  return has_canvas (m) && !engine->klass->needs_gl && ensure_gl (m);
}

static bool
finish (Measurement *m, GError **error)
{
  odl_gl_headless_finish (m->headless);
  return odl_gl_check (_ ("filtering"), error);
}

static bool
run_frame (Measurement *m, OdlEngine *engine, bool uploaded, GError **error)
{
  const OdlPlan *plan = m->params->plan;
  OdlImage *image = m->images[m->frame++ % 2];
  OdlGlPicture picture;

  engine->moment = (OdlMoment){ 1, (uint64_t) m->frame }; // steps over time have a past
  if (engine->klass->needs_gl && m->params->target == ODL_TARGET_GL_CANVAS) {
    if (!odl_engine_prepare (engine, plan, error)
        || !odl_engine_run (engine, plan, image, error))
      return false;
    return finish (m, error);
  }
  g_autoptr (OdlImage) result = uploaded
                                    ? odl_engine_show (engine, plan, image, error)
                                    : odl_engine_process (engine, plan, image, error);
  if (result == NULL)
    return false;
  return !uploaded
         || (odl_gl_canvas_upload (m->canvas, 0, result, &picture, error)
             && finish (m, error));
}

// The least time of a frame; 0 if no valid frame fitted in the time, negative on failure.
static double
measure_engine (Measurement *m, OdlEngine *engine, int64_t share_ns, GError **error)
{
  bool uploaded = is_uploaded (m, engine);
  int64_t end_ns = MIN (m->end_ns, odl_clock_now_ns () + share_ns);
  int64_t least_ns = 0;

  // The first candidate has nothing to be compared with; the others have a way out.
  if (m->best_ms > 0) {
    odl_progress_begin (&m->progress);
    m->progress.until_ns
        = odl_clock_now_ns () + FIRST_FRAME_NS + (int64_t) (HOPELESS * m->best_ms * 1e6);
    engine->progress = &m->progress;
  }

  for (int frame = 0; frame <= MOST_FRAMES; frame++) {
    int64_t waited_ns = odl_clock_waited_ns ();
    int64_t begin_ns = odl_clock_now_ns ();
    if (!run_frame (m, engine, uploaded, error))
      return -1;
    engine->progress = NULL; // whose commands would be slowed down
    int64_t ns = odl_clock_now_ns () - begin_ns;
    waited_ns = odl_clock_waited_ns () - waited_ns;

    if (frame > 0 && waited_ns <= MOST_WAITING * ns && (least_ns == 0 || ns < least_ns))
      least_ns = ns;
    bool hopeless
        = least_ns > 0 && m->best_ms > 0 && least_ns * 1e-6 > HOPELESS * m->best_ms;
    if (is_over (m) || hopeless || (frame > 0 && odl_clock_now_ns () >= end_ns))
      break;
  }
  return least_ns * 1e-6;
}

static void
fail (Measurement *m, int index, const GError *error)
{
  odl_ranking_set_failed (m->ranking, index, error->message);
}

// Fails what cannot win, which takes no time.
static void
rule_out (Measurement *m, int index)
{
  const OdlEngineClass *klass = m->ranking->candidates[index].choice.klass;
  g_autoptr (GError) error = NULL;

  if (!odl_engine_can_run (klass, m->params->plan, &error))
    fail (m, index, error);
  else if (klass->needs_gl && m->ranking->software && !m->params->thorough)
    odl_ranking_set_failed (m->ranking, index, _ ("OpenGL renders in software here."));
}

// Stays unmeasured if the time was too short.
static void
measure_candidate (Measurement *m, int index, int64_t share_ns)
{
  OdlCandidate *candidate = &m->ranking->candidates[index];
  g_autoptr (GError) error = NULL;

  if (candidate->choice.klass->needs_gl && !ensure_gl (m)) {
    if (has_canvas (m))
      odl_ranking_set_out_of_reach (m->ranking, index, m->no_gl->message);
    else
      fail (m, index, m->no_gl);
    return;
  }
  OdlEngine *engine = odl_engine_open_choice (candidate->choice, &error);
  double ms = engine != NULL ? measure_engine (m, engine, share_ns, &error) : -1;
  odl_engine_close (engine);

  // Memory, or time, may suffice the next time.
  if (ms < 0
      && (g_error_matches (error, ODL_ERROR, ODL_ERROR_TOO_LARGE)
          || g_error_matches (error, ODL_ERROR, ODL_ERROR_CANCELLED))) {
    g_free (candidate->reason);
    candidate->reason = g_strdup (error->message);
  } else if (ms < 0) {
    fail (m, index, error);
  }
  if (ms <= 0)
    return;
  odl_ranking_set_measured (m->ranking, index, ms);
  if (m->best_ms == 0 || ms < m->best_ms)
    m->best_ms = ms;
}

static int
count_unmeasured (const OdlRanking *ranking, int from)
{
  int n = 0;

  for (int i = from; i < ranking->n; i++)
    n += ranking->candidates[i].state == ODL_CANDIDATE_UNMEASURED;
  return n;
}

static void
measure_one (Measurement *m, int index)
{
  const OdlCandidate *candidate = &m->ranking->candidates[index];
  const char *path = m->params->cache_path;
  int64_t share_ns
      = (m->end_ns - odl_clock_now_ns ()) / MAX (count_unmeasured (m->ranking, index), 1);

  if (path != NULL)
    odl_choice_cache_begin (path, m->ranking, index);
  measure_candidate (m, index, share_ns);
  if (path != NULL)
    odl_choice_cache_end (path, m->ranking);
  if (odl_debug_wants (ODL_DEBUG_TIMING)) {
    g_autofree char *name = odl_engine_choice_to_text (candidate->choice);
    odl_debug (ODL_DEBUG_TIMING, "auto: %s %.3f ms %s", name, candidate->ms,
               candidate->reason != NULL ? candidate->reason : "");
  }
}

bool
odl_choice_measure (OdlRanking *ranking, const OdlChoiceMeasure *params)
{
  int64_t budget_ns = params->budget_ns > 0 ? params->budget_ns
                      : params->thorough    ? THOROUGH_BUDGET_NS
                                            : BUDGET_NS;
  Measurement m = { .params = params, .ranking = ranking };

  // Whether OpenGL can win at all is known before anything is measured.
  ensure_gl (&m);
  m.end_ns = odl_clock_now_ns () + budget_ns;
  m.images[0] = odl_image_ref (params->image);
  m.images[1] = odl_image_with_info (params->image, odl_image_info (params->image));
  for (int i = 0; i < ranking->n; i++)
    if (ranking->candidates[i].state == ODL_CANDIDATE_UNMEASURED)
      rule_out (&m, i);
  for (int i = 0; i < ranking->n; i++)
    if (ranking->candidates[i].state == ODL_CANDIDATE_MEASURED
        && (m.best_ms == 0 || ranking->candidates[i].ms < m.best_ms))
      m.best_ms = ranking->candidates[i].ms;
  for (int i = 0; i < ranking->n && !is_over (&m); i++)
    if (ranking->candidates[i].state == ODL_CANDIDATE_UNMEASURED)
      measure_one (&m, i);
  ranking->measured_at = g_get_real_time () / G_USEC_PER_SEC;

  odl_image_unref (m.images[0]);
  odl_image_unref (m.images[1]);
  g_clear_pointer (&m.canvas, odl_gl_canvas_free);
  g_clear_pointer (&m.headless, odl_gl_headless_free);
  g_clear_error (&m.no_gl);
  return !is_cancelled (&m);
}
