// SPDX-License-Identifier: MIT
// Which engine computes the frame: the one asked for, while it can; else the best that is
// known; and what happens when one fails.
#include <glib/gi18n-lib.h>

#include "base/debug.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/thread.h"
#include "engine/choice.h"
#include "engine/choice_cache.h"
#include "engine/choice_measure.h"
#include "engine/prices.h"
#include "session/computing.h"
#include "session/session_private.h"

// Measures the engines in the background, once for each kind of work, and keeps the
// results in a cache. Main thread; the measurement runs on a thread of the least
// priority.

typedef struct _OdlChooser OdlChooser;

// A measurement has begun, ended, or has a new result.
typedef void (*OdlChooserCb) (void *data);

static void odl_chooser_free (OdlChooser *chooser);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlChooser, odl_chooser_free)

// Delay, so that the first picture and changes by a slider come first.
#define DELAY_MS 600
// Attempts after a time-out: the first one may have been spent on compiling programs; if
// the second one times out, other programs are the cause.
#define RETRY_SOON_MS 1500
#define RETRY_MS 10000
#define MOST_ATTEMPTS 3

// What is to be measured.
typedef struct {
  OdlPlan *plan;
  OdlImage *image;
  char *gpu;
  bool thorough;
  OdlRanking *ranking; // earlier results; completed by the thread
} Work;

// Prices that are measured.
typedef struct {
  char *gpu;
  GSource *timer; // to begin; NULL: not wanted, or begun
  GThread *thread;
  int stopped, ended; // atomic
} Pricing;

struct _OdlChooser {
  char *path;
  OdlChooserCb changed;
  void *data;
  GMainContext *context;
  GHashTable *known; // key -> OdlRanking
  GHashTable *attempts; // key -> number of measurements in this run

  // The plan of the last look-up; its key is cached.
  const OdlPlan *plan; // referenced
  char *gpu;
  OdlRanking *current; // of `known`

  Pricing pricing;

  Work *next; // to be started by the timer
  GSource *timer;
  Work *running;
  GThread *thread;
  int cancelled; // atomic
  GMutex mutex; // guards `delivery`
  GSource *delivery;
};

static void
work_free (Work *work)
{
  if (!work)
    return;
  odl_plan_unref (work->plan);
  odl_image_unref (work->image);
  g_free (work->gpu);
  odl_ranking_free (work->ranking);
  g_free (work);
}

// ---- what is known -------------------------------------------------------------------

static OdlRanking *
ranking_for (OdlChooser *chooser, const char *key)
{
  OdlRanking *ranking = g_hash_table_lookup (chooser->known, key);
  if (ranking)
    return ranking;
  ranking = odl_choice_cache_load (chooser->path, key);
  if (!ranking)
    ranking = odl_ranking_new (key);
  g_hash_table_insert (chooser->known, g_strdup (key), ranking);
  return ranking;
}

// The results for this plan on this GPU; measures nothing. Borrowed until the next call.
// `gpu` as in odl_choice_key.
static const OdlRanking *
odl_chooser_look_up (OdlChooser *chooser, const OdlPlan *plan, const char *gpu)
{
  if (chooser->current && chooser->plan == plan && g_strcmp0 (chooser->gpu, gpu) == 0)
    return chooser->current;
  g_autofree char *key = odl_choice_key (plan, ODL_TARGET_GL_CANVAS, gpu);
  chooser->current = ranking_for (chooser, key);
  g_clear_pointer ((OdlPlan **) &chooser->plan, odl_plan_unref);
  chooser->plan = odl_plan_ref ((OdlPlan *) plan);
  g_free (chooser->gpu);
  chooser->gpu = g_strdup (gpu);
  return chooser->current;
}

// ---- measuring -----------------------------------------------------------------------

static bool
is_cancelled (void *data)
{
  return g_atomic_int_get (&((OdlChooser *) data)->cancelled) != 0;
}

static void
keep (OdlChooser *chooser, OdlRanking *ranking)
{
  chooser->current = NULL;
  g_hash_table_replace (chooser->known, g_strdup (ranking->key), ranking);
}

static gboolean
chooser_measured_cb (void *data)
{
  OdlChooser *chooser = data;
  g_thread_join (g_steal_pointer (&chooser->thread));
  g_mutex_lock (&chooser->mutex);
  g_clear_pointer (&chooser->delivery, g_source_unref);
  g_mutex_unlock (&chooser->mutex);
  Work *work = g_steal_pointer (&chooser->running);
  if (!is_cancelled (chooser))
    keep (chooser, g_steal_pointer (&work->ranking));
  work_free (work);
  chooser->changed (chooser->data);
  return G_SOURCE_REMOVE;
}

static void *
measure_thread (void *data)
{
  OdlChooser *chooser = data;
  Work *work = chooser->running;
  OdlChoiceMeasure params = {
    .plan = work->plan,
    .image = work->image,
    .target = ODL_TARGET_GL_CANVAS,
    .gpu = work->gpu,
    .thorough = work->thorough,
    .cache_path = chooser->path,
    .cancelled = is_cancelled,
    .data = chooser,
  };
  odl_parallel_lower_priority ();
  if (odl_choice_measure (work->ranking, &params)) {
    // Without a cache the next run measures again; not reported.
    g_autoptr (GError) error = NULL;
    if (!odl_choice_cache_save (chooser->path, work->ranking, &error))
      odl_debug (ODL_DEBUG_TIMING, "%s", error->message);
  }
  g_mutex_lock (&chooser->mutex);
  chooser->delivery = g_idle_source_new ();
  g_source_set_callback (chooser->delivery, chooser_measured_cb, chooser, NULL);
  g_source_attach (chooser->delivery, chooser->context);
  g_mutex_unlock (&chooser->mutex);
  return NULL;
}

static void
set_timer (OdlChooser *chooser, guint ms, GSourceFunc cb)
{
  if (chooser->timer)
    g_source_destroy (chooser->timer);
  g_clear_pointer (&chooser->timer, g_source_unref);
  chooser->timer = g_timeout_source_new (ms);
  g_source_set_callback (chooser->timer, cb, chooser, NULL);
  g_source_attach (chooser->timer, chooser->context);
}

static gboolean
start_cb (void *data)
{
  OdlChooser *chooser = data;
  if (chooser->running) {
    // The other measurement ends after its current frame.
    g_atomic_int_set (&chooser->cancelled, 1);
    set_timer (chooser, 50, start_cb);
    return G_SOURCE_REMOVE;
  }
  g_clear_pointer (&chooser->timer, g_source_unref);
  chooser->running = g_steal_pointer (&chooser->next);
  g_atomic_int_set (&chooser->cancelled, 0);
  const char *key = chooser->running->ranking->key;
  int attempts = GPOINTER_TO_INT (g_hash_table_lookup (chooser->attempts, key));
  g_hash_table_replace (chooser->attempts, g_strdup (key),
                        GINT_TO_POINTER (attempts + 1));
  chooser->thread = odl_thread_new ("odl-chooser", measure_thread, chooser, NULL);
  // What is not measured is guessed.
  if (!chooser->thread)
    g_clear_pointer (&chooser->running, work_free);
  chooser->changed (chooser->data);
  return G_SOURCE_REMOVE;
}

static bool
is_for (const Work *work, const char *key)
{
  return work && g_str_equal (work->ranking->key, key);
}

// Measures missing results after a short delay; cancels a measurement for another plan.
// Does nothing when none is missing, or when the machine was too busy several times.
// `afresh` drops the known results and measures at once.
static void
odl_chooser_measure (OdlChooser *chooser,
                     const OdlPlan *plan,
                     OdlImage *image,
                     const char *gpu,
                     bool afresh)
{
  const OdlRanking *known = odl_chooser_look_up (chooser, plan, gpu);
  int attempts = GPOINTER_TO_INT (g_hash_table_lookup (chooser->attempts, known->key));
  if (!afresh
      && (odl_ranking_is_complete (known) || attempts >= MOST_ATTEMPTS
          || is_for (chooser->next, known->key)
          || (is_for (chooser->running, known->key) && !is_cancelled (chooser))))
    return;
  work_free (chooser->next);
  chooser->next = g_new0 (Work, 1);
  chooser->next->plan = odl_plan_ref ((OdlPlan *) plan);
  chooser->next->image = odl_image_ref (image);
  chooser->next->gpu = g_strdup (gpu);
  chooser->next->thorough = afresh;
  chooser->next->ranking
      = afresh ? odl_ranking_new (known->key) : odl_ranking_copy (known);
  static const guint delays_ms[MOST_ATTEMPTS] = { DELAY_MS, RETRY_SOON_MS, RETRY_MS };
  set_timer (chooser, afresh ? 0 : delays_ms[attempts], start_cb);
}

// Cancels the current or planned measurement.
static void
cancel (OdlChooser *chooser)
{
  if (chooser->timer)
    g_source_destroy (chooser->timer);
  g_clear_pointer (&chooser->timer, g_source_unref);
  g_clear_pointer (&chooser->next, work_free);
  g_atomic_int_set (&chooser->cancelled, 1);
}

// ---- prices --------------------------------------------------------------------------

static bool
is_stopped (void *data)
{
  return g_atomic_int_get (&((Pricing *) data)->stopped) != 0;
}

static void *
price_thread (void *data)
{
  Pricing *pricing = data;
  odl_parallel_lower_priority ();
  odl_prices_measure (pricing->gpu, is_stopped, pricing);
  g_atomic_int_set (&pricing->ended, 1);
  return NULL;
}

// One that was stopped may still compile a program.
static gboolean
price_cb (void *data)
{
  Pricing *pricing = data;
  if (pricing->thread && !g_atomic_int_get (&pricing->ended))
    return G_SOURCE_CONTINUE;
  g_clear_pointer (&pricing->timer, g_source_unref);
  g_clear_pointer (&pricing->thread, g_thread_join);
  g_atomic_int_set (&pricing->stopped, 0);
  g_atomic_int_set (&pricing->ended, 0);
  // What is not measured is as shipped.
  pricing->thread = odl_thread_new ("odl-prices", price_thread, pricing, NULL);
  return G_SOURCE_REMOVE;
}

// Measures, once and after a short delay, what convolutions cost on that GPU
// (engine/prices.h), for the structures that come. Does nothing while it is measured.
static void
odl_chooser_price (OdlChooser *chooser, const char *gpu)
{
  Pricing *pricing = &chooser->pricing;
  if (pricing->timer || (pricing->thread && !is_stopped (pricing)))
    return;
  // A run is for one GPU.
  if (!pricing->gpu)
    pricing->gpu = g_strdup (gpu);
  pricing->timer = g_timeout_source_new (DELAY_MS);
  g_source_set_callback (pricing->timer, price_cb, pricing, NULL);
  g_source_attach (pricing->timer, chooser->context);
}

// Stops that, and does not wait; it is begun anew when odl_chooser_price is called again.
static void
odl_chooser_stop_pricing (OdlChooser *chooser)
{
  Pricing *pricing = &chooser->pricing;
  if (pricing->timer)
    g_source_destroy (pricing->timer);
  g_clear_pointer (&pricing->timer, g_source_unref);
  if (!g_atomic_int_get (&pricing->ended))
    g_atomic_int_set (&pricing->stopped, 1);
}

static bool
odl_chooser_is_measuring (const OdlChooser *chooser)
{
  return chooser->running != NULL;
}

// ---- life ----------------------------------------------------------------------------

// `path` is the cache, see engine/choice_cache.h.
static OdlChooser *
odl_chooser_new (const char *path, OdlChooserCb changed, void *data)
{
  OdlChooser *chooser = g_new0 (OdlChooser, 1);
  chooser->path = g_strdup (path);
  chooser->changed = changed;
  chooser->data = data;
  chooser->context = g_main_context_ref_thread_default ();
  chooser->known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                          (GDestroyNotify) odl_ranking_free);
  chooser->attempts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_mutex_init (&chooser->mutex);
  return chooser;
}

// Cancels the measurement and waits for its current frame.
static void
odl_chooser_free (OdlChooser *chooser)
{
  if (!chooser)
    return;
  cancel (chooser);
  odl_chooser_stop_pricing (chooser);
  g_clear_pointer (&chooser->pricing.thread, g_thread_join);
  g_free (chooser->pricing.gpu);
  if (chooser->thread)
    g_thread_join (chooser->thread);
  if (chooser->delivery)
    g_source_destroy (chooser->delivery);
  g_clear_pointer (&chooser->delivery, g_source_unref);
  work_free (chooser->running);
  g_clear_pointer ((OdlPlan **) &chooser->plan, odl_plan_unref);
  g_hash_table_unref (chooser->known);
  g_hash_table_unref (chooser->attempts);
  g_main_context_unref (chooser->context);
  g_mutex_clear (&chooser->mutex);
  g_free (chooser->gpu);
  g_free (chooser->path);
  g_free (chooser);
}

// Frames that an engine with GL needs longer for are not the canvas's: nothing else could
// be painted or answered meanwhile.
#define CANVAS_MS 150

// An engine that failed.
typedef struct {
  OdlEngineChoice choice;
  bool whole_engine; // all its variants fail
  bool in_canvas; // an engine with GL in the canvas's context, else in the renderer's
  OdlPlan *plan; // only for plans of this structure; NULL: for all plans
  char *message;
} Failure;

static void
failure_clear (void *data)
{
  Failure *failure = data;
  g_clear_pointer (&failure->plan, odl_plan_unref);
  g_clear_pointer (&failure->message, g_free);
}

struct _OdlEngineSelector {
  OdlEngineRequest request;
  char *name; // of the request
  GArray *failures; // Failure
  char *fallback_reason; // why another engine is used; NULL: the requested one is used
  char *told_fallback_reason;
  OdlChooser *chooser;
  char *gpu; // GPU of the canvas; "" for none
  OdlRanking *last_ranking; // the last that a measurement could decide; NULL: none yet
};

// Where the canvas is drawn in software it may have no OpenGL, and the window would wait
// for it.
static bool
runs_code_apart (OdlSession *self)
{
  return self->gl_level < ODL_GL_HARDWARE && odl_session_has_code (self);
}

bool
odl_session_runs_in_canvas (OdlSession *self, OdlEngineChoice choice)
{
  if (!choice.klass->needs_gl || odl_session_uses_volume (self)
      || (self->plan && self->plan->resized) || runs_code_apart (self))
    return false;
  const OdlRanking *known = odl_session_ranking (self);
  const OdlCandidate *candidate = known ? odl_ranking_find (known, choice) : NULL;
  return !candidate || candidate->state != ODL_CANDIDATE_MEASURED
         || candidate->ms <= CANVAS_MS;
}

static const Failure *
find_failure (OdlSession *self, OdlEngineChoice choice)
{
  for (guint i = 0; i < self->engines->failures->len; i++) {
    const Failure *failure = &g_array_index (self->engines->failures, Failure, i);
    bool same = failure->whole_engine ? failure->choice.klass == choice.klass
                                      : odl_engine_choice_equal (failure->choice, choice);
    if (choice.klass->needs_gl
        && failure->in_canvas != odl_session_runs_in_canvas (self, choice))
      continue;
    if (same && (!failure->plan || odl_plan_same_structure (failure->plan, self->plan)))
      return failure;
  }
  return NULL;
}

// An engine that lacks a feature or memory for this plan may suit the next one; one that
// failed otherwise is not tried again until the user requests it.
static void
add_failure (OdlSession *self, OdlEngineChoice choice, const GError *error)
{
  bool depends_on_plan = g_error_matches (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED)
                         || g_error_matches (error, ODL_ERROR, ODL_ERROR_TOO_LARGE);
  Failure failure = {
    .choice = choice,
    .in_canvas = odl_session_runs_in_canvas (self, choice),
    .whole_engine = !depends_on_plan || !choice.variant,
    .plan = depends_on_plan ? odl_plan_ref (self->plan) : NULL,
    .message = g_strdup (error->message),
  };
  g_array_append_val (self->engines->failures, failure);
}

// Why the choice cannot be used now; NULL if it can. Transfer full.
static char *
why_not (OdlSession *self, OdlEngineChoice choice, bool asked)
{
  const Failure *failure = find_failure (self, choice);
  g_autoptr (GError) error = NULL;
  if (failure)
    return g_strdup (failure->message);
  if (!odl_engine_can_run (choice.klass, self->plan, &error))
    return g_strdup (error->message);
  if (!choice.klass->needs_gl)
    return NULL;
  // The renderer runs them on volumes, in a context of its own. No measurement says how
  // long that takes, so they are never chosen automatically, and no reason is shown.
  // Nor does the canvas know of beams that become a picture of another size.
  if (odl_session_uses_volume (self) || self->plan->resized || runs_code_apart (self))
    return asked ? NULL : g_strdup ("");
  const OdlGeometry *geometry = &self->plan->geometry;
  if (self->gl_level == ODL_GL_NONE)
    return g_strdup (_ ("there is no OpenGL here"));
  if (MAX (geometry->width, geometry->height) > self->gl_max_side)
    return g_strdup (_ ("the picture is larger than OpenGL can hold here"));
  if (!asked && self->gl_level < ODL_GL_HARDWARE)
    return g_strdup (_ ("OpenGL renders in software here."));
  return NULL;
}

static bool
is_usable (OdlEngineChoice choice, void *data)
{
  // Code runs on engines with OpenGL alone, software or not.
  g_autofree char *reason = why_not (data, choice, odl_session_has_code (data));
  return reason == NULL;
}

static const OdlRanking *
ranking (OdlSession *self)
{
  return self->plan && odl_choice_is_worth_measuring (self->plan)
             ? odl_chooser_look_up (self->engines->chooser, self->plan,
                                    self->engines->gpu)
             : self->engines->last_ranking;
}

// A picture without filters gives no reason to change: the choice for the last plan
// stays.
static OdlEngineChoice
pick (OdlSession *self)
{
  // Engines are not measured with code, and what is known of other filters of its kind
  // says where software draws OpenGL that none of those that can run it is to be chosen.
  if (odl_session_has_code (self))
    return odl_choice_pick (NULL, is_usable, self);
  const OdlRanking *known = ranking (self);
  bool same = known == self->engines->last_ranking
              || (known && self->engines->last_ranking
                  && known->measured_at == self->engines->last_ranking->measured_at
                  && g_str_equal (known->key, self->engines->last_ranking->key));
  if (!same) {
    odl_ranking_free (self->engines->last_ranking);
    self->engines->last_ranking = odl_ranking_copy (known);
  }
  return odl_choice_pick (self->engines->last_ranking, is_usable, self);
}

static void
set_fallback (OdlSession *self, const char *reason)
{
  g_autofree char *old = self->engines->fallback_reason;
  self->engines->fallback_reason = g_strdup (reason);
}

OdlEngineChoice
odl_session_choose_engine (OdlSession *self)
{
  OdlEngineChoice asked = self->engines->request.choice;
  if (!asked.klass) {
    set_fallback (self, NULL);
    return pick (self);
  }
  g_autofree char *reason = why_not (self, asked, true);
  set_fallback (self, reason);
  if (!reason)
    return asked;
  // Another variant of the same engine is closest to the request.
  OdlEngineChoice plain = { asked.klass, NULL };
  g_autofree char *plain_reason = why_not (self, plain, true);
  return asked.variant && !plain_reason ? plain : pick (self);
}

void
odl_session_tell_fallback (OdlSession *self, OdlEngineChoice taken)
{
  if (!self->engines->fallback_reason) {
    g_clear_pointer (&self->engines->told_fallback_reason, g_free);
    return;
  }
  if (g_strcmp0 (self->engines->fallback_reason, self->engines->told_fallback_reason)
      == 0)
    return;
  g_free (self->engines->told_fallback_reason);
  self->engines->told_fallback_reason = g_strdup (self->engines->fallback_reason);
  g_autofree char *asked = odl_engine_choice_to_text (self->engines->request.choice);
  g_autofree char *next = odl_engine_choice_to_text (taken);
  // Translators: the names of two engines, and why the first does not work.
  g_autofree char *text = g_strdup_printf (_ ("%2$s works in place of %1$s: %3$s"), asked,
                                           next, self->engines->fallback_reason);
  odl_session_say (self, text);
}

void
odl_session_engine_failed (OdlSession *self, OdlEngineChoice failed, const GError *error)
{
  // The same frame may be painted again, and fail again, before the next engine's frame
  // arrives.
  if (!self->plan || find_failure (self, failed) || odl_session_blames_code (self, error))
    return;
  add_failure (self, failed, error);
  if (!self->image)
    return;
  bool asked = odl_engine_choice_equal (failed, self->engines->request.choice);
  OdlEngineChoice next = odl_session_choose_engine (self);
  g_autofree char *name = odl_engine_choice_to_text (failed);
  g_autofree char *next_name = next.klass ? odl_engine_choice_to_text (next) : NULL;
  g_autofree char *text
      = next_name
            ? g_strdup_printf (_ ("The engine %s failed, %s takes over: %s"), name,
                               next_name, error->message)
            : g_strdup_printf (_ ("The engine %s failed: %s"), name, error->message);
  if (asked) {
    g_free (self->engines->told_fallback_reason);
    self->engines->told_fallback_reason = g_strdup (self->engines->fallback_reason);
  }
  odl_session_say (self, text);
  if (next.klass)
    odl_session_mark (self, ODL_MARK_PICTURE);
}

// ---- measuring -----------------------------------------------------------------------

void
odl_session_want_measured (OdlSession *self)
{
  // Code is tried in a process of its own first, by one engine after the other.
  if (!self->engines->request.choice.klass && odl_choice_is_worth_measuring (self->plan)
      && !odl_session_has_code (self))
    odl_chooser_measure (self->engines->chooser, self->plan, self->image,
                         self->engines->gpu, false);
}

void
odl_session_want_prices (OdlSession *self)
{
  if (self->playing)
    odl_chooser_stop_pricing (self->engines->chooser);
  else if (self->prices_matter && self->frame && self->frame->plan == self->plan
           && !self->ran.variant && self->ran.klass
           && self->ran.klass == odl_engine_find ("gl-compute"))
    odl_chooser_price (self->engines->chooser, self->engines->gpu);
}

bool
odl_session_measure_engines (OdlSession *self)
{
  if (!self->plan || !self->image || !odl_choice_is_worth_measuring (self->plan)
      || odl_session_has_code (self))
    return false;
  odl_chooser_measure (self->engines->chooser, self->plan, self->image,
                       self->engines->gpu, true);
  return true;
}

bool
odl_session_is_measuring (OdlSession *self)
{
  return odl_chooser_is_measuring (self->engines->chooser);
}

const OdlRanking *
odl_session_ranking (OdlSession *self)
{
  return self->plan && odl_choice_is_worth_measuring (self->plan) ? ranking (self) : NULL;
}

static void
measured_cb (void *data)
{
  OdlSession *self = data;
  g_signal_emit_by_name (self, "choice-changed");
  if (!self->image || !self->plan || self->engines->request.choice.klass || !self->frame)
    return;
  OdlEngineChoice best = odl_session_choose_engine (self);
  OdlEngineChoice now = { self->frame->engine, self->frame->variant };
  if (best.klass && !odl_engine_choice_equal (best, now))
    odl_session_mark (self, ODL_MARK_PICTURE);
  else if (!odl_chooser_is_measuring (self->engines->chooser))
    odl_session_want_measured (self);
}

// ---- requests ------------------------------------------------------------------------

void
odl_session_set_engine (OdlSession *self, const char *name)
{
  OdlEngineRequest request = { .origin = ODL_REQUEST_OPTION };
  if (!name || !odl_engine_choice_parse (name, &request.choice, NULL))
    request.choice = (OdlEngineChoice){ NULL, NULL };
  odl_session_set_engine_request (self, &request);
}

void
odl_session_set_engine_request (OdlSession *self, const OdlEngineRequest *request)
{
  self->engines->request.origin = request->origin;
  if (odl_engine_choice_equal (request->choice, self->engines->request.choice))
    return;
  self->engines->request = *request;
  g_free (self->engines->name);
  self->engines->name = request->choice.klass
                            ? odl_engine_choice_to_text (request->choice)
                            : g_strdup (ODL_ENGINE_AUTO);
  // Requesting a failed engine again retries it.
  g_array_set_size (self->engines->failures, 0);
  g_object_notify (G_OBJECT (self), "engine");
  odl_session_mark (self, ODL_MARK_PICTURE);
}

const OdlEngineRequest *
odl_session_engine_request (OdlSession *self)
{
  return &self->engines->request;
}

const char *
odl_session_engine (OdlSession *self)
{
  return self->engines->name;
}

const char *
odl_session_fallback_reason (OdlSession *self)
{
  return self->engines->fallback_reason;
}

void
odl_session_set_gpu (OdlSession *self, const char *gpu)
{
  if (g_strcmp0 (self->engines->gpu, gpu) == 0)
    return;
  g_free (self->engines->gpu);
  self->engines->gpu = g_strdup (gpu);
}

// ---- life ----------------------------------------------------------------------------

void
odl_session_stop_measuring (OdlSession *self)
{
  g_clear_pointer (&self->engines->chooser, odl_chooser_free);
}

OdlEngineSelector *
odl_engine_selector_new (OdlSession *session)
{
  OdlEngineSelector *self = g_new0 (OdlEngineSelector, 1);
  g_autofree char *cache = odl_choice_cache_path ();
  self->name = g_strdup (ODL_ENGINE_AUTO);
  self->request.origin = ODL_REQUEST_AUTO;
  self->failures = g_array_new (FALSE, TRUE, sizeof (Failure));
  g_array_set_clear_func (self->failures, failure_clear);
  self->gpu = g_strdup ("");
  self->chooser = odl_chooser_new (cache, measured_cb, session);
  return self;
}

void
odl_engine_selector_free (OdlEngineSelector *self)
{
  g_free (self->name);
  g_free (self->fallback_reason);
  g_free (self->told_fallback_reason);
  g_free (self->gpu);
  g_array_unref (self->failures);
  odl_ranking_free (self->last_ranking);
  g_free (self);
}

// The picture as it came, while its filters are at work.

// Results that come sooner take the place of what is shown, without the picture as it
// came in between, which would flicker: of another source, and of the same picture.
#define OTHER_MS 150
#define SAME_MS 500

// What is shown is of the source in place. Of a source that plays the picture may be an
// earlier one, which has its own number.
static bool
shows_source (OdlSession *self)
{
  return self->frame && self->frame->source_serial == self->source_serial;
}

static bool
is_current (OdlSession *self)
{
  return shows_source (self) && odl_recipe_equal (&self->frame->recipe, &self->planned)
         && (self->playing || self->frame->arrival == self->arrival);
}

bool
odl_session_is_computing (OdlSession *self)
{
  OdlVolumeWork work;
  return self->image && self->plan && !is_current (self)
         && odl_renderer_work (self->renderer, &work);
}

bool
odl_session_volume_work (OdlSession *self, OdlVolumeWork *work)
{
  return odl_renderer_work (self->renderer, work)
         && (odl_session_uses_volume (self) || !self->playing
             || odl_session_is_computing (self));
}

bool
odl_session_shows_result (OdlSession *self)
{
  return shows_source (self)
         && (odl_recipe_equal (&self->frame->recipe, odl_session_recipe (self))
             || (self->marks == 0 && !odl_session_is_computing (self)
                 && !odl_session_is_reading (self) && !odl_session_awaits_about (self)));
}

OdlFrame *
odl_session_new_frame (OdlSession *self,
                       OdlPlan *plan,
                       OdlEngineChoice choice,
                       const OdlRecipe *recipe)
{
  OdlFrame *frame = odl_frame_new (self->image, plan, choice);
  frame->source_serial = self->source_serial;
  frame->index = self->index;
  frame->arrival = self->arrival;
  frame->arrived_us = self->arrived_us;
  frame->due_us = self->due_us;
  frame->asked = self->asked;
  frame->recipe = *recipe;
  return frame;
}

// The plan of no filters, whose result is its input.
static OdlFrame *
make_original (OdlSession *self)
{
  const OdlGeometry geometry = odl_session_geometry (self, self->image);
  OdlRecipe none;
  odl_recipe_init (&none);
  g_autoptr (OdlPlan) plan = odl_plan_new (&none, &geometry, NULL);
  if (!plan)
    return NULL;
  const OdlEngineChoice cpu = { .klass = odl_engine_find ("cpu") };
  OdlFrame *frame = odl_session_new_frame (self, plan, cpu, &none);
  frame->result = odl_image_ref (self->image);
  if (self->want_original)
    frame->original = odl_image_ref (self->image);
  return frame;
}

static gboolean
late_cb (void *data)
{
  OdlSession *self = data;
  g_clear_pointer (&self->late_source, g_source_unref);
  // Planes are cut by who is busy now; they stay, under their own filters' names.
  if (!self->image || is_current (self)
      || (shows_source (self) && (self->playing || self->frame->planes)))
    return G_SOURCE_REMOVE;
  OdlFrame *original = make_original (self);
  if (original)
    odl_session_show (self, original);
  return G_SOURCE_REMOVE;
}

void
odl_session_await_result (OdlSession *self)
{
  if (self->late_source || is_current (self)
      || odl_recipe_is_identity (odl_session_recipe (self)))
    return;
  self->late_source = g_timeout_source_new (shows_source (self) ? SAME_MS : OTHER_MS);
  g_source_set_callback (self->late_source, late_cb, self, NULL);
  g_source_attach (self->late_source, g_main_context_get_thread_default ());
}

void
odl_session_stop_awaiting (OdlSession *self)
{
  if (self->late_source)
    g_source_destroy (self->late_source);
  g_clear_pointer (&self->late_source, g_source_unref);
}
